// What cannot be measured is an error that says what to do, never a guess.
// RUN: split-file %s %t
// RUN: not nestor-measure compare %t/good.mlir %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not nestor-measure compare %t/text.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not nestor-measure compare %t/good.mlir 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not nestor-measure 2>&1 | FileCheck %s --check-prefix=COMMAND
// RUN: not nestor-measure compare %t/two.mlir %t/two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: nestor-measure compare --entry=second %t/two.mlir %t/two.mlir
// RUN: not nestor-measure compare --entry=third %t/two.mlir %t/two.mlir 2>&1 | FileCheck %s --check-prefix=THIRD
// RUN: not nestor-measure compare %t/dynamic.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not nestor-measure compare %t/layout.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not nestor-measure compare %t/complex.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=COMPLEX
// RUN: not nestor-measure compare %t/init.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=INIT
// RUN: not nestor-measure compare %t/spd.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=SPD
// RUN: not nestor-measure compare %t/value.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not nestor-measure compare %t/result.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not nestor-measure compare %t/good.mlir %t/spd.mlir 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not nestor-measure compare %t/unknown.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not nestor-measure compare %t/tensor.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not nestor-measure compare %t/good.mlir %t/good.mlir --overlap=0:1 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not nestor-measure compare %t/good.mlir %t/good.mlir --alias-args=0=1 2>&1 | FileCheck %s --check-prefix=ALIAS
// RUN: not nestor-measure compare %t/good.mlir %t/good.mlir --alias-args=0-1 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not nestor-measure compare %t/good.mlir %t/good.mlir --overlap=0:0:1 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not nestor-measure compare %t/mixed.mlir %t/mixed.mlir --overlap=0:1:1 2>&1 | FileCheck %s --check-prefix=UNALIGNED
// RUN: not nestor-measure compare %t/good.mlir %t/good.mlir --timeout=nan 2>&1 | FileCheck %s --check-prefix=TIMEOUT
// RUN: not nestor-measure compare %t/good.mlir %t/good.mlir --timeout=-1 2>&1 | FileCheck %s --check-prefix=TIMEOUT
// RUN: not nestor-measure compare %t/good.mlir %t/good.mlir --timeout=1e300 2>&1 | FileCheck %s --check-prefix=TIMEOUT
// RUN: not nestor-measure compare %t/good.mlir %t/good.mlir --tolerance=nan 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// RUN: not nestor-measure time %t/good.mlir %t/good.mlir --min-time=nan 2>&1 | FileCheck %s --check-prefix=MINTIME
// RUN: not nestor-measure time %t/good.mlir %t/good.mlir --pairs=0 2>&1 | FileCheck %s --check-prefix=NOPAIRS
// RUN: not nestor-measure compare %t/pair.mlir %t/pair.mlir --overlap=0:1:9223372036854775807 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not nestor-measure compare %t/good.mlir %t/mixed.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not nestor-measure compare %t/float.mlir %t/integer.mlir 2>&1 | FileCheck %s --check-prefix=RESULTS
// RUN: not nestor-measure compare %t/private.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=PRIVATE
// RUN: not nestor-measure compare %t/vector.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not nestor-measure compare %t/scalar.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not nestor-measure compare %t/small.mlir %t/good.mlir 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not nestor-measure compare %t/huge.mlir %t/huge.mlir 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not nestor-measure worker < /dev/null 2>&1 | FileCheck %s --check-prefix=WORKER
// RUN: not nestor-measure time %t/good.mlir %t/good.mlir --core=4000 2>&1 | FileCheck %s --check-prefix=CORE

