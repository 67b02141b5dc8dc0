//===- Sketch.cpp - Shapes and size of a sketched program -----------------===//
//
// Corpus room, inside the generator: interval arithmetic over index expressions
// gives every array a shape that holds all its accesses.
//
//===----------------------------------------------------------------------===//
#include "Sketch.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::nestor::corpus;

namespace {
struct Interval {
  int64_t lo = 0, hi = 0;
};
} // namespace

static Interval rangeOf(AffineExpr expr, ArrayRef<Interval> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Interval a = rangeOf(binary.getLHS(), dims),
           b = rangeOf(binary.getRHS(), dims);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return {a.lo + b.lo, a.hi + b.hi};
  case AffineExprKind::Mul: // the right side is a constant
    return {std::min(a.lo * b.lo, a.hi * b.lo),
            std::max(a.lo * b.lo, a.hi * b.lo)};
  case AffineExprKind::Mod:
    if (a.lo == a.hi) {
      int64_t rest = a.lo - b.lo * llvm::divideFloorSigned(a.lo, b.lo);
      return {rest, rest};
    }
    return {0, b.lo - 1};
  case AffineExprKind::FloorDiv:
    return {llvm::divideFloorSigned(a.lo, b.lo),
            llvm::divideFloorSigned(a.hi, b.lo)};
  default:
    return {llvm::divideCeilSigned(a.lo, b.lo),
            llvm::divideCeilSigned(a.hi, b.lo)};
  }
}

/// Values of the loop variable; one value if the loop is empty.
static Interval rangeOf(const Node &loop, ArrayRef<Interval> dims) {
  Interval lower = rangeOf(loop.lower.front(), dims);
  for (AffineExpr expr : ArrayRef(loop.lower).drop_front()) {
    Interval other = rangeOf(expr, dims);
    lower = {std::max(lower.lo, other.lo), std::max(lower.hi, other.hi)};
  }
  int64_t last = INT64_MAX;
  for (AffineExpr expr : loop.upper)
    last = std::min(last, rangeOf(expr, dims).hi - 1);
  return {lower.lo, std::max(lower.lo, last)};
}

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

static void forEachCell(Expr &expr, function_ref<void(Cell &)> fn) {
  if (expr.kind == Expr::Kind::Load)
    fn(expr.cell);
  for (Expr &operand : expr.operands)
    forEachCell(operand, fn);
}

/// The cells of the node itself, not of nodes inside.
static void forEachOwnCell(Node &node, function_ref<void(Cell &)> fn) {
  for (Cell &target : node.targets)
    fn(target);
  forEachCell(node.value, fn);
}

void mlir::nestor::corpus::forEachCell(std::vector<Node> &nodes,
                                       function_ref<void(Cell &)> fn) {
  for (Node &node : nodes) {
    forEachOwnCell(node, fn);
    forEachCell(node.body, fn);
    forEachCell(node.orElse, fn);
  }
}

namespace {
/// Finds, for each array and dimension, the range of its indices.
class ShapeInference {
public:
  explicit ShapeInference(Sketch &sketch)
      : sketch(sketch), ranges(sketch.arrays.size()) {}

  void run() {
    SmallVector<Interval> dims;
    visit(sketch.nests, dims);
    shiftNegative();
    for (auto [array, range] : llvm::zip(sketch.arrays, ranges)) {
      array.shape.clear();
      for (Interval r : range)
        array.shape.push_back(r.hi + 1);
    }
    if (sketch.equalShapes)
      unify();
    for (ArraySketch &array : sketch.arrays)
      if (array.castOf >= 0)
        array.shape = sketch.arrays[array.castOf].shape;
  }

private:
  unsigned root(unsigned array) const {
    int source = sketch.arrays[array].castOf;
    return source < 0 ? array : unsigned(source);
  }

  void visit(std::vector<Node> &nodes, SmallVector<Interval> &dims) {
    for (Node &node : nodes) {
      forEachOwnCell(node, [&](Cell &cell) { add(cell, dims); });
      bool isLoop = node.kind == Node::Kind::Loop;
      if (isLoop)
        dims.push_back(rangeOf(node, dims));
      visit(node.body, dims);
      visit(node.orElse, dims);
      if (isLoop)
        dims.pop_back();
    }
  }

  void add(const Cell &cell, ArrayRef<Interval> dims) {
    auto &known = ranges[root(cell.array)];
    bool isFirst = known.empty();
    for (auto [i, expr] : llvm::enumerate(cell.index)) {
      Interval range = rangeOf(expr, dims);
      if (isFirst)
        known.push_back(range);
      known[i] = {std::min(known[i].lo, range.lo),
                  std::max(known[i].hi, range.hi)};
    }
  }

