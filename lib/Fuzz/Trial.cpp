//===- Trial.cpp - One program, its schedules, and what they compute ------===//
//
// Fuzz room; see Trial.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Fuzz/Trial.h"

#include "Child.h"
#include "Dice.h"
#include "nestor/Fuzz/Generator.h"
#include "nestor/Schedule/Rewrite.h"
#include "nestor/Schedule/Serialize.h"
#include "nestor/Transforms/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"

#include <cstring>
#include <ctime>

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
using llvm::Error;
using llvm::Expected;

/// Draws per scop until one can be generated.
static constexpr unsigned kMaxDraws = 8;
/// Processor time of LLVM, which takes minutes for eight copies of a hundred
/// nests and says nothing about Nestor.
static constexpr double kCompileSeconds = 600;

StringRef fuzz::getStageName(Stage stage) {
  static constexpr llvm::StringLiteral names[] = {
      "idle",    "generate",     "schedule",
      "compile", "run the base", "run the candidate",
      "parse",   "verify",       "passes"};
  return names[unsigned(stage)];
}

static std::string candidateName(unsigned number) {
  return (kKernelName + "_" + llvm::Twine(number)).str();
}

//===----------------------------------------------------------------------===//
// Drawing a schedule
//===----------------------------------------------------------------------===//

namespace {
/// A scop of the kernel with what is expensive to know about it. The scop
/// object is given new contents for every copy of the kernel: copies have the
/// same scops over other ops, and dependences do not depend on those.
struct KnownScop {
  std::unique_ptr<Scop> scop;
  std::unique_ptr<Legality> legality; ///< null: left alone
  std::vector<Candidate> skeletons;
  Constructs constructs;
};

/// Draws schedules for copies of one kernel.
class Drawer {
public:
  Drawer(func::FuncOp kernel, const TrialOptions &options);
  /// Schedules `copy`; empty, or what went wrong.
  std::string run(func::FuncOp copy, uint64_t seed, Pair &pair);
  /// The same by what users run, with a small search.
  std::string runSearch(func::FuncOp copy, Pair &pair);

  std::vector<uint64_t> getHashes() const;
  /// Of all scops.
  Constructs getConstructs() const;

private:
  std::string scheduleScop(KnownScop &known, Dice &dice, Pair &pair);
  void writeSchedules(MLIRContext *context, Pair &pair);

  bool record;
  std::vector<KnownScop> scops;
  SmallVector<Attribute> schedules; ///< of the copy, last scop first
};
} // namespace

Drawer::Drawer(func::FuncOp kernel, const TrialOptions &options)
    : record(options.record) {
  LoopTree tree = buildLoopTree(kernel);
  std::string reason;
  for (auto &scop : tree.scops) {
    KnownScop known;
    known.scop = std::move(scop);
    known.constructs = findConstructs(*known.scop);
    known.legality =
        Legality::create(*known.scop, /*reassociate=*/false, reason);
    if (known.legality)
      known.skeletons = buildSkeletons(*known.legality);
    scops.push_back(std::move(known));
  }
}

std::vector<uint64_t> Drawer::getHashes() const {
  std::vector<uint64_t> hashes;
  for (const KnownScop &known : scops) {
    uint64_t number = 0;
    StringRef(known.scop->getHash()).getAsInteger(16, number);
    hashes.push_back(number);
  }
  return hashes;
}

Constructs Drawer::getConstructs() const {
  Constructs constructs;
  for (const KnownScop &known : scops)
    constructs |= known.constructs;
  return constructs;
}

static void describe(const Candidate &candidate, std::string &text) {
  llvm::raw_string_ostream os(text);
  os << '[' << candidate.skeleton;
  for (Attribute step : candidate.steps)
    os << ' ' << step;
  os << ']';
}

