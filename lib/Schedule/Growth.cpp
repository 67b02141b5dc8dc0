//===- Growth.cpp - What code computes of its parameters ------------------===//
//
// Schedule room; see Growth.h.
//
//===----------------------------------------------------------------------===//
#include "Growth.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nestor;

/// Sums of divisions by 3 and the like are not exact in floating point.
static constexpr double kSlack = 1e-6;
/// Factors that leave room for any constant of a program, in sum.
static constexpr double kRoomy = 0.999;
/// Forms of one expression, at most; if it has more, all parameters must be 0.
static constexpr unsigned kMaxForms = 64;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// Forms with the same factors become one.
void Growth::enter(Forms &forms, const Form &form) {
  for (Form &known : forms)
    if (known.isReached == form.isReached && haveSameFactors(known, form)) {
      known.low = std::min(known.low, form.low);
      known.high = std::max(known.high, form.high);
      return;
    }
  forms.push_back(form);
}

bool Growth::haveSameFactors(const Form &left, const Form &right) {
  return llvm::all_of(llvm::zip(left.factors, right.factors), [](auto pair) {
    return std::abs(std::get<0>(pair) - std::get<1>(pair)) <= kSlack;
  });
}

double Growth::Form::sumOfFactors() const {
  double sum = 0;
  for (double factor : factors)
    sum += std::abs(factor);
  return sum;
}

Growth::Form Growth::makeForm(double constant) const {
  return {SmallVector<double, 4>(numParams, 0.0), constant, constant};
}

Growth::Forms Growth::sumOf(const Forms &left, const Forms &right) {
  if (left.size() * right.size() > kMaxForms) {
    most.assign(numParams, HUGE_VAL);
    return {makeForm(0)};
  }
  Forms sums;
  for (const Form &a : left)
    for (const Form &b : right) {
      Form sum = a;
      for (auto [mine, other] : llvm::zip(sum.factors, b.factors))
        mine += other;
      sum.low += b.low;
      sum.high += b.high;
      sum.isReached &= b.isReached;
      enter(sums, sum);
    }
  return sums;
}

Growth::Forms Growth::productOf(Forms forms, double factor) {
  for (Form &form : forms) {
    for (double &value : form.factors)
      value *= factor;
    double a = form.low * factor, b = form.high * factor;
    form.low = std::min(a, b);
    form.high = std::max(a, b);
  }
  return forms;
}

Growth::Forms Growth::formsOf(AffineExpr expr) {
  Form form = makeForm(0);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {makeForm(constant.getValue())};
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    unsigned position = dim.getPosition();
    if (position < numParams)
      form.factors[position] = 1;
    else if (position - numParams < loops.size())
      return loops[position - numParams];
    return {form};
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return sumOf(formsOf(binary.getLHS()), formsOf(binary.getRHS()));
  double number = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  if (expr.getKind() == AffineExprKind::Mul)
    return productOf(formsOf(binary.getLHS()), number);
  if (expr.getKind() == AffineExprKind::Mod) {
    form.high = number - 1;
    return {form};
  }
  Forms forms = productOf(formsOf(binary.getLHS()), 1 / number);
  for (Form &rounded : forms) {
    if (expr.getKind() == AffineExprKind::FloorDiv)
      rounded.low -= 1 - 1 / number;
    else
      rounded.high += 1 - 1 / number;
  }
  return forms;
}

/// Rounding down to a multiple of a power of two cannot overflow.
static bool isAligned(AffineExpr expr) {
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || expr.getKind() != AffineExprKind::Mul)
    return false;
  auto quotient = dyn_cast<AffineBinaryOpExpr>(product.getLHS());
  int64_t factor = cast<AffineConstantExpr>(product.getRHS()).getValue();
  return quotient && quotient.getKind() == AffineExprKind::FloorDiv &&
         quotient.getRHS() == product.getRHS() && factor > 0 &&
         llvm::isPowerOf2_64(factor);
}

void Growth::forEachStrict(AffineExpr expr,
                           llvm::function_ref<void(const Form &)> look) {
  expr.walk([&](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    if (!binary || part.getKind() == AffineExprKind::Add || isAligned(part))
      return;
    // MLIR lowers products with nsw.
    bool isProduct = part.getKind() == AffineExprKind::Mul;
    Forms forms = formsOf(isProduct ? part : binary.getLHS());
    for (const Form &form : forms)
      look(form);
    // It lowers ceildiv with a negation.
    if (part.getKind() == AffineExprKind::CeilDiv)
      for (const Form &form : productOf(forms, -1))
        look(form);
  });
}

