// What alias=assume-distinct promises is about arguments and globals: two views of
// one buffer, and the result of an op that may be an argument, are checked as ever.
// RUN: nestor-opt %s --nestor-test-random-schedule="seed=3 alias=assume-distinct" -o %t
// RUN: FileCheck %s < %t
// RUN: nestor-measure compare %s %t --entry=views
// RUN: nestor-measure compare %s %t --entry=chosen
// RUN: nestor-measure compare %s %t --entry=arguments

// Rows 0 to 7 and rows 4 to 11 of one memref.
// CHECK-LABEL: func.func @views(
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: scf.if
// CHECK: nestor.scheduled
// CHECK: nestor.fallback
func.func @views(%A: memref<12x8xf32>) {
  %x = memref.subview %A[0, 0] [8, 8] [1, 1] : memref<12x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %y = memref.subview %A[4, 0] [8, 8] [1, 1] : memref<12x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 32>>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %x[%i, %j] : memref<8x8xf32, strided<[8, 1]>>
      %b = arith.addf %a, %a : f32
      affine.store %b, %y[%i, %j] : memref<8x8xf32, strided<[8, 1], offset: 32>>
    }
  }
  return
}

// CHECK-LABEL: func.func @chosen(
// CHECK: scf.if
// CHECK: nestor.scheduled
// CHECK: nestor.fallback
func.func @chosen(%A: memref<12xf32>, %B: memref<12xf32>, %c: i1) {
  %x = arith.select %c, %A, %B : memref<12xf32>
  affine.for %i = 0 to 3 {
    affine.for %j = 1 to 4 {
      %a = affine.load %A[%i * 3 + %j - 1] : memref<12xf32>
      %b = arith.addf %a, %a : f32
      affine.store %b, %x[%i * 3 + %j] : memref<12xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @arguments(
// CHECK-NOT: scf.if
// CHECK: nestor.scheduled
func.func @arguments(%A: memref<8x8xf32>, %B: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i, %j] : memref<8x8xf32>
      %b = arith.addf %a, %a : f32
      affine.store %b, %B[%j, %i] : memref<8x8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @spaces(
// CHECK-NOT: scf.if
// CHECK: nestor.scheduled
func.func @spaces(%A: memref<8x8xf32, 1>, %B: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i, %j] : memref<8x8xf32, 1>
      %b = arith.addf %a, %a : f32
      affine.store %b, %B[%j, %i] : memref<8x8xf32>
    }
  }
  return
}

// Two spaces of one buffer: nobody can tell at run time.
// CHECK-LABEL: func.func @cast(
// CHECK-NOT: nestor.scheduled
func.func @cast(%A: memref<12x8xf32>) {
  %x = memref.subview %A[0, 0] [8, 8] [1, 1] : memref<12x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %y = memref.subview %A[4, 0] [8, 8] [1, 1] : memref<12x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 32>>
  %z = memref.memory_space_cast %y : memref<8x8xf32, strided<[8, 1], offset: 32>> to memref<8x8xf32, strided<[8, 1], offset: 32>, 1>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %x[%i, %j] : memref<8x8xf32, strided<[8, 1]>>
      %b = arith.addf %a, %a : f32
      affine.store %b, %z[%j, %i] : memref<8x8xf32, strided<[8, 1], offset: 32>, 1>
    }
  }
  return
}
