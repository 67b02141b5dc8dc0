//===- SearchTest.cpp - Budgets, order and determinism of searches --------===//
#include "nestor/Search/Search.h"
#include "../Schedule/TestScop.h"
#include "nestor/Search/Random.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
/// Scores by a rule that a test gives, and counts.
class RuleEvaluator : public Evaluator {
public:
  explicit RuleEvaluator(std::function<double(const Candidate &)> rule)
      : rule(std::move(rule)) {}
  llvm::Error evaluate(ArrayRef<const Candidate *> candidates,
                       std::vector<double> &scores) override {
    scores.clear();
    for (const Candidate *candidate : candidates)
      scores.push_back(rule(*candidate));
    asked += candidates.size();
    if (fails)
      return llvm::createStringError("no score today");
    return llvm::Error::success();
  }
  std::function<double(const Candidate &)> rule;
  unsigned asked = 0;
  bool fails = false;
};

class SearchTest : public testing::Test {
protected:
  SearchTest() : context(registry()) {
    context.loadAllAvailableDialects();
    test = std::make_unique<TestScop>(context, R"(
      func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
        affine.for %i = 0 to 64 {
          affine.for %j = 0 to 64 {
            %a = affine.load %A[%i, %j] : memref<64x64xf32>
            affine.store %a, %B[%j, %i] : memref<64x64xf32>
          }
        }
        return
      })");
    skeletons = buildSkeletons(test->getLegality());
  }
  static DialectRegistry registry() {
    DialectRegistry registry;
    addScheduleDialects(registry);
    return registry;
  }
  std::string trees(const SearchResult &result) {
    std::string text;
    llvm::raw_string_ostream os(text);
    for (const ScoredCandidate &scored : result.best)
      os << scored.score << ' '
         << writeTree(*scored.candidate.tree, test->scop()) << '\n';
    return text;
  }
  MLIRContext context;
  std::unique_ptr<TestScop> test;
  std::vector<Candidate> skeletons;
};

double bySteps(const Candidate &candidate) { return candidate.steps.size(); }
} // namespace

TEST_F(SearchTest, BudgetsHoldAndTheBestComesFirst) {
  for (auto search : {beamSearch, randomSearch})
    for (unsigned budget : {1u, 7u, 40u, 300u}) {
      RuleEvaluator evaluator(bySteps);
      SearchOptions options;
      options.budget = budget;
      auto result = search(skeletons, evaluator, options);
      ASSERT_TRUE(bool(result));
      EXPECT_EQ(result->scored, evaluator.asked);
      // The skeletons themselves are always scored.
      EXPECT_LE(result->scored, budget + skeletons.size());
      ASSERT_FALSE(result->best.empty());
      for (size_t i = 1; i < result->best.size(); ++i)
        EXPECT_GE(result->best[i - 1].score, result->best[i].score);
    }
}

TEST_F(SearchTest, DoingNothingCompetes) {
  RuleEvaluator evaluator([](const Candidate &) { return -1.0; });
  auto result = beamSearch(skeletons, evaluator, SearchOptions());
  ASSERT_TRUE(bool(result));
  EXPECT_TRUE(isSource(result->best[0].candidate));
  EXPECT_EQ(result->best[0].score, 0);
}

TEST_F(SearchTest, TheSameSeedFindsTheSame) {
  for (auto search : {beamSearch, randomSearch}) {
    SearchOptions options;
    options.budget = 100;
    options.seed = 3;
    RuleEvaluator evaluator(bySteps);
    auto a = search(skeletons, evaluator, options);
    auto b = search(skeletons, evaluator, options);
    ASSERT_TRUE(bool(a));
    ASSERT_TRUE(bool(b));
    EXPECT_EQ(trees(*a), trees(*b));
  }
}

TEST_F(SearchTest, AnErrorOfTheModelIsPassedOn) {
  for (auto search : {beamSearch, randomSearch}) {
    RuleEvaluator evaluator(bySteps);
    evaluator.fails = true;
    auto result = search(skeletons, evaluator, SearchOptions());
    ASSERT_FALSE(bool(result));
    EXPECT_EQ(llvm::toString(result.takeError()), "no score today");
  }
}

TEST_F(SearchTest, EverythingProposedIsLegal) {
  RuleEvaluator evaluator(bySteps);
  SearchOptions options;
  options.beamWidth = 64;
  auto result = beamSearch(skeletons, evaluator, options);
  ASSERT_TRUE(bool(result));
  EXPECT_GT(result->best.size(), 10u);
  for (ScoredCandidate &scored : result->best)
    EXPECT_TRUE(succeeded(checkLegal(scored.candidate, test->reason)))
        << test->reason;
}

TEST_F(SearchTest, SamplesDifferAndAreNotTheSource) {
  SearchOptions options;
  options.seed = 1;
  auto sample = sampleCandidates(skeletons, 50, options);
  EXPECT_EQ(sample.size(), 50u);
  llvm::DenseSet<Attribute> seen;
  for (Candidate &candidate : sample) {
    EXPECT_FALSE(isSource(candidate));
    EXPECT_TRUE(seen.insert(writeTree(*candidate.tree, test->scop())).second);
  }
}

TEST(RandomTest, NumbersAreTheSameEverywhere) {
  Random random(42);
  EXPECT_EQ(random.below(1000), 13930160852258120406ull % 1000);
  EXPECT_EQ(random.below(1000), 11788048577503494824ull % 1000);
  for (int i = 0; i < 100; ++i)
    EXPECT_LT(random.below(3), 3u);
}
