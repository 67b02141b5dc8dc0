//===- CheckLoops.h - Whether isl's loops do what the tree says -*- C++ -*-===//
//
// Private to the Schedule room.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_SCHEDULE_CHECKLOOPS_H
#define NESTOR_LIB_SCHEDULE_CHECKLOOPS_H

#include "nestor/Analysis/Polyhedral.h"

#include "isl/ast.h"

namespace mlir::nestor {

enum class LoopCheck {
  Right,
  Wrong,      ///< an instance is lost or runs twice, or a dependence is broken
  TooComplex, ///< isl's work ran out
  Unknown,    ///< an expression that affine ops cannot express, either
};

/// Compares loops that isl made with the domains and dependences of the scop,
/// exactly; relaxed dependences are not looked at. Vectors and unrolling, which
/// come later, are not its matter.
LoopCheck checkLoops(isl_ast_node *ast, const Polyhedral &poly);

} // namespace mlir::nestor

#endif // NESTOR_LIB_SCHEDULE_CHECKLOOPS_H
