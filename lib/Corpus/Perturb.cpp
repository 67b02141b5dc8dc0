//===- Perturb.cpp - Small changes that real programs have ----------------===//
//
// Corpus room, inside the generator: the patterns are regular; this gives them
// steps, shifted bounds, guards, reversed and strided accesses, iter_args, and
// (fuzz) views of one array and copies between nests. Shapes are inferred
// afterwards, so every change stays in bounds.
//
//===----------------------------------------------------------------------===//
#include "Maker.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::corpus;

namespace {
struct OpenLoop {
  Node *loop;
  unsigned depth;
};

class Perturber {
public:
  Perturber(Sketch &sketch, Rng &rng, const GeneratorOptions &options)
      : sketch(sketch), rng(rng),
        isFuzz(options.profile == GeneratorOptions::Profile::Fuzz),
        iterArgs(options.iterArgs || isFuzz) {}

  void run() {
    for (Node &nest : sketch.nests)
      if (rng.chance(isFuzz ? 60 : 25))
        perturbNest(nest);
    if (rng.chance(isFuzz ? 30 : 8))
      stretch();
    if (iterArgs)
      carry(sketch.nests);
    if (!isFuzz)
      return;
    if (rng.chance(25))
      addView();
    if (rng.chance(15))
      addCopy();
  }

private:
  void perturbNest(Node &nest);
  void addGuard(OpenLoop at);
  void reverse(OpenLoop at);
  void stretch();
  void addView();
  void addCopy();
  void carry(std::vector<Node> &nodes) {
    for (Node &node : nodes) {
      node.iterArgs = rng.chance(50);
      carry(node.body);
    }
  }
  void collect(Node &node, unsigned depth, SmallVector<OpenLoop> &loops) {
    bool isLoop = node.kind == Node::Kind::Loop;
    if (isLoop)
      loops.push_back({&node, depth});
    for (Node &child : node.body)
      collect(child, depth + isLoop, loops);
    for (Node &child : node.orElse)
      collect(child, depth + isLoop, loops);
  }
  AffineExpr dim(unsigned i) const {
    return getAffineDimExpr(i, sketch.context);
  }

  Sketch &sketch;
  Rng &rng;
  bool isFuzz, iterArgs;
};
} // namespace

/// The constant bounds of a loop, if both are constant.
static bool constantBounds(const Node &loop, int64_t &lower, int64_t &upper) {
  if (loop.lower.size() != 1 || loop.upper.size() != 1)
    return false;
  auto lo = dyn_cast<AffineConstantExpr>(loop.lower.front());
  auto hi = dyn_cast<AffineConstantExpr>(loop.upper.front());
  if (!lo || !hi)
    return false;
  lower = lo.getValue();
  upper = hi.getValue();
  return true;
}

void Perturber::perturbNest(Node &nest) {
  SmallVector<OpenLoop> loops;
  collect(nest, 0, loops);
  if (loops.empty())
    return;
  OpenLoop at = rng.pick(loops);
  int64_t lower = 0, upper = 0;
  bool isConstant = constantBounds(*at.loop, lower, upper);
  switch (rng.weighted({2, 3, 2, 2})) {
  case 0:
    if (isFuzz || upper - lower >= 16)
      at.loop->step = rng.uniform(2, 4);
    return;
  case 1: {
    int64_t by = rng.uniform(1, 5);
    for (AffineExpr &expr : at.loop->lower)
      expr = expr + by;
    for (AffineExpr &expr : at.loop->upper)
      expr = expr + by;
    return;
  }
  case 2:
    return addGuard(at);
  default:
    if (isConstant)
      reverse(at);
    return;
  }
}

void Perturber::addGuard(OpenLoop at) {
  int64_t lower = 0, upper = 0;
  bool isConstant = constantBounds(*at.loop, lower, upper);
  int64_t inside = isConstant && upper > lower ? rng.uniform(lower, upper) : 2;
  AffineExpr iv = dim(at.depth);
  Node guard;
  guard.kind = Node::Kind::If;
  guard.isEquality.push_back(false);
  switch (rng.weighted({3, 3, 2, 2})) {
  case 0:
    guard.conditions.push_back(iv - (lower + 1));
    guard.conditions.push_back(upper - 2 - iv);
    guard.isEquality.push_back(false);
    break;
  case 1:
    guard.conditions.push_back(inside - iv);
    break;
  case 2:
    guard.conditions.push_back(iv % 2);
    guard.isEquality[0] = rng.chance(70);
    break;
  default:
    guard.conditions.push_back(at.depth ? iv - dim(rng.uniform(0, at.depth - 1))
                                        : iv - inside);
    break;
  }
  guard.body = std::move(at.loop->body);
  at.loop->body.clear();
  if (isFuzz && guard.body.size() == 1 && rng.chance(40))
    guard.orElse = guard.body; // alone, it uses no name of a neighbour
  at.loop->body.push_back(std::move(guard));
}

void Perturber::reverse(OpenLoop at) {
  int64_t lower = 0, upper = 0;
  if (!constantBounds(*at.loop, lower, upper))
    return;
  AffineExpr iv = dim(at.depth);
  forEachCell(at.loop->body, [&](Cell &cell) {
    for (AffineExpr &expr : cell.index)
      expr = expr.replace(iv, (lower + upper - 1) - iv);
  });
}

/// One dimension of one array is accessed with stride 2.
void Perturber::stretch() {
  unsigned array = rng.uniform(0, int64_t(sketch.arrays.size()) - 1);
  size_t rank = sketch.arrays[array].extents.size();
  if (rank == 0)
    return;
  unsigned which = rng.uniform(0, int64_t(rank) - 1);
  int64_t offset = rng.uniform(0, 1);
  forEachCell(sketch.nests, [&](Cell &cell) {
    if (cell.array == array && which < cell.index.size())
      cell.index[which] = cell.index[which] * 2 + offset;
  });
}

/// Half of the accesses to an array go through a memref.cast of it.
void Perturber::addView() {
  unsigned array = rng.uniform(0, int64_t(sketch.arrays.size()) - 1);
  if (sketch.arrays[array].isLocal || sketch.arrays[array].extents.empty())
    return;
  unsigned view = sketch.addArray(sketch.arrays[array].extents);
  sketch.arrays[view].castOf = array;
  forEachCell(sketch.nests, [&](Cell &cell) {
    if (cell.array == array && rng.chance(50))
      cell.array = view;
  });
}

/// A memref.copy between two nests.
void Perturber::addCopy() {
  SmallVector<Cell> arrays;
  forEachCell(sketch.nests, [&](Cell &cell) {
    if (sketch.arrays[cell.array].castOf < 0)
      arrays.push_back(cell);
  });
  Cell from = rng.pick(arrays), to = rng.pick(arrays);
  if (from.array == to.array || from.index.size() != to.index.size())
    return;
  from.index.clear();
  to.index.clear();
  Node copy;
  copy.kind = Node::Kind::Copy;
  copy.targets = {to, from};
  sketch.nests.insert(sketch.nests.begin() +
                          rng.uniform(0, int64_t(sketch.nests.size())),
                      std::move(copy));
}

void mlir::nestor::corpus::perturb(Sketch &sketch, Rng &rng,
                                   const GeneratorOptions &options) {
  Perturber(sketch, rng, options).run();
}
