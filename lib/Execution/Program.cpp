//===- Program.cpp - Compiling a program in this process ------------------===//
//
// Execution room, second step: parse, find the entry function, lower through
// nestor-to-llvm, translate, hash, optimize at O3 for this CPU, link.
//
//===----------------------------------------------------------------------===//
#include "nestor/Execution/Program.h"

#include "IRHash.h"
#include "nestor/Dialect/Nestor.h"
#include "nestor/Execution/Lowering.h"
#include "nestor/Execution/Runtime.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::nestor;
using llvm::Error;
using llvm::Expected;

static Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

std::string mlir::nestor::getCompilerVersion() { return LLVM_VERSION_STRING; }

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
struct KindInfo {
  ElementKind kind;
  const char *name;
  unsigned bytes;
};
} // namespace

static constexpr KindInfo kKinds[] = {
    {ElementKind::F16, "f16", 2}, {ElementKind::BF16, "bf16", 2},
    {ElementKind::F32, "f32", 4}, {ElementKind::F64, "f64", 8},
    {ElementKind::I1, "i1", 1},   {ElementKind::I8, "i8", 1},
    {ElementKind::I16, "i16", 2}, {ElementKind::I32, "i32", 4},
    {ElementKind::I64, "i64", 8}, {ElementKind::Index, "index", 8}};

static std::string toText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::optional<ElementKind> getElementKind(Type type) {
  std::string text = toText(type);
  for (const KindInfo &info : kKinds)
    if (text == info.name)
      return info.kind;
  return std::nullopt;
}

unsigned mlir::nestor::getByteSize(ElementKind kind) {
  return kKinds[unsigned(kind)].bytes;
}

bool mlir::nestor::isFloat(ElementKind kind) {
  return kind <= ElementKind::F64;
}

int64_t Argument::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::string Argument::getTypeName() const {
  std::string name = kKinds[unsigned(kind)].name;
  if (!isBuffer)
    return name;
  std::string text = "memref<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + name + ">";
}

Error mlir::nestor::checkSameTypes(const Signature &base,
                                   const Signature &candidate) {
  if (base.arguments.size() != candidate.arguments.size() ||
      base.results.size() != candidate.results.size())
    return makeError(
        "the candidate has " + llvm::Twine(candidate.arguments.size()) +
        " arguments and " + llvm::Twine(candidate.results.size()) +
        " results, the base " + llvm::Twine(base.arguments.size()) + " and " +
        llvm::Twine(base.results.size()));
  for (auto [index, pair] :
       llvm::enumerate(llvm::zip(base.arguments, candidate.arguments))) {
    std::string want = std::get<0>(pair).getTypeName();
    std::string have = std::get<1>(pair).getTypeName();
    if (want != have)
      return makeError("argument " + llvm::Twine(index) + " is " + have +
                       " in the candidate but " + want + " in the base");
  }
  if (base.results != candidate.results)
    return makeError("the results of candidate and base differ in type");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The calling convention
//===----------------------------------------------------------------------===//

CallFrame::CallFrame(const Signature &signature, ArrayRef<void *> buffers,
                     ArrayRef<uint64_t> scalars) {
  // A buffer is: allocated pointer, aligned pointer, offset, sizes, strides.
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    if (!argument.isBuffer) {
      slots.push_back(scalars[index]);
      continue;
    }
    auto address = reinterpret_cast<uint64_t>(buffers[index]);
    slots.insert(slots.end(), {address, address, 0});
    slots.insert(slots.end(), argument.shape.begin(), argument.shape.end());
    size_t strides = slots.size();
    slots.resize(strides + argument.shape.size());
    int64_t stride = 1;
    for (size_t dim = argument.shape.size(); dim-- > 0;) {
      slots[strides + dim] = stride;
      stride *= argument.shape[dim];
    }
  }
  // Several results come as one struct.
  unsigned size = 0;
  for (ElementKind kind : signature.results) {
    unsigned bytes = getByteSize(kind);
    size = llvm::alignTo(size, bytes);
    resultPlaces.emplace_back(size, bytes);
    size += bytes;
  }
  results.resize(size);
  resultsPointer = results.data();
  for (uint64_t &slot : slots)
    pointers.push_back(&slot);
  if (!results.empty())
    pointers.push_back(resultsPointer);
}

uint64_t CallFrame::getResult(unsigned index) const {
  auto [offset, size] = resultPlaces[index];
  uint64_t bits = 0;
  memcpy(&bits, results.data() + offset, size);
  return bits;
}

