//===- Random.h - Random legal schedules ------------------------*- C++ -*-===//
//
// Search room: legal candidates drawn at random, for differential tests and for
// the programs that models learn from.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_SEARCH_RANDOM_H
#define NESTOR_SEARCH_RANDOM_H

#include "nestor/Schedule/Steps.h"

#include <random>

namespace mlir::nestor {

/// A random number generator with the same numbers on every platform.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// Uniform in [0, bound); bound > 0.
  uint64_t below(uint64_t bound) { return engine() % bound; }
  template <typename T> const T &pick(ArrayRef<T> list) {
    return list[below(list.size())];
  }

private:
  std::mt19937_64 engine;
};

struct RandomOptions {
  unsigned maxSteps = 5;
  /// Sizes that tiles are drawn from.
  SmallVector<int64_t> tileSizes{2, 3, 4, 5, 7, 8, 16, 32, 64};
  SmallVector<int64_t> vectorWidths{2, 4, 8};
  SmallVector<int64_t> unrollFactors{2, 3, 4, 6, 8};
};

/// One random legal candidate: a skeleton and up to maxSteps moves that apply.
Candidate randomCandidate(ArrayRef<Candidate> skeletons, Random &random,
                          const RandomOptions &options);

} // namespace mlir::nestor

#endif // NESTOR_SEARCH_RANDOM_H
