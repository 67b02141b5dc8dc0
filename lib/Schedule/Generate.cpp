//===- Generate.cpp - Loops of a schedule tree ----------------------------===//
//
// Schedule room. isl's AST generator turns the tree into loops, conditions and
// calls of statements; this file turns its AST into affine ops and acts on the
// members' marks: point loops of full blocks are unrolled or become vectors.
//
// A candidate whose bounds affine maps cannot hold, or that copies a statement
// too often, is rejected: never a wrong or an endless program.
//
//===----------------------------------------------------------------------===//
#include "Generate.h"
#include "CheckLoops.h"
#include "Growth.h"
#include "IslSchedule.h"
#include "StatementEmitter.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringMap.h"
#include "isl/ast.h"
#include "isl/ast_build.h"
#include "isl/options.h"

using namespace mlir;
using namespace mlir::nestor;

/// Copies of one statement in isl's AST (before unrolling).
static constexpr unsigned kMaxCopies = 16;
/// Statement instances that unrolling and lanes may emit in all.
static constexpr unsigned kMaxEmitted = 4096;

/// Cases that a condition with `or` may have; each gets a copy of what it
/// guards.
static constexpr unsigned kMaxCases = 8;
static constexpr const char *kNotAffine =
    "its code would have a bound or condition that affine ops cannot express";
static constexpr const char *kTooComplex =
    "its loops are too complex to generate";

namespace {
/// Constraints that hold together: expressions that are 0 or at least 0.
struct Conjunction {
  SmallVector<AffineExpr> exprs;
  SmallVector<bool> isEq;
  void add(AffineExpr expr, bool isZero) {
    exprs.push_back(expr);
    isEq.push_back(isZero);
  }
};

class CodeGenerator {
public:
  CodeGenerator(Legality &legality, OpBuilder &builder, ArrayRef<Value> slots,
                ArrayRef<Marks> marks, const LoopGuards &guards)
      : scop(legality.getScop()), poly(legality.getPolyhedral()),
        builder(builder), emitter(scop, builder, slots), marks(marks),
        guards(guards), growth(scop), copies(scop.statements.size()) {}
  LogicalResult generate(isl_ast_node *node,
                         SmallVectorImpl<ParamLimit> &limits,
                         std::string &why) {
    bool ok = countCopies(node) && emit(node, Marks());
    limits = growth.getLimits();
    why = reason;
    return success(ok);
  }

private:
  bool countCopies(isl_ast_node *node);
  bool emit(isl_ast_node *node, Marks pending);
  bool emitChildren(isl_ast_node *block, Marks pending);
  bool emitFor(isl_ast_node *node, Marks pending);
  bool emitLoop(isl_ast_node *node, StringRef iterator,
                ArrayRef<AffineExpr> lower, ArrayRef<AffineExpr> upper,
                int64_t step, bool promote);
  bool emitUnrolled(isl_ast_node *node, StringRef iterator, AffineExpr first,
                    int64_t trips, int64_t step);
  bool emitVectors(isl_ast_node *node, StringRef iterator, AffineExpr first,
                   int64_t trips, int64_t width);
  bool enterGuard(isl_ast_node *loop);
  affine::AffineIfOp createIf(const Conjunction &condition, bool withElse);
  bool emitIf(isl_ast_node *node, Marks pending);
  bool emitCases(ArrayRef<Conjunction> cases, isl_ast_node *node,
                 Marks pending);
  bool emitUser(isl_ast_node *node);

  // isl's expressions. The functions take ownership of `expr`.
  AffineExpr toExpr(isl_ast_expr *expr);
  bool toExprs(isl_ast_expr *expr, isl_ast_expr_op_type combiner,
               SmallVectorImpl<AffineExpr> &exprs);
  bool toCases(isl_ast_expr *expr, std::vector<Conjunction> &cases);
  bool addComparison(isl_ast_expr *lhs, isl_ast_expr *rhs, int64_t margin,
                     Conjunction &conjunction);
  bool fail(const Twine &why) {
    if (reason.empty())
      reason = why.str();
    return false;
  }

