//===- Autopsy.h - Where a process died -------------------------*- C++ -*-===//
//
// Private to the Fuzz room. A handler of deadly signals looks at the stack: was
// a function of Nestor running, or only libraries? Nestor is linked into the
// executable, MLIR and LLVM are libraries, so the address of a function tells.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_FUZZ_AUTOPSY_H
#define NESTOR_LIB_FUZZ_AUTOPSY_H

#include "nestor/Fuzz/Trial.h"

namespace mlir::nestor::fuzz {

/// In a child: from now on, what kills it is written to `autopsy`, which
/// outlives the process.
void watchDeath(Autopsy &autopsy);
/// The functions that are active now do not count as Nestor's.
void markStack();

/// In words.
std::string describe(const Autopsy &autopsy);

} // namespace mlir::nestor::fuzz

#endif // NESTOR_LIB_FUZZ_AUTOPSY_H
