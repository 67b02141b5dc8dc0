//===- Legality.h - Which schedule trees keep the program -------*- C++ -*-===//
//
// Schedule room. One object per scop holds its isl view; candidates share it.
// Not thread-safe: isl contexts belong to one thread.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_SCHEDULE_LEGALITY_H
#define NESTOR_SCHEDULE_LEGALITY_H

#include "nestor/Schedule/ScheduleTree.h"

namespace mlir::nestor {

class Polyhedral;

class Legality {
public:
  /// Null, with a reason for the user, if the dependences cannot be computed.
  static std::unique_ptr<Legality> create(const Scop &scop, bool reassociate,
                                          std::string &reason);
  ~Legality();

  /// Checks `tree` against every dependence. On success sets the permutable bit
  /// of every band and the coincident bit of every member to what is true; on
  /// failure `reason` says what is violated, or that it is unknown.
  LogicalResult analyse(TreeNode &tree, std::string &reason);

  /// True if some pair of statement instances runs in another order than in the
  /// source; none if there are too many pairs of statements to tell. Costs as
  /// much as an analysis; a pair that is too complex for isl counts as kept.
  std::optional<bool> reorders(const TreeNode &tree);

  Polyhedral &getPolyhedral() { return *poly; }
  const Scop &getScop() const { return scop; }

private:
  explicit Legality(const Scop &scop);
  struct Answers;
  bool check(unsigned dependence, TreeNode &tree);
  const Scop &scop;
  std::unique_ptr<Polyhedral> poly;
  /// Candidates of one scop have most paths in common: what was found of a
  /// dependence on two statements' paths holds wherever the paths are the same.
  std::unique_ptr<Answers> answers;
};

} // namespace mlir::nestor

#endif // NESTOR_SCHEDULE_LEGALITY_H
