//===- LegalityTest.cpp - What trees may do, on hand-made ones ------------===//
#include "TestScop.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
class LegalityTest : public testing::Test {
protected:
  LegalityTest() : context(registry()) { context.loadAllAvailableDialects(); }
  static DialectRegistry registry() {
    DialectRegistry registry;
    addScheduleDialects(registry);
    return registry;
  }
  MLIRContext context;
};

/// Distances (1, -1) and (0, 1).
const char *kStencil = R"(
  func.func @f(%A: memref<16x16xf32>) {
    affine.for %i = 1 to 16 {
      affine.for %j = 1 to 15 {
        %a = affine.load %A[%i - 1, %j + 1] : memref<16x16xf32>
        %b = affine.load %A[%i, %j - 1] : memref<16x16xf32>
        %s = arith.addf %a, %b : f32
        affine.store %s, %A[%i, %j] : memref<16x16xf32>
      }
    }
    return
  })";

const char *kColumns = R"(
  func.func @f(%A: memref<16x16xf32>) {
    affine.for %i = 1 to 16 {
      affine.for %j = 0 to 16 {
        %a = affine.load %A[%i - 1, %j] : memref<16x16xf32>
        affine.store %a, %A[%i, %j] : memref<16x16xf32>
      }
    }
    return
  })";

const char *kSum = R"(
  func.func @f(%A: memref<16xf32>, %S: memref<f32>) {
    affine.for %i = 0 to 16 {
      %a = affine.load %A[%i] : memref<16xf32>
      %s = affine.load %S[] : memref<f32>
      %t = arith.addf %s, %a : f32
      affine.store %t, %S[] : memref<f32>
    }
    return
  })";

const char *kTwoNests = R"(
  func.func @f(%A: memref<16xf32>, %B: memref<16xf32>, %x: f32) {
    affine.for %i = 0 to 16 {
      affine.store %x, %A[%i] : memref<16xf32>
    }
    affine.for %i = 0 to 15 {
      %a = affine.load %A[%i + 1] : memref<16xf32>
      affine.store %a, %B[%i] : memref<16xf32>
    }
    return
  })";

/// A band of one statement with the given members' maps, outermost first.
std::string band(ArrayRef<const char *> maps) {
  std::string members;
  for (auto [i, map] : llvm::enumerate(maps))
    members += (i ? ", " : "") +
               ("#nestor.member<name = \"c" + std::to_string(i) +
                "\", maps = [affine_map<") +
               map + ">]>";
  return "#nestor.band<stmts = [0], members = [" + members +
         "], child = #nestor.leaf>";
}
} // namespace

TEST_F(LegalityTest, SourceOrderIsLegalAndGetsItsBits) {
  TestScop stencil(context, kStencil);
  Candidate source = stencil.source();
  EXPECT_FALSE(source.tree->permutable);
  EXPECT_FALSE(source.tree->members[0].coincident);
  EXPECT_FALSE(source.tree->members[1].coincident);

  TestScop columns(context, kColumns);
  source = columns.source();
  EXPECT_TRUE(source.tree->permutable);
  EXPECT_FALSE(source.tree->members[0].coincident);
  EXPECT_TRUE(source.tree->members[1].coincident);
}

TEST_F(LegalityTest, WhatTheAttributePromisesIsComputedAgain) {
  TestScop test(context, kStencil);
  auto tree = test.treeOf(band({"(d0, d1) -> (d0)", "(d0, d1) -> (d1)"}));
  tree->permutable = true;
  tree->members[1].coincident = true;
  ASSERT_TRUE(succeeded(test.getLegality().analyse(*tree, test.reason)));
  EXPECT_FALSE(tree->permutable);
  EXPECT_FALSE(tree->members[1].coincident);
}

TEST_F(LegalityTest, OrdersThatBreakADependenceAreRefused) {
  TestScop test(context, kStencil);
  auto swapped = test.treeOf(band({"(d0, d1) -> (d1)", "(d0, d1) -> (d0)"}));
  EXPECT_TRUE(failed(test.getLegality().analyse(*swapped, test.reason)));
  EXPECT_NE(test.reason.find("break a dependence from statement 0"),
            std::string::npos);
  auto reversed = test.treeOf(band({"(d0, d1) -> (-d0)", "(d0, d1) -> (d1)"}));
  EXPECT_TRUE(failed(test.getLegality().analyse(*reversed, test.reason)));
  // A skew makes the band permutable, and then any order will do.
  auto skewed =
      test.treeOf(band({"(d0, d1) -> (d0)", "(d0, d1) -> (d0 + d1)"}));
  ASSERT_TRUE(succeeded(test.getLegality().analyse(*skewed, test.reason)));
  EXPECT_TRUE(skewed->permutable);
  auto turned =
      test.treeOf(band({"(d0, d1) -> (d0 + d1)", "(d0, d1) -> (d0)"}));
  EXPECT_TRUE(succeeded(test.getLegality().analyse(*turned, test.reason)));
}

