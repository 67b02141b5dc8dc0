//===- Work.h - Operations and compulsory traffic of a function -*- C++ -*-===//
//
// Analysis room, beside the flow: what any schedule of a function has to do.
// Benchmarks compare times with it.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_ANALYSIS_WORK_H
#define NESTOR_ANALYSIS_WORK_H

#include "nestor/Analysis/Scop.h"

namespace mlir::nestor {

struct Work {
  /// Arithmetic on elements, by element type; a comparison, selection or
  /// conversion is none, a math.fma two.
  int64_t f32Operations = 0, f64Operations = 0, integerOperations = 0;
  /// Bytes of argument memrefs that are read before anything writes them, and
  /// that are written.
  int64_t readBytes = 0, writtenBytes = 0;
  /// Bytes of all memrefs that are touched.
  int64_t footprintBytes = 0;
  /// Empty, or why the bytes are not exact.
  std::string inexact;
};

/// Fails, with a reason for the user, on control flow that is not affine or
/// bounds that are not known.
FailureOr<Work> countWork(func::FuncOp func, std::string &reason);

} // namespace mlir::nestor

#endif // NESTOR_ANALYSIS_WORK_H
