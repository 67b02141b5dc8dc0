//===- Tile.cpp - The move `tile` -----------------------------------------===//
//
// Schedule room. Tile loops go into a band of their own in front; loop L keeps
// its name as the point loop, the tile loop is L.t. Free inside a permutable
// band, checked otherwise.
//
//===----------------------------------------------------------------------===//
#include "Moves.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
struct Tile
    : public ScheduleStepAttrInterface::ExternalModel<Tile, TileStepAttr> {
  LogicalResult apply(Attribute attr, Candidate &candidate,
                      std::string &reason) const;
};
} // namespace

/// Puts a new band between `band` and what it stands on: the node object
/// becomes the tile band, its old contents the point band below.
static void splitBand(TreeNode &band, SmallVector<Member> tileLoops) {
  auto point = std::make_unique<TreeNode>();
  point->kind = TreeNode::Kind::Band;
  point->stmts = band.stmts;
  point->members = std::move(band.members);
  point->permutable = band.permutable;
  point->group = band.group;
  point->children = std::move(band.children);
  band.members = std::move(tileLoops);
  band.children.clear();
  band.children.push_back(std::move(point));
}

LogicalResult Tile::apply(Attribute attr, Candidate &candidate,
                          std::string &reason) const {
  auto step = cast<TileStepAttr>(attr);
  auto tree = candidate.tree->clone();
  TreeNode *band = nullptr;
  SmallVector<Member> tileLoops;
  for (auto [loop, size] : llvm::zip(step.getLoops().getAsRange<StringAttr>(),
                                     step.getSizes().asArrayRef())) {
    LoopPlace place;
    if (failed(findLoopOrFail(*tree, loop, "tile", place, reason)))
      return failure();
    if (band && band != place.band) {
      reason = "tile: loop '" + loop.str() +
               "' is in another band than the first one";
      return failure();
    }
    band = place.band;
    Member tileLoop = place.get();
    tileLoop.marks = Marks();
    roundDown(tileLoop, size);
    tileLoop.name = freshName(*tree, loop.str() + ".t");
    tileLoops.push_back(std::move(tileLoop));
  }
  bool check = !band->permutable;
  splitBand(*band, std::move(tileLoops));
  return commitMove(candidate, std::move(tree), attr, check, reason);
}

void nestor::attachTile(MLIRContext &ctx) {
  TileStepAttr::attachInterface<Tile>(ctx);
}
