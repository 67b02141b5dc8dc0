//===- PrintPasses.cpp - What each room sees, for tests and users ---------===//
//
// Transforms room. Each pass prints one stage of the flow to standard output
// and leaves the IR as it is.
//
//===----------------------------------------------------------------------===//
#include "ScheduleSupport.h"
#include "nestor/Analysis/Polyhedral.h"
#include "nestor/Analysis/Work.h"
#include "nestor/Features/Features.h"
#include "nestor/Transforms/Passes.h"

#include "llvm/Support/Format.h"
#include <cmath>
#include <mutex>

namespace mlir::nestor {
#define GEN_PASS_DEF_PRINTLOOPTREE
#define GEN_PASS_DEF_PRINTDEPENDENCES
#define GEN_PASS_DEF_PRINTFEATURES
#define GEN_PASS_DEF_PRINTSCORES
#define GEN_PASS_DEF_PRINTWORK
#include "nestor/Transforms/Passes.h.inc"

/// Functions are visited in parallel; their texts must not mix.
static void printWhole(const std::string &text) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  llvm::outs() << text;
  llvm::outs().flush();
}

namespace {
struct PrintLoopTreePass : public impl::PrintLoopTreeBase<PrintLoopTreePass> {
  void runOnOperation() override {
    std::string text;
    llvm::raw_string_ostream os(text);
    LoopTree tree = buildLoopTree(getOperation());
    os << "func @" << getOperation().getName() << '\n';
    for (auto &scop : tree.scops)
      scop->print(os);
    for (const LeftAlone &left : tree.leftAlone)
      os << "left alone: " << left.reason->describe(left.op) << '\n';
    printWhole(text);
    markAllAnalysesPreserved();
  }
};

struct PrintDependencesPass
    : public impl::PrintDependencesBase<PrintDependencesPass> {
  using PrintDependencesBase::PrintDependencesBase;
  void runOnOperation() override {
    std::string text, reason;
    llvm::raw_string_ostream os(text);
    os << "func @" << getOperation().getName() << '\n';
    for (auto &scop : buildLoopTree(getOperation()).scops) {
      os << "scop " << scop->getHash() << '\n';
      auto poly = Polyhedral::build(*scop, reassociate, reason);
      if (succeeded(poly))
        (*poly)->print(os);
      else
        os << "  unknown: " << reason << '\n';
    }
    printWhole(text);
    markAllAnalysesPreserved();
  }
};

/// The slots of one row that are not zero, with their names.
void printRow(raw_ostream &os, StringRef kind, ArrayRef<float> row) {
  std::vector<std::string> names = featureNames(kind.str());
  os << "    " << kind << ':';
  for (auto [name, value] : llvm::zip(names, row))
    if (value != 0)
      os << ' ' << name << '=' << llvm::format("%.4g", double(value));
  os << '\n';
}

void printRows(raw_ostream &os, StringRef kind, const Rows &rows) {
  for (size_t i = 0; i < rows.size(); ++i)
    printRow(os, kind,
             ArrayRef<float>(rows.data).slice(i * rows.width, rows.width));
}

struct PrintFeaturesPass : public impl::PrintFeaturesBase<PrintFeaturesPass> {
  void runOnOperation() override {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "func @" << getOperation().getName() << '\n';
    for (auto &scop : buildLoopTree(getOperation()).scops) {
      os << "scop " << scop->getHash() << '\n';
      Candidate source;
      source.scop = scop.get();
      source.tree = buildSourceTree(*scop);
      CandidateFeatures features = extractFeatures(source);
      for (auto [k, stmt] : llvm::enumerate(features.statements)) {
        os << "  S" << k << '\n';
        printRow(os, "flags", stmt.flags);
        printRow(os, "domain", stmt.domain);
        printRows(os, "loop", stmt.loops);
        printRows(os, "access", stmt.accesses);
        printRows(os, "token", stmt.tokens);
      }
    }
    printWhole(text);
    markAllAnalysesPreserved();
  }
};

struct PrintWorkPass : public impl::PrintWorkBase<PrintWorkPass> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    std::string text, reason;
    FailureOr<Work> work = countWork(getOperation(), reason);
    if (failed(work)) {
      getOperation().emitError("cannot count the work of @")
          << getOperation().getName() << ": " << reason;
      return signalPassFailure();
    }
    llvm::raw_string_ostream os(text);
    os << "func @" << getOperation().getName() << '\n'
       << "f32 operations: " << work->f32Operations << '\n'
       << "f64 operations: " << work->f64Operations << '\n'
       << "integer operations: " << work->integerOperations << '\n'
       << "read bytes: " << work->readBytes << '\n'
       << "written bytes: " << work->writtenBytes << '\n'
       << "footprint bytes: " << work->footprintBytes << '\n';
    if (!work->inexact.empty())
      os << "bytes are not exact: " << work->inexact << '\n';
    printWhole(text);
  }
};

struct PrintScoresPass : public impl::PrintScoresBase<PrintScoresPass> {
  using PrintScoresBase::PrintScoresBase;
  void runOnOperation() override {
    SearchSetup setup{search, costModel, weights, target, {}};
    setup.options.beamWidth = beamWidth;
    setup.options.budget = budget;
    setup.options.seed = seed;
    auto scheduler = Scheduler::create(setup, getOperation());
    if (failed(scheduler))
      return signalPassFailure();
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "func @" << getOperation().getName() << '\n';
    for (auto &scop : buildLoopTree(getOperation()).scops)
      if (failed(printScop(os, *scop, **scheduler)))
        return signalPassFailure();
    printWhole(text);
    markAllAnalysesPreserved();
  }

  LogicalResult printScop(raw_ostream &os, Scop &scop, Scheduler &scheduler) {
    std::string reason;
    bool modelFailed = false;
    os << "scop " << scop.getHash();
    auto legality = Legality::create(scop, reassociate, reason);
    FailureOr<SearchResult> result = failure();
    if (legality)
      result = scheduler.run(*legality, reason, modelFailed);
    if (failed(result)) {
      os << " left alone: " << reason << '\n';
      return failure(modelFailed);
    }
    os << ' ' << result->scored << " candidates\n";
    for (const ScoredCandidate &scored : ArrayRef(result->best).take_front(top))
      os << "  " << llvm::format("%.2f", std::exp(scored.score)) << ' '
         << describeSteps(scored.candidate) << '\n';
    return success();
  }
};
} // namespace
} // namespace mlir::nestor
