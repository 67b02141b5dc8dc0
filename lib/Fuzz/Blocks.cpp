//===- Blocks.cpp - Blocks and regions around nests -----------------------===//
//
// Fuzz room, inside the generator: branches between the blocks of the kernel,
// and ops with regions that run once.
//
//===----------------------------------------------------------------------===//
#include "ProgramMaker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nestor::fuzz;

/// Two blocks with a nest each, one of which runs; the kernel goes on behind
/// them, now and then with a memref that depends on which.
void ProgramMaker::branchToBlocks() {
  Region &body = kernel.getBody();
  Block *blocks[3];
  for (Block *&block : blocks)
    body.push_back(block = new Block());
  unsigned first = drawArray(/*toWrite=*/true);
  auto second = sameTypeAs(arrays[first]);
  SmallVector<int64_t> extents = arrays[first].extents;
  SmallVector<Value> passed;
  if (second)
    passed = {arrays[first].memref, arrays[*second].memref};
  cf::CondBranchOp::create(b, loc, condition(), blocks[0], blocks[1]);
  for (unsigned i : {0u, 1u}) {
    Scope scope(*this);
    b.setInsertionPointToStart(blocks[i]);
    nest();
    cf::BranchOp::create(b, loc, blocks[2],
                         second ? ValueRange(passed[i]) : ValueRange());
  }
  b.setInsertionPointToStart(blocks[2]);
  if (second)
    addArray(blocks[2]->addArgument(passed[0].getType(), loc), extents);
}

/// A loop of blocks with a nest in it; its counter is a block argument, which
/// affine ops may use as a symbol.
void ProgramMaker::loopOfBlocks() {
  Region &body = kernel.getBody();
  Block *blocks[3]; // the condition, the nest, what follows
  for (Block *&block : blocks)
    body.push_back(block = new Block());
  int64_t trips = dice.uniform(0, 3);
  Value counter = blocks[0]->addArgument(b.getIndexType(), loc);
  cf::BranchOp::create(b, loc, blocks[0], ValueRange{constantIndex(0)});
  b.setInsertionPointToStart(blocks[0]);
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, counter,
                                     constantIndex(trips));
  cf::CondBranchOp::create(b, loc, more, blocks[1], blocks[2]);
  {
    Scope scope(*this);
    b.setInsertionPointToStart(blocks[1]);
    Interval range{0, std::max<int64_t>(trips - 1, 0)};
    indices.push_back({counter, range});
    if (has(Feature::Symbols))
      symbols.push_back({counter, range});
    work *= std::max<int64_t>(trips, 1);
    nest();
    Value next = arith::AddIOp::create(b, loc, counter, constantIndex(1));
    cf::BranchOp::create(b, loc, blocks[0], ValueRange{next});
  }
  b.setInsertionPointToStart(blocks[2]);
}

/// A region that runs once, wherever it stands.
void ProgramMaker::regionOnce() {
  OpBuilder::InsertionGuard guard(b);
  Scope scope(*this);
  switch (dice.uniform(0, 2)) {
  case 0: {
    auto op = scf::ExecuteRegionOp::create(b, loc, TypeRange());
    b.createBlock(&op.getRegion());
    block(1, 2);
    scf::YieldOp::create(b, loc);
    return;
  }
  case 1: {
    // Also frees what is allocated on the stack in it.
    auto op = memref::AllocaScopeOp::create(b, loc, TypeRange());
    b.createBlock(&op.getBodyRegion());
    unsigned array = allocate(dice.pick(types), drawExtents(dice.uniform(0, 2)),
                              /*onStack=*/true);
    store(value(arrays[array].getElement(), 1), array);
    scalars.push_back(load(array));
    block(1, 2);
    memref::AllocaScopeReturnOp::create(b, loc, ValueRange());
    return;
  }
  default: {
    SmallVector<int64_t> cases{0, 2};
    auto op = scf::IndexSwitchOp::create(b, loc, TypeRange(), drawIndexValue(4),
                                         cases, cases.size());
    for (Region *region : llvm::concat<Region *>(
             SmallVector<Region *>{&op.getDefaultRegion()},
             llvm::map_to_vector(op.getCaseRegions(),
                                 [](Region &r) { return &r; }))) {
      Scope inner(*this);
      b.createBlock(region);
      block(1, 1);
      scf::YieldOp::create(b, loc);
    }
  }
  }
}
