//===- Evaluator.cpp - Scores of candidates -------------------------------===//
//
// Search room; see Evaluator.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Search/Evaluator.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nestor;

namespace {
class ModelEvaluator : public Evaluator {
public:
  ModelEvaluator(const Candidate &source, CostModel &model,
                 const TargetDescriptor &target, bool tempered)
      : extractor(*source.scop), model(model), target(target),
        source(makeModelInput(extractor, source, target)), tempered(tempered) {}
  llvm::Error evaluate(ArrayRef<const Candidate *> candidates,
                       std::vector<double> &scores) override;

private:
  FeatureExtractor extractor;
  CostModel &model;
  const TargetDescriptor &target;
  ModelInput source;
  std::optional<double> sourceScore; ///< asked for with the first candidates
  bool tempered;
};
} // namespace

llvm::Error ModelEvaluator::evaluate(ArrayRef<const Candidate *> candidates,
                                     std::vector<double> &scores) {
  std::vector<ModelInput> inputs;
  for (const Candidate *candidate : candidates)
    inputs.push_back(makeModelInput(extractor, *candidate, target));
  std::vector<const ModelInput *> pointers;
  for (const ModelInput &input : inputs)
    pointers.push_back(&input);
  if (!sourceScore)
    pointers.push_back(&source);
  if (llvm::Error error = model.score(pointers, scores))
    return error;
  if (!sourceScore) {
    sourceScore = scores.back();
    scores.pop_back();
  }
  for (auto [score, input] : llvm::zip(scores, inputs)) {
    score -= *sourceScore;
    if (tempered)
      score =
          temper(score, getAnalyticalScore(input) - getAnalyticalScore(source));
    // Rounded, so that a last bit of floating point never decides.
    score = std::isfinite(score) ? std::round(score * 1e4) / 1e4 : -1e9;
  }
  return llvm::Error::success();
}

std::unique_ptr<Evaluator>
nestor::createModelEvaluator(const Candidate &source, CostModel &model,
                             const TargetDescriptor &target, bool tempered) {
  return std::make_unique<ModelEvaluator>(source, model, target, tempered);
}

ModelInput nestor::makeModelInput(const FeatureExtractor &extractor,
                                  const Candidate &candidate,
                                  const TargetDescriptor &target) {
  ModelInput input;
  input.features = extractor.extract(candidate);
  input.analytical = analyse(input.features, target).scaled();
  return input;
}
