//===- FaultInjection.cpp - Rules of legality that can be broken ----------===//
//
// Analysis room; see FaultInjection.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Analysis/FaultInjection.h"

using namespace mlir::nestor;

Fault &mlir::nestor::injectedFault() {
  static Fault fault = Fault::None;
  return fault;
}
