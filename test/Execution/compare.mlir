// One line per candidate, and an exit status for scripts.
// RUN: split-file %s %t
// RUN: nestor-measure compare %t/base.mlir %t/reversed.mlir | FileCheck %s --check-prefix=SAME
// SAME: reversed.mlir: same

// RUN: not nestor-measure compare %t/base.mlir %t/reversed.mlir %t/last.mlir \
// RUN:   %t/result.mlir %t/behind.mlir %t/before.mlir | FileCheck %s
// CHECK:      reversed.mlir: same
// CHECK-NEXT: last.mlir: differs: argument 1, element [3,4], 8.0 vs 9.0
// CHECK-NEXT: result.mlir: differs: result 0, 7 vs 8
// CHECK-NEXT: behind.mlir: differs: writes out of bounds: argument 1, 4 bytes after its end
// CHECK-NEXT: before.mlir: differs: writes out of bounds: argument 1, 1 bytes before its begin

// Arguments that share memory: copying upwards reads what was just written.
// RUN: nestor-measure compare %t/up.mlir %t/down.mlir
// RUN: not nestor-measure compare %t/up.mlir %t/down.mlir --overlap=0:1:1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not nestor-measure compare %t/up.mlir %t/down.mlir --overlap=0:1:-1 --alias-args=none | FileCheck %s --check-prefix=BELOW
// RUN: nestor-measure compare %t/up.mlir %t/down.mlir --alias-args=0=1
// OVERLAP: down.mlir: differs: argument 0, element [2],
// BELOW: down.mlir: differs: argument 0, element [0],

//--- base.mlir
func.func @kernel(%A: memref<4x5xf32>, %B: memref<4x5xf32>) -> i32 {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %c = arith.constant 8.0 : f32
      affine.store %c, %B[%i, %j] : memref<4x5xf32>
    }
  }
  %r = arith.constant 7 : i32
  return %r : i32
}
//--- reversed.mlir
func.func @any_name(%A: memref<4x5xf32>, %B: memref<4x5xf32>) -> i32 {
  affine.for %j = 0 to 5 {
    affine.for %i = 0 to 4 {
      %c = arith.constant 8.0 : f32
      affine.store %c, %B[3 - %i, 4 - %j] : memref<4x5xf32>
    }
  }
  %r = arith.constant 7 : i32
  return %r : i32
}
//--- last.mlir
func.func @kernel(%A: memref<4x5xf32>, %B: memref<4x5xf32>) -> i32 {
  %c = arith.constant 8.0 : f32
  %d = arith.constant 9.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.store %c, %B[%i, %j] : memref<4x5xf32>
    }
  }
  affine.store %d, %B[3, 4] : memref<4x5xf32>
  %r = arith.constant 7 : i32
  return %r : i32
}
//--- result.mlir
func.func @kernel(%A: memref<4x5xf32>, %B: memref<4x5xf32>) -> i32 {
  %c = arith.constant 8.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.store %c, %B[%i, %j] : memref<4x5xf32>
    }
  }
  %r = arith.constant 8 : i32
  return %r : i32
}
//--- behind.mlir
func.func @kernel(%A: memref<4x5xf32>, %B: memref<4x5xf32>) -> i32 {
  %i = arith.constant 4 : index
  %j = arith.constant 1 : index
  %c = arith.constant 8.0 : f32
  memref.store %c, %B[%i, %j] : memref<4x5xf32>
  %r = arith.constant 7 : i32
  return %r : i32
}
//--- before.mlir
func.func @kernel(%A: memref<4x5xf32>, %B: memref<4x5xf32>) -> i32 {
  %i = arith.constant 0 : index
  %j = arith.constant -1 : index
  %c = arith.constant 8.0 : f32
  memref.store %c, %B[%i, %j] : memref<4x5xf32>
  %r = arith.constant 7 : i32
  return %r : i32
}
//--- up.mlir
func.func @kernel(%A: memref<8xf64>, %B: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %A[%i] : memref<8xf64>
    affine.store %v, %B[%i] : memref<8xf64>
  }
  return
}
//--- down.mlir
func.func @kernel(%A: memref<8xf64>, %B: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %A[7 - %i] : memref<8xf64>
    affine.store %v, %B[7 - %i] : memref<8xf64>
  }
  return
}
