//===- Legality.cpp - Which schedule trees keep the program ---------------===//
//
// Schedule room. Walks a tree with each dependence and cuts off what every
// level satisfies: a band member must not run a target before its source, a
// sequence must have the source's branch first, and nothing may be left at a
// leaf. What is seen on the way gives the permutable and coincident bits.
//
//===----------------------------------------------------------------------===//
#include "nestor/Schedule/Legality.h"

#include "IslSchedule.h"

#include <map>

using namespace mlir;
using namespace mlir::nestor;

/// isl operations that one dependence may take on one tree.
static constexpr unsigned long kOperationsPerCheck = 1'000'000;
/// Answers that are kept.
static constexpr size_t kMaxAnswers = 50'000;

/// What is known of a dependence on a pair of paths.
struct Answer {
  bool isKept;
  /// Of the bands that both statements are in, outermost first (preorder).
  SmallVector<bool> permutable;
  SmallVector<SmallVector<bool>> coincident;
};

struct Legality::Answers {
  std::map<std::vector<const void *>, Answer> known;
};

Legality::Legality(const Scop &scop)
    : scop(scop), answers(std::make_unique<Answers>()) {}
Legality::~Legality() = default;

std::unique_ptr<Legality> Legality::create(const Scop &scop, bool reassociate,
                                           std::string &reason) {
  auto poly = Polyhedral::build(scop, reassociate, reason);
  if (failed(poly))
    return nullptr;
  std::unique_ptr<Legality> legality(new Legality(scop));
  legality->poly = std::move(*poly);
  return legality;
}

namespace {
/// Checks one relation of instance pairs (source before target) on a tree.
class TreeChecker {
public:
  TreeChecker(Polyhedral &poly, unsigned s, unsigned t, bool mustOrder)
      : poly(poly), s(s), t(t), mustOrder(mustOrder) {}
  /// False if some pair of `pairs` may run in the wrong order.
  bool visit(TreeNode &node, isl::map pairs);

private:
  bool visitBand(TreeNode &node, isl::map pairs);
  bool visitSequence(TreeNode &node, isl::map pairs);
  isl::set deltas(isl::map pairs, AffineExpr source, AffineExpr target);
  Polyhedral &poly;
  unsigned s, t;
  bool mustOrder; ///< false: only clear coincident bits
};
} // namespace

// isl answers with an error when its budget is used up. The answers below take
// that as the careful one; Legality sees the budget and says "unknown".

static isl::map constrain(isl::map pairs, isl::aff source, isl::aff target,
                          bool equal) {
  // equal: source == target; otherwise source > target.
  isl_map *map = isl_map_from_aff(source.release());
  isl_map *other = isl_map_from_aff(target.release());
  isl_map *related = equal ? isl_map_apply_range(map, isl_map_reverse(other))
                           : isl_map_lex_gt_map(map, other);
  return pairs.intersect(isl::manage(related));
}

bool TreeChecker::visitBand(TreeNode &node, isl::map pairs) {
  unsigned sPlace = llvm::find(node.stmts, s) - node.stmts.begin();
  unsigned tPlace = llvm::find(node.stmts, t) - node.stmts.begin();
  bool ordered = true;
  isl::map entering = pairs, rest = pairs;
  for (Member &member : node.members) {
    isl::aff source = poly.toAff(s, member.exprs[sPlace]);
    isl::aff target = poly.toAff(t, member.exprs[tPlace]);
    isl::map backwards = constrain(entering, source, target, /*equal=*/false);
    isl::map equal = constrain(entering, source, target, /*equal=*/true);
    if (backwards.is_null() || equal.is_null())
      return false;
    if (mustOrder && !backwards.is_empty().is_true()) {
      node.permutable = false;
      ordered &= rest.intersect(backwards).is_empty().is_true();
    }
    if (!entering.is_subset(equal).is_true())
      member.coincident = false;
    rest = rest.intersect(equal);
  }
  if (!ordered)
    return false;
  return rest.is_empty().is_true() || visit(*node.children[0], rest);
}

