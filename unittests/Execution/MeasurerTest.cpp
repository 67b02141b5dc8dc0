//===- MeasurerTest.cpp - A helper that is started, fed, and survives -----===//
#include "nestor/Execution/Measure.h"

#include "gtest/gtest.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

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
  EXPECT_NE(answers[0].detail.find("cannot allocate 8589934592 bytes for "
                                   "the arguments"),
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

//===----------------------------------------------------------------------===//
// Helpers that do not do what they should
//===----------------------------------------------------------------------===//

namespace {
/// A shell script that is started in the place of the helper. It gets its job
/// through standard input, and its answers are lines on standard output.
class FalseHelper {
public:
  explicit FalseHelper(llvm::StringRef script) {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("nestor-helper", folder));
    path = folder;
    llvm::sys::path::append(path, "helper");
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << script;
    EXPECT_FALSE(code);
    llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all);
  }
  ~FalseHelper() { (void)llvm::sys::fs::remove_directories(folder); }

  llvm::Expected<std::vector<Measurement>> measure() {
    MeasurerOptions options;
    options.helperPath = std::string(path);
    MeasureJob job;
    job.baseText = makeProgram(1);
    job.candidateTexts = {job.baseText, job.baseText};
    return Measurer(options).measure(job);
  }
  std::string getProblem() {
    auto answers = measure();
    EXPECT_FALSE(bool(answers));
    return answers ? "" : llvm::toString(answers.takeError());
  }

  llvm::SmallString<128> folder, path;
};
} // namespace

/// A report in the words of the protocol; `members` come first.
static std::string makeReport(llvm::StringRef kind, llvm::StringRef members) {
  return ("{\"report\":\"" + kind + "\"," + members +
          "\"candidate\":0,\"status\":\"ok\",\"logRatio\":0,\"spread\":0,"
          "\"baseSeconds\":1,\"pairs\":1,\"baseHash\":\"b\","
          "\"candidateHash\":\"c\",\"detail\":\"\",\"isAnchor\":false}")
      .str();
}

TEST(Measurer, HelpersThatDoNotStartAreErrors) {
  FalseHelper noProgram("no program");
  EXPECT_EQ(noProgram.getProblem(), "cannot start the measuring helper '" +
                                        noProgram.path.str().str() +
                                        "': Exec format error");
  FalseHelper failing("#!/bin/sh\nexit 3\n");
  EXPECT_EQ(failing.getProblem(), "the measuring helper '" +
                                      failing.path.str().str() +
                                      "' did not start: exit status 3");
}

TEST(Measurer, WithoutFileDescriptorsThereIsNoHelper) {
  FalseHelper helper("#!/bin/sh\nexit 3\n");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = {0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  std::string problem = helper.getProblem();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(problem, "cannot connect to the measuring helper: "
                     "Too many open files");
}

TEST(Measurer, AnswersInOtherWordsAreErrors) {
  FalseHelper helper("#!/bin/sh\necho hello\nread job\necho '{}'\n");
  EXPECT_EQ(helper.getProblem(),
            "the measuring helper answered something else than expected: is it "
            "of the same version as its caller?");
}

TEST(Measurer, ABaseThatFailsAfterARestartIsNamed) {
  // The first run measures the first candidate and asks for a restart; the
  // second one dies before it knows the base.
  std::string base = makeReport("base", "\"mustRestart\":false,");
  std::string candidate = makeReport("candidate", "\"mustRestart\":true,");
  FalseHelper helper("#!/bin/sh\n"
                     "echo ready\nread job\n"
                     "[ ! -f $0.ran ] || exit 3\n"
                     "touch $0.ran\n"
                     "echo '" +
                     base + "'\necho '" + candidate + "'\nread job\n");
  auto answers = helper.measure();
  ASSERT_TRUE(bool(answers)) << llvm::toString(answers.takeError());
  ASSERT_EQ(answers->size(), 2u);
  EXPECT_EQ((*answers)[0].status, Measurement::Ok);
  EXPECT_EQ((*answers)[1].status, Measurement::Crashed);
  EXPECT_EQ((*answers)[1].detail,
            "base, after a restart: ended the process: exit status 3");
}

TEST(Worker, AJobThatCannotBeReadEndsIt) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  ASSERT_EQ(write(ends[0], "{}\n", 3), 3);
  testing::internal::CaptureStderr();
  EXPECT_EQ(runWorker(ends[1], -1), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "error: bad job: missing value at job.base\n");
  close(ends[0]);
  close(ends[1]);
}
