// Schedules as trees: what a tree can say that steps cannot (fusion, shifts,
// split domains), all the kinds of nodes and marks, and that results stay.
// RUN: nestor-opt %s --nestor-apply-schedule=alias=assume-distinct -o %t
// RUN: FileCheck %s < %t
// RUN: nestor-measure compare %s %t --entry=fused
// RUN: nestor-measure compare %s %t --entry=shifted
// RUN: nestor-measure compare %s %t --entry=split_domain
// RUN: nestor-measure compare %s %t --entry=skewed
// RUN: nestor-measure compare %s %t --entry=marks
// RUN: nestor-measure compare %s %t --entry=in_lanes

#d0 = affine_map<(d0) -> (d0)>
#d0p1 = affine_map<(d0) -> (d0 + 1)>

// Two loops in one.
// CHECK-LABEL: func.func @fused
// CHECK: affine.for %{{.*}} = 0 to 13 {
// CHECK: affine.store
// CHECK: affine.store
// CHECK-NOT: affine.for
// CHECK: return
func.func @fused(%A: memref<13xf32>, %B: memref<13xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "a00ad2bafff4f2fc",
      tree = #nestor.band<stmts = [0, 1], members = [
          #nestor.member<name = "i", maps = [#d0, #d0]>],
        child = #nestor.sequence<[
          #nestor.filter<stmts = [0], child = #nestor.leaf>,
          #nestor.filter<stmts = [1], child = #nestor.leaf>]>>>]} {
  affine.for %i = 0 to 13 {
    affine.store %x, %A[%i] : memref<13xf32>
  }
  affine.for %i = 0 to 13 {
    %a = affine.load %A[%i] : memref<13xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %B[%i] : memref<13xf32>
  }
  return
}

// The consumer runs one iteration later, since it reads one cell ahead.
// CHECK-LABEL: func.func @shifted
// CHECK: affine.for %{{.*}} = 0 to 12 {
// CHECK: affine.store
// CHECK: affine.if
// CHECK: affine.store
// CHECK: return
func.func @shifted(%A: memref<13xf32>, %B: memref<13xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "ff4b0ef4d8e9290f",
      tree = #nestor.band<stmts = [0, 1], members = [
          #nestor.member<name = "i", maps = [#d0, #d0p1]>],
        child = #nestor.sequence<[
          #nestor.filter<stmts = [0], child = #nestor.leaf>,
          #nestor.filter<stmts = [1], child = #nestor.leaf>]>>>]} {
  affine.for %i = 0 to 12 {
    affine.store %x, %A[%i] : memref<13xf32>
  }
  affine.for %i = 0 to 11 {
    %a = affine.load %A[%i + 1] : memref<13xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %B[%i] : memref<13xf32>
  }
  return
}

// The upper half first, backwards; the lower half as it was.
// CHECK-LABEL: func.func @split_domain
// CHECK: affine.for %{{.*}} = -12 to -5 {
// CHECK: affine.store
// CHECK: affine.for %{{.*}} = 0 to 6 {
// CHECK: affine.store
// CHECK: return
#low = affine_set<(d0) : (-d0 + 5 >= 0)>
#high = affine_set<(d0) : (d0 - 6 >= 0)>
func.func @split_domain(%A: memref<13xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "8437de1f925f2ff3",
      tree = #nestor.sequence<[
        #nestor.filter<stmts = [0], domains = [[#high]], child =
          #nestor.band<stmts = [0], members = [
            #nestor.member<name = "h", maps = [affine_map<(d0) -> (-d0)>]>], child = #nestor.leaf>>,
        #nestor.filter<stmts = [0], domains = [[#low]], child =
          #nestor.band<stmts = [0], members = [
            #nestor.member<name = "l", maps = [#d0]>], child = #nestor.leaf>>]>>]} {
  affine.for %i = 0 to 13 {
    %a = affine.load %A[%i] : memref<13xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %A[%i] : memref<13xf32>
  }
  return
}

