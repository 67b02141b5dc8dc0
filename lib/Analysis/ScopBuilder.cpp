//===- ScopBuilder.cpp - From a run of ops to a Scop ----------------------===//
//
// Analysis room. Builds loops, arrays, statements and slots of one run of ops.
//
// How values are cut into statements. Every store is the root of a statement;
// so is every write of a slot. A value that depends on memory belongs to the
// statements that use it as long as evaluating it *there* gives the same value:
//  - a load joins each of its users' statements if no write to its array lies
//    between the load and the statement's root on any path;
//  - an op on such values joins the one statement that uses it, in its block;
//  - otherwise the value becomes a slot: written where the op stood.
// Values that depend on induction variables and outside values only are
// evaluated again wherever they are used.
//
//===----------------------------------------------------------------------===//
#include "ScopBuilder.h"
#include "nestor/Analysis/FaultInjection.h"

#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::nestor;
using affine::AffineForOp;
using affine::AffineIfOp;
using affine::AffineLoadOp;
using affine::AffineStoreOp;

//===----------------------------------------------------------------------===//
// Builder
//===----------------------------------------------------------------------===//

namespace {
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
  void checkDead(Operation *op);
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
  bool emitFor(AffineForOp loop, std::vector<SourceItem> &items);
  bool emitIf(AffineIfOp guard, std::vector<SourceItem> &items);
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
  AffineExpr exprOf(Value value);

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
  SmallVector<unsigned> loopStack;
  SmallVector<Guard> guardStack;
  llvm::DenseMap<Value, unsigned> paramIndex;
  llvm::DenseMap<Operation *, bool> freeCache;
  llvm::DenseSet<Operation *> hoistedSet;
  llvm::DenseSet<Operation *> keptInPlace; // hoisted, and never copied
};
} // namespace

/// Operations, one behind another, of one expression, at most.
static constexpr unsigned kMaxExpression = 1000;

ScopBuilder::ScopBuilder(Operation *first, Operation *last)
    : scop(std::make_unique<Scop>()) {
  scop->block = first->getBlock();
  scop->first = first;
  scop->last = last;
  for (Operation *op = first;; op = op->getNextNode()) {
    numberOps(op);
    if (op == last)
      break;
  }
}

void ScopBuilder::numberOps(Operation *op) {
  position[op] = opsInOrder.size();
  opsInOrder.push_back(op);
  if (isControl(op))
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          numberOps(&inner);
  else
    op->walk([&](Operation *inner) {
      position[inner] = position[op];
      holder[inner] = op;
    });
  endPosition[op] = opsInOrder.size();
}

/// What is recursive over operands, here and in the rooms behind, goes as deep
/// as the longest chain of ops that use one another.
bool ScopBuilder::checkChains() {
  llvm::DenseMap<Operation *, unsigned> lengths;
  for (Operation *op : opsInOrder) {
    if (isControl(op))
      continue; // its results are slots
    unsigned longest = 0;
    op->walk([&](Operation *user) {
      for (Value operand : user->getOperands())
        longest = std::max(longest, lengths.lookup(operand.getDefiningOp()));
    });
    lengths[op] = longest + 1;
    if (longest >= kMaxExpression)
      return fail(op, reasons::kLongExpression);
  }
  return true;
}

/// The array of `memref`, which `op` touches; none, with the obstacle set, if
/// it is made in the nest.
std::optional<unsigned> ScopBuilder::arrayFor(Operation *op, Value memref) {
  Value key = sameCells(memref);
  // Globals are one array under every get_global of them.
  if (auto global = key.getDefiningOp<memref::GetGlobalOp>())
    key = globals.try_emplace(global.getName(), key).first->second;
  auto known = arrayOf.find(key);
  if (known != arrayOf.end())
    return known->second;
  if (isInside(memref) && !hoist(memref))
    memref = key; // a cast in the nest: of what?
  if (isInside(memref) && !hoist(memref)) {
    fail(op, reasons::kMadeInside);
    return std::nullopt;
  }
  auto type = cast<MemRefType>(memref.getType());
  Array array;
  array.memref = memref;
  array.elementType = type.getElementType();
  array.shape.assign(type.getShape().begin(), type.getShape().end());
  scop->arrays.push_back(std::move(array));
  return arrayOf[key] = scop->arrays.size() - 1;
}

/// Pairs of accesses and, each with all others, arrays of one scop, at most.
static constexpr uint64_t kMaxPairs = 40'000;
static constexpr unsigned kMaxArrays = 500;

