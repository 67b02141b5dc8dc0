// Random legal schedules of unfriendly programs, through the text of the schedule:
// the results stay.
// RUN: split-file %s %t
// RUN: nestor-opt %t/constidx.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/constidx.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/constidx.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/constidx.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/constidx.mlir %t/constidx.1.mlir %t/constidx.2.mlir
// RUN: nestor-opt %t/weird_bounds.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/weird_bounds.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/weird_bounds.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/weird_bounds.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/weird_bounds.mlir %t/weird_bounds.1.mlir %t/weird_bounds.2.mlir
// RUN: nestor-opt %t/modfloor.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/modfloor.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/modfloor.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/modfloor.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/modfloor.mlir %t/modfloor.1.mlir %t/modfloor.2.mlir
// RUN: nestor-opt %t/types2.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/types2.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/types2.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/types2.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/types2.mlir %t/types2.1.mlir %t/types2.2.mlir
// RUN: nestor-opt %t/ivstores.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/ivstores.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/ivstores.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/ivstores.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/ivstores.mlir %t/ivstores.1.mlir %t/ivstores.2.mlir
// RUN: nestor-opt %t/mathops.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/mathops.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/mathops.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/mathops.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/mathops.mlir %t/mathops.1.mlir %t/mathops.2.mlir
// RUN: nestor-opt %t/condred.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/condred.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/condred.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/condred.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/condred.mlir %t/condred.1.mlir %t/condred.2.mlir
// RUN: nestor-opt %t/divguard.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/divguard.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/divguard.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/divguard.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/divguard.mlir %t/divguard.1.mlir %t/divguard.2.mlir
// RUN: nestor-opt %t/swap.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/swap.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/swap.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/swap.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/swap.mlir %t/swap.1.mlir %t/swap.2.mlir
// RUN: nestor-opt %t/iterdeep.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/iterdeep.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/iterdeep.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/iterdeep.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/iterdeep.mlir %t/iterdeep.1.mlir %t/iterdeep.2.mlir
// RUN: nestor-opt %t/durbinlike.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/durbinlike.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/durbinlike.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/durbinlike.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/durbinlike.mlir %t/durbinlike.1.mlir %t/durbinlike.2.mlir
// RUN: nestor-opt %t/live.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/live.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/live.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/live.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/live.mlir %t/live.1.mlir %t/live.2.mlir
// RUN: nestor-opt %t/castbetween.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/castbetween.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/castbetween.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/castbetween.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/castbetween.mlir %t/castbetween.1.mlir %t/castbetween.2.mlir
// RUN: nestor-opt %t/twoscops.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/twoscops.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/twoscops.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/twoscops.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/twoscops.mlir %t/twoscops.1.mlir %t/twoscops.2.mlir
// RUN: nestor-opt %t/scfnest.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/scfnest.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/scfnest.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/scfnest.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/scfnest.mlir %t/scfnest.1.mlir %t/scfnest.2.mlir
// RUN: nestor-opt %t/cfg.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/cfg.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/cfg.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/cfg.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/cfg.mlir %t/cfg.1.mlir %t/cfg.2.mlir
// RUN: nestor-opt %t/selfcopy.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/selfcopy.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/selfcopy.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/selfcopy.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/selfcopy.mlir %t/selfcopy.1.mlir %t/selfcopy.2.mlir
// RUN: nestor-opt %t/stencil.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/stencil.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/stencil.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/stencil.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/stencil.mlir %t/stencil.1.mlir %t/stencil.2.mlir
// RUN: nestor-opt %t/zerotripred.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/zerotripred.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/zerotripred.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/zerotripred.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/zerotripred.mlir %t/zerotripred.1.mlir %t/zerotripred.2.mlir
// RUN: nestor-opt %t/manynests.mlir --nestor-test-random-schedule='seed=1 round-trip=true' -o %t/manynests.1.mlir 2>>%t/remarks
// RUN: nestor-opt %t/manynests.mlir --nestor-test-random-schedule='seed=2 round-trip=true' -o %t/manynests.2.mlir 2>>%t/remarks
// RUN: nestor-measure compare %t/manynests.mlir %t/manynests.1.mlir %t/manynests.2.mlir --tolerance=1e-4
// RUN: FileCheck %s < %t/remarks
// CHECK: remark: random schedule (reorders)

