//===- Steps.h - Making candidates and applying moves -----------*- C++ -*-===//
//
// Schedule room: the entry points that Search and the passes use. A step
// attribute finds its move by interface; see docs/design.md, "Steps".
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_SCHEDULE_STEPS_H
#define NESTOR_SCHEDULE_STEPS_H

#include "nestor/Schedule/Legality.h"
#include "nestor/Schedule/ScheduleTree.h"

namespace mlir::nestor {

/// Attaches the moves to the step attributes.
void registerSteps(DialectRegistry &registry);

/// A candidate with `tree`, checked and annotated; fails with a reason if the
/// tree is illegal or its legality unknown.
FailureOr<Candidate> makeCandidate(Legality &legality,
                                   std::unique_ptr<TreeNode> tree,
                                   StringRef skeleton, std::string &reason);

/// Applies one step; on failure the candidate is unchanged and `reason` says
/// why.
LogicalResult applyStep(Candidate &candidate, Attribute step,
                        std::string &reason);

/// Skeletons of a scop, each legal and annotated, without duplicates: "source"
/// (as written) first, then what isl's scheduler makes of it with minimal and
/// maximal fusion. Deterministic. Empty if the order as written is too complex
/// to analyse.
std::vector<Candidate> buildSkeletons(Legality &legality);

} // namespace mlir::nestor

#endif // NESTOR_SCHEDULE_STEPS_H
