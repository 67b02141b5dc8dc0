"""The roof: how fast a program could be at most on this machine.

Operations and compulsory traffic come from the program (nestor-opt
--nestor-print-work counts them), peaks from short loops (nestor-measure peaks).
"""

import json

from . import tools
from .errors import BuildError


def measure_peaks(core):
    """The peaks of one core now, as a dictionary."""
    code, output, error = tools.execute(
        [tools.nestor("nestor-measure"), "peaks", f"--core={core}"], 120)
    if code:
        raise BuildError(f"nestor-measure peaks: {error.strip()}")
    return json.loads(output)


def count_work(workshop):
    """Operations and traffic of a program, as a dictionary."""
    output = workshop.shell().run(
        tools.nestor("nestor-opt"), workshop.affine(fast=False),
        "--nestor-print-work", "-o", "/dev/null")
    work = {}
    for line in output.splitlines():
        name, _, value = line.strip().partition(": ")
        if value.isdigit():
            work[name.replace(" ", "_")] = int(value)
    return work


def best(all_peaks):
    """The highest of several measurements: a roof is what can be reached."""
    peaks = {name: max(p[name] for p in all_peaks)
             for name in ("gflops_f32", "gflops_f64", "giops_i32")}
    peaks["levels"] = [
        {"name": level[0]["name"], "bytes": level[0]["bytes"],
         "read": max(entry["read"] for entry in level),
         "update": max(entry["update"] for entry in level)}
        for level in zip(*(p["levels"] for p in all_peaks))]
    return peaks


def compute_seconds(work, peaks):
    return (work["f32_operations"] / peaks["gflops_f32"]
            + work["f64_operations"] / peaks["gflops_f64"]
            + work["integer_operations"] / peaks["giops_i32"]) * 1e-9


def home_level(work, peaks):
    """The first level of memory that holds everything the program touches."""
    for level in peaks["levels"]:
        if level["bytes"] and work["footprint_bytes"] <= level["bytes"]:
            return level
    return peaks["levels"][-1]


def memory_seconds(work, peaks):
    """Bytes that are written share the way with as many that are read."""
    level = home_level(work, peaks)
    read, written = work["read_bytes"], work["written_bytes"]
    both = 2 * min(read, written) + max(0, written - read)
    return (both / level["update"] + max(0, read - written) / level["read"]
            ) * 1e-9


def least_seconds(work, peaks):
    return max(compute_seconds(work, peaks), memory_seconds(work, peaks))
