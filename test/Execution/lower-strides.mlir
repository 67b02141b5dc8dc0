// MLIR's lowering says that index arithmetic does not wrap as an unsigned number; it
// does where a stride is negative, and LLVM made other values of such programs at -O3.
// RUN: nestor-opt %s -split-input-file --nestor-to-llvm | FileCheck %s

// CHECK-LABEL: module
// CHECK-NOT: signed_strides
// CHECK-LABEL: @negative
// CHECK: llvm.mul {{.*}} overflow<nsw> : i64
// CHECK-NOT: nuw
// CHECK: llvm.getelementptr inbounds %
// CHECK-NOT: nuw
func.func @negative(%A: memref<6xi32, strided<[-1], offset: 5>>, %i: index) -> i32 {
  %a = memref.load %A[%i] : memref<6xi32, strided<[-1], offset: 5>>
  return %a : i32
}

// -----

// CHECK-LABEL: @unknown
// CHECK-NOT: nuw
func.func @unknown(%A: memref<?xi32, strided<[?]>>, %i: index) -> i32 {
  %a = memref.load %A[%i] : memref<?xi32, strided<[?]>>
  return %a : i32
}

// -----

// Inside a function, too.
// CHECK-LABEL: @local
// CHECK-NOT: nuw
func.func @local(%A: memref<6xi32>, %i: index) -> i32 {
  %back = memref.reinterpret_cast %A to offset: [5], sizes: [6], strides: [-1] : memref<6xi32> to memref<6xi32, strided<[-1], offset: 5>>
  %a = memref.load %back[%i] : memref<6xi32, strided<[-1], offset: 5>>
  return %a : i32
}

// -----

// What cannot wrap keeps its flags.
// CHECK-LABEL: @positive
// CHECK: llvm.mul {{.*}} overflow<nsw, nuw> : i64
// CHECK: llvm.getelementptr inbounds|nuw
func.func @positive(%A: memref<6x4xi32>, %i: index, %j: index) -> i32 {
  %a = memref.load %A[%i, %j] : memref<6x4xi32>
  return %a : i32
}
