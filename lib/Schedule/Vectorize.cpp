//===- Vectorize.cpp - The move `vectorize` -------------------------------===//
//
// Schedule room. Cuts loop L into blocks of width x count iterations and moves
// the point loop L.v innermost, where full blocks become vectors. The loop must
// carry no dependence, not even one that may be reordered: lanes run at once.
//
//===----------------------------------------------------------------------===//
#include "Moves.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
struct Vectorize
    : public ScheduleStepAttrInterface::ExternalModel<Vectorize,
                                                      VectorizeStepAttr> {
  LogicalResult apply(Attribute attr, Candidate &candidate,
                      std::string &reason) const;
};
} // namespace

LogicalResult Vectorize::apply(Attribute attr, Candidate &candidate,
                               std::string &reason) const {
  auto step = cast<VectorizeStepAttr>(attr);
  auto tree = candidate.tree->clone();
  LoopPlace place;
  if (failed(findLoopOrFail(*tree, step.getLoop(), "vectorize", place, reason)))
    return failure();
  if (!place.get().coincident) {
    reason = "vectorize: loop '" + place.get().name +
             "' carries a dependence, so its iterations cannot be lanes";
    return failure();
  }
  int64_t block = step.getWidth() * step.getCount();
  Marks marks;
  marks.vectorWidth = step.getWidth();
  marks.block = block;
  Member point = makePoint(*tree, place.get(), "v", marks);
  // No dependence that reaches this band moves along the loop, so its place
  // does not matter to any of them.
  bool check = false;
  sinkPointLoop(*tree, place, block, point, /*beforePoints=*/false, check);
  return commitMove(candidate, std::move(tree), attr, /*check=*/false, reason);
}

void nestor::attachVectorize(MLIRContext &ctx) {
  VectorizeStepAttr::attachInterface<Vectorize>(ctx);
}
