"""Prints jobs for 'nestor-measure serve', one JSON object a line."""
import json
import os

HEAD = "func.func @kernel(%A: memref<64xf32>, %B: memref<64xf32>) {\n"


def copy(index, extra=""):
    return (
        HEAD
        + "  affine.for %i = 0 to 64 {\n"
        + f"    %v = affine.load %A[{index}] : memref<64xf32>\n"
        + extra
        + f"    affine.store %v, %B[{index}] : memref<64xf32>\n"
        + "  }\n  return\n}\n"
    )


BASE = copy("%i")
REVERSED = copy("63 - %i")
NULL = (
    HEAD
    + "  %p = llvm.mlir.zero : !llvm.ptr\n"
    + "  %x = llvm.load volatile %p : !llvm.ptr -> f32\n  return\n}\n"
)
ENDLESS = (
    HEAD
    + "  %c = arith.constant 1 : i64\n"
    + "  %p = llvm.alloca %c x f32 : (i64) -> !llvm.ptr\n  cf.br ^again\n^again:\n"
    + "  %x = llvm.load volatile %p : !llvm.ptr -> f32\n  cf.br ^again\n}\n"
)
BEHIND = (
    HEAD
    + "  %i = arith.constant 64 : index\n  %x = arith.constant 1.0 : f32\n"
    + "  memref.store %x, %B[%i] : memref<64xf32>\n  return\n}\n"
)
WRONG = copy("%i").replace(
    "    affine.store %v", "    %w = arith.addf %v, %v : f32\n    affine.store %w"
)
RENAMED = BASE.replace("%i", "%row").replace("%v", "%cell").replace("@kernel", "@k")
KEEP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keep.mlir")
SHORT = {"pairs": 3, "minSeconds": 1e-5, "timeoutSeconds": 10}

jobs = [
    dict(
        SHORT,
        id="mixed",
        base=BASE,
        timeoutSeconds=2,
        candidates=[REVERSED, NULL, ENDLESS, REVERSED, BEHIND, WRONG, "module {", BASE],
    ),
    dict(SHORT, id=2, base=NULL, candidates=[KEEP]),
    dict(SHORT, id=3, base="module {", candidates=[KEEP]),
    dict(id=4, pairs=0, base=BASE, candidates=[BASE, RENAMED, REVERSED]),
    dict(id=5, base=BASE),
    None,
    dict(id=6, base=KEEP, candidates=[]),
]
for job in jobs:
    print(json.dumps(job) if job else "this is no JSON")
