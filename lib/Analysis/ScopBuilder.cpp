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
#include "nestor/Dialect/Nestor.h"

#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nestor;
using affine::AffineForOp;
using affine::AffineIfOp;
using affine::AffineLoadOp;
using affine::AffineStoreOp;

//===----------------------------------------------------------------------===//
// Obstacles
//===----------------------------------------------------------------------===//

/// Largest constant in bounds and subscripts: keeps trip counts and the sums of
/// generated bounds far from overflow.
static constexpr int64_t kMaxConstant = int64_t(1) << 31;

/// Deepest nest that is analysed; also bounds the recursion below.
static constexpr unsigned kMaxDepth = 32;

static bool isSupportedExpr(AffineExpr expr) {
  bool supported = expr.isPureAffine();
  expr.walk([&](AffineExpr e) {
    if (auto constant = dyn_cast<AffineConstantExpr>(e))
      supported &= constant.getValue() <= kMaxConstant &&
                   constant.getValue() >= -kMaxConstant;
    auto binary = dyn_cast<AffineBinaryOpExpr>(e);
    bool divides = e.getKind() == AffineExprKind::Mod ||
                   e.getKind() == AffineExprKind::FloorDiv ||
                   e.getKind() == AffineExprKind::CeilDiv;
    if (binary && divides) {
      auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      supported &= divisor && divisor.getValue() > 0;
    }
  });
  return supported;
}

template <typename MapOrSet> static bool allSupported(const MapOrSet &exprs) {
  return llvm::all_of(exprs, isSupportedExpr);
}

static std::string memrefObstacle(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  Type element = type.getElementType();
  if (auto vector = dyn_cast<VectorType>(element);
      vector && !vector.isScalable())
    element = vector.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  if (!element.isIntOrIndexOrFloat())
    return "the memref's elements are no numbers of a fixed size";
  if (!type.getLayout().isIdentity())
    return "the memref has a layout; only contiguous row-major memrefs are "
           "analysed (normalize it with -normalize-memrefs)";
  return "";
}

static std::string forObstacle(AffineForOp loop) {
  if (!allSupported(loop.getLowerBoundMap().getResults()) ||
      !allSupported(loop.getUpperBoundMap().getResults()))
    return "a loop bound is semi-affine or larger than 2^31";
  if (loop.getStepAsInt() > kMaxConstant)
    return "the loop's step is larger than 2^31";
  return "";
}

/// The reason why `op` itself (not its body) cannot be analysed, or "".
static std::string opObstacle(Operation *op) {
  if (op->hasAttr(kSkipAttrName))
    return "the loop is marked nestor.skip";
  if (auto loop = dyn_cast<AffineForOp>(op))
    return forObstacle(loop);
  if (auto guard = dyn_cast<AffineIfOp>(op)) {
    if (guard.getNumResults())
      return "affine.if with results is not analysed yet; store in its "
             "branches "
             "instead";
    return allSupported(guard.getIntegerSet().getConstraints())
               ? ""
               : "the condition is semi-affine";
  }
  if (auto load = dyn_cast<AffineLoadOp>(op))
    return allSupported(load.getAffineMap().getResults())
               ? memrefObstacle(load.getMemRef())
               : "a subscript is semi-affine";
  if (auto store = dyn_cast<AffineStoreOp>(op))
    return allSupported(store.getAffineMap().getResults())
               ? memrefObstacle(store.getMemRef())
               : "a subscript is semi-affine";
  if (isa<affine::AffineYieldOp>(op))
    return "";
  if (op->getNumRegions() == 0 && isMemoryEffectFree(op))
    return "";
  return "'" + op->getName().getStringRef().str() +
         "' has effects that are not analysed";
}

static Obstacle findObstacle(Operation *op, unsigned depth) {
  if (depth > kMaxDepth)
    return {op, "the nest is deeper than 32 loops"};
  std::string reason = opObstacle(op);
  if (!reason.empty())
    return {op, reason};
  if (!isa<AffineForOp, AffineIfOp>(op))
    return {};
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        if (Obstacle obstacle = findObstacle(&inner, depth + 1))
          return obstacle;
  return {};
}

Obstacle nestor::findObstacle(Operation *op) { return ::findObstacle(op, 0); }

//===----------------------------------------------------------------------===//
// Builder
//===----------------------------------------------------------------------===//

