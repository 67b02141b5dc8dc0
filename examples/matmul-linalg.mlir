// The f32 matrix product as one op of linalg; loops are made of it first.
//
//   nestor-opt examples/matmul-linalg.mlir --convert-linalg-to-affine-loops \
//       --nestor-autoschedule
func.func @matmul(%A: memref<512x512xf32>, %B: memref<512x512xf32>,
                  %C: memref<512x512xf32>) {
  linalg.matmul ins(%A, %B : memref<512x512xf32>, memref<512x512xf32>)
                outs(%C : memref<512x512xf32>)
  return
}
