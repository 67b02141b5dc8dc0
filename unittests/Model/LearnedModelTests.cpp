//===- LearnedModelTests.cpp - Training and scoring through the door ------===//
//
// Tiny models on made-up programs; nothing here looks at time.
//
//===----------------------------------------------------------------------===//
#include "Synthetic.h"
#include "TestFiles.h"
#include "nestor/Model/InputView.h"
#include "nestor/Model/LearnedModel.h"
#include "nestor/Model/WeightsFile.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <ctime>
#include <thread>

using namespace mlir::nestor;
using namespace mlir::nestor::modelabi;

namespace {
/// Trains in a folder of its own.
class TrainingTest : public testing::Test {
protected:
  void addPrograms(unsigned count, unsigned candidates) {
    FeatureCacheHeader header = makeSyntheticHeader();
    target.assign(header.target.begin(), header.target.end());
    for (unsigned p = 0; p < count; ++p) {
      programs.push_back(makeSyntheticProgram(p, candidates, true));
      uint32_t base = samples.size();
      for (const TrainingSample &sample : programs.back().samples)
        samples.push_back({views.add(sample.input), target.data(), p, base,
                           sample.logSpeedup, sample.spread,
                           uint8_t(p % 4 == 0)});
    }
  }

  TrainingRequest makeRequest(const std::string &output) {
    TrainingRequest request{};
    request.samples = samples.data();
    request.numSamples = samples.size();
    request.outputPath = output.c_str();
    request.trainedOn = R"({"programs":1})";
    request.seed = 1;
    request.epochs = 3;
    request.batchSize = 32;
    request.patience = 100;
    request.threads = 1;
    request.hidden = 16;
    request.embedding = 16;
    request.learningRate = 0.01;
    request.rankingWeight = 0.3;
    request.frozenShare = 0.3;
    request.encoderRate = 0.5;
    request.dropout = 0.05;
    return request;
  }

  /// The message; empty on success.
  std::string run(const TrainingRequest &request, bool isPretraining = false) {
    auto library = openModelLibrary();
    if (!library)
      return llvm::toString(library.takeError());
    ErrorText text;
    bool done = isPretraining ? (*library)->pretrain(request, text)
                              : (*library)->train(request, text);
    return done ? "" : text.text;
  }

  /// A number among the metrics of a weights file.
  double getMetric(const std::string &path, const char *name) {
    std::string text, error;
    EXPECT_TRUE(describeWeights(path, text, error)) << error;
    auto value = llvm::cantFail(llvm::json::parse(text));
    return *value.getAsObject()->getObject("metrics")->getNumber(name);
  }

  std::unique_ptr<LearnedModel> load(const std::string &path) {
    return llvm::cantFail(loadLearnedModel(path, target));
  }

  std::vector<const ModelInput *> getInputs() {
    std::vector<const ModelInput *> inputs;
    for (const TrainingProgram &program : programs)
      for (const TrainingSample &sample : program.samples)
        inputs.push_back(&sample.input);
    return inputs;
  }

  TestFolder folder;
  std::vector<float> target;
  std::deque<TrainingProgram> programs;
  InputViews views;
  std::vector<SampleView> samples;
};
} // namespace

TEST_F(TrainingTest, LowersTheLossOnProgramsItHasNotSeen) {
  addPrograms(160, 8);
  std::string first = folder / "first", last = folder / "last";
  TrainingRequest request = makeRequest(first);
  request.hidden = request.embedding = 32;
  request.batchSize = 64;
  request.learningRate = 0.004;
  request.epochs = 1;
  ASSERT_EQ(run(request), "");
  request.outputPath = last.c_str();
  request.epochs = 20;
  ASSERT_EQ(run(request), "");
  EXPECT_LT(getMetric(last, "loss"), 0.8 * getMetric(first, "loss"));
  EXPECT_GT(getMetric(last, "spearman"), getMetric(first, "spearman") + 0.1);
}

