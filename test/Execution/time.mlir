// The form of what time prints; no time is expected.
// RUN: nestor-measure time %s %s --pairs=3 --min-time=1e-5 | FileCheck %s --check-prefix=TEXT
// RUN: nestor-measure time %s %s --pairs=3 --min-time=1e-5 --json > %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %python -c "import json, sys; r = json.load(open(sys.argv[1])); c = r['candidates'][0]; q = c['quartiles']; assert c['ratio'] > 0 and q[0] <= c['ratio'] <= q[1] and c['candidateHash'] == r['baseHash']" %t.json
// RUN: nestor-measure time %s %s --pairs=1 --min-time=1e-5 --refill=always --json | FileCheck %s --check-prefix=REFILL
// RUN: not nestor-measure time %s %S/Inputs/keep.mlir --pairs=1 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: nestor-measure time %s %S/Inputs/keep.mlir --pairs=1 --min-time=1e-5 --check=false

// TEXT: machine: {{.+}}, LLVM 22.{{.*}}, core {{[0-9]+}}
// TEXT: time.mlir: {{[0-9.]+}} times as fast as the base (quartiles {{[0-9.]+}} to {{[0-9.]+}}, 3 pairs), base {{[0-9.e+-]+}} s, candidate {{[0-9.e+-]+}} s

// JSON:      "machine": {
// JSON:        "cpu": "{{.+}}",
// JSON:        "llvmVersion": "22.
// JSON:        "core": {{[0-9]+}}
// JSON:      "base": "{{.*}}time.mlir",
// JSON-NEXT: "baseHash": "{{[0-9a-f]+}}",
// JSON-NEXT: "refill": false,
// JSON-NEXT: "candidates": [
// JSON-NEXT:   {
// JSON-NEXT:     "candidate": "{{.*}}time.mlir",
// JSON-NEXT:     "candidateHash": "{{[0-9a-f]+}}",
// JSON-NEXT:     "ratio": {{[0-9.e+-]+}},
// JSON-NEXT:     "quartiles": [
// JSON:          "pairs": 3,
// JSON-NEXT:     "baseSeconds": {{[0-9.e+-]+}},
// JSON-NEXT:     "candidateSeconds": {{[0-9.e+-]+}}

// REFILL: "refill": true
// WRONG: error: {{.*}}keep.mlir: computes something else than the base (argument 1, element [0], {{.*}}); allow rounding with --tolerance, or time it anyway with --check=false
func.func @kernel(%A: memref<64xf32>, %B: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %A[%i] : memref<64xf32>
    affine.store %v, %B[%i] : memref<64xf32>
  }
  return
}
