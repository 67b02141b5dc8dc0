//===- Scheduler.cpp - A search with its model, for the passes ------------===//
//
// Transforms room: connects targets, cost models and search.
//
//===----------------------------------------------------------------------===//
#include "ScheduleSupport.h"
#include "nestor/Model/LearnedModel.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include <mutex>

using namespace mlir;
using namespace mlir::nestor;

/// The name of the default target that this machine can run.
static std::string nativeTarget() {
  return llvm::sys::getHostCPUFeatures().lookup("avx512f") ? "generic-avx512"
                                                           : "generic-avx2";
}

/// Loading weights takes a while: one model per weights file and target in a
/// process.
static llvm::Expected<std::shared_ptr<CostModel>>
sharedModel(const SearchSetup &setup, const TargetDescriptor &target) {
  static std::mutex mutex;
  static llvm::StringMap<std::shared_ptr<CostModel>> models;
  std::lock_guard<std::mutex> lock(mutex);
  if (setup.costModel == "analytical")
    return std::shared_ptr<CostModel>(createAnalyticalModel(target));
  auto &model = models[setup.weights + '\n' + printTarget(target)];
  if (!model) {
    auto loaded = loadLearnedModel(setup.weights, target);
    if (!loaded)
      return loaded.takeError();
    model = std::move(*loaded);
  }
  return model;
}

FailureOr<std::unique_ptr<Scheduler>>
Scheduler::create(const SearchSetup &setup, Operation *op) {
  auto unknown = [&](StringRef option, StringRef value, StringRef expected) {
    op->emitError() << "unknown value '" << value << "' of option '" << option
                    << "': expected " << expected;
    return failure();
  };
  if (setup.search != "beam" && setup.search != "random")
    return unknown("search", setup.search, "beam or random");
  if (setup.costModel != "learned" && setup.costModel != "analytical")
    return unknown("cost-model", setup.costModel, "learned or analytical");
  if (setup.options.beamWidth == 0)
    return unknown("beam-width", "0", "at least 1");
  if (setup.options.budget == 0)
    return unknown("budget", "0", "at least 1");
  auto scheduler = std::make_unique<Scheduler>();
  scheduler->setup = setup;
  auto target =
      loadTarget(setup.target == "native" ? nativeTarget() : setup.target);
  if (!target)
    return op->emitError() << llvm::toString(target.takeError()), failure();
  scheduler->target = *target;
  scheduler->setup.options.vectorBits = target->vectorBits;
  scheduler->setup.options.vectorRegisters = target->vectorRegisters;
  auto model = sharedModel(setup, scheduler->target);
  if (!model)
    return op->emitError() << llvm::toString(model.takeError()), failure();
  scheduler->model = *model;
  return std::move(scheduler);
}

FailureOr<SearchResult> Scheduler::run(Legality &legality, std::string &reason,
                                       bool &modelFailed) {
  std::vector<Candidate> skeletons = buildSkeletons(legality);
  if (skeletons.empty() || skeletons[0].skeleton != "source") {
    reason = reasons::kComplexOrder.text;
    return failure();
  }
  auto evaluator =
      createModelEvaluator(skeletons[0], *model, target,
                           /*tempered=*/setup.costModel == "learned");
  auto search = setup.search == "beam" ? beamSearch : randomSearch;
  auto result = search(skeletons, *evaluator, setup.options);
  if (result)
    return std::move(*result);
  modelFailed = true;
  legality.getScop().first->emitError() << llvm::toString(result.takeError());
  return failure();
}

std::string nestor::describeSteps(const Candidate &candidate) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << candidate.skeleton;
  for (Attribute step : candidate.steps)
    os << ' ' << step;
  return text;
}
