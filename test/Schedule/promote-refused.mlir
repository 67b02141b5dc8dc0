// A cell is not kept in iter_args where the loop reads the same memory under another
// name or as a vector of several dimensions, or where its type is bf16 or complex.
// RUN: split-file %s %t
// RUN: nestor-opt %t/names.mlir --nestor-apply-schedule=alias=assume-distinct -o %t/names.out
// RUN: FileCheck %t/names.mlir < %t/names.out
// RUN: nestor-measure compare %t/names.mlir %t/names.out
// RUN: nestor-opt %t/brain.mlir --nestor-apply-schedule=alias=assume-distinct | FileCheck %t/brain.mlir
// RUN: nestor-opt %t/complex.mlir --nestor-apply-schedule=alias=assume-distinct | FileCheck %t/complex.mlir
// RUN: nestor-opt %t/square.mlir --nestor-apply-schedule=alias=assume-distinct | FileCheck %t/square.mlir

//--- names.mlir
memref.global "private" @g : memref<16xf32> = dense<1.5>
// CHECK-LABEL: func.func @names(
// CHECK: affine.vector_load
// CHECK: affine.load %{{.*}} : memref<16xf32>
// CHECK: affine.store %{{.*}} : memref<16xf32>
// CHECK: affine.yield
func.func @names(%B: memref<8x8xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "cfc60e948c752901",
      steps = [#nestor.promote<"L1">]>]} {
  %g = memref.get_global @g : memref<16xf32>
  %h = memref.get_global @g : memref<16xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.vector_load %h[%i] : memref<16xf32>, vector<4xf32>
      %e = vector.extract %v[0] : f32 from vector<4xf32>
      %a = affine.load %g[%i] : memref<16xf32>
      %s = arith.addf %a, %e : f32
      affine.store %s, %g[%i] : memref<16xf32>
      affine.store %e, %B[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
//--- square.mlir
// CHECK-LABEL: func.func @square(
// CHECK-NOT: iter_args
// CHECK: return
func.func @square(%A: memref<9x9xf32>, %B: memref<8x8xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "4dd25f3b49d6d3d3",
      steps = [#nestor.promote<"L1">]>]} {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.vector_load %A[%i, 1] : memref<9x9xf32>, vector<2x2xf32>
      %e = vector.extract %v[1, 0] : f32 from vector<2x2xf32>
      %a = affine.load %A[%i + 1, 1] : memref<9x9xf32>
      %s = arith.addf %a, %e : f32
      affine.store %s, %A[%i + 1, 1] : memref<9x9xf32>
      affine.store %e, %B[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
//--- brain.mlir
// Code for a bf16 that goes around a loop may take denormals for zero.
// CHECK-LABEL: func.func @brain(
// CHECK-NOT: iter_args
// CHECK: return
func.func @brain(%A: memref<bf16>, %B: memref<8xbf16>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "1d08d330af2b9916",
      steps = [#nestor.promote<"L0">]>]} {
  affine.for %i = 0 to 8 {
    %b = affine.load %B[%i] : memref<8xbf16>
    affine.store %b, %A[] : memref<bf16>
  }
  return
}
//--- complex.mlir
// MLIR takes (a - b) + b for a, which is another number, once b is one value.
// CHECK-LABEL: func.func @complex(
// CHECK-NOT: iter_args
// CHECK: complex.sub
// CHECK: affine.load
// CHECK: complex.add
// CHECK: return
func.func @complex(%A: memref<8xcomplex<f32>>, %B: memref<complex<f32>>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0848faf1a0ef52ca",
      steps = [#nestor.promote<"L0">]>]} {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xcomplex<f32>>
    %b = affine.load %B[] : memref<complex<f32>>
    %d = complex.sub %a, %b : complex<f32>
    %again = affine.load %B[] : memref<complex<f32>>
    %s = complex.add %d, %again : complex<f32>
    affine.store %s, %A[%i] : memref<8xcomplex<f32>>
    affine.store %s, %B[] : memref<complex<f32>>
  }
  return
}
