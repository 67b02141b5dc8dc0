//===- Growth.h - What code computes of its parameters ----------*- C++ -*-===//
//
// Private to the Schedule room: for which parameters generated code could
// overflow where the source does not. A parameter may be any number of 64 bits:
// the code may compare and divide it as it is, and what the source compares and
// divides. What else isl makes of it (n - 3 for a remainder, n - m for a
// condition, multiples in tiles and skews) is right for small ones only.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_SCHEDULE_GROWTH_H
#define NESTOR_LIB_SCHEDULE_GROWTH_H

#include "Generate.h"

#include "nestor/Analysis/Scop.h"

namespace mlir::nestor {

/// For expressions whose dims are the parameters, then the loops in order of
/// nesting; dims beyond these count as constants.
class Growth {
public:
  explicit Growth(const Scop &scop);

  /// Enters a loop that runs from the most of `lower` to the least of `upper`.
  void push(ArrayRef<AffineExpr> lower, ArrayRef<AffineExpr> upper);
  void pop() { loops.pop_back(); }
  /// Looks at expressions that the code compares.
  void addCompared(ArrayRef<AffineExpr> exprs);
  /// Looks at expressions that are what the source computes, too: sums on the
  /// way to them may overflow and come back.
  void addKnown(ArrayRef<AffineExpr> exprs);
  /// The parameters that must be small, and how small.
  SmallVector<ParamLimit> getLimits() const;

private:
  /// A linear function of the parameters, plus a constant from low to high.
  struct Form {
    SmallVector<double, 4> factors;
    double low, high;
    /// False for a value at the end of a loop that never gets so far: from a
    /// constant to 2^63.
    bool isReached = true;

    double sumOfFactors() const; ///< of their magnitudes
  };
  /// The values of an expression lie between those of its forms.
  using Forms = std::vector<Form>;

  static void enter(Forms &forms, const Form &form);
  static bool haveSameFactors(const Form &left, const Form &right);
  static Forms productOf(Forms forms, double factor);
  Form makeForm(double constant) const;
  Forms formsOf(AffineExpr expr);
  Forms sumOf(const Forms &left, const Forms &right);
  /// The forms of the one of `bounds` with the smallest factors.
  Forms tightestOf(ArrayRef<AffineExpr> bounds);
  /// Calls `look` for what must not overflow on the way to `expr`: what is
  /// divided or multiplied.
  void forEachStrict(AffineExpr expr,
                     llvm::function_ref<void(const Form &)> look);
  bool isSafe(const Form &form) const;
  void check(const Form &form);

  unsigned numParams;
  std::vector<Forms> loops;
  Forms inSource; ///< one for each vector of factors
  /// Of each parameter, the largest sum of factors of a form that it could make
  /// overflow; 0 if there is none.
  SmallVector<double> most;
};

} // namespace mlir::nestor

#endif // NESTOR_LIB_SCHEDULE_GROWTH_H
