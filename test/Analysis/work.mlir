// What any schedule has to do: operations of run-through loops, and the cells
// that are read before they are written, that are written, that are touched.
// RUN: nestor-opt %s --split-input-file --nestor-print-work -o /dev/null \
// RUN:   --mlir-disable-threading | FileCheck %s

// 3*5*7 times a multiplication and an addition; C is read and written.
// CHECK-LABEL: func @product
// CHECK-NEXT: f32 operations: 210
// CHECK-NEXT: f64 operations: 0
// CHECK-NEXT: integer operations: 0
// CHECK-NEXT: read bytes: 284
// CHECK-NEXT: written bytes: 60
// CHECK-NEXT: footprint bytes: 284
// CHECK-NOT: not exact
func.func @product(%A: memref<3x7xf32>, %B: memref<7x5xf32>,
                   %C: memref<3x5xf32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 7 {
        %a = affine.load %A[%i, %k] : memref<3x7xf32>
        %b = affine.load %B[%k, %j] : memref<7x5xf32>
        %c = affine.load %C[%i, %j] : memref<3x5xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<3x5xf32>
      }
    }
  }
  return
}

// -----

// The lower triangle of a 10x10 matrix: 55 cells, 55 additions.
// CHECK-LABEL: func @triangle
// CHECK: f64 operations: 55
// CHECK: read bytes: 440
// CHECK-NEXT: written bytes: 440
// CHECK-NEXT: footprint bytes: 440
func.func @triangle(%A: memref<10x10xf64>) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %a = affine.load %A[%i, %j] : memref<10x10xf64>
      %s = arith.addf %a, %a : f64
      affine.store %s, %A[%i, %j] : memref<10x10xf64>
    }
  }
  return
}

// -----

// T is written before it is read: no compulsory read. The scratch memory is
// touched, but is no argument.
// CHECK-LABEL: func @through
// CHECK: read bytes: 80
// CHECK-NEXT: written bytes: 160
// CHECK-NEXT: footprint bytes: 320
func.func @through(%A: memref<10xf64>, %T: memref<10xf64>, %B: memref<10xf64>) {
  %scratch = memref.alloc() : memref<10xf64>
  affine.for %i = 0 to 10 {
    %a = affine.load %A[%i] : memref<10xf64>
    affine.store %a, %T[%i] : memref<10xf64>
    affine.store %a, %scratch[%i] : memref<10xf64>
  }
  memref.dealloc %scratch : memref<10xf64>
  affine.for %i = 0 to 10 {
    %t = affine.load %T[%i] : memref<10xf64>
    affine.store %t, %B[%i] : memref<10xf64>
  }
  return
}

// -----

// Strides count cells, conditions and comparisons nothing: 5 minima.
// CHECK-LABEL: func @strided
// CHECK: integer operations: 5
// CHECK-NEXT: read bytes: 20
// CHECK-NEXT: written bytes: 20
func.func @strided(%A: memref<40xi32>) {
  affine.for %i = 0 to 10 {
    affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) {
      %a = affine.load %A[%i * 2] : memref<40xi32>
      %m = arith.minsi %a, %a : i32
      affine.store %m, %A[%i * 2] : memref<40xi32>
    }
  }
  return
}

// -----

// Bounds that meet at 0: no iteration. A step of 3 from 1 to 10: three.
// CHECK-LABEL: func @empty
// CHECK: f64 operations: 3
func.func @empty(%A: memref<10xf64>) {
  affine.for %i = 1 to 10 step 3 {
    %a = affine.load %A[%i] : memref<10xf64>
    %s = math.sqrt %a : f64
    affine.store %s, %A[%i] : memref<10xf64>
    affine.for %j = max affine_map<(d0) -> (d0, 5)>(%i) to min affine_map<(d0) -> (d0, 5)>(%i) {
      affine.store %s, %A[%j] : memref<10xf64>
    }
  }
  return
}

// Bounds that are computed: 1 + 2 + ... + 8 twice, and 3 behind them.
// CHECK-LABEL: func @computed_bounds
// CHECK: f64 operations: 75
func.func @computed_bounds(%A: memref<64xf64>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 8 {
    %next = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %c1)
    %twice = affine.apply affine_map<(d0) -> (d0 * 2)>(%next)
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%twice) {
      %a = affine.load %A[%j] : memref<64xf64>
      %s = arith.addf %a, %a : f64
      affine.store %s, %A[%j] : memref<64xf64>
    }
  }
  %three = affine.apply affine_map<(d0) -> (d0 + 2)>(%c1)
  affine.for %i = 0 to %three {
    %a = affine.load %A[%i] : memref<64xf64>
    %s = arith.addf %a, %a : f64
    affine.store %s, %A[%i] : memref<64xf64>
  }
  return
}
