//===- LoopRows.h - Trip counts and moves of resulting loops ----*- C++ -*-===//
//
// Private to the Features room: what the loops around one statement, taken from
// a schedule tree, do to its source loops. The rules stand in docs/features.md.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_FEATURES_LOOPROWS_H
#define NESTOR_LIB_FEATURES_LOOPROWS_H

#include "Program.h"

namespace mlir::nestor {

/// One resulting loop of a statement.
struct LoopRow {
  LinearForm form;     ///< of the value that is tiled or walked through
  double tile = 0;     ///< size of a tile loop's steps; 0: not a tile loop
  double divisor = 0;  ///< of the floordiv; 0: none
  double step = 1;     ///< change of the value per iteration, with its sign
  double trip = 1;     ///< mean iterations per entry
  double fullTrip = 1; ///< iterations in a full tile
  double partialShare =
      0;                  ///< share of the instances in tiles that are not full
  unsigned tileLevel = 0; ///< tile loops of the same value outside this loop
  bool isPoint = false, isReversed = false, isSkewed = false;
  bool isStill = false; ///< takes one value only
  bool isNonaffine = false;
  unsigned value = 0; ///< number of the walked value, see LoopRows
};

/// The loops of one statement, added outermost first.
class LoopRows {
public:
  LoopRows(const ProgramStatement &stmt, ArrayRef<double> paramValues)
      : stmt(stmt), paramValues(paramValues), numDims(stmt.loops.size()) {}

  void add(AffineExpr expr);
  ArrayRef<LoopRow> get() const { return rows; }
  /// Change of source loop number `dim` per iteration of each loop, once all
  /// loops have been added.
  double moveOf(unsigned loop, unsigned dim) const;

private:
  /// A value that one or more loops walk through: all tile loops and the point
  /// loop of an expression.
  struct Walked {
    SmallVector<double, 8> coef; ///< first non-zero coefficient positive
    double grain = 1;            ///< distance of neighbouring values
    double remaining = 1;        ///< mean extent that loops so far leave
    double full = 1;             ///< the same in a full tile
    double partialShare = 0;
    unsigned tiles = 0;
  };
  /// A solved row: dim `pivot` as a combination of walked values.
  struct BasisRow {
    unsigned pivot;
    SmallVector<double, 8> coef;  ///< of the dims; 1 at the pivot
    SmallVector<double, 8> value; ///< of the walked values
  };
  /// Iterations that a loop had too many, to be paid by loops further in.
  struct Debt {
    uint32_t dims;
    double factor;
  };

  unsigned findWalked(const LinearForm &form);
  unsigned introduce(SmallVector<double, 8> coef);
  void settle(unsigned pivot, uint32_t partners, Walked &walked);
  void extendBasis(unsigned pivot, SmallVector<double, 8> coef,
                   SmallVector<double, 8> value);
  void stepThrough(LoopRow &row);

  const ProgramStatement &stmt;
  ArrayRef<double> paramValues;
  unsigned numDims;
  SmallVector<LoopRow, 8> rows;
  SmallVector<Walked, 8> walked;
  SmallVector<BasisRow, 8> basis;
  SmallVector<Debt, 4> debts;
  uint32_t resolved = 0; ///< dims that outer loops determine
};

} // namespace mlir::nestor

#endif // NESTOR_LIB_FEATURES_LOOPROWS_H
