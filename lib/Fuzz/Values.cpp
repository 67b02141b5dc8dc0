//===- Values.cpp - Loads, arithmetic and stores --------------------------===//
//
// Fuzz room, inside the generator. Every op is defined for all operands: no
// division by zero, no shift that is too far, no conversion out of range; and
// it gives the same bits whatever code is made for it (up to the payload of a
// NaN), so no op whose result LLVM may choose.
//
//===----------------------------------------------------------------------===//
#include "ProgramMaker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::nestor::fuzz;

TypedAttr ProgramMaker::drawConstant(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return DenseElementsAttr::get(
        vector, ArrayRef<Attribute>(drawConstant(vector.getElementType())));
  if (isa<FloatType>(type))
    return b.getFloatAttr(type, double(dice.uniform(-8, 8)) * 0.25);
  if (type.isInteger(1))
    return b.getIntegerAttr(type, dice.uniform(0, 1) ? -1 : 0);
  return b.getIntegerAttr(type, dice.uniform(-5, 7));
}

Value ProgramMaker::constantOf(Type type) {
  if (auto number = dyn_cast<ComplexType>(type)) {
    Type part = number.getElementType();
    return complex::ConstantOp::create(
        b, loc, type, b.getArrayAttr({drawConstant(part), drawConstant(part)}));
  }
  return arith::ConstantOp::create(b, loc, drawConstant(type));
}

/// A value made of an index, such as an induction variable.
Value ProgramMaker::fromIndex(Type type, Value index) {
  if (type.isIndex())
    return index;
  if (auto integer = dyn_cast<IntegerType>(type))
    return arith::IndexCastOp::create(b, loc, integer, index);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector::BroadcastOp::create(
        b, loc, vector, fromIndex(vector.getElementType(), index));
  Type i32 = b.getI32Type();
  if (auto number = dyn_cast<ComplexType>(type)) {
    Value part = fromIndex(number.getElementType(), index);
    return complex::CreateOp::create(b, loc, type, part, part);
  }
  Value narrow = arith::IndexCastOp::create(b, loc, i32, index);
  // Small numbers, which every float type holds.
  Value mask = arith::ConstantIntOp::create(b, loc, 63, 32);
  narrow = arith::AndIOp::create(b, loc, narrow, mask);
  return arith::SIToFPOp::create(b, loc, type, narrow);
}

std::optional<unsigned> ProgramMaker::arrayOf(Type element) {
  SmallVector<unsigned> fitting;
  for (auto [i, array] : llvm::enumerate(arrays))
    if (array.getElement() == element)
      fitting.push_back(i);
  if (fitting.empty())
    return std::nullopt;
  // New arrays are used at once more often than by chance.
  return dice.chance(25) ? fitting.back() : dice.pick(fitting);
}

/// What is written to it is compared: it is no local buffer.
bool ProgramMaker::isSeen(const Array &array) {
  auto argument = dyn_cast<BlockArgument>(array.memref);
  return argument && argument.getOwner() == &kernel.getBody().front();
}

unsigned ProgramMaker::drawArray(bool toWrite) {
  if (toWrite && parallel)
    return dice.pick(parallel->targets);
  SmallVector<unsigned> fitting;
  bool seen = toWrite && dice.chance(40);
  for (auto [i, array] : llvm::enumerate(arrays))
    if ((array.isWritable || !toWrite) && (isSeen(array) || !seen))
      fitting.push_back(i);
  return dice.chance(20) ? fitting.back() : dice.pick(fitting);
}

Value ProgramMaker::loadCell(unsigned array, ArrayRef<AffineExpr> cell) {
  if (has(Feature::MemRefOps) && dice.chance(40)) {
    SmallVector<Value> at;
    for (AffineExpr expr : cell)
      at.push_back(composeIndex(expr));
    return memref::LoadOp::create(b, loc, arrays[array].memref, at);
  }
  SmallVector<Value> operands;
  AffineMap map = makeMap(cell, operands);
  return affine::AffineLoadOp::create(b, loc, arrays[array].memref, map,
                                      operands);
}