TEST_F(TrainingTest, StartsAtTheAnalyticalModel) {
  addPrograms(4, 4);
  std::string path = folder / "w";
  TrainingRequest request = makeRequest(path);
  request.epochs = 1;
  request.learningRate = 1e-12;
  ASSERT_EQ(run(request), "");
  std::vector<const ModelInput *> inputs = getInputs();
  std::vector<double> scores;
  ASSERT_EQ(getMessage(load(path)->score(inputs, scores)), "");
  for (size_t i = 0; i < inputs.size(); ++i)
    EXPECT_NEAR(scores[i], getAnalyticalScore(*inputs[i]), 1e-4);
}

TEST_F(TrainingTest, IsDeterministicForASeed) {
  addPrograms(8, 6);
  std::string a = folder / "a", b = folder / "b", c = folder / "c";
  ASSERT_EQ(run(makeRequest(a)), "");
  ASSERT_EQ(run(makeRequest(b)), "");
  EXPECT_EQ(readBytes(a), readBytes(b));
  TrainingRequest other = makeRequest(c);
  other.seed = 2;
  ASSERT_EQ(run(other), "");
  EXPECT_NE(readBytes(a), readBytes(c));
}

TEST_F(TrainingTest, PretrainingLowersTheReconstructionLoss) {
  addPrograms(30, 6);
  std::string first = folder / "first", last = folder / "last";
  TrainingRequest request = makeRequest(first);
  request.epochs = 1;
  ASSERT_EQ(run(request, /*isPretraining=*/true), "");
  request.outputPath = last.c_str();
  request.epochs = 20;
  ASSERT_EQ(run(request, /*isPretraining=*/true), "");
  EXPECT_LT(getMetric(last, "reconstruction_loss"),
            0.8 * getMetric(first, "reconstruction_loss"));
}

TEST_F(TrainingTest, ChangesAnEncoderOnlyWhereItIsNotFrozen) {
  addPrograms(8, 6);
  std::string encoder = folder / "encoder", path = folder / "w", error;
  ASSERT_EQ(run(makeRequest(encoder), /*isPretraining=*/true), "");
  TrainingRequest request = makeRequest(path);
  request.encoderPath = encoder.c_str();
  auto isChanged = [&](double frozenShare) {
    request.frozenShare = frozenShare;
    EXPECT_EQ(run(request), "");
    WeightsFile before, after;
    EXPECT_TRUE(readWeights(encoder, "encoder", before, error)) << error;
    EXPECT_TRUE(readWeights(path, "cost-model", after, error)) << error;
    bool changed = false;
    for (const WeightTensor &tensor : before.tensors)
      changed |= after.find("encoder." + tensor.name)->data != tensor.data;
    return changed;
  };
  EXPECT_FALSE(isChanged(1));
  EXPECT_TRUE(isChanged(0));
}

namespace {
/// Asks training to stop when a number of epochs is done; keeps what it says.
struct Interrupter {
  int stop = 0, epochsLeft = 0;
  std::string log;
  static void onProgress(void *context, const char *line) {
    auto &self = *static_cast<Interrupter *>(context);
    self.log += std::string(line) + "\n";
    bool isEpoch = llvm::StringRef(line).contains("validation") &&
                   llvm::StringRef(line).starts_with("epoch");
    if (isEpoch && --self.epochsLeft == 0)
      self.stop = 1;
  }
};
} // namespace

