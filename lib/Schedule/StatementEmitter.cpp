//===- StatementEmitter.cpp - Ops of statement instances ------------------===//
//
// Schedule room; see StatementEmitter.h. Vector instances use 1-D vectors: a
// unit-stride access becomes affine.vector_load / vector_store, one that does
// not move with the lane a scalar, anything else one scalar access per lane.
// What cannot be a vector is emitted lane by lane, in lane order.
//
//===----------------------------------------------------------------------===//
#include "StatementEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::nestor;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

AffineExpr StatementEmitter::newValue(Value value) {
  values.push_back(value);
  return getAffineDimExpr(values.size() - 1, scop.getContext());
}

AffineMap StatementEmitter::makeMap(ArrayRef<AffineExpr> exprs,
                                    SmallVectorImpl<Value> &operands) {
  AffineMap map = AffineMap::get(values.size(), 0, exprs, scop.getContext());
  operands.assign(values.begin(), values.end());
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  return simplifyAffineMap(map);
}

/// The access's subscripts in generated code: the source's map with its loops
/// replaced by expressions over the numbered values.
SmallVector<AffineExpr>
StatementEmitter::subscripts(const Access &access, ArrayRef<AffineExpr> loops) {
  SmallVector<AffineExpr> params;
  for (unsigned p = 0; p < scop.params.size(); ++p)
    params.push_back(getAffineDimExpr(p, scop.getContext()));
  SmallVector<AffineExpr> result;
  for (AffineExpr expr : access.map.getResults())
    result.push_back(expr.replaceDimsAndSymbols(loops, params));
  return result;
}

Value StatementEmitter::applyExpr(AffineExpr expr, Location loc) {
  SmallVector<Value> operands;
  AffineMap map = makeMap(expr, operands);
  if (map.isSingleConstant())
    return arith::ConstantIndexOp::create(builder, loc,
                                          map.getSingleConstantResult());
  return affine::AffineApplyOp::create(builder, loc, map, operands);
}

Value StatementEmitter::loadCell(Value memref, ArrayRef<AffineExpr> exprs,
                                 Location loc) {
  SmallVector<Value> operands;
  AffineMap map = makeMap(exprs, operands);
  return affine::AffineLoadOp::create(builder, loc, memref, map, operands);
}

void StatementEmitter::storeCell(Value value, Value memref,
                                 ArrayRef<AffineExpr> exprs, Location loc) {
  SmallVector<Value> operands;
  AffineMap map = makeMap(exprs, operands);
  affine::AffineStoreOp::create(builder, loc, value, memref, map, operands);
}

//===----------------------------------------------------------------------===//
// One instance
//===----------------------------------------------------------------------===//

/// The place of the source loop whose induction variable `value` is.
std::optional<unsigned> StatementEmitter::loopNumber(const Statement &stmt,
                                                     Value value) const {
  for (auto [depth, loop] : llvm::enumerate(stmt.loops))
    if (affine::AffineForOp(scop.loops[loop].op).getInductionVar() == value)
      return depth;
  return std::nullopt;
}

const Access *StatementEmitter::readOf(const Statement &stmt,
                                       Value slotValue) const {
  for (const Access &read : stmt.reads)
    if (read.slotValue == slotValue)
      return &read;
  return nullptr;
}

/// A reordered integer reduction may pass through sums that the source never
/// had, so its ops must not promise the absence of overflow.
static void dropOverflowFlags(Operation *op) {
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(flags.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    op->getContext(), arith::IntegerOverflowFlags::none));
}

/// Loads that become affine.load; everything else is copied.
static bool isAffineRead(const Access &read) {
  return read.isExact() && isa<affine::AffineLoadOp, memref::LoadOp>(read.op);
}

/// Puts the results of a copied op into their slots.
void StatementEmitter::keepResults(const Statement &stmt, IRMapping &map) {
  auto keep = [&](const Access &write) {
    if (write.slotValue)
      storeCell(map.lookup(write.slotValue), slotOf(write), {}, stmt.loc);
  };
  keep(stmt.write);
  llvm::for_each(stmt.moreWrites, keep);
}

void StatementEmitter::emitScalar(const Statement &stmt,
                                  ArrayRef<AffineExpr> loops) {
  IRMapping map;
  auto lookUp = [&](Value value, Location loc) {
    if (Value known = map.lookupOrNull(value))
      return known;
    Value result = value;
    if (const Access *read = readOf(stmt, value))
      result = loadCell(slotOf(*read), {}, loc);
    else if (auto depth = loopNumber(stmt, value))
      result = applyExpr(loops[*depth], loc);
    map.map(value, result);
    return result;
  };
  for (Operation *op : stmt.ops) {
    auto read =
        llvm::find_if(stmt.reads, [&](const Access &a) { return a.op == op; });
    if (read != stmt.reads.end() && isAffineRead(*read)) {
      Value memref = scop.arrays[read->array].memref;
      map.map(op->getResult(0),
              loadCell(memref, subscripts(*read, loops), op->getLoc()));
      continue;
    }
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used)
      lookUp(value, op->getLoc());
    Operation *copy = builder.clone(*op, map);
    if (op == stmt.reductionOp)
      dropOverflowFlags(copy);
  }
  if (stmt.effect)
    return keepResults(stmt, map);
  Value value = lookUp(stmt.written, stmt.loc);
  if (stmt.write.slotValue)
    storeCell(value, slotOf(stmt.write), {}, stmt.loc);
  else
    storeCell(value, scop.arrays[stmt.write.array].memref,
              subscripts(stmt.write, loops), stmt.loc);
}

