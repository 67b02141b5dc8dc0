//===- SubjectTest.cpp - Stored programs and their schedules --------------===//
#include "nestor/Corpus/Subject.h"
#include "TestStore.h"

#include <set>

using namespace mlir::nestor;

static constexpr const char *kTranspose = R"(
func.func @kernel(%a: memref<40x50xf64>, %b: memref<50x40xf64>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 50 {
      %0 = affine.load %a[%i, %j] : memref<40x50xf64>
      affine.store %0, %b[%j, %i] : memref<50x40xf64>
    }
  }
  return
})";

static std::unique_ptr<Subject> makeSubject(const char *text) {
  return llvm::cantFail(Subject::create(text));
}

static TargetDescriptor target() {
  return llvm::cantFail(getNamedTarget("generic-avx2"));
}

TEST(Subject, SchedulesSurviveText) {
  auto subject = makeSubject(kTranspose);
  auto candidates = subject->sample(12, 3, target());
  EXPECT_GE(candidates.size(), 6u);
  std::set<std::string> seen = {subject->print(subject->getSource())};
  for (const Candidate &candidate : candidates) {
    std::string text = subject->print(candidate);
    EXPECT_TRUE(seen.insert(text).second) << "twice: " << text;
    Candidate again = llvm::cantFail(subject->parse(text));
    again.steps = candidate.steps; // not part of the tree
    EXPECT_EQ(subject->print(again), text);
  }
}

TEST(Subject, TheSameSeedGivesTheSameCandidates) {
  auto first = makeSubject(kTranspose), second = makeSubject(kTranspose);
  auto a = first->sample(8, 5, target()), b = second->sample(8, 5, target());
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_EQ(first->print(a[i]), second->print(b[i]));
}

TEST(Subject, ApplyingLeavesTheSubjectAlone) {
  auto subject = makeSubject(kTranspose);
  std::string schedule;
  for (const Candidate &candidate : subject->sample(8, 1, target()))
    if (llvm::StringRef(subject->print(candidate)).contains("floordiv"))
      schedule = subject->print(candidate);
  ASSERT_NE(schedule, "");
  std::string once = llvm::cantFail(subject->apply(schedule));
  EXPECT_NE(once.find("affine.for"), std::string::npos);
  EXPECT_EQ(once, llvm::cantFail(subject->apply(schedule)));
}

TEST(Subject, RefusesTheScheduleOfAnotherProgram) {
  std::string other = kTranspose;
  other.replace(other.find("0 to 40"), 7, "1 to 40");
  auto subject = makeSubject(kTranspose), stranger = makeSubject(other.c_str());
  std::string schedule = stranger->print(stranger->getSource());
  EXPECT_EQ(message(subject->parse(schedule)),
            "the schedule was made for scop " + stranger->getScop().getHash() +
                ", but this one is " + subject->getScop().getHash() +
                ": schedule the function again");
  EXPECT_EQ(message(subject->parse("[1]")),
            "the schedule is no list of one #nestor.schedule");
  EXPECT_EQ(message(subject->parse("no attribute")),
            "expected attribute value");
}

TEST(Subject, SaysWhyAProgramIsLeftAlone) {
  EXPECT_EQ(message(Subject::create("nonsense")),
            "custom op 'nonsense' is unknown (tried 'builtin.nonsense' as "
            "well)");
  EXPECT_EQ(message(Subject::create("func.func @f() { return }")),
            "a program must have exactly one scop");
  std::string reason = message(Subject::create(R"(
func.func private @g()
func.func @f(%a: memref<4xf32>) { return })"));
  EXPECT_EQ(reason, "a program must have exactly one function");
}

static constexpr const char *kMatmul = R"(
func.func @kernel(%a: memref<33x40xf32>, %b: memref<40x50xf32>, %c: memref<33x50xf32>) {
  affine.for %i = 0 to 33 {
    affine.for %j = 0 to 50 {
      affine.for %k = 0 to 40 {
        %0 = affine.load %a[%i, %k] : memref<33x40xf32>
        %1 = affine.load %b[%k, %j] : memref<40x50xf32>
        %2 = affine.load %c[%i, %j] : memref<33x50xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %c[%i, %j] : memref<33x50xf32>
      }
    }
  }
  return
})";

TEST(Subject, ProgramsThatAreTooComplexAreLeftAlone) {
  auto problemWith = [](unsigned long operations) {
    IslLimit limit(operations);
    return message(Subject::create(kMatmul));
  };
  EXPECT_EQ(problemWith(1),
            "left alone: its dependences are too complex to compute exactly");
  // Enough for the dependences, but not for the order.
  EXPECT_EQ(problemWith(550),
            "left alone: its order as written cannot be analysed");
  EXPECT_EQ(message(Subject::create(kMatmul)), "");
}

TEST(Subject, OnlyFastMathGetsATolerance) {
  EXPECT_EQ(makeSubject(kTranspose)->getTolerance(), 0);
  auto loose = makeSubject(R"(
func.func @kernel(%a: memref<40xf64>) {
  affine.for %i = 0 to 40 {
    %0 = affine.load %a[%i] : memref<40xf64>
    %1 = arith.addf %0, %0 fastmath<contract> : f64
    affine.store %1, %a[%i] : memref<40xf64>
  }
  return
})");
  EXPECT_GT(loose->getTolerance(), 0);
}
