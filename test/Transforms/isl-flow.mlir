// isl's analysis of flow writes beyond an array on this nest (a division occurs twice
// in a domain). Where divisions may occur, direct dependences are found without it.
// RUN: nestor-opt %s --nestor-print-scores=cost-model=analytical -o /dev/null | FileCheck %s

// CHECK: candidates
func.func @f(%A: memref<14xindex>, %n: index) {
  affine.for %i = %n to 1 {
    affine.for %j = 0 to min affine_map<(d0) -> (d0 + 3, 2)>(%i) {
      affine.for %k = 0 to 3 step 2 {
        %a = affine.load %A[%k] : memref<14xindex>
        %b = affine.load %A[%k + 1] : memref<14xindex>
        %s = arith.addi %a, %b : index
        affine.store %s, %A[%k + symbol(%n)] : memref<14xindex>
      }
    }
  }
  return
}
