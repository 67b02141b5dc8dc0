//===- Reduce.h - Small programs from large failures ------------*- C++ -*-===//
//
// Fuzz room: what is done with a failure. The program is made smaller step by
// step for as long as some schedule still fails in the same way; every step
// keeps it defined (see Generator.h).
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_FUZZ_REDUCE_H
#define NESTOR_FUZZ_REDUCE_H

#include "nestor/Fuzz/Trial.h"

namespace mlir::nestor::fuzz {

struct CheckOptions {
  TrialOptions trial;
  uint64_t seed = 0;   ///< of the schedules and of the data
  double seconds = 20; ///< processor time of one trial
};

/// What a trial in a child found: a failure with its kind, or nothing.
struct Finding {
  Failure failure;
  std::string description; ///< the schedule's steps
  std::string schedule;    ///< the kernel's nestor.schedule
};

/// The first failure of a program, "crash" and "hang" among the kinds. An Error
/// says that the program is not fit for a trial.
llvm::Expected<std::optional<Finding>> check(ModuleOp program,
                                             const CheckOptions &options);

/// The smallest program found, in at most `maxTests` trials, that fails as
/// `finding` says.
OwningOpRef<ModuleOp> reduce(ModuleOp program, const Finding &finding,
                             const CheckOptions &options,
                             unsigned maxTests = 600);

/// Writes a program that fails, with what another check of it finds, or
/// nothing.
llvm::Error saveReduced(ModuleOp program, const CheckOptions &options,
                        StringRef path);

} // namespace mlir::nestor::fuzz

#endif // NESTOR_FUZZ_REDUCE_H
