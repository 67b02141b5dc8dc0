//===- Library.cpp - What libNestorModel.so offers ------------------------===//
//
// Model room: the factory, and the border where exceptions end.
//
//===----------------------------------------------------------------------===//
#include "Learning.h"
#include "ModuleState.h"
#include "RecursiveModel.h"
#include "nestor/Features/Features.h"
#include <algorithm>
#include <cstdio>
#include <mutex>
#include <unordered_map>

using namespace mlir::nestor;
using namespace mlir::nestor::modelabi;
using namespace mlir::nestor::model;

/// Candidates that go through the model together, at most.
static constexpr size_t kScoringBatch = 512;
/// Encoded program parts that a scorer remembers, at most.
static constexpr size_t kRemembered = 4096;

static void describe(ErrorText &error, const char *message) {
  std::snprintf(error.text, sizeof(error.text), "%s", message);
}

/// Runs `function`; what it throws ends here.
template <typename Function>
static bool guard(ErrorText &error, const Function &function) {
  try {
    function();
    return true;
  } catch (const c10::Error &exception) {
    describe(error, exception.what_without_backtrace());
  } catch (const std::exception &exception) {
    describe(error, exception.what());
  }
  return false;
}

namespace {
/// A model for inference. Program parts are encoded once and remembered; each
/// one alone, so that scores do not depend on what was scored before.
class ModelScorer : public Scorer {
public:
  ModelScorer(const std::string &path, const float *target)
      : ModelScorer(openWeights(path, "cost-model"), path, target) {}

  bool score(const CandidateView *candidates, size_t count, double *scores,
             ErrorText &error) override {
    return guard(error, [&] {
      forEachBatch(candidates, count,
                   [&](const CandidateBatch &batch, const Tensor &states) {
                     Tensor result = model.predict(
                         batch, states, target.expand({batch.size, -1}));
                     const float *numbers = result.data_ptr<float>();
                     scores = std::copy_n(numbers, batch.size, scores);
                   });
    });
  }

  bool embed(const CandidateView *candidates, size_t count, float *embeddings,
             ErrorText &error) override {
    return guard(error, [&] {
      forEachBatch(candidates, count,
                   [&](const CandidateBatch &, const Tensor &states) {
                     Tensor result = states.contiguous();
                     embeddings = std::copy_n(result.data_ptr<float>(),
                                              result.numel(), embeddings);
                   });
    });
  }

  size_t getEmbeddingSize() const override { return model.getStateSize(); }

private:
  ModelScorer(const WeightsFile &weights, const std::string &path,
              const float *targetFeatures)
      : model(parseConfig(weights.config, path)),
        target(at::empty({1, kTargetDim}, at::kFloat)) {
    loadTensors(weights, path, "", getTensors(model));
    model.eval();
    std::copy_n(targetFeatures, kTargetDim, target.data_ptr<float>());
  }

  template <typename Function>
  void forEachBatch(const CandidateView *candidates, size_t count,
                    const Function &function) {
    c10::InferenceMode inference;
    // Several threads may score at once; each works alone.
    if (at::get_num_threads() != 1)
      at::set_num_threads(1);
    for (size_t begin = 0; begin < count; begin += kScoringBatch) {
      std::vector<const CandidateView *> some;
      for (size_t i = begin; i < std::min(count, begin + kScoringBatch); ++i)
        some.push_back(candidates + i);
      CandidateBatch batch = makeCandidateBatch(some);
      Tensor embedded = model.getEncoder().encode(
          batch.statements, encodePrograms(batch.statements.programs));
      function(batch, model.fold(batch, embedded));
    }
  }

  Tensor encodePrograms(const std::vector<const StatementView *> &programs) {
    std::vector<Tensor> rows;
    for (const StatementView *program : programs)
      rows.push_back(encodeProgram(program));
    return at::cat(rows);
  }

  Tensor encodeProgram(const StatementView *program) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      auto it = remembered.find(program->programKey);
      if (it != remembered.end())
        return it->second;
    }
    Tensor row = model.getEncoder().encodeProgram(makeProgramBatch({program}));
    std::lock_guard<std::mutex> lock(mutex);
    if (remembered.size() >= kRemembered)
      remembered.clear();
    remembered.emplace(program->programKey, row);
    return row;
  }

  RecursiveModel model;
  Tensor target;
  std::mutex mutex;
  std::unordered_map<uint64_t, Tensor> remembered;
};
} // namespace

static Scorer *openScorer(const char *weightsPath, const float *target,
                          ErrorText &error) {
  Scorer *scorer = nullptr;
  guard(error, [&] { scorer = new ModelScorer(weightsPath, target); });
  return scorer;
}

static void closeScorer(Scorer *scorer) { delete scorer; }

static bool pretrain(const TrainingRequest &request, ErrorText &error) {
  return guard(error, [&] { pretrainEncoder(request); });
}

static bool train(const TrainingRequest &request, ErrorText &error) {
  return guard(error, [&] { trainModel(request); });
}

extern "C" __attribute__((visibility("default"))) const Library *
nestorModelLibrary(uint32_t version) {
  static const Library library{kVersion,    TORCH_VERSION, openScorer,
                               closeScorer, pretrain,      train};
  return version == kVersion ? &library : nullptr;
}
