//===- Emit.cpp - From a sketch to MLIR -----------------------------------===//
//
// Corpus room, the generator's last step.
//
//===----------------------------------------------------------------------===//
#include "Sketch.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

using namespace mlir;
using namespace mlir::nestor::corpus;

namespace {
class Emitter {
public:
  explicit Emitter(const Sketch &sketch)
      : sketch(sketch), builder(sketch.context), loc(builder.getUnknownLoc()) {}

  OwningOpRef<ModuleOp> run() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    makeFunction();
    emit(sketch.nests);
    func::ReturnOp::create(builder, loc);
    return module;
  }

private:
  MemRefType typeOf(const ArraySketch &array) {
    return MemRefType::get(array.shape, sketch.elementType);
  }
  void makeFunction();
  void emit(const std::vector<Node> &nodes);
  void emitLoop(const Node &node);
  bool emitReduction(const Node &node);
  void emitIf(const Node &node);
  Value emit(const Expr &expr);
  Value emitGuarded(const Expr &expr);
  Value apply(Operator op, Value a, Value b);
  Value applyInteger(Operator op, Value a, Value b);
  Value constant(double value);
  std::pair<AffineMap, SmallVector<Value>> access(ArrayRef<AffineExpr> exprs);
  Value load(const Cell &cell);
  void store(Value value, const Cell &cell);
  template <typename OpTy, typename... Args> Value make(Args &&...args) {
    return OpTy::create(builder, loc, std::forward<Args>(args)...);
  }

  const Sketch &sketch;
  OpBuilder builder;
  Location loc;
  func::FuncOp func;
  std::vector<Value> memrefs;
  std::map<double, Value> constants;
  DenseMap<unsigned, Value> named;
  SmallVector<Value> ivs;
};
} // namespace

void Emitter::makeFunction() {
  std::vector<bool> used(sketch.arrays.size());
  auto nests = sketch.nests;
  forEachCell(nests, [&](Cell &cell) {
    used[cell.array] = true;
    if (int source = sketch.arrays[cell.array].castOf; source >= 0)
      used[source] = true;
  });
  SmallVector<Type> types;
  for (auto [i, array] : llvm::enumerate(sketch.arrays))
    if (used[i] && !array.isLocal && array.castOf < 0)
      types.push_back(typeOf(array));
  func = func::FuncOp::create(builder, loc, "kernel",
                              builder.getFunctionType(types, {}));
  Block *entry = func.addEntryBlock();
  builder.setInsertionPointToStart(entry);

  memrefs.resize(sketch.arrays.size());
  unsigned next = 0;
  for (auto [i, array] : llvm::enumerate(sketch.arrays)) {
    if (!used[i])
      continue;
    if (array.isLocal)
      memrefs[i] = make<memref::AllocaOp>(typeOf(array));
    else if (array.castOf < 0)
      memrefs[i] = entry->getArgument(next++);
  }
  for (auto [i, array] : llvm::enumerate(sketch.arrays)) {
    if (!used[i] || array.castOf < 0)
      continue;
    SmallVector<int64_t> dynamic(array.shape.size(), ShapedType::kDynamic);
    memrefs[i] = make<memref::CastOp>(
        MemRefType::get(dynamic, sketch.elementType), memrefs[array.castOf]);
  }
}

Value Emitter::constant(double value) {
  Value &known = constants[value];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&func.getBody().front());
  if (!sketch.isInteger())
    return known = make<arith::ConstantOp>(
               builder.getFloatAttr(sketch.elementType, value));
  // Fractions would all become 0: keep the operation meaningful.
  int64_t integer = value == 0 ? 0 : std::abs(value) < 1 ? 3 : int64_t(value);
  return known = make<arith::ConstantOp>(
             builder.getIntegerAttr(sketch.elementType, integer));
}

std::pair<AffineMap, SmallVector<Value>>
Emitter::access(ArrayRef<AffineExpr> exprs) {
  AffineMap map = AffineMap::get(ivs.size(), 0, exprs, sketch.context);
  SmallVector<Value> operands(ivs);
  affine::canonicalizeMapAndOperands(&map, &operands);
  return {map, operands};
}

Value Emitter::load(const Cell &cell) {
  auto [map, operands] = access(cell.index);
  return make<affine::AffineLoadOp>(memrefs[cell.array], map, operands);
}

