"""One measurement: a process that runs a built program and is heard out."""

import json
import os
from dataclasses import dataclass

from . import tools
from .errors import Timeout


@dataclass(frozen=True)
class Outcome:
    """What became of one run; `seconds` is None unless status is "ok"."""
    status: str  # ok, crashed, timeout
    seconds: float = None
    detail: str = ""


def run(build, program, options, timeout, dump=None):
    """Runs a build once: warm-up, repetition, one figure."""
    command = [*build.command, "--min-time", options.min_time]
    if options.cores == "one":
        command += ["--core", options.core]
    else:
        command.append("--wall")
    if dump:
        command += ["--dump", dump]
    threads = "1" if options.cores == "one" else str(os.cpu_count())
    environment = {name: threads for name in
                   ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                    "HL_NUM_THREADS", "NESTOR_BENCH_THREADS")}
    try:
        code, output, error = tools.execute(
            [*command, *program.runner_arguments()], timeout, environment)
    except Timeout as problem:
        return Outcome("timeout", detail=str(problem))
    lines = [line for line in error.splitlines() if line.strip()]
    if code:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return Outcome("crashed", detail=": ".join([how, *lines[-1:]]))
    try:
        return Outcome("ok", float(json.loads(output)["seconds"]))
    except (ValueError, KeyError, TypeError):
        return Outcome("crashed", detail=f"printed {output[:80]!r}")