/// The instances in `reaching` of statement `stmt` that `filter` lets through.
static isl::set throughFilter(const Polyhedral &poly, const TreeNode &filter,
                              unsigned stmt, isl::set reaching) {
  if (filter.domains.empty())
    return reaching;
  unsigned place = llvm::find(filter.stmts, stmt) - filter.stmts.begin();
  isl::set allowed = isl::set::empty(reaching.get_space());
  for (IntegerSet set : filter.domains[place])
    allowed = allowed.unite(poly.toSet(stmt, set));
  return reaching.intersect(allowed);
}

bool TreeChecker::visitSequence(TreeNode &node, isl::map pairs) {
  auto within = [&](const TreeNode &filter, unsigned stmt) {
    return throughFilter(poly, filter, stmt, poly.domains[stmt]);
  };
  auto branchesOf = [&](unsigned stmt) {
    SmallVector<unsigned> branches;
    for (auto [i, filter] : llvm::enumerate(node.children))
      if (llvm::is_contained(filter->stmts, stmt))
        branches.push_back(i);
    return branches;
  };
  SmallVector<unsigned> sources = branchesOf(s), targets = branchesOf(t);
  for (unsigned a : sources)
    for (unsigned b : targets) {
      if (a < b)
        continue;
      isl::map part = pairs.intersect_domain(within(*node.children[a], s))
                          .intersect_range(within(*node.children[b], t));
      if (part.is_null())
        return false;
      if (part.is_empty().is_true())
        continue;
      if (a > b) {
        if (mustOrder)
          return false;
        continue;
      }
      if (!visit(*node.children[a]->children[0], part))
        return false;
    }
  return true;
}

bool TreeChecker::visit(TreeNode &node, isl::map pairs) {
  switch (node.kind) {
  case TreeNode::Kind::Leaf:
    return !mustOrder; // two instances at one place: no order between them
  case TreeNode::Kind::Band:
    return visitBand(node, pairs);
  case TreeNode::Kind::Sequence:
    return visitSequence(node, pairs);
  case TreeNode::Kind::Filter:
    return visit(*node.children[0], pairs);
  }
  llvm_unreachable("all kinds handled");
}

namespace {
/// Checks that every instance of every statement reaches exactly one leaf and
/// has a time of its own there. Trees that come from moves always do; trees
/// that a user wrote may not.
class CoverageChecker {
public:
  CoverageChecker(Polyhedral &poly, std::string &reason)
      : poly(poly), reason(reason) {}
  /// `reaching` has the instances, by statement, that reach `node`.
  LogicalResult visit(const TreeNode &node, std::vector<isl::set> reaching);

private:
  LogicalResult visitSequence(const TreeNode &node,
                              const std::vector<isl::set> &reaching);
  LogicalResult visitLeaf(const TreeNode &leaf,
                          const std::vector<isl::set> &reaching);
  LogicalResult fail(const Twine &why) {
    reason = why.str();
    return failure();
  }

  Polyhedral &poly;
  std::string &reason;
  SmallVector<const TreeNode *> bands; ///< above the node
};
} // namespace

LogicalResult
CoverageChecker::visitSequence(const TreeNode &node,
                               const std::vector<isl::set> &reaching) {
  std::vector<isl::set> left = reaching;
  for (const auto &filter : node.children) {
    std::vector<isl::set> part = reaching;
    for (unsigned stmt : filter->stmts) {
      part[stmt] = throughFilter(poly, *filter, stmt, part[stmt]);
      if (!part[stmt].is_subset(left[stmt]).is_true())
        return fail("an instance of statement " + Twine(stmt) +
                    " is in two branches");
      left[stmt] = left[stmt].subtract(part[stmt]);
    }
    if (failed(visit(*filter->children[0], std::move(part))))
      return failure();
  }
  for (unsigned stmt : node.stmts)
    if (!left[stmt].is_empty().is_true())
      return fail("an instance of statement " + Twine(stmt) +
                  " is in no branch");
  return success();
}

