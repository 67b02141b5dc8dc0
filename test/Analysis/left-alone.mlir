// What is left alone, with the reason that the user reads.
// RUN: nestor-opt %s --nestor-print-loop-tree --mlir-disable-threading -o /dev/null \
// RUN:   | FileCheck %s

#layout = affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>
// A call: what it reads and writes is unknown.
// CHECK-LABEL: func @ext{{$}}
// CHECK-NOT: {{scop|left}}
func.func private @ext(f32)
// CHECK-LABEL: func @call{{$}}
// CHECK-NEXT: left alone: 'func.call' may read and write anything{{$}}
func.func @call(%A: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    func.call @ext(%a) : (f32) -> ()
  }
  return
}

// What is in the way is left alone; the loops in it are looked at.
// CHECK-LABEL: func @inner_part{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<()[s0] -> (0)> to affine_map<()[s0] -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0)[s0] -> (s0, d0)>{{$}}
// CHECK-NEXT: left alone: 'func.call' may read and write anything{{$}}
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
// CHECK-NEXT: left alone: a subscript is semi-affine or has constants over 2^31{{$}}
func.func @semi_affine_subscript(%A: memref<64xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i * symbol(%n)] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func @semi_affine_mod{{$}}
// CHECK-NEXT: left alone: a subscript is semi-affine or has constants over 2^31{{$}}
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
// CHECK-NEXT: left alone: the condition is semi-affine or has constants over 2^31{{$}}
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

// A layout that is not a permutation of strides.
// CHECK-LABEL: func @layout{{$}}
// CHECK-NEXT: left alone: the memref has a layout that may give two subscripts the same cell{{$}}
func.func @layout(%A: memref<8x8xf32, #layout>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i, 0] : memref<8x8xf32, #layout>
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
// CHECK-NEXT:                                   S0: writes array0 affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15) -> (d15)>{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
// CHECK-NEXT: left alone: the nest is deeper than 16 loops{{$}}
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

// Subscripts that may meet: equal strides, and strides that are not known.
// CHECK-LABEL: func @same_stride{{$}}
// CHECK-NEXT: left alone: the memref has a layout that may give two subscripts the same cell{{$}}
func.func @same_stride(%A: memref<4x4xf32, strided<[1, 1]>>, %x: f32) {
  affine.for %i = 0 to 4 {
    affine.store %x, %A[%i, 0] : memref<4x4xf32, strided<[1, 1]>>
  }
  return
}

// CHECK-LABEL: func @unknown_stride{{$}}
// CHECK-NEXT: left alone: the memref has a layout that may give two subscripts the same cell{{$}}
func.func @unknown_stride(%A: memref<4x4xf32, strided<[?, 1], offset: ?>>, %x: f32) {
  affine.for %i = 0 to 4 {
    affine.store %x, %A[%i, 0] : memref<4x4xf32, strided<[?, 1], offset: ?>>
  }
  return
}

// Rows that overlap by one cell.
// CHECK-LABEL: func @overlapping_rows{{$}}
// CHECK-NEXT: left alone: the memref has a layout that may give two subscripts the same cell{{$}}
func.func @overlapping_rows(%A: memref<4x4xf32, strided<[3, 1]>>, %x: f32) {
  affine.for %i = 0 to 4 {
    affine.store %x, %A[%i, 0] : memref<4x4xf32, strided<[3, 1]>>
  }
  return
}

// A buffer of every iteration's own.
// CHECK-LABEL: func @allocation{{$}}
// CHECK-NEXT: left alone: 'memref.alloc' makes or frees a buffer in the nest{{$}}
func.func @allocation(%A: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    %b = memref.alloc() : memref<8xf32>
    affine.store %x, %b[%i] : memref<8xf32>
    %a = affine.load %b[%i] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
    memref.dealloc %b : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func @deallocation{{$}}
// CHECK-NEXT: left alone: 'memref.dealloc' makes or frees a buffer in the nest{{$}}
func.func @deallocation(%A: memref<8xf32>) {
  affine.for %i = 0 to 1 {
    memref.dealloc %A : memref<8xf32>
  }
  return
}

// A loop that may not end.
// CHECK-LABEL: func @while{{$}}
// CHECK-NEXT: left alone: 'scf.while' may run for ever{{$}}
func.func @while(%A: memref<8xi1>, %x: i1) {
  affine.for %i = 0 to 8 {
    scf.while : () -> () {
      %c = affine.load %A[%i] : memref<8xi1>
      scf.condition(%c)
    } do {
      affine.store %x, %A[%i] : memref<8xi1>
      scf.yield
    }
  }
  return
}

// CHECK-LABEL: func @branch_back{{$}}
// CHECK-NEXT: left alone: 'scf.execute_region' may run for ever{{$}}
func.func @branch_back(%A: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
    scf.execute_region {
      cf.br ^bb1
    ^bb1:
      cf.br ^bb2
    ^bb2:
      cf.br ^bb1
    }
    affine.store %x, %A[0] : memref<8xf32>
  }
  return
}

// Copied as a whole, the inner loop would never be scheduled.
// CHECK-LABEL: func @holds_loops{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   array0: memref<8x8xf32>{{$}}
// CHECK-NEXT:   L0: from affine_map<()[s0] -> (0)> to affine_map<()[s0] -> (8)> step 1{{$}}
// CHECK-NEXT:     S0: writes array0 affine_map<(d0)[s0] -> (s0, d0)>{{$}}
// CHECK-NEXT: left alone: 'scf.if' is in the nest and has affine loops in it{{$}}
func.func @holds_loops(%A: memref<8x8xf32>, %p: i1, %x: f32) {
  affine.for %i = 0 to 8 {
    scf.if %p {
      affine.for %j = 0 to 8 {
        affine.store %x, %A[%i, %j] : memref<8x8xf32>
      }
    }
  }
  return
}

// A memref of unknown rank.
// CHECK-LABEL: func @unranked{{$}}
// CHECK-NEXT: left alone: 'memref.copy' has effects that are not analysed{{$}}
func.func @unranked(%A: memref<*xf32>, %B: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    memref.copy %A, %B : memref<*xf32> to memref<8xf32>
  }
  return
}

// Part of it is done.
// CHECK-LABEL: func @scheduled_inside{{$}}
// CHECK-NEXT: left alone: a loop in it has been scheduled already{{$}}
func.func @scheduled_inside(%A: memref<8x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %x, %A[%i, %j] : memref<8x8xf32>
    } {nestor.scheduled}
  }
  return
}
