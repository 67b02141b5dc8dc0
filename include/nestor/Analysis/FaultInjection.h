//===- FaultInjection.h - Rules of legality that can be broken --*- C++ -*-===//
//
// Analysis room, for the fuzzer alone: whether it is sharp is shown by breaking
// one rule and watching it find out. No pass and no option of a user's tool
// reaches this; nestor-fuzz and unit tests do.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_ANALYSIS_FAULTINJECTION_H
#define NESTOR_ANALYSIS_FAULTINJECTION_H

namespace mlir::nestor {

enum class Fault {
  None,
  Flow,       ///< a read may move before the write that it reads
  Anti,       ///< a write may move before a read of what it overwrites
  Output,     ///< two writes of one cell may change places
  Slots,      ///< a value is loaded again after its cell was overwritten
  Aliases,    ///< memrefs never overlap
  Guards,     ///< affine.if is overlooked
  Reductions, ///< floating-point reductions may run in any order
  IterArgs    ///< values that loops carry order nothing
};

/// The rule that is broken in this process; None unless a fuzzer changed it.
Fault &injectedFault();

} // namespace mlir::nestor

#endif // NESTOR_ANALYSIS_FAULTINJECTION_H
