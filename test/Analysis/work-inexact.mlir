// Where isl gives up, or a nest is not analysed, the bytes are marked as not exact.
// RUN: split-file %s %t
// RUN: nestor-opt %t/triangle.mlir --nestor-print-work -o /dev/null | FileCheck %s --check-prefix=EXACT
// EXACT: footprint bytes:
// EXACT-NOT: not exact
// RUN: nestor-opt %t/triangle.mlir --nestor-print-work --nestor-isl-operations=1 -o /dev/null | FileCheck %s --check-prefix=DEPENDENCES
// DEPENDENCES: bytes are not exact: its dependences are too complex to compute exactly
// RUN: nestor-opt %t/triangle.mlir --nestor-print-work --nestor-isl-operations=800 -o /dev/null | FileCheck %s --check-prefix=READS
// READS: bytes are not exact: what is read before it is written took too long to find
// RUN: nestor-opt %t/stores.mlir --nestor-print-work --nestor-isl-operations=3000 -o /dev/null | FileCheck %s --check-prefix=CELLS
// CELLS: bytes are not exact: the cells of a scop took too long to find
// RUN: nestor-opt %t/holes.mlir --nestor-print-work -o /dev/null | FileCheck %s --check-prefix=COUNT
// COUNT: bytes are not exact: the cells of an argument took too long to count
// RUN: nestor-opt %t/beyond.mlir --nestor-print-work -o /dev/null | FileCheck %s --check-prefix=BEYOND
// BEYOND: bytes are not exact: the cells of an argument took too long to count
// RUN: nestor-opt %t/skipped.mlir --nestor-print-work -o /dev/null | FileCheck %s --check-prefix=SKIPPED
// SKIPPED: bytes are not exact: the function is marked nestor.skip
// RUN: nestor-opt %t/gather.mlir --nestor-print-work -o /dev/null | FileCheck %s --check-prefix=GATHER
// GATHER: bytes are not exact: some subscripts are not affine

//--- beyond.mlir
// Half of the cells, the last of which has a number beyond 32 bits.
func.func @beyond(%A: memref<4294967296xi8>, %v: i8) {
  affine.for %i = 0 to 2147483648 {
    affine.store %v, %A[2 * %i] : memref<4294967296xi8>
  }
  return
}

//--- gather.mlir
func.func @gather(%A: memref<64xf32>, %I: memref<64xindex>) {
  affine.for %i = 0 to 64 {
    %k = affine.load %I[%i] : memref<64xindex>
    %a = memref.load %A[%k] : memref<64xf32>
    affine.store %a, %A[%i] : memref<64xf32>
  }
  return
}

//--- triangle.mlir
func.func @triangle(%A: memref<64x64xf32>, %B: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %a = affine.load %A[%i, %j] : memref<64x64xf32>
      %b = affine.load %B[%i] : memref<64xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %A[%j, %i] : memref<64x64xf32>
    }
  }
  return
}

//--- stores.mlir
func.func @many_stores(%A: memref<64xf32>, %x: f32) {
  affine.for %i0 = 0 to 4 {
    affine.store %x, %A[%i0 * 2 + 0] : memref<64xf32>
  }
  affine.for %i1 = 0 to 4 {
    affine.store %x, %A[%i1 * 3 + 1] : memref<64xf32>
  }
  affine.for %i2 = 0 to 4 {
    affine.store %x, %A[%i2 * 4 + 2] : memref<64xf32>
  }
  affine.for %i3 = 0 to 4 {
    affine.store %x, %A[%i3 * 2 + 3] : memref<64xf32>
  }
  affine.for %i4 = 0 to 4 {
    affine.store %x, %A[%i4 * 3 + 4] : memref<64xf32>
  }
  affine.for %i5 = 0 to 4 {
    affine.store %x, %A[%i5 * 4 + 5] : memref<64xf32>
  }
  affine.for %i6 = 0 to 4 {
    affine.store %x, %A[%i6 * 2 + 6] : memref<64xf32>
  }
  affine.for %i7 = 0 to 4 {
    affine.store %x, %A[%i7 * 3 + 7] : memref<64xf32>
  }
  affine.for %i8 = 0 to 4 {
    affine.store %x, %A[%i8 * 4 + 8] : memref<64xf32>
  }
  affine.for %i9 = 0 to 4 {
    affine.store %x, %A[%i9 * 2 + 9] : memref<64xf32>
  }
  affine.for %i10 = 0 to 4 {
    affine.store %x, %A[%i10 * 3 + 10] : memref<64xf32>
  }
  affine.for %i11 = 0 to 4 {
    affine.store %x, %A[%i11 * 4 + 11] : memref<64xf32>
  }
  return
}

//--- holes.mlir
func.func @holes(%A: memref<128x128x128xf32>, %x: f32) {
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 128 {
      affine.for %k = 0 to 128 {
        affine.if affine_set<(d0, d1, d2) : (d0 mod 3 - 1 >= 0, d1 mod 4 - 1 >= 0, d2 mod 5 - 1 >= 0)>(%i, %j, %k) {
          affine.store %x, %A[%i, %j, %k] : memref<128x128x128xf32>
        }
      }
    }
  }
  return
}

//--- skipped.mlir
func.func @skipped(%A: memref<8xf32>, %x: f32) attributes {nestor.skip} {
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}
