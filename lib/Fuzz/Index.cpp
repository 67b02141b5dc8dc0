//===- Index.cpp - Subscripts that stay in range --------------------------===//
//
// Fuzz room, inside the generator. Every affine expression has a range, from
// the ranges of what it uses; a subscript is drawn, looked at, and moved or
// wrapped until it fits.
//
//===----------------------------------------------------------------------===//
#include "ProgramMaker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::nestor::fuzz;

/// Larger numbers may overflow in sums.
static constexpr __int128 kLargest = (__int128(1) << 63) - 1;

static int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

std::optional<Interval> ProgramMaker::rangeOf(AffineExpr expr) const {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()].range;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()].range;
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return Interval{number.getValue(), number.getValue()};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = rangeOf(binary.getLHS()), rhs = rangeOf(binary.getRHS());
  if (!lhs || !rhs)
    return std::nullopt;
  auto hull =
      [](std::initializer_list<__int128> values) -> std::optional<Interval> {
    __int128 lo = std::min(values), hi = std::max(values);
    if (lo < -kLargest || hi > kLargest)
      return std::nullopt;
    return Interval{int64_t(lo), int64_t(hi)};
  };
  auto wide = [](int64_t value) { return __int128(value); };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return hull({wide(lhs->lo) + rhs->lo, wide(lhs->hi) + rhs->hi});
  case AffineExprKind::Mul:
    return hull({wide(lhs->lo) * rhs->lo, wide(lhs->lo) * rhs->hi,
                 wide(lhs->hi) * rhs->lo, wide(lhs->hi) * rhs->hi});
  case AffineExprKind::Mod:
    return rhs->lo > 0 ? std::optional(Interval{0, rhs->hi - 1}) : std::nullopt;
  case AffineExprKind::FloorDiv:
    if (rhs->lo <= 0 || rhs->lo != rhs->hi)
      return std::nullopt;
    return Interval{floorDivide(lhs->lo, rhs->lo),
                    floorDivide(lhs->hi, rhs->lo)};
  case AffineExprKind::CeilDiv:
    if (rhs->lo <= 0 || rhs->lo != rhs->hi || lhs->lo < -kLargest / 2)
      return std::nullopt;
    return Interval{-floorDivide(-lhs->lo, rhs->lo),
                    -floorDivide(-lhs->hi, rhs->lo)};
  default:
    return std::nullopt;
  }
}

AffineExpr ProgramMaker::anyDim() {
  return getAffineDimExpr(dice.uniform(0, int64_t(dims.size()) - 1), context);
}

AffineExpr ProgramMaker::anySymbol() {
  return getAffineSymbolExpr(dice.uniform(0, int64_t(symbols.size()) - 1),
                             context);
}

AffineExpr ProgramMaker::drawExpr() {
  if (dims.empty())
    return !symbols.empty() && dice.chance(50) ? anySymbol()
                                               : constant(dice.uniform(0, 5));
  // Mostly the loops close by: then sums and products make sense.
  AffineExpr dim =
      dice.chance(60) ? getAffineDimExpr(dims.size() - 1, context) : anyDim();
  unsigned divs = has(Feature::ModDiv) ? 6 : 0;
  unsigned syms = symbols.empty() ? 0 : 6;
  unsigned semi = has(Feature::SemiAffine) ? syms : 0;
  switch (dice.weighted(
      {40, 14, 9, 8, 8, divs, divs, divs, syms, 4, semi, semi / 2})) {
  case 0:
    return dim;
  case 1:
    return dim + dice.uniform(-3, 3);
  case 2:
    return dim + anyDim();
  case 3:
    return constant(dice.uniform(3, 9)) - dim;
  case 4:
    return dim * dice.uniform(2, 3) + dice.uniform(-1, 2);
  case 5:
    return dim.floorDiv(dice.uniform(2, 3)) + dice.uniform(0, 2);
  case 6:
    return (dim + dice.uniform(0, 2)) % dice.uniform(2, 5);
  case 7:
    return dim.ceilDiv(dice.uniform(2, 3));
  case 8:
    return dim + anySymbol();
  case 9:
    return constant(dice.uniform(-2, 6));
  case 10:
    return dim * anySymbol();
  default:
    return dim % anySymbol();
  }
}

