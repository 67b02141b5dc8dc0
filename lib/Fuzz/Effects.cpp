//===- Effects.cpp - What is no affine loop, access or pure op ------------===//
//
// Fuzz room, inside the generator: calls, copies, fills, allocation, accesses
// with subscripts that are not affine, and the loops and branches of scf.
//
//===----------------------------------------------------------------------===//
#include "ProgramMaker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nestor::fuzz;

bool ProgramMaker::drawEffect(Feature feature) {
  return has(feature) && dice.chance(40);
}

/// One op (or a few) of a kind that this program has; a statement otherwise.
void ProgramMaker::effect() {
  if (parallel)
    return statement();
  if (drawEffect(Feature::Parallel))
    return parallelNest();
  if (drawEffect(Feature::ScfIf))
    return scfIfStatement();
  if (drawEffect(Feature::NonAffine))
    return dice.chance(50) ? nonAffineStore() : nonAffineLoad();
  if (drawEffect(Feature::Indirect))
    return indirect();
  if (drawEffect(Feature::Copy))
    return copyArray();
  if (drawEffect(Feature::Fill))
    return fillArray(drawArray(/*toWrite=*/true));
  if (drawEffect(Feature::Calls))
    return call();
  if (drawEffect(Feature::AllocInLoop))
    return allocInLoop();
  if (drawEffect(Feature::Views))
    return view();
  if (drawEffect(Feature::Linalg))
    return dice.chance(60) ? linalgGeneric() : linalgMatmul();
  if (drawEffect(Feature::Vectors))
    return vectorStatement();
  if (drawEffect(Feature::Atomics))
    return atomicUpdate();
  if (drawEffect(Feature::Regions))
    return regionOnce();
  if (drawEffect(Feature::ScfLoops))
    return dice.chance(70) ? scfLoop() : scfWhile();
  if (drawEffect(Feature::Huge) && !dims.empty())
    applyFarOut();
  if (has(Feature::Apply) && !dims.empty()) {
    AffineExpr expr = drawExpr();
    if (auto range = rangeOf(expr))
      dims.push_back({applyAffine(expr), *range});
  }
  statement();
}

/// An index value so far out that what uses it has a large constant.
void ProgramMaker::applyFarOut() {
  AffineExpr expr = drawExpr();
  auto range = rangeOf(expr);
  if (!range || std::abs(range->lo) > 1000 || std::abs(range->hi) > 1000)
    return;
  int64_t far =
      (dice.chance(50) ? 1 : -1) * (int64_t(1) << dice.uniform(32, 50));
  dims.push_back({applyAffine(expr + far), {range->lo + far, range->hi + far}});
}

void ProgramMaker::nonAffineStore() {
  unsigned target = drawArray(/*toWrite=*/true);
  Value stored = value(arrays[target].getElement(), 1);
  SmallVector<Value> cell;
  for (int64_t extent : arrays[target].extents)
    cell.push_back(drawIndexValue(extent));
  memref::StoreOp::create(b, loc, stored, arrays[target].memref, cell);
}

void ProgramMaker::nonAffineLoad() {
  unsigned source = drawArray(/*toWrite=*/false);
  SmallVector<Value> cell;
  for (int64_t extent : arrays[source].extents)
    cell.push_back(drawIndexValue(extent));
  scalars.push_back(
      memref::LoadOp::create(b, loc, arrays[source].memref, cell));
  unsigned target = drawArray(/*toWrite=*/true);
  store(value(arrays[target].getElement(), 1), target);
}

/// x[c[i]]: a subscript that is read from memory.
void ProgramMaker::indirect() {
  auto from = arrayOf(b.getIndexType());
  if (!from)
    return nonAffineStore();
  unsigned target = drawArray(/*toWrite=*/true);
  SmallVector<Value> cell;
  for (int64_t extent : arrays[target].extents)
    cell.push_back(
        arith::RemUIOp::create(b, loc, load(*from), constantIndex(extent)));
  Type type = arrays[target].getElement();
  if (dice.chance(50)) {
    Value old = memref::LoadOp::create(b, loc, arrays[target].memref, cell);
    memref::StoreOp::create(b, loc, combine(type, old, leaf(type)),
                            arrays[target].memref, cell);
  } else {
    scalars.push_back(
        memref::LoadOp::create(b, loc, arrays[target].memref, cell));
    store(value(type, 1), target);
  }
}

