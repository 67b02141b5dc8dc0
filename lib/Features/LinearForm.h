//===- LinearForm.h - Affine expressions as coefficients --------*- C++ -*-===//
//
// Private to the Features room. Every affine expression has a linear form; that
// of floordiv, ceildiv and mod is their mean, and marked as not exact.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_FEATURES_LINEARFORM_H
#define NESTOR_LIB_FEATURES_LINEARFORM_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::nestor {

/// Keeps sums and products of trip counts far from infinity; not-a-number
/// becomes 0.
inline double bounded(double x) {
  constexpr double limit = 1e30;
  return x > limit ? limit : x < -limit ? -limit : x == x ? x : 0;
}

/// Values of one loop or expression.
struct Interval {
  double lo = 0, hi = 0;
};

struct LinearForm {
  llvm::SmallVector<double, 8> coef; ///< by dim
  double constant = 0;
  double paramSum = 0;   ///< sum of the coefficients of the symbols
  double paramValue = 0; ///< what the symbols contribute
  bool exact = true;

  explicit LinearForm(unsigned numDims = 0) : coef(numDims, 0.0) {}

  bool isConstant() const {
    for (double c : coef)
      if (c != 0)
        return false;
    return true;
  }
  void add(const LinearForm &other, double factor);
  void scale(double factor);
  /// The value where dim number d has the value at[d].
  double eval(llvm::ArrayRef<double> at) const;
  /// The values where dim number d lies in box[d].
  Interval range(llvm::ArrayRef<Interval> box) const;
};

/// `paramValues` has the assumed value of each symbol.
LinearForm linearize(AffineExpr expr, unsigned numDims,
                     llvm::ArrayRef<double> paramValues);

} // namespace mlir::nestor

#endif // NESTOR_LIB_FEATURES_LINEARFORM_H