void ProgramMaker::storeCell(Value value, unsigned array,
                             ArrayRef<AffineExpr> cell) {
  if (has(Feature::MemRefOps) && dice.chance(40)) {
    SmallVector<Value> at;
    for (AffineExpr expr : cell)
      at.push_back(composeIndex(expr));
    memref::StoreOp::create(b, loc, value, arrays[array].memref, at);
    return;
  }
  SmallVector<Value> operands;
  AffineMap map = makeMap(cell, operands);
  affine::AffineStoreOp::create(b, loc, value, arrays[array].memref, map,
                                operands);
}

Value ProgramMaker::load(unsigned array) {
  return loadCell(array, drawCell(array));
}

void ProgramMaker::store(Value value, unsigned array) {
  storeCell(value, array, drawCell(array));
}

Value ProgramMaker::leaf(Type type) {
  SmallVector<Value> known;
  for (Value scalar : scalars)
    if (scalar.getType() == type)
      known.push_back(scalar);
  if (!known.empty() && dice.chance(40))
    return dice.chance(50) ? known.back() : dice.pick(known);
  auto array = arrayOf(type);
  if (array && dice.chance(75))
    return load(*array);
  if (!dims.empty() && dice.chance(40))
    return fromIndex(type, dice.pick(dims).value);
  return constantOf(type);
}

Value ProgramMaker::value(Type type, unsigned levels) {
  if (levels == 0 || dice.chance(25))
    return leaf(type);
  Value lhs = value(type, levels - 1), rhs = leaf(type);
  if (isa<ComplexType>(type))
    return applyComplex(lhs, rhs);
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return applyFloat(type, lhs, rhs);
  return applyInteger(type, lhs, rhs);
}

Value ProgramMaker::applyComplex(Value lhs, Value rhs) {
  switch (dice.uniform(0, 2)) {
  case 0:
    return complex::AddOp::create(b, loc, lhs, rhs);
  case 1:
    return complex::SubOp::create(b, loc, lhs, rhs);
  default:
    return complex::MulOp::create(b, loc, lhs, rhs);
  }
}

Value ProgramMaker::applyFloat(Type type, Value lhs, Value rhs) {
  switch (dice.weighted({6, 4, 4, 2, 2, 1, 2, 1})) {
  case 0:
    return arith::AddFOp::create(b, loc, lhs, rhs);
  case 1:
    return arith::MulFOp::create(b, loc, lhs, rhs);
  case 2:
    return arith::SubFOp::create(b, loc, lhs, rhs);
  case 3:
    return arith::MaximumFOp::create(b, loc, lhs, rhs);
  case 4:
    return arith::MinimumFOp::create(b, loc, lhs, rhs);
  case 5:
    return arith::DivFOp::create(b, loc, lhs, rhs);
  case 6: {
    auto predicate =
        dice.chance(50) ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::UGE;
    Value less = arith::CmpFOp::create(b, loc, predicate, lhs, rhs);
    return arith::SelectOp::create(b, loc, less, rhs, lhs);
  }
  default:
    return arith::NegFOp::create(b, loc, lhs);
  }
}

