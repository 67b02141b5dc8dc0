//===- Obstacles.h - What ops and buffers are to a scop ---------*- C++ -*-===//
//
// Private to the Analysis room; see Obstacles.cpp and Buffers.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_ANALYSIS_OBSTACLES_H
#define NESTOR_LIB_ANALYSIS_OBSTACLES_H

#include "nestor/Analysis/Scop.h"

namespace mlir::nestor {

/// What stands in the way of analysing an op, or nothing.
struct Obstacle {
  Operation *op = nullptr;
  const Reason *reason = nullptr;
  explicit operator bool() const { return op != nullptr; }
};

/// Looks for ops below (and including) `op` that no scop can hold.
Obstacle findObstacle(Operation *op);

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Only what isl can hold exactly, with constants that cannot overflow.
bool isSupportedExpr(AffineExpr expr);

/// Loops and conditions that become part of the schedule and the domains.
bool isControl(Operation *op);
/// affine.load or memref.load; affine.store or memref.store.
bool isLoad(Operation *op);
bool isStore(Operation *op);
/// The value that a store writes.
Value storedValue(Operation *store);

/// One way in which an op, or an op in its regions, touches memory.
struct Touch {
  Operation *op;
  Value memref; ///< defined outside the op whose touches these are
  bool isWrite;
  bool isWhole; ///< any cell of the memref
};

/// Everything that `op` touches. The op must be free of obstacles.
SmallVector<Touch> touchesOf(Operation *op);

/// Counts pairs of accesses to one array, a write among them: each is a
/// question to isl, and a long program would have quadratically many.
class PairCounter {
public:
  /// The pairs so far, with those of one more access.
  uint64_t add(Value array, bool isWrite) {
    Count &count = counts[array];
    ++count.all;
    count.writes += isWrite;
    return pairs += isWrite ? count.all : count.writes;
  }
  unsigned numArrays() const { return counts.size(); }

private:
  struct Count {
    uint64_t all = 0, writes = 0;
  };
  llvm::DenseMap<Value, Count> counts;
  uint64_t pairs = 0;
};

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The memref that stands for all memrefs with the same cells under the same
/// subscripts: looks through casts between contiguous memrefs.
Value sameCells(Value memref);

/// How two memrefs relate in memory.
/// MustAsk: nobody's promise about arguments answers the question.
enum class Overlap { Never, Ask, MustAsk, Always };
Overlap overlapOf(Value a, Value b);

/// True if different subscripts are different cells, as far as the type says.
bool isInjective(MemRefType type);

} // namespace mlir::nestor

#endif // NESTOR_LIB_ANALYSIS_OBSTACLES_H
