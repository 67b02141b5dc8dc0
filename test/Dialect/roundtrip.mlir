// Every attribute of the dialect is printed as it is parsed. Integer sets in a
// schedule are aliases: the `>=` of a set would end an attribute of a dialect.
// RUN: nestor-opt %s | FileCheck %s
// RUN: nestor-opt %s | nestor-opt | FileCheck %s
// RUN: nestor-opt %s -mlir-print-op-generic | nestor-opt | FileCheck %s

// CHECK: #[[$TILE:[a-z0-9]+]] = affine_map<(d0, d1) -> ((d0 floordiv 32) * 32)>

// CHECK-LABEL: func.func @steps
// CHECK-SAME: #nestor.schedule<version = 1, hash = "0123456789abcdef", steps = [
// CHECK-SAME: #nestor.interchange<["L1", "L0"]>
// CHECK-SAME: #nestor.reverse<"L2">
// CHECK-SAME: #nestor.tile<["L0", "L1"], [32, 64]>
// CHECK-SAME: #nestor.unroll<"L2", 4>
// CHECK-SAME: #nestor.unroll_jam<"L0", 6>
// CHECK-SAME: #nestor.vectorize<"L1", 8, 2>
// CHECK-SAME: #nestor.promote<"L2">
func.func @steps() attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0123456789abcdef", steps = [
      #nestor.interchange<["L1", "L0"]>, #nestor.reverse<"L2">,
      #nestor.tile<["L0", "L1"], [32, 64]>, #nestor.unroll<"L2", 4>,
      #nestor.unroll_jam<"L0", 6>, #nestor.vectorize<"L1", 8, 2>,
      #nestor.promote<"L2">]>]} {
  return
}

#tile = affine_map<(d0, d1) -> ((d0 floordiv 32) * 32)>
#first = affine_map<(d0, d1) -> (d0)>
#second = affine_map<(d0, d1)[s0] -> (d1 + s0)>

// A band over two statements, with marks, above a sequence of two filters.
// CHECK-LABEL: func.func @tree
// CHECK-SAME: tree = #nestor.band<stmts = [0, 1], members = [#nestor.member<name = "i.t", maps = [#[[$TILE]], #[[$TILE]]], coincident = true>
// CHECK-SAME: #nestor.member<name = "j"
// CHECK-SAME: marks = [#nestor.mark<vector block = 16 width = 8>, #nestor.mark<unroll block = 6>, #nestor.mark<promote>]>], permutable = true
// CHECK-SAME: child = #nestor.sequence<[#nestor.filter<stmts = [0], child = #nestor.leaf>, #nestor.filter<stmts = [1], child = #nestor.leaf>]>>
func.func @tree() attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0123456789abcdef",
      tree = #nestor.band<stmts = [0, 1], members = [
          #nestor.member<name = "i.t", maps = [#tile, #tile], coincident = true>,
          #nestor.member<name = "j", maps = [#second, #first],
            marks = [#nestor.mark<vector block = 16 width = 8>, #nestor.mark<unroll block = 6>,
                     #nestor.mark<promote>]>],
        permutable = true,
        child = #nestor.sequence<[
          #nestor.filter<stmts = [0], child = #nestor.leaf>,
          #nestor.filter<stmts = [1], child = #nestor.leaf>]>>>]} {
  return
}

#low = affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)>
#high = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
#id = affine_map<(d0) -> (d0)>
#cell = affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>

// One statement split over two branches by domains, an array of each kind, and
// steps as the record beside the tree.
// CHECK-LABEL: func.func @domains_and_arrays
// CHECK-SAME: tree = #nestor.sequence<[#nestor.filter<stmts = [0], domains = {{\[\[}}"(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)", "(d0)[s0] : (d0 - s0 >= 0)"]], child = #nestor.leaf>
// CHECK-SAME: #nestor.filter<stmts = [0], domains = {{\[\[}}"(d0)[s0] : (d0 - s0 >= 0)"]], child = #nestor.band<stmts = [0], members = [#nestor.member<name = "i", maps = [#{{[a-z0-9]+}}]>], child = #nestor.leaf>>]>
// CHECK-SAME: arrays = [#nestor.array<kind = packed, source = 0, type = memref<4x8xf32>, stmts = [0], maps = [#{{[a-z0-9]+}}]>
// CHECK-SAME: #nestor.array<kind = expanded, source = 1
// CHECK-SAME: #nestor.array<kind = contracted, source = 2
// CHECK-SAME: steps = [#nestor.promote<"i">]
func.func @domains_and_arrays() attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0123456789abcdef",
      tree = #nestor.sequence<[
        #nestor.filter<stmts = [0], domains = [[#low, #high]], child = #nestor.leaf>,
        #nestor.filter<stmts = [0], domains = [[#high]],
          child = #nestor.band<stmts = [0], members = [
              #nestor.member<name = "i", maps = [#id]>],
            permutable = false, child = #nestor.leaf>>]>,
      arrays = [
        #nestor.array<kind = packed, source = 0, type = memref<4x8xf32>,
          stmts = [0], maps = [#cell]>,
        #nestor.array<kind = expanded, source = 1, type = memref<?xf64>,
          stmts = [0], maps = [#id]>,
        #nestor.array<kind = contracted, source = 2, type = memref<1xi32>,
          stmts = [0], maps = [#id]>],
      steps = [#nestor.promote<"i">]>]} {
  return
}

// A schedule for each scop, and a scop of a single statement without loops.
// CHECK-LABEL: func.func @list
// CHECK-SAME: [#nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.leaf>, #nestor.schedule<version = 1, hash = "fedcba9876543210", steps = []>]
func.func @list() attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.leaf>,
    #nestor.schedule<version = 1, hash = "fedcba9876543210", steps = []>]} {
  return
}

// CHECK-LABEL: func.func @marks_on_ops
// CHECK-SAME: nestor.init = "small"
// CHECK-SAME: nestor.value = 7 : index
// CHECK-SAME: nestor.value = 1.500000e+00 : f32
// CHECK-SAME: attributes {nestor.skip}
func.func @marks_on_ops(%a: memref<8xf32> {nestor.init = "small"},
                        %n: index {nestor.value = 7 : index},
                        %x: f32 {nestor.value = 1.5 : f32})
    attributes {nestor.skip} {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xf32>
  } {nestor.scheduled}
  // CHECK: } {nestor.scheduled}
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<8xf32>
  } {nestor.fallback}
  // CHECK: } {nestor.fallback}
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xf32>
  } {nestor.skip}
  // CHECK: } {nestor.skip}
  return
}
