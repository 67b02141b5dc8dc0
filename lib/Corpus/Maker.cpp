//===- Maker.cpp - Sizes, arrays and loops of random programs -------------===//
//
// Corpus room, inside the generator.
//
//===----------------------------------------------------------------------===//
#include "Maker.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::corpus;

//===----------------------------------------------------------------------===//
// Expressions and statements
//===----------------------------------------------------------------------===//

namespace mlir::nestor::corpus {
Expr load(Cell cell) {
  Expr expr;
  expr.kind = Expr::Kind::Load;
  expr.cell = std::move(cell);
  return expr;
}

Expr number(double value) {
  Expr expr;
  expr.value = value;
  return expr;
}

Expr apply(Operator op, Expr a, Expr b) {
  Expr expr = unary(op, std::move(a));
  expr.operands.push_back(std::move(b));
  return expr;
}

Expr unary(Operator op, Expr a) {
  Expr expr;
  expr.kind = Expr::Kind::Apply;
  expr.op = op;
  expr.operands.push_back(std::move(a));
  return expr;
}

Expr safeDivide(Expr x, Expr y) {
  Expr square = apply(Operator::Mul, y, y);
  return apply(Operator::Div, std::move(x),
               apply(Operator::Add, std::move(square), number(1)));
}

Expr scaled(double factor, Expr x) {
  return apply(Operator::Mul, number(factor), std::move(x));
}

Node store(Cell target, Expr value) {
  Node node;
  node.targets.push_back(std::move(target));
  node.value = std::move(value);
  return node;
}

Node update(Cell target, Operator op, Expr value) {
  Expr old = load(target);
  return store(std::move(target), apply(op, std::move(old), std::move(value)));
}

void append(Body &body, Body more) {
  for (Node &node : more)
    body.push_back(std::move(node));
}

double inverse(int64_t n) {
  return std::ldexp(1.0, -int(llvm::Log2_64_Ceil(std::max<int64_t>(n, 1))));
}
} // namespace mlir::nestor::corpus

//===----------------------------------------------------------------------===//
// Nest
//===----------------------------------------------------------------------===//

Nest::Nest(MLIRContext *context, ArrayRef<int64_t> sizes) : context(context) {
  for (int64_t size : sizes)
    addDim(0, size);
}

unsigned Nest::addDim(int64_t lowerBound, int64_t upperBound) {
  lower.push_back(lowerBound);
  upper.push_back(upperBound);
  return lower.size() - 1;
}

void Nest::order(unsigned small, unsigned big, bool strict) {
  orders.push_back({small, big, strict});
}

AffineExpr Nest::constant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

AffineExpr Nest::operator[](unsigned dim) const {
  const auto *it = llvm::find(opened, dim);
  assert(it != opened.end() && "the loop is not open");
  return getAffineDimExpr(it - opened.begin(), context);
}

void Nest::band(unsigned dim, unsigned around, int64_t width) {
  bands.push_back({dim, around, width});
}

Node Nest::makeLoop(unsigned dim) const {
  Node loop;
  loop.kind = Node::Kind::Loop;
  for (const Order &order : orders) {
    if (order.small == dim && isOpen(order.big))
      loop.upper.push_back((*this)[order.big] + (order.strict ? 0 : 1));
    if (order.big == dim && isOpen(order.small))
      loop.lower.push_back((*this)[order.small] + (order.strict ? 1 : 0));
  }
  for (const Band &band : bands)
    if (band.dim == dim && isOpen(band.around)) {
      loop.lower = {(*this)[band.around] - band.width, constant(lower[dim])};
      loop.upper = {(*this)[band.around] + (band.width + 1),
                    constant(upper[dim])};
    }
  if (loop.lower.empty())
    loop.lower.push_back(constant(lower[dim]));
  if (loop.upper.empty())
    loop.upper.push_back(constant(upper[dim]));
  return loop;
}

