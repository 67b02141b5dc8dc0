//===- FeaturesTest.cpp - Unit tests of the feature rows ------------------===//
//
// Features room: hand-worked rows, and the laws that any row must keep.
//
//===----------------------------------------------------------------------===//
#include "TestNest.h"

#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <cmath>

using namespace mlir;
using namespace mlir::nestor;

namespace {

/// s(x), undone.
double plain(float scaled) {
  return scaled < 0 ? -std::expm1(-scaled) : std::expm1(scaled);
}

constexpr const char *kMatmul = R"(
func.func @matmul(%A: memref<1000x512xf32>, %B: memref<512x256xf32>,
                  %C: memref<1000x256xf32>) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 256 {
      affine.for %k = 0 to 512 {
        %c = affine.load %C[%i, %j] : memref<1000x256xf32>
        %a = affine.load %A[%i, %k] : memref<1000x512xf32>
        %b = affine.load %B[%k, %j] : memref<512x256xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<1000x256xf32>
      }
    }
  }
  return
})";

constexpr const char *kTriangle = R"(
func.func @triangle(%A: memref<100x100xf64>) {
  affine.for %i = 0 to 100 {
    affine.for %j = affine_map<(d0) -> (0)>(%i) to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %A[%i, %j] : memref<100x100xf64>
      %b = arith.addf %a, %a : f64
      affine.store %b, %A[%i, %j] : memref<100x100xf64>
    }
  }
  return
})";

/// True if both give the same numbers for every row.
bool same(const CandidateFeatures &a, const CandidateFeatures &b) {
  if (a.loops.size() != b.loops.size() ||
      a.statements.size() != b.statements.size())
    return false;
  for (size_t i = 0; i < a.loops.size(); ++i)
    if (a.loops[i].loop != b.loops[i].loop ||
        a.loops[i].parent != b.loops[i].parent ||
        a.loops[i].order != b.loops[i].order)
      return false;
  for (size_t i = 0; i < a.statements.size(); ++i) {
    const StatementFeatures &x = a.statements[i], &y = b.statements[i];
    if (x.flags != y.flags || x.domain != y.domain ||
        x.loops.data != y.loops.data || x.accesses.data != y.accesses.data ||
        x.tokens.data != y.tokens.data || x.parent != y.parent ||
        x.order != y.order || x.programKey != y.programKey)
      return false;
  }
  return true;
}

void expectWellFormed(const CandidateFeatures &features) {
  auto finite = [](const std::vector<float> &row) {
    for (float x : row)
      if (!std::isfinite(x))
        return false;
    return true;
  };
  for (const StatementFeatures &stmt : features.statements) {
    EXPECT_EQ(stmt.flags.size(), kFlagDim);
    EXPECT_EQ(stmt.domain.size(), kDomainDim);
    EXPECT_EQ(stmt.loops.width, kLoopDim);
    EXPECT_EQ(stmt.accesses.width, kAccessDim);
    EXPECT_EQ(stmt.tokens.width, kTokenDim);
    EXPECT_EQ(stmt.loops.data.size() % kLoopDim, 0u);
    EXPECT_EQ(stmt.accesses.data.size() % kAccessDim, 0u);
    EXPECT_EQ(stmt.tokens.data.size() % kTokenDim, 0u);
    EXPECT_LT(stmt.parent, static_cast<int>(features.loops.size()));
    EXPECT_TRUE(finite(stmt.flags) && finite(stmt.domain) &&
                finite(stmt.loops.data) && finite(stmt.accesses.data) &&
                finite(stmt.tokens.data));
  }
  for (size_t i = 0; i < features.loops.size(); ++i) {
    EXPECT_EQ(features.loops[i].loop.size(), kLoopDim);
    EXPECT_LT(features.loops[i].parent, static_cast<int>(i));
    EXPECT_TRUE(finite(features.loops[i].loop));
  }
}

