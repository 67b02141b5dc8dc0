//===- GeneratorFlags.h - Options of the generator --------------*- C++ -*-===//
//
// The options that generate and features share.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_TOOLS_NESTOR_DATA_GENERATORFLAGS_H
#define NESTOR_TOOLS_NESTOR_DATA_GENERATORFLAGS_H

#include "Commands.h"

namespace mlir::nestor::data {

/// What the options say; fails on values that make no sense.
llvm::Expected<GeneratorOptions> readGeneratorOptions();
/// The name under which the programs of the options are stored.
llvm::StringRef getProfileName();

} // namespace mlir::nestor::data

#endif // NESTOR_TOOLS_NESTOR_DATA_GENERATORFLAGS_H
