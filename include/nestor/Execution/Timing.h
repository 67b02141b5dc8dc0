//===- Timing.h - Paired timing on one core ---------------------*- C++ -*-===//
//
// Execution room, fourth step. On shared machines single times scatter by 15 to
// 20 %; the median of the ratios of alternating pairs by 1.4 to 1.9 % at 30
// pairs. So everything here times two programs against each other.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_EXECUTION_TIMING_H
#define NESTOR_EXECUTION_TIMING_H

#include "nestor/Execution/Inputs.h"

namespace mlir::nestor {

/// Whether inputs get their first values back before each call, outside the
/// timed part. `Auto` does so for programs that compute something else from
/// their own outputs (an update in place drifts to infinity or denormals).
enum class Refill { Auto, Always, Never };

struct TimingOptions {
  unsigned pairs = 31;
  double minSeconds = 1e-3; ///< short programs are repeated until this long
  double budgetSeconds = 0; ///< no further pair after this time; 0: no limit
  double cutoff = 0; ///< stop after two pairs when slower by this; 0: never
};

struct PairTiming {
  double logRatio = 0;         ///< median of log(first / second) of the pairs
  double lower = 0, upper = 0; ///< its quartiles
  double firstSeconds = 0, secondSeconds = 0; ///< medians of one call
  unsigned pairs = 0;
  bool cutOff = false;
};

double median(std::vector<double> values);

/// What the first calls of a base tell.
struct FirstCalls {
  Outcome outcome;         ///< of the first call
  std::string outOfBounds; ///< empty, or why the program must not be timed
  /// A second call without refill computes something else than the first.
  bool needsRefill = true;
  double seconds = 0; ///< of a call that computes the first one's values
};

/// Calls `program` on reset inputs, `twice` to learn whether a refill is
/// needed, and notes in `inputs` which buffers a refill must restore.
FirstCalls callFirst(const Program &program, Inputs &inputs, bool twice);

/// Seconds of one call on reset inputs.
double callOnce(const Program &program, Inputs &inputs);

/// One program with its inputs, ready to be timed.
class TimedProgram {
public:
  TimedProgram(const Program &program, Inputs &inputs, bool refill)
      : program(program), inputs(inputs), refill(refill) {}

  /// Warms up and chooses how many calls one timing has. A program that is
  /// known to be slow (a call of `knownSeconds`) is not called for that.
  void calibrate(double minSeconds, double knownSeconds = 0);
  /// Seconds per call of one timing.
  double time();

private:
  double timeCalls(unsigned count);

  const Program &program;
  Inputs &inputs;
  bool refill;
  unsigned calls = 1;
};

/// Times two calibrated programs in alternating pairs.
PairTiming timePairs(TimedProgram &first, TimedProgram &second,
                     const TimingOptions &options);

} // namespace mlir::nestor

#endif // NESTOR_EXECUTION_TIMING_H