// Whatever order its loops are written in, a program under the same schedule is
// the same to a model.
TEST(FeaturesTest, SourceOrderDoesNotMatter) {
  StringRef text(kMatmul);
  size_t begin = text.find("  affine.for"), end = text.find("        %c =");
  SmallVector<StringRef> loops;
  text.slice(begin, end).trim('\n').split(loops, '\n');
  ASSERT_EQ(loops.size(), 3u);
  CandidateFeatures expected = TestNest(kMatmul).features();
  unsigned order[] = {0, 1, 2}; // order[depth] is the place in i, j, k
  do {
    std::string source = text.take_front(begin).str();
    std::string names[3];
    for (unsigned depth = 0; depth < 3; ++depth) {
      source += loops[order[depth]].str() + "\n";
      names[order[depth]] = "\"L" + std::to_string(depth) + "\"";
    }
    source += text.substr(end);
    std::string step = "#nestor.interchange<[" + names[0] + ", " + names[1] +
                       ", " + names[2] + "]>";
    EXPECT_TRUE(same(TestNest(source).features({step.c_str()}), expected))
        << source;
  } while (std::next_permutation(order, order + 3));
}

TEST(FeatureNamesTest, EveryKindHasANameForEverySlot) {
  EXPECT_EQ(featureNames("flags").size(), kFlagDim);
  EXPECT_EQ(featureNames("domain").size(), kDomainDim);
  EXPECT_EQ(featureNames("loop").size(), kLoopDim);
  EXPECT_EQ(featureNames("access").size(), kAccessDim);
  EXPECT_EQ(featureNames("token").size(), kTokenDim);
  EXPECT_TRUE(featureNames("nonsense").empty());
}

TEST(FeaturesTest, MatmulAsWritten) {
  TestNest nest(kMatmul);
  CandidateFeatures features = nest.features();
  expectWellFormed(features);
  ASSERT_EQ(features.statements.size(), 1u);
  const StatementFeatures &stmt = features.statements[0];
  ASSERT_EQ(stmt.loops.size(), 3u);
  ASSERT_EQ(stmt.accesses.size(), 4u);
  // Post-order: c, a, b, mul, add.
  ASSERT_EQ(stmt.tokens.size(), 5u);
  EXPECT_EQ(slotOf(stmt.tokens, 0, "token", "load"), 1);
  EXPECT_EQ(slotOf(stmt.tokens, 3, "token", "mul"), 1);
  EXPECT_EQ(slotOf(stmt.tokens, 4, "token", "add"), 1);
  EXPECT_EQ(slotOf(stmt.tokens, 4, "token", "f32"), 1);
  EXPECT_EQ(slotOf(stmt.tokens, 4, "token", "contract"), 0);

  EXPECT_NEAR(plain(slotOf(stmt.loops, 0, "loop", "trip")), 1000, 1e-2);
  EXPECT_NEAR(plain(slotOf(stmt.loops, 1, "loop", "trip")), 256, 1e-2);
  EXPECT_NEAR(plain(slotOf(stmt.loops, 2, "loop", "trip")), 512, 1e-2);
  // k carries the sum, i and j carry nothing.
  EXPECT_EQ(slotOf(stmt.loops, 0, "loop", "is_coincident"), 1);
  EXPECT_EQ(slotOf(stmt.loops, 2, "loop", "is_coincident"), 0);

  // Reads in order c, a, b. Along k (stride0): C stays, A moves by 1 cell, B by
  // a row of 256 cells. Along j (stride1): C 1, A 0, B 1.
  EXPECT_EQ(slotOf(stmt.accesses, 1, "access", "is_accumulator"), 1);
  EXPECT_EQ(plain(slotOf(stmt.accesses, 1, "access", "stride0")), 0);
  EXPECT_NEAR(plain(slotOf(stmt.accesses, 2, "access", "stride0")), 1, 1e-5);
  EXPECT_NEAR(plain(slotOf(stmt.accesses, 3, "access", "stride0")), 256, 1e-2);
  EXPECT_NEAR(plain(slotOf(stmt.accesses, 3, "access", "stride1")), 1, 1e-5);
  // Over the k loop: 512 cells of A on 512 * 4 / 64 = 32 lines; 512 cells of B,
  // each on a line of its own.
  EXPECT_NEAR(plain(slotOf(stmt.accesses, 2, "access", "cells0")), 512, 1e-2);
  EXPECT_NEAR(plain(slotOf(stmt.accesses, 2, "access", "lines0")), 32, 1e-3);
  EXPECT_NEAR(plain(slotOf(stmt.accesses, 3, "access", "lines0")), 512, 1e-2);
  // Over j and k: all of B, 512 * 256 cells on 8192 lines.
  EXPECT_NEAR(plain(slotOf(stmt.accesses, 3, "access", "cells1")), 131072, 2);
  EXPECT_NEAR(plain(slotOf(stmt.accesses, 3, "access", "lines1")), 8192, 0.1);
  EXPECT_NEAR(features.nest.statements[0].instances, 1000.0 * 256 * 512, 1);
}

