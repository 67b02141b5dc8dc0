//===- Wild.cpp - Programs without a plan, for fuzzing --------------------===//
//
// Corpus room, inside the generator. Loops with any affine bounds (empty ones
// too), guards with else parts, values that cross loops and guards, one value
// stored twice, any affine subscript. Every value is an average or a scaled
// term of others, so that results stay finite.
//
//===----------------------------------------------------------------------===//
#include "Maker.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::corpus;

namespace {
class Wild {
public:
  explicit Wild(Maker &m) : m(m), rng(m.rng) {
    for (unsigned rank : {0u, 1u, 1u, 2u, 2u})
      if (rng.chance(70))
        arrays.push_back(m.sketch.addArray(SmallVector<int64_t>(rank, 9)));
    if (arrays.empty())
      arrays.push_back(m.sketch.addArray({9}));
  }

  Node nest() { return loop(); }

private:
  Body block();
  Node loop();
  Node guard();
  Node statement();
  AffineExpr index();
  AffineExpr bound(bool isUpper);
  Cell cell();
  Expr value();
  Expr operand();
  AffineExpr constant(int64_t c) {
    return getAffineConstantExpr(c, m.context());
  }
  AffineExpr anyDim() {
    return getAffineDimExpr(rng.uniform(0, int64_t(depth) - 1), m.context());
  }

  Maker &m;
  Rng &rng;
  Dims arrays, names;
  unsigned depth = 0, numStatements = 0;
};
} // namespace

AffineExpr Wild::bound(bool isUpper) {
  if (depth == 0 || rng.chance(60))
    return constant(isUpper ? rng.uniform(0, 9) : rng.uniform(0, 2));
  AffineExpr dim = anyDim();
  switch (rng.uniform(0, 4)) {
  case 0:
    return dim;
  case 1:
    return dim + rng.uniform(-2, 3);
  case 2:
    return rng.uniform(3, 8) - dim;
  case 3:
    return dim.floorDiv(2) + rng.uniform(0, 2);
  default:
    return dim + (isUpper ? 1 : 0);
  }
}

AffineExpr Wild::index() {
  if (depth == 0 || rng.chance(6))
    return constant(rng.uniform(0, 3));
  AffineExpr dim = anyDim();
  switch (rng.weighted({50, 15, 8, 8, 6, 5, 5})) {
  case 0:
    return dim;
  case 1:
    return dim + rng.uniform(-2, 2);
  case 2:
    return dim + anyDim();
  case 3:
    return rng.uniform(5, 9) - dim;
  case 4:
    return dim * 2 + rng.uniform(0, 1);
  case 5:
    return dim.floorDiv(2);
  default:
    return dim % 3;
  }
}

Cell Wild::cell() {
  Cell cell;
  cell.array = rng.pick(arrays);
  size_t rank = m.sketch.arrays[cell.array].extents.size();
  for (size_t i = 0; i < rank; ++i)
    cell.index.push_back(index());
  return cell;
}

Expr Wild::operand() {
  if (!names.empty() && rng.chance(35)) {
    Expr expr;
    expr.kind = Expr::Kind::Named;
    expr.name = rng.pick(names);
    return expr;
  }
  return rng.chance(15) ? number(0.25 * double(rng.uniform(1, 7)))
                        : load(cell());
}

Expr Wild::value() {
  Expr a = operand(), b = operand();
  switch (rng.weighted({4, 2, 1, 1, 1, 1, 2})) {
  case 0:
    return apply(Operator::Add, scaled(0.5, std::move(a)),
                 scaled(0.5, std::move(b)));
  case 1:
    return a;
  case 2:
    return apply(Operator::Max, std::move(a), std::move(b));
  case 3:
    return apply(Operator::Min, std::move(a), std::move(b));
  case 4:
    return safeDivide(std::move(a), std::move(b));
  case 5:
    return apply(Operator::Sub, scaled(0.5, std::move(a)),
                 scaled(0.5, std::move(b)));
  default:
    break;
  }
  Expr expr;
  expr.kind = Expr::Kind::Guarded;
  expr.condition = index() - rng.uniform(0, 5);
  expr.operands = {std::move(a), std::move(b)};
  return expr;
}

Node Wild::statement() {
  ++numStatements;
  Cell target = cell();
  switch (rng.weighted({5, 3, 1, 3})) {
  case 0:
    return store(std::move(target), value());
  case 1: {
    Expr term = rng.chance(50) ? scaled(1.0 / 1024, operand())
                               : scaled(1.0 / 1024, value());
    return update(std::move(target), Operator::Add, std::move(term));
  }
  case 2: {
    Node node = store(std::move(target), value());
    node.targets.push_back(cell());
    return node;
  }
  default:
    break;
  }
  Node let;
  let.kind = Node::Kind::Let;
  let.value = value();
  let.name = m.sketch.numNames++;
  names.push_back(let.name);
  return let;
}

Node Wild::guard() {
  Node node;
  node.kind = Node::Kind::If;
  for (int64_t i = 0, count = rng.uniform(1, 2); i < count; ++i) {
    AffineExpr left = index();
    node.conditions.push_back(rng.chance(50) ? left - index()
                                             : left - rng.uniform(0, 4));
    node.isEquality.push_back(rng.chance(15));
  }
  node.body = block();
  if (rng.chance(40))
    node.orElse = block();
  return node;
}

Node Wild::loop() {
  Node node;
  node.kind = Node::Kind::Loop;
  for (int64_t i = 0, count = rng.chance(20) ? 2 : 1; i < count; ++i)
    node.lower.push_back(bound(false));
  for (int64_t i = 0, count = rng.chance(25) ? 2 : 1; i < count; ++i)
    node.upper.push_back(bound(true));
  if (rng.chance(20))
    node.step = rng.uniform(2, 3);
  ++depth;
  node.body = block();
  --depth;
  return node;
}

/// A few nodes; names bound inside end with it. At least one store.
Body Wild::block() {
  size_t visible = names.size();
  Body body;
  for (int64_t i = 0, count = 1 + rng.weighted({4, 4, 2}); i < count; ++i) {
    bool isFull = numStatements > 10;
    if (!isFull && depth < 4 && rng.chance(depth < 2 ? 55 : 25))
      body.push_back(loop());
    else if (!isFull && rng.chance(15))
      body.push_back(guard());
    else
      body.push_back(statement());
  }
  if (body.back().kind == Node::Kind::Let) {
    Expr last;
    last.kind = Expr::Kind::Named;
    last.name = names.back();
    body.push_back(store(cell(), std::move(last)));
  }
  names.truncate(visible);
  return body;
}

void mlir::nestor::corpus::makeWild(Maker &m) {
  Wild wild(m);
  for (int64_t i = 0, count = m.rng.uniform(1, 3); i < count; ++i) {
    Body body;
    body.push_back(wild.nest());
    m.add(std::move(body));
  }
}
