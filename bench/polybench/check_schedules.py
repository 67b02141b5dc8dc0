#!/usr/bin/env python3
"""Schedules every PolyBench kernel and compares the results bit for bit.

For each kernel at a size (MINI by default): `--nestor-autoschedule`, and `--seeds`
random legal schedules, each compiled, run and compared with the program as
written. Prints a line per kernel and, last, `N passed, N failed`.

    bench/polybench/check_schedules.py --bin build/bin --seeds 20
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import instantiate


def run(command):
    """Runs a command; returns (exit code, standard output and error)."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


class Checker:
    """Counts schedules that keep the results, and those that reorder."""

    def __init__(self, bin_dir, folder):
        self.opt = str(bin_dir / "nestor-opt")
        self.measure = str(bin_dir / "nestor-measure")
        self.folder = folder
        self.passed = self.failed = 0

    def check(self, source, arguments):
        """Schedules `source`; returns (what the tool said, seconds) or None."""
        out = self.folder / "scheduled.mlir"
        start = time.monotonic()
        code, said = run([self.opt, str(source), *arguments, "-o", str(out)])
        seconds = time.monotonic() - start
        if code == 0:
            code, compared = run([self.measure, "compare", str(source), str(out)])
            said = said if code == 0 else compared
        if code != 0:
            self.failed += 1
            print(f"FAILED {source.name} {' '.join(arguments)}\n{said}", flush=True)
            return None
        self.passed += 1
        return said, seconds


def check_kernel(checker, kernel, source, options):
    """Returns (autoscheduled and reordered, random reordered, seconds)."""
    auto = checker.check(source, [
        f"--nestor-autoschedule=cost-model={options.cost_model} "
        f"target={options.target}", "--remarks-filter=nestor"])
    reordered = bool(auto and "(changes the order" in auto[0])
    random = 0
    for seed in range(options.seeds):
        done = checker.check(source, [
            f"--nestor-test-random-schedule=seed={seed} round-trip"])
        random += bool(done and "(reorders)" in done[0])
    seconds = auto[1] if auto else 0.0
    print(f"{kernel:16} autoschedule {seconds:5.2f} s, "
          f"{'reordered' if reordered else 'same order':10}, random schedules that "
          f"reorder {random}/{options.seeds}", flush=True)
    return reordered, random, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/bin"))
    parser.add_argument("--size", default="MINI")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--cost-model", default="analytical")
    parser.add_argument("--target", default="generic-avx2")
    parser.add_argument("--only", nargs="*", help="kernels")
    options = parser.parse_args()
    kernels = options.only or sorted(instantiate.load_sizes())
    totals = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        checker = Checker(options.bin, folder)
        for kernel in kernels:
            source = folder / f"{kernel}.mlir"
            source.write_text(instantiate.instantiate(kernel, options.size))
            totals.append(check_kernel(checker, kernel, source, options))
    print(f"{sum(t[0] for t in totals)} of {len(kernels)} kernels reordered, "
          f"{sum(t[1] for t in totals)} of {options.seeds * len(kernels)} random "
          f"schedules reorder, longest scheduling {max(t[2] for t in totals):.2f} s")
    print(f"{checker.passed} passed, {checker.failed} failed")
    return 1 if checker.failed else 0


if __name__ == "__main__":
    sys.exit(main())