TEST(FeaturesTest, TilesHaveMeanAndFullTripCounts) {
  TestNest nest(kMatmul);
  CandidateFeatures features =
      nest.features({"#nestor.tile<[\"L0\", \"L1\"], [32, 64]>"});
  expectWellFormed(features);
  const StatementFeatures &stmt = features.statements[0];
  // L0.t, L1.t, L0, L1, L2. 1000 / 32 = 31.25: 32 tiles, 31.25 iterations on
  // average, 32 in a full one; the last tile has 8 of 1000, a share of 0.008.
  ASSERT_EQ(stmt.loops.size(), 5u);
  EXPECT_NEAR(plain(slotOf(stmt.loops, 0, "loop", "trip")), 32, 1e-3);
  EXPECT_NEAR(plain(slotOf(stmt.loops, 0, "loop", "step")), 32, 1e-3);
  EXPECT_EQ(slotOf(stmt.loops, 0, "loop", "is_tile"), 1);
  EXPECT_NEAR(plain(slotOf(stmt.loops, 1, "loop", "trip")), 4, 1e-4);
  EXPECT_NEAR(plain(slotOf(stmt.loops, 2, "loop", "trip")), 31.25, 1e-3);
  EXPECT_NEAR(plain(slotOf(stmt.loops, 2, "loop", "full_trip")), 32, 1e-3);
  EXPECT_NEAR(slotOf(stmt.loops, 2, "loop", "partial_share"), 0.008, 1e-4);
  EXPECT_EQ(slotOf(stmt.loops, 2, "loop", "is_point"), 1);
  EXPECT_NEAR(plain(slotOf(stmt.loops, 3, "loop", "trip")), 64, 1e-3);
  EXPECT_EQ(slotOf(stmt.loops, 3, "loop", "partial_share"), 0);
  EXPECT_NEAR(plain(slotOf(stmt.loops, 4, "loop", "trip")), 512, 1e-2);
  // A tile step of i moves A by 32 rows of 512 cells (stride4 is the
  // outermost).
  EXPECT_NEAR(plain(slotOf(stmt.accesses, 2, "access", "stride4")), 32 * 512,
              0.1);
}

TEST(FeaturesTest, TriangleKeepsItsNumberOfInstances) {
  TestNest nest(kTriangle);
  // i takes 0 .. 99, its mean is 49.5, so j has 49.5 iterations on average.
  CandidateFeatures source = nest.features();
  EXPECT_NEAR(source.nest.loops[0].trip, 100, 1e-9);
  EXPECT_NEAR(source.nest.loops[1].trip, 49.5, 1e-9);
  // With j outside: j takes 0 .. 98, 99 values; 100 * 49.5 / 99 = 50 of i each.
  CandidateFeatures swapped =
      nest.features({"#nestor.interchange<[\"L1\", \"L0\"]>"});
  EXPECT_NEAR(swapped.nest.loops[0].trip, 99, 1e-9);
  EXPECT_NEAR(swapped.nest.loops[1].trip, 50, 1e-9);
}

