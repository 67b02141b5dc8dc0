// examples/matmul.mlir with a schedule written by hand; docs/tutorial.md explains it.
//
//   nestor-opt examples/matmul-by-hand.mlir --nestor-apply-schedule
func.func @matmul(%A: memref<512x512xf32>, %B: memref<512x512xf32>,
                  %C: memref<512x512xf32>) attributes {nestor.schedule = [#nestor.schedule<
    version = 1, hash = "8f3b73558c5d5346", steps = [
      #nestor.unroll_jam<"L0", 4>,        // four rows of C at a time
      #nestor.vectorize<"L1", 8, 2>,      // two vectors of eight columns
      #nestor.promote<"L2">]>]} {         // their sums in registers over k
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      affine.for %k = 0 to 512 {
        %a = affine.load %A[%i, %k] : memref<512x512xf32>
        %b = affine.load %B[%k, %j] : memref<512x512xf32>
        %c = affine.load %C[%i, %j] : memref<512x512xf32>
        %ab = arith.mulf %a, %b : f32
        %sum = arith.addf %c, %ab : f32
        affine.store %sum, %C[%i, %j] : memref<512x512xf32>
      }
    }
  }
  return
}
