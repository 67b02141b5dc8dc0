"""A run of nestor-bench: build, check, measure in rounds, keep.

A round measures the base and every competitor once, each in a process of its
own, in an order that changes. Rounds are spread over several passes over all
programs, so that a slow hour of the machine does not fall on one program.
"""

import json
import math
import os
import random
import time
from dataclasses import dataclass
from pathlib import Path

from . import check, execute, machine, roof
from .competitors import BASE, Build
from .errors import BuildError, Timeout, UsageError
from .workshop import Workshop, file_hash

PASSES = 3
# A competitor that is slower than the base by this factor is cut off.
SLOWEST = 30


@dataclass
class Options:
    cores: str = "one"  # one or all
    core: int = 0
    min_time: float = 0.1
    rounds: int = 0  # 0: by the base's time
    timeout: float = 300
    compile_timeout: float = 300
    budget_seconds: float = math.inf
    work: Path = Path("build/bench")
    build_only: bool = False


def rounds_for(seconds):
    """How many rounds a program gets whose base takes so long."""
    return 3 if seconds >= 1 else 5 if seconds >= 0.1 else 9


def order_of(names, program, number):
    """The names in the order of one round."""
    names = sorted(names)
    random.Random(f"{program.key}:{number}").shuffle(names)
    return names


