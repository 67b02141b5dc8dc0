//===- IslSchedule.h - Schedule trees in isl's form -------------*- C++ -*-===//
//
// Private to the Schedule room: the way into isl (code generation) and back
// (isl's own schedulers).
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_SCHEDULE_ISLSCHEDULE_H
#define NESTOR_LIB_SCHEDULE_ISLSCHEDULE_H

#include "nestor/Analysis/Polyhedral.h"
#include "nestor/Schedule/ScheduleTree.h"

namespace mlir::nestor {

/// The marks of the members, by the number in the AST's mark names "member<k>".
struct IslSchedule {
  isl::schedule schedule;
  std::vector<Marks> marks;
};

/// Turns a legal tree into an isl schedule. Every member is a band of its own
/// under a mark "member<k>"; above blocks of point loops, full tiles are
/// isolated so that they get constant bounds.
IslSchedule toIslSchedule(const TreeNode &tree, Polyhedral &poly);

/// How often isl's budget is halved for questions about this tree: its work
/// grows exponentially with the sizes of tiles, and the steps of the source's
/// loops, that are no multiples of one another. 0 for tiles of 8, 32 and 64.
unsigned halvingsFor(const TreeNode &tree, const Scop &scop);

/// Turns isl's schedule into a tree; loops are named "c0", "c1" ... Null if it
/// holds something that a tree cannot say.
std::unique_ptr<TreeNode> fromIslSchedule(const isl::schedule &schedule,
                                          const Scop &scop);

/// `aff` over a statement's domain as an expression over its loops (dims) and
/// the parameters (symbols); null if it has no such form.
AffineExpr toAffineExpr(const isl::aff &aff, MLIRContext *ctx);

} // namespace mlir::nestor

#endif // NESTOR_LIB_SCHEDULE_ISLSCHEDULE_H
