//===- Synthetic.h - Made-up programs with a known truth --------*- C++ -*-===//
//
// Model room's tests: rows of random numbers in trees of random shape, labelled
// by a formula that the analytical terms know only in part. Nothing is
// measured, so every machine sees the same data.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_UNITTESTS_MODEL_SYNTHETIC_H
#define NESTOR_UNITTESTS_MODEL_SYNTHETIC_H

#include "nestor/Model/TrainingData.h"

namespace mlir::nestor {

FeatureCacheHeader makeSyntheticHeader();

/// Program number `number` of a seed, "do nothing" first. Programs differ in
/// their trees, numbers of statements, loops, accesses and tokens.
TrainingProgram makeSyntheticProgram(unsigned number, unsigned candidates,
                                     bool labelled, unsigned seed = 1);

/// Writes programs 0 .. programs-1.
llvm::Error writeSynthetic(llvm::StringRef path, unsigned programs,
                           unsigned candidates, bool labelled,
                           unsigned seed = 1);

} // namespace mlir::nestor

#endif // NESTOR_UNITTESTS_MODEL_SYNTHETIC_H
