// arith, math, index, cf, ub and linalg lower; what has no LLVM intrinsic goes to
// libm, and small floats work on every CPU.
// RUN: nestor-opt %s --nestor-to-llvm | FileCheck %s \
// RUN:   --implicit-check-not="{{(= |  )(scf|cf|func|arith|math|memref|index|ub|linalg|builtin)\.}}"
// RUN: nestor-measure compare %s %s

// CHECK-LABEL: llvm.func @kernel
// CHECK-DAG: llvm.call @erff
// CHECK-DAG: llvm.intr.maximum
// CHECK-DAG: llvm.intr.exp
// CHECK-DAG: llvm.call @erf(
// CHECK-DAG: llvm.intr.pow
func.func @kernel(%A: memref<8xf32>, %D: memref<8xf64>, %H: memref<8xf16>,
                  %G: memref<8xbf16>, %I: memref<8xi32>, %n: index, %k: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%D : memref<8xf64>)
  scf.for %i = %c0 to %n step %n {
    %a = memref.load %A[%i] : memref<8xf32>
    %e = math.erf %a : f32
    %p = math.powf %e, %a : f32
    %t = math.tanh %p : f32
    %v = vector.broadcast %t : f32 to vector<4xf32>
    %w = math.erf %v : vector<4xf32>
    vector.store %w, %A[%i] : memref<8xf32>, vector<4xf32>
    %d = arith.extf %t : f32 to f64
    %q = math.erf %d : f64
    %m = arith.maximumf %q, %d : f64
    memref.store %m, %D[%i] : memref<8xf64>
    %h = memref.load %H[%i] : memref<8xf16>
    %x = math.exp %h : f16
    memref.store %x, %H[%i] : memref<8xf16>
    %g = memref.load %G[%i] : memref<8xbf16>
    %y = math.sqrt %g : bf16
    %z = arith.truncf %t : f32 to bf16
    %s = arith.addf %y, %z : bf16
    memref.store %s, %G[%i] : memref<8xbf16>
  }
  %j = index.floordivs %n, %n
  %u = arith.index_cast %j : index to i32
  %c = arith.ceildivsi %k, %u : i32
  %f = arith.floordivsi %c, %k : i32
  %b = math.ipowi %f, %k : i32
  %poison = ub.poison : i32
  %never = arith.constant false
  %chosen = arith.select %never, %poison, %b : i32
  cf.br ^end(%chosen : i32)
^end(%r : i32):
  memref.store %poison, %I[%c0] : memref<8xi32>
  memref.store %r, %I[%c0] : memref<8xi32>
  return %r : i32
}
