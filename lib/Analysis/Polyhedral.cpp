//===- Polyhedral.cpp - Domains, accesses, dependences in isl -------------===//
//
// Analysis room. Turns a Scop into isl sets and relations and computes exact,
// memory-based dependences (every pair of conflicting accesses, in source
// order). isl's work is limited by operations, never by time, so that results
// do not depend on the machine.
//
//===----------------------------------------------------------------------===//
#include "nestor/Analysis/Polyhedral.h"

#include "nestor/Analysis/FaultInjection.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "isl/flow.h"
#include "isl/options.h"

using namespace mlir;
using namespace mlir::nestor;

static llvm::cl::opt<unsigned long> maxOperations(
    "nestor-isl-operations", llvm::cl::Hidden, llvm::cl::init(5'000'000),
    llvm::cl::desc("operations that isl may spend on one question; a nest that "
                   "needs more is left alone"));

static void collectDivisions(AffineMap map,
                             llvm::SmallDenseSet<AffineExpr> &found) {
  for (AffineExpr expr : map.getResults())
    expr.walk([&](AffineExpr part) {
      if (isDivision(part))
        found.insert(part);
    });
}

/// Distinct divisions and remainders of one access, at most. Those of guards
/// split a domain into pieces instead, each of which is simple.
static unsigned countDivisions(const Statement &stmt) {
  unsigned most = 0;
  auto add = [&](const Access &access) {
    llvm::SmallDenseSet<AffineExpr> found;
    collectDivisions(access.map, found);
    most = std::max<unsigned>(most, found.size());
  };
  add(stmt.write);
  llvm::for_each(stmt.moreWrites, add);
  llvm::for_each(stmt.reads, add);
  return most;
}

/// Divisions of the bounds of the loops around a statement, at most.
static unsigned countBoundDivisions(const Scop &scop) {
  unsigned most = 0;
  for (const Statement &stmt : scop.statements) {
    unsigned sum = 0;
    for (unsigned loop : stmt.loops) {
      llvm::SmallDenseSet<AffineExpr> found;
      collectDivisions(scop.loops[loop].lowerBound, found);
      collectDivisions(scop.loops[loop].upperBound, found);
      sum += found.size();
    }
    most = std::max(most, sum);
  }
  return most;
}

/// A relation of two accesses with this many divisions is harmless; each more
/// halves the budget.
static constexpr unsigned kManyDivisions = 4, kMaxHalvings = 10;

/// The same of the divisions of the bounds around a statement.
static constexpr unsigned kManyOfBounds = 2;

/// Operations for all queries about a scop, and for one of those behind. A
/// search over 1,500 candidates of a PolyBench program spends 0.1 to 5 million,
/// 3,000 on an average query.
static constexpr unsigned long kAllowance = 5'000'000, kBehind = 20'000;

/// In deeper nests an operation counts for more: it goes over a matrix whose
/// rows and columns are both about that many.
static constexpr unsigned kDeep = 8;

Polyhedral::Polyhedral(const Scop &scop)
    : scop(scop), context(isl_ctx_alloc()), allowance(kAllowance) {
  unsigned divisions = 0, depth = 0;
  for (const Statement &stmt : scop.statements) {
    divisions = std::max(divisions, 2 * countDivisions(stmt));
    depth = std::max(depth, stmt.getDepth());
  }
  weight = std::max(1u, depth * depth / (kDeep * kDeep));
  unsigned ofBounds = countBoundDivisions(scop);
  halvings = divisions - std::min(divisions, kManyDivisions) + ofBounds -
             std::min(ofBounds, kManyOfBounds);
  halvings = std::min(halvings, kMaxHalvings);
  isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
  resetBudget();
}

Polyhedral::~Polyhedral() {
  // isl objects must go before their context.
  dependences.clear();
  domains.clear();
  schedules.clear();
  domain = isl::union_set();
  all = ordered = isl::union_map();
  isl_ctx_free(context);
}

/// Operations since the last reset. isl does not tell how many, only whether
/// there were more than a limit, which is tried by halves.
unsigned long Polyhedral::countOperations() const {
  unsigned long low = 0, high = maxOperations.getValue();
  while (low < high) {
    unsigned long middle = low + (high - low) / 2;
    isl_ctx_reset_error(context);
    isl_ctx_set_max_operations(context, middle + 1);
    isl_val *probe = isl_val_int_from_si(context, 1);
    if (probe)
      high = middle;
    else
      low = middle + 1;
    isl_val_free(probe);
  }
  return low;
}

