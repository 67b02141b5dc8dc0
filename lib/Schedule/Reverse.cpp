//===- Reverse.cpp - The move `reverse` -----------------------------------===//
//
// Schedule room. Negates a loop's value. Legal without a check where the loop
// carries nothing (coincident).
//
//===----------------------------------------------------------------------===//
#include "Moves.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
struct Reverse
    : public ScheduleStepAttrInterface::ExternalModel<Reverse,
                                                      ReverseStepAttr> {
  LogicalResult apply(Attribute attr, Candidate &candidate,
                      std::string &reason) const;
};
} // namespace

LogicalResult Reverse::apply(Attribute attr, Candidate &candidate,
                             std::string &reason) const {
  auto tree = candidate.tree->clone();
  LoopPlace place;
  if (failed(findLoopOrFail(*tree,
                            cast<ReverseStepAttr>(attr).getLoop().getValue(),
                            "reverse", place, reason)))
    return failure();
  for (AffineExpr &expr : place.get().exprs)
    expr = -expr;
  return commitMove(candidate, std::move(tree), attr, !place.get().coincident,
                    reason);
}

void nestor::attachReverse(MLIRContext &ctx) {
  ReverseStepAttr::attachInterface<Reverse>(ctx);
}
