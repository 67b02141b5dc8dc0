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

// -----

// CHECK: error: cannot count the work of @no_step: the step of a loop is not positive
func.func @no_step(%A: memref<8xf64>) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>,
                   upperBoundMap = affine_map<() -> (8)>, step = 0 : index,
                   operandSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%i: index):
    affine.yield
  }) : () -> ()
  return
}

// -----

// CHECK: error: cannot count the work of @endless: the iterations are too many to count
func.func @endless() {
  affine.for %i = 0 to 9223372036854775807 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
    }
  }
  return
}

// -----

// Each iteration has conditions to look at: the limit is on these.
// CHECK: error: cannot count the work of @endless_conditions: the iterations are too many to count
func.func @endless_conditions(%A: memref<32xf32>, %x: f32) {
  affine.for %i = -2147483648 to 32 {
    affine.if affine_set<(d0) : (d0 mod 4 - 1 >= 0, d0 mod 5 - 1 >= 0)>(%i) {
    } else {
      affine.if affine_set<(d0) : (d0 mod 3 - 1 >= 0, d0 mod 7 - 1 >= 0)>(%i) {
      } else {
        affine.store %x, %A[%i] : memref<32xf32>
      }
    }
  }
  return
}

// -----

// CHECK: error: cannot count the work of @overflow: a loop bound or condition is not defined or beyond 64 bits
func.func @overflow() {
  affine.for %i = 9223372036854775806 to 9223372036854775807 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 * 3)>(%i) {
    }
  }
  return
}

// -----

// CHECK: error: cannot count the work of @negative_modulus: a loop bound or condition is not defined or beyond 64 bits
func.func @negative_modulus() {
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (d0 mod -1 >= 0)>(%i) {
    }
  }
  return
}
