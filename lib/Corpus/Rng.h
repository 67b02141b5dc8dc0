//===- Rng.h - Random numbers that are the same everywhere ------*- C++ -*-===//
//
// Corpus room, under the generator and the choice of schedules. The standard
// fixes std::mt19937_64 but not its distributions, so these are our own, in
// integers only: no libm, no fused multiply-add can change a program.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_CORPUS_RNG_H
#define NESTOR_LIB_CORPUS_RNG_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <random>

namespace mlir::nestor::corpus {

class Rng {
public:
  explicit Rng(uint64_t seed) : engine(seed) {}

  /// Uniform in [lo, hi].
  int64_t uniform(int64_t lo, int64_t hi) {
    uint64_t span = uint64_t(hi) - uint64_t(lo) + 1;
    if (span == 0)
      return int64_t(engine());
    uint64_t limit = UINT64_MAX - UINT64_MAX % span;
    uint64_t x = engine();
    while (x >= limit)
      x = engine();
    return int64_t(uint64_t(lo) + x % span);
  }
  /// True in `percent` of 100 cases.
  bool chance(unsigned percent) { return uniform(0, 99) < int64_t(percent); }
  /// Roughly log-uniform in [lo, hi], 0 < lo: an octave, then uniform in it.
  int64_t logUniform(int64_t lo, int64_t hi) {
    if (lo >= hi)
      return lo;
    int64_t octave = uniform(llvm::Log2_64(lo), llvm::Log2_64(hi));
    int64_t first = std::max(lo, int64_t(1) << octave);
    int64_t last = std::min(hi, (int64_t(1) << (octave + 1)) - 1);
    return uniform(first, last);
  }
  /// An index, chosen in proportion to its weight.
  unsigned weighted(llvm::ArrayRef<unsigned> weights) {
    int64_t total = 0;
    for (unsigned w : weights)
      total += w;
    int64_t x = uniform(0, total - 1);
    unsigned i = 0;
    while (x >= int64_t(weights[i]))
      x -= weights[i++];
    return i;
  }
  template <typename Container> auto &pick(Container &&items) {
    return items[uniform(0, int64_t(items.size()) - 1)];
  }
  template <typename Container> void shuffle(Container &items) {
    for (int64_t i = int64_t(items.size()) - 1; i > 0; --i)
      std::swap(items[i], items[uniform(0, i)]);
  }

private:
  std::mt19937_64 engine;
};

} // namespace mlir::nestor::corpus

#endif // NESTOR_LIB_CORPUS_RNG_H
