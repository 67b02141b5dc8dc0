"""What a run shows while it goes on: rows as they come, progress, time left."""

import shutil
import sys
import time

from . import table
from .competitors import BASE


class Display:
    """Rows and notes go to `out`; on a terminal a last line shows progress."""

    def __init__(self, out=None):
        self.out = out or sys.stdout
        self.live = self.out.isatty()
        self.start = time.monotonic()
        self.header = None

    def _clear(self):
        if self.live:
            self.out.write("\r\033[K")

    def say(self, text):
        self._clear()
        self.out.write(text + "\n")
        self.out.flush()

    def note(self, text):
        self.say("note: " + text)

    def progress(self, text, seconds_left=None):
        if not self.live:
            return
        spent = time.monotonic() - self.start
        left = f", about {_minutes(seconds_left)} left" if seconds_left else ""
        self._clear()
        width = shutil.get_terminal_size().columns - 1
        self.out.write(f"{text}; {_minutes(spent)} gone{left}"[:width])
        self.out.flush()

    def row(self, results, program):
        """One program's speedups so far."""
        names = [n for n in table.competitors_in(results) if n != BASE]
        widths = [max(len(n), 6) for n in names]
        if self.header != names:
            self.header = names
            self.say("  ".join(["program".ljust(16), BASE.rjust(10), "rounds",
                                *(n.rjust(w) for n, w in zip(names, widths))]))
        base = results.seconds(program, BASE)
        cells = [table.speedup_cell(results, program, n) for n in names]
        self.say("  ".join([
            program.ljust(16),
            (table.seconds_text(base.median) if base else "-").rjust(10),
            str(len(results.samples(program, BASE))).rjust(6),
            *(cell.rjust(w) for cell, w in zip(cells, widths))]))


def _minutes(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
