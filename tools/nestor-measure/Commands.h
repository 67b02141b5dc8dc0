//===- Commands.h - The commands of nestor-measure --------------*- C++ -*-===//
//
// Each function is one command: it prints to standard output, complains to
// standard error, and returns the process's exit status.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_TOOLS_NESTOR_MEASURE_COMMANDS_H
#define NESTOR_TOOLS_NESTOR_MEASURE_COMMANDS_H

#include "nestor/Execution/Inputs.h"

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

/// Prints "error: ..." and returns kError.
int reportError(llvm::Error error);

/// From now on a crash or running longer than `seconds` (0: no limit) ends the
/// process with a message that names `doing`, and kError.
void guardProcess(double seconds);
void setDoing(llvm::StringRef doing);

} // namespace mlir::nestor

#endif // NESTOR_TOOLS_NESTOR_MEASURE_COMMANDS_H
