//===- Lowering.cpp - From scheduled loops to the LLVM dialect ------------===//
//
// Execution room, first step: a fixed order of stock passes. Programs are
// measured and labelled through this one pipeline, so a change here makes
// labels stale (their hashes of the generated code change).
//
//===----------------------------------------------------------------------===//
#include "nestor/Execution/Lowering.h"

#include "nestor/Dialect/Nestor.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
/// Removes the nestor attributes, which mean nothing below the loops, so that
/// tools without the dialect (mlir-runner) accept the result.
struct StripAttributesPass
    : PassWrapper<StripAttributesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StripAttributesPass)
  StringRef getArgument() const override { return "nestor-strip-attributes"; }
  StringRef getDescription() const override {
    return "remove all attributes of the nestor dialect";
  }
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      for (NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs()))
        if (isa_and_nonnull<NestorDialect>(attr.getNameDialect()))
          op->removeDiscardableAttr(attr.getName());
      if (auto func = dyn_cast<FunctionOpInterface>(op))
        for (unsigned arg = 0; arg < func.getNumArguments(); ++arg)
          for (NamedAttribute attr : llvm::to_vector(func.getArgAttrs(arg)))
            if (isa_and_nonnull<NestorDialect>(attr.getNameDialect()))
              func.removeArgAttr(arg, attr.getName());
    });
  }
};

/// Of a module, between the two passes below: its strides may be negative.
constexpr StringLiteral kSignedStrides = "memref.signed_strides";

/// MLIR's lowering of loads and stores says that neither the index arithmetic
/// nor the address wraps as an unsigned number. With a negative stride both do,
/// and LLVM makes wrong code of it.
struct MarkSignedStridesPass
    : PassWrapper<MarkSignedStridesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MarkSignedStridesPass)
  StringRef getArgument() const override {
    return "nestor-mark-signed-strides";
  }
  StringRef getDescription() const override {
    return "mark a module that has memrefs whose strides may be negative";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect>();
  }
  void runOnOperation() override {
    auto found = getOperation()->walk([](Operation *op) {
      bool any = llvm::any_of(op->getResultTypes(), mayHaveNegativeStride);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          any |= llvm::any_of(block.getArgumentTypes(), mayHaveNegativeStride);
      return any ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted())
      getOperation()->setAttr(kSignedStrides, UnitAttr::get(&getContext()));
  }
  static bool mayHaveNegativeStride(Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!memref || memref.getLayout().isIdentity() ||
        failed(memref.getStridesAndOffset(strides, offset)))
      return false;
    return llvm::any_of(strides, [](int64_t stride) {
      return stride < 0 || ShapedType::isDynamic(stride);
    });
  }
};

struct DropUnsignedWrapPass
    : PassWrapper<DropUnsignedWrapPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropUnsignedWrapPass)
  StringRef getArgument() const override { return "nestor-drop-unsigned-wrap"; }
  StringRef getDescription() const override {
    return "drop nuw flags of a module marked by nestor-mark-signed-strides";
  }
  void runOnOperation() override {
    if (!getOperation()->removeAttr(kSignedStrides))
      return;
    getOperation()->walk([](Operation *op) {
      if (auto gep = dyn_cast<LLVM::GEPOp>(op))
        gep.setNoWrapFlags(LLVM::bitEnumClear(gep.getNoWrapFlags(),
                                              LLVM::GEPNoWrapFlags::nuw));
      else if (auto sum = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
        sum.setOverflowFlags(LLVM::bitEnumClear(
            sum.getOverflowFlags(), LLVM::IntegerOverflowFlags::nuw));
    });
  }
};

