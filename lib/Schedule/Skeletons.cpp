//===- Skeletons.cpp - Fusion structure and affine part -------------------===//
//
// Schedule room. A skeleton is where a search starts: which loops are shared by
// which statements, and the affine form of the loops. Three sources: the
// program as written, its maximal distribution, and isl's scheduler with
// minimal and maximal fusion (which finds what Pluto-style compilers find,
// skews included).
//
//===----------------------------------------------------------------------===//
#include "IslSchedule.h"
#include "nestor/Schedule/Steps.h"

#include "llvm/ADT/StringSet.h"
#include "isl/options.h"
#include "isl/schedule.h"

using namespace mlir;
using namespace mlir::nestor;
using Kind = TreeNode::Kind;

/// Legality checks that distributing one scop may take.
static constexpr unsigned kMaxDistributionChecks = 64;

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

/// Merges directly nested bands, inlines sequences in sequences, and drops
/// sequences of one branch.
static void normalize(std::unique_ptr<TreeNode> &node) {
  for (auto &child : node->children)
    normalize(child);
  if (node->kind == Kind::Band && node->children[0]->kind == Kind::Band) {
    auto child = std::move(node->children[0]);
    node->members.append(child->members.begin(), child->members.end());
    node->children = std::move(child->children);
  }
  if (node->kind != Kind::Sequence)
    return;
  std::vector<std::unique_ptr<TreeNode>> flat;
  for (auto &filter : node->children) {
    auto &body = filter->children[0];
    if (body->kind == Kind::Sequence && filter->domains.empty())
      for (auto &inner : body->children)
        flat.push_back(std::move(inner));
    else
      flat.push_back(std::move(filter));
  }
  node->children = std::move(flat);
  if (node->children.size() == 1 && node->children[0]->domains.empty())
    node = std::move(node->children[0]->children[0]);
}

static void uniqueNames(TreeNode &tree) {
  llvm::StringSet<> used;
  walkTree(tree, [&](TreeNode &node) {
    for (Member &member : node.members) {
      std::string base = member.name;
      for (unsigned copy = 2; !used.insert(member.name).second; ++copy)
        member.name = base + "_" + std::to_string(copy);
    }
  });
}

//===----------------------------------------------------------------------===//
// Distribution
//===----------------------------------------------------------------------===//

/// A filter with a copy of `band` (only its loops) around branches [from, to).
static std::unique_ptr<TreeNode> bandAround(const TreeNode &band, unsigned from,
                                            unsigned to) {
  const TreeNode &sequence = *band.children[0];
  auto body = std::make_unique<TreeNode>();
  body->kind = Kind::Sequence;
  for (unsigned i = from; i < to; ++i) {
    body->children.push_back(sequence.children[i]->clone());
    body->stmts.append(sequence.children[i]->stmts);
  }
  llvm::sort(body->stmts);
  auto copy = TreeNode::leaf(body->stmts);
  copy->kind = Kind::Band;
  for (const Member &member : band.members) {
    Member part = member;
    part.exprs.clear();
    for (unsigned stmt : copy->stmts)
      part.exprs.push_back(
          member.exprs[llvm::find(band.stmts, stmt) - band.stmts.begin()]);
    copy->members.push_back(std::move(part));
  }
  auto filter = TreeNode::leaf(copy->stmts);
  filter->kind = Kind::Filter;
  copy->children.push_back(std::move(body));
  filter->children.push_back(std::move(copy));
  return filter;
}

/// Splits the band `target` (by preorder number) between branches cut-1 and cut
/// of its sequence.
static std::unique_ptr<TreeNode> splitAt(const TreeNode &tree, unsigned target,
                                         unsigned cut) {
  auto result = tree.clone();
  unsigned number = 0;
  TreeNode *band = nullptr;
  walkTree(*result, [&](TreeNode &node) {
    if (number++ == target)
      band = &node;
  });
  unsigned end = band->children[0]->children.size();
  auto first = bandAround(*band, 0, cut), second = bandAround(*band, cut, end);
  band->kind = Kind::Sequence;
  band->members.clear();
  band->children.clear();
  band->children.push_back(std::move(first));
  band->children.push_back(std::move(second));
  normalize(result);
  uniqueNames(*result);
  return result;
}

