//===- Protocol.h - Lines between a Measurer and its helper -----*- C++ -*-===//
//
// Execution room: one JSON object a line. The parent sends a WorkOrder; the
// helper answers one line for the base, one per candidate as soon as it is
// known, and a last one.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_EXECUTION_PROTOCOL_H
#define NESTOR_LIB_EXECUTION_PROTOCOL_H

#include "nestor/Execution/Measure.h"

#include "llvm/Support/JSON.h"
#include <optional>

namespace mlir::nestor {

/// A job, or the rest of one after a restart.
struct WorkOrder {
  MeasureJob job;
  unsigned first = 0; ///< candidates before this one are done
  /// What the process that died had found: the fastest candidate and its log
  /// ratio, and the base's time.
  std::optional<unsigned> anchor;
  double anchorLogRatio = 0;
  double baseSeconds = 0; ///< 0: not known
  std::string baseHash;   ///< for the parent; not sent
};
llvm::json::Value toJSON(const WorkOrder &order);
bool fromJSON(const llvm::json::Value &value, WorkOrder &order,
              llvm::json::Path path);

/// An answer of the helper.
struct Report {
  enum Kind { Ready, Base, Candidate, Done };
  Kind kind = Ready;
  unsigned candidate = 0;
  Measurement measurement;
  bool isAnchor = false;    ///< the candidate is the fastest so far
  bool mustRestart = false; ///< it may have damaged the helper's memory
};
llvm::json::Value toJSON(const Report &report);
bool fromJSON(const llvm::json::Value &value, Report &report,
              llvm::json::Path path);

/// Reads lines from a socket, with a deadline.
class LineReader {
public:
  enum Result { Line, TimedOut, Closed };
  explicit LineReader(int fileDescriptor) : fileDescriptor(fileDescriptor) {}
  /// Waits at most `seconds`, or for ever where negative.
  Result read(std::string &line, double seconds);

private:
  int fileDescriptor;
  std::string pending;
};

/// False if the other side is gone.
bool writeLine(int fileDescriptor, const llvm::json::Value &value);

} // namespace mlir::nestor

#endif // NESTOR_LIB_EXECUTION_PROTOCOL_H
