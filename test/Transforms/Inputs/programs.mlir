// Programs that tests of whole passes share: one function a kind of nest.
func.func @matmul(%A: memref<33x40xf32>, %B: memref<40x50xf32>, %C: memref<33x50xf32>) {
  affine.for %i = 0 to 33 {
    affine.for %j = 0 to 50 {
      affine.for %k = 0 to 40 {
        %a = affine.load %A[%i, %k] : memref<33x40xf32>
        %b = affine.load %B[%k, %j] : memref<40x50xf32>
        %c = affine.load %C[%i, %j] : memref<33x50xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<33x50xf32>
      }
    }
  }
  return
}

func.func @matmul_int(%A: memref<33x40xi32>, %B: memref<40x50xi32>, %C: memref<33x50xi32>) {
  affine.for %i = 0 to 33 {
    affine.for %j = 0 to 50 {
      %z = arith.constant 0 : i32
      affine.store %z, %C[%i, %j] : memref<33x50xi32>
      affine.for %k = 0 to 40 {
        %a = affine.load %A[%i, %k] : memref<33x40xi32>
        %b = affine.load %B[%k, %j] : memref<40x50xi32>
        %c = affine.load %C[%i, %j] : memref<33x50xi32>
        %p = arith.muli %a, %b : i32
        %s = arith.addi %c, %p overflow<nsw> : i32
        affine.store %s, %C[%i, %j] : memref<33x50xi32>
      }
    }
  }
  return
}

func.func @transpose(%A: memref<64x64xf64>, %B: memref<64x64xf64>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %a = affine.load %A[%j, %i] : memref<64x64xf64>
      affine.store %a, %B[%j, %i] : memref<64x64xf64>
    }
  }
  return
}

func.func @stencil(%A: memref<40x40xf64>, %B: memref<40x40xf64>) {
  affine.for %t = 0 to 4 {
    affine.for %i = 1 to 39 {
      affine.for %j = 1 to 39 {
        %a = affine.load %A[%i - 1, %j] : memref<40x40xf64>
        %b = affine.load %A[%i + 1, %j] : memref<40x40xf64>
        %s = arith.addf %a, %b : f64
        affine.store %s, %B[%i, %j] : memref<40x40xf64>
      }
    }
    affine.for %i = 1 to 39 {
      affine.for %j = 1 to 39 {
        %c = arith.constant 0.25 : f64
        %b = affine.load %B[%i, %j] : memref<40x40xf64>
        %s = arith.mulf %b, %c : f64
        affine.store %s, %A[%i, %j] : memref<40x40xf64>
      }
    }
  }
  return
}

func.func @triangle(%A: memref<40x40xf64>, %x: memref<40xf64>, %n: index {nestor.value = 37 : index}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %a = affine.load %A[%j, %i] : memref<40x40xf64>
      %b = arith.addf %a, %a : f64
      affine.store %b, %A[%j, %i] : memref<40x40xf64>
    }
    affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) {
      %c = arith.constant 1.0 : f64
      affine.store %c, %x[%i] : memref<40xf64>
    }
  }
  return
}

// Two scops with a call in between; the second uses a value of the first.
func.func private @ext() {
  return
}
func.func @two_scops(%A: memref<40xf32>, %B: memref<40x40xf32>, %C: memref<40x40xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = affine.for %i = 0 to 40 iter_args(%acc = %z) -> f32 {
    %a = affine.load %A[%i] : memref<40xf32>
    %t = arith.addf %acc, %a : f32
    affine.yield %t : f32
  }
  %c1 = arith.constant 1 : index
  %x = memref.load %A[%c1] : memref<40xf32>
  func.call @ext() : () -> ()
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %b = affine.load %B[%j, %i] : memref<40x40xf32>
      %m = arith.mulf %b, %s : f32
      %o = arith.addf %m, %x : f32
      affine.store %o, %C[%j, %i] : memref<40x40xf32>
    }
  }
  return %s : f32
}

// Little to gain, a part to find, nothing to look at.
func.func @small(%A: memref<2xf32>, %x: f32) {
  affine.for %i = 0 to 2 {
    affine.store %x, %A[%i] : memref<2xf32>
  }
  return
}

func.func @left_alone(%A: memref<64x64xf32>, %x: f32) {
  affine.for %i = 0 to 64 {
    func.call @ext() : () -> ()
    affine.for %j = 0 to 64 {
      affine.for %k = 0 to 64 {
        affine.store %x, %A[%k, %j] : memref<64x64xf32>
      }
    }
  }
  return
}

func.func @skipped(%A: memref<64x64xf32>, %x: f32) attributes {nestor.skip} {
  affine.for %j = 0 to 64 {
    affine.for %k = 0 to 64 {
      affine.store %x, %A[%k, %j] : memref<64x64xf32>
    }
  }
  return
}
