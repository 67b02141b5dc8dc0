// What the analysis sees: loops, statements, accesses, guards and slots.
// RUN: nestor-opt %s --nestor-print-loop-tree --mlir-disable-threading -o /dev/null \
// RUN:   | FileCheck %s

// Several statements at several depths, and a nest beside the nest.
// CHECK-LABEL: func @imperfect{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   array1: memref<8x9xf32>{{$}}
// CHECK-NEXT:   array2: memref<9xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   array0 may overlap array2{{$}}
// CHECK-NEXT:   array1 may overlap array2{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>{{$}}
// CHECK-NEXT:     L1: from affine_map<(d0) -> (0)> to affine_map<(d0) -> (9)> step 1{{$}}
// CHECK-NEXT:       S1: writes array1 affine_map<(d0, d1) -> (d0, d1)>, reads array1 affine_map<(d0, d1) -> (d0, d1)>, reads array0 affine_map<(d0, d1) -> (d0)>, reduction{{$}}
// CHECK-NEXT:     S2: writes array0 affine_map<(d0) -> (-d0 + 7)>{{$}}
// CHECK-NEXT:   L2: from affine_map<() -> (0)> to affine_map<() -> (9)> step 1{{$}}
// CHECK-NEXT:     S3: writes array2 affine_map<(d0) -> (d0)>{{$}}
func.func @imperfect(%A: memref<8x9xf32>, %B: memref<8xf32>, %C: memref<9xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %B[%i] : memref<8xf32>
    affine.for %j = 0 to 9 {
      %b = affine.load %B[%i] : memref<8xf32>
      %a = affine.load %A[%i, %j] : memref<8x9xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %A[%i, %j] : memref<8x9xf32>
    }
    affine.store %x, %B[7 - %i] : memref<8xf32>
  }
  affine.for %j = 0 to 9 {
    affine.store %x, %C[%j] : memref<9xf32>
  }
  return
}

// A value that two statements use is kept in a slot.
// CHECK-LABEL: func @shared_value{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   array1: memref<8xf32>{{$}}
// CHECK-NEXT:   array2: memref<8xf32>{{$}}
// CHECK-NEXT:   slot3: f32{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   array0 may overlap array2{{$}}
// CHECK-NEXT:   array1 may overlap array2{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes slot3 affine_map<(d0) -> ()>, reads array0 affine_map<(d0) -> (d0)>{{$}}
// CHECK-NEXT:     S1: writes array1 affine_map<(d0) -> (d0)>, reads slot3 affine_map<(d0) -> ()>{{$}}
// CHECK-NEXT:     S2: writes array2 affine_map<(d0) -> (d0)>, reads slot3 affine_map<(d0) -> ()>{{$}}
func.func @shared_value(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    %s = arith.addf %a, %a : f32
    affine.store %s, %B[%i] : memref<8xf32>
    affine.store %s, %C[%i] : memref<8xf32>
  }
  return
}

// A load that two statements use is read by both: nothing is written between.
// CHECK-LABEL: func @shared_load{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   array1: memref<8xf32>{{$}}
// CHECK-NEXT:   array2: memref<8xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   array0 may overlap array2{{$}}
// CHECK-NEXT:   array1 may overlap array2{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0)>{{$}}
// CHECK-NEXT:     S1: writes array2 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0)>{{$}}
func.func @shared_load(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    affine.store %a, %B[%i] : memref<8xf32>
    affine.store %a, %C[%i] : memref<8xf32>
  }
  return
}