Body Nest::loops(ArrayRef<unsigned> order, function_ref<Body()> body) {
  if (order.empty())
    return body();
  Node loop = makeLoop(order.front());
  opened.push_back(order.front());
  loop.body = loops(order.drop_front(), body);
  opened.pop_back();
  Body result;
  result.push_back(std::move(loop));
  return result;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Maker::Maker(Sketch &sketch, Rng &rng, const GeneratorOptions &options)
    : sketch(sketch), rng(rng), options(options) {}

/// Programs have round sizes and odd ones.
int64_t Maker::styled(int64_t size) {
  int64_t kind = rng.uniform(0, 9);
  if (kind < 3 && size >= 64)
    return size / 32 * 32;
  if (kind < 4 && size >= 32)
    return int64_t(1) << llvm::Log2_64(size);
  if (kind < 6 && size >= 40)
    return size / 10 * 10;
  return size;
}

/// Largest r with r^k <= x.
static int64_t integerRoot(int64_t x, unsigned k) {
  auto fits = [&](int64_t r) {
    int64_t product = 1;
    for (unsigned i = 0; i < k; ++i)
      if (llvm::MulOverflow(product, r, product) || product > x)
        return false;
    return true;
  };
  int64_t lo = 1, hi = k == 1 ? x : std::min<int64_t>(x, int64_t(1) << 31);
  while (lo < hi) {
    int64_t middle = lo + (hi - lo + 1) / 2;
    if (fits(middle))
      lo = middle;
    else
      hi = middle - 1;
  }
  return lo;
}

SmallVector<int64_t> Maker::sizes(unsigned count, unsigned rank, int64_t ops) {
  SmallVector<int64_t> result;
  if (!sketch.arrays.empty() && rng.chance(70)) {
    const ArraySketch &array = rng.pick(sketch.arrays);
    if (array.extents.size() <= count)
      result = array.extents;
  }
  if (isFuzz()) {
    while (result.size() < count)
      result.push_back(rng.chance(20) ? rng.uniform(0, 1) : rng.uniform(2, 9));
    return result;
  }
  int64_t points = std::max<int64_t>(1, nestWork / ops);
  for (int64_t size : result)
    points = std::max<int64_t>(1, points / std::max<int64_t>(size, 1));
  while (result.size() < count) {
    unsigned left = count - result.size();
    int64_t root = integerRoot(points, left);
    int64_t lo = std::max<int64_t>(3, root / 3), hi = std::max(lo, root * 3);
    int64_t size = left == 1 ? std::max<int64_t>(3, root)
                             : rng.logUniform(lo, std::max<int64_t>(3, hi));
    result.push_back(styled(size));
    points = std::max<int64_t>(1, points / result.back());
  }
  rng.shuffle(result);
  // No `rank` of the loops may span more than one array may hold.
  while (true) {
    SmallVector<int64_t *> bySize;
    for (int64_t &size : result)
      bySize.push_back(&size);
    llvm::sort(bySize, [](int64_t *a, int64_t *b) {
      return std::pair(-*a, a) < std::pair(-*b, b);
    });
    int64_t elements = 1;
    for (int64_t *size : ArrayRef(bySize).take_front(rank))
      elements *= std::max<int64_t>(*size, 1);
    if (elements <= maxElements)
      return result;
    *bySize.front() = styled(*bySize.front() * 3 / 4);
  }
}

int64_t Maker::smallSize(int64_t lo, int64_t hi) {
  return isFuzz() ? rng.uniform(0, 4) : rng.logUniform(lo, hi);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Finds which loop walks which dimension of an existing array.
bool Maker::matches(const ArraySketch &array, const Nest &nest,
                    ArrayRef<unsigned> dims, Dims &assigned) {
  if (array.extents.size() != dims.size() || array.isLocal)
    return false;
  Dims left(dims);
  for (int64_t extent : array.extents) {
    auto *it = llvm::find_if(
        left, [&](unsigned dim) { return nest.size(dim) == extent; });
    if (it == left.end())
      return false;
    assigned.push_back(*it);
    left.erase(it);
  }
  return true;
}

bool Maker::dependsOn(unsigned array, unsigned source) const {
  SmallVector<unsigned> todo = {array}, seen;
  while (!todo.empty()) {
    unsigned current = todo.pop_back_val();
    if (current == source)
      return true;
    if (llvm::is_contained(seen, current))
      continue;
    seen.push_back(current);
    for (auto [written, readArray] : dependences)
      if (written == current)
        todo.push_back(readArray);
  }
  return false;
}

/// Whether a write would not make an earlier write dead.
bool Maker::isWorthWriting(unsigned array) const {
  bool isWritten =
      llvm::any_of(dependences, [&](auto pair) { return pair.first == array; });
  return !isWritten || llvm::any_of(dependences, [&](auto pair) {
    return pair.second == array && pair.first != array;
  });
}

static void arraysOf(const Expr &expr, Dims &arrays) {
  if (expr.kind == Expr::Kind::Load)
    arrays.push_back(expr.cell.array);
  for (const Expr &operand : expr.operands)
    arraysOf(operand, arrays);
}

void Maker::noteDependences(const Body &nodes) {
  for (const Node &node : nodes) {
    noteDependences(node.body);
    noteDependences(node.orElse);
    Dims reads;
    arraysOf(node.value, reads);
    for (const Cell &target : node.targets)
      for (unsigned array : reads)
        dependences.push_back({target.array, array});
  }
}

void Maker::noteDependences(size_t first) {
  noteDependences(Body(sketch.nests.begin() + first, sketch.nests.end()));
}

Tensor Maker::fresh(const Nest &nest, ArrayRef<unsigned> dims) {
  Tensor tensor;
  tensor.dims = maybeShuffled(Dims(dims), 20);
  SmallVector<int64_t> extents;
  for (unsigned dim : tensor.dims)
    extents.push_back(nest.size(dim));
  tensor.array = sketch.addArray(extents);
  return tensor;
}

Tensor Maker::read(const Nest &nest, ArrayRef<unsigned> dims) {
  SmallVector<Tensor> known;
  for (unsigned i = 0; i < sketch.arrays.size(); ++i) {
    Dims assigned;
    if (matches(sketch.arrays[i], nest, dims, assigned))
      known.push_back({i, assigned});
  }
  if (known.empty() || rng.chance(isFuzz() ? 20 : 35))
    return fresh(nest, dims);
  return rng.pick(known);
}

Tensor Maker::write(const Nest &nest, ArrayRef<unsigned> dims,
                    ArrayRef<Tensor> reads) {
  SmallVector<Tensor> known;
  for (unsigned i = 0; i < sketch.arrays.size(); ++i) {
    Dims assigned;
    if (matches(sketch.arrays[i], nest, dims, assigned) && isWorthWriting(i) &&
        llvm::none_of(reads,
                      [&](const Tensor &t) { return dependsOn(t.array, i); }))
      known.push_back({i, assigned});
  }
  bool isNew = known.empty() || rng.chance(isFuzz() ? 30 : 60);
  Tensor result = isNew ? fresh(nest, dims) : rng.pick(known);
  for (const Tensor &source : reads)
    dependences.push_back({result.array, source.array});
  return result;
}

Tensor Maker::scalar() {
  Tensor result;
  bool isScalar = options.scalarTemporaries || isFuzz();
  result.array = isScalar ? sketch.addArray({}) : sketch.addArray({1});
  return result;
}

Cell Maker::cell(const Nest &nest, const Tensor &tensor) const {
  return cell(nest, tensor, {});
}

Cell Maker::cell(const Nest &nest, const Tensor &tensor,
                 ArrayRef<int64_t> offsetOfDim) const {
  Cell cell;
  cell.array = tensor.array;
  for (unsigned dim : tensor.dims)
    cell.index.push_back(nest[dim] +
                         (dim < offsetOfDim.size() ? offsetOfDim[dim] : 0));
  if (tensor.dims.empty() && !sketch.arrays[tensor.array].extents.empty())
    cell.index.push_back(nest.constant(0));
  return cell;
}

//===----------------------------------------------------------------------===//
// Values and orders
//===----------------------------------------------------------------------===//

Dims Maker::maybeShuffled(Dims dims, unsigned percent) {
  if (rng.chance(percent))
    rng.shuffle(dims);
  return dims;
}

Expr Maker::combine(std::vector<Expr> operands) {
  if (operands.size() == 1 || rng.chance(25))
    operands.push_back(number(0.25 * double(rng.uniform(1, 8))));
  while (operands.size() > 1) {
    unsigned at = rng.uniform(0, int64_t(operands.size()) - 2);
    Expr a = std::move(operands[at]), b = std::move(operands[at + 1]);
    operands.erase(operands.begin() + at + 1);
    switch (rng.weighted({40, 30, 12, 6, 6, 6})) {
    case 0:
      operands[at] = apply(Operator::Add, std::move(a), std::move(b));
      break;
    case 1:
      operands[at] = apply(Operator::Mul, std::move(a), std::move(b));
      break;
    case 2:
      operands[at] = apply(Operator::Sub, std::move(a), std::move(b));
      break;
    case 3:
      operands[at] = apply(Operator::Max, std::move(a), std::move(b));
      break;
    case 4:
      operands[at] = apply(Operator::Min, std::move(a), std::move(b));
      break;
    default:
      operands[at] = safeDivide(std::move(a), std::move(b));
      break;
    }
  }
  Expr result = std::move(operands.front());
  if (rng.chance(8))
    return unary(Operator::Sqrt, unary(Operator::Abs, std::move(result)));
  return result;
}

void Maker::accumulate(Nest &nest, const Tensor &out, Dims kept, Dims reduced,
                       Operator op, function_ref<Expr()> value) {
  // 0: out as it is; 1: zero; 2: scaled, away from zero.
  unsigned init = rng.weighted({2, 5, 2});
  kept = maybeShuffled(kept, 30);
  unsigned prefix = rng.uniform(0, kept.size());
  Dims outer(kept.begin(), kept.begin() + prefix);
  Dims inner(kept.begin() + prefix, kept.end());
  Dims tail = inner;
  tail.append(reduced.begin(), reduced.end());
  tail = maybeShuffled(tail, 50);
  add(nest.loops(outer, [&] {
    Body body;
    if (init)
      append(body, nest.loops(inner, [&]() -> Body {
        Cell target = cell(nest, out);
        Expr start = number(0);
        if (init == 2)
          start = apply(Operator::Add, scaled(0.5, load(target)), number(0.5));
        return {store(target, std::move(start))};
      }));
    append(body, nest.loops(tail, [&]() -> Body {
      return {update(cell(nest, out), op, value())};
    }));
    return body;
  }));
}
