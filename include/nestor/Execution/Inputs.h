//===- Inputs.h - The data that a measured program works on -----*- C++ -*-===//
//
// Execution room, third step: deterministic inputs in guarded buffers, shared
// by the base and its candidates, and the comparison of what they leave there.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_EXECUTION_INPUTS_H
#define NESTOR_EXECUTION_INPUTS_H

#include "nestor/Execution/Program.h"

namespace mlir::nestor {

/// Argument `second` begins `elements` elements (of the first one's type) after
/// the beginning of argument `first`, in the same memory.
struct Overlap {
  unsigned first = 0, second = 0;
  int64_t elements = 0;
};

/// What a call left behind.
struct Outcome {
  std::vector<std::vector<char>> buffers; ///< per argument; empty for scalars
  std::vector<uint64_t> results;
};

class Inputs {
public:
  /// Allocates and fills; fails on an unknown nestor.init or impossible
  /// overlap.
  static llvm::Expected<std::unique_ptr<Inputs>>
  create(const Signature &signature, llvm::ArrayRef<Overlap> overlaps = {});
  ~Inputs();

  CallFrame &getFrame() { return *frame; }

  /// Gives buffers and guard zones their initial contents back.
  void reset();
  /// As reset, but only the buffers that a call was seen to change; what a
  /// timed loop can afford between calls.
  void refill();
  /// Remembers for refill what the calls since reset changed.
  void noteChanges();

  Outcome takeOutcome() const;
  /// Empty, or says where memory around an argument was written, as "writes out
  /// of bounds: argument 2, 3 bytes after its end".
  std::string findOutOfBounds() const;

private:
  struct Region;
  Inputs() = default;
  llvm::Error place(llvm::ArrayRef<Overlap> overlaps);
  llvm::Error allocate();
  llvm::Error fill();
  char *getData(unsigned argument) const;

  Signature signature;
  std::vector<std::unique_ptr<Region>> regions;
  std::vector<std::pair<unsigned, int64_t>> places; ///< region, byte offset
  std::vector<uint64_t> scalars;
  std::unique_ptr<CallFrame> frame;
};

/// Empty when equal, else the first difference, as "argument 2, element [3,4],
/// 1.0 vs 2.0". With a `tolerance` above 0, floating-point numbers may differ
/// by that share of their magnitude or, where that is larger, of the mean
/// magnitude of their buffer; otherwise all bits count.
std::string findDifference(const Signature &signature, const Outcome &base,
                           const Outcome &candidate, double tolerance = 0);

} // namespace mlir::nestor

#endif // NESTOR_EXECUTION_INPUTS_H
