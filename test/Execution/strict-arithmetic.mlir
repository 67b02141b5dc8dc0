// Multiply and add stay apart unless their flags allow more: a candidate with an
// explicit fma computes other values than a strict base. (Whether contract fuses
// them depends on the CPU, so no values are expected of it.)
// RUN: split-file %s %t
// RUN: not nestor-measure compare %t/strict.mlir %t/fma.mlir | FileCheck %s
// RUN: nestor-measure compare %t/fma.mlir %t/strict.mlir %t/contract.mlir --tolerance=1e-6

// CHECK: fma.mlir: differs: argument 1, element [

//--- strict.mlir
func.func @kernel(%A: memref<64xf32>, %B: memref<64xf32>, %x: f32 {nestor.value = 2.7 : f32}) {
  affine.for %i = 0 to 64 {
    %a = affine.load %A[%i] : memref<64xf32>
    %b = affine.load %B[%i] : memref<64xf32>
    %p = arith.mulf %a, %x : f32
    %s = arith.addf %p, %b : f32
    affine.store %s, %B[%i] : memref<64xf32>
  }
  return
}
//--- contract.mlir
func.func @kernel(%A: memref<64xf32>, %B: memref<64xf32>, %x: f32) {
  affine.for %i = 0 to 64 {
    %a = affine.load %A[%i] : memref<64xf32>
    %b = affine.load %B[%i] : memref<64xf32>
    %p = arith.mulf %a, %x fastmath<contract> : f32
    %s = arith.addf %p, %b fastmath<contract> : f32
    affine.store %s, %B[%i] : memref<64xf32>
  }
  return
}
//--- fma.mlir
func.func @kernel(%A: memref<64xf32>, %B: memref<64xf32>, %x: f32) {
  affine.for %i = 0 to 64 {
    %a = affine.load %A[%i] : memref<64xf32>
    %b = affine.load %B[%i] : memref<64xf32>
    %s = math.fma %a, %x, %b : f32
    affine.store %s, %B[%i] : memref<64xf32>
  }
  return
}
