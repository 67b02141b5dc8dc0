// Complex numbers are pairs.
// RUN: split-file %s %t
// RUN: nestor-opt %t/complex.mlir --nestor-to-llvm | FileCheck %s --implicit-check-not=complex. --implicit-check-not=unrealized
// RUN: nestor-measure compare %t/complex.mlir %t/pairs.mlir
// CHECK: llvm.func @f

//--- complex.mlir
func.func @f(%A: memref<8x2xf32>, %B: memref<8x2xf32>) {
  %c = memref.alloc() : memref<8xcomplex<f32>>
  affine.for %i = 0 to 8 {
    %re = affine.load %A[%i, 0] : memref<8x2xf32>
    %im = affine.load %A[%i, 1] : memref<8x2xf32>
    %a = complex.create %re, %im : complex<f32>
    affine.store %a, %c[7 - %i] : memref<8xcomplex<f32>>
  }
  affine.for %i = 0 to 8 {
    %a = affine.load %c[%i] : memref<8xcomplex<f32>>
    %s = complex.add %a, %a : complex<f32>
    %re = complex.re %s : complex<f32>
    %im = complex.im %s : complex<f32>
    affine.store %re, %B[%i, 0] : memref<8x2xf32>
    affine.store %im, %B[%i, 1] : memref<8x2xf32>
  }
  memref.dealloc %c : memref<8xcomplex<f32>>
  return
}

//--- pairs.mlir
func.func @f(%A: memref<8x2xf32>, %B: memref<8x2xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %k = 0 to 2 {
      %a = affine.load %A[7 - %i, %k] : memref<8x2xf32>
      %s = arith.addf %a, %a : f32
      affine.store %s, %B[%i, %k] : memref<8x2xf32>
    }
  }
  return
}