// A skewed stencil may be tiled.
// CHECK-LABEL: func.func @skewed
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.store
// CHECK: return
func.func @skewed(%A: memref<20xf64>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "9916a5f01a81b019",
      tree = #nestor.band<stmts = [0], members = [
          #nestor.member<name = "tt", maps = [affine_map<(d0, d1) -> ((d0 floordiv 3) * 3)>]>,
          #nestor.member<name = "it", maps = [affine_map<(d0, d1) -> (((2 * d0 + d1) floordiv 4) * 4)>]>],
        child = #nestor.band<stmts = [0], members = [
          #nestor.member<name = "t", maps = [affine_map<(d0, d1) -> (d0)>]>,
          #nestor.member<name = "i", maps = [affine_map<(d0, d1) -> (2 * d0 + d1)>]>],
          child = #nestor.leaf>>>]} {
  affine.for %t = 0 to 7 {
    affine.for %i = 1 to 19 {
      %a = affine.load %A[%i - 1] : memref<20xf64>
      %b = affine.load %A[%i + 1] : memref<20xf64>
      %c = arith.addf %a, %b : f64
      affine.store %c, %A[%i] : memref<20xf64>
    }
  }
  return
}

// Every kind of mark.
// CHECK-LABEL: func.func @marks
// CHECK: affine.vector_store
// CHECK: iter_args
// CHECK: return
func.func @marks(%A: memref<13x13xf32>, %B: memref<13x13xf32>, %S: memref<13xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0d46723c3e6246f1",
      tree = #nestor.sequence<[
        #nestor.filter<stmts = [0], child = #nestor.band<stmts = [0], members = [
            #nestor.member<name = "ib", maps = [affine_map<(d0, d1) -> ((d0 floordiv 2) * 2)>]>,
            #nestor.member<name = "jb", maps = [affine_map<(d0, d1) -> ((d1 floordiv 4) * 4)>]>,
            #nestor.member<name = "i", maps = [affine_map<(d0, d1) -> (d0)>], marks = [#nestor.mark<unroll block = 2>]>,
            #nestor.member<name = "j", maps = [affine_map<(d0, d1) -> (d1)>], marks = [#nestor.mark<vector block = 4 width = 4>]>],
          child = #nestor.leaf>>,
        #nestor.filter<stmts = [1], child = #nestor.band<stmts = [1], members = [
            #nestor.member<name = "k", maps = [affine_map<(d0, d1) -> (d0)>]>,
            #nestor.member<name = "l", maps = [affine_map<(d0, d1) -> (d1)>], marks = [#nestor.mark<promote>]>],
          child = #nestor.leaf>>]>>]} {
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to 13 {
      affine.store %x, %A[%i, %j] : memref<13x13xf32>
    }
  }
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to 13 {
      %a = affine.load %B[%i, %j] : memref<13x13xf32>
      %s = affine.load %S[%i] : memref<13xf32>
      %t = arith.addf %s, %a : f32
      affine.store %t, %S[%i] : memref<13xf32>
    }
  }
  return
}

// Two statements in the lanes of one vector loop, one of which is no vector: its
// lanes run one by one.
// CHECK-LABEL: func.func @in_lanes
// CHECK: affine.vector_load
// CHECK: affine.vector_store
// CHECK-COUNT-4: arith.addi %{{.*}}, %{{.*}} : index
// CHECK: return
func.func @in_lanes(%A: memref<13xf32>, %I: memref<13xindex>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "e085d08ddf912018",
      tree = #nestor.band<stmts = [0, 1], members = [
          #nestor.member<name = "b", maps = [affine_map<(d0) -> ((d0 floordiv 4) * 4)>, affine_map<(d0) -> ((d0 floordiv 4) * 4)>]>,
          #nestor.member<name = "i", maps = [#d0, #d0], marks = [#nestor.mark<vector block = 4 width = 4>]>],
        child = #nestor.sequence<[
          #nestor.filter<stmts = [0], child = #nestor.leaf>,
          #nestor.filter<stmts = [1], child = #nestor.leaf>]>>>]} {
  affine.for %i = 0 to 13 {
    %a = affine.load %A[%i] : memref<13xf32>
    %b = arith.mulf %a, %a : f32
    affine.store %b, %A[%i] : memref<13xf32>
    %k = arith.addi %i, %i : index
    affine.store %k, %I[%i] : memref<13xindex>
  }
  return
}