/// Two instances of one statement at the same time would be one instance to the
/// code generator.
LogicalResult
CoverageChecker::visitLeaf(const TreeNode &leaf,
                           const std::vector<isl::set> &reaching) {
  for (unsigned stmt : leaf.stmts) {
    isl::set domain = reaching[stmt];
    isl_map *same = isl_map_from_domain_and_range(domain.copy(), domain.copy());
    for (const TreeNode *band : bands) {
      unsigned place = llvm::find(band->stmts, stmt) - band->stmts.begin();
      for (const Member &member : band->members) {
        isl_map *map =
            isl_map_from_aff(poly.toAff(stmt, member.exprs[place]).release());
        same = isl_map_intersect(
            same, isl_map_apply_range(isl_map_copy(map), isl_map_reverse(map)));
      }
    }
    isl_map *identity =
        isl_map_identity(isl_space_map_from_set(domain.get_space().release()));
    isl_bool ok = isl_map_is_subset(same, identity);
    isl_map_free(same);
    isl_map_free(identity);
    if (ok != isl_bool_true)
      return fail("two instances of statement " + Twine(stmt) +
                  " would run at the same place");
  }
  return success();
}

LogicalResult CoverageChecker::visit(const TreeNode &node,
                                     std::vector<isl::set> reaching) {
  if (node.kind == TreeNode::Kind::Leaf)
    return visitLeaf(node, reaching);
  if (node.kind == TreeNode::Kind::Sequence)
    return visitSequence(node, reaching);
  bands.push_back(&node);
  LogicalResult result = visit(*node.children[0], std::move(reaching));
  bands.pop_back();
  return result;
}

static void setAllBits(TreeNode &tree) {
  walkTree(tree, [](TreeNode &node) {
    node.permutable = node.kind == TreeNode::Kind::Band;
    for (Member &member : node.members)
      member.coincident = true;
  });
}

/// Writes what a check of statements `s` and `t` depends on: their expressions
/// in the bands that both are in, the order of their branches, and the
/// branches' sets. Collects these bands.
static void describePaths(TreeNode &node, unsigned s, unsigned t,
                          std::vector<const void *> &key,
                          SmallVectorImpl<TreeNode *> &bands) {
  auto placeOf = [](const TreeNode &in, unsigned stmt) {
    return llvm::find(in.stmts, stmt) - in.stmts.begin();
  };
  auto addNumber = [&](uintptr_t number) {
    key.push_back(reinterpret_cast<const void *>(number));
  };
  addNumber(uintptr_t(node.kind));
  if (node.kind == TreeNode::Kind::Band) {
    bands.push_back(&node);
    addNumber(node.members.size());
    for (Member &member : node.members)
      for (unsigned stmt : {s, t})
        key.push_back(member.exprs[placeOf(node, stmt)].getAsOpaquePointer());
    return describePaths(*node.children[0], s, t, key, bands);
  }
  if (node.kind != TreeNode::Kind::Sequence)
    return;
  for (auto &filter : node.children) {
    bool hasS = llvm::is_contained(filter->stmts, s);
    bool hasT = llvm::is_contained(filter->stmts, t);
    if (!hasS && !hasT)
      continue;
    addNumber(hasS + 2 * hasT);
    for (unsigned stmt : {s, t}) {
      if (!llvm::is_contained(filter->stmts, stmt))
        continue;
      bool all = filter->domains.empty();
      addNumber(all ? 0 : 1 + filter->domains[placeOf(*filter, stmt)].size());
      if (!all)
        for (IntegerSet set : filter->domains[placeOf(*filter, stmt)])
          key.push_back(set.getAsOpaquePointer());
    }
    if (hasS && hasT)
      describePaths(*filter->children[0], s, t, key, bands);
  }
  addNumber(0);
}