//===----------------------------------------------------------------------===//
// A vector of instances
//===----------------------------------------------------------------------===//

/// How each expression moves from lane to lane; none if not by a constant.
std::optional<SmallVector<int64_t>>
StatementEmitter::laneStrides(ArrayRef<AffineExpr> exprs) {
  MLIRContext *ctx = scop.getContext();
  AffineExpr lane = getAffineDimExpr(kLane, ctx);
  SmallVector<int64_t> strides;
  for (AffineExpr expr : exprs) {
    AffineExpr first = expr.replace(lane, getAffineConstantExpr(0, ctx));
    // expr - first must be a multiple of the lane; lanes are renumbered to a
    // small dim so that the simplifier's tables stay small.
    AffineExpr small = getAffineDimExpr(values.size(), ctx);
    AffineExpr delta = simplifyAffineExpr(expr.replace(lane, small) - first,
                                          values.size() + 1, 0);
    if (auto constant = dyn_cast<AffineConstantExpr>(delta)) {
      if (constant.getValue() != 0)
        return std::nullopt;
      strides.push_back(0);
    } else if (delta == small) {
      strides.push_back(1);
    } else {
      auto product = dyn_cast<AffineBinaryOpExpr>(delta);
      if (!product || product.getKind() != AffineExprKind::Mul ||
          product.getLHS() != small ||
          !isa<AffineConstantExpr>(product.getRHS()))
        return std::nullopt;
      strides.push_back(cast<AffineConstantExpr>(product.getRHS()).getValue());
    }
  }
  return strides;
}

/// Types with one memory cell per vector lane.
static bool isVectorElement(Type type) {
  return type.isF32() || type.isF64() || type.isF16() || type.isBF16() ||
         type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64);
}

bool StatementEmitter::canVectorize(const Statement &stmt,
                                    ArrayRef<AffineExpr> loops) {
  if (stmt.effect || stmt.write.slotValue ||
      !isVectorElement(scop.arrays[stmt.write.array].elementType))
    return false;
  for (const Access &read : stmt.reads)
    if (!isVectorElement(scop.arrays[read.array].elementType) ||
        !(read.slotValue || isAffineRead(read)))
      return false;
  for (Operation *op : stmt.ops) {
    if (op->getNumRegions())
      return false;
    if (isa<affine::AffineLoadOp, memref::LoadOp>(op) ||
        op->getNumOperands() == 0)
      continue;
    auto isScalar = [](Type type) {
      return VectorType::isValidElementType(type) && !isa<VectorType>(type);
    };
    if (!OpTrait::hasElementwiseMappableTraits(op) ||
        op->getNumResults() != 1 ||
        !llvm::all_of(op->getResultTypes(), isScalar) ||
        !llvm::all_of(op->getOperandTypes(), isScalar))
      return false;
  }
  return true;
}

Value StatementEmitter::broadcast(Packed packed, int64_t width, Location loc) {
  if (packed.isVector)
    return packed.value;
  auto type = VectorType::get(width, packed.value.getType());
  return vector::BroadcastOp::create(builder, loc, type, packed.value);
}

static SmallVector<AffineExpr> atLane(ArrayRef<AffineExpr> exprs,
                                      int64_t number, MLIRContext *ctx) {
  AffineExpr lane = getAffineDimExpr(StatementEmitter::kLane, ctx);
  SmallVector<AffineExpr> result;
  for (AffineExpr expr : exprs)
    result.push_back(expr.replace(lane, getAffineConstantExpr(number, ctx)));
  return result;
}

/// True if the last dimension of `memref` is contiguous.
static bool isLastContiguous(Value memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(memref.getType());
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         !strides.empty() && strides.back() == 1;
}

/// True if lane l accesses the cell l places after lane 0's.
static bool isUnitStride(Value memref,
                         const std::optional<SmallVector<int64_t>> &strides) {
  return isLastContiguous(memref) && strides && !strides->empty() &&
         strides->back() == 1 &&
         llvm::all_of(ArrayRef<int64_t>(*strides).drop_back(),
                      [](int64_t s) { return s == 0; });
}

static bool isInvariant(const std::optional<SmallVector<int64_t>> &strides) {
  return strides && llvm::all_of(*strides, [](int64_t s) { return s == 0; });
}

