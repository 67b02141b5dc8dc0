//===- Cutting.cpp - Which statement evaluates what -----------------------===//
//
// Analysis room, part of ScopBuilder: how values are cut into statements. Every
// store is the root of a statement; so is every write of a slot. A value that
// depends on memory belongs to the statements that use it as long as evaluating
// it *there* gives the same value:
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

using namespace mlir;
using namespace mlir::nestor;
using affine::AffineForOp;
using affine::AffineIfOp;
using affine::AffineLoadOp;
using affine::AffineStoreOp;

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

/// The fallback keeps the ops as they are, in the branch of a condition, where
/// a value of the run's own block is no symbol: not even one that no map uses.
bool ScopBuilder::checkSymbols() {
  for (Operation *op : opsInOrder) {
    SmallVector<Value> operands;
    if (auto loop = dyn_cast<AffineForOp>(op))
      operands = loop.getControlOperands();
    else if (auto guard = dyn_cast<AffineIfOp>(op))
      operands = guard.getOperands();
    else if (auto load = dyn_cast<AffineLoadOp>(op))
      operands = load.getMapOperands();
    else if (auto store = dyn_cast<AffineStoreOp>(op))
      operands = store.getMapOperands();
    for (Value operand : operands) {
      Operation *def = operand.getDefiningOp();
      if (def && def->getBlock() == scop->block && isInside(def) &&
          !hoist(operand))
        return fail(op, reasons::kComputedInNest);
    }
  }
  return true;
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
  if (users.empty() && !liveOut)
    return;
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
