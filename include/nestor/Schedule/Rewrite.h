//===- Rewrite.h - From a chosen schedule to IR -----------------*- C++ -*-===//
//
// Schedule room, the last use of it in the flow: IR is changed here only, once
// per scop, for the schedule that was chosen.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_SCHEDULE_REWRITE_H
#define NESTOR_SCHEDULE_REWRITE_H

#include "nestor/Schedule/ScheduleTree.h"

namespace mlir::nestor {

struct Reason;

/// What to do about memrefs that may overlap.
enum class AliasMode {
  Check,          ///< test at run time, keep the original as fallback
  AssumeDistinct, ///< the user vouches that they never do
  Conservative    ///< leave such scops alone
};

/// Why the memrefs of `scop` forbid to move its statements in this mode; null
/// if they do not.
const Reason *aliasObstacle(const Scop &scop, AliasMode alias);

/// Replaces the ops of the candidate's scop by the code of its tree. The IR is
/// unchanged on failure, with the reason in `reason`. The scop (and every
/// object on it) is dead after success.
LogicalResult rewriteScop(Scop &scop, const Candidate &candidate,
                          AliasMode alias, std::string &reason);

/// True if rewriteScop would succeed; changes nothing.
bool canRewriteScop(Scop &scop, const Candidate &candidate, AliasMode alias,
                    std::string &reason);

} // namespace mlir::nestor

#endif // NESTOR_SCHEDULE_REWRITE_H
