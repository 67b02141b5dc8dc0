//===- nestor-opt.cpp - mlir-opt with the nestor dialect and passes -------===//
#include "nestor/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::nestor::registerAllNestorPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::nestor::registerAllNestor(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Nestor optimizer driver\n", registry));
}