  const Scop &scop;
  const Polyhedral &poly;
  OpBuilder &builder;
  StatementEmitter emitter;
  ArrayRef<Marks> marks;
  const LoopGuards &guards;
  Growth growth;
  SmallVector<unsigned> copies;
  unsigned emitted = 0;
  int64_t laneWidth = 0; ///< inside the lanes of a vector
  llvm::StringMap<AffineExpr> iterators;
  std::string reason;
};
} // namespace

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static std::string idName(isl_id *id) {
  std::string name = isl_id_get_name(id);
  isl_id_free(id);
  return name;
}

AffineExpr CodeGenerator::toExpr(isl_ast_expr *expr) {
  llvm::scope_exit release([&] { isl_ast_expr_free(expr); });
  MLIRContext *ctx = scop.getContext();
  switch (isl_ast_expr_get_type(expr)) {
  case isl_ast_expr_int: {
    isl_val *value = isl_ast_expr_get_val(expr);
    int64_t number = isl_val_get_num_si(value);
    isl_val_free(value);
    return getAffineConstantExpr(number, ctx);
  }
  case isl_ast_expr_id: {
    std::string name = idName(isl_ast_expr_get_id(expr));
    if (name[0] == 'p')
      return getAffineDimExpr(std::stoul(name.substr(1)), ctx);
    return iterators.lookup(name);
  }
  case isl_ast_expr_op:
    break;
  default:
    return {};
  }
  auto arg = [&](int i) { return toExpr(isl_ast_expr_get_op_arg(expr, i)); };
  isl_ast_expr_op_type type = isl_ast_expr_op_get_type(expr);
  if (type == isl_ast_expr_op_minus) {
    AffineExpr value = arg(0);
    return value ? -value : value;
  }
  if (isl_ast_expr_get_op_n_arg(expr) != 2)
    return {};
  AffineExpr lhs = arg(0), rhs = arg(1);
  if (!lhs || !rhs)
    return {};
  switch (type) {
  case isl_ast_expr_op_add:
    return lhs + rhs;
  case isl_ast_expr_op_sub:
    return lhs - rhs;
  case isl_ast_expr_op_mul:
    return lhs * rhs;
  case isl_ast_expr_op_div:    // exact
  case isl_ast_expr_op_pdiv_q: // of a value >= 0
  case isl_ast_expr_op_fdiv_q:
    return lhs.floorDiv(rhs);
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r: // compared with 0 only
    return lhs % rhs;
  default:
    return {};
  }
}

/// The operands of a max (or min) at the top of `expr`, a sum distributed.
bool CodeGenerator::toExprs(isl_ast_expr *expr, isl_ast_expr_op_type combiner,
                            SmallVectorImpl<AffineExpr> &exprs) {
  llvm::scope_exit release([&] { isl_ast_expr_free(expr); });
  bool isOp = isl_ast_expr_get_type(expr) == isl_ast_expr_op;
  isl_ast_expr_op_type type =
      isOp ? isl_ast_expr_op_get_type(expr) : isl_ast_expr_op_error;
  auto arg = [&](int i) { return isl_ast_expr_get_op_arg(expr, i); };
  if (isOp && type == combiner) {
    for (int i = 0; i < isl_ast_expr_get_op_n_arg(expr); ++i)
      if (!toExprs(arg(i), combiner, exprs))
        return false;
    return true;
  }
  if (isOp && (type == isl_ast_expr_op_add || type == isl_ast_expr_op_sub)) {
    SmallVector<AffineExpr> lhs, rhs;
    if (!toExprs(arg(0), combiner, lhs))
      return false;
    if (type == isl_ast_expr_op_sub) {
      AffineExpr single = toExpr(arg(1));
      if (!single)
        return fail(kNotAffine);
      rhs.push_back(-single);
    } else if (!toExprs(arg(1), combiner, rhs)) {
      return false;
    }
    for (AffineExpr a : lhs)
      for (AffineExpr b : rhs)
        exprs.push_back(a + b);
    return true;
  }
  AffineExpr single = toExpr(isl_ast_expr_copy(expr));
  if (!single)
    return fail(kNotAffine);
  exprs.push_back(single);
  return true;
}

