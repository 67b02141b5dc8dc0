//===- Passes.td - The passes of Nestor -----------------------------------===//
//
// Transforms room, the last: passes are thin, they only connect the rooms.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_TRANSFORMS_PASSES_TD
#define NESTOR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrintLoopTree : Pass<"nestor-print-loop-tree", "::mlir::func::FuncOp"> {
  let summary = "print the scops of a function: loops, statements, accesses";
  let description = [{
    Prints to standard output, for each scop, its hash, arrays, loops and
    statements, and for every nest left alone the reason.

    ```mlir
    func.func @scale(%a: memref<8xf32>, %s: f32) {
      affine.for %i = 0 to 8 {
        %0 = affine.load %a[%i] : memref<8xf32>
        %1 = arith.mulf %0, %s : f32
        affine.store %1, %a[%i] : memref<8xf32>
      }
      return
    }
    ```
    has one loop `L0` and one statement `S0`, a reduction over no loop.
  }];
}

def PrintDependences : Pass<"nestor-print-dependences", "::mlir::func::FuncOp"> {
  let summary = "print the exact dependences of every scop";
  let options = [
    Option<"reassociate", "reassociate", "bool", "false",
           "let floating-point reductions run in any order">
  ];
}

#endif // NESTOR_TRANSFORMS_PASSES_TD
