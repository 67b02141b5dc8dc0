//===- LoopRows.cpp - Trip counts and moves of resulting loops ------------===//
//
// Features room; see LoopRows.h. Loops are taken outermost first. Each walks
// through an affine value of the source loops; by elimination, the values so
// far determine some source loops, and the extent of the next value is that of
// the source loops that are still free in it.
//
//===----------------------------------------------------------------------===//
#include "LoopRows.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nestor;

static constexpr double kEpsilon = 1e-9;

//===----------------------------------------------------------------------===//
// Reading an expression
//===----------------------------------------------------------------------===//

namespace {
/// scale * (inner floordiv divisor), or inner itself; constants are left out.
struct Parsed {
  AffineExpr inner;
  double scale = 1, divisor = 0;
};
} // namespace

static Parsed parse(AffineExpr expr) {
  Parsed parsed{expr};
  AffineExpr at = expr;
  double scale = 1;
  while (auto binary = dyn_cast<AffineBinaryOpExpr>(at)) {
    auto rhs = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!rhs)
      return parsed;
    if (binary.getKind() == AffineExprKind::FloorDiv && rhs.getValue() > 0)
      return {binary.getLHS(), scale, double(rhs.getValue())};
    if (binary.getKind() == AffineExprKind::Mul)
      scale *= rhs.getValue();
    else if (binary.getKind() != AffineExprKind::Add)
      return parsed;
    at = binary.getLHS();
  }
  return parsed;
}

/// Makes the first non-zero coefficient positive; returns the sign it had.
static double normalizeSign(SmallVectorImpl<double> &coef) {
  for (double c : coef)
    if (c != 0) {
      if (c > 0)
        return 1;
      for (double &other : coef)
        other = -other;
      return -1;
    }
  return 1;
}

