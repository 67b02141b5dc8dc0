// Memrefs that may overlap: the check at run time picks the scheduled code or the
// original, and both are right, whatever the memory.
// RUN: nestor-opt %s --nestor-apply-schedule -o %t
// RUN: FileCheck %s < %t
// RUN: nestor-measure compare %s %t --entry=two
// RUN: nestor-measure compare %s %t --entry=two --overlap=0:1:3
// RUN: nestor-measure compare %s %t --entry=two --overlap=0:1:-5
// RUN: nestor-measure compare %s %t --entry=two --overlap=0:1:16
// RUN: nestor-measure compare %s %t --entry=two --overlap=0:1:15
// RUN: nestor-measure compare %s %t --entry=two --alias-args=0=1
// RUN: nestor-measure compare %s %t --entry=result
// RUN: nestor-measure compare %s %t --entry=result --alias-args=0=1
// RUN: nestor-measure compare %s %t --entry=dynamic
// RUN: nestor-measure compare %s %t --entry=dynamic --overlap=0:1:1

// A promise instead of a check: no check, no fallback; wrong when it is broken.
// RUN: nestor-opt %s --nestor-apply-schedule=alias=assume-distinct -o %t.distinct
// RUN: FileCheck %s --check-prefix=DISTINCT < %t.distinct
// RUN: nestor-measure compare %s %t.distinct --entry=two
// RUN: not nestor-measure compare %s %t.distinct --entry=two --overlap=0:1:3

// Neither: such nests are refused.
// RUN: not nestor-opt %s --nestor-apply-schedule=alias=conservative -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: the schedule cannot be applied: two of its memrefs may overlap (pass alias=check or alias=assume-distinct)

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:.*]]: memref<16xf32>, %[[B:.*]]: memref<16xf32>
// CHECK: %[[PA:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: %[[EA:.*]] = arith.addi %[[PA]]
// CHECK: %[[PB:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK: %[[EB:.*]] = arith.addi %[[PB]]
// CHECK: %[[L:.*]] = arith.cmpi ule, %[[EA]], %[[PB]]
// CHECK: %[[H:.*]] = arith.cmpi ule, %[[EB]], %[[PA]]
// CHECK: %[[OK:.*]] = arith.ori %[[L]], %[[H]]
// CHECK: scf.if %[[OK]] {
// CHECK: affine.for %{{.*}} = -15 to 1
// CHECK: {nestor.scheduled}
// CHECK: } else {
// CHECK: affine.for %{{.*}} = 0 to 16
// CHECK: {nestor.fallback}
// DISTINCT-LABEL: func.func @two(
// DISTINCT-NOT: scf.if
// DISTINCT-NOT: nestor.fallback
// DISTINCT: {nestor.scheduled}
// DISTINCT-LABEL: func.func @result(
func.func @two(%A: memref<16xf32>, %B: memref<16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "b34092edbdb0ef58", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %B[%i] : memref<16xf32>
  }
  return
}

// Values that are used after the nest come from either side.
// CHECK-LABEL: func.func @result(
// CHECK: %[[SLOT:.*]] = memref.alloca() : memref<f32>
// CHECK: scf.if
// CHECK: affine.store %{{.*}}, %[[SLOT]][] : memref<f32>
// CHECK: } else {
// CHECK: %[[R:.*]] = affine.for
// CHECK: {nestor.fallback}
// CHECK: affine.store %[[R]], %[[SLOT]][] : memref<f32>
// CHECK: %[[V:.*]] = affine.load %[[SLOT]][] : memref<f32>
// CHECK: return %[[V]] : f32
func.func @result(%A: memref<16xf32>, %B: memref<16xf32>) -> f32 attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "11b7332e08cc532c", steps = [#nestor.unroll<"L0", 4>]>]} {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 15 iter_args(%s = %z) -> f32 {
    %a = affine.load %A[%i] : memref<16xf32>
    affine.store %s, %B[%i + 1] : memref<16xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %r : f32
}

// Extents that are known at run time only.
// CHECK-LABEL: func.func @dynamic(
// CHECK: memref.dim
// CHECK: scf.if
func.func @dynamic(%a: memref<9x8xf64>, %b: memref<9x8xf64>, %n: index {nestor.value = 7 : index}) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "c7a0095922f03289", steps = [#nestor.interchange<["L1", "L0"]>]>]} {
  %A = memref.cast %a : memref<9x8xf64> to memref<9x?xf64>
  %B = memref.cast %b : memref<9x8xf64> to memref<9x?xf64>
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to %n {
      %x = affine.load %A[%i, %j] : memref<9x?xf64>
      %y = arith.addf %x, %x : f64
      affine.store %y, %B[%i, %j] : memref<9x?xf64>
    }
  }
  return
}