void Polyhedral::resetBudget(unsigned long operations) const {
  // Where budgets are smaller, each operation stands for more work.
  allowance -= std::min(allowance, (weight * countOperations()) << halvings);
  unsigned long most = std::min(operations, maxOperations.getValue());
  most = std::min(most, std::max(allowance, kBehind)) / weight;
  isl_ctx_reset_error(context);
  isl_ctx_reset_operations(context);
  unsigned times = std::min(halvings + moreHalvings, kMaxHalvings);
  isl_ctx_set_max_operations(context, std::max(most >> times, 1ul));
}

bool Polyhedral::exhausted() const {
  bool failed = isl_ctx_last_error(context) != isl_error_none;
  isl_ctx_reset_error(context);
  return failed;
}

//===----------------------------------------------------------------------===//
// MLIR expressions to isl
//===----------------------------------------------------------------------===//

isl::aff Polyhedral::toAff(isl::space space, AffineExpr expr) const {
  isl_local_space *local = isl_local_space_from_space(space.copy());
  auto variable = [&](isl_dim_type type, unsigned position) {
    return isl::manage(isl_aff_var_on_domain(local, type, position));
  };
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return variable(isl_dim_set, dim.getPosition());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return variable(isl_dim_param, symbol.getPosition());
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    isl_val *value = isl_val_int_from_si(context, constant.getValue());
    return isl::manage(isl_aff_val_on_domain(local, value));
  }
  isl_local_space_free(local);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  isl::aff lhs = toAff(space, binary.getLHS()),
           rhs = toAff(space, binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs.add(rhs);
  case AffineExprKind::Mul:
    return lhs.mul(rhs);
  case AffineExprKind::FloorDiv:
    return lhs.div(rhs).floor();
  case AffineExprKind::CeilDiv:
    return lhs.div(rhs).ceil();
  case AffineExprKind::Mod: {
    isl_val *modulus = isl_aff_get_constant_val(rhs.get());
    return isl::manage(isl_aff_mod_val(lhs.copy(), modulus));
  }
  default:
    llvm_unreachable("not a binary affine expression");
  }
}

isl::aff Polyhedral::toAff(unsigned stmt, AffineExpr expr) const {
  return toAff(domains[stmt].get_space(), expr);
}

