#!/usr/bin/env python3
"""Checks the MLIR kernels against their C peers (c/KERNEL.c).

    check_against_c.py [KERNEL ...] [--size SIZE ...] [--opt LEVEL ...]

Both versions run on the inputs which README.md defines. A check is one kernel
at one size and one clang level; it passes when every array is equal bit by bit
and holds only zeros and finite normal numbers, and some array changed. The
last line is "N passed, N failed"; the exit code is 1 if any failed.

--c-only runs and checks just the C version, for sizes where that is slow.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from instantiate import (UsageError, instantiate, load_sizes,
                         parse_arguments_of, sizes_of)

HERE = Path(__file__).resolve().parent
CLANG = "clang-22"

LOWERING = ("builtin.module(func.func(lower-affine),canonicalize,cse,"
            "convert-scf-to-cf,expand-strided-metadata,lower-affine,"
            "convert-arith-to-llvm,convert-math-to-llvm,convert-index-to-llvm,"
            "finalize-memref-to-llvm,"
            "convert-func-to-llvm{use-bare-ptr-memref-call-conv=1},"
            "convert-cf-to-llvm,reconcile-unrealized-casts)")

DRIVER_HEAD = """\
#include "inputs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static int failed, changed;

#define FILL(array, count, input, arg, extent)                                 \\
  for (uint64_t i = 0; i < (count); i++)                                       \\
    array[i] = input(arg, i, extent);

#define CHECK(array, type, count, input, arg, extent)                          \\
  for (uint64_t i = 0; i < (count); i++) {                                     \\
    int class = fpclassify((double)array[i]);                                  \\
    if (class != FP_NORMAL && class != FP_ZERO && failed++ < 5)                \\
      printf("  %s[%lu] = %g\\n", #array, i, (double)array[i]);                 \\
    changed |= array[i] != (type)input(arg, i, extent);                        \\
  }

#define COMPARE(left, right, count)                                            \\
  for (uint64_t i = 0; i < (count); i++)                                       \\
    if (memcmp(&left[i], &right[i], sizeof left[i]) != 0 && failed++ < 5)      \\
      printf("  %s[%lu] = %.17g but %s[%lu] = %.17g\\n", #left, i,              \\
             (double)left[i], #right, i, (double)right[i]);
"""


def driver_text(arguments, versions):
    """A C program which fills, runs and checks the named kernel versions."""
    arrays = [a for a in arguments if a.extents]
    prototype = ", ".join(f"{a.c_type} *" if a.extents else a.c_type
                          for a in arguments)
    lines = [DRIVER_HEAD]
    for version in versions:
        lines.append(f"void kernel_{version}({prototype});")
        lines += [f"static {a.c_type} {a.name}_{version}[{a.count}];"
                  for a in arrays]
    lines.append("int main(void) {")
    for version in versions:
        lines += [f"  FILL({a.name}_{version}, {a.count}, {a.input})"
                  for a in arrays]
        values = ", ".join(f"{a.name}_{version}" if a.extents
                           else f"({a.c_type}){a.value}" for a in arguments)
        lines.append(f"  kernel_{version}({values});")
        lines += [f"  CHECK({a.name}_{version}, {a.c_type}, {a.count}, {a.input})"
                  for a in arrays]
    if len(versions) == 2:
        lines += [f"  COMPARE({a.name}_{versions[0]}, {a.name}_{versions[1]}, "
                  f"{a.count})" for a in arrays]
    lines += ['  if (!changed)', '    printf("  the kernel changed nothing\\n");',
              "  return failed || !changed;", "}"]
    return "\n".join(lines) + "\n"


def run(command):
    subprocess.run([str(part) for part in command], check=True)


def compile_c(kernel, dataset, level, output):
    """Compiles the C version as kernel_c."""
    sizes = [f"-D{name}={value}"
             for name, value in sizes_of(kernel, dataset).items()]
    run([CLANG, f"-{level}", "-ffp-contract=off", "-Wall", *sizes,
         "-Dkernel=kernel_c", "-c", HERE / "c" / f"{kernel}.c", "-o", output])


def compile_mlir(text, level, output):
    """Lowers and compiles the MLIR version as kernel_mlir."""
    source, lowered, llvm_ir = (output.with_suffix(suffix)
                                for suffix in (".mlir", ".lowered.mlir", ".ll"))
    source.write_text(text.replace("@kernel(", "@kernel_mlir("))
    run(["mlir-opt-22", "-allow-unregistered-dialect",
         f"--pass-pipeline={LOWERING}", source, "-o", lowered])
    run(["mlir-translate-22", "-allow-unregistered-dialect",
         "--mlir-to-llvmir", lowered, "-o", llvm_ir])
    run([CLANG, f"-{level}", "-ffp-contract=off", "-Wno-override-module",
         "-c", llvm_ir, "-o", output])


def check(kernel, dataset, level, c_only, directory):
    """Builds and runs one check; true if it passed."""
    text = instantiate(kernel, dataset)
    versions = ["c"] if c_only else ["c", "mlir"]
    objects = [directory / f"kernel_{version}.o" for version in versions]
    compile_c(kernel, dataset, level, objects[0])
    if not c_only:
        compile_mlir(text, level, objects[1])
    driver = directory / "driver.c"
    driver.write_text(driver_text(parse_arguments_of(text), versions))
    program = directory / "check"
    run([CLANG, "-O1", "-Wall", "-I", HERE / "c", driver, *objects, "-lm",
         "-o", program])
    return subprocess.run([program], check=False).returncode == 0


def passes(kernel, dataset, level, c_only):
    """As check, in a fresh directory; a failing tool is a failed check."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            return check(kernel, dataset, level, c_only, Path(directory))
        except subprocess.CalledProcessError as error:
            print(f"  {error.cmd[0]} failed")
            return False


def parse_command_line():
    parser = argparse.ArgumentParser(
        description="Check the MLIR kernels against their C peers.")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL",
                        help="kernels to check (default: all)")
    parser.add_argument("--size", nargs="+", default=["MINI", "SMALL"])
    parser.add_argument("--opt", nargs="+", default=["O0", "O1"],
                        help="clang levels (default: O0 O1)")
    parser.add_argument("--c-only", action="store_true",
                        help="run the C version alone")
    return parser.parse_args()


def main():
    arguments = parse_command_line()
    kernels = arguments.kernels or list(load_sizes())
    passed = failed = 0
    try:
        for kernel in kernels:
            for dataset in arguments.size:
                for level in arguments.opt:
                    if passes(kernel, dataset, level, arguments.c_only):
                        passed += 1
                    else:
                        failed += 1
                        print(f"FAILED: {kernel} {dataset} {level}", flush=True)
    except UsageError as error:
        print(f"check_against_c.py: {error}", file=sys.stderr)
        return 2
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
