"""Who is measured. One entry in `all_competitors` is one column of the table.

A competitor builds a program in a Workshop and returns a Build for each of
its variants. `math` says what it may do with floating-point arithmetic:
"strict" results are compared with the reference bit for bit, "fast" ones with
a tolerance (check.py).
"""

import hashlib
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from . import tools
from .errors import BuildError, UsageError
from .tools import find, need
from .workshop import NATIVE, file_hash

BASE = "clang-fast"
HERE = Path(__file__).resolve().parent


@dataclass
class Build:
    """A program, built: `command` runs it."""
    command: list
    identity: str  # changes when what runs changes
    compile_seconds: float = 0.0
    schedule_seconds: float = 0.0
    variant: str = ""

    def to_json(self):
        return asdict(self)


class Competitor:
    name = ""
    about = ""
    math = "fast"
    must_be_right = False  # a wrong result fails the whole run
    optional = False       # measured only when asked for by name
    choose = "best"        # of several variants: best or median
    keeps_builds = True    # for the next run; `key` says when they serve

    def missing(self):
        """Why it cannot be used on this machine, or None."""
        return None

    def supports(self, program):
        """Whether it can express the program."""
        return True

    def ingredients(self, program):
        """What else a build depends on: paths of files."""
        return [program.c_source]

    def build(self, workshop):
        raise NotImplementedError

    def key(self, workshop):
        """Two builds with the same key are the same."""
        parts = [self.name, workshop.program.source, str(workshop.threads),
                 file_hash(__file__), file_hash(HERE / "workshop.py"),
                 repr(sorted(vars(self).items(), key=str))]
        parts += [tools.version(name) for name in tools.TOOLS]
        for path in self.ingredients(workshop.program):
            if Path(path).exists():
                parts.append(f"{path} {file_hash(path)}")
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _missing_tools(*names):
    absent = [name for name in names if not find(name)]
    return f"{', '.join(absent)} not installed" if absent else None


def _finish(workshop, shell, name, code, convention="bare", libraries=(),
            schedule_seconds=0.0, variant=""):
    """Links an object file into a Build."""
    command = workshop.link(name, [code], convention, libraries)
    return Build(command, file_hash(command[-1]),
                 shell.seconds - schedule_seconds, schedule_seconds, variant)


class CCompiler(Competitor):
    """A C compiler on the C version."""

    def __init__(self, name, about, compiler, flags, math="fast",
                 restrict=True, variants=((),), parallel_flags=()):
        self.name, self.about, self.math = name, about, math
        self.compiler, self.flags, self.restrict = compiler, flags, restrict
        self.variants, self.parallel_flags = variants, parallel_flags

    def missing(self):
        return _missing_tools(self.compiler)

    def supports(self, program):
        return program.c_source.exists()

    def build(self, workshop):
        return [self._build(workshop, list(flags)) for flags in self.variants]

    def _build(self, workshop, flags):
        shell, program = workshop.shell(), workshop.program
        name = "-".join([self.name, *(flag.strip("-") for flag in flags[1::2])])
        code = workshop.path(f"{name}.o")
        parallel = list(self.parallel_flags) if workshop.threads > 1 else []
        shell.run(need(self.compiler), *self.flags, *flags, *parallel,
                  None if self.restrict else "-Drestrict=", *program.defines,
                  "-fPIC", "-w", "-c", program.c_source, "-o", code)
        libraries = ["-fopenmp"] if parallel else []
        return _finish(workshop, shell, name, code, libraries=libraries,
                       variant=" ".join(flags[1::2]))


class SameIR(Competitor):
    """LLVM, or stock MLIR passes and LLVM, on the affine program."""

    def __init__(self, name, about, math="fast", pipelines=(("", ""),),
                 polly=False):
        self.name, self.about, self.math = name, about, math
        self.pipelines, self.polly = pipelines, polly

    def missing(self):
        wanted = ["mlir-opt", "mlir-translate", "clang"]
        return _missing_tools(*wanted, *(["opt", "llc"] if self.polly else []))

    def build(self, workshop):
        builds, problems = [], []
        for pipeline in self.pipelines:
            try:
                builds.append(self._build(workshop, pipeline))
            except BuildError as error:
                problems.append(str(error))
        if not builds:
            raise BuildError("\n".join(problems))
        return builds

    def _build(self, workshop, pipeline):
        shell = workshop.shell()
        mlir = workshop.affine(self.math == "fast")
        label, passes = pipeline
        passes = passes.replace("{lanes}", str(_lanes(workshop.program)))
        name = "-".join(filter(None, [self.name, label]))
        ir = workshop.llvm_ir(shell, mlir, name, passes)
        if self.polly:
            code = self._run_polly(workshop, shell, ir, name)
        else:
            code = workshop.compile_ir(shell, ir, name, ["-O3", NATIVE])
        return _finish(workshop, shell, name, code, variant=label)

    def _run_polly(self, workshop, shell, ir, name):
        """clang only says what the target is; opt and llc do the work."""
        typed, optimized, code = (workshop.path(f"{name}.{end}")
                                  for end in ("typed.ll", "opt.bc", "o"))
        shell.run(need("clang"), "-O3", NATIVE, "-Wno-override-module",
                  "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", ir,
                  "-o", typed)
        shell.run(need("opt"), "-O3", "-mcpu=native", "-polly",
                  "-polly-vectorizer=stripmine", typed, "-o", optimized)
        shell.run(need("llc"), "-O3", "-mcpu=native", "-relocation-model=pic",
                  "-filetype=obj", optimized, "-o", code)
        return code