bool ScopBuilder::collectArrays() {
  PairCounter counter;
  for (Operation *op : opsInOrder) {
    if (isControl(op))
      continue;
    for (const Touch &touch : touchesOf(op)) {
      auto array = arrayFor(touch.op, touch.memref);
      if (!array)
        return false;
      touches[op].push_back({touch, *array});
      if (counter.add(scop->arrays[*array].memref, touch.isWrite) > kMaxPairs ||
          counter.numArrays() > kMaxArrays)
        return fail(touch.op, reasons::kComplexDependences);
    }
  }
  return collectAliases();
}

bool ScopBuilder::collectAliases() {
  if (injectedFault() == Fault::Aliases)
    return true;
  llvm::SmallDenseSet<unsigned> written;
  llvm::DenseMap<unsigned, Operation *> firstTouch;
  for (Operation *op : opsInOrder)
    for (const ArrayTouch &touch : touches.lookup(op)) {
      if (touch.isWrite)
        written.insert(touch.array);
      firstTouch.try_emplace(touch.array, touch.op);
    }
  for (unsigned a = 0; a < scop->arrays.size(); ++a)
    for (unsigned b = a + 1; b < scop->arrays.size(); ++b) {
      if (!written.contains(a) && !written.contains(b))
        continue;
      Overlap overlap =
          overlapOf(scop->arrays[a].memref, scop->arrays[b].memref);
      switch (overlap) {
      case Overlap::Always:
        return fail(firstTouch[b], reasons::kViews);
      case Overlap::Ask:
      case Overlap::MustAsk:
        scop->mayAlias.push_back({a, b, overlap == Overlap::Ask});
        break;
      case Overlap::Never:
        break;
      }
    }
  return true;
}

/// True if the op around the scop may run its body in several threads at once,
/// which would share the memory of a slot.
static bool mayRunInParallel(Operation *around) {
  for (; !isa<func::FuncOp>(around); around = around->getParentOp())
    if (!isa<AffineForOp, AffineIfOp, scf::ForOp, scf::IfOp, scf::WhileOp,
             scf::ExecuteRegionOp, scf::IndexSwitchOp>(around))
      return true;
  return false;
}

unsigned ScopBuilder::newSlot(Value value, Operation *at) {
  if (mayRunInParallel(scop->block->getParentOp()))
    fail(at, reasons::kInParallel);
  if (!BaseMemRefType::isValidElementType(value.getType()))
    fail(at, reasons::kNotInMemory);
  Array array;
  array.elementType = value.getType();
  scop->arrays.push_back(std::move(array));
  return scop->arrays.size() - 1;
}

//===----------------------------------------------------------------------===//
// Cutting values into statements
//===----------------------------------------------------------------------===//

/// Roots that exist whatever the values do: stores and loop-carried values.
void ScopBuilder::createStoreAndLoopRoots() {
  auto add = [&](Root root) {
    roots.push_back(std::make_unique<Root>(root));
    rootsAt[root.anchor].push_back(roots.back().get());
  };
  for (Operation *op : opsInOrder) {
    if (isAffineStore(op))
      add({Root::Kind::Store, op, op->getBlock(), position[op],
           storedValue(op)});
    else if (!isControl(op) && writesMemory(op))
      makeEffectRoot(op);
    auto loop = dyn_cast<AffineForOp>(op);
    if (!loop || loop.getNumResults() == 0)
      continue;
    // All yielded values are read before any of the slots changes: with
    // several, they go through temporaries.
    bool needTemps = loop.getNumResults() > 1;
    auto yield = cast<affine::AffineYieldOp>(loop.getBody()->getTerminator());
    SmallVector<unsigned> slots, temps;
    for (Value result : loop.getResults()) {
      slots.push_back(newSlot(result, op));
      slotOf[result] = slots.back();
    }
    for (unsigned i = 0; i < slots.size(); ++i) {
      slotOf[loop.getRegionIterArgs()[i]] = slots[i];
      add({Root::Kind::Init, op, op->getBlock(), position[op],
           loop.getInits()[i], slots[i], i});
    }
    unsigned end = position[yield];
    for (unsigned i = 0; needTemps && i < slots.size(); ++i) {
      Value value = yield.getOperand(i);
      temps.push_back(newSlot(value, op));
      add({Root::Kind::YieldTemp, op, loop.getBody(), end, value, temps[i], i});
    }
    for (unsigned i = 0; i < slots.size(); ++i)
      add({Root::Kind::Yield, op, loop.getBody(), end, yield.getOperand(i),
           slots[i], i,
           needTemps ? std::optional<unsigned>(temps[i]) : std::nullopt});
  }
}

