//===- nestor-measure.cpp - Runs and times programs in a process apart ----===//
//
// The measuring helper: whatever compiles and runs a candidate does it here, so
// that a bad candidate takes nobody else down. This file reads the command
// line; each command has a file of its own.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"

using namespace mlir::nestor;
namespace cl = llvm::cl;

static cl::SubCommand compareCommand(
    "compare", "run a base and candidates on the same inputs, compare outputs");
static cl::SubCommand
    timeCommand("time", "time candidates against a base, in pairs on one core");
static cl::SubCommand
    describeCommand("describe-machine",
                    "measure this machine and write a target descriptor");
static cl::SubCommand
    peaksCommand("peaks", "measure the peaks and bandwidths of one core and "
                          "print them as JSON");
static cl::SubCommand
    serveCommand("serve", "compare and time candidates for another program: "
                          "jobs and answers are JSON lines");
static cl::SubCommand workerCommand("worker",
                                    "what serve and other tools start");

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("BASE.mlir CANDIDATE.mlir..."),
                                   cl::sub(compareCommand),
                                   cl::sub(timeCommand));
static cl::opt<std::string> entry(
    "entry", cl::value_desc("name"), cl::sub(compareCommand),
    cl::sub(timeCommand),
    cl::desc("function to run (default: the only public one, or kernel)"));
static cl::opt<double> timeout("timeout", cl::value_desc("seconds"),
                               cl::init(0), cl::sub(compareCommand),
                               cl::sub(timeCommand),
                               cl::desc("give up after this time (0: never)"));
static cl::opt<double>
    tolerance("tolerance", cl::value_desc("share"), cl::init(0),
              cl::sub(compareCommand), cl::sub(timeCommand),
              cl::desc("relative difference that floating-point outputs may "
                       "have (default: bit for bit)"));
static cl::list<std::string> overlapTexts(
    "overlap", cl::value_desc("A:B:elements"), cl::sub(compareCommand),
    cl::sub(timeCommand),
    cl::desc("argument B starts this many elements after the begin "
             "of argument A, in the same memory"));
static cl::list<std::string>
    aliasTexts("alias-args", cl::value_desc("A=B|none"),
               cl::sub(compareCommand), cl::sub(timeCommand),
               cl::desc("arguments A and B are the same memory"));

static cl::opt<unsigned>
    pairs("pairs", cl::init(31), cl::sub(timeCommand),
          cl::desc("timings of base and candidate (default: 31)"));
static cl::opt<double>
    minTime("min-time", cl::value_desc("seconds"), cl::init(0.01),
            cl::sub(timeCommand),
            cl::desc("repeat a short program until one timing has this length "
                     "(default: 0.01)"));
static cl::opt<bool>
    check("check", cl::init(true), cl::sub(timeCommand),
          cl::desc("refuse candidates that compute something else than the "
                   "base (default: true)"));
static cl::opt<Refill> refill(
    "refill", cl::init(Refill::Auto), cl::sub(timeCommand),
    cl::desc(
        "give the inputs their first values back before each call, outside "
        "the timed part"),
    cl::values(clEnumValN(Refill::Auto, "auto",
                          "if the base reads what it writes (default)"),
               clEnumValN(Refill::Always, "always", "always"),
               clEnumValN(Refill::Never, "never", "never")));
static cl::opt<bool> json("json", cl::sub(timeCommand),
                          cl::desc("print JSON instead of text"));
static cl::opt<int> core("core", cl::init(-1), cl::sub(timeCommand),
                         cl::sub(describeCommand), cl::sub(peaksCommand),
                         cl::sub(serveCommand), cl::sub(workerCommand),
                         cl::desc("core to run on (default: the present one)"));
static cl::opt<std::string> output("o", cl::value_desc("file"), cl::init("-"),
                                   cl::sub(describeCommand),
                                   cl::desc("file to write (default: standard "
                                            "output)"));
static cl::opt<uint64_t>
    memory("memory", cl::value_desc("bytes"), cl::init(uint64_t(8) << 30),
           cl::sub(serveCommand), cl::sub(workerCommand),
           cl::desc("address space of the process that runs candidates "
                    "(default: 8 GiB; 0: no limit)"));

/// Reads "A:B:elements" and "A=B"; false on bad text.
static bool readOverlaps(std::vector<Overlap> &overlaps) {
  auto add = [&](llvm::StringRef text, char separator, bool withOffset) {
    llvm::SmallVector<llvm::StringRef> parts;
    text.split(parts, separator);
    Overlap overlap;
    if (parts.size() != (withOffset ? 3 : 2) ||
        parts[0].getAsInteger(10, overlap.first) ||
        parts[1].getAsInteger(10, overlap.second) ||
        (withOffset && parts[2].getAsInteger(10, overlap.elements)))
      return false;
    overlaps.push_back(overlap);
    return true;
  };
  for (const std::string &text : overlapTexts)
    if (!add(text, ':', true)) {
      llvm::errs() << "error: --overlap=" << text
                   << ": expected A:B:elements, three integers\n";
      return false;
    }
  for (const std::string &text : aliasTexts)
    if (text != "none" && !add(text, '=', false)) {
      llvm::errs() << "error: --alias-args=" << text
                   << ": expected A=B, two argument numbers, or none\n";
      return false;
    }
  return true;
}

/// False, with a message, on numbers that no run can be given.
static bool checkNumber(const char *option, double value, double least) {
  constexpr double most = 1e9;
  if (value >= least && value <= most)
    return true;
  llvm::errs() << "error: " << option << " must be a number from "
               << llvm::format("%g to %g", least, most) << "\n";
  return false;
}

/// What compare and time have in common.
template <typename Command> static bool readCommon(Command &command) {
  command.files = files;
  command.entry = entry;
  command.tolerance = tolerance;
  if (!readOverlaps(command.overlaps) ||
      !checkNumber("--timeout", timeout, 0) ||
      !checkNumber("--tolerance", tolerance, 0))
    return false;
  if (command.files.size() < 2) {
    llvm::errs() << "error: name a base and at least one candidate\n";
    return false;
  }
  guardProcess(timeout);
  return true;
}

static int dispatchCompare() {
  CompareCommand command;
  return readCommon(command) ? runCompare(command) : kError;
}

static int dispatchTime() {
  TimeCommand command;
  if (!readCommon(command) || !checkNumber("--pairs", pairs, 1) ||
      !checkNumber("--min-time", minTime, 0))
    return kError;
  command.check = check;
  command.refill = refill;
  command.timing.pairs = pairs;
  command.timing.minSeconds = minTime;
  command.core = core;
  command.json = json;
  return runTime(command);
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(
      argc, argv,
      "Nestor's measuring helper\n\n"
      "  Exit status: 0 all the same, 1 a candidate differs, 2 error\n");
  if (compareCommand)
    return dispatchCompare();
  if (timeCommand)
    return dispatchTime();
  if (describeCommand)
    return runDescribeMachine(output, core);
  if (peaksCommand)
    return runPeaks(core);
  if (serveCommand)
    return runServe(core, memory);
  if (workerCommand)
    return runWorkerCommand(core, memory);
  llvm::errs() << "error: name a command; see nestor-measure --help\n";
  return kError;
}
