// A program that updates its own input gets it back before each timed call.
// RUN: nestor-measure time %s %s --pairs=1 --min-time=1e-5 --json | FileCheck %s
// CHECK: "refill": true
func.func @kernel(%A: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %A[%i] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %A[%i] : memref<64xf32>
  }
  return
}
