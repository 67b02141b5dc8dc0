"""Tables of results: for a terminal, in Markdown, and as CSV."""

import csv

from . import machine, roof, statistics
from .competitors import BASE

SHORT = {"wrong": "wrong", "crashed": "crash", "timeout": "slow",
         "build failed": "build", "missing": "-", "unsupported": "-",
         "unmeasured": "..."}
CSV_FIELDS = ("suite", "size", "cores", "program", "competitor", "status",
              "seconds", "speedup", "lower_quartile", "upper_quartile",
              "rounds", "roof_share", "relative_error", "variant",
              "compile_seconds", "schedule_seconds", "detail")


def competitors_in(results):
    """Those with anything to show, the base first."""
    def shown(name):
        return any(record["entries"].get(name, {}).get("status", "missing")
                   not in ("missing", "unsupported")
                   for record in results.data["programs"].values())
    return [name for name in results.data["competitors"] if shown(name)]


def seconds_text(seconds):
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def speedup_cell(results, program, name):
    figure = results.speedup(program, name)
    if figure:
        return f"{figure.median:.2f}"
    return SHORT.get(results.entry(program, name).get("status"), "-")


def share_cell(results, program, name):
    share = results.roof_share(program, name)
    if share:
        return f"{100 * share:.{0 if share >= 0.1 else 1}f} %"
    return SHORT.get(results.entry(program, name).get("status"), "-")


def _mean_cells(results, names, value, form):
    """Geometric means, each with the number of programs in it."""
    cells = []
    for name in names:
        values = [v for v in (value(p, name) for p in results.data["programs"])
                  if v]
        mean = statistics.geometric_mean(values)
        cells.append(form(mean) + f" ({len(values)})" if mean else "-")
    return cells


def speedup_rows(results):
    """Header and rows: speedups over the base, medians of the rounds."""
    names = [name for name in competitors_in(results) if name != BASE]
    rows = [["program", BASE, *names]]
    for program in results.data["programs"]:
        base = results.seconds(program, BASE)
        rows.append([program, seconds_text(base.median) if base else "-",
                     *(speedup_cell(results, program, n) for n in names)])

    def median(program, name):
        figure = results.speedup(program, name)
        return figure.median if figure else None
    rows.append(["geometric mean", "", *_mean_cells(
        results, names, median, lambda mean: f"{mean:.2f}")])
    return rows


def roof_rows(results):
    """Header and rows: shares of the roof."""
    names = competitors_in(results)
    rows = [["program", "roof", *names]]
    for program in results.data["programs"]:
        least = results.roof(program)
        rows.append([program, seconds_text(least) if least else "-",
                     *(share_cell(results, program, n) for n in names)])
    rows.append(["geometric mean", "", *_mean_cells(
        results, names, results.roof_share, lambda m: f"{100 * m:.1f} %")])
    return rows


def spread_rows(results):
    """Header and rows: quartiles of the speedups as a share of the median."""
    names = [name for name in competitors_in(results) if name != BASE]
    rows = [["program", "rounds", *names]]
    for program in results.data["programs"]:
        cells = []
        for name in names:
            figure = results.speedup(program, name)
            cells.append(f"{50 * (figure.upper - figure.lower) / figure.median:.1f}"
                         if figure else "-")
        rounds = len(results.samples(program, BASE))
        rows.append([program, str(rounds), *cells])
    return rows


def cost_rows(results):
    """Header and rows: CPU seconds of compiling (scheduling), over programs."""
    rows = [["competitor", "what it is", "compiling", "scheduling"]]
    for name in competitors_in(results):
        entries = [results.entry(p, name) for p in results.data["programs"]]
        entries = [e for e in entries if "compile_seconds" in e]
        texts = []
        for key in ("compile_seconds", "schedule_seconds"):
            figure = statistics.figure([e[key] for e in entries])
            texts.append(f"{figure.median:.2f} s (at most {figure.most:.1f} s)"
                         if figure and figure.most > 0 else "-")
        about = results.data["competitors"][name]["about"]
        rows.append([name, about, *texts])
    return rows


def as_text(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(
        cell.ljust(width) if i == 0 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(row, widths))).rstrip()
        for row in rows)


def as_markdown(rows):
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    line = "| " + " | ".join(["---"] + ["---:"] * (len(rows[0]) - 1)) + " |"
    return "\n".join([head, line, *body])


def peaks_line(results):
    if not results.data["peaks"]:
        return "peaks: not measured"
    peaks = roof.best(results.data["peaks"])
    levels = ", ".join(f"{level['name']} {level['read']:.0f}/"
                       f"{level['update']:.0f}" for level in peaks["levels"])
    return (f"peaks of one core: {peaks['gflops_f64']:.0f} GFLOP/s f64, "
            f"{peaks['gflops_f32']:.0f} f32, {peaks['giops_i32']:.0f} G i32 "
            f"operations/s; GB/s read / read and written: {levels}")


def heading(results):
    data = results.data
    return (f"{data['suite']} {data['size']}, {data['cores']} "
            f"core{'s' if data['cores'] == 'all' else ''}\n"
            f"machine: {machine.line(data['machine'])}\n" + peaks_line(results))


def full_text(results, form=as_text):
    """Everything that a results file says, for people."""
    parts = [heading(results),
             f"Speedup over {BASE} (median of per-round ratios):",
             form(speedup_rows(results)),
             "Share of the roof:", form(roof_rows(results)),
             "Half the distance of the quartiles, in percent of the speedup:",
             form(spread_rows(results)),
             "CPU time of building, median over the programs:",
             form(cost_rows(results))]
    return "\n\n".join(parts) + "\n"


def write_csv(results, file):
    writer = csv.DictWriter(file, CSV_FIELDS, lineterminator="\n")
    writer.writeheader()
    data = results.data
    for program, record in data["programs"].items():
        for name, entry in record["entries"].items():
            row = {"suite": data["suite"], "size": data["size"],
                   "cores": data["cores"], "program": program,
                   "competitor": name, "status": entry["status"],
                   "detail": " ".join(entry["detail"].split()),
                   "variant": entry.get("variant", ""),
                   "relative_error": entry.get("error", ""),
                   "compile_seconds": entry.get("compile_seconds", ""),
                   "schedule_seconds": entry.get("schedule_seconds", "")}
            speedup = results.speedup(program, name)
            seconds = results.seconds(program, name)
            if speedup:
                row.update(seconds=f"{seconds.median:.6g}",
                           speedup=f"{speedup.median:.4f}",
                           lower_quartile=f"{speedup.lower:.4f}",
                           upper_quartile=f"{speedup.upper:.4f}",
                           rounds=speedup.count)
                share = results.roof_share(program, name)
                row["roof_share"] = f"{share:.4f}" if share else ""
            writer.writerow(row)