TEST(FeaturesTest, SameStateGivesSameRows) {
  TestNest nest(kMatmul);
  // Tiling both at once, or one after the other and then putting the tile loops
  // in the same order.
  CandidateFeatures once =
      nest.features({"#nestor.interchange<[\"L0\", \"L2\", \"L1\"]>"});
  CandidateFeatures detour =
      nest.features({"#nestor.interchange<[\"L1\", \"L0\"]>",
                     "#nestor.reverse<\"L0\">", "#nestor.reverse<\"L0\">",
                     "#nestor.interchange<[\"L0\", \"L2\", \"L1\"]>"});
  EXPECT_TRUE(same(once, detour));
  EXPECT_FALSE(same(once, nest.features()));
}

TEST(FeaturesTest, ReversalChangesTheSignOfStrides) {
  TestNest nest(kMatmul);
  CandidateFeatures features = nest.features({"#nestor.reverse<\"L1\">"});
  const StatementFeatures &stmt = features.statements[0];
  EXPECT_EQ(slotOf(stmt.loops, 1, "loop", "is_reversed"), 1);
  EXPECT_NEAR(plain(slotOf(stmt.accesses, 3, "access", "stride1")), -1, 1e-5);
  EXPECT_NEAR(plain(slotOf(stmt.loops, 1, "loop", "trip")), 256, 1e-2);
}

TEST(FeaturesTest, ProgramKeyDependsOnTheProgramOnly) {
  TestNest nest(kMatmul), other(kTriangle);
  CandidateFeatures source = nest.features();
  CandidateFeatures tiled = nest.features({"#nestor.tile<[\"L0\"], [8]>"});
  EXPECT_EQ(source.statements[0].programKey, tiled.statements[0].programKey);
  EXPECT_NE(source.statements[0].programKey,
            other.features().statements[0].programKey);
}

/// A statement in `depth` loops with `reads` reads of a rank-8 array.
std::string wideProgram(unsigned depth, unsigned reads) {
  std::string text = "func.func @wide(%A: memref<";
  std::string type;
  for (unsigned i = 0; i < depth; ++i)
    type += "9x";
  text += type + "f32>, %B: memref<f32>, %n: index) {\n";
  std::string subscripts;
  for (unsigned i = 0; i < depth; ++i) {
    text += "affine.for %i" + std::to_string(i) + " = 0 to 8 {\n";
    subscripts += (i ? ", %i" : "%i") + std::to_string(i);
  }
  text += "%s0 = affine.load %B[] : memref<f32>\n";
  for (unsigned r = 0; r < reads; ++r) {
    std::string n = std::to_string(r), next = std::to_string(r + 1);
    text += "%a" + n + " = affine.load %A[" + subscripts +
            (r % 2 ? " + 1" : "") + "] : memref<" + type + "f32>\n";
    text += "%s" + next + " = arith.mulf %s" + n + ", %a" + n + " : f32\n";
  }
  text += "affine.store %s" + std::to_string(reads) + ", %A[" + subscripts +
          "] : memref<" + type + "f32>\n";
  for (unsigned i = 0; i < depth; ++i)
    text += "}\n";
  return text + "return\n}";
}

/// Tiles every loop of the tree three times, by hand: the law is about
/// features, not about what is legal.
void tileThrice(Candidate &candidate) {
  walkTree(*candidate.tree, [](TreeNode &node) {
    SmallVector<Member> members;
    for (int64_t size : {8, 4, 2})
      for (Member member : node.members) {
        for (AffineExpr &expr : member.exprs)
          expr = expr.floorDiv(size) * size;
        members.push_back(member);
      }
    members.append(node.members.begin(), node.members.end());
    node.members = members;
  });
}

