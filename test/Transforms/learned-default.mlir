// REQUIRES: model
//
// The pass's default is the learned model with the shipped weights. What it
// chooses may differ between CPUs in a last bit of a score; that it chooses, and
// that the results stay the same, does not.
//
// RUN: nestor-opt %s --nestor-autoschedule --remarks-filter=nestor -o %t 2>&1 | FileCheck %s
// RUN: nestor-measure compare %s %t | FileCheck %s --check-prefix=SAME
// RUN: FileCheck %s --check-prefix=IR --input-file=%t
//
// CHECK: scheduled: predicted speedup {{.*}} candidates of the learned model: {{.*}}#nestor.
// SAME: same
// IR: scf.if
// IR: nestor.scheduled
// IR: nestor.fallback
func.func @kernel(%A: memref<65x50xf32>, %B: memref<50x35xf32>, %C: memref<65x35xf32>) {
  affine.for %i = 0 to 65 {
    affine.for %j = 0 to 35 {
      affine.for %k = 0 to 50 {
        %a = affine.load %A[%i, %k] : memref<65x50xf32>
        %b = affine.load %B[%k, %j] : memref<50x35xf32>
        %c = affine.load %C[%i, %j] : memref<65x35xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<65x35xf32>
      }
    }
  }
  return
}
