// Scalars come from nestor.value, or are 1.5 and 3; several results are compared
// one by one.
// RUN: split-file %s %t
// RUN: not nestor-measure compare %t/base.mlir %t/a.mlir %t/b.mlir | FileCheck %s
// CHECK:      a.mlir: differs: result 0, 0.25 vs -1.0
// CHECK-NEXT: b.mlir: differs: result 3, -3 vs 3

//--- base.mlir
func.func @kernel(%x: f32 {nestor.value = 0.25 : f32}, %y: f64, %b: i1, %i: i32 {nestor.value = -3 : i32}, %j: index) -> (f32, f64, i1, i32, index) {
  return %x, %y, %b, %i, %j : f32, f64, i1, i32, index
}
//--- a.mlir
func.func @kernel(%x: f32, %y: f64, %b: i1, %i: i32, %j: index) -> (f32, f64, i1, i32, index) {
  %c = arith.constant -1.0 : f32
  return %c, %y, %b, %i, %j : f32, f64, i1, i32, index
}
//--- b.mlir
func.func @kernel(%x: f32, %y: f64, %b: i1, %i: i32, %j: index) -> (f32, f64, i1, i32, index) {
  %x1 = arith.constant 0.25 : f32
  %y1 = arith.constant 1.5 : f64
  %b1 = arith.constant true
  %j1 = arith.constant 3 : index
  %i1 = arith.constant 3 : i32
  return %x1, %y1, %b1, %i1, %j1 : f32, f64, i1, i32, index
}
