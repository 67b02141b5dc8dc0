// Views, copies, allocations and pointer arithmetic lower; so do the ops of a
// run-time alias check.
// RUN: nestor-opt %s --nestor-to-llvm | FileCheck %s \
// RUN:   --implicit-check-not="{{(= |  )(affine|scf|cf|func|arith|memref|index|builtin)\.}}"
// RUN: nestor-measure compare %s %s

memref.global "private" constant @table : memref<4xf64> = dense<[1.0, 2.0, 3.0, 4.0]>

// CHECK-LABEL: llvm.func @kernel
// CHECK-DAG: llvm.call @malloc
// CHECK-DAG: llvm.intr.memcpy
// CHECK-DAG: llvm.call @memrefCopy
// CHECK-DAG: llvm.ptrtoint
func.func @kernel(%A: memref<16x16xf64>, %B: memref<16x16xf64>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %from = memref.subview %A[%n, 2] [4, 4] [2, 1] : memref<16x16xf64> to memref<4x4xf64, strided<[32, 1], offset: ?>>
  %to = memref.subview %B[%n, 2] [4, 4] [2, 1] : memref<16x16xf64> to memref<4x4xf64, strided<[32, 1], offset: ?>>
  %buffer = memref.alloc() {alignment = 64 : i64} : memref<16x16xf64>
  memref.copy %A, %buffer : memref<16x16xf64> to memref<16x16xf64>
  memref.copy %from, %to : memref<4x4xf64, strided<[32, 1], offset: ?>> to memref<4x4xf64, strided<[32, 1], offset: ?>>
  %flat = memref.collapse_shape %buffer [[0, 1]] : memref<16x16xf64> into memref<256xf64>
  %wide = memref.expand_shape %flat [[0, 1]] output_shape [2, 128] : memref<256xf64> into memref<2x128xf64>
  %table = memref.get_global @table : memref<4xf64>
  %v = memref.load %table[%n] : memref<4xf64>
  %w = memref.load %wide[%c0, %n] : memref<2x128xf64>
  %s = arith.addf %v, %w : f64
  %local = memref.alloca() : memref<4xf64>
  memref.store %s, %local[%c0] : memref<4xf64>
  %x = memref.load %local[%c0] : memref<4xf64>
  memref.store %x, %B[%c0, %c0] : memref<16x16xf64>
  memref.dealloc %buffer : memref<16x16xf64>

  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %from : memref<4x4xf64, strided<[32, 1], offset: ?>> -> memref<f64>, index, index, index, index, index
  %begin = memref.extract_aligned_pointer_as_index %from : memref<4x4xf64, strided<[32, 1], offset: ?>> -> index
  %c8 = arith.constant 8 : index
  %bytes = index.mul %offset, %c8
  %end = index.add %begin, %bytes
  %other = memref.extract_aligned_pointer_as_index %B : memref<16x16xf64> -> index
  %apart = arith.cmpi ule, %end, %other : index
  %true = arith.constant true
  %either = arith.ori %apart, %true : i1
  return %either : i1
}
