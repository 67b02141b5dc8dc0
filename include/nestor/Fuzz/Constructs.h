//===- Constructs.h - What a program and a schedule are made of -*- C++ -*-===//
//
// Fuzz room, for the histogram: which constructs of a program met which steps
// of a schedule. Constructs are read off the IR, not off the generator's
// intentions.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_FUZZ_CONSTRUCTS_H
#define NESTOR_FUZZ_CONSTRUCTS_H

#include "nestor/Schedule/ScheduleTree.h"

#include <bitset>

namespace mlir::nestor::fuzz {

inline constexpr unsigned kMaxConstructs = 96;
using Constructs = std::bitset<kMaxConstructs>;

/// Names of the constructs, by bit.
ArrayRef<llvm::StringLiteral> getConstructNames();
/// Constructs of the op and everything in it.
Constructs findConstructs(Operation *op);
/// Constructs of the ops that a scop holds.
Constructs findConstructs(const Scop &scop);

inline constexpr unsigned kMaxTraits = 16;
using Traits = std::bitset<kMaxTraits>;

/// Names of what a schedule is made of: skeletons, steps, ways to handle
/// aliases.
ArrayRef<llvm::StringLiteral> getTraitNames();
Traits findTraits(const Candidate &candidate);
/// The bit of a trait by name, which must exist.
unsigned getTrait(StringRef name);

} // namespace mlir::nestor::fuzz

#endif // NESTOR_FUZZ_CONSTRUCTS_H
