// Steps that must not be applied, and what the user is told. The function is left
// as it was.
// RUN: nestor-opt %s --nestor-apply-schedule=alias=assume-distinct -split-input-file -verify-diagnostics

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

// Distance (1, -1): interchange would run the target first.
func.func @interchange(%A: memref<16x16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "1f1d6f82344af24b",
      steps = [#nestor.interchange<["L1", "L0"]>]>]} {
  // expected-error @+1 {{schedule step #nestor.interchange<["L1", "L0"]>: it would break a dependence from statement 0 to statement 0 on an array (array0)}}
  affine.for %i = 1 to 16 {
    affine.for %j = 0 to 15 {
      %a = affine.load %A[%i - 1, %j + 1] : memref<16x16xf32>
      affine.store %a, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

// -----

// The same, tiled: tiles of i would run before all of j is there.
func.func @tile(%A: memref<16x16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "1f1d6f82344af24b",
      steps = [#nestor.tile<["L0", "L1"], [4, 4]>]>]} {
  // expected-error @+1 {{schedule step #nestor.tile<["L0", "L1"], [4, 4]>: it would break a dependence from statement 0 to statement 0 on an array (array0)}}
  affine.for %i = 1 to 16 {
    affine.for %j = 0 to 15 {
      %a = affine.load %A[%i - 1, %j + 1] : memref<16x16xf32>
      affine.store %a, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

// -----

// The same, jammed: row i + 1 needs what comes later in row i.
func.func @jam(%A: memref<16x16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "1f1d6f82344af24b",
      steps = [#nestor.unroll_jam<"L0", 2>]>]} {
  // expected-error @+1 {{schedule step #nestor.unroll_jam<"L0", 2>: it would break a dependence from statement 0 to statement 0 on an array (array0)}}
  affine.for %i = 1 to 16 {
    affine.for %j = 0 to 15 {
      %a = affine.load %A[%i - 1, %j + 1] : memref<16x16xf32>
      affine.store %a, %A[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

// -----

// A recurrence backwards.
func.func @reverse(%A: memref<16xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "651d5fa4eb8cd188",
      steps = [#nestor.reverse<"L0">]>]} {
  // expected-error @+1 {{schedule step #nestor.reverse<"L0">: it would break a dependence from statement 0 to statement 0 on an array (array0)}}
  affine.for %i = 1 to 16 {
    %a = affine.load %A[%i - 1] : memref<16xf32>
    affine.store %a, %A[%i] : memref<16xf32>
  }
  return
}

// -----

// A recurrence in lanes, even if it looks back further than the width.
func.func @vectorize(%A: memref<64xf32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "6ecaa4336fbade4c",
      steps = [#nestor.vectorize<"L0", 4, 1>]>]} {
  // expected-error @+1 {{schedule step #nestor.vectorize<"L0", 4, 1>: vectorize: loop 'L0' carries a dependence, so its iterations cannot be lanes}}
  affine.for %i = 8 to 64 {
    %a = affine.load %A[%i - 8] : memref<64xf32>
    affine.store %a, %A[%i] : memref<64xf32>
  }
  return
}

// -----

// A stencil in place: both loops carry.
func.func @stencil_tile(%A: memref<16x16xf64>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "8643acf4ba6e8ff4",
      steps = [#nestor.tile<["L1", "L2"], [4, 4]>]>]} {
  // expected-error @+1 {{schedule step #nestor.tile<["L1", "L2"], [4, 4]>: it would break a dependence from statement 0 to statement 0 on an array (array0)}}
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 15 {
      affine.for %j = 1 to 15 {
        %a = affine.load %A[%i - 1, %j + 1] : memref<16x16xf64>
        %b = affine.load %A[%i + 1, %j] : memref<16x16xf64>
        %s = arith.addf %a, %b : f64
        affine.store %s, %A[%i, %j] : memref<16x16xf64>
      }
    }
  }
  return
}

// -----

// A floating-point sum keeps its order without flags...
func.func @strict_sum(%A: memref<16xf32>, %S: memref<f32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "c9cafcd031bd8e36",
      steps = [#nestor.reverse<"L0">]>]} {
  // expected-error @+1 {{schedule step #nestor.reverse<"L0">: it would break a dependence from statement 0 to statement 0 on an array (array1)}}
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.addf %s, %a : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}

// -----

// ... and flags of another kind say nothing about order.
func.func @contract_sum(%A: memref<16xf32>, %S: memref<f32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "67697663082e1166",
      steps = [#nestor.reverse<"L0">]>]} {
  // expected-error @+1 {{schedule step #nestor.reverse<"L0">: it would break a dependence from statement 0 to statement 0 on an array (array1)}}
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.addf %s, %a fastmath<contract, nnan, ninf> : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}

// -----

// A subtraction is no reduction that may be reordered: cell = x - cell.
func.func @no_reduction(%A: memref<16xi32>, %S: memref<i32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "bfea8350311e1436",
      steps = [#nestor.reverse<"L0">]>]} {
  // expected-error @+1 {{schedule step #nestor.reverse<"L0">: it would break a dependence from statement 0 to statement 0 on an array (array1)}}
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xi32>
    %s = affine.load %S[] : memref<i32>
    %t = arith.subi %a, %s : i32
    affine.store %t, %S[] : memref<i32>
  }
  return
}

// -----

// cell = cell + cell: its own value is both operands.
func.func @doubling(%S: memref<i32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "baea30c5c152a39f",
      steps = [#nestor.reverse<"L0">]>]} {
  // expected-error @+1 {{schedule step #nestor.reverse<"L0">: it would break a dependence from statement 0 to statement 0 on an array (array0)}}
  affine.for %i = 0 to 16 {
    %s = affine.load %S[] : memref<i32>
    %t = arith.addi %s, %s : i32
    affine.store %t, %S[] : memref<i32>
  }
  return
}

// -----

// A sum that may be reordered still carries: lanes would race.
func.func @lanes_of_a_sum(%A: memref<16xi32>, %S: memref<i32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "2411f317173fd74e",
      steps = [#nestor.reverse<"L0">, #nestor.vectorize<"L0", 4, 1>]>]} {
  // expected-error @+1 {{schedule step #nestor.vectorize<"L0", 4, 1>: vectorize: loop 'L0' carries a dependence, so its iterations cannot be lanes}}
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xi32>
    %s = affine.load %S[] : memref<i32>
    %t = arith.addi %s, %a : i32
    affine.store %t, %S[] : memref<i32>
  }
  return
}

// -----

// A value that crosses iterations is a value of the nest.
func.func @carried(%A: memref<16xi32>) -> i32 attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "f0b069f79a3fe7ed",
      steps = [#nestor.reverse<"L0">]>]} {
  %z = arith.constant 0 : i32
  // expected-error @+1 {{it would break a dependence from statement 1 to statement 1 on a value of the nest (slot1)}}
  %r = affine.for %i = 0 to 16 iter_args(%s = %z) -> i32 {
    %a = affine.load %A[%i] : memref<16xi32>
    %t = arith.subi %a, %s : i32
    affine.yield %t : i32
  }
  return %r : i32
}

// -----

// Between two statements: the second one reads what the first wrote one
// iteration ago.
func.func @two_statements(%A: memref<17xi32>, %B: memref<17xi32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "83e7cfc9194bce3f",
      steps = [#nestor.reverse<"L0">]>]} {
  // expected-error @+1 {{it would break a dependence from statement 0 to statement 1 on an array (array0)}}
  affine.for %i = 1 to 17 {
    %c = arith.constant 3 : i32
    affine.store %c, %A[%i] : memref<17xi32>
    %a = affine.load %A[%i - 1] : memref<17xi32>
    affine.store %a, %B[%i] : memref<17xi32>
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

func.func @unknown(%A: memref<8x8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "69282e17f93bdda7",
      steps = [#nestor.interchange<["L1", "i"]>]>]} {
  // expected-error @+1 {{schedule step #nestor.interchange<["L1", "i"]>: there is no loop 'i'; the loops are 'L0' 'L1'}}
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %x, %A[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// -----

func.func @unknown_reverse(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.reverse<"L1">]>]} {
  // expected-error @+1 {{there is no loop 'L1'; the loops are 'L0'}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @unknown_tile(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.tile<["L0", "L0.t"], [2, 2]>]>]} {
  // expected-error @+1 {{there is no loop 'L0.t'; the loops are 'L0'}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @unknown_unroll(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.unroll<"", 2>]>]} {
  // expected-error @+1 {{there is no loop ''; the loops are 'L0'}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @unknown_jam(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.unroll_jam<"L7", 2>]>]} {
  // expected-error @+1 {{there is no loop 'L7'; the loops are 'L0'}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @unknown_vectorize(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.vectorize<"l0", 2, 1>]>]} {
  // expected-error @+1 {{there is no loop 'l0'; the loops are 'L0'}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @unknown_promote(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.promote<"L">]>]} {
  // expected-error @+1 {{there is no loop 'L'; the loops are 'L0'}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

// A loop without statements is no loop of the schedule.
func.func @useless_loop(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "e34ccac5e6c1c59f",
      steps = [#nestor.reverse<"L1">]>]} {
  // expected-error @+1 {{there is no loop 'L1'; the loops are 'L0'}}
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.load %A[%j] : memref<8xf32>
    }
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

// An imperfect nest has a band for each of its loops.
func.func @other_band(%A: memref<8x8xf32>, %B: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "e9a6031714a71aa5",
      steps = [#nestor.interchange<["L1", "L0"]>]>]} {
  // expected-error @+1 {{schedule step #nestor.interchange<["L1", "L0"]>: interchange: loop 'L0' is in another band than the first one}}
  affine.for %i = 0 to 8 {
    affine.store %x, %B[%i] : memref<8xf32>
    affine.for %j = 0 to 8 {
      affine.store %x, %A[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// -----

func.func @other_band_tile(%A: memref<8x8xf32>, %B: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "e9a6031714a71aa5",
      steps = [#nestor.tile<["L0", "L1"], [2, 2]>]>]} {
  // expected-error @+1 {{tile: loop 'L1' is in another band than the first one}}
  affine.for %i = 0 to 8 {
    affine.store %x, %B[%i] : memref<8xf32>
    affine.for %j = 0 to 8 {
      affine.store %x, %A[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// -----

// A tile loop and its point loop are in different bands.
func.func @tile_and_point(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.tile<["L0"], [2]>, #nestor.interchange<["L0", "L0.t"]>]>]} {
  // expected-error @+1 {{interchange: loop 'L0.t' is in another band than the first one}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Point loops
//===----------------------------------------------------------------------===//

func.func @tile_point(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.vectorize<"L0", 4, 1>, #nestor.tile<["L0.v"], [2]>]>]} {
  // expected-error @+1 {{schedule step #nestor.tile<["L0.v"], [2]>: tile: loop 'L0.v' is unrolled or vectorized already}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @unroll_point(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.unroll<"L0", 4>, #nestor.unroll<"L0.u", 2>]>]} {
  // expected-error @+1 {{schedule step #nestor.unroll<"L0.u", 2>: unroll: loop 'L0.u' is unrolled or vectorized already}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @jam_point(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.unroll_jam<"L0", 4>, #nestor.unroll_jam<"L0.u", 2>]>]} {
  // expected-error @+1 {{unroll_jam: loop 'L0.u' is unrolled or vectorized already}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @vectorize_point(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.unroll<"L0", 4>, #nestor.vectorize<"L0.u", 4, 1>]>]} {
  // expected-error @+1 {{vectorize: loop 'L0.u' is unrolled or vectorized already}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @reverse_point(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.unroll<"L0", 4>, #nestor.reverse<"L0.u">]>]} {
  // expected-error @+1 {{reverse: loop 'L0.u' is unrolled or vectorized already}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @promote_point(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.unroll<"L0", 4>, #nestor.promote<"L0.u">]>]} {
  // expected-error @+1 {{promote: loop 'L0.u' is unrolled or vectorized already}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @promote_twice(%A: memref<8xf32>, %x: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "7c9b1a314d3ca124",
      steps = [#nestor.promote<"L0">, #nestor.promote<"L0">]>]} {
  // expected-error @+1 {{promote: the loop has the mark already}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}
