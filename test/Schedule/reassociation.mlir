// What may change a result: the order of floating-point sums only with leave, and
// integer sums without promises of no overflow.
// RUN: nestor-opt %s --nestor-apply-schedule=alias=assume-distinct -split-input-file | FileCheck %s

// `reassoc` on the sum is leave for this one.
// CHECK-LABEL: func.func @flag
// CHECK: affine.for %{{.*}} = -15 to 1
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
func.func @flag(%A: memref<16xf32>, %S: memref<f32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "8b7851a9350bab6b", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.addf %s, %a fastmath<reassoc> : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}

// -----

// A maximum needs none.
// CHECK-LABEL: func.func @maximum
// CHECK: affine.for %{{.*}} = -15 to 1
func.func @maximum(%A: memref<16xf32>, %S: memref<f32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "86b65d0dfb0c1f4b", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.maximumf %a, %s : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}

// -----

// The sum loses its flag, as other partial sums appear; the product keeps it.
// CHECK-LABEL: func.func @overflow
// CHECK: affine.for %{{.*}} = -15 to 1
// CHECK: arith.muli %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK: arith.addi %{{.*}}, %{{[^ ]*}} : i32
func.func @overflow(%A: memref<16xi32>, %S: memref<i32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "eb2fc4498bdbe182", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xi32>
    %s = affine.load %S[] : memref<i32>
    %p = arith.muli %a, %a overflow<nsw> : i32
    %t = arith.addi %s, %p overflow<nsw, nuw> : i32
    affine.store %t, %S[] : memref<i32>
  }
  return
}

// -----

// So do sums of vectors.
// CHECK-LABEL: func.func @vectors
// CHECK: arith.addi %{{.*}}, %{{[^ ]*}} : vector<4xi32>
// CHECK: nestor.scheduled
func.func @vectors(%A: memref<16x16xi32>, %S: memref<16xi32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7bbf67a2d462356f", steps = [#nestor.vectorize<"L1", 4, 1>]>]} {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      %a = affine.load %A[%i, %j] : memref<16x16xi32>
      %s = affine.load %S[%j] : memref<16xi32>
      %t = arith.addi %s, %a overflow<nsw> : i32
      affine.store %t, %S[%j] : memref<16xi32>
    }
  }
  return
}

// -----

// No sum over iterations: the flag stays.
// CHECK-LABEL: func.func @kept
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
func.func @kept(%A: memref<16xi32>, %B: memref<16xi32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "f1981c20006307fe", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xi32>
    %t = arith.addi %a, %a overflow<nsw> : i32
    affine.store %t, %B[%i] : memref<16xi32>
  }
  return
}
