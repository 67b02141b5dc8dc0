//===- ScopBuilder.h - From a run of ops to a Scop --------------*- C++ -*-===//
//
// Private to the Analysis room; see ScopBuilder.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_ANALYSIS_SCOPBUILDER_H
#define NESTOR_LIB_ANALYSIS_SCOPBUILDER_H

#include "nestor/Analysis/Scop.h"

namespace mlir::nestor {

/// What stands in the way of analysing an op, or nothing.
struct Obstacle {
  Operation *op = nullptr;
  std::string reason;
  explicit operator bool() const { return op != nullptr; }
};

/// Looks for ops below (and including) `op` that no scop can hold.
Obstacle findObstacle(Operation *op);

/// Builds the scop of the ops first..last of a block, all free of obstacles.
/// Returns null and fills `obstacle` when the run as a whole cannot be
/// analysed.
std::unique_ptr<Scop> buildScop(Operation *first, Operation *last,
                                Obstacle &obstacle);

} // namespace mlir::nestor

#endif // NESTOR_LIB_ANALYSIS_SCOPBUILDER_H