namespace {
/// A statement in the making: where it writes, and which value.
struct Root {
  enum class Kind { Store, Slot, Init, YieldTemp, Yield };
  Kind kind;
  Operation *anchor; ///< the store, the op whose result is kept, or the loop
  Block *block;      ///< the block that it runs in
  unsigned position; ///< preorder position of the write
  Value written;
  unsigned slot = 0;   ///< array number, unless a store
  unsigned number = 0; ///< of the loop-carried value
  /// Yields of several values copy from a temporary slot instead of evaluating.
  std::optional<unsigned> copyFrom = std::nullopt;
};

class ScopBuilder {
public:
  ScopBuilder(Operation *first, Operation *last);
  std::unique_ptr<Scop> build(Obstacle &obstacle);

private:
  // Numbering and arrays.
  void numberOps(Operation *op);
  bool collectArrays();
  bool collectAliases();
  unsigned newSlot(Value value);

  // Cutting values into statements.
  void createStoreAndLoopRoots();
  void assignOwners();
  bool assignOwner(Operation *op);
  bool canJoin(Operation *load, const Root &root) const;
  bool isFree(Operation *op);
  Root *rootOfUse(OpOperand &use) const;
  void makeSlotRoot(Operation *op);
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
  bool makeAccess(Operation *op, Access &access);
  void detectReduction(Statement &stmt);
  void collectLiveOuts();
  void unifySymbols();
  AffineMap slotMap() const {
    return AffineMap::get(loopStack.size(), scop->params.size(),
                          scop->getContext());
  }

  // Affine maps over loops and parameters.
  AffineMap translate(AffineMap map, ValueRange operands, Operation *user);
  bool fail(Operation *op, const Twine &reason) {
    if (!obstacle)
      obstacle = {op, reason.str()};
    return false;
  }

  std::unique_ptr<Scop> scop;
  Obstacle obstacle;
  SmallVector<Operation *> opsInOrder;
  llvm::DenseMap<Operation *, unsigned> position, endPosition;
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
};
} // namespace

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
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        numberOps(&inner);
  endPosition[op] = opsInOrder.size();
}

static Value accessedMemRef(Operation *op) {
  if (auto load = dyn_cast<AffineLoadOp>(op))
    return load.getMemRef();
  if (auto store = dyn_cast<AffineStoreOp>(op))
    return store.getMemRef();
  return {};
}

bool ScopBuilder::collectArrays() {
  for (Operation *op : opsInOrder) {
    Value memref = accessedMemRef(op);
    if (!memref || arrayOf.count(memref))
      continue;
    if (isInside(memref) && !hoist(memref))
      return fail(op, "a memref is made inside the nest");
    auto type = cast<MemRefType>(memref.getType());
    arrayOf[memref] = scop->arrays.size();
    Array array;
    array.memref = memref;
    array.elementType = type.getElementType();
    array.shape.assign(type.getShape().begin(), type.getShape().end());
    scop->arrays.push_back(std::move(array));
  }
  return collectAliases();
}

/// The buffer behind views of it.
static Value baseOf(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// True if two different buffers cannot overlap.
static bool knownApart(Value a, Value b) {
  auto isFresh = [](Value v) {
    return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
        v.getDefiningOp());
  };
  auto isGlobal = [](Value v) {
    return isa_and_nonnull<memref::GetGlobalOp>(v.getDefiningOp());
  };
  auto isFuncArg = [](Value v) {
    auto arg = dyn_cast<BlockArgument>(v);
    return arg && isa<func::FuncOp>(arg.getOwner()->getParentOp()) &&
           arg.getOwner()->isEntryBlock();
  };
  if (isGlobal(a) && isGlobal(b))
    return a.getDefiningOp<memref::GetGlobalOp>().getName() !=
           b.getDefiningOp<memref::GetGlobalOp>().getName();
  // A fresh buffer differs from everything that existed before it: arguments,
  // globals and other fresh buffers.
  if (isFresh(a))
    return isFresh(b) || isGlobal(b) || isFuncArg(b);
  return isFresh(b) && (isGlobal(a) || isFuncArg(a));
}

