//===- Worker.cpp - The helper's side of a measurement --------------------===//
//
// Execution room: compiles a base and its candidates, runs each once on the
// same inputs, compares what they leave behind, and times the right ones in
// pairs against the fastest so far. Written for thousands of candidates: the
// base runs once for its results, and hopeless candidates are given up early.
//
//===----------------------------------------------------------------------===//
#include "nestor/Execution/Machine.h"
#include "nestor/Execution/Measure.h"
#include "nestor/Execution/Timing.h"

#include "Protocol.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>

using namespace mlir::nestor;
using llvm::Error;

/// Pairs that the ratio of a new anchor stands on, as all later ones depend on
/// it.
static constexpr unsigned kAnchorPairs = 15;

namespace {
/// A program with its name in messages, fit to be timed.
struct Contestant {
  std::unique_ptr<Program> program;
  std::unique_ptr<TimedProgram> timed;
  double logRatio = 0; ///< log(base / this)
  double seconds = 0;
};

class Worker {
public:
  explicit Worker(int fileDescriptor) : fileDescriptor(fileDescriptor) {}
  /// False when the parent is gone.
  bool process(const WorkOrder &order);

private:
  Error prepareBase(const WorkOrder &order);
  void restoreAnchor(const WorkOrder &order);
  Report measure(const WorkOrder &order, unsigned index);
  void judge(const WorkOrder &order, Contestant contestant, Report &report);
  bool send(const Report &report) {
    return writeLine(fileDescriptor, toJSON(report));
  }

  int fileDescriptor;
  std::unique_ptr<Inputs> inputs;
  std::unique_ptr<Program> base;
  Outcome expected;
  bool refill = true;
  double baseSeconds = 0;
  Contestant anchor;
};
} // namespace

static std::unique_ptr<TimedProgram> calibrate(const Program &program,
                                               Inputs &inputs, bool refill,
                                               double minSeconds,
                                               double knownSeconds) {
  auto timed = std::make_unique<TimedProgram>(program, inputs, refill);
  timed->calibrate(minSeconds, knownSeconds);
  return timed;
}

Error Worker::prepareBase(const WorkOrder &order) {
  anchor = Contestant();
  inputs.reset(); // Frees the memory of the last job.
  auto compiled = Program::compile(order.job.baseText, "base", order.job.entry);
  if (!compiled)
    return compiled.takeError();
  base = std::move(*compiled);
  auto made = Inputs::create(base->getSignature());
  if (!made)
    return made.takeError();
  inputs = std::move(*made);

  FirstCalls calls = callFirst(*base, *inputs, /*twice=*/order.job.pairs > 0);
  if (!calls.outOfBounds.empty())
    return llvm::createStringError(calls.outOfBounds);
  expected = std::move(calls.outcome);
  refill = calls.needsRefill;
  baseSeconds = order.baseSeconds > 0 ? order.baseSeconds : calls.seconds;
  return Error::success();
}

/// The anchor is the fastest candidate of a helper that died, or the base.
void Worker::restoreAnchor(const WorkOrder &order) {
  if (order.job.pairs <= 0)
    return;
  if (order.anchor && *order.anchor < order.job.candidateTexts.size()) {
    auto compiled = Program::compile(order.job.candidateTexts[*order.anchor],
                                     "anchor", order.job.entry);
    if (compiled) {
      anchor.program = std::move(*compiled);
      anchor.logRatio = order.anchorLogRatio;
    } else {
      llvm::consumeError(compiled.takeError());
    }
  }
  bool isBase = !anchor.program;
  bool isSlow = isBase && baseSeconds > 1; // Its first calls told enough.
  anchor.timed = calibrate(isBase ? *base : *anchor.program, *inputs, refill,
                           order.job.minSeconds, isBase ? baseSeconds : 0);
  std::vector<double> times;
  for (int run = 0; run < 3 && !isSlow; ++run)
    times.push_back(anchor.timed->time());
  anchor.seconds = isSlow ? baseSeconds : median(times);
  if (isBase && order.baseSeconds <= 0)
    baseSeconds = anchor.seconds;
}

