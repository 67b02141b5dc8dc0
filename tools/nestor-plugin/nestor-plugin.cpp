//===- nestor-plugin.cpp - Nestor inside a stock mlir-opt -----------------===//
//
// The two entry points by which mlir-opt takes in a plugin's dialects and
// passes. Loading costs no LibTorch: the learned model opens it when it is
// used.
//
//===----------------------------------------------------------------------===//
#include "nestor/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

// The library is built with hidden visibility; these two names are its surface.
extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
    mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Nestor", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            mlir::nestor::registerAllNestor(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
    mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Nestor", LLVM_VERSION_STRING,
          [] { mlir::nestor::registerAllNestorPasses(); }};
}
