//===- Generator.cpp - Random affine programs -----------------------------===//
//
// Corpus room, where training data begins. Draws nests from the patterns until
// a program meets the options' limits, infers shapes, emits MLIR.
//
//===----------------------------------------------------------------------===//
#include "nestor/Corpus/Generator.h"
#include "Maker.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::corpus;

namespace {
struct ProgramPattern {
  void (*make)(Maker &);
  unsigned weight, fuzzWeight;
};
} // namespace

/// How often a pattern appears. The kinds of code that people tune weigh most.
static constexpr ProgramPattern patterns[] = {
    {makeElementwise, 12, 6},  {makeMovement, 8, 4},
    {makeStencil, 14, 6},      {makeCoupledStencil, 4, 2},
    {makeReduction, 9, 6},     {makeContraction, 18, 6},
    {makeConvolution, 7, 3},   {makeTriangularProduct, 9, 5},
    {makeSolver, 8, 5},        {makeMatrixVector, 12, 5},
    {makeNormalization, 4, 2}, {makeRecurrence, 6, 4},
    {makeMinPlus, 3, 2},       {makeBanded, 4, 3},
    {makeWild, 0, 40},
};

static int64_t largestArrayBytes(Rng &rng, const GeneratorOptions &options) {
  switch (options.footprint) {
  case GeneratorOptions::Footprint::Small:
    return int64_t(1) << 20;
  case GeneratorOptions::Footprint::Medium:
    return int64_t(16) << 20;
  case GeneratorOptions::Footprint::Mixed:
    break;
  }
  return rng.logUniform(int64_t(1) << 16, int64_t(1) << 26);
}

static void chooseTypes(Sketch &sketch, Rng &rng,
                        const GeneratorOptions &options) {
  MLIRContext *context = sketch.context;
  Type types[] = {Float64Type::get(context), Float32Type::get(context),
                  IntegerType::get(context, 32)};
  sketch.elementType = types[rng.weighted({10, 8, 2})];
  arith::FastMathFlags flags[] = {
      arith::FastMathFlags::none, arith::FastMathFlags::contract,
      arith::FastMathFlags::reassoc | arith::FastMathFlags::contract};
  sketch.fastMath = flags[rng.weighted(
      {options.strictWeight, options.contractWeight, options.reassocWeight})];
}

/// Draws one program; `runs` tells whether it does anything.
static Sketch drawSketch(MLIRContext *context, Rng &rng,
                         const GeneratorOptions &options, bool &runs) {
  Sketch sketch(context);
  chooseTypes(sketch, rng, options);
  Maker maker(sketch, rng, options);
  sketch.equalShapes = maker.isFuzz();
  int64_t bytes = sketch.elementType.getIntOrFloatBitWidth() / 8;
  maker.maxElements = largestArrayBytes(rng, options) / bytes;
  int64_t work = rng.logUniform(options.minWork, options.maxWork);
  int64_t count = 1 + rng.weighted({45, 25, 18, 12});
  count = std::clamp<int64_t>(count, 1, std::max(1u, options.maxNests));

  SmallVector<unsigned> weights;
  for (const ProgramPattern &pattern : patterns)
    weights.push_back(maker.isFuzz() ? pattern.fuzzWeight : pattern.weight);
  for (int64_t i = 0; i < count; ++i) {
    size_t first = sketch.nests.size();
    maker.nestWork = std::max<int64_t>(1, work / count);
    patterns[rng.weighted(weights)].make(maker);
    maker.noteDependences(first);
  }
  perturb(sketch, rng, options);
  runs = !maker.isFuzz() || simplifyUnreached(sketch);
  inferShapes(sketch);
  return sketch;
}

static bool isAcceptable(const Sketch &sketch,
                         const GeneratorOptions &options) {
  bool isFuzz = options.profile == GeneratorOptions::Profile::Fuzz;
  int64_t work = estimateWork(sketch);
  int64_t minWork = isFuzz ? 0 : options.minWork;
  int64_t maxWork = isFuzz ? 300'000 : options.maxWork;
  int64_t maxBytes = int64_t(isFuzz ? 1 : 256) << 20;
  constexpr double maxMagnitude = 1e35; // f32 holds 3e38
  return work >= minWork && work <= maxWork && footprint(sketch) <= maxBytes &&
         magnitude(sketch) <= maxMagnitude;
}

OwningOpRef<ModuleOp>
mlir::nestor::generateProgram(MLIRContext &context,
                              const GeneratorOptions &options, uint64_t seed) {
  context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                      func::FuncDialect, math::MathDialect,
                      memref::MemRefDialect>();
  Rng rng(seed);
  bool runs = false;
  Sketch sketch = drawSketch(&context, rng, options, runs);
  // Sizes are aimed at, not solved for: draw again where they miss the limits.
  for (unsigned attempt = 0;
       attempt < 200 && !(runs && isAcceptable(sketch, options)); ++attempt)
    sketch = drawSketch(&context, rng, options, runs);
  return emit(sketch);
}

void mlir::nestor::registerGeneratorDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                  math::MathDialect, memref::MemRefDialect>();
}

std::string mlir::nestor::canonicalText(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().enableDebugInfo(false));
  os << "\n";
  return text;
}
