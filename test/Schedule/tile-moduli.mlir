// Sizes of tiles in tiles. What makes isl slow is how many of them, and of the steps
// of the loops, are no multiples of one another: five of them took over four minutes,
// and are given up soon.
// RUN: nestor-opt %s --nestor-apply-schedule -split-input-file -verify-diagnostics -o %t
// RUN: FileCheck %s < %t
// RUN: nestor-opt %s --nestor-strip-attributes -split-input-file -o %t.all
// RUN: sed -e '/^\/\/ -----/,$d' %t.all > %t.in
// RUN: sed -e '/^\/\/ -----/,$d' %t > %t.out
// RUN: nestor-measure compare %t.in %t.out --entry=multiples

// Multiples, however many: as fast as ever.
// CHECK-LABEL: func @multiples
// CHECK: affine.for %{{.*}} = 0 to 1000 step 512
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.for
// CHECK-NOT: affine.for
func.func @multiples(%A: memref<1000xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "6dadd69555b51129", steps = [
      #nestor.tile<["L0"], [4]>, #nestor.tile<["L0.t"], [8]>,
      #nestor.tile<["L0.t.t"], [16]>, #nestor.tile<["L0.t.t.t"], [32]>,
      #nestor.tile<["L0.t.t.t.t"], [64]>, #nestor.tile<["L0.t.t.t.t.t"], [128]>,
      #nestor.tile<["L0.t.t.t.t.t.t"], [256]>,
      #nestor.tile<["L0.t.t.t.t.t.t.t"], [512]>]>]} {
  affine.for %i = 0 to 1000 {
    affine.store %x, %A[%i] : memref<1000xf32>
  }
  return
}

// -----

func.func @nested(%A: memref<?xf32>, %n: index, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "1d48c95167a33eb0", steps = [
      #nestor.tile<["L0"], [5]>, #nestor.tile<["L0.t"], [3]>,
      #nestor.tile<["L0.t.t"], [7]>, #nestor.tile<["L0.t.t.t"], [4]>]>]} {
  // expected-error @below {{the schedule cannot be applied: its loops are too complex to generate}}
  affine.for %i = 0 to %n step 3 {
    affine.store %x, %A[%i] : memref<?xf32>
  }
  return
}

// -----

// The same sizes side by side: isl makes the loops soon, whether they are right takes
// long.
func.func @beside(%A: memref<?xf32>, %n: index, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "356fcb88cfbbcd2b", steps = [
      #nestor.tile<["L0"], [126]>, #nestor.tile<["L0"], [203]>,
      #nestor.tile<["L0"], [147]>]>]} {
  // expected-error @below {{the schedule cannot be applied: its loops are too complex to generate}}
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<?xf32>
  }
  return
}

// -----

// A tree that somebody wrote: whether it is legal is as hard to tell.
func.func @tree(%A: memref<?xf32>, %n: index, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "356fcb88cfbbcd2b", tree =
      #nestor.band<stmts = [0], members = [
        #nestor.member<name = "c0", maps = [affine_map<(d0)[s0] -> ((((((((((((d0 floordiv 5) * 5) floordiv 7) * 7) floordiv 9) * 9) floordiv 11) * 11) floordiv 13) * 13) floordiv 17) * 17)>]>,
        #nestor.member<name = "c1", maps = [affine_map<(d0)[s0] -> ((((((((((d0 floordiv 5) * 5) floordiv 7) * 7) floordiv 9) * 9) floordiv 11) * 11) floordiv 13) * 13)>]>,
        #nestor.member<name = "c2", maps = [affine_map<(d0)[s0] -> ((d0 floordiv 17) * 17)>]>,
        #nestor.member<name = "c3", maps = [affine_map<(d0)[s0] -> ((d0 floordiv 13) * 13)>]>,
        #nestor.member<name = "c4", maps = [affine_map<(d0)[s0] -> ((d0 floordiv 11) * 11)>]>,
        #nestor.member<name = "c5", maps = [affine_map<(d0)[s0] -> ((d0 floordiv 9) * 9)>]>,
        #nestor.member<name = "c6", maps = [affine_map<(d0)[s0] -> ((d0 floordiv 7) * 7)>]>,
        #nestor.member<name = "c7", maps = [affine_map<(d0)[s0] -> ((d0 floordiv 5) * 5)>]>,
        #nestor.member<name = "c8", maps = [affine_map<(d0)[s0] -> (d0)>]>], child = #nestor.leaf>>]} {
  // expected-error @below {{the schedule is illegal: whether it keeps every dependence is too complex to decide}}
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<?xf32>
  }
  return
}