/// lhs - rhs - margin >= 0.
bool CodeGenerator::addComparison(isl_ast_expr *lhs, isl_ast_expr *rhs,
                                  int64_t margin, Conjunction &conjunction) {
  SmallVector<AffineExpr> low, high;
  if (!toExprs(lhs, isl_ast_expr_op_min, low) ||
      !toExprs(rhs, isl_ast_expr_op_max, high))
    return false;
  for (AffineExpr a : low)
    for (AffineExpr b : high)
      conjunction.add(a - b - margin, /*isZero=*/false);
  return true;
}

/// The condition as cases of which one must hold.
bool CodeGenerator::toCases(isl_ast_expr *expr,
                            std::vector<Conjunction> &cases) {
  llvm::scope_exit release([&] { isl_ast_expr_free(expr); });
  if (isl_ast_expr_get_type(expr) != isl_ast_expr_op)
    return fail(kNotAffine);
  auto arg = [&](int i) { return isl_ast_expr_get_op_arg(expr, i); };
  Conjunction single;
  bool ok = true;
  switch (isl_ast_expr_op_get_type(expr)) {
  case isl_ast_expr_op_or:
  case isl_ast_expr_op_or_else:
    return toCases(arg(0), cases) && toCases(arg(1), cases) &&
           (cases.size() <= kMaxCases ||
            fail("its code would have a condition of too many cases"));
  case isl_ast_expr_op_and:
  case isl_ast_expr_op_and_then: {
    std::vector<Conjunction> lhs, rhs;
    if (!toCases(arg(0), lhs) || !toCases(arg(1), rhs))
      return false;
    if (lhs.size() * rhs.size() > kMaxCases)
      return fail("its code would have a condition of too many cases");
    for (const Conjunction &a : lhs)
      for (const Conjunction &b : rhs) {
        cases.push_back(a);
        cases.back().exprs.append(b.exprs);
        cases.back().isEq.append(b.isEq);
      }
    return true;
  }
  case isl_ast_expr_op_ge:
    ok = addComparison(arg(0), arg(1), 0, single);
    break;
  case isl_ast_expr_op_gt:
    ok = addComparison(arg(0), arg(1), 1, single);
    break;
  case isl_ast_expr_op_le:
    ok = addComparison(arg(1), arg(0), 0, single);
    break;
  case isl_ast_expr_op_lt:
    ok = addComparison(arg(1), arg(0), 1, single);
    break;
  case isl_ast_expr_op_eq: {
    AffineExpr lhs = toExpr(arg(0)), rhs = toExpr(arg(1));
    if (!lhs || !rhs)
      return fail(kNotAffine);
    single.add(lhs - rhs, /*isZero=*/true);
    break;
  }
  default:
    return fail(kNotAffine);
  }
  cases.push_back(std::move(single));
  return ok;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

bool CodeGenerator::countCopies(isl_ast_node *node) {
  struct Counter {
    CodeGenerator *self;
    bool ok = true;
  } counter{this};
  isl_ast_node_foreach_descendant_top_down(
      node,
      [](isl_ast_node *node, void *user) {
        auto *counter = static_cast<Counter *>(user);
        if (isl_ast_node_get_type(node) != isl_ast_node_user)
          return isl_bool_true;
        isl_ast_expr *call = isl_ast_node_user_get_expr(node);
        isl_ast_expr *callee = isl_ast_expr_get_op_arg(call, 0);
        unsigned stmt =
            std::stoul(idName(isl_ast_expr_get_id(callee)).substr(1));
        isl_ast_expr_free(callee);
        isl_ast_expr_free(call);
        counter->ok &= ++counter->self->copies[stmt] <= kMaxCopies;
        return isl_bool_true;
      },
      &counter);
  if (!counter.ok)
    return fail("its code would have too many copies of a statement");
  return true;
}

bool CodeGenerator::emit(isl_ast_node *node, Marks pending) {
  switch (isl_ast_node_get_type(node)) {
  case isl_ast_node_for:
    return emitFor(node, pending);
  case isl_ast_node_if:
    return emitIf(node, pending);
  case isl_ast_node_block:
    return emitChildren(node, pending);
  case isl_ast_node_user:
    return emitUser(node);
  case isl_ast_node_mark: {
    std::string name = idName(isl_ast_node_mark_get_id(node));
    unsigned number = std::stoul(name.substr(strlen("member")));
    isl_ast_node *child = isl_ast_node_mark_get_node(node);
    bool ok = emit(child, marks[number]);
    isl_ast_node_free(child);
    return ok;
  }
  default:
    return fail(kNotAffine);
  }
}

bool CodeGenerator::emitChildren(isl_ast_node *block, Marks pending) {
  isl_ast_node_list *children = isl_ast_node_block_get_children(block);
  bool ok = true;
  for (int i = 0; ok && i < isl_ast_node_list_n_ast_node(children); ++i) {
    isl_ast_node *child = isl_ast_node_list_get_ast_node(children, i);
    ok = emit(child, pending);
    isl_ast_node_free(child);
  }
  isl_ast_node_list_free(children);
  return ok;
}

affine::AffineIfOp CodeGenerator::createIf(const Conjunction &condition,
                                           bool withElse) {
  SmallVector<Value> operands(emitter.getValues());
  IntegerSet set =
      IntegerSet::get(operands.size(), 0, condition.exprs, condition.isEq);
  affine::canonicalizeSetAndOperands(&set, &operands);
  return affine::AffineIfOp::create(builder, scop.first->getLoc(), set,
                                    operands, withElse);
}

/// True if `guard` >= 0 wherever it should be, though it may overflow: n - c is
/// too small for small n only, and then wraps to a large number.
static bool staysOpen(AffineExpr guard) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(guard);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return isa<AffineDimExpr>(guard);
  auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS());
  return isa<AffineDimExpr>(sum.getLHS()) && constant &&
         constant.getValue() <= 0;
}