//===----------------------------------------------------------------------===//
// Source and code
//===----------------------------------------------------------------------===//

Growth::Growth(const Scop &scop)
    : numParams(scop.params.size()), most(numParams, 0.0) {
  // The source's expressions have the parameters as symbols; its loops count
  // as constants here.
  MLIRContext *ctx = scop.getContext();
  SmallVector<AffineExpr> params, none;
  for (unsigned p = 0; p < numParams; ++p)
    params.push_back(getAffineDimExpr(p, ctx));
  auto look = [&](ArrayRef<AffineExpr> exprs, unsigned numDims) {
    none.assign(numDims, getAffineConstantExpr(0, ctx));
    auto add = [&](const Form &form) { enter(inSource, form); };
    for (AffineExpr expr : exprs) {
      expr = expr.replaceDimsAndSymbols(none, params);
      llvm::for_each(formsOf(expr), add);
      forEachStrict(expr, add);
    }
  };
  for (AffineExpr param : params)
    look(param, 0);
  for (const SourceLoop &loop : scop.loops) {
    look(loop.lowerBound.getResults(), loop.lowerBound.getNumDims());
    look(loop.upperBound.getResults(), loop.upperBound.getNumDims());
  }
  for (const Statement &stmt : scop.statements)
    for (const Guard &guard : stmt.guards)
      look(guard.set.getConstraints(), guard.set.getNumDims());
}

Growth::Forms Growth::tightestOf(ArrayRef<AffineExpr> bounds) {
  Forms best;
  double least = 0;
  for (AffineExpr bound : bounds) {
    Forms forms = formsOf(bound);
    double largest = 0;
    for (const Form &form : forms)
      largest = std::max(largest, form.sumOfFactors());
    if (best.empty() || largest < least) {
      best = std::move(forms);
      least = largest;
    }
  }
  return best;
}

void Growth::push(ArrayRef<AffineExpr> lower, ArrayRef<AffineExpr> upper) {
  // Nobody waits for a loop from a constant to 2^63.
  bool canBeFar = llvm::any_of(lower, [&](AffineExpr bound) {
    return llvm::any_of(formsOf(bound), [](const Form &form) {
      return form.isReached && form.sumOfFactors() > kSlack;
    });
  });
  Forms hull = tightestOf(lower), last = tightestOf(upper);
  for (Form &form : last) {
    form.low -= 1;
    form.high -= 1;
    form.isReached &= canBeFar || form.sumOfFactors() <= kSlack;
    enter(hull, form);
  }
  loops.push_back(std::move(hull));
}

/// True if no values of the parameters make `form` overflow.
bool Growth::isSafe(const Form &form) const {
  double sum = form.sumOfFactors();
  if (sum <= kRoomy || (sum <= 1 + kSlack && !form.isReached))
    return true;
  return llvm::any_of(inSource, [&](const Form &known) {
    return haveSameFactors(known, form) && known.low - kSlack <= form.low &&
           form.high <= known.high + kSlack;
  });
}

void Growth::check(const Form &form) {
  if (isSafe(form))
    return;
  for (unsigned p = 0; p < numParams; ++p)
    if (std::abs(form.factors[p]) > kSlack)
      most[p] = std::max(most[p], form.sumOfFactors());
}

void Growth::addKnown(ArrayRef<AffineExpr> exprs) {
  for (AffineExpr expr : exprs)
    forEachStrict(expr, [&](const Form &form) { check(form); });
}

void Growth::addCompared(ArrayRef<AffineExpr> exprs) {
  for (AffineExpr expr : exprs)
    if (!isAligned(expr))
      for (const Form &form : formsOf(expr))
        check(form);
  addKnown(exprs);
}

SmallVector<ParamLimit> Growth::getLimits() const {
  // Parameters of at most 2^62 / sum make at most 2^62, which leaves as much
  // for the constant.
  constexpr double kMost = double(int64_t(1) << 62);
  SmallVector<ParamLimit> limits;
  for (unsigned p = 0; p < numParams; ++p)
    if (most[p] > 0)
      limits.push_back(
          {p, int64_t(std::min(double(kMaxSmall), kMost / most[p]))});
  return limits;
}
