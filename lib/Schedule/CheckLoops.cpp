//===- CheckLoops.cpp - Whether isl's loops do what the tree says ---------===//
//
// Schedule room, between isl's AST generator and the emitter. isl 0.25 now and
// then puts statements that share an iteration in the wrong order (two of them
// whose places on a band compare differently in different blocks); nothing that
// isl makes is trusted for that reason. Its loops are turned back into a
// relation of instances and times, as a translation validator does:
//  - every instance of the domain runs at exactly one place of the AST, once;
//  - for every dependence, the source runs before the target.
//
// Time is a sequence of numbers: the place in the AST of each loop around, and
// its iterator, and the place of the statement. Two places share a prefix of
// loops; behind it, the order of the text decides.
//
// isl leaves conditions on parameters to the innermost loop that implies them.
// Loops around it may then run for as long as 2^40 iterations in which nothing
// happens; they get a guard.
//
//===----------------------------------------------------------------------===//
#include "CheckLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringMap.h"
#include "isl/aff.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
/// A call of a statement in the AST.
struct Place {
  unsigned stmt;
  SmallVector<unsigned> loops; ///< numbers of the loops around, in text order
  unsigned number;             ///< in the same numbering
  isl::map times; ///< the instances that run here, to iterators of `loops`
};

/// A loop of the AST.
struct Loop {
  isl_ast_node *node;
  int parent;           ///< number of the loop around, or -1
  unsigned depth;       ///< number of loops around
  isl::set iterations;  ///< of it and the loops around
  unsigned first, last; ///< range of the places in it
  isl::set reached;     ///< parameters for which its body is reached
};

class LoopChecker {
public:
  LoopChecker(const Polyhedral &poly) : poly(poly) {}
  LoopCheck check(isl_ast_node *ast);
  bool findGuards(LoopGuards &guards);

private:
  using Expr = isl::pw_aff;
  unsigned depthOf(isl_ast_node *node);
  bool visit(isl_ast_node *node, isl::set iterations);
  bool visitChildren(isl_ast_node *block, const isl::set &iterations);
  bool visitFor(isl_ast_node *node, isl::set iterations);
  bool visitBody(isl_ast_node *loop, isl::set iterations);
  bool visitIf(isl_ast_node *node, const isl::set &iterations);
  bool visitUser(isl_ast_node *node, const isl::set &iterations);
  bool runsOnce();
  bool keeps(const Dependence &dep, const Place &from, const Place &to);
  isl::set paramsIn(const Loop &loop) const;

  // isl's expressions, over the iterators. The functions take ownership of
  // `expr`; what they do not know is null.
  Expr toValue(isl_ast_expr *expr);
  Expr toValue(isl_ast_expr_op_type type, Expr lhs, Expr rhs);
  isl::set toSet(isl_ast_expr *expr);

  const Polyhedral &poly;
  isl::space space; ///< of the iterators of the deepest place
  unsigned numbered = 0;
  SmallVector<unsigned> loops; ///< around the node that is visited
  llvm::StringMap<unsigned> iterators;
  std::vector<Place> places;
  std::vector<Loop> allLoops; ///< outer ones first
  int current = -1;           ///< number of the innermost loop around
};
} // namespace