TEST_F(LegalityTest, ReorderingIsSeen) {
  TestScop test(context, kColumns);
  Legality &legality = test.getLegality();
  Candidate candidate = test.source();
  EXPECT_EQ(legality.reorders(*candidate.tree), false);
  ASSERT_TRUE(test.apply(candidate, "#nestor.unroll<\"L1\", 4>"));
  EXPECT_EQ(legality.reorders(*candidate.tree), false);
  ASSERT_TRUE(test.apply(candidate, "#nestor.promote<\"L0\">"));
  EXPECT_EQ(legality.reorders(*candidate.tree), false);
  Candidate tiled = test.source();
  ASSERT_TRUE(test.apply(tiled, "#nestor.tile<[\"L1\"], [4]>"));
  EXPECT_EQ(legality.reorders(*tiled.tree), true);
  // A tile that holds the whole loop changes nothing.
  Candidate whole = test.source();
  ASSERT_TRUE(test.apply(whole, "#nestor.tile<[\"L1\"], [16]>"));
  EXPECT_EQ(legality.reorders(*whole.tree), false);
  Candidate swapped = test.source();
  ASSERT_TRUE(test.apply(swapped, "#nestor.interchange<[\"L1\", \"L0\"]>"));
  EXPECT_EQ(legality.reorders(*swapped.tree), true);
}

TEST_F(LegalityTest, ReorderingOfManyStatementsIsNotAsked) {
  std::string text = "func.func @f(%A: memref<999xf32>, %x: f32) {\n"
                     "  affine.for %i = 0 to 16 {\n";
  for (unsigned i = 0; i < 101; ++i)
    text += "    affine.store %x, %A[%i + " + std::to_string(i * 8) +
            "] : memref<999xf32>\n";
  TestScop test(context, text + "  }\n  return\n}\n");
  Candidate candidate = test.source();
  EXPECT_EQ(test.getLegality().reorders(*candidate.tree), std::nullopt);
}

TEST_F(LegalityTest, ReorderingBetweenStatementsIsSeen) {
  TestScop test(context, kTwoNests);
  const char *fused = R"(#nestor.band<stmts = [0, 1], members = [
      #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 1)>]>],
      child = #nestor.sequence<[#nestor.filter<stmts = [0], child = #nestor.leaf>,
                                #nestor.filter<stmts = [1], child = #nestor.leaf>]>>)";
  auto tree = test.treeOf(fused);
  ASSERT_TRUE(succeeded(test.getLegality().analyse(*tree, test.reason)))
      << test.reason;
  EXPECT_EQ(test.getLegality().reorders(*tree), true);
  // One iteration too early.
  std::string early = fused;
  early.replace(early.find("(d0 + 1)"), 8, "(d0)");
  tree = test.treeOf(early);
  EXPECT_TRUE(failed(test.getLegality().analyse(*tree, test.reason)));
}

TEST_F(LegalityTest, SumsMayMoveOnlyWithLeave) {
  TestScop strict(context, kSum);
  auto tree = strict.treeOf(band({"(d0) -> (-d0)"}));
  EXPECT_TRUE(failed(strict.getLegality().analyse(*tree, strict.reason)));
  TestScop free(context, kSum, 0, /*reassociate=*/true);
  tree = free.treeOf(band({"(d0) -> (-d0)"}));
  ASSERT_TRUE(succeeded(free.getLegality().analyse(*tree, free.reason)));
  // It carries all the same: no lanes.
  EXPECT_FALSE(tree->members[0].coincident);
}

TEST_F(LegalityTest, EveryInstanceRunsOnce) {
  TestScop test(context, kColumns);
  auto lost = test.treeOf(band({"(d0, d1) -> (d0)"}));
  EXPECT_TRUE(failed(test.getLegality().analyse(*lost, test.reason)));
  EXPECT_EQ(test.reason,
            "two instances of statement 0 would run at the same place");
  auto folded =
      test.treeOf(band({"(d0, d1) -> (d0)", "(d0, d1) -> (d1 floordiv 2)"}));
  EXPECT_TRUE(failed(test.getLegality().analyse(*folded, test.reason)));
  auto both =
      test.treeOf(band({"(d0, d1) -> (d0)", "(d0, d1) -> (d1 floordiv 2)",
                        "(d0, d1) -> (d1 mod 2)"}));
  EXPECT_TRUE(succeeded(test.getLegality().analyse(*both, test.reason)));
}

TEST_F(LegalityTest, AFailedStepLeavesTheCandidateAsItWas) {
  TestScop test(context, kStencil);
  Candidate candidate = test.source();
  Attribute before = writeTree(*candidate.tree, test.scop());
  for (const char *step :
       {"#nestor.interchange<[\"L1\", \"L0\"]>", "#nestor.reverse<\"L0\">",
        "#nestor.tile<[\"L0\", \"L1\"], [4, 4]>",
        "#nestor.unroll_jam<\"L0\", 2>", "#nestor.vectorize<\"L1\", 4, 1>",
        "#nestor.promote<\"L9\">"}) {
    EXPECT_FALSE(test.apply(candidate, step)) << step;
    EXPECT_FALSE(test.reason.empty());
    EXPECT_EQ(writeTree(*candidate.tree, test.scop()), before) << step;
    EXPECT_TRUE(candidate.steps.empty()) << step;
  }
}

TEST_F(LegalityTest, WhatIsNoStepIsRefused) {
  TestScop test(context, kColumns);
  Candidate candidate = test.source();
  std::string reason;
  EXPECT_TRUE(failed(applyStep(candidate, UnitAttr::get(&context), reason)));
  EXPECT_EQ(reason, "it is no step of a registered move");
}
