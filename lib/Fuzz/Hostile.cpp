//===- Hostile.cpp - Damaged input to every pass --------------------------===//
//
// Fuzz room; see Hostile.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Fuzz/Hostile.h"

#include "Autopsy.h"
#include "Dice.h"
#include "Pool.h"
#include "nestor/Fuzz/Generator.h"
#include "nestor/Fuzz/Mutate.h"
#include "nestor/InitAll.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <fcntl.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
using llvm::Error;
using llvm::Expected;

/// Programs of the generator that are added to the corpus.
static constexpr unsigned kPrograms = 48;

namespace {
struct Pipeline {
  llvm::StringLiteral name;
  void (*build)(OpPassManager &);
};
} // namespace

template <std::unique_ptr<Pass> (*create)()>
static void onFunctions(OpPassManager &passes) {
  passes.addNestedPass<func::FuncOp>(create());
}

static std::unique_ptr<Pass> createRandomSchedule() {
  TestRandomScheduleOptions options;
  options.seed = 1;
  options.roundTrip = true;
  return createTestRandomSchedule(options);
}

template <bool apply> static std::unique_ptr<Pass> createSmallSearch() {
  AutoscheduleOptions options;
  options.costModel = "analytical";
  options.budget = 20;
  options.beamWidth = 2;
  options.apply = apply;
  return createAutoschedule(options);
}

static std::unique_ptr<Pass> createSomeScores() {
  PrintScoresOptions options;
  options.costModel = "analytical";
  options.search = "random";
  options.budget = 10;
  return createPrintScores(options);
}

static constexpr Pipeline kPipelines[] = {
    {"nestor-print-loop-tree", onFunctions<createPrintLoopTree>},
    {"nestor-print-dependences", onFunctions<createPrintDependences>},
    {"nestor-print-features", onFunctions<createPrintFeatures>},
    {"nestor-print-work", onFunctions<createPrintWork>},
    {"nestor-apply-schedule", onFunctions<createApplySchedule>},
    {"nestor-test-random-schedule", onFunctions<createRandomSchedule>},
    {"nestor-autoschedule", onFunctions<createSmallSearch<true>>},
    {"nestor-print-scores", onFunctions<createSomeScores>},
    {"nestor-to-llvm", buildLowerToLLVMPipeline},
};
static constexpr unsigned kNumPasses = std::size(kPipelines);

/// By Progress::candidate while a pass runs.
static std::string stageName(const Progress &progress) {
  if (progress.stage != Stage::Passes)
    return getStageName(progress.stage).str();
  return progress.candidate < kNumPasses
             ? kPipelines[progress.candidate].name.str()
             : "the misdeed";
}

//===----------------------------------------------------------------------===//
// Misdeeds, for tests
//===----------------------------------------------------------------------===//

namespace {
/// A pass that does what no pass may do.
struct MisdeedPass : PassWrapper<MisdeedPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MisdeedPass)
  explicit MisdeedPass(Misdeed misdeed) : misdeed(misdeed) {}
  static unsigned recurse(volatile unsigned *depth) {
    volatile unsigned more = *depth + 1;
    return more == 0 ? 0 : recurse(&more) + more;
  }
  void runOnOperation() override {
    volatile unsigned zero = 0;
    switch (misdeed) {
    case Misdeed::None:
      return;
    case Misdeed::Crash:
      abort();
    case Misdeed::Exit:
      _exit(1);
    case Misdeed::Overflow:
      llvm::nulls() << recurse(&zero);
      return;
    case Misdeed::Hang:
      while (!zero) {
      }
      return;
    case Misdeed::Exhaust:
      while (!zero)
        *static_cast<volatile char *>(std::malloc(1 << 28)) = 1;
      return;
    case Misdeed::Silence:
      return signalPassFailure();
    case Misdeed::Invalidate: // two symbols of one name
      for (unsigned i = 0; i < 2; ++i)
        getOperation().getBody()->push_back(
            func::FuncOp::create(getOperation().getLoc(), "same",
                                 FunctionType::get(&getContext(), {}, {})));
    }
  }
  Misdeed misdeed;
};
} // namespace

//===----------------------------------------------------------------------===//
// One file
//===----------------------------------------------------------------------===//

