// A reinterpret_cast reaches cells that its source does not have: within an op that
// is copied as a whole, it is not taken for an access of its source.
// RUN: nestor-opt %s --nestor-print-loop-tree -o /dev/null 2>&1 | FileCheck %s
// RUN: nestor-opt %s --nestor-autoschedule='cost-model=analytical target=generic-avx2 budget=200' -o %t
// RUN: nestor-measure compare %s %t
// RUN: nestor-opt %s --nestor-test-random-schedule=seed=1 -o %t.random
// RUN: nestor-measure compare %s %t.random

// CHECK: left alone: a memref is made inside the nest
func.func @f(%buf: memref<16x8xi32>) {
  %s = memref.subview %buf[8, 0] [8, 8] [1, 1] : memref<16x8xi32> to memref<8x8xi32, strided<[8, 1], offset: 64>>
  %t = memref.subview %buf[0, 0] [8, 8] [1, 1] : memref<16x8xi32> to memref<8x8xi32, strided<[8, 1]>>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %t[%j, %i] : memref<8x8xi32, strided<[8, 1]>>
      %b = scf.execute_region -> i32 {
        %r = memref.reinterpret_cast %s to offset: [0], sizes: [16, 8], strides: [8, 1] : memref<8x8xi32, strided<[8, 1], offset: 64>> to memref<16x8xi32>
        %q = affine.load %r[%i, %j] : memref<16x8xi32>
        scf.yield %q : i32
      }
      %c = arith.addi %b, %a : i32
      affine.store %c, %t[%j, %i] : memref<8x8xi32, strided<[8, 1]>>
    }
  }
  return
}
