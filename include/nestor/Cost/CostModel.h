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

/// What a model sees of one candidate, and of nothing else: its features and
/// the analytical model's terms for it on the target.
struct ModelInput {
  CandidateFeatures features;
  std::array<float, kAnalyticalDim> analytical{}; ///< scaled
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

/// Predicts -log(time), natural logarithm, up to a constant of the program: the
/// difference of two candidates' scores is the log of the one's speedup over
/// the other. A candidate's score depends on that candidate alone, so which one
/// is best does not depend on the one that the source happens to be.
class CostModel {
public:
  virtual ~CostModel() = default;
  virtual std::string getName() const = 0;
  /// Fills `scores` (one per input; larger is better) or fails with a message
  /// for the user.
  virtual llvm::Error score(const std::vector<const ModelInput *> &inputs,
                            std::vector<double> &scores) = 0;
};

/// The score that a search uses of a learned and an analytical log(speedup):
/// their mean where both expect a gain, else the lower of the two. A search
/// looks for the highest of thousands of predictions, and so for the errors of
/// a model far from what it was trained on; two models that are wrong in
/// different ways seldom agree there.
double temper(double learned, double analytical);

/// The analytical model's score, from the terms of an input.
double getAnalyticalScore(const ModelInput &input);

/// Scores by the total of the analytical terms, in cycles.
std::unique_ptr<CostModel>
createAnalyticalModel(const TargetDescriptor &target);

} // namespace mlir::nestor

#endif // NESTOR_COST_COSTMODEL_H
