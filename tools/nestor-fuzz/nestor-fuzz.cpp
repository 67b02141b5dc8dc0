//===- nestor-fuzz.cpp - Random programs against random schedules ---------===//
//
// The fuzzer: looks for programs that a legal schedule makes wrong, and for
// input that crashes Nestor. This file reads the command line; docs/fuzzing.md
// explains the commands.
//
//===----------------------------------------------------------------------===//
#include "nestor/Fuzz/Campaign.h"
#include "nestor/Fuzz/Generator.h"
#include "nestor/Fuzz/Hostile.h"
#include "nestor/Fuzz/Reduce.h"
#include "nestor/InitAll.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

#include <thread>

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
namespace cl = llvm::cl;

static cl::SubCommand
    runCommand("run", "check random programs against random schedules");
static cl::SubCommand showCommand("show", "print the program of a seed");
static cl::SubCommand sharpnessCommand(
    "sharpness",
    "break each rule of legality in turn, and see whether that is found out");
static cl::SubCommand checkCommand("check",
                                   "check the program of a file, as run does");
static cl::SubCommand
    reduceCommand("reduce", "make the program of a file that fails smaller");
static cl::SubCommand
    hostileCommand("hostile",
                   "give damaged files to the parser and all passes");
static cl::SubCommand reportCommand("report", "print what logs hold");
static cl::SubCommand
    gapsCommand("gaps", "print what no scheduled scop holds, and why");

static cl::opt<uint64_t> seed("seed", cl::init(0), cl::sub(showCommand),
                              cl::sub(runCommand), cl::sub(sharpnessCommand),
                              cl::sub(checkCommand), cl::sub(reduceCommand),
                              cl::sub(hostileCommand),
                              cl::desc("first seed, or that of the schedules "
                                       "and the data (default: 0)"));
static cl::opt<uint64_t>
    seeds("seeds", cl::init(uint64_t(1) << 62), cl::sub(runCommand),
          cl::desc("number of seeds (default: until --pairs is reached)"));
static cl::opt<uint64_t>
    pairs("pairs", cl::init(0), cl::sub(runCommand), cl::sub(sharpnessCommand),
          cl::desc("stop behind so many pairs of a program and a schedule "
                   "(default: never; sharpness: 2000)"));
static cl::list<std::string>
    ruleNames(cl::Positional, cl::value_desc("rule"), cl::sub(sharpnessCommand),
              cl::desc("rules to break (default: each)"));
static cl::opt<unsigned>
    jobs("j", cl::Prefix,
         cl::init(std::max(1u, std::thread::hardware_concurrency())),
         cl::sub(runCommand), cl::sub(sharpnessCommand),
         cl::sub(hostileCommand),
         cl::desc("processes at a time (default: one a core)"));
static cl::opt<std::string> logPath("log", cl::value_desc("file"),
                                    cl::sub(runCommand),
                                    cl::desc("file to go on from and to write "
                                             "to, after every chunk"));
static cl::opt<unsigned>
    schedules("schedules", cl::init(8), cl::sub(runCommand),
              cl::sub(checkCommand), cl::sub(reduceCommand),
              cl::desc("schedules of each program (default: 8)"));
static cl::opt<unsigned>
    maxFailures("max-failures", cl::init(20), cl::sub(runCommand),
                cl::sub(hostileCommand),
                cl::desc("stop behind so many failures (default: 20)"));
namespace {
/// A rule that can be broken.
struct Rule {
  Fault fault;
  const char *name;
};
} // namespace

// What each means is said where the faults are: nestor/Analysis.
static constexpr Rule kRules[] = {{Fault::Flow, "flow"},
                                  {Fault::Anti, "anti"},
                                  {Fault::Output, "output"},
                                  {Fault::Slots, "slots"},
                                  {Fault::Aliases, "aliases"},
                                  {Fault::Guards, "guards"},
                                  {Fault::Reductions, "reductions"},
                                  {Fault::IterArgs, "iter-args"}};

static cl::opt<std::string>
    broken("break", cl::Hidden, cl::sub(runCommand), cl::sub(checkCommand),
           cl::sub(reduceCommand),
           cl::desc("break a rule of legality, to see it found out"));
static cl::opt<bool> quiet("quiet", cl::sub(runCommand),
                           cl::sub(hostileCommand),
                           cl::desc("say nothing on the way"));