std::string Drawer::scheduleScop(KnownScop &known, Dice &dice, Pair &pair) {
  Random random(dice.bits());
  AliasMode alias =
      pair.assumesDistinct ? AliasMode::AssumeDistinct : AliasMode::Check;
  for (unsigned draw = 0; draw < kMaxDraws; ++draw) {
    Candidate candidate =
        randomCandidate(known.skeletons, random, RandomOptions());
    if (candidate.steps.empty() && isSource(candidate))
      continue;
    std::string reason;
    ScheduleAttr schedule;
    if (record)
      schedule = writeSchedule(candidate);
    if (succeeded(rewriteScop(*known.scop, candidate, alias, reason))) {
      Traits traits = findTraits(candidate);
      traits.set(getTrait(pair.assumesDistinct ? "alias=assume-distinct"
                                               : "alias=check"));
      pair.scops.push_back({known.constructs, traits});
      describe(candidate, pair.description);
      schedules.push_back(schedule);
      return "";
    }
    // A move that turns out to be illegal is a bug; a tree that is too complex
    // to tell, or to generate, is none.
    if (failed(checkLegal(candidate, reason)) &&
        !StringRef(reason).contains("too complex")) {
      describe(candidate, pair.description);
      return "an illegal schedule was drawn: " + reason;
    }
  }
  return "";
}

std::string Drawer::run(func::FuncOp copy, uint64_t seed, Pair &pair) {
  Dice dice(seed);
  pair.assumesDistinct = dice.chance(25);
  LoopTree tree = buildLoopTree(copy);
  if (tree.scops.size() != scops.size())
    return "a copy of the function has other scops";
  schedules.clear();
  std::string problem;
  // Last scop first: earlier ones may define values that later ones use.
  for (size_t i = scops.size(); i-- > 0 && problem.empty();) {
    *scops[i].scop = std::move(*tree.scops[i]);
    size_t before = schedules.size();
    if (!scops[i].skeletons.empty())
      problem = scheduleScop(scops[i], dice, pair);
    if (record && schedules.size() == before)
      schedules.push_back(writeUnchanged(*scops[i].scop));
  }
  if (record)
    writeSchedules(copy->getContext(), pair);
  return problem;
}

/// As the function's attribute, which lists the first scop first.
void Drawer::writeSchedules(MLIRContext *context, Pair &pair) {
  std::reverse(schedules.begin(), schedules.end());
  llvm::raw_string_ostream(pair.schedule) << ArrayAttr::get(context, schedules);
}

std::string Drawer::runSearch(func::FuncOp copy, Pair &pair) {
  Traits traits;
  traits.set(getTrait("autoschedule"));
  for (const KnownScop &known : scops)
    pair.scops.push_back({known.constructs, traits});
  pair.description = "[autoschedule]";
  AutoscheduleOptions options;
  options.costModel = "analytical";
  options.budget = 60;
  options.beamWidth = 3;
  PassManager passes(copy->getContext(), func::FuncOp::getOperationName());
  passes.addPass(createAutoschedule(options));
  return succeeded(passes.run(copy)) ? "" : "the search failed";
}

//===----------------------------------------------------------------------===//
// Comparing IR
//===----------------------------------------------------------------------===//

