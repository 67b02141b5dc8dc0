"""The programs that are measured: suites, sizes, arguments, sources.

A suite is a folder below bench/ with sizes.json, one template per program
(NAME.mlir.in, or NAME.linalg.mlir.in, which mlir-opt turns into affine loops)
and its C version in c/NAME.c. Its leading comments say what the arguments are:

    // arg NAME: SHAPE ROLE
    // compare NAME: FIRST:END, FIRST:END

The second form narrows a result to the part that does not depend on rounding.
"""

import importlib.util
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
SUITES = ("polybench", "nests")
SIZES = ("MINI", "SMALL", "MEDIUM", "LARGE")

ROLE = re.compile(r"^// arg (\w+): \w+ (in|out|inout|temp)$", re.MULTILINE)
COMPARE = re.compile(r"^// compare (\w+): ([\d:, ]+)$", re.MULTILINE)


def _load_templates():
    """bench/polybench/instantiate.py, which is a script as well."""
    path = BENCH / "polybench" / "instantiate.py"
    spec = importlib.util.spec_from_file_location("nestor_bench_templates", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


templates = _load_templates()


@dataclass(frozen=True)
class Program:
    """One program at one size."""
    suite: str
    name: str
    size: str

    @property
    def key(self):
        return f"{self.suite}/{self.name}@{self.size}"

    @property
    def folder(self):
        return BENCH / self.suite

    @cached_property
    def sizes(self):
        return templates.sizes_of(self.name, self.size, self.folder)

    @property
    def is_linalg(self):
        return (self.folder / f"{self.name}.linalg.mlir.in").exists()

    @cached_property
    def source(self):
        """The program as written, affine or linalg."""
        suffix = ".linalg.mlir.in" if self.is_linalg else ".mlir.in"
        path = self.folder / (self.name + suffix)
        return templates.fill_in(path.read_text(), self.sizes)

    @cached_property
    def arguments(self):
        return templates.parse_arguments_of(self.source)

    @property
    def c_source(self):
        return self.folder / "c" / f"{self.name}.c"

    @property
    def defines(self):
        return [f"-D{name}={value}" for name, value in self.sizes.items()]

    @cached_property
    def results(self):
        """Result arrays by name, each with the slices that are compared."""
        roles = dict(ROLE.findall(self.source))
        missing = {a.name for a in self.arguments} - set(roles)
        if missing:
            raise UsageError(f"{self.name}: no '// arg' line for "
                             + ", ".join(sorted(missing)))
        regions = {name: tuple(slice(*map(int, part.split(":")))
                               for part in text.split(","))
                   for name, text in COMPARE.findall(self.source)}
        return {a.name: regions.get(a.name, ()) for a in self.arguments
                if a.extents and roles[a.name] in ("out", "inout")}

    def runner_arguments(self):
        """The arguments as nestor-bench-runner wants them."""
        return [f"{a.element}:{a.init}:" + "x".join(map(str, a.extents))
                if a.extents else f"{a.element}={a.value}"
                for a in self.arguments]


def select(suite, size, only=()):
    """The programs of a suite at a size, all or those named in `only`."""
    if suite not in SUITES:
        raise UsageError(f"unknown suite '{suite}'; suites are "
                         + ", ".join(SUITES))
    if size not in SIZES:
        raise UsageError(f"unknown size '{size}'; sizes are " + ", ".join(SIZES))
    names = list(templates.load_sizes(BENCH / suite))
    unknown = [name for name in only if name not in names]
    if unknown:
        raise UsageError(f"unknown program '{unknown[0]}' in suite {suite}; "
                         "programs are " + ", ".join(names))
    return [Program(suite, name, size) for name in (only or names)]
