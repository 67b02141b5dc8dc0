//===- nestor-data.cpp - Programs and labels to learn from ----------------===//
//
// The Corpus room's tool: `nestor-data <subcommand> [options]`, see
// docs/data.md. Exit status: 0 done, 1 failed, with a message.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir::nestor;
using namespace mlir::nestor::data;

llvm::cl::OptionCategory data::category("nestor-data options");

llvm::Expected<std::unique_ptr<Store>> data::openStore(const std::string &path,
                                                       Store::Mode mode) {
  if (path.empty())
    return llvm::createStringError("name the database: --db <file>");
  return Store::open(path, mode);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  const Command *commands[] = {&generate,   &label,    &refresh,
                               &stats,      &merge,    &exportFile,
                               &importFile, &describe, &features};
  llvm::cl::HideUnrelatedOptions(category);
  for (const Command *command : commands)
    llvm::cl::HideUnrelatedOptions(category, command->subCommand);
  llvm::cl::ParseCommandLineOptions(
      argc, argv,
      "Makes, labels and keeps the programs that Nestor learns from\n");
  for (const Command *command : commands) {
    if (!command->subCommand)
      continue;
    if (llvm::Error error = command->run()) {
      llvm::WithColor::error(llvm::errs(), "nestor-data")
          << llvm::toString(std::move(error)) << "\n";
      return 1;
    }
    return 0;
  }
  llvm::WithColor::error(llvm::errs(), "nestor-data")
      << "name a subcommand, one of:";
  for (const Command *command : commands)
    llvm::errs() << " " << command->subCommand.getName();
  llvm::errs() << "\n";
  return 1;
}
