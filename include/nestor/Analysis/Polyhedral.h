//===- Polyhedral.h - Domains, accesses, dependences in isl -----*- C++ -*-===//
//
// Analysis room: the exact, polyhedral view of a Scop. isl types appear here
// and in the Schedule room only.
//
// Names in isl: statement k is S<k>[loops], array k is A<k>[subscripts],
// parameter k is p<k>. Loop values are the source's induction variables.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_ANALYSIS_POLYHEDRAL_H
#define NESTOR_ANALYSIS_POLYHEDRAL_H

#include "nestor/Analysis/Scop.h"

#include "isl/isl-noexceptions.h"

#include <climits>
#include <utility>

namespace mlir::nestor {

/// A dependence: instances of `source` that must run before those of `target`.
struct Dependence {
  enum class Kind { Flow, Anti, Output };
  unsigned source, target;
  Kind kind;
  unsigned array;
  isl::map map;
  /// Between instances of one reduction that may run in any order.
  bool relaxed = false;
};

/// isl objects of one scop, in a context of their own.
class Polyhedral {
public:
  /// Fails, with a reason for the user, when isl gives up (operation limit).
  static FailureOr<std::unique_ptr<Polyhedral>>
  build(const Scop &scop, bool reassociate, std::string &reason);
  ~Polyhedral();

  const Scop &scop;
  std::vector<isl::set> domains; ///< by statement
  isl::union_set domain;
  std::vector<isl::map> schedules; ///< the source order, one time space for all
  std::vector<Dependence> dependences;
  isl::union_map all; ///< every dependence
  isl::union_map
      ordered; ///< those that an order must respect (no relaxed ones)

  isl::ctx ctx() const { return isl::ctx(context); }
  /// `expr` over the dims of statement `stmt` and the parameters.
  isl::aff toAff(unsigned stmt, AffineExpr expr) const;
  /// `expr` over a given set space whose parameters are those of the scop.
  isl::aff toAff(isl::space space, AffineExpr expr) const;
  isl::set toSet(unsigned stmt, IntegerSet set) const;

  /// Dependences between an access and the last write before it, and between a
  /// write and the reads since the write before: all others follow by
  /// transitivity.
  /// Null if they are too complex for isl's scheduler.
  isl::union_map directDependences(bool withRelaxed) const;

  /// All reads, all writes, and the source order of all instances.
  void getAccesses(isl::union_map &reads, isl::union_map &writes,
                   isl::union_map &order) const;
  /// {[x -> cell] -> [y -> cell]}: instances x that access a cell as `from`
  /// says and run before instances y that access the same cell as `to` says.
  /// `order` as of getAccesses.
  static isl::union_map pairsInOrder(const isl::union_map &from,
                                     const isl::union_map &to,
                                     const isl::union_map &order);

  /// Restarts the operation budget before a query; a typical one takes a few
  /// thousand operations. The budget is smaller where subscripts have many
  /// divisions: each is one more integer unknown, and makes isl's operations
  /// slower by a factor that isl does not count. It is also smaller once the
  /// queries about this scop have spent what they may spend together, so that a
  /// search that asks hundreds of hard ones ends, while easy ones are answered
  /// as before.
  void resetBudget(unsigned long operations = ULONG_MAX) const;
  /// While it lives, budgets are halved `times` more: for questions about a
  /// schedule that may make isl's operations slower than the scop's own do.
  class Halved {
  public:
    Halved(const Polyhedral &poly, unsigned times)
        : poly(poly), before(std::exchange(poly.moreHalvings, times)) {}
    Halved(const Halved &) = delete;
    ~Halved() { poly.moreHalvings = before; }

  private:
    const Polyhedral &poly;
    unsigned before;
  };
  /// True if the budget ran out (or isl failed) since the last reset; clears
  /// it.
  bool exhausted() const;

  void print(raw_ostream &os) const;

private:
  explicit Polyhedral(const Scop &scop);
  bool buildDomains();
  bool buildSchedules(ArrayRef<SourceItem> items,
                      SmallVectorImpl<AffineExpr> &time,
                      SmallVectorImpl<SmallVector<AffineExpr>> &times);
  bool buildDependences(bool reassociate);
  /// Instances of a statement to the cells that one of its accesses touches.
  struct AccessRelation {
    const Access *access;
    isl::map map;
  };
  std::vector<AccessRelation> relationsOf(unsigned stmt) const;
  void addDependences(unsigned s, const AccessRelation &from, unsigned t,
                      const AccessRelation &to, isl::map before,
                      bool reassociate);
  bool uniteDependences();
  isl::map accessMap(unsigned stmt, const Access &access) const;
  unsigned long countOperations() const;

  isl_ctx *context;
  unsigned halvings = 0; ///< of every budget, for divisions of subscripts
  mutable unsigned moreHalvings = 0; ///< see Halved
  unsigned weight = 1;               ///< of an operation: more in deep nests
  mutable unsigned long allowance;   ///< operations that are left for this scop
};

} // namespace mlir::nestor

#endif // NESTOR_ANALYSIS_POLYHEDRAL_H
