// What the options change, each against its default; the values that they refuse are
// in invalid-options.test.
// Two memrefs that may overlap: tested at run time, believed distinct, or left alone.
// RUN: nestor-opt %s --nestor-test-random-schedule=seed=1 2>&1 | FileCheck %s --check-prefixes=STRICT,TESTED
// RUN: nestor-opt %s --nestor-test-random-schedule='seed=1 alias=assume-distinct' 2>&1 | FileCheck %s --check-prefixes=STRICT,DISTINCT
// RUN: nestor-opt %s --nestor-test-random-schedule='seed=1 alias=conservative' 2>&1 | FileCheck %s --check-prefix=CAREFUL
// STRICT: remark: random schedule (same order): {{.+}}
// TESTED: scf.if
// DISTINCT-NOT: scf.if
// CAREFUL: remark: random schedule (same order): none could be applied

// A sum of floats keeps its order, if nothing is said.
// RUN: nestor-opt %s --nestor-test-random-schedule='seed=1 reassociate=true' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FREE
// FREE: remark: random schedule (reorders): {{.+}}
// RUN: nestor-opt %s --nestor-print-scores='cost-model=analytical target=generic-avx2 reassociate=true top=99' -o /dev/null | FileCheck %s --check-prefix=SCORES
// SCORES: scop {{[0-9a-f]+}} {{[0-9]+}} candidates

// A descriptor file serves as target as well as its name does.
// RUN: nestor-measure describe-machine -o %t.json
// RUN: nestor-opt %s --nestor-print-scores='cost-model=analytical target=%t.json' -o /dev/null | FileCheck %s --check-prefix=SCORES
// RUN: nestor-opt %s --nestor-print-scores='cost-model=analytical target=native' -o /dev/null | FileCheck %s --check-prefix=SCORES
// RUN: sed 's/"vectorBits": [0-9]*/"vectorBits": 99999/' %t.json > %t.bad.json
// RUN: not nestor-opt %s --nestor-autoschedule='cost-model=analytical target=%t.bad.json' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: {{.*}}.bad.json: target descriptor: needs an integer 'vectorBits' of 64 to 4096
func.func @sum(%A: memref<16xf32>, %S: memref<f32>) {
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.addf %s, %a : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}
