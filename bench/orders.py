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


def schedule(options, path, source):
    """Writes the scheduled form of `source` to `path`."""
    path.with_suffix(".in.mlir").write_text(source)
    subprocess.run([options.bin / "nestor-opt", path.with_suffix(".in.mlir"),
                    "-o", path,
                    f"--nestor-autoschedule=cost-model={options.cost_model} "
                    f"target={options.target}"], check=True)


def time(options, base, candidates, same_results=True):
    """Times programs against `base` in alternating pairs: [(ratio, seconds)]."""
    check = "--tolerance=1e-4" if same_results else "--check=false"
    done = subprocess.run(
        [options.bin / "nestor-measure", "time", base, *candidates, "--json",
         f"--pairs={options.pairs}", f"--core={options.core}", check],
        check=True, stdout=subprocess.PIPE, text=True)
    return [(result["ratio"], result["candidateSeconds"])
            for result in json.loads(done.stdout)["candidates"]]


def measure_size(options, folder, size):
    """One line a program, then how far apart they are."""
    orders = ["".join(order) for order in itertools.permutations("ijk")]
    cases = [(order, "plain") for order in orders]
    cases += [("ijk", "batched"), ("ijk", "transposed")]
    paths, rates = {}, []
    for order, variant in cases:
        base = folder / f"{variant}.mlir"
        base.write_text(program("ikj", size, variant))
        paths[order, variant] = folder / f"{order}-{variant}.mlir"
        schedule(options, paths[order, variant], program(order, size, variant))
        [(ratio, seconds)] = time(options, base, [paths[order, variant]])
        work = 4 if variant == "batched" else 1
        rates.append(2e-9 * size**3 * work / seconds)
        print(f"{size:5} {order} {variant:10} {ratio:6.2f} times ikj, "
              f"{rates[-1]:7.1f} GFLOP/s", flush=True)
    # The orders against one another, in pairs: on a shared machine times of
    # different minutes cannot be compared.
    first, *others = [paths[order, "plain"] for order in orders]
    ratios = [1] + [ratio for ratio, _ in time(options, first, others)]
    print(f"{size:5} slowest / fastest of the six orders, in pairs: "
          f"{max(ratios) / min(ratios):.3f}", flush=True)
    # Programs with other arguments cannot be paired: rates, minutes apart.
    print(f"{size:5} {orders[0]} over batched {rates[0] / rates[-2]:.3f}",
          flush=True)
    [(ratio, _)] = time(options, first, [paths["ijk", "transposed"]],
                        same_results=False)
    print(f"{size:5} {orders[0]} over transposed, in pairs {1 / ratio:.3f}",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/bin"))
    parser.add_argument("--sizes", type=int, nargs="*", default=[512, 1024])
    parser.add_argument("--pairs", type=int, default=11)
    parser.add_argument("--core", type=int, default=1)
    parser.add_argument("--cost-model", default="learned")
    parser.add_argument("--target", default="native")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for size in options.sizes:
            measure_size(options, pathlib.Path(name), size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
