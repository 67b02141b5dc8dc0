//===- Obstacles.cpp - What no scop can hold, and what ops touch ----------===//
//
// Analysis room. Says of each op whether a scop can hold it: exactly (affine
// loops, conditions and accesses, ops without effects), or as a whole whose
// touches of memory are known.
//
//===----------------------------------------------------------------------===//
#include "Obstacles.h"
#include "nestor/Dialect/Nestor.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::nestor;
using affine::AffineForOp;
using affine::AffineIfOp;
using affine::AffineLoadOp;
using affine::AffineStoreOp;

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

std::string Reason::describe(Operation *op) const {
  StringRef rest = text;
  auto [before, after] = rest.split("{0}");
  if (before.size() == rest.size())
    return text;
  return (before + op->getName().getStringRef() + after).str();
}

std::string Reason::explain(Operation *op, Operation *nest,
                            StringRef detail) const {
  std::string result = describe(op);
  llvm::raw_string_ostream os(result);
  if (op != nest)
    if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
      os << " (line " << place.getLine() << ", column " << place.getColumn()
         << ")";
  if (!detail.empty())
    os << " (" << detail << ")";
  os << "; " << help << " [" << code << "]";
  return result;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool nestor::isControl(Operation *op) {
  auto guard = dyn_cast<AffineIfOp>(op);
  return isa<AffineForOp>(op) || (guard && guard.getNumResults() == 0);
}

bool nestor::isLoad(Operation *op) {
  return isa<AffineLoadOp, memref::LoadOp>(op);
}

bool nestor::isStore(Operation *op) {
  return isa<AffineStoreOp, memref::StoreOp>(op);
}

Value nestor::storedValue(Operation *store) {
  if (auto affineStore = dyn_cast<AffineStoreOp>(store))
    return affineStore.getValueToStore();
  return cast<memref::StoreOp>(store).getValueToStore();
}

/// The memref of an op that only loads or stores, also vectors; null for others
/// (affine ops do not have the effects interface).
static Value accessedMemRef(Operation *op) {
  if (auto read = dyn_cast<affine::AffineReadOpInterface>(op))
    return read.getMemRef();
  if (auto write = dyn_cast<affine::AffineWriteOpInterface>(op))
    return write.getMemRef();
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getMemRef();
  auto store = dyn_cast<memref::StoreOp>(op);
  return store ? store.getMemRef() : Value();
}

static bool isWrite(Operation *op) {
  return isa<affine::AffineWriteOpInterface, memref::StoreOp>(op);
}

/// The memref behind views that are made inside `op`.
static Value outsideOf(Operation *op, Value memref) {
  while (Operation *def = memref.getDefiningOp()) {
    if (!op->isProperAncestor(def))
      return memref;
    // A reinterpret_cast may reach cells that its source does not have.
    auto view = dyn_cast<ViewLikeOpInterface>(def);
    if (!view || isa<memref::ReinterpretCastOp>(def))
      return {};
    memref = view.getViewSource();
  }
  bool inside = op->isAncestor(memref.getParentBlock()->getParentOp());
  return inside ? Value() : memref;
}

SmallVector<Touch> nestor::touchesOf(Operation *op) {
  SmallVector<Touch> touches;
  auto add = [&](Operation *inner, Value memref, bool isWrite, bool isWhole) {
    Value outside = outsideOf(op, memref);
    touches.push_back({inner, outside, isWrite, isWhole || outside != memref});
  };
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (Value memref = accessedMemRef(inner))
      return add(inner, memref, isWrite(inner),
                 /*isWhole=*/!isLoad(inner) && !isStore(inner));
    auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
    SmallVector<MemoryEffects::EffectInstance> list;
    if (effects)
      effects.getEffects(list);
    for (MemoryEffects::EffectInstance &effect : list)
      add(inner, effect.getValue(),
          isa<MemoryEffects::Write>(effect.getEffect()), true);
  });
  return touches;
}

//===----------------------------------------------------------------------===//
// Obstacles
//===----------------------------------------------------------------------===//

/// Largest constant in bounds and subscripts: keeps trip counts and the sums of
/// generated bounds far from overflow.
static constexpr int64_t kMaxConstant = int64_t(1) << 31;

/// Deepest nest that is analysed; also bounds the recursion below.
static constexpr unsigned kMaxDepth = 16;

bool nestor::isSupportedExpr(AffineExpr expr) {
  bool supported = expr.isPureAffine();
  expr.walk([&](AffineExpr e) {
    if (auto constant = dyn_cast<AffineConstantExpr>(e))
      supported &= constant.getValue() <= kMaxConstant &&
                   constant.getValue() >= -kMaxConstant;
    auto binary = dyn_cast<AffineBinaryOpExpr>(e);
    if (binary && isDivision(e)) {
      auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      supported &= divisor && divisor.getValue() > 0;
    }
  });
  return supported;
}

static bool allSupported(ArrayRef<AffineExpr> exprs) {
  return llvm::all_of(exprs, isSupportedExpr);
}

