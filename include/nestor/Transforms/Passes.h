//===- Passes.h - The passes of Nestor --------------------------*- C++ -*-===//
//
// Transforms room, the last of the flow: passes connect the rooms.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_TRANSFORMS_PASSES_H
#define NESTOR_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "nestor/Dialect/Nestor.h"

namespace mlir::nestor {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "nestor/Transforms/Passes.h.inc"
} // namespace mlir::nestor

#endif // NESTOR_TRANSFORMS_PASSES_H
