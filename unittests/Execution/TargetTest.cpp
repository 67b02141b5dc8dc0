//===- TargetTest.cpp - Target descriptors, their files and defaults ------===//
#include "nestor/Cost/Target.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlir::nestor;

static TargetDescriptor getDefault(llvm::StringRef name) {
  llvm::Expected<TargetDescriptor> target = getNamedTarget(name);
  EXPECT_TRUE(bool(target));
  return target ? *target : TargetDescriptor();
}

/// The message for `json`, which must not parse.
static std::string getProblem(llvm::StringRef json) {
  llvm::Expected<TargetDescriptor> target = parseTarget(json);
  EXPECT_FALSE(bool(target));
  return target ? "" : llvm::toString(target.takeError());
}

/// The default's text with `from` replaced.
static std::string replaced(llvm::StringRef from, llvm::StringRef to) {
  std::string text = printTarget(getDefault("generic-avx2"));
  size_t place = text.find(from.str());
  EXPECT_NE(place, std::string::npos);
  return text.replace(place, from.size(), to.str());
}

TEST(Target, DefaultsDifferInVectors) {
  TargetDescriptor narrow = getDefault("generic-avx2");
  TargetDescriptor wide = getDefault("generic-avx512");
  EXPECT_EQ(narrow.vectorBits, 256u);
  EXPECT_EQ(narrow.vectorRegisters, 16u);
  EXPECT_EQ(wide.vectorBits, 512u);
  EXPECT_EQ(wide.vectorRegisters, 32u);
  // Two multiply-adds of eight f32 a cycle at 3 GHz: 3 * 2 * 2 * 8.
  EXPECT_DOUBLE_EQ(narrow.peakGflopsF32, 96);
  EXPECT_DOUBLE_EQ(wide.peakGflopsF64, 96);
}

TEST(Target, PrintAndParseAreInverse) {
  for (llvm::StringRef name : {"generic-avx2", "generic-avx512"}) {
    std::string text = printTarget(getDefault(name));
    llvm::Expected<TargetDescriptor> parsed = parseTarget(text);
    ASSERT_TRUE(bool(parsed));
    EXPECT_EQ(printTarget(*parsed), text);
    EXPECT_EQ(parsed->name, name);
    EXPECT_EQ(parsed->cacheBytes, getDefault(name).cacheBytes);
  }
}

TEST(Target, SaveAndLoad) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("target", "json", path));
  TargetDescriptor target = getDefault("generic-avx512");
  target.name = "mine";
  target.gigahertz = 4.09;
  ASSERT_FALSE(bool(saveTarget(target, path)));
  llvm::Expected<TargetDescriptor> loaded = loadTarget(path);
  ASSERT_TRUE(bool(loaded));
  EXPECT_EQ(loaded->name, "mine");
  EXPECT_DOUBLE_EQ(loaded->gigahertz, 4.09);
  llvm::sys::fs::remove(path);
}

TEST(Target, BadFilesSayWhatIsWrong) {
  auto expectProblem = [](const std::string &problem, llvm::StringRef part) {
    EXPECT_NE(problem.find(part.str()), std::string::npos) << problem;
  };
  expectProblem(getProblem("{"), "target descriptor: not JSON: ");
  expectProblem(getProblem("[]"),
                "target descriptor: expected a JSON object, as written by "
                "'nestor-measure describe-machine'");
  expectProblem(getProblem("{}"),
                "target descriptor: no member 'nestorTarget' with the "
                "format's version; expected a file written by "
                "'nestor-measure describe-machine'");
  expectProblem(getProblem("{\"nestorTarget\": 7}"),
                "target descriptor: format version 7, but this build reads "
                "version 1: write it again with 'nestor-measure "
                "describe-machine'");
  expectProblem(
      getProblem(replaced("\"vectorBits\": 256", "\"vectorBits\": 0")),
      "target descriptor: needs an integer 'vectorBits' of 64 to 4096");
  expectProblem(
      getProblem(replaced("\"vectorBits\": 256", "\"vectorBits\": 5000")),
      "needs an integer 'vectorBits' of 64 to 4096");
  expectProblem(getProblem(replaced("\"L2\"", "\"L9\"")),
                "needs an integer 'L2' of 0 to ");
  expectProblem(getProblem(replaced("\"DRAM\": 15", "\"DRAM\": -1")),
                "needs a number 'DRAM' of 0.001 to 1e+09");
  expectProblem(getProblem(replaced("\"cacheBytes\"", "\"caches\"")),
                "needs an object 'cacheBytes'");
  expectProblem(getProblem(replaced("\"generic-avx2\"", "3")),
                "needs a text 'name'");
}

TEST(Target, UnknownNamesAndFiles) {
  llvm::Expected<TargetDescriptor> named = loadTarget("zen7");
  ASSERT_FALSE(bool(named));
  EXPECT_EQ(
      llvm::toString(named.takeError()),
      "unknown target 'zen7': use generic-avx2, generic-avx512, or a file "
      "written by 'nestor-measure describe-machine -o FILE'");
  llvm::Expected<TargetDescriptor> file = loadTarget("./nowhere.json");
  ASSERT_FALSE(bool(file));
  std::string problem = llvm::toString(file.takeError());
  EXPECT_NE(problem.find("cannot read target descriptor './nowhere.json'"),
            std::string::npos)
      << problem;
}
