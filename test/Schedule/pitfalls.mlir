// Programs on which schedulers are known to go wrong, one a trap. Each is scheduled
// rightly, or left alone with a remark that says why.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/compare_each.py %nestor_bin/nestor-opt %nestor_bin/nestor-measure %t 4 > %t.log
// RUN: FileCheck %s < %t.log
// CHECK: aliased_arguments: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: backward_diagonal: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: call_inside: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: left alone: 'func.call' may read and write anything (line 12, column 5); inline it (-inline), or move it out of the loop [call]
// CHECK: carried_dependence: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: collapsed_view: same, {{[0-9]}} of 4 random schedules reorder
// CHECK: left alone: two memrefs of the nest are views of one buffer (line 7, column 7); use one of them for all accesses [views]
// CHECK: copy_between: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: empty_and_short: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: guarded_dependence: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: guarded_trap: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: huge_bounds: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: left alone: a loop bound is semi-affine or larger than 2^31; bounds must be affine: compute products of symbols before the loop [bound]
// CHECK: loaded_before: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: modular_cells: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: odd_bounds: same, {{[0-9]}} of 4 random schedules reorder
// CHECK: ordered_sum: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: siblings: same, {{[1-9]}} of 4 random schedules reorder
// CHECK: typed_views: same, {{[1-9]}} of 4 random schedules reorder

