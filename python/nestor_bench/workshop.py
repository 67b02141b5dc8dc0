"""Where the builds of one program are made: sources, entry shims, linking.

Every competitor becomes a command that understands nestor-bench-runner's
command line. For compiled ones that is the runner with a shared object, whose
entry function takes an array of pointers and calls the program in its own
convention: bare pointers (C, and MLIR's bare-pointer convention) or MLIR's
memref descriptors.
"""

import hashlib
from functools import lru_cache
from pathlib import Path

from . import tools
from .errors import BuildError
from .programs import templates
from .tools import Shell, need

NATIVE = "-march=native"

# Stock lowering to bare pointers. The vector passes have nothing to do on
# scalar programs.
LOWERING = ("builtin.module(func.func(convert-vector-to-scf{full-unroll=true},"
            "lower-affine),canonicalize,cse,convert-scf-to-cf,"
            "convert-vector-to-llvm,expand-strided-metadata,lower-affine,"
            "convert-arith-to-llvm,convert-math-to-llvm,convert-index-to-llvm,"
            "finalize-memref-to-llvm,"
            "convert-func-to-llvm{use-bare-ptr-memref-call-conv=1},"
            "convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts)")


@lru_cache(maxsize=None)
def _hash_of(path, size, time):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def file_hash(path):
    """Of the contents; large tools are read once."""
    path = Path(path)
    status = path.stat()
    return _hash_of(path, status.st_size, status.st_mtime_ns)


def entry_source(arguments, convention):
    """C text of nestor_bench_entry for a `kernel` in a calling convention."""
    types, values = [], []
    for position, argument in enumerate(arguments):
        at = f"a[{position}]"
        if not argument.extents:
            types.append(argument.c_type)
            values.append(f"*({argument.c_type} *){at}")
        elif convention == "bare":
            types.append("void *")
            values.append(at)
        else:
            strides, stride = [], 1
            for extent in reversed(argument.extents):
                strides.insert(0, stride)
                stride *= extent
            types += ["void *"] * 2 + ["int64_t"] * (1 + 2 * len(strides))
            values += [at, at, "0", *map(str, argument.extents + strides)]
    return ("#include <stdint.h>\n"
            f"void kernel({', '.join(types)});\n"
            "void nestor_bench_entry(void **a) {\n"
            f"  kernel({', '.join(values)});\n}}\n")


class Workshop:
    """Makes things for one program in one folder."""

    def __init__(self, program, folder, timeout, threads=1):
        self.program = program
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.timeout = timeout
        self.threads = threads  # that a competitor may use

    def shell(self):
        return Shell(self.timeout)

    def path(self, name):
        return self.folder / name

    def affine(self, fast):
        """The program in the affine dialect; `fast`: all fastmath flags."""
        path = self.path("fast.mlir" if fast else "strict.mlir")
        text = self.program.source
        if self.program.is_linalg:
            linalg = self.path("linalg.mlir")
            linalg.write_text(text)
            text = self.shell().run(
                need("mlir-opt"), "-allow-unregistered-dialect",
                "--convert-linalg-to-affine-loops", linalg)
        path.write_text(templates.add_fastmath(text, "fast") if fast else text)
        return path

    def entry(self, convention):
        """The object file of the entry function."""
        source = self.path(f"entry-{convention}.c")
        result = source.with_suffix(".o")
        text = entry_source(self.program.arguments, convention)
        if result.exists() and source.read_text() == text:
            return result
        source.write_text(text)
        self.shell().run(need("clang"), "-O2", "-fPIC", "-c", source, "-o",
                         result)
        return result

    def link(self, name, objects, convention="bare", libraries=()):
        """The command that runs what was compiled."""
        result = self.path(f"{name}.so")
        # No -ffast-math here: it would link start-up code that flushes
        # denormal numbers for the whole process.
        self.shell().run(need("clang"), "-shared", *objects,
                         self.entry(convention), "-o", result, *libraries,
                         "-lm")
        return [tools.nestor("nestor-bench-runner"), str(result)]

    def llvm_ir(self, shell, mlir, name, passes=""):
        """LLVM IR of an MLIR file by stock passes, arguments not aliasing."""
        lowered, result = self.path(f"{name}.llvm.mlir"), self.path(f"{name}.ll")
        if passes:
            scheduled = self.path(f"{name}.scheduled.mlir")
            shell.run(need("mlir-opt"), "-allow-unregistered-dialect",
                      f"--pass-pipeline=builtin.module(func.func({passes}))",
                      mlir, "-o", scheduled)
            mlir = scheduled
        shell.run(need("mlir-opt"), "-allow-unregistered-dialect",
                  f"--pass-pipeline={LOWERING}", mlir, "-o", lowered)
        self.translate(shell, lowered, result)
        text = result.read_text().splitlines(keepends=True)
        # What restrict says in C.
        text = [line.replace("ptr %", "ptr noalias %")
                if line.startswith("define void @kernel(") else line
                for line in text]
        result.write_text("".join(text))
        return result

    def translate(self, shell, lowered, result):
        shell.run(need("mlir-translate"), "-allow-unregistered-dialect",
                  "--mlir-to-llvmir", lowered, "-o", result)

    def compile_ir(self, shell, ir, name, flags):
        """An object file of LLVM IR, by clang."""
        result = self.path(f"{name}.o")
        shell.run(need("clang"), "-fPIC", "-ffp-contract=off",
                  "-Wno-override-module", *flags, "-c", ir, "-o", result)
        return result

    def reference(self):
        """The command that computes the reference result: the program as
        written, in the order it was written, without contraction."""
        shell = self.shell()
        ir = self.llvm_ir(shell, self.affine(fast=False), "reference")
        try:
            code = self.compile_ir(shell, ir, "reference", ["-O2"])
        except BuildError as error:
            raise BuildError(f"the program itself: {error}") from None
        return self.link("reference", [code])