/// memref.copy of one array to another of its shape that cannot overlap it.
void ProgramMaker::copyArray() {
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (auto [i, from] : llvm::enumerate(arrays))
    for (auto [j, to] : llvm::enumerate(arrays))
      if (i != j && from.memref != to.memref && from.extents == to.extents &&
          from.getElement() == to.getElement() && to.isWritable &&
          !from.isView && !to.isView && !from.extents.empty())
        pairs.push_back({i, j});
  if (pairs.empty())
    return statement();
  auto [from, to] = dice.pick(pairs);
  mayOverlap = false;
  memref::CopyOp::create(b, loc, arrays[from].memref, arrays[to].memref);
}

void ProgramMaker::fillArray(unsigned array) {
  Value filling = constantOf(arrays[array].getElement());
  linalg::FillOp::create(b, loc, filling, arrays[array].memref);
}

/// A call of a function that reads and writes a cell.
void ProgramMaker::call() {
  unsigned array = drawArray(/*toWrite=*/true);
  Type type = arrays[array].getElement();
  Value stored = value(type, 1);
  auto signature = b.getFunctionType({arrays[array].getType(), type}, {type});
  auto callee = func::FuncOp::create(
      loc, "helper" + std::to_string(numHelpers++), signature);
  callee.setPrivate();
  module->push_back(callee);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *entry = callee.addEntryBlock();
    b.setInsertionPointToStart(entry);
    SmallVector<Value> cell;
    for (int64_t extent : arrays[array].extents)
      cell.push_back(constantIndex(dice.uniform(0, extent - 1)));
    Value memref = entry->getArgument(0);
    Value old = memref::LoadOp::create(b, loc, memref, cell);
    memref::StoreOp::create(b, loc, combine(type, old, entry->getArgument(1)),
                            memref, cell);
    func::ReturnOp::create(b, loc, old);
  }
  auto result = func::CallOp::create(b, loc, callee,
                                     ValueRange{arrays[array].memref, stored});
  scalars.push_back(result.getResult(0));
}

unsigned ProgramMaker::allocate(Type element, ArrayRef<int64_t> extents,
                                bool onStack) {
  auto type = MemRefType::get(extents, element);
  Value memref = onStack ? Value(memref::AllocaOp::create(b, loc, type))
                         : Value(memref::AllocOp::create(b, loc, type));
  addArray(memref, extents, /*isWritable=*/true, /*isView=*/false);
  fillArray(arrays.size() - 1);
  return arrays.size() - 1;
}

/// A buffer that lives for one iteration.
void ProgramMaker::allocInLoop() {
  Scope scope(*this);
  unsigned array = allocate(dice.pick(types), drawExtents(dice.uniform(0, 2)),
                            /*onStack=*/false);
  store(value(arrays[array].getElement(), 1), array);
  Value kept = load(array);
  scalars.push_back(kept);
  block(1, 2);
  memref::DeallocOp::create(b, loc, arrays[array].memref);
}

/// A conditional value whose branches load, or conditional stores.
void ProgramMaker::scfIfStatement() {
  Value which = condition();
  if (dice.chance(60)) {
    Type type = dice.pick(types);
    auto op = scf::IfOp::create(b, loc, type, which, /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      for (Block *branch : {op.thenBlock(), op.elseBlock()}) {
        Scope scope(*this);
        b.setInsertionPointToStart(branch);
        scf::YieldOp::create(b, loc, value(type, 1));
      }
    }
    scalars.push_back(op.getResult(0));
    unsigned target = drawArray(/*toWrite=*/true);
    return store(value(arrays[target].getElement(), 1), target);
  }
  bool withElse = dice.chance(50);
  auto op = scf::IfOp::create(b, loc, which, withElse);
  OpBuilder::InsertionGuard guard(b);
  for (Block *branch :
       withElse ? SmallVector<Block *>{op.thenBlock(), op.elseBlock()}
                : SmallVector<Block *>{op.thenBlock()}) {
    Scope scope(*this);
    b.setInsertionPointToStart(branch);
    block(1, 1);
  }
}