isl::set Polyhedral::toSet(unsigned stmt, IntegerSet set) const {
  isl::set result = isl::set::universe(domains[stmt].get_space());
  for (auto [expr, isEq] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
    isl::aff aff = toAff(stmt, expr);
    isl_set *constraint =
        isEq ? isl_set_from_basic_set(isl_aff_zero_basic_set(aff.copy()))
             : isl_pw_aff_nonneg_set(isl_pw_aff_from_aff(aff.copy()));
    result = result.intersect(isl::manage(constraint));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

static isl::set geSet(const isl::aff &a, const isl::aff &b) {
  return isl::manage(
      isl_set_from_basic_set(isl_aff_ge_basic_set(a.copy(), b.copy())));
}

/// Values of one source loop: at least every lower bound, below every upper
/// bound, and a multiple of the step away from the largest lower bound.
static isl::set loopValues(const Polyhedral &poly, unsigned stmt,
                           const SourceLoop &loop, unsigned dim) {
  isl::space space = poly.domains[stmt].get_space();
  isl::aff iv = poly.toAff(stmt, getAffineDimExpr(dim, poly.scop.getContext()));
  isl::set result = isl::set::universe(space);
  SmallVector<isl::aff> lowers;
  for (AffineExpr expr : loop.lowerBound.getResults())
    lowers.push_back(poly.toAff(stmt, expr));
  for (isl::aff &lower : lowers)
    result = result.intersect(geSet(iv, lower));
  for (AffineExpr expr : loop.upperBound.getResults()) {
    isl::aff upper = poly.toAff(stmt, expr);
    result = result.intersect(
        geSet(isl::manage(isl_aff_add_constant_si(upper.copy(), -1)), iv));
  }
  if (loop.step == 1)
    return result;
  isl::set strided = isl::set::empty(space);
  for (isl::aff &lower : lowers) {
    isl_val *step = isl_val_int_from_si(poly.ctx().get(), loop.step);
    isl::aff rest = isl::manage(isl_aff_mod_val(iv.sub(lower).release(), step));
    isl::set piece = isl::manage(
        isl_set_from_basic_set(isl_aff_zero_basic_set(rest.release())));
    for (isl::aff &other : lowers)
      piece = piece.intersect(geSet(lower, other));
    strided = strided.unite(piece);
  }
  return result.intersect(strided);
}

bool Polyhedral::buildDomains() {
  for (auto [k, stmt] : llvm::enumerate(scop.statements)) {
    isl_space *space =
        isl_space_set_alloc(context, scop.params.size(), stmt.getDepth());
    for (unsigned p = 0; p < scop.params.size(); ++p)
      space = isl_space_set_dim_name(space, isl_dim_param, p,
                                     ("p" + std::to_string(p)).c_str());
    space = isl_space_set_tuple_name(space, isl_dim_set,
                                     ("S" + std::to_string(k)).c_str());
    domains.push_back(isl::manage(isl_set_universe(space)));
    isl::set values = domains.back();
    for (auto [dim, loop] : llvm::enumerate(stmt.loops))
      values = values.intersect(loopValues(*this, k, scop.loops[loop], dim));
    for (const Guard &guard : stmt.guards) {
      isl::set holds = toSet(k, guard.set);
      values = guard.negated ? values.subtract(holds) : values.intersect(holds);
    }
    domains.back() = values.coalesce();
    isl::union_set piece = isl::union_set(domains.back());
    domain = domain.is_null() ? piece : domain.unite(piece);
  }
  return !exhausted();
}

//===----------------------------------------------------------------------===//
// Source order
//===----------------------------------------------------------------------===//

/// Collects for every statement [position, loop, position, loop, ...].
bool Polyhedral::buildSchedules(
    ArrayRef<SourceItem> items, SmallVectorImpl<AffineExpr> &time,
    SmallVectorImpl<SmallVector<AffineExpr>> &times) {
  MLIRContext *ctx = scop.getContext();
  for (auto [position, item] : llvm::enumerate(items)) {
    time.push_back(getAffineConstantExpr(position, ctx));
    if (item.isLoop) {
      time.push_back(getAffineDimExpr(scop.loops[item.index].depth, ctx));
      buildSchedules(item.children, time, times);
      time.pop_back();
    } else {
      times[item.index].assign(time.begin(), time.end());
    }
    time.pop_back();
  }
  if (!time.empty())
    return true;
  size_t length = 0;
  for (auto &exprs : times)
    length = std::max(length, exprs.size());
  for (auto [k, exprs] : llvm::enumerate(times)) {
    exprs.resize(length, getAffineConstantExpr(0, ctx));
    isl_space *space =
        isl_space_add_dims(isl_space_set_from_params(isl_space_params(
                               domains[k].get_space().release())),
                           isl_dim_set, length);
    isl_space *mapSpace = isl_space_map_from_domain_and_range(
        domains[k].get_space().release(), space);
    isl_aff_list *affs = isl_aff_list_alloc(context, length);
    for (AffineExpr expr : exprs)
      affs = isl_aff_list_add(affs, toAff(k, expr).release());
    isl_multi_aff *multi = isl_multi_aff_from_aff_list(mapSpace, affs);
    schedules.push_back(isl::manage(isl_map_from_multi_aff(multi)));
  }
  return !exhausted();
}

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

isl::map Polyhedral::accessMap(unsigned stmt, const Access &access) const {
  unsigned rank = access.map.getNumResults();
  isl_space *array =
      isl_space_add_dims(isl_space_set_from_params(isl_space_params(
                             domains[stmt].get_space().release())),
                         isl_dim_set, rank);
  array = isl_space_set_tuple_name(
      array, isl_dim_set, ("A" + std::to_string(access.array)).c_str());
  isl_space *space = isl_space_map_from_domain_and_range(
      domains[stmt].get_space().release(), array);
  isl_aff_list *affs = isl_aff_list_alloc(context, rank);
  for (AffineExpr expr : access.map.getResults())
    affs = isl_aff_list_add(affs, toAff(stmt, expr).release());
  isl_map *map =
      isl_map_from_multi_aff(isl_multi_aff_from_aff_list(space, affs));
  for (auto [dim, unknown] : llvm::enumerate(access.unknown)) {
    if (!unknown)
      continue;
    map = isl_map_drop_constraints_involving_dims(map, isl_dim_out, dim, 1);
    map = isl_map_lower_bound_si(map, isl_dim_out, dim, 0);
    int64_t size = scop.arrays[access.array].shape[dim];
    if (size > 0 && size <= std::numeric_limits<int>::max())
      map = isl_map_upper_bound_si(map, isl_dim_out, dim, int(size - 1));
  }
  return isl::manage(map).intersect_domain(domains[stmt]);
}

/// True where the fuzzer tests that it would notice a lost dependence.
static bool isLostByFault(Dependence::Kind kind, bool throughSlot) {
  switch (injectedFault()) {
  case Fault::Flow:
    return !throughSlot && kind == Dependence::Kind::Flow;
  case Fault::Anti:
    return !throughSlot && kind == Dependence::Kind::Anti;
  case Fault::Output:
    return !throughSlot && kind == Dependence::Kind::Output;
  case Fault::IterArgs:
    return throughSlot;
  default:
    return false;
  }
}

void Polyhedral::addDependences(unsigned s, const AccessRelation &from,
                                unsigned t, const AccessRelation &to,
                                isl::map before, bool reassociate) {
  const Access &a = *from.access, &b = *to.access;
  isl::map conflict = from.map.apply_range(to.map.reverse());
  isl::map map = conflict.intersect(before).coalesce();
  if (map.is_empty().is_true())
    return;
  Dependence::Kind kind = !a.isWrite  ? Dependence::Kind::Anti
                          : b.isWrite ? Dependence::Kind::Output
                                      : Dependence::Kind::Flow;
  if (isLostByFault(kind, scop.arrays[a.array].isSlot()))
    return;
  const Statement &stmt = scop.statements[s];
  bool relaxed = s == t && stmt.isReduction && a.array == stmt.write.array &&
                 scop.mayReassociate(stmt, reassociate);
  dependences.push_back({s, t, kind, a.array, map, relaxed});
}

std::vector<Polyhedral::AccessRelation>
Polyhedral::relationsOf(unsigned stmt) const {
  std::vector<AccessRelation> list;
  auto add = [&](const Access &access) {
    list.push_back({&access, accessMap(stmt, access)});
  };
  add(scop.statements[stmt].write);
  for (const Access &write : scop.statements[stmt].moreWrites)
    add(write);
  for (const Access &read : scop.statements[stmt].reads)
    add(read);
  return list;
}

bool Polyhedral::buildDependences(bool reassociate) {
  std::vector<std::vector<AccessRelation>> relations;
  for (unsigned k = 0; k < scop.statements.size(); ++k) {
    // Checked here: the next reset would forget a relation that came to
    // nothing.
    resetBudget();
    relations.push_back(relationsOf(k));
    if (exhausted())
      return false;
  }
  // Statements are numbered in source order: without a common loop, later ones
  // run after all instances of earlier ones.
  auto neverBefore = [&](unsigned s, unsigned t) {
    ArrayRef<unsigned> outer = scop.statements[s].loops,
                       other = scop.statements[t].loops;
    return s >= t && (outer.empty() || other.empty() || outer[0] != other[0]);
  };
  for (unsigned s = 0; s < scop.statements.size(); ++s)
    for (unsigned t = 0; t < scop.statements.size(); ++t) {
      if (neverBefore(s, t))
        continue;
      isl::map before; // made for the first pair that needs it
      for (const AccessRelation &a : relations[s])
        for (const AccessRelation &b : relations[t]) {
          if (a.access->array != b.access->array ||
              !(a.access->isWrite || b.access->isWrite))
            continue;
          resetBudget();
          if (before.is_null())
            before = isl::manage(
                isl_map_lex_lt_map(schedules[s].copy(), schedules[t].copy()));
          addDependences(s, a, t, b, before, reassociate);
          if (exhausted())
            return false;
        }
    }
  return uniteDependences();
}

bool Polyhedral::uniteDependences() {
  resetBudget();
  // Owned by one pointer, so that isl adds to them in place.
  auto unite = [&](bool withRelaxed) {
    isl_union_map *sum =
        isl_union_map_empty(isl_space_params_alloc(context, 0));
    for (Dependence &dep : dependences)
      if (withRelaxed || !dep.relaxed)
        sum = isl_union_map_union(sum, isl_union_map_from_map(dep.map.copy()));
    return isl::manage(isl_union_map_coalesce(sum));
  };
  all = unite(/*withRelaxed=*/true);
  ordered = unite(/*withRelaxed=*/false);
  return !exhausted();
}

/// Constraints of a dependence that isl's scheduler is handed at most: it
/// eliminates one variable for each, at a cost that explodes with their number
/// and that its operation count does not see.
static constexpr int kMaxConstraints = 14;

static int mostConstraints(isl_map *map) {
  int most = 0;
  isl_map_foreach_basic_map(
      map,
      [](isl_basic_map *piece, void *user) {
        int *most = static_cast<int *>(user);
        *most = std::max<int>(*most, isl_basic_map_n_constraint(piece));
        isl_basic_map_free(piece);
        return isl_stat_ok;
      },
      &most);
  return most;
}

/// Keeps small relations as they are and takes a hull of others, which is safe,
/// as it only asks for more. Null if even that is too large.
static isl_map *simplifyDependence(isl_map *map) {
  map = isl_map_remove_divs(map);
  int dims = isl_map_dim(map, isl_dim_in) + isl_map_dim(map, isl_dim_out);
  if (dims >= 8 || mostConstraints(map) > kMaxConstraints)
    map = isl_map_from_basic_map(isl_map_simple_hull(map));
  if (mostConstraints(map) <= kMaxConstraints)
    return map;
  // Within a statement, only the distances along each loop.
  isl_id *from = isl_map_get_tuple_id(map, isl_dim_in);
  isl_id *to = isl_map_get_tuple_id(map, isl_dim_out);
  bool sameStatement = from == to; // ids are unique in a context
  isl_id_free(from);
  isl_id_free(to);
  if (!sameStatement)
    return isl_map_free(map);
  isl_set *distances =
      isl_set_from_basic_set(isl_set_simple_hull(isl_map_deltas(map)));
  map = isl_set_translation(distances);
  return mostConstraints(map) <= 2 * kMaxConstraints ? map : isl_map_free(map);
}

void Polyhedral::getAccesses(isl::union_map &reads, isl::union_map &writes,
                             isl::union_map &order) const {
  auto none = [&] {
    return isl_union_map_empty(isl_space_params_alloc(context, 0));
  };
  isl_union_map *allReads = none(), *allWrites = none(), *allTimes = none();
  for (unsigned k = 0; k < scop.statements.size(); ++k) {
    const Statement &stmt = scop.statements[k];
    auto add = [&](isl_union_map *to, const Access &access) {
      isl::map map = accessMap(k, access);
      return isl_union_map_add_map(to, map.release());
    };
    allWrites = add(allWrites, stmt.write);
    for (const Access &write : stmt.moreWrites)
      allWrites = add(allWrites, write);
    for (const Access &read : stmt.reads)
      allReads = add(allReads, read);
    isl::map time = schedules[k].intersect_domain(domains[k]);
    allTimes = isl_union_map_add_map(allTimes, time.release());
  }
  reads = isl::manage(allReads);
  writes = isl::manage(allWrites);
  order = isl::manage(allTimes);
}

isl::union_map Polyhedral::pairsInOrder(const isl::union_map &from,
                                        const isl::union_map &to,
                                        const isl::union_map &order) {
  isl::union_map earlier = isl::manage(isl_union_map_lex_lt_union_map(
      order.intersect_domain(from.domain()).release(),
      order.intersect_domain(to.domain()).release()));
  isl::union_map sameCell =
      from.range_map().apply_range(to.range_map().reverse());
  return from.domain_map()
      .apply_range(earlier)
      .apply_range(to.domain_map().reverse())
      .intersect(sameCell);
}

/// True if integer answers about this scop may need divisions: it has some, or
/// loops with steps, or multiples of loops.
static bool mayDivide(const Scop &scop) {
  auto divides = [](AffineExpr expr) {
    bool found = false;
    expr.walk([&](AffineExpr part) {
      found |= isDivision(part);
      if (part.getKind() != AffineExprKind::Mul)
        return;
      auto product = cast<AffineBinaryOpExpr>(part);
      auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
      found |= !product.getLHS().isSymbolicOrConstant() &&
               !(factor && std::abs(factor.getValue()) == 1);
    });
    return found;
  };
  auto inMap = [&](AffineMap map) {
    return llvm::any_of(map.getResults(), divides);
  };
  auto inAccess = [&](const Access &access) { return inMap(access.map); };
  return llvm::any_of(scop.loops,
                      [&](const SourceLoop &loop) {
                        return loop.step != 1 || inMap(loop.lowerBound) ||
                               inMap(loop.upperBound);
                      }) ||
         llvm::any_of(scop.statements, [&](const Statement &stmt) {
           return inAccess(stmt.write) ||
                  llvm::any_of(stmt.moreWrites, inAccess) ||
                  llvm::any_of(stmt.reads, inAccess) ||
                  llvm::any_of(stmt.guards, [&](const Guard &guard) {
                    return llvm::any_of(guard.set.getConstraints(), divides);
                  });
         });
}

/// Pairs of `from` and `to` that no write between them parts.
static isl::union_map directPairs(const isl::union_map &from,
                                  const isl::union_map &to,
                                  const isl::union_map &writes,
                                  const isl::union_map &order) {
  isl::union_map parted =
      Polyhedral::pairsInOrder(from, writes, order)
          .apply_range(Polyhedral::pairsInOrder(writes, to, order));
  return Polyhedral::pairsInOrder(from, to, order)
      .subtract(parted)
      .factor_domain();
}

/// The same by isl's analysis of flow, for all reads and writes `to` at once.
static isl::union_map flowPairs(const isl::union_map &mayFrom,
                                const isl::union_map &to,
                                const isl::union_map &writes,
                                const isl::union_map &order) {
  isl_union_access_info *info = isl_union_access_info_from_sink(to.copy());
  info = isl_union_access_info_set_must_source(info, writes.copy());
  if (!mayFrom.is_null())
    info = isl_union_access_info_set_may_source(info, mayFrom.copy());
  info = isl_union_access_info_set_schedule_map(info, order.copy());
  isl_union_flow *flow = isl_union_access_info_compute_flow(info);
  isl_union_map *pairs = isl_union_flow_get_may_dependence(flow);
  isl_union_flow_free(flow);
  return isl::manage(pairs);
}

isl::union_map Polyhedral::directDependences(bool withRelaxed) const {
  isl::union_map reads, writes, order;
  getAccesses(reads, writes, order);
  isl::union_map all;
  // isl's analysis of flow writes beyond an array where a division occurs twice
  // in what is left of a domain. Elsewhere it is kept: isl's scheduler depends
  // on the form of what it is given.
  if (mayDivide(scop))
    all = directPairs(writes, reads, writes, order)
              .unite(directPairs(writes, writes, writes, order))
              .unite(directPairs(reads, writes, writes, order));
  else
    all = flowPairs({}, reads, writes, order)
              .unite(flowPairs(reads, writes, writes, order));
  bool anyRelaxed =
      llvm::any_of(dependences, [](const Dependence &d) { return d.relaxed; });
  if (anyRelaxed && !withRelaxed)
    all = all.intersect(ordered);
  isl_union_map *direct = all.release();
  isl_union_map *simple =
      isl_union_map_empty(isl_space_params_alloc(context, 0));
  direct = isl_union_map_coalesce(direct);
  isl_stat allSimple = isl_union_map_foreach_map(
      direct,
      [](isl_map *map, void *user) {
        auto **simple = static_cast<isl_union_map **>(user);
        map = simplifyDependence(map);
        if (!map)
          return isl_stat_error;
        *simple = isl_union_map_add_map(*simple, map);
        return isl_stat_ok;
      },
      &simple);
  isl_union_map_free(direct);
  if (allSimple != isl_stat_ok) {
    isl_union_map_free(simple);
    return isl::union_map();
  }
  return isl::manage(simple);
}

FailureOr<std::unique_ptr<Polyhedral>>
Polyhedral::build(const Scop &scop, bool reassociate, std::string &reason) {
  std::unique_ptr<Polyhedral> poly(new Polyhedral(scop));
  SmallVector<AffineExpr> time;
  SmallVector<SmallVector<AffineExpr>> times(scop.statements.size());
  if (poly->buildDomains() && poly->buildSchedules(scop.order, time, times) &&
      poly->buildDependences(reassociate))
    return std::move(poly);
  reason = reasons::kComplexDependences.text;
  return failure();
}

void Polyhedral::print(raw_ostream &os) const {
  for (const Dependence &dep : dependences) {
    const char *kind = dep.kind == Dependence::Kind::Flow   ? "flow"
                       : dep.kind == Dependence::Kind::Anti ? "anti"
                                                            : "output";
    os << "  " << kind << " S" << dep.source << " -> S" << dep.target << " on "
       << (scop.arrays[dep.array].isSlot() ? "slot" : "array") << dep.array
       << (dep.relaxed ? " (any order)" : "") << ": ";
    char *text = isl_map_to_str(dep.map.get());
    os << text << '\n';
    free(text);
  }
}
