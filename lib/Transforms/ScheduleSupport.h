//===- ScheduleSupport.h - What the scheduling passes share -----*- C++ -*-===//
//
// Private to the Transforms room.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_TRANSFORMS_SCHEDULESUPPORT_H
#define NESTOR_LIB_TRANSFORMS_SCHEDULESUPPORT_H

#include "nestor/Schedule/Rewrite.h"
#include "nestor/Schedule/Serialize.h"
#include "nestor/Search/Search.h"

namespace mlir::nestor {

/// Parses the value of the option `alias`; an unknown one is an error at `op`.
FailureOr<AliasMode> parseAliasMode(Operation *op, StringRef text);

/// What a search of one function needs, from the passes' options.
struct SearchSetup {
  std::string search, costModel, weights, target;
  SearchOptions options;
};

/// A search with its model, made once per function. Models are shared between
/// functions and threads.
class Scheduler {
public:
  /// Fails with an error at `op` for an unknown option value, or a target or
  /// model that cannot be loaded.
  static FailureOr<std::unique_ptr<Scheduler>> create(const SearchSetup &setup,
                                                      Operation *op);
  /// Searches one scop. Fails with a reason for the user if it must be left
  /// alone; an error of the model is emitted at the scop and sets
  /// `modelFailed`.
  FailureOr<SearchResult> run(Legality &legality, std::string &reason,
                              bool &modelFailed);

private:
  SearchSetup setup;
  TargetDescriptor target;
  std::shared_ptr<CostModel> model;
};

/// "L0, L1" style text of the moves of a candidate.
std::string describeSteps(const Candidate &candidate);

} // namespace mlir::nestor

#endif // NESTOR_LIB_TRANSFORMS_SCHEDULESUPPORT_H
