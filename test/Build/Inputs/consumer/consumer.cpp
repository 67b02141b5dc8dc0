//===- consumer.cpp - An optimizer driver with Nestor's passes ------------===//
#include "nestor/InitAll.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::nestor::registerAllNestorPasses();
  mlir::DialectRegistry registry;
  registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect, mlir::memref::MemRefDialect>();
  mlir::nestor::registerAllNestor(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Consumer of Nestor\n", registry));
}
