// What the models see of a program as written: the slots that are not zero, by name.
// The program stays as it is.
// RUN: nestor-opt %s --mlir-disable-threading --nestor-print-features -o %t | FileCheck %s
// RUN: nestor-opt %s -o %t.plain
// RUN: diff %t %t.plain

// CHECK-LABEL: func @column_sums
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT: {{^  S0$}}
// CHECK-NEXT: flags:{{.*}} is_reduction=1{{.*}} is_float=1
// CHECK-SAME: num_loops=1.099
// log1p(2) loops. The loop that the write's subscript names comes first: log1p(64)
// iterations, then log1p(32).
// CHECK-NEXT: domain:{{.*}} loop0_exists=1
// CHECK-SAME: loop0_mean_trip=4.174
// CHECK-SAME: loop1_mean_trip=3.497
// CHECK-NEXT: {{^}}    loop:
// CHECK-NEXT: {{^}}    loop:
// CHECK-NEXT: access: is_write=1
// CHECK-NEXT: access: is_accumulator=1 is_own_array=1
// CHECK-NEXT: access: {{.*}}rank=1.099
// CHECK: token: load=1
// Nothing to see in a function without loops, nor in one left alone.
// CHECK-LABEL: func @none
// CHECK-NOT: scop
// CHECK-LABEL: func @skipped
// CHECK-NOT: scop
func.func @column_sums(%A: memref<32x64xf32>, %S: memref<64xf32>) {
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 64 {
      %a = affine.load %A[%i, %j] : memref<32x64xf32>
      %s = affine.load %S[%j] : memref<64xf32>
      %t = arith.addf %s, %a : f32
      affine.store %t, %S[%j] : memref<64xf32>
    }
  }
  return
}
func.func @none(%A: memref<32xf32>) {
  return
}
func.func @skipped(%A: memref<32xf32>, %x: f32) attributes {nestor.skip} {
  affine.for %i = 0 to 32 {
    affine.store %x, %A[%i] : memref<32xf32>
  }
  return
}
