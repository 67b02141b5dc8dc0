//===- CostModel.h - Scores for candidate schedules -------------*- C++ -*-===//
//
// Cost room: features in, predictions out. The analytical model lives here; the
// learned one behind the same interface in the Model room (LibTorch, loaded on
// first use); measured evaluation in the Execution room.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_COST_COSTMODEL_H
#define NESTOR_COST_COSTMODEL_H

#include "nestor/Cost/Target.h"
#include "nestor/Features/Features.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>

namespace mlir::nestor {

/// What a model sees of one candidate: its features and the analytical model's
/// terms for it and for the unscheduled program on the target.
struct ModelInput {
  CandidateFeatures features;
  std::array<float, kAnalyticalDim> analytical{}; ///< of the candidate, scaled
  std::array<float, kAnalyticalDim>
      analyticalBase{}; ///< of the unscheduled program
};

/// The terms of the analytical model for one candidate, in cycles unless said.
struct AnalyticalTerms {
  double compute =
      0; ///< arithmetic and load/store issue, with vector efficiency
  double l1 = 0, l2 = 0,
         memory = 0;      ///< time for traffic into L1, L2, from DRAM
  double overhead = 0;    ///< loop control
  double spill = 0;       ///< register pressure above the target's registers
  double latency = 0;     ///< carried dependence chains (reductions)
  double total = 0;       ///< predicted cycles
  double tlb = 0;         ///< part of l2 and memory: pages not in the TLBs
  double instances = 0;   ///< statement executions (a number, not cycles)
  double vectorShare = 0; ///< share of them that run in vectors, 0..1
  std::array<float, kAnalyticalDim>
  scaled() const; ///< log1p, layout in docs/features.md
};
AnalyticalTerms analyse(const CandidateFeatures &features,
                        const TargetDescriptor &target);

/// The target descriptor as model input, [kTargetDim].
std::array<float, kTargetDim> targetFeatures(const TargetDescriptor &target);

/// Predicts log(speedup) over the unscheduled program, natural logarithm:
/// larger is better, 0 is "as fast as before".
class CostModel {
public:
  virtual ~CostModel() = default;
  virtual std::string getName() const = 0;
  /// Fills `scores` (one per input) or fails with a message for the user.
  virtual llvm::Error score(const std::vector<const ModelInput *> &inputs,
                            std::vector<double> &scores) = 0;
};

/// The score that a search uses of a learned and an analytical log(speedup):
/// their mean where both expect a gain, else the lower of the two. A search
/// looks for the highest of thousands of predictions, and so for the errors of
/// a model far from what it was trained on; two models that are wrong in
/// different ways seldom agree there.
double temper(double learned, double analytical);

/// log(total of the base / total of the candidate) of the analytical terms.
std::unique_ptr<CostModel>
createAnalyticalModel(const TargetDescriptor &target);

} // namespace mlir::nestor

#endif // NESTOR_COST_COSTMODEL_H