def _lanes(program):
    """Elements in 64 bytes of the program's widest element type."""
    wide = any(a.element in ("f64", "i64") for a in program.arguments)
    return 8 if wide else 16


_CLEAN = "affine-loop-invariant-code-motion,affine-scalrep,canonicalize,cse"
_VECTOR = ("affine-super-vectorize{virtual-vector-size={lanes} "
           "vectorize-reductions=true}")
# Labels and passes; {lanes} is the number of vector lanes.
AFFINE_PIPELINES = (
    ("vectorize", f"{_CLEAN},{_VECTOR}"),
    ("fuse-vectorize", f"affine-loop-fusion,{_CLEAN},{_VECTOR}"),
    ("tile", f"affine-loop-tile{{tile-size=32}},{_CLEAN}"),
    ("tile-vectorize", f"affine-loop-tile{{tile-size=32}},{_CLEAN},{_VECTOR}"),
    ("unroll-jam", f"affine-loop-unroll-jam{{unroll-jam-factor=4}},{_CLEAN}"),
)


class Nestor(Competitor):
    """nestor-opt and LLVM on the affine program."""
    must_be_right = True

    def __init__(self, name, about, options, math="fast", variants=("",),
                 choose="best"):
        self.name, self.about, self.math = name, about, math
        self.options, self.variants, self.choose = options, variants, choose

    def ingredients(self, program):
        library = Path(tools.nestor("nestor-opt")).parents[1] / "lib"
        weights = Path(__file__).resolve().parents[2] / "data" / "weights"
        return [tools.nestor("nestor-opt"), *sorted(library.glob("*.so")),
                *sorted(path for path in weights.rglob("*") if path.is_file())]

    def build(self, workshop):
        return [self._build(workshop, variant) for variant in self.variants]

    def _source(self, workshop):
        return workshop.affine(self.math == "fast")

    def _build(self, workshop, variant):
        shell = workshop.shell()
        name = "-".join(filter(None, [self.name, variant]))
        scheduled, lowered, ir = (workshop.path(f"{name}.{end}") for end in
                                  ("scheduled.mlir", "llvm.mlir", "ll"))
        opt = tools.nestor("nestor-opt")
        shell.run(opt, self._source(workshop),
                  self.options.replace("{variant}", variant), "-o", scheduled)
        schedule_seconds = shell.seconds
        shell.run(opt, scheduled, "--nestor-to-llvm", "-o", lowered)
        workshop.translate(shell, lowered, ir)
        code = workshop.compile_ir(shell, ir, name, ["-O3", NATIVE])
        return _finish(workshop, shell, name, code, "memref",
                       schedule_seconds=schedule_seconds,
                       variant=f"seed {variant}" if variant else "")


class Replay(Nestor):
    """Schedules that were found before, in DIR/SUITE/PROGRAM.SIZE.mlir."""

    def __init__(self, folder):
        super().__init__("replay", "Nestor, schedules of " + str(folder),
                         "--nestor-apply-schedule")
        self.folder = folder

    def _path(self, program):
        return Path(self.folder) / program.suite / \
            f"{program.name}.{program.size}.mlir"

    def supports(self, program):
        return self._path(program).exists()

    def ingredients(self, program):
        return [*super().ingredients(program), self._path(program)]

    def _source(self, workshop):
        return self._path(workshop.program)


