//===- Runtime.h - What generated code calls --------------------*- C++ -*-===//
//
// Execution room, beneath every program that runs in a process: the libraries
// and functions that compiled code needs besides libc and libm.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_EXECUTION_RUNTIME_H
#define NESTOR_EXECUTION_RUNTIME_H

#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace mlir::nestor {

/// Opens the libraries that `module` calls into.
llvm::Error loadRuntimes(const llvm::Module &module);

/// What the code generator calls on CPUs without bf16 conversions, and what
/// older versions of libgcc lack.
llvm::orc::SymbolMap getRuntimeHelpers(llvm::orc::MangleAndInterner mangle);

} // namespace mlir::nestor

#endif // NESTOR_EXECUTION_RUNTIME_H