/// Checks one dependence, or takes the answer of an earlier check on the same
/// paths. Clears the bits that the dependence forbids.
bool Legality::check(unsigned dependence, TreeNode &tree) {
  const Dependence &dep = poly->dependences[dependence];
  std::vector<const void *> key{&dep};
  SmallVector<TreeNode *> bands;
  describePaths(tree, dep.source, dep.target, key, bands);
  auto known = answers->known.find(key);
  if (known == answers->known.end()) {
    // On a copy whose bits are all set, to see which ones this one clears.
    auto copy = tree.clone();
    setAllBits(*copy);
    poly->resetBudget(kOperationsPerCheck);
    Answer answer;
    answer.isKept = TreeChecker(*poly, dep.source, dep.target, !dep.relaxed)
                        .visit(*copy, dep.map);
    SmallVector<TreeNode *> copies;
    std::vector<const void *> same;
    describePaths(*copy, dep.source, dep.target, same, copies);
    for (TreeNode *band : copies) {
      answer.permutable.push_back(band->permutable);
      answer.coincident.emplace_back();
      for (Member &member : band->members)
        answer.coincident.back().push_back(member.coincident);
    }
    if (isl_ctx_last_error(poly->ctx().get()) != isl_error_none)
      return answer.isKept; // too complex: the caller asks
    if (answers->known.size() >= kMaxAnswers)
      answers->known.clear();
    known = answers->known.emplace(std::move(key), std::move(answer)).first;
  }
  const Answer &answer = known->second;
  for (auto [i, band] : llvm::enumerate(bands)) {
    band->permutable &= answer.permutable[i];
    for (auto [member, bit] : llvm::zip(band->members, answer.coincident[i]))
      member.coincident &= bit;
  }
  return answer.isKept;
}

LogicalResult Legality::analyse(TreeNode &tree, std::string &reason) {
  Polyhedral::Halved halved(*poly, halvingsFor(tree, scop));
  poly->resetBudget();
  auto unknown = [&] {
    reason = "whether it keeps every dependence is too complex to decide";
    return failure();
  };
  if (failed(CoverageChecker(*poly, reason).visit(tree, poly->domains)))
    return poly->exhausted() ? unknown() : failure();
  setAllBits(tree);
  for (auto [number, dep] : llvm::enumerate(poly->dependences)) {
    bool ok = check(number, tree);
    if (poly->exhausted())
      return unknown();
    if (ok)
      continue;
    const Array &array = scop.arrays[dep.array];
    reason = "it would break a dependence from statement " +
             std::to_string(dep.source) + " to statement " +
             std::to_string(dep.target) + " on " +
             (array.isSlot() ? "a value of the nest" : "an array") + " (" +
             (array.isSlot() ? "slot" : "array") + std::to_string(dep.array) +
             ")";
    return failure();
  }
  return success();
}

/// Pairs of statements that `reorders` compares, at most: about a second.
static constexpr unsigned kMaxCompared = 10'000;

std::optional<bool> Legality::reorders(const TreeNode &tree) {
  auto copy = tree.clone();
  unsigned compared = 0;
  // Every pair in source order, as if it were a dependence.
  for (unsigned s = 0; s < scop.statements.size(); ++s)
    for (unsigned t = 0; t < scop.statements.size(); ++t) {
      if (++compared > kMaxCompared)
        return std::nullopt;
      // A budget for each pair: one that is too complex says nothing about
      // others.
      poly->resetBudget();
      isl::map pairs = isl::manage(isl_map_lex_lt_map(
          poly->schedules[s].copy(), poly->schedules[t].copy()));
      pairs = pairs.intersect_domain(poly->domains[s])
                  .intersect_range(poly->domains[t]);
      if (pairs.is_null() || pairs.is_empty().is_true())
        continue;
      TreeChecker checker(*poly, s, t, /*mustOrder=*/true);
      bool kept = checker.visit(*copy, pairs);
      if (!poly->exhausted() && !kept)
        return true;
    }
  return false;
}
