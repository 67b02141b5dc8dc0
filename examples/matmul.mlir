// The f32 matrix product C += A * B, as a textbook writes it. Written so, its
// innermost loop walks down a column of B, one cache line a step.
//
//   nestor-opt examples/matmul.mlir --nestor-autoschedule
func.func @matmul(%A: memref<512x512xf32>, %B: memref<512x512xf32>,
                  %C: memref<512x512xf32>) {
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
