//===- Scop.h - Statements, slots, loops and accesses of a scop -*- C++ -*-===//
//
// Analysis room, the first step of the flow: MLIR in, a Scop out. A scop is a
// maximal run of schedulable ops in one block. It is plain data over MLIR's
// affine maps; the polyhedral (isl) view of it lives in Polyhedral.h.
//
// Statement model (docs/design.md, "Statements and slots"): a statement is one
// store, or one write of a *slot*, with the pure ops and loads that feed it. A
// slot is a rank-0 array that exists only for the analysis and the rewrite: a
// value that two statements use, that crosses a loop, or that leaves the scop.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_ANALYSIS_SCOP_H
#define NESTOR_ANALYSIS_SCOP_H

#include "nestor/Analysis/Reasons.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/IntegerSet.h"
#include <memory>
#include <optional>
#include <string>

namespace mlir::nestor {

/// True for floordiv, ceildiv and mod: to isl each is one more integer unknown.
inline bool isDivision(AffineExpr expr) {
  return expr.getKind() == AffineExprKind::FloorDiv ||
         expr.getKind() == AffineExprKind::CeilDiv ||
         expr.getKind() == AffineExprKind::Mod;
}

/// An array of a scop: a memref defined before it, or a slot.
struct Array {
  Value memref;     ///< null for a slot
  Type elementType; ///< of one cell
  SmallVector<int64_t>
      shape;            ///< ShapedType::kDynamic where unknown; empty: rank 0
  bool liveOut = false; ///< slots only: read after the scop
  bool isSlot() const { return !memref; }
};

/// A source loop. Loops are numbered in preorder of the source.
struct SourceLoop {
  affine::AffineForOp op;
  int parent = -1; ///< number of the enclosing loop, -1 at the scop's top level
  unsigned depth = 0; ///< number of enclosing loops
  /// Bounds as maps: dims are the enclosing loops (outermost first), symbols
  /// the scop's parameters. Several results mean max (lower) and min (upper).
  AffineMap lowerBound, upperBound;
  int64_t step = 1;
};

/// One access of a statement. `map`: dims are the statement's loops, symbols
/// the scop's parameters; one result per dimension of the array. Accesses may
/// cover more than is touched: a dimension may be unknown (then any cell may be
/// accessed there), and what an op does in its regions may not happen at all.
struct Access {
  unsigned array = 0;
  bool isWrite = false;
  AffineMap map;
  Operation *op = nullptr; ///< the op that accesses memory; null for slots
  Value slotValue;         ///< slots: the value that is read or written
  /// Dimensions whose subscript is not affine; `map` has 0 there.
  SmallVector<bool> unknown;
  bool isExact() const { return !llvm::is_contained(unknown, true); }
};

/// A condition that an affine.if puts on a statement; `negated` in its else
/// part.
struct Guard {
  IntegerSet
      set; ///< dims: the statement's outermost loops; symbols: parameters
  bool negated = false;
};

/// A statement. `ops` (ops without effects and joined loads, in source order)
/// feed the write. An op with effects that affine ops cannot express, or with
/// several results, is a statement of its own: it stands last in `ops`, is
/// copied as it is, and writes `write` and `moreWrites`.
struct Statement {
  SmallVector<unsigned>
      loops; ///< numbers of the enclosing loops, outermost first
  SmallVector<Guard> guards;
  SmallVector<Operation *> ops;
  Access write;
  SmallVector<Access> moreWrites; ///< of `effect` only
  SmallVector<Access> reads;
  Value written; ///< the value that is stored; null if there is no single one
  Operation *effect = nullptr; ///< the op that is copied for its effects
  Location loc; ///< of the store, or of the op that defines the slot's value
  bool isReduction = false; ///< write = write op something, one associative op
  Operation *reductionOp = nullptr; ///< that op
  Statement(Location loc) : loc(loc) {}
  unsigned getDepth() const { return loops.size(); }
};

/// A node of the source order: loops and statements of a block, in order.
struct SourceItem {
  bool isLoop = false;
  unsigned index = 0;               ///< loop or statement number
  std::vector<SourceItem> children; ///< of a loop
};

/// Two memrefs that may overlap at run time, by array number.
struct MayAlias {
  unsigned a, b;
  /// Both are what a caller can vouch for: arguments, globals, allocations.
  /// Views of one buffer and results of other ops are always checked.
  bool canAssume;
};

/// Where a scop stands and what is in it.
class Scop {
public:
  /// Block, first and last op of the run, in block order.
  Block *block = nullptr;
  Operation *first = nullptr, *last = nullptr;
  /// Loop-invariant index values that bounds and subscripts use.
  SmallVector<Value> params;
  std::vector<SourceLoop> loops;
  std::vector<Statement> statements;
  std::vector<Array> arrays;
  std::vector<SourceItem> order;
  /// Pairs that a run-time check must find disjoint before statements move.
  SmallVector<MayAlias> mayAlias;
  /// Values of the scop that are used after it, and the slot that holds each.
  SmallVector<std::pair<Value, unsigned>> liveOuts;
  /// Ops of the run that no statement owns and later ops need: pure ops, kept
  /// in front of the rewritten scop.
  SmallVector<Operation *> hoisted;

  MLIRContext *getContext() const { return block->getParentOp()->getContext(); }
  /// 16 hexadecimal digits over the scop's ops, without names and locations.
  std::string getHash() const;
  /// True if `id` or `other` carries reassociation rights (see decision 13 in
  /// docs/design.md): the statement's reduction may change its order.
  bool mayReassociate(const Statement &stmt, bool reassociateAll) const;
  /// Writes the loops, statements and accesses in the form of
  /// --nestor-print-loop-tree.
  void print(raw_ostream &os) const;
};

/// Why a part of a function was left alone.
struct LeftAlone {
  Operation *op;        ///< the op that causes it
  Operation *nest;      ///< the outermost affine loop that is lost by it
  const Reason *reason; ///< null: nothing to say
};

/// All scops of a function, and what was left alone.
struct LoopTree {
  std::vector<std::unique_ptr<Scop>> scops;
  std::vector<LeftAlone> leftAlone;
};

/// Finds the scops of `func`. Does not change the IR. Honours nestor.skip and
/// nestor.fallback. Never fails: what cannot be analysed is left alone.
LoopTree buildLoopTree(func::FuncOp func);

} // namespace mlir::nestor

#endif // NESTOR_ANALYSIS_SCOP_H
