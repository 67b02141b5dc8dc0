//===- Train.cpp - nestor-train pretrain and train ------------------------===//
#include "NestorTrain.h"
#include "nestor/Model/InputView.h"
#include "nestor/Model/LearnedModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <csignal>
#include <set>

using namespace mlir::nestor;
using namespace mlir::nestor::modelabi;

static volatile int stopRequested = 0;

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<std::vector<TrainingData>>
mlir::nestor::readAll(const std::vector<std::string> &paths) {
  if (paths.empty())
    return fail("no data: give a feature cache with '--features FILE'");
  std::vector<TrainingData> result;
  for (const std::string &path : paths) {
    auto data = readFeatureCache(path);
    if (!data)
      return data.takeError();
    result.push_back(std::move(*data));
  }
  return result;
}

namespace {
/// The samples of the training and validation parts, as the library reads them.
class SampleCollector {
public:
  explicit SampleCollector(const TrainingOptions &options) : options(options) {}

  void add(const TrainingData &data) {
    hashes += llvm::utohexstr(data.hash);
    targets.insert(data.header.targetName);
    for (const auto &[key, value] : data.header.provenance)
      provenance[key] = value;
    for (const TrainingProgram &program : data.programs)
      add(program, data.header.target.data());
  }

  void fill(TrainingRequest &request) const {
    request.samples = samples.data();
    request.numSamples = samples.size();
    request.dataHash = llvm::xxh3_64bits(
        hashes + "/" + std::to_string(options.limit) + "/" + options.encoder);
  }

  /// What the weights' header says about the data.
  std::string describe() const {
    llvm::json::Object origin;
    for (const auto &[key, value] : provenance)
      origin[key] = value;
    llvm::json::Array machines(targets);
    llvm::json::Object object{
        {"data_hash", llvm::utohexstr(llvm::xxh3_64bits(hashes))},
        {"programs", int64_t(counts[0].programs)},
        {"validation_programs", int64_t(counts[1].programs)},
        {options.isPretraining ? "candidates" : "labels",
         int64_t(counts[0].samples)},
        {options.isPretraining ? "validation_candidates" : "validation_labels",
         int64_t(counts[1].samples)},
        {"targets", std::move(machines)},
        {"provenance", std::move(origin)}};
    if (!options.encoder.empty())
      object["encoder"] = llvm::sys::path::filename(options.encoder);
    return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
  }

private:
  void add(const TrainingProgram &program, const float *target) {
    Split split = getSplit(program.id);
    uint8_t part = split == Split::Train ? 0 : 1;
    if (split == Split::Test ||
        (part == 0 && options.limit && counts[0].programs >= options.limit))
      return;
    size_t before = samples.size();
    for (const TrainingSample &sample : program.samples) {
      if (!options.isPretraining && std::isnan(sample.logSpeedup))
        continue;
      // The program as written comes first.
      samples.push_back({views.add(sample.input), target, nextProgram,
                         uint32_t(before), sample.logSpeedup, sample.spread,
                         part});
    }
    if (samples.size() == before)
      return;
    ++nextProgram;
    ++counts[part].programs;
    counts[part].samples += samples.size() - before;
  }

  const TrainingOptions &options;
  InputViews views;
  std::vector<SampleView> samples;
  std::set<std::string> targets;
  std::map<std::string, std::string> provenance;
  std::string hashes;
  uint32_t nextProgram = 0;
  struct {
    size_t programs = 0, samples = 0;
  } counts[2];
};
} // namespace

static void printLine(void *, const char *line) {
  llvm::errs() << line << "\n";
}

/// The first interrupt asks training to end, the second one ends the process.
static void onInterrupt(int) {
  stopRequested = 1;
  std::signal(SIGINT, SIG_DFL);
}

llvm::Error mlir::nestor::runTraining(const TrainingOptions &options) {
  auto data = readAll(options.features);
  if (!data)
    return data.takeError();
  auto library = openModelLibrary();
  if (!library)
    return library.takeError();
  SampleCollector collector(options);
  for (const TrainingData &one : *data)
    collector.add(one);
  std::string trainedOn = collector.describe();

  TrainingRequest request = options.request;
  collector.fill(request);
  request.outputPath = options.output.c_str();
  request.encoderPath =
      options.encoder.empty() ? nullptr : options.encoder.c_str();
  request.checkpointPath = options.checkpoint.c_str();
  request.trainedOn = trainedOn.c_str();
  request.stop = &stopRequested;
  request.progress = printLine;
  std::signal(SIGINT, onInterrupt);
  ErrorText text;
  bool done = options.isPretraining ? (*library)->pretrain(request, text)
                                    : (*library)->train(request, text);
  if (!done)
    return fail(text.text);
  llvm::errs() << "wrote " << options.output << "\n";
  return llvm::Error::success();
}
