//===- Reduce.cpp - Small programs from large failures --------------------===//
//
// Fuzz room; see Reduce.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Fuzz/Reduce.h"

#include "Child.h"
#include "nestor/Fuzz/Generator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
using affine::AffineForOp;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Checking one program
//===----------------------------------------------------------------------===//

static constexpr int kUnfit = 3;

/// In a child: writes the first failure as one line.
static int checkHere(ModuleOp program, const CheckOptions &options,
                     Progress &progress, int descriptor) {
  limitTime(options.seconds);
  limitMemory(kChildMemory);
  ScopedDiagnosticHandler silence(program.getContext(), [](Diagnostic &) {});
  auto trials = Trials::create(progress);
  if (!trials) {
    writeLine(descriptor, toString(trials.takeError()));
    return kUnfit;
  }
  TrialOptions trial = options.trial;
  trial.record = true;
  auto result = (*trials)->run(program, options.seed, trial);
  if (!result) {
    writeLine(descriptor, toString(result.takeError()));
    return kUnfit;
  }
  if (result->failures.empty())
    return 0;
  const Failure &failure = result->failures.front();
  const Pair &pair = result->pairs[failure.candidate];
  llvm::json::Value line =
      llvm::json::Array{failure.candidate, failure.kind, failure.detail,
                        pair.description, pair.schedule};
  std::string text;
  llvm::raw_string_ostream(text) << line;
  return writeLine(descriptor, text) ? 1 : 2;
}

Expected<std::optional<Finding>> fuzz::check(ModuleOp program,
                                             const CheckOptions &options) {
  SharedProgress progress;
  auto child = Child::start([&](int descriptor) {
    return checkHere(program, options, progress.get(), descriptor);
  });
  if (!child)
    return child.takeError();
  std::vector<std::string> lines;
  while ((*child)->readLines(lines)) {
  }
  End end = (*child)->wait();
  Finding finding;
  finding.failure.candidate = progress.get().candidate;
  if (end.how != End::Finished) {
    finding.failure.kind = end.how == End::Hung ? "hang" : "crash";
    finding.failure.detail =
        (end.what + ", in: " + getStageName(progress.get().stage)).str();
    return finding;
  }
  if (end.status == 0)
    return std::nullopt;
  if (end.status != 1 || lines.empty())
    return llvm::createStringError(lines.empty() ? "a child could not work"
                                                 : lines.front());
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(lines.front()));
  const llvm::json::Array &parts = *value.getAsArray();
  finding.failure.candidate = unsigned(*parts[0].getAsInteger());
  finding.failure.kind = parts[1].getAsString()->str();
  finding.failure.detail = parts[2].getAsString()->str();
  finding.description = parts[3].getAsString()->str();
  finding.schedule = parts[4].getAsString()->str();
  return finding;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// Ways to make a program smaller at one op. Each returns false if it does not
/// apply there.
using Step = bool (*)(Operation *);
} // namespace

/// A buffer that only its own filling and end use may go, all at once.
static bool eraseBuffer(Operation *op) {
  if (!isa<memref::AllocOp, memref::AllocaOp>(op) ||
      !llvm::all_of(op->getUsers(),
                    llvm::IsaPred<linalg::FillOp, memref::DeallocOp>))
    return false;
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    user->erase();
  op->erase();
  return true;
}

static bool canBeZero(Value value) {
  Type type = value.getType();
  // A subscript must stay in the range that it was chosen for.
  return isa<IntegerType, FloatType, VectorType>(type);
}

/// True if the value is what something is divided by, perhaps after casts and
/// the like.
static bool reachesDivisor(Value value, unsigned levels = 4) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp,
            arith::CeilDivUIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(user))
      return use.getOperandNumber() == 1;
    return levels > 0 &&
           isa_and_nonnull<arith::ArithDialect>(user->getDialect()) &&
           llvm::any_of(user->getResults(), [&](Value result) {
             return reachesDivisor(result, levels - 1);
           });
  });
}

static Value makeZero(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc,
                                   cast<TypedAttr>(builder.getZeroAttr(type)));
}

/// Takes the op away, zeros in the place of its results.
static bool eraseOp(Operation *op) {
  bool keeps =
      op->hasTrait<OpTrait::IsTerminator>() ||
      isa<linalg::FillOp, memref::DeallocOp, memref::AllocOp, memref::AllocaOp>(
          op) ||
      (isa<arith::ConstantOp>(op) && !op->use_empty());
  for (Value result : op->getResults())
    keeps |=
        !result.use_empty() && (!canBeZero(result) || reachesDivisor(result));
  if (keeps)
    return false;
  OpBuilder builder(op);
  for (Value result : op->getResults())
    if (!result.use_empty())
      result.replaceAllUsesWith(
          makeZero(builder, op->getLoc(), result.getType()));
  op->erase();
  return true;
}

/// An operand in the place of the op.
template <unsigned number> static bool forwardOperand(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() <= number ||
      !isMemoryEffectFree(op) || !canBeZero(op->getResult(0)) ||
      reachesDivisor(op->getResult(0)))
    return false;
  Value operand = op->getOperand(number);
  if (operand.getType() != op->getResult(0).getType())
    return false;
  op->getResult(0).replaceAllUsesWith(operand);
  op->erase();
  return true;
}

/// The loop's first iteration instead of the loop.
static bool unwrapLoop(Operation *op) {
  auto loop = dyn_cast<AffineForOp>(op);
  if (!loop || !loop.hasConstantLowerBound() || loop.getNumResults())
    return false;
  OpBuilder builder(op);
  Value first = arith::ConstantIndexOp::create(builder, op->getLoc(),
                                               loop.getConstantLowerBound());
  loop.getInductionVar().replaceAllUsesWith(first);
  for (Operation &inner :
       llvm::make_early_inc_range(loop.getBody()->without_terminator()))
    inner.moveBefore(op);
  op->erase();
  return true;
}