/// Times a candidate that computes the right values.
void Worker::judge(const WorkOrder &order, Contestant contestant,
                   Report &report) {
  const MeasureJob &job = order.job;
  Measurement &result = report.measurement;
  // One run tells enough of a candidate that is slower by far.
  double allowed = 3 * job.cutoff * anchor.seconds;
  if (job.cutoff > 0 && contestant.seconds > std::max(allowed, 0.05)) {
    result.logRatio =
        anchor.logRatio + std::log(anchor.seconds / contestant.seconds);
    return;
  }
  contestant.timed = calibrate(*contestant.program, *inputs, refill,
                               job.minSeconds, contestant.seconds);
  TimingOptions options;
  options.pairs = job.pairs;
  options.budgetSeconds = job.budgetSeconds;
  options.cutoff = job.cutoff;
  PairTiming timing = timePairs(*anchor.timed, *contestant.timed, options);
  bool faster = job.useAnchor && timing.logRatio > std::log(1.2);
  if (faster && timing.pairs < kAnchorPairs) {
    options.pairs = kAnchorPairs;
    timing = timePairs(*anchor.timed, *contestant.timed, options);
    faster = timing.logRatio > std::log(1.2);
  }
  result.logRatio = anchor.logRatio + timing.logRatio;
  result.spread = timing.upper - timing.lower;
  result.pairs = timing.pairs;
  if (!faster)
    return;
  report.isAnchor = true;
  contestant.logRatio = result.logRatio;
  contestant.seconds = timing.secondSeconds;
  anchor = std::move(contestant);
}

Report Worker::measure(const WorkOrder &order, unsigned index) {
  const MeasureJob &job = order.job;
  Report report;
  report.kind = Report::Candidate;
  report.candidate = index;
  Measurement &result = report.measurement;
  result.baseHash = base->getHash().str();
  result.baseSeconds = baseSeconds;

  auto compiled =
      Program::compile(job.candidateTexts[index], "candidate", job.entry);
  if (!compiled) {
    result.detail = llvm::toString(compiled.takeError());
    return report;
  }
  Contestant contestant;
  contestant.program = std::move(*compiled);
  result.candidateHash = contestant.program->getHash().str();
  const Signature &signature = base->getSignature();
  if (Error error =
          checkSameTypes(signature, contestant.program->getSignature())) {
    result.detail = llvm::toString(std::move(error));
    return report;
  }
  contestant.seconds = callOnce(*contestant.program, *inputs);
  result.detail = inputs->findOutOfBounds();
  report.mustRestart = !result.detail.empty();
  if (result.detail.empty())
    result.detail = findDifference(signature, expected, inputs->takeOutcome(),
                                   job.tolerance);
  result.status = result.detail.empty() ? Measurement::Ok : Measurement::Wrong;
  if (result.status == Measurement::Ok && job.pairs > 0)
    judge(order, std::move(contestant), report);
  return report;
}

bool Worker::process(const WorkOrder &order) {
  // Ends an endless loop even if the parent is no longer there to do so.
  auto setAlarm = [&] { alarm(unsigned(order.job.timeoutSeconds) + 10); };
  setAlarm();
  Report report;
  report.kind = Report::Base;
  if (Error error = prepareBase(order)) {
    alarm(0);
    report.measurement.detail = llvm::toString(std::move(error));
    return send(report);
  }
  restoreAnchor(order);
  report.measurement.status = Measurement::Ok;
  report.measurement.baseSeconds = baseSeconds;
  report.measurement.baseHash = base->getHash().str();
  if (!send(report))
    return false;
  for (unsigned index = order.first; index < order.job.candidateTexts.size();
       ++index) {
    setAlarm();
    report = measure(order, index);
    if (!send(report))
      return false;
    if (report.mustRestart)
      return true;
  }
  alarm(0);
  Report done;
  done.kind = Report::Done;
  return send(done);
}

int mlir::nestor::runWorker(int fileDescriptor, int core) {
  if (llvm::Expected<int> pinned = pinToCore(core); !pinned) {
    llvm::errs() << "error: " << llvm::toString(pinned.takeError()) << "\n";
    return 2;
  }
  if (!writeLine(fileDescriptor, toJSON(Report()))) {
    llvm::errs() << "error: 'worker' speaks to the program that started it, "
                    "through a socket: use compare, time or serve\n";
    return 2;
  }
  Worker worker(fileDescriptor);
  LineReader reader(fileDescriptor);
  std::string line;
  while (reader.read(line, -1) == LineReader::Line) {
    WorkOrder order;
    llvm::json::Path::Root root("job");
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (!value || !fromJSON(*value, order, root)) {
      llvm::errs() << "error: bad job: "
                   << llvm::toString(value ? root.getError()
                                           : value.takeError())
                   << "\n";
      return 2;
    }
    if (!worker.process(order))
      return 2;
  }
  return 0;
}