static std::string nameOf(isl_id *id) {
  std::string name = isl_id_get_name(id);
  isl_id_free(id);
  return name;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

LoopChecker::Expr LoopChecker::toValue(isl_ast_expr *expr) {
  llvm::scope_exit release([&] { isl_ast_expr_free(expr); });
  isl_local_space *local = isl_local_space_from_space(space.copy());
  switch (isl_ast_expr_get_type(expr)) {
  case isl_ast_expr_int: {
    isl_val *number = isl_ast_expr_get_val(expr);
    return isl::manage(
        isl_pw_aff_from_aff(isl_aff_val_on_domain(local, number)));
  }
  case isl_ast_expr_id: {
    std::string name = nameOf(isl_ast_expr_get_id(expr));
    bool isParam = name[0] == 'p';
    if (!isParam && !iterators.count(name))
      break;
    unsigned position =
        isParam ? std::stoul(name.substr(1)) : iterators.lookup(name);
    return isl::manage(isl_pw_aff_from_aff(isl_aff_var_on_domain(
        local, isParam ? isl_dim_param : isl_dim_set, position)));
  }
  case isl_ast_expr_op: {
    isl_local_space_free(local);
    auto arg = [&](int i) { return toValue(isl_ast_expr_get_op_arg(expr, i)); };
    isl_ast_expr_op_type type = isl_ast_expr_op_get_type(expr);
    int count = isl_ast_expr_get_op_n_arg(expr);
    Expr value = arg(0);
    if (type == isl_ast_expr_op_minus)
      return value.is_null() ? value : value.neg();
    for (int i = 1; i < count; ++i)
      value = toValue(type, value, arg(i));
    return count < 2 ? Expr() : value;
  }
  default:
    break;
  }
  isl_local_space_free(local);
  return Expr();
}

LoopChecker::Expr LoopChecker::toValue(isl_ast_expr_op_type type, Expr lhs,
                                       Expr rhs) {
  if (lhs.is_null() || rhs.is_null())
    return Expr();
  switch (type) {
  case isl_ast_expr_op_add:
    return lhs.add(rhs);
  case isl_ast_expr_op_sub:
    return lhs.sub(rhs);
  case isl_ast_expr_op_mul:
    return lhs.mul(rhs);
  case isl_ast_expr_op_min:
    return lhs.min(rhs);
  case isl_ast_expr_op_max:
    return lhs.max(rhs);
  case isl_ast_expr_op_div:    // exact
  case isl_ast_expr_op_pdiv_q: // of a value >= 0
  case isl_ast_expr_op_fdiv_q:
    return lhs.div(rhs).floor();
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r: // compared with 0 only
    return lhs.sub(rhs.mul(lhs.div(rhs).floor()));
  default:
    return Expr();
  }
}

/// Where a condition holds.
isl::set LoopChecker::toSet(isl_ast_expr *expr) {
  llvm::scope_exit release([&] { isl_ast_expr_free(expr); });
  if (isl_ast_expr_get_type(expr) != isl_ast_expr_op ||
      isl_ast_expr_get_op_n_arg(expr) != 2)
    return {};
  isl_ast_expr_op_type type = isl_ast_expr_op_get_type(expr);
  bool isOr = type == isl_ast_expr_op_or || type == isl_ast_expr_op_or_else;
  bool isAnd = type == isl_ast_expr_op_and || type == isl_ast_expr_op_and_then;
  if (isOr || isAnd) {
    isl::set lhs = toSet(isl_ast_expr_get_op_arg(expr, 0)),
             rhs = toSet(isl_ast_expr_get_op_arg(expr, 1));
    if (lhs.is_null() || rhs.is_null())
      return {};
    return isOr ? lhs.unite(rhs) : lhs.intersect(rhs);
  }
  Expr lhs = toValue(isl_ast_expr_get_op_arg(expr, 0)),
       rhs = toValue(isl_ast_expr_get_op_arg(expr, 1));
  if (lhs.is_null() || rhs.is_null())
    return {};
  switch (type) {
  case isl_ast_expr_op_ge:
    return lhs.ge_set(rhs);
  case isl_ast_expr_op_gt:
    return lhs.gt_set(rhs);
  case isl_ast_expr_op_le:
    return lhs.le_set(rhs);
  case isl_ast_expr_op_lt:
    return lhs.lt_set(rhs);
  case isl_ast_expr_op_eq:
    return lhs.eq_set(rhs);
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Collects the places at and below `node`, which is reached in `iterations`.
/// False if something there has no meaning here.
bool LoopChecker::visit(isl_ast_node *node, isl::set iterations) {
  // A new share of the budget would forget that isl gave up on these.
  if (iterations.is_null())
    return false;
  poly.resetBudget();
  switch (isl_ast_node_get_type(node)) {
  case isl_ast_node_for:
    return visitFor(node, iterations);
  case isl_ast_node_if:
    return visitIf(node, iterations);
  case isl_ast_node_block:
    return visitChildren(node, iterations);
  case isl_ast_node_user:
    return visitUser(node, iterations);
  case isl_ast_node_mark: {
    isl_ast_node *child = isl_ast_node_mark_get_node(node);
    bool ok = visit(child, iterations);
    isl_ast_node_free(child);
    return ok;
  }
  default:
    return false;
  }
}

bool LoopChecker::visitChildren(isl_ast_node *block,
                                const isl::set &iterations) {
  isl_ast_node_list *children = isl_ast_node_block_get_children(block);
  bool ok = true;
  for (int i = 0; ok && i < isl_ast_node_list_n_ast_node(children); ++i) {
    isl_ast_node *child = isl_ast_node_list_get_ast_node(children, i);
    ok = visit(child, iterations);
    isl_ast_node_free(child);
  }
  isl_ast_node_list_free(children);
  return ok;
}

bool LoopChecker::visitFor(isl_ast_node *node, isl::set iterations) {
  isl_ast_expr *iterator = isl_ast_node_for_get_iterator(node);
  std::string name = nameOf(isl_ast_expr_get_id(iterator));
  // Bounds do not use the iterator of their own loop.
  Expr first = toValue(isl_ast_node_for_get_init(node));
  iterators[name] = loops.size();
  Expr value = toValue(iterator);
  isl::set values;
  if (first.is_null() || value.is_null())
    return false;
  if (isl_ast_node_for_is_degenerate(node) == isl_bool_true) {
    values = value.eq_set(first);
  } else {
    Expr step = toValue(isl_ast_node_for_get_inc(node));
    values = toSet(isl_ast_node_for_get_cond(node));
    if (step.is_null() || values.is_null())
      return false;
    Expr offset = value.sub(first);
    Expr rest = offset.sub(step.mul(offset.div(step).floor()));
    isl_set *aligned = isl_pw_aff_zero_set(rest.release());
    values =
        values.intersect(value.ge_set(first)).intersect(isl::manage(aligned));
  }
  bool ok = visitBody(node, iterations.intersect(values).coalesce());
  iterators.erase(name);
  return ok;
}

bool LoopChecker::visitBody(isl_ast_node *node, isl::set iterations) {
  int around = current;
  current = allLoops.size();
  unsigned place = places.size();
  allLoops.push_back(
      {node, around, unsigned(loops.size()), iterations, place, place, {}});
  loops.push_back(numbered++);
  isl_ast_node *body = isl_ast_node_for_get_body(node);
  bool ok = visit(body, iterations);
  isl_ast_node_free(body);
  loops.pop_back();
  allLoops[current].last = places.size();
  current = around;
  return ok;
}

bool LoopChecker::visitIf(isl_ast_node *node, const isl::set &iterations) {
  isl::set holds = toSet(isl_ast_node_if_get_cond(node));
  if (holds.is_null())
    return false;
  isl_ast_node *branch = isl_ast_node_if_get_then_node(node);
  bool ok = visit(branch, iterations.intersect(holds).coalesce());
  isl_ast_node_free(branch);
  if (!ok || isl_ast_node_if_has_else_node(node) != isl_bool_true)
    return ok;
  branch = isl_ast_node_if_get_else_node(node);
  ok = visit(branch, iterations.subtract(holds).coalesce());
  isl_ast_node_free(branch);
  return ok;
}

bool LoopChecker::visitUser(isl_ast_node *node, const isl::set &iterations) {
  isl_ast_expr *call = isl_ast_node_user_get_expr(node);
  llvm::scope_exit release([&] { isl_ast_expr_free(call); });
  isl_ast_expr *callee = isl_ast_expr_get_op_arg(call, 0);
  Place place;
  place.stmt = std::stoul(nameOf(isl_ast_expr_get_id(callee)).substr(1));
  isl_ast_expr_free(callee);
  place.loops = loops;
  place.number = numbered++;
  isl::space domain = poly.domains[place.stmt].get_space();
  int depth = isl_ast_expr_get_op_n_arg(call) - 1;
  isl_pw_aff_list *args =
      isl_pw_aff_list_alloc(poly.ctx().get(), std::max(depth, 1));
  for (int i = 1; i <= depth; ++i)
    args = isl_pw_aff_list_add(
        args, toValue(isl_ast_expr_get_op_arg(call, i)).release());
  isl_multi_pw_aff *instance = isl_multi_pw_aff_from_pw_aff_list(
      isl_space_map_from_domain_and_range(space.copy(), domain.release()),
      args);
  isl_map *runs = isl_map_intersect_domain(isl_map_from_multi_pw_aff(instance),
                                           iterations.copy());
  // Without the dimensions of loops that are elsewhere.
  int used = loops.size();
  runs = isl_map_project_out(runs, isl_dim_in, used,
                             isl_map_dim(runs, isl_dim_in) - used);
  place.times = isl::manage(isl_map_reverse(runs));
  if (place.times.is_null())
    return false;
  places.push_back(std::move(place));
  return true;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Every instance at one place and one time.
bool LoopChecker::runsOnce() {
  for (auto [stmt, domain] : llvm::enumerate(poly.domains)) {
    poly.resetBudget();
    isl::set left = domain;
    for (const Place &place : places) {
      if (place.stmt != stmt)
        continue;
      isl::set here = place.times.domain();
      if (!here.is_subset(left).is_true() ||
          !place.times.is_single_valued().is_true())
        return false;
      left = left.subtract(here);
    }
    if (!left.is_empty().is_true())
      return false;
  }
  return true;
}

/// True if no pair of `dep` runs backwards, or at once, at these two places.
bool LoopChecker::keeps(const Dependence &dep, const Place &from,
                        const Place &to) {
  unsigned shared = 0;
  while (shared < from.loops.size() && shared < to.loops.size() &&
         from.loops[shared] == to.loops[shared])
    ++shared;
  auto numberOf = [&](const Place &place) {
    return shared < place.loops.size() ? place.loops[shared] : place.number;
  };
  bool inTextOrder = numberOf(from) < numberOf(to);
  if (inTextOrder && !shared)
    return true;
  auto prefix = [&](const Place &place) {
    int dims = place.loops.size() - shared;
    return isl_map_project_out(place.times.copy(), isl_dim_out, shared, dims);
  };
  isl_map *backwards = inTextOrder
                           ? isl_map_lex_gt_map(prefix(from), prefix(to))
                           : isl_map_lex_ge_map(prefix(from), prefix(to));
  return isl::manage(backwards).is_disjoint(dep.map).is_true();
}

/// Loops around loops, at most, below `node`.
unsigned LoopChecker::depthOf(isl_ast_node *node) {
  unsigned most = 0;
  auto below = [&](isl_ast_node *child) {
    most = std::max(most, depthOf(child));
    isl_ast_node_free(child);
  };
  switch (isl_ast_node_get_type(node)) {
  case isl_ast_node_for:
    below(isl_ast_node_for_get_body(node));
    return most + 1;
  case isl_ast_node_if:
    below(isl_ast_node_if_get_then_node(node));
    if (isl_ast_node_if_has_else_node(node) == isl_bool_true)
      below(isl_ast_node_if_get_else_node(node));
    return most;
  case isl_ast_node_block: {
    isl_ast_node_list *children = isl_ast_node_block_get_children(node);
    for (int i = 0; i < isl_ast_node_list_n_ast_node(children); ++i)
      below(isl_ast_node_list_get_ast_node(children, i));
    isl_ast_node_list_free(children);
    return most;
  }
  case isl_ast_node_mark:
    below(isl_ast_node_mark_get_node(node));
    return most;
  default:
    return 0;
  }
}

LoopCheck LoopChecker::check(isl_ast_node *ast) {
  unsigned numParams = poly.scop.params.size();
  isl_space *set =
      isl_space_set_alloc(poly.ctx().get(), numParams, depthOf(ast));
  for (unsigned p = 0; p < numParams; ++p)
    set = isl_space_set_dim_name(set, isl_dim_param, p,
                                 ("p" + std::to_string(p)).c_str());
  space = isl::manage(set);
  auto verdict = [&](bool ok) {
    return poly.exhausted() ? LoopCheck::TooComplex
           : ok             ? LoopCheck::Right
                            : LoopCheck::Wrong;
  };
  if (!visit(ast, isl::set::universe(space)))
    return poly.exhausted() ? LoopCheck::TooComplex : LoopCheck::Unknown;
  if (LoopCheck found = verdict(runsOnce()); found != LoopCheck::Right)
    return found;
  for (const Dependence &dep : poly.dependences) {
    if (dep.relaxed)
      continue;
    for (const Place &from : places)
      for (const Place &to : places) {
        if (from.stmt != dep.source || to.stmt != dep.target)
          continue;
        poly.resetBudget();
        if (LoopCheck found = verdict(keeps(dep, from, to));
            found != LoopCheck::Right)
          return found;
      }
  }
  return LoopCheck::Right;
}

/// One basic set without divisions that holds `params`.
static isl::set hullOf(isl_set *params) {
  isl_basic_set *hull = isl_set_simple_hull(isl_set_remove_divs(params));
  return isl::manage(isl_set_from_basic_set(hull));
}

/// The parameters for which some statement in `loop` runs, or a few more: one
/// basic set without divisions.
isl::set LoopChecker::paramsIn(const Loop &loop) const {
  isl_set *here = isl_set_params(isl_set_empty(space.copy()));
  isl_set *anywhere = isl_set_copy(here);
  for (unsigned i = loop.first; i < loop.last; ++i) {
    isl::set domain = poly.domains[places[i].stmt];
    here = isl_set_union(here, places[i].times.domain().params().release());
    anywhere = isl_set_union(anywhere, domain.params().release());
  }
  // Places of parts of tiles are bounded by divisions, domains are seldom.
  return hullOf(here).intersect(hullOf(anywhere));
}

/// Iterations of a loop in which nothing happens that need no guard: those of a
/// tile in front of the first instance.
static constexpr int64_t kFewIterations = 64;

/// True if the loop of dimension `dim` runs for many iterations of `set`, for
/// some parameters and iterations of the loops around.
static bool hasManyIterations(isl::set set, unsigned dim) {
  unsigned dims = isl_set_dim(set.get(), isl_dim_set);
  isl_set *own =
      isl_set_project_out(set.release(), isl_dim_set, dim + 1, dims - dim - 1);
  isl_map *around = isl_set_project_onto_map(own, isl_dim_set, 0, dim);
  isl_map *pairs =
      isl_map_apply_range(isl_map_copy(around), isl_map_reverse(around));
  isl_set *distances = isl_map_deltas(pairs);
  distances = isl_set_project_out(distances, isl_dim_param, 0,
                                  isl_set_dim(distances, isl_dim_param));
  isl::val most = isl::manage(isl_set_dim_max_val(distances, dim));
  return most.is_null() || !most.is_int() || most.gt(kFewIterations);
}

/// False if isl's work runs out. Sets are a bit too large, without divisions;
/// at worst a loop gets a guard that it could do without.
bool LoopChecker::findGuards(LoopGuards &guards) {
  if (poly.scop.params.empty())
    return true;
  for (Loop &loop : allLoops) {
    poly.resetBudget();
    isl::set runs = isl::manage(isl_set_remove_divs(loop.iterations.release()));
    if (loop.parent >= 0)
      runs = runs.intersect_params(allLoops[loop.parent].reached);
    isl::set needed = paramsIn(loop);
    loop.reached = runs.params();
    if (!loop.reached.is_subset(needed).is_true() &&
        hasManyIterations(runs.subtract(runs.intersect_params(needed)),
                          loop.depth)) {
      isl_set *guard =
          isl_set_gist(needed.copy(), loop.reached.coalesce().release());
      guards[loop.node] =
          isl::manage(isl_set_from_basic_set(isl_set_simple_hull(guard)));
      loop.reached = loop.reached.intersect(needed);
    }
    if (poly.exhausted() || loop.reached.is_null())
      return false;
  }
  return true;
}

LoopCheck nestor::checkLoops(isl_ast_node *ast, const Polyhedral &poly,
                             LoopGuards &guards) {
  LoopChecker checker(poly);
  LoopCheck verdict = checker.check(ast);
  if (verdict == LoopCheck::Right && !checker.findGuards(guards))
    return LoopCheck::TooComplex;
  return verdict;
}
