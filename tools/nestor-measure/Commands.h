//===- Commands.h - The commands of nestor-measure --------------*- C++ -*-===//
//
// Each function is one command: it prints to standard output, complains to
// standard error, and returns the process's exit status.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_TOOLS_NESTOR_MEASURE_COMMANDS_H
#define NESTOR_TOOLS_NESTOR_MEASURE_COMMANDS_H

#include "nestor/Execution/Timing.h"

#include <string>
#include <vector>

namespace mlir::nestor {

enum ExitStatus { kSame = 0, kDiffers = 1, kError = 2 };

struct CompareCommand {
  std::vector<std::string> files; ///< base, then candidates
  std::string entry;
  std::vector<Overlap> overlaps;
  double tolerance = 0;
};
int runCompare(const CompareCommand &command);

struct TimeCommand {
  std::vector<std::string> files; ///< base, then candidates
  std::string entry;
  std::vector<Overlap> overlaps;
  double tolerance = 0;
  bool check =
      true; ///< refuse to time a candidate that computes something else
  Refill refill = Refill::Auto;
  TimingOptions timing;
  int core = -1;
  bool json = false;
};
int runTime(const TimeCommand &command);

/// Writes the target descriptor to `path`, "-" for standard output.
int runDescribeMachine(llvm::StringRef path, int core);

/// Prints, as JSON, what one core can reach.
int runPeaks(int core);

/// Answers jobs on standard input, one JSON object a line, on standard output.
int runServe(int core, uint64_t memoryBytes);
/// The process behind a Measurer; standard input is its connection.
int runWorkerCommand(int core, uint64_t memoryBytes);

/// Prints "error: ..." and returns kError.
int reportError(llvm::Error error);

/// From now on a crash or running longer than `seconds` (0: no limit) ends the
/// process with a message that names `doing`, and kError.
void guardProcess(double seconds);
void setDoing(llvm::StringRef doing);

} // namespace mlir::nestor

#endif // NESTOR_TOOLS_NESTOR_MEASURE_COMMANDS_H
