//===- Measure.h - Measuring programs in a helper process -------*- C++ -*-===//
//
// Execution room: what everybody else uses. A Measurer owns a nestor-measure
// process, sends it programs, and answers for every candidate, also for those
// that crash or never end.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_EXECUTION_MEASURE_H
#define NESTOR_EXECUTION_MEASURE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mlir::nestor {

/// A base program (MLIR text) and candidates to compare and time against it.
struct MeasureJob {
  std::string baseText;
  std::vector<std::string> candidateTexts;
  std::string entry; ///< function to run; empty: the only public one
  int pairs = 31;    ///< timings of each candidate; 0: only compare
  /// A candidate slower than the fastest so far (or the base) by this factor
  /// gets no more than two pairs; 0: never.
  double cutoff = 0;
  double minSeconds = 1e-3; ///< short programs are repeated until this long
  double budgetSeconds = 5; ///< no further pair of a candidate after this time
  double timeoutSeconds = 60; ///< for one program in all
  double tolerance = 0;       ///< of outputs, relative; 0: all bits count
  /// Times candidates against the fastest one so far instead of a slow base,
  /// and multiplies the ratios.
  bool useAnchor = true;
};

/// What is known of one candidate.
struct Measurement {
  enum Status { Ok, Wrong, Crashed, TimedOut, CompileError };
  Status status = CompileError;
  double logRatio = 0;    ///< log(seconds of the base / of the candidate)
  double spread = 0;      ///< interquartile range of the pairs' log ratios
  double baseSeconds = 0; ///< of one call
  int pairs = 0;          ///< 0 where one run told enough
  std::string baseHash, candidateHash; ///< of the LLVM IR before optimization
  std::string detail;                  ///< why it is not Ok
};

llvm::StringRef stringifyStatus(Measurement::Status status);

struct WorkOrder;

struct MeasurerOptions {
  /// Path of nestor-measure; empty: the environment variable NESTOR_MEASURE,
  /// else beside this program or library, else in ../bin of it.
  std::string helperPath;
  int core = -1;                            ///< to bind to; negative: any
  uint64_t memoryBytes = uint64_t(8) << 30; ///< address space of the helper
};

/// One helper process, started with the first job and again after each crash or
/// timeout. Not thread-safe: use one per thread, each with a core of its own.
class Measurer {
public:
  explicit Measurer(MeasurerOptions options = {});
  ~Measurer();

  /// One answer per candidate, in order. An Error only if no helper can be
  /// started; a bad base gives all candidates its status.
  llvm::Expected<std::vector<Measurement>> measure(const MeasureJob &job);

private:
  class Helper;
  enum class End;
  /// Sends what is left of a job, collects answers until something ends it.
  End process(WorkOrder &order, bool &baseDone,
              std::vector<Measurement> &answers);

  MeasurerOptions options;
  std::unique_ptr<Helper> helper;
};

/// The helper's side: answers the jobs that come through `fileDescriptor` until
/// it is closed, and returns the process's exit status.
int runWorker(int fileDescriptor, int core);

} // namespace mlir::nestor

#endif // NESTOR_EXECUTION_MEASURE_H
