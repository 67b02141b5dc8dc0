//===- Labelling.cpp - Measuring schedules of stored programs -------------===//
//
// Corpus room; see Labelling.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Corpus/Labelling.h"

#include "nestor/Execution/Program.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <chrono>

using namespace mlir;
using namespace mlir::nestor;

namespace {
/// What both ways of labelling share: one program after the other.
class Labeller {
public:
  Labeller(Store &store, const TargetDescriptor &target,
           MeasureFunction measure, const LabellingOptions &options,
           const std::atomic<bool> &stop, llvm::raw_ostream &log)
      : store(store), target(target), measure(measure), options(options),
        stop(stop), log(log), begin(std::chrono::steady_clock::now()) {}

  llvm::Error labelAll();
  llvm::Error refreshAll();
  LabellingSummary summary;

private:
  /// Schedules of one program, with their code.
  struct Batch {
    std::string program;
    std::vector<std::string> schedules;
    MeasureJob job;
  };

  double minutes() const {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - begin;
    return passed.count() / 60;
  }
  bool mustStop() {
    summary.stopped |= stop || (options.budgetMinutes > 0 &&
                                minutes() >= options.budgetMinutes);
    return summary.stopped;
  }
  MeasureJob makeJob(const Subject &subject, StringRef text) const;
  /// Calls `visit` on one program after the other, until told to stop.
  llvm::Error visitAll(llvm::Expected<std::vector<std::string>> ids,
                       llvm::Error (Labeller::*visit)(const ProgramRecord &));
  llvm::Expected<std::vector<Candidate>>
  propose(const Subject &subject, const ProgramRecord &program) const;
  llvm::Error labelProgram(const ProgramRecord &program);
  llvm::Error refreshProgram(const ProgramRecord &program);
  llvm::Error leaveAlone(const ProgramRecord &program, llvm::Error why);
  llvm::Error keep(const Batch &batch, ArrayRef<Measurement> answers);
  LabelRecord toRecord(const Batch &batch, size_t i, const Measurement &answer);
  void note(const LabelRecord &label, const Measurement &answer);
  void report(size_t done, size_t all);

  Store &store;
  const TargetDescriptor &target;
  MeasureFunction measure;
  const LabellingOptions &options;
  const std::atomic<bool> &stop;
  llvm::raw_ostream &log;
  std::chrono::steady_clock::time_point begin;
};
} // namespace

