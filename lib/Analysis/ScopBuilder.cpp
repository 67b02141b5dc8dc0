//===- ScopBuilder.cpp - From a run of ops to a Scop ----------------------===//
//
// Analysis room. Builds the scop of one run of ops that LoopTree.cpp chose:
// numbers the ops, finds the arrays and which may overlap, has the values cut
// into statements (Cutting.cpp) and these made (Statements.cpp), then collects
// parameters and results.
//
//===----------------------------------------------------------------------===//
#include "ScopBuilder.h"
#include "nestor/Analysis/FaultInjection.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nestor;
using affine::AffineForOp;
using affine::AffineIfOp;

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
/// Slots of one scop, at most: each has statements that write it, and all of
/// their instances are compared.
static constexpr unsigned kMaxSlots = 128;

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
  if (++numSlots > kMaxSlots)
    fail(at, reasons::kComplexDependences);
  Array array;
  array.elementType = value.getType();
  scop->arrays.push_back(std::move(array));
  return scop->arrays.size() - 1;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

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
    ok = !obstacle && checkSymbols() && checkAllCopied() &&
         emitBlock(*scop->block, scop->order);
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