static const Reason *memrefObstacle(Value memref) {
  auto type = dyn_cast_if_present<MemRefType>(memref.getType());
  if (!type)
    return &reasons::kEffects;
  Type element = type.getElementType();
  if (auto vector = dyn_cast<VectorType>(element);
      vector && !vector.isScalable())
    element = vector.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  if (!element.isIntOrIndexOrFloat())
    return &reasons::kElementType;
  return isInjective(type) ? nullptr : &reasons::kLayout;
}

static const Reason *forObstacle(AffineForOp loop) {
  if (!allSupported(loop.getLowerBoundMap().getResults()) ||
      !allSupported(loop.getUpperBoundMap().getResults()))
    return &reasons::kBound;
  return loop.getStepAsInt() > kMaxConstant ? &reasons::kStep : nullptr;
}

static const Reason *touchedObstacle(Value memref, Operation *holder) {
  Value outside = outsideOf(holder, memref);
  return outside ? memrefObstacle(outside) : &reasons::kMadeInside;
}

/// For an op with effects of its own, in `holder` or `holder` itself.
static const Reason *effectObstacle(Operation *op, Operation *holder) {
  if (isa<CallOpInterface>(op))
    return &reasons::kCall;
  if (Value memref = accessedMemRef(op))
    return touchedObstacle(memref, holder);
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return &reasons::kEffects;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (MemoryEffects::EffectInstance &effect : effects) {
    if (isa<MemoryEffects::Allocate, MemoryEffects::Free>(effect.getEffect()))
      return &reasons::kAllocation;
    Value memref = effect.getValue();
    // By type, not by address: each library has an instance of its own.
    bool isMemory = isa<SideEffects::DefaultResource>(effect.getResource()) &&
                    memref && isa<MemRefType>(memref.getType());
    if (!isMemory)
      return &reasons::kEffects;
    if (const Reason *reason = touchedObstacle(memref, holder))
      return reason;
  }
  return nullptr;
}

/// True if the blocks of a region of `op` may branch back to one another.
static bool mayLoop(Operation *op) {
  return llvm::any_of(op->getRegions(), [](Region &region) {
    if (region.empty() || region.hasOneBlock())
      return false;
    for (auto it = llvm::scc_begin(&region); !it.isAtEnd(); ++it)
      if (it.hasCycle())
        return true;
    return false;
  });
}

/// The reason why a scop cannot hold `op`, which is in the regions of `holder`
/// or is `holder` itself, an op that is copied as a whole.
static const Reason *copiedObstacle(Operation *op, Operation *holder) {
  if (op->hasAttr(kSkipAttrName))
    return &reasons::kLoopSkipped;
  if (op->hasAttr(kScheduledAttrName) || op->hasAttr(kFallbackAttrName))
    return &reasons::kScheduledInside;
  if (isa<scf::WhileOp>(op) || mayLoop(op))
    return &reasons::kMayNotEnd;
  bool onlyRegions = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
                     !isa<MemoryEffectOpInterface>(op);
  if (isMemoryEffectFree(op) || onlyRegions)
    return nullptr; // the walk sees the ops in its regions
  return effectObstacle(op, holder);
}

/// Looks into ops that are copied as a whole.
static Obstacle findInCopied(Operation *holder) {
  Obstacle obstacle;
  holder->walk<WalkOrder::PreOrder>([&](Operation *op) {
    const Reason *reason = copiedObstacle(op, holder);
    // Loops in it would never be scheduled.
    if (!reason && isa<AffineForOp>(op) && op != holder)
      return obstacle = {holder, &reasons::kHoldsLoops},
             WalkResult::interrupt();
    if (reason)
      obstacle = {op, reason};
    return reason ? WalkResult::interrupt() : WalkResult::advance();
  });
  return obstacle;
}

/// For an op that the scop takes apart: a loop, a condition, an access.
static const Reason *exactObstacle(Operation *op) {
  if (op->hasAttr(kSkipAttrName))
    return &reasons::kLoopSkipped;
  if (op->hasAttr(kScheduledAttrName) || op->hasAttr(kFallbackAttrName))
    return &reasons::kScheduledInside;
  if (auto loop = dyn_cast<AffineForOp>(op))
    return forObstacle(loop);
  if (auto guard = dyn_cast<AffineIfOp>(op))
    return allSupported(guard.getIntegerSet().getConstraints())
               ? nullptr
               : &reasons::kCondition;
  AffineMap map;
  if (auto load = dyn_cast<AffineLoadOp>(op))
    map = load.getAffineMap();
  else if (auto store = dyn_cast<AffineStoreOp>(op))
    map = store.getAffineMap();
  if (map && !allSupported(map.getResults()))
    return &reasons::kSubscript;
  return memrefObstacle(accessedMemRef(op));
}

static Obstacle findObstacle(Operation *op, unsigned depth) {
  if (depth > kMaxDepth)
    return {op, &reasons::kTooDeep};
  if (!isControl(op) && !isLoad(op) && !isStore(op))
    return findInCopied(op);
  if (const Reason *reason = exactObstacle(op))
    return {op, reason};
  if (!isControl(op))
    return {};
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block.without_terminator())
        if (Obstacle obstacle = findObstacle(&inner, depth + 1))
          return obstacle;
  return {};
}

Obstacle nestor::findObstacle(Operation *op) { return ::findObstacle(op, 0); }