/// A loop that two memrefs go around, changing places.
void ProgramMaker::scfMemRefLoop(unsigned first, unsigned second) {
  SmallVector<int64_t> extents = arrays[first].extents;
  auto op = scf::ForOp::create(
      b, loc, constantIndex(0), constantIndex(dice.uniform(0, 3)),
      constantIndex(1),
      ValueRange{arrays[first].memref, arrays[second].memref});
  Scope scope(*this);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  work *= 3;
  for (Value memref : op.getRegionIterArgs())
    addArray(memref, extents);
  block(1, 2);
  scf::YieldOp::create(
      b, loc, ValueRange{op.getRegionIterArg(1), op.getRegionIterArg(0)});
}

void ProgramMaker::scfLoop() {
  unsigned first = drawArray(/*toWrite=*/true);
  if (has(Feature::Views) && dice.chance(40))
    if (auto second = sameTypeAs(arrays[first]))
      return scfMemRefLoop(first, *second);
  int64_t lo = dice.uniform(-1, 2), trips = dice.uniform(0, 4);
  int64_t step = dice.uniform(1, 2);
  SmallVector<Value> inits;
  if (dice.chance(40))
    inits.push_back(value(dice.pick(types), 1));
  auto op = scf::ForOp::create(b, loc, constantIndex(lo),
                               constantIndex(lo + trips * step),
                               constantIndex(step), inits);
  {
    Scope scope(*this);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(op.getBody());
    indices.push_back({op.getInductionVar(),
                       {lo, lo + std::max<int64_t>(trips, 1) * step - 1}});
    llvm::append_range(scalars, op.getRegionIterArgs());
    work *= std::max<int64_t>(trips, 1);
    block(1, 2);
    if (!inits.empty())
      scf::YieldOp::create(b, loc, value(inits[0].getType(), 1));
  }
  llvm::append_range(scalars, op.getResults());
}

void ProgramMaker::scfWhile() {
  int64_t trips = dice.uniform(0, 3);
  Type index = b.getIndexType();
  auto op = scf::WhileOp::create(b, loc, TypeRange{index},
                                 ValueRange{constantIndex(0)});
  Scope scope(*this);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&op.getBefore(), {}, {index}, {loc});
  Value end = constantIndex(trips);
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                     before->getArgument(0), end);
  scf::ConditionOp::create(b, loc, more, before->getArguments());
  Block *after = b.createBlock(&op.getAfter(), {}, {index}, {loc});
  indices.push_back(
      {after->getArgument(0), {0, std::max<int64_t>(trips - 1, 0)}});
  work *= std::max<int64_t>(trips, 1);
  block(1, 2);
  Value next =
      arith::AddIOp::create(b, loc, after->getArgument(0), constantIndex(1));
  scf::YieldOp::create(b, loc, next);
}

/// A loop with a nest in it; two memrefs go around where that is possible.
void ProgramMaker::scfLoopAround() {
  statementsLeft = 2;
  maxDepth = 2;
  unsigned first = drawArray(/*toWrite=*/true);
  if (auto second = sameTypeAs(arrays[first]))
    return scfMemRefLoop(first, *second);
  scfLoop();
}

/// A branch with whole nests in it.
void ProgramMaker::scfIfAround() {
  Value which = condition();
  auto op = scf::IfOp::create(b, loc, which, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  Scope scope(*this);
  b.setInsertionPointToStart(op.thenBlock());
  nest();
}