// A value loaded before and used after its source is overwritten.
// CHECK-LABEL: func @overwritten{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<9xf32>{{$}}
// CHECK-NEXT:   array1: memref<9xf32>{{$}}
// CHECK-NEXT:   slot2: f32{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (1)> to affine_map<() -> (9)> step 1{{$}}
// CHECK-NEXT:     S0: writes slot2 affine_map<(d0) -> ()>, reads array0 affine_map<(d0) -> (d0 - 1)>{{$}}
// CHECK-NEXT:     L1: from affine_map<(d0) -> (0)> to affine_map<(d0) -> (d0)> step 1{{$}}
// CHECK-NEXT:       S1: writes array0 affine_map<(d0, d1) -> (d1)>, reads array1 affine_map<(d0, d1) -> (d1)>{{$}}
// CHECK-NEXT:     S2: writes array1 affine_map<(d0) -> (d0)>, reads slot2 affine_map<(d0) -> ()>{{$}}
func.func @overwritten(%y: memref<9xf32>, %z: memref<9xf32>) {
  affine.for %k = 1 to 9 {
    %old = affine.load %y[%k - 1] : memref<9xf32>
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %t = affine.load %z[%i] : memref<9xf32>
      affine.store %t, %y[%i] : memref<9xf32>
    }
    affine.store %old, %z[%k] : memref<9xf32>
  }
  return
}

// The inner loop overwrites the source of a value that it uses.
// CHECK-LABEL: func @before_inner_loop{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<9xf32>{{$}}
// CHECK-NEXT:   array1: memref<9x9xf32>{{$}}
// CHECK-NEXT:   slot2: f32{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (9)> step 1{{$}}
// CHECK-NEXT:     S0: writes slot2 affine_map<(d0) -> ()>, reads array0 affine_map<(d0) -> (d0)>{{$}}
// CHECK-NEXT:     L1: from affine_map<(d0) -> (0)> to affine_map<(d0) -> (9)> step 1{{$}}
// CHECK-NEXT:       S1: writes array1 affine_map<(d0, d1) -> (d0, d1)>, reads slot2 affine_map<(d0, d1) -> ()>{{$}}
// CHECK-NEXT:       S2: writes array0 affine_map<(d0, d1) -> (d1)>, reads slot2 affine_map<(d0, d1) -> ()>{{$}}
func.func @before_inner_loop(%y: memref<9xf32>, %z: memref<9x9xf32>) {
  affine.for %k = 0 to 9 {
    %v = affine.load %y[%k] : memref<9xf32>
    affine.for %i = 0 to 9 {
      affine.store %v, %z[%k, %i] : memref<9x9xf32>
      affine.store %v, %y[%i] : memref<9xf32>
    }
  }
  return
}