// MISSING: error: cannot read '{{.*}}missing.mlir': {{[Nn]}}o such file or directory
// TEXT: error: {{.*}}text.mlir:1:1:
// ONE: error: name a base and at least one candidate
// COMMAND: error: name a command; see nestor-measure --help
// TWO: error: {{.*}}two.mlir: 2 public functions (@first @second): name the one to run with --entry=NAME
// THIRD: error: {{.*}}two.mlir: no function @third with a body
// DYNAMIC: error: {{.*}}dynamic.mlir: argument 0 of @kernel has type memref<?xf32>: measuring needs a static shape
// LAYOUT: error: {{.*}}layout.mlir: argument 0 of @kernel has type memref<4xf32, strided<[2]>>: measuring needs the identity layout and the default memory space
// COMPLEX: error: {{.*}}complex.mlir: argument 0 of @kernel has type memref<4xcomplex<f32>>: measuring needs elements of f16, bf16, f32, f64, i1, i8, i16, i32, i64 or index
// INIT: error: {{.*}}init.mlir: argument 0 has unknown nestor.init 'random': use one of default, zero, small, spd, seq, dist
// SPD: error: {{.*}}spd.mlir: argument 0 has nestor.init 'spd', which needs a square matrix, but is memref<4x5xf32>
// VALUE: error: {{.*}}value.mlir: argument 0 of @kernel is a memref: use nestor.init, not nestor.value
// RESULT: error: {{.*}}result.mlir: result 0 of @kernel has type memref<4xf32>: measuring needs results that are numbers; pass buffers as arguments (--buffer-results-to-out-params)
// TYPES: error: {{.*}}spd.mlir: argument 0 is memref<4x5xf32> in the candidate but memref<4xf32> in the base
// UNKNOWN: error: {{.*}}unknown.mlir:2:{{[0-9]+}}: {{.*}}unregistered dialect
// TENSOR: error: {{.*}}tensor.mlir:4:{{[0-9]+}}: 'tensor.splat' cannot be lowered to LLVM: measuring needs programs of affine, scf, vector, arith, math, memref and linalg on memrefs
// OVERLAP: error: --overlap=0:1: expected A:B:elements, three integers
// ALIAS: error: {{.*}}good.mlir: cannot overlap argument 1: it is no memref of the function
// PAIR: error: --alias-args=0-1: expected A=B, two argument numbers, or none
// TAKEN: error: {{.*}}good.mlir: cannot place argument 0 inside argument 0: it already shares memory; name each second argument once, after those that its memory depends on
// UNALIGNED: error: {{.*}}mixed.mlir: cannot place argument 1 1 elements into argument 0: it would not be aligned
// TIMEOUT: error: --timeout must be a number from 0 to 1e+09
// TOLERANCE: error: --tolerance must be a number from 0 to 1e+09
// MINTIME: error: --min-time must be a number from 0 to 1e+09
// NOPAIRS: error: --pairs must be a number from 1 to 1e+09
// FAR: error: {{.*}}pair.mlir: cannot place argument 1 9223372036854775807 elements into argument 0: that is too far
// COUNT: error: {{.*}}mixed.mlir: the candidate has 2 arguments and 0 results, the base 1 and 0
// RESULTS: error: {{.*}}integer.mlir: the results of candidate and base differ in type
// PRIVATE: error: {{.*}}private.mlir: no public function with a body: name the function to run with --entry=NAME
// VECTOR: error: {{.*}}vector.mlir: argument 0 of @kernel has type vector<4xf32>: measuring needs memrefs and numbers
// SCALAR: error: {{.*}}scalar.mlir: argument 0 of @kernel is a scalar: use nestor.value, not nestor.init
// SMALL: error: {{.*}}small.mlir: argument 0 has nestor.init 'small', which needs a dimension, but is memref<f32>
// HUGE: error: {{.*}}huge.mlir: cannot allocate 4611686018427387904 bytes for the arguments
// WORKER: error: 'worker' speaks to the program that started it, through a socket: use compare, time or serve
// CORE: error: cannot bind to core 4000: {{.+}}; choose one of 'taskset -p $$'

//--- good.mlir
func.func @kernel(%A: memref<4xf32>) { return }
//--- text.mlir
this is no program
//--- two.mlir
func.func @first(%A: memref<4xf32>) { return }
func.func @second(%A: memref<4xf32>) { return }
//--- dynamic.mlir
func.func @kernel(%A: memref<?xf32>) { return }
//--- layout.mlir
func.func @kernel(%A: memref<4xf32, strided<[2]>>) { return }
//--- complex.mlir
func.func @kernel(%A: memref<4xcomplex<f32>>) { return }
//--- init.mlir
func.func @kernel(%A: memref<4xf32> {nestor.init = "random"}) { return }
//--- spd.mlir
func.func @kernel(%A: memref<4x5xf32> {nestor.init = "spd"}) { return }
//--- value.mlir
func.func @kernel(%A: memref<4xf32> {nestor.value = 1.0 : f32}) { return }
//--- result.mlir
func.func @kernel(%A: memref<4xf32>) -> memref<4xf32> { return %A : memref<4xf32> }
//--- pair.mlir
func.func @kernel(%A: memref<4xf32>, %B: memref<4xf32>) { return }
//--- mixed.mlir
func.func @kernel(%A: memref<4xf32>, %B: memref<4xf64>) { return }
//--- float.mlir
func.func @kernel() -> f32 {
  %r = arith.constant 1.0 : f32
  return %r : f32
}
//--- integer.mlir
func.func @kernel() -> i32 {
  %r = arith.constant 1 : i32
  return %r : i32
}
//--- private.mlir
func.func private @kernel(%A: memref<4xf32>) { return }
//--- vector.mlir
func.func @kernel(%A: vector<4xf32>) { return }
//--- scalar.mlir
func.func @kernel(%A: f32 {nestor.init = "zero"}) { return }
//--- small.mlir
func.func @kernel(%A: memref<f32> {nestor.init = "small"}) { return }
//--- huge.mlir
func.func @kernel(%A: memref<1152921504606846976xf32>) { return }
//--- unknown.mlir
func.func @kernel(%A: memref<4xf32>) {
  "nowhere.op"() : () -> ()
  return
}
//--- tensor.mlir
func.func @kernel(%A: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %A[%c0] : memref<4xf32>
  %t = tensor.splat %x : tensor<4xf32>
  %y = tensor.extract %t[%c0] : tensor<4xf32>
  %u = tensor.insert %y into %t[%c0] : tensor<4xf32>
  bufferization.materialize_in_destination %u in writable %A : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