  void shiftNegative() {
    forEachCell(sketch.nests, [&](Cell &cell) {
      for (auto [expr, range] : llvm::zip(cell.index, ranges[root(cell.array)]))
        if (range.lo < 0)
          expr = expr - range.lo;
    });
    for (auto &range : ranges)
      for (Interval &r : range)
        if (r.lo < 0)
          r = {0, r.hi - r.lo};
  }

  void unify() {
    for (ArraySketch &a : sketch.arrays)
      for (ArraySketch &b : sketch.arrays)
        if (a.shape.size() == b.shape.size())
          for (auto [x, y] : llvm::zip(a.shape, b.shape))
            x = y = std::max(x, y);
  }

  Sketch &sketch;
  std::vector<SmallVector<Interval>> ranges;
};
} // namespace

void mlir::nestor::corpus::inferShapes(Sketch &sketch) {
  ShapeInference(sketch).run();
}

//===----------------------------------------------------------------------===//
// Size
//===----------------------------------------------------------------------===//

static int64_t countOps(const Expr &expr) {
  int64_t count = expr.kind == Expr::Kind::Apply ? 1 : 0;
  for (const Expr &operand : expr.operands)
    count += countOps(operand);
  return count;
}

static int64_t workOf(const std::vector<Node> &nodes,
                      SmallVector<Interval> &middles) {
  int64_t work = 0;
  for (const Node &node : nodes) {
    if (node.kind != Node::Kind::Loop) {
      work += 1 + countOps(node.value) + workOf(node.body, middles);
      continue;
    }
    int64_t lower = INT64_MIN, upper = INT64_MAX;
    for (AffineExpr expr : node.lower)
      lower = std::max(lower, rangeOf(expr, middles).lo);
    for (AffineExpr expr : node.upper)
      upper = std::min(upper, rangeOf(expr, middles).lo);
    int64_t trips = std::max<int64_t>(0, (upper - lower) / node.step);
    middles.push_back({(lower + upper) / 2, (lower + upper) / 2});
    int64_t inside = workOf(node.body, middles);
    middles.pop_back();
    int64_t product = 0;
    work += llvm::MulOverflow(trips, inside, product) ? INT64_MAX / 4 : product;
    work = std::min(work, INT64_MAX / 4);
  }
  return work;
}

int64_t mlir::nestor::corpus::estimateWork(const Sketch &sketch) {
  SmallVector<Interval> middles;
  return workOf(sketch.nests, middles);
}

