"""The results file: what was measured, kept as it is measured.

One JSON file per suite, size and number of cores. It is written to a temporary
file and renamed, so that an interrupt never leaves half of it. `docs/
benchmarks.md` describes its fields.
"""

import json
import os
import tempfile
from pathlib import Path

from . import statistics
from .competitors import BASE
from .errors import UsageError

FORMAT = "nestor-bench"
VERSION = 1


class Results:
    def __init__(self, path, data):
        self.path, self.data = Path(path), data

    @classmethod
    def create(cls, path, suite, size, cores):
        return cls(path, {"format": FORMAT, "version": VERSION, "suite": suite,
                          "size": size, "cores": cores, "base": BASE,
                          "machine": {}, "peaks": [], "settings": {},
                          "competitors": {}, "programs": {}})

    @classmethod
    def load(cls, path):
        try:
            data = json.loads(Path(path).read_text())
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from None
        except ValueError as error:
            raise UsageError(f"{path} is no JSON: {error}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise UsageError(f"{path} is no results file of nestor-bench")
        if data.get("version") != VERSION:
            raise UsageError(f"{path} has version {data.get('version')}, this "
                             f"nestor-bench reads version {VERSION}")
        missing = set(cls.create(path, "", "", "").data) - set(data)
        if missing:
            raise UsageError(f"{path}: {', '.join(sorted(missing))} missing")
        return cls(path, data)

    def save(self):
        folder = self.path.resolve().parent
        handle, name = tempfile.mkstemp(dir=folder, prefix=self.path.name)
        try:
            with os.fdopen(handle, "w") as file:
                json.dump(self.data, file, indent=1)
                file.write("\n")
            os.chmod(name, 0o644)
            os.replace(name, self.path)
        except BaseException:
            os.unlink(name)
            raise

    def program(self, name):
        return self.data["programs"].setdefault(
            name, {"work": None, "entries": {}, "rounds": []})

    def entry(self, program, competitor):
        """The record of a competitor on a program; {} if there is none."""
        return self.data["programs"].get(program, {}).get("entries", {}).get(
            competitor, {})

    def forget(self, program, competitor):
        """Drops what was measured of a competitor on a program."""
        record = self.program(program)
        record["entries"].pop(competitor, None)
        for seconds in record["rounds"]:
            seconds.pop(competitor, None)
        # Rounds of the base alone say nothing.
        record["rounds"] = [seconds for seconds in record["rounds"]
                            if len(seconds) > 1]

    def samples(self, program, competitor):
        return [seconds[competitor]
                for seconds in self.program(program)["rounds"]
                if competitor in seconds]

    def is_right(self, program, competitor):
        return self.entry(program, competitor).get("status") == "ok"

    def speedup(self, program, competitor):
        """The Figure of its speedup over the base, or None."""
        if not self.is_right(program, competitor):
            return None
        return statistics.figure(statistics.ratios(
            self.program(program)["rounds"], BASE, competitor))

    def seconds(self, program, competitor):
        if not self.is_right(program, competitor):
            return None
        return statistics.figure(self.samples(program, competitor))

    def roof_share(self, program, competitor):
        """Which part of the roof it reaches, or None."""
        roof = self.roof(program)
        seconds = self.seconds(program, competitor)
        return roof / seconds.median if roof and seconds else None

    def roof(self, program):
        """The least seconds that the program can take, or None."""
        from . import roof
        work = self.program(program)["work"]
        if not work or not self.data["peaks"]:
            return None
        return roof.least_seconds(work, roof.best(self.data["peaks"]))
