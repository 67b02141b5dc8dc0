//===- Time.cpp - nestor-measure time, describe-machine and peaks ---------===//
//
// Times candidates against a base, in alternating pairs on one core.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "nestor/Execution/Machine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir::nestor;

namespace {
struct TimedCandidate {
  std::string path, hash;
  PairTiming timing;
};

/// What one run of the command found.
struct TimeReport {
  MachineInfo machine;
  int core = 0;
  bool refill = false;
  std::string basePath, baseHash;
  std::vector<TimedCandidate> candidates;
};
} // namespace

static llvm::Error annotate(const std::string &path, llvm::Error error) {
  return llvm::createStringError(path + ": " +
                                 llvm::toString(std::move(error)));
}

/// Compiles, checks and times the candidate at `path`.
static llvm::Expected<TimedCandidate>
timeOne(const TimeCommand &command, const std::string &path,
        const Program &base, Inputs &inputs, const FirstCalls &calls,
        bool refill) {
  setDoing(path);
  auto candidate = Program::compileFile(path, command.entry);
  if (!candidate)
    return candidate.takeError();
  const Signature &signature = base.getSignature();
  if (llvm::Error error =
          checkSameTypes(signature, (*candidate)->getSignature()))
    return annotate(path, std::move(error));
  double seconds = callOnce(**candidate, inputs);
  std::string problem = inputs.findOutOfBounds();
  if (problem.empty() && command.check)
    problem = findDifference(signature, calls.outcome, inputs.takeOutcome(),
                             command.tolerance);
  if (!problem.empty())
    return llvm::createStringError(
        path + ": computes something else than the base (" + problem +
        "); allow rounding with --tolerance, or time it anyway with "
        "--check=false");
  TimedProgram first(base, inputs, refill);
  TimedProgram second(**candidate, inputs, refill);
  first.calibrate(command.timing.minSeconds, calls.seconds);
  second.calibrate(command.timing.minSeconds, seconds);
  return TimedCandidate{path, (*candidate)->getHash().str(),
                        timePairs(first, second, command.timing)};
}

static void printJson(const TimeReport &report) {
  llvm::json::OStream json(llvm::outs(), /*IndentSize=*/2);
  json.object([&] {
    json.attributeObject("machine", [&] {
      json.attribute("cpu", report.machine.cpu);
      json.attribute("llvmCpu", report.machine.llvmCpu);
      json.attribute("features", llvm::json::Array(report.machine.features));
      json.attribute("llvmVersion", report.machine.llvmVersion);
      json.attribute("core", report.core);
    });
    json.attribute("base", report.basePath);
    json.attribute("baseHash", report.baseHash);
    json.attribute("refill", report.refill);
    json.attributeArray("candidates", [&] {
      for (const TimedCandidate &candidate : report.candidates)
        json.object([&] {
          const PairTiming &timing = candidate.timing;
          json.attribute("candidate", candidate.path);
          json.attribute("candidateHash", candidate.hash);
          json.attribute("ratio", std::exp(timing.logRatio));
          json.attribute("quartiles",
                         llvm::json::Array{std::exp(timing.lower),
                                           std::exp(timing.upper)});
          json.attribute("pairs", timing.pairs);
          json.attribute("baseSeconds", timing.firstSeconds);
          json.attribute("candidateSeconds", timing.secondSeconds);
        });
    });
  });
  llvm::outs() << "\n";
}

static void printText(const TimeReport &report) {
  const MachineInfo &machine = report.machine;
  llvm::outs() << "machine: " << machine.cpu << " (" << machine.llvmCpu << "), "
               << llvm::join(machine.features, " ") << ", LLVM "
               << machine.llvmVersion << ", core " << report.core << "\n";
  for (const TimedCandidate &candidate : report.candidates) {
    const PairTiming &timing = candidate.timing;
    llvm::outs() << llvm::formatv(
        "{0}: {1:f3} times as fast as the base (quartiles {2:f3} to {3:f3}, "
        "{4} pairs), base {5:e3} s, candidate {6:e3} s\n",
        candidate.path, std::exp(timing.logRatio), std::exp(timing.lower),
        std::exp(timing.upper), timing.pairs, timing.firstSeconds,
        timing.secondSeconds);
  }
}

int mlir::nestor::runTime(const TimeCommand &command) {
  TimeReport report;
  report.basePath = command.files.front();
  setDoing(report.basePath);
  llvm::Expected<int> core = pinToCore(command.core);
  if (!core)
    return reportError(core.takeError());
  report.core = *core;
  report.machine = getMachineInfo();

  auto base = Program::compileFile(report.basePath, command.entry);
  if (!base)
    return reportError(base.takeError());
  report.baseHash = (*base)->getHash().str();
  auto inputs = Inputs::create((*base)->getSignature(), command.overlaps);
  if (!inputs)
    return reportError(annotate(report.basePath, inputs.takeError()));
  FirstCalls calls = callFirst(**base, **inputs, /*twice=*/true);
  if (!calls.outOfBounds.empty())
    return reportError(
        llvm::createStringError(report.basePath + ": " + calls.outOfBounds));
  report.refill = calls.needsRefill;
  if (command.refill != Refill::Auto)
    report.refill = command.refill == Refill::Always;
  for (const std::string &path : llvm::ArrayRef(command.files).drop_front()) {
    auto candidate =
        timeOne(command, path, **base, **inputs, calls, report.refill);
    if (!candidate)
      return reportError(candidate.takeError());
    report.candidates.push_back(std::move(*candidate));
  }
  command.json ? printJson(report) : printText(report);
  return kSame;
}

int mlir::nestor::runDescribeMachine(llvm::StringRef path, int core) {
  llvm::Expected<TargetDescriptor> target = describeMachine(core);
  if (!target)
    return reportError(target.takeError());
  if (llvm::Error error = saveTarget(*target, path))
    return reportError(std::move(error));
  return kSame;
}

int mlir::nestor::runPeaks(int core) {
  llvm::Expected<MachinePeaks> peaks = measurePeaks(core);
  if (!peaks)
    return reportError(peaks.takeError());
  llvm::json::OStream json(llvm::outs(), /*IndentSize=*/2);
  json.object([&] {
    json.attribute("gflops_f32", peaks->gflopsF32);
    json.attribute("gflops_f64", peaks->gflopsF64);
    json.attribute("giops_i32", peaks->giopsI32);
    json.attributeArray("levels", [&] {
      for (const MachinePeaks::Level &level : peaks->levels)
        json.object([&] {
          json.attribute("name", level.name);
          json.attribute("bytes", level.bytes);
          json.attribute("read", level.readGBs);
          json.attribute("update", level.updateGBs);
        });
    });
  });
  llvm::outs() << "\n";
  return kSame;
}