int64_t mlir::nestor::corpus::footprint(const Sketch &sketch) {
  int64_t bytes = 0;
  for (const ArraySketch &array : sketch.arrays) {
    int64_t size = sketch.elementType.getIntOrFloatBitWidth() / 8;
    for (int64_t extent : array.shape)
      size *= extent;
    bytes += array.castOf < 0 ? size : 0;
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Magnitude
//===----------------------------------------------------------------------===//

namespace {
/// Bounds values by one walk over the program. Sound for what the patterns
/// make: accumulations grow linearly, all other updates in place are averages.
class Magnitudes {
public:
  explicit Magnitudes(const Sketch &sketch)
      : ofArray(sketch.arrays.size(), 1.5) {
    for (const ArraySketch &array : sketch.arrays)
      roots.push_back(array.castOf < 0 ? roots.size() : array.castOf);
    names.resize(sketch.numNames, 0);
    visit(sketch.nests);
  }
  double largest() const {
    return *std::max_element(ofArray.begin(), ofArray.end());
  }

private:
  double bound(const Expr &expr) const {
    switch (expr.kind) {
    case Expr::Kind::Load:
      return ofArray[roots[expr.cell.array]];
    case Expr::Kind::Constant:
      return std::abs(expr.value);
    case Expr::Kind::Named:
      return names[expr.name];
    case Expr::Kind::Guarded:
      return std::max(bound(expr.operands[0]), bound(expr.operands[1]));
    case Expr::Kind::Apply:
      break;
    }
    double a = bound(expr.operands[0]);
    if (expr.op == Operator::Sqrt)
      return std::max(a, 1.0);
    if (expr.op == Operator::Abs ||
        expr.op == Operator::Div) // divisors are at least 1
      return a;
    double b = bound(expr.operands[1]);
    if (expr.op == Operator::Mul)
      return a * b;
    return expr.op == Operator::Add || expr.op == Operator::Sub
               ? a + b
               : std::max(a, b);
  }

  /// How often one cell is written: trips of the loops that do not move it.
  double repetitions(const Cell &cell) const {
    double count = 1;
    for (unsigned depth = 0; depth < trips.size(); ++depth)
      if (llvm::none_of(cell.index, [&](AffineExpr expr) {
            return expr.isFunctionOfDim(depth);
          }))
        count *= trips[depth];
    return count;
  }

  void visitStore(const Node &node) {
    constexpr double runs = 1000;
    for (const Cell &cell : node.targets) {
      double &known = ofArray[roots[cell.array]];
      const Expr &value = node.value;
      bool isUpdate =
          value.kind == Expr::Kind::Apply &&
          (value.op == Operator::Add || value.op == Operator::Sub) &&
          value.operands[0].kind == Expr::Kind::Load &&
          value.operands[0].cell.array == cell.array &&
          value.operands[0].cell.index == cell.index;
      if (!isUpdate)
        known = std::max(known, bound(value));
      else if (value.op == Operator::Sub) // solvers: pulls toward zero
        known += bound(value.operands[1]) * repetitions(cell);
      else
        known += bound(value.operands[1]) * repetitions(cell) * runs;
    }
  }

  void visit(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      if (node.kind == Node::Kind::Store)
        visitStore(node);
      if (node.kind == Node::Kind::Copy)
        for (const Cell &cell : node.targets)
          ofArray[roots[cell.array]] = largest();
      if (node.kind == Node::Kind::Let)
        names[node.name] = bound(node.value);
      bool isLoop = node.kind == Node::Kind::Loop;
      if (isLoop) {
        Interval range = rangeOf(node, ranges);
        ranges.push_back(range);
        trips.push_back(double(range.hi - range.lo + 1));
      }
      visit(node.body);
      visit(node.orElse);
      if (isLoop) {
        ranges.pop_back();
        trips.pop_back();
      }
    }
  }

  std::vector<double> ofArray, names;
  std::vector<unsigned> roots;
  SmallVector<Interval> ranges;
  SmallVector<double> trips;
};
} // namespace

double mlir::nestor::corpus::magnitude(const Sketch &sketch) {
  return sketch.isInteger() ? 0 : Magnitudes(sketch).largest();
}

//===----------------------------------------------------------------------===//
// Reachability
//===----------------------------------------------------------------------===//

namespace {
/// Runs the control flow of a (tiny) program.
class Reach {
public:
  explicit Reach(const Sketch &sketch) { visit(sketch.nests); }

  DenseSet<const Node *> loops; ///< loops that control reaches
  bool stores = false;          ///< some store runs

private:
  int64_t valueOf(AffineExpr expr) const { return rangeOf(expr, ivs).lo; }

  bool holds(const Node &node) const {
    for (auto [expr, isEquality] : llvm::zip(node.conditions, node.isEquality))
      if (isEquality ? valueOf(expr) != 0 : valueOf(expr) < 0)
        return false;
    return true;
  }

  void visitLoop(const Node &node) {
    loops.insert(&node);
    int64_t lower = INT64_MIN, upper = INT64_MAX;
    for (AffineExpr expr : node.lower)
      lower = std::max(lower, valueOf(expr));
    for (AffineExpr expr : node.upper)
      upper = std::min(upper, valueOf(expr));
    for (int64_t iv = lower; iv < upper; iv += node.step) {
      ivs.push_back({iv, iv});
      visit(node.body);
      ivs.pop_back();
    }
  }

  void visit(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      if (node.kind == Node::Kind::Loop)
        visitLoop(node);
      else if (node.kind == Node::Kind::If)
        visit(holds(node) ? node.body : node.orElse);
      else if (node.kind == Node::Kind::Store)
        stores = true;
    }
  }

  SmallVector<Interval> ivs;
};
} // namespace

static void simplifyBounds(std::vector<Node> &nodes, const Reach &reach) {
  for (Node &node : nodes) {
    if (node.kind == Node::Kind::Loop && !reach.loops.contains(&node)) {
      node.lower.truncate(1);
      node.upper.truncate(1);
    }
    simplifyBounds(node.body, reach);
    simplifyBounds(node.orElse, reach);
  }
}

bool mlir::nestor::corpus::simplifyUnreached(Sketch &sketch) {
  Reach reach(sketch);
  simplifyBounds(sketch.nests, reach);
  return reach.stores;
}
