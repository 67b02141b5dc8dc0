//===- Promote.cpp - The move `promote` -----------------------------------===//
//
// Schedule room. Marks a loop: cells that it does not move over are kept in
// iter_args when the loop is generated (see PromoteCells.cpp), where that is
// provably the same. The order of instances is kept, so it is always legal.
//
//===----------------------------------------------------------------------===//
#include "Moves.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
struct Promote
    : public ScheduleStepAttrInterface::ExternalModel<Promote,
                                                      PromoteStepAttr> {
  LogicalResult apply(Attribute attr, Candidate &candidate,
                      std::string &reason) const;
};
} // namespace

LogicalResult Promote::apply(Attribute attr, Candidate &candidate,
                             std::string &reason) const {
  auto tree = candidate.tree->clone();
  LoopPlace place;
  if (failed(findLoopOrFail(*tree,
                            cast<PromoteStepAttr>(attr).getLoop().getValue(),
                            "promote", place, reason)))
    return failure();
  if (place.get().marks.promote) {
    reason = "promote: the loop has the mark already";
    return failure();
  }
  place.get().marks.promote = true;
  return commitMove(candidate, std::move(tree), attr, /*check=*/false, reason);
}

void nestor::attachPromote(MLIRContext &ctx) {
  PromoteStepAttr::attachInterface<Promote>(ctx);
}
