// isl leaves a condition on parameters to the inner loop that implies it. The loops
// around would iterate for ever in vain where it does not hold; a guard stands in front.
// RUN: nestor-opt %s --nestor-apply-schedule=alias=assume-distinct -o %t
// RUN: FileCheck %s < %t
// RUN: nestor-measure compare %s %t --entry=none
// RUN: nestor-measure compare %s %t --entry=some

// The inner loop runs for m > 1 only, and then m + 5 is above 0.
// CHECK: #[[GUARD:.+]] = affine_set<()[s0] : (s0 - 2 >= 0)>
// CHECK: #[[BOTH:.+]] = affine_set<()[s0] : (s0 - 1 >= 0)>
// CHECK-LABEL: func.func @kernel(
// CHECK: affine.if #[[GUARD]]()[%{{.+}}] {
// CHECK-NEXT: affine.for %{{.+}} = #{{.+}}()[%{{.+}}] to
func.func @kernel(%A: memref<24x24xf32>, %B: memref<24x24xf32>, %m: index) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "488fbac3d5dd5169", steps = [#nestor.reverse<"L1">]>]} {
  affine.for %i = max affine_map<(d0) -> (0, d0 + 5)>(%m) to 24 {
    affine.for %j = 0 to min affine_map<(d0) -> (24, d0 - 1)>(%m) {
      %a = affine.load %A[%i, %j] : memref<24x24xf32>
      %b = affine.load %B[%i, %j] : memref<24x24xf32>
      %c = arith.addf %a, %b : f32
      affine.store %c, %A[%i, %j] : memref<24x24xf32>
    }
  }
  return
}

func.func @none(%A: memref<24x24xf32>, %B: memref<24x24xf32>) {
  %m = arith.constant -1099511627776 : index
  call @kernel(%A, %B, %m) : (memref<24x24xf32>, memref<24x24xf32>, index) -> ()
  return
}

func.func @some(%A: memref<24x24xf32>, %B: memref<24x24xf32>) {
  %m = arith.constant 3 : index
  call @kernel(%A, %B, %m) : (memref<24x24xf32>, memref<24x24xf32>, index) -> ()
  return
}

// Turned around, the program would go over all columns of no rows.
// CHECK-LABEL: func.func @turned(
// CHECK: affine.if #[[BOTH]]()[%[[N:.+]]] {
// CHECK-NEXT: affine.for %{{.+}} = 0 to %[[M:[^ ]+]]
// CHECK-NEXT: affine.for %{{.+}} = 0 to %[[N]]
func.func @turned(%A: memref<?x?xf32>, %n: index, %m: index) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "f1bed6558587f4ec", steps = [#nestor.interchange<["L1", "L0"]>]>]} {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %a = affine.load %A[%i, %j] : memref<?x?xf32>
      %c = arith.addf %a, %a : f32
      affine.store %c, %A[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// One block of eight at most is in vain: no guard.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: affine.if
// CHECK: nestor.scheduled
func.func @few(%A: memref<16xf32>, %B: memref<16xf32>, %m: index) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "65502da31f8efd6c", steps = [#nestor.tile<["L0"], [8]>]>]} {
  affine.for %i = max affine_map<(d0) -> (0, d0)>(%m) to 13 {
    %a = affine.load %A[%i] : memref<16xf32>
    %b = affine.load %B[%i] : memref<16xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %A[%i] : memref<16xf32>
  }
  return
}
