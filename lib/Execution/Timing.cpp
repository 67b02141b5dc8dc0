//===- Timing.cpp - Paired timing on one core -----------------------------===//
//
// Execution room, fourth step. Both programs of a pair work on the same
// buffers, so that placement in memory is the same for both and caches are
// warm.
//
//===----------------------------------------------------------------------===//
#include "nestor/Execution/Timing.h"

#include <algorithm>
#include <cmath>
#include <ctime>

using namespace mlir::nestor;

namespace {
/// Time that this thread ran. Programs are timed on one core and one thread,
/// and what other processes do on a shared machine must not count; waiting for
/// memory does.
struct Clock {
  using time_point = double; ///< seconds
  static time_point now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  }
};
} // namespace

static double secondsSince(Clock::time_point start) {
  return Clock::now() - start;
}

/// Linear between the neighbours; `values` is sorted and not empty.
static double quantile(const std::vector<double> &values, double share) {
  double place = share * double(values.size() - 1);
  size_t below = size_t(place);
  size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (values[above] - values[below]) * (place - below);
}

double mlir::nestor::median(std::vector<double> values) {
  llvm::sort(values);
  return quantile(values, 0.5);
}

double mlir::nestor::callOnce(const Program &program, Inputs &inputs) {
  inputs.reset();
  auto start = Clock::now();
  program.run(inputs.getFrame());
  return secondsSince(start);
}

FirstCalls mlir::nestor::callFirst(const Program &program, Inputs &inputs,
                                   bool twice) {
  FirstCalls calls;
  calls.seconds = callOnce(program, inputs);
  calls.outOfBounds = inputs.findOutOfBounds();
  calls.outcome = inputs.takeOutcome();
  inputs.noteChanges();
  if (!calls.outOfBounds.empty() || !twice)
    return calls;
  auto start = Clock::now();
  program.run(inputs.getFrame());
  double seconds = secondsSince(start);
  Outcome again = inputs.takeOutcome();
  calls.needsRefill = calls.outcome.buffers != again.buffers ||
                      calls.outcome.results != again.results;
  if (!calls.needsRefill)
    calls.seconds = seconds; // With warm caches.
  return calls;
}

double TimedProgram::timeCalls(unsigned count) {
  CallFrame &frame = inputs.getFrame();
  if (!refill) {
    auto start = Clock::now();
    for (unsigned call = 0; call < count; ++call)
      program.run(frame);
    return secondsSince(start);
  }
  double seconds = 0;
  for (unsigned call = 0; call < count; ++call) {
    inputs.refill();
    auto start = Clock::now();
    program.run(frame);
    seconds += secondsSince(start);
  }
  return seconds;
}

void TimedProgram::calibrate(double minSeconds, double knownSeconds) {
  constexpr unsigned kMostCalls = 1 << 20;
  calls = 1;
  if (knownSeconds > std::max(10 * minSeconds, 0.05))
    return;
  inputs.reset();
  timeCalls(1);
  while (true) {
    auto start = Clock::now();
    double seconds = timeCalls(calls);
    // Refilling large buffers for a tiny program must not take forever.
    seconds = std::max(seconds, secondsSince(start) / 20);
    if (seconds >= minSeconds || calls >= kMostCalls)
      return;
    // Aim a little higher than needed, but do not trust a tiny sample.
    double factor = 1.1 * minSeconds / std::max(seconds, 1e-9);
    calls = unsigned(std::min<double>(std::ceil(calls * std::min(factor, 16.0)),
                                      kMostCalls));
  }
}

double TimedProgram::time() { return timeCalls(calls) / calls; }

PairTiming mlir::nestor::timePairs(TimedProgram &first, TimedProgram &second,
                                   const TimingOptions &options) {
  std::vector<double> firstTimes, secondTimes, logRatios;
  PairTiming timing;
  auto start = Clock::now();
  for (unsigned pair = 0; pair < std::max(options.pairs, 1u); ++pair) {
    // Changing the order cancels a drift of the clock frequency.
    bool swapped = pair % 2;
    double one = (swapped ? second : first).time();
    double other = (swapped ? first : second).time();
    firstTimes.push_back(swapped ? other : one);
    secondTimes.push_back(swapped ? one : other);
    logRatios.push_back(std::log(std::max(firstTimes.back(), 1e-12) /
                                 std::max(secondTimes.back(), 1e-12)));
    if (options.cutoff > 0 && pair == 1 &&
        std::max(logRatios[0], logRatios[1]) < -std::log(options.cutoff)) {
      timing.cutOff = true;
      break;
    }
    if (options.budgetSeconds > 0 && pair > 0 &&
        secondsSince(start) > options.budgetSeconds)
      break;
  }
  timing.pairs = logRatios.size();
  llvm::sort(logRatios);
  timing.logRatio = quantile(logRatios, 0.5);
  timing.lower = quantile(logRatios, 0.25);
  timing.upper = quantile(logRatios, 0.75);
  timing.firstSeconds = median(firstTimes);
  timing.secondSeconds = median(secondTimes);
  return timing;
}