AffineExpr ProgramMaker::drawSubscript(int64_t extent) {
  // Far out of range for any other value than the one that a guard leaves.
  if (has(Feature::Traps) && dice.chance(25))
    for (auto [i, dim] : llvm::enumerate(dims))
      if (dim.range.lo == dim.range.hi && std::abs(dim.range.lo) < 1000)
        return (getAffineDimExpr(i, context) - dim.range.lo) * 40009 +
               dice.uniform(0, extent - 1);
  for (unsigned tries = 0; tries < 4; ++tries) {
    AffineExpr expr = drawExpr();
    auto range = rangeOf(expr);
    if (!range)
      continue;
    if (range->lo >= 0 && range->hi < extent)
      return expr;
    // Computed without overflow, as both ends are far from the limits or equal
    // to what the loop itself computes.
    if (__int128(range->hi) - range->lo < extent && range->lo > INT64_MIN / 2)
      return expr + (dice.uniform(0, extent - 1 - range->width()) - range->lo);
    if (has(Feature::ModDiv) && dice.chance(40))
      return expr % extent;
  }
  return constant(dice.uniform(0, extent - 1));
}

SmallVector<AffineExpr> ProgramMaker::drawCell(unsigned array) {
  SmallVector<AffineExpr> cell;
  const SmallVector<int64_t> &extents = arrays[array].extents;
  if (parallel && llvm::is_contained(parallel->targets, array))
    for (unsigned dim : parallel->dims)
      cell.push_back(getAffineDimExpr(dim, context) - dims[dim].range.lo);
  for (size_t i = cell.size(); i < extents.size(); ++i)
    cell.push_back(drawSubscript(extents[i]));
  return cell;
}

AffineMap ProgramMaker::makeMap(ArrayRef<AffineExpr> exprs,
                                SmallVectorImpl<Value> &operands) {
  AffineMap map = AffineMap::get(dims.size(), symbols.size(), exprs, context);
  for (const Index &dim : dims)
    operands.push_back(dim.value);
  for (const Index &symbol : symbols)
    operands.push_back(symbol.value);
  affine::canonicalizeMapAndOperands(&map, &operands);
  return map;
}

Value ProgramMaker::applyAffine(AffineExpr expr) {
  SmallVector<Value> operands;
  AffineMap map = makeMap(expr, operands);
  return affine::AffineApplyOp::create(b, loc, map, operands);
}

Value ProgramMaker::composeIndex(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()].value;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()].value;
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return constantIndex(number.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  bool isSum = expr.getKind() == AffineExprKind::Add;
  if ((!isSum && expr.getKind() != AffineExprKind::Mul) || dice.chance(20))
    return applyAffine(expr);
  Value lhs = composeIndex(binary.getLHS());
  auto number = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (isSum && number && number.getValue() < 0 && dice.chance(50))
    return arith::SubIOp::create(b, loc, lhs,
                                 constantIndex(-number.getValue()));
  Value rhs = composeIndex(binary.getRHS());
  return isSum ? Value(arith::AddIOp::create(b, loc, lhs, rhs))
               : Value(arith::MulIOp::create(b, loc, lhs, rhs));
}

Value ProgramMaker::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value ProgramMaker::drawIndexValue(int64_t extent) {
  Value raw;
  if (!indices.empty() && dice.chance(60)) {
    Index &index = dice.pick(indices);
    if (index.range.lo >= 0 && index.range.hi < extent)
      return index.value;
    raw = index.value;
  } else if (!dims.empty() && dice.chance(50)) {
    Index &a = dice.pick(dims), &c = dice.pick(dims);
    raw = arith::MulIOp::create(b, loc, a.value, c.value);
  } else {
    return applyAffine(drawSubscript(extent));
  }
  return arith::RemUIOp::create(b, loc, raw, constantIndex(extent));
}
