// Legal schedules whose code would be too large, or is not affine: an error, and the
// function is left as it was.
// RUN: nestor-opt %s --nestor-apply-schedule -split-input-file -verify-diagnostics

// The points that three conditions leave make many pieces.
func.func @copies(%A: memref<32x32xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "f786b9a019e93c26", steps = [#nestor.reverse<"L0">]>]} {
  // expected-error @below {{the schedule cannot be applied: its code would have too many copies of a statement}}
  affine.for %i0 = 0 to 32 {
    affine.for %i1 = 0 to 32 {
      affine.if affine_set<(d0, d1) : (d0 mod 3 - 1 >= 0, d1 mod 4 - 1 >= 0)>(%i0, %i1) {
      } else {
        affine.if affine_set<(d0, d1) : (d0 mod 4 - 1 >= 0, d1 mod 5 - 1 >= 0)>(%i0, %i1) {
        } else {
          affine.if affine_set<(d0, d1) : (d0 mod 5 - 1 >= 0, d1 mod 6 - 1 >= 0)>(%i0, %i1) {
          } else {
            affine.store %x, %A[%i0, %i1] : memref<32x32xf32>
          }
        }
      }
    }
  }
  return
}

// -----

// Two statements share what ten conditions leave of a loop.
func.func @cases(%A: memref<128xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "f854efe71077f329", steps = [#nestor.reverse<"L0">]>]} {
  // expected-error @below {{the schedule cannot be applied: its code would have a condition of too many cases}}
  affine.for %i0 = 0 to 128 {
    affine.if affine_set<(d0) : (d0 mod 97 - 1 >= 0, 4 - d0 mod 97 >= 0)>(%i0) {
    } else {
      affine.if affine_set<(d0) : (d0 mod 97 - 8 >= 0, 11 - d0 mod 97 >= 0)>(%i0) {
      } else {
        affine.if affine_set<(d0) : (d0 mod 97 - 15 >= 0, 18 - d0 mod 97 >= 0)>(%i0) {
        } else {
          affine.if affine_set<(d0) : (d0 mod 97 - 22 >= 0, 25 - d0 mod 97 >= 0)>(%i0) {
          } else {
            affine.if affine_set<(d0) : (d0 mod 97 - 29 >= 0, 32 - d0 mod 97 >= 0)>(%i0) {
            } else {
              affine.if affine_set<(d0) : (d0 mod 97 - 36 >= 0, 39 - d0 mod 97 >= 0)>(%i0) {
              } else {
                affine.if affine_set<(d0) : (d0 mod 97 - 43 >= 0, 46 - d0 mod 97 >= 0)>(%i0) {
                } else {
                  affine.if affine_set<(d0) : (d0 mod 97 - 50 >= 0, 53 - d0 mod 97 >= 0)>(%i0) {
                  } else {
                    affine.if affine_set<(d0) : (d0 mod 97 - 57 >= 0, 60 - d0 mod 97 >= 0)>(%i0) {
                    } else {
                      affine.if affine_set<(d0) : (d0 mod 97 - 64 >= 0, 67 - d0 mod 97 >= 0)>(%i0) {
                      } else {
                        affine.store %x, %A[%i0] : memref<128xf32>
                        affine.store %x, %A[%i0] : memref<128xf32>
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return
}

// -----

// isl compares remainders in a way that has no affine form.
func.func @inexpressible(%A: memref<32x32x32xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "a2cc25b1993b9a35", steps = [#nestor.tile<["L0", "L1"], [4, 4]>]>]} {
  // expected-error @below {{the schedule cannot be applied: its code would have a bound or condition that affine ops cannot express}}
  affine.for %i0 = 0 to 32 {
    affine.for %i1 = 0 to 32 {
      affine.for %i2 = 0 to 32 {
        affine.if affine_set<(d0, d1, d2) : (d0 mod 3 - 1 >= 0, d1 mod 4 - 1 >= 0, d2 mod 5 - 1 >= 0)>(%i0, %i1, %i2) {
        } else {
          affine.if affine_set<(d0, d1, d2) : (d0 mod 4 - 1 >= 0, d1 mod 5 - 1 >= 0, d2 mod 6 - 1 >= 0)>(%i0, %i1, %i2) {
          } else {
            affine.store %x, %A[%i0, %i1, %i2] : memref<32x32x32xf32>
          }
        }
      }
    }
  }
  return
}

// -----

// 64 x 64 x 2 instances in a row.
func.func @long(%A: memref<64x64x64xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "8741a68099e809b9", steps = [#nestor.unroll_jam<"L0", 64>, #nestor.unroll_jam<"L1", 64>, #nestor.unroll<"L2", 2>]>]} {
  // expected-error @below {{the schedule cannot be applied: its code would be too long}}
  affine.for %i0 = 0 to 64 {
    affine.for %i1 = 0 to 64 {
      affine.for %i2 = 0 to 64 {
        affine.store %x, %A[%i0, %i1, %i2] : memref<64x64x64xf32>
      }
    }
  }
  return
}
