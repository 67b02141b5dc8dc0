"""The command line of nestor-bench.

Exit status: 0 all well; 1 a result of Nestor is wrong, or it failed; 2 a bad
request; 3 some other competitor is wrong, failed, was cut off or is not
installed; 4 the budget ran out, or an interrupt came: run again to go on.
"""

import argparse
import math
import os
import signal
import sys
from pathlib import Path

from . import compare, competitors, machine, programs, roof, table
from .display import Display
from .errors import BuildError, UsageError
from .results import Results
from .session import Options, Session, check_machine

OK, NESTOR_FAILED, BAD_REQUEST, PEER_FAILED, UNFINISHED = range(5)


def _list(text):
    return [part for part in text.split(",") if part]


def _positive(text):
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def make_parser():
    parser = argparse.ArgumentParser(
        prog="nestor-bench", description="Measure Nestor against its peers.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="build, check and measure")
    run.add_argument("--suite", default="polybench",
                     help=", ".join(programs.SUITES))
    run.add_argument("--size", default="MEDIUM", help=", ".join(programs.SIZES))
    run.add_argument("--only", type=_list, default=[], metavar="NAME,...",
                     help="programs (default: the whole suite)")
    run.add_argument("--peers", type=_list, default=["default"],
                     metavar="NAME,...",
                     help="competitors or groups: default, compilers, optional, "
                     "nestors, all; see 'list' (the base is always measured)")
    run.add_argument("--external", metavar="FILE",
                     help="more competitors, as command templates in JSON")
    run.add_argument("--schedules", metavar="DIR",
                     help="schedules for the competitor 'replay'")
    run.add_argument("--json", type=Path, metavar="FILE",
                     help="results file, made or gone on with (default: "
                     "nestor-bench-SUITE-SIZE.json)")
    run.add_argument("--csv", type=Path, metavar="FILE", help="write a table")
    run.add_argument("--fresh", action="store_true",
                     help="start the results file anew")
    run.add_argument("--remeasure", type=_list, default=[], metavar="NAME,...",
                     help="drop the old times of these competitors first")
    run.add_argument("--budget-minutes", type=_positive, default=math.inf,
                     metavar="M", help="stop after this time, to go on later")
    run.add_argument("--rounds", type=int, default=0, metavar="N",
                     help="rounds per program (default: 3 where the base takes "
                     "a second, up to 9 where it is fast)")
    run.add_argument("--min-time", type=_positive, default=0.1, metavar="S",
                     help="repeat a fast program for this time in one "
                     "measurement (default: 0.1)")
    run.add_argument("--cores", choices=("one", "all"), default="one",
                     help="one pinned core and CPU time, or all and wall-clock "
                     "time")
    run.add_argument("--core", type=int, metavar="N",
                     help="the core to measure on (default: the last one)")
    run.add_argument("--timeout", type=_positive, default=300, metavar="S",
                     help="for one measurement (default: 300)")
    run.add_argument("--compile-timeout", type=_positive, default=300,
                     metavar="S", help="for one compiler run (default: 300)")
    run.add_argument("--work", type=Path, metavar="DIR",
                     help="where builds are kept (default: bench in the build "
                     "folder)")
    run.add_argument("--no-peaks", action="store_true",
                     help="do not measure the machine's peaks (5 s)")
    run.add_argument("--build-only", action="store_true",
                     help="build everything, measure nothing")
    run.set_defaults(function=run_command)

    show = commands.add_parser("table", help="print what a results file says")
    show.add_argument("file")
    show.add_argument("--form", choices=("text", "markdown", "csv"),
                      default="text")
    show.set_defaults(function=table_command)

    plot = commands.add_parser("plot", help="draw speedups and rooflines")
    plot.add_argument("file")
    plot.add_argument("--output", type=Path, default=Path("."), metavar="DIR",
                      help="folder of the PNG and SVG files (default: here)")
    plot.add_argument("--peers", type=_list, metavar="NAME,...",
                      help="competitors to show (default: all)")
    plot.set_defaults(function=plot_command)

    differ = commands.add_parser(
        "compare", help="what changed between two results files")
    differ.add_argument("old")
    differ.add_argument("new")
    differ.set_defaults(function=compare_command)

    names = commands.add_parser("list", help="suites, programs, competitors")
    names.set_defaults(function=list_command)
    return parser


def open_results(arguments):
    path = arguments.json or Path(
        f"nestor-bench-{arguments.suite}-{arguments.size}.json")
    if not path.resolve().parent.is_dir():
        raise UsageError(f"{path}: no such folder")
    if not path.exists() or arguments.fresh:
        return Results.create(path, arguments.suite, arguments.size,
                              arguments.cores)
    results = Results.load(path)
    for key in ("suite", "size", "cores"):
        if results.data[key] != getattr(arguments, key):
            raise UsageError(f"{path} has {key} {results.data[key]}; choose "
                             "another file with --json, or --fresh")
    return results


def run_options(arguments):
    cores = sorted(os.sched_getaffinity(0))
    core = cores[-1] if arguments.core is None else arguments.core
    if core not in cores:
        raise UsageError(f"core {core} is not one of {cores}")
    if arguments.rounds < 0:
        raise UsageError("--rounds must not be negative")
    work = arguments.work or Path(os.environ.get(
        "NESTOR_BIN", programs.ROOT / "build" / "bin")).parent / "bench"
    return Options(cores=arguments.cores, core=core, work=work.resolve(),
                   min_time=arguments.min_time, rounds=arguments.rounds,
                   timeout=arguments.timeout,
                   compile_timeout=arguments.compile_timeout,
                   budget_seconds=60 * arguments.budget_minutes)


def run_command(arguments):
    chosen = programs.select(arguments.suite, arguments.size, arguments.only)
    externals = (competitors.load_externals(arguments.external)
                 if arguments.external else [])
    peers = competitors.choose(arguments.peers, externals, arguments.schedules)
    unknown = set(arguments.remeasure) - {peer.name for peer in peers}
    if unknown:
        raise UsageError(f"--remeasure names {', '.join(sorted(unknown))}, which "
                         "--peers does not")
    results, options = open_results(arguments), run_options(arguments)
    display = Display()
    display.say("machine: " + machine.line(check_machine(results)))
    results.data["settings"] = {
        "min_time": options.min_time, "rounds": options.rounds,
        "core": options.core if options.cores == "one" else "all",
        "clock": "thread CPU time" if options.cores == "one" else "wall clock"}
    for program in chosen:
        for name in arguments.remeasure:
            results.forget(program.name, name)
    session = Session(chosen, peers, results, options, display)
    finished = True
    # The same end for a stop by hand, by a batch system, in the background.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        session.build_all()
        if arguments.build_only:
            display.say("built")
            return OK
        if not arguments.no_peaks:
            results.data["peaks"].append(roof.measure_peaks(options.core))
        finished = session.measure_all()
    except KeyboardInterrupt:
        finished = False
    finally:
        results.save()
    return finish(arguments, session, display, finished)


def finish(arguments, session, display, finished):
    """Prints the tables, and turns what happened into an exit status."""
    results = session.results
    display.say("\n" + table.full_text(results))
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            table.write_csv(results, file)
    nestor, others = session.failures()
    for text in others:
        display.note(text)
    for text in nestor:
        print(f"nestor-bench: FAILED: {text}", file=sys.stderr)
    display.say(f"results: {results.path}")
    if nestor:
        return NESTOR_FAILED
    if not finished:
        display.note("not finished; the same command goes on from here")
        return UNFINISHED
    return PEER_FAILED if others else OK


def table_command(arguments):
    results = Results.load(arguments.file)
    if arguments.form == "csv":
        table.write_csv(results, sys.stdout)
    else:
        form = table.as_text if arguments.form == "text" else table.as_markdown
        sys.stdout.write(table.full_text(results, form))
    return OK


def plot_command(arguments):
    from . import plots  # matplotlib takes a second to load
    results = Results.load(arguments.file)
    for path in plots.draw_all(results, arguments.output, arguments.peers):
        print(path)
    return OK


def compare_command(arguments):
    sys.stdout.write(compare.report(Results.load(arguments.old),
                                    Results.load(arguments.new)))
    return OK


def list_command(arguments):
    for suite in programs.SUITES:
        names = programs.templates.load_sizes(programs.BENCH / suite)
        print(f"{suite}: {' '.join(names)}")
    print("sizes: " + " ".join(programs.SIZES))
    for peer in competitors.all_competitors():
        print(f"{peer.name:18} {peer.about}"
              + (" [optional]" if peer.optional else ""))
    return OK


def main(argv=None):
    arguments = make_parser().parse_args(argv)
    try:
        return arguments.function(arguments)
    except (UsageError, BuildError) as error:
        print(f"nestor-bench: {error}", file=sys.stderr)
        return BAD_REQUEST
    except BrokenPipeError:  # whoever read this has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        print(f"nestor-bench: {error.filename or ''}: {error.strerror}",
              file=sys.stderr)
        return BAD_REQUEST


if __name__ == "__main__":
    sys.exit(main())
