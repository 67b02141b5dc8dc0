//===- IslLimit.h - Less work for isl ---------------------------*- C++ -*-===//
//
// Several rooms' tests: sets the developers' option of that name.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_UNITTESTS_ISLLIMIT_H
#define NESTOR_UNITTESTS_ISLLIMIT_H

#include "llvm/Support/CommandLine.h"

namespace mlir::nestor {

/// Limits isl's work as long as it lives.
class IslLimit {
public:
  explicit IslLimit(unsigned long operations) : before(option()) {
    option() = operations;
  }
  ~IslLimit() { option() = before; }

private:
  static llvm::cl::opt<unsigned long> &option() {
    return static_cast<llvm::cl::opt<unsigned long> &>(
        *llvm::cl::getRegisteredOptions().lookup("nestor-isl-operations"));
  }
  unsigned long before;
};

} // namespace mlir::nestor

#endif // NESTOR_UNITTESTS_ISLLIMIT_H
