//===- ScheduleTree.cpp - Trees: building, copying, reading, writing ------===//
//
// Schedule room. Conversions between the in-memory tree, the source order of a
// scop, and the #nestor.schedule attribute.
//
//===----------------------------------------------------------------------===//
#include "nestor/Schedule/ScheduleTree.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nestor;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

std::unique_ptr<TreeNode> TreeNode::leaf(ArrayRef<unsigned> stmts) {
  auto node = std::make_unique<TreeNode>();
  node->stmts.assign(stmts.begin(), stmts.end());
  return node;
}

std::unique_ptr<TreeNode> TreeNode::clone() const {
  auto copy = std::make_unique<TreeNode>();
  copy->kind = kind;
  copy->stmts = stmts;
  copy->members = members;
  copy->permutable = permutable;
  copy->group = group;
  copy->domains = domains;
  for (const auto &child : children)
    copy->children.push_back(child->clone());
  return copy;
}

Candidate Candidate::clone() const {
  Candidate copy;
  copy.scop = scop;
  copy.legality = legality;
  copy.tree = tree->clone();
  copy.steps = steps;
  copy.skeleton = skeleton;
  copy.nextGroup = nextGroup;
  return copy;
}

void nestor::walkTree(TreeNode &root, function_ref<void(TreeNode &)> fn) {
  fn(root);
  for (auto &child : root.children)
    walkTree(*child, fn);
}

SmallVector<LoopRef> nestor::loopsOf(const TreeNode &root, unsigned stmt) {
  SmallVector<LoopRef> loops;
  const TreeNode *node = &root;
  while (node->kind != TreeNode::Kind::Leaf) {
    if (node->kind == TreeNode::Kind::Band) {
      unsigned place = llvm::find(node->stmts, stmt) - node->stmts.begin();
      for (unsigned m = 0; m < node->members.size(); ++m)
        loops.push_back({node, m, place});
    }
    const TreeNode *next = nullptr;
    for (const auto &child : node->children)
      if (!next && llvm::is_contained(child->stmts, stmt))
        next = child.get();
    if (!next)
      break;
    node = next;
  }
  return loops;
}

TreeNode *nestor::findLoop(TreeNode &root, StringRef name, unsigned &member) {
  TreeNode *found = nullptr;
  walkTree(root, [&](TreeNode &node) {
    for (auto [m, candidate] : llvm::enumerate(node.members))
      if (candidate.name == name) {
        found = &node;
        member = m;
      }
  });
  return found;
}

AffineMap nestor::memberMap(const Scop &scop, unsigned stmt, AffineExpr expr) {
  return AffineMap::get(scop.statements[stmt].getDepth(), scop.params.size(),
                        expr);
}

//===----------------------------------------------------------------------===//
// The program as written
//===----------------------------------------------------------------------===//

namespace {
/// Builds the tree of the source order.
class SourceTreeBuilder {
public:
  explicit SourceTreeBuilder(const Scop &scop) : scop(scop) {}
  std::unique_ptr<TreeNode> build(ArrayRef<SourceItem> items);

private:
  std::unique_ptr<TreeNode> buildItem(const SourceItem &item);
  AffineExpr iterationOf(const SourceLoop &loop) const;
  void collect(const SourceItem &item, SmallVectorImpl<unsigned> &stmts) const;
  const Scop &scop;
};
} // namespace

void SourceTreeBuilder::collect(const SourceItem &item,
                                SmallVectorImpl<unsigned> &stmts) const {
  if (!item.isLoop)
    return stmts.push_back(item.index);
  for (const SourceItem &child : item.children)
    collect(child, stmts);
}

/// A loop's value in the tree: its induction variable, or the number of its
/// iteration where it steps by more than one, so that tiles are full.
AffineExpr SourceTreeBuilder::iterationOf(const SourceLoop &loop) const {
  AffineExpr iv = getAffineDimExpr(loop.depth, scop.getContext());
  if (loop.step == 1 || loop.lowerBound.getNumResults() != 1)
    return iv;
  return (iv - loop.lowerBound.getResult(0)).floorDiv(loop.step);
}

std::unique_ptr<TreeNode> SourceTreeBuilder::buildItem(const SourceItem &item) {
  SmallVector<unsigned> stmts;
  collect(item, stmts);
  if (!item.isLoop)
    return TreeNode::leaf(stmts);
  auto band = std::make_unique<TreeNode>();
  band->kind = TreeNode::Kind::Band;
  band->stmts = stmts;
  Member member;
  member.name = "L" + std::to_string(item.index);
  member.exprs.assign(stmts.size(), iterationOf(scop.loops[item.index]));
  band->members.push_back(std::move(member));
  auto child = build(item.children);
  if (child->kind == TreeNode::Kind::Band) {
    // A perfect nest: one band.
    band->members.append(child->members.begin(), child->members.end());
    band->children = std::move(child->children);
  } else {
    band->children.push_back(std::move(child));
  }
  return band;
}

