//===- GeneratorTest.cpp - What random programs are like ------------------===//
#include "nestor/Corpus/Generator.h"
#include "nestor/Execution/Inputs.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace mlir::nestor;

static constexpr unsigned kPrograms = 300;

static GeneratorOptions fuzzOptions() {
  GeneratorOptions options;
  options.profile = GeneratorOptions::Profile::Fuzz;
  return options;
}

static std::string generateText(const GeneratorOptions &options,
                                uint64_t seed) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  return canonicalText(*generateProgram(context, options, seed));
}

TEST(Generator, ASeedGivesOneProgram) {
  for (const GeneratorOptions &options : {GeneratorOptions(), fuzzOptions()}) {
    std::set<std::string> texts;
    for (uint64_t seed = 0; seed < 40; ++seed) {
      std::string text = generateText(options, seed);
      EXPECT_EQ(text, generateText(options, seed));
      texts.insert(std::move(text));
    }
    EXPECT_EQ(texts.size(), 40u);
  }
}

TEST(Generator, ProgramsVerifyAndCanonicalize) {
  for (const GeneratorOptions &options : {GeneratorOptions(), fuzzOptions()})
    for (uint64_t seed = 0; seed < kPrograms; ++seed) {
      MLIRContext context(MLIRContext::Threading::DISABLED);
      auto module = generateProgram(context, options, seed);
      ASSERT_TRUE(succeeded(verify(*module))) << "seed " << seed;
      PassManager passes(&context);
      passes.addPass(createCanonicalizerPass());
      EXPECT_TRUE(succeeded(passes.run(*module))) << "seed " << seed;
    }
}

TEST(Generator, ArgumentsAreStaticMemRefsAndSomethingIsStored) {
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    auto module = generateProgram(context, GeneratorOptions(), seed);
    auto func = module->lookupSymbol<func::FuncOp>("kernel");
    ASSERT_TRUE(func);
    for (Type type : func.getArgumentTypes()) {
      auto memref = dyn_cast<MemRefType>(type);
      ASSERT_TRUE(memref && memref.hasStaticShape());
      EXPECT_TRUE(memref.getLayout().isIdentity());
    }
    bool stores = false;
    func.walk([&](affine::AffineStoreOp) { stores = true; });
    EXPECT_TRUE(stores) << "seed " << seed;
  }
}

/// The constructs that a model must have seen.
static void findConstructs(ModuleOp module, std::set<std::string> &found) {
  module.walk([&](Operation *op) {
    if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
      if (loop.getStepAsInt() != 1)
        found.insert("step");
      if (loop.hasConstantLowerBound() && loop.getConstantLowerBound() != 0)
        found.insert("lower bound");
      if (loop.getUpperBoundMap().getNumResults() > 1)
        found.insert("min bound");
      if (!loop.hasConstantBounds())
        found.insert("triangle");
      if (loop.getNumIterOperands())
        found.insert("iter_args");
    }
    if (isa<affine::AffineIfOp>(op))
      found.insert(op->getNumResults() ? "if with a result" : "if");
    if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
      found.insert("fastmath " + arith::stringifyFastMathFlags(
                                     fast.getFastMathFlagsAttr().getValue()));
    for (Value value : op->getOperands())
      if (auto memref = dyn_cast<MemRefType>(value.getType()))
        found.insert("rank " + std::to_string(memref.getRank()));
    found.insert(op->getName().getStringRef().str());
    for (Type type : op->getResultTypes())
      if (type.isF32() || type.isF64() || type.isInteger(32))
        found.insert(type.isF32() ? "f32" : type.isF64() ? "f64" : "i32");
  });
}

TEST(Generator, EveryConstructAppears) {
  std::set<std::string> train, fuzz;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    findConstructs(*generateProgram(context, GeneratorOptions(), seed), train);
    findConstructs(*generateProgram(context, fuzzOptions(), seed), fuzz);
  }
  for (const char *what : {"step",
                           "lower bound",
                           "min bound",
                           "triangle",
                           "if",
                           "fastmath none",
                           "fastmath contract",
                           "fastmath reassoc,contract",
                           "rank 1",
                           "rank 2",
                           "rank 3",
                           "rank 4",
                           "f32",
                           "f64",
                           "i32",
                           "arith.divf",
                           "math.sqrt",
                           "arith.maximumf",
                           "arith.minimumf",
                           "arith.muli"})
    EXPECT_TRUE(train.count(what)) << what;
  for (const char *what :
       {"step", "min bound", "triangle", "if", "iter_args", "if with a result",
        "rank 0", "memref.cast", "memref.copy", "arith.maxsi"})
    EXPECT_TRUE(fuzz.count(what)) << what;
  EXPECT_FALSE(train.count("iter_args"));
  EXPECT_FALSE(train.count("rank 0"));
}

TEST(Generator, OptionsOpenScalarsAndIterArgs) {
  GeneratorOptions options;
  options.scalarTemporaries = options.iterArgs = true;
  options.strictWeight = options.contractWeight = 0;
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    findConstructs(*generateProgram(context, options, seed), found);
  }
  EXPECT_TRUE(found.count("rank 0"));
  EXPECT_TRUE(found.count("iter_args"));
  EXPECT_FALSE(found.count("fastmath contract"));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool isFinite(const Signature &signature, const Outcome &outcome) {
  for (auto [argument, bytes] :
       llvm::zip(signature.arguments, outcome.buffers)) {
    const char *data = bytes.data();
    for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      double asDouble;
      float asFloats[2];
      memcpy(&asDouble, data + i, 8);
      memcpy(asFloats, data + i, 8);
      if (argument.kind == ElementKind::F64 && !std::isfinite(asDouble))
        return false;
      if (argument.kind == ElementKind::F32 &&
          !(std::isfinite(asFloats[0]) && std::isfinite(asFloats[1])))
        return false;
    }
  }
  return true;
}

/// Runs a program 50 times on the same buffers.
static void runOften(const std::string &text) {
  auto program = Program::compile(text, "program", "");
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError()) << text;
  auto inputs = Inputs::create((*program)->getSignature());
  ASSERT_TRUE(bool(inputs)) << llvm::toString(inputs.takeError()) << text;
  for (unsigned run = 0; run < 50; ++run)
    (*program)->run((*inputs)->getFrame());
  EXPECT_EQ((*inputs)->findOutOfBounds(), "") << text;
  EXPECT_TRUE(isFinite((*program)->getSignature(), (*inputs)->takeOutcome()))
      << text;
}

TEST(Generator, AccessesStayInBoundsAndValuesFinite) {
  GeneratorOptions small;
  small.footprint = GeneratorOptions::Footprint::Small;
  small.minWork = 20'000;
  small.maxWork = 1'000'000;
  for (uint64_t seed = 0; seed < 60; ++seed)
    runOften(generateText(small, seed));
  for (uint64_t seed = 0; seed < 60; ++seed)
    runOften(generateText(fuzzOptions(), seed));
}
