//===- Unroll.cpp - The move `unroll` -------------------------------------===//
//
// Schedule room. Cuts loop L into blocks; the point loop L.u stands right
// inside and is unrolled in full blocks. The order of instances is kept, so it
// is always legal.
//
//===----------------------------------------------------------------------===//
#include "Moves.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
struct Unroll
    : public ScheduleStepAttrInterface::ExternalModel<Unroll, UnrollStepAttr> {
  LogicalResult apply(Attribute attr, Candidate &candidate,
                      std::string &reason) const;
};
} // namespace

LogicalResult Unroll::apply(Attribute attr, Candidate &candidate,
                            std::string &reason) const {
  auto step = cast<UnrollStepAttr>(attr);
  auto tree = candidate.tree->clone();
  LoopPlace place;
  if (failed(findLoopOrFail(*tree, step.getLoop(), "unroll", place, reason)))
    return failure();
  Marks marks;
  marks.unroll = true;
  marks.block = step.getFactor();
  Member point = makePoint(*tree, place.get(), "u", marks);
  roundDown(place.get(), step.getFactor());
  place.band->members.insert(place.band->members.begin() + place.member + 1,
                             point);
  return commitMove(candidate, std::move(tree), attr, /*check=*/false, reason);
}

void nestor::attachUnroll(MLIRContext &ctx) {
  UnrollStepAttr::attachInterface<Unroll>(ctx);
}
