//===- ScopBuilder.h - From a run of ops to a Scop --------------*- C++ -*-===//
//
// Private to the Analysis room. ScopBuilder.cpp says how a scop is built;
// Cutting.cpp, how values are cut into statements; Statements.cpp makes these.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_ANALYSIS_SCOPBUILDER_H
#define NESTOR_LIB_ANALYSIS_SCOPBUILDER_H

#include "Obstacles.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::nestor {

/// Builds the scop of the ops first..last of a block, all free of obstacles.
/// Returns null and fills `obstacle` when the run as a whole cannot be
/// analysed.
std::unique_ptr<Scop> buildScop(Operation *first, Operation *last,
                                Obstacle &obstacle);

/// Operations, one behind another, of one expression, at most.
inline constexpr unsigned kMaxExpression = 1000;

/// A statement in the making: where it writes, and which value.
struct Root {
  enum class Kind { Store, Effect, Slot, Init, YieldTemp, Yield };
  Kind kind;
  Operation *anchor; ///< the store, the op with effects, the op whose result is
                     ///< kept, or the loop
  Block *block;      ///< the block that it runs in
  unsigned position; ///< preorder position of the write
  Value written;     ///< null for an op with effects
  unsigned slot = 0; ///< array number, of the kinds that write one
  unsigned number = 0; ///< of the loop-carried value
  /// Yields of several values copy from a temporary slot instead of evaluating.
  std::optional<unsigned> copyFrom = std::nullopt;
};

/// A touch with the number of its array.
struct ArrayTouch : Touch {
  unsigned array;
};

class ScopBuilder {
public:
  ScopBuilder(Operation *first, Operation *last);
  std::unique_ptr<Scop> build(Obstacle &obstacle);

private:
  // Numbering and arrays.
  void numberOps(Operation *op);
  bool checkChains();
  bool collectArrays();
  std::optional<unsigned> arrayFor(Operation *op, Value memref);
  bool collectAliases();
  unsigned newSlot(Value value, Operation *at);

  // Cutting values into statements.
  void createStoreAndLoopRoots();
  void assignOwners();
  void assignOwner(Operation *op);
  bool checkSymbols();
  bool canJoin(Operation *op, const Root &root) const;
  bool writesMemory(Operation *op) const;
  bool isAffineStore(Operation *op);
  bool isFree(Operation *op);
  Root *rootOfUse(OpOperand &use);
  void makeSlotRoot(Operation *op);
  void makeEffectRoot(Operation *op);
  bool isInside(Operation *op) const { return position.count(op); }
  bool isInside(Value value) const {
    return isInside(value.getDefiningOp()
                        ? value.getDefiningOp()
                        : value.getParentBlock()->getParentOp());
  }
  bool hoist(Value value);

  // Statements.
  bool emitBlock(Block &block, std::vector<SourceItem> &items);
  bool emitFor(affine::AffineForOp loop, std::vector<SourceItem> &items);
  bool emitIf(affine::AffineIfOp guard, std::vector<SourceItem> &items);
  bool emitRoot(Root &root, std::vector<SourceItem> &items);
  bool collectFeeding(Value value, const Root &root, Statement &stmt,
                      llvm::SetVector<Operation *> &ops);
  bool collectOp(Operation *op, const Root &root, Statement &stmt,
                 llvm::SetVector<Operation *> &ops);
  bool collectEffect(Operation *op, Root &root, Statement &stmt,
                     llvm::SetVector<Operation *> &ops);
  bool collectStore(Operation *op, Statement &stmt);
  void detectReduction(Statement &stmt);
  void collectLiveOuts();
  void unifySymbols();
  AffineMap slotMap() const {
    return AffineMap::get(loopStack.size(), scop->params.size(),
                          scop->getContext());
  }

  // Affine maps over loops and parameters.
  AffineMap translate(AffineMap map, ValueRange operands, Operation *user);
  AffineMap tryTranslate(AffineMap map, ValueRange operands,
                         const Reason *&reason);
  AffineExpr exprOf(Value value, const Reason *&reason);

  // Accesses.
  Access makeAccess(const ArrayTouch &touch, const Reason *&reason);
  bool isAffineHere(Operation *op, ValueRange operands);
  bool isAffineIndex(Operation *op, Value index);
  bool checkCopied(Operation *op);
  bool checkAllCopied();
  bool fail(Operation *op, const Reason &reason) {
    if (!obstacle)
      obstacle = {op, &reason};
    return false;
  }

  std::unique_ptr<Scop> scop;
  Obstacle obstacle;
  SmallVector<Operation *> opsInOrder;
  llvm::DenseMap<Operation *, unsigned> position, endPosition;
  llvm::DenseMap<Operation *, Operation *> holder; // of ops in copied ops
  llvm::DenseMap<Operation *, SmallVector<ArrayTouch, 2>> touches;
  llvm::StringMap<Value> globals;
  llvm::DenseMap<Value, unsigned> arrayOf;  // memref -> array
  llvm::DenseMap<Value, unsigned> slotOf;   // value kept in a slot -> array
  std::vector<std::unique_ptr<Root>> roots; // stable addresses
  llvm::DenseMap<Operation *, SmallVector<Root *>> rootsAt; // by anchor
  llvm::DenseMap<Operation *, llvm::SmallSetVector<Root *, 4>> owners;
  unsigned numSlots = 0;
  SmallVector<unsigned> loopStack;
  SmallVector<Guard> guardStack;
  llvm::DenseMap<Value, unsigned> paramIndex;
  llvm::DenseMap<Operation *, bool> freeCache;
  llvm::DenseSet<Operation *> hoistedSet;
  llvm::DenseSet<Operation *> keptInPlace; // hoisted, and never copied
};

} // namespace mlir::nestor

#endif // NESTOR_LIB_ANALYSIS_SCOPBUILDER_H
