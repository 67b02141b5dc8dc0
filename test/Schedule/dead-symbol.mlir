// A load that nobody uses keeps its symbols valid: the fallback of an alias check is a
// branch, where a value of the function's own block that moves along is no symbol.
// RUN: nestor-opt %s --nestor-print-loop-tree -o /dev/null | FileCheck %s --check-prefix=TREE
// RUN: nestor-opt %s --nestor-test-random-schedule=seed=1 -o %t
// RUN: FileCheck %s < %t
// RUN: nestor-measure compare %s %t

// TREE: scop
// TREE-NOT: reads
// CHECK: scf.if
// CHECK: nestor.fallback
// CHECK: affine.load %{{.*}}[symbol(%{{.*}}), 2]
func.func @kernel(%I: memref<4xindex>, %A: memref<8xf32>, %B: memref<8xf32>, %C: memref<2x3xf32>) {
  %x = arith.constant 2.0 : f32
  %c2 = arith.constant 2 : index
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
    affine.store %x, %B[7 - %i] : memref<8xf32>
  }
  %n = affine.load %I[0] : memref<4xindex>
  %s = arith.remui %n, %c2 : index
  %dead = affine.load %C[symbol(%s), 2] : memref<2x3xf32>
  affine.store %x, %A[0] : memref<8xf32>
  return
}

// Nor is one that no map uses: the run is cut behind it.
// TREE-LABEL: func @unused{{$}}
// TREE-COUNT-2: scop
// TREE-NOT: left alone
// CHECK-LABEL: func.func @unused(
// CHECK: nestor.fallback
// CHECK: %[[M:.+]] = memref.load
// CHECK: scf.if
// CHECK: affine.if #{{.+}}(%{{.+}})[%[[M]]]
// CHECK: nestor.fallback
func.func @unused(%P: memref<4xindex>, %A: memref<8xf32>, %B: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    affine.store %a, %B[7 - %i] : memref<8xf32>
  }
  memref.store %c0, %P[%c0] : memref<4xindex>
  %m = memref.load %P[%c0] : memref<4xindex>
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0)>(%i)[%m] {
      %a = affine.load %A[%i] : memref<8xf32>
      affine.store %a, %B[7 - %i] : memref<8xf32>
    }
  }
  return
}
