//===- NestSummary.h - A candidate's nests in plain units -------*- C++ -*-===//
//
// Features room: the unscaled companion of the feature rows, from which the
// analytical model (Cost room) computes. Trip counts are means by the rule of
// docs/features.md; nothing here depends on MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_FEATURES_NESTSUMMARY_H
#define NESTOR_FEATURES_NESTSUMMARY_H

#include <array>
#include <cstdint>
#include <vector>

namespace mlir::nestor {

/// Array dimensions that an access keeps apart; arrays of higher rank fold
/// their leading dimensions (row-major) into the first.
inline constexpr unsigned kArrayDims = 4;

/// One loop of the resulting tree.
struct LoopSummary {
  double trip = 1; ///< mean iterations per entry, the largest of its statements
  double fullTrip = 1; ///< iterations in a full tile; the trip count elsewhere
  double partialShare =
      0;                  ///< share of the instances in tiles that are not full
  double vectorWidth = 0; ///< lanes of a vector loop, else 0
  bool unroll = false, promote = false, coincident = false;
  bool isTile = false;  ///< steps from tile to tile
  bool isPoint = false; ///< runs within a tile
  int32_t parent = -1;  ///< loop that holds it; -1: top level
  int32_t order = 0;    ///< position among the children of the parent
};

/// One access of a statement.
struct AccessSummary {
  uint32_t array = 0; ///< number in the scop's array table
  uint32_t rank = 0;  ///< dimensions in the arrays below, at most kArrayDims
  bool isWrite = false;
  bool isSlot = false;        ///< a scalar that never needs memory of its own
  bool isAccumulator = false; ///< a read of the cell that the statement writes
  double bytes = 0;           ///< of one cell
  std::array<double, kArrayDims> extent{}; ///< of the array, by dimension
  std::array<double, kArrayDims> stride{}; ///< of the array, in cells
  std::array<double, kArrayDims> offset{}; ///< the subscripts' constants
  /// Change of each subscript per iteration of each resulting loop of the
  /// statement: moves[loop][dimension], loops outermost first.
  std::vector<std::array<double, kArrayDims>> moves;
  /// Latency, in cycles, of the ops between this read and the write.
  double pathLatency = 0;

  /// Distance in cells between consecutive iterations of loop number `loop`.
  double elementStride(unsigned loop) const {
    double sum = 0;
    for (unsigned d = 0; d < rank; ++d)
      sum += moves[loop][d] * stride[d];
    return sum;
  }
  /// True if no subscript changes over loop number `loop`.
  bool isInvariant(unsigned loop) const {
    for (unsigned d = 0; d < rank; ++d)
      if (moves[loop][d] != 0)
        return false;
    return true;
  }
};

/// What an access touches over some loops: see FootprintBuilder.
struct Footprint {
  double cells = 1;    ///< distinct cells
  double runs = 1;     ///< contiguous pieces of memory
  double span = 1;     ///< cells from the first to the last of one piece
  double reach = 1;    ///< cells from the first to the last of all
  double distance = 0; ///< cells between neighbouring pieces; 0: one piece
  /// Distinct blocks of `blockBytes` (a cache line, a page), at least 1.
  double blocks(double bytes, double blockBytes) const;
};

/// Grows the footprint of an access from the statement outwards, loop by loop.
class FootprintBuilder {
public:
  explicit FootprintBuilder(const AccessSummary &access) : access(access) {
    range.fill(1);
    movers.fill(1);
  }
  /// Adds loop number `loop` of the statement, with its trip count.
  void addLoop(unsigned loop, double trip);
  /// The footprint of the loops so far. `widen` cells are added to the range of
  /// each dimension: other accesses of the group at a constant distance.
  Footprint get() const { return get({}); }
  Footprint get(const std::array<double, kArrayDims> &widen) const;
  /// Subscripts from the smallest to the largest, by dimension.
  const std::array<double, kArrayDims> &getRange() const { return range; }

private:
  const AccessSummary &access;
  std::array<double, kArrayDims> range;  ///< highest - lowest subscript + 1
  std::array<double, kArrayDims> movers; ///< iterations that move the subscript
  double iterations = 1;                 ///< iterations that move any subscript
};

/// One statement under its loops.
struct StatementSummary {
  std::vector<int32_t>
      loops;                 ///< numbers in NestSummary::loops, outermost first
  std::vector<double> trips; ///< the statement's own mean trip counts
  double instances = 1;      ///< mean number of executions
  int32_t parent = -1, order = 0;
  // Operations of one instance.
  double adds = 0, muls = 0, fmas = 0, divs = 0, sqrts = 0, specials = 0;
  double others = 0; ///< compares, selects, minima, integer ops, casts
  double bytes = 0;  ///< of the element that is written
  bool isFloat = false;
  bool isReduction = false;
  bool mayReassociate = false; ///< the reduction's order is free
  bool contract = false;       ///< mul + add may become one operation
  bool guarded = false;
  std::vector<AccessSummary> accesses; ///< the write first, then the reads
};

/// A candidate: its loops in preorder and its statements by number.
struct NestSummary {
  std::vector<LoopSummary> loops;
  std::vector<StatementSummary> statements;
};

} // namespace mlir::nestor

#endif // NESTOR_FEATURES_NESTSUMMARY_H
