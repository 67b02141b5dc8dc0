//===- Labelling.h - Measuring schedules of stored programs -----*- C++ -*-===//
//
// Corpus room: programs of a store and the Execution room's measurements become
// labels. Every program is one transaction, so labelling can be interrupted at
// any moment and goes on where it stopped.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_CORPUS_LABELLING_H
#define NESTOR_CORPUS_LABELLING_H

#include "nestor/Corpus/Store.h"
#include "nestor/Corpus/Subject.h"
#include "nestor/Execution/Measure.h"

#include <atomic>

namespace mlir::nestor {

/// Answers a job; Measurer::measure in earnest.
using MeasureFunction =
    llvm::function_ref<llvm::Expected<std::vector<Measurement>>(
        const MeasureJob &)>;

struct LabellingOptions {
  unsigned schedules = 30;  ///< of each program
  double budgetMinutes = 0; ///< 0: no limit
  uint64_t seed = 1;
  int pairs = 15;              ///< timings of each candidate
  double cutoff = 4;           ///< see MeasureJob
  double candidateSeconds = 1; ///< no further pair after this time
  double timeoutSeconds = 60;
  /// Measure what searches with this model find, not what is drawn at random;
  /// null: at random.
  CostModel *searchModel = nullptr;
};

struct LabellingSummary {
  unsigned programs = 0;  ///< finished in this run
  unsigned leftAlone = 0; ///< of them, without labels, with a remark
  unsigned labels = 0;    ///< timed
  unsigned wrong = 0;     ///< candidates that computed something else
  unsigned failed = 0;    ///< candidates that crashed, hung, did not compile
  unsigned stale = 0;     ///< refresh: labels that were measured again
  bool stopped = false;   ///< by `stop` or the budget
};

/// Labels the programs that have not been visited on this target. Progress and
/// every wrong result go to `log`. Finishes early when `stop` becomes true; the
/// program at hand is then not stored.
llvm::Expected<LabellingSummary>
labelPrograms(Store &store, const TargetDescriptor &target,
              MeasureFunction measure, const LabellingOptions &options,
              const std::atomic<bool> &stop, llvm::raw_ostream &log);

/// Measures again the labels of this target whose program or candidate is
/// lowered to other code today, and those of another compiler.
llvm::Expected<LabellingSummary>
refreshLabels(Store &store, const TargetDescriptor &target,
              MeasureFunction measure, const LabellingOptions &options,
              const std::atomic<bool> &stop, llvm::raw_ostream &log);

} // namespace mlir::nestor

#endif // NESTOR_CORPUS_LABELLING_H
