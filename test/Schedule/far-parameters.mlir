// A parameter may be any number, such as the largest for "no limit": what the code
// computes of it and the source does not must not overflow, else the program as
// written runs.
// RUN: nestor-opt %s --nestor-apply-schedule=alias=assume-distinct -o %t
// RUN: FileCheck %s < %t
// RUN: nestor-measure compare %s %t --entry=lowest
// RUN: nestor-measure compare %s %t --entry=highest
// RUN: nestor-measure compare %s %t --entry=twelve

// (m floordiv 5) * 5 is below m.
// CHECK-LABEL: func.func @five(
// CHECK: arith.cmpi ule, %{{.+}}, %{{.+}} : index
// CHECK: scf.if
// CHECK: nestor.fallback
func.func @five(%A: memref<16xf32>, %B: memref<16xf32>, %m: index) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "65502da31f8efd6c", steps = [#nestor.tile<["L0"], [5]>]>]} {
  affine.for %i = max affine_map<(d0) -> (0, d0)>(%m) to 13 {
    %a = affine.load %A[%i] : memref<16xf32>
    %b = affine.load %B[%i] : memref<16xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %A[%i] : memref<16xf32>
  }
  return
}

// -2^63 is a multiple of 8.
// CHECK-LABEL: func.func @eight(
// CHECK-NOT: scf.if
// CHECK: nestor.scheduled
func.func @eight(%A: memref<16xf32>, %B: memref<16xf32>, %m: index) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "65502da31f8efd6c", steps = [#nestor.tile<["L0"], [8]>]>]} {
  affine.for %i = max affine_map<(d0) -> (0, d0)>(%m) to 13 {
    %a = affine.load %A[%i] : memref<16xf32>
    %b = affine.load %B[%i] : memref<16xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %A[%i] : memref<16xf32>
  }
  return
}

// -n + 1.
// CHECK-LABEL: func.func @backwards(
// CHECK: arith.cmpi ule, %{{.+}}, %{{.+}} : index
// CHECK: scf.if
// CHECK: nestor.fallback
func.func @backwards(%A: memref<16xf32>, %B: memref<16xf32>, %n: index) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "c2c80c035ae2595d", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to min affine_map<(d0) -> (d0, 13)>(%n) {
    %a = affine.load %A[%i] : memref<16xf32>
    %b = affine.load %B[%i] : memref<16xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %A[%i] : memref<16xf32>
  }
  return
}

// The last block of four.
// CHECK-LABEL: func.func @remainder(
// CHECK: arith.cmpi ule, %{{.+}}, %{{.+}} : index
// CHECK: scf.if
// CHECK: nestor.fallback
func.func @remainder(%A: memref<16xf32>, %B: memref<16xf32>, %n: index) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "c2c80c035ae2595d", steps = [#nestor.unroll<"L0", 4>]>]} {
  affine.for %i = 0 to min affine_map<(d0) -> (d0, 13)>(%n) {
    %a = affine.load %A[%i] : memref<16xf32>
    %b = affine.load %B[%i] : memref<16xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %A[%i] : memref<16xf32>
  }
  return
}

// -m and -n.
// CHECK-LABEL: func.func @between(
// CHECK: arith.cmpi ule, %{{.+}}, %{{.+}} : index
// CHECK: scf.if
// CHECK: nestor.fallback
func.func @between(%A: memref<16xf32>, %B: memref<16xf32>, %m: index, %n: index) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "d1e500b6f829b17f", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = max affine_map<(d0) -> (0, d0)>(%m) to min affine_map<(d0) -> (d0, 13)>(%n) {
    %a = affine.load %A[%i] : memref<16xf32>
    %b = affine.load %B[%i] : memref<16xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %A[%i] : memref<16xf32>
  }
  return
}

// The bounds are n and numbers.
// CHECK-LABEL: func.func @tiled(
// CHECK-NOT: scf.if
// CHECK: nestor.scheduled
func.func @tiled(%A: memref<16xf32>, %B: memref<16xf32>, %n: index) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "c2c80c035ae2595d", steps = [#nestor.tile<["L0"], [5]>]>]} {
  affine.for %i = 0 to min affine_map<(d0) -> (d0, 13)>(%n) {
    %a = affine.load %A[%i] : memref<16xf32>
    %b = affine.load %B[%i] : memref<16xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %A[%i] : memref<16xf32>
  }
  return
}

// A loop may start far out: the end of a tile is beyond the numbers.
// CHECK-LABEL: func.func @far(
// CHECK: arith.cmpi ule, %{{.+}}, %{{.+}} : index
// CHECK: scf.if
// CHECK: nestor.fallback
func.func @far(%A: memref<16xf32>, %B: memref<16xf32>, %m: index, %n: index) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "6bc8c37e772df09d", steps = [#nestor.tile<["L0"], [8]>]>]} {
  affine.for %i = max affine_map<(d0) -> (0, d0)>(%m) to %n {
    %a = affine.load %A[%i - symbol(%m)] : memref<16xf32>
    %b = affine.load %B[%i - symbol(%m)] : memref<16xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %A[%i - symbol(%m)] : memref<16xf32>
  }
  return
}

// The larger the factor, the smaller the parameter: 2^62 / 1073741823.
// CHECK-LABEL: func.func @factor(
// CHECK: arith.constant 4294967300 : index
// CHECK: arith.cmpi ule, %{{.+}}, %{{.+}} : index
// CHECK: scf.if
// CHECK-LABEL: func.func @lowest(
func.func @factor(%A: memref<?xf32>, %n: index, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "3705164cf7338591", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to min affine_map<(d0) -> (d0 * 1073741823, 2147483647)>(%n) {
    affine.store %x, %A[%i] : memref<?xf32>
  }
  return
}

func.func @lowest(%A: memref<16xf32>, %B: memref<16xf32>) {
  %n = arith.constant -9223372036854775808 : index
  %three = arith.constant -3 : index
  func.call @five(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @eight(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @backwards(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @remainder(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @tiled(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @between(%A, %B, %three, %n) : (memref<16xf32>, memref<16xf32>, index, index) -> ()
  func.call @between(%A, %B, %n, %n) : (memref<16xf32>, memref<16xf32>, index, index) -> ()
  return
}
func.func @highest(%A: memref<16xf32>, %B: memref<16xf32>) {
  %n = arith.constant 9223372036854775807 : index
  %m = arith.constant 9223372036854775797 : index
  func.call @far(%A, %B, %m, %n) : (memref<16xf32>, memref<16xf32>, index, index) -> ()
  %three = arith.constant -3 : index
  func.call @five(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @eight(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @backwards(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @remainder(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @tiled(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @between(%A, %B, %three, %n) : (memref<16xf32>, memref<16xf32>, index, index) -> ()
  func.call @between(%A, %B, %n, %n) : (memref<16xf32>, memref<16xf32>, index, index) -> ()
  return
}
func.func @twelve(%A: memref<16xf32>, %B: memref<16xf32>) {
  %n = arith.constant 12 : index
  %three = arith.constant -3 : index
  func.call @five(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @eight(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @backwards(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @remainder(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @tiled(%A, %B, %n) : (memref<16xf32>, memref<16xf32>, index) -> ()
  func.call @between(%A, %B, %three, %n) : (memref<16xf32>, memref<16xf32>, index, index) -> ()
  func.call @between(%A, %B, %n, %n) : (memref<16xf32>, memref<16xf32>, index, index) -> ()
  return
}