bool ScopBuilder::collectAliases() {
  if (injectedFault() == Fault::Aliases)
    return true;
  llvm::DenseMap<Value, bool> isWritten;
  for (Operation *op : opsInOrder)
    if (auto store = dyn_cast<AffineStoreOp>(op))
      isWritten[store.getMemRef()] = true;
  for (unsigned a = 0; a < scop->arrays.size(); ++a)
    for (unsigned b = a + 1; b < scop->arrays.size(); ++b) {
      Value va = scop->arrays[a].memref, vb = scop->arrays[b].memref;
      if (!isWritten.lookup(va) && !isWritten.lookup(vb))
        continue;
      Value baseA = baseOf(va), baseB = baseOf(vb);
      bool sameGlobal = baseA.getDefiningOp<memref::GetGlobalOp>() &&
                        baseB.getDefiningOp<memref::GetGlobalOp>() &&
                        !knownApart(baseA, baseB);
      if (baseA == baseB || sameGlobal)
        return fail(va.getDefiningOp() ? va.getDefiningOp() : scop->first,
                    "two memrefs of the nest are views of one buffer");
      if (!knownApart(baseA, baseB))
        scop->mayAlias.push_back({a, b});
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

unsigned ScopBuilder::newSlot(Value value) {
  if (mayRunInParallel(scop->block->getParentOp()))
    fail(scop->first,
         "values of the nest must be kept in memory, but it is inside "
         "an op that may run in parallel");
  if (!BaseMemRefType::isValidElementType(value.getType()))
    fail(value.getDefiningOp() ? value.getDefiningOp() : scop->first,
         "a value that must be kept has a type that memory cannot hold");
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
    if (auto store = dyn_cast<AffineStoreOp>(op))
      add({Root::Kind::Store, op, op->getBlock(), position[op],
           store.getValueToStore()});
    auto loop = dyn_cast<AffineForOp>(op);
    if (!loop || loop.getNumResults() == 0)
      continue;
    // All yielded values are read before any of the slots changes: with
    // several, they go through temporaries.
    bool needTemps = loop.getNumResults() > 1;
    auto yield = cast<affine::AffineYieldOp>(loop.getBody()->getTerminator());
    SmallVector<unsigned> slots, temps;
    for (Value result : loop.getResults()) {
      slots.push_back(newSlot(result));
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
      temps.push_back(newSlot(value));
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

/// True if evaluating `load` at `root` gives the value that it has where it is:
/// no write to its array in between, on any path.
bool ScopBuilder::canJoin(Operation *load, const Root &root) const {
  if (injectedFault() == Fault::Slots)
    return true;
  unsigned from = position.lookup(load), to = root.position;
  // Loops around the root that do not hold the load run their whole body
  // between the load and later instances of the root.
  for (Operation *up = root.block->getParentOp(); isInside(up);
       up = up->getParentOp()) {
    if (up->isProperAncestor(load))
      break;
    if (isa<AffineForOp>(up))
      to = endPosition.lookup(up);
  }
  Value memref = accessedMemRef(load);
  for (unsigned p = from; p < to; ++p)
    if (auto store = dyn_cast<AffineStoreOp>(opsInOrder[p]))
      if (store.getMemRef() == memref)
        return false;
  return true;
}

void ScopBuilder::makeSlotRoot(Operation *op) {
  Value value = op->getResult(0);
  unsigned slot = newSlot(value);
  slotOf[value] = slot;
  roots.push_back(std::make_unique<Root>(
      Root{Root::Kind::Slot, op, op->getBlock(), position[op], value, slot}));
  rootsAt[op].push_back(roots.back().get());
  owners[op].insert(roots.back().get());
}

/// The root that stores or keeps the value of this use; null for uses by other
/// ops, subscripts, bounds and conditions.
Root *ScopBuilder::rootOfUse(OpOperand &use) const {
  Operation *user = use.getOwner();
  auto pick = [&](Operation *anchor, auto matches) -> Root * {
    for (Root *root : rootsAt.lookup(anchor))
      if (matches(*root))
        return root;
    return nullptr;
  };
  if (auto store = dyn_cast<AffineStoreOp>(user)) {
    bool stored =
        use.get() == store.getValueToStore() && use.getOperandNumber() == 0;
    return stored ? pick(user, [](Root &) { return true; }) : nullptr;
  }
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

/// Decides which statements evaluate `op`; false if that cannot be said.
bool ScopBuilder::assignOwner(Operation *op) {
  llvm::SmallSetVector<Root *, 4> users;
  bool liveOut = false;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    liveOut |= !isInside(user) || hoistedSet.contains(user);
    if (Root *root = rootOfUse(use))
      users.insert(root);
    if (auto it = owners.find(user); it != owners.end())
      users.insert(it->second.begin(), it->second.end());
  }
  if (isFree(op)) {
    owners[op] = users;
    if (liveOut && hoistedSet.insert(op).second)
      scop->hoisted.push_back(op);
    return true;
  }
  if (users.empty() && !liveOut)
    return true; // dead
  if (op->getNumResults() != 1)
    return fail(op, "'" + op->getName().getStringRef() +
                        "' has several results, which is not analysed yet");
  bool joins = !liveOut;
  if (isa<AffineLoadOp>(op))
    joins &=
        llvm::all_of(users, [&](Root *root) { return canJoin(op, *root); });
  else
    joins &= users.size() == 1 && users[0]->block == op->getBlock();
  if (joins)
    owners[op] = users;
  else
    makeSlotRoot(op);
  return true;
}

void ScopBuilder::assignOwners() {
  // Users come after definitions in preorder (loop-carried values are slots).
  for (Operation *op : llvm::reverse(opsInOrder)) {
    if (isa<AffineForOp, AffineIfOp, AffineStoreOp, affine::AffineYieldOp>(op))
      continue;
    if (op->getNumResults() && !assignOwner(op))
      return;
  }
}

//===----------------------------------------------------------------------===//
// Affine maps over loops and parameters
//===----------------------------------------------------------------------===//

/// Rewrites `map` over the loops around (dims) and parameters (symbols). Null,
/// with the obstacle set, if an operand is computed inside the scop.
AffineMap ScopBuilder::translate(AffineMap map, ValueRange operands,
                                 Operation *user) {
  SmallVector<Value> values(operands);
  affine::fullyComposeAffineMapAndOperands(&map, &values);
  affine::canonicalizeMapAndOperands(&map, &values);
  if (!allSupported(map.getResults())) {
    fail(user, "a subscript or bound is semi-affine");
    return {};
  }
  MLIRContext *ctx = scop->getContext();
  SmallVector<AffineExpr> dims, symbols;
  for (auto [i, value] : llvm::enumerate(values)) {
    AffineExpr expr;
    for (auto [depth, loop] : llvm::enumerate(loopStack))
      if (scop->loops[loop].op.getInductionVar() == value)
        expr = getAffineDimExpr(depth, ctx);
    if (!expr) {
      if (isInside(value) && !hoist(value)) {
        fail(user,
             "a subscript or bound uses a value that is computed in the nest");
        return {};
      }
      auto [it, isNew] = paramIndex.try_emplace(value, scop->params.size());
      if (isNew)
        scop->params.push_back(value);
      expr = getAffineSymbolExpr(it->second, ctx);
    }
    (i < map.getNumDims() ? dims : symbols).push_back(expr);
  }
  return map.replaceDimsAndSymbols(dims, symbols, loopStack.size(),
                                   scop->params.size());
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool ScopBuilder::makeAccess(Operation *op, Access &access) {
  AffineMap map;
  ValueRange operands;
  if (auto load = dyn_cast<AffineLoadOp>(op)) {
    map = load.getAffineMap();
    operands = load.getMapOperands();
  } else {
    map = cast<AffineStoreOp>(op).getAffineMap();
    operands = cast<AffineStoreOp>(op).getMapOperands();
  }
  access.op = op;
  access.array = arrayOf.lookup(accessedMemRef(op));
  access.map = translate(map, operands, op);
  return bool(access.map);
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
  if (!def || !isInside(def) || ops.contains(def))
    return true;
  if (isa<AffineLoadOp>(def)) {
    Access read;
    if (!makeAccess(def, read))
      return false;
    stmt.reads.push_back(read);
    ops.insert(def);
    return true;
  }
  for (Value operand : def->getOperands())
    if (!collectFeeding(operand, root, stmt, ops))
      return false;
  ops.insert(def);
  return true;
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
  } else if (!collectFeeding(root.written, root, stmt, ops)) {
    return false;
  }
  stmt.ops.assign(ops.begin(), ops.end());
  llvm::sort(stmt.ops, [&](Operation *a, Operation *b) {
    return position[a] < position[b];
  });
  if (root.kind == Root::Kind::Store) {
    if (!makeAccess(root.anchor, stmt.write))
      return false;
  } else {
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
  Operation *op = stmt.written.getDefiningOp();
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
    if (!load || !isa<AffineLoadOp>(load) || !load->hasOneUse())
      continue;
    for (Access &read : stmt.reads)
      if (read.op == load && read.array == stmt.write.array &&
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
    if (auto guard = dyn_cast<AffineIfOp>(op))
      return emitIf(guard, items);
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
    for (Access &read : stmt.reads)
      unify(read.map);
    for (Guard &guard : stmt.guards)
      guard.set =
          IntegerSet::get(guard.set.getNumDims(), numSymbols,
                          guard.set.getConstraints(), guard.set.getEqFlags());
  }
}

std::unique_ptr<Scop> ScopBuilder::build(Obstacle &result) {
  bool ok = collectArrays();
  if (ok) {
    createStoreAndLoopRoots();
    if (!obstacle)
      assignOwners();
    ok = !obstacle && emitBlock(*scop->block, scop->order);
  }
  if (ok) {
    llvm::sort(scop->hoisted, [&](Operation *a, Operation *b) {
      return position[a] < position[b];
    });
    unifySymbols();
    collectLiveOuts();
  }
  if (ok && scop->statements.empty())
    ok = fail(scop->first, "the loop does nothing");
  result = obstacle;
  return ok ? std::move(scop) : nullptr;
}

std::unique_ptr<Scop> nestor::buildScop(Operation *first, Operation *last,
                                        Obstacle &obstacle) {
  return ScopBuilder(first, last).build(obstacle);
}
