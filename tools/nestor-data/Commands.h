//===- Commands.h - The subcommands of nestor-data --------------*- C++ -*-===//
//
// nestor-data drives the Corpus room: one function for each subcommand, each in
// a file with its options. A failure is an Error with a message for the user.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_TOOLS_NESTOR_DATA_COMMANDS_H
#define NESTOR_TOOLS_NESTOR_DATA_COMMANDS_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mlir::nestor::data {

struct Command {
  llvm::cl::SubCommand &subCommand;
  llvm::Error (*run)();
};

/// All subcommands; the options of each are registered with it.
llvm::ArrayRef<Command> commands();

extern llvm::cl::SubCommand generateCommand;
llvm::Error runGenerate();

} // namespace mlir::nestor::data

#endif // NESTOR_TOOLS_NESTOR_DATA_COMMANDS_H
