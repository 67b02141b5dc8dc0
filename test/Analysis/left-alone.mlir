// What is left alone, with the reason that the user reads.
// RUN: nestor-opt %s --nestor-print-loop-tree --mlir-disable-threading -o /dev/null \
// RUN:   | FileCheck %s

#layout = affine_map<(d0, d1) -> (d1, d0)>
// A call: what it reads and writes is unknown.
// CHECK-LABEL: func @ext{{$}}
// CHECK-NOT: {{scop|left}}
func.func private @ext(f32)
// CHECK-LABEL: func @call{{$}}
// CHECK-NEXT: left alone: 'func.call' has effects that are not analysed{{$}}
func.func @call(%A: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    func.call @ext(%a) : (f32) -> ()
  }
  return
}

// Accesses that are not affine.
// CHECK-LABEL: func @non_affine_load{{$}}
// CHECK-NEXT: left alone: 'memref.load' has effects that are not analysed{{$}}
func.func @non_affine_load(%A: memref<8xf32>, %B: memref<8xindex>) {
  affine.for %i = 0 to 8 {
    %k = affine.load %B[%i] : memref<8xindex>
    %a = memref.load %A[%k] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func @non_affine_store{{$}}
// CHECK-NEXT: left alone: 'memref.store' has effects that are not analysed{{$}}
func.func @non_affine_store(%A: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    memref.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// Other ops that work on whole buffers.
// CHECK-LABEL: func @copy{{$}}
// CHECK-NEXT: left alone: 'memref.copy' has effects that are not analysed{{$}}
func.func @copy(%A: memref<8xf32>, %B: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    memref.copy %A, %B : memref<8xf32> to memref<8xf32>
  }
  return
}

// Loops of other dialects in the nest.
// CHECK-LABEL: func @scf_inside{{$}}
// CHECK-NEXT: left alone: 'scf.for' has effects that are not analysed{{$}}
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
// CHECK-NEXT: left alone: 'affine.parallel' has effects that are not analysed{{$}}
func.func @parallel_inside(%A: memref<8x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.parallel (%j) = (0) to (8) {
      affine.store %x, %A[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// What is in the way is left alone; the loops in it are looked at.
// CHECK-LABEL: func @inner_part{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<()[s0] -> (0)> to affine_map<()[s0] -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0)[s0] -> (s0, d0)>{{$}}
// CHECK-NEXT: left alone: 'func.call' has effects that are not analysed{{$}}
func.func @inner_part(%A: memref<8x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    func.call @ext(%x) : (f32) -> ()
    affine.for %j = 0 to 8 {
      affine.store %x, %A[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// CHECK-LABEL: func @semi_affine_subscript{{$}}
// CHECK-NEXT: left alone: a subscript is semi-affine{{$}}
func.func @semi_affine_subscript(%A: memref<64xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i * symbol(%n)] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func @semi_affine_mod{{$}}
// CHECK-NEXT: left alone: a subscript is semi-affine{{$}}
func.func @semi_affine_mod(%A: memref<64xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i mod symbol(%n)] : memref<64xf32>
    affine.store %a, %A[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func @semi_affine_bound{{$}}
// CHECK-NEXT: left alone: a loop bound is semi-affine or larger than 2^31{{$}}
func.func @semi_affine_bound(%A: memref<64xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to affine_map<()[s0] -> (s0 * s0)>()[%n] {
    affine.store %x, %A[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func @semi_affine_condition{{$}}
// CHECK-NEXT: left alone: the condition is semi-affine{{$}}
func.func @semi_affine_condition(%A: memref<64xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0)[s0] : (d0 mod s0 == 0)>(%i)[%n] {
      affine.store %x, %A[%i] : memref<64xf32>
    }
  }
  return
}

// CHECK-LABEL: func @huge_bound{{$}}
// CHECK-NEXT: left alone: a loop bound is semi-affine or larger than 2^31{{$}}
func.func @huge_bound(%A: memref<64xf32>, %x: f32) {
  affine.for %i = 0 to 9223372036854775807 {
    affine.store %x, %A[%i mod 64] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func @huge_negative_bound{{$}}
// CHECK-NEXT: left alone: a loop bound is semi-affine or larger than 2^31{{$}}
func.func @huge_negative_bound(%A: memref<64xf32>, %x: f32) {
  affine.for %i = -9223372036854775808 to 2 {
    affine.store %x, %A[%i mod 64] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func @huge_step{{$}}
// CHECK-NEXT: left alone: the loop's step is larger than 2^31{{$}}
func.func @huge_step(%A: memref<64xf32>, %x: f32) {
  affine.for %i = 0 to 64 step 9223372036854775807 {
    affine.store %x, %A[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func @if_with_results{{$}}
// CHECK-NEXT: left alone: affine.if with results is not analysed yet; store in its branches instead{{$}}
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

// CHECK-LABEL: func @layout{{$}}
// CHECK-NEXT: left alone: the memref has a layout; only contiguous row-major memrefs are analysed (normalize it with -normalize-memrefs){{$}}
func.func @layout(%A: memref<8x8xf32, #layout>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i, 0] : memref<8x8xf32, #layout>
  }
  return
}

// CHECK-LABEL: func @strided{{$}}
// CHECK-NEXT: left alone: the memref has a layout; only contiguous row-major memrefs are analysed (normalize it with -normalize-memrefs){{$}}
func.func @strided(%A: memref<8x8xf32, strided<[16, 1], offset: 3>>, %B: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i, 0] : memref<8x8xf32, strided<[16, 1], offset: 3>>
    affine.store %a, %B[%i] : memref<8xf32>
  }
  return
}

// Two ways into one buffer.
// CHECK-LABEL: func @views{{$}}
// CHECK-NEXT: left alone: two memrefs of the nest are views of one buffer{{$}}
func.func @views(%A: memref<24xf32>, %x: f32) {
  %v = memref.expand_shape %A [[0, 1]] output_shape [4, 6] : memref<24xf32> into memref<4x6xf32>
  affine.for %i = 0 to 4 {
    affine.store %x, %v[%i, 0] : memref<4x6xf32>
    %a = affine.load %A[%i + 1] : memref<24xf32>
    affine.store %a, %v[%i, 1] : memref<4x6xf32>
  }
  return
}

memref.global "private" @g : memref<8xf32>
// CHECK-LABEL: func @same_global{{$}}
// CHECK-NEXT: left alone: two memrefs of the nest are views of one buffer{{$}}
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
// CHECK-NEXT: left alone: two memrefs of the nest are views of one buffer{{$}}
func.func @two_casts(%A: memref<?xf32>) {
  %v = memref.cast %A : memref<?xf32> to memref<8xf32>
  %w = memref.cast %A : memref<?xf32> to memref<9xf32>
  affine.for %i = 0 to 8 {
    %a = affine.load %w[%i + 1] : memref<9xf32>
    affine.store %a, %v[%i] : memref<8xf32>
  }
  return
}

// A memref of every iteration's own.
// CHECK-LABEL: func @view_inside{{$}}
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

// CHECK-LABEL: func @carried_memref{{$}}
// CHECK-NEXT: left alone: a memref is made inside the nest{{$}}
func.func @carried_memref(%A: memref<8xf32>, %B: memref<8xf32>, %x: f32) {
  %r:2 = affine.for %i = 0 to 4 iter_args(%p = %A, %q = %B) -> (memref<8xf32>, memref<8xf32>) {
    affine.store %x, %p[%i] : memref<8xf32>
    affine.yield %q, %p : memref<8xf32>, memref<8xf32>
  }
  return
}

// CHECK-LABEL: func @memref_of_memrefs{{$}}
// CHECK-NEXT: left alone: the memref's elements are no numbers of a fixed size{{$}}
func.func @memref_of_memrefs(%A: memref<4xmemref<8xf32>>, %B: memref<4xmemref<8xf32>>) {
  affine.for %i = 0 to 4 {
    %m = affine.load %A[%i] : memref<4xmemref<8xf32>>
    affine.store %m, %B[%i] : memref<4xmemref<8xf32>>
  }
  return
}

// CHECK-LABEL: func @scalable{{$}}
// CHECK-NEXT: left alone: the memref's elements are no numbers of a fixed size{{$}}
func.func @scalable(%A: memref<4xvector<[4]xf32>>, %B: memref<4xvector<[4]xf32>>) {
  affine.for %i = 0 to 4 {
    %m = affine.load %A[%i] : memref<4xvector<[4]xf32>>
    affine.store %m, %B[%i] : memref<4xvector<[4]xf32>>
  }
  return
}

// A bound that the nest computes.
// CHECK-LABEL: func @computed_bound{{$}}
// CHECK-NEXT: left alone: a subscript or bound uses a value that is computed in the nest{{$}}
// CHECK-NEXT: left alone: a subscript or bound uses a value that is computed in the nest{{$}}
func.func @computed_bound(%A: memref<8xf32>, %n: index, %x: f32) {
  %r = affine.for %i = 0 to 8 iter_args(%s = %n) -> index {
    affine.yield %s : index
  }
  affine.for %i = 0 to %r {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func @several_results{{$}}
// CHECK-NEXT: left alone: 'arith.mului_extended' has several results, which is not analysed yet{{$}}
func.func @several_results(%A: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xi32>
    %lo, %hi = arith.mului_extended %a, %a : i32
    affine.store %hi, %A[%i] : memref<8xi32>
  }
  return
}

// CHECK-LABEL: func @tensor_value{{$}}
// CHECK-NEXT: left alone: a value that must be kept has a type that memory cannot hold{{$}}
func.func @tensor_value(%t: tensor<4xf32>, %A: memref<8xf32>, %x: f32) -> tensor<4xf32> {
  %r = affine.for %i = 0 to 8 iter_args(%s = %t) -> tensor<4xf32> {
    affine.store %x, %A[%i] : memref<8xf32>
    affine.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @slot_in_parallel{{$}}
// CHECK-NEXT: left alone: values of the nest must be kept in memory, but it is inside an op that may run in parallel{{$}}
func.func @slot_in_parallel(%A: memref<8x8xf32>, %B: memref<8xf32>) {
  affine.parallel (%p) = (0) to (8) {
    %z = arith.constant 0.0 : f32
    %s = affine.for %i = 0 to 8 iter_args(%a = %z) -> f32 {
      %x = affine.load %A[%p, %i] : memref<8x8xf32>
      %t = arith.addf %a, %x : f32
      affine.yield %t : f32
    }
    affine.store %s, %B[%p] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func @nothing{{$}}
// CHECK-NEXT: left alone: the loop does nothing{{$}}
func.func @nothing(%A: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func @skipped_function{{$}}
// CHECK-NEXT: left alone: the function is marked nestor.skip{{$}}
// CHECK-NEXT: left alone: the function is marked nestor.skip{{$}}
func.func @skipped_function(%A: memref<8xf32>, %x: f32) attributes {nestor.skip} {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// One loop of two opts out; the other is a scop of its own.
// CHECK-LABEL: func @skipped_loop{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0) -> (0, d0)>{{$}}
// CHECK-NEXT: left alone: the loop is marked nestor.skip{{$}}
func.func @skipped_loop(%A: memref<8x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i, 0] : memref<8x8xf32>
  } {nestor.skip}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[0, %i] : memref<8x8xf32>
  }
  return
}

// CHECK-LABEL: func @skipped_inner_loop{{$}}
// CHECK-NEXT: left alone: the loop is marked nestor.skip{{$}}
// CHECK-NEXT: left alone: the loop is marked nestor.skip{{$}}
func.func @skipped_inner_loop(%A: memref<8x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %x, %A[%i, %j] : memref<8x8xf32>
    } {nestor.skip}
  }
  return
}

// CHECK-LABEL: func @skipped_region{{$}}
// CHECK-NOT: {{scop|left}}
func.func @skipped_region(%A: memref<8x8xf32>, %c: i1, %x: f32) {
  scf.if %c {
    affine.for %i = 0 to 8 {
      affine.store %x, %A[%i, 0] : memref<8x8xf32>
    }
  } {nestor.skip}
  return
}

// Nothing is said about code that a schedule made, and its fallback.
// CHECK-LABEL: func @done{{$}}
// CHECK-NOT: {{scop|left}}
func.func @done(%A: memref<8x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i, 0] : memref<8x8xf32>
  } {nestor.scheduled}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i, 0] : memref<8x8xf32>
  } {nestor.fallback}
  return
}

// 40 loops: the outer ones are left alone, the inner 31 are a scop.
// CHECK-LABEL: func @deep{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<64xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<() -> (0)> to affine_map<() -> (2)> step 1{{$}}
// CHECK-NEXT:     L1: from affine_map<(d0) -> (0)> to affine_map<(d0) -> (2)> step 1{{$}}
// CHECK-NEXT:       L2: from affine_map<(d0, d1) -> (0)> to affine_map<(d0, d1) -> (2)> step 1{{$}}
// CHECK-NEXT:         L3: from affine_map<(d0, d1, d2) -> (0)> to affine_map<(d0, d1, d2) -> (2)> step 1{{$}}
// CHECK-NEXT:           L4: from affine_map<(d0, d1, d2, d3) -> (0)> to affine_map<(d0, d1, d2, d3) -> (2)> step 1{{$}}
// CHECK-NEXT:             L5: from affine_map<(d0, d1, d2, d3, d4) -> (0)> to affine_map<(d0, d1, d2, d3, d4) -> (2)> step 1{{$}}
// CHECK-NEXT:               L6: from affine_map<(d0, d1, d2, d3, d4, d5) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5) -> (2)> step 1{{$}}
// CHECK-NEXT:                 L7: from affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (2)> step 1{{$}}
// CHECK-NEXT:                   L8: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (2)> step 1{{$}}
// CHECK-NEXT:                     L9: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (2)> step 1{{$}}
// CHECK-NEXT:                       L10: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9) -> (2)> step 1{{$}}
// CHECK-NEXT:                         L11: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10) -> (2)> step 1{{$}}
// CHECK-NEXT:                           L12: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11) -> (2)> step 1{{$}}
// CHECK-NEXT:                             L13: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12) -> (2)> step 1{{$}}
// CHECK-NEXT:                               L14: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13) -> (2)> step 1{{$}}
// CHECK-NEXT:                                 L15: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14) -> (2)> step 1{{$}}
// CHECK-NEXT:                                   L16: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15) -> (2)> step 1{{$}}
// CHECK-NEXT:                                     L17: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16) -> (2)> step 1{{$}}
// CHECK-NEXT:                                       L18: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17) -> (2)> step 1{{$}}
// CHECK-NEXT:                                         L19: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18) -> (2)> step 1{{$}}
// CHECK-NEXT:                                           L20: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19) -> (2)> step 1{{$}}
// CHECK-NEXT:                                             L21: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20) -> (2)> step 1{{$}}
// CHECK-NEXT:                                               L22: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21) -> (2)> step 1{{$}}
// CHECK-NEXT:                                                 L23: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22) -> (2)> step 1{{$}}
// CHECK-NEXT:                                                   L24: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23) -> (2)> step 1{{$}}
// CHECK-NEXT:                                                     L25: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24) -> (2)> step 1{{$}}
// CHECK-NEXT:                                                       L26: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25) -> (2)> step 1{{$}}
// CHECK-NEXT:                                                         L27: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26) -> (2)> step 1{{$}}
// CHECK-NEXT:                                                           L28: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27) -> (2)> step 1{{$}}
// CHECK-NEXT:                                                             L29: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28) -> (2)> step 1{{$}}
// CHECK-NEXT:                                                               L30: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29) -> (2)> step 1{{$}}
// CHECK-NEXT:                                                                 L31: from affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30) -> (0)> to affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30) -> (2)> step 1{{$}}
// CHECK-NEXT:                                                                   S0: writes array0 affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31) -> (d31)>{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 32 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 32 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 32 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 32 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 32 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 32 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 32 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 32 loops{{$}}
func.func @deep(%A: memref<64xf32>, %x: f32) {
  affine.for %i0 = 0 to 2 {
    affine.for %i1 = 0 to 2 {
      affine.for %i2 = 0 to 2 {
        affine.for %i3 = 0 to 2 {
          affine.for %i4 = 0 to 2 {
            affine.for %i5 = 0 to 2 {
            affine.for %i6 = 0 to 2 {
            affine.for %i7 = 0 to 2 {
            affine.for %i8 = 0 to 2 {
            affine.for %i9 = 0 to 2 {
            affine.for %i10 = 0 to 2 {
            affine.for %i11 = 0 to 2 {
            affine.for %i12 = 0 to 2 {
            affine.for %i13 = 0 to 2 {
            affine.for %i14 = 0 to 2 {
            affine.for %i15 = 0 to 2 {
            affine.for %i16 = 0 to 2 {
            affine.for %i17 = 0 to 2 {
            affine.for %i18 = 0 to 2 {
            affine.for %i19 = 0 to 2 {
            affine.for %i20 = 0 to 2 {
            affine.for %i21 = 0 to 2 {
            affine.for %i22 = 0 to 2 {
            affine.for %i23 = 0 to 2 {
            affine.for %i24 = 0 to 2 {
            affine.for %i25 = 0 to 2 {
            affine.for %i26 = 0 to 2 {
            affine.for %i27 = 0 to 2 {
            affine.for %i28 = 0 to 2 {
            affine.for %i29 = 0 to 2 {
            affine.for %i30 = 0 to 2 {
            affine.for %i31 = 0 to 2 {
            affine.for %i32 = 0 to 2 {
            affine.for %i33 = 0 to 2 {
            affine.for %i34 = 0 to 2 {
            affine.for %i35 = 0 to 2 {
            affine.for %i36 = 0 to 2 {
            affine.for %i37 = 0 to 2 {
            affine.for %i38 = 0 to 2 {
            affine.for %i39 = 0 to 2 {
            affine.store %x, %A[%i39] : memref<64xf32>
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
            }
          }
        }
      }
    }
  }
  return
}