TEST(FeaturesTest, WideProgramsLoseNothing) {
  TestNest nest(wideProgram(8, 20));
  Candidate candidate = nest.candidate({});
  tileThrice(candidate);
  CandidateFeatures features = extractFeatures(candidate);
  expectWellFormed(features);
  const StatementFeatures &stmt = features.statements[0];
  EXPECT_EQ(stmt.loops.size(), 32u);
  EXPECT_EQ(stmt.accesses.size(), 22u); // the write, B and 20 times A
  // 8 -> one tile of 8, two of 4 in it, two of 2 in those, two points.
  double product = 1;
  for (double trip : features.nest.statements[0].trips)
    product *= trip;
  EXPECT_NEAR(product, std::pow(8.0, 8), 1);
}

TEST(FeaturesTest, OddProgramsAreNoTrouble) {
  TestNest nest(R"(
func.func @odd(%A: memref<?x?xf64>, %s: memref<i8>, %n: index) {
  affine.for %i = 0 to %n step 3 {
    affine.for %j = max affine_map<(d0) -> (d0, 5)>(%i) to min affine_map<(d0)[s0] -> (d0 + 7, s0)>(%i)[%n] {
      affine.for %k = 10 to 5 {
        %a = affine.load %A[%i + %j, %k floordiv 2] : memref<?x?xf64>
        affine.if affine_set<(d0, d1) : (d0 - d1 == 0, d0 - 4 >= 0)>(%i, %j) {
          affine.store %a, %A[%j mod 4, %k] : memref<?x?xf64>
        }
      }
      %c = arith.constant 1 : i8
      affine.store %c, %s[] : memref<i8>
    }
  }
  return
})");
  CandidateFeatures features = nest.features();
  expectWellFormed(features);
  for (const StatementSummary &stmt : features.nest.statements)
    for (double trip : stmt.trips)
      EXPECT_GE(trip, 1);
  // i: 1024 (assumed) in steps of 3, rounded as a mean: 1024/3 + 1/3.
  EXPECT_NEAR(features.nest.loops[0].trip, 1025.0 / 3, 1);
}

TEST(FeaturesTest, ExtractionIsFast) {
  TestNest nest(wideProgram(3, 4));
  Candidate candidate =
      nest.candidate({"#nestor.tile<[\"L0\", \"L1\", \"L2\"], [4, 4, 4]>"});
  FeatureExtractor extractor(nest.scop());
  constexpr int kRuns = 2000;
  auto start = std::chrono::steady_clock::now();
  size_t rows = 0;
  for (int i = 0; i < kRuns; ++i)
    rows += extractor.extract(candidate).statements[0].loops.size();
  std::chrono::duration<double, std::micro> time =
      std::chrono::steady_clock::now() - start;
  EXPECT_EQ(rows, 6u * kRuns);
  RecordProperty("microseconds", std::to_string(time.count() / kRuns));
  EXPECT_LT(time.count() / kRuns, 200); // 10 times the aim: machines are shared
}

/// docs/features.md lists the slots of each kind between two marks.
TEST(FeatureNamesTest, DocumentListsTheSlots) {
  auto buffer =
      llvm::MemoryBuffer::getFile(NESTOR_SOURCE_DIR "/docs/features.md");
  ASSERT_TRUE(bool(buffer));
  StringRef text = (*buffer)->getBuffer();
  for (const char *kind : {"flags", "domain", "loop", "access", "token"}) {
    std::string expected = std::string("<!-- slots ") + kind + " -->\n```\n";
    std::vector<std::string> names = featureNames(kind);
    if (kind == std::string("domain"))
      names.resize(kDomainLoopDim); // the others differ in their number only
    for (size_t i = 0; i < names.size(); ++i)
      expected += std::to_string(i) + " " + names[i] + "\n";
    expected += "```\n";
    EXPECT_TRUE(text.contains(expected))
        << "docs/features.md is stale; it should have:\n"
        << expected;
  }
}

} // namespace