/// Puts the builder into the guard of a loop that has one.
bool CodeGenerator::enterGuard(isl_ast_node *loop) {
  auto guard = guards.find(loop);
  if (guard == guards.end())
    return true;
  isl_ast_build *build = isl_ast_build_alloc(poly.ctx().get());
  isl_ast_expr *expr = isl_ast_build_expr_from_set(build, guard->second.copy());
  isl_ast_build_free(build);
  std::vector<Conjunction> cases;
  if (!expr || !toCases(expr, cases) || cases.size() != 1)
    return fail(kNotAffine);
  for (AffineExpr condition : cases[0].exprs)
    if (!staysOpen(condition))
      growth.addCompared(condition);
  builder.setInsertionPointToStart(
      createIf(cases[0], /*withElse=*/false).getThenBlock());
  return true;
}

bool CodeGenerator::emitFor(isl_ast_node *node, Marks pending) {
  OpBuilder::InsertionGuard restore(builder);
  if (!laneWidth && !enterGuard(node))
    return false;
  isl_ast_expr *iteratorExpr = isl_ast_node_for_get_iterator(node);
  std::string iterator = idName(isl_ast_expr_get_id(iteratorExpr));
  isl_ast_expr_free(iteratorExpr);
  isl_ast_node *body = isl_ast_node_for_get_body(node);
  llvm::scope_exit release([&] { isl_ast_node_free(body); });

  SmallVector<AffineExpr> lower, upper;
  if (!toExprs(isl_ast_node_for_get_init(node), isl_ast_expr_op_max, lower))
    return false;
  if (isl_ast_node_for_is_degenerate(node) == isl_bool_true)
    return lower.size() == 1 ? emitUnrolled(body, iterator, lower[0], 1, 1)
                             : fail(kNotAffine);
  isl_ast_expr *cond = isl_ast_node_for_get_cond(node);
  isl_ast_expr_op_type compare = isl_ast_expr_op_get_type(cond);
  bool known = compare == isl_ast_expr_op_le || compare == isl_ast_expr_op_lt;
  isl_ast_expr *bound = isl_ast_expr_get_op_arg(cond, 1);
  isl_ast_expr_free(cond);
  if (!toExprs(bound, isl_ast_expr_op_min, upper))
    return false;
  AffineExpr increment = toExpr(isl_ast_node_for_get_inc(node));
  auto step = dyn_cast_if_present<AffineConstantExpr>(increment);
  if (!known || !step || step.getValue() <= 0)
    return fail(kNotAffine);
  for (AffineExpr &expr : upper)
    expr = expr + (compare == isl_ast_expr_op_le ? 1 : 0);

  // A constant number of iterations: a block of a point loop.
  unsigned numValues = emitter.getValues().size();
  auto extent = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(upper[0] - lower[0], numValues, 0));
  bool isBlock = pending.isPoint() && extent && upper.size() == 1 &&
                 lower.size() == 1 && extent.getValue() <= pending.block;
  if (isBlock && extent.getValue() > 0) {
    int64_t trips = llvm::divideCeil(extent.getValue(), step.getValue());
    if (pending.vectorWidth && step.getValue() == 1 && !laneWidth)
      return emitVectors(body, iterator, lower[0], trips, pending.vectorWidth);
    return emitUnrolled(body, iterator, lower[0], trips, step.getValue());
  }
  assert(!laneWidth && "a loop inside the lanes of a vector");
  return emitLoop(body, iterator, lower, upper, step.getValue(),
                  pending.promote);
}

