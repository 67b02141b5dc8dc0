// The option `reassociate` is leave for sums without flags, in every pass that
// has it; without it they keep their order.
// RUN: nestor-opt %s --nestor-apply-schedule='reassociate=true alias=assume-distinct' | FileCheck %s
// RUN: not nestor-opt %s --nestor-apply-schedule='alias=assume-distinct' -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT: error: schedule step #nestor.reverse<"L0">: it would break a dependence

// CHECK: affine.for %{{.*}} = -15 to 1
// CHECK: arith.addf %{{.*}}, %{{[^ ]*}} : f32
func.func @sum(%A: memref<16xf32>, %S: memref<f32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "c9cafcd031bd8e36", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.addf %s, %a : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}
