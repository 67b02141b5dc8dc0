//===- AnalyticalTest.cpp - Unit tests of the analytical model ------------===//
//
// Cost room: the orders that the model must get right. Each expectation is a
// known fact of the machines it describes (see docs/features.md), not a golden
// number.
//
//===----------------------------------------------------------------------===//
#include "TestNest.h"
#include "nestor/Cost/CostModel.h"

#include <cmath>
#include <cstdlib>

using namespace mlir;
using namespace mlir::nestor;

namespace {

TargetDescriptor avx2() { return cantFail(getNamedTarget("generic-avx2")); }

/// With NESTOR_PRINT_TERMS in the environment, also prints the terms.
double cyclesOf(TestNest &nest, ArrayRef<const char *> steps,
                const char *what = "") {
  AnalyticalTerms terms = analyse(nest.features(steps), avx2());
  if (std::getenv("NESTOR_PRINT_TERMS"))
    printf(
        "%-28s total %.3g compute %.3g latency %.3g spill %.3g overhead %.3g "
        "l1 %.3g l2 %.3g mem %.3g tlb %.3g vec %.2f per %.3f\n",
        what, terms.total, terms.compute, terms.latency, terms.spill,
        terms.overhead, terms.l1, terms.l2, terms.memory, terms.tlb,
        terms.vectorShare, terms.total / terms.instances);
  EXPECT_TRUE(std::isfinite(terms.total));
  return terms.total;
}

std::string matmul(const char *n, const char *type, const char *fast = "") {
  std::string text = R"(
func.func @matmul(%A: memref<NxNxT>, %B: memref<NxNxT>, %C: memref<NxNxT>) {
  affine.for %i = 0 to N {
    affine.for %j = 0 to N {
      affine.for %k = 0 to N {
        %c = affine.load %C[%i, %j] : memref<NxNxT>
        %a = affine.load %A[%i, %k] : memref<NxNxT>
        %b = affine.load %B[%k, %j] : memref<NxNxT>
        %p = arith.mulf %a, %b FAST : T
        %s = arith.addf %c, %p FAST : T
        affine.store %s, %C[%i, %j] : memref<NxNxT>
      }
    }
  }
  return
})";
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    StringRef rest = StringRef(text).substr(i);
    if (rest.starts_with("FAST")) {
      result += fast;
      i += 3;
    } else if (rest.starts_with("N") || rest.starts_with("T")) {
      result += text[i] == 'N' ? n : type;
    } else {
      result += text[i];
    }
  }
  return result;
}

constexpr const char *kIkj = "#nestor.interchange<[\"L0\", \"L2\", \"L1\"]>";
constexpr const char *kJki = "#nestor.interchange<[\"L1\", \"L2\", \"L0\"]>";

TEST(AnalyticalTest, MatmulPrefersUnitStride) {
  TestNest nest(matmul("1024", "f64"));
  double ijk = cyclesOf(nest, {}, "ijk");
  double ikj = cyclesOf(nest, {kIkj}, "ikj");
  double jki = cyclesOf(nest, {kJki}, "jki");
  EXPECT_LT(ikj * 3, ijk);
  EXPECT_LT(ijk, jki * 1.1);
}

// 6 rows of 2 vectors, accumulators in registers over k.
TEST(AnalyticalTest, RegisterTileBeatsIkj) {
  TestNest nest(matmul("768", "f64", "fastmath<contract,reassoc>"), true);
  double ikj = cyclesOf(nest, {kIkj}, "ikj");
  double tile = cyclesOf(
      nest,
      {"#nestor.tile<[\"L2\"], [256]>", "#nestor.vectorize<\"L1\", 4, 2>",
       "#nestor.unroll_jam<\"L0\", 6>", "#nestor.promote<\"L2\">"},
      "6x2, k tiled");
  double memory = cyclesOf(nest,
                           {"#nestor.tile<[\"L2\"], [256]>",
                            "#nestor.vectorize<\"L1\", 4, 2>",
                            "#nestor.unroll_jam<\"L0\", 6>"},
                           "6x2, not promoted");
  double spills = cyclesOf(
      nest,
      {"#nestor.tile<[\"L2\"], [256]>", "#nestor.vectorize<\"L1\", 4, 4>",
       "#nestor.unroll_jam<\"L0\", 6>", "#nestor.promote<\"L2\">"},
      "6x4 spills");
  double scalar =
      cyclesOf(nest,
               {"#nestor.unroll_jam<\"L0\", 4>",
                "#nestor.unroll_jam<\"L1\", 4>", "#nestor.promote<\"L2\">"},
               "4x4 scalar");
  EXPECT_LT(tile * 2, ikj);
  EXPECT_GT(tile * 8, ikj);
  EXPECT_LT(tile * 1.3, memory);
  EXPECT_LT(tile * 1.1, spills);
  EXPECT_LT(tile * 1.5, scalar);
}

// Tiles without a register tile only shorten the inner loop.
TEST(AnalyticalTest, NarrowTilesLoseALittle) {
  TestNest nest(matmul("256", "f64"));
  double ikj = cyclesOf(nest, {kIkj}, "ikj 256");
  double narrow = cyclesOf(
      nest, {kIkj, "#nestor.tile<[\"L0\", \"L2\", \"L1\"], [16, 16, 16]>"},
      "16x16x16");
  EXPECT_GT(narrow, ikj * 1.1);
  EXPECT_LT(narrow, ikj * 4);
}

