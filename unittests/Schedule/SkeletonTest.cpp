//===- SkeletonTest.cpp - Where searches start ----------------------------===//
#include "TestScop.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
class SkeletonTest : public testing::Test {
protected:
  SkeletonTest() : context(registry()) { context.loadAllAvailableDialects(); }
  static DialectRegistry registry() {
    DialectRegistry registry;
    addScheduleDialects(registry);
    return registry;
  }
  static const Candidate *find(ArrayRef<Candidate> skeletons, StringRef name) {
    for (const Candidate &skeleton : skeletons)
      if (skeleton.skeleton == name)
        return &skeleton;
    return nullptr;
  }
  static unsigned countBands(TreeNode &tree) {
    unsigned bands = 0;
    walkTree(tree, [&](TreeNode &node) {
      bands += node.kind == TreeNode::Kind::Band;
    });
    return bands;
  }
  MLIRContext context;
};
} // namespace

TEST_F(SkeletonTest, SourceComesFirstAndEachIsLegalAndNew) {
  TestScop test(context, R"(
    func.func @f(%A: memref<16x16xf32>, %B: memref<16xf32>, %x: f32) {
      affine.for %i = 0 to 16 {
        affine.store %x, %B[%i] : memref<16xf32>
        affine.for %j = 0 to 16 {
          %b = affine.load %B[%i] : memref<16xf32>
          affine.store %b, %A[%j, %i] : memref<16x16xf32>
        }
      }
      return
    })");
  auto skeletons = buildSkeletons(test.getLegality());
  ASSERT_GE(skeletons.size(), 2u);
  EXPECT_EQ(skeletons[0].skeleton, "source");
  EXPECT_TRUE(isSource(skeletons[0]));
  llvm::DenseSet<Attribute> trees;
  for (Candidate &skeleton : skeletons) {
    EXPECT_TRUE(succeeded(checkLegal(skeleton, test.reason))) << test.reason;
    EXPECT_TRUE(trees.insert(writeTree(*skeleton.tree, test.scop())).second);
  }
  // Distribution gives the inner statement a band of two loops.
  const Candidate *distributed = find(skeletons, "distributed");
  ASSERT_TRUE(distributed);
  TreeNode *widest = nullptr;
  walkTree(*distributed->tree, [&](TreeNode &node) {
    if (!widest || node.members.size() > widest->members.size())
      widest = &node;
  });
  EXPECT_EQ(widest->members.size(), 2u);
  EXPECT_TRUE(widest->permutable);
}

TEST_F(SkeletonTest, LoopNamesDifferAfterRepeatedDistribution) {
  TestScop test(context, R"(
    func.func @f(%A: memref<8x8xf32>, %B: memref<8x8xf32>, %C: memref<8x8xf32>,
                 %D: memref<8x8xf32>, %x: f32) {
      affine.for %i = 0 to 8 {
        affine.for %j = 0 to 8 {
          affine.store %x, %A[%i, %j] : memref<8x8xf32>
          affine.store %x, %B[%i, %j] : memref<8x8xf32>
          affine.store %x, %C[%i, %j] : memref<8x8xf32>
          affine.store %x, %D[%i, %j] : memref<8x8xf32>
        }
        affine.store %x, %A[%i, 0] : memref<8x8xf32>
        affine.store %x, %B[%i, 0] : memref<8x8xf32>
        affine.store %x, %C[%i, 0] : memref<8x8xf32>
      }
      return
    })");
  for (Candidate &skeleton : buildSkeletons(test.getLegality())) {
    llvm::StringSet<> names;
    walkTree(*skeleton.tree, [&](TreeNode &node) {
      for (Member &member : node.members)
        EXPECT_TRUE(names.insert(member.name).second)
            << skeleton.skeleton << ": " << member.name;
    });
  }
}

TEST_F(SkeletonTest, ADependenceKeepsLoopsTogether) {
  // Each statement needs the other one's value of the iteration before.
  TestScop test(context, R"(
    func.func @f(%A: memref<17xf32>, %B: memref<17xf32>) {
      affine.for %i = 1 to 17 {
        %b = affine.load %B[%i - 1] : memref<17xf32>
        affine.store %b, %A[%i] : memref<17xf32>
        %a = affine.load %A[%i - 1] : memref<17xf32>
        affine.store %a, %B[%i] : memref<17xf32>
      }
      return
    })");
  for (Candidate &skeleton : buildSkeletons(test.getLegality()))
    EXPECT_EQ(countBands(*skeleton.tree), 1u) << skeleton.skeleton;
}

TEST_F(SkeletonTest, FusionIsFound) {
  TestScop test(context, R"(
    func.func @f(%A: memref<16xf32>, %B: memref<16xf32>, %x: f32) {
      affine.for %i = 0 to 16 {
        affine.store %x, %A[%i] : memref<16xf32>
      }
      affine.for %i = 0 to 16 {
        %a = affine.load %A[%i] : memref<16xf32>
        affine.store %a, %B[%i] : memref<16xf32>
      }
      return
    })");
  auto skeletons = buildSkeletons(test.getLegality());
  EXPECT_EQ(countBands(*skeletons[0].tree), 2u);
  const Candidate *fused = find(skeletons, "isl-max-fuse");
  ASSERT_TRUE(fused);
  EXPECT_EQ(countBands(*fused->tree), 1u);
}

TEST_F(SkeletonTest, StatementsWithoutInstancesHaveAPlace) {
  TestScop test(context, R"(
    func.func @f(%A: memref<16x16xf32>, %x: f32) {
      affine.for %i = 0 to 16 {
        affine.store %x, %A[%i, 0] : memref<16x16xf32>
      }
      affine.for %i = 7 to 3 {
        affine.store %x, %A[0, %i] : memref<16x16xf32>
      }
      return
    })");
  for (Candidate &skeleton : buildSkeletons(test.getLegality())) {
    unsigned leaves = 0;
    walkTree(*skeleton.tree, [&](TreeNode &node) {
      if (node.kind == TreeNode::Kind::Leaf)
        leaves += node.stmts.size();
    });
    EXPECT_EQ(leaves, 2u) << skeleton.skeleton;
  }
}
