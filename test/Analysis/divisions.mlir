// Subscripts with many divisions make isl's operations slow, so a nest of them
// gets fewer: it is left alone after a second or two, not after minutes.
// RUN: nestor-opt %s --nestor-test-random-schedule -o /dev/null \
// RUN:   --split-input-file --verify-diagnostics

func.func @many(%A: memref<1000x1000xf32>, %B: memref<1000x1000xf32>) {
  // expected-remark @+1 {{left alone: its dependences are too complex to compute exactly}}
  affine.for %i = 0 to 500 {
    affine.for %j = 0 to 500 {
      affine.for %k = 0 to 20 {
        %a = affine.load %A[(((%i + %j * 3) mod 97) floordiv 5 + (%k * 7 + %j) mod 31) mod 13, ((%i * 2 + %k) floordiv 3) mod 29] : memref<1000x1000xf32>
        %b = affine.load %B[((%i + %k) mod 17) * 3 + (%j floordiv 4) mod 11, (%j + %i) mod 23] : memref<1000x1000xf32>
        %c = arith.addf %a, %b : f32
        affine.store %c, %A[(((%i + %j * 5) mod 89) floordiv 3 + (%k + %i) mod 7) mod 41, (%j * 3 + %k) mod 37] : memref<1000x1000xf32>
      }
    }
  }
  return
}

// -----

// A few are no matter.
func.func @few(%A: memref<100xf32>) {
  // expected-remark @+1 {{random schedule (}}
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 8 {
      %a = affine.load %A[(%i * 8 + %j) floordiv 7] : memref<100xf32>
      %c = arith.addf %a, %a : f32
      affine.store %c, %A[50 + (%i + %j) mod 5] : memref<100xf32>
    }
  }
  return
}