static cl::opt<std::string>
    failures("failures", cl::value_desc("folder"), cl::sub(runCommand),
             cl::sub(hostileCommand),
             cl::desc("where to write what fails, reduced"));
static cl::opt<uint64_t> files("files", cl::init(1000), cl::sub(hostileCommand),
                               cl::desc("number of files (default: 1000)"));
static cl::list<std::string>
    corpus("corpus", cl::value_desc("path"), cl::sub(hostileCommand),
           cl::desc("folder of .mlir files, or a file, to damage; may be given "
                    "several times; programs of the generator are added"));
static cl::opt<Misdeed>
    misdeed("misdeed", cl::Hidden, cl::init(Misdeed::None),
            cl::sub(hostileCommand),
            cl::desc("run a pass that misbehaves, to see it noticed"),
            cl::values(clEnumValN(Misdeed::Crash, "crash", ""),
                       clEnumValN(Misdeed::Exit, "exit", ""),
                       clEnumValN(Misdeed::Overflow, "overflow", ""),
                       clEnumValN(Misdeed::Hang, "hang", ""),
                       clEnumValN(Misdeed::Exhaust, "exhaust", ""),
                       clEnumValN(Misdeed::Silence, "silence", ""),
                       clEnumValN(Misdeed::Invalidate, "invalidate", "")));
static cl::opt<double> seconds("seconds", cl::init(20), cl::sub(hostileCommand),
                               cl::desc("processor time of a file (default: "
                                        "20)"));
static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::value_desc("file"), cl::sub(checkCommand),
                                  cl::sub(reduceCommand));
static cl::opt<std::string> output("o", cl::value_desc("file"), cl::init("-"),
                                   cl::sub(reduceCommand),
                                   cl::desc("file to write (default: standard "
                                            "output)"));
static cl::list<std::string> reportPaths(cl::Positional, cl::OneOrMore,
                                         cl::value_desc("log"),
                                         cl::sub(reportCommand));
static cl::opt<bool>
    complete("complete", cl::sub(reportCommand),
             cl::desc("fail if a cell of the histogram is empty without a "
                      "reason"));

static int reportError(llvm::Error error) {
  llvm::errs() << "error: " << toString(std::move(error)) << "\n";
  return 2;
}

/// Fault::None for no name; an unknown name is an error.
static bool readFault(StringRef name, Fault &fault) {
  for (const Rule &rule : kRules)
    if (name == rule.name) {
      fault = rule.fault;
      return true;
    }
  if (name.empty())
    return true;
  llvm::errs() << "error: '" << name
               << "': there is no such rule of legality\n";
  return false;
}

/// True if the program of a seed passes with every rule in force.
static llvm::Expected<bool> passesUnbroken(uint64_t seed) {
  CampaignOptions options;
  options.firstSeed = seed;
  options.lastSeed = seed + 1;
  options.quiet = true;
  auto totals = runCampaign(options);
  if (!totals)
    return totals.takeError();
  return totals->failures.empty();
}

/// Each broken rule must be noticed within so many pairs.
static int runSharpness() {
  constexpr uint64_t kEnough = 2000;
  unsigned passed = 0, failed = 0;
  for (const std::string &name : ruleNames) {
    Fault fault;
    if (!readFault(name, fault))
      return 2;
  }
  for (const Rule &rule : kRules) {
    if (!ruleNames.empty() && !llvm::is_contained(ruleNames, rule.name))
      continue;
    CampaignOptions options;
    options.firstSeed = seed;
    options.lastSeed = UINT64_MAX / 2;
    options.pairs = pairs ? pairs : kEnough;
    options.jobs = jobs;
    options.trial.fault = rule.fault;
    options.maxFailures = 1;
    options.chunk = 8;
    options.quiet = true;
    auto totals = runCampaign(options);
    if (!totals)
      return reportError(totals.takeError());
    // A guard that is lost may as well let an access out of all memory.
    bool caught = totals->count("wrong") + totals->count("crash") > 0;
    if (caught) {
      auto passes = passesUnbroken(totals->failures.front().seed);
      if (!passes)
        return reportError(passes.takeError());
      caught = *passes;
    }
    ++(caught ? passed : failed);
    llvm::outs() << rule.name << ": ";
    if (caught)
      llvm::outs() << "found out after " << totals->pairsToFailure
                   << " pairs\n";
    else
      llvm::outs() << "NOT found out in " << totals->pairs << " pairs\n";
  }
  llvm::outs() << passed << " passed, " << failed << " failed\n";
  return failed ? 1 : 0;
}

