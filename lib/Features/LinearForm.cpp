//===- LinearForm.cpp - Affine expressions as coefficients ----------------===//
//
// Features room; see LinearForm.h.
//
//===----------------------------------------------------------------------===//
#include "LinearForm.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nestor;

void LinearForm::add(const LinearForm &other, double factor) {
  for (size_t d = 0; d < coef.size() && d < other.coef.size(); ++d)
    coef[d] = bounded(coef[d] + factor * other.coef[d]);
  constant = bounded(constant + factor * other.constant);
  paramSum = bounded(paramSum + factor * other.paramSum);
  paramValue = bounded(paramValue + factor * other.paramValue);
  exact &= other.exact;
}

void LinearForm::scale(double factor) {
  for (double &c : coef)
    c = bounded(c * factor);
  constant = bounded(constant * factor);
  paramSum = bounded(paramSum * factor);
  paramValue = bounded(paramValue * factor);
}

double LinearForm::eval(ArrayRef<double> at) const {
  double sum = constant + paramValue;
  for (size_t d = 0; d < coef.size() && d < at.size(); ++d)
    sum += coef[d] * at[d];
  return bounded(sum);
}

Interval LinearForm::range(ArrayRef<Interval> box) const {
  Interval sum{constant + paramValue, constant + paramValue};
  for (size_t d = 0; d < coef.size() && d < box.size(); ++d) {
    double a = coef[d] * box[d].lo, b = coef[d] * box[d].hi;
    sum.lo = bounded(sum.lo + std::min(a, b));
    sum.hi = bounded(sum.hi + std::max(a, b));
  }
  return sum;
}

static LinearForm multiply(LinearForm lhs, LinearForm rhs) {
  if (!rhs.isConstant())
    std::swap(lhs, rhs);
  // A product of two dims is not affine: the analysis never makes one.
  lhs.exact &= rhs.isConstant() && rhs.paramSum == 0;
  lhs.scale(rhs.constant + rhs.paramValue);
  return lhs;
}

/// The mean of floordiv, ceildiv or mod, as if every remainder were as likely.
static LinearForm divide(AffineExprKind kind, LinearForm form, double divisor) {
  if (!(std::abs(divisor) >= 1))
    divisor = 1;
  bool isNumber = form.isConstant() && form.paramSum == 0;
  double meanRest = (std::abs(divisor) - 1) / 2;
  form.exact &= isNumber || divisor == 1;
  if (kind == AffineExprKind::Mod) {
    double rest = form.constant - divisor * std::floor(form.constant / divisor);
    LinearForm result(form.coef.size());
    result.constant = isNumber ? rest : meanRest;
    result.exact = form.exact;
    return result;
  }
  bool isFloor = kind == AffineExprKind::FloorDiv;
  if (!isNumber)
    form.constant += isFloor ? -meanRest : meanRest;
  form.scale(1 / divisor);
  if (isNumber)
    form.constant =
        isFloor ? std::floor(form.constant) : std::ceil(form.constant);
  return form;
}

LinearForm nestor::linearize(AffineExpr expr, unsigned numDims,
                             ArrayRef<double> paramValues) {
  LinearForm form(numDims);
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    if (dim.getPosition() < numDims)
      form.coef[dim.getPosition()] = 1;
    return form;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    form.paramSum = 1;
    if (symbol.getPosition() < paramValues.size())
      form.paramValue = paramValues[symbol.getPosition()];
    return form;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    form.constant = bounded(constant.getValue());
    return form;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  form = linearize(binary.getLHS(), numDims, paramValues);
  LinearForm rhs = linearize(binary.getRHS(), numDims, paramValues);
  if (expr.getKind() == AffineExprKind::Add) {
    form.add(rhs, 1);
    return form;
  }
  if (expr.getKind() == AffineExprKind::Mul)
    return multiply(std::move(form), std::move(rhs));
  return divide(expr.getKind(), std::move(form), rhs.constant + rhs.paramValue);
}
