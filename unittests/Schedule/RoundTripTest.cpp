//===- RoundTripTest.cpp - apply(parse(print(tree))) is apply(tree) -------===//
//
// The law of schedules: what is written down is what is applied. Checked on the
// IR that random candidates of random programs give.
//
//===----------------------------------------------------------------------===//
#include "TestScop.h"
#include "nestor/Corpus/Generator.h"
#include "nestor/Search/Random.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
constexpr unsigned kCandidates = 1000, kPerProgram = 25;

/// The IR after `candidate`, or through the text of its schedule, is applied to
/// a copy of its program; empty, with a reason, if it cannot be generated.
std::string applied(ModuleOp program, unsigned number,
                    const Candidate &candidate, bool throughText,
                    std::string &reason) {
  OwningOpRef<ModuleOp> copy = program.clone();
  TestScop test(*copy, number);
  if (!test)
    return "";
  Candidate mine = candidate.clone();
  mine.scop = &test.scop();
  mine.legality = &test.getLegality();
  if (throughText) {
    std::string text;
    llvm::raw_string_ostream(text) << writeSchedule(candidate);
    auto attr = dyn_cast_if_present<ScheduleAttr>(
        parseAttribute(text, program.getContext()));
    EXPECT_TRUE(attr) << text;
    if (!attr)
      return "";
    auto read = readSchedule(attr, test.getLegality(),
                             [&] { return copy->emitError(); });
    EXPECT_TRUE(succeeded(read)) << text;
    if (failed(read))
      return "";
    mine = std::move(*read);
  }
  if (failed(rewriteScop(test.scop(), mine, AliasMode::Check, reason)))
    return "";
  EXPECT_TRUE(succeeded(verify(*copy)));
  return printed(*copy);
}
} // namespace

TEST(RoundTripTest, ParsedSchedulesGiveTheSameCode) {
  DialectRegistry registry;
  addScheduleDialects(registry);
  registerGeneratorDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  GeneratorOptions options;
  options.profile = GeneratorOptions::Profile::Fuzz;
  options.maxNests = 2;
  unsigned seen = 0, applies = 0, programs = 0;
  for (uint64_t seed = 0; seen < kCandidates && seed < 400; ++seed) {
    OwningOpRef<ModuleOp> program = generateProgram(context, options, seed);
    ASSERT_TRUE(program);
    TestScop test(*program);
    // Large ones take isl too long for a test.
    if (!test || test.scop().statements.size() > 6)
      continue;
    ++programs;
    auto skeletons = buildSkeletons(test.getLegality());
    Random random(seed);
    for (unsigned i = 0; i < kPerProgram && seen < kCandidates; ++i) {
      Candidate candidate = randomCandidate(skeletons, random, RandomOptions());
      std::string reason;
      if (failed(checkLegal(candidate, reason))) {
        EXPECT_NE(reason.find("too complex"), std::string::npos)
            << "an illegal candidate: " << reason;
        continue;
      }
      ++seen;
      std::string direct = applied(*program, 0, candidate, false, reason);
      std::string again = applied(*program, 0, candidate, true, reason);
      ASSERT_EQ(direct, again) << "seed " << seed << ", candidate " << i;
      applies += !direct.empty();
    }
  }
  EXPECT_EQ(seen, kCandidates);
  EXPECT_GE(programs, 24u);
  // Most candidates can be generated.
  EXPECT_GE(applies, kCandidates / 2);
}
