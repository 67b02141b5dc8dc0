//===- Training.h - What both kinds of training share -----------*- C++ -*-===//
//
// Model room: epochs, learning rate, gradient steps, the best state so far,
// checkpoints and progress. Deterministic for a seed and a number of threads:
// all randomness of an epoch follows from its number, so training may be
// interrupted and resumed at any epoch's end with the same result.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_MODEL_TRAINING_H
#define NESTOR_LIB_MODEL_TRAINING_H

#include "ModuleState.h"
#include "nestor/Model/ModelABI.h"
#include <chrono>
#include <random>

namespace mlir::nestor::model {

/// Numbers of samples.
using Indices = std::vector<size_t>;

/// How a state does on the validation part.
struct Validation {
  double loss = 0;
  std::string text;    ///< for people
  std::string metrics; ///< JSON object
};

class Training {
public:
  Training(const modelabi::TrainingRequest &request, const char *kind,
           const ModelConfig &config);
  virtual ~Training() = default;
  /// Trains and writes the result.
  void run();

protected:
  virtual torch::nn::Module &getModule() = 0;
  /// The part of the module that is written.
  virtual torch::nn::Module &getResult() = 0;
  /// Parameters that learn at a share of the learning rate.
  virtual std::pair<std::vector<Tensor>, double> getSlowParameters() {
    return {};
  }
  virtual void startEpoch(uint32_t epoch) {}
  virtual std::vector<Indices> makeBatches(std::mt19937_64 &random) = 0;
  virtual Tensor computeLoss(const Indices &batch) = 0;
  virtual Validation validate() = 0;

  void report(const std::string &line) const;
  bool isStopped() const { return request.stop && *request.stop; }

  const modelabi::TrainingRequest &request;
  ModelConfig config;

private:
  void makeOptimizer();
  void updateAverage();
  void setLearningRate(double progress);
  /// Mean loss of the batches; not all of them when stopped.
  double runEpoch();
  void finishEpoch(double trainingLoss, double seconds);
  void reportBatch(size_t done, size_t all);
  void saveCheckpoint();
  void loadCheckpoint();
  NamedTensors getOptimizerState();
  std::string describe() const;
  void writeResult();

  const char *kind;
  std::unique_ptr<torch::optim::AdamW> optimizer;
  /// Moving average of the parameters over the steps: what is validated and
  /// kept, since single steps are noisy.
  NamedTensors average;
  int64_t steps = 0;
  NamedTensors best;
  std::string bestMetrics = "{}";
  double bestLoss = 0;
  uint32_t epoch = 0; ///< epochs done
  uint32_t epochsWithoutGain = 0;
  std::chrono::steady_clock::time_point lastReport;
};

} // namespace mlir::nestor::model

#endif // NESTOR_LIB_MODEL_TRAINING_H