//===----------------------------------------------------------------------===//
// Reading a program
//===----------------------------------------------------------------------===//

namespace {
/// Turns the diagnostics of a scope into the message of an Error.
class DiagnosticCollector {
public:
  DiagnosticCollector(MLIRContext *context, StringRef program)
      : program(program),
        handler(context, [this](Diagnostic &diagnostic) { add(diagnostic); }) {}

  /// The first diagnostic, or `otherwise` if there was none.
  Error take(StringRef otherwise = "MLIR failed without saying why") {
    return makeError(text.empty() ? program + ": " + otherwise
                                  : llvm::Twine(text));
  }

private:
  void add(Diagnostic &diagnostic) {
    // The first error is the cause; what follows are consequences.
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !text.empty())
      return;
    llvm::raw_string_ostream stream(text);
    if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
      stream << place.getFilename().getValue() << ":" << place.getLine() << ":"
             << place.getColumn() << ": ";
    stream << diagnostic;
  }

  StringRef program;
  std::string text;
  ScopedDiagnosticHandler handler;
};
} // namespace

static const DialectRegistry &getRegistry() {
  static DialectRegistry *registry = [] {
    auto *made = new DialectRegistry();
    registerAllDialects(*made);
    made->insert<NestorDialect>();
    registerBuiltinDialectTranslation(*made);
    registerLLVMDialectTranslation(*made);
    registerOpenMPDialectTranslation(*made);
    return made;
  }();
  return *registry;
}

static Expected<func::FuncOp> findEntry(ModuleOp module, StringRef entry) {
  if (!entry.empty()) {
    auto func = module.lookupSymbol<func::FuncOp>(entry);
    if (func && !func.isExternal())
      return func;
    return makeError("no function @" + entry + " with a body");
  }
  std::vector<func::FuncOp> candidates;
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isExternal())
      candidates.push_back(func);
  if (candidates.size() == 1)
    return candidates.front();
  for (func::FuncOp func : candidates)
    if (func.getName() == "kernel")
      return func;
  if (candidates.empty())
    return makeError("no public function with a body: name the function to "
                     "run with --entry=NAME");
  std::string names;
  for (func::FuncOp func : candidates)
    names += " @" + func.getName().str();
  return makeError(llvm::Twine(candidates.size()) + " public functions (" +
                   names.substr(1) +
                   "): name the one to run with --entry=NAME");
}

static Expected<Argument> readBuffer(MemRefType type, StringRef where) {
  Argument argument;
  argument.isBuffer = true;
  std::string typeText = toText(type);
  if (!type.hasStaticShape())
    return makeError(where + " has type " + typeText +
                     ": measuring needs a static shape");
  if (!type.getLayout().isIdentity() || type.getMemorySpace())
    return makeError(where + " has type " + typeText +
                     ": measuring needs the identity layout and the default "
                     "memory space");
  std::optional<ElementKind> kind = getElementKind(type.getElementType());
  if (!kind)
    return makeError(where + " has type " + typeText +
                     ": measuring needs elements of f16, bf16, f32, f64, i1, "
                     "i8, i16, i32, i64 or index");
  argument.kind = *kind;
  argument.shape.assign(type.getShape().begin(), type.getShape().end());
  return argument;
}

static Expected<Argument> readArgument(func::FuncOp func, unsigned index) {
  std::string where =
      "argument " + std::to_string(index) + " of @" + func.getName().str();
  Type type = func.getArgumentTypes()[index];
  auto init = func.getArgAttrOfType<StringAttr>(index, kInitAttrName);
  Attribute value = func.getArgAttr(index, kValueAttrName);
  if (auto memref = dyn_cast<MemRefType>(type)) {
    Expected<Argument> argument = readBuffer(memref, where);
    if (argument && value)
      return makeError(where + " is a memref: use nestor.init, not "
                               "nestor.value");
    if (argument && init)
      argument->init = init.getValue().str();
    return argument;
  }
  std::optional<ElementKind> kind = getElementKind(type);
  if (!kind)
    return makeError(where + " has type " + toText(type) +
                     ": measuring needs memrefs and numbers");
  if (init)
    return makeError(where + " is a scalar: use nestor.value, not nestor.init");
  Argument argument;
  argument.kind = *kind;
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    argument.value = number.getValueAsDouble();
  if (auto number = dyn_cast_or_null<IntegerAttr>(value))
    argument.value = double(number.getValue().getSExtValue());
  return argument;
}

