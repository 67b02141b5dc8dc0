//===- Growth.cpp - How bounds grow with parameters -----------------------===//
//
// Schedule room; see Growth.h.
//
//===----------------------------------------------------------------------===//
#include "Growth.h"

using namespace mlir;
using namespace mlir::nestor;

Growth::Growth(const Scop &scop)
    : numParams(scop.params.size()), inSource(numParams, 1.0),
      inCode(numParams, 0.0) {
  // The source's expressions have the parameters as symbols; its loops count
  // as constants here.
  MLIRContext *ctx = scop.getContext();
  SmallVector<AffineExpr> params, none;
  for (unsigned p = 0; p < numParams; ++p)
    params.push_back(getAffineDimExpr(p, ctx));
  auto look = [&](ArrayRef<AffineExpr> exprs, unsigned numDims) {
    none.assign(numDims, getAffineConstantExpr(0, ctx));
    for (AffineExpr expr : exprs)
      raise(expr.replaceDimsAndSymbols(none, params), inSource);
  };
  for (const SourceLoop &loop : scop.loops) {
    look(loop.lowerBound.getResults(), loop.lowerBound.getNumDims());
    look(loop.upperBound.getResults(), loop.upperBound.getNumDims());
  }
  for (const Statement &stmt : scop.statements)
    for (const Guard &guard : stmt.guards)
      look(guard.set.getConstraints(), guard.set.getNumDims());
}

Growth::Factors Growth::factorsOf(AffineExpr expr) const {
  Factors factors(numParams, {0.0, 0.0});
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    unsigned position = dim.getPosition();
    if (position < numParams)
      factors[position] = {1.0, 1.0};
    else if (position - numParams < loops.size())
      return loops[position - numParams];
    return factors;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() == AffineExprKind::Mod)
    return factors;
  factors = factorsOf(binary.getLHS());
  if (expr.getKind() == AffineExprKind::Add) {
    for (auto [mine, other] : llvm::zip(factors, factorsOf(binary.getRHS())))
      mine = {mine.first + other.first, mine.second + other.second};
    return factors;
  }
  double factor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  if (expr.getKind() != AffineExprKind::Mul)
    factor = 1 / factor;
  for (auto &[low, high] : factors) {
    double a = low * factor, b = high * factor;
    low = std::min(a, b);
    high = std::max(a, b);
  }
  return factors;
}

void Growth::raise(AffineExpr expr, SmallVectorImpl<double> &most) const {
  expr.walk([&](AffineExpr part) {
    for (auto [value, factor] : llvm::zip(most, factorsOf(part)))
      value =
          std::max({value, std::abs(factor.first), std::abs(factor.second)});
  });
}

void Growth::push(ArrayRef<AffineExpr> lower, ArrayRef<AffineExpr> upper) {
  Factors hull = factorsOf(lower[0]);
  for (ArrayRef<AffineExpr> bounds : {lower, upper})
    for (AffineExpr bound : bounds)
      for (auto [mine, other] : llvm::zip(hull, factorsOf(bound)))
        mine = {std::min(mine.first, other.first),
                std::max(mine.second, other.second)};
  loops.push_back(std::move(hull));
}

void Growth::add(ArrayRef<AffineExpr> exprs) {
  for (AffineExpr expr : exprs)
    raise(expr, inCode);
}

SmallVector<unsigned> Growth::getMultiplied() const {
  // Sums of divisions by 3 and the like are not exact in floating point.
  constexpr double kSlack = 1e-6;
  SmallVector<unsigned> params;
  for (unsigned p = 0; p < numParams; ++p)
    if (inCode[p] > inSource[p] + kSlack)
      params.push_back(p);
  return params;
}
