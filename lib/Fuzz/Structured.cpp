//===- Structured.cpp - Ops on many cells at once -------------------------===//
//
// Fuzz room, inside the generator: linalg ops on buffers, loads and stores of
// vectors, atomic updates.
//
//===----------------------------------------------------------------------===//
#include "ProgramMaker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::nestor::fuzz;

/// to[..] = to[..] op from[..] over all cells of `to`; `from` is read as it is,
/// or at the same cell in every row.
void ProgramMaker::linalgGeneric() {
  unsigned to = drawArray(/*toWrite=*/true);
  Array target = arrays[to];
  Type element = target.getElement();
  unsigned rank = target.extents.size();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  std::optional<std::pair<Value, AffineMap>> source;
  for (unsigned tries = 0; tries < 6 && !source; ++tries) {
    const Array &from = dice.pick(arrays);
    if (from.getElement() != element || from.memref == target.memref)
      continue;
    if (from.extents == target.extents)
      source = {from.memref, identity};
    else if (rank == 2 && from.extents.size() == 1 &&
             from.extents[0] == target.extents[1])
      source = {from.memref, AffineMap::get(2, 0, b.getAffineDimExpr(1))};
  }
  if (!source)
    return statement();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      b, loc, ValueRange{source->first}, ValueRange{target.memref},
      ArrayRef<AffineMap>{source->second, identity}, iterators);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&op.getRegion(), {}, {element, element}, {loc, loc});
  Block *body = b.getInsertionBlock();
  Value result = combine(element, body->getArgument(1), body->getArgument(0));
  linalg::YieldOp::create(b, loc, result);
}

/// A product of two matrices that are as large as what it is added to.
void ProgramMaker::linalgMatmul() {
  unsigned to = drawArray(/*toWrite=*/true);
  Array target = arrays[to];
  Type element = target.getElement();
  if (target.extents.size() != 2 || !element.isIntOrFloat() ||
      element.isInteger(1) || depth > 0)
    return linalgGeneric();
  int64_t inner = dice.uniform(1, 4);
  unsigned lhs = allocate(element, {target.extents[0], inner}, false);
  unsigned rhs = allocate(element, {inner, target.extents[1]}, false);
  store(value(element, 1), lhs);
  store(value(element, 1), rhs);
  linalg::MatmulOp::create(b, loc,
                           ValueRange{arrays[lhs].memref, arrays[rhs].memref},
                           ValueRange{target.memref});
}

/// Four cells of a row at once, from one array to another.
void ProgramMaker::vectorStatement() {
  auto fits = [](const Array &array) {
    Type element = array.getElement();
    return !array.extents.empty() && array.extents.back() >= 4 &&
           array.getType().getLayout().isIdentity() &&
           (element.isF32() || element.isF64() || element.isInteger(32));
  };
  auto number = [&](bool toWrite) -> std::optional<unsigned> {
    for (unsigned tries = 0; tries < 6; ++tries)
      if (unsigned array = drawArray(toWrite); fits(arrays[array]))
        return array;
    return std::nullopt;
  };
  auto from = number(false), to = number(true);
  if (!from || !to || arrays[*from].getElement() != arrays[*to].getElement())
    return statement();
  Type element = arrays[*from].getElement();
  auto type = VectorType::get({4}, element);
  auto cell = [&](unsigned array, SmallVectorImpl<Value> &operands) {
    SmallVector<AffineExpr> exprs;
    ArrayRef<int64_t> extents = arrays[array].extents;
    for (int64_t extent : extents.drop_back())
      exprs.push_back(drawSubscript(extent));
    exprs.push_back(drawSubscript(extents.back() - 3));
    return makeMap(exprs, operands);
  };
  SmallVector<Value> fromOperands, toOperands;
  AffineMap fromMap = cell(*from, fromOperands), toMap = cell(*to, toOperands);
  Value loaded;
  if (dice.chance(60)) {
    loaded = affine::AffineVectorLoadOp::create(
        b, loc, type, arrays[*from].memref, fromMap, fromOperands);
  } else {
    SmallVector<Value> at;
    for (AffineExpr expr : fromMap.getResults())
      at.push_back(affine::AffineApplyOp::create(
          b, loc,
          AffineMap::get(fromMap.getNumDims(), fromMap.getNumSymbols(), expr),
          fromOperands));
    loaded = vector::LoadOp::create(b, loc, type, arrays[*from].memref, at);
  }
  Value other = vector::BroadcastOp::create(b, loc, type, leaf(element));
  affine::AffineVectorStoreOp::create(b, loc, combine(type, loaded, other),
                                      arrays[*to].memref, toMap, toOperands);
}

void ProgramMaker::atomicUpdate() {
  unsigned target = drawArray(/*toWrite=*/true);
  Type element = arrays[target].getElement();
  arith::AtomicRMWKind kind;
  if (element.isInteger(32) || element.isInteger(64))
    kind = dice.chance(50) ? arith::AtomicRMWKind::addi
                           : arith::AtomicRMWKind::maxs;
  else if (element.isF32() || element.isF64())
    kind = arith::AtomicRMWKind::addf;
  else
    return statement();
  Value added = value(element, 1);
  SmallVector<Value> cell;
  for (int64_t extent : arrays[target].extents)
    cell.push_back(dice.chance(70) ? applyAffine(drawSubscript(extent))
                                   : drawIndexValue(extent));
  memref::AtomicRMWOp::create(b, loc, element, kind, added,
                              arrays[target].memref, cell);
}
