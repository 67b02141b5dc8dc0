// compare ends with a message when a program crashes or never ends.
// RUN: split-file %s %t
// RUN: not nestor-measure compare %t/good.mlir %t/good.mlir %t/null.mlir 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: not nestor-measure compare %t/good.mlir %t/endless.mlir --timeout=5 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not nestor-measure compare %t/wild.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=WILD
// RUN: not nestor-measure compare %t/good.mlir %t/divide.mlir 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not nestor-measure compare %t/good.mlir %t/trap.mlir 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: not nestor-measure compare %t/good.mlir %t/abort.mlir 2>&1 | FileCheck %s --check-prefix=ABORT
// NULL: good.mlir: same
// NULL: error: {{.*}}null.mlir: crashed: invalid memory access
// ENDLESS: error: {{.*}}endless.mlir: ran longer than --timeout allows
// DIVIDE: error: {{.*}}divide.mlir: crashed: arithmetic fault
// TRAP: error: {{.*}}trap.mlir: crashed: illegal instruction
// ABORT: error: {{.*}}abort.mlir: crashed: aborted
// WILD: error: {{.*}}wild.mlir: writes out of bounds: argument 0, 1 bytes before its begin

//--- good.mlir
func.func @kernel(%A: memref<8xf32>) { return }
//--- null.mlir
func.func @kernel(%A: memref<8xf32>) {
  %p = llvm.mlir.zero : !llvm.ptr
  %v = llvm.load volatile %p : !llvm.ptr -> f32
  return
}
//--- endless.mlir
func.func @kernel(%A: memref<8xf32>) {
  %p = memref.extract_aligned_pointer_as_index %A : memref<8xf32> -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  cf.br ^again
^again:
  %v = llvm.load volatile %q : !llvm.ptr -> f32
  cf.br ^again
}
//--- wild.mlir
func.func @kernel(%A: memref<8xf32>) {
  %i = arith.constant -1 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %A[%i] : memref<8xf32>
  return
}
//--- divide.mlir
func.func private @raise(i32) -> i32
func.func @kernel(%A: memref<8xf32>) {
  %fpe = arith.constant 8 : i32
  %r = call @raise(%fpe) : (i32) -> i32
  return
}
//--- trap.mlir
func.func private @raise(i32) -> i32
func.func @kernel(%A: memref<8xf32>) {
  %ill = arith.constant 4 : i32
  %r = call @raise(%ill) : (i32) -> i32
  return
}
//--- abort.mlir
func.func private @abort()
func.func @kernel(%A: memref<8xf32>) {
  call @abort() : () -> ()
  return
}
