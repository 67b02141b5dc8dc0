//===- Interchange.cpp - The move `interchange` ---------------------------===//
//
// Schedule room. Reorders members of one band. Free inside a permutable band,
// checked otherwise.
//
//===----------------------------------------------------------------------===//
#include "Moves.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
struct Interchange
    : public ScheduleStepAttrInterface::ExternalModel<Interchange,
                                                      InterchangeStepAttr> {
  LogicalResult apply(Attribute attr, Candidate &candidate,
                      std::string &reason) const;
};
} // namespace

LogicalResult Interchange::apply(Attribute attr, Candidate &candidate,
                                 std::string &reason) const {
  auto step = cast<InterchangeStepAttr>(attr);
  auto tree = candidate.tree->clone();
  SmallVector<unsigned> order;
  TreeNode *band = nullptr;
  for (auto name : step.getLoops().getAsRange<StringAttr>()) {
    LoopPlace place;
    if (failed(findAnyLoop(*tree, name, place, reason)))
      return failure();
    if (band && band != place.band) {
      reason = "interchange: loop '" + name.str() +
               "' is in another band than the first one";
      return failure();
    }
    band = place.band;
    order.push_back(place.member);
  }
  SmallVector<unsigned> places = order;
  llvm::sort(places);
  std::vector<Member> members(band->members.begin(), band->members.end());
  for (auto [to, from] : llvm::zip(places, order))
    band->members[to] = members[from];
  return commitMove(candidate, std::move(tree), attr, !band->permutable,
                    reason);
}

void nestor::attachInterchange(MLIRContext &ctx) {
  InterchangeStepAttr::attachInterface<Interchange>(ctx);
}