class Session:
    def __init__(self, programs, competitors, results, options, display):
        self.programs, self.competitors = programs, competitors
        self.results, self.options, self.display = results, options, display
        self.builds = {}  # (program, competitor) names -> Build
        self.start = time.monotonic()

    #===-- Building --------------------------------------------------------===#

    def build_all(self):
        self._note_competitors()
        absent = {c.name: c.missing() for c in self.competitors}
        if absent[BASE]:
            raise UsageError(f"the base cannot be measured: {absent[BASE]}")
        for name, reason in absent.items():
            if reason:
                self.display.note(f"{name} is left out: {reason}")
        for number, program in enumerate(self.programs):
            self.display.progress(f"building {program.name}, {number + 1} of "
                                  f"{len(self.programs)}")
            workshop = self._workshop(program)
            self._note_work(program, workshop)
            for competitor in self.competitors:
                self._prepare(program, workshop, competitor,
                              absent[competitor.name])
            self.results.save()

    def _workshop(self, program):
        folder = self.options.work / program.suite / \
            f"{program.name}.{program.size}"
        threads = 1 if self.options.cores == "one" else os.cpu_count()
        return Workshop(program, folder, self.options.compile_timeout, threads)

    def _note_competitors(self):
        for competitor in self.competitors:
            self.results.data["competitors"][competitor.name] = {
                "about": competitor.about, "math": competitor.math}

    def _note_work(self, program, workshop):
        record = self.results.program(program.name)
        try:
            record["work"] = record["work"] or roof.count_work(workshop)
        except (BuildError, Timeout) as error:
            self.display.note(f"{program.name}: no count of its work: {error}")

    def _prepare(self, program, workshop, competitor, absent):
        """Builds one competitor, and drops what was measured of another build."""
        name, old = competitor.name, self.results.entry(program.name,
                                                        competitor.name)
        if absent or not competitor.supports(program):
            if not old:
                self._set(program, name, "missing" if absent else "unsupported",
                          absent or "")
            return
        try:
            builds = self._builds(workshop, competitor)
        except (BuildError, Timeout) as error:
            self.results.forget(program.name, name)
            self._set(program, name, "build failed", str(error))
            self.display.note(f"{program.name}: {name} does not build: {error}")
            return
        identity = "+".join(build.identity for build in builds)
        if old.get("builds") != identity:
            if self.results.samples(program.name, name):
                self.display.note(f"{program.name}: {name} is another build than "
                                  "before, its old times are dropped")
            self.results.forget(program.name, name)
            self._set(program, name, "unmeasured", "", builds=identity)
        self.builds[program.name, name] = builds

    def _builds(self, workshop, competitor):
        """From an earlier run where nothing changed since."""
        kept = workshop.path(f"{competitor.name}.builds.json")
        key = competitor.key(workshop)
        if competitor.keeps_builds and kept.exists():
            content = json.loads(kept.read_text())
            if content["key"] == key:
                builds = [Build(**build) for build in content["builds"]]
                if all(Path(build.command[-1]).exists() for build in builds):
                    return builds
        builds = competitor.build(workshop)
        kept.write_text(json.dumps({"key": key, "builds": [
            build.to_json() for build in builds]}))
        return builds

    def _set(self, program, name, status, detail="", **more):
        entry = self.results.program(program.name)["entries"].setdefault(name, {})
        entry.update(status=status, detail=detail, **more)

    #===-- Checking --------------------------------------------------------===#

    def _reference(self, program, workshop):
        """The arrays that the program as written leaves."""
        command = workshop.reference()
        path = workshop.path("reference.bin")
        stamp = workshop.path("reference.txt")
        identity = " ".join([file_hash(command[-1]),
                             *program.runner_arguments()])
        if not path.exists() or not stamp.exists() or \
                stamp.read_text() != identity:
            stamp.unlink(missing_ok=True)
            outcome = execute.run(Build(command, ""), program,
                                  Options(core=self.options.core, min_time=0),
                                  self.options.timeout, path)
            if outcome.status != "ok":
                raise BuildError(f"the program itself {outcome.status}: "
                                 f"{outcome.detail}")
            stamp.write_text(identity)
        arrays = check.read_arrays(path, program.arguments)
        bad = check.find_bad_numbers(program, arrays)
        if bad:
            raise BuildError(bad)
        return arrays

    def _check(self, program, competitor, build, reference, path):
        arrays = check.read_arrays(path, program.arguments)
        path.unlink()
        return check.compare(program, reference, arrays, competitor.math)

    def _first_run(self, program, competitor, build, reference, timeout):
        """Runs and checks a build; (status, seconds, detail, error)."""
        path = self._workshop(program).path("dump.bin")
        outcome = execute.run(build, program, self.options, timeout, path)
        if outcome.status != "ok":
            path.unlink(missing_ok=True)
            return outcome.status, None, outcome.detail, None
        verdict = self._check(program, competitor, build, reference, path)
        error = verdict.error if math.isfinite(verdict.error) else None
        if not verdict.right:
            return "wrong", None, verdict.detail, error
        return "ok", outcome.seconds, "", error

    def _admit(self, program, competitor, reference, timeout):
        """Checks all variants of a competitor and chooses one; returns its time
        where it has only one, as that was measured like any other."""
        builds = self.builds[program.name, competitor.name]
        runs = [self._first_run(program, competitor, build, reference, timeout)
                for build in builds]
        right = sorted((run[1], i) for i, run in enumerate(runs)
                       if run[0] == "ok")
        bad = [f"{builds[i].variant or 'it'}: {run[0]}, {run[2]}"
               for i, run in enumerate(runs) if run[0] != "ok"]
        if not right or (bad and competitor.must_be_right):
            status, _, detail, error = next(r for r in runs if r[0] != "ok")
            self._set(program, competitor.name, status, detail, error=error)
            self.display.note(f"{program.name}: {competitor.name} {status}: "
                              f"{detail}")
            return None
        middle = len(right) // 2 if competitor.choose == "median" else 0
        seconds, index = right[middle]
        build = builds[index]
        self._set(program, competitor.name, "ok", "; ".join(bad),
                  error=runs[index][3], chosen=index, variant=build.variant,
                  compile_seconds=round(build.compile_seconds, 3),
                  schedule_seconds=round(build.schedule_seconds, 3))
        if len(builds) > 1:
            self.results.entry(program.name, competitor.name)["variants"] = {
                builds[i].variant: run[1] for i, run in enumerate(runs)}
        return seconds if len(builds) == 1 else None

    #===-- Measuring -------------------------------------------------------===#

    def measure_all(self):
        """False if the budget ran out before everything was measured."""
        for number in range(1, PASSES + 1):
            for at, program in enumerate(self.programs):
                while self._lacking(program, number):
                    spent = time.monotonic() - self.start
                    if spent > self.options.budget_seconds:
                        return False
                    self.display.progress(
                        f"pass {number} of {PASSES}, {program.name} ({at + 1} of "
                        f"{len(self.programs)})", self._seconds_left(program,
                                                                     number))
                    if not self._round(program, self._lacking(program, number)):
                        break
                self.display.row(self.results, program.name)
        return True

    def _wanted(self, program, number=PASSES):
        """Rounds of a program after pass `number`."""
        rounds = self.options.rounds
        if not rounds:
            samples = self.results.samples(program.name, BASE)
            rounds = rounds_for(min(samples)) if samples else PASSES
        return math.ceil(rounds * number / PASSES)

    def _alive(self, program):
        return [c for c in self.competitors
                if (program.name, c.name) in self.builds
                and self.results.entry(program.name, c.name).get("status")
                in ("ok", "unmeasured")]

    def _lacking(self, program, number=PASSES):
        """Competitors that want another round in pass `number`."""
        alive = self._alive(program)
        if BASE not in [c.name for c in alive]:
            return []
        wanted = self._wanted(program, number)
        lacking = [c for c in alive if
                   len(self.results.samples(program.name, c.name)) < wanted]
        if not lacking or [c.name for c in lacking] == [BASE]:
            return lacking if len(alive) == 1 else []
        return lacking

    def _limit(self, program):
        """Seconds that one run may take."""
        samples = self.results.samples(program.name, BASE)
        if not samples:
            return self.options.timeout
        # Of wall-clock time: starting, filling and restoring count, and on a
        # loaded machine others' work.
        return min(self.options.timeout,
                   120 + SLOWEST * max(min(samples), self.options.min_time))

    def _round(self, program, lacking):
        """Measures the base and those that lack a round; False if the base
        does not work."""
        record = self.results.program(program.name)
        workshop, reference = self._workshop(program), None
        names = {c.name: c for c in self._alive(program)
                 if c in lacking or c.name == BASE}
        order = order_of(names, program, len(record["rounds"]))
        if self.results.entry(program.name, BASE)["status"] == "unmeasured":
            order.sort(key=lambda name: name != BASE)
        seconds = {}
        for name in order:
            start = time.monotonic()
            if self.results.entry(program.name, name)["status"] == "unmeasured":
                try:
                    reference = reference or self._reference(program, workshop)
                except (BuildError, Timeout) as error:
                    self._set(program, BASE, "crashed", str(error))
                    self.display.note(f"{program.name}: {error}")
                    return False
                value = self._admit(program, names[name], reference,
                                    self._limit(program))
            else:
                value = self._run_again(program, names[name])
            self._note_wall(program, name, time.monotonic() - start)
            if value is None and self.results.is_right(program.name, name):
                value = self._run_again(program, names[name])
            if value is not None:
                seconds[name] = value
            if name == BASE and value is None:
                return False
        record["rounds"].append(seconds)
        self.results.save()
        return True

    def _run_again(self, program, competitor):
        entry = self.results.entry(program.name, competitor.name)
        build = self.builds[program.name, competitor.name][entry["chosen"]]
        outcome = execute.run(build, program, self.options, self._limit(program))
        if outcome.status == "ok":
            return outcome.seconds
        self._set(program, competitor.name, outcome.status, outcome.detail)
        self.display.note(f"{program.name}: {competitor.name} {outcome.status}: "
                          f"{outcome.detail}")
        return None

    #===-- Progress --------------------------------------------------------===#

    def _note_wall(self, program, name, seconds):
        self.walls = getattr(self, "walls", {})
        self.walls[program.name, name] = seconds

    def _seconds_left(self, current, number):
        """A guess: runs that are known take as long as before, others as the
        mean of all."""
        walls = getattr(self, "walls", {})
        if not walls:
            return None
        mean = sum(walls.values()) / len(walls)
        left = 0
        for program in self.programs:
            for competitor in self._alive(program):
                done = len(self.results.samples(program.name, competitor.name))
                left += max(0, self._wanted(program) - done) * walls.get(
                    (program.name, competitor.name), mean)
        return left

    #===-- The end ---------------------------------------------------------===#

    def failures(self):
        """(wrong or failed Nestors, other competitors that failed), as
        texts."""
        nestor, others = [], []
        for program in self.programs:
            for competitor in self.competitors:
                entry = self.results.entry(program.name, competitor.name)
                status = entry.get("status")
                if status in ("ok", "unsupported", "unmeasured", None):
                    continue
                text = f"{program.name}: {competitor.name} {status}"
                first = entry.get("detail", "").splitlines()[:1]
                text += "".join(f": {line}" for line in first)
                (nestor if competitor.must_be_right else others).append(text)
        return nestor, others


def check_machine(results):
    """Refuses to mix machines in one file; notes the machine in a new one."""
    now = machine.describe()
    before = results.data["machine"]
    for key in machine.IDENTITY:
        if before and before[key] != now[key]:
            raise UsageError(f"{results.path} was measured on another machine "
                             f"({key}: {before[key]}, here {now[key]}); choose "
                             "another file with --json, or --fresh")
    results.data["machine"] = now
    return now
