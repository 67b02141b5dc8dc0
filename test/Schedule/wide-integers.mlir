// LLVM puts integers of 96 bits 16 bytes apart, MLIR's data layout 12: the run-time
// check must see that the two views overlap.
// RUN: nestor-opt %s --nestor-test-random-schedule='seed=3 round-trip' -o %t.3
// RUN: nestor-measure compare %s %t.3
// RUN: nestor-opt %s --nestor-test-random-schedule='seed=4 round-trip' -o %t.4
// RUN: nestor-measure compare %s %t.4
// RUN: FileCheck %s < %t.3

// CHECK: arith.constant 16 : index
// CHECK: nestor.fallback
func.func @f(%in: memref<64xi32>, %out: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c96 = arith.constant 96 : index
  %bytes = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %z = arith.constant 0 : i8
  linalg.fill ins(%z : i8) outs(%bytes : memref<256xi8>)
  %v = memref.view %bytes[%c0][] : memref<256xi8> to memref<8xi96>
  %w = memref.view %bytes[%c96][] : memref<256xi8> to memref<8xi96>
  affine.for %i = 0 to 8 {
    %x = affine.load %in[%i] : memref<64xi32>
    %k = arith.extui %x : i32 to i96
    affine.store %k, %v[%i] : memref<8xi96>
  } {nestor.skip}
  affine.for %i = 0 to 8 {
    %a = affine.load %v[%i] : memref<8xi96>
    %b = arith.addi %a, %a : i96
    affine.store %b, %w[7 - %i] : memref<8xi96>
  }
  affine.for %i = 0 to 8 {
    %a = affine.load %w[%i] : memref<8xi96>
    %b = arith.trunci %a : i96 to i8
    affine.store %b, %out[%i] : memref<64xi8>
  } {nestor.skip}
  memref.dealloc %bytes : memref<256xi8>
  return
}
