// The vector ops that schedules generate compute what loops compute.
// RUN: split-file %s %t
// RUN: nestor-opt %t/vectors.mlir --nestor-to-llvm | FileCheck %s \
// RUN:   --implicit-check-not="{{(= |  )(affine|scf|cf|func|arith|memref|vector|builtin)\.}}"
// RUN: nestor-measure compare %t/loops.mlir %t/vectors.mlir

// CHECK-LABEL: llvm.func @kernel
// CHECK-DAG: llvm.intr.masked.load
// CHECK-DAG: llvm.intr.masked.store
// CHECK-DAG: llvm.intr.vector.reduce.fadd
// CHECK-DAG: llvm.shufflevector

//--- loops.mlir
// B := transpose of A; C[i] := i < 13 ? A[3][i] + 2 * A[i][1] : old;
// S := the elements 0..7 of A[2] in order; L[i] := i.
func.func @kernel(%A: memref<16x16xf32>, %B: memref<16x16xf32>,
                  %C: memref<16xf32>, %S: memref<f32>, %L: memref<8xindex>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      %v = affine.load %A[%j, %i] : memref<16x16xf32>
      affine.store %v, %B[%i, %j] : memref<16x16xf32>
    }
  }
  affine.for %i = 0 to 13 {
    %v = affine.load %A[3, %i] : memref<16x16xf32>
    %w = affine.load %A[%i, 1] : memref<16x16xf32>
    %p = arith.mulf %two, %w : f32
    %s = arith.addf %v, %p : f32
    affine.store %s, %C[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %A[2, %i] : memref<16x16xf32>
    %o = affine.load %S[] : memref<f32>
    %s = arith.addf %o, %v : f32
    affine.store %s, %S[] : memref<f32>
    affine.store %i, %L[%i] : memref<8xindex>
  }
  return
}
//--- vectors.mlir
func.func @kernel(%A: memref<16x16xf32>, %B: memref<16x16xf32>,
                  %C: memref<16xf32>, %S: memref<f32>, %L: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c13 = arith.constant 13 : index
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 16 step 4 {
    affine.for %j = 0 to 16 step 8 {
      %t = vector.transfer_read %A[%j, %i], %zero {in_bounds = [true, true]} : memref<16x16xf32>, vector<8x4xf32>
      %u = vector.transpose %t, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
      vector.transfer_write %u, %B[%i, %j] {in_bounds = [true, true]} : vector<4x8xf32>, memref<16x16xf32>
    }
  }
  %twos = vector.broadcast %two : f32 to vector<8xf32>
  %zeros = vector.broadcast %zero : f32 to vector<8xf32>
  %step = vector.step : vector<8xindex>
  affine.for %i = 0 to 16 step 8 {
    // The lanes below 13, said in two ways.
    %left = affine.apply affine_map<(d0) -> (13 - d0)>(%i)
    %mask = vector.create_mask %left : vector<8xi1>
    %base = vector.broadcast %i : index to vector<8xindex>
    %lanes = arith.addi %step, %base : vector<8xindex>
    %end = vector.broadcast %c13 : index to vector<8xindex>
    %same = arith.cmpi slt, %lanes, %end : vector<8xindex>
    %both = arith.andi %mask, %same : vector<8xi1>
    %v = vector.maskedload %A[%c3, %i], %both, %zeros : memref<16x16xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    // A column: each lane by itself.
    %column = vector.transfer_read %A[%i, %c1], %zero {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<16x16xf32>, vector<8xf32>
    %p = arith.mulf %twos, %column : vector<8xf32>
    %s = arith.addf %v, %p : vector<8xf32>
    vector.maskedstore %C[%i], %both, %s : memref<16xf32>, vector<8xi1>, vector<8xf32>
  }
  %row = vector.load %A[%c2, %c0] : memref<16x16xf32>, vector<8xf32>
  %old = memref.load %S[] : memref<f32>
  %sum = vector.reduction <add>, %row, %old : vector<8xf32> into f32
  memref.store %sum, %S[] : memref<f32>
  %l0 = vector.extract %step[0] : index from vector<8xindex>
  %l7 = vector.extract %step[7] : index from vector<8xindex>
  %ends = vector.from_elements %l0, %c1, %c2, %c3 : vector<4xindex>
  vector.store %step, %L[%c0] : memref<8xindex>, vector<8xindex>
  vector.store %ends, %L[%c0] : memref<8xindex>, vector<4xindex>
  return
}
