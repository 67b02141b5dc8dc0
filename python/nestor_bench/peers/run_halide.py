"""Halide as a peer. SUITE/halide/PROGRAM.py has a function define(hl, sizes),
which returns the program's array arguments in order: an ImageParam for each
input, a Func for each output, None for what Halide keeps inside; innermost
dimension first. What is built is
an object file, and the C source of its entry function, for the runner."""

import sys
from pathlib import Path

import halide
import protocol

ENTRY = """\
#include "HalideRuntime.h"
int nestor_halide({parameters});
void nestor_bench_entry(void **a) {{
{buffers}
  if (nestor_halide({names}))
    __builtin_trap();
}}
"""
BUFFER = """\
  static halide_dimension_t d{i}[] = {{{dims}}};
  static halide_buffer_t b{i};
  b{i}.host = a[{i}];
  b{i}.type.code = halide_type_float;
  b{i}.type.bits = {bits};
  b{i}.type.lanes = 1;
  b{i}.dimensions = {rank};
  b{i}.dim = d{i};
"""


def _folder():
    return Path(halide.__file__).resolve().parent


def _extents(text):
    kind, _, shape = text.split(":")
    return kind, [int(extent) for extent in shape.split("x")]


def _entry_source(arguments, used):
    buffers = ""
    for i in used:
        text = arguments[i]
        kind, extents = _extents(text)
        dims, stride = [], 1
        for extent in reversed(extents):
            dims.append(f"{{0, {extent}, {stride}, 0}}")
            stride *= extent
        buffers += BUFFER.format(i=i, dims=", ".join(dims), bits=kind[1:],
                                 rank=len(extents))
    return ENTRY.format(
        parameters=", ".join("halide_buffer_t *" for _ in used),
        names=", ".join(f"&b{i}" for i in used), buffers=buffers)


def build(source, out, flags, sizes, arguments):
    scope = {}
    exec(compile(open(source).read(), source, "exec"), scope)
    parts = scope["define"](halide, sizes)
    params, funcs = [], []
    for part, text in zip(parts, arguments):
        extents = _extents(text)[1][::-1]
        if part is None:
            continue
        if isinstance(part, halide.Func):
            part.set_estimates([halide.Range(0, e) for e in extents])
            funcs.append(part)
        else:
            for dim, extent in enumerate(extents):
                part.dim(dim).set_bounds(0, extent)
                part.dim(dim).set_estimate(0, extent)
                if dim == 0:
                    part.dim(0).set_stride(1)
            params.append(part)
    pipeline = halide.Pipeline(funcs)
    name = flags[0]
    halide.load_plugin(str(next(_folder().rglob(
        f"libautoschedule_{name.lower()}.so"))))
    parameters = {"parallelism": str(protocol.threads())}
    target = halide.get_host_target()
    pipeline.apply_autoscheduler(
        target, halide.AutoschedulerParams(name, parameters))
    pipeline.compile_to({halide.OutputFileType.object: f"{out}.tmp.o"}, params,
                        "nestor_halide", target)
    out = Path(out)
    Path(f"{out}.tmp.o").replace(out.with_suffix(".o"))
    out.with_suffix(".c").write_text(_entry_source(
        arguments, [i for i, part in enumerate(parts) if part is not None]))


if __name__ == "__main__":
    if sys.argv[1:] == ["include"]:
        print(next(_folder().rglob("HalideRuntime.h")).parent)
    else:
        protocol.main(build, None)
