//===- Evaluate.cpp - nestor-train eval -----------------------------------===//
//
// Learned models beside what they must beat: the analytical model and "every
// candidate is as fast as the program was".
//
//===----------------------------------------------------------------------===//
#include "NestorTrain.h"
#include "nestor/Model/InputView.h"
#include "nestor/Model/LearnedModel.h"
#include "nestor/Model/Metrics.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <cmath>

using namespace mlir::nestor;

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

namespace {
/// The labelled candidates of one program, the program as written first.
struct LabelledProgram {
  std::vector<const ModelInput *> inputs;
  std::vector<double> measured;
};

struct ModelResult {
  std::string name;
  Evaluation evaluation;
};
} // namespace

/// Name of this machine's CPU for people.
static std::string getCpuName() {
  if (auto info = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo")) {
    auto [before, after] = (*info)->getBuffer().split("model name");
    llvm::StringRef name = after.split('\n').first.split(':').second.trim();
    if (!name.empty())
      return (name + " (" + llvm::sys::getHostCPUName() + ")").str();
  }
  return llvm::sys::getHostCPUName().str();
}

static llvm::Expected<std::optional<Split>> parseSplit(llvm::StringRef text) {
  if (text == "train")
    return Split::Train;
  if (text == "validation")
    return Split::Validation;
  if (text == "test")
    return Split::Test;
  if (text == "all")
    return std::nullopt;
  return fail("--split must be train, validation, test or all, not '" + text +
              "'");
}

static std::vector<LabelledProgram>
selectPrograms(const std::vector<TrainingData> &data,
               std::optional<Split> split) {
  std::vector<LabelledProgram> result;
  for (const TrainingData &one : data)
    for (const TrainingProgram &program : one.programs) {
      if (split && getSplit(program.id) != *split)
        continue;
      LabelledProgram labelled;
      for (const TrainingSample &sample : program.samples)
        if (!std::isnan(sample.logSpeedup)) {
          labelled.inputs.push_back(&sample.input);
          labelled.measured.push_back(sample.logSpeedup);
        }
      if (!labelled.inputs.empty())
        result.push_back(std::move(labelled));
    }
  return result;
}

/// Predicts each program by `predict` (inputs, scores to fill).
template <typename Function>
static llvm::Error evaluateModel(const std::string &name,
                                 const std::vector<LabelledProgram> &programs,
                                 const Function &predict,
                                 std::vector<ModelResult> &results) {
  std::vector<ProgramScores> scores;
  for (const LabelledProgram &program : programs) {
    scores.push_back({{}, program.measured});
    if (auto error = predict(program.inputs, scores.back().predicted))
      return error;
  }
  results.push_back({name, evaluate(scores)});
  return llvm::Error::success();
}

/// Scores of one program's inputs as log(speedup) over the first, the program
/// as written.
static void makeRelative(std::vector<double> &scores) {
  double base = scores.front();
  for (double &score : scores)
    score -= base;
}

static void predictAnalytical(const std::vector<const ModelInput *> &inputs,
                              std::vector<double> &scores) {
  for (const ModelInput *input : inputs)
    scores.push_back(getAnalyticalScore(*input));
  makeRelative(scores);
}

static llvm::Error evaluateLearned(const std::string &path,
                                   llvm::ArrayRef<float> target,
                                   const std::vector<LabelledProgram> &programs,
                                   std::vector<ModelResult> &results) {
  auto model = loadLearnedModel(path, target);
  if (!model)
    return model.takeError();
  std::string file = path.empty() ? getDefaultWeightsPath() : path;
  auto learned = [&](const std::vector<const ModelInput *> &inputs,
                     std::vector<double> &scores) -> llvm::Error {
    if (auto error = (*model)->score(inputs, scores))
      return error;
    makeRelative(scores);
    return llvm::Error::success();
  };
  if (auto error =
          evaluateModel("learned: " + file, programs, learned, results))
    return error;
  // What the pass's search ranks by.
  return evaluateModel(
      "  tempered by the analytical model", programs,
      [&](const std::vector<const ModelInput *> &inputs,
          std::vector<double> &scores) -> llvm::Error {
        if (auto error = learned(inputs, scores))
          return error;
        std::vector<double> analytical;
        predictAnalytical(inputs, analytical);
        for (auto [score, other] : llvm::zip(scores, analytical))
          score = temper(score, other);
        return llvm::Error::success();
      },
      results);
}

