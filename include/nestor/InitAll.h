//===- InitAll.h - Everything that a tool or plugin registers ---*- C++ -*-===//
//
// The one list of Nestor's dialects, external models and passes; nestor-opt and
// the plugin both read it, so that they never offer different things.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_INITALL_H
#define NESTOR_INITALL_H

#include "nestor/Dialect/Nestor.h"
#include "nestor/Execution/Lowering.h"
#include "nestor/Schedule/Steps.h"
#include "nestor/Transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"

namespace mlir::nestor {

/// Adds the nestor dialect, and what other rooms attach to it.
inline void registerAllNestor(DialectRegistry &registry) {
  registry.insert<NestorDialect>();
  registerSteps(registry);
}

/// Adds the passes and pipelines of Nestor to the global lists.
inline void registerAllNestorPasses() {
  registerNestorPasses();
  registerNestorToLLVMPipeline();
}

} // namespace mlir::nestor

#endif // NESTOR_INITALL_H
