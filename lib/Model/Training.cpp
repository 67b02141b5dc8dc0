//===- Training.cpp - What both kinds of training share -------------------===//
//
// Model room: AdamW under a one-cycle learning rate that is set before every
// batch, clipped gradients, and early stopping on the validation part.
//
//===----------------------------------------------------------------------===//
#include "Training.h"
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace mlir::nestor;
using namespace mlir::nestor::modelabi;
using namespace mlir::nestor::model;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// The one cycle: where the learning rate is highest, and what part of that it
/// starts and ends with.
static constexpr double kWarmUp = 0.2, kFirstRate = 0.04, kLastRate = 0.002;
static constexpr double kWeightDecay = 0.01, kLargestGradient = 1.0;
/// How much of the moving average a step keeps.
static constexpr double kAverageKept = 0.98;
static constexpr double kReportSeconds = 10;

static double getSeconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

static std::string format(const char *pattern, double number) {
  char text[64];
  std::snprintf(text, sizeof(text), pattern, number);
  return text;
}

static std::string formatTime(double seconds) {
  if (seconds < 100)
    return format("%.0f s", seconds);
  return format("%.0f min", seconds / 60);
}

Training::Training(const TrainingRequest &request, const char *kind,
                   const ModelConfig &config)
    : request(request), config(config), kind(kind), lastReport(Clock::now()) {}

void Training::report(const std::string &line) const {
  if (request.progress)
    request.progress(request.context, line.c_str());
}

void Training::makeOptimizer() {
  using Group = torch::optim::OptimizerParamGroup;
  auto options = [&] {
    return std::make_unique<torch::optim::AdamWOptions>(
        torch::optim::AdamWOptions(request.learningRate)
            .weight_decay(kWeightDecay));
  };
  std::vector<Tensor> slow = getSlowParameters().first, fast;
  for (const Tensor &parameter : getModule().parameters())
    if (std::none_of(slow.begin(), slow.end(), [&](const Tensor &other) {
          return other.is_same(parameter);
        }))
      fast.push_back(parameter);
  std::vector<Group> groups;
  groups.emplace_back(fast, options());
  if (!slow.empty())
    groups.emplace_back(slow, options());
  optimizer = std::make_unique<torch::optim::AdamW>(
      groups, torch::optim::AdamWOptions(request.learningRate));
}

void Training::setLearningRate(double progress) {
  auto blend = [](double from, double to, double x) {
    return to + (from - to) * (1 + std::cos(M_PI * x)) / 2;
  };
  double part = progress < kWarmUp
                    ? blend(kFirstRate, 1, progress / kWarmUp)
                    : blend(1, kLastRate, (progress - kWarmUp) / (1 - kWarmUp));
  auto &groups = optimizer->param_groups();
  for (size_t i = 0; i < groups.size(); ++i) {
    double rate = request.learningRate * part;
    groups[i].options().set_lr(i == 0 ? rate
                                      : rate * getSlowParameters().second);
  }
}

void Training::updateAverage() {
  at::NoGradGuard noGrad;
  NamedTensors current = getTensors(getModule());
  // At first, the average of all steps so far.
  double keep = std::min(kAverageKept, double(steps) / double(steps + 1));
  ++steps;
  for (size_t i = 0; i < current.size(); ++i)
    average[i].second.lerp_(current[i].second, 1 - keep);
}

double Training::runEpoch() {
  uint64_t seed = request.seed * 1000003 + epoch;
  at::manual_seed(seed);
  std::mt19937_64 random(seed);
  std::vector<Indices> batches = makeBatches(random);
  getModule().train();
  startEpoch(epoch);
  double sum = 0;
  for (size_t i = 0; i < batches.size() && !isStopped(); ++i) {
    setLearningRate((epoch + double(i) / double(batches.size())) /
                    request.epochs);
    optimizer->zero_grad();
    Tensor loss = computeLoss(batches[i]);
    loss.backward();
    torch::nn::utils::clip_grad_norm_(getModule().parameters(),
                                      kLargestGradient);
    optimizer->step();
    updateAverage();
    sum += loss.item<double>();
    if (getSeconds(lastReport) > kReportSeconds)
      reportBatch(i + 1, batches.size());
  }
  return sum / double(std::max<size_t>(batches.size(), 1));
}

void Training::reportBatch(size_t done, size_t all) {
  report("epoch " + std::to_string(epoch + 1) + "/" +
         std::to_string(request.epochs) + ": batch " + std::to_string(done) +
         " of " + std::to_string(all));
  lastReport = Clock::now();
}

void Training::finishEpoch(double trainingLoss, double seconds) {
  getModule().eval();
  Validation validation;
  {
    at::NoGradGuard noGrad;
    NamedTensors current = cloneTensors(getTensors(getModule()));
    copyTensors(average, getTensors(getModule()));
    validation = validate();
    copyTensors(current, getTensors(getModule()));
  }
  if (!std::isfinite(validation.loss))
    throw std::runtime_error(
        "training diverged: try a lower --learning-rate, and look for labels "
        "that cannot be right");
  bool isBest = best.empty() || validation.loss < bestLoss;
  epochsWithoutGain = isBest ? 0 : epochsWithoutGain + 1;
  if (isBest) {
    best = cloneTensors(average);
    bestLoss = validation.loss;
    bestMetrics = validation.metrics;
  }
  ++epoch;
  report("epoch " + std::to_string(epoch) + "/" +
         std::to_string(request.epochs) +
         format(": training %.4f", trainingLoss) +
         format(", validation %.4f", validation.loss) + validation.text +
         (isBest ? ", best" : "") + format(", %.1f s", seconds) + ", at most " +
         formatTime(seconds * (request.epochs - epoch)) + " left");
  lastReport = Clock::now();
}

