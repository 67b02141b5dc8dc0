//===- nestor-measure.cpp - Runs and times programs in a process apart ----===//
//
// The measuring helper: whatever compiles and runs a candidate does it here, so
// that a bad candidate takes nobody else down. This file reads the command
// line; each command has a file of its own.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir::nestor;
namespace cl = llvm::cl;

static cl::SubCommand compareCommand(
    "compare", "run a base and candidates on the same inputs, compare outputs");

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("BASE.mlir CANDIDATE.mlir..."),
                                   cl::sub(compareCommand));
static cl::opt<std::string> entry(
    "entry", cl::value_desc("name"), cl::sub(compareCommand),
    cl::desc("function to run (default: the only public one, or kernel)"));
static cl::opt<double> timeout("timeout", cl::value_desc("seconds"),
                               cl::init(0), cl::sub(compareCommand),
                               cl::desc("give up after this time (0: never)"));
static cl::opt<double>
    tolerance("tolerance", cl::value_desc("share"), cl::init(0),
              cl::sub(compareCommand),
              cl::desc("relative difference that floating-point outputs may "
                       "have (default: bit for bit)"));
static cl::list<std::string> overlapTexts(
    "overlap", cl::value_desc("A:B:elements"), cl::sub(compareCommand),
    cl::desc("argument B starts this many elements after the begin "
             "of argument A, in the same memory"));
static cl::list<std::string>
    aliasTexts("alias-args", cl::value_desc("A=B|none"),
               cl::sub(compareCommand),
               cl::desc("arguments A and B are the same memory"));

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

static int dispatchCompare() {
  CompareCommand command;
  command.files = files;
  command.entry = entry;
  command.tolerance = tolerance;
  if (!readOverlaps(command.overlaps))
    return kError;
  if (command.files.size() < 2) {
    llvm::errs() << "error: name a base and at least one candidate\n";
    return kError;
  }
  guardProcess(timeout);
  return runCompare(command);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Nestor's measuring helper\n\n"
      "  Exit status: 0 all the same, 1 a candidate differs, 2 error\n");
  if (compareCommand)
    return dispatchCompare();
  llvm::errs() << "error: name a command; see nestor-measure --help\n";
  return kError;
}