std::unique_ptr<TreeNode> SourceTreeBuilder::build(ArrayRef<SourceItem> items) {
  // Loops without statements leave no trace.
  SmallVector<const SourceItem *> filled;
  for (const SourceItem &item : items) {
    SmallVector<unsigned> stmts;
    collect(item, stmts);
    if (!stmts.empty())
      filled.push_back(&item);
  }
  if (filled.size() == 1)
    return buildItem(*filled[0]);
  auto sequence = std::make_unique<TreeNode>();
  sequence->kind = TreeNode::Kind::Sequence;
  for (const SourceItem *item : filled) {
    auto filter = std::make_unique<TreeNode>();
    filter->kind = TreeNode::Kind::Filter;
    filter->children.push_back(buildItem(*item));
    filter->stmts = filter->children[0]->stmts;
    sequence->stmts.append(filter->stmts.begin(), filter->stmts.end());
    sequence->children.push_back(std::move(filter));
  }
  return sequence;
}

std::unique_ptr<TreeNode> nestor::buildSourceTree(const Scop &scop) {
  return SourceTreeBuilder(scop).build(scop.order);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static ArrayAttr writeMarks(const Marks &marks, MLIRContext *ctx) {
  SmallVector<Attribute> list;
  if (marks.unroll)
    list.push_back(MarkAttr::get(ctx, MarkKind::Unroll, marks.block, 0));
  if (marks.vectorWidth)
    list.push_back(
        MarkAttr::get(ctx, MarkKind::Vector, marks.block, marks.vectorWidth));
  if (marks.promote)
    list.push_back(MarkAttr::get(ctx, MarkKind::Promote, 0, 0));
  return list.empty() ? ArrayAttr() : ArrayAttr::get(ctx, list);
}

static DenseI64ArrayAttr writeStmts(ArrayRef<unsigned> stmts,
                                    MLIRContext *ctx) {
  SmallVector<int64_t> numbers(stmts.begin(), stmts.end());
  return DenseI64ArrayAttr::get(ctx, numbers);
}

static Attribute writeBand(const TreeNode &node, const Scop &scop) {
  MLIRContext *ctx = scop.getContext();
  SmallVector<Attribute> members;
  for (const Member &member : node.members) {
    SmallVector<Attribute> maps;
    for (auto [stmt, expr] : llvm::zip(node.stmts, member.exprs))
      maps.push_back(AffineMapAttr::get(memberMap(scop, stmt, expr)));
    members.push_back(MemberAttr::get(
        ctx, StringAttr::get(ctx, member.name), ArrayAttr::get(ctx, maps),
        member.coincident, writeMarks(member.marks, ctx)));
  }
  return BandAttr::get(ctx, writeStmts(node.stmts, ctx),
                       ArrayAttr::get(ctx, members), node.permutable,
                       writeTree(*node.children[0], scop));
}

static Attribute writeFilter(const TreeNode &node, const Scop &scop) {
  MLIRContext *ctx = scop.getContext();
  ArrayAttr domains;
  if (!node.domains.empty()) {
    SmallVector<Attribute> lists;
    for (auto &sets : node.domains) {
      SmallVector<Attribute> list;
      for (IntegerSet set : sets)
        list.push_back(IntegerSetAttr::get(set));
      lists.push_back(ArrayAttr::get(ctx, list));
    }
    domains = ArrayAttr::get(ctx, lists);
  }
  return FilterAttr::get(ctx, writeStmts(node.stmts, ctx), domains,
                         writeTree(*node.children[0], scop));
}

Attribute nestor::writeTree(const TreeNode &tree, const Scop &scop) {
  MLIRContext *ctx = scop.getContext();
  switch (tree.kind) {
  case TreeNode::Kind::Leaf:
    return LeafAttr::get(ctx);
  case TreeNode::Kind::Band:
    return writeBand(tree, scop);
  case TreeNode::Kind::Filter:
    return writeFilter(tree, scop);
  case TreeNode::Kind::Sequence: {
    SmallVector<Attribute> children;
    for (const auto &child : tree.children)
      children.push_back(writeTree(*child, scop));
    return SequenceAttr::get(ctx, ArrayAttr::get(ctx, children));
  }
  }
  llvm_unreachable("all kinds handled");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class TreeReader {
public:
  TreeReader(const Scop &scop, function_ref<InFlightDiagnostic()> emitError)
      : scop(scop), emitError(emitError) {}
  FailureOr<std::unique_ptr<TreeNode>> read(Attribute node,
                                            ArrayRef<unsigned> stmts);

private:
  LogicalResult readBand(BandAttr band, TreeNode &node);
  LogicalResult readMember(MemberAttr attr, ArrayRef<unsigned> stmts,
                           Member &member);
  LogicalResult readSequence(SequenceAttr sequence, TreeNode &node);
  LogicalResult readDomains(FilterAttr filter, TreeNode &node);
  const Scop &scop;
  function_ref<InFlightDiagnostic()> emitError;
};
} // namespace

/// Only what isl can hold exactly: quasi-affine, with positive divisors.
static bool isSupported(AffineExpr expr) {
  bool ok = expr.isPureAffine();
  expr.walk([&](AffineExpr e) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(e);
    if (binary && e.getKind() != AffineExprKind::Add &&
        e.getKind() != AffineExprKind::Mul) {
      auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      ok &= divisor && divisor.getValue() > 0;
    }
  });
  return ok;
}

