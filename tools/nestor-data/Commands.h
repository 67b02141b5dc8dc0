//===- Commands.h - The subcommands of nestor-data --------------*- C++ -*-===//
//
// nestor-data drives the Corpus room: one function for each subcommand, beside
// its options. A failure is an Error with a message for the user.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_TOOLS_NESTOR_DATA_COMMANDS_H
#define NESTOR_TOOLS_NESTOR_DATA_COMMANDS_H

#include "nestor/Corpus/Generator.h"
#include "nestor/Corpus/Store.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mlir::nestor::data {

struct Command {
  llvm::cl::SubCommand &subCommand;
  llvm::Error (*run)();
};

/// The tool's own options; those of LLVM stay out of --help.
extern llvm::cl::OptionCategory category;

/// Two subcommands share options; these exist before either's file is
/// initialized.
llvm::cl::SubCommand &generateCommand();
llvm::cl::SubCommand &featuresCommand();

extern Command generate, label, refresh, stats, merge, exportFile, importFile,
    describe, features;

/// --db must be given; opens it.
llvm::Expected<std::unique_ptr<Store>> openStore(const std::string &path,
                                                 Store::Mode mode);

} // namespace mlir::nestor::data

#endif // NESTOR_TOOLS_NESTOR_DATA_COMMANDS_H
