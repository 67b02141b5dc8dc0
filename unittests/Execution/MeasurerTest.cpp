//===- MeasurerTest.cpp - A helper that is started, fed, and survives -----===//
#include "nestor/Execution/Measure.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir::nestor;

/// A kernel that sets B[i] := A[i] + A[i], `times` times over.
static std::string makeProgram(int times) {
  return "func.func @kernel(%A: memref<512xf32>, %B: memref<512xf32>) {\n"
         "  affine.for %t = 0 to " +
         std::to_string(times) +
         " {\n"
         "    affine.for %i = 0 to 512 {\n"
         "      %v = affine.load %A[%i] : memref<512xf32>\n"
         "      %o = affine.load %B[%i] : memref<512xf32>\n"
         "      %z = math.atan %o : f32\n"
         "      %c = arith.constant 0.0 : f32\n"
         "      %n = arith.cmpf ogt, %z, %c : f32\n"
         "      %w = arith.addf %v, %v : f32\n"
         "      %x = arith.select %n, %w, %v : f32\n"
         "      affine.store %x, %B[%i] : memref<512xf32>\n"
         "    }\n"
         "  }\n"
         "  return\n"
         "}\n";
}

static std::string makeBody(llvm::StringRef body) {
  return ("func.func @kernel(%A: memref<512xf32>, %B: memref<512xf32>) {\n" +
          body + "\n}\n")
      .str();
}

static std::vector<Measurement> measure(Measurer &measurer,
                                        const MeasureJob &job) {
  auto answers = measurer.measure(job);
  EXPECT_TRUE(bool(answers)) << llvm::toString(answers.takeError());
  return answers ? *answers : std::vector<Measurement>();
}

// No test expects one program to be faster than another.
TEST(Measurer, TimesCandidates) {
  Measurer measurer;
  MeasureJob job;
  job.baseText = makeProgram(3);
  job.candidateTexts = {makeProgram(1), makeProgram(3)};
  job.pairs = 3;
  job.minSeconds = 1e-5;
  std::vector<Measurement> answers = measure(measurer, job);
  ASSERT_EQ(answers.size(), 2u);
  for (const Measurement &answer : answers) {
    EXPECT_EQ(answer.status, Measurement::Ok) << answer.detail;
    EXPECT_GE(answer.pairs, 3);
    EXPECT_GT(answer.baseSeconds, 0);
    EXPECT_GE(answer.spread, 0);
    EXPECT_TRUE(std::isfinite(answer.logRatio));
    EXPECT_EQ(answer.baseHash, answers[1].candidateHash);
  }
  EXPECT_NE(answers[0].candidateHash, answers[1].candidateHash);
}

TEST(Measurer, CutsOffAfterTwoPairs) {
  Measurer measurer;
  MeasureJob job;
  job.baseText = makeProgram(1);
  job.candidateTexts = {makeProgram(1)};
  job.pairs = 15;
  job.minSeconds = 1e-5;
  job.useAnchor = false;
  job.cutoff = 1e-9; // Nothing is that much faster than the base.
  std::vector<Measurement> answers = measure(measurer, job);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].status, Measurement::Ok) << answers[0].detail;
  EXPECT_EQ(answers[0].pairs, 2);
}

TEST(Measurer, SurvivesBadCandidates) {
  Measurer measurer;
  MeasureJob job;
  job.baseText = makeProgram(2);
  std::string good = makeProgram(1);
  std::string crash =
      makeBody("  %p = llvm.mlir.zero : !llvm.ptr\n"
               "  %x = llvm.load volatile %p : !llvm.ptr -> f32\n"
               "  return");
  std::string endless =
      makeBody("  cf.br ^again\n^again:\n"
               "  %c = arith.constant 1 : i64\n"
               "  %p = llvm.alloca %c x f32 : (i64) -> !llvm.ptr\n"
               "  %x = llvm.load volatile %p : !llvm.ptr -> f32\n"
               "  cf.br ^on\n^on:\n"
               "  %y = llvm.load volatile %p : !llvm.ptr -> f32\n"
               "  cf.br ^on");
  std::string wrong = makeBody("  return");
  job.candidateTexts = {crash, good, endless, wrong, "nonsense", good};
  job.pairs = 0;
  job.timeoutSeconds = 2;
  std::vector<Measurement> answers = measure(measurer, job);
  ASSERT_EQ(answers.size(), 6u);
  Measurement::Status expected[] = {
      Measurement::Crashed, Measurement::Ok,           Measurement::TimedOut,
      Measurement::Wrong,   Measurement::CompileError, Measurement::Ok};
  for (int index = 0; index < 6; ++index)
    EXPECT_EQ(answers[index].status, expected[index])
        << index << ": " << answers[index].detail;
  // The next job finds a working helper.
  job.candidateTexts = {good};
  answers = measure(measurer, job);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].status, Measurement::Ok) << answers[0].detail;
}

TEST(Measurer, LimitsMemory) {
  MeasurerOptions options;
  options.memoryBytes = uint64_t(2) << 30;
  Measurer measurer(options);
  MeasureJob job;
  job.pairs = 0;
  job.baseText =
      "func.func @kernel(%A: memref<1x1024x1024x1024xf64>) { return }";
  job.candidateTexts = {job.baseText};
  std::vector<Measurement> answers = measure(measurer, job);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_NE(answers[0].status, Measurement::Ok);
  EXPECT_NE(answers[0].detail.find("cannot allocate 8589934592 bytes"),
            std::string::npos)
      << answers[0].detail;
}

TEST(Measurer, MissingHelperIsAnError) {
  MeasurerOptions options;
  options.helperPath = "/nowhere/nestor-measure";
  Measurer measurer(options);
  MeasureJob job;
  job.baseText = makeProgram(1);
  job.candidateTexts = {makeProgram(1)};
  auto answers = measurer.measure(job);
  ASSERT_FALSE(bool(answers));
  EXPECT_EQ(llvm::toString(answers.takeError()),
            "cannot execute the measuring helper '/nowhere/nestor-measure'");
}