static llvm::Error
evaluateBaselines(const std::vector<LabelledProgram> &programs,
                  std::vector<ModelResult> &results) {
  auto error = evaluateModel(
      "analytical", programs,
      [](const std::vector<const ModelInput *> &inputs,
         std::vector<double> &scores) {
        predictAnalytical(inputs, scores);
        return llvm::Error::success();
      },
      results);
  if (error)
    return error;
  return evaluateModel(
      "always 1", programs,
      [](const std::vector<const ModelInput *> &inputs,
         std::vector<double> &scores) {
        scores.assign(inputs.size(), 0);
        return llvm::Error::success();
      },
      results);
}

static void printTable(const std::vector<ModelResult> &results,
                       llvm::StringRef split, llvm::StringRef target) {
  const Evaluation &any = results.front().evaluation;
  llvm::outs() << "split: " << split << ", " << any.programs << " programs, "
               << any.labels << " labels\n"
               << "labels measured on: " << target << "\n"
               << "evaluated on: " << getCpuName() << "\n";
  llvm::outs() << "    mape   spearman   ndcg@1   model\n";
  for (const ModelResult &result : results)
    llvm::outs() << llvm::format("%6.1f %%   %8.3f   %6.3f   ",
                                 100 * result.evaluation.mape,
                                 result.evaluation.spearman,
                                 result.evaluation.ndcgAt1)
                 << result.name << "\n";
}

static void printJson(const std::vector<ModelResult> &results,
                      llvm::StringRef split, llvm::StringRef target) {
  llvm::json::Array models;
  for (const ModelResult &result : results)
    models.push_back(
        llvm::json::Object{{"model", result.name},
                           {"mape", result.evaluation.mape},
                           {"spearman", result.evaluation.spearman},
                           {"ndcg_at_1", result.evaluation.ndcgAt1}});
  const Evaluation &any = results.front().evaluation;
  llvm::json::Object object{{"split", split},
                            {"programs", int64_t(any.programs)},
                            {"labels", int64_t(any.labels)},
                            {"target", target},
                            {"cpu", getCpuName()},
                            {"models", std::move(models)}};
  llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(std::move(object)))
               << "\n";
}

llvm::Error mlir::nestor::runEvaluation(const EvaluationOptions &options) {
  auto split = parseSplit(options.split);
  if (!split)
    return split.takeError();
  auto data = readAll(options.features);
  if (!data)
    return data.takeError();
  const FeatureCacheHeader &header = data->front().header;
  for (const TrainingData &one : *data)
    if (one.header.targetName != header.targetName ||
        one.header.target != header.target)
      return fail("the labels are from different machines ('" +
                  header.targetName + "' and '" + one.header.targetName +
                  "'): evaluate one machine at a time");
  std::vector<LabelledProgram> programs = selectPrograms(*data, *split);
  if (programs.empty())
    return fail("no label falls into the split '" + options.split +
                "': give more programs, or another --split");
  std::vector<ModelResult> results;
  std::vector<std::string> files{options.weights};
  files.insert(files.end(), options.compared.begin(), options.compared.end());
  for (const std::string &file : files)
    if (auto error = evaluateLearned(file, header.target, programs, results))
      return error;
  if (auto error = evaluateBaselines(programs, results))
    return error;
  (options.json ? printJson : printTable)(results, options.split,
                                          header.targetName);
  return llvm::Error::success();
}
