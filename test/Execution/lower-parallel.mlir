// Parallel loops become OpenMP, which runs, with reductions and buffers of their
// own.
// RUN: split-file %s %t
// RUN: nestor-opt %t/parallel.mlir --nestor-to-llvm | FileCheck %s \
// RUN:   --implicit-check-not="{{(= |  )(affine|scf|cf|func|arith|memref|builtin)\.}}"
// RUN: nestor-measure compare %t/serial.mlir %t/parallel.mlir

// CHECK: omp.declare_reduction
// CHECK-LABEL: llvm.func @kernel
// CHECK: omp.parallel
// CHECK: omp.wsloop

//--- serial.mlir
func.func @kernel(%A: memref<16x16xi64>, %B: memref<16x16xi64>, %S: memref<i64>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      %v = affine.load %A[%i, %j] : memref<16x16xi64>
      affine.store %v, %B[%j, %i] : memref<16x16xi64>
    }
  }
  %zero = arith.constant 0 : i64
  %sum = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> i64 {
    %v = affine.load %A[%i, 0] : memref<16x16xi64>
    %s = arith.addi %acc, %v : i64
    affine.yield %s : i64
  }
  affine.store %sum, %S[] : memref<i64>
  return
}
//--- parallel.mlir
func.func @kernel(%A: memref<16x16xi64>, %B: memref<16x16xi64>, %S: memref<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  affine.parallel (%i) = (0) to (8) {
    affine.for %j = 0 to 16 {
      %v = affine.load %A[%i, %j] : memref<16x16xi64>
      affine.store %v, %B[%j, %i] : memref<16x16xi64>
    }
  }
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c8, %c0) to (%c16, %c16) step (%c1, %c1) {
    %own = memref.alloca() : memref<2xi64>
    %v = memref.load %A[%i, %j] : memref<16x16xi64>
    memref.store %v, %own[%c0] : memref<2xi64>
    %w = memref.load %own[%c0] : memref<2xi64>
    memref.store %w, %B[%j, %i] : memref<16x16xi64>
  }
  %sum = affine.parallel (%i) = (0) to (16) reduce ("addi") -> i64 {
    %v = affine.load %A[%i, 0] : memref<16x16xi64>
    affine.yield %v : i64
  }
  memref.store %sum, %S[] : memref<i64>
  return
}