/// Distributes loops over the branches of their bodies wherever that is legal.
static std::unique_ptr<TreeNode> distribute(Legality &legality,
                                            std::unique_ptr<TreeNode> tree) {
  std::string reason;
  unsigned checks = 0;
  for (bool changed = true; changed;) {
    changed = false;
    // Places to cut: bands over sequences.
    SmallVector<std::pair<unsigned, unsigned>> cuts;
    unsigned number = 0;
    walkTree(*tree, [&](TreeNode &node) {
      if (node.kind == Kind::Band && node.children[0]->kind == Kind::Sequence)
        for (unsigned c = 1; c < node.children[0]->children.size(); ++c)
          cuts.push_back({number, c});
      ++number;
    });
    for (auto [target, cut] : cuts) {
      if (++checks > kMaxDistributionChecks)
        return tree;
      auto split = splitAt(*tree, target, cut);
      if (failed(legality.analyse(*split, reason)))
        continue;
      tree = std::move(split);
      changed = true;
      break;
    }
  }
  return tree;
}

//===----------------------------------------------------------------------===//
// isl's scheduler
//===----------------------------------------------------------------------===//

/// What isl is asked: keep the direct dependences (the rest follows; all of
/// them would make its integer programs explode), and carry as little as
/// possible. No proximity constraints, for the same reason: our cost models
/// judge locality.
///
/// isl operations that one run of isl's scheduler may take (its integer
/// programs count few operations for much work), and bounds of what it may
/// choose, which keep it from exotic and expensive answers.
static constexpr unsigned long kSchedulerOperations = 200'000;
static constexpr int kMaxCoefficient = 8, kMaxConstant = 16;
/// Statements that one integer program may be about: with maximal fusion all of
/// a connected scop are, with minimal fusion few at a time.
static constexpr size_t kMaxFused = 8, kMaxDistributed = 40;

static std::unique_ptr<TreeNode> scheduleByIsl(Legality &legality, bool fuse) {
  Polyhedral &poly = legality.getPolyhedral();
  if (legality.getScop().statements.size() >
      (fuse ? kMaxFused : kMaxDistributed))
    return nullptr;
  isl_ctx *ctx = poly.ctx().get();
  poly.resetBudget(kSchedulerOperations);
  isl_options_set_schedule_max_coefficient(ctx, kMaxCoefficient);
  isl_options_set_schedule_max_constant_term(ctx, kMaxConstant);
  isl_options_set_schedule_serialize_sccs(ctx, !fuse);
  isl_options_set_schedule_whole_component(ctx, fuse);
  isl_options_set_schedule_maximize_band_depth(ctx, 1);
  isl_options_set_schedule_maximize_coincidence(ctx, 1);
  isl_options_set_schedule_outer_coincidence(ctx, 0);
  isl::union_map order = poly.directDependences(/*withRelaxed=*/false);
  isl::union_map every = poly.directDependences(/*withRelaxed=*/true);
  if (order.is_null() || every.is_null()) {
    poly.resetBudget();
    return nullptr;
  }
  isl_schedule_constraints *constraints =
      isl_schedule_constraints_on_domain(poly.domain.copy());
  constraints =
      isl_schedule_constraints_set_validity(constraints, order.release());
  constraints =
      isl_schedule_constraints_set_coincidence(constraints, every.release());
  isl::schedule schedule =
      isl::manage(isl_schedule_constraints_compute_schedule(constraints));
  bool gaveUp = poly.exhausted();
  poly.resetBudget();
  if (gaveUp || schedule.is_null())
    return nullptr;
  auto tree = fromIslSchedule(schedule, legality.getScop());
  if (tree) {
    normalize(tree);
    uniqueNames(*tree);
  }
  return tree;
}

std::vector<Candidate> nestor::buildSkeletons(Legality &legality) {
  std::vector<Candidate> skeletons;
  llvm::SmallDenseSet<Attribute> seen;
  auto add = [&](std::unique_ptr<TreeNode> tree, StringRef name) {
    std::string reason;
    if (!tree)
      return;
    auto candidate = makeCandidate(legality, std::move(tree), name, reason);
    if (succeeded(candidate) &&
        seen.insert(writeTree(*candidate->tree, legality.getScop())).second)
      skeletons.push_back(std::move(*candidate));
  };
  auto source = buildSourceTree(legality.getScop());
  add(source->clone(), "source");
  if (skeletons.empty())
    return skeletons; // too complex to check; and so is everything else
  add(distribute(legality, std::move(source)), "distributed");
  add(scheduleByIsl(legality, /*fuse=*/false), "isl-min-fuse");
  add(scheduleByIsl(legality, /*fuse=*/true), "isl-max-fuse");
  return skeletons;
}
