//===- Serialize.h - Candidates as attributes and back ----------*- C++ -*-===//
//
// Schedule room: what is written on a function, stored in a dataset, and read
// again.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_SCHEDULE_SERIALIZE_H
#define NESTOR_SCHEDULE_SERIALIZE_H

#include "nestor/Schedule/Steps.h"

namespace mlir::nestor {

/// The #nestor.schedule of a candidate: its tree, and its steps as a record.
ScheduleAttr writeSchedule(const Candidate &candidate);

/// The schedule that leaves a scop as it is: no tree and no steps.
ScheduleAttr writeUnchanged(const Scop &scop);
bool isUnchanged(ScheduleAttr schedule);

/// Fails, with an error from `emitError`, if the schedule is for another scop.
LogicalResult checkHash(ScheduleAttr schedule, const Scop &scop,
                        function_ref<InFlightDiagnostic()> emitError);

/// The candidate that a schedule describes. Fails, with an error from
/// `emitError`, if it was made for another scop, does not fit, or is illegal.
FailureOr<Candidate> readSchedule(ScheduleAttr schedule, Legality &legality,
                                  function_ref<InFlightDiagnostic()> emitError);

/// Checks a candidate as readSchedule would: its tree alone, against every
/// dependence, whatever the moves that led to it promised.
LogicalResult checkLegal(const Candidate &candidate, std::string &reason);

/// True if the candidate is the program as written: nothing to rewrite.
bool isSource(const Candidate &candidate);

} // namespace mlir::nestor

#endif // NESTOR_SCHEDULE_SERIALIZE_H