/// Refuses affine expressions that MLIR cannot lower: of some of them it says
/// so, and then goes on with a null value.
struct CheckDivisorsPass
    : PassWrapper<CheckDivisorsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckDivisorsPass)
  StringRef getArgument() const override { return "nestor-check-divisors"; }
  StringRef getDescription() const override {
    return "refuse affine expressions with a divisor that is not positive";
  }
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      for (NamedAttribute attr : op->getAttrs()) {
        ArrayRef<AffineExpr> exprs;
        if (auto map = dyn_cast<AffineMapAttr>(attr.getValue()))
          exprs = map.getValue().getResults();
        else if (auto set = dyn_cast<IntegerSetAttr>(attr.getValue()))
          exprs = set.getValue().getConstraints();
        for (AffineExpr expr : exprs)
          if (auto divisor = findBadDivisor(expr)) {
            op->emitOpError() << "divides by " << *divisor
                              << " in an affine expression; use a divisor "
                                 "that is positive";
            return signalPassFailure();
          }
      }
    });
  }
  static std::optional<int64_t> findBadDivisor(AffineExpr expr) {
    std::optional<int64_t> bad;
    expr.walk([&](AffineExpr part) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(part);
      if (!binary || part.getKind() == AffineExprKind::Add ||
          part.getKind() == AffineExprKind::Mul)
        return;
      auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      if (divisor && divisor.getValue() <= 0)
        bad = divisor.getValue();
    });
    return bad;
  }
};
} // namespace

/// Everything above plain loops: structured ops, masks, index arithmetic and
/// memref views.
static void addHighLevelPasses(OpPassManager &pm) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  // Before anything that folds: MLIR 22 folds min and max bounds inside a loop
  // that cannot run to no bound at all.
  func.addPass(createLowerAffinePass());
  func.addPass(createConvertLinalgToLoopsPass());
  func.addPass(affine::createAffineExpandIndexOpsPass());
  func.addPass(createForallToParallelLoopPass());
  func.addPass(vector::createLowerVectorMaskPass());
  func.addPass(vector::createLowerVectorMultiReductionPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Makes affine.apply of the offsets of views, as the expansion above does.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
}

/// Loops and vector transfers to branches and one-dimensional vectors.
static void addLoopPasses(OpPassManager &pm) {
  pm.addPass(createConvertSCFToOpenMPPass());
  // The conversion leaves memref.alloca_scope in omp regions, which nothing
  // below can lower; folding removes them.
  pm.addPass(createCanonicalizerPass());
  OpPassManager &func = pm.nest<func::FuncOp>();
  VectorTransferToSCFOptions unroll;
  func.addPass(createConvertVectorToSCFPass(unroll.enableFullUnroll()));
  func.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
}

/// What is left to the LLVM dialect.
static void addConversionPasses(OpPassManager &pm) {
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToFuncs()); // math.ipowi
  // Before the expansion, which would make comparisons of maximumf; after it
  // again, for what it makes of ceildivsi and its kin.
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(arith::createArithExpandOpsPass());
  pm.addPass(memref::createExpandOpsPass());
  pm.addPass(createConvertMathToLLVMPass());
  // What has no LLVM intrinsic; unrolls vectors, hence vector-to-llvm again.
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertComplexToLLVMPass());
  pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void mlir::nestor::buildLowerToLLVMPipeline(OpPassManager &pm) {
  pm.addPass(std::make_unique<StripAttributesPass>());
  pm.addPass(std::make_unique<CheckDivisorsPass>());
  pm.addPass(std::make_unique<MarkSignedStridesPass>());
  addHighLevelPasses(pm);
  addLoopPasses(pm);
  addConversionPasses(pm);
  pm.addPass(std::make_unique<DropUnsignedWrapPass>());
}

void mlir::nestor::registerNestorToLLVMPipeline() {
  PassRegistration<StripAttributesPass>();
  PassRegistration<CheckDivisorsPass>();
  PassRegistration<MarkSignedStridesPass>();
  PassRegistration<DropUnsignedWrapPass>();
  PassPipelineRegistration<>(
      "nestor-to-llvm", "lower scheduled loops to the LLVM dialect",
      [](OpPassManager &pm) { buildLowerToLLVMPipeline(pm); });
}