void LoopRows::add(AffineExpr expr) {
  Parsed parsed = parse(expr);
  LoopRow row;
  row.form = linearize(parsed.inner, numDims, paramValues);
  row.divisor = parsed.divisor;
  row.tile = parsed.divisor > 1 ? parsed.divisor : 0;
  row.isNonaffine = !row.form.exact;
  unsigned moving = llvm::count_if(row.form.coef, [](double c) { return c; });
  row.isSkewed = moving > 1;

  SmallVector<double, 8> coef = row.form.coef;
  double sign = normalizeSign(coef) * (parsed.scale < 0 ? -1 : 1);
  row.isReversed = sign < 0;
  row.value = introduce(std::move(coef));
  row.step = sign;
  stepThrough(row);
  row.isStill = row.trip <= 1 && moving == 0;
  rows.push_back(std::move(row));
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// The number of the walked value with these coefficients, which is new if no
/// outer loop walks through it.
unsigned LoopRows::introduce(SmallVector<double, 8> coef) {
  for (unsigned i = 0; i < walked.size(); ++i)
    if (walked[i].coef == coef)
      return i;
  unsigned number = walked.size();
  walked.push_back({coef});
  Walked &value = walked.back();

  // What is free in it, given the outer loops.
  SmallVector<double, 8> combination(number + 1, 0.0);
  combination[number] = 1;
  for (const BasisRow &row : basis) {
    double factor = coef[row.pivot];
    if (factor == 0)
      continue;
    for (unsigned d = 0; d < numDims; ++d)
      coef[d] = bounded(coef[d] - factor * row.coef[d]);
    for (unsigned v = 0; v < row.value.size(); ++v)
      combination[v] = bounded(combination[v] - factor * row.value[v]);
  }
  uint32_t free = 0;
  unsigned pivot = numDims;
  double extent = 0, grain = 1e30;
  for (unsigned d = 0; d < numDims && d < 32; ++d) {
    double c = std::abs(coef[d]);
    if (c < kEpsilon)
      continue;
    const LoopExtent &loop = *stmt.loops[d];
    bool isBounded = (loop.dependsOn & ~resolved) == 0;
    double trip = std::max(1.0, isBounded ? loop.meanTrip : loop.spanTrip());
    extent = bounded(extent + c * loop.step * (trip - 1));
    grain = std::min(grain, c * loop.step);
    free |= 1u << d;
    pivot = d;
  }
  if (pivot == numDims)
    return number; // determined by outer loops: one iteration
  value.grain = grain;
  value.remaining = value.full = bounded(extent + grain);
  settle(pivot, free & ~(1u << pivot), value);
  extendBasis(pivot, std::move(coef), std::move(combination));
  return number;
}

/// The new value determines dim `pivot`. Pays debts that waited for it, and
/// notes a new one if the loop runs longer than the source loop does on
/// average: because a bound of the source loop depends on loops that are still
/// to come, or because `partners` share the value.
void LoopRows::settle(unsigned pivot, uint32_t partners, Walked &value) {
  const LoopExtent &loop = *stmt.loops[pivot];
  double mean = std::max(1.0, loop.meanTrip);
  double factor = value.remaining / value.grain / mean;
  uint32_t bit = 1u << pivot;
  for (Debt &debt : debts) {
    if (!(debt.dims & bit))
      continue;
    debt.dims &= ~bit;
    if (debt.dims == 0)
      value.remaining = std::max(value.grain, value.remaining / debt.factor);
  }
  value.full = value.remaining;
  resolved |= bit;
  uint32_t waiting = ((loop.dependsOn & ~resolved) | partners) & ~bit;
  if (factor > 1 + kEpsilon && waiting)
    debts.push_back({waiting, factor});
}

void LoopRows::extendBasis(unsigned pivot, SmallVector<double, 8> coef,
                           SmallVector<double, 8> combination) {
  double factor = 1 / coef[pivot];
  for (double &c : coef)
    c = bounded(c * factor);
  for (double &c : combination)
    c = bounded(c * factor);
  for (BasisRow &row : basis) {
    double f = row.coef[pivot];
    if (f == 0)
      continue;
    for (unsigned d = 0; d < numDims; ++d)
      row.coef[d] = bounded(row.coef[d] - f * coef[d]);
    row.value.resize(combination.size(), 0.0);
    for (unsigned v = 0; v < combination.size(); ++v)
      row.value[v] = bounded(row.value[v] - f * combination[v]);
  }
  basis.push_back({pivot, std::move(coef), std::move(combination)});
}

/// Trip count of a loop, and what it leaves to loops further in.
void LoopRows::stepThrough(LoopRow &row) {
  Walked &value = walked[row.value];
  // (iv - lb) floordiv step numbers the iterations of a source loop.
  if (row.tile <= value.grain)
    row.tile = 0;
  row.isPoint = row.tile == 0 && value.tiles > 0;
  row.tileLevel = value.tiles;
  if (row.tile == 0) {
    row.step *= value.grain;
    row.trip = std::max(1.0, value.remaining / value.grain);
    row.fullTrip =
        std::max(1.0, std::ceil(value.full / value.grain - kEpsilon));
    row.partialShare = value.partialShare;
    value.remaining = value.full = value.grain;
    return;
  }
  row.step *= row.tile;
  double tiles = value.remaining / row.tile;
  row.trip = row.fullTrip = std::max(1.0, std::ceil(tiles - kEpsilon));
  double rest = tiles - std::floor(tiles + kEpsilon);
  if (rest > kEpsilon)
    value.partialShare = std::max(value.partialShare, rest / tiles);
  row.partialShare = value.partialShare;
  value.remaining = std::max(value.grain, value.remaining / row.trip);
  value.full = std::max(value.grain, std::min(row.tile, value.full));
  value.tiles += 1;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

double LoopRows::moveOf(unsigned loop, unsigned dim) const {
  const LoopRow &row = rows[loop];
  for (const BasisRow &solved : basis)
    if (solved.pivot == dim)
      return row.value < solved.value.size()
                 ? bounded(solved.value[row.value] * row.step)
                 : 0;
  return 0;
}