class Library(Competitor):
    """A library routine, called from C: SUITE/FOLDER/PROGRAM.c."""

    def __init__(self, name, about, folder, libraries):
        self.name, self.about = name, about
        self.folder, self.libraries = folder, libraries

    def _path(self, program):
        return program.folder / self.folder / f"{program.name}.c"

    def missing(self):
        if not find("clang"):
            return "clang not installed"
        code, _, _ = tools.execute(
            [find("clang"), "-shared", "-x", "c", "/dev/null", *self.libraries,
             "-o", "/dev/null"], 60)
        names = ", ".join(library.replace("-l", "lib")
                          for library in self.libraries)
        return None if code == 0 else f"{names} not installed"

    def supports(self, program):
        return self._path(program).exists()

    def ingredients(self, program):
        return [self._path(program)]

    def build(self, workshop):
        shell, program = workshop.shell(), workshop.program
        code, sizes = workshop.path(f"{self.name}.o"), workshop.path("sizes.h")
        sizes.write_text("".join(f"#define {name} {value}\n" for name, value
                                 in program.sizes.items()))
        shell.run(need("clang"), "-O3", NATIVE, "-ffast-math", "-fPIC", "-I",
                  workshop.folder, "-c", self._path(program), "-o", code)
        return [_finish(workshop, shell, self.name, code,
                        libraries=self.libraries)]


class External(Competitor):
    """A compiler that a user adds: a shell command that makes an object file.

    Placeholders: {c} and {mlir} the sources, {defines} what the C source needs,
    {dir} a folder to write to, {object} the object file to make.
    """
    keeps_builds = False  # nobody knows what the command reads

    def __init__(self, name, command, about="", math="fast", convention="bare",
                 libraries=()):
        self.name, self.command, self.math = name, command, math
        self.about = about or command
        self.convention, self.libraries = convention, libraries

    def supports(self, program):
        return "{c}" not in self.command or program.c_source.exists()

    def build(self, workshop):
        shell = workshop.shell()
        folder = workshop.path(self.name)
        folder.mkdir(exist_ok=True)
        code = folder / "kernel.o"
        code.unlink(missing_ok=True)
        values = {"c": workshop.program.c_source, "object": code, "dir": folder,
                  "mlir": workshop.affine(self.math == "fast"),
                  "defines": " ".join(workshop.program.defines)}
        command = self.command
        for name, value in values.items():
            command = command.replace("{" + name + "}", str(value))
        shell.run("sh", "-c", command)
        if not code.exists():
            raise BuildError(f"'{command}' made no {code}")
        return [_finish(workshop, shell, self.name, code, self.convention,
                        self.libraries)]


def load_externals(path):
    """Competitors from a JSON file, as docs/benchmarks.md describes it."""
    try:
        content = json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {error}") from None
    if not isinstance(content, dict) or content.get("version") != 1 or \
            not isinstance(content.get("competitors"), dict):
        raise UsageError(f'{path}: expected {{"version": 1, "competitors": '
                         '{NAME: {"command": ...}}}')
    externals = []
    for name, entry in content["competitors"].items():
        try:
            external = External(name=name, **entry)
        except TypeError as error:
            raise UsageError(f"{path}: {name}: {error}") from None
        if external.math not in ("strict", "fast") or \
                external.convention not in ("bare", "memref"):
            raise UsageError(f"{path}: {name}: math is strict or fast, "
                             "convention is bare or memref")
        externals.append(external)
    return externals


class Script(Competitor):
    """An optional peer that runs in a Python process of its own.

    python/nestor_bench/peers/run_PEER.py understands the runner's command line and
    runs SUITE/PEER/PROGRAM.*.
    """
    optional = True

    def __init__(self, name, about, peer, suffix, python, module, flags=()):
        self.name, self.about, self.peer, self.suffix = name, about, peer, suffix
        self.python, self.module, self.flags = python, module, flags

    def _python(self):
        return sys.executable if self.python == "own" else tools.peers_python()

    def _script(self):
        return HERE / "peers" / f"run_{self.peer}.py"

    def _path(self, program):
        return program.folder / self.peer / (program.name + self.suffix)

    def missing(self):
        python = self._python()
        if not python:
            return ("no environment for optional peers: see docs/benchmarks.md, "
                    "or set NESTOR_PEERS_VENV")
        code, _, _ = tools.execute([python, "-c", f"import {self.module}"], 120)
        return None if code == 0 else f"{python} has no {self.module}"

    def supports(self, program):
        return self._path(program).exists()

    def ingredients(self, program):
        return [self._path(program), self._script(),
                HERE / "peers" / "protocol.py"]

    def build(self, workshop):
        shell, program = workshop.shell(), workshop.program
        out = workshop.path(f"{self.name}.out")
        sizes = [f"{name}={value}" for name, value in program.sizes.items()]
        command = [self._python(), str(self._script())]
        shell.run(*command, "build", self._path(program), out, *self.flags,
                  *sizes, "--", *program.runner_arguments(),
                  env={"NESTOR_BENCH_THREADS": str(workshop.threads)})
        return self._finish(workshop, shell, command, out)

    def _finish(self, workshop, shell, command, out):
        return [Build([*command, "run", str(out)], file_hash(out),
                      shell.seconds)]


