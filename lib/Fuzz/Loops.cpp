//===- Loops.cpp - Loops, guards and statements ---------------------------===//
//
// Fuzz room, inside the generator.
//
//===----------------------------------------------------------------------===//
#include "ProgramMaker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::nestor::fuzz;
using affine::AffineForOp;
using affine::AffineIfOp;

/// Iterations of one nest, and of one loop by the depth that the nest aims at.
static constexpr int64_t kMaxWork = 2500;
static constexpr int64_t kMaxTrips[] = {9, 9, 9, 7, 5, 3, 3, 2, 2};

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Loops that run never or once, or far out.
ProgramMaker::Bounds ProgramMaker::drawOddBounds(int64_t most) {
  Bounds bounds;
  int64_t lo = dice.uniform(-3, 4), trips = 0;
  if (has(Feature::Huge) && dice.chance(50)) {
    constexpr int64_t places[] = {(int64_t(1) << 31) - 5, -(int64_t(1) << 31),
                                  (int64_t(1) << 31) - 5, -(int64_t(1) << 31),
                                  int64_t(1) << 31,       int64_t(1) << 40,
                                  int64_t(1) << 62,       INT64_MAX - 20,
                                  -(int64_t(1) << 40),    -(int64_t(1) << 62)};
    lo = dice.pick(places);
    trips = dice.uniform(0, std::min<int64_t>(most, 4));
    if (lo < (int64_t(1) << 61) && dice.chance(30))
      bounds.step = int64_t(1) << dice.uniform(20, 40);
  } else {
    trips = dice.uniform(0, 1);
  }
  int64_t end = lo + trips;
  if (bounds.step > 1) {
    trips = std::min<int64_t>(trips, 1);
    end = lo + trips * dice.uniform(1, bounds.step);
  } else if (trips == 0) {
    end -= dice.uniform(0, 5);
  }
  bounds.lower.push_back(constant(lo));
  bounds.upper.push_back(constant(end));
  bounds.trips = std::max<int64_t>(trips, 1);
  bounds.range = {lo, lo + bounds.trips - 1};
  return bounds;
}

