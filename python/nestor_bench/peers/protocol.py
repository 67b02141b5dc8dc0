"""What nestor-bench-runner does, for peers that live in Python.

A peer's script calls `main` with two functions:

    build(source, out, flags, sizes, arguments)   makes files beside `out`
    prepare(out, arrays) -> (call, collect)       `call` is timed, `collect`
        brings results into the arrays where `call` does not

Its command line is `build SOURCE OUT [FLAG...] [NAME=N...] -- ARGUMENT...`, or
`run OUT ARGUMENT... [options]` with arguments and options of the runner. This
file needs nothing but numpy.
"""

import json
import os
import sys
import time

import numpy

TYPES = {"f32": numpy.float32, "f64": numpy.float64, "i32": numpy.int32,
         "i64": numpy.int64}


def _uniform(argument, count):
    """u(a, e) of bench/polybench/README.md for e = 0 .. count - 1."""
    with numpy.errstate(over="ignore"):
        x = numpy.arange(count, dtype=numpy.uint64)
        x += numpy.uint64(0x9E3779B97F4A7C15 * (argument + 1) % 2**64)
        x = (x ^ (x >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        x ^= x >> numpy.uint64(31)
    return (x >> numpy.uint64(12)).astype(numpy.float64) * 2.0**-52


def make_argument(position, text):
    """The array or number that the runner makes of an argument's text."""
    if "=" in text:
        kind, value = text.split("=")
        return TYPES[kind](value)
    kind, init, shape = text.split(":")
    extents = [int(extent) for extent in shape.split("x")]
    count = int(numpy.prod(extents))
    if init == "zero":
        values = numpy.zeros(count)
    elif init == "default":
        values = 0.5 + _uniform(position, count)
    else:
        sys.exit(f"peers know the inputs default and zero, not '{init}'")
    return values.astype(TYPES[kind]).reshape(extents)


def threads():
    return int(os.environ.get("NESTOR_BENCH_THREADS", "1"))


def _measure(call, arrays, clock, min_time, warm_up, after_first):
    initial = [a.copy() if isinstance(a, numpy.ndarray) else None
               for a in arrays]

    def once():
        start = clock()
        call()
        return clock() - start
    first = once()
    after_first()
    changed = [(a, i) for a, i in zip(arrays, initial)
               if i is not None and not numpy.array_equal(a, i)]
    times = [first] if first >= warm_up else []
    begin = time.monotonic()
    while not times or (sum(times) < min_time
                        and time.monotonic() - begin < 20 * min_time):
        for array, values in changed:
            array[...] = values
        times.append(max(once(), 1e-9))
    print(json.dumps({"seconds": float(numpy.median(times)),
                      "best": min(times), "calls": len(times)}))


def _run(prepare, words):
    options = {"--core": None, "--min-time": "0.1", "--warm-up": "0.3",
               "--dump": None}
    clock, arguments, at = time.thread_time, [], 1
    while at < len(words):
        if words[at] == "--wall":
            clock = time.perf_counter
        elif words[at] in options:
            at += 1
            options[words[at - 1]] = words[at]
        else:
            arguments.append(words[at])
        at += 1
    if options["--core"] is not None:
        os.sched_setaffinity(0, [int(options["--core"])])
    arrays = [make_argument(i, text) for i, text in enumerate(arguments)]
    call, collect = prepare(words[0], arrays)

    def after_first():
        collect()
        if options["--dump"]:
            with open(options["--dump"], "wb") as file:
                for array in arrays:
                    if isinstance(array, numpy.ndarray):
                        array.tofile(file)
    _measure(call, arrays, clock, float(options["--min-time"]),
             float(options["--warm-up"]), after_first)


def _build(build, words):
    cut = words.index("--")
    source, out, *rest = words[:cut]
    sizes = {name: int(value) for name, value in
             (word.split("=") for word in rest if "=" in word)}
    flags = [word for word in rest if "=" not in word]
    build(source, out, flags, sizes, words[cut + 1:])


def main(build, prepare):
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(f"usage: {sys.argv[0]} build|run ...; see protocol.py")
    if sys.argv[1] == "build":
        _build(build, sys.argv[2:])
    else:
        _run(prepare, sys.argv[2:])
