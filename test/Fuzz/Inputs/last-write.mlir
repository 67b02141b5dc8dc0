// Which iteration writes @kernel's only cell last decides; the rest is ballast.
func.func @kernel(%to: memref<4xi32>, %from: memref<14xi32>) {
  affine.for %i = 2 to 11 {
    %one = arith.constant 1 : i32
    %a = affine.load %from[%i] : memref<14xi32>
    %b = affine.load %to[1] : memref<4xi32>
    %c = arith.addi %a, %b : i32
    affine.store %c, %to[3] : memref<4xi32>
    affine.store %one, %to[2] : memref<4xi32>
  }
  affine.for %i = 0 to 4 {
    %a = affine.load %from[%i + 2] : memref<14xi32>
    affine.store %a, %from[%i] : memref<14xi32>
  }
  return
}
func.func @main(%arena: memref<65536xi8>, %table: memref<64xindex>)
    attributes {tables = [array<i64: 64, 512>, array<i64: 64, 64>]} {
  %c0 = arith.constant 0 : index
  %to = memref.load %table[%c0] : memref<64xindex>
  %0 = memref.view %arena[%to][] : memref<65536xi8> to memref<4xi32>
  %c1 = arith.constant 1 : index
  %from = memref.load %table[%c1] : memref<64xindex>
  %1 = memref.view %arena[%from][] : memref<65536xi8> to memref<14xi32>
  call @kernel(%0, %1) : (memref<4xi32>, memref<14xi32>) -> ()
  return
}
