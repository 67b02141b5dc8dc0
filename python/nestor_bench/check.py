"""Is a competitor's result right?

Results are the arrays whose role is out or inout. Strict competitors must
leave the bits of the reference; the others may differ by a share of the
reference's magnitude or, where that is larger, of the root mean square of the
array.
"""

from dataclasses import dataclass

import numpy

TYPES = {"f32": numpy.float32, "f64": numpy.float64, "i32": numpy.int32,
         "i64": numpy.int64}
TOLERANCE = {"f32": 1e-4, "f64": 1e-8}


@dataclass(frozen=True)
class Verdict:
    right: bool
    error: float = 0.0  # largest, relative, of all results
    detail: str = ""


def read_arrays(path, arguments):
    """The arrays of a dump by name."""
    arrays, offset = {}, 0
    for argument in arguments:
        if argument.extents:
            arrays[argument.name] = numpy.fromfile(
                path, TYPES[argument.element], argument.count,
                offset=offset).reshape(argument.extents)
            offset += arrays[argument.name].nbytes
    return arrays


def find_bad_numbers(program, arrays):
    """Empty, or which results of the reference are not finite and normal."""
    for name, region in program.results.items():
        values = arrays[name][region]
        if values.dtype.kind != "f":
            continue
        small = numpy.abs(values) < numpy.finfo(values.dtype).tiny
        bad = ~numpy.isfinite(values) | (small & (values != 0))
        if bad.any():
            return (f"{int(bad.sum())} numbers of the reference's {name} are "
                    "not finite and normal")
    return ""


def _place(name, at):
    return f"{name}[{', '.join(str(int(i)) for i in at)}]"


def _compare_bits(name, reference, values):
    different = reference.view(f"u{reference.itemsize}") != \
        values.view(f"u{values.itemsize}")
    if not different.any():
        return Verdict(True)
    at = tuple(numpy.argwhere(different)[0])
    return Verdict(False, float("nan"),
                   f"{_place(name, at)} is {values[at].item()!r}, not "
                   f"{reference[at].item()!r} ({int(different.sum())} of "
                   f"{different.size} differ)")


def _compare_values(name, reference, values, tolerance):
    wide = reference.astype(numpy.float64)
    scale = numpy.maximum(numpy.abs(wide), numpy.sqrt(numpy.mean(wide * wide)))
    with numpy.errstate(all="ignore"):
        error = numpy.abs(values.astype(numpy.float64) - wide) / \
            numpy.where(scale == 0, 1, scale)
    error[~numpy.isfinite(error)] = numpy.inf
    at = numpy.unravel_index(int(error.argmax()), error.shape)
    worst = float(error[at])
    if worst <= tolerance:
        return Verdict(True, worst)
    return Verdict(False, worst,
                   f"{_place(name, at)} is {values[at].item()!r}, not "
                   f"{reference[at].item()!r} (relative error {worst:.1e}, "
                   f"{tolerance:.0e} is allowed)")


def compare(program, reference, arrays, math):
    """The Verdict on a competitor's arrays."""
    worst = 0.0
    for argument in program.arguments:
        name = argument.name
        if name not in program.results:
            continue
        if math == "strict" or argument.element not in TOLERANCE:
            verdict = _compare_bits(name, reference[name], arrays[name])
        else:
            region = program.results[name]
            verdict = _compare_values(name, reference[name][region],
                                      arrays[name][region],
                                      TOLERANCE[argument.element])
        if not verdict.right:
            return verdict
        worst = max(worst, verdict.error)
    return Verdict(True, worst)