ProgramMaker::Bounds ProgramMaker::drawBounds() {
  int64_t most = std::min(kMaxTrips[std::min(maxDepth, 8u)],
                          std::max<int64_t>(1, kMaxWork / work));
  if (dice.chance(has(Feature::Huge) ? 25 : 4))
    return drawOddBounds(most);
  Bounds bounds;
  bounds.step = dice.weighted({80, 10, 10}) + 1;
  int64_t lo = dice.chance(60) ? 0 : dice.uniform(-3, 4);
  bounds.lower.push_back(constant(lo));
  bounds.upper.push_back(constant(
      lo + dice.uniform(std::max<int64_t>(1, most / 2), most) * bounds.step -
      dice.uniform(0, bounds.step - 1)));
  // Other loops and symbols in the bounds.
  auto term = [&](int64_t around) -> AffineExpr {
    AffineExpr expr = drawExpr();
    return dice.chance(50) ? expr : expr + around;
  };
  bool other = !dims.empty() || !symbols.empty();
  if (other && dice.chance(30))
    bounds.upper[0] = term(dice.uniform(0, 3));
  if (other && dice.chance(15))
    bounds.lower[0] = term(dice.uniform(-3, 0));
  if (other && has(Feature::MinMax) && dice.chance(35))
    bounds.upper.push_back(term(dice.uniform(1, 3)));
  if (other && has(Feature::MinMax) && dice.chance(25))
    bounds.lower.push_back(term(dice.uniform(-2, 0)));
  // max of the lower bounds, min of the upper ones.
  std::optional<Interval> low, high;
  for (AffineExpr expr : bounds.lower) {
    auto range = rangeOf(expr);
    if (!range)
      return drawOddBounds(most);
    low = low ? Interval{std::max(low->lo, range->lo),
                         std::max(low->hi, range->hi)}
              : *range;
  }
  for (AffineExpr expr : bounds.upper) {
    auto range = rangeOf(expr);
    if (!range)
      return drawOddBounds(most);
    high = high ? Interval{std::min(high->lo, range->lo),
                           std::min(high->hi, range->hi)}
                : *range;
  }
  __int128 reach = __int128(high->hi) - low->lo;
  // Too long, or too far out to add to: cut by a constant.
  if (reach > most * bounds.step) {
    if (low->lo > INT64_MAX / 2 || low->lo < INT64_MIN / 2)
      return drawOddBounds(most);
    bounds.upper.push_back(constant(low->lo + most * bounds.step));
    reach = most * bounds.step;
  }
  bounds.range = {low->lo, int64_t(low->lo + std::max<__int128>(reach, 1) - 1)};
  bounds.trips =
      std::max<int64_t>(1, (int64_t(reach) + bounds.step - 1) / bounds.step);
  return bounds;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

ProgramMaker::Scope::Scope(ProgramMaker &maker)
    : m(maker), dims(m.dims.size()), symbols(m.symbols.size()),
      scalars(m.scalars.size()), arrays(m.arrays.size()),
      indices(m.indices.size()), work(m.work), depth(m.depth) {}

ProgramMaker::Scope::~Scope() {
  m.dims.truncate(dims);
  m.symbols.truncate(symbols);
  m.scalars.truncate(scalars);
  m.arrays.resize(arrays);
  m.indices.truncate(indices);
  m.work = work;
  m.depth = depth;
}

void ProgramMaker::loop() {
  Bounds bounds = drawBounds();
  SmallVector<Value> lowerOperands, upperOperands, inits;
  AffineMap lower = makeMap(bounds.lower, lowerOperands);
  AffineMap upper = makeMap(bounds.upper, upperOperands);
  // Nothing else stands in the way of another order. A sum is innermost, and
  // would cut deep nests short.
  bool isOuter = maxDepth > 4 && depth + 2 < maxDepth;
  bool isSum = !isOuter && dice.chance(30);
  if (!isSum && has(Feature::IterArgs) && dice.chance(40))
    for (int64_t i = dice.weighted({5, 4, 2}) + 1; i > 0; --i)
      inits.push_back(value(dice.pick(types), 1));
  auto op = AffineForOp::create(b, loc, lowerOperands, lower, upperOperands,
                                upper, bounds.step, inits);
  if (has(Feature::Skips) && dice.chance(25))
    op->setAttr("nestor.skip", b.getUnitAttr());
  {
    Scope scope(*this);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(op.getBody());
    dims.push_back({op.getInductionVar(), bounds.range});
    llvm::append_range(scalars, op.getRegionIterArgs());
    work *= bounds.trips;
    ++depth;
    if (isSum)
      accumulate(dims.size() - 1);
    else
      block(1, 2);
    if (!inits.empty()) {
      SmallVector<Value> yields;
      for (Value init : inits)
        yields.push_back(dice.chance(25) && inits.size() > 1
                             ? leaf(init.getType())
                             : value(init.getType(), 1));
      affine::AffineYieldOp::create(b, loc, yields);
    }
  }
  llvm::append_range(scalars, op.getResults());
}

/// A loop whose iterations touch nothing in common: every write goes to cells
/// that carry the induction variables.
void ProgramMaker::parallelNest() {
  unsigned count = 1 + dice.chance(40);
  ParallelLoop state;
  for (auto [i, array] : llvm::enumerate(arrays))
    if (array.isWritable && array.extents.size() >= count && dice.chance(60))
      state.targets.push_back(i);
  bool anyView = llvm::any_of(arrays, [](const Array &a) { return a.isView; });
  if (state.targets.empty() || parallel || anyView)
    return loop();
  mayOverlap = false;
  SmallVector<int64_t> extents(count, 7);
  for (unsigned target : state.targets)
    for (unsigned i = 0; i < count; ++i)
      extents[i] = std::min(extents[i], arrays[target].extents[i]);
  SmallVector<AffineMap> lower, upper;
  SmallVector<Interval> ranges;
  for (int64_t extent : extents) {
    int64_t lo = dice.uniform(-2, 2), trips = dice.uniform(1, extent);
    lower.push_back(AffineMap::getConstantMap(lo, context));
    upper.push_back(AffineMap::getConstantMap(lo + trips, context));
    ranges.push_back({lo, lo + trips - 1});
  }
  // Reductions of any order give the same result.
  SmallVector<Type> resultTypes;
  SmallVector<arith::AtomicRMWKind> kinds;
  Type type = dice.pick(types);
  if (isa<IntegerType>(type) && !type.isInteger(1) && dice.chance(60)) {
    resultTypes.push_back(type);
    kinds.push_back(dice.chance(50) ? arith::AtomicRMWKind::addi
                                    : arith::AtomicRMWKind::muli);
  } else if (isa<FloatType>(type) && dice.chance(50)) {
    resultTypes.push_back(type);
    kinds.push_back(arith::AtomicRMWKind::maximumf);
  }
  SmallVector<int64_t> steps(count, 1);
  auto op = affine::AffineParallelOp::create(b, loc, resultTypes, kinds, lower,
                                             ValueRange(), upper, ValueRange(),
                                             steps);
  {
    Scope scope(*this);
    OpBuilder::InsertionGuard guard(b);
    Block *body = op.getBody();
    if (!body->empty() && body->back().hasTrait<OpTrait::IsTerminator>())
      body->back().erase();
    b.setInsertionPointToStart(body);
    for (auto [i, iv] : llvm::enumerate(op.getIVs())) {
      state.dims.push_back(dims.size());
      dims.push_back({iv, ranges[i]});
      work *= ranges[i].width() + 1;
      ++depth;
    }
    // A scalar from outside may be used, a store only go to the targets.
    parallel = state;
    block(1, 3);
    SmallVector<Value> yields;
    for (Type result : resultTypes)
      yields.push_back(value(result, 1));
    affine::AffineYieldOp::create(b, loc, yields);
    parallel.reset();
  }
  llvm::append_range(scalars, op.getResults());
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// A condition on what is in scope, and what it tells about single dims.
IntegerSet ProgramMaker::drawCondition(
    SmallVectorImpl<Value> &operands,
    SmallVectorImpl<std::pair<unsigned, Interval>> &known) {
  SmallVector<AffineExpr> exprs;
  SmallVector<bool> isEq;
  for (int64_t count = 1 + dice.chance(25); count > 0; --count) {
    unsigned at = dice.uniform(0, int64_t(dims.size()) - 1);
    AffineExpr dim = getAffineDimExpr(at, context);
    Interval range = dims[at].range;
    int64_t middle =
        range.lo + (range.width() > 0
                        ? dice.uniform(0, std::min<int64_t>(range.width(), 8))
                        : 0);
    isEq.push_back(false);
    bool farOut = range.lo < -(1 << 20) || range.hi > (1 << 20);
    switch (dice.weighted({5, 4, 2, farOut ? 0u : 3u, farOut ? 0u : 2u})) {
    case 0:
      exprs.push_back(dim - middle);
      known.push_back({at, {middle, range.hi}});
      break;
    case 1:
      exprs.push_back(constant(middle) - dim);
      known.push_back({at, {range.lo, middle}});
      break;
    case 2:
      exprs.push_back(dim - middle);
      isEq.back() = true;
      known.push_back({at, {middle, middle}});
      break;
    case 3: {
      AffineExpr expr = drawExpr();
      auto other = rangeOf(expr);
      if (!other || other->lo < -(1 << 20) || other->hi > (1 << 20))
        expr = constant(2);
      exprs.push_back(dim - expr);
      break;
    }
    default:
      exprs.push_back(dim % 2);
      isEq.back() = true;
      break;
    }
  }
  AffineMap map = AffineMap::get(dims.size(), symbols.size(), exprs, context);
  for (const Index &dim : dims)
    operands.push_back(dim.value);
  for (const Index &symbol : symbols)
    operands.push_back(symbol.value);
  IntegerSet set =
      IntegerSet::get(map.getNumDims(), map.getNumSymbols(), exprs, isEq);
  affine::canonicalizeSetAndOperands(&set, &operands);
  return set;
}

void ProgramMaker::guard() {
  SmallVector<Value> operands;
  SmallVector<std::pair<unsigned, Interval>> known;
  IntegerSet set = drawCondition(operands, known);
  bool withElse = dice.chance(40);
  auto op = AffineIfOp::create(b, loc, set, operands, withElse);
  OpBuilder::InsertionGuard restore(b);
  {
    Scope scope(*this);
    auto before = llvm::to_vector(dims);
    for (auto [dim, range] : known) {
      Interval &old = dims[dim].range;
      Interval both{std::max(old.lo, range.lo), std::min(old.hi, range.hi)};
      if (both.lo <= both.hi)
        old = both;
    }
    b.setInsertionPointToStart(op.getThenBlock());
    block(1, 2);
    dims = before;
  }
  if (!withElse)
    return;
  Scope scope(*this);
  b.setInsertionPointToStart(op.getElseBlock());
  block(1, 2);
}

void ProgramMaker::ifWithResults() {
  SmallVector<Value> operands;
  SmallVector<std::pair<unsigned, Interval>> known;
  IntegerSet set = drawCondition(operands, known);
  SmallVector<Type> results{dice.pick(types)};
  if (dice.chance(30))
    results.push_back(dice.pick(types));
  auto op = AffineIfOp::create(b, loc, results, set, operands,
                               /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard restore(b);
    for (Block *branch : {op.getThenBlock(), op.getElseBlock()}) {
      Scope scope(*this);
      b.setInsertionPointToStart(branch);
      if (dice.chance(30))
        statement();
      SmallVector<Value> yields;
      for (Type type : results)
        yields.push_back(value(type, 1));
      affine::AffineYieldOp::create(b, loc, yields);
    }
  }
  llvm::append_range(scalars, op.getResults());
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// A load that gives every iteration of the innermost loop another cell, where
/// one is found.
Value ProgramMaker::loadVarying(unsigned array) {
  SmallVector<AffineExpr> cell = drawCell(array);
  auto varies = [&](AffineExpr expr) {
    return !dims.empty() && expr.isFunctionOfDim(dims.size() - 1);
  };
  for (unsigned tries = 0; tries < 5 && llvm::none_of(cell, varies); ++tries)
    cell = drawCell(array);
  return loadCell(array, cell);
}

/// cell = cell op other, where the cell depends on the outermost index values
/// alone: the result tells the order of the others where sums are rounded.
void ProgramMaker::accumulate(size_t cellDims) {
  auto tells = [&](const Array &array) {
    return isa<FloatType>(array.getElement()) && isSeen(array);
  };
  unsigned target = drawArray(/*toWrite=*/true);
  for (unsigned i = 0; i < 6 && !tells(arrays[target]); ++i)
    target = drawArray(/*toWrite=*/true);
  Type type = arrays[target].getElement();
  SmallVector<Index> all = dims;
  if (!parallel)
    dims.truncate(cellDims);
  SmallVector<AffineExpr> cell = drawCell(target);
  dims = all;
  // Another read of the cell's buffer makes it no reduction.
  SmallVector<unsigned> others;
  for (auto [i, array] : llvm::enumerate(arrays))
    if (array.getElement() == type && !array.isView &&
        array.memref != arrays[target].memref)
      others.push_back(i);
  Value other = others.empty() || dice.chance(25)
                    ? value(type, 1)
                    : loadVarying(dice.pick(others));
  Value old = loadCell(target, cell);
  storeCell(combine(type, old, other), target, cell);
}

/// A value that is stored twice, with a write in between that may hit what it
/// was made of; half of the time it does.
void ProgramMaker::letTwice() {
  unsigned first = drawArray(/*toWrite=*/true);
  Type type = arrays[first].getElement();
  if (dice.chance(50)) {
    SmallVector<AffineExpr> cell = drawCell(first);
    Value old = loadCell(first, cell);
    scalars.push_back(old);
    storeCell(value(type, 1), first, cell);
    unsigned second = drawArray(/*toWrite=*/true);
    if (arrays[second].getElement() == type)
      return store(old, second);
    return store(combine(type, old, leaf(type)), first);
  }
  Value kept = value(type, 1);
  scalars.push_back(kept);
  store(kept, first);
  if (dice.chance(50) && depth < maxDepth && statementsLeft > 0)
    loop();
  unsigned second = drawArray(/*toWrite=*/true);
  if (arrays[second].getElement() == type)
    store(kept, second);
  else
    store(combine(type, kept, leaf(type)), first);
}

void ProgramMaker::statement() {
  --statementsLeft;
  unsigned target = drawArray(/*toWrite=*/true);
  Type type = arrays[target].getElement();
  switch (dice.weighted({12, 7, 6, 5, 2})) {
  case 0:
    return store(value(type), target);
  case 1:
    return accumulate(dice.uniform(0, int64_t(dims.size())));
  case 2: {
    // cell = cell op other, a reduction where the cell stays.
    SmallVector<AffineExpr> cell = drawCell(target);
    Value old = loadCell(target, cell);
    Value other = value(type, 1);
    return storeCell(dice.chance(50) ? combine(type, old, other)
                                     : combine(type, other, old),
                     target, cell);
  }
  case 3:
    return letTwice();
  default:
    scalars.push_back(value(type, 1));
    return store(leaf(type), target);
  }
}

void ProgramMaker::item() {
  bool deeper = depth < maxDepth && statementsLeft > 0 &&
                (work < kMaxWork / 2 || maxDepth > 4);
  unsigned loops = !deeper ? 0 : depth == 0 ? 100 : maxDepth > 4 ? 250 : 40;
  unsigned guards = has(Feature::Guards) && !dims.empty() ? 15 : 0;
  unsigned ifs = has(Feature::IfResults) && !dims.empty() ? 10 : 0;
  switch (dice.weighted({40, loops, guards, ifs, 8})) {
  case 0:
    return statement();
  case 1:
    return loop();
  case 2:
    return guard();
  case 3:
    return ifWithResults();
  default:
    return effect();
  }
}

void ProgramMaker::block(unsigned minItems, unsigned maxItems) {
  int64_t count = dice.uniform(minItems, maxItems);
  if (depth < maxDepth && maxDepth > 4)
    count = 1; // deep nests are narrow
  for (int64_t i = 0; i < count; ++i)
    item();
}

/// A loop with a statement for every array.
void ProgramMaker::nestOverAllArrays() {
  Scope scope(*this);
  auto op = AffineForOp::create(b, loc, 0, dice.uniform(1, 4));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  dims.push_back({op.getInductionVar(), {0, op.getConstantUpperBound() - 1}});
  ++depth;
  for (unsigned array = 0, count = arrays.size(); array < count; ++array)
    if (arrays[array].isWritable)
      store(value(arrays[array].getElement(), 1), array);
}

void ProgramMaker::nest() {
  statementsLeft = dice.uniform(1, 3);
  unsigned most = has(Feature::Deep) && dice.chance(45) ? 8 : 3;
  maxDepth = most == 8 ? std::min<int64_t>(dice.uniform(4, 10), 8)
                       : 1 + dice.weighted({35, 50, 15});
  Scope scope(*this);
  if (has(Feature::Parallel) && dice.chance(50))
    parallelNest();
  else
    loop();
}
