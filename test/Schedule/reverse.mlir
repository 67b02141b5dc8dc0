// A loop runs backwards.
// RUN: nestor-opt %s --nestor-apply-schedule=alias=assume-distinct -o %t
// RUN: FileCheck %s < %t
// RUN: nestor-measure compare %s %t --entry=rect
// RUN: nestor-measure compare %s %t --entry=empty
// RUN: nestor-measure compare %s %t --entry=one_trip
// RUN: nestor-measure compare %s %t --entry=triangle
// RUN: nestor-measure compare %s %t --entry=steps
// RUN: nestor-measure compare %s %t --entry=minmax
// RUN: nestor-measure compare %s %t --entry=symbolic
// Other bounds at run time: none, one, and a full block.
// RUN: sed -e 's/13 : index/0 : index/' %s > %t.in
// RUN: sed -e 's/13 : index/0 : index/' %t > %t.out
// RUN: nestor-measure compare %t.in %t.out --entry=symbolic
// RUN: sed -e 's/13 : index/1 : index/' %s > %t.in
// RUN: sed -e 's/13 : index/1 : index/' %t > %t.out
// RUN: nestor-measure compare %t.in %t.out --entry=symbolic
// RUN: sed -e 's/13 : index/2 : index/' %s > %t.in
// RUN: sed -e 's/13 : index/2 : index/' %t > %t.out
// RUN: nestor-measure compare %t.in %t.out --entry=symbolic
// RUN: sed -e 's/13 : index/8 : index/' %s > %t.in
// RUN: sed -e 's/13 : index/8 : index/' %t > %t.out
// RUN: nestor-measure compare %t.in %t.out --entry=symbolic

// CHECK-DAG: #[[$MAP0:map[0-9]*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$MAP1:map[0-9]*]] = affine_map<(d0) -> (-12, d0 - 4)>
// CHECK-DAG: #[[$MAP2:map[0-9]*]] = affine_map<(d0) -> (1, d0 + 5)>
// CHECK-DAG: #[[$MAP3:map[0-9]*]] = affine_map<()[s0] -> (-s0 + 1)>