TEST_F(TrainingTest, GivesTheSameWhenInterruptedAndResumed) {
  addPrograms(8, 6);
  std::string encoder = folder / "encoder", whole = folder / "whole",
              parts = folder / "parts", checkpoint = folder / "checkpoint";
  ASSERT_EQ(run(makeRequest(encoder), /*isPretraining=*/true), "");
  TrainingRequest request = makeRequest(whole);
  request.encoderPath = encoder.c_str();
  request.epochs = 5;
  ASSERT_EQ(run(request), "");

  Interrupter interrupter;
  interrupter.epochsLeft = 3;
  request.outputPath = parts.c_str();
  request.checkpointPath = checkpoint.c_str();
  request.stop = &interrupter.stop;
  request.progress = Interrupter::onProgress;
  request.context = &interrupter;
  ASSERT_EQ(run(request), "");
  // What was best so far is there, and can be used.
  EXPECT_NE(readBytes(parts), readBytes(whole));
  EXPECT_TRUE(load(parts));
  EXPECT_CONTAINS(interrupter.log, "interrupted: the best so far was written; "
                                   "go on with --resume");
  interrupter.stop = 0;
  request.resume = true;
  ASSERT_EQ(run(request), "");
  EXPECT_CONTAINS(interrupter.log, "resumed after epoch 3");
  EXPECT_EQ(readBytes(parts), readBytes(whole));
  EXPECT_FALSE(llvm::sys::fs::exists(checkpoint));
}

TEST_F(TrainingTest, ResumesOnlyTheSameTraining) {
  addPrograms(8, 4);
  std::string path = folder / "w", checkpoint = folder / "checkpoint";
  Interrupter interrupter;
  interrupter.epochsLeft = 1;
  TrainingRequest request = makeRequest(path);
  request.checkpointPath = checkpoint.c_str();
  request.stop = &interrupter.stop;
  request.progress = Interrupter::onProgress;
  request.context = &interrupter;
  ASSERT_EQ(run(request), "");
  interrupter.stop = 0;
  request.resume = true;
  request.learningRate = 0.5;
  EXPECT_CONTAINS(run(request),
                  "is of a training with other options or data: give the same "
                  "ones, or leave out --resume");
}

TEST_F(TrainingTest, InterruptedAtOnceWritesNothing) {
  addPrograms(8, 4);
  std::string path = folder / "w";
  int stop = 1;
  TrainingRequest request = makeRequest(path);
  request.stop = &stop;
  EXPECT_EQ(run(request), "interrupted before the first epoch was done: "
                          "nothing was written");
  EXPECT_FALSE(llvm::sys::fs::exists(path));
}

TEST_F(TrainingTest, LabelsOutOfBoundsAreSaid) {
  addPrograms(8, 4);
  for (SampleView &sample : samples)
    sample.logSpeedup = 3e38f;
  std::string path = folder / "w";
  EXPECT_EQ(run(makeRequest(path)),
            "training diverged: try a lower --learning-rate, and look for "
            "labels that cannot be right");
  EXPECT_FALSE(llvm::sys::fs::exists(path));
}

TEST_F(TrainingTest, StepsOutOfBoundsAreSaid) {
  addPrograms(8, 4);
  std::string path = folder / "w";
  TrainingRequest request = makeRequest(path);
  request.learningRate = 1e30;
  EXPECT_CONTAINS(run(request), "training diverged");
}

TEST_F(TrainingTest, ValidatesOnTheTrainingPartIfThereIsNoOther) {
  addPrograms(4, 4);
  for (SampleView &sample : samples)
    sample.part = 0;
  std::string path = folder / "w";
  for (bool isPretraining : {false, true}) {
    Interrupter listener;
    TrainingRequest request = makeRequest(path);
    request.progress = Interrupter::onProgress;
    request.context = &listener;
    EXPECT_EQ(run(request, isPretraining), "");
    EXPECT_CONTAINS(listener.log, "no program fell into the validation part: "
                                  "the training part is used instead");
  }
}

TEST_F(TrainingTest, NeedsTrainingPrograms) {
  addPrograms(1, 4); // falls into validation
  std::string path = folder / "w";
  EXPECT_CONTAINS(run(makeRequest(path)),
                  "the training part holds no label: give more programs");
  EXPECT_CONTAINS(run(makeRequest(path), true),
                  "the training part holds no statement: give more programs");
}

