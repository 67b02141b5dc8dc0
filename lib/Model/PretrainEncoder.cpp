//===- PretrainEncoder.cpp - Training without labels ----------------------===//
//
// Model room: the autoencoder over the distinct statements of all candidates.
//
//===----------------------------------------------------------------------===//
#include "Autoencoder.h"
#include "Learning.h"
#include "Training.h"
#include "nestor/Features/Features.h"
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <unordered_set>

using namespace mlir::nestor;
using namespace mlir::nestor::modelabi;
using namespace mlir::nestor::model;

/// Means and deviations are measured on at most so many statements.
static constexpr size_t kScalingStatements = 20000;
static constexpr size_t kValidationBatch = 512;

namespace {
/// The same for statements whose computation vectors are equal.
uint64_t hashStatement(const StatementView &s) {
  uint64_t hash = s.programKey;
  auto add = [&](const RowsView &rows, size_t width) {
    std::string_view bytes(reinterpret_cast<const char *>(rows.data),
                           rows.count * width * sizeof(float));
    hash = (hash ^ std::hash<std::string_view>()(bytes)) * 0x9e3779b97f4a7c15u;
  };
  add(s.loops, kLoopDim);
  add(s.accesses, kAccessDim);
  return hash;
}

class Pretraining : public Training {
public:
  Pretraining(const TrainingRequest &request, const ModelConfig &config)
      : Training(request, "encoder", config), autoencoder(config) {
    collect();
    if (parts[0].empty())
      throw std::runtime_error("the training part holds no statement: give "
                               "more programs");
    if (parts[1].empty()) {
      parts[1] = parts[0];
      report("no program fell into the validation part: the training part is "
             "used instead");
    }
    report(std::to_string(parts[0].size()) + " distinct statements to learn, " +
           std::to_string(parts[1].size()) + " to validate");
    fitScaling();
  }

protected:
  torch::nn::Module &getModule() override { return autoencoder; }
  torch::nn::Module &getResult() override { return autoencoder.getEncoder(); }

  std::vector<Indices> makeBatches(std::mt19937_64 &random) override {
    Indices order(parts[0].size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<Indices> batches;
    for (size_t i = 0; i < order.size(); i += request.batchSize)
      batches.emplace_back(order.begin() + i,
                           order.begin() +
                               std::min(order.size(), i + request.batchSize));
    return batches;
  }

  Tensor computeLoss(const Indices &batch) override {
    std::vector<const StatementView *> statements;
    for (size_t i : batch)
      statements.push_back(parts[0][i]);
    return autoencoder.loss(statements);
  }

  Validation validate() override {
    double sum = 0;
    const auto &all = parts[1];
    for (size_t i = 0; i < all.size(); i += kValidationBatch) {
      std::vector<const StatementView *> statements(
          all.begin() + i,
          all.begin() + std::min(all.size(), i + kValidationBatch));
      sum += autoencoder.loss(statements).item<double>() *
             double(statements.size());
    }
    double loss = sum / double(all.size());
    return {loss, "",
            "{\"reconstruction_loss\": " + std::to_string(loss) + "}"};
  }

private:
  void collect() {
    std::unordered_set<uint64_t> seen;
    for (size_t i = 0; i < request.numSamples; ++i) {
      const SampleView &sample = request.samples[i];
      for (uint32_t s = 0; s < sample.candidate.numStatements; ++s) {
        const StatementView &statement = sample.candidate.statements[s];
        if (seen.insert(hashStatement(statement)).second)
          parts[sample.part].push_back(&statement);
      }
    }
  }

  void fitScaling() {
    std::vector<const StatementView *> some = parts[0];
    std::mt19937_64 random(request.seed);
    std::shuffle(some.begin(), some.end(), random);
    some.resize(std::min(some.size(), kScalingStatements));
    StatementBatch batch = makeStatementBatch(some);
    at::NoGradGuard noGrad;
    autoencoder.getEncoder().fitScaling(makeProgramBatch(batch.programs),
                                        batch);
  }

  Autoencoder autoencoder;
  std::vector<const StatementView *> parts[2];
};
} // namespace

void model::pretrainEncoder(const TrainingRequest &request) {
  at::manual_seed(request.seed);
  ModelConfig config;
  config.hidden = request.hidden;
  config.embedding = request.embedding;
  config.dropout = request.dropout;
  Pretraining(request, config).run();
}
