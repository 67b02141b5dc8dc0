//===- Serialize.cpp - Candidates as attributes and back ------------------===//
//
// Schedule room; see Serialize.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Schedule/Serialize.h"

using namespace mlir;
using namespace mlir::nestor;

ScheduleAttr nestor::writeSchedule(const Candidate &candidate) {
  MLIRContext *ctx = candidate.scop->getContext();
  ArrayAttr steps;
  if (!candidate.steps.empty())
    steps = ArrayAttr::get(ctx, candidate.steps);
  return ScheduleAttr::get(ctx, kScheduleVersion,
                           StringAttr::get(ctx, candidate.scop->getHash()),
                           writeTree(*candidate.tree, *candidate.scop),
                           /*arrays=*/ArrayAttr(), steps);
}

ScheduleAttr nestor::writeUnchanged(const Scop &scop) {
  MLIRContext *ctx = scop.getContext();
  return ScheduleAttr::get(ctx, kScheduleVersion,
                           StringAttr::get(ctx, scop.getHash()), Attribute(),
                           /*arrays=*/ArrayAttr(), ArrayAttr::get(ctx, {}));
}

bool nestor::isUnchanged(ScheduleAttr schedule) {
  return !schedule.getTree() && !schedule.getArrays() &&
         schedule.getSteps().empty();
}

LogicalResult nestor::checkHash(ScheduleAttr schedule, const Scop &scop,
                                function_ref<InFlightDiagnostic()> emitError) {
  if (schedule.getHash().getValue() == scop.getHash())
    return success();
  return emitError() << "the schedule was made for scop "
                     << schedule.getHash().getValue() << ", but this one is "
                     << scop.getHash() << ": schedule the function again";
}

/// A schedule without a tree: steps on the program as written.
static FailureOr<Candidate>
readSteps(ScheduleAttr schedule, Legality &legality,
          function_ref<InFlightDiagnostic()> emitError) {
  std::string reason;
  auto candidate = makeCandidate(legality, buildSourceTree(legality.getScop()),
                                 "source", reason);
  if (failed(candidate))
    return emitError() << "the program as written cannot be scheduled: "
                       << reason,
           failure();
  for (Attribute step : schedule.getSteps())
    if (failed(applyStep(*candidate, step, reason)))
      return emitError() << "schedule step " << step << ": " << reason,
             failure();
  return candidate;
}

static constexpr const char *kLanesCarry =
    "a loop with a vector mark carries a dependence";

/// True if the loops of vectors in an analysed tree carry nothing.
static bool lanesAreFree(TreeNode &tree) {
  bool areFree = true;
  walkTree(tree, [&](TreeNode &node) {
    for (Member &member : node.members)
      areFree &= !member.marks.vectorWidth || member.coincident;
  });
  return areFree;
}

LogicalResult nestor::checkLegal(const Candidate &candidate,
                                 std::string &reason) {
  auto tree = candidate.tree->clone();
  if (failed(candidate.legality->analyse(*tree, reason)))
    return failure();
  if (lanesAreFree(*tree))
    return success();
  reason = kLanesCarry;
  return failure();
}

FailureOr<Candidate>
nestor::readSchedule(ScheduleAttr schedule, Legality &legality,
                     function_ref<InFlightDiagnostic()> emitError) {
  const Scop &scop = legality.getScop();
  if (failed(checkHash(schedule, scop, emitError)))
    return failure();
  if (schedule.getArrays() && !schedule.getArrays().empty())
    return emitError() << "the schedule adds arrays, which this version "
                          "does not generate",
           failure();
  if (!schedule.getTree())
    return readSteps(schedule, legality, emitError);
  auto tree = readTree(schedule.getTree(), scop, emitError);
  if (failed(tree))
    return failure();
  std::string reason;
  auto candidate = makeCandidate(legality, std::move(*tree), "given", reason);
  if (failed(candidate))
    return emitError() << "the schedule is illegal: " << reason, failure();
  if (!lanesAreFree(*candidate->tree))
    return emitError() << "the schedule is illegal: " << kLanesCarry, failure();
  return candidate;
}

bool nestor::isSource(const Candidate &candidate) {
  std::string reason;
  auto source = makeCandidate(
      *candidate.legality, buildSourceTree(*candidate.scop), "source", reason);
  return succeeded(source) && writeTree(*source->tree, *candidate.scop) ==
                                  writeTree(*candidate.tree, *candidate.scop);
}
