//===- Lowering.h - From scheduled loops to the LLVM dialect ----*- C++ -*-===//
//
// Execution room, first step: what the Schedule room generates (affine, scf,
// vector, arith, math, memref, omp) becomes LLVM dialect that ExecutionEngine
// or mlir-runner can run.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_EXECUTION_LOWERING_H
#define NESTOR_EXECUTION_LOWERING_H

namespace mlir {
class OpPassManager;

namespace nestor {

/// Appends the lowering to `pm`, which must be anchored on `builtin.module`.
/// Floating-point operations keep their order, and are fused or reassociated
/// only where their fastmath flags say so.
void buildLowerToLLVMPipeline(OpPassManager &pm);

/// Registers the pipeline as `nestor-to-llvm`.
void registerNestorToLLVMPipeline();

} // namespace nestor
} // namespace mlir

#endif // NESTOR_EXECUTION_LOWERING_H