TEST_F(TrainingTest, ScoresDoNotDependOnTheBatch) {
  addPrograms(12, 6);
  std::string path = folder / "w";
  ASSERT_EQ(run(makeRequest(path)), "");
  auto model = load(path);
  std::vector<const ModelInput *> inputs = getInputs();
  std::vector<double> together, alone;
  Rows embeddedTogether, embeddedAlone;
  ASSERT_EQ(getMessage(model->score(inputs, together)), "");
  ASSERT_EQ(getMessage(model->embed(inputs, embeddedTogether)), "");
  ASSERT_EQ(embeddedTogether.size(), inputs.size());
  // A fresh one, so that nothing is remembered either.
  model = load(path);
  for (size_t i = inputs.size(); i-- > 0;) {
    ASSERT_EQ(getMessage(model->score({inputs[i]}, alone)), "");
    ASSERT_EQ(getMessage(model->embed({inputs[i]}, embeddedAlone)), "");
    EXPECT_NEAR(alone[0], together[i], 1e-5);
    for (unsigned j = 0; j < embeddedAlone.width; ++j)
      EXPECT_NEAR(embeddedAlone.data[j],
                  embeddedTogether.data[i * embeddedAlone.width + j], 1e-5);
  }
}

TEST_F(TrainingTest, ScoresTheSameOnSeveralThreads) {
  addPrograms(10, 6);
  std::string path = folder / "w";
  ASSERT_EQ(run(makeRequest(path)), "");
  auto model = load(path);
  std::vector<const ModelInput *> inputs = getInputs();
  std::vector<double> expected;
  ASSERT_EQ(getMessage(load(path)->score(inputs, expected)), "");
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      std::vector<double> scores;
      for (unsigned i = 0; i < 5; ++i)
        if (model->score(inputs, scores) || scores != expected)
          ++wrong;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0u);
}

TEST_F(TrainingTest, OrderOfChildrenMatters) {
  // Two statements of one loop, exchanged.
  addPrograms(40, 4);
  std::string path = folder / "w";
  ASSERT_EQ(run(makeRequest(path)), "");
  auto model = load(path);
  for (const TrainingProgram &program : programs) {
    ModelInput changed = program.samples[0].input;
    auto &statements = changed.features.statements;
    if (statements.size() < 2 || statements[0].parent != statements[1].parent ||
        statements[0].order == statements[1].order)
      continue;
    std::swap(statements[0].order, statements[1].order);
    Rows embeddings;
    ASSERT_EQ(getMessage(model->embed({&program.samples[0].input, &changed},
                                      embeddings)),
              "");
    std::vector<float> a(embeddings.data.begin(),
                         embeddings.data.begin() + embeddings.width);
    std::vector<float> b(embeddings.data.begin() + embeddings.width,
                         embeddings.data.end());
    EXPECT_NE(a, b);
    return;
  }
  FAIL() << "no program has two statements in one loop";
}

TEST_F(TrainingTest, ScoresNothingAndRefusesWhatItCannotRead) {
  addPrograms(4, 4);
  std::string path = folder / "w";
  ASSERT_EQ(run(makeRequest(path)), "");
  auto model = load(path);
  std::vector<double> scores;
  EXPECT_EQ(getMessage(model->score({}, scores)), "");
  EXPECT_TRUE(scores.empty());
  ModelInput wrong = programs[0].samples[0].input;
  wrong.features.statements[0].flags.pop_back();
  EXPECT_CONTAINS(getMessage(model->score({&wrong}, scores)), "flags row has");
}

TEST_F(TrainingTest, ScoresThatAreNoNumbersAreRefused) {
  addPrograms(4, 4);
  std::string path = folder / "w", error;
  ASSERT_EQ(run(makeRequest(path)), "");
  WeightsFile weights;
  ASSERT_TRUE(readWeights(path, "cost-model", weights, error)) << error;
  for (WeightTensor &tensor : weights.tensors)
    for (float &number : tensor.data)
      number = 3e38f;
  ASSERT_TRUE(writeWeights(path, weights, error)) << error;
  std::vector<double> scores;
  EXPECT_EQ(getMessage(load(path)->score(getInputs(), scores)),
            "the learned cost model failed: a score is not finite; give other "
            "weights, or choose the analytical model");
}

