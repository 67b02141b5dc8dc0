//===- Program.h - What features need of the program itself -----*- C++ -*-===//
//
// Private to the Features room: the part of the features that no schedule
// changes, made once per scop.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_FEATURES_PROGRAM_H
#define NESTOR_LIB_FEATURES_PROGRAM_H

#include "LinearForm.h"
#include "nestor/Analysis/Scop.h"
#include "nestor/Features/Features.h"

namespace mlir::nestor {

/// The value that is assumed for a parameter, and for an extent, that is not
/// known before run time.
inline constexpr double kUnknownSize = 1024;

/// s(x), see Features.h.
float scaled(double x);

/// Iterations and values of a source loop, by the rule of docs/features.md.
struct LoopExtent {
  double meanTrip = 1; ///< per entry
  double maxTrip = 1;  ///< of any one entry
  double mean = 0;     ///< value of the induction variable
  Interval values;     ///< smallest and largest value anywhere
  double step = 1;
  LinearForm lower, upper; ///< the bound that is tightest at the mean
  unsigned numLower = 1, numUpper = 1;
  bool parametric = false;
  uint32_t dependsOn = 0; ///< enclosing loops that a bound uses, by depth

  /// Iterations if the loop ran over all its values at once.
  double spanTrip() const { return (values.hi - values.lo) / step + 1; }
};

/// Slots at the end of an access row that depend on the schedule.
inline constexpr unsigned kScheduledAccessDim = 1 + 3 * kInnerLoops;

/// An access, its subscripts folded to at most kArrayDims dimensions.
struct ProgramAccess {
  AccessSummary summary; ///< without moves
  SmallVector<LinearForm, kArrayDims> rows;
  std::vector<float> row; ///< [kAccessDim], the scheduled slots 0
  double arrayCells = 1;
  unsigned rank = 0; ///< of the array
  bool isDynamic = false, isNonlinear = false;
};

struct ProgramStatement {
  SmallVector<const LoopExtent *, 8> loops; ///< outermost first
  SmallVector<unsigned, 8> places; ///< of each loop in a coefficient row
  double instances = 1;
  StatementSummary summary; ///< operations and rights; without loops, accesses
  std::vector<ProgramAccess> accesses; ///< the write first
  StatementFeatures features;          ///< flags, domain, tokens and their key
};

struct ProgramFeatures {
  const Scop &scop;
  SmallVector<double> paramValues; ///< known or assumed
  std::vector<LoopExtent> loops;   ///< by number
  std::vector<ProgramStatement> statements;
  explicit ProgramFeatures(const Scop &scop);
};

/// The share of a statement's instances that satisfy `set`: each constraint is
/// taken alone, its expression as likely to have any value of its range.
double shareOfSet(const IntegerSet &set, ArrayRef<const LoopExtent *> loops,
                  ArrayRef<double> paramValues);

/// Fills tokens, operation counts and latencies of a statement
/// (Expression.cpp).
struct ExpressionCounts {
  std::vector<double> ops; ///< by kind, see expressionCountNames
  double constants = 0, ivs = 0, outside = 0, latency = 0;
};
ExpressionCounts encodeExpression(const Scop &scop, const Statement &stmt,
                                  ProgramStatement &out);
std::vector<std::string> expressionCountNames();
std::vector<std::string> tokenNames();

/// Writes the slots of one row in order.
class RowWriter {
public:
  RowWriter(std::vector<float> &data, size_t width)
      : data(data), end(data.size() + width) {
    data.reserve(end);
  }
  ~RowWriter() { assert(data.size() == end && "row does not fit its width"); }
  void flag(bool value) { data.push_back(value); }
  void number(double value) { data.push_back(scaled(value)); }
  void share(double value) { data.push_back(static_cast<float>(value)); }
  /// kSourceDims coefficients, that of loop d at places[d] (see placeLoops).
  void coefs(const LinearForm &form, ArrayRef<unsigned> places);

private:
  std::vector<float> &data;
  size_t end;
};

} // namespace mlir::nestor

#endif // NESTOR_LIB_FEATURES_PROGRAM_H