static int runRun() {
  if (!pairs && seeds.getNumOccurrences() == 0) {
    llvm::errs() << "error: say how long: --pairs or --seeds\n";
    return 2;
  }
  CampaignOptions options;
  options.firstSeed = seed;
  options.lastSeed = seed + seeds;
  options.pairs = pairs;
  options.jobs = jobs;
  options.trial.schedules = schedules;
  if (!readFault(broken, options.trial.fault))
    return 2;
  options.log = logPath;
  options.failures = failures;
  options.maxFailures = maxFailures;
  options.quiet = quiet;
  auto totals = runCampaign(options);
  if (!totals)
    return reportError(totals.takeError());
  printTotals(*totals, llvm::outs());
  return totals->failures.empty() ? 0 : 1;
}

/// check, and reduce where `smaller` is asked for.
static int runOnFile(bool smaller) {
  CheckOptions options;
  options.seed = seed;
  options.trial.schedules = schedules;
  if (!readFault(broken, options.trial.fault))
    return 2;
  DialectRegistry registry;
  registerHarnessDialects(registry);
  registerAllNestor(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto program = parseSourceFile<ModuleOp>(input, sources, &context);
  if (!program)
    return 2;
  auto finding = check(*program, options);
  if (!finding)
    return reportError(finding.takeError());
  if (!*finding) {
    llvm::outs() << "nothing found\n";
    return 0;
  }
  const Finding &found = **finding;
  llvm::errs() << "schedule " << found.failure.candidate << ": "
               << found.failure.kind << ": " << found.failure.detail << "\n"
               << found.description << "\n";
  if (!smaller)
    return 1;
  program = reduce(*program, found, options);
  if (llvm::Error error = saveReduced(*program, options, output))
    return reportError(std::move(error));
  return 1;
}

static int runOnHostile() {
  HostileOptions options;
  options.firstSeed = seed;
  options.files = files;
  options.jobs = jobs;
  options.corpus = corpus;
  options.failures = failures;
  options.seconds = seconds;
  options.maxFailures = maxFailures;
  options.misdeed = misdeed;
  options.quiet = quiet;
  auto totals = runHostile(options);
  if (!totals)
    return reportError(totals.takeError());
  printTotals(*totals, llvm::outs());
  bool found = llvm::any_of(totals->failures,
                            [](const HostileFailure &f) { return f.isOurs; });
  return found ? 1 : 0;
}

static int runReport() {
  Totals all;
  for (const std::string &path : reportPaths) {
    auto totals = readLog(path, /*anyGenerator=*/true);
    if (!totals)
      return reportError(totals.takeError());
    if (reportPaths.size() > 1) {
      llvm::outs() << path << ": ";
      printTotals(*totals, llvm::outs());
      all.add(*totals);
    } else {
      all = std::move(*totals);
    }
  }
  if (complete)
    return checkComplete(all, llvm::outs()) ? 0 : 1;
  if (reportPaths.size() > 1)
    llvm::outs() << "together: ";
  printTotals(all, llvm::outs());
  printHistogram(all, llvm::outs());
  return 0;
}

static int runShow() {
  DialectRegistry registry;
  registerGeneratorDialects(registry);
  MLIRContext context(registry);
  generate(context, seed)->print(llvm::outs());
  llvm::outs() << "\n";
  return 0;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(
      argc, argv,
      "Nestor's fuzzer\n\n"
      "  Exit status: 0 nothing found, 1 something found, 2 error\n");
  if (runCommand)
    return runRun();
  if (sharpnessCommand)
    return runSharpness();
  if (showCommand)
    return runShow();
  if (checkCommand || reduceCommand)
    return runOnFile(/*smaller=*/bool(reduceCommand));
  if (hostileCommand)
    return runOnHostile();
  if (reportCommand)
    return runReport();
  if (gapsCommand)
    return printGaps(llvm::outs()), 0;
  llvm::errs() << "error: name a command; see nestor-fuzz --help\n";
  return 2;
}