/// Equal for functions that differ in nestor's own attributes only.
static uint64_t fingerprint(func::FuncOp func) {
  llvm::DenseMap<Value, unsigned> numbers;
  auto number = [&](Value value) {
    return numbers.try_emplace(value, numbers.size()).first->second;
  };
  llvm::hash_code hash(0);
  func.getBody().walk([&](Operation *op) {
    hash = llvm::hash_combine(hash, op->getName().getAsOpaquePointer(),
                              op->getPropertiesAsAttribute());
    for (Value operand : op->getOperands())
      hash = llvm::hash_combine(hash, number(operand));
    for (Value result : op->getResults())
      hash = llvm::hash_combine(hash, number(result),
                                result.getType().getAsOpaquePointer());
  });
  return hash;
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<Trials>> Trials::create(Progress &progress) {
  std::unique_ptr<Trials> trials(new Trials(progress));
  auto jit = Jit::create();
  if (!jit)
    return jit.takeError();
  auto arena = Arena::create();
  if (!arena)
    return arena.takeError();
  trials->jit = std::move(*jit);
  trials->arena = std::move(*arena);
  return std::move(trials);
}

Trials::~Trials() = default;

/// Adds the scheduled copies of the kernel to `module`; a copy with a failure
/// is taken out again.
void Trials::draw(ModuleOp module, uint64_t seed, const TrialOptions &options,
                  TrialResult &result) {
  injectedFault() = options.fault;
  llvm::scope_exit mend([] { injectedFault() = Fault::None; });
  auto kernel = module.lookupSymbol<func::FuncOp>(kKernelName);
  result.program = findConstructs(kernel);
  uint64_t baseFingerprint = fingerprint(kernel);
  Dice dice(seed);
  result.isOptimized = dice.chance(options.optimize);
  bool search = dice.chance(options.search);
  progress.stage = Stage::Schedule;
  Drawer drawer(kernel, options);
  result.scopHashes = drawer.getHashes();
  result.program |= drawer.getConstructs();
  if (result.scopHashes.empty())
    return; // everything is left alone
  for (unsigned i = 0; i < options.schedules; ++i) {
    progress.candidate = i;
    uint64_t drawSeed = dice.bits();
    func::FuncOp copy = kernel.clone();
    copy.setName(candidateName(i));
    module.push_back(copy);
    Pair pair;
    bool isSearch = search && i == 0;
    std::string problem = isSearch ? drawer.runSearch(copy, pair)
                                   : drawer.run(copy, drawSeed, pair);
    bool isInvalid = problem.empty() && failed(verify(copy));
    if (isInvalid)
      problem = "the rewritten function is invalid";
    if (!problem.empty())
      result.failures.push_back(
          {i, isInvalid ? "invalid" : "illegal", problem});
    pair.isChanged = fingerprint(copy) != baseFingerprint;
    if (!problem.empty() || !pair.isChanged)
      copy.erase();
    result.pairs.push_back(std::move(pair));
  }
}

Error Trials::execute(const Layout &layout, uint64_t seed,
                      TrialResult &result) {
  auto main = jit->lookup(kMainName), base = jit->lookup(kKernelName);
  if (!main || !base)
    return joinErrors(main.takeError(), base.takeError());
  std::vector<char> initial(kArenaBytes), expected(kArenaBytes);
  char *data = arena->getData();
  auto call = [&](void *kernel, ArrayRef<int64_t> table) {
    std::vector<int64_t> numbers = table.vec();
    memcpy(data, initial.data(), kArenaBytes);
    callMain(*main, data, numbers, kernel);
  };
  std::vector<bool> isWrong(result.pairs.size());
  for (auto [variant, table] : llvm::enumerate(layout.getTables())) {
    layout.fill(initial.data(), table, seed);
    progress.stage = Stage::RunBase;
    call(*base, table);
    memcpy(expected.data(), data, kArenaBytes);
    for (unsigned i = 0; i < result.pairs.size(); ++i) {
      bool mayOverlap = variant > 0;
      if (isWrong[i] || !result.pairs[i].isChanged ||
          (mayOverlap && result.pairs[i].assumesDistinct))
        continue;
      auto candidate = jit->lookup(candidateName(i));
      if (!candidate) { // taken out: its failure is known
        llvm::consumeError(candidate.takeError());
        continue;
      }
      progress.candidate = i;
      progress.stage = Stage::RunCandidate;
      call(*candidate, table);
      std::string difference = layout.compare(expected.data(), data, table);
      if (difference.empty())
        continue;
      isWrong[i] = true;
      result.failures.push_back(
          {i, "wrong",
           difference + " (table " + std::to_string(variant) + ")"});
    }
  }
  return Error::success();
}

Expected<TrialResult> Trials::run(ModuleOp program, uint64_t seed,
                                  const TrialOptions &options) {
  program.getContext()
      ->loadDialect<NestorDialect, arith::ArithDialect, memref::MemRefDialect,
                    scf::SCFDialect, vector::VectorDialect>();
  OwningOpRef<ModuleOp> module = program.clone();
  auto layout = Layout::read(*module);
  if (!layout)
    return layout.takeError();
  TrialResult result;
  draw(*module, seed, options, result);
  result.mayOverlap = layout->getTables().size() > 1;
  if (result.scopHashes.empty())
    return result; // everything was left alone
  progress.stage = Stage::Compile;
  if (Error error = openMain(*module))
    return std::move(error);
  std::optional<OtherTimeLimit> compileTime(kCompileSeconds);
  if (Error error = jit->compile(*module, result.isOptimized)) {
    result.failures.push_back({0, "compile", toString(std::move(error))});
    return result;
  }
  compileTime.reset();
  if (Error error = execute(*layout, seed, result))
    return std::move(error);
  progress.stage = Stage::Idle;
  return result;
}