template <int64_t trips> static bool shortenLoop(Operation *op) {
  auto loop = dyn_cast<AffineForOp>(op);
  if (!loop || !loop.hasConstantBounds())
    return false;
  int64_t first = loop.getConstantLowerBound(), step = loop.getStepAsInt();
  if ((loop.getConstantUpperBound() - first + step - 1) / step <= trips)
    return false;
  loop.setConstantUpperBound(first + trips * step);
  return true;
}

/// Stores zero.
static bool storeZero(Operation *op) {
  auto store = dyn_cast<affine::AffineStoreOp>(op);
  if (!store || !canBeZero(store.getValueToStore()) ||
      store.getValueToStore().getDefiningOp<arith::ConstantOp>())
    return false;
  OpBuilder builder(op);
  op->setOperand(
      0, makeZero(builder, op->getLoc(), store.getValueToStore().getType()));
  return true;
}

/// One table instead of several.
template <unsigned number> static bool keepTable(Operation *op) {
  auto tables = op->getAttrOfType<ArrayAttr>(kTablesName);
  if (!tables || tables.size() < 2 || tables.size() <= number)
    return false;
  op->setAttr(kTablesName, ArrayAttr::get(op->getContext(), tables[number]));
  return true;
}

static constexpr Step kSteps[] = {
    keepTable<0>, keepTable<1>,   keepTable<2>,      eraseOp,
    unwrapLoop,   eraseBuffer,    forwardOperand<0>, forwardOperand<1>,
    storeZero,    shortenLoop<2>, shortenLoop<3>,    shortenLoop<5>};

//===----------------------------------------------------------------------===//
// Reducing
//===----------------------------------------------------------------------===//

namespace {
class Reducer {
public:
  Reducer(OwningOpRef<ModuleOp> program, const Failure &failure,
          const CheckOptions &options, unsigned maxTests)
      : program(std::move(program)), failure(failure), options(options),
        testsLeft(maxTests) {}
  OwningOpRef<ModuleOp> run();

private:
  bool tryStep(Step step, unsigned number);
  bool stillFails(ModuleOp candidate);
  static SmallVector<Operation *> opsOf(ModuleOp module);

  OwningOpRef<ModuleOp> program;
  const Failure &failure;
  const CheckOptions &options;
  unsigned testsLeft;
};
} // namespace

/// True for failures of one kind and, if their processes died, of one stage: a
/// crash of the program as written is no wrong schedule.
static bool isAlike(const Failure &a, const Failure &b) {
  bool died = a.kind == "crash" || a.kind == "hang";
  return a.kind == b.kind && (!died || a.detail == b.detail);
}

/// Ops that steps may change: @main itself, and all of the kernel's.
SmallVector<Operation *> Reducer::opsOf(ModuleOp module) {
  SmallVector<Operation *> ops{module.lookupSymbol(kMainName)};
  auto kernel = module.lookupSymbol<func::FuncOp>(kKernelName);
  kernel.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { ops.push_back(op); });
  return ops;
}

bool Reducer::stillFails(ModuleOp candidate) {
  if (failed(verify(candidate)))
    return false;
  --testsLeft;
  auto finding = check(candidate, options);
  if (!finding) {
    llvm::consumeError(finding.takeError());
    return false;
  }
  return *finding && isAlike((*finding)->failure, failure);
}

bool Reducer::tryStep(Step step, unsigned number) {
  OwningOpRef<ModuleOp> candidate = program->clone();
  Operation *op = opsOf(*candidate)[number];
  if (!step(op) || !stillFails(*candidate))
    return false;
  program = std::move(candidate);
  return true;
}

OwningOpRef<ModuleOp> Reducer::run() {
  ScopedDiagnosticHandler silence(program->getContext(), [](Diagnostic &) {});
  for (bool changed = true; changed && testsLeft;) {
    changed = false;
    for (Step step : kSteps)
      for (unsigned i = 0; testsLeft && i < opsOf(*program).size();)
        if (tryStep(step, i))
          changed = true; // another op has this number now
        else
          ++i;
  }
  return std::move(program);
}

/// The schedules drawn are others when the program is: more of them.
static CheckOptions widen(const CheckOptions &options) {
  CheckOptions wide = options;
  wide.trial.schedules = std::max(options.trial.schedules, 24u);
  return wide;
}

OwningOpRef<ModuleOp> fuzz::reduce(ModuleOp program, const Finding &finding,
                                   const CheckOptions &options,
                                   unsigned maxTests) {
  CheckOptions wide = widen(options);
  return Reducer(program.clone(), finding.failure, wide, maxTests).run();
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

Error fuzz::saveReduced(ModuleOp program, const CheckOptions &options,
                        StringRef path) {
  CheckOptions wide = widen(options);
  auto found = check(program, wide);
  if (!found)
    return found.takeError();
  if (!*found)
    return llvm::createStringError("the program does not fail");
  const Finding &finding = **found;
  return llvm::writeToOutput(path, [&](raw_ostream &os) {
    os << "// " << finding.failure.kind << ": " << finding.failure.detail
       << "\n// schedule: " << finding.description << "\n";
    if (!finding.schedule.empty())
      os << "// nestor.schedule = " << finding.schedule << "\n";
    os << "// again: nestor-fuzz check --seed=" << wide.seed
       << " --schedules=" << wide.trial.schedules << " "
       << llvm::sys::path::filename(path) << "\n";
    program.print(os);
    os << "\n";
    return Error::success();
  });
}