bool CodeGenerator::emitLoop(isl_ast_node *body, StringRef iterator,
                             ArrayRef<AffineExpr> lower,
                             ArrayRef<AffineExpr> upper, int64_t step,
                             bool promote) {
  growth.addCompared(lower);
  growth.addCompared(upper);
  SmallVector<Value> lowerOperands, upperOperands;
  AffineMap lowerMap = emitter.makeMap(lower, lowerOperands);
  AffineMap upperMap = emitter.makeMap(upper, upperOperands);
  auto loop =
      affine::AffineForOp::create(builder, scop.first->getLoc(), lowerOperands,
                                  lowerMap, upperOperands, upperMap, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  iterators[iterator] = emitter.newValue(loop.getInductionVar());
  growth.push(lower, upper);
  bool ok = emit(body, Marks());
  growth.pop();
  emitter.popValue();
  if (ok && promote)
    promoteCells(loop);
  return ok;
}

bool CodeGenerator::emitUnrolled(isl_ast_node *body, StringRef iterator,
                                 AffineExpr first, int64_t trips,
                                 int64_t step) {
  for (int64_t trip = 0; trip < trips; ++trip) {
    iterators[iterator] = first + trip * step;
    if (!emit(body, Marks()))
      return false;
  }
  return true;
}

/// True if nothing but statements is below.
static bool onlyStatements(isl_ast_node *node) {
  bool ok = true;
  isl_ast_node_foreach_descendant_top_down(
      node,
      [](isl_ast_node *node, void *user) {
        isl_ast_node_type type = isl_ast_node_get_type(node);
        *static_cast<bool *>(user) &= type == isl_ast_node_user ||
                                      type == isl_ast_node_block ||
                                      type == isl_ast_node_mark;
        return isl_bool_true;
      },
      &ok);
  return ok;
}

/// Full vectors first, then what is left of the block one by one.
bool CodeGenerator::emitVectors(isl_ast_node *body, StringRef iterator,
                                AffineExpr first, int64_t trips,
                                int64_t width) {
  if (!onlyStatements(body))
    return emitUnrolled(body, iterator, first, trips, 1);
  int64_t done = 0;
  for (; done + width <= trips; done += width) {
    AffineExpr lane =
        getAffineDimExpr(StatementEmitter::kLane, scop.getContext());
    iterators[iterator] = first + done + lane;
    laneWidth = width;
    bool ok = emit(body, Marks());
    laneWidth = 0;
    if (!ok)
      return false;
  }
  return emitUnrolled(body, iterator, first + done, trips - done, 1);
}

bool CodeGenerator::emitIf(isl_ast_node *node, Marks pending) {
  assert(!laneWidth && "a condition inside the lanes of a vector");
  std::vector<Conjunction> cases;
  return toCases(isl_ast_node_if_get_cond(node), cases) &&
         emitCases(cases, node, pending);
}

/// One affine.if a case, each in the else branch of the one before: cases may
/// overlap.
bool CodeGenerator::emitCases(ArrayRef<Conjunction> cases, isl_ast_node *node,
                              Marks pending) {
  auto emitBranch = [&](isl_ast_node *branch) {
    bool ok = emit(branch, pending);
    isl_ast_node_free(branch);
    return ok;
  };
  bool hasElse = isl_ast_node_if_has_else_node(node) == isl_bool_true;
  if (cases.empty())
    return !hasElse || emitBranch(isl_ast_node_if_get_else_node(node));
  bool more = hasElse || cases.size() > 1;
  growth.addCompared(cases[0].exprs);
  affine::AffineIfOp guard = createIf(cases[0], more);
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPointToStart(guard.getThenBlock());
  if (!emitBranch(isl_ast_node_if_get_then_node(node)))
    return false;
  if (!more)
    return true;
  builder.setInsertionPointToStart(guard.getElseBlock());
  return emitCases(cases.drop_front(), node, pending);
}

bool CodeGenerator::emitUser(isl_ast_node *node) {
  isl_ast_expr *call = isl_ast_node_user_get_expr(node);
  llvm::scope_exit release([&] { isl_ast_expr_free(call); });
  isl_ast_expr *callee = isl_ast_expr_get_op_arg(call, 0);
  unsigned number = std::stoul(idName(isl_ast_expr_get_id(callee)).substr(1));
  isl_ast_expr_free(callee);
  SmallVector<AffineExpr> loops;
  for (int i = 1; i < isl_ast_expr_get_op_n_arg(call); ++i) {
    loops.push_back(toExpr(isl_ast_expr_get_op_arg(call, i)));
    if (!loops.back())
      return fail(kNotAffine);
  }
  growth.addKnown(loops);
  if (++emitted > kMaxEmitted)
    return fail("its code would be too long");
  const Statement &stmt = scop.statements[number];
  if (laneWidth)
    emitter.emitVector(stmt, loops, laneWidth);
  else
    emitter.emitScalar(stmt, loops);
  return true;
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

/// Why loops that isl made cannot be used, or null.
static const char *faultOf(isl_ast_node *node, const Polyhedral &poly,
                           LoopGuards &guards) {
  switch (checkLoops(node, poly, guards)) {
  case LoopCheck::Right:
    return nullptr;
  case LoopCheck::Wrong:
    return "isl made loops that do not keep its order";
  case LoopCheck::TooComplex:
    return kTooComplex;
  case LoopCheck::Unknown:
    return kNotAffine;
  }
  llvm_unreachable("unknown verdict");
}

LogicalResult nestor::generateCode(const TreeNode &tree, Legality &legality,
                                   OpBuilder &builder, ArrayRef<Value> slots,
                                   SmallVectorImpl<ParamLimit> &limits,
                                   std::string &reason) {
  Polyhedral &poly = legality.getPolyhedral();
  isl_ctx *ctx = poly.ctx().get();
  Polyhedral::Halved halved(poly, halvingsFor(tree, poly.scop));
  poly.resetBudget();
  isl_options_set_ast_build_scale_strides(ctx, 0);
  // allow_or stays on: without it this isl loses statements where several share
  // a condition that it has to split.
  isl_options_set_ast_build_atomic_upper_bound(ctx, 1);
  IslSchedule schedule = toIslSchedule(tree, poly);
  isl_ast_build *build = isl_ast_build_alloc(ctx);
  isl_ast_node *node =
      isl_ast_build_node_from_schedule(build, schedule.schedule.release());
  isl_ast_build_free(build);
  if (poly.exhausted() || !node) {
    isl_ast_node_free(node);
    reason = kTooComplex;
    return failure();
  }
  LoopGuards guards;
  if (const char *fault = faultOf(node, poly, guards)) {
    isl_ast_node_free(node);
    reason = fault;
    return failure();
  }
  CodeGenerator generator(legality, builder, slots, schedule.marks, guards);
  LogicalResult result = generator.generate(node, limits, reason);
  isl_ast_node_free(node);
  return result;
}
