// Exact dependences, and which of them any order satisfies.
// RUN: nestor-opt %s --nestor-print-dependences --mlir-disable-threading -o /dev/null \
// RUN:   | FileCheck %s

// In place, one iteration back in i and one ahead in j.
// CHECK-LABEL: func @stencil{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   flow S0 -> S0 on array0: { S0[i0, i1] -> S0[1 + i0, -1 + i1] : 0 < i0 <= 14 and 0 < i1 <= 14 }{{$}}
func.func @stencil(%A: memref<16x16xf32>) {
  affine.for %i = 1 to 16 {
    affine.for %j = 0 to 15 {
      %a = affine.load %A[%i - 1, %j + 1] : memref<16x16xf32>
      affine.store %a, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

// Accesses that never meet: even and odd cells.
// CHECK-LABEL: func @none{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
func.func @none(%A: memref<32xf32>) {
  affine.for %i = 0 to 16 {
    %a = affine.load %A[2 * %i + 1] : memref<32xf32>
    affine.store %a, %A[2 * %i] : memref<32xf32>
  }
  return
}

// Nests one after the other.
// CHECK-LABEL: func @siblings{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   flow S0 -> S1 on array1: { S0[i0] -> S1[7 - i0] : 3 <= i0 <= 5 }{{$}}
// CHECK-NEXT:   anti S0 -> S1 on array0: { S0[i0] -> S1[i0] : 2 <= i0 <= 4 }{{$}}
func.func @siblings(%A: memref<8xf32>, %B: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %b = affine.load %B[%i] : memref<8xf32>
    affine.store %b, %A[%i] : memref<8xf32>
  }
  affine.for %i = 2 to 5 {
    %a = affine.load %A[7 - %i] : memref<8xf32>
    affine.store %a, %B[%i] : memref<8xf32>
  }
  return
}

// A condition keeps two statements apart, and iterations of one.
// CHECK-LABEL: func @guarded{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   flow S0 -> S1 on array0: { S0[i0] -> S1[1 + i0] : (i0) mod 2 = 0 and 0 <= i0 <= 14 }{{$}}
func.func @guarded(%A: memref<16xf32>, %x: f32) {
  affine.for %i = 0 to 16 {
    affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) {
      affine.store %x, %A[%i] : memref<16xf32>
    } else {
      %a = affine.load %A[%i - 1] : memref<16xf32>
      affine.store %a, %A[%i] : memref<16xf32>
    }
  }
  return
}

// Steps, an offset and a parameter.
// CHECK-LABEL: func @strided{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   flow S0 -> S0 on array0: [p0] -> { S0[i0] -> S0[3 + i0] : (i0) mod 3 = 0 and 3 <= i0 <= -4 + p0 }{{$}}
func.func @strided(%A: memref<?xf32>, %n: index) {
  affine.for %i = 3 to %n step 3 {
    %a = affine.load %A[%i - 3] : memref<?xf32>
    affine.store %a, %A[%i] : memref<?xf32>
  }
  return
}

// No instance, no dependence.
// CHECK-LABEL: func @empty{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
func.func @empty(%A: memref<8xf32>) {
  affine.for %i = 5 to 2 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}

// A carried value.
// CHECK-LABEL: func @carried{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   output S0 -> S1 on slot1: { S0[] -> S1[o0] : 0 <= o0 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S1 on slot1: { S0[] -> S1[o0] : 0 <= o0 <= 7 }{{$}}
// CHECK-NEXT:   output S1 -> S1 on slot1: { S1[i0] -> S1[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   flow S1 -> S1 on slot1: { S1[i0] -> S1[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   anti S1 -> S1 on slot1: { S1[i0] -> S1[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
func.func @carried(%A: memref<8xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 8 iter_args(%s = %z) -> f32 {
    %a = affine.load %A[%i] : memref<8xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %r : f32
}

// Sums: strict without flags, any order with reassoc; contract says nothing.
// CHECK-LABEL: func @strict_sum{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   output S0 -> S0 on array1: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S0 on array1: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   anti S0 -> S0 on array1: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
func.func @strict_sum(%A: memref<8xf32>, %S: memref<f32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.addf %s, %a fastmath<contract> : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}

// CHECK-LABEL: func @free_sum{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   output S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   anti S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
func.func @free_sum(%A: memref<8xf32>, %S: memref<f32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.addf %a, %s fastmath<reassoc> : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}

// Maxima and integers may always be reordered...
// CHECK-LABEL: func @maximum{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   output S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   anti S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
func.func @maximum(%A: memref<8xf32>, %S: memref<f32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.maximumf %s, %a : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}

// CHECK-LABEL: func @integers{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   output S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   anti S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
func.func @integers(%A: memref<8xi32>, %S: memref<i32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xi32>
    %s = affine.load %S[] : memref<i32>
    %t = arith.muli %s, %a overflow<nsw> : i32
    affine.store %t, %S[] : memref<i32>
  }
  return
}

// ... but not maxnumf, a difference, or a sum that somebody reads in between.
// CHECK-LABEL: func @maxnum{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   output S0 -> S0 on array1: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S0 on array1: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   anti S0 -> S0 on array1: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
func.func @maxnum(%A: memref<8xf32>, %S: memref<f32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.maxnumf %s, %a : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}

// CHECK-LABEL: func @difference{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   output S0 -> S0 on array1: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S0 on array1: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   anti S0 -> S0 on array1: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
func.func @difference(%A: memref<8xi32>, %S: memref<i32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xi32>
    %s = affine.load %S[] : memref<i32>
    %t = arith.subi %s, %a : i32
    affine.store %t, %S[] : memref<i32>
  }
  return
}

