//===- MutateOps.cpp - Damage to ops --------------------------------------===//
//
// Fuzz room; see Mutate.h. Damage to text mostly ends in the parser; this kind
// mostly gets past it, and often past the verifier.
//
//===----------------------------------------------------------------------===//
#include "Dice.h"
#include "nestor/Fuzz/Mutate.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::nestor::fuzz;

namespace {
class OpMutator {
public:
  OpMutator(ModuleOp module, uint64_t seed) : module(module), dice(seed) {}
  void damage();

private:
  Operation *anyOp();
  Value anyValue(Operation *op, Type type);
  void erase(Operation *op);
  void exchangeOperand(Operation *op);
  void damageAttribute(Operation *op);
  Attribute damaged(Attribute attr);
  AffineExpr damaged(AffineExpr expr, unsigned dims, unsigned symbols);
  int64_t extreme();

  ModuleOp module;
  Dice dice;
};
} // namespace

int64_t OpMutator::extreme() {
  constexpr int64_t numbers[] = {0,         1,         -1,        2,
                                 3,         -7,        33,        255,
                                 INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN,
                                 1LL << 31, 1LL << 40, 1LL << 62};
  return dice.pick(numbers);
}

/// Any but terminators and functions.
Operation *OpMutator::anyOp() {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (op != module && !op->hasTrait<OpTrait::IsTerminator>() &&
        op->getParentOp() != module)
      ops.push_back(op);
  });
  return ops.empty() ? nullptr : dice.pick(ops);
}

/// A value of the type that is there when `op` runs.
Value OpMutator::anyValue(Operation *op, Type type) {
  SmallVector<Value> values;
  auto add = [&](ValueRange range) {
    for (Value value : range)
      if (value.getType() == type)
        values.push_back(value);
  };
  for (Operation *at = op; at && at->getBlock(); at = at->getParentOp()) {
    add(at->getBlock()->getArguments());
    for (Operation *before = at->getPrevNode(); before;
         before = before->getPrevNode())
      add(before->getResults());
  }
  return values.empty() ? Value() : dice.pick(values);
}

void OpMutator::erase(Operation *op) {
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value other = anyValue(op, result.getType());
    if (!other)
      return;
    result.replaceAllUsesWith(other);
  }
  op->erase();
}

void OpMutator::exchangeOperand(Operation *op) {
  if (op->getNumOperands() == 0)
    return;
  unsigned number = dice.uniform(0, op->getNumOperands() - 1);
  if (Value other = anyValue(op, op->getOperand(number).getType()))
    op->setOperand(number, other);
}

AffineExpr OpMutator::damaged(AffineExpr expr, unsigned dims,
                              unsigned symbols) {
  MLIRContext *context = module.getContext();
  AffineExpr other = getAffineConstantExpr(extreme(), context);
  if (dims && dice.chance(40))
    other = getAffineDimExpr(dice.uniform(0, dims - 1), context);
  else if (symbols && dice.chance(40))
    other = getAffineSymbolExpr(dice.uniform(0, symbols - 1), context);
  AffineExprKind kinds[] = {AffineExprKind::Add, AffineExprKind::Mul,
                            AffineExprKind::Mod, AffineExprKind::FloorDiv,
                            AffineExprKind::CeilDiv};
  switch (dice.uniform(0, 3)) {
  case 0:
    return other;
  case 1:
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr))
      return getAffineBinaryOpExpr(binary.getKind(), binary.getLHS(),
                                   getAffineConstantExpr(extreme(), context));
    [[fallthrough]];
  default:
    return getAffineBinaryOpExpr(dice.pick(kinds), expr, other);
  }
}

/// The attribute itself where it is of a kind that stays as it is.
Attribute OpMutator::damaged(Attribute attr) {
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return number.getType().isIntOrIndex()
               ? IntegerAttr::get(number.getType(),
                                  APInt(number.getValue().getBitWidth(),
                                        uint64_t(extreme()), /*isSigned=*/false,
                                        /*implicitTrunc=*/true))
               : attr;
  if (auto map = dyn_cast<AffineMapAttr>(attr)) {
    AffineMap old = map.getValue();
    auto exprs = llvm::to_vector(old.getResults());
    if (exprs.empty())
      return attr;
    AffineExpr &expr = dice.pick(exprs);
    if (dice.chance(15))
      exprs.push_back(AffineExpr(expr));
    else
      expr = damaged(expr, old.getNumDims(), old.getNumSymbols());
    return AffineMapAttr::get(AffineMap::get(
        old.getNumDims(), old.getNumSymbols(), exprs, attr.getContext()));
  }
  if (auto set = dyn_cast<IntegerSetAttr>(attr)) {
    IntegerSet old = set.getValue();
    auto exprs = llvm::to_vector(old.getConstraints());
    if (exprs.empty())
      return attr;
    AffineExpr &expr = dice.pick(exprs);
    expr = damaged(expr, old.getNumDims(), old.getNumSymbols());
    return IntegerSetAttr::get(IntegerSet::get(
        old.getNumDims(), old.getNumSymbols(), exprs, old.getEqFlags()));
  }
  // Of what holds others, one element.
  SmallVector<Attribute> parts;
  attr.walkImmediateSubElements([&](Attribute part) { parts.push_back(part); },
                                [](Type) {});
  if (parts.empty())
    return attr;
  unsigned chosen = dice.uniform(0, int64_t(parts.size()) - 1);
  parts[chosen] = damaged(parts[chosen]);
  return parts[chosen] && isa<ArrayAttr>(attr)
             ? ArrayAttr::get(attr.getContext(), parts)
             : attr;
}

void OpMutator::damageAttribute(Operation *op) {
  auto attrs = llvm::to_vector(op->getAttrs());
  if (attrs.empty())
    return;
  NamedAttribute attr = dice.pick(attrs);
  op->setAttr(attr.getName(), damaged(attr.getValue()));
}

void OpMutator::damage() {
  Operation *op = anyOp();
  if (!op)
    return;
  switch (dice.weighted({20, 12, 25, 30, 12})) {
  case 0:
    return erase(op);
  case 1:
    op->getBlock()->getOperations().insert(std::next(op->getIterator()),
                                           op->clone());
    return;
  case 2:
    return exchangeOperand(op);
  case 3:
    return damageAttribute(op);
  default:
    if (Operation *next = op->getNextNode();
        next && !next->hasTrait<OpTrait::IsTerminator>())
      op->moveAfter(next);
  }
}

void mlir::nestor::fuzz::mutateOps(ModuleOp module, uint64_t seed) {
  OpMutator mutator(module, seed);
  for (int64_t count = Dice(~seed).uniform(1, 4); count > 0; --count)
    mutator.damage();
}
