#!/usr/bin/env python3
"""Instantiates the PolyBench kernel templates (*.mlir.in) at a data set size.

    instantiate.py --list                        names of all kernels
    instantiate.py gemm --size MINI [-o FILE]    one kernel, to FILE or stdout
    instantiate.py --all DIR --size MINI         every kernel, to DIR/KERNEL.mlir

A template holds placeholders ${EXPR}, EXPR being an integer expression (+, -,
*, //) over the kernel's size names in sizes.json. --fastmath=FLAGS, such as
--fastmath=reassoc,contract, puts fastmath<FLAGS> on every floating-point op.
A wrong kernel, size or flag ends the script with a message and exit code 2.
"""

import argparse
import ast
import json
import operator
import re
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent

FASTMATH_FLAGS = ("none", "reassoc", "nnan", "ninf", "nsz", "arcp", "contract",
                  "afn", "fast")

PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")

# A float op up to, not including, the " : TYPE" which ends it.
FLOAT_OP = re.compile(
    r"^(\s*%[\w.$-]+ = (?:arith\.(?:addf|subf|mulf|divf|negf|cmpf"
    r"|maximumf|minimumf|maxnumf|minnumf)|math\.\w+)"
    r" [^:\n]*?)(?= : f(?:32|64)$)", re.MULTILINE)

C_TYPES = {"f64": "double", "f32": "float", "i32": "int32_t", "i64": "int64_t"}

# One argument of @kernel: name, type, and the nestor.init or nestor.value.
ARGUMENT = re.compile(
    r"%(?P<name>\w+): (?:memref<(?P<shape>[\dx]+)x(?P<element>\w+)>"
    r"|(?P<scalar>f\d+))"
    r"(?: \{nestor\.(?:init = \"(?P<init>\w+)\""
    r"|value = (?P<value>[-\d.]+) : f\d+)\})?")

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub,
             ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv}


class UsageError(Exception):
    """A request that cannot be served; the message says why."""


@dataclass
class Argument:
    """One argument of a kernel; extents is empty for a scalar."""
    name: str
    position: int
    element: str  # as MLIR calls it
    extents: list
    init: str
    value: str

    @property
    def c_type(self):
        return C_TYPES[self.element]

    @property
    def count(self):
        product = 1
        for extent in self.extents:
            product *= extent
        return product

    @property
    def input(self):
        """The last macro arguments of FILL and CHECK."""
        return f"input_{self.init}, {self.position}, {self.extents[0]}"


def parse_arguments_of(kernel_text):
    """The arguments of @kernel in an instantiated program."""
    signature = re.search(r"func\.func @kernel\((.*?)\) \{\n", kernel_text,
                          re.DOTALL)[1]
    return [Argument(name=m["name"], position=position,
                     element=m["element"] or m["scalar"],
                     extents=[int(e) for e in (m["shape"] or "").split("x") if e],
                     init=m["init"] or "default", value=m["value"])
            for position, m in enumerate(ARGUMENT.finditer(signature))]


def load_sizes(folder=HERE):
    """The size table: kernel -> data set -> size name -> value."""
    return json.loads((folder / "sizes.json").read_text())


def sizes_of(kernel, dataset, folder=HERE):
    """The sizes of one kernel at one data set."""
    table = load_sizes(folder)
    if kernel not in table:
        raise UsageError(f"unknown kernel '{kernel}'; --list names them all")
    if dataset not in table[kernel]:
        raise UsageError(f"unknown size '{dataset}'; sizes are "
                         + ", ".join(table[kernel]))
    return table[kernel][dataset]


def evaluate(expression, sizes):
    """The integer value of a placeholder's expression."""
    def visit(node):
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](visit(node.left), visit(node.right))
        if isinstance(node, ast.Name) and node.id in sizes:
            return sizes[node.id]
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        raise UsageError(f"bad placeholder '${{{expression}}}'")
    return visit(ast.parse(expression, mode="eval").body)


def check_fastmath(flags):
    """Refuses anything but a comma-separated list of MLIR fastmath flags."""
    for flag in flags.split(","):
        if flag not in FASTMATH_FLAGS:
            raise UsageError(f"unknown fastmath flag '{flag}'; flags are "
                             + ", ".join(FASTMATH_FLAGS))


def fill_in(template, sizes):
    """A template's text with its placeholders replaced."""
    return PLACEHOLDER.sub(lambda m: str(evaluate(m[1], sizes)), template)


def add_fastmath(text, flags):
    """Puts fastmath<flags> on every floating-point op."""
    check_fastmath(flags)
    return FLOAT_OP.sub(rf"\1 fastmath<{flags}>", text)


def instantiate(kernel, dataset, fastmath=None):
    """The text of one kernel at one data set size."""
    sizes = sizes_of(kernel, dataset)
    text = fill_in((HERE / f"{kernel}.mlir.in").read_text(), sizes)
    return add_fastmath(text, fastmath) if fastmath else text


def write_all(directory, dataset, fastmath):
    """Writes every kernel at one data set size into a directory."""
    directory.mkdir(parents=True, exist_ok=True)
    for kernel in load_sizes():
        text = instantiate(kernel, dataset, fastmath)
        (directory / f"{kernel}.mlir").write_text(text)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Instantiate the PolyBench kernel templates.")
    parser.add_argument("kernel", nargs="?", help="name of a kernel")
    parser.add_argument("--list", action="store_true", help="list the kernels")
    parser.add_argument("--all", metavar="DIR", type=Path,
                        help="write every kernel into DIR")
    parser.add_argument("--size", help="MINI, SMALL, MEDIUM or LARGE")
    parser.add_argument("--fastmath", metavar="FLAGS",
                        help="fastmath flags for every float op")
    parser.add_argument("-o", metavar="FILE", dest="output", type=Path,
                        help="output file (default: stdout)")
    arguments = parser.parse_args()
    chosen = [arguments.kernel is not None, arguments.list,
              arguments.all is not None]
    if sum(chosen) != 1:
        parser.error("give either a kernel, --list or --all DIR")
    if not arguments.list and arguments.size is None:
        parser.error("--size is needed")
    if arguments.output and arguments.kernel is None:
        parser.error("-o goes with one kernel")
    return arguments


def main():
    arguments = parse_arguments()
    try:
        if arguments.list:
            print("\n".join(load_sizes()))
        elif arguments.all:
            write_all(arguments.all, arguments.size, arguments.fastmath)
        else:
            text = instantiate(arguments.kernel, arguments.size,
                               arguments.fastmath)
            if arguments.output:
                arguments.output.write_text(text)
            else:
                sys.stdout.write(text)
    except (UsageError, OSError) as error:
        print(f"instantiate.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