/// True if `op` can be evaluated anywhere: it is pure and what it uses is
/// induction variables, values from outside, or free itself.
bool ScopBuilder::isFree(Operation *op) {
  if (auto it = freeCache.find(op); it != freeCache.end())
    return it->second;
  bool free = isPure(op) && op->getNumRegions() == 0 &&
              llvm::all_of(op->getOperands(), [&](Value operand) {
                if (slotOf.count(operand))
                  return false;
                Operation *def = operand.getDefiningOp();
                return !def || !isInside(def) || isFree(def);
              });
  return freeCache[op] = free;
}

/// Puts the op that defines `value` in front of the scop, where it gives the
/// same value: a pure op between the nests of the run that uses none of their
/// results.
bool ScopBuilder::hoist(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != scop->block || !isFree(op))
    return false;
  if (!hoistedSet.insert(op).second)
    return true;
  scop->hoisted.push_back(op);
  for (Value operand : op->getOperands())
    if (isInside(operand))
      hoist(operand);
  return true;
}

/// True if evaluating `op`, which reads memory, at `root` gives the value that
/// it has where it is: no write to what it reads in between, on any path.
bool ScopBuilder::canJoin(Operation *op, const Root &root) const {
  if (injectedFault() == Fault::Slots)
    return true;
  unsigned from = position.lookup(op), to = root.position;
  // Loops around the root that do not hold the op run their whole body between
  // the op and later instances of the root.
  for (Operation *up = root.block->getParentOp(); isInside(up);
       up = up->getParentOp()) {
    if (up->isProperAncestor(op))
      break;
    if (isa<AffineForOp>(up))
      to = endPosition.lookup(up);
  }
  auto reads = touches.find(op);
  if (reads == touches.end())
    return true;
  auto isRead = [&](const ArrayTouch &write) {
    return write.isWrite &&
           llvm::any_of(reads->second, [&](const ArrayTouch &read) {
             return read.array == write.array;
           });
  };
  for (unsigned p = from; p < to; ++p)
    if (auto it = touches.find(opsInOrder[p]);
        it != touches.end() && llvm::any_of(it->second, isRead))
      return false;
  return true;
}

void ScopBuilder::makeSlotRoot(Operation *op) {
  Value value = op->getResult(0);
  unsigned slot = newSlot(value, op);
  slotOf[value] = slot;
  roots.push_back(std::make_unique<Root>(
      Root{Root::Kind::Slot, op, op->getBlock(), position[op], value, slot}));
  rootsAt[op].push_back(roots.back().get());
  owners[op].insert(roots.back().get());
}

/// An op that is copied as a whole, once for each instance, and writes memory
/// or several results: a statement of its own, its results in slots.
void ScopBuilder::makeEffectRoot(Operation *op) {
  for (Value result : op->getResults())
    if (!result.use_empty())
      slotOf[result] = newSlot(result, op);
  roots.push_back(std::make_unique<Root>(
      Root{Root::Kind::Effect, op, op->getBlock(), position[op], Value()}));
  rootsAt[op].push_back(roots.back().get());
  owners[op].insert(roots.back().get());
}

/// The root that stores or keeps the value of this use; null for uses by other
/// ops, subscripts, bounds and conditions.
Root *ScopBuilder::rootOfUse(OpOperand &use) {
  Operation *user = use.getOwner();
  auto pick = [&](Operation *anchor, auto matches) -> Root * {
    for (Root *root : rootsAt.lookup(anchor))
      if (matches(*root))
        return root;
    return nullptr;
  };
  if (isAffineStore(user))
    return use.getOperandNumber() == 0 ? pick(user, [](Root &) { return true; })
                                       : nullptr;
  if (auto loop = dyn_cast<AffineForOp>(user))
    return pick(loop, [&](Root &root) {
      return root.kind == Root::Kind::Init &&
             root.number + loop.getNumControlOperands() ==
                 use.getOperandNumber();
    });
  if (isa<affine::AffineYieldOp>(user)) {
    Operation *loop = user->getParentOp();
    auto first =
        loop->getNumResults() > 1 ? Root::Kind::YieldTemp : Root::Kind::Yield;
    return pick(loop, [&](Root &root) {
      return root.kind == first && root.number == use.getOperandNumber();
    });
  }
  return nullptr;
}

