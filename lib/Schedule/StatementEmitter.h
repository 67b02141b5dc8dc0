//===- StatementEmitter.h - Ops of statement instances ----------*- C++ -*-===//
//
// Private to the Schedule room: emits one instance, or one vector of instances,
// of a statement. The loops around are the AST generator's business
// (Generate.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_SCHEDULE_STATEMENTEMITTER_H
#define NESTOR_LIB_SCHEDULE_STATEMENTEMITTER_H

#include "nestor/Analysis/Scop.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::nestor {

/// Affine expressions of generated code are over numbered values: first the
/// scop's parameters, then the induction variables of the loops around.
class StatementEmitter {
public:
  StatementEmitter(const Scop &scop, OpBuilder &builder, ArrayRef<Value> slots)
      : scop(scop), builder(builder), slots(slots),
        values(scop.params.begin(), scop.params.end()) {}

  /// The number that the lane of a vector has in expressions.
  static constexpr unsigned kLane = 1u << 20;

  /// Emits the instance of `stmt` whose source loops have the values `loops`.
  void emitScalar(const Statement &stmt, ArrayRef<AffineExpr> loops);
  /// Emits the instances for lanes 0..width-1 (expressions mention the lane).
  void emitVector(const Statement &stmt, ArrayRef<AffineExpr> loops,
                  int64_t width);

  /// The values that expressions are over; loops push and pop theirs.
  SmallVector<Value> &getValues() { return values; }
  AffineExpr newValue(Value value);
  void popValue() { values.pop_back(); }
  /// `exprs` as a map with its operands, in canonical form.
  AffineMap makeMap(ArrayRef<AffineExpr> exprs,
                    SmallVectorImpl<Value> &operands);

private:
  /// A value of a vector instance: the same for all lanes, or one a lane.
  struct Packed {
    Value value;
    bool isVector;
  };
  using PackedMap = llvm::DenseMap<Value, Packed>;

  void keepResults(const Statement &stmt, IRMapping &map);
  SmallVector<AffineExpr> subscripts(const Access &access,
                                     ArrayRef<AffineExpr> loops);
  Value slotOf(const Access &access) const { return slots[access.array]; }
  std::optional<SmallVector<int64_t>> laneStrides(ArrayRef<AffineExpr> exprs);
  bool canVectorize(const Statement &stmt, ArrayRef<AffineExpr> loops);
  Packed loadVector(const Access &access, ArrayRef<AffineExpr> loops,
                    int64_t width, Location loc);
  void storeVector(const Statement &stmt, ArrayRef<AffineExpr> loops,
                   int64_t width, Packed value);
  Packed loopValue(AffineExpr expr, int64_t width, Location loc);
  Value broadcast(Packed packed, int64_t width, Location loc);
  Operation *computeVector(Operation *op, PackedMap &map, int64_t width);
  Value applyExpr(AffineExpr expr, Location loc);
  Value loadCell(Value memref, ArrayRef<AffineExpr> exprs, Location loc);
  void storeCell(Value value, Value memref, ArrayRef<AffineExpr> exprs,
                 Location loc);
  std::optional<unsigned> loopNumber(const Statement &stmt, Value value) const;
  const Access *readOf(const Statement &stmt, Value slotValue) const;

  const Scop &scop;
  OpBuilder &builder;
  ArrayRef<Value> slots; ///< by array number: rank-0 memrefs of slots
  SmallVector<Value> values;
};

} // namespace mlir::nestor

#endif // NESTOR_LIB_SCHEDULE_STATEMENTEMITTER_H
