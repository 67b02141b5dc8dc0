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
      : extractor(*source.scop), model(model), target(target) {
    base = analyse(extractor.extract(source), target).scaled();
    if (tempered)
      analytical = createAnalyticalModel(target);
  }
  llvm::Error evaluate(ArrayRef<const Candidate *> candidates,
                       std::vector<double> &scores) override;

private:
  llvm::Error temperAll(const std::vector<const ModelInput *> &inputs,
                        std::vector<double> &scores);

  FeatureExtractor extractor;
  CostModel &model;
  std::unique_ptr<CostModel> analytical; ///< null: the model's word is final
  const TargetDescriptor &target;
  std::array<float, kAnalyticalDim> base;
};
} // namespace

llvm::Error
ModelEvaluator::temperAll(const std::vector<const ModelInput *> &inputs,
                          std::vector<double> &scores) {
  std::vector<double> others;
  if (llvm::Error error = analytical->score(inputs, others))
    return error;
  for (auto [score, other] : llvm::zip(scores, others))
    score = nestor::temper(score, other);
  return llvm::Error::success();
}

llvm::Error ModelEvaluator::evaluate(ArrayRef<const Candidate *> candidates,
                                     std::vector<double> &scores) {
  std::vector<ModelInput> inputs(candidates.size());
  std::vector<const ModelInput *> pointers;
  for (auto [input, candidate] : llvm::zip(inputs, candidates)) {
    input.features = extractor.extract(*candidate);
    input.analytical = analyse(input.features, target).scaled();
    input.analyticalBase = base;
    pointers.push_back(&input);
  }
  if (llvm::Error error = model.score(pointers, scores))
    return error;
  if (analytical)
    if (llvm::Error error = temperAll(pointers, scores))
      return error;
  // Rounded, so that a last bit of floating point never decides.
  for (double &score : scores)
    score = std::isfinite(score) ? std::round(score * 1e4) / 1e4 : -1e9;
  return llvm::Error::success();
}

std::unique_ptr<Evaluator>
nestor::createModelEvaluator(const Candidate &source, CostModel &model,
                             const TargetDescriptor &target, bool tempered) {
  return std::make_unique<ModelEvaluator>(source, model, target, tempered);
}

ModelInput nestor::makeModelInput(const FeatureExtractor &extractor,
                                  const Candidate &candidate,
                                  const Candidate &source,
                                  const TargetDescriptor &target) {
  ModelInput input;
  input.features = extractor.extract(candidate);
  input.analytical = analyse(input.features, target).scaled();
  input.analyticalBase = analyse(extractor.extract(source), target).scaled();
  return input;
}
