// A loop with min and max bounds inside a loop that cannot run: MLIR's
// canonicalizer leaves it without a bound, so it must be lowered before.
// RUN: nestor-opt %s --nestor-to-llvm | FileCheck %s
// RUN: nestor-measure compare %s %s

// CHECK-LABEL: llvm.func @kernel
// CHECK: llvm.return
func.func @kernel(%a: memref<16xf32>) {
  %c = arith.constant 1.0 : f32
  affine.for %i = 7 to 5 {
    affine.for %j = max affine_map<(d0) -> (d0, 3)>(%i) to min affine_map<(d0) -> (d0 + 2, 6)>(%i) {
      affine.store %c, %a[%j] : memref<16xf32>
    }
  }
  return
}
