// Trees that do not fit their scop or break it: each by its own words.
// RUN: nestor-opt %s --nestor-apply-schedule=alias=assume-distinct -split-input-file -verify-diagnostics

func.func @wrong_hash(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.leaf>]} {
  // expected-error-re @+1 {{the schedule was made for scop 0123456789abcdef, but this one is {{[0-9a-f]+}}: schedule the function again}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

// expected-error @+1 {{nestor.schedule has 2 entries, but the function has 1 scops}}
func.func @too_many(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0123456789abcdef", steps = []>,
    #nestor.schedule<version = 1, hash = "0123456789abcdef", steps = []>]} {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

// expected-error @+1 {{nestor.schedule has 0 entries, but the function has 1 scops}}
func.func @too_few(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = []} {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

// expected-error @+1 {{nestor.schedule has 1 entries, but the function has 0 scops}}
func.func @no_scop() attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0123456789abcdef", steps = []>]} {
  return
}

// -----

// An empty list of steps is checked, too.
func.func @unchanged_wrong_hash(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0123456789abcdef", steps = []>]} {
  // expected-error @+1 {{the schedule was made for scop 0123456789abcdef}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @arrays(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      tree = #nestor.band<stmts = [0], members = [
        #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>]>], child = #nestor.leaf>,
      arrays = [#nestor.array<kind = packed, source = 0, type = memref<8xf32>, stmts = [0],
        maps = [affine_map<(d0) -> (d0)>]>]>]} {
  // expected-error @+1 {{the schedule adds arrays, which this version does not generate}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @statements(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      tree = #nestor.band<stmts = [0, 1], members = [
        #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]>],
        child = #nestor.sequence<[#nestor.filter<stmts = [0], child = #nestor.leaf>,
          #nestor.filter<stmts = [1], child = #nestor.leaf>]>>>]} {
  // expected-error @+1 {{the schedule tree has 2 statements, but the scop has 1}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @dims(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      tree = #nestor.band<stmts = [0], members = [
        #nestor.member<name = "i", maps = [affine_map<(d0, d1) -> (d0)>]>], child = #nestor.leaf>>]} {
  // expected-error @+1 {{loop 'i', statement 0: the map must have 1 dims and 0 symbols}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @symbols(%A: memref<8xf32>, %n: index, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "b8119b501d8cd730",
      tree = #nestor.band<stmts = [0], members = [
        #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>]>], child = #nestor.leaf>>]} {
  // expected-error @+1 {{loop 'i', statement 0: the map must have 1 dims and 1 symbols}}
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @semi_affine(%A: memref<8xf32>, %n: index, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "b8119b501d8cd730",
      tree = #nestor.band<stmts = [0], members = [
        #nestor.member<name = "i", maps = [affine_map<(d0)[s0] -> (d0 floordiv s0)>]>], child = #nestor.leaf>>]} {
  // expected-error @+1 {{loop 'i', statement 0: the map is not affine}}
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @order(%A: memref<8xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "8fe9e3e595247411",
      tree = #nestor.band<stmts = [0], members = [
        #nestor.member<name = "i", maps = [affine_map<(d0) -> (-d0)>]>], child = #nestor.leaf>>]} {
  // expected-error @+1 {{the schedule is illegal: it would break a dependence from statement 0 to statement 0 on an array (array0)}}
  affine.for %i = 1 to 8 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}

// -----

// The bits in the attribute are no promise: they are computed again.
func.func @bits(%A: memref<8xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "8fe9e3e595247411",
      tree = #nestor.band<stmts = [0], members = [
        #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>], coincident = true,
          marks = [#nestor.mark<vector block = 4 width = 4>]>], permutable = true, child = #nestor.leaf>>]} {
  // expected-error @+1 {{the schedule is illegal: a loop with a vector mark carries a dependence}}
  affine.for %i = 1 to 8 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @both_marks(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      tree = #nestor.band<stmts = [0], members = [
        #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>],
          marks = [#nestor.mark<vector block = 4 width = 4>, #nestor.mark<unroll block = 4>]>], child = #nestor.leaf>>]} {
  // expected-error @+1 {{loop 'i' has both an unroll and a vector mark}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @sequence_order(%A: memref<8xf32>, %B: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "e66e5ebda7d3e3c9",
      tree = #nestor.sequence<[
        #nestor.filter<stmts = [1], child = #nestor.band<stmts = [1], members = [
          #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>]>], child = #nestor.leaf>>,
        #nestor.filter<stmts = [0], child = #nestor.band<stmts = [0], members = [
          #nestor.member<name = "j", maps = [affine_map<(d0) -> (d0)>]>], child = #nestor.leaf>>]>>]} {
  // expected-error @+1 {{the schedule is illegal: it would break a dependence from statement 0 to statement 1 on an array (array0)}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    affine.store %a, %B[%i] : memref<8xf32>
  }
  return
}

// -----

// Dependent statements at one leaf have no order.
func.func @one_leaf(%A: memref<8xf32>, %B: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "b066e92f5454bfaa",
      tree = #nestor.band<stmts = [0, 1], members = [
          #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]>],
        child = #nestor.leaf>>]} {
  // expected-error @+1 {{it would break a dependence from statement 0 to statement 1 on an array (array0)}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
    %a = affine.load %A[%i] : memref<8xf32>
    affine.store %a, %B[%i] : memref<8xf32>
  }
  return
}

// -----

// A loop is missing: all its iterations would be one.
func.func @no_loop(%A: memref<8x8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "69282e17f93bdda7",
      tree = #nestor.band<stmts = [0], members = [
        #nestor.member<name = "i", maps = [affine_map<(d0, d1) -> (d0)>]>], child = #nestor.leaf>>]} {
  // expected-error @+1 {{the schedule is illegal: two instances of statement 0 would run at the same place}}
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %x, %A[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// -----

// The same in one branch of a split domain only.
#low = affine_set<(d0) : (-d0 + 3 >= 0)>
#high = affine_set<(d0) : (d0 - 4 >= 0)>
func.func @no_loop_in_branch(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      tree = #nestor.sequence<[
        #nestor.filter<stmts = [0], domains = [[#low]], child =
          #nestor.band<stmts = [0], members = [
            #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>]>], child = #nestor.leaf>>,
        #nestor.filter<stmts = [0], domains = [[#high]], child = #nestor.leaf>]>>]} {
  // expected-error @+1 {{the schedule is illegal: two instances of statement 0 would run at the same place}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

#low = affine_set<(d0) : (-d0 + 4 >= 0)>
#high = affine_set<(d0) : (d0 - 4 >= 0)>
func.func @twice(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      tree = #nestor.sequence<[
        #nestor.filter<stmts = [0], domains = [[#low]], child =
          #nestor.band<stmts = [0], members = [
            #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>]>], child = #nestor.leaf>>,
        #nestor.filter<stmts = [0], domains = [[#high]], child =
          #nestor.band<stmts = [0], members = [
            #nestor.member<name = "j", maps = [affine_map<(d0) -> (d0)>]>], child = #nestor.leaf>>]>>]} {
  // expected-error @+1 {{the schedule is illegal: an instance of statement 0 is in two branches}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

#low = affine_set<(d0) : (-d0 + 3 >= 0)>
#high = affine_set<(d0) : (d0 - 5 >= 0)>
func.func @never(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      tree = #nestor.sequence<[
        #nestor.filter<stmts = [0], domains = [[#low]], child =
          #nestor.band<stmts = [0], members = [
            #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>]>], child = #nestor.leaf>>,
        #nestor.filter<stmts = [0], domains = [[#high]], child =
          #nestor.band<stmts = [0], members = [
            #nestor.member<name = "j", maps = [affine_map<(d0) -> (d0)>]>], child = #nestor.leaf>>]>>]} {
  // expected-error @+1 {{the schedule is illegal: an instance of statement 0 is in no branch}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

#set = affine_set<(d0, d1) : (d0 - d1 >= 0)>
func.func @set_dims(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      tree = #nestor.sequence<[
        #nestor.filter<stmts = [0], domains = [[#set]], child = #nestor.leaf>]>>]} {
  // expected-error @+1 {{filter: the integer set of statement 0 must be affine over 1 dims and 0 symbols}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