//--- aliased_arguments.mlir
// overlap: --alias-args=0=1 --overlap=0:1:1 --overlap=0:1:-3
func.func @kernel(%A: memref<24xf32>, %B: memref<24xf32>) {
  affine.for %i = 0 to 24 {
    %a = affine.load %A[23 - %i] : memref<24xf32>
    affine.store %a, %B[%i] : memref<24xf32>
  }
  return
}
//--- backward_diagonal.mlir
// A dependence (1, -1): tiling and interchange are wrong.
func.func @kernel(%A: memref<24x24xf32>) {
  affine.for %i = 1 to 24 {
    affine.for %j = 0 to 23 {
      %a = affine.load %A[%i - 1, %j + 1] : memref<24x24xf32>
      %b = affine.load %A[%i, %j] : memref<24x24xf32>
      %c = arith.addf %a, %b : f32
      affine.store %c, %A[%i, %j] : memref<24x24xf32>
    }
  }
  return
}
//--- call_inside.mlir
func.func private @touch(%A: memref<24x24xf32>, %i: index) {
  %x = affine.load %A[0, symbol(%i)] : memref<24x24xf32>
  affine.store %x, %A[1, 3] : memref<24x24xf32>
  return
}
func.func @kernel(%A: memref<24x24xf32>, %B: memref<24x24xf32>) {
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 24 {
      %a = affine.load %A[%j, %i] : memref<24x24xf32>
      affine.store %a, %B[%j, %i] : memref<24x24xf32>
    }
    func.call @touch(%A, %i) : (memref<24x24xf32>, index) -> ()
    affine.for %j = 0 to 24 {
      %a = affine.load %B[%j, %i] : memref<24x24xf32>
      affine.store %a, %A[%j, %i] : memref<24x24xf32>
    }
  }
  return
}
//--- carried_dependence.mlir
// The dependence runs through iter_args, and through a swap of two of them.
func.func @kernel(%A: memref<24x24xi32>, %B: memref<24xi32>) -> i32 {
  %z = arith.constant 1 : i32
  %o = arith.constant 2 : i32
  %r:2 = affine.for %i = 0 to 24 iter_args(%p = %z, %q = %o) -> (i32, i32) {
    %s = affine.for %j = 0 to 24 iter_args(%t = %p) -> i32 {
      %a = affine.load %A[%j, %i] : memref<24x24xi32>
      %u = arith.muli %t, %a : i32
      %v = arith.addi %u, %q : i32
      affine.store %v, %A[%j, %i] : memref<24x24xi32>
      affine.yield %v : i32
    }
    affine.store %s, %B[%i] : memref<24xi32>
    affine.yield %q, %s : i32, i32
  }
  return %r#0 : i32
}
//--- collapsed_view.mlir
// Two subscripts, one buffer.
func.func @kernel(%A: memref<24x24xf32>) {
  %v = memref.collapse_shape %A [[0, 1]] : memref<24x24xf32> into memref<576xf32>
  affine.for %i = 0 to 23 {
    affine.for %j = 0 to 24 {
      %a = affine.load %A[%i + 1, %j] : memref<24x24xf32>
      affine.store %a, %v[%j * 24 + %i] : memref<576xf32>
    }
  }
  return
}
//--- copy_between.mlir
func.func @kernel(%A: memref<24x24xf32>, %B: memref<24x24xf32>) {
  %T = memref.alloc() : memref<24x24xf32>
  %x = arith.constant 0.5 : f32
  linalg.fill ins(%x : f32) outs(%T : memref<24x24xf32>)
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %A[%j, %i] : memref<24x24xf32>
      affine.store %a, %T[%j, %i] : memref<24x24xf32>
    }
  }
  memref.copy %T, %B : memref<24x24xf32> to memref<24x24xf32>
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 24 {
      %a = affine.load %B[%i, %j] : memref<24x24xf32>
      %t = affine.load %T[%j, %i] : memref<24x24xf32>
      %s = arith.subf %t, %a : f32
      affine.store %s, %A[%j, %i] : memref<24x24xf32>
    }
  }
  memref.dealloc %T : memref<24x24xf32>
  return
}
//--- empty_and_short.mlir
// No iteration, one iteration, and one less than a block: nothing may be moved out.
func.func @kernel(%A: memref<24x24xf32>, %B: memref<24xf32>, %n: index {nestor.value = 0 : index}) {
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to %n {
      %b = affine.load %B[%i] : memref<24xf32>
      %a = affine.load %A[%j, %i] : memref<24x24xf32>
      %c = arith.addf %a, %b : f32
      affine.store %c, %B[%i] : memref<24xf32>
    }
    affine.for %j = 7 to 8 {
      affine.for %k = 5 to 2 {
        %b = affine.load %B[%j] : memref<24xf32>
        affine.store %b, %A[%i, %k] : memref<24x24xf32>
      }
      affine.for %k = 0 to 3 {
        %b = affine.load %A[%i, %k] : memref<24x24xf32>
        %c = arith.addf %b, %b : f32
        affine.store %c, %A[%i, 2 * %k + 1] : memref<24x24xf32>
      }
    }
  }
  return
}
//--- guarded_dependence.mlir
func.func @kernel(%A: memref<24x24xf32>, %B: memref<24x24xf32>) {
  affine.for %i = 1 to 24 {
    affine.for %j = 0 to 23 {
      affine.if affine_set<(d0, d1) : (d0 - 2 * d1 >= 0)>(%i, %j) {
        %a = affine.load %A[%i - 1, %j + 1] : memref<24x24xf32>
        affine.store %a, %A[%i, %j] : memref<24x24xf32>
      } else {
        %a = affine.load %B[%j, %i - 1] : memref<24x24xf32>
        affine.store %a, %B[%j + 1, %i] : memref<24x24xf32>
      }
    }
  }
  return
}
//--- guarded_trap.mlir
// Division by zero where the condition does not hold, and a load out of bounds.
func.func @kernel(%A: memref<24x24xi32>, %B: memref<24xi32>) {
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 24 {
      affine.if affine_set<(d0, d1) : (d0 - d1 - 1 >= 0)>(%i, %j) {
        %d = arith.subi %i, %j : index
        %e = arith.index_cast %d : index to i32
        %a = affine.load %A[%i - %j - 1, %i] : memref<24x24xi32>
        %q = arith.divsi %a, %e : i32
        %b = affine.load %B[%i - %j - 1] : memref<24xi32>
        %c = arith.addi %q, %b : i32
        affine.store %c, %A[%j, %i] : memref<24x24xi32>
      }
    }
  }
  return
}
//--- huge_bounds.mlir
func.func @kernel(%A: memref<24xi32>, %n: index {nestor.value = 9223372036854775807 : index}) {
  affine.for %i = 9223372036854775800 to 9223372036854775807 {
    affine.for %j = 0 to 24 {
      %a = affine.load %A[%j] : memref<24xi32>
      %b = arith.addi %a, %a : i32
      affine.store %b, %A[23 - %j] : memref<24xi32>
    }
  }
  return
}
//--- loaded_before.mlir
// As in durbin: what was loaded before a loop that overwrites it is used after it.
func.func @kernel(%A: memref<24x24xf32>, %B: memref<24xf32>) {
  affine.for %i = 1 to 24 {
    %a = affine.load %B[%i - 1] : memref<24xf32>
    affine.for %j = 0 to 24 {
      %b = affine.load %A[%j, %i] : memref<24x24xf32>
      %c = arith.addf %a, %b : f32
      affine.store %c, %B[%j] : memref<24xf32>
    }
    affine.store %a, %A[%i, 0] : memref<24x24xf32>
    affine.store %a, %B[%i] : memref<24xf32>
  }
  return
}
//--- modular_cells.mlir
// Dependences that upstream's check gives up on.
func.func @kernel(%A: memref<24x24xi32>) {
  affine.for %i = 0 to 48 {
    affine.for %j = 0 to 24 {
      %a = affine.load %A[(%i + 7) mod 24, %j floordiv 2] : memref<24x24xi32>
      %b = affine.load %A[%i floordiv 2, %j] : memref<24x24xi32>
      %c = arith.addi %a, %b : i32
      affine.store %c, %A[%i mod 24, %j] : memref<24x24xi32>
    }
  }
  return
}
//--- odd_bounds.mlir
// Steps, bounds from below zero, minimum and maximum, triangles, reversed accesses.
func.func @kernel(%A: memref<24x24xf32>, %B: memref<60xf32>, %n: index {nestor.value = 19 : index}) {
  affine.for %i = -3 to 20 step 3 {
    affine.for %j = max affine_map<(d0) -> (d0, 1)>(%i) to min affine_map<(d0)[s0] -> (d0 + 9, s0)>(%i)[%n] {
      %a = affine.load %A[%j, 20 - %i] : memref<24x24xf32>
      %b = affine.load %B[%i - 2 * %j + 40] : memref<60xf32>
      %c = arith.subf %a, %b : f32
      affine.store %c, %B[%i + %j + 3] : memref<60xf32>
      affine.store %c, %A[23 - %j, %i + 3] : memref<24x24xf32>
    }
  }
  return
}
//--- ordered_sum.mlir
// Without reassoc the order of additions into a cell is part of the result.
func.func @kernel(%A: memref<24x40xf32>, %s: memref<f32>, %t: memref<24xf32>) {
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 40 {
      %a = affine.load %A[%i, %j] : memref<24x40xf32>
      %b = affine.load %s[] : memref<f32>
      %c = arith.addf %a, %b : f32
      affine.store %c, %s[] : memref<f32>
      %d = affine.load %t[%i] : memref<24xf32>
      %e = arith.addf %d, %a : f32
      affine.store %e, %t[%i] : memref<24xf32>
    }
  }
  return
}
//--- siblings.mlir
// Fusing the nests, or running the second one first, is wrong.
func.func @kernel(%A: memref<24x24xf32>, %B: memref<24x24xf32>) {
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 24 {
      %a = affine.load %B[%j, %i] : memref<24x24xf32>
      affine.store %a, %A[%j, %i] : memref<24x24xf32>
    }
  }
  affine.for %i = 0 to 23 {
    affine.for %j = 0 to 24 {
      %a = affine.load %A[%j, %i + 1] : memref<24x24xf32>
      affine.store %a, %B[%j, %i] : memref<24x24xf32>
    }
  }
  return
}
//--- typed_views.mlir
// Bytes and numbers of one buffer.
func.func @kernel(%B: memref<24xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %bytes = memref.alloc() : memref<256xi8>
  %v = memref.view %bytes[%c0][] : memref<256xi8> to memref<24xf32>
  %w = memref.view %bytes[%c32][] : memref<256xi8> to memref<24xf32>
  affine.for %i = 0 to 24 {
    %b = affine.load %B[%i] : memref<24xf32>
    affine.store %b, %v[%i] : memref<24xf32>
    affine.store %b, %w[%i] : memref<24xf32>
  }
  affine.for %i = 1 to 23 {
    %a = affine.load %v[%i] : memref<24xf32>
    %b = affine.load %v[23 - %i] : memref<24xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %w[%i] : memref<24xf32>
    affine.store %c, %B[23 - %i] : memref<24xf32>
  }
  memref.dealloc %bytes : memref<256xi8>
  return
}
