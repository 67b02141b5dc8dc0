//===- Jit.cpp - Machine code of many small modules -----------------------===//
//
// Fuzz room; see Harness.h. The lowering has few passes, as passes over small
// modules are what time goes into: structured ops to loops, loops to branches,
// everything to LLVM at once. `nestor-to-llvm`, which users run, is tested in
// test/Execution.
//
//===----------------------------------------------------------------------===//
#include "nestor/Execution/Runtime.h"
#include "nestor/Fuzz/Harness.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
using llvm::Error;
using llvm::Expected;

void fuzz::registerHarnessDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

struct Jit::Impl {
  std::unique_ptr<llvm::TargetMachine> plain, optimizing;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  llvm::orc::JITDylib *library = nullptr; ///< the last module
  unsigned numLibraries = 0;
  std::unique_ptr<PassManager> passes;
  MLIRContext *passContext = nullptr;

  PassManager &getPasses(MLIRContext *context);
  Error startLibrary();
};

Jit::Jit() : impl(std::make_unique<Impl>()) {}
Jit::~Jit() = default;

static Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(llvm::CodeGenOptLevel level) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(level);
  // Without these, a bf16 that goes through a block argument stays what it is:
  // their conversion takes denormals for zero.
  builder->addFeatures({"-avx512bf16", "-avxneconvert"});
  // As in measured programs: fused only where the IR says so.
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return builder->createTargetMachine();
}

Expected<std::unique_ptr<Jit>> Jit::create() {
  if (llvm::InitializeNativeTarget() ||
      llvm::InitializeNativeTargetAsmPrinter())
    return llvm::createStringError(
        "this LLVM cannot generate code for this machine");
  std::unique_ptr<Jit> jit(new Jit());
  Impl &impl = *jit->impl;
  auto plain = createMachine(llvm::CodeGenOptLevel::None);
  if (!plain)
    return plain.takeError();
  auto optimizing = createMachine(llvm::CodeGenOptLevel::Default);
  if (!optimizing)
    return optimizing.takeError();
  auto made = llvm::orc::LLJITBuilder().create();
  if (!made)
    return made.takeError();
  impl.plain = std::move(*plain);
  impl.optimizing = std::move(*optimizing);
  impl.jit = std::move(*made);
  return std::move(jit);
}

PassManager &Jit::Impl::getPasses(MLIRContext *context) {
  if (passes && passContext == context)
    return *passes;
  passContext = context;
  passes = std::make_unique<PassManager>(context);
  passes->enableVerifier(false); // The translation complains as well.
  // First of all, as in nestor-to-llvm: others fold on the way, and folding
  // loops that cannot run breaks their bounds.
  passes->addPass(createLowerAffinePass());
  OpPassManager &func = passes->nest<func::FuncOp>();
  func.addPass(createConvertLinalgToLoopsPass());
  func.addPass(memref::createExpandOpsPass());
  passes->addPass(memref::createExpandStridedMetadataPass());
  passes->addPass(createLowerAffinePass());
  passes->addPass(createSCFToControlFlowPass());
  // First without the expansion, whose maximumf does not tell -0 from 0, so
  // that the order of its operands mattered; what it makes goes through the
  // last one.
  passes->addPass(createArithToLLVMConversionPass());
  passes->addPass(arith::createArithExpandOpsPass());
  passes->addPass(createConvertToLLVMPass());
  passes->addPass(createReconcileUnrealizedCastsPass());
  return *passes;
}

Error Jit::Impl::startLibrary() {
  if (library)
    if (Error error = jit->getExecutionSession().removeJITDylib(*library))
      return error;
  library = nullptr;
  auto made = jit->createJITDylib("module" + std::to_string(numLibraries++));
  if (!made)
    return made.takeError();
  library = &*made;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library->addGenerator(std::move(*process));
  llvm::orc::MangleAndInterner mangle(jit->getExecutionSession(),
                                      jit->getDataLayout());
  return library->define(llvm::orc::absoluteSymbols(getRuntimeHelpers(mangle)));
}

/// MLIR's lowering says that index arithmetic and addresses do not wrap as
/// unsigned numbers, which is not so where a stride is negative: LLVM may then
/// do what it likes.
static void dropUnsignedWrapFlags(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (auto *gep = dyn_cast<llvm::GetElementPtrInst>(&instruction))
        gep->setNoWrapFlags(gep->getNoWrapFlags().withoutNoUnsignedWrap());
      else if (isa<llvm::OverflowingBinaryOperator>(instruction))
        instruction.setHasNoUnsignedWrap(false);
    }
}

Error Jit::compile(ModuleOp module, bool optimize) {
  if (failed(impl->getPasses(module.getContext()).run(module)))
    return llvm::createStringError("lowering failed");
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> made = translateModuleToLLVMIR(module, context);
  if (!made)
    return llvm::createStringError("translation to LLVM IR failed");
  if (Error error = loadRuntimes(*made))
    return error;
  llvm::TargetMachine &machine = optimize ? *impl->optimizing : *impl->plain;
  made->setDataLayout(machine.createDataLayout());
  made->setTargetTriple(machine.getTargetTriple());
  dropUnsignedWrapFlags(*made);
  if (optimize)
    if (Error error = makeOptimizingTransformer(3, 0, &machine)(made.get()))
      return error;
  auto object = llvm::orc::SimpleCompiler(machine)(*made);
  if (!object)
    return object.takeError();
  if (Error error = impl->startLibrary())
    return error;
  return impl->jit->addObjectFile(*impl->library, std::move(*object));
}

Expected<void *> Jit::lookup(llvm::StringRef name) {
  auto address = impl->jit->lookup(*impl->library, name);
  if (!address)
    return address.takeError();
  return address->toPtr<void *>();
}