namespace {
/// What became of one file.
struct FileReport {
  bool parsed = false, verified = false;
  enum Outcome { NotRun, Accepted, Diagnosed };
  std::vector<unsigned> outcomes = std::vector<unsigned>(kNumPasses, NotRun);
  std::vector<std::pair<std::string, std::string>> failures; ///< kind, stage
};

/// Makes and tries files, in a child.
class FileTrials {
public:
  FileTrials(const std::vector<std::string> &texts,
             const HostileOptions &options, Progress &progress);
  std::string make(uint64_t seed);
  FileReport run(StringRef text);

private:
  void runPass(unsigned number, ModuleOp program, FileReport &report);
  OwningOpRef<ModuleOp> parse(StringRef text, MLIRContext &context);

  const std::vector<std::string> &texts;
  const HostileOptions &options;
  Progress &progress;
  DialectRegistry registry;
};
} // namespace

FileTrials::FileTrials(const std::vector<std::string> &texts,
                       const HostileOptions &options, Progress &progress)
    : texts(texts), options(options), progress(progress) {
  registerHarnessDialects(registry);
  registerAllNestor(registry);
}

/// Not verified; null if the text does not parse.
OwningOpRef<ModuleOp> FileTrials::parse(StringRef text, MLIRContext &context) {
  // The file may use ops that nobody knows: their effects are unknown, too.
  context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  markStack();
  if (failed(parseSourceString(text, module->getBody(), config)))
    return {};
  auto inner = module->getOps<ModuleOp>();
  if (!llvm::hasSingleElement(module->getOps()) || inner.empty())
    return module;
  OwningOpRef<ModuleOp> only = *inner.begin();
  only->getOperation()->remove();
  return only;
}

std::string FileTrials::make(uint64_t seed) {
  progress.stage = Stage::Generate;
  Dice dice(seed);
  if (dice.chance(35))
    return mutateText(texts, seed);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  OwningOpRef<ModuleOp> module = parse(dice.pick(texts), context);
  if (!module || failed(verify(*module)))
    return mutateText(texts, seed);
  mutateOps(*module, seed);
  std::string text;
  llvm::raw_string_ostream os(text);
  // The short form asks ops for what only valid ones have.
  module->print(os, OpPrintingFlags().printGenericOpForm().assumeVerified());
  return dice.chance(25) ? mutateText(text, seed) : text;
}

void FileTrials::runPass(unsigned number, ModuleOp program,
                         FileReport &report) {
  MLIRContext *context = program.getContext();
  progress.candidate = number;
  bool isMisdeed = number == kNumPasses;
  OwningOpRef<ModuleOp> module = program.clone();
  PassManager passes(context);
  // After a pass of Nestor, the IR is verified here, which tells a wrong result
  // from a diagnostic. What lowers to LLVM are MLIR's passes; some leave IR
  // that only the verifier refuses, as users see.
  bool isLowering = number + 1 == kNumPasses;
  passes.enableVerifier(isLowering);
  if (isMisdeed)
    passes.addPass(std::make_unique<MisdeedPass>(options.misdeed));
  else
    kPipelines[number].build(passes);
  unsigned errors = 0;
  ScopedDiagnosticHandler count(context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  markStack();
  bool accepts = succeeded(passes.run(*module));
  auto fail = [&](const char *kind) {
    report.failures.push_back({kind, stageName(progress)});
  };
  if (!accepts && errors == 0)
    fail("silent");
  if (accepts && failed(verify(*module)))
    fail("invalid");
  if (!isMisdeed)
    report.outcomes[number] =
        accepts ? FileReport::Accepted : FileReport::Diagnosed;
}

FileReport FileTrials::run(StringRef text) {
  FileReport report;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  progress.stage = Stage::Parse;
  OwningOpRef<ModuleOp> module = parse(text, context);
  if (!module)
    return report;
  report.parsed = true;
  progress.stage = Stage::Verify;
  markStack();
  if (failed(verify(*module)))
    return report;
  report.verified = true;
  progress.stage = Stage::Passes;
  for (unsigned number = 0; number < kNumPasses; ++number)
    runPass(number, *module, report);
  if (options.misdeed != Misdeed::None)
    runPass(kNumPasses, *module, report);
  return report;
}

//===----------------------------------------------------------------------===//
// The child's side
//===----------------------------------------------------------------------===//

static std::string toLine(const FileReport &report) {
  llvm::json::Array outcomes, failures;
  for (unsigned outcome : report.outcomes)
    outcomes.push_back(outcome);
  for (const auto &[kind, stage] : report.failures)
    failures.push_back(llvm::json::Array{kind, stage});
  return llvm::formatv("{0}", llvm::json::Value(llvm::json::Array{
                                  report.parsed, report.verified,
                                  std::move(outcomes), std::move(failures)}));
}

static FileReport fromLine(StringRef line) {
  FileReport report;
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(line));
  const llvm::json::Array &parts = *value.getAsArray();
  report.parsed = *parts[0].getAsBoolean();
  report.verified = *parts[1].getAsBoolean();
  for (auto [i, outcome] : llvm::enumerate(*parts[2].getAsArray()))
    report.outcomes[i] = unsigned(*outcome.getAsInteger());
  for (const llvm::json::Value &entry : *parts[3].getAsArray()) {
    const llvm::json::Array &failure = *entry.getAsArray();
    report.failures.push_back(
        {failure[0].getAsString()->str(), failure[1].getAsString()->str()});
  }
  return report;
}

