// Every nest gets one remark: what was chosen and why, or why it stays.
// RUN: nestor-opt %s --mlir-disable-threading --nestor-autoschedule='cost-model=analytical target=generic-avx2' --remarks-filter=nestor -o /dev/null 2>&1 | FileCheck %s
// RUN: nestor-opt %s --mlir-disable-threading --nestor-autoschedule='cost-model=analytical target=generic-avx2 alias=conservative' --remarks-filter=nestor -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALIAS
// Nobody listens: nothing is said.
// RUN: nestor-opt %s --nestor-autoschedule=cost-model=analytical -o /dev/null 2>&1 | count 0

// CHECK: [Passed] Scheduled | Category:nestor | Function=transpose
// CHECK-SAME: scheduled: predicted speedup {{[0-9]+\.[0-9][0-9]}}, best of {{[0-9]+}} candidates of the analytical model: {{.*}}#nestor.{{.*}} (changes the order of instances)
// ALIAS: [Missed] LeftAlone | Category:nestor | Function=transpose
// ALIAS-SAME: two of its memrefs may overlap; pass alias=check or alias=assume-distinct [may-overlap]
func.func @transpose(%A: memref<64x64xf64>, %B: memref<64x64xf64>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %a = affine.load %A[%j, %i] : memref<64x64xf64>
      affine.store %a, %B[%j, %i] : memref<64x64xf64>
    }
  }
  return
}

// CHECK: [Passed] Scheduled | Category:nestor | Function=chain
// CHECK-SAME: (keeps the order)
func.func @chain(%A: memref<4xf32>) {
  affine.for %i = 0 to 3 {
    %a = affine.load %A[%i] : memref<4xf32>
    affine.store %a, %A[%i + 1] : memref<4xf32>
  }
  return
}

// CHECK: [Missed] LeftAlone | Category:nestor | Function=once
// CHECK-SAME: none of its candidates is predicted to be faster ({{[0-9]+}} candidates)
func.func @once(%A: memref<4xf32>, %x: f32) {
  affine.for %i = 0 to 1 {
    affine.store %x, %A[%i] : memref<4xf32>
  }
  return
}