/// No statement holds a dead load, but the fallback does: a value of the run's
/// own block that is a symbol there is none in the branch of a condition.
void ScopBuilder::checkDead(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (isa<AffineLoadOp>(op) && operand.getType().isIndex() && def &&
        def->getBlock() == scop->block && isInside(def) && !hoist(operand))
      fail(op, reasons::kComputedInNest);
  }
}

/// Decides which statements evaluate `op`.
void ScopBuilder::assignOwner(Operation *op) {
  llvm::SmallSetVector<Root *, 4> users;
  bool liveOut = false;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    // An op that is copied as a whole uses what its regions use.
    if (auto it = holder.find(user); it != holder.end())
      user = it->second;
    liveOut |= !isInside(user) || hoistedSet.contains(user);
    if (Root *root = user == use.getOwner() ? rootOfUse(use) : nullptr)
      users.insert(root);
    if (auto it = owners.find(user); it != owners.end())
      users.insert(it->second.begin(), it->second.end());
  }
  if (isFree(op)) {
    owners[op] = users;
    if (liveOut && hoistedSet.insert(op).second)
      scop->hoisted.push_back(op);
    return;
  }
  if (users.empty() && !liveOut) {
    checkDead(op);
    return;
  }
  bool joins = !liveOut && llvm::all_of(users, [&](Root *root) {
    return canJoin(op, *root);
  });
  if (!isLoad(op))
    joins &= users.size() == 1 && users[0]->block == op->getBlock();
  if (joins)
    owners[op] = users;
  else if (op->getNumResults() == 1)
    makeSlotRoot(op);
  else
    makeEffectRoot(op);
}