void Emitter::store(Value value, const Cell &cell) {
  auto [map, operands] = access(cell.index);
  affine::AffineStoreOp::create(builder, loc, value, memrefs[cell.array], map,
                                operands);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Emitter::applyInteger(Operator op, Value a, Value b) {
  switch (op) {
  case Operator::Add:
    return make<arith::AddIOp>(a, b);
  case Operator::Sub:
    return make<arith::SubIOp>(a, b);
  case Operator::Min:
    return make<arith::MinSIOp>(a, b);
  case Operator::Max:
  case Operator::Div:
    return make<arith::MaxSIOp>(a, b);
  case Operator::Abs:
    return make<math::AbsIOp>(a);
  case Operator::Sqrt:
    return a;
  case Operator::Mul:
    break;
  }
  return make<arith::MulIOp>(a, b);
}

Value Emitter::apply(Operator op, Value a, Value b) {
  if (sketch.isInteger())
    return applyInteger(op, a, b);
  auto flags = arith::FastMathFlagsAttr::get(sketch.context, sketch.fastMath);
  switch (op) {
  case Operator::Add:
    return make<arith::AddFOp>(a, b, flags);
  case Operator::Sub:
    return make<arith::SubFOp>(a, b, flags);
  case Operator::Mul:
    return make<arith::MulFOp>(a, b, flags);
  case Operator::Div:
    return make<arith::DivFOp>(a, b, flags);
  case Operator::Max:
    return make<arith::MaximumFOp>(a, b, flags);
  case Operator::Min:
    return make<arith::MinimumFOp>(a, b, flags);
  case Operator::Sqrt:
    return make<math::SqrtOp>(a, flags);
  case Operator::Abs:
    break;
  }
  return make<math::AbsFOp>(a, flags);
}

Value Emitter::emitGuarded(const Expr &expr) {
  auto [map, operands] = access({expr.condition});
  auto set = IntegerSet::get(map.getNumDims(), 0, map.getResults(), {false});
  auto ifOp = affine::AffineIfOp::create(
      builder, loc, TypeRange(sketch.elementType), set, operands, true);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [block, operand] :
       {std::pair(ifOp.getThenBlock(), 0), std::pair(ifOp.getElseBlock(), 1)}) {
    builder.setInsertionPointToEnd(block);
    affine::AffineYieldOp::create(builder, loc, emit(expr.operands[operand]));
  }
  return ifOp.getResult(0);
}

Value Emitter::emit(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Load:
    return load(expr.cell);
  case Expr::Kind::Constant:
    return constant(expr.value);
  case Expr::Kind::Named:
    return named.lookup(expr.name);
  case Expr::Kind::Guarded:
    return emitGuarded(expr);
  case Expr::Kind::Apply:
    break;
  }
  Value a = emit(expr.operands[0]);
  Value b = expr.operands.size() > 1 ? emit(expr.operands[1]) : Value();
  return apply(expr.op, a, b);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static bool uses(const Expr &expr, unsigned array) {
  return (expr.kind == Expr::Kind::Load && expr.cell.array == array) ||
         llvm::any_of(expr.operands,
                      [&](const Expr &e) { return uses(e, array); });
}

/// Emits `for { c = c op e }` with c in iter_args; false if it is not that.
bool Emitter::emitReduction(const Node &node) {
  if (node.body.size() != 1)
    return false;
  const Node &stmt = node.body.front();
  if (stmt.kind != Node::Kind::Store || stmt.targets.size() != 1 ||
      stmt.value.kind != Expr::Kind::Apply || stmt.value.operands.size() != 2)
    return false;
  const Cell &cell = stmt.targets.front();
  const Expr &carried = stmt.value.operands[0], &rest = stmt.value.operands[1];
  if (carried.kind != Expr::Kind::Load || carried.cell.array != cell.array ||
      carried.cell.index != cell.index || uses(rest, cell.array) ||
      llvm::any_of(cell.index, [&](AffineExpr expr) {
        return expr.isFunctionOfDim(ivs.size());
      }))
    return false;

  auto [lowerMap, lowerOperands] = access(node.lower);
  auto [upperMap, upperOperands] = access(node.upper);
  Value start = load(cell);
  auto loop = affine::AffineForOp::create(builder, loc, lowerOperands, lowerMap,
                                          upperOperands, upperMap, node.step,
                                          ValueRange(start));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(loop.getBody());
    ivs.push_back(loop.getInductionVar());
    Value next = apply(stmt.value.op, loop.getRegionIterArgs()[0], emit(rest));
    ivs.pop_back();
    affine::AffineYieldOp::create(builder, loc, next);
  }
  store(loop.getResult(0), cell);
  return true;
}

void Emitter::emitLoop(const Node &node) {
  if (node.iterArgs && emitReduction(node))
    return;
  auto [lowerMap, lowerOperands] = access(node.lower);
  auto [upperMap, upperOperands] = access(node.upper);
  auto loop = affine::AffineForOp::create(builder, loc, lowerOperands, lowerMap,
                                          upperOperands, upperMap, node.step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ivs.push_back(loop.getInductionVar());
  emit(node.body);
  ivs.pop_back();
}

void Emitter::emitIf(const Node &node) {
  auto [map, operands] = access(node.conditions);
  auto set =
      IntegerSet::get(map.getNumDims(), 0, map.getResults(), node.isEquality);
  auto ifOp = affine::AffineIfOp::create(builder, loc, set, operands,
                                         !node.orElse.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.getThenBlock());
  emit(node.body);
  if (node.orElse.empty())
    return;
  builder.setInsertionPointToStart(ifOp.getElseBlock());
  emit(node.orElse);
}

void Emitter::emit(const std::vector<Node> &nodes) {
  for (const Node &node : nodes) {
    switch (node.kind) {
    case Node::Kind::Loop:
      emitLoop(node);
      break;
    case Node::Kind::If:
      emitIf(node);
      break;
    case Node::Kind::Let:
      named[node.name] = emit(node.value);
      break;
    case Node::Kind::Copy:
      memref::CopyOp::create(builder, loc, memrefs[node.targets[1].array],
                             memrefs[node.targets[0].array]);
      break;
    case Node::Kind::Store: {
      Value value = emit(node.value);
      for (const Cell &target : node.targets)
        store(value, target);
      break;
    }
    }
  }
}

OwningOpRef<ModuleOp> mlir::nestor::corpus::emit(const Sketch &sketch) {
  return Emitter(sketch).run();
}
