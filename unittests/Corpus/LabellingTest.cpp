//===- LabellingTest.cpp - What becomes of measurements -------------------===//
//
// The measurements are made up; those of a real helper are in test/Corpus.
//
//===----------------------------------------------------------------------===//
#include "nestor/Corpus/Labelling.h"
#include "TestStore.h"

#include "nestor/Execution/Program.h"

using namespace mlir::nestor;

static std::string copyOf(int size) {
  std::string type = "memref<" + std::to_string(size) + "x32xf64>";
  return "func.func @kernel(%a: " + type + ", %b: " + type +
         ") {\n  affine.for %i = 0 to " + std::to_string(size) +
         " {\n  affine.for %j = 0 to 32 {\n"
         "    %0 = affine.load %a[%i, %j] : " +
         type + "\n    affine.store %0, %b[%i, %j] : " + type +
         "\n  }\n  }\n  return\n}\n";
}

namespace {
/// A store with three programs and a made-up machine.
class Labelling : public testing::Test {
protected:
  void SetUp() override {
    store = openNew(folder / "a.db");
    for (int size : {32, 64, 96})
      ASSERT_EQ(message(store->addProgram(makeProgram(copyOf(size)))), "");
    target = llvm::cantFail(getNamedTarget("generic-avx2"));
    options.schedules = 3;
  }
  using Answer = std::function<Measurement(const MeasureJob &, size_t)>;
  LabellingSummary run(Answer answer, bool isRefresh = false) {
    llvm::raw_string_ostream os(log);
    auto measure =
        [&](const MeasureJob &job) -> llvm::Expected<std::vector<Measurement>> {
      ++jobs;
      std::vector<Measurement> result;
      for (size_t i = 0; i < job.candidateTexts.size(); ++i)
        result.push_back(answer(job, i));
      return result;
    };
    auto function = isRefresh ? refreshLabels : labelPrograms;
    return llvm::cantFail(function(*store, target, measure, options, stop, os));
  }
  static Measurement good(const MeasureJob &job, size_t i) {
    Measurement result;
    result.status = Measurement::Ok;
    result.logRatio = 0.5;
    result.pairs = job.pairs;
    result.baseHash = "base";
    result.candidateHash = hashText(job.candidateTexts[i]);
    return result;
  }

  TestFolder folder;
  std::unique_ptr<Store> store;
  TargetDescriptor target;
  LabellingOptions options;
  std::atomic<bool> stop{false};
  std::string log;
  unsigned jobs = 0;
};
} // namespace

TEST_F(Labelling, GivesEveryProgramItsLabels) {
  LabellingSummary summary = run(good);
  EXPECT_EQ(summary.programs, 3u);
  EXPECT_EQ(summary.labels, 9u);
  EXPECT_FALSE(summary.stopped);
  EXPECT_EQ(llvm::cantFail(store->count()).labels, 9);
  auto labels =
      llvm::cantFail(store->getLabels(makeProgram(copyOf(64)).id, target.name));
  ASSERT_EQ(labels.size(), 3u);
  EXPECT_EQ(labels[0].status, "ok");
  EXPECT_EQ(labels[0].compiler, getCompilerVersion());
}

TEST_F(Labelling, ASecondRunFindsNothingToDo) {
  run(good);
  jobs = 0;
  EXPECT_EQ(run(good).programs, 0u);
  EXPECT_EQ(jobs, 0u);
}

TEST_F(Labelling, AWrongResultIsLoudAndKept) {
  LabellingSummary summary = run([](const MeasureJob &job, size_t i) {
    Measurement result = good(job, i);
    if (i == 1) {
      result.status = Measurement::Wrong;
      result.detail = "argument 1, element [0]";
    }
    return result;
  });
  EXPECT_EQ(summary.wrong, 3u);
  EXPECT_EQ(summary.labels, 6u);
  EXPECT_NE(log.find("error: wrong result"), std::string::npos);
  EXPECT_NE(log.find("argument 1, element [0]"), std::string::npos);
  auto labels =
      llvm::cantFail(store->getLabels(makeProgram(copyOf(32)).id, target.name));
  EXPECT_EQ(labels[1].status, stringifyStatus(Measurement::Wrong));
}

TEST_F(Labelling, ACandidateThatCannotRunIsSaidAndKept) {
  LabellingSummary summary = run([](const MeasureJob &job, size_t i) {
    Measurement result = good(job, i);
    result.status = i == 0 ? Measurement::Crashed : Measurement::Ok;
    return result;
  });
  EXPECT_EQ(summary.failed, 3u);
  EXPECT_EQ(summary.labels, 6u);
  EXPECT_NE(log.find("warning: no label: program"), std::string::npos) << log;
}

TEST_F(Labelling, AnInterruptKeepsFinishedProgramsOnly) {
  LabellingSummary summary = run([&](const MeasureJob &job, size_t i) {
    stop = jobs == 2; // during the second program
    return good(job, i);
  });
  EXPECT_TRUE(summary.stopped);
  EXPECT_EQ(summary.programs, 1u);
  EXPECT_EQ(llvm::cantFail(store->count()).labels, 3);
  stop = false;
  summary = run(good); // goes on
  EXPECT_EQ(summary.programs, 2u);
  EXPECT_EQ(llvm::cantFail(store->count()).labels, 9);
}

TEST_F(Labelling, ProgramsThatCannotBeScheduledAreRemembered) {
  ASSERT_EQ(message(store->addProgram(makeProgram(
                "func.func @kernel(%a: memref<4xf64>) { return }\n"))),
            "");
  LabellingSummary summary = run(good);
  EXPECT_EQ(summary.leftAlone, 1u);
  EXPECT_NE(log.find("remark: program"), std::string::npos);
  EXPECT_EQ(llvm::cantFail(store->getUnvisited(target.name)).size(), 0u);
}

TEST_F(Labelling, ProgramsWithoutCodeForAnyScheduleAreRemembered) {
  IslLimit limit(500); // enough to look at the program, not for the loops
  LabellingSummary summary = run(good);
  EXPECT_EQ(summary.leftAlone, 3u);
  EXPECT_NE(log.find("no schedule applies to it"), std::string::npos) << log;
  EXPECT_EQ(jobs, 0u);
}

TEST_F(Labelling, RefreshMeasuresOnlyOtherCode) {
  run(good);
  EXPECT_EQ(run(good, /*isRefresh=*/true).stale, 0u);
  // The code of candidate 0 of every program has changed.
  LabellingSummary summary = run(
      [](const MeasureJob &job, size_t i) {
        Measurement result = good(job, i);
        if (i == 0)
          result.candidateHash = "other";
        result.logRatio = 0.75;
        return result;
      },
      /*isRefresh=*/true);
  EXPECT_EQ(summary.stale, 3u);
  auto labels =
      llvm::cantFail(store->getLabels(makeProgram(copyOf(32)).id, target.name));
  EXPECT_EQ(labels[0].logRatio, 0.75);
  EXPECT_EQ(labels[0].candidateHash, "other");
  EXPECT_EQ(labels[1].logRatio, 0.5);
}

TEST_F(Labelling, TheBudgetEndsARun) {
  options.budgetMinutes = 1e-9;
  LabellingSummary summary = run(good);
  EXPECT_TRUE(summary.stopped);
  EXPECT_EQ(summary.programs, 0u);
}