class Halide(Script):
    """The same, but what is built is an object file for the runner."""

    def _finish(self, workshop, shell, command, out):
        code = out.with_suffix(".o")
        shim = workshop.path(f"{self.name}-entry.o")
        include = shell.run(*command, "include").strip()
        shell.run(need("clang"), "-O2", "-fPIC", "-I", include, "-c",
                  out.with_suffix(".c"), "-o", shim)
        result = workshop.path(f"{self.name}.so")
        shell.run(need("clang"), "-shared", code, shim, "-o", result, "-lm",
                  "-lpthread", "-ldl")
        return [Build([tools.nestor("nestor-bench-runner"), str(result)],
                      file_hash(result), shell.seconds)]


_FAST = ["-O3", NATIVE, "-ffast-math"]
_POLLY = ["-mllvm", "-polly"]
_SEEDS = tuple(str(seed) for seed in range(8))
_AUTO = "--nestor-autoschedule=target=native cost-model="


def all_competitors():
    return [
        CCompiler(BASE, "clang -O3 -march=native -ffast-math on C with restrict;"
                  " the base", "clang", _FAST),
        CCompiler("clang", "clang -O3 -march=native on C with restrict",
                  "clang", ["-O3", NATIVE]),
        CCompiler("clang-fast-alias", "as the base, C without restrict",
                  "clang", _FAST, restrict=False),
        CCompiler("gcc-fast", "gcc -O3 -march=native -ffast-math on C with "
                  "restrict", "gcc", _FAST),
        CCompiler("polly", "the base with -polly; the better of with and "
                  "without -polly-vectorizer=stripmine", "clang",
                  [*_FAST, *_POLLY],
                  variants=((), ("-mllvm", "-polly-vectorizer=stripmine")),
                  parallel_flags=("-mllvm", "-polly-parallel")),
        SameIR("llvm", "LLVM -O3 on the affine program, strict", math="strict"),
        SameIR("llvm-fast", "LLVM -O3 on the affine program with "
               "fastmath<fast>"),
        SameIR("polly-ir", "the same through opt -polly "
               "-polly-vectorizer=stripmine", polly=True),
        SameIR("mlir-affine", "the best that is right of five pipelines of "
               "stock affine passes, then LLVM -O3", pipelines=AFFINE_PIPELINES),
        Library("openblas", "OpenBLAS where routines compute the same", "blas",
                ["-lopenblas"]),
        Script("torch", "PyTorch on CPU", "torch", ".py", "own", "torch"),
        Halide("halide-mullapudi", "Halide, Mullapudi2016", "halide", ".py",
               "peers", "halide", ["Mullapudi2016"]),
        Halide("halide-adams", "Halide, Adams2019", "halide", ".py",
               "peers", "halide", ["Adams2019"]),
        Script("iree", "IREE, llvm-cpu", "iree", ".mlir.in", "peers",
               "iree.compiler"),
        Nestor("nestor", "Nestor, learned model, fastmath<fast>",
               _AUTO + "learned"),
        Nestor("nestor-analytical", "Nestor, analytical model, fastmath<fast>",
               _AUTO + "analytical"),
        Nestor("nestor-strict", "Nestor, learned model, bit for bit",
               _AUTO + "learned", math="strict"),
        Nestor("random", "median of eight random legal schedules, "
               "fastmath<fast>", "--nestor-test-random-schedule=seed={variant}",
               variants=_SEEDS, choose="median"),
    ]


# What --peers takes besides names.
GROUPS = {
    "compilers": ["clang", "clang-fast-alias", "gcc-fast", "polly", "llvm",
                  "llvm-fast", "polly-ir", "mlir-affine"],
    "optional": ["torch", "halide-mullapudi", "halide-adams", "iree"],
    "nestors": ["nestor", "nestor-analytical", "nestor-strict"],
}
GROUPS["default"] = [*GROUPS["compilers"], "openblas", *GROUPS["nestors"]]


def choose(names, externals=(), schedules=None):
    """The competitors that `names` (names and groups) say, the base first."""
    known = {c.name: c for c in [*all_competitors(), *externals]}
    if schedules:
        known["replay"] = Replay(schedules)
    wanted = [BASE]
    for name in names:
        if name == "all":
            wanted += known
        elif name in GROUPS:
            wanted += GROUPS[name]
        elif name in known:
            wanted.append(name)
        else:
            raise UsageError(f"unknown peer '{name}'; peers are "
                             + ", ".join(known) + "; groups are "
                             + ", ".join([*GROUPS, "all"]))
    if schedules:
        wanted.append("replay")
    wanted += [external.name for external in externals]
    return [known[name] for name in dict.fromkeys(wanted)]
