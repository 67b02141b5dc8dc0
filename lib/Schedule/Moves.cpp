//===- Moves.cpp - What the moves share -----------------------------------===//
//
// Schedule room; see Moves.h.
//
//===----------------------------------------------------------------------===//
#include "Moves.h"
#include "nestor/Schedule/Steps.h"

using namespace mlir;
using namespace mlir::nestor;

LogicalResult nestor::findAnyLoop(TreeNode &tree, StringRef name,
                                  LoopPlace &place, std::string &reason) {
  place.band = findLoop(tree, name, place.member);
  if (place.band)
    return success();
  reason = "there is no loop '" + name.str() + "'; the loops are";
  walkTree(tree, [&](TreeNode &node) {
    for (const Member &member : node.members)
      reason += " '" + member.name + "'";
  });
  return failure();
}

LogicalResult nestor::findLoopOrFail(TreeNode &tree, StringRef name,
                                     StringRef move, LoopPlace &place,
                                     std::string &reason) {
  if (failed(findAnyLoop(tree, name, place, reason)))
    return failure();
  if (!place.get().marks.isPoint())
    return success();
  reason =
      (move + ": loop '" + name + "' is unrolled or vectorized already").str();
  return failure();
}

Member nestor::makePoint(TreeNode &tree, const Member &member, StringRef suffix,
                         Marks marks) {
  Member point = member;
  point.name = freshName(tree, member.name + "." + suffix.str());
  point.marks = marks;
  return point;
}

std::string nestor::freshName(TreeNode &tree, const std::string &base) {
  unsigned member;
  std::string name = base;
  for (unsigned i = 2; findLoop(tree, name, member); ++i)
    name = base + std::to_string(i);
  return name;
}

void nestor::roundDown(Member &member, int64_t size) {
  for (AffineExpr &expr : member.exprs)
    expr = expr.floorDiv(size) * size;
}

static bool isPointBand(const TreeNode &node) {
  return node.kind == TreeNode::Kind::Band &&
         llvm::all_of(node.members,
                      [](const Member &m) { return m.marks.isPoint(); });
}

/// Inserts a band of `point`, whose expressions are over `all`, above `node`.
static void insertPoint(std::unique_ptr<TreeNode> &node, const Member &point,
                        ArrayRef<unsigned> all, unsigned group) {
  auto band = std::make_unique<TreeNode>();
  band->kind = TreeNode::Kind::Band;
  band->stmts = node->stmts;
  band->permutable = true;
  band->group = group;
  Member member = point;
  member.exprs.clear();
  for (unsigned stmt : node->stmts)
    member.exprs.push_back(point.exprs[llvm::find(all, stmt) - all.begin()]);
  band->members.push_back(std::move(member));
  band->children.push_back(std::move(node));
  node = std::move(band);
}

static void sinkInto(std::unique_ptr<TreeNode> &node, const Member &point,
                     ArrayRef<unsigned> all, unsigned group, bool beforePoints,
                     bool &checkNeeded, unsigned &copies) {
  bool stop = node->kind == TreeNode::Kind::Leaf ||
              (beforePoints && isPointBand(*node));
  if (stop) {
    Member copy = point;
    if (copies++)
      copy.name = point.name + "_" + std::to_string(copies);
    return insertPoint(node, copy, all, group);
  }
  if (node->kind != TreeNode::Kind::Band || !group || node->group != group)
    checkNeeded = true;
  for (auto &child : node->children)
    sinkInto(child, point, all, group, beforePoints, checkNeeded, copies);
}

void nestor::sinkPointLoop(TreeNode &tree, LoopPlace place, int64_t size,
                           const Member &point, bool beforePoints,
                           bool &checkNeeded) {
  TreeNode &band = *place.band;
  checkNeeded = !band.permutable;
  roundDown(place.get(), size);
  unsigned copies = 0;
  sinkInto(band.children[0], point, band.stmts, band.group, beforePoints,
           checkNeeded, copies);
}

LogicalResult nestor::commitMove(Candidate &candidate,
                                 std::unique_ptr<TreeNode> tree, Attribute step,
                                 bool check, std::string &reason) {
  if (check && failed(candidate.legality->analyse(*tree, reason)))
    return failure();
  if (check)
    walkTree(*tree, [&](TreeNode &node) {
      // A band that the check found permutable is a group of its own.
      if (node.kind == TreeNode::Kind::Band)
        node.group = node.permutable ? candidate.nextGroup++ : 0;
    });
  candidate.tree = std::move(tree);
  candidate.steps.push_back(step);
  return success();
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

FailureOr<Candidate> nestor::makeCandidate(Legality &legality,
                                           std::unique_ptr<TreeNode> tree,
                                           StringRef skeleton,
                                           std::string &reason) {
  Candidate candidate;
  candidate.scop = &legality.getScop();
  candidate.legality = &legality;
  candidate.skeleton = skeleton.str();
  if (failed(legality.analyse(*tree, reason)))
    return failure();
  walkTree(*tree, [&](TreeNode &node) {
    if (node.kind == TreeNode::Kind::Band)
      node.group = node.permutable ? candidate.nextGroup++ : 0;
  });
  candidate.tree = std::move(tree);
  return std::move(candidate);
}

LogicalResult nestor::applyStep(Candidate &candidate, Attribute step,
                                std::string &reason) {
  auto move = dyn_cast<ScheduleStepAttrInterface>(step);
  if (!move) {
    reason = "it is no step of a registered move";
    return failure();
  }
  return move.apply(candidate, reason);
}

void nestor::registerSteps(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, NestorDialect *) {
    attachInterchange(*ctx);
    attachReverse(*ctx);
    attachTile(*ctx);
    attachUnroll(*ctx);
    attachUnrollJam(*ctx);
    attachVectorize(*ctx);
    attachPromote(*ctx);
  });
}
