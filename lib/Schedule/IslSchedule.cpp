//===- IslSchedule.cpp - Schedule trees in isl's form ---------------------===//
//
// Schedule room; see IslSchedule.h.
//
//===----------------------------------------------------------------------===//
#include "IslSchedule.h"

#include "llvm/ADT/SetVector.h"
#include "isl/schedule_node.h"
#include <map>

using namespace mlir;
using namespace mlir::nestor;

//===----------------------------------------------------------------------===//
// Into isl
//===----------------------------------------------------------------------===//

namespace {
/// A member with the band that says which statements it is for.
struct FlatMember {
  const Member *member;
  const TreeNode *band;
};

/// While it lives, isl has another limit of operations; 0: none.
class Limit {
public:
  Limit(isl_ctx *ctx, unsigned long operations)
      : ctx(ctx), before(isl_ctx_get_max_operations(ctx)) {
    isl_ctx_set_max_operations(ctx, operations);
  }
  Limit(const Limit &) = delete;
  ~Limit() { isl_ctx_set_max_operations(ctx, before); }

private:
  isl_ctx *ctx;
  unsigned long before;
};

class IslBuilder {
public:
  explicit IslBuilder(Polyhedral &poly)
      : poly(poly), limit(isl_ctx_get_max_operations(poly.ctx().get())) {}
  IslSchedule build(const TreeNode &tree);

private:
  isl_schedule_node *insert(isl_schedule_node *node, const TreeNode &tree,
                            bool inBlock);
  isl_schedule_node *insertMember(isl_schedule_node *node, FlatMember flat);
  isl_schedule_node *insertSequence(isl_schedule_node *node,
                                    const TreeNode &tree);
  isl_schedule_node *isolateFullBlocks(isl_schedule_node *node,
                                       const TreeNode &band, unsigned m);
  isl_union_pw_aff *memberAff(const FlatMember &flat);
  isl_union_set *filterSet(const TreeNode &filter);

  Polyhedral &poly;
  unsigned long limit; ///< for what may take long
  IslSchedule result;
};
} // namespace

isl_union_pw_aff *IslBuilder::memberAff(const FlatMember &flat) {
  isl_union_pw_aff *sum = nullptr;
  for (auto [stmt, expr] : llvm::zip(flat.band->stmts, flat.member->exprs)) {
    isl_union_pw_aff *piece =
        isl_union_pw_aff_from_aff(poly.toAff(stmt, expr).release());
    sum = sum ? isl_union_pw_aff_union_add(sum, piece) : piece;
  }
  return sum;
}

isl_schedule_node *IslBuilder::insertMember(isl_schedule_node *node,
                                            FlatMember flat) {
  isl_union_pw_aff *aff = memberAff(flat);
  isl_multi_union_pw_aff *partial =
      isl_multi_union_pw_aff_from_union_pw_aff(aff);
  node = isl_schedule_node_insert_partial_schedule(node, partial);
  std::string name = "member" + std::to_string(result.marks.size());
  result.marks.push_back(flat.member->marks);
  node = isl_schedule_node_insert_mark(
      node, isl_id_alloc(poly.ctx().get(), name.c_str(), nullptr));
  // Below the mark and the band.
  node = isl_schedule_node_child(node, 0);
  return isl_schedule_node_child(node, 0);
}

/// The points of the loops above that have every iteration of the block of
/// point loops which starts at `first` in `path`.
static isl_set *fullBlocks(Polyhedral &poly, isl_union_map *prefix,
                           ArrayRef<FlatMember> points) {
  isl_union_set *domain = isl_union_map_domain(isl_union_map_copy(prefix));
  // offset: instance -> position in the block, one dimension a point loop.
  isl_union_map *offsets = nullptr;
  isl_ctx *ctx = poly.ctx().get();
  isl_set *box = nullptr;
  for (const FlatMember &flat : points) {
    isl_union_map *offset = nullptr;
    for (auto [stmt, expr] : llvm::zip(flat.band->stmts, flat.member->exprs)) {
      AffineExpr inBlock = expr % flat.member->marks.block;
      isl_union_map *piece = isl_union_map_from_map(
          isl_map_from_aff(poly.toAff(stmt, inBlock).release()));
      offset = offset ? isl_union_map_union(offset, piece) : piece;
    }
    offsets =
        offsets ? isl_union_map_flat_range_product(offsets, offset) : offset;
    isl_set *range = isl_set_read_from_str(
        ctx,
        ("{ [o] : 0 <= o < " + std::to_string(flat.member->marks.block) + " }")
            .c_str());
    box = box ? isl_set_flat_product(box, range) : range;
  }
  offsets = isl_union_map_intersect_domain(offsets, isl_union_set_copy(domain));
  isl_union_set_free(domain);
  // prefix point -> offsets that it has.
  isl_union_map *has = isl_union_map_apply_range(
      isl_union_map_reverse(isl_union_map_copy(prefix)), offsets);
  isl_union_set *all = isl_union_map_range(isl_union_map_copy(prefix));
  isl_union_map *wanted = isl_union_map_from_domain_and_range(
      isl_union_set_copy(all), isl_union_set_from_set(box));
  isl_union_set *lacking =
      isl_union_map_domain(isl_union_map_subtract(wanted, has));
  isl_union_set *full =
      isl_union_set_coalesce(isl_union_set_subtract(all, lacking));
  isl_union_map_free(prefix);
  if (isl_union_set_n_set(full) != 1) {
    isl_union_set_free(full);
    return nullptr;
  }
  return isl_set_from_union_set(full);
}

