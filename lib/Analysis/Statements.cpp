//===- Statements.cpp - Loops, statements and accesses of a scop ----------===//
//
// Analysis room, part of ScopBuilder: behind Cutting.cpp, makes the loops, the
// statements with their domains, and the accesses.
//
//===----------------------------------------------------------------------===//
#include "ScopBuilder.h"
#include "nestor/Analysis/FaultInjection.h"

#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::nestor;
using affine::AffineForOp;
using affine::AffineIfOp;
using affine::AffineLoadOp;
using affine::AffineStoreOp;

//===----------------------------------------------------------------------===//
// Affine maps over loops and parameters
//===----------------------------------------------------------------------===//

/// Parameters of one scop, at most: isl's work grows with their third power.
static constexpr unsigned kMaxParams = 32;

/// Puts `value` as an expression over loops around (dims) and parameters
/// (symbols). Null, with the reason, if it is computed inside the scop or one
/// parameter too many.
AffineExpr ScopBuilder::exprOf(Value value, const Reason *&reason) {
  MLIRContext *ctx = scop->getContext();
  for (auto [depth, loop] : llvm::enumerate(loopStack))
    if (scop->loops[loop].op.getInductionVar() == value)
      return getAffineDimExpr(depth, ctx);
  if (isInside(value) && !hoist(value)) {
    reason = &reasons::kComputedInNest;
    return {};
  }
  auto known = paramIndex.find(value);
  if (known == paramIndex.end()) {
    if (scop->params.size() == kMaxParams) {
      reason = &reasons::kComplexDependences;
      return {};
    }
    known = paramIndex.try_emplace(value, scop->params.size()).first;
    scop->params.push_back(value);
  }
  return getAffineSymbolExpr(known->second, ctx);
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
    AffineExpr expr = exprOf(value, reason);
    if (!expr)
      return {};
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