// The whole of B passes for every row of C, unless k is cut.
TEST(AnalyticalTest, TilingHelpsLargeMatrices) {
  TestNest nest(matmul("3000", "f64"));
  double ikj = cyclesOf(nest, {kIkj}, "ikj 3000");
  double tiled = cyclesOf(nest,
                          {kIkj, "#nestor.tile<[\"L2\", \"L1\"], [64, 512]>",
                           "#nestor.interchange<[\"L2.t\", \"L1.t\"]>"},
                          "k, j inside i");
  double outer = cyclesOf(nest,
                          {"#nestor.tile<[\"L0\", \"L1\", \"L2\"], "
                           "[3000, 512, 64]>",
                           "#nestor.interchange<[\"L0\", \"L2\", \"L1\"]>"},
                          "k and j tiles outside i");
  EXPECT_LT(outer, ikj);
  EXPECT_LT(outer, tiled * 1.2);
}

TEST(AnalyticalTest, TransposedCopyLikesTiles) {
  TestNest nest(R"(
func.func @transpose(%A: memref<4096x4096xf64>, %B: memref<4096x4096xf64>) {
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 4096 {
      %a = affine.load %A[%j, %i] : memref<4096x4096xf64>
      affine.store %a, %B[%i, %j] : memref<4096x4096xf64>
    }
  }
  return
})");
  double plain = cyclesOf(nest, {}, "transpose");
  double tiled = cyclesOf(nest, {"#nestor.tile<[\"L0\", \"L1\"], [8, 64]>"},
                          "transpose 8x64");
  EXPECT_LT(tiled, plain);
}

// One chain of additions takes 4 cycles a step; four take as long together.
TEST(AnalyticalTest, ChainsBoundReductions) {
  TestNest nest(R"(
func.func @mv(%A: memref<512x512xf64>, %x: memref<512xf64>, %y: memref<512xf64>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      %a = affine.load %A[%i, %j] : memref<512x512xf64>
      %b = affine.load %x[%j] : memref<512xf64>
      %c = affine.load %y[%i] : memref<512xf64>
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %c, %p : f64
      affine.store %s, %y[%i] : memref<512xf64>
    }
  }
  return
})");
  double plain = cyclesOf(nest, {}, "mv");
  double promoted = cyclesOf(nest, {"#nestor.promote<\"L1\">"}, "mv promoted");
  double jammed = cyclesOf(
      nest, {"#nestor.unroll_jam<\"L0\", 4>", "#nestor.promote<\"L1\">"},
      "mv jam 4 promoted");
  EXPECT_LT(promoted, plain);
  EXPECT_LT(jammed * 1.8, promoted);
}

TEST(AnalyticalTest, ColumnSweepPrefersRows) {
  TestNest nest(R"(
func.func @sweep(%A: memref<2000x2000xf64>) {
  affine.for %j = 0 to 2000 {
    affine.for %i = 1 to 2000 {
      %a = affine.load %A[%i - 1, %j] : memref<2000x2000xf64>
      %b = affine.load %A[%i, %j] : memref<2000x2000xf64>
      %s = arith.addf %a, %b : f64
      affine.store %s, %A[%i, %j] : memref<2000x2000xf64>
    }
  }
  return
})");
  double columns = cyclesOf(nest, {}, "columns");
  double rows =
      cyclesOf(nest, {"#nestor.interchange<[\"L1\", \"L0\"]>"}, "rows");
  EXPECT_LT(rows * 3, columns);
}

TEST(AnalyticalTest, ModelScoresByTheTotal) {
  TestNest nest(matmul("512", "f32"));
  ModelInput base, better;
  base.features = nest.features();
  better.features = nest.features({kIkj});
  for (ModelInput *input : {&base, &better})
    input->analytical = analyse(input->features, avx2()).scaled();
  std::vector<double> scores;
  auto model = createAnalyticalModel(avx2());
  EXPECT_FALSE(bool(model->score({&base, &better}, scores)));
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_GT(scores[1], scores[0] + 0.5);
  // The same from the terms of an input, as training and evaluation have them.
  EXPECT_NEAR(scores[0], getAnalyticalScore(base), 1e-5);
  EXPECT_NEAR(scores[0], -std::log1p(analyse(base.features, avx2()).total),
              1e-5);
}

TEST(AnalyticalTest, TargetRowsAreFinite) {
  TargetDescriptor empty;
  empty.gigahertz = 0;
  for (float x : targetFeatures(empty))
    EXPECT_TRUE(std::isfinite(x));
  TestNest nest(matmul("64", "f32"));
  EXPECT_TRUE(std::isfinite(analyse(nest.features(), empty).total));
  for (float x : analyse(nest.features(), empty).scaled())
    EXPECT_TRUE(std::isfinite(x));
}

} // namespace

// Both hopeful: the mean. Otherwise the more doubtful word counts, so that "do
// nothing" (0) wins wherever one of the two sees no gain.
TEST(Temper, TakesTheMeanOnlyWhereBothExpectAGain) {
  EXPECT_DOUBLE_EQ(temper(1.0, 3.0), 2.0);
  EXPECT_DOUBLE_EQ(temper(2.0, -0.5), -0.5);
  EXPECT_DOUBLE_EQ(temper(-1.0, 4.0), -1.0);
  EXPECT_DOUBLE_EQ(temper(0.0, 4.0), 0.0);
}