StatementEmitter::Packed
StatementEmitter::loadVector(const Access &access, ArrayRef<AffineExpr> loops,
                             int64_t width, Location loc) {
  MLIRContext *ctx = scop.getContext();
  if (access.slotValue)
    return {loadCell(slotOf(access), {}, loc), false};
  SmallVector<AffineExpr> exprs = subscripts(access, loops);
  Value memref = scop.arrays[access.array].memref;
  auto strides = laneStrides(exprs);
  if (isInvariant(strides))
    return {loadCell(memref, atLane(exprs, 0, ctx), loc), false};
  auto type = VectorType::get(width, scop.arrays[access.array].elementType);
  if (isUnitStride(memref, strides)) {
    SmallVector<Value> operands;
    AffineMap map = makeMap(atLane(exprs, 0, ctx), operands);
    Value vector = affine::AffineVectorLoadOp::create(builder, loc, type,
                                                      memref, map, operands);
    return {vector, true};
  }
  SmallVector<Value> cells;
  for (int64_t lane = 0; lane < width; ++lane)
    cells.push_back(loadCell(memref, atLane(exprs, lane, ctx), loc));
  return {vector::FromElementsOp::create(builder, loc, type, cells), true};
}

void StatementEmitter::storeVector(const Statement &stmt,
                                   ArrayRef<AffineExpr> loops, int64_t width,
                                   Packed value) {
  MLIRContext *ctx = scop.getContext();
  SmallVector<AffineExpr> exprs = subscripts(stmt.write, loops);
  Value memref = scop.arrays[stmt.write.array].memref;
  if (isUnitStride(memref, laneStrides(exprs))) {
    SmallVector<Value> operands;
    AffineMap map = makeMap(atLane(exprs, 0, ctx), operands);
    affine::AffineVectorStoreOp::create(builder, stmt.loc,
                                        broadcast(value, width, stmt.loc),
                                        memref, map, operands);
    return;
  }
  for (int64_t lane = 0; lane < width; ++lane) {
    Value cell = value.value;
    if (value.isVector)
      cell = vector::ExtractOp::create(builder, stmt.loc, value.value, lane);
    storeCell(cell, memref, atLane(exprs, lane, ctx), stmt.loc);
  }
}

StatementEmitter::Packed
StatementEmitter::loopValue(AffineExpr expr, int64_t width, Location loc) {
  MLIRContext *ctx = scop.getContext();
  if (isInvariant(laneStrides(expr)))
    return {applyExpr(atLane(expr, 0, ctx)[0], loc), false};
  SmallVector<Value> cells;
  for (int64_t lane = 0; lane < width; ++lane)
    cells.push_back(applyExpr(atLane(expr, lane, ctx)[0], loc));
  auto type = VectorType::get(width, builder.getIndexType());
  return {vector::FromElementsOp::create(builder, loc, type, cells), true};
}

Operation *StatementEmitter::computeVector(Operation *op, PackedMap &map,
                                           int64_t width) {
  bool anyVector = llvm::any_of(op->getOperands(), [&](Value operand) {
    auto it = map.find(operand);
    return it != map.end() && it->second.isVector;
  });
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : op->getOperands()) {
    auto it = map.find(operand);
    Packed packed = it == map.end() ? Packed{operand, false} : it->second;
    state.addOperands(anyVector ? broadcast(packed, width, op->getLoc())
                                : packed.value);
  }
  Type type = op->getResult(0).getType();
  state.addTypes(anyVector ? VectorType::get(width, type) : type);
  state.addAttributes(op->getAttrs());
  return builder.create(state);
}

void StatementEmitter::emitVector(const Statement &stmt,
                                  ArrayRef<AffineExpr> loops, int64_t width) {
  if (!canVectorize(stmt, loops)) {
    for (int64_t lane = 0; lane < width; ++lane)
      emitScalar(stmt, atLane(loops, lane, scop.getContext()));
    return;
  }
  PackedMap map;
  auto prepare = [&](Value value, Location loc) {
    if (map.count(value))
      return;
    if (const Access *read = readOf(stmt, value))
      map[value] = loadVector(*read, loops, width, loc);
    else if (auto depth = loopNumber(stmt, value))
      map[value] = loopValue(loops[*depth], width, loc);
  };
  for (Operation *op : stmt.ops) {
    auto read =
        llvm::find_if(stmt.reads, [&](const Access &a) { return a.op == op; });
    if (read != stmt.reads.end()) {
      map[op->getResult(0)] = loadVector(*read, loops, width, op->getLoc());
      continue;
    }
    for (Value operand : op->getOperands())
      prepare(operand, op->getLoc());
    Operation *copy = computeVector(op, map, width);
    if (op == stmt.reductionOp)
      dropOverflowFlags(copy);
    Value result = copy->getResult(0);
    map[op->getResult(0)] = {result, isa<VectorType>(result.getType())};
  }
  prepare(stmt.written, stmt.loc);
  auto it = map.find(stmt.written);
  storeVector(stmt, loops, width,
              it == map.end() ? Packed{stmt.written, false} : it->second);
}
