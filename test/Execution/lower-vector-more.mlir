// Vector ops of two dimensions, masks and gathers also lower.
// RUN: nestor-opt %s --nestor-to-llvm | FileCheck %s \
// RUN:   --implicit-check-not="{{(= |  )(affine|scf|cf|func|arith|memref|vector|builtin)\.}}"

// CHECK-LABEL: llvm.func @kernel
func.func @kernel(%A: memref<16x16xf32>, %B: memref<16x16xf32>, %i: index, %x: f32) {
  %st = vector.step : vector<8xindex>
  %pad = vector.broadcast %x : f32 to vector<8xf32>
  %m = vector.create_mask %i : vector<8xi1>
  %f = vector.from_elements %x, %x, %x, %x : vector<4xf32>
  %t = vector.transfer_read %A[%i, %i], %x : memref<16x16xf32>, vector<8xf32>
  %b = vector.transfer_read %A[%i, %i], %x {permutation_map = affine_map<(d0, d1) -> (0)>} : memref<16x16xf32>, vector<8xf32>
  %t2 = vector.transfer_read %A[%i, %i], %x {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<16x16xf32>, vector<4x8xf32>
  vector.transfer_write %b, %B[%i, %i], %m {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<8xf32>, memref<16x16xf32>
  %mr = vector.multi_reduction <add>, %t2, %f [1] : vector<4x8xf32> to vector<4xf32>
  vector.store %mr, %B[%i, %i] : memref<16x16xf32>, vector<4xf32>
  %op = vector.outerproduct %f, %t, %t2 {kind = #vector.kind<add>} : vector<4xf32>, vector<8xf32>
  vector.transfer_write %op, %B[%i, %i] : vector<4x8xf32>, memref<16x16xf32>
  %acc = vector.broadcast %x : f32 to vector<4x4xf32>
  %con = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %t2, %t2, %acc : vector<4x8xf32>, vector<4x8xf32> into vector<4x4xf32>
  vector.transfer_write %con, %B[%i, %i] : vector<4x4xf32>, memref<16x16xf32>
  %g = vector.gather %A[%i, %i] [%st], %m, %pad : memref<16x16xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.scatter %B[%i, %i] [%st], %m, %g : memref<16x16xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32>
  %sh = vector.shuffle %t, %g [0, 8, 1, 9, 2, 10, 3, 11] : vector<8xf32>, vector<8xf32>
  %sc = vector.shape_cast %sh : vector<8xf32> to vector<2x4xf32>
  %e = vector.extract %sc[1] : vector<4xf32> from vector<2x4xf32>
  %ins = vector.insert %x, %e[2] : f32 into vector<4xf32>
  %slice = vector.insert_strided_slice %ins, %t {offsets = [4], strides = [1]} : vector<4xf32> into vector<8xf32>
  %max = vector.reduction <maximumf>, %slice : vector<8xf32> into f32
  memref.store %max, %B[%i, %i] : memref<16x16xf32>
  %mk = vector.mask %m { vector.transfer_read %A[%i, %i], %x {in_bounds = [true]} : memref<16x16xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  vector.store %mk, %B[%i, %i] : memref<16x16xf32>, vector<8xf32>
  return
}