void ScopBuilder::assignOwners() {
  // Users come after definitions in preorder (loop-carried values are slots).
  for (Operation *op : llvm::reverse(opsInOrder)) {
    if (isControl(op) || writesMemory(op) || isa<affine::AffineYieldOp>(op))
      continue;
    if (op->getNumResults())
      assignOwner(op);
    if (obstacle)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Affine maps over loops and parameters
//===----------------------------------------------------------------------===//

/// Puts `value` as an expression over loops around (dims) and parameters
/// (symbols). Null if it is computed inside the scop.
AffineExpr ScopBuilder::exprOf(Value value) {
  MLIRContext *ctx = scop->getContext();
  for (auto [depth, loop] : llvm::enumerate(loopStack))
    if (scop->loops[loop].op.getInductionVar() == value)
      return getAffineDimExpr(depth, ctx);
  if (isInside(value) && !hoist(value))
    return {};
  auto [it, isNew] = paramIndex.try_emplace(value, scop->params.size());
  if (isNew)
    scop->params.push_back(value);
  return getAffineSymbolExpr(it->second, ctx);
}

/// True if `values` are short when they are written out: MLIR follows all that
/// feeds an index, once for each use of it.
static bool isShort(ValueRange values, Region *scope) {
  SmallVector<Value> worklist(values);
  for (unsigned steps = 0; !worklist.empty(); ++steps) {
    if (steps > kMaxExpression)
      return false;
    Value value = worklist.pop_back_val();
    Operation *op = value.getDefiningOp();
    bool isFollowed =
        isa_and_nonnull<affine::AffineApplyOp>(op) ||
        (op && isPure(op) && !affine::isTopLevelValue(value, scope));
    if (isFollowed)
      llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

/// Rewrites `map` over the loops around (dims) and parameters (symbols). Null,
/// with the reason, if that cannot be done.
AffineMap ScopBuilder::tryTranslate(AffineMap map, ValueRange operands,
                                    const Reason *&reason) {
  if (!isShort(operands, affine::getAffineScope(scop->first))) {
    reason = &reasons::kLongExpression;
    return {};
  }
  SmallVector<Value> values(operands);
  affine::fullyComposeAffineMapAndOperands(&map, &values);
  affine::canonicalizeMapAndOperands(&map, &values);
  if (!llvm::all_of(map.getResults(), isSupportedExpr)) {
    reason = &reasons::kSubscript;
    return {};
  }
  SmallVector<AffineExpr> dims, symbols;
  for (auto [i, value] : llvm::enumerate(values)) {
    AffineExpr expr = exprOf(value);
    if (!expr) {
      reason = &reasons::kComputedInNest;
      return {};
    }
    (i < map.getNumDims() ? dims : symbols).push_back(expr);
  }
  return map.replaceDimsAndSymbols(dims, symbols, loopStack.size(),
                                   scop->params.size());
}

AffineMap ScopBuilder::translate(AffineMap map, ValueRange operands,
                                 Operation *user) {
  const Reason *reason = nullptr;
  AffineMap result = tryTranslate(map, operands, reason);
  if (!result)
    fail(user, *reason);
  return result;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Index arithmetic of other dialects as an affine expression over `operands`.
static AffineExpr indexExpr(Value value, SmallVectorImpl<Value> &operands,
                            unsigned depth = 0) {
  static constexpr unsigned kMaxDepth = 16;
  MLIRContext *ctx = value.getContext();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), ctx);
  Operation *op = depth < kMaxDepth ? value.getDefiningOp() : nullptr;
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
    AffineExpr lhs = indexExpr(op->getOperand(0), operands, depth + 1);
    AffineExpr rhs = indexExpr(op->getOperand(1), operands, depth + 1);
    if (isa<arith::AddIOp>(op))
      return lhs + rhs;
    if (isa<arith::SubIOp>(op))
      return lhs - rhs;
    if (lhs.isSymbolicOrConstant() || rhs.isSymbolicOrConstant())
      return lhs * rhs;
  }
  operands.push_back(value);
  return getAffineDimExpr(operands.size() - 1, ctx);
}

/// The subscripts of a load or store as written, one map a dimension.
static void subscriptsOf(Operation *op, SmallVectorImpl<AffineMap> &maps,
                         SmallVectorImpl<SmallVector<Value>> &operands) {
  auto fill = [&](auto access) {
    AffineMap map = access.getAffineMap();
    for (unsigned d = 0; d < map.getNumResults(); ++d) {
      maps.push_back(map.getSubMap({d}));
      operands.emplace_back(access.getMapOperands());
    }
  };
  if (auto load = dyn_cast<AffineLoadOp>(op))
    return fill(load);
  if (auto store = dyn_cast<AffineStoreOp>(op))
    return fill(store);
  auto load = dyn_cast<memref::LoadOp>(op);
  for (Value index :
       load ? load.getIndices() : cast<memref::StoreOp>(op).getIndices()) {
    operands.emplace_back();
    AffineExpr expr = indexExpr(index, operands.back());
    maps.push_back(AffineMap::get(operands.back().size(), 0, expr));
  }
}

/// The access of a touch. What is not affine becomes unknown, for `reason`.
Access ScopBuilder::makeAccess(const ArrayTouch &touch, const Reason *&reason) {
  MLIRContext *ctx = scop->getContext();
  Access access;
  access.op = touch.op;
  access.array = touch.array;
  access.isWrite = touch.isWrite;
  SmallVector<AffineExpr> exprs(scop->arrays[touch.array].shape.size(),
                                getAffineConstantExpr(0, ctx));
  access.unknown.assign(exprs.size(), touch.isWhole);
  SmallVector<AffineMap> maps;
  SmallVector<SmallVector<Value>> operands;
  if (!touch.isWhole)
    subscriptsOf(touch.op, maps, operands);
  for (unsigned d = 0; d < maps.size(); ++d) {
    AffineMap map = tryTranslate(maps[d], operands[d], reason);
    bool known = map && isAffineHere(touch.op, operands[d]);
    access.unknown[d] = !known;
    if (known)
      exprs[d] = map.getResult(0);
  }
  access.map =
      AffineMap::get(loopStack.size(), scop->params.size(), exprs, ctx);
  if (access.isExact())
    access.unknown.clear();
  return access;
}

/// True if affine ops in the place of the scop may use `operands`, which `op`
/// has, as dims or symbols.
bool ScopBuilder::isAffineHere(Operation *op, ValueRange operands) {
  if (isa<AffineLoadOp, AffineStoreOp>(op))
    return true;
  Region *region = affine::getAffineScope(scop->first);
  return llvm::all_of(operands, [&](Value value) {
    return affine::isValidDim(value, region) ||
           affine::isValidSymbol(value, region);
  });
}

bool ScopBuilder::writesMemory(Operation *op) const {
  auto it = touches.find(op);
  return it != touches.end() &&
         llvm::any_of(it->second,
                      [](const ArrayTouch &t) { return t.isWrite; });
}

/// True for stores that affine.store can express.
bool ScopBuilder::isAffineStore(Operation *op) {
  if (isa<AffineStoreOp>(op))
    return true;
  auto store = dyn_cast<memref::StoreOp>(op);
  if (!store || store.getNontemporal())
    return false;
  return llvm::all_of(store.getIndices(),
                      [&](Value index) { return isAffineIndex(op, index); });
}

/// True if `index`, a subscript of `op`, is affine in the loops around and in
/// values from outside.
bool ScopBuilder::isAffineIndex(Operation *op, Value index) {
  SmallVector<Value> operands;
  AffineExpr expr = indexExpr(index, operands);
  if (!isShort(operands, affine::getAffineScope(scop->first)))
    return false;
  AffineMap map = AffineMap::get(operands.size(), 0, expr);
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  auto isKnown = [&](Value value) {
    auto loop = affine::getForInductionVarOwner(value);
    return (loop && isInside(loop)) || !isInside(value) || hoist(value);
  };
  return isSupportedExpr(map.getResult(0)) && llvm::all_of(operands, isKnown) &&
         isAffineHere(op, operands);
}

/// Affine ops that are copied keep their operands, which must stay valid dims
/// and symbols: values from outside stay where they are, others are not known.
bool ScopBuilder::checkCopied(Operation *op) {
  op->walk([&](Operation *inner) {
    if (!isa_and_nonnull<affine::AffineDialect>(inner->getDialect()) ||
        isa<affine::AffineYieldOp>(inner))
      return;
    for (Value operand : inner->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!operand.getType().isIndex() || (def && op->isAncestor(def)))
        continue;
      if (def && isInside(def) && hoist(operand))
        keptInPlace.insert(def);
      else if (slotOf.count(operand) || (def && isInside(def) && !isFree(def)))
        fail(inner, reasons::kComputedInNest);
    }
  });
  return !obstacle;
}

bool ScopBuilder::checkAllCopied() {
  return llvm::all_of(opsInOrder, [&](Operation *op) {
    bool isCopied = !isControl(op) && !isLoad(op) && !isStore(op) &&
                    (op->getNumRegions() || touches.count(op));
    return !isCopied || checkCopied(op);
  });
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Adds to `stmt` what `op` uses and reads, and the op.
bool ScopBuilder::collectOp(Operation *op, const Root &root, Statement &stmt,
                            llvm::SetVector<Operation *> &ops) {
  llvm::SetVector<Value> used;
  // Subscripts that affine ops express are no values.
  bool isExactLoad = isLoad(op);
  SmallVector<Access> accesses;
  for (const ArrayTouch &touch : touches.lookup(op)) {
    const Reason *reason = nullptr;
    Access access = makeAccess(touch, reason);
    bool mustBeAffine = isa<AffineLoadOp, AffineStoreOp>(op);
    if (mustBeAffine && !access.isExact())
      return fail(op, *reason);
    isExactLoad &= access.isExact();
    bool known = llvm::any_of(accesses, [&](const Access &other) {
      return other.array == access.array && other.map == access.map &&
             other.unknown == access.unknown && other.isWrite == access.isWrite;
    });
    if (!known || isExactLoad)
      accesses.push_back(access);
  }
  for (Access &access : accesses)
    if (!access.isWrite)
      stmt.reads.push_back(access);
    else if (root.anchor == op)
      stmt.moreWrites.push_back(access);
  if (!isExactLoad) {
    used.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
  }
  for (Value value : used)
    if (!collectFeeding(value, root, stmt, ops))
      return false;
  ops.insert(op);
  return true;
}

/// Adds to `stmt` the ops and reads that compute `value`.
bool ScopBuilder::collectFeeding(Value value, const Root &root, Statement &stmt,
                                 llvm::SetVector<Operation *> &ops) {
  auto slot = slotOf.find(value);
  bool ownValue = root.kind == Root::Kind::Slot && value == root.written;
  if (slot != slotOf.end() && !ownValue) {
    for (Access &read : stmt.reads)
      if (read.slotValue == value)
        return true;
    Access read;
    read.array = slot->second;
    read.slotValue = value;
    read.map = slotMap();
    stmt.reads.push_back(read);
    return true;
  }
  Operation *def = value.getDefiningOp();
  if (!def || !isInside(def) || ops.contains(def) || keptInPlace.contains(def))
    return true;
  return collectOp(def, root, stmt, ops);
}

/// The writes of an op that is copied: memory, and results in slots.
bool ScopBuilder::collectEffect(Operation *op, Root &root, Statement &stmt,
                                llvm::SetVector<Operation *> &ops) {
  if (!collectOp(op, root, stmt, ops))
    return false;
  stmt.effect = op;
  if (isStore(op))
    stmt.written = storedValue(op);
  for (Value result : op->getResults()) {
    auto slot = slotOf.find(result);
    if (slot == slotOf.end())
      continue;
    Access write;
    write.array = slot->second;
    write.isWrite = true;
    write.slotValue = result;
    write.map = slotMap();
    stmt.moreWrites.push_back(write);
  }
  stmt.write = stmt.moreWrites.front();
  stmt.moreWrites.erase(stmt.moreWrites.begin());
  return true;
}

bool ScopBuilder::collectStore(Operation *op, Statement &stmt) {
  const Reason *reason = nullptr;
  stmt.write = makeAccess(touches[op].front(), reason);
  return stmt.write.isExact() ||
         fail(op, reason ? *reason : reasons::kComputedInNest);
}

bool ScopBuilder::emitRoot(Root &root, std::vector<SourceItem> &items) {
  Location loc = root.kind == Root::Kind::Slot ? root.written.getLoc()
                                               : root.anchor->getLoc();
  Statement stmt(loc);
  stmt.loops = loopStack;
  stmt.guards = guardStack;
  stmt.written = root.written;
  llvm::SetVector<Operation *> ops;
  if (root.copyFrom) {
    Access read;
    read.array = *root.copyFrom;
    read.slotValue = root.written;
    read.map = slotMap();
    stmt.reads.push_back(read);
  } else if (root.kind == Root::Kind::Effect
                 ? !collectEffect(root.anchor, root, stmt, ops)
                 : !collectFeeding(root.written, root, stmt, ops)) {
    return false;
  }
  stmt.ops.assign(ops.begin(), ops.end());
  llvm::sort(stmt.ops, [&](Operation *a, Operation *b) {
    return position[a] < position[b];
  });
  if (root.kind == Root::Kind::Store) {
    if (!collectStore(root.anchor, stmt))
      return false;
  } else if (root.kind != Root::Kind::Effect) {
    stmt.write.array = root.slot;
    stmt.write.slotValue = root.written;
    stmt.write.map = slotMap();
  }
  stmt.write.isWrite = true;
  detectReduction(stmt);
  SourceItem item;
  item.index = scop->statements.size();
  items.push_back(item);
  scop->statements.push_back(std::move(stmt));
  return true;
}

/// cell = op(cell, other) with one associative and commutative op.
void ScopBuilder::detectReduction(Statement &stmt) {
  Operation *op =
      stmt.written && !stmt.effect ? stmt.written.getDefiningOp() : nullptr;
  if (!op || !llvm::is_contained(stmt.ops, op) || stmt.write.slotValue ||
      !isa<arith::AddFOp, arith::MulFOp, arith::AddIOp, arith::MulIOp,
           arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp,
           arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp,
           arith::XOrIOp>(op))
    return;
  unsigned ownReads = 0;
  for (Access &read : stmt.reads)
    ownReads += read.array == stmt.write.array;
  if (ownReads != 1)
    return;
  for (Value operand : op->getOperands()) {
    Operation *load = operand.getDefiningOp();
    if (!load || !isLoad(load) || !load->hasOneUse())
      continue;
    for (Access &read : stmt.reads)
      if (read.op == load && read.isExact() && read.array == stmt.write.array &&
          read.map.getResults() == stmt.write.map.getResults()) {
        stmt.isReduction = true;
        stmt.reductionOp = op;
      }
  }
}

bool ScopBuilder::emitFor(AffineForOp loop, std::vector<SourceItem> &items) {
  for (Root *root : rootsAt.lookup(loop))
    if (root->kind == Root::Kind::Init && !emitRoot(*root, items))
      return false;
  SourceLoop source;
  source.op = loop;
  source.parent = loopStack.empty() ? -1 : int(loopStack.back());
  source.depth = loopStack.size();
  source.step = loop.getStepAsInt();
  source.lowerBound =
      translate(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), loop);
  if (source.lowerBound)
    source.upperBound =
        translate(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), loop);
  if (!source.lowerBound || !source.upperBound)
    return false;
  SourceItem item;
  item.isLoop = true;
  item.index = scop->loops.size();
  scop->loops.push_back(source);
  loopStack.push_back(item.index);
  bool ok = emitBlock(*loop.getBody(), item.children);
  for (Root *root : rootsAt.lookup(loop))
    if (ok && root->kind == Root::Kind::YieldTemp)
      ok = emitRoot(*root, item.children);
  for (Root *root : rootsAt.lookup(loop))
    if (ok && root->kind == Root::Kind::Yield)
      ok = emitRoot(*root, item.children);
  loopStack.pop_back();
  items.push_back(std::move(item));
  return ok;
}