LogicalResult TreeReader::readMember(MemberAttr attr, ArrayRef<unsigned> stmts,
                                     Member &member) {
  member.name = attr.getName().str();
  member.coincident = attr.getCoincident();
  for (auto [stmt, mapAttr] :
       llvm::zip(stmts, attr.getMaps().getAsRange<AffineMapAttr>())) {
    AffineMap map = mapAttr.getValue();
    if (map.getNumDims() != scop.statements[stmt].getDepth() ||
        map.getNumSymbols() != scop.params.size())
      return emitError() << "loop '" << member.name << "', statement " << stmt
                         << ": the map must have "
                         << scop.statements[stmt].getDepth() << " dims and "
                         << scop.params.size() << " symbols";
    if (!isSupported(map.getResult(0)))
      return emitError() << "loop '" << member.name << "', statement " << stmt
                         << ": the map is not affine";
    member.exprs.push_back(map.getResult(0));
  }
  if (!attr.getMarks())
    return success();
  for (auto mark : attr.getMarks().getAsRange<MarkAttr>()) {
    member.marks.unroll |= mark.getKind() == MarkKind::Unroll;
    member.marks.promote |= mark.getKind() == MarkKind::Promote;
    if (mark.getKind() == MarkKind::Vector)
      member.marks.vectorWidth = mark.getWidth();
    if (mark.getBlock())
      member.marks.block = mark.getBlock();
  }
  if (member.marks.unroll && member.marks.vectorWidth)
    return emitError() << "loop '" << member.name
                       << "' has both an unroll and a vector mark";
  return success();
}

LogicalResult TreeReader::readBand(BandAttr band, TreeNode &node) {
  node.kind = TreeNode::Kind::Band;
  node.permutable = band.getPermutable();
  for (auto attr : band.getMembers().getAsRange<MemberAttr>()) {
    node.members.emplace_back();
    if (failed(readMember(attr, node.stmts, node.members.back())))
      return failure();
  }
  auto child = read(band.getChild(), node.stmts);
  if (failed(child))
    return failure();
  node.children.push_back(std::move(*child));
  return success();
}

LogicalResult TreeReader::readDomains(FilterAttr filter, TreeNode &node) {
  if (!filter.getDomains())
    return success();
  for (auto [stmt, list] :
       llvm::zip(node.stmts, filter.getDomains().getAsRange<ArrayAttr>())) {
    SmallVector<IntegerSet> sets;
    for (auto attr : list.getAsRange<IntegerSetAttr>()) {
      IntegerSet set = attr.getValue();
      if (set.getNumDims() != scop.statements[stmt].getDepth() ||
          set.getNumSymbols() != scop.params.size() ||
          !llvm::all_of(set.getConstraints(), isSupported))
        return emitError() << "filter: the integer set of statement " << stmt
                           << " must be affine over "
                           << scop.statements[stmt].getDepth() << " dims and "
                           << scop.params.size() << " symbols";
      sets.push_back(set);
    }
    node.domains.push_back(std::move(sets));
  }
  return success();
}

LogicalResult TreeReader::readSequence(SequenceAttr sequence, TreeNode &node) {
  node.kind = TreeNode::Kind::Sequence;
  for (auto attr : sequence.getChildren().getAsRange<FilterAttr>()) {
    auto filter = std::make_unique<TreeNode>();
    filter->kind = TreeNode::Kind::Filter;
    filter->stmts.assign(attr.getStmts().asArrayRef().begin(),
                         attr.getStmts().asArrayRef().end());
    if (failed(readDomains(attr, *filter)))
      return failure();
    auto child = read(attr.getChild(), filter->stmts);
    if (failed(child))
      return failure();
    filter->children.push_back(std::move(*child));
    node.children.push_back(std::move(filter));
  }
  return success();
}

FailureOr<std::unique_ptr<TreeNode>>
TreeReader::read(Attribute attr, ArrayRef<unsigned> stmts) {
  auto node = TreeNode::leaf(stmts);
  LogicalResult result = success();
  if (auto band = dyn_cast<BandAttr>(attr))
    result = readBand(band, *node);
  else if (auto sequence = dyn_cast<SequenceAttr>(attr))
    result = readSequence(sequence, *node);
  if (failed(result))
    return failure();
  return std::move(node);
}

FailureOr<std::unique_ptr<TreeNode>>
nestor::readTree(Attribute tree, const Scop &scop,
                 function_ref<InFlightDiagnostic()> emitError) {
  unsigned numStmts = 0;
  if (failed(verifyScheduleTree(emitError, tree, numStmts)))
    return failure();
  if (numStmts != scop.statements.size())
    return emitError() << "the schedule tree has " << numStmts
                       << " statements, but the scop has "
                       << scop.statements.size(),
           failure();
  SmallVector<unsigned> stmts = llvm::to_vector(llvm::seq(numStmts));
  return TreeReader(scop, emitError).read(tree, stmts);
}
