//===- Random.cpp - Random legal schedules --------------------------------===//
//
// Search room; see Random.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Search/Random.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
/// Draws steps that fit the loops of a candidate (legal or not).
class StepDrawer {
public:
  StepDrawer(Candidate &candidate, Random &random, const RandomOptions &options)
      : random(random), options(options), ctx(candidate.scop->getContext()) {
    walkTree(*candidate.tree, [&](TreeNode &node) {
      if (node.kind == TreeNode::Kind::Band)
        bands.push_back(&node);
    });
  }
  Attribute draw();

private:
  StringAttr name(const Member &member) {
    return StringAttr::get(ctx, member.name);
  }
  Attribute drawInterchange(TreeNode &band);
  Attribute drawTile(TreeNode &band);

  Random &random;
  const RandomOptions &options;
  MLIRContext *ctx;
  SmallVector<TreeNode *> bands;
};
} // namespace

Attribute StepDrawer::drawInterchange(TreeNode &band) {
  SmallVector<Attribute> loops;
  for (Member &member : band.members)
    loops.push_back(name(member));
  for (size_t i = loops.size(); i > 1; --i)
    std::swap(loops[i - 1], loops[random.below(i)]);
  return loops.size() < 2
             ? Attribute()
             : InterchangeStepAttr::get(ctx, ArrayAttr::get(ctx, loops));
}

Attribute StepDrawer::drawTile(TreeNode &band) {
  SmallVector<Attribute> loops;
  SmallVector<int64_t> sizes;
  for (Member &member : band.members)
    if (!member.marks.isPoint() && random.below(3)) {
      loops.push_back(name(member));
      sizes.push_back(random.pick(ArrayRef<int64_t>(options.tileSizes)));
    }
  if (loops.empty())
    return {};
  return TileStepAttr::get(ctx, ArrayAttr::get(ctx, loops),
                           DenseI64ArrayAttr::get(ctx, sizes));
}

Attribute StepDrawer::draw() {
  if (bands.empty())
    return {};
  TreeNode &band = *bands[random.below(bands.size())];
  StringAttr loop = name(band.members[random.below(band.members.size())]);
  int64_t factor = random.pick(ArrayRef<int64_t>(options.unrollFactors));
  switch (random.below(8)) {
  case 0:
    return drawInterchange(band);
  case 1:
  case 2:
    return drawTile(band);
  case 3:
    return ReverseStepAttr::get(ctx, loop);
  case 4:
    return UnrollStepAttr::get(ctx, loop, factor);
  case 5:
    return UnrollJamStepAttr::get(ctx, loop, factor);
  case 6: {
    int64_t width = random.pick(ArrayRef<int64_t>(options.vectorWidths));
    return VectorizeStepAttr::get(ctx, loop, width, 1 + random.below(2));
  }
  default:
    return PromoteStepAttr::get(ctx, loop);
  }
}

Candidate nestor::randomCandidate(ArrayRef<Candidate> skeletons, Random &random,
                                  const RandomOptions &options) {
  Candidate candidate = skeletons[random.below(skeletons.size())].clone();
  unsigned wanted = random.below(options.maxSteps + 1);
  std::string reason;
  for (unsigned tries = 0;
       tries < 4 * wanted && candidate.steps.size() < wanted; ++tries)
    if (Attribute step = StepDrawer(candidate, random, options).draw())
      (void)applyStep(candidate, step, reason);
  return candidate;
}