/// The point loops from member `m` of `band` down to the next other loop.
static SmallVector<FlatMember> blockFrom(const TreeNode &band, unsigned m) {
  SmallVector<FlatMember> block;
  const TreeNode *node = &band;
  while (node->kind == TreeNode::Kind::Band) {
    for (; m < node->members.size(); ++m) {
      if (!node->members[m].marks.isPoint())
        return block;
      block.push_back({&node->members[m], node});
    }
    node = node->children[0].get();
    m = 0;
  }
  return block;
}

/// `node` is the place of the first point loop of a block: tells isl to
/// generate the full blocks apart. The option belongs to the band right above;
/// where a branch of a sequence starts there, a band of one value is put in
/// between.
isl_schedule_node *IslBuilder::isolateFullBlocks(isl_schedule_node *node,
                                                 const TreeNode &band,
                                                 unsigned m) {
  isl_schedule_node *parent =
      isl_schedule_node_parent(isl_schedule_node_copy(node));
  bool belowBand = isl_schedule_node_get_type(parent) == isl_schedule_node_band;
  isl_schedule_node_free(parent);
  if (!belowBand) {
    Member constant;
    constant.exprs.assign(band.stmts.size(),
                          getAffineConstantExpr(0, poly.scop.getContext()));
    node = insertMember(node, {&constant, &band});
  }
  isl_union_map *prefix = isl_schedule_node_get_prefix_schedule_relation(node);
  isl_set *full;
  {
    Limit limited(poly.ctx().get(), limit);
    full = fullBlocks(poly, prefix, blockFrom(band, m));
  }
  if (!full)
    return node;
  unsigned depth = isl_set_dim(full, isl_dim_set);
  isl_map *split = isl_map_from_range(full);
  split = isl_map_move_dims(split, isl_dim_in, 0, isl_dim_out, 0, depth - 1);
  isl_set *option = isl_set_set_tuple_id(
      isl_map_wrap(split), isl_id_alloc(poly.ctx().get(), "isolate", nullptr));
  node = isl_schedule_node_parent(node);
  node = isl_schedule_node_band_set_ast_build_options(
      node, isl_union_set_from_set(option));
  return isl_schedule_node_child(node, 0);
}

isl_union_set *IslBuilder::filterSet(const TreeNode &filter) {
  isl_union_set *all = nullptr;
  for (auto [place, stmt] : llvm::enumerate(filter.stmts)) {
    isl::set set = isl::set::universe(poly.domains[stmt].get_space());
    if (!filter.domains.empty()) {
      set = isl::set::empty(set.get_space());
      for (IntegerSet piece : filter.domains[place])
        set = set.unite(poly.toSet(stmt, piece));
    }
    isl_union_set *piece = isl_union_set_from_set(set.release());
    all = all ? isl_union_set_union(all, piece) : piece;
  }
  return all;
}

isl_schedule_node *IslBuilder::insertSequence(isl_schedule_node *node,
                                              const TreeNode &tree) {
  isl_union_set_list *filters =
      isl_union_set_list_alloc(poly.ctx().get(), tree.children.size());
  for (const auto &child : tree.children)
    filters = isl_union_set_list_add(filters, filterSet(*child));
  node = isl_schedule_node_insert_sequence(node, filters);
  for (unsigned i = 0; i < tree.children.size(); ++i) {
    node = isl_schedule_node_child(node, i);
    node = isl_schedule_node_child(node, 0);
    node = insert(node, *tree.children[i]->children[0], /*inBlock=*/false);
    node = isl_schedule_node_parent(node);
    node = isl_schedule_node_parent(node);
  }
  return node;
}

