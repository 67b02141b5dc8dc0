//===- PrintPasses.cpp - What each room sees, for tests and users ---------===//
//
// Transforms room. Each pass prints one stage of the flow to standard output and
// leaves the IR as it is.
//
//===----------------------------------------------------------------------===//
#include "nestor/Analysis/Polyhedral.h"
#include "nestor/Transforms/Passes.h"

#include <mutex>

namespace mlir::nestor {
#define GEN_PASS_DEF_PRINTLOOPTREE
#define GEN_PASS_DEF_PRINTDEPENDENCES
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
      os << "left alone: " << left.reason << '\n';
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
} // namespace
} // namespace mlir::nestor