static Expected<Signature> readSignature(func::FuncOp func) {
  Signature signature;
  for (unsigned index = 0; index < func.getNumArguments(); ++index) {
    Expected<Argument> argument = readArgument(func, index);
    if (!argument)
      return argument.takeError();
    signature.arguments.push_back(*argument);
  }
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    std::optional<ElementKind> kind = getElementKind(type);
    if (!kind)
      return makeError("result " + llvm::Twine(index) + " of @" +
                       func.getName() + " has type " + toText(type) +
                       ": measuring needs results that are numbers; pass "
                       "buffers as arguments (--buffer-results-to-out-params)");
    signature.results.push_back(*kind);
  }
  return signature;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine() {
  static bool initialized = !llvm::InitializeNativeTarget() &&
                            !llvm::InitializeNativeTargetAsmPrinter();
  if (!initialized)
    return makeError("this LLVM cannot generate code for this machine");
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  // Multiply and add are fused where the IR says so (contract, fma), nowhere
  // else: strict programs must stay comparable bit for bit.
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return builder->createTargetMachine();
}

/// Makes machine code of `module` (LLVM dialect) and sets `hash`.
static Expected<std::unique_ptr<ExecutionEngine>>
createEngine(ModuleOp module, std::string &hash) {
  auto target = createTargetMachine();
  if (!target)
    return target.takeError();
  auto forCodeGen = createTargetMachine();
  if (!forCodeGen)
    return forCodeGen.takeError();

  Error problem = Error::success();
  auto build = [&](Operation *op, llvm::LLVMContext &context) {
    std::unique_ptr<llvm::Module> made = translateModuleToLLVMIR(op, context);
    if (made) {
      hash = hashModule(*made);
      problem = loadRuntimes(*made);
    }
    return made;
  };
  auto optimize = makeOptimizingTransformer(3, 0, target->get());
  ExecutionEngineOptions options;
  options.llvmModuleBuilder = build;
  options.transformer = optimize;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine =
      ExecutionEngine::create(module, options, std::move(*forCodeGen));
  if (problem) {
    if (!engine)
      llvm::consumeError(engine.takeError());
    return std::move(problem);
  }
  if (engine)
    (*engine)->registerSymbols(getRuntimeHelpers);
  return engine;
}

/// Names the first op that the lowering does not know. Casts around it are a
/// consequence, and what the translation would complain about.
static LogicalResult checkLowered(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "llvm" || dialect == "omp" || dialect == "builtin")
      return WalkResult::advance();
    op->emitError() << "'" << op->getName()
                    << "' cannot be lowered to LLVM: measuring needs programs "
                       "of affine, scf, vector, arith, math, memref and linalg "
                       "on memrefs";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

Expected<std::unique_ptr<Program>>
Program::compile(StringRef text, StringRef name, StringRef entry) {
  MLIRContext context(getRegistry(), MLIRContext::Threading::DISABLED);
  DiagnosticCollector diagnostics(&context, name);
  auto fail = [&](Error error) {
    return makeError(name + ": " + llvm::toString(std::move(error)));
  };

  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context), name);
  if (!module)
    return diagnostics.take();
  Expected<func::FuncOp> func = findEntry(*module, entry);
  if (!func)
    return fail(func.takeError());
  std::string function = func->getName().str();

  std::unique_ptr<Program> program(new Program());
  Expected<Signature> signature = readSignature(*func);
  if (!signature)
    return fail(signature.takeError());
  program->signature = std::move(*signature);

  PassManager passes(&context);
  passes.enableVerifier(false); // The translation complains as well.
  buildLowerToLLVMPipeline(passes);
  if (failed(passes.run(*module)) || failed(checkLowered(*module)))
    return diagnostics.take();

  auto engine = createEngine(*module, program->hash);
  if (!engine) // The engine's own message says little, a diagnostic more.
    return diagnostics.take(llvm::toString(engine.takeError()));
  auto entryPoint = (*engine)->lookupPacked(function);
  if (!entryPoint)
    return fail(entryPoint.takeError());
  program->engine = std::move(*engine);
  program->function = *entryPoint;
  return program;
}

Expected<std::unique_ptr<Program>> Program::compileFile(StringRef path,
                                                        StringRef entry) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return makeError("cannot read '" + path +
                     "': " + buffer.getError().message());
  return compile((*buffer)->getBuffer(), path, entry);
}

Program::~Program() = default;
