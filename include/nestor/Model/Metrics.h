//===- Metrics.h - How good predictions are ---------------------*- C++ -*-===//
//
// Model room: statistics of predicted against measured log(speedup). Standard
// library only.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_MODEL_METRICS_H
#define NESTOR_MODEL_METRICS_H

#include <cstddef>
#include <optional>
#include <vector>

namespace mlir::nestor {

/// Predicted and measured log(speedup) of the candidates of one program.
struct ProgramScores {
  std::vector<double> predicted, measured;
};

/// Spearman's rank correlation; equal values share the mean of their ranks.
/// Constant predictions order nothing: 0. Nothing to order (fewer than two
/// values, or all measured alike): none.
std::optional<double> computeSpearman(const ProgramScores &scores);

/// Speedup of the candidate that is predicted best / best measured speedup;
/// among candidates predicted equally good, the mean (one is drawn at random).
double computeNdcgAt1(const ProgramScores &scores);

struct Evaluation {
  size_t programs = 0, labels = 0;
  double mape = 0;     ///< mean |predicted - measured| / measured of speedups
  double spearman = 0; ///< mean over the programs that have one
  double ndcgAt1 = 0;  ///< mean over programs
};
/// Programs without a candidate are left out.
Evaluation evaluate(const std::vector<ProgramScores> &programs);

} // namespace mlir::nestor

#endif // NESTOR_MODEL_METRICS_H
