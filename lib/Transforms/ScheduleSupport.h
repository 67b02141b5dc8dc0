//===- ScheduleSupport.h - What the scheduling passes share -----*- C++ -*-===//
//
// Private to the Transforms room.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_TRANSFORMS_SCHEDULESUPPORT_H
#define NESTOR_LIB_TRANSFORMS_SCHEDULESUPPORT_H

#include "nestor/Schedule/Rewrite.h"
#include "nestor/Schedule/Steps.h"

namespace mlir::nestor {

/// Parses the value of the option `alias`; an unknown one is an error at `op`.
FailureOr<AliasMode> parseAliasMode(Operation *op, StringRef text);

/// The #nestor.schedule of a candidate.
ScheduleAttr writeSchedule(const Candidate &candidate);

/// The candidate that a #nestor.schedule describes; errors go to `op`.
FailureOr<Candidate> readSchedule(ScheduleAttr schedule, Legality &legality,
                                  Operation *op);

/// True if the candidate is the program as written: nothing to rewrite.
bool isSource(const Candidate &candidate);

} // namespace mlir::nestor

#endif // NESTOR_LIB_TRANSFORMS_SCHEDULESUPPORT_H
