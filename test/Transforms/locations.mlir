// What a schedule makes of an op carries the op's location; nothing is without one.
// RUN: nestor-opt %s --nestor-autoschedule='cost-model=analytical target=generic-avx2 alias=assume-distinct' --mlir-print-debuginfo --mlir-print-local-scope -o %t
// RUN: FileCheck %s < %t
// RUN: not grep -n "loc(unknown)" %t
func.func @transposed(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      // CHECK: affine.vector_load {{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 1]]:{{[0-9]+}})
      %a = affine.load %A[%j, %i] : memref<64x64xf32>
      // CHECK: arith.addf {{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 1]]:{{[0-9]+}})
      %b = arith.addf %a, %a : f32
      // CHECK: affine.vector_store {{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 1]]:{{[0-9]+}})
      affine.store %b, %B[%j, %i] : memref<64x64xf32>
    }
  }
  return
}
// CHECK: nestor.scheduled