// A loop-carried value: set before the loop, changed in it, read after it.
// CHECK-LABEL: func @carried{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   slot1: f32, live out{{$}}
// CHECK-NEXT:   S0: writes slot1 affine_map<() -> ()>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S1: writes slot1 affine_map<(d0) -> ()>, reads slot1 affine_map<(d0) -> ()>, reads array0 affine_map<(d0) -> (d0)>{{$}}
func.func @carried(%A: memref<8xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 8 iter_args(%s = %z) -> f32 {
    %a = affine.load %A[%i] : memref<8xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %r : f32
}

// Several carried values change at once: through temporaries.
// CHECK-LABEL: func @swapped{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   slot1: f32{{$}}
// CHECK-NEXT:   slot2: f32, live out{{$}}
// CHECK-NEXT:   slot3: f32{{$}}
// CHECK-NEXT:   slot4: f32{{$}}
// CHECK-NEXT:   S0: writes slot1 affine_map<() -> ()>{{$}}
// CHECK-NEXT:   S1: writes slot2 affine_map<() -> ()>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S2: writes array0 affine_map<(d0) -> (d0)>, reads slot1 affine_map<(d0) -> ()>{{$}}
// CHECK-NEXT:     S3: writes slot3 affine_map<(d0) -> ()>, reads slot2 affine_map<(d0) -> ()>{{$}}
// CHECK-NEXT:     S4: writes slot4 affine_map<(d0) -> ()>, reads slot1 affine_map<(d0) -> ()>{{$}}
// CHECK-NEXT:     S5: writes slot1 affine_map<(d0) -> ()>, reads slot3 affine_map<(d0) -> ()>{{$}}
// CHECK-NEXT:     S6: writes slot2 affine_map<(d0) -> ()>, reads slot4 affine_map<(d0) -> ()>{{$}}
func.func @swapped(%A: memref<8xf32>, %x: f32, %y: f32) -> f32 {
  %r:2 = affine.for %i = 0 to 8 iter_args(%p = %x, %q = %y) -> (f32, f32) {
    affine.store %p, %A[%i] : memref<8xf32>
    affine.yield %q, %p : f32, f32
  }
  return %r#1 : f32
}

// A load between nests, and what is computed from it, used after the scop.
// CHECK-LABEL: func @live_out{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   slot1: f32, live out{{$}}
// CHECK-NEXT:   slot2: f32{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (-d0 + 7)>{{$}}
// CHECK-NEXT:   S1: writes slot2 affine_map<() -> ()>, reads array0 affine_map<() -> (3)>{{$}}
// CHECK-NEXT:   S2: writes slot1 affine_map<() -> ()>, reads slot2 affine_map<() -> ()>{{$}}
// CHECK-NEXT:   L1: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S3: writes array0 affine_map<(d0) -> (d0)>, reads slot2 affine_map<(d0) -> ()>{{$}}
func.func @live_out(%A: memref<8xf32>) -> f32 {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[7 - %i] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  %v = affine.load %A[3] : memref<8xf32>
  %w = arith.addf %v, %v : f32
  affine.for %i = 0 to 8 {
    affine.store %v, %A[%i] : memref<8xf32>
  }
  return %w : f32
}

// affine.if and its else branch, around a loop and in it.
// CHECK-LABEL: func @guards{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<()[s0] -> (0)> to affine_map<()[s0] -> (8)> step 1{{$}}
// CHECK-NEXT:     L1: from affine_map<(d0)[s0] -> (0)> to affine_map<(d0)[s0] -> (8)> step 1{{$}}
// CHECK-NEXT:       S0: writes array0 affine_map<(d0, d1)[s0] -> (d0, d1)>, if affine_set<(d0)[s0] : (-d0 + s0 - 1 >= 0)>, if affine_set<(d0, d1)[s0] : (d0 - d1 == 0)>{{$}}
// CHECK-NEXT:       S1: writes array0 affine_map<(d0, d1)[s0] -> (d0, d1)>, reads array0 affine_map<(d0, d1)[s0] -> (d1, d0)>, if affine_set<(d0)[s0] : (-d0 + s0 - 1 >= 0)>, unless affine_set<(d0, d1)[s0] : (d0 - d1 == 0)>{{$}}
func.func @guards(%A: memref<8x8xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0)[s0] : (s0 - d0 - 1 >= 0)>(%i)[%n] {
      affine.for %j = 0 to 8 {
        affine.if affine_set<(d0, d1) : (d0 - d1 == 0)>(%i, %j) {
          affine.store %x, %A[%i, %j] : memref<8x8xf32>
        } else {
          %a = affine.load %A[%j, %i] : memref<8x8xf32>
          affine.store %a, %A[%i, %j] : memref<8x8xf32>
        }
      }
    }
  }
  return
}

// Symbolic, max, min and divided bounds, steps, a subscript with mod.
// CHECK-LABEL: func @bounds{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<99x99xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<()[s0, s1] -> (0)> to affine_map<()[s0, s1] -> (s0)> step 3{{$}}
// CHECK-NEXT:     L1: from affine_map<(d0)[s0, s1] -> (d0 - 2, s1)> to affine_map<(d0)[s0, s1] -> (d0 + 2, s0 - 1)> step 1{{$}}
// CHECK-NEXT:       L2: from affine_map<(d0, d1)[s0, s1] -> (d1 floordiv 2)> to affine_map<(d0, d1)[s0, s1] -> (d0 ceildiv 3 + 4)> step 2{{$}}
// CHECK-NEXT:         S0: writes array0 affine_map<(d0, d1, d2)[s0, s1] -> (d1 mod 7, d2)>{{$}}
func.func @bounds(%A: memref<99x99xf32>, %n: index, %m: index, %x: f32) {
  affine.for %i = 0 to %n step 3 {
    affine.for %j = max affine_map<(d0)[s0] -> (d0 - 2, s0)>(%i)[%m] to min affine_map<(d0)[s0] -> (d0 + 2, s0 - 1)>(%i)[%n] {
      affine.for %k = affine_map<(d0) -> (d0 floordiv 2)>(%j) to affine_map<(d0) -> (d0 ceildiv 3 + 4)>(%i) step 2 {
        affine.store %x, %A[%j mod 7, %k] : memref<99x99xf32>
      }
    }
  }
  return
}

