// Work that is not known is an error that says why.
// RUN: not nestor-opt %s --split-input-file --nestor-print-work -o /dev/null \
// RUN:   2>&1 | FileCheck %s

// CHECK: error: cannot count the work of @symbol: a loop bound or condition depends on a value that is not known
func.func @symbol(%A: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    affine.store %a, %A[%i] : memref<?xf64>
  }
  return
}

// -----

// CHECK: error: cannot count the work of @structured: 'scf.for' is no affine loop or condition
func.func @structured(%A: memref<8xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %A[%i] : memref<8xf64>
    memref.store %a, %A[%i] : memref<8xf64>
  }
  return
}

// -----

// CHECK: error: cannot count the work of @branches: the function has not one block
func.func @branches(%A: memref<8xf64>) {
  cf.br ^end
^end:
  return
}
