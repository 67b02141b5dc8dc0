//===- TrainModel.cpp - Training on labels --------------------------------===//
//
// Model room: the recursive model learns log(speedup) (Huber) and, within a
// program, which of two candidates is faster: a search needs the ranking. A
// speedup is the difference of two predictions, of the program as written and
// of the candidate, so whatever a model adds to both is not learned. An
// encoder that was pre-trained is frozen first and tuned gently afterwards.
//
//===----------------------------------------------------------------------===//
#include "Learning.h"
#include "RecursiveModel.h"
#include "Training.h"
#include "nestor/Features/Features.h"
#include "nestor/Model/Metrics.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

using namespace mlir::nestor;
using namespace mlir::nestor::modelabi;
using namespace mlir::nestor::model;

/// Candidates of one program that share a batch, at most.
static constexpr size_t kGroupSize = 16;
static constexpr size_t kValidationBatch = 512;
/// Means and deviations are measured on at most so many candidates.
static constexpr size_t kScalingCandidates = 10000;
/// In log(speedup): where Huber's loss becomes linear, how far apart two labels
/// must be at least to be ranked, from where on a pair counts fully, and the
/// spread that halves a label's weight.
static constexpr double kHuberDelta = 0.5, kLeastGap = 0.02, kFullGap = 0.5,
                        kHalvingSpread = 0.1;

namespace {
/// Labels of a batch.
struct Labels {
  Tensor logSpeedup, spread, program; ///< [B]
};

class ModelTraining : public Training {
public:
  ModelTraining(const TrainingRequest &request, const ModelConfig &config,
                const WeightsFile *pretrained)
      : Training(request, "cost-model", config), model(config),
        isPretrained(pretrained) {
    for (size_t i = 0; i < request.numSamples; ++i)
      parts[request.samples[i].part].push_back(i);
    if (parts[0].empty())
      throw std::runtime_error(
          "the training part holds no label: give more programs");
    if (parts[1].empty()) {
      parts[1] = parts[0];
      report("no program fell into the validation part: the training part is "
             "used instead");
    }
    report(std::to_string(parts[0].size()) + " labels to learn, " +
           std::to_string(parts[1].size()) + " to validate");
    fitScaling();
    if (pretrained)
      loadTensors(*pretrained, request.encoderPath, "",
                  getTensors(model.getEncoder()));
  }

protected:
  torch::nn::Module &getModule() override { return model; }
  torch::nn::Module &getResult() override { return model; }

  std::pair<std::vector<Tensor>, double> getSlowParameters() override {
    if (!isPretrained)
      return {};
    return {model.getEncoder().parameters(), request.encoderRate};
  }

  void startEpoch(uint32_t epoch) override {
    isFrozen = isPretrained && epoch < request.frozenShare * request.epochs;
    for (const Tensor &parameter : model.getEncoder().parameters())
      const_cast<Tensor &>(parameter).set_requires_grad(!isFrozen);
    if (isFrozen)
      model.getEncoder().eval();
  }

  std::vector<Indices> makeBatches(std::mt19937_64 &random) override;
  Tensor computeLoss(const Indices &batch) override {
    Labels labels = getLabels(batch);
    return computeLoss(predict(batch), labels);
  }
  Validation validate() override;

private:
  void fitScaling();
  CandidateBatch makeBatch(const Indices &batch) const;
  Tensor getTargets(const Indices &batch) const;
  Labels getLabels(const Indices &batch) const;
  /// [B]: log(speedup) over the program as written.
  Tensor predict(const Indices &batch);
  Tensor computeLoss(const Tensor &predicted, const Labels &labels) const;

  RecursiveModel model;
  bool isPretrained, isFrozen = false;
  Indices parts[2];
};
} // namespace

/// Groups of candidates of one program, shuffled into batches; the program as
/// written, over which speedups are, is in each.
std::vector<Indices> ModelTraining::makeBatches(std::mt19937_64 &random) {
  std::map<uint32_t, Indices> programs;
  for (size_t i : parts[0])
    if (i != request.samples[i].base)
      programs[request.samples[i].program].push_back(i);
  std::vector<Indices> groups;
  for (auto &[program, samples] : programs) {
    std::shuffle(samples.begin(), samples.end(), random);
    // Of equal size: a small rest has few pairs.
    size_t count = (samples.size() + kGroupSize - 1) / kGroupSize;
    for (size_t g = 0; g < count; ++g) {
      groups.emplace_back(samples.begin() + samples.size() * g / count,
                          samples.begin() + samples.size() * (g + 1) / count);
      groups.back().push_back(request.samples[samples.front()].base);
    }
  }
  std::shuffle(groups.begin(), groups.end(), random);
  std::vector<Indices> batches(1);
  for (const Indices &group : groups) {
    if (batches.back().size() + group.size() > request.batchSize &&
        !batches.back().empty())
      batches.emplace_back();
    batches.back().insert(batches.back().end(), group.begin(), group.end());
  }
  return batches;
}

CandidateBatch ModelTraining::makeBatch(const Indices &batch) const {
  std::vector<const CandidateView *> candidates;
  for (size_t i : batch)
    candidates.push_back(&request.samples[i].candidate);
  return makeCandidateBatch(candidates);
}

Tensor ModelTraining::getTargets(const Indices &batch) const {
  Tensor targets = at::empty({int64_t(batch.size()), kTargetDim}, at::kFloat);
  float *out = targets.data_ptr<float>();
  for (size_t i : batch)
    out = std::copy_n(request.samples[i].target, kTargetDim, out);
  return targets;
}

