//===- ScopTest.cpp - Hashes and budgets of scops -------------------------===//
#include "../Schedule/TestScop.h"
#include "nestor/Analysis/Polyhedral.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
class ScopTest : public testing::Test {
protected:
  ScopTest() : context(registry()) { context.loadAllAvailableDialects(); }
  static DialectRegistry registry() {
    DialectRegistry registry;
    addScheduleDialects(registry);
    return registry;
  }
  std::string hashOf(StringRef text) {
    TestScop test(context, text);
    return test ? test.scop().getHash() : "";
  }
  MLIRContext context;
};

const char *kProgram = R"(
  func.func @f(%A: memref<8x9xf32>, %n: index, %x: f32) {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to 9 {
        %a = affine.load %A[%i, %j] : memref<8x9xf32>
        %s = arith.addf %a, %x : f32
        affine.store %s, %A[%i, %j] : memref<8x9xf32>
      }
    }
    return
  })";

std::string replaced(std::string text, StringRef from, StringRef to) {
  size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to.str());
}
} // namespace

TEST_F(ScopTest, NamesLocationsAndMarksDoNotChangeTheHash) {
  std::string hash = hashOf(kProgram);
  EXPECT_EQ(hash.size(), 16u);
  std::string renamed = kProgram;
  for (auto [from, to] : {std::pair("@f", "@g"), std::pair("%a = ", "%b = "),
                          std::pair("addf %a", "addf %b")})
    renamed = replaced(renamed, from, to);
  EXPECT_EQ(hashOf(renamed), hash);
  EXPECT_EQ(hashOf(replaced(kProgram, ": f32\n        affine.store",
                            ": f32 loc(\"here\")\n        affine.store")),
            hash);
  // What stands before and after the scop.
  EXPECT_EQ(
      hashOf(replaced(kProgram, "    affine.for %i",
                      "    %z = arith.constant 1 : i32\n    affine.for %i")),
      hash);
}

TEST_F(ScopTest, TheProgramChangesTheHash) {
  std::string hash = hashOf(kProgram);
  for (auto [from, to] :
       {std::pair("0 to 9", "0 to 8"), std::pair("to %n", "to %n step 2"),
        std::pair("[%i, %j]", "[%i, %j - 1]"),
        std::pair("arith.addf", "arith.mulf"),
        std::pair("%a, %x : f32", "%x, %a : f32"),
        std::pair("%a, %x : f32", "%a, %x fastmath<reassoc> : f32")})
    EXPECT_NE(hashOf(replaced(kProgram, from, to)), hash) << to;
}

TEST_F(ScopTest, WhatMayOverlapChangesTheHash) {
  const char *copy = R"(
    func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
      %C = memref.alloc() : memref<8xf32>
      affine.for %i = 0 to 8 {
        %a = affine.load %A[%i] : memref<8xf32>
        affine.store %a, %B[%i] : memref<8xf32>
      }
      memref.dealloc %C : memref<8xf32>
      return
    })";
  EXPECT_NE(hashOf(copy), hashOf(replaced(copy, "%a, %B", "%a, %C")));
}

TEST_F(ScopTest, AUsedUpBudgetIsSaidNotGuessed) {
  TestScop test(context, kProgram);
  Polyhedral &poly = test.getLegality().getPolyhedral();
  poly.resetBudget(/*operations=*/1);
  isl::map pairs = poly.schedules[0].apply_range(poly.schedules[0].reverse());
  EXPECT_TRUE(poly.exhausted());
  // The next question has its own budget.
  poly.resetBudget();
  Candidate source = test.source();
  EXPECT_TRUE(succeeded(checkLegal(source, test.reason)));
}

