//===- LoopTree.cpp - Finds the scops of a function -----------------------===//
//
// Analysis room. Walks the blocks of a function, cuts them into maximal runs of
// schedulable ops, and gives each run to the scop builder. A nest that cannot
// be analysed never spoils its neighbours: the run is cut in front of it and
// after it, and its body is searched for smaller runs.
//
//===----------------------------------------------------------------------===//
#include "ScopBuilder.h"
#include "nestor/Dialect/Nestor.h"

using namespace mlir;
using namespace mlir::nestor;
using affine::AffineForOp;

namespace {
/// Something to look at: a block, a run, or a nest that is left alone.
struct Task {
  Block *block = nullptr;
  SmallVector<Operation *> run;
  LeftAlone left = {};
};

/// Tasks wait on a stack, not in recursive calls: programs may be nested as
/// deeply as they like.
class LoopTreeBuilder {
public:
  LoopTree build(func::FuncOp func);

private:
  void visitBlock(Block &block);
  void visitFor(AffineForOp loop, SmallVector<Operation *> &run);
  void visitRun(SmallVector<Operation *> run);
  bool splitLong(SmallVector<Operation *> &run);
  void report(const LeftAlone &left);
  void leaveAlone(AffineForOp nest, const Obstacle &obstacle);
  void addRegions(Operation *op);
  void addRun(SmallVector<Operation *> &run);
  void addBlock(Block &block) { tasks.push_back({&block, {}, {}}); }

  LoopTree tree;
  llvm::DenseSet<std::pair<Operation *, const Reason *>> reported;
  std::vector<Task> stack;
  std::vector<Task> tasks; ///< that the current one gives, in source order
};
} // namespace

/// An op that neither starts nor breaks a run: no effects, no regions, and safe
/// to evaluate at any time.
static bool isNeutral(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op) &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

static bool isAccess(Operation *op) { return isLoad(op) || isStore(op); }

/// Loops that the passes must not touch and say nothing about.
static bool isOptedOut(Operation *op) {
  return op->hasAttr(kFallbackAttrName) || op->hasAttr(kScheduledAttrName);
}

LoopTree LoopTreeBuilder::build(func::FuncOp func) {
  if (func.isExternal())
    return std::move(tree);
  if (func->hasAttr(kSkipAttrName)) {
    func.walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
      tree.leftAlone.push_back({func, loop, &reasons::kFunctionSkipped});
      return WalkResult::skip();
    });
    return std::move(tree);
  }
  for (Block &block : func.getBody())
    addBlock(block);
  while (!stack.empty() || !tasks.empty()) {
    std::move(tasks.rbegin(), tasks.rend(), std::back_inserter(stack));
    tasks.clear();
    Task task = std::move(stack.back());
    stack.pop_back();
    if (task.left.op)
      report(task.left);
    else if (task.block)
      visitBlock(*task.block);
    else
      visitRun(std::move(task.run));
  }
  return std::move(tree);
}

void LoopTreeBuilder::addRun(SmallVector<Operation *> &run) {
  // Loads and pure ops at both ends stay where they are.
  auto anchors = [](Operation *op) {
    return isa<AffineForOp>(op) || isStore(op);
  };
  while (!run.empty() && !anchors(run.back()))
    run.pop_back();
  run.erase(run.begin(), llvm::find_if(run, anchors));
  if (llvm::any_of(run, llvm::IsaPred<AffineForOp>))
    tasks.push_back({nullptr, run, {}});
  run.clear();
}

void LoopTreeBuilder::visitBlock(Block &block) {
  SmallVector<Operation *> run;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<AffineForOp>(op)) {
      visitFor(loop, run);
      continue;
    }
    bool fits = isNeutral(&op) || (isAccess(&op) && !findObstacle(&op));
    if (fits) {
      run.push_back(&op);
      continue;
    }
    addRun(run);
    addRegions(&op);
  }
  addRun(run);
}

void LoopTreeBuilder::addRegions(Operation *op) {
  if (op->hasTrait<OpTrait::IsIsolatedFromAbove>() ||
      op->hasAttr(kSkipAttrName))
    return;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      addBlock(block);
}

/// Says one thing once: nests in a nest are often lost for the same reason.
void LoopTreeBuilder::report(const LeftAlone &left) {
  if (reported.insert({left.op, left.reason}).second)
    tree.leftAlone.push_back(left);
}

void LoopTreeBuilder::leaveAlone(AffineForOp nest, const Obstacle &obstacle) {
  tasks.push_back({nullptr, {}, {obstacle.op, nest, obstacle.reason}});
  if (!nest->hasAttr(kSkipAttrName))
    addBlock(*nest.getBody());
}

void LoopTreeBuilder::visitFor(AffineForOp loop,
                               SmallVector<Operation *> &run) {
  if (isOptedOut(loop))
    return addRun(run);
  Obstacle obstacle = findObstacle(loop);
  if (!obstacle) {
    run.push_back(loop);
    return;
  }
  addRun(run);
  leaveAlone(loop, obstacle);
}

/// Pairs of accesses that a run may have if it has several nests.
static constexpr uint64_t kMaxPairsOfRun = 4000;

/// Cuts a run in two where it gets too long to be analysed as one.
bool LoopTreeBuilder::splitLong(SmallVector<Operation *> &run) {
  PairCounter counter;
  uint64_t pairs = 0;
  bool anyNest = false;
  for (auto *it = run.begin(); it != run.end(); ++it) {
    for (const Touch &touch : touchesOf(*it)) {
      if (!touch.memref)
        continue;
      pairs = counter.add(touch.memref, touch.isWrite);
    }
    if (pairs > kMaxPairsOfRun && anyNest) {
      SmallVector<Operation *> before(run.begin(), it), after(it, run.end());
      addRun(before);
      addRun(after);
      return true;
    }
    anyNest |= isa<AffineForOp>(*it);
  }
  return false;
}

/// Makes a scop of the run, or cuts it at the op that is in the way.
void LoopTreeBuilder::visitRun(SmallVector<Operation *> run) {
  if (splitLong(run))
    return;
  Obstacle obstacle;
  if (auto scop = buildScop(run.front(), run.back(), obstacle)) {
    tree.scops.push_back(std::move(scop));
    return;
  }
  auto *culprit = llvm::find_if(
      run, [&](Operation *op) { return op->isAncestor(obstacle.op); });
  SmallVector<Operation *> before, after(run.begin() + 1, run.end());
  if (culprit != run.end() && culprit != run.begin()) {
    before.assign(run.begin(), culprit);
    after.assign(culprit, run.end());
  } else if (auto nest = dyn_cast<AffineForOp>(run.front())) {
    leaveAlone(nest, obstacle);
  }
  addRun(before);
  // The op that was in the way leaves the run's front next time.
  addRun(after);
}

LoopTree nestor::buildLoopTree(func::FuncOp func) {
  return LoopTreeBuilder().build(func);
}
