"""nestor-bench plot: bar charts of speedups, and a roofline, as PNG and SVG."""

import matplotlib

matplotlib.use("Agg")
# The same results give the same SVG file.
matplotlib.rcParams["svg.hashsalt"] = "nestor-bench"
import numpy
from matplotlib import pyplot
from matplotlib.ticker import NullFormatter

from . import roof, statistics, table
from .competitors import BASE
from .errors import UsageError

# Told apart by people who see colours differently, too.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
           "#000000", "#999999", "#8c564b", "#6a3d9a", "#b2df8a", "#fb9a99",
           "#a6761d", "#1b9e77")
MARKERS = "osD^vP*X<>hdp8"


def choose(results, names):
    """The competitors to show, without the base."""
    present = [n for n in table.competitors_in(results) if n != BASE]
    unknown = [n for n in names or () if n not in present]
    if unknown:
        raise UsageError(f"{unknown[0]} was not measured in {results.path}; "
                         "there are " + ", ".join(present))
    chosen = names or present
    if not chosen:
        raise UsageError(f"{results.path} has no competitor but the base")
    return chosen


def _title(results, what):
    data = results.data
    return (f"{what}: {data['suite']} {data['size']}, {data['cores']} "
            f"core{'s' if data['cores'] == 'all' else ''}\n"
            f"{data['machine']['cpu']} ({' '.join(data['machine']['features'])})")


def _save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.{end}" for end in ("png", "svg")]
    for path in paths:
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=110, bbox_inches="tight", metadata=metadata)
    pyplot.close(figure)
    return paths


def _bars(results, names):
    """Per competitor a list of (median, lower, upper), None where there is
    none; the geometric mean at the end."""
    programs = list(results.data["programs"])
    bars = {}
    for name in names:
        figures = [results.speedup(p, name) for p in programs]
        values = [(f.median, f.lower, f.upper) if f else None for f in figures]
        mean = statistics.geometric_mean(f.median for f in figures if f)
        bars[name] = values + [(mean, mean, mean) if mean else None]
    return programs + ["geometric mean"], bars


def draw_speedups(results, names):
    labels, bars = _bars(results, names)
    # Two rows of groups, so that thirty programs stay readable.
    rows = 2 if len(labels) * len(names) > 60 else 1
    per_row = -(-len(labels) // rows)
    figure, axes = pyplot.subplots(rows, 1, figsize=(15, 4.2 * rows),
                                   squeeze=False, sharey=True)
    for row, axis in enumerate(axes[:, 0]):
        shown = range(row * per_row, min(len(labels), (row + 1) * per_row))
        width = 0.84 / len(names)
        for number, name in enumerate(names):
            have = [i for i in shown if bars[name][i]]
            middle = numpy.array([bars[name][i][0] for i in have])
            error = numpy.array([[bars[name][i][0] - bars[name][i][1],
                                  bars[name][i][2] - bars[name][i][0]]
                                 for i in have]).reshape(-1, 2).T
            places = [i - row * per_row + (number + 0.5) * width - 0.42
                      for i in have]
            axis.bar(places, middle, width, yerr=error, label=name,
                     color=COLOURS[number % len(COLOURS)],
                     error_kw={"elinewidth": 0.6})
        axis.axhline(1, color="black", linewidth=0.8)
        axis.set_yscale("log")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_formatter(NullFormatter())
        axis.set_ylabel(f"speedup over {BASE}")
        axis.set_xticks(range(len(shown)), [labels[i] for i in shown],
                        rotation=30, ha="right")
        axis.set_xlim(-0.6, per_row - 0.4)
        axis.grid(axis="y", linewidth=0.3)
        axis.set_axisbelow(True)
    figure.suptitle(_title(results, "Speedup, median of rounds"))
    figure.tight_layout()
    handles, texts = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, texts, ncols=7, fontsize=9, loc="upper center",
                  bbox_to_anchor=(0.5, 0))
    return figure


def _points(results, name):
    """(operations per byte, GFLOP/s) of the programs of a competitor."""
    points = []
    for program in results.data["programs"]:
        work = results.program(program)["work"]
        seconds = results.seconds(program, name)
        if not work or not seconds:
            continue
        operations = sum(work[key] for key in
                         ("f32_operations", "f64_operations",
                          "integer_operations"))
        bytes_moved = work["read_bytes"] + work["written_bytes"]
        if operations and bytes_moved:
            points.append((operations / bytes_moved,
                           operations / seconds.median * 1e-9))
    return points


def draw_roofline(results, names):
    if not results.data["peaks"]:
        raise UsageError(f"{results.path} has no peaks: run without --no-peaks")
    peaks = roof.best(results.data["peaks"])
    figure, axis = pyplot.subplots(figsize=(10, 6.5))
    shown = [BASE, *names]
    points = {name: _points(results, name) for name in shown}
    every = [x for values in points.values() for x, _ in values]
    if not every:
        raise UsageError(f"{results.path} counts no operations")
    low, high = min(every) / 2, max(every) * 2
    intensity = numpy.geomspace(low, high, 200)
    for level, style in zip(peaks["levels"], ("-", "--", "-.", ":")):
        reach = numpy.minimum(peaks["gflops_f64"], level["read"] * intensity)
        axis.plot(intensity, reach, style, color="#444444", linewidth=1,
                  label=f"{level['name']}: {level['read']:.0f} GB/s")
    for key, label in (("gflops_f32", "f32"), ("gflops_f64", "f64")):
        axis.axhline(peaks[key], color="#888888", linewidth=0.7)
        axis.text(high, peaks[key], f" {label} {peaks[key]:.0f}", va="center",
                  fontsize=8)
    for number, name in enumerate(shown):
        if points[name]:
            axis.plot(*zip(*points[name]), MARKERS[number % len(MARKERS)],
                      color=(("#bbbbbb",) + COLOURS)[number % 15],
                      markersize=5, alpha=0.85, label=name)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlim(low, high)
    axis.set_xlabel("operations per byte of compulsory traffic")
    axis.set_ylabel("10^9 operations per second")
    axis.set_title(_title(results, "Roofline"))
    axis.grid(which="major", linewidth=0.3)
    axis.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.06, 0.5))
    return figure


def draw_all(results, folder, names=None):
    """Writes all plots; returns their paths."""
    chosen = choose(results, names)
    stem = f"{results.data['suite']}-{results.data['size'].lower()}"
    paths = _save(draw_speedups(results, chosen), folder, f"{stem}-speedup")
    if results.data["peaks"]:
        paths += _save(draw_roofline(results, chosen), folder,
                       f"{stem}-roofline")
    return paths
