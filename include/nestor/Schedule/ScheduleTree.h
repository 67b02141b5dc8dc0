//===- ScheduleTree.h - The schedule of a scop as a tree --------*- C++ -*-===//
//
// Schedule room. The tree is the candidate's state: searched, scored (by the
// Features room), printed as #nestor.schedule and turned into IR once. It holds
// no isl type; the conversion to isl is in the Schedule room's sources.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_SCHEDULE_SCHEDULETREE_H
#define NESTOR_SCHEDULE_SCHEDULETREE_H

#include "nestor/Analysis/Scop.h"
#include "nestor/Dialect/Nestor.h"

namespace mlir::nestor {

/// How the loop of a band member is generated (see #nestor.mark).
struct Marks {
  bool unroll = false;
  bool promote = false;
  int64_t vectorWidth = 0; ///< 0: no vector
  int64_t block = 0;       ///< unroll, vector: iterations of a full tile
  bool isPoint() const { return unroll || vectorWidth; }
};

/// One loop of a band.
struct Member {
  std::string name;
  /// One expression per statement of the band: dims are the statement's source
  /// loops, symbols the scop's parameters.
  SmallVector<AffineExpr> exprs;
  bool coincident = false;
  Marks marks;
};

/// A node: a band, a sequence whose children are filters, a filter, or a leaf.
struct TreeNode {
  enum class Kind { Leaf, Band, Sequence, Filter };
  Kind kind = Kind::Leaf;
  SmallVector<unsigned> stmts; ///< statements that reach this node, rising
  // Band:
  SmallVector<Member> members;
  bool permutable = false;
  /// Bands with the same group were split from one permutable band: every order
  /// of all their loops is legal. 0: none. Not part of the attribute.
  unsigned group = 0;
  // Filter: one list of sets per statement, or empty for "all instances".
  SmallVector<SmallVector<IntegerSet>> domains;
  /// One child for bands and filters, any number for sequences, none for
  /// leaves.
  std::vector<std::unique_ptr<TreeNode>> children;

  std::unique_ptr<TreeNode> clone() const;
  static std::unique_ptr<TreeNode> leaf(ArrayRef<unsigned> stmts);
};

/// Position of statement `stmt`'s loops in a tree, outermost first: every band
/// member on the way to its leaf, and the statement's place in that band.
struct LoopRef {
  const TreeNode *band;
  unsigned member;
  unsigned place; ///< index of the statement in band->stmts
  const Member &get() const { return band->members[member]; }
  AffineExpr expr() const { return get().exprs[place]; }
};
SmallVector<LoopRef> loopsOf(const TreeNode &root, unsigned stmt);

/// A candidate schedule: the scop (statement table), a tree, and how the tree
/// was found. The array table is empty until a step that adds arrays exists.
struct Candidate {
  const Scop *scop = nullptr;
  class Legality *legality = nullptr; ///< shared, of the scop; see Legality.h
  std::unique_ptr<TreeNode> tree;
  SmallVector<Attribute> steps; ///< moves since the skeleton
  std::string skeleton;         ///< "source", "distributed", "isl-max-fuse" ...

  unsigned nextGroup = 1;

  Candidate() = default;
  Candidate(Candidate &&) = default;
  Candidate &operator=(Candidate &&) = default;
  Candidate clone() const;
};

/// The tree of the program as written: loops are named L0, L1 ... in preorder
/// of the source; directly nested loops share a band.
std::unique_ptr<TreeNode> buildSourceTree(const Scop &scop);

/// Tree to attribute and back. `readTree` fails (with an error at `emitError`)
/// when the tree does not fit the scop: statement count, dims, symbols.
Attribute writeTree(const TreeNode &tree, const Scop &scop);
FailureOr<std::unique_ptr<TreeNode>>
readTree(Attribute tree, const Scop &scop,
         function_ref<InFlightDiagnostic()> emitError);

/// Calls `fn` on every node, parents first.
void walkTree(TreeNode &root, function_ref<void(TreeNode &)> fn);

/// The statements of a band, as maps and rows need them: number of source loops
/// of statement `stmt` and of parameters.
AffineMap memberMap(const Scop &scop, unsigned stmt, AffineExpr expr);

/// Finds a loop by name: the band and the member's index; null if absent.
TreeNode *findLoop(TreeNode &root, StringRef name, unsigned &member);

} // namespace mlir::nestor

#endif // NESTOR_SCHEDULE_SCHEDULETREE_H
