//===- Growth.h - How bounds grow with parameters ---------------*- C++ -*-===//
//
// Private to the Schedule room: which parameters generated code multiplies.
// That parameters and their sums do not overflow is taken for granted, as in
// the source; that multiples of them do not, which isl makes of tiles and
// skews, is not.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_SCHEDULE_GROWTH_H
#define NESTOR_LIB_SCHEDULE_GROWTH_H

#include "nestor/Analysis/Scop.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mlir::nestor {

/// For expressions whose dims are the parameters, then the loops in order of
/// nesting; dims beyond these count as constants.
class Growth {
public:
  explicit Growth(const Scop &scop);

  /// Enters a loop that runs from the most of `lower` to the least of `upper`.
  void push(ArrayRef<AffineExpr> lower, ArrayRef<AffineExpr> upper);
  void pop() { loops.pop_back(); }
  /// Looks at expressions of the code, and all their parts.
  void add(ArrayRef<AffineExpr> exprs);
  /// The parameters with a larger factor than 1 and than any in the source.
  SmallVector<unsigned> getMultiplied() const;

private:
  /// Of each parameter: least and largest factor.
  using Factors = SmallVector<std::pair<double, double>, 4>;
  Factors factorsOf(AffineExpr expr) const;
  /// Raises `most` to the factors in `expr` and its parts.
  void raise(AffineExpr expr, SmallVectorImpl<double> &most) const;

  unsigned numParams;
  std::vector<Factors> loops;
  SmallVector<double> inSource, inCode; ///< largest magnitudes, by parameter
};

} // namespace mlir::nestor

#endif // NESTOR_LIB_SCHEDULE_GROWTH_H
