// Affine loops, bounds, conditions, vector accesses and index ops lower to LLVM
// dialect, and nothing above it is left.
// RUN: nestor-opt %s --nestor-to-llvm | FileCheck %s \
// RUN:   --implicit-check-not="{{(= |  )(affine|scf|cf|func|arith|memref|vector|builtin)\.}}"
// RUN: nestor-measure compare %s %s

// CHECK-LABEL: llvm.func @kernel
// CHECK-NOT: nestor.
// CHECK: llvm.intr.prefetch
// CHECK: llvm.cond_br
// CHECK: llvm.intr.fmuladd
func.func @kernel(%A: memref<16x16xf32> {nestor.init = "spd"}, %B: memref<16x16xf32>,
                  %n: index {nestor.value = 7 : index}) attributes {nestor.skip} {
  affine.prefetch %A[0, 0], read, locality<3>, data : memref<16x16xf32>
  affine.for %i = 0 to 16 {
    affine.for %j = max affine_map<(d0) -> (d0, 2)>(%i) to min affine_map<(d0) -> (d0 + 5, 16)>(%i) step 2 {
      affine.if affine_set<(d0, d1) : (d1 - d0 - 1 >= 0)>(%i, %j) {
        %v = affine.load %A[%i, %j] : memref<16x16xf32>
        affine.store %v, %B[%j mod 16, %i] : memref<16x16xf32>
      }
      %m = affine.min affine_map<(d0)[s0] -> (d0 floordiv 3, s0)>(%i)[%n]
      %d:2 = affine.delinearize_index %m into (4, 4) : index, index
      %l = affine.linearize_index [%d#0, %d#1] by (4, 4) : index
      %w = memref.load %A[%l, %j] : memref<16x16xf32>
      memref.store %w, %B[%l, %j] : memref<16x16xf32>
    }
  }
  %first = affine.vector_load %A[0, 0] : memref<16x16xf32>, vector<8xf32>
  %sum = affine.for %i = 0 to 16 iter_args(%acc = %first) -> vector<8xf32> {
    %x = affine.vector_load %A[%i, 0] : memref<16x16xf32>, vector<8xf32>
    %s = vector.fma %x, %x, %acc : vector<8xf32>
    affine.yield %s : vector<8xf32>
  }
  affine.vector_store %sum, %B[1, 0] : memref<16x16xf32>, vector<8xf32>
  return
}