Value ProgramMaker::applyInteger(Type type, Value lhs, Value rhs) {
  auto splat = [&](int64_t value) -> Value {
    Type element = getElementTypeOrSelf(type);
    TypedAttr attr = b.getIntegerAttr(element, value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, ArrayRef<Attribute>(attr));
    return arith::ConstantOp::create(b, loc, attr);
  };
  bool isBit = getElementTypeOrSelf(type).isInteger(1);
  if (has(Feature::Extended) && type.isInteger(32) && dice.chance(40))
    return applyExtended(type, lhs, rhs);
  // A division that only a guard or a bound makes safe.
  bool isWide = type.isIndex() || type.isInteger(32) || type.isInteger(64);
  if (has(Feature::Traps) && isWide && dice.chance(40))
    for (const Index &dim : llvm::reverse(dims))
      if ((dim.range.lo > 0 || dim.range.hi < 0) && dim.range.lo > INT32_MIN &&
          dim.range.hi < INT32_MAX)
        return arith::DivUIOp::create(b, loc, lhs, fromIndex(type, dim.value));
  switch (isBit ? dice.weighted({0, 0, 0, 0, 0, 3, 3, 4, 0, 0, 2})
                : dice.weighted({6, 4, 3, 2, 2, 1, 1, 2, 2, 2, 2})) {
  case 0:
    return arith::AddIOp::create(b, loc, lhs, rhs);
  case 1:
    return arith::MulIOp::create(b, loc, lhs, rhs);
  case 2:
    return arith::SubIOp::create(b, loc, lhs, rhs);
  case 3:
    return arith::MaxSIOp::create(b, loc, lhs, rhs);
  case 4:
    return arith::MinUIOp::create(b, loc, lhs, rhs);
  case 5:
    return arith::AndIOp::create(b, loc, lhs, rhs);
  case 6:
    return arith::OrIOp::create(b, loc, lhs, rhs);
  case 7:
    return arith::XOrIOp::create(b, loc, lhs, rhs);
  case 8: // never by zero
    return arith::DivUIOp::create(b, loc, lhs,
                                  arith::OrIOp::create(b, loc, rhs, splat(1)));
  case 9:
    return arith::ShRUIOp::create(b, loc, lhs, splat(dice.uniform(1, 6)));
  default: {
    Value less =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lhs, rhs);
    return arith::SelectOp::create(b, loc, less, lhs, rhs);
  }
  }
}

/// An op with two results, both of which may be used later.
Value ProgramMaker::applyExtended(Type type, Value lhs, Value rhs) {
  if (dice.chance(50)) {
    auto op = arith::MulSIExtendedOp::create(b, loc, lhs, rhs);
    scalars.push_back(op.getLow());
    scalars.push_back(op.getHigh());
    return dice.chance(50) ? op.getLow() : op.getHigh();
  }
  auto op = arith::AddUIExtendedOp::create(b, loc, lhs, rhs);
  scalars.push_back(op.getSum());
  Value carry = arith::ExtUIOp::create(b, loc, type, op.getOverflow());
  return arith::XOrIOp::create(b, loc, op.getSum(), carry);
}

/// cell = op(cell, other), an op that reductions use.
Value ProgramMaker::combine(Type type, Value cell, Value other) {
  if (isa<ComplexType>(type))
    return complex::AddOp::create(b, loc, cell, other);
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    switch (dice.weighted({6, 2, 2, 1})) {
    case 0:
      return arith::AddFOp::create(b, loc, cell, other);
    case 1:
      return arith::MulFOp::create(b, loc, cell, other);
    case 2:
      return arith::MaximumFOp::create(b, loc, cell, other);
    default:
      return arith::SubFOp::create(b, loc, cell, other);
    }
  if (getElementTypeOrSelf(type).isInteger(1))
    return arith::XOrIOp::create(b, loc, cell, other);
  switch (dice.weighted({6, 3, 2, 1, 1})) {
  case 0:
    return arith::AddIOp::create(b, loc, cell, other);
  case 1:
    return arith::MulIOp::create(b, loc, cell, other);
  case 2:
    return arith::MaxSIOp::create(b, loc, cell, other);
  case 3:
    return arith::XOrIOp::create(b, loc, cell, other);
  default:
    return arith::SubIOp::create(b, loc, cell, other);
  }
}

/// An i1 that depends on data or on a loop.
Value ProgramMaker::condition() {
  if (!dims.empty() && dice.chance(50))
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                 dice.pick(dims).value,
                                 constantIndex(dice.uniform(-1, 6)));
  Type type = dice.pick(types);
  if (isa<FloatType>(type))
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, leaf(type),
                                 leaf(type));
  if (isa<IntegerType, IndexType>(type))
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, leaf(type),
                                 leaf(type));
  return constantOf(b.getI1Type());
}
