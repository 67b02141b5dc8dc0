//===- Subject.cpp - A stored program, ready for schedules ----------------===//
//
// Corpus room; see Subject.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Corpus/Subject.h"

#include "nestor/Corpus/Generator.h"
#include "nestor/Schedule/Rewrite.h"
#include "nestor/Schedule/Serialize.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
/// Collects diagnostics, so that they become part of an Error.
class Diagnostics {
public:
  explicit Diagnostics(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            text += (text.empty() ? "" : "; ") + diagnostic.str();
          return success();
        }) {}
  /// What was said, or `reason` if nothing was.
  llvm::Error take(StringRef reason = "") {
    return llvm::createStringError(text.empty() ? reason.str() : text);
  }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};
} // namespace

static std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registerGeneratorDialects(registry);
  registry.insert<NestorDialect, scf::SCFDialect, vector::VectorDialect>();
  registerSteps(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

Subject::Subject() : context(makeContext()) {}

/// The only function of a module; null if there are none or several.
static func::FuncOp onlyFunction(ModuleOp module) {
  auto functions = module.getOps<func::FuncOp>();
  if (functions.empty() || std::next(functions.begin()) != functions.end())
    return {};
  return *functions.begin();
}

llvm::Error Subject::analyse(StringRef programText) {
  text = programText.str();
  Diagnostics diagnostics(context.get());
  module = parseSourceString<ModuleOp>(text, context.get());
  if (!module)
    return diagnostics.take();
  func::FuncOp func = onlyFunction(*module);
  if (!func)
    return llvm::createStringError("a program must have exactly one function");
  tree = buildLoopTree(func);
  if (!tree.leftAlone.empty())
    return llvm::createStringError(
        "left alone: " +
        tree.leftAlone.front().reason->describe(tree.leftAlone.front().op));
  if (tree.scops.size() != 1)
    return llvm::createStringError("a program must have exactly one scop");
  std::string reason;
  legality = Legality::create(getScop(), /*reassociate=*/false, reason);
  if (!legality)
    return llvm::createStringError("left alone: " + reason);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Subject>> Subject::create(StringRef text) {
  std::unique_ptr<Subject> subject(new Subject());
  if (auto error = subject->analyse(text))
    return std::move(error);
  subject->skeletons = buildSkeletons(*subject->legality);
  if (subject->skeletons.empty())
    return llvm::createStringError(
        "left alone: its order as written cannot be analysed");
  return std::move(subject);
}

//===----------------------------------------------------------------------===//
// Schedules as text
//===----------------------------------------------------------------------===//

std::string Subject::print(const Candidate &candidate) const {
  Attribute schedule = writeSchedule(candidate);
  std::string result;
  llvm::raw_string_ostream(result) << ArrayAttr::get(context.get(), {schedule});
  return result;
}

llvm::Expected<Candidate> Subject::parse(StringRef scheduleText) {
  Diagnostics diagnostics(context.get());
  auto list = dyn_cast_if_present<ArrayAttr>(
      parseAttribute(scheduleText, context.get()));
  if (!list || list.size() != 1 || !isa<ScheduleAttr>(list[0]))
    return diagnostics.take("the schedule is no list of one #nestor.schedule");
  auto candidate = readSchedule(cast<ScheduleAttr>(list[0]), *legality, [&] {
    return mlir::emitError(getScop().first->getLoc());
  });
  if (failed(candidate))
    return diagnostics.take();
  return std::move(*candidate);
}

llvm::Expected<std::string> Subject::apply(StringRef schedule) const {
  // Rewriting ends a scop's life: work on a copy, which needs no skeletons.
  Subject copy;
  if (auto error = copy.analyse(text))
    return std::move(error);
  auto candidate = copy.parse(schedule);
  if (!candidate)
    return candidate.takeError();
  std::string reason;
  Diagnostics diagnostics(copy.context.get());
  if (failed(rewriteScop(*copy.tree.scops.front(), *candidate,
                         AliasMode::AssumeDistinct, reason)))
    return diagnostics.take(reason);
  if (failed(verify(*copy.module)))
    return diagnostics.take();
  return canonicalText(*copy.module);
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

SearchOptions Subject::getSearchOptions(const TargetDescriptor &target,
                                        uint64_t seed) const {
  SearchOptions options;
  options.seed = seed;
  options.vectorRegisters = target.vectorRegisters;
  // Every other program sees the vectors of a narrower machine: what a model
  // learns here must serve those who schedule for one.
  options.vectorBits =
      seed % 2 ? target.vectorBits : std::min(target.vectorBits, 256u);
  return options;
}

std::vector<Candidate> Subject::sample(unsigned count, uint64_t seed,
                                       const TargetDescriptor &target) const {
  return sampleCandidates(skeletons, count, getSearchOptions(target, seed));
}

llvm::Expected<std::vector<Candidate>>
Subject::search(unsigned count, CostModel &model,
                const TargetDescriptor &target) const {
  std::unique_ptr<CostModel> analytical = createAnalyticalModel(target);
  const Candidate &source = getSource();
  std::vector<SearchResult> results;
  for (auto [scores, tempered] :
       {std::pair(&model, false), std::pair(&model, true),
        std::pair(analytical.get(), false)}) {
    auto evaluator = createModelEvaluator(source, *scores, target, tempered);
    auto result =
        beamSearch(skeletons, *evaluator, getSearchOptions(target, /*seed=*/1));
    if (!result)
      return result.takeError();
    results.push_back(std::move(*result));
  }
  std::vector<Candidate> found;
  llvm::DenseSet<Attribute> seen{writeTree(*source.tree, getScop())};
  for (size_t rank = 0, left = 1; left && found.size() < count; ++rank) {
    left = 0;
    for (SearchResult &result : results) {
      if (rank >= result.best.size() || found.size() >= count)
        continue;
      ++left;
      Candidate &candidate = result.best[rank].candidate;
      if (seen.insert(writeTree(*candidate.tree, getScop())).second)
        found.push_back(std::move(candidate));
    }
  }
  return std::move(found);
}

bool Subject::mayRound() const {
  bool result = false;
  module.get().walk([&](arith::ArithFastMathInterface op) {
    auto flags = op.getFastMathFlagsAttr();
    result |= flags && flags.getValue() != arith::FastMathFlags::none;
  });
  return result;
}

double Subject::getTolerance() const {
  if (!mayRound())
    return 0;
  bool isSingle = false;
  module.get().walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      isSingle |= type.isF32();
  });
  return isSingle ? 5e-3 : 1e-6;
}
