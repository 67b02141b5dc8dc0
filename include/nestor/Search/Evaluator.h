//===- Evaluator.h - Scores of candidates -----------------------*- C++ -*-===//
//
// Search room: what a search asks. Behind it stands a feature model (learned or
// analytical); measured evaluation takes the same place.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_SEARCH_EVALUATOR_H
#define NESTOR_SEARCH_EVALUATOR_H

#include "nestor/Cost/CostModel.h"
#include "nestor/Schedule/ScheduleTree.h"

namespace mlir::nestor {

class Evaluator {
public:
  virtual ~Evaluator() = default;
  /// log(speedup) over the program as written, one score per candidate; all
  /// candidates belong to one scop.
  virtual llvm::Error evaluate(ArrayRef<const Candidate *> candidates,
                               std::vector<double> &scores) = 0;
};

/// Scores by a feature model. `source` is the program as written, whose score
/// is 0 by definition. The model must outlive the evaluator, the scop too.
///
/// With `tempered`, its scores are tempered by the analytical model's (see
/// `temper` in CostModel.h).
std::unique_ptr<Evaluator> createModelEvaluator(const Candidate &source,
                                                CostModel &model,
                                                const TargetDescriptor &target,
                                                bool tempered);

/// Features and analytical terms of a candidate, as models and datasets take
/// it.
ModelInput makeModelInput(const FeatureExtractor &extractor,
                          const Candidate &candidate,
                          const TargetDescriptor &target);

} // namespace mlir::nestor

#endif // NESTOR_SEARCH_EVALUATOR_H
