//===- FuzzTest.cpp - Programs, damage and logs of the fuzzer -------------===//
#include "nestor/Fuzz/Campaign.h"
#include "nestor/Fuzz/Generator.h"
#include "nestor/Fuzz/Harness.h"
#include "nestor/Fuzz/Mutate.h"
#include "nestor/Fuzz/Reduce.h"
#include "nestor/InitAll.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;

namespace {

DialectRegistry allDialects() {
  DialectRegistry registry;
  registerHarnessDialects(registry);
  registerAllNestor(registry);
  return registry;
}

/// A file that goes with the test.
class TestFile {
public:
  explicit TestFile(StringRef suffix) {
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("nestor-fuzz", suffix, path));
  }
  ~TestFile() { (void)llvm::sys::fs::remove(path); }
  std::string getPath() const { return path.str().str(); }
  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  void write(StringRef text) const {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << text;
  }

private:
  llvm::SmallString<128> path;
};

std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << *op;
  return text;
}

unsigned countOps(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](Operation *) { ++count; });
  return count;
}

std::string generateText(uint64_t seed) {
  MLIRContext context(allDialects());
  return print(*generate(context, seed));
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

TEST(GeneratorTest, ASeedAlwaysGivesTheSameProgram) {
  for (uint64_t seed : {3, 17, 400})
    EXPECT_EQ(generateText(seed), generateText(seed)) << seed;
}

TEST(GeneratorTest, SeedsGiveDifferentPrograms) {
  std::set<std::string> programs;
  for (uint64_t seed = 0; seed < 50; ++seed)
    programs.insert(generateText(seed));
  EXPECT_EQ(programs.size(), 50u);
}

TEST(GeneratorTest, ProgramsSurviveAFileAndHaveTablesThatFit) {
  MLIRContext context(allDialects());
  for (uint64_t seed = 1000; seed < 1100; ++seed) {
    OwningOpRef<ModuleOp> program = generate(context, seed);
    EXPECT_TRUE(succeeded(verify(*program))) << seed;
    auto again = parseSourceString<ModuleOp>(print(*program), &context);
    ASSERT_TRUE(again) << seed;
    EXPECT_TRUE(succeeded(verify(*again))) << seed;
    EXPECT_EQ(countOps(*again), countOps(*program)) << seed;
    auto layout = Layout::read(*program);
    ASSERT_TRUE(bool(layout)) << seed << toString(layout.takeError());
    EXPECT_FALSE(layout->getTables().empty()) << seed;
  }
}

TEST(GeneratorTest, DataDependOnTheSeedOnly) {
  MLIRContext context(allDialects());
  OwningOpRef<ModuleOp> program = generate(context, 8);
  auto layout = Layout::read(*program);
  ASSERT_TRUE(bool(layout)) << toString(layout.takeError());
  std::vector<char> a(kArenaBytes, 1), b(kArenaBytes, 2), c(kArenaBytes);
  const std::vector<int64_t> &table = layout->getTables().front();
  layout->fill(a.data(), table, 5);
  layout->fill(b.data(), table, 5);
  layout->fill(c.data(), table, 6);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_EQ(layout->compare(a.data(), b.data(), table), "");
  EXPECT_NE(layout->compare(a.data(), c.data(), table), "");
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

// Otherwise the order of operands, which folding changes, would matter.
TEST(JitTest, TheLargerZeroIsThePositiveOne) {
  MLIRContext context(allDialects());
  const char *text = R"(
    func.func @larger(%x: f32) -> f32 {
      %zero = arith.constant 0.0 : f32
      %m = arith.maximumf %zero, %x : f32
      return %m : f32
    }
    func.func @smaller(%x: f32, %y: f32) -> f32 {
      %m = arith.minimumf %x, %y : f32
      return %m : f32
    })";
  auto jit = llvm::cantFail(Jit::create());
  for (bool optimize : {false, true}) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    ASSERT_FALSE(bool(jit->compile(*module, optimize)));
    auto *larger = reinterpret_cast<float (*)(float)>(
        llvm::cantFail(jit->lookup("larger")));
    auto *smaller = reinterpret_cast<float (*)(float, float)>(
        llvm::cantFail(jit->lookup("smaller")));
    EXPECT_FALSE(std::signbit(larger(-0.0f)));
    EXPECT_TRUE(std::signbit(smaller(-0.0f, 0.0f)));
    EXPECT_TRUE(std::signbit(smaller(0.0f, -0.0f)));
  }
}

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

const std::vector<std::string> kTexts = {
    R"(func.func @f(%A: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}
)",
    R"(func.func private @g(memref<9xi32, strided<[2], offset: 7>>)
)"};

