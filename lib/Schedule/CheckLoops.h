//===- CheckLoops.h - Whether isl's loops do what the tree says -*- C++ -*-===//
//
// Private to the Schedule room.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_SCHEDULE_CHECKLOOPS_H
#define NESTOR_LIB_SCHEDULE_CHECKLOOPS_H

#include "nestor/Analysis/Polyhedral.h"

#include "llvm/ADT/DenseMap.h"
#include "isl/ast.h"

namespace mlir::nestor {

enum class LoopCheck {
  Right,
  Wrong,      ///< an instance is lost or runs twice, or a dependence is broken
  TooComplex, ///< isl's work ran out
  Unknown,    ///< an expression that affine ops cannot express, either
};

/// Conditions on the parameters, one basic set a loop.
using LoopGuards = llvm::DenseMap<isl_ast_node *, isl::set>;

/// Compares loops that isl made with the domains and dependences of the scop,
/// exactly; relaxed dependences are not looked at. Vectors and unrolling, which
/// come later, are not its matter. `guards` gets the loops that iterate for
/// parameters for which no statement in them runs, and a condition that keeps
/// all instances.
LoopCheck checkLoops(isl_ast_node *ast, const Polyhedral &poly,
                     LoopGuards &guards);

} // namespace mlir::nestor

#endif // NESTOR_LIB_SCHEDULE_CHECKLOOPS_H
