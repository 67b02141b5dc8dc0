//===- StoppedTest.cpp - isl stopped at any point -------------------------===//
#include "../IslLimit.h"
#include "TestScop.h"

using namespace mlir;
using namespace mlir::nestor;

// Full blocks are generated apart; isl's function for that read a name of what
// it had been stopped from making.
TEST(StoppedTest, IslMayBeStoppedAnywhereWhileLoopsAreMade) {
  DialectRegistry registry;
  addScheduleDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  TestScop test(context, R"(
    func.func @f(%A: memref<16xf32>, %x: f32) {
      affine.for %i = 0 to 13 {
        affine.store %x, %A[%i] : memref<16xf32>
      }
      return
    })");
  ASSERT_TRUE(test);
  Candidate candidate = test.source();
  ASSERT_TRUE(test.apply(candidate, "#nestor.unroll<\"L0\", 4>"))
      << test.reason;
  unsigned long operations = 1;
  std::string reason;
  auto canRewrite = [&] {
    IslLimit limit(operations);
    return canRewriteScop(test.scop(), candidate, AliasMode::Check, reason);
  };
  // In small steps where the blocks are made.
  for (; operations < 20'000 && !canRewrite();
       operations += operations < 2'000 ? 1 : 100)
    ASSERT_NE(reason.find("too complex"), std::string::npos) << reason;
  EXPECT_GT(operations, 1'000u);
  EXPECT_LT(operations, 20'000u);
}