Labels ModelTraining::getLabels(const Indices &batch) const {
  Labels labels;
  int64_t size = batch.size();
  labels.logSpeedup = at::empty({size}, at::kFloat);
  labels.spread = at::empty({size}, at::kFloat);
  labels.program = at::empty({size}, at::kLong);
  for (int64_t i = 0; i < size; ++i) {
    const SampleView &sample = request.samples[batch[i]];
    labels.logSpeedup.data_ptr<float>()[i] = sample.logSpeedup;
    labels.spread.data_ptr<float>()[i] = sample.spread;
    labels.program.data_ptr<int64_t>()[i] = sample.program;
  }
  return labels;
}

void ModelTraining::fitScaling() {
  Indices some = parts[0];
  std::mt19937_64 random(request.seed);
  std::shuffle(some.begin(), some.end(), random);
  some.resize(std::min(some.size(), kScalingCandidates));
  CandidateBatch batch = makeBatch(some);
  at::NoGradGuard noGrad;
  model.fitScaling(batch, getTargets(some));
  model.getEncoder().fitScaling(makeProgramBatch(batch.statements.programs),
                                batch.statements);
}

Tensor ModelTraining::predict(const Indices &indices) {
  // Behind the samples follow the bases that are not among them.
  Indices all = indices;
  std::unordered_map<size_t, int64_t> rowOf;
  for (size_t row = 0; row < indices.size(); ++row)
    rowOf.emplace(indices[row], row);
  std::vector<int64_t> baseRows;
  for (size_t i : indices) {
    auto [it, isNew] = rowOf.emplace(request.samples[i].base, all.size());
    if (isNew)
      all.push_back(request.samples[i].base);
    baseRows.push_back(it->second);
  }
  CandidateBatch batch = makeBatch(all);
  Tensor embedded;
  {
    // A frozen encoder needs no gradients, not even of its activations.
    at::AutoGradMode mode(at::GradMode::is_enabled() && !isFrozen);
    embedded = model.getEncoder().forward(batch.statements);
  }
  Tensor scores =
      model.predict(batch, model.fold(batch, embedded), getTargets(all));
  return scores.narrow(0, 0, indices.size()) -
         scores.index_select(0, makeIndex(baseRows));
}

/// Mean over the pairs of one program whose labels certainly differ of
/// softplus(-difference of the predictions in the right direction).
static Tensor computeRankingLoss(const Tensor &predicted,
                                 const Labels &labels) {
  auto differences = [](const Tensor &x) {
    return x.unsqueeze(1) - x.unsqueeze(0);
  };
  Tensor gap = differences(labels.logSpeedup);
  Tensor noise = labels.spread.unsqueeze(1) + labels.spread.unsqueeze(0);
  Tensor counts = (gap > at::clamp_min(noise, kLeastGap)) &
                  (differences(labels.program) == 0);
  Tensor weight = (gap / kFullGap).clamp_max(1) * counts;
  Tensor loss = at::softplus(-differences(predicted));
  return (loss * weight).sum() / weight.sum().clamp_min(1);
}

Tensor ModelTraining::computeLoss(const Tensor &predicted,
                                  const Labels &labels) const {
  Tensor trust = 1 / (1 + labels.spread / kHalvingSpread);
  Tensor regression = at::huber_loss(predicted, labels.logSpeedup,
                                     at::Reduction::None, kHuberDelta);
  return (regression * trust).sum() / trust.sum() +
         request.rankingWeight * computeRankingLoss(predicted, labels);
}

Validation ModelTraining::validate() {
  // Samples of one program follow one another, so most pairs share a batch.
  const Indices &all = parts[1];
  std::map<uint32_t, ProgramScores> programs;
  double sum = 0;
  for (size_t begin = 0; begin < all.size(); begin += kValidationBatch) {
    Indices batch(all.begin() + begin,
                  all.begin() + std::min(all.size(), begin + kValidationBatch));
    Tensor predicted = predict(batch);
    sum += computeLoss(predicted, getLabels(batch)).item<double>() *
           double(batch.size());
    for (size_t i = 0; i < batch.size(); ++i) {
      const SampleView &sample = request.samples[batch[i]];
      ProgramScores &scores = programs[sample.program];
      scores.predicted.push_back(predicted.data_ptr<float>()[i]);
      scores.measured.push_back(sample.logSpeedup);
    }
  }
  double loss = sum / double(all.size());
  if (!std::isfinite(loss)) // nothing to rank by
    return {loss, "", ""};
  std::vector<ProgramScores> list;
  for (auto &[program, scores] : programs)
    list.push_back(std::move(scores));
  Evaluation result = evaluate(list);
  char text[128];
  std::snprintf(text, sizeof(text),
                " (mape %.1f %%, spearman %.3f, ndcg@1 %.3f)",
                100 * result.mape, result.spearman, result.ndcgAt1);
  nlohmann::ordered_json metrics{{"loss", loss},
                                 {"programs", result.programs},
                                 {"labels", result.labels},
                                 {"mape", result.mape},
                                 {"spearman", result.spearman},
                                 {"ndcg_at_1", result.ndcgAt1}};
  return {loss, text, metrics.dump()};
}

void model::trainModel(const TrainingRequest &request) {
  at::manual_seed(request.seed);
  ModelConfig config;
  config.hidden = request.hidden;
  config.embedding = request.embedding;
  WeightsFile pretrained;
  if (request.encoderPath) {
    pretrained = openWeights(request.encoderPath, "encoder");
    config = parseConfig(pretrained.config, request.encoderPath);
  }
  config.dropout = request.dropout;
  ModelTraining(request, config, request.encoderPath ? &pretrained : nullptr)
      .run();
}