TEST_F(ScopTest, QueriesShareAnAllowance) {
  TestScop test(context, kProgram);
  Polyhedral &poly = test.getLegality().getPolyhedral();
  isl_ctx *ctx = poly.ctx().get();
  auto ask = [&](unsigned operations) {
    poly.resetBudget();
    for (unsigned i = 0; i < operations; ++i)
      isl_val_free(isl_val_int_from_si(ctx, i));
    return !poly.exhausted();
  };
  const unsigned hard = 1'000'000, easy = 3'000;
  // Easy ones by the hundred leave enough for a hard one.
  for (unsigned i = 0; i < 500; ++i)
    EXPECT_TRUE(ask(easy));
  EXPECT_TRUE(ask(hard));
  unsigned answered = 1;
  while (answered < 100 && ask(hard))
    ++answered;
  EXPECT_LT(answered, 5u);
  // Those that no allowance is left for are still asked if they are easy.
  EXPECT_TRUE(ask(easy));
  EXPECT_FALSE(ask(hard));
  Candidate source = test.source();
  EXPECT_TRUE(succeeded(checkLegal(source, test.reason)));
}

TEST_F(ScopTest, DirectDependencesSkipNoWrite) {
  // Loops with steps take another way than those without.
  for (auto [step, expected] :
       {std::pair("1", "{ S0[i] -> S0[i + 1] : 0 <= i < 7; S0[i] -> S1[i] : 0 "
                       "<= i < 8; S1[i] -> S0[i + 1] : 0 <= i < 7 }"),
        std::pair("2", "{ S0[i] -> S0[i + 2] : i mod 2 = 0 and 0 <= i < 6; "
                       "S0[i] -> S1[i] : i mod 2 = 0 and 0 <= i < 8; S1[i] -> "
                       "S0[i + 2] : i mod 2 = 0 and 0 <= i < 6 }")}) {
    std::string text = replaced(R"(
      func.func @f(%A: memref<f32>, %B: memref<8xf32>, %x: f32) {
        affine.for %i = 0 to 8 step STEP {
          affine.store %x, %A[] : memref<f32>
          %a = affine.load %A[] : memref<f32>
          affine.store %a, %B[%i] : memref<8xf32>
        }
        return
      })",
                                "STEP", step);
    TestScop test(context, text);
    Polyhedral &poly = test.getLegality().getPolyhedral();
    // They may say more, of instances that there are none of.
    isl::union_map direct = poly.directDependences(/*withRelaxed=*/true)
                                .intersect_domain(poly.domain)
                                .intersect_range(poly.domain);
    isl::union_map wanted(poly.ctx(), expected);
    EXPECT_TRUE(direct.is_equal(wanted).is_true())
        << isl_union_map_to_str(direct.get());
  }
}

TEST_F(ScopTest, LeaveToReorderIsPerOperation) {
  auto free = [&](StringRef op, bool reassociate) {
    std::string text = (R"(
      func.func @f(%A: memref<8xf32>, %S: memref<f32>) {
        affine.for %i = 0 to 8 {
          %a = affine.load %A[%i] : memref<8xf32>
          %s = affine.load %S[] : memref<f32>
          %t = )" + op + R"( : f32
          affine.store %t, %S[] : memref<f32>
        }
        return
      })")
                           .str();
    TestScop test(context, text);
    return test.scop().mayReassociate(test.scop().statements[0], reassociate);
  };
  EXPECT_FALSE(free("arith.addf %s, %a", false));
  EXPECT_TRUE(free("arith.addf %s, %a", true));
  EXPECT_TRUE(free("arith.addf %s, %a fastmath<reassoc>", false));
  EXPECT_TRUE(free("arith.mulf %s, %a fastmath<fast>", false));
  EXPECT_FALSE(free("arith.mulf %s, %a fastmath<contract>", false));
  EXPECT_TRUE(free("arith.minimumf %s, %a", false));
  // No reduction by a recognised operation.
  EXPECT_FALSE(free("arith.subf %s, %a fastmath<fast>", true));
  EXPECT_FALSE(free("arith.divf %s, %a fastmath<fast>", true));
}
