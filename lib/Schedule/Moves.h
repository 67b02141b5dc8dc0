//===- Moves.h - What the moves share ---------------------------*- C++ -*-===//
//
// Private to the Schedule room. A move is one file: it edits a copy of the
// candidate's tree, says whether legality must be checked again, and commits.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_SCHEDULE_MOVES_H
#define NESTOR_LIB_SCHEDULE_MOVES_H

#include "nestor/Schedule/Legality.h"
#include "nestor/Schedule/ScheduleTree.h"

namespace mlir::nestor {

/// Where a named loop is.
struct LoopPlace {
  TreeNode *band = nullptr;
  unsigned member = 0;
  Member &get() const { return band->members[member]; }
};

/// Finds the loop `name` for `move`; fails with a reason if there is none or if
/// it is a point loop (unrolled or vectorized), which no move may touch again.
LogicalResult findLoopOrFail(TreeNode &tree, StringRef name, StringRef move,
                             LoopPlace &place, std::string &reason);

/// The same without the condition on point loops.
LogicalResult findAnyLoop(TreeNode &tree, StringRef name, LoopPlace &place,
                          std::string &reason);

/// A point loop that counts inside blocks of loop `member`, with its own name
/// `member`.`suffix` and marks.
Member makePoint(TreeNode &tree, const Member &member, StringRef suffix,
                 Marks marks);

/// A name of the form `base`, `base`2, `base`3 ... that the tree does not use.
std::string freshName(TreeNode &tree, const std::string &base);

/// size * floor(expr / size) for every statement.
void roundDown(Member &member, int64_t size);

/// Takes the part of loop `place` that counts inside blocks of `size`
/// iterations and puts it next to the leaves below the loop (in front of other
/// point loops with `beforePoints`, else innermost). The loop itself keeps the
/// blocks. `checkNeeded` tells whether the place it went to asks for a legality
/// check.
void sinkPointLoop(TreeNode &tree, LoopPlace place, int64_t size,
                   const Member &point, bool beforePoints, bool &checkNeeded);

/// Puts `tree` in the candidate and records `step`; with `check`, only if it is
/// legal (else `reason` and failure, candidate unchanged).
LogicalResult commitMove(Candidate &candidate, std::unique_ptr<TreeNode> tree,
                         Attribute step, bool check, std::string &reason);

// Each move attaches itself to its step attribute.
void attachInterchange(MLIRContext &ctx);
void attachReverse(MLIRContext &ctx);
void attachTile(MLIRContext &ctx);
void attachUnroll(MLIRContext &ctx);
void attachUnrollJam(MLIRContext &ctx);
void attachVectorize(MLIRContext &ctx);
void attachPromote(MLIRContext &ctx);

} // namespace mlir::nestor

#endif // NESTOR_LIB_SCHEDULE_MOVES_H
