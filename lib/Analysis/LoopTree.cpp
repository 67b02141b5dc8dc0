//===- LoopTree.cpp - Finds the scops of a function -----------------------===//
//
// Analysis room. Walks the blocks of a function, cuts them into maximal runs of
// schedulable ops, and gives each run to the scop builder. Where a nest cannot
// be analysed as a whole, its body is searched for smaller runs.
//
//===----------------------------------------------------------------------===//
#include "ScopBuilder.h"
#include "nestor/Dialect/Nestor.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
class LoopTreeBuilder {
public:
  LoopTree build(func::FuncOp func);

private:
  void visitBlock(Block &block);
  void visitRegions(Operation *op);
  void visitFor(affine::AffineForOp loop, SmallVectorImpl<Operation *> &run);
  void closeRun(SmallVectorImpl<Operation *> &run);

  LoopTree tree;
};
} // namespace

/// An op that neither starts nor breaks a run: no effects, no regions, and safe
/// to evaluate at any time.
static bool isNeutral(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op) &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

static bool isAccess(Operation *op) {
  return isa<affine::AffineLoadOp, affine::AffineStoreOp>(op);
}

/// Loops that the passes must not touch and say nothing about.
static bool isOptedOut(Operation *op) {
  return op->hasAttr(kFallbackAttrName) || op->hasAttr(kScheduledAttrName);
}

LoopTree LoopTreeBuilder::build(func::FuncOp func) {
  if (func.isExternal())
    return std::move(tree);
  if (func->hasAttr(kSkipAttrName)) {
    func.walk<WalkOrder::PreOrder>([&](affine::AffineForOp loop) {
      tree.leftAlone.push_back(
          {func, loop, "the function is marked nestor.skip"});
      return WalkResult::skip();
    });
    return std::move(tree);
  }
  for (Block &block : func.getBody())
    visitBlock(block);
  return std::move(tree);
}

void LoopTreeBuilder::visitBlock(Block &block) {
  SmallVector<Operation *> run;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
      visitFor(loop, run);
      continue;
    }
    bool fits = isNeutral(&op) || (isAccess(&op) && !findObstacle(&op));
    if (fits) {
      run.push_back(&op);
      continue;
    }
    closeRun(run);
    visitRegions(&op);
  }
  closeRun(run);
}

void LoopTreeBuilder::visitRegions(Operation *op) {
  if (op->hasTrait<OpTrait::IsIsolatedFromAbove>() ||
      op->hasAttr(kSkipAttrName))
    return;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visitBlock(block);
}

void LoopTreeBuilder::visitFor(affine::AffineForOp loop,
                               SmallVectorImpl<Operation *> &run) {
  if (isOptedOut(loop))
    return closeRun(run);
  if (loop->hasAttr(kSkipAttrName)) {
    closeRun(run);
    tree.leftAlone.push_back({loop, loop, "the loop is marked nestor.skip"});
    return;
  }
  if (Obstacle obstacle = findObstacle(loop)) {
    closeRun(run);
    tree.leftAlone.push_back({obstacle.op, loop, obstacle.reason});
    visitBlock(*loop.getBody());
    return;
  }
  run.push_back(loop);
}

void LoopTreeBuilder::closeRun(SmallVectorImpl<Operation *> &run) {
  // Loads and pure ops at both ends stay where they are.
  auto anchors = [](Operation *op) {
    return isa<affine::AffineForOp, affine::AffineStoreOp>(op);
  };
  while (!run.empty() && !anchors(run.back()))
    run.pop_back();
  auto begin = llvm::find_if(run, anchors);
  bool hasLoop = llvm::any_of(run, llvm::IsaPred<affine::AffineForOp>);
  if (hasLoop) {
    Obstacle obstacle;
    if (auto scop = buildScop(*begin, run.back(), obstacle))
      tree.scops.push_back(std::move(scop));
    else
      for (Operation *op : run)
        if (isa<affine::AffineForOp>(op))
          tree.leftAlone.push_back({obstacle.op, op, obstacle.reason});
  }
  run.clear();
}

LoopTree nestor::buildLoopTree(func::FuncOp func) {
  return LoopTreeBuilder().build(func);
}