TEST_F(TrainingTest, WeightsOfAnotherShapeAreRefused) {
  addPrograms(4, 4);
  std::string path = folder / "w", encoder = folder / "e", error;
  ASSERT_EQ(run(makeRequest(path)), "");
  WeightsFile weights;
  ASSERT_TRUE(readWeights(path, "cost-model", weights, error)) << error;
  weights.tensors[0].shape = {int64_t(weights.tensors[0].data.size())};
  ASSERT_TRUE(writeWeights(path, weights, error)) << error;
  std::string message = getMessage(loadLearnedModel(path, target));
  EXPECT_CONTAINS(message, path);
  EXPECT_CONTAINS(message,
                  "' has tensor '" + weights.tensors[0].name + "' of shape [");
  EXPECT_CONTAINS(message, "], this model needs [");
  EXPECT_CONTAINS(message, "]: train it anew with 'nestor-train'");
  weights.tensors.erase(weights.tensors.begin());
  ASSERT_TRUE(writeWeights(path, weights, error)) << error;
  message = getMessage(loadLearnedModel(path, target));
  EXPECT_CONTAINS(message, "' has no tensor '");
  EXPECT_CONTAINS(message, "': train it anew with 'nestor-train'");
  weights.config = R"({"hidden":-1})";
  ASSERT_TRUE(writeWeights(path, weights, error)) << error;
  EXPECT_CONTAINS(getMessage(loadLearnedModel(path, target)),
                  "has no valid model configuration: train it anew with "
                  "'nestor-train'");
  ASSERT_EQ(run(makeRequest(encoder), true), "");
  EXPECT_CONTAINS(getMessage(loadLearnedModel(encoder, target)),
                  "of kind 'encoder', not 'cost-model'");
}

// Not a test: prints how fast a model of the default size scores.
//   NestorModelTests --gtest_also_run_disabled_tests --gtest_filter=*Speed
TEST_F(TrainingTest, DISABLED_Speed) {
  addPrograms(16, 16);
  std::string path = folder / "w";
  TrainingRequest request = makeRequest(path);
  request.hidden = 128;
  request.embedding = 160;
  request.epochs = 1;
  ASSERT_EQ(run(request), "");
  auto model = load(path);
  std::vector<const ModelInput *> inputs = getInputs();
  std::vector<double> scores;
  ASSERT_EQ(getMessage(model->score(inputs, scores)), "");
  std::clock_t start = std::clock();
  constexpr unsigned kRounds = 100;
  for (unsigned i = 0; i < kRounds; ++i)
    ASSERT_EQ(getMessage(model->score(inputs, scores)), "");
  double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  llvm::outs() << "batch " << inputs.size() << ": "
               << unsigned(kRounds * inputs.size() / seconds)
               << " candidates per second of one core\n";
}

TEST(LearnedModel, SaysThatWeightsAreMissing) {
  std::vector<float> target(kTargetDim);
  EXPECT_CONTAINS(
      getMessage(loadLearnedModel("/no/such.nestor-weights", target)),
      "weights '/no/such.nestor-weights' do not exist: train them with "
      "'nestor-train train', give another file, or choose the analytical "
      "model");
}

TEST(LearnedModel, SaysThatTargetFeaturesHaveAnotherLength) {
  EXPECT_EQ(getMessage(loadLearnedModel("", std::vector<float>(3))),
            "target features have 3 numbers, not " +
                std::to_string(kTargetDim));
}

TEST(Door, FindsTheLibraryBesideTheProgram) {
  unsetenv("NESTOR_MODEL_LIBRARY");
  EXPECT_EQ(getMessage(openModelLibrary()), "");
}
