//===- TestNest.h - Candidates from texts, for tests ------------*- C++ -*-===//
//
// Features and Cost rooms' tests: a program and steps as a user writes them,
// and the features of the candidate that they give.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_UNITTESTS_FEATURES_TESTNEST_H
#define NESTOR_UNITTESTS_FEATURES_TESTNEST_H

#include "nestor/Features/Features.h"
#include "nestor/Schedule/Legality.h"
#include "nestor/Schedule/Steps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::nestor {

/// The first scop of a module's first function.
class TestNest {
public:
  explicit TestNest(StringRef text, bool reassociate = false)
      : context(makeRegistry()) {
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return;
    auto func = *module->getOps<func::FuncOp>().begin();
    tree = buildLoopTree(func);
    std::string reason;
    if (!tree.scops.empty())
      legality = Legality::create(scop(), reassociate, reason);
    EXPECT_TRUE(legality) << reason;
  }

  const Scop &scop() const { return *tree.scops.front(); }

  /// The candidate after `steps`, such as "#nestor.reverse<\"L0\">".
  Candidate candidate(ArrayRef<const char *> steps) {
    std::string reason;
    auto made =
        makeCandidate(*legality, buildSourceTree(scop()), "source", reason);
    EXPECT_TRUE(succeeded(made)) << reason;
    for (const char *text : steps) {
      Attribute step = parseAttribute(text, &context);
      EXPECT_TRUE(step && succeeded(applyStep(*made, step, reason)))
          << text << ": " << reason;
    }
    return std::move(*made);
  }

  CandidateFeatures features(ArrayRef<const char *> steps = {}) {
    return extractFeatures(candidate(steps));
  }

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registry
        .insert<NestorDialect, affine::AffineDialect, arith::ArithDialect,
                func::FuncDialect, math::MathDialect, memref::MemRefDialect>();
    registerSteps(registry);
    return registry;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  LoopTree tree;
  std::unique_ptr<Legality> legality;
};

/// Slot `name` of row number `row`.
inline float slotOf(const Rows &rows, size_t row, const std::string &kind,
                    const std::string &name) {
  std::vector<std::string> names = featureNames(kind);
  auto it = std::find(names.begin(), names.end(), name);
  EXPECT_NE(it, names.end()) << kind << " has no slot " << name;
  size_t place = row * rows.width + (it - names.begin());
  EXPECT_LT(place, rows.data.size());
  return place < rows.data.size() ? rows.data[place] : -1;
}

} // namespace mlir::nestor

#endif // NESTOR_UNITTESTS_FEATURES_TESTNEST_H
