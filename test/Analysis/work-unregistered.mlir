// An op of a dialect that is not there does nothing that is counted.
// RUN: nestor-opt %s --allow-unregistered-dialect --nestor-print-work -o /dev/null | FileCheck %s

// CHECK: func @unknown
// CHECK-NEXT: f32 operations: 0
// CHECK: bytes are not exact: 'other.op' has effects that are not analysed
func.func @unknown(%A: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    %a = "other.op"(%A, %i) : (memref<16xf32>, index) -> f32
  }
  return
}