TEST(MutateTest, ASeedAlwaysDoesTheSameDamageToText) {
  unsigned changed = 0;
  std::set<std::string> results;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::string text = mutateText(kTexts, seed);
    EXPECT_EQ(text, mutateText(kTexts, seed)) << seed;
    changed += !llvm::is_contained(kTexts, text);
    results.insert(text);
  }
  EXPECT_GT(changed, 250u);
  EXPECT_GT(results.size(), 200u);
}

TEST(MutateTest, ASeedAlwaysDoesTheSameDamageToOps) {
  MLIRContext context(allDialects());
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  unsigned valid = 0, changed = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::string texts[2];
    for (std::string &text : texts) {
      auto module = parseSourceString<ModuleOp>(kTexts[0], &context);
      std::string before = print(*module);
      mutateOps(*module, seed);
      llvm::raw_string_ostream os(text);
      module->print(os, OpPrintingFlags().printGenericOpForm());
      valid += succeeded(verify(*module));
      changed += before != print(*module);
    }
    EXPECT_EQ(texts[0], texts[1]) << seed;
  }
  EXPECT_GT(valid, 100u);
  EXPECT_GT(changed, 200u);
}

//===----------------------------------------------------------------------===//
// Logs
//===----------------------------------------------------------------------===//

CampaignOptions smallCampaign(const std::string &log, uint64_t lastSeed) {
  CampaignOptions options;
  options.lastSeed = lastSeed;
  options.chunk = 2;
  options.trial.schedules = 1;
  options.log = log;
  options.quiet = true;
  return options;
}

TEST(LogTest, ACampaignGoesOnWhereItsLogEnds) {
  TestFile whole("json"), pieces("json");
  (void)llvm::sys::fs::remove(whole.getPath());
  (void)llvm::sys::fs::remove(pieces.getPath());
  for (uint64_t end : {2, 4, 6}) {
    auto totals = runCampaign(smallCampaign(pieces.getPath(), end));
    ASSERT_TRUE(bool(totals)) << toString(totals.takeError());
    EXPECT_EQ(totals->nextSeed, end);
  }
  auto totals = runCampaign(smallCampaign(whole.getPath(), 6));
  ASSERT_TRUE(bool(totals)) << toString(totals.takeError());
  EXPECT_GT(totals->pairs, 0u);
  EXPECT_EQ(whole.read(), pieces.read());
}

TEST(LogTest, WhatIsWrittenIsRead) {
  Totals totals;
  totals.firstSeed = 3;
  totals.nextSeed = 9;
  totals.programs = 4;
  totals.pairs = 20;
  totals.changed = 19;
  totals.scops = {1u, 0xfedcba98u};
  totals.failures.push_back({5, 2, "wrong", "byte \"7\"", "[source]"});
  totals.cells[{getTrait("tile"), 0}] = 12;
  totals.beside[1] = 7;
  totals.blocks.push_back({9, "00ff"});
  TestFile first("json"), second("json");
  ASSERT_FALSE(bool(writeLog(totals, first.getPath())));
  auto read = readLog(first.getPath());
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  ASSERT_FALSE(bool(writeLog(*read, second.getPath())));
  EXPECT_EQ(first.read(), second.read());
  EXPECT_EQ(read->failures.front().detail, "byte \"7\"");
  EXPECT_EQ(read->scops, totals.scops);
}

TEST(LogTest, WhatIsNotUnderstoodIsRefused) {
  TestFile good("json"), bad("json");
  Totals totals;
  totals.cells[{0, 0}] = 1;
  totals.scops = {7u};
  totals.blocks.push_back({9, "00ff"});
  ASSERT_FALSE(bool(writeLog(totals, good.getPath())));
  auto refused = [&](StringRef from, StringRef to) {
    std::string text = good.read();
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from.str();
    text.replace(at, from.size(), to.str());
    bad.write(text);
    auto read = readLog(bad.getPath());
    return read ? "accepted" : toString(read.takeError());
  };
  auto holds = [](const std::string &text, const char *part) {
    return StringRef(text).contains(part);
  };
  EXPECT_TRUE(holds(refused("\"version\": 1", "\"version\": 2"),
                    "a log of another version"));
  EXPECT_TRUE(holds(refused("\"generator\": ", "\"generator\": 9"),
                    "another version of the generator"));
  for (auto [from, to] : {std::pair("\"pairs\": 0", "\"pairs\": -1"),
                          {"\"source\"", "\"unheard of\""},
                          {"\"affine.for\"", "\"unheard of\""},
                          {"\"00000007\"", "\"0000000\""},
                          {"\"00000007\"", "\"0000000x\""},
                          {"\"00ff\"", "1"},
                          {"\"failures\": []", "\"failures\": [1]"},
                          {"\"beside\"", "\"besides\""}})
    EXPECT_TRUE(holds(refused(from, to), "the log is damaged")) << from;
}

} // namespace