// 13 by 11: no block divides.
// CHECK-LABEL: func.func @rect
// CHECK: affine.for [[I0:%.*]] = -12 to 1 {
// CHECK: affine.for [[I1:%.*]] = -10 to 1 {
// CHECK: affine.store %{{.*}}, %{{.*}}[-[[I0]], -[[I1]]]
// CHECK: return
func.func @rect(%A: memref<16x16xf32>, %B: memref<16x16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "04c9fefae9e32f5e",
      steps = [#nestor.reverse<"L1">, #nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to 11 {
      %a = affine.load %A[%i, %j] : memref<16x16xf32>
      %b = affine.load %B[%j, %i] : memref<16x16xf32>
      %p = arith.mulf %a, %b : f32
      affine.store %p, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

// No iteration at all, and bounds the wrong way round.
// CHECK-LABEL: func.func @empty
// CHECK-NOT: affine.
// CHECK: return
func.func @empty(%A: memref<16x16xf32>, %B: memref<16x16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "f2228a2fb01abec3",
      steps = [#nestor.reverse<"L1">, #nestor.reverse<"L0">]>]} {
  affine.for %i = 7 to 2 {
    affine.for %j = 0 to 0 {
      %a = affine.load %A[%i, %j] : memref<16x16xf32>
      %b = affine.load %B[%j, %i] : memref<16x16xf32>
      %p = arith.mulf %a, %b : f32
      affine.store %p, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

// One iteration, not at 0.
// CHECK-LABEL: func.func @one_trip
// CHECK: affine.store %{{.*}}, %{{.*}}[5, 3]
// CHECK: return
func.func @one_trip(%A: memref<16x16xf32>, %B: memref<16x16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7a3ac1f7246b6951",
      steps = [#nestor.reverse<"L1">, #nestor.reverse<"L0">]>]} {
  affine.for %i = 5 to 6 {
    affine.for %j = 3 to 4 {
      %a = affine.load %A[%i, %j] : memref<16x16xf32>
      %b = affine.load %B[%j, %i] : memref<16x16xf32>
      %p = arith.mulf %a, %b : f32
      affine.store %p, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

// A triangular domain.
// CHECK-LABEL: func.func @triangle
// CHECK: affine.for [[I0:%.*]] = -12 to 1 {
// CHECK: affine.for [[I1:%.*]] = #[[$MAP0]]([[I0]]) to 1 {
// CHECK: affine.store %{{.*}}, %{{.*}}[-[[I0]], -[[I1]]]
// CHECK: return
func.func @triangle(%A: memref<16x16xf32>, %B: memref<16x16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "06f8f6ccb8b2b75a",
      steps = [#nestor.reverse<"L1">, #nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %a = affine.load %A[%i, %j] : memref<16x16xf32>
      %b = affine.load %B[%j, %i] : memref<16x16xf32>
      %p = arith.mulf %a, %b : f32
      affine.store %p, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

// Steps of 3 and 2.
// CHECK-LABEL: func.func @steps
// CHECK: affine.for [[I0:%.*]] = -4 to 1 {
// CHECK: affine.for [[I1:%.*]] = -5 to 1 {
// CHECK: affine.store %{{.*}}, %{{.*}}[[[I0]] * -3 + 1, [[I1]] * -2 + 2]
// CHECK: return
func.func @steps(%A: memref<16x16xf32>, %B: memref<16x16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "39820454275901cc",
      steps = [#nestor.reverse<"L1">, #nestor.reverse<"L0">]>]} {
  affine.for %i = 1 to 15 step 3 {
    affine.for %j = 2 to 13 step 2 {
      %a = affine.load %A[%i, %j] : memref<16x16xf32>
      %b = affine.load %B[%j, %i] : memref<16x16xf32>
      %p = arith.mulf %a, %b : f32
      affine.store %p, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

// Bounds that are a maximum and a minimum.
// CHECK-LABEL: func.func @minmax
// CHECK: affine.for [[I0:%.*]] = -12 to 1 {
// CHECK: affine.for [[I1:%.*]] = max #[[$MAP1]]([[I0]]) to min #[[$MAP2]]([[I0]]) {
// CHECK: affine.store %{{.*}}, %{{.*}}[-[[I0]], -[[I1]]]
// CHECK: return
func.func @minmax(%A: memref<16x16xf32>, %B: memref<16x16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "c97ce4b818588d1d",
      steps = [#nestor.reverse<"L1">, #nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 13 {
    affine.for %j = max affine_map<(d0) -> (d0 - 4, 0)>(%i) to min affine_map<(d0) -> (d0 + 5, 13)>(%i) {
      %a = affine.load %A[%i, %j] : memref<16x16xf32>
      %b = affine.load %B[%j, %i] : memref<16x16xf32>
      %p = arith.mulf %a, %b : f32
      affine.store %p, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

// Bounds that are arguments.
// CHECK-LABEL: func.func @symbolic
// CHECK: affine.for [[I0:%.*]] = #[[$MAP3]]()[%{{.*}}] to 1 {
// CHECK: affine.for [[I1:%.*]] = #[[$MAP3]]()[%{{.*}}] to 0 {
// CHECK: affine.store %{{.*}}, %{{.*}}[-[[I0]], -[[I1]]]
// CHECK: return
func.func @symbolic(%A: memref<16x16xf32>, %B: memref<16x16xf32>, %n: index {nestor.value = 13 : index}) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "2c9659f7ffd8800f",
      steps = [#nestor.reverse<"L1">, #nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to %n {
    affine.for %j = 1 to %n {
      %a = affine.load %A[%i, %j] : memref<16x16xf32>
      %b = affine.load %B[%j, %i] : memref<16x16xf32>
      %p = arith.mulf %a, %b : f32
      affine.store %p, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}
