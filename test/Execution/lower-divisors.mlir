// MLIR dies when it lowers some expressions with a divisor that is not
// positive (found with damaged files): they are refused before.
// RUN: nestor-opt %s --nestor-to-llvm -o /dev/null --split-input-file \
// RUN:   --verify-diagnostics

func.func @by_zero(%A: memref<8xf32>, %x: f32) {
  // expected-error @+1 {{'affine.for' op divides by 0 in an affine expression; use a divisor that is positive}}
  affine.for %i = 0 to affine_map<() -> (8 floordiv 0)>() {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @negative_modulus(%A: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    // expected-error @+1 {{'affine.if' op divides by -1 in an affine expression}}
    affine.if affine_set<(d0) : (d0 mod -1 >= 0)>(%i) {
      affine.store %x, %A[%i] : memref<8xf32>
    }
  }
  return
}

// -----

func.func @positive(%A: memref<8xf32>, %x: f32, %n: index) {
  affine.for %i = 0 to affine_map<(d0) -> (d0 ceildiv 3)>(%n) {
    affine.store %x, %A[%i mod 4] : memref<8xf32>
  }
  return
}
