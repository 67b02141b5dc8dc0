// Files that are no programs of the fuzzer's form are refused.
// RUN: split-file %s %t
// RUN: not nestor-fuzz check %t/functions.mlir 2>&1 | FileCheck %s --check-prefix=FUNCTIONS
// RUN: not nestor-fuzz check %t/untabled.mlir 2>&1 | FileCheck %s --check-prefix=UNTABLED
// RUN: not nestor-fuzz check %t/table.mlir 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: not nestor-fuzz check %t/outside.mlir 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not nestor-fuzz check %t/start.mlir 2>&1 | FileCheck %s --check-prefix=START
// RUN: not nestor-fuzz check %t/extent.mlir 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not nestor-fuzz check %t/calls.mlir 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: not nestor-fuzz check %t/text.mlir 2>&1 | FileCheck %s --check-prefix=TEXT

//--- functions.mlir
// FUNCTIONS: error: not a program of the fuzzer: it needs @main and @kernel with bodies
func.func @kernel() {
  return
}
func.func private @main(%arena: memref<65536xi8>, %table: memref<64xindex>)

//--- untabled.mlir
// UNTABLED: error: not a program of the fuzzer: @main has no tables
func.func @kernel() {
  return
}
func.func @main(%arena: memref<65536xi8>, %table: memref<64xindex>) {
  call @kernel() : () -> ()
  return
}

//--- table.mlir
// TABLE: error: not a program of the fuzzer: a table is no list of at most 64 numbers
func.func @kernel() {
  return
}
func.func @main(%arena: memref<65536xi8>, %table: memref<64xindex>)
    attributes {tables = [array<i32: 1>]} {
  call @kernel() : () -> ()
  return
}

//--- outside.mlir
// OUTSIDE: error: not a program of the fuzzer: a buffer is outside the arena
func.func @kernel(%a: memref<9xi32>) {
  return
}
func.func @main(%arena: memref<65536xi8>, %table: memref<64xindex>)
    attributes {tables = [array<i64: 65504>]} {
  %c0 = arith.constant 0 : index
  %at = memref.load %table[%c0] : memref<64xindex>
  %a = memref.view %arena[%at][] : memref<65536xi8> to memref<9xi32>
  call @kernel(%a) : (memref<9xi32>) -> ()
  return
}

//--- start.mlir
// START: error: not a program of the fuzzer: a view in @main does not begin where the table says
func.func @kernel(%a: memref<9xi32>) {
  return
}
func.func @main(%arena: memref<65536xi8>, %table: memref<64xindex>)
    attributes {tables = [array<i64: 64>]} {
  %at = arith.constant 64 : index
  %a = memref.view %arena[%at][] : memref<65536xi8> to memref<9xi32>
  call @kernel(%a) : (memref<9xi32>) -> ()
  return
}

//--- extent.mlir
// EXTENT: error: not a program of the fuzzer: a view in @main has elements or extents of another kind
func.func @kernel(%a: memref<?xi32>) {
  return
}
func.func @main(%arena: memref<65536xi8>, %table: memref<64xindex>)
    attributes {tables = [array<i64: 64>]} {
  %c0 = arith.constant 0 : index
  %at = memref.load %table[%c0] : memref<64xindex>
  %a = memref.view %arena[%at][%at] : memref<65536xi8> to memref<?xi32>
  call @kernel(%a) : (memref<?xi32>) -> ()
  return
}

//--- calls.mlir
// CALLS: error: not a program of the fuzzer: @main does not call @kernel once
func.func @kernel(%a: memref<9xi32>) {
  affine.for %i = 0 to 9 {
    %0 = affine.load %a[%i] : memref<9xi32>
    affine.store %0, %a[0] : memref<9xi32>
  }
  return
}
func.func @main(%arena: memref<65536xi8>, %table: memref<64xindex>)
    attributes {tables = [array<i64: 64>]} {
  return
}

//--- text.mlir
// TEXT: text.mlir:{{.*}}: error:
func.func @kernel(