/// Inserts `tree` at `node` and returns the topmost inserted node.
isl_schedule_node *IslBuilder::insert(isl_schedule_node *node,
                                      const TreeNode &tree, bool inBlock) {
  if (tree.kind == TreeNode::Kind::Leaf)
    return node;
  if (tree.kind == TreeNode::Kind::Sequence)
    return insertSequence(node, tree);
  int top = isl_schedule_node_get_tree_depth(node);
  for (unsigned m = 0; m < tree.members.size(); ++m) {
    bool isPoint = tree.members[m].marks.isPoint();
    if (isPoint && !inBlock)
      node = isolateFullBlocks(node, tree, m);
    inBlock = isPoint;
    node = insertMember(node, {&tree.members[m], &tree});
  }
  node = insert(node, *tree.children[0], inBlock);
  return isl_schedule_node_ancestor(
      node, isl_schedule_node_get_tree_depth(node) - top);
}

IslSchedule IslBuilder::build(const TreeNode &tree) {
  // isl's schedule trees do not bear to be stopped: they read the names of sets
  // that they failed to make. What is done here grows with the tree only.
  Limit none(poly.ctx().get(), 0);
  isl_schedule *schedule = isl_schedule_from_domain(poly.domain.copy());
  isl_schedule_node *node = isl_schedule_get_root(schedule);
  isl_schedule_free(schedule);
  node = insert(isl_schedule_node_child(node, 0), tree, /*inBlock=*/false);
  result.schedule = isl::manage(isl_schedule_node_get_schedule(node));
  isl_schedule_node_free(node);
  return std::move(result);
}

IslSchedule nestor::toIslSchedule(const TreeNode &tree, Polyhedral &poly) {
  return IslBuilder(poly).build(tree);
}

//===----------------------------------------------------------------------===//
// What a tree costs isl
//===----------------------------------------------------------------------===//

namespace {
/// The divisions of one statement's places in time over the same loops.
struct Moduli {
  llvm::SmallSetVector<int64_t, 4> divisors; ///< of what has no division
  /// Divisions of other divisions by what is no multiple of theirs.
  llvm::SmallDenseSet<AffineExpr, 4> breaks;

  unsigned count() const {
    return breaks.size() + llvm::count_if(divisors, [&](int64_t divisor) {
             return llvm::none_of(divisors, [&](int64_t other) {
               return other > divisor && other % divisor == 0;
             });
           });
  }
};
/// By statement and loops.
using ModuliMap =
    std::map<std::pair<unsigned, SmallVector<unsigned, 4>>, Moduli>;
} // namespace

static void addModulus(unsigned stmt, AffineExpr division, ModuliMap &map) {
  auto binary = cast<AffineBinaryOpExpr>(division);
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!divisor || divisor.getValue() <= 0)
    return;
  llvm::SmallSetVector<unsigned, 4> dims;
  bool isNested = false;
  binary.getLHS().walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      dims.insert(dim.getPosition());
    isNested |= isDivision(part);
  });
  SmallVector<unsigned, 4> key = dims.takeVector();
  llvm::sort(key);
  Moduli &moduli = map[{stmt, key}];
  if (!isNested) {
    moduli.divisors.insert(divisor.getValue());
    return;
  }
  int64_t known = binary.getLHS().getLargestKnownDivisor();
  if (known <= 1 || divisor.getValue() % known != 0)
    moduli.breaks.insert(division);
}

/// With so many moduli isl is as fast as ever. With three and more an operation
/// was seen to take 50 microseconds instead of 0.2.
static constexpr unsigned kManyModuli = 2, kHalvingsPerModulus = 3;

unsigned nestor::halvingsFor(const TreeNode &tree, const Scop &scop) {
  ModuliMap map;
  auto visit = [&](auto &self, const TreeNode &node) -> void {
    for (const Member &member : node.members)
      for (auto [stmt, expr] : llvm::zip(node.stmts, member.exprs))
        expr.walk([&, stmt = stmt](AffineExpr part) {
          if (isDivision(part))
            addModulus(stmt, part, map);
        });
    for (auto &child : node.children)
      self(self, *child);
  };
  visit(visit, tree);
  unsigned most = 0;
  for (auto &[key, moduli] : map) {
    const Statement &stmt = scop.statements[key.first];
    for (unsigned dim : key.second)
      if (int64_t step = scop.loops[stmt.loops[dim]].step; step > 1)
        moduli.divisors.insert(step);
    most = std::max(most, moduli.count());
  }
  return kHalvingsPerModulus * (most - std::min(most, kManyModuli));
}