// CHECK-LABEL: func @watched{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   output S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   anti S0 -> S0 on array1 (any order): { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S1 on array1: { S0[i0] -> S1[o0] : i0 >= 0 and i0 <= o0 <= 7 }{{$}}
// CHECK-NEXT:   anti S1 -> S0 on array1: { S1[i0] -> S0[o0] : 0 <= i0 <= 7 and o0 > i0 and 0 <= o0 <= 7 }{{$}}
func.func @watched(%A: memref<8xi32>, %S: memref<i32>, %B: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xi32>
    %s = affine.load %S[] : memref<i32>
    %t = arith.addi %s, %a : i32
    affine.store %t, %S[] : memref<i32>
    %u = affine.load %S[] : memref<i32>
    affine.store %u, %B[%i] : memref<8xi32>
  }
  return
}

// A sum into a cell that another read of the statement may touch.
// CHECK-LABEL: func @overlapping_sum{{$}}
// CHECK-NEXT: scop {{[0-9a-f]+$}}
// CHECK-NEXT:   output S0 -> S0 on array0: { S0[i0, i1] -> S0[i0, o1] : 0 <= i0 <= 7 and i1 >= 0 and i1 < o1 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S0 on array0: { S0[i0, i1] -> S0[i0, o1] : 0 <= i0 <= 7 and i1 >= 0 and i1 < o1 <= 7 }{{$}}
// CHECK-NEXT:   flow S0 -> S0 on array0: { S0[i0, i1] -> S0[o0, i0] : i0 >= 0 and 0 <= i1 <= 7 and i0 < o0 <= 7; S0[i0, i1] -> S0[i0, i0] : i0 <= 7 and 0 <= i1 < i0 }{{$}}
// CHECK-NEXT:   anti S0 -> S0 on array0: { S0[i0, i1] -> S0[i0, o1] : 0 <= i0 <= 7 and i1 >= 0 and i1 < o1 <= 7 }{{$}}
// CHECK-NEXT:   anti S0 -> S0 on array0: { S0[i0, i1] -> S0[i1, o1] : i0 >= 0 and i0 < i1 <= 7 and 0 <= o1 <= 7; S0[i0, i0] -> S0[i0, o1] : i0 >= 0 and i0 < o1 <= 7 }{{$}}
func.func @overlapping_sum(%A: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %s = affine.load %A[%i] : memref<8xi32>
      %a = affine.load %A[%j] : memref<8xi32>
      %t = arith.addi %s, %a : i32
      affine.store %t, %A[%i] : memref<8xi32>
    }
  }
  return
}

// What the flags do not say, the option may.
// RUN: nestor-opt %s --nestor-print-dependences=reassociate=true --mlir-disable-threading \
// RUN:   -o /dev/null | FileCheck %s --check-prefix=FREE
// FREE-LABEL: func @strict_sum
// FREE: flow S0 -> S0 on array1 (any order): {
// FREE-LABEL: func @maxnum
// FREE: flow S0 -> S0 on array1: {
// FREE-LABEL: func @difference
// FREE: flow S0 -> S0 on array1: {
