//===- TestScop.h - Scops from texts, for tests -----------------*- C++ -*-===//
//
// Analysis, Schedule and Search rooms' tests: a program as a user writes it,
// and its scops.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_UNITTESTS_SCHEDULE_TESTSCOP_H
#define NESTOR_UNITTESTS_SCHEDULE_TESTSCOP_H

#include "nestor/Schedule/Rewrite.h"
#include "nestor/Schedule/Serialize.h"
#include "nestor/Schedule/Steps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::nestor {

/// A context with everything that schedules need.
inline void addScheduleDialects(DialectRegistry &registry) {
  registry.insert<NestorDialect, affine::AffineDialect, arith::ArithDialect,
                  func::FuncDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, vector::VectorDialect>();
  registerSteps(registry);
}

inline std::string printed(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

/// The scops of a module's first function, with the legality of one of them.
class TestScop {
public:
  explicit TestScop(ModuleOp module, unsigned number = 0,
                    bool reassociate = false) {
    analyse(module, number, reassociate);
  }
  explicit TestScop(MLIRContext &context, StringRef text, unsigned number = 0,
                    bool reassociate = false)
      : owned(parseSourceString<ModuleOp>(text, &context)) {
    EXPECT_TRUE(owned);
    if (owned)
      analyse(*owned, number, reassociate);
  }

  explicit operator bool() const { return bool(legality); }
  Scop &scop() { return *tree.scops[number]; }
  Legality &getLegality() { return *legality; }
  ModuleOp module() { return *owned; }
  std::string reason;
  LoopTree tree;

  /// The program as written.
  Candidate source() {
    auto made =
        makeCandidate(*legality, buildSourceTree(scop()), "source", reason);
    EXPECT_TRUE(succeeded(made)) << reason;
    return std::move(*made);
  }

  /// True if `step`, such as "#nestor.reverse<\"L0\">", applies.
  bool apply(Candidate &candidate, StringRef step) {
    Attribute attr = parseAttribute(step, scop().getContext());
    EXPECT_TRUE(attr) << step.str();
    return attr && succeeded(applyStep(candidate, attr, reason));
  }

  /// The tree that an attribute describes.
  std::unique_ptr<TreeNode> treeOf(StringRef text) {
    Attribute attr = parseAttribute(text, scop().getContext());
    EXPECT_TRUE(attr) << text.str();
    auto read = readTree(
        attr, scop(), [&] { return mlir::emitError(scop().first->getLoc()); });
    EXPECT_TRUE(succeeded(read));
    return succeeded(read) ? std::move(*read) : nullptr;
  }

private:
  void analyse(ModuleOp module, unsigned wanted, bool reassociate) {
    auto func = *module.getOps<func::FuncOp>().begin();
    tree = buildLoopTree(func);
    number = wanted;
    if (number < tree.scops.size())
      legality = Legality::create(scop(), reassociate, reason);
  }

  OwningOpRef<ModuleOp> owned;
  unsigned number = 0;
  std::unique_ptr<Legality> legality;
};

} // namespace mlir::nestor

#endif // NESTOR_UNITTESTS_SCHEDULE_TESTSCOP_H
