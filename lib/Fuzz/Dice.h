//===- Dice.h - Random choices of the fuzzer --------------------*- C++ -*-===//
//
// Fuzz room. The same numbers on every platform, from integers only.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_FUZZ_DICE_H
#define NESTOR_LIB_FUZZ_DICE_H

#include "nestor/Search/Random.h"

namespace mlir::nestor::fuzz {

class Dice {
public:
  explicit Dice(uint64_t seed) : random(seed) {}

  /// Uniform in [lo, hi].
  int64_t uniform(int64_t lo, int64_t hi) {
    return lo + int64_t(random.below(uint64_t(hi) - uint64_t(lo) + 1));
  }
  /// True in `percent` of 100 cases.
  bool chance(unsigned percent) { return random.below(100) < percent; }
  /// An index, chosen in proportion to its weight; some weight is positive.
  unsigned weighted(ArrayRef<unsigned> weights) {
    unsigned total = 0;
    for (unsigned weight : weights)
      total += weight;
    unsigned at = random.below(total), index = 0;
    while (at >= weights[index])
      at -= weights[index++];
    return index;
  }
  template <typename Container> auto &pick(Container &&items) {
    return items[random.below(std::size(items))];
  }
  uint64_t bits() {
    return (random.below(1ull << 32) << 32) | random.below(1ull << 32);
  }

private:
  Random random;
};

} // namespace mlir::nestor::fuzz

#endif // NESTOR_LIB_FUZZ_DICE_H