//===----------------------------------------------------------------------===//
// Out of isl
//===----------------------------------------------------------------------===//

AffineExpr nestor::toAffineExpr(const isl::aff &aff, MLIRContext *ctx) {
  bool ok = isl_aff_dim(aff.get(), isl_dim_div) == 0;
  auto number = [&](isl_val *value) -> int64_t {
    ok &= isl_val_is_int(value) == isl_bool_true;
    int64_t result = ok ? isl_val_get_num_si(value) : 0;
    isl_val_free(value);
    return result;
  };
  AffineExpr expr =
      getAffineConstantExpr(number(isl_aff_get_constant_val(aff.get())), ctx);
  for (int d = 0; d < isl_aff_dim(aff.get(), isl_dim_in); ++d)
    expr = expr + getAffineDimExpr(d, ctx) * number(isl_aff_get_coefficient_val(
                                                 aff.get(), isl_dim_in, d));
  for (int p = 0; p < isl_aff_dim(aff.get(), isl_dim_param); ++p)
    expr = expr +
           getAffineSymbolExpr(p, ctx) *
               number(isl_aff_get_coefficient_val(aff.get(), isl_dim_param, p));
  return ok ? expr : AffineExpr();
}

namespace {
/// Reads isl's schedule tree.
class IslReader {
public:
  explicit IslReader(const Scop &scop) : scop(scop) {}
  std::unique_ptr<TreeNode> read(isl::schedule_node node,
                                 ArrayRef<unsigned> stmts);

private:
  std::unique_ptr<TreeNode> readBand(isl::schedule_node node,
                                     ArrayRef<unsigned> stmts);
  std::unique_ptr<TreeNode> readSequence(isl::schedule_node node);
  AffineExpr exprFor(isl_union_pw_aff *member, unsigned stmt);
  const Scop &scop;
  unsigned nextLoop = 0;
};
} // namespace

/// The statements of a union set of "S<k>[...]", rising.
static SmallVector<unsigned> stmtsOf(isl_union_set *set) {
  SmallVector<unsigned> stmts;
  isl_union_set_foreach_set(
      set,
      [](isl_set *piece, void *user) {
        unsigned stmt = std::stoul(isl_set_get_tuple_name(piece) + 1);
        static_cast<SmallVector<unsigned> *>(user)->push_back(stmt);
        isl_set_free(piece);
        return isl_stat_ok;
      },
      &stmts);
  isl_union_set_free(set);
  llvm::sort(stmts);
  return stmts;
}

AffineExpr IslReader::exprFor(isl_union_pw_aff *member, unsigned stmt) {
  struct Query {
    std::string name;
    isl_pw_aff *found = nullptr;
  } query{"S" + std::to_string(stmt)};
  isl_union_pw_aff_foreach_pw_aff(
      member,
      [](isl_pw_aff *pa, void *user) {
        auto *query = static_cast<Query *>(user);
        isl_id *id = isl_pw_aff_get_tuple_id(pa, isl_dim_in);
        bool matches = query->name == isl_id_get_name(id);
        isl_id_free(id);
        if (matches && !query->found)
          query->found = pa;
        else
          isl_pw_aff_free(pa);
        return isl_stat_ok;
      },
      &query);
  if (!query.found)
    return {};
  struct Single {
    isl_aff *aff = nullptr;
    unsigned count = 0;
  } single;
  isl_pw_aff_foreach_piece(
      query.found,
      [](isl_set *set, isl_aff *aff, void *user) {
        auto *single = static_cast<Single *>(user);
        isl_set_free(set);
        if (single->count++)
          isl_aff_free(aff);
        else
          single->aff = aff;
        return isl_stat_ok;
      },
      &single);
  isl_pw_aff_free(query.found);
  isl::aff aff = isl::manage(single.aff);
  return single.count == 1 ? toAffineExpr(aff, scop.getContext())
                           : AffineExpr();
}