void Training::run() {
  at::set_num_threads(int(request.threads));
  makeOptimizer();
  average = cloneTensors(getTensors(getModule()));
  if (request.resume)
    loadCheckpoint();
  while (epoch < request.epochs && epochsWithoutGain <= request.patience &&
         !isStopped()) {
    auto start = Clock::now();
    double loss = runEpoch();
    if (isStopped())
      break;
    finishEpoch(loss, getSeconds(start));
    saveCheckpoint();
  }
  if (best.empty())
    throw std::runtime_error(
        "interrupted before the first epoch was done: nothing was written");
  copyTensors(best, getTensors(getModule()));
  writeResult();
  if (isStopped())
    report("interrupted: the best so far was written; go on with --resume");
  else if (request.checkpointPath)
    std::remove(request.checkpointPath);
}

std::string Training::describe() const {
  return Json{{"seed", request.seed},
              {"epochs", request.epochs},
              {"batch_size", request.batchSize},
              {"learning_rate", request.learningRate},
              {"ranking_weight", request.rankingWeight},
              {"frozen_share", request.frozenShare},
              {"encoder_rate", request.encoderRate},
              {"patience", request.patience},
              {"threads", request.threads}}
      .dump();
}

void Training::writeResult() {
  Json training = Json::parse(describe());
  training["epochs_run"] = epoch;
  training["interrupted"] = isStopped();
  WeightsFile weights;
  weights.kind = kind;
  weights.config = printConfig(config);
  weights.trainedOn = request.trainedOn ? request.trainedOn : "";
  weights.training = training.dump();
  weights.metrics = bestMetrics;
  storeTensors(getTensors(getResult()), "", weights);
  std::string error;
  if (!writeWeights(request.outputPath, weights, error))
    throw std::runtime_error(error);
}

//===----------------------------------------------------------------------===//
// Checkpoints
//===----------------------------------------------------------------------===//

/// Moments of AdamW by parameter; all steps are equal, or 0 for parameters that
/// have been frozen so far. Makes what does not exist yet.
NamedTensors Training::getOptimizerState() {
  using State = torch::optim::AdamWParamState;
  NamedTensors result;
  for (const auto &item : getModule().named_parameters()) {
    const Tensor &parameter = item.value();
    auto it = optimizer->state().find(parameter.unsafeGetTensorImpl());
    Tensor zeros = at::zeros_like(parameter);
    Tensor step = at::zeros({1});
    Tensor average = zeros, square = zeros;
    if (it != optimizer->state().end()) {
      auto &state = static_cast<State &>(*it->second);
      step = at::full({1}, double(state.step()));
      average = state.exp_avg();
      square = state.exp_avg_sq();
    }
    result.emplace_back("adam.step." + item.key(), step);
    result.emplace_back("adam.average." + item.key(), average);
    result.emplace_back("adam.square." + item.key(), square);
  }
  return result;
}

void Training::saveCheckpoint() {
  if (!request.checkpointPath)
    return;
  WeightsFile weights;
  weights.kind = "checkpoint";
  weights.config = printConfig(config);
  weights.training = Json{
      {"kind", kind},
      {"options", Json::parse(describe())},
      {"data_hash", request.dataHash},
      {"epoch", epoch},
      {"steps", steps},
      {"epochs_without_gain", epochsWithoutGain},
      {"best_loss",
       bestLoss}}.dump();
  weights.metrics = bestMetrics;
  storeTensors(getTensors(getModule()), "current.", weights);
  storeTensors(average, "average.", weights);
  storeTensors(best, "best.", weights);
  storeTensors(getOptimizerState(), "", weights);
  std::string error;
  if (!writeWeights(request.checkpointPath, weights, error))
    throw std::runtime_error(error);
}

void Training::loadCheckpoint() {
  using State = torch::optim::AdamWParamState;
  std::string path = request.checkpointPath ? request.checkpointPath : "";
  WeightsFile weights = openWeights(path, "checkpoint");
  Json header = Json::parse(weights.training);
  if (header.at("kind") != kind ||
      header.at("options") != Json::parse(describe()) ||
      header.at("data_hash") != request.dataHash ||
      weights.config != printConfig(config))
    throw std::runtime_error("checkpoint '" + path +
                             "' is of a training with other options or data: "
                             "give the same ones, or leave out --resume");
  epoch = header.at("epoch");
  steps = header.at("steps");
  epochsWithoutGain = header.at("epochs_without_gain");
  bestLoss = header.at("best_loss");
  bestMetrics = weights.metrics;
  best = cloneTensors(getTensors(getModule()));
  loadTensors(weights, path, "average.", average);
  loadTensors(weights, path, "best.", best);
  loadTensors(weights, path, "current.", getTensors(getModule()));
  NamedTensors moments = cloneTensors(getOptimizerState());
  loadTensors(weights, path, "", moments);
  size_t next = 0;
  for (const Tensor &parameter : getModule().parameters()) {
    auto state = std::make_unique<State>();
    state->step(moments[next].second.item<int64_t>());
    state->exp_avg(moments[next + 1].second);
    state->exp_avg_sq(moments[next + 2].second);
    next += 3;
    if (state->step() > 0)
      optimizer->state()[parameter.unsafeGetTensorImpl()] = std::move(state);
  }
  report("resumed after epoch " + std::to_string(epoch));
}
