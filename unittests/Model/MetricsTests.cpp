//===- MetricsTests.cpp - Statistics against hand-computed samples --------===//
#include "nestor/Model/Metrics.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::nestor;

static std::vector<double> logs(std::vector<double> speedups) {
  for (double &x : speedups)
    x = std::log(x);
  return speedups;
}

TEST(Spearman, IsOneForAnyRisingPrediction) {
  EXPECT_DOUBLE_EQ(*computeSpearman({{1, 10, 100}, {0.1, 0.2, 0.3}}), 1);
  EXPECT_DOUBLE_EQ(*computeSpearman({{3, 2, 1}, {0.1, 0.2, 0.3}}), -1);
}

TEST(Spearman, MatchesTheFormulaWithoutTies) {
  // Ranks 0 1 2 3 against 1 0 3 2: 1 - 6 * (1+1+1+1) / (4 * 15) = 0.6.
  EXPECT_NEAR(*computeSpearman({{1, 2, 3, 4}, {2, 1, 4, 3}}), 0.6, 1e-12);
}

TEST(Spearman, GivesTiesTheMeanOfTheirRanks) {
  // Ranks 0.5 0.5 2 against 0 1 2, less the mean 1: (-.5 -.5 1) and (-1 0 1):
  // 1.5 / sqrt(1.5 * 2).
  EXPECT_NEAR(*computeSpearman({{5, 5, 7}, {1, 2, 3}}), 1.5 / std::sqrt(3.0),
              1e-12);
}

TEST(Spearman, IsZeroForConstantPredictions) {
  EXPECT_EQ(*computeSpearman({{0, 0, 0}, {1, 2, 3}}), 0);
}

TEST(Spearman, DoesNotExistWhereNothingCanBeOrdered) {
  EXPECT_FALSE(computeSpearman({{1}, {1}}));
  EXPECT_FALSE(computeSpearman({{}, {}}));
  EXPECT_FALSE(computeSpearman({{1, 2}, {0.5, 0.5}}));
}

TEST(NdcgAt1, IsTheShareOfTheBestSpeedup) {
  EXPECT_NEAR(computeNdcgAt1({{1, 3, 2}, logs({1, 2, 4})}), 2.0 / 4, 1e-12);
  EXPECT_NEAR(computeNdcgAt1({{1, 2, 3}, logs({1, 2, 4})}), 1, 1e-12);
}

TEST(NdcgAt1, DrawsAmongTies) {
  // (1 + 2) / 2 of 4.
  EXPECT_NEAR(computeNdcgAt1({{3, 3, 1}, logs({1, 2, 4})}), 1.5 / 4, 1e-12);
  // All: (1 + 2 + 4) / 3 of 4.
  EXPECT_NEAR(computeNdcgAt1({{0, 0, 0}, logs({1, 2, 4})}), 7.0 / 12, 1e-12);
}

TEST(NdcgAt1, IsOneForOneCandidate) {
  EXPECT_EQ(computeNdcgAt1({{-5}, {3}}), 1);
}

TEST(Evaluation, AveragesLabelsAndPrograms) {
  // Errors: 0, |1 - 2| / 2, |8 - 4| / 4; of the second program |3 - 2| / 2.
  std::vector<ProgramScores> programs{
      {logs({1, 1, 8}), logs({1, 2, 4})}, {logs({3}), logs({2})}, {{}, {}}};
  Evaluation result = evaluate(programs);
  EXPECT_EQ(result.programs, 2u);
  EXPECT_EQ(result.labels, 4u);
  EXPECT_NEAR(result.mape, (0 + 0.5 + 1 + 0.5) / 4, 1e-12);
  EXPECT_NEAR(result.ndcgAt1, 1, 1e-12);
  // The second program has no order, so the first stands alone.
  EXPECT_NEAR(result.spearman, 1.5 / std::sqrt(3.0), 1e-12);
}

TEST(Evaluation, OfNothingIsNothing) {
  Evaluation result = evaluate({});
  EXPECT_EQ(result.programs, 0u);
  EXPECT_EQ(result.mape, 0);
}

TEST(Metrics, PredictionsThatAreNoNumbersEnd) {
  ProgramScores scores;
  scores.predicted = {NAN, 1, NAN};
  scores.measured = {1, 2, 3};
  EXPECT_TRUE(computeSpearman(scores));
}