bool ScopBuilder::emitIf(AffineIfOp guard, std::vector<SourceItem> &items) {
  // Translate the constraints as if they were a map's results.
  IntegerSet set = guard.getIntegerSet();
  AffineMap map = AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                                 set.getConstraints(), scop->getContext());
  map = translate(map, guard.getOperands(), guard);
  if (!map)
    return false;
  IntegerSet translated = IntegerSet::get(map.getNumDims(), map.getNumSymbols(),
                                          map.getResults(), set.getEqFlags());
  if (injectedFault() == Fault::Guards)
    translated = IntegerSet::get(map.getNumDims(), map.getNumSymbols(),
                                 getAffineConstantExpr(0, scop->getContext()),
                                 /*eqFlags=*/true);
  guardStack.push_back({translated, false});
  bool ok = emitBlock(*guard.getThenBlock(), items);
  if (ok && guard.hasElse()) {
    guardStack.back().negated = true;
    ok = emitBlock(*guard.getElseBlock(), items);
  }
  guardStack.pop_back();
  return ok;
}

bool ScopBuilder::emitBlock(Block &block, std::vector<SourceItem> &items) {
  auto emitOp = [&](Operation *op) {
    if (auto loop = dyn_cast<AffineForOp>(op))
      return emitFor(loop, items);
    if (isControl(op))
      return emitIf(cast<AffineIfOp>(op), items);
    for (Root *root : rootsAt.lookup(op))
      if (!emitRoot(*root, items))
        return false;
    return true;
  };
  if (&block != scop->block)
    return llvm::all_of(llvm::make_pointer_range(block), emitOp);
  for (Operation *op = scop->first;; op = op->getNextNode()) {
    if (!emitOp(op))
      return false;
    if (op == scop->last)
      return true;
  }
}

