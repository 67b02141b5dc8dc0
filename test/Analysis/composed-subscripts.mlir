// A subscript is looked at with everything that feeds it.
// RUN: nestor-opt %s --nestor-print-loop-tree --mlir-disable-threading -o /dev/null | FileCheck %s

// CHECK-LABEL: func @affine
// CHECK: S0: writes array0 affine_map<(d0) -> (d0 floordiv 2)>
func.func @affine(%A: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    %h = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
    affine.store %x, %A[%h] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func @semi_affine
// CHECK: left alone: a subscript is semi-affine or has constants over 2^31
func.func @semi_affine(%A: memref<8xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to 8 {
    %h = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%i)[%n]
    affine.store %x, %A[%h] : memref<8xf32>
  }
  return
}
