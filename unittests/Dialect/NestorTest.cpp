//===- NestorTest.cpp - Unit tests of the nestor dialect ------------------===//
//
// Dialect room: schedules that are built in C++ rather than parsed.
//
//===----------------------------------------------------------------------===//
#include "nestor/Dialect/Nestor.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {

class NestorDialectTest : public ::testing::Test {
protected:
  NestorDialectTest() : builder(&context) {
    context.loadDialect<NestorDialect>();
  }

  /// The map of a statement in a nest of `depth` loops to its loop `dim`.
  AffineMapAttr loopMap(unsigned depth, unsigned dim) {
    return AffineMapAttr::get(
        AffineMap::get(depth, 0, getAffineDimExpr(dim, &context), &context));
  }
  MemberAttr member(StringRef name, ArrayRef<Attribute> maps,
                    bool coincident = false, ArrayAttr marks = {}) {
    return MemberAttr::get(&context, builder.getStringAttr(name),
                           builder.getArrayAttr(maps), coincident, marks);
  }
  DenseI64ArrayAttr stmts(ArrayRef<int64_t> numbers) {
    return builder.getDenseI64ArrayAttr(numbers);
  }
  LeafAttr leaf() { return LeafAttr::get(&context); }

  /// Checks the tree and returns the first diagnostic, or "" for a valid tree.
  std::string diagnose(Attribute tree, unsigned &numStmts) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    auto emitError = [&] { return mlir::emitError(builder.getUnknownLoc()); };
    LogicalResult result = verifyScheduleTree(emitError, tree, numStmts);
    EXPECT_EQ(failed(result), !message.empty());
    return message;
  }

  MLIRContext context;
  Builder builder;
};

std::string print(Attribute attr) {
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return text;
}

TEST_F(NestorDialectTest, PrintedScheduleParsesToTheSameAttribute) {
  auto marks =
      builder.getArrayAttr({MarkAttr::get(&context, MarkKind::Vector, 16, 8),
                            MarkAttr::get(&context, MarkKind::Promote, 0, 0)});
  auto inner = BandAttr::get(
      &context, stmts({1}),
      builder.getArrayAttr({member("j", {loopMap(2, 1)}, true, marks)}), false,
      leaf());
  auto sequence = SequenceAttr::get(
      &context,
      builder.getArrayAttr(
          {FilterAttr::get(&context, stmts({0}), ArrayAttr(), leaf()),
           FilterAttr::get(&context, stmts({1}), ArrayAttr(), inner)}));
  auto outer = BandAttr::get(
      &context, stmts({0, 1}),
      builder.getArrayAttr({member("i", {loopMap(1, 0), loopMap(2, 0)})}), true,
      sequence);
  auto steps = builder.getArrayAttr({TileStepAttr::get(
      &context, builder.getStrArrayAttr({"i"}), stmts({32}))});
  auto schedule = ScheduleAttr::get(&context, kScheduleVersion,
                                    builder.getStringAttr("0123456789abcdef"),
                                    outer, ArrayAttr(), steps);

  EXPECT_EQ(parseAttribute(print(schedule), &context), schedule)
      << print(schedule);
}

TEST_F(NestorDialectTest, NamesThatNeedQuotingSurvivePrinting) {
  Attribute reverse = ReverseStepAttr::get(
      &context, builder.getStringAttr("a \"quoted\"\tname \\"));
  EXPECT_EQ(parseAttribute(print(reverse), &context), reverse);
}

TEST_F(NestorDialectTest, TreeCountsItsStatements) {
  unsigned numStmts = 0;
  EXPECT_EQ(diagnose(leaf(), numStmts), "");
  EXPECT_EQ(numStmts, 1u);

  auto band = BandAttr::get(
      &context, stmts({0, 1}),
      builder.getArrayAttr({member("i", {loopMap(1, 0), loopMap(1, 0)})}),
      false, leaf());
  EXPECT_EQ(diagnose(band, numStmts), "");
  EXPECT_EQ(numStmts, 2u);
}

TEST_F(NestorDialectTest, DomainsMayPutAStatementIntoTwoBranches) {
  auto domains = builder.getArrayAttr({builder.getArrayAttr({})});
  auto split = [&](ArrayAttr domains) {
    auto filter = FilterAttr::get(&context, stmts({0}), domains, leaf());
    return SequenceAttr::get(&context, builder.getArrayAttr({filter, filter}));
  };
  unsigned numStmts = 0;
  EXPECT_EQ(diagnose(split(domains), numStmts), "");
  EXPECT_EQ(numStmts, 1u);
  EXPECT_EQ(diagnose(split({}), numStmts),
            "statement 0 is in two branches of one sequence");
}

TEST_F(NestorDialectTest, LoopNamesAreUniqueAcrossBranches) {
  auto branch = [&](int64_t stmt) -> Attribute {
    auto band = BandAttr::get(
        &context, stmts({stmt}),
        builder.getArrayAttr({member("i", {loopMap(1, 0)})}), false, leaf());
    return FilterAttr::get(&context, stmts({stmt}), ArrayAttr(), band);
  };
  auto sequence =
      SequenceAttr::get(&context, builder.getArrayAttr({branch(0), branch(1)}));
  unsigned numStmts = 0;
  EXPECT_EQ(diagnose(sequence, numStmts), "loop name 'i' is used twice");
}

TEST_F(NestorDialectTest, CheckedConstructionReportsInsteadOfAborting) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  auto emitError = [&] { return mlir::emitError(builder.getUnknownLoc()); };
  EXPECT_FALSE(UnrollStepAttr::getChecked(
      emitError, &context, builder.getStringAttr("L0"), int64_t(1)));
  EXPECT_EQ(message, "unroll: factor must be 2 to 64");
  EXPECT_FALSE(MarkAttr::getChecked(emitError, &context, MarkKind::Unroll,
                                    int64_t(1), int64_t(0)));
  EXPECT_TRUE(MarkAttr::getChecked(emitError, &context, MarkKind::Unroll,
                                   int64_t(2), int64_t(0)));
}

} // namespace