// Bounds the wrong way round, negative ones: an empty domain.
// CHECK-LABEL: func @wrong_way_round{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<9xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (5)> to affine_map<() -> (-5)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>{{$}}
func.func @wrong_way_round(%A: memref<9xf32>, %x: f32) {
  affine.for %i = 5 to -5 {
    affine.store %x, %A[%i] : memref<9xf32>
  }
  return
}

// A reduction into a memref of rank 0.
// CHECK-LABEL: func @rank0{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xi32>{{$}}
// CHECK-NEXT:   array1: memref<i32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> ()>, reads array1 affine_map<(d0) -> ()>, reads array0 affine_map<(d0) -> (d0)>, reduction{{$}}
func.func @rank0(%A: memref<8xi32>, %S: memref<i32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xi32>
    %s = affine.load %S[] : memref<i32>
    %t = arith.addi %s, %a : i32
    affine.store %t, %S[] : memref<i32>
  }
  return
}

// Elements of every kind, also none at all.
// CHECK-LABEL: func @types{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xindex>{{$}}
// CHECK-NEXT:   array1: memref<8xi1>{{$}}
// CHECK-NEXT:   array2: memref<8xbf16>{{$}}
// CHECK-NEXT:   array3: memref<8xvector<4xf32>>{{$}}
// CHECK-NEXT:   array4: memref<0x4xcomplex<f32>>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   array0 may overlap array2{{$}}
// CHECK-NEXT:   array0 may overlap array3{{$}}
// CHECK-NEXT:   array0 may overlap array4{{$}}
// CHECK-NEXT:   array1 may overlap array2{{$}}
// CHECK-NEXT:   array1 may overlap array3{{$}}
// CHECK-NEXT:   array1 may overlap array4{{$}}
// CHECK-NEXT:   array2 may overlap array3{{$}}
// CHECK-NEXT:   array2 may overlap array4{{$}}
// CHECK-NEXT:   array3 may overlap array4{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0)>{{$}}
// CHECK-NEXT:     S1: writes array2 affine_map<(d0) -> (d0)>, reads array2 affine_map<(d0) -> (-d0 + 7)>{{$}}
// CHECK-NEXT:     S2: writes array3 affine_map<(d0) -> (d0)>, reads array3 affine_map<(d0) -> (0)>{{$}}
// CHECK-NEXT:   L1: from affine_map<() -> (0)> to affine_map<() -> (0)> step 1{{$}}
// CHECK-NEXT:     S3: writes array4 affine_map<(d0) -> (d0, 1)>, reads array4 affine_map<(d0) -> (d0, 0)>{{$}}
func.func @types(%A: memref<8xindex>, %B: memref<8xi1>, %C: memref<8xbf16>, %D: memref<8xvector<4xf32>>, %E: memref<0x4xcomplex<f32>>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xindex>
    %c = arith.cmpi ult, %a, %i : index
    affine.store %c, %B[%i] : memref<8xi1>
    %d = affine.load %C[7 - %i] : memref<8xbf16>
    affine.store %d, %C[%i] : memref<8xbf16>
    %e = affine.load %D[0] : memref<8xvector<4xf32>>
    affine.store %e, %D[%i] : memref<8xvector<4xf32>>
  }
  affine.for %i = 0 to 0 {
    %e = affine.load %E[%i, 0] : memref<0x4xcomplex<f32>>
    affine.store %e, %E[%i, 1] : memref<0x4xcomplex<f32>>
  }
  return
}

// Constants and affine.apply in the nest are part of the subscripts.
// CHECK-LABEL: func @constant_subscripts{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0, d0)>, reads array0 affine_map<(d0) -> (3, d0)>{{$}}
func.func @constant_subscripts(%A: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    %c3 = arith.constant 3 : index
    %d = affine.apply affine_map<(d0)[s0] -> (d0 + s0 - 3)>(%i)[%c3]
    %a = affine.load %A[%c3, %d] : memref<8x8xf32>
    affine.store %a, %A[%i, %i] : memref<8x8xf32>
  }
  return
}