/// What passes print is not for anybody.
static void closeOutputs() {
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

static void prepareChild(const HostileOptions &options, Progress &progress) {
  closeOutputs();
  progress.autopsy = {};
  watchDeath(progress.autopsy);
  limitMemory(kChildMemory);
  limitTime(options.seconds);
}

static int workOn(uint64_t from, uint64_t to,
                  const std::vector<std::string> &texts,
                  const HostileOptions &options, Progress &progress,
                  int descriptor) {
  prepareChild(options, progress);
  FileTrials trials(texts, options, progress);
  for (uint64_t seed = from; seed < to; ++seed) {
    progress.seed = seed;
    progress.candidate = 0;
    limitTime(options.seconds);
    if (!writeLine(descriptor, toLine(trials.run(trials.make(seed)))))
      return kCannotWork;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Files that fail
//===----------------------------------------------------------------------===//

/// What a text does, in a child: the first failure, if any.
static std::optional<HostileFailure> tryText(StringRef text,
                                             const HostileOptions &options) {
  SharedProgress progress;
  auto child = Child::start([&](int descriptor) {
    prepareChild(options, progress.get());
    FileReport report = FileTrials({}, options, progress.get()).run(text);
    return writeLine(descriptor, toLine(report)) ? 0 : kCannotWork;
  });
  if (!child)
    return llvm::consumeError(child.takeError()), std::nullopt;
  std::vector<std::string> lines;
  while ((*child)->readLines(lines)) {
  }
  End end = (*child)->wait();
  HostileFailure failure;
  if (lines.empty()) {
    failure.kind = end.how == End::Hung ? "hang" : "crash";
    failure.stage = stageName(progress.get());
    const Autopsy &autopsy = progress.get().autopsy;
    failure.isOurs = autopsy.isOurs || !autopsy.isKnown;
    return failure;
  }
  FileReport report = fromLine(lines.front());
  if (report.failures.empty())
    return std::nullopt;
  std::tie(failure.kind, failure.stage) = report.failures.front();
  return failure;
}

namespace {
/// Takes lines away for as long as the file fails in the same way.
class TextReducer {
public:
  TextReducer(StringRef text, const HostileFailure &failure,
              const HostileOptions &options)
      : failure(failure), options(options),
        // A hang takes all of its time at every test.
        testsLeft(failure.kind == "hang" ? 15 : 300) {
    text.split(lines, '\n');
  }
  std::string run();

private:
  bool tryWithout(size_t begin, size_t end);
  size_t endOfBlock(size_t begin) const;

  const HostileFailure &failure;
  const HostileOptions &options;
  unsigned testsLeft;
  SmallVector<StringRef> lines;
};
} // namespace

bool TextReducer::tryWithout(size_t begin, size_t end) {
  if (testsLeft == 0)
    return false;
  --testsLeft;
  SmallVector<StringRef> fewer(lines.begin(), lines.begin() + begin);
  fewer.append(lines.begin() + end, lines.end());
  auto found = tryText(llvm::join(fewer, "\n"), options);
  if (!found || found->kind != failure.kind || found->stage != failure.stage ||
      found->isOurs != failure.isOurs)
    return false;
  lines = std::move(fewer);
  return true;
}

/// Behind the line that closes what `begin` opens.
size_t TextReducer::endOfBlock(size_t begin) const {
  int64_t open = 0;
  for (size_t at = begin; at < lines.size(); ++at) {
    open += int64_t(lines[at].count('{')) - int64_t(lines[at].count('}'));
    if (open <= 0)
      return at + 1;
  }
  return lines.size();
}

std::string TextReducer::run() {
  for (bool changed = true; changed && testsLeft;) {
    changed = false;
    for (size_t at = 0; at < lines.size();) {
      size_t end = endOfBlock(at);
      if (tryWithout(at, end))
        changed = true;
      else
        ++at;
    }
  }
  return llvm::join(lines, "\n");
}

//===----------------------------------------------------------------------===//
// The parent's side
//===----------------------------------------------------------------------===//

namespace {
class HostileRun {
public:
  HostileRun(const HostileOptions &options, std::vector<std::string> texts)
      : options(options), texts(std::move(texts)) {
    totals.passes.resize(kNumPasses);
  }
  Error run();
  HostileTotals take() { return std::move(totals); }

private:
  Error add(const std::vector<SeedEnd> &seeds, bool &done);
  Error addFailure(HostileFailure failure);
  Error keep(const HostileFailure &failure) const;
  void show() const;

  const HostileOptions &options;
  std::vector<std::string> texts;
  HostileTotals totals;
};
} // namespace

static std::string comment(const HostileFailure &failure) {
  return "seed " + std::to_string(failure.seed) + ": " + failure.kind + " in " +
         failure.stage + (failure.place.empty() ? "" : ": " + failure.place) +
         (failure.isOurs ? "" : " (no function of Nestor was running)");
}

/// Writes the file of a failure, reduced. A file that no text can be made for
/// (the damage itself fails) is left out.
Error HostileRun::keep(const HostileFailure &failure) const {
  SharedProgress progress;
  auto child = Child::start([&](int descriptor) {
    prepareChild(options, progress.get());
    std::string text =
        FileTrials(texts, options, progress.get()).make(failure.seed);
    return writeLine(descriptor,
                     llvm::formatv(
                         "{0}", llvm::json::Value(llvm::json::fixUTF8(text))))
               ? 0
               : kCannotWork;
  });
  if (!child)
    return child.takeError();
  std::vector<std::string> lines;
  while ((*child)->readLines(lines)) {
  }
  (*child)->wait();
  if (lines.empty())
    return Error::success();
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(lines.front()));
  std::string text = value.getAsString()->str();
  // A trial that hangs takes all of its time; too long to try many.
  if (failure.kind != "hang")
    text = TextReducer(text, failure, options).run();
  llvm::SmallString<128> path(options.failures);
  llvm::sys::path::append(path, failure.kind + "-" + llvm::Twine(failure.seed) +
                                    ".mlir");
  return llvm::writeToOutput(path, [&](raw_ostream &os) {
    os << "// " << comment(failure) << "\n" << text;
    return Error::success();
  });
}

Error HostileRun::addFailure(HostileFailure failure) {
  if (!options.quiet)
    llvm::errs() << comment(failure) << "\n";
  bool isNew = llvm::none_of(totals.failures, [&](const HostileFailure &old) {
    return old.kind == failure.kind && old.stage == failure.stage &&
           old.place == failure.place;
  });
  totals.failures.push_back(failure);
  // One of each kind is enough to look at.
  return isNew && !options.failures.empty() ? keep(failure) : Error::success();
}

Error HostileRun::add(const std::vector<SeedEnd> &seeds, bool &done) {
  for (const SeedEnd &seed : seeds) {
    ++totals.files;
    if (seed.death) {
      const Progress &at = seed.progress;
      totals.parsed += at.stage > Stage::Parse;
      totals.verified += at.stage == Stage::Passes;
      bool isHang = seed.death->how == End::Hung;
      // Where the stack could not be looked at, it counts as Nestor's.
      bool isKnown = at.autopsy.isKnown;
      if (Error error =
              addFailure({seed.seed, isHang ? "hang" : "crash", stageName(at),
                          isKnown ? describe(at.autopsy) : seed.death->what,
                          at.autopsy.isOurs || !isKnown}))
        return error;
      continue;
    }
    FileReport report = fromLine(seed.line);
    totals.parsed += report.parsed;
    totals.verified += report.verified;
    for (auto [pass, outcome] : llvm::zip(totals.passes, report.outcomes)) {
      pass.accepted += outcome == FileReport::Accepted;
      pass.diagnosed += outcome == FileReport::Diagnosed;
    }
    for (auto &[kind, stage] : report.failures)
      if (Error error = addFailure({seed.seed, kind, stage, "", true}))
        return error;
  }
  done = llvm::count_if(totals.failures, [](const HostileFailure &failure) {
           return failure.isOurs;
         }) >= options.maxFailures;
  if (!options.quiet)
    show();
  return Error::success();
}

void HostileRun::show() const {
  llvm::errs() << llvm::formatv("{0} files, {1} parsed, {2} verified\n",
                                totals.files, totals.parsed, totals.verified);
}

Error HostileRun::run() {
  PoolOptions pool;
  pool.firstSeed = options.firstSeed;
  pool.lastSeed = options.firstSeed + options.files;
  pool.jobs = options.jobs;
  return Pool(
             pool,
             [&](uint64_t from, uint64_t to, Progress &progress,
                 int descriptor) {
               return workOn(from, to, texts, options, progress, descriptor);
             },
             [&](const std::vector<SeedEnd> &seeds, bool &done) {
               return add(seeds, done);
             })
      .run();
}

/// Programs of the generator, every other one with a schedule attached.
static void addPrograms(std::vector<std::string> &texts) {
  DialectRegistry registry;
  registerHarnessDialects(registry);
  registerAllNestor(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    OwningOpRef<ModuleOp> program = generate(context, seed);
    PassManager passes(&context);
    passes.addNestedPass<func::FuncOp>(createSmallSearch</*apply=*/false>());
    if (seed % 2 == 0 || succeeded(passes.run(*program))) {
      std::string text;
      llvm::raw_string_ostream(text) << *program;
      texts.push_back(std::move(text));
    }
  }
}

Expected<HostileTotals> fuzz::runHostile(const HostileOptions &options) {
  std::vector<std::string> texts;
  for (const std::string &path : options.corpus)
    if (Error error = readCorpus(path, texts))
      return std::move(error);
  addPrograms(texts);
  if (!options.failures.empty())
    if (std::error_code code =
            llvm::sys::fs::create_directories(options.failures))
      return llvm::createStringError("'" + options.failures +
                                     "': " + code.message());
  HostileRun run(options, std::move(texts));
  if (Error error = run.run())
    return std::move(error);
  return run.take();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

uint64_t HostileTotals::count(StringRef kind, bool isOurs) const {
  return llvm::count_if(failures, [&](const HostileFailure &failure) {
    return failure.kind == kind && failure.isOurs == isOurs;
  });
}

void fuzz::printTotals(const HostileTotals &totals, raw_ostream &os) {
  os << llvm::formatv("{0} files: {1} parsed, {2} verified\n", totals.files,
                      totals.parsed, totals.verified);
  for (auto [pipeline, pass] : llvm::zip(kPipelines, totals.passes))
    os << llvm::formatv("{0,-28} {1} accepted, {2} diagnosed\n", pipeline.name,
                        pass.accepted, pass.diagnosed);
  os << llvm::formatv(
      "{0} crashes, {1} hangs, {2} failures without a diagnostic, {3} invalid "
      "results\n",
      totals.count("crash", true), totals.count("hang", true),
      totals.count("silent", true), totals.count("invalid", true));
  os << llvm::formatv("in MLIR itself, no function of Nestor running: {0} "
                      "crashes, {1} hangs\n",
                      totals.count("crash", false),
                      totals.count("hang", false));
}
