//===- Compare.cpp - nestor-measure compare -------------------------------===//
//
// Runs each program once on the same inputs and compares what it leaves behind.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir::nestor;

int mlir::nestor::reportError(llvm::Error error) {
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  return kError;
}

/// The verdict on one candidate; an Error if it cannot be run at all.
static llvm::Expected<std::string>
compareOne(const CompareCommand &command, const std::string &path,
           const Program &base, Inputs &inputs, const Outcome &expected) {
  setDoing(path);
  auto candidate = Program::compileFile(path, command.entry);
  if (!candidate)
    return candidate.takeError();
  if (llvm::Error error =
          checkSameTypes(base.getSignature(), (*candidate)->getSignature()))
    return llvm::createStringError(path + ": " +
                                   llvm::toString(std::move(error)));
  inputs.reset();
  (*candidate)->run(inputs.getFrame());
  std::string damage = inputs.findOutOfBounds();
  if (!damage.empty())
    return "differs: " + damage;
  std::string difference = findDifference(
      base.getSignature(), expected, inputs.takeOutcome(), command.tolerance);
  return difference.empty() ? "same" : "differs: " + difference;
}

int mlir::nestor::runCompare(const CompareCommand &command) {
  const std::string &basePath = command.files.front();
  setDoing(basePath);
  auto base = Program::compileFile(basePath, command.entry);
  if (!base)
    return reportError(base.takeError());
  auto inputs = Inputs::create((*base)->getSignature(), command.overlaps);
  if (!inputs)
    return reportError(llvm::createStringError(
        basePath + ": " + llvm::toString(inputs.takeError())));
  (*base)->run((*inputs)->getFrame());
  std::string damage = (*inputs)->findOutOfBounds();
  if (!damage.empty())
    return reportError(llvm::createStringError(basePath + ": " + damage));
  Outcome expected = (*inputs)->takeOutcome();

  int status = kSame;
  for (const std::string &path : llvm::ArrayRef(command.files).drop_front()) {
    auto verdict = compareOne(command, path, **base, **inputs, expected);
    if (!verdict)
      return reportError(verdict.takeError());
    llvm::outs() << path << ": " << *verdict << "\n";
    llvm::outs().flush(); // A later candidate may crash.
    if (*verdict != "same")
      status = kDiffers;
  }
  return status;
}
