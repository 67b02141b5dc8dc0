// Constructs that are analysed although they are not affine loads, stores, loops
// and conditions: exactly, or as statements that are moved as a whole.
// RUN: nestor-opt %s --nestor-print-loop-tree --mlir-disable-threading -o /dev/null \
// RUN:   | FileCheck %s

// Subscripts that are not affine: any cell of that dimension may be read ...
// CHECK-LABEL: func @non_affine_load{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xindex>{{$}}
// CHECK-NEXT:   array1: memref<8xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> (d0)>, reads array1 affine_map<(d0) -> (0)> any d0, reads array0 affine_map<(d0) -> (d0)>{{$}}
func.func @non_affine_load(%A: memref<8xf32>, %B: memref<8xindex>) {
  affine.for %i = 0 to 8 {
    %k = affine.load %B[%i] : memref<8xindex>
    %a = memref.load %A[%k] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}

// ... and memref ops whose subscripts are affine are affine accesses.
// CHECK-LABEL: func @affine_memref_store{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>{{$}}
func.func @affine_memref_store(%A: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    memref.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// Ops that work on whole buffers are statements that are moved as a whole.
// CHECK-LABEL: func @copy{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   array1: memref<8xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> (0)> any d0, reads array0 affine_map<(d0) -> (0)> any d0, copies memref.copy{{$}}
func.func @copy(%A: memref<8xf32>, %B: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    memref.copy %A, %B : memref<8xf32> to memref<8xf32>
  }
  return
}

// So are loops of other dialects; accesses in them are exact where they can be.
// CHECK-LABEL: func @scf_inside{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>, copies scf.for{{$}}
func.func @scf_inside(%A: memref<8xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 8 {
    scf.for %j = %c0 to %n step %c1 {
      affine.store %x, %A[%i] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: func @parallel_inside{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0, 0)> any d1, copies affine.parallel{{$}}
func.func @parallel_inside(%A: memref<8x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.parallel (%j) = (0) to (8) {
      affine.store %x, %A[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// CHECK-LABEL: func @if_with_results{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<64xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>{{$}}
func.func @if_with_results(%A: memref<64xf32>, %x: f32, %y: f32) {
  affine.for %i = 0 to 8 {
    %v = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) -> f32 {
      affine.yield %x : f32
    } else {
      affine.yield %y : f32
    }
    affine.store %v, %A[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func @strided{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32, strided<[16, 1], offset: 3>>{{$}}
// CHECK-NEXT:   array1: memref<8xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0, 0)>{{$}}
func.func @strided(%A: memref<8x8xf32, strided<[16, 1], offset: 3>>, %B: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i, 0] : memref<8x8xf32, strided<[16, 1], offset: 3>>
    affine.store %a, %B[%i] : memref<8xf32>
  }
  return
}

// Two ways to one global are one array; so are casts.
memref.global "private" @g : memref<8xf32>
// CHECK-LABEL: func @same_global{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (7)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0 + 1)>{{$}}
func.func @same_global(%x: f32) {
  %g = memref.get_global @g : memref<8xf32>
  %h = memref.get_global @g : memref<8xf32>
  affine.for %i = 0 to 7 {
    %a = affine.load %g[%i + 1] : memref<8xf32>
    affine.store %a, %h[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func @two_casts{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<9xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0 + 1)>{{$}}
func.func @two_casts(%A: memref<?xf32>) {
  %v = memref.cast %A : memref<?xf32> to memref<8xf32>
  %w = memref.cast %A : memref<?xf32> to memref<9xf32>
  affine.for %i = 0 to 8 {
    %a = affine.load %w[%i + 1] : memref<9xf32>
    affine.store %a, %v[%i] : memref<8xf32>
  }
  return
}

// A memref of every iteration's own: the loops in it are a scop.
// CHECK-LABEL: func @view_inside{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>{{$}}
// CHECK-NEXT: left alone: a memref is made inside the nest{{$}}
func.func @view_inside(%buf: memref<1024xi8>, %x: f32) {
  affine.for %i = 0 to 4 {
    %c32 = arith.constant 32 : index
    %o = arith.muli %i, %c32 : index
    %v = memref.view %buf[%o][] : memref<1024xi8> to memref<8xf32>
    affine.for %j = 0 to 8 {
      affine.store %x, %v[%j] : memref<8xf32>
    }
  }
  return
}

// A bound that a nest before computes: the run is cut in between.
// CHECK-LABEL: func @computed_bound{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   slot0: index, live out{{$}}
// CHECK-NEXT:   S0: writes slot0 affine_map<() -> ()>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S1: writes slot0 affine_map<(d0) -> ()>, reads slot0 affine_map<(d0) -> ()>{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<()[s0] -> (0)> to affine_map<()[s0] -> (s0)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0)[s0] -> (d0)>{{$}}
func.func @computed_bound(%A: memref<8xf32>, %n: index, %x: f32) {
  %r = affine.for %i = 0 to 8 iter_args(%s = %n) -> index {
    affine.yield %s : index
  }
  affine.for %i = 0 to %r {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// One of several results is used ...
// CHECK-LABEL: func @several_results{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xi32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0)>{{$}}
func.func @several_results(%A: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xi32>
    %lo, %hi = arith.mului_extended %a, %a : i32
    affine.store %hi, %A[%i] : memref<8xi32>
  }
  return
}

// ... or all of them: a statement that keeps them in slots.
// CHECK-LABEL: func @all_results{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xi32>{{$}}
// CHECK-NEXT:   array1: memref<8xi32>{{$}}
// CHECK-NEXT:   slot2: i32{{$}}
// CHECK-NEXT:   slot3: i32{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes slot2 affine_map<(d0) -> ()>, writes slot3 affine_map<(d0) -> ()>, reads array0 affine_map<(d0) -> (d0)>, copies arith.mului_extended{{$}}
// CHECK-NEXT:     S1: writes array0 affine_map<(d0) -> (d0)>, reads slot3 affine_map<(d0) -> ()>{{$}}
// CHECK-NEXT:     S2: writes array1 affine_map<(d0) -> (d0)>, reads slot2 affine_map<(d0) -> ()>{{$}}
func.func @all_results(%A: memref<8xi32>, %B: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xi32>
    %lo, %hi = arith.mului_extended %a, %a : i32
    affine.store %hi, %A[%i] : memref<8xi32>
    affine.store %lo, %B[%i] : memref<8xi32>
  }
  return
}

// A condition on data that reads: part of the statement that uses its value, with
// the reads of both branches.
// CHECK-LABEL: func @conditional_read{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xi32>{{$}}
// CHECK-NEXT:   array1: memref<8x8xi32>{{$}}
// CHECK-NEXT:   array2: memref<8xi32>{{$}}
// CHECK-NEXT:   array0 may overlap array2{{$}}
// CHECK-NEXT:   array1 may overlap array2{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array2 affine_map<(d0) -> (d0)>, reads array1 affine_map<(d0) -> (d0, 1)>, reads array1 affine_map<(d0) -> (2, d0)>, reads array0 affine_map<(d0) -> (d0)>{{$}}
func.func @conditional_read(%A: memref<8xi32>, %B: memref<8x8xi32>, %C: memref<8xi32>) {
  %c3 = arith.constant 3 : i32
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xi32>
    %p = arith.cmpi slt, %a, %c3 : i32
    %v = scf.if %p -> i32 {
      %x = affine.load %B[%i, 1] : memref<8x8xi32>
      scf.yield %x : i32
    } else {
      %y = affine.load %B[2, %i] : memref<8x8xi32>
      %z = arith.addi %y, %a : i32
      scf.yield %z : i32
    }
    affine.store %v, %C[%i] : memref<8xi32>
  }
  return
}

// Used twice: a slot, written where the condition stands.
// CHECK-LABEL: func @conditional_read_twice{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xi32>{{$}}
// CHECK-NEXT:   slot1: i32{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes slot1 affine_map<(d0) -> ()>, reads array0 affine_map<(d0) -> (d0, 1)>{{$}}
// CHECK-NEXT:     S1: writes array0 affine_map<(d0) -> (d0, 2)>, reads slot1 affine_map<(d0) -> ()>{{$}}
// CHECK-NEXT:     S2: writes array0 affine_map<(d0) -> (d0, 3)>, reads slot1 affine_map<(d0) -> ()>{{$}}
func.func @conditional_read_twice(%B: memref<8x8xi32>, %p: i1, %x: i32) {
  affine.for %i = 0 to 8 {
    %v = scf.if %p -> i32 {
      %y = affine.load %B[%i, 1] : memref<8x8xi32>
      scf.yield %y : i32
    } else {
      scf.yield %x : i32
    }
    affine.store %v, %B[%i, 2] : memref<8x8xi32>
    affine.store %v, %B[%i, 3] : memref<8x8xi32>
  }
  return
}

// A conditional write may or may not happen.
// CHECK-LABEL: func @conditional_write{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>, copies scf.if{{$}}
func.func @conditional_write(%A: memref<8xf32>, %p: i1, %x: f32) {
  affine.for %i = 0 to 8 {
    scf.if %p {
      affine.store %x, %A[%i] : memref<8xf32>
    }
  }
  return
}

// One subscript is affine, the other comes from memory: rows are kept apart.
// CHECK-LABEL: func @histogram{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xindex>{{$}}
// CHECK-NEXT:   array1: memref<8x16xi32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> (d0, 0)> any d1, reads array1 affine_map<(d0) -> (d0, 0)> any d1, reads array0 affine_map<(d0) -> (d0)>, copies memref.store{{$}}
func.func @histogram(%A: memref<8xindex>, %H: memref<8x16xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    %k = affine.load %A[%i] : memref<8xindex>
    %h = memref.load %H[%i, %k] : memref<8x16xi32>
    %s = arith.addi %h, %x : i32
    memref.store %s, %H[%i, %k] : memref<8x16xi32>
  }
  return
}

// Index arithmetic of other dialects.
// CHECK-LABEL: func @arithmetic{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<64xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<()[s0] -> (0)> to affine_map<()[s0] -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0)[s0] -> (0)> any d0, reads array0 affine_map<(d0)[s0] -> (d0 * 2 + s0)>, copies memref.store{{$}}
func.func @arithmetic(%A: memref<64xf32>, %n: index) {
  %c2 = arith.constant 2 : index
  affine.for %i = 0 to 8 {
    %j = arith.muli %i, %c2 : index
    %k = arith.addi %j, %n : index
    %a = memref.load %A[%k] : memref<64xf32>
    %l = arith.muli %i, %i : index
    memref.store %a, %A[%l] : memref<64xf32>
  }
  return
}

// The induction variable of an scf.for is no dim of an affine op.
// CHECK-LABEL: func @outer_scf{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   array1: memref<8x8xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<()[s0] -> (0)> to affine_map<()[s0] -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0)[s0] -> (d0, 0)>, reads array0 affine_map<(d0)[s0] -> (0, d0)> any d0{{$}}
func.func @outer_scf(%A: memref<8x8xf32>, %B: memref<8x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    affine.for %i = 0 to 8 {
      %a = memref.load %A[%k, %i] : memref<8x8xf32>
      affine.store %a, %B[%i, 0] : memref<8x8xf32>
    }
  }
  return
}

// A sparse row: bounds and subscripts from memory.
// CHECK-LABEL: func @sparse_row{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<9xindex>{{$}}
// CHECK-NEXT:   array1: memref<?xindex>{{$}}
// CHECK-NEXT:   array2: memref<8xf32>{{$}}
// CHECK-NEXT:   array3: memref<8xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array3{{$}}
// CHECK-NEXT:   array1 may overlap array3{{$}}
// CHECK-NEXT:   array2 may overlap array3{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array3 affine_map<(d0) -> (d0)>, reads array1 affine_map<(d0) -> (0)> any d0, reads array2 affine_map<(d0) -> (0)> any d0, reads array0 affine_map<(d0) -> (d0)>, reads array0 affine_map<(d0) -> (d0 + 1)>{{$}}
func.func @sparse_row(%row: memref<9xindex>, %col: memref<?xindex>, %x: memref<8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %lo = affine.load %row[%i] : memref<9xindex>
    %hi = affine.load %row[%i + 1] : memref<9xindex>
    %s = scf.for %k = %lo to %hi step %c1 iter_args(%t = %z) -> f32 {
      %c = memref.load %col[%k] : memref<?xindex>
      %v = memref.load %x[%c] : memref<8xf32>
      %u = arith.addf %t, %v : f32
      scf.yield %u : f32
    }
    affine.store %s, %y[%i] : memref<8xf32>
  }
  return
}

// Vectors, also by affine ops.
// CHECK-LABEL: func @vectors{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (0, 0)> any d0 any d1, reads array0 affine_map<(d0) -> (0, 0)> any d0 any d1, copies affine.vector_store{{$}}
func.func @vectors(%A: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    %v = affine.vector_load %A[%i, 0] : memref<8x8xf32>, vector<4xf32>
    affine.vector_store %v, %A[%i, 4] : memref<8x8xf32>, vector<4xf32>
  }
  return
}

// Linear algebra on buffers.
// CHECK-LABEL: func @fill{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   array1: memref<8x8xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (0)> any d0, copies linalg.fill{{$}}
// CHECK-NEXT:     L1: from affine_map<(d0) -> (0)> to affine_map<(d0) -> (8)> step 1{{$}}
// CHECK-NEXT:       S1: writes array1 affine_map<(d0, d1) -> (d0, d1)>, reads array0 affine_map<(d0, d1) -> (d1)>{{$}}
func.func @fill(%A: memref<8x8xf32>, %B: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    linalg.fill ins(%x : f32) outs(%B : memref<8xf32>)
    affine.for %j = 0 to 8 {
      %b = affine.load %B[%j] : memref<8xf32>
      affine.store %b, %A[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// A row of a buffer, made in the nest: all of the buffer may be written.
// CHECK-LABEL: func @row_view{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (0, 0)> any d0 any d1, copies scf.execute_region{{$}}
func.func @row_view(%A: memref<8x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    scf.execute_region {
      %r = memref.subview %A[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
      linalg.fill ins(%x : f32) outs(%r : memref<8xf32, strided<[1], offset: ?>>)
      scf.yield
    }
  }
  return
}

// Parts of one buffer are compared at run time.
// CHECK-LABEL: func @parts{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<4x8xf32, strided<[8, 1]>>{{$}}
// CHECK-NEXT:   array1: memref<4x8xf32, strided<[8, 1], offset: ?>>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (4)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> (d0, 1)>, reads array0 affine_map<(d0) -> (d0, 0)>{{$}}
func.func @parts(%A: memref<16x8xf32>, %n: index) {
  %p = memref.subview %A[0, 0] [4, 8] [1, 1] : memref<16x8xf32> to memref<4x8xf32, strided<[8, 1]>>
  %q = memref.subview %A[%n, 0] [4, 8] [1, 1] : memref<16x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
  affine.for %i = 0 to 4 {
    %a = affine.load %p[%i, 0] : memref<4x8xf32, strided<[8, 1]>>
    affine.store %a, %q[%i, 1] : memref<4x8xf32, strided<[8, 1], offset: ?>>
  }
  return
}

// Transposed and reversed rows are as good as others.
// CHECK-LABEL: func @layouts{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32, strided<[1, 9]>>{{$}}
// CHECK-NEXT:   array1: memref<8x8xf32, strided<[8, -1], offset: 7>>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array1 affine_map<(d0) -> (d0, 0)>, reads array0 affine_map<(d0) -> (d0, 0)>{{$}}
func.func @layouts(%A: memref<8x8xf32, strided<[1, 9]>>, %B: memref<8x8xf32, strided<[8, -1], offset: 7>>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i, 0] : memref<8x8xf32, strided<[1, 9]>>
    affine.store %a, %B[%i, 0] : memref<8x8xf32, strided<[8, -1], offset: 7>>
  }
  return
}

// A carried value bounds an op that is copied: the run is cut in between.
// CHECK-LABEL: func @carried_symbol{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   slot0: index, live out{{$}}
// CHECK-NEXT:   S0: writes slot0 affine_map<() -> ()>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S1: writes slot0 affine_map<(d0) -> ()>, reads slot0 affine_map<(d0) -> ()>{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>, copies affine.parallel{{$}}
func.func @carried_symbol(%A: memref<8xf32>, %n: index, %x: f32) {
  %r = affine.for %i = 0 to 8 iter_args(%s = %n) -> index {
    affine.yield %s : index
  }
  affine.for %i = 0 to 8 {
    affine.parallel (%j) = (0) to (symbol(%r)) {
      affine.store %x, %A[%i] : memref<8xf32>
    }
  }
  return
}

// Two views of one buffer in different nests: the run is cut in between.
// CHECK-LABEL: func @neighbours{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0, 0)>{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<64xf32>{{$}}
// CHECK-NEXT:   array1: memref<8x8xf32>{{$}}
// CHECK-NEXT:   array0 may overlap array1{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (d0)>{{$}}
// CHECK-NEXT:   L1: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S1: writes array1 affine_map<(d0) -> (d0, 0)>{{$}}
func.func @neighbours(%A: memref<8x8xf32>, %B: memref<8x8xf32>, %x: f32) {
  %v = memref.collapse_shape %A [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i, 0] : memref<8x8xf32>
  }
  affine.for %i = 0 to 8 {
    affine.store %x, %v[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 8 {
    affine.store %x, %B[%i, 0] : memref<8x8xf32>
  }
  return
}

