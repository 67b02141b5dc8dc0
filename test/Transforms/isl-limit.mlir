// isl's work is counted. A nest that needs more than the limit is left alone, and a
// schedule for it is refused; which step of the way runs out first depends on how
// low the limit is.
// RUN: nestor-opt %s --mlir-disable-threading --nestor-print-dependences --nestor-isl-operations=1 -o /dev/null | FileCheck %s --check-prefix=PRINT
// PRINT: unknown: its dependences are too complex to compute exactly
// RUN: nestor-opt %s --nestor-print-scores=cost-model=analytical --nestor-isl-operations=1 -o /dev/null | FileCheck %s --check-prefix=SCORES
// SCORES: left alone: its dependences are too complex to compute exactly
// RUN: nestor-opt %s --nestor-test-random-schedule --nestor-isl-operations=1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=RANDOM
// RANDOM: remark: left alone: its dependences are too complex to compute exactly
// RUN: nestor-opt %s --nestor-test-random-schedule --nestor-isl-operations=550 -o /dev/null 2>&1 | FileCheck %s --check-prefix=RANDOMORDER
// RANDOMORDER: remark: left alone: its order as written cannot be analysed
// RUN: nestor-opt %s --nestor-test-random-schedule=seed=1 --nestor-isl-operations=5000 -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: remark: random schedule (same order): none could be applied

// RUN: nestor-opt %s --nestor-autoschedule=cost-model=analytical --nestor-isl-operations=1 --remarks-filter=nestor -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEPENDENCES
// DEPENDENCES: its dependences are too complex to compute exactly
// RUN: nestor-opt %s --nestor-autoschedule=cost-model=analytical --nestor-isl-operations=550 --remarks-filter=nestor -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: its order as written cannot be analysed
// RUN: nestor-opt %s --nestor-autoschedule=cost-model=analytical --nestor-isl-operations=20000 --remarks-filter=nestor -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOPS
// LOOPS: no candidate that is predicted faster can be generated (its loops are too complex to generate)

// RUN: not nestor-opt %s --nestor-apply-schedule --nestor-isl-operations=1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=NODEPENDENCES
// NODEPENDENCES: error: the nest cannot be scheduled: its dependences are too complex to compute exactly
// RUN: not nestor-opt %s --nestor-apply-schedule --nestor-isl-operations=550 -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOORDER
// NOORDER: error: the program as written cannot be scheduled: whether it keeps every dependence is too complex to decide
// RUN: not nestor-opt %s --nestor-apply-schedule --nestor-isl-operations=20000 -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOLOOPS
// NOLOOPS: error: the schedule cannot be applied: its loops are too complex to generate
// RUN: nestor-opt %s --nestor-apply-schedule -o /dev/null

func.func @matmul(%A: memref<33x40xf32>, %B: memref<40x50xf32>, %C: memref<33x50xf32>) attributes {
    nestor.schedule = [#nestor.schedule<version = 1, hash = "a1dd2d34e511b299",
      steps = [#nestor.tile<["L0", "L1"], [8, 8]>, #nestor.unroll_jam<"L0", 4>]>]} {
  affine.for %i = 0 to 33 {
    affine.for %j = 0 to 50 {
      affine.for %k = 0 to 40 {
        %a = affine.load %A[%i, %k] : memref<33x40xf32>
        %b = affine.load %B[%k, %j] : memref<40x50xf32>
        %c = affine.load %C[%i, %j] : memref<33x50xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<33x50xf32>
      }
    }
  }
  return
}
