#!/usr/bin/env python3
"""How much the loop order of the source matters after scheduling.

Writes the f32 matrix product in all six loop orders, batched, and with A
transposed, schedules each, and times it. The base of every ratio is the `ikj`
order (for the variants: their own `ikj`) compiled by plain LLVM -O3 with the same
fastmath flags. Prints a table and the spread between the orders.

    bench/orders.py --bin build/bin --sizes 512 1024
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

BODY = """\
      %a = affine.load %A[{a}] : {ta}
      %b = affine.load %B[{b}] : {tb}
      %c = affine.load %C[{c}] : {tc}
      %p = arith.mulf %a, %b fastmath<contract> : f32
      %s = arith.addf %c, %p fastmath<contract> : f32
      affine.store %s, %C[{c}] : {tc}
"""


def program(order, size, variant):
    """The matrix product with its loops in `order` (a string over i, j, k)."""
    batch = 4 if variant == "batched" else None
    prefix, shape = ("%n, ", f"{batch}x") if batch else ("", "")
    kind = f"memref<{shape}{size}x{size}xf32>"
    a = "%k, %i" if variant == "transposed" else "%i, %k"
    body = BODY.format(a=prefix + a, b=prefix + "%k, %j", c=prefix + "%i, %j",
                       ta=kind, tb=kind, tc=kind)
    loops = ([("n", batch)] if batch else []) + [(name, size) for name in order]
    text = f"func.func @matmul(%A: {kind}, %B: {kind}, %C: {kind}) {{\n"
    for name, extent in loops:
        text += f"    affine.for %{name} = 0 to {extent} {{\n"
    return text + body + "    }\n" * len(loops) + "    return\n}\n"


def measure(options, folder, base, source):
    """Schedules `source`; returns its speedup over `base`, both as text."""
    paths = [folder / name for name in ("base.mlir", "source.mlir", "out.mlir")]
    paths[0].write_text(base)
    paths[1].write_text(source)
    subprocess.run([options.bin / "nestor-opt", paths[1], "-o", paths[2],
                    f"--nestor-autoschedule=cost-model={options.cost_model} "
                    f"target={options.target}"], check=True)
    done = subprocess.run(
        [options.bin / "nestor-measure", "time", paths[0], paths[2], "--json",
         f"--pairs={options.pairs}", "--core=1", "--tolerance=1e-4"],
        check=True, stdout=subprocess.PIPE, text=True)
    result = json.loads(done.stdout)["candidates"][0]
    return result["ratio"], result["candidateSeconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/bin"))
    parser.add_argument("--sizes", type=int, nargs="*", default=[512, 1024])
    parser.add_argument("--pairs", type=int, default=11)
    parser.add_argument("--cost-model", default="learned")
    parser.add_argument("--target", default="native")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for size in options.sizes:
            seconds = {}
            orders = ["".join(order) for order in itertools.permutations("ijk")]
            cases = [(order, "plain") for order in orders]
            cases += [("ijk", "batched"), ("ijk", "transposed")]
            for order, variant in cases:
                ratio, time = measure(
                    options, folder, program("ikj", size, variant),
                    program(order, size, variant))
                work = 4 if variant == "batched" else 1
                seconds[(order, variant)] = time / work
                print(f"{size:5} {order} {variant:10} {ratio:6.2f} times ikj, "
                      f"{2e-9 * size**3 * work / time:7.1f} GFLOP/s", flush=True)
            plain = [seconds[(order, "plain")] for order in orders]
            every = list(seconds.values())
            print(f"{size:5} slowest / fastest of the six orders "
                  f"{max(plain) / min(plain):.3f}, of all variants "
                  f"{max(every) / min(every):.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
