//===- Generate.h - Loops of a schedule tree --------------------*- C++ -*-===//
//
// Private to the Schedule room.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_SCHEDULE_GENERATE_H
#define NESTOR_LIB_SCHEDULE_GENERATE_H

#include "nestor/Schedule/Legality.h"

#include "mlir/IR/Builders.h"

namespace mlir::nestor {

/// Far from overflow when multiplied, and beyond what a program counts.
static constexpr int64_t kMaxSmall = int64_t(1) << 40;

/// A parameter, by number, and the most that its magnitude may be.
struct ParamLimit {
  unsigned param;
  int64_t most; ///< kMaxSmall, or less
};

/// Emits the code of `tree` at the builder's place. `slots` holds the memref of
/// each slot, by array number. The code is right where the parameters are
/// within `limits`: it computes what the source does not, and could overflow
/// (Growth.h). On failure (with a reason) the caller must erase what was
/// emitted.
LogicalResult generateCode(const TreeNode &tree, Legality &legality,
                           OpBuilder &builder, ArrayRef<Value> slots,
                           SmallVectorImpl<ParamLimit> &limits,
                           std::string &reason);

/// Keeps cells that `loop` does not move over in iter_args, where every access
/// to their memref in the body is provably to the same cell or to another.
/// Different memrefs are taken to be disjoint. Returns the loop that replaces
/// `loop`, or `loop`.
affine::AffineForOp promoteCells(affine::AffineForOp loop);

} // namespace mlir::nestor

#endif // NESTOR_LIB_SCHEDULE_GENERATE_H
