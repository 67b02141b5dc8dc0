#!/usr/bin/env python3
"""How scheduling time grows with the program: nests in a function, and depth.

    bench/scaling.py --bin build/bin

Times `nestor-opt --nestor-autoschedule` (analytical model, default budget) on one
function with 1 to 100 nests and on one nest of depth 1 to 8, and prints the two
tables of docs/design.md. Times are user CPU seconds of the process.
"""

import argparse
import pathlib
import resource
import subprocess
import tempfile


def nests(count):
    """`count` nests, of three kinds in turn, on buffers of their own."""
    body = []
    for n in range(count):
        body.append(f"  %a{n} = memref.alloc() : memref<64x64xf32>")
    for n in range(count):
        buffer, type_ = f"%a{n}", "memref<64x64xf32>"
        source = ["%i, %j", "%j, %i", "%i + 1, %j"][n % 3]
        body += [f"  affine.for %i = 0 to 63 {{ affine.for %j = 0 to 63 {{",
                 f"    %x = affine.load %a{max(0, n - 1)}[{source}] : {type_}",
                 "    %y = arith.addf %x, %x : f32",
                 f"    affine.store %y, {buffer}[%j, %i] : {type_}", "  } }"]
    return "func.func @kernel() {\n" + "\n".join(body) + "\n  return\n}\n"


def deep(depth):
    """One nest that sums over all of its loops but the first two."""
    loops = " ".join(f"affine.for %i{d} = 0 to 16 {{" for d in range(depth))
    cell = ", ".join(f"%i{d}" for d in range(min(2, depth)))
    rest = " + ".join(f"%i{d}" for d in range(depth))
    rank = "x".join(["16"] * min(2, depth))
    return f"""func.func @kernel(%A: memref<{rank}xf32>, %B: memref<{16 * depth}xf32>) {{
  {loops}
    %a = affine.load %A[{cell}] : memref<{rank}xf32>
    %b = affine.load %B[{rest}] : memref<{16 * depth}xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %A[{cell}] : memref<{rank}xf32>
  {"}" * depth}
  return
}}
"""


def seconds(opt, program, folder):
    source = folder / "program.mlir"
    source.write_text(program)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([opt, source, "--nestor-autoschedule=cost-model=analytical "
                    "target=generic-avx2", "-o", folder / "out.mlir"], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/bin"))
    options = parser.parse_args()
    opt = options.bin / "nestor-opt"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for title, make, sizes in [("nests", nests, [1, 2, 5, 10, 20, 50, 100]),
                                   ("depth", deep, range(1, 9))]:
            print(f"| {title} | seconds |\n| --- | --- |")
            for size in sizes:
                print(f"| {size} | {seconds(opt, make(size), folder):.2f} |", flush=True)
            print()


if __name__ == "__main__":
    main()