// Loads that nobody uses and loops around nothing are no statements.
// CHECK-LABEL: func @only_dead_loops{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:   L1: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     L2: from affine_map<(d0) -> (0)> to affine_map<(d0) -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>{{$}}
func.func @only_dead_loops(%A: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
    }
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// Buffers made here overlap nothing.
// CHECK-LABEL: func @fresh_buffers{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   array1: memref<8xf32>{{$}}
// CHECK-NEXT:   array2: memref<8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0)>{{$}}
// CHECK-NEXT:     S1: writes array2 affine_map<(d0) -> (d0)>, reads array1 affine_map<(d0) -> (-d0 + 7)>{{$}}
func.func @fresh_buffers(%A: memref<8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloca() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    affine.store %a, %b[%i] : memref<8xf32>
    %d = affine.load %b[7 - %i] : memref<8xf32>
    affine.store %d, %c[%i] : memref<8xf32>
  }
  memref.dealloc %b : memref<8xf32>
  return
}

memref.global "private" @g : memref<8xf32>
memref.global "private" @h : memref<8xf32>
// Different globals are apart; an argument may be one of them.
// CHECK-LABEL: func @globals{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   array1: memref<8xf32>{{$}}
// CHECK-NEXT:   array2: memref<8xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   array0 may overlap array2{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0)>{{$}}
// CHECK-NEXT:     S1: writes array2 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0)>{{$}}
func.func @globals(%A: memref<8xf32>) {
  %g = memref.get_global @g : memref<8xf32>
  %h = memref.get_global @h : memref<8xf32>
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    affine.store %a, %g[%i] : memref<8xf32>
    affine.store %a, %h[%i] : memref<8xf32>
  }
  return
}

// Memrefs that are only read may overlap.
// CHECK-LABEL: func @read_only{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   array1: memref<8xf32>{{$}}
// CHECK-NEXT:   array2: memref<8xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array2{{$}}
// CHECK-NEXT:   array1 may overlap array2{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array2 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0)>, reads array1 affine_map<(d0) -> (d0)>{{$}}
func.func @read_only(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    %b = affine.load %B[%i] : memref<8xf32>
    %s = arith.addf %a, %b : f32
    affine.store %s, %C[%i] : memref<8xf32>
  }
  return
}

// Pure ops between nests move in front, so that the run stays whole.
// CHECK-LABEL: func @between{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<?xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<()[s0] -> (0)> to affine_map<()[s0] -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0)[s0] -> (d0)>{{$}}
// CHECK-NEXT:   L1: from affine_map<()[s0] -> (0)> to affine_map<()[s0] -> (s0)> step 1{{$}}
// CHECK-NEXT:     S1: writes array0 affine_map<(d0)[s0] -> (d0)>{{$}}
func.func @between(%A: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<?xf32>
  }
  %n = memref.dim %A, %c0 : memref<?xf32>
  %v = memref.cast %A : memref<?xf32> to memref<8xf32>
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<?xf32>
  }
  return
}

// Scops in branches, in loops and in parallel loops of other dialects.
// CHECK-LABEL: func @inside_scf{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0, 0)>{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (0, d0)>{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<()[s0] -> (0)> to affine_map<()[s0] -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0)[s0] -> (s0, d0)>{{$}}
func.func @inside_scf(%A: memref<8x8xf32>, %c: i1, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    scf.if %c {
      affine.for %i = 0 to 8 {
        affine.store %x, %A[%i, 0] : memref<8x8xf32>
      }
    } else {
      affine.for %i = 0 to 8 {
        affine.store %x, %A[0, %i] : memref<8x8xf32>
      }
    }
  }
  affine.parallel (%p) = (0) to (8) {
    affine.for %i = 0 to 8 {
      affine.store %x, %A[%p, %i] : memref<8x8xf32>
    }
  }
  return
}

// A declaration.
// CHECK-LABEL: func @external{{$}}
// CHECK-NOT: {{scop|left}}
func.func private @external(memref<8xf32>)