//--- constidx.mlir
// Constants and applied maps as subscripts; a loop that stores into one cell.
func.func @constidx(%A: memref<8x8xf32>, %B: memref<8xf32>, %n: index {nestor.value = 5 : index}) {
  affine.for %i = 0 to 8 {
    %c3 = arith.constant 3 : index
    %d = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 2 + s0 - 5)>(%i)[%n]
    affine.for %j = 0 to %n {
      %x = affine.load %A[%i, %c3] : memref<8x8xf32>
      %y = affine.load %A[%d, %j] : memref<8x8xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %B[%i] : memref<8xf32>
    }
  }
  return
}
//--- weird_bounds.mlir
// Negative and crossed bounds, steps, maxima and minima of parameters, loops that never run.
#weird_bounds_m = affine_map<(d0)[s0] -> (d0 - 3, s0 - 9, -2)>
#weird_bounds_u = affine_map<(d0)[s0] -> (d0 + 4, s0, 9)>
func.func @weird_bounds(%A: memref<32x32xf64>, %n: index {nestor.value = 7 : index}, %m: index {nestor.value = -3 : index}) {
  affine.for %i = -4 to 9 step 3 {
    affine.for %j = max #weird_bounds_m(%i)[%n] to min #weird_bounds_u(%i)[%n] {
      %x = affine.load %A[%i + 8, %j + 8] : memref<32x32xf64>
      %c = arith.constant 1.5 : f64
      %y = arith.mulf %x, %c : f64
      affine.store %y, %A[%i + 8, %j + 8] : memref<32x32xf64>
    }
  }
  affine.for %i = 5 to 2 {
    %c = arith.constant 1.5 : f64
    affine.store %c, %A[%i, %i] : memref<32x32xf64>
  }
  affine.for %i = %m to %n step 2 {
    affine.for %j = 0 to %m {
      %c = arith.constant 2.5 : f64
      affine.store %c, %A[%i + 3, %j] : memref<32x32xf64>
    }
    affine.for %j = affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%m] to affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n] step 5 {
      %c = arith.constant 4.5 : f64
      affine.store %c, %A[%i + 3, %j + 8] : memref<32x32xf64>
    }
  }
  return
}
//--- modfloor.mlir
// Subscripts with mod, floordiv and ceildiv; a reduction into cells that others read.
func.func @modfloor(%A: memref<40xf32>, %B: memref<8x5xf32>, %C: memref<40xi32>) {
  affine.for %i = 0 to 40 {
    %x = affine.load %A[%i] : memref<40xf32>
    affine.store %x, %B[%i floordiv 5, %i mod 5] : memref<8x5xf32>
  }
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to 3 {
      %c = affine.load %C[(%i * 3 + %j) mod 7] : memref<40xi32>
      %k = arith.index_cast %i : index to i32
      %s = arith.addi %c, %k overflow<nsw> : i32
      affine.store %s, %C[(%i + %j) ceildiv 2] : memref<40xi32>
    }
  }
  affine.for %i = 0 to 20 {
    %b = affine.load %B[%i mod 8, (%i + 2) mod 5] : memref<8x5xf32>
    affine.store %b, %A[39 - %i * 2] : memref<40xf32>
  }
  return
}
//--- types2.mlir
// Elements of every size, casts between them, lanes that are no vectors.
func.func @types2(%A: memref<7x13xbf16>, %B: memref<7x13xf16>, %F: memref<7x13xi8>, %G: memref<7x13xi64>, %H: memref<7x13xi1>, %I: memref<7x13xindex>) {
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 13 {
      %a = affine.load %A[%i, %j] : memref<7x13xbf16>
      %e = arith.extf %a : bf16 to f32
      %t = arith.truncf %e : f32 to f16
      %b = affine.load %B[%i, %j] : memref<7x13xf16>
      %s = arith.mulf %t, %b : f16
      affine.store %s, %B[%i, %j] : memref<7x13xf16>
    }
  }
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 13 {
      %f = affine.load %F[%i, %j] : memref<7x13xi8>
      %g = arith.extsi %f : i8 to i64
      %k = arith.index_cast %j : index to i64
      %h = arith.muli %g, %k : i64
      affine.store %h, %G[%i, 12 - %j] : memref<7x13xi64>
    }
  }
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 13 {
      %g = affine.load %G[%i, %j] : memref<7x13xi64>
      %c0 = arith.constant 0 : i64
      %c = arith.cmpi sgt, %g, %c0 : i64
      affine.store %c, %H[6 - %i, %j] : memref<7x13xi1>
    }
  }
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 13 {
      %h = affine.load %H[%i, %j] : memref<7x13xi1>
      %x = arith.select %h, %i, %j : index
      affine.store %x, %I[%i, %j] : memref<7x13xindex>
      %y = arith.index_castui %x : index to i64
      %m = math.ctpop %y : i64
      affine.store %m, %G[%i, %j] : memref<7x13xi64>
    }
  }
  return
}
//--- ivstores.mlir
// Induction variables as data; compare and select.
func.func @ivstores(%A: memref<9x11xindex>, %B: memref<9x11xi64>, %C: memref<11x9xf64>, %D: memref<9x11xi1>) {
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 11 {
      %k = arith.muli %i, %j : index
      affine.store %k, %A[%i, %j] : memref<9x11xindex>
      %c = arith.index_cast %k : index to i64
      affine.store %c, %B[%i, %j] : memref<9x11xi64>
      %f = arith.sitofp %c : i64 to f64
      %old = affine.load %C[%j, %i] : memref<11x9xf64>
      %lt = arith.cmpf olt, %f, %old : f64
      %sel = arith.select %lt, %f, %old : f64
      affine.store %sel, %C[%j, %i] : memref<11x9xf64>
      affine.store %lt, %D[%i, %j] : memref<9x11xi1>
    }
  }
  return
}
//--- mathops.mlir
// Math ops and maxima; a value that two stores share.
func.func @mathops(%A: memref<17x9xf32>, %B: memref<17x9xf32>, %N: memref<17x9xi32>) {
  affine.for %i = 0 to 17 {
    affine.for %j = 0 to 9 {
      %a = affine.load %A[%i, %j] : memref<17x9xf32>
      %b = affine.load %B[%i, %j] : memref<17x9xf32>
      %s = math.sqrt %a : f32
      %f = math.fma %a, %b, %s : f32
      %m = arith.maximumf %f, %a : f32
      %x = arith.maxnumf %m, %b : f32
      %n = arith.negf %x : f32
      %ab = math.absf %n : f32
      %fl = math.floor %ab : f32
      %t = arith.fptosi %fl : f32 to i32
      %o = affine.load %N[%i, %j] : memref<17x9xi32>
      %c3 = arith.constant 3 : i32
      %q = arith.divsi %t, %c3 : i32
      %r = arith.remsi %o, %c3 : i32
      %z = arith.xori %q, %r : i32
      affine.store %z, %N[%i, %j] : memref<17x9xi32>
      affine.store %ab, %B[%i, %j] : memref<17x9xf32>
    }
  }
  return
}
//--- condred.mlir
// Reductions under conditions, loops under conditions.
#condred_s = affine_set<(d0, d1)[s0] : (d0 - d1 >= 0, s0 - d0 - d1 - 1 >= 0)>
#condred_e = affine_set<(d0) : (d0 mod 2 == 0)>
func.func @condred(%A: memref<16x16xi32>, %S: memref<i32>, %R: memref<16xi32>, %n: index {nestor.value = 13 : index}) {
  affine.for %i = 0 to %n {
    affine.if #condred_e(%i) {
      affine.for %j = 0 to %n {
        affine.if #condred_s(%i, %j)[%n] {
          %a = affine.load %A[%i, %j] : memref<16x16xi32>
          %s = affine.load %S[] : memref<i32>
          %t = arith.addi %s, %a : i32
          affine.store %t, %S[] : memref<i32>
        } else {
          %a = affine.load %A[%j, %i] : memref<16x16xi32>
          %s = affine.load %R[%j] : memref<16xi32>
          %t = arith.muli %s, %a : i32
          affine.store %t, %R[%j] : memref<16xi32>
        }
      }
    } else {
      %c = arith.constant 7 : i32
      affine.store %c, %R[%i] : memref<16xi32>
    }
  }
  return
}
//--- divguard.mlir
// A division that only its condition keeps from zero.
#divguard_nz = affine_set<(d0) : (d0 - 1 >= 0)>
func.func @divguard(%A: memref<19x8xi32>, %B: memref<19x8xi32>) {
  affine.for %i = 0 to 19 {
    affine.for %j = 0 to 8 {
      %ii = arith.index_cast %j : index to i32
      %a = affine.load %A[%i, %j] : memref<19x8xi32>
      affine.if #divguard_nz(%j) {
        %q = arith.divsi %a, %ii : i32
        affine.store %q, %B[%i, %j] : memref<19x8xi32>
      } else {
        %c = arith.constant -1 : i32
        affine.store %c, %B[%i, %j] : memref<19x8xi32>
      }
    }
  }
  return
}
//--- swap.mlir
// Loop-carried values that change places, and are used after the nest.
func.func @swap(%A: memref<15xf64>, %B: memref<15x15xf64>) -> (f64, f64) {
  %c0 = arith.constant 0.0 : f64
  %c1 = arith.constant 1.0 : f64
  %r:2 = affine.for %i = 0 to 15 iter_args(%a = %c0, %b = %c1) -> (f64, f64) {
    %x = affine.load %A[%i] : memref<15xf64>
    affine.for %j = 0 to 15 {
      %o = affine.load %B[%i, %j] : memref<15x15xf64>
      %p = arith.mulf %o, %a : f64
      affine.store %p, %B[%i, %j] : memref<15x15xf64>
    }
    %y = arith.addf %a, %x : f64
    affine.yield %b, %y : f64, f64
  }
  %z = affine.load %A[0] : memref<15xf64>
  affine.for %i = 0 to 15 {
    affine.store %r#0, %A[%i] : memref<15xf64>
  }
  %w = arith.addf %z, %r#1 : f64
  return %r#0, %w : f64, f64
}
//--- iterdeep.mlir
// Loop-carried values in loop-carried values; a loop that never runs passes them on.
func.func @iterdeep(%A: memref<9x7xf64>, %B: memref<9xf64>) -> f64 {
  %z = arith.constant 0.0 : f64
  %t = affine.for %i = 0 to 9 iter_args(%o = %z) -> f64 {
    %s:2 = affine.for %j = 0 to 7 iter_args(%a = %z, %b = %o) -> (f64, f64) {
      %x = affine.load %A[%i, %j] : memref<9x7xf64>
      %u = arith.addf %a, %x : f64
      %w = arith.maximumf %b, %x : f64
      affine.yield %u, %w : f64, f64
    }
    affine.store %s#0, %B[%i] : memref<9xf64>
    %q = affine.for %j = 3 to 3 iter_args(%a = %s#1) -> f64 {
      affine.yield %z : f64
    }
    affine.yield %q : f64
  }
  return %t : f64
}
//--- durbinlike.mlir
// Values loaded before and used after an overwrite.
func.func @durbinlike(%y: memref<21xf32>, %z: memref<21xf32>, %r: memref<21xf32>) {
  affine.for %k = 1 to 20 {
    %a = affine.load %r[%k] : memref<21xf32>
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %p = affine.load %y[%i] : memref<21xf32>
      %q = affine.load %y[%k - %i - 1] : memref<21xf32>
      %m = arith.mulf %a, %q : f32
      %s = arith.addf %p, %m : f32
      affine.store %s, %z[%i] : memref<21xf32>
    }
    %old = affine.load %y[%k - 1] : memref<21xf32>
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %t = affine.load %z[%i] : memref<21xf32>
      affine.store %t, %y[%i] : memref<21xf32>
    }
    %n = arith.addf %old, %a : f32
    affine.store %n, %y[%k] : memref<21xf32>
    affine.store %old, %r[%k] : memref<21xf32>
  }
  return
}
//--- live.mlir
// Pure ops between nests, used by bounds and after the scop.
func.func @live(%A: memref<12xf32>, %B: memref<12x12xf32>, %n: index {nestor.value = 9 : index}) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 12 {
      %x = affine.load %B[%i, %j] : memref<12x12xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %B[%i, %j] : memref<12x12xf32>
    }
  }
  %d = memref.dim %B, %c0 : memref<12x12xf32>
  %v = memref.cast %B : memref<12x12xf32> to memref<?x?xf32>
  %m = affine.min affine_map<()[s0, s1] -> (s0, s1)>()[%n, %d]
  %l = affine.load %A[3] : memref<12xf32>
  affine.for %i = 0 to %d {
    affine.for %j = 0 to min affine_map<()[s0, s1] -> (s0, s1)>()[%n, %d] {
      %x = affine.load %B[%j, %i] : memref<12x12xf32>
      %y = arith.mulf %x, %l : f32
      affine.store %y, %B[%j, %i] : memref<12x12xf32>
    }
    affine.store %l, %A[%i] : memref<12xf32>
  }
  %k = arith.addi %d, %m : index
  return %l, %k : f32, index
}
//--- castbetween.mlir
// Another shape of a memref, made between the nests.
func.func @castbetween(%A: memref<12xf32>, %B: memref<12x12xf32>) {
  affine.for %i = 0 to 12 {
    %y = affine.load %A[%i] : memref<12xf32>
    affine.store %y, %A[11 - %i] : memref<12xf32>
  }
  %v = memref.cast %B : memref<12x12xf32> to memref<?x12xf32>
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 12 {
      %x = affine.load %v[%j, %i] : memref<?x12xf32>
      %l = affine.load %A[%j] : memref<12xf32>
      %y = arith.mulf %x, %l : f32
      affine.store %y, %v[%j, %i] : memref<?x12xf32>
    }
  }
  return
}
//--- twoscops.mlir
// The second scop uses a value of the first.
func.func @twoscops(%A: memref<15xf64>, %B: memref<15x15xf64>) -> f64 {
  %c0 = arith.constant 0.0 : f64
  %s = affine.for %i = 0 to 15 iter_args(%acc = %c0) -> f64 {
    %a = affine.load %A[%i] : memref<15xf64>
    %t = arith.addf %acc, %a : f64
    affine.yield %t : f64
  }
  %c1 = arith.constant 1 : index
  %x = memref.load %A[%c1] : memref<15xf64>
  affine.for %i = 0 to 15 {
    affine.for %j = 0 to 15 {
      %b = affine.load %B[%i, %j] : memref<15x15xf64>
      %m = arith.mulf %b, %s : f64
      %m2 = arith.addf %m, %x : f64
      affine.store %m2, %B[%i, %j] : memref<15x15xf64>
    }
  }
  return %s : f64
}
//--- scfnest.mlir
// Scops in branches of another dialect.
func.func @scfnest(%A: memref<10x10xf32>, %B: memref<10xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %b = memref.load %B[%c0] : memref<10xi1>
    scf.if %b {
      affine.for %j = 0 to 10 {
        affine.for %k = 0 to 10 {
          %x = affine.load %A[%j, %k] : memref<10x10xf32>
          %y = arith.addf %x, %x : f32
          affine.store %y, %A[%j, %k] : memref<10x10xf32>
        }
      }
    } else {
      %z = arith.constant 0.0 : f32
      %s = affine.for %j = 0 to 10 iter_args(%acc = %z) -> f32 {
        %x = affine.load %A[%j, %j] : memref<10x10xf32>
        %y = arith.addf %x, %acc : f32
        affine.yield %y : f32
      }
      affine.store %s, %A[0, 0] : memref<10x10xf32>
    }
  }
  return
}
//--- cfg.mlir
// Scops in blocks of a control-flow graph.
func.func @cfg(%A: memref<16xf32>, %B: memref<16xf32>, %c: i1 {nestor.value = 1 : i1}) -> f32 {
  %z = arith.constant 0.0 : f32
  cf.cond_br %c, ^a, ^b
^a:
  %s = affine.for %i = 0 to 16 iter_args(%x = %z) -> f32 {
    %a = affine.load %A[%i] : memref<16xf32>
    %y = arith.addf %x, %a : f32
    affine.store %y, %B[%i] : memref<16xf32>
    affine.yield %y : f32
  }
  cf.br ^e(%s : f32)
^b:
  affine.for %i = 0 to 16 {
    affine.store %z, %B[15 - %i] : memref<16xf32>
  }
  cf.br ^e(%z : f32)
^e(%r: f32):
  affine.for %i = 0 to 16 {
    %a = affine.load %B[%i] : memref<16xf32>
    %y = arith.addf %r, %a : f32
    affine.store %y, %B[%i] : memref<16xf32>
  }
  return %r : f32
}
//--- selfcopy.mlir
// A chain through memory, nothing to reorder.
func.func @selfcopy(%A: memref<30xi16>, %B: memref<i16>) {
  affine.for %i = 0 to 28 {
    %x = affine.load %A[%i] : memref<30xi16>
    %b = affine.load %B[] : memref<i16>
    affine.store %b, %A[%i] : memref<30xi16>
    affine.store %x, %B[] : memref<i16>
    affine.store %x, %A[%i + 2] : memref<30xi16>
  }
  return
}
//--- stencil.mlir
// In place, in time.
func.func @stencil(%A: memref<20x20xf64>, %T: index {nestor.value = 4 : index}) {
  affine.for %t = 0 to %T {
    affine.for %i = 1 to 19 {
      affine.for %j = 1 to 19 {
        %a = affine.load %A[%i - 1, %j + 1] : memref<20x20xf64>
        %b = affine.load %A[%i, %j - 1] : memref<20x20xf64>
        %c = affine.load %A[%i + 1, %j] : memref<20x20xf64>
        %s = arith.addf %a, %b : f64
        %r = arith.addf %s, %c : f64
        %q = arith.constant 0.3 : f64
        %m = arith.mulf %r, %q : f64
        affine.store %m, %A[%i, %j] : memref<20x20xf64>
      }
    }
  }
  return
}
//--- zerotripred.mlir
// Loops of no and of one iteration inside others, and accesses that must not happen.
func.func @zerotripred(%A: memref<24x6xf32>, %S: memref<6xf32>, %n: index {nestor.value = 0 : index}, %m: index {nestor.value = 1 : index}) {
  affine.for %j = 0 to 6 {
    affine.for %i = 0 to %n {
      %y = affine.load %A[%i, %j] : memref<24x6xf32>
      %s = affine.load %S[%j] : memref<6xf32>
      %z = arith.addf %y, %s : f32
      affine.store %z, %S[%j] : memref<6xf32>
    }
    affine.for %i = %n to %m {
      %y = affine.load %A[%i + 2, %j] : memref<24x6xf32>
      %s = affine.load %S[%j] : memref<6xf32>
      %z = arith.mulf %y, %s : f32
      affine.store %z, %S[%j] : memref<6xf32>
    }
    affine.for %i = %m to %n {
      %y = affine.load %A[%i + 1000, %j] : memref<24x6xf32>
      affine.store %y, %S[%i + 1000] : memref<6xf32>
    }
  }
  return
}
//--- manynests.mlir
// Several nests, triangles, a reduction with leave to reorder.
func.func @manynests(%A: memref<14x14xf32>, %B: memref<14x14xf32>, %C: memref<14x14xf32>) {
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to 14 {
      %x = affine.load %A[%i, %j] : memref<14x14xf32>
      affine.store %x, %B[%j, %i] : memref<14x14xf32>
    }
  }
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.for %k = affine_map<(d0) -> (d0)>(%j) to 14 {
        %x = affine.load %B[%i, %k] : memref<14x14xf32>
        %y = affine.load %C[%i, %j] : memref<14x14xf32>
        %s = arith.addf %x, %y fastmath<reassoc> : f32
        affine.store %s, %C[%i, %j] : memref<14x14xf32>
      }
    }
  }
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to 13 {
      %x = affine.load %C[%i + 1, %j] : memref<14x14xf32>
      %y = affine.load %B[%i, %j + 1] : memref<14x14xf32>
      %s = arith.addf %x, %y : f32
      affine.store %s, %A[%i, %j] : memref<14x14xf32>
    }
  }
  return
}
