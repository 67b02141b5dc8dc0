//===- IRHash.h - Identity of generated code --------------------*- C++ -*-===//
//
// Execution room: labels belong to generated code, known by this hash.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_EXECUTION_IRHASH_H
#define NESTOR_LIB_EXECUTION_IRHASH_H

#include <string>

namespace llvm {
class Module;
}

namespace mlir::nestor {

/// 32 hexadecimal digits that do not depend on the names of values, blocks,
/// functions defined here, globals and files. Call it before optimization,
/// while the module knows nothing of the machine.
std::string hashModule(const llvm::Module &module);

} // namespace mlir::nestor

#endif // NESTOR_LIB_EXECUTION_IRHASH_H
