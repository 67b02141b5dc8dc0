"""nestor-bench compare OLD NEW: what changed, and whether it is more than noise.

A figure has changed when the intervals of both runs (quartiles, or the whole
range of less than five rounds) do not touch and the medians differ by more
than 3 percent, which two runs of the same build may differ by.
"""

from dataclasses import dataclass

from . import statistics
from .competitors import BASE
from .errors import UsageError

NOISE = 0.03
REPEATED = 0.05  # what two runs of the same should agree within


@dataclass(frozen=True)
class Change:
    program: str
    competitor: str
    old: statistics.Figure
    new: statistics.Figure

    @property
    def ratio(self):
        return self.new.median / self.old.median

    @property
    def is_real(self):
        old, new = self.old.interval, self.new.interval
        apart = old[1] < new[0] or new[1] < old[0]
        return apart and abs(self.ratio - 1) > NOISE

    @property
    def is_repeated(self):
        return 1 / (1 + REPEATED) <= self.ratio <= 1 + REPEATED


def check_comparable(old, new):
    for key in ("suite", "size", "cores"):
        if old.data[key] != new.data[key]:
            raise UsageError(f"the files differ in {key}: {old.data[key]} and "
                             f"{new.data[key]}")


def changes(old, new):
    """A Change for every figure that both files have; the base's figures are
    seconds, those of others speedups."""
    found = []
    for program in old.data["programs"]:
        for name in old.data["competitors"]:
            pick = "seconds" if name == BASE else "speedup"
            a = getattr(old, pick)(program, name)
            b = getattr(new, pick)(program, name) if a else None
            if a and b:
                found.append(Change(program, name, a, b))
    return found


def new_failures(old, new):
    """Texts: what was right in the old file and is not in the new one."""
    return [f"{program}: {name} was ok, is {entry['status']}"
            for program, record in new.data["programs"].items()
            for name, entry in record["entries"].items()
            if old.is_right(program, name) and entry["status"] not in
            ("ok", "unmeasured")]


def report(old, new):
    """The text of a comparison."""
    check_comparable(old, new)
    lines = []
    if old.data["machine"].get("cpu") != new.data["machine"].get("cpu"):
        lines.append("note: the files are from different machines")
    found = changes(old, new)
    real = sorted((c for c in found if c.is_real), key=lambda c: c.ratio)
    for change in real:
        unit = "s" if change.competitor == BASE else "x"
        lines.append(f"{change.program:16} {change.competitor:18} "
                     f"{change.old.median:10.4g} {unit} -> "
                     f"{change.new.median:10.4g} {unit}  ({change.ratio:.3f})")
    lines += new_failures(old, new)
    lines.append(f"{len(real)} of {len(found)} figures changed by more than "
                 "noise")
    for name in old.data["competitors"]:
        mine = [c for c in found if c.competitor == name]
        if mine:
            mean = statistics.geometric_mean(c.ratio for c in mine)
            same = sum(c.is_repeated for c in mine)
            what = "seconds" if name == BASE else "speedup"
            lines.append(f"{name:18} {what}: new / old {mean:.3f} (geometric "
                         f"mean), within {100 * REPEATED:.0f} %: {same} of "
                         f"{len(mine)}")
    return "\n".join(lines) + "\n"
