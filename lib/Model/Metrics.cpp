//===- Metrics.cpp - How good predictions are -----------------------------===//
//
// Model room: used while training, by `nestor-train eval` and its tests.
//
//===----------------------------------------------------------------------===//
#include "nestor/Model/Metrics.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir::nestor;

/// Ranks from 0; equal values share their mean.
static std::vector<double> rank(const std::vector<double> &values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0, end; begin < order.size(); begin = end) {
    end = begin + 1; // a number that is none equals nothing, not even itself
    while (end < order.size() && values[order[end]] == values[order[begin]])
      ++end;
    for (size_t i = begin; i < end; ++i)
      ranks[order[i]] = (double(begin) + double(end) - 1) / 2;
  }
  return ranks;
}

std::optional<double>
mlir::nestor::computeSpearman(const ProgramScores &scores) {
  std::vector<double> a = rank(scores.predicted), b = rank(scores.measured);
  double mean = (double(a.size()) - 1) / 2;
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean) * (b[i] - mean);
    aa += (a[i] - mean) * (a[i] - mean);
    bb += (b[i] - mean) * (b[i] - mean);
  }
  if (bb == 0)
    return std::nullopt;
  return aa == 0 ? 0 : ab / std::sqrt(aa * bb);
}

double mlir::nestor::computeNdcgAt1(const ProgramScores &scores) {
  double top =
      *std::max_element(scores.predicted.begin(), scores.predicted.end());
  double best =
      *std::max_element(scores.measured.begin(), scores.measured.end());
  double gain = 0;
  size_t chosen = 0;
  for (size_t i = 0; i < scores.predicted.size(); ++i)
    if (scores.predicted[i] == top) {
      gain += std::exp(scores.measured[i] - best);
      ++chosen;
    }
  return gain / double(chosen);
}

Evaluation mlir::nestor::evaluate(const std::vector<ProgramScores> &programs) {
  Evaluation result;
  size_t ranked = 0;
  for (const ProgramScores &scores : programs) {
    if (scores.measured.empty())
      continue;
    ++result.programs;
    result.labels += scores.measured.size();
    for (size_t i = 0; i < scores.measured.size(); ++i)
      result.mape +=
          std::abs(std::expm1(scores.predicted[i] - scores.measured[i]));
    result.ndcgAt1 += computeNdcgAt1(scores);
    if (auto spearman = computeSpearman(scores)) {
      result.spearman += *spearman;
      ++ranked;
    }
  }
  auto divide = [](double &sum, size_t count) {
    sum = count ? sum / double(count) : 0;
  };
  divide(result.mape, result.labels);
  divide(result.ndcgAt1, result.programs);
  divide(result.spearman, ranked);
  return result;
}