MeasureJob Labeller::makeJob(const Subject &subject, StringRef text) const {
  MeasureJob job;
  job.baseText = text.str();
  job.pairs = options.pairs;
  job.cutoff = options.cutoff;
  job.budgetSeconds = options.candidateSeconds;
  job.timeoutSeconds = options.timeoutSeconds;
  job.tolerance = subject.getTolerance();
  return job;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LabelRecord Labeller::toRecord(const Batch &batch, size_t i,
                               const Measurement &answer) {
  LabelRecord label;
  label.program = batch.program;
  label.target = target.name;
  label.schedule = batch.schedules[i];
  label.candidateHash = answer.candidateHash;
  label.baseHash = answer.baseHash;
  label.logRatio = answer.logRatio;
  label.spread = answer.spread;
  label.pairs = answer.pairs;
  label.baseSeconds = answer.baseSeconds;
  label.status = stringifyStatus(answer.status).str();
  label.detail = answer.detail;
  label.compiler = getCompilerVersion();
  return label;
}

/// Counts a result; what is wrong with the compiler is said aloud.
void Labeller::note(const LabelRecord &label, const Measurement &answer) {
  if (answer.status == Measurement::Ok) {
    ++summary.labels;
    return;
  }
  ++(answer.status == Measurement::Wrong ? summary.wrong : summary.failed);
  log << (answer.status == Measurement::Wrong ? "error: wrong result"
                                              : "warning: no label")
      << ": program " << label.program << ": " << label.status << ": "
      << label.detail << "\n  schedule: " << label.schedule << "\n";
}

llvm::Error Labeller::keep(const Batch &batch, ArrayRef<Measurement> answers) {
  return store.transact([&]() -> llvm::Error {
    for (auto [i, answer] : llvm::enumerate(answers)) {
      LabelRecord label = toRecord(batch, i, answer);
      note(label, answer);
      if (auto error = store.addLabel(label))
        return error;
    }
    return store.setVisited(batch.program, target.name, "labelled");
  });
}

llvm::Error Labeller::leaveAlone(const ProgramRecord &program,
                                 llvm::Error why) {
  std::string reason = llvm::toString(std::move(why));
  ++summary.leftAlone;
  log << "remark: program " << program.id << ": " << reason << "\n";
  return store.setVisited(program.id, target.name, reason);
}

void Labeller::report(size_t done, size_t all) {
  double left = minutes() / double(done) * double(all - done);
  if (options.budgetMinutes > 0)
    left = std::min(left, options.budgetMinutes - minutes());
  log << llvm::formatv("{0}/{1} programs, {2} labels, {3} wrong, {4} failed, "
                       "{5:f1} min, about {6:f1} min left\n",
                       done, all, summary.labels, summary.wrong, summary.failed,
                       minutes(), std::max(left, 0.0));
  log.flush();
}

//===----------------------------------------------------------------------===//
// Labelling
//===----------------------------------------------------------------------===//

/// Candidates worth a label. Some will have no code (too many copies of a
/// statement), so these are more than are wanted.
llvm::Expected<std::vector<Candidate>>
Labeller::propose(const Subject &subject, const ProgramRecord &program) const {
  unsigned count = options.schedules * 3 / 2;
  if (options.searchModel)
    return subject.search(count, *options.searchModel, target);
  return subject.sample(
      count, options.seed ^ llvm::xxh3_64bits(StringRef(program.id)), target);
}

llvm::Error Labeller::labelProgram(const ProgramRecord &program) {
  auto subject = Subject::create(program.text);
  if (!subject)
    return leaveAlone(program, subject.takeError());
  Batch batch;
  batch.program = program.id;
  batch.job = makeJob(**subject, program.text);
  auto candidates = propose(**subject, program);
  if (!candidates)
    return candidates.takeError();
  for (const Candidate &candidate : *candidates) {
    if (batch.schedules.size() == options.schedules)
      break;
    std::string schedule = (*subject)->print(candidate);
    auto code = (*subject)->apply(schedule);
    if (!code) {
      llvm::consumeError(code.takeError());
      continue;
    }
    batch.schedules.push_back(std::move(schedule));
    batch.job.candidateTexts.push_back(std::move(*code));
  }
  if (batch.schedules.empty())
    return leaveAlone(program,
                      llvm::createStringError("no schedule applies to it"));
  auto answers = measure(batch.job);
  if (!answers)
    return answers.takeError();
  // An interrupt reaches the helper too, and then the answers are not the
  // program's fault.
  if (stop)
    return llvm::Error::success();
  return keep(batch, *answers);
}

llvm::Error
Labeller::visitAll(llvm::Expected<std::vector<std::string>> ids,
                   llvm::Error (Labeller::*visit)(const ProgramRecord &)) {
  if (!ids)
    return ids.takeError();
  for (size_t i = 0; i < ids->size() && !mustStop(); ++i) {
    auto program = store.getProgram((*ids)[i]);
    if (!program)
      return program.takeError();
    if (auto error = (this->*visit)(*program))
      return error;
    if (mustStop() && stop)
      break;
    ++summary.programs;
    report(i + 1, ids->size());
  }
  return llvm::Error::success();
}

llvm::Error Labeller::labelAll() {
  return visitAll(store.getUnvisited(target.name), &Labeller::labelProgram);
}

//===----------------------------------------------------------------------===//
// Refreshing
//===----------------------------------------------------------------------===//

llvm::Error Labeller::refreshProgram(const ProgramRecord &program) {
  auto labels = store.getLabels(program.id, target.name);
  if (!labels)
    return labels.takeError();
  if (labels->empty())
    return llvm::Error::success();
  auto subject = Subject::create(program.text);
  if (!subject)
    return leaveAlone(program, subject.takeError());
  Batch batch;
  batch.program = program.id;
  batch.job = makeJob(**subject, program.text);
  batch.job.pairs = 0; // hashes and results only
  std::vector<const LabelRecord *> known;
  for (LabelRecord &label : *labels) {
    auto code = (*subject)->apply(label.schedule);
    if (!code) {
      label.status = "not-applicable";
      label.detail = llvm::toString(code.takeError());
      ++summary.failed;
      if (auto error = store.addLabel(label))
        return error;
      continue;
    }
    known.push_back(&label);
    batch.schedules.push_back(label.schedule);
    batch.job.candidateTexts.push_back(std::move(*code));
  }
  auto today = measure(batch.job);
  if (!today)
    return today.takeError();
  Batch stale;
  stale.program = program.id;
  stale.job = makeJob(**subject, program.text);
  for (auto [i, answer] : llvm::enumerate(*today)) {
    const LabelRecord &label = *known[i];
    if (answer.status == Measurement::Ok && label.status == "ok" &&
        answer.candidateHash == label.candidateHash &&
        answer.baseHash == label.baseHash &&
        label.compiler == getCompilerVersion())
      continue;
    stale.schedules.push_back(batch.schedules[i]);
    stale.job.candidateTexts.push_back(batch.job.candidateTexts[i]);
  }
  if (stale.schedules.empty() || stop)
    return llvm::Error::success();
  auto answers = measure(stale.job);
  if (!answers)
    return answers.takeError();
  if (stop)
    return llvm::Error::success();
  summary.stale += stale.schedules.size();
  return keep(stale, *answers);
}

llvm::Error Labeller::refreshAll() {
  return visitAll(store.getProgramIds(), &Labeller::refreshProgram);
}

static llvm::Error addTarget(Store &store, const TargetDescriptor &target) {
  return store.addTarget({target.name, printTarget(target)});
}

llvm::Expected<LabellingSummary> mlir::nestor::labelPrograms(
    Store &store, const TargetDescriptor &target, MeasureFunction measure,
    const LabellingOptions &options, const std::atomic<bool> &stop,
    llvm::raw_ostream &log) {
  if (auto error = addTarget(store, target))
    return std::move(error);
  Labeller labeller(store, target, measure, options, stop, log);
  if (auto error = labeller.labelAll())
    return std::move(error);
  return labeller.summary;
}

llvm::Expected<LabellingSummary> mlir::nestor::refreshLabels(
    Store &store, const TargetDescriptor &target, MeasureFunction measure,
    const LabellingOptions &options, const std::atomic<bool> &stop,
    llvm::raw_ostream &log) {
  if (auto error = addTarget(store, target))
    return std::move(error);
  Labeller labeller(store, target, measure, options, stop, log);
  if (auto error = labeller.refreshAll())
    return std::move(error);
  return labeller.summary;
}
