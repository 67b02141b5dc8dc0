//===- UnrollJam.cpp - The move `unroll_jam` ------------------------------===//
//
// Schedule room. Cuts loop L into blocks and moves the point loop L.u inside
// all loops below L, where it is unrolled in full blocks: copies of the body
// share the inner loops. In an imperfect nest every branch gets its own point
// loop.
//
//===----------------------------------------------------------------------===//
#include "Moves.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
struct UnrollJam
    : public ScheduleStepAttrInterface::ExternalModel<UnrollJam,
                                                      UnrollJamStepAttr> {
  LogicalResult apply(Attribute attr, Candidate &candidate,
                      std::string &reason) const;
};
} // namespace

LogicalResult UnrollJam::apply(Attribute attr, Candidate &candidate,
                               std::string &reason) const {
  auto step = cast<UnrollJamStepAttr>(attr);
  auto tree = candidate.tree->clone();
  LoopPlace place;
  if (failed(
          findLoopOrFail(*tree, step.getLoop(), "unroll_jam", place, reason)))
    return failure();
  Marks marks;
  marks.unroll = true;
  marks.block = step.getFactor();
  Member point = makePoint(*tree, place.get(), "u", marks);
  // A loop that carries nothing may stand anywhere below its band.
  bool coincident = place.get().coincident, check = false;
  sinkPointLoop(*tree, place, step.getFactor(), point, /*beforePoints=*/true,
                check);
  return commitMove(candidate, std::move(tree), attr, check && !coincident,
                    reason);
}

void nestor::attachUnrollJam(MLIRContext &ctx) {
  UnrollJamStepAttr::attachInterface<UnrollJam>(ctx);
}