std::unique_ptr<TreeNode> IslReader::readBand(isl::schedule_node node,
                                              ArrayRef<unsigned> stmts) {
  auto band = TreeNode::leaf(stmts);
  band->kind = TreeNode::Kind::Band;
  isl_multi_union_pw_aff *partial =
      isl_schedule_node_band_get_partial_schedule(node.get());
  int members = isl_multi_union_pw_aff_dim(partial, isl_dim_set);
  bool ok = true;
  for (int m = 0; m < members; ++m) {
    Member member;
    member.name = "c" + std::to_string(nextLoop++);
    isl_union_pw_aff *upa = isl_multi_union_pw_aff_get_union_pw_aff(partial, m);
    for (unsigned stmt : stmts) {
      member.exprs.push_back(exprFor(upa, stmt));
      ok &= bool(member.exprs.back());
    }
    isl_union_pw_aff_free(upa);
    band->members.push_back(std::move(member));
  }
  isl_multi_union_pw_aff_free(partial);
  auto child = ok ? read(node.child(0), stmts) : nullptr;
  if (!child || members == 0)
    return child;
  band->children.push_back(std::move(child));
  return band;
}

std::unique_ptr<TreeNode> IslReader::readSequence(isl::schedule_node node) {
  auto sequence = std::make_unique<TreeNode>();
  sequence->kind = TreeNode::Kind::Sequence;
  int count = isl_schedule_node_n_children(node.get());
  llvm::SmallDenseSet<unsigned> seen;
  for (int i = 0; i < count; ++i) {
    isl::schedule_node child = node.child(i);
    SmallVector<unsigned> stmts =
        stmtsOf(isl_schedule_node_filter_get_filter(child.get()));
    for (unsigned stmt : stmts)
      if (!seen.insert(stmt).second)
        return nullptr; // a statement is split
    auto filter = TreeNode::leaf(stmts);
    filter->kind = TreeNode::Kind::Filter;
    auto body = stmts.empty() ? nullptr : read(child.child(0), stmts);
    if (!body)
      return nullptr;
    filter->children.push_back(std::move(body));
    sequence->stmts.append(stmts.begin(), stmts.end());
    sequence->children.push_back(std::move(filter));
  }
  llvm::sort(sequence->stmts);
  return sequence;
}

/// Several statements at a leaf have no order; give them the source's.
static std::unique_ptr<TreeNode> orderLeaf(ArrayRef<unsigned> stmts) {
  if (stmts.size() == 1)
    return TreeNode::leaf(stmts);
  auto sequence = TreeNode::leaf(stmts);
  sequence->kind = TreeNode::Kind::Sequence;
  for (unsigned stmt : stmts) {
    auto filter = TreeNode::leaf(stmt);
    filter->kind = TreeNode::Kind::Filter;
    filter->children.push_back(TreeNode::leaf(stmt));
    sequence->children.push_back(std::move(filter));
  }
  return sequence;
}

std::unique_ptr<TreeNode> IslReader::read(isl::schedule_node node,
                                          ArrayRef<unsigned> stmts) {
  switch (isl_schedule_node_get_type(node.get())) {
  case isl_schedule_node_band:
    return readBand(node, stmts);
  case isl_schedule_node_sequence:
  case isl_schedule_node_set:
    return readSequence(node);
  case isl_schedule_node_leaf:
    return orderLeaf(stmts);
  case isl_schedule_node_domain:
  case isl_schedule_node_context:
  case isl_schedule_node_guard:
  case isl_schedule_node_mark:
    return read(node.child(0), stmts);
  default:
    return nullptr;
  }
}

/// A filter for `stmts` above `body`.
static std::unique_ptr<TreeNode> filterOf(ArrayRef<unsigned> stmts,
                                          std::unique_ptr<TreeNode> body) {
  auto filter = TreeNode::leaf(stmts);
  filter->kind = TreeNode::Kind::Filter;
  filter->children.push_back(std::move(body));
  return filter;
}

std::unique_ptr<TreeNode> nestor::fromIslSchedule(const isl::schedule &schedule,
                                                  const Scop &scop) {
  // isl forgets statements without instances; a tree has a place for them all.
  SmallVector<unsigned> stmts =
      stmtsOf(isl_schedule_get_domain(schedule.get()));
  auto all = llvm::to_vector(llvm::seq<unsigned>(0, scop.statements.size()));
  SmallVector<unsigned> empty;
  std::set_difference(all.begin(), all.end(), stmts.begin(), stmts.end(),
                      std::back_inserter(empty));
  auto tree = stmts.empty() ? nullptr
                            : IslReader(scop).read(schedule.get_root(), stmts);
  if (!tree || empty.empty())
    return tree;
  auto sequence = TreeNode::leaf(all);
  sequence->kind = TreeNode::Kind::Sequence;
  sequence->children.push_back(filterOf(stmts, std::move(tree)));
  sequence->children.push_back(filterOf(empty, orderLeaf(empty)));
  return sequence;
}
