// The inputs, as bench/polybench/README.md defines them. The base keeps them, a
// candidate overwrites one element, so that the message shows it. (The expected
// numbers were computed from that definition by a few lines of Python.)
// RUN: mkdir -p %t
// RUN: cp %s %t/keep.mlir
// RUN: sed "s|//0 ||" %s > %t/0.mlir
// RUN: sed "s|//1 ||" %s > %t/1.mlir
// RUN: sed "s|//2 ||" %s > %t/2.mlir
// RUN: sed "s|//3 ||" %s > %t/3.mlir
// RUN: sed "s|//4 ||" %s > %t/4.mlir
// RUN: sed "s|//5 ||" %s > %t/5.mlir
// RUN: sed "s|//6 ||" %s > %t/6.mlir
// RUN: not nestor-measure compare %t/keep.mlir %t/0.mlir %t/1.mlir %t/2.mlir \
// RUN:   %t/3.mlir %t/4.mlir %t/5.mlir %t/6.mlir | FileCheck %s

// CHECK:      0.mlir: differs: argument 0, element [1], 1.0665615751722808 vs 9.0
// CHECK-NEXT: 1.mlir: differs: argument 1, element [1,1], 7.3924068459997185 vs 9.0
// CHECK-NEXT: 2.mlir: differs: argument 2, element [1], 0.194200{{[0-9]*}} vs 9.0
// CHECK-NEXT: 3.mlir: differs: argument 3, element [1], 1 vs 9
// CHECK-NEXT: 4.mlir: differs: argument 4, element [1], 45 vs 9
// CHECK-NEXT: 5.mlir: differs: argument 5, element [1], 0.0 vs 9.0
// CHECK-NEXT: 6.mlir: differs: argument 6, element [1], 3 vs 9
// CHECK-NOT:  differs
func.func @kernel(%a: memref<4xf64>,
                  %b: memref<3x3xf64> {nestor.init = "spd"},
                  %c: memref<5xf32> {nestor.init = "small"},
                  %d: memref<6xi32> {nestor.init = "seq"},
                  %e: memref<3xi64> {nestor.init = "dist"},
                  %f: memref<2xbf16> {nestor.init = "zero"},
                  %g: memref<6xi8>,
                  %x: f32 {nestor.value = 0.25 : f32}, %i: i32 {nestor.value = -3 : i32},
                  %y: f64, %j: index) -> (f32, i32, f64, index) {
  %1 = arith.constant 1 : index
  %f64 = arith.constant 9.0 : f64
  %f32 = arith.constant 9.0 : f32
  %bf16 = arith.constant 9.0 : bf16
  %i8 = arith.constant 9 : i8
  %i32 = arith.constant 9 : i32
  %i64 = arith.constant 9 : i64
  //0 memref.store %f64, %a[%1] : memref<4xf64>
  //1 memref.store %f64, %b[%1, %1] : memref<3x3xf64>
  //2 memref.store %f32, %c[%1] : memref<5xf32>
  //3 memref.store %i32, %d[%1] : memref<6xi32>
  //4 memref.store %i64, %e[%1] : memref<3xi64>
  //5 memref.store %bf16, %f[%1] : memref<2xbf16>
  //6 memref.store %i8, %g[%1] : memref<6xi8>
  return %x, %i, %y, %j : f32, i32, f64, index
}