/// Values of the scop's block that later ops use.
void ScopBuilder::collectLiveOuts() {
  for (Operation *op : opsInOrder) {
    if (op->getBlock() != scop->block)
      continue;
    for (Value result : op->getResults()) {
      bool used = llvm::any_of(
          result.getUsers(), [&](Operation *user) { return !isInside(user); });
      auto slot = slotOf.find(result);
      if (!used || slot == slotOf.end())
        continue;
      scop->arrays[slot->second].liveOut = true;
      scop->liveOuts.push_back({result, slot->second});
    }
  }
}

/// Parameters are found one by one; in the end every map has all of them.
void ScopBuilder::unifySymbols() {
  unsigned numSymbols = scop->params.size();
  auto unify = [&](AffineMap &map) {
    map = AffineMap::get(map.getNumDims(), numSymbols, map.getResults(),
                         scop->getContext());
  };
  for (SourceLoop &loop : scop->loops) {
    unify(loop.lowerBound);
    unify(loop.upperBound);
  }
  for (Statement &stmt : scop->statements) {
    unify(stmt.write.map);
    for (Access &write : stmt.moreWrites)
      unify(write.map);
    for (Access &read : stmt.reads)
      unify(read.map);
    for (Guard &guard : stmt.guards)
      guard.set =
          IntegerSet::get(guard.set.getNumDims(), numSymbols,
                          guard.set.getConstraints(), guard.set.getEqFlags());
  }
}

std::unique_ptr<Scop> ScopBuilder::build(Obstacle &result) {
  bool ok = checkChains() && collectArrays();
  if (ok) {
    createStoreAndLoopRoots();
    if (!obstacle)
      assignOwners();
    ok = !obstacle && checkAllCopied() && emitBlock(*scop->block, scop->order);
  }
  if (ok) {
    llvm::sort(scop->hoisted, [&](Operation *a, Operation *b) {
      return position[a] < position[b];
    });
    unifySymbols();
    collectLiveOuts();
  }
  if (ok && scop->statements.empty())
    ok = fail(scop->first, reasons::kDoesNothing);
  result = obstacle;
  return ok ? std::move(scop) : nullptr;
}

std::unique_ptr<Scop> nestor::buildScop(Operation *first, Operation *last,
                                        Obstacle &obstacle) {
  return ScopBuilder(first, last).build(obstacle);
}
