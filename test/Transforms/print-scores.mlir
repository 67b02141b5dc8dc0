// The best candidates of a scop, with scores; the program stays as it is.
// RUN: nestor-opt %s --nestor-print-scores='cost-model=analytical target=generic-avx2 top=2 budget=100' -o %t | FileCheck %s
// RUN: nestor-opt %s -o %t.plain
// RUN: diff %t %t.plain
// RUN: nestor-opt %s --nestor-print-scores='cost-model=analytical search=random seed=1 budget=10 beam-width=2 top=9' -o /dev/null | FileCheck %s --check-prefix=RANDOM

// CHECK-LABEL: func @transpose
// CHECK-NEXT: scop {{[0-9a-f]+}} {{[0-9]+}} candidates
// CHECK-NEXT: {{^  [0-9]+\.[0-9][0-9] (source|distributed|isl-min-fuse|isl-max-fuse)}}
// CHECK-NEXT: {{^  [0-9]+\.[0-9][0-9] (source|distributed|isl-min-fuse|isl-max-fuse)}}
// CHECK-NOT: source
// RANDOM-LABEL: func @transpose
// RANDOM-NEXT: scop {{[0-9a-f]+}} 10 candidates
// RANDOM-DAG: {{1\.00 source$}}
func.func @transpose(%A: memref<64x64xf64>, %B: memref<64x64xf64>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %a = affine.load %A[%j, %i] : memref<64x64xf64>
      affine.store %a, %B[%j, %i] : memref<64x64xf64>
    }
  }
  return
}
