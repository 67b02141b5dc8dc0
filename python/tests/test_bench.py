"""nestor-bench: statistics, formats, and competitors that misbehave."""

import csv
import importlib.util
import io
import json
import subprocess
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import numpy

from python.nestor_bench import (check, compare, competitors, execute, plots,
                                 programs, roof, session, statistics, table,
                                 tools, workshop)
from python.nestor_bench.__main__ import main
from python.nestor_bench.display import Display
from python.nestor_bench.errors import UsageError
from python.nestor_bench.results import Results

BASE = competitors.BASE


class Statistics(unittest.TestCase):
    def test_figure_is_median_and_quartiles(self):
        figure = statistics.figure([4.0, 1.0, 3.0, 2.0, 5.0])
        self.assertEqual((figure.lower, figure.median, figure.upper), (2, 3, 4))
        self.assertEqual((figure.least, figure.most, figure.count), (1, 5, 5))
        self.assertEqual(figure.interval, (2, 4))

    def test_interval_of_few_samples_is_their_range(self):
        self.assertEqual(statistics.figure([2.0, 1.0, 9.0]).interval, (1, 9))

    def test_no_samples_give_no_figure(self):
        self.assertIsNone(statistics.figure([]))
        self.assertIsNone(statistics.geometric_mean([]))

    def test_ratios_pair_what_was_measured_in_one_round(self):
        rounds = [{BASE: 2.0, "a": 1.0}, {BASE: 9.0}, {BASE: 6.0, "a": 2.0}]
        self.assertEqual(statistics.ratios(rounds, BASE, "a"), [2, 3])

    def test_a_slow_round_cancels(self):
        """The machine is ten times slower in one round: the ratio stays."""
        rounds = [{BASE: 1.0, "a": 0.5}, {BASE: 10.0, "a": 5.0}]
        self.assertEqual(statistics.figure(
            statistics.ratios(rounds, BASE, "a")).median, 2)

    def test_geometric_mean(self):
        self.assertAlmostEqual(statistics.geometric_mean([0.5, 2, 8]), 2)


class Rounds(unittest.TestCase):
    def test_order_changes_and_repeats(self):
        program = programs.Program("polybench", "gemm", "MINI")
        names = ["a", "b", "c", "d"]
        orders = [session.order_of(names, program, n) for n in range(6)]
        self.assertEqual(orders[0], session.order_of(names[::-1], program, 0))
        self.assertGreater(len({tuple(order) for order in orders}), 2)
        self.assertTrue(all(sorted(order) == names for order in orders))

    def test_slow_programs_get_three_rounds_and_fast_ones_more(self):
        self.assertEqual([session.rounds_for(s) for s in (9, 1, 0.5, 1e-5)],
                         [3, 3, 5, 9])


class Checking(unittest.TestCase):
    """Results that are almost right."""

    def setUp(self):
        self.program = programs.Program("polybench", "atax", "MINI")
        generator = numpy.random.default_rng(0)
        self.reference = {
            a.name: generator.uniform(0.5, 1.5, a.extents)
            for a in self.program.arguments if a.extents}

    def verdict(self, math, change):
        arrays = {n: a.copy() for n, a in self.reference.items()}
        change(arrays)
        return check.compare(self.program, self.reference, arrays, math)

    def test_the_same_is_right(self):
        for math in ("strict", "fast"):
            self.assertTrue(self.verdict(math, lambda arrays: None).right)

    def test_strict_sees_the_last_bit(self):
        def nudge(arrays):
            arrays["y"][7] = numpy.nextafter(arrays["y"][7], 9)
        verdict = self.verdict("strict", nudge)
        self.assertFalse(verdict.right)
        self.assertIn("y[7] is", verdict.detail)
        self.assertIn("1 of 42 differ", verdict.detail)
        self.assertTrue(self.verdict("fast", nudge).right)

    def test_fast_allows_rounding_only(self):
        def spoil(arrays):
            arrays["y"][3] *= 1 + 2e-7
        verdict = self.verdict("fast", spoil)
        self.assertFalse(verdict.right)
        self.assertAlmostEqual(verdict.error, 1.5e-7, delta=7e-8)

    def test_not_a_number_is_wrong(self):
        def spoil(arrays):
            arrays["y"][3] = numpy.nan
        self.assertFalse(self.verdict("fast", spoil).right)

    def test_only_results_count(self):
        def spoil(arrays):
            arrays["tmp"][0] = 77
        self.assertTrue(self.verdict("strict", spoil).right)

    def test_only_the_stated_region_counts_where_rounding_may_differ(self):
        program = programs.Program("polybench", "gramschmidt", "MINI")
        reference = {a.name: numpy.ones(a.extents) for a in program.arguments}
        arrays = {n: a.copy() for n, a in reference.items()}
        arrays["Q"][:, 20:] = 5
        self.assertTrue(check.compare(program, reference, arrays, "fast").right)
        self.assertFalse(check.compare(program, reference, arrays,
                                       "strict").right)
        arrays["Q"][0, 0] = 5
        self.assertFalse(check.compare(program, reference, arrays, "fast").right)

    def test_references_must_be_finite_and_normal(self):
        self.assertEqual(check.find_bad_numbers(self.program, self.reference), "")
        self.reference["y"][0] = 1e-310
        self.assertIn("1 numbers of the reference's y",
                      check.find_bad_numbers(self.program, self.reference))


class Competitors(unittest.TestCase):
    def test_builds_of_another_process_are_recognized(self):
        """What a build's key is made of names no address in memory."""
        for competitor in competitors.all_competitors():
            with self.subTest(competitor=competitor.name):
                self.assertNotIn(" at 0x", repr(vars(competitor)))

    def test_groups_name_competitors(self):
        for group in competitors.GROUPS:
            chosen = competitors.choose([group])
            self.assertEqual(chosen[0].name, BASE)
            self.assertGreater(len(chosen), 3)

    def test_names_are_unique(self):
        names = [c.name for c in competitors.all_competitors()]
        self.assertEqual(len(names), len(set(names)))
        self.assertFalse(set(names) & {*competitors.GROUPS, "all"})


class Programs(unittest.TestCase):
    def test_every_program_says_what_its_arguments_are(self):
        for suite in programs.SUITES:
            for program in programs.select(suite, "MINI"):
                with self.subTest(program=program.key):
                    self.assertTrue(program.results)
                    self.assertTrue(program.c_source.exists())

    def test_unknown_names_are_refused(self):
        for arguments in (("spec", "MINI"), ("polybench", "HUGE"),
                          ("polybench", "MINI", ["no-such"])):
            with self.assertRaises(UsageError):
                programs.select(*arguments)

    def test_entry_function_passes_descriptors(self):
        program = programs.Program("polybench", "gemm", "MINI")
        text = workshop.entry_source(program.arguments, "memref")
        self.assertIn("kernel(*(double *)a[0], *(double *)a[1], "
                      "a[2], a[2], 0, 20, 25, 25, 1,", text)
        text = workshop.entry_source(program.arguments, "bare")
        self.assertIn("kernel(*(double *)a[0], *(double *)a[1], a[2], a[3], a[4])",
                      text)


PEAKS = {"gflops_f32": 200, "gflops_f64": 100, "giops_i32": 50,
         "levels": [{"name": "L1", "bytes": 1000, "read": 100, "update": 80},
                    {"name": "DRAM", "bytes": 0, "read": 10, "update": 8}]}
WORK = {"f32_operations": 0, "f64_operations": 200, "integer_operations": 0,
        "read_bytes": 800, "written_bytes": 400, "footprint_bytes": 900}


class Roof(unittest.TestCase):
    def test_compute_and_memory(self):
        self.assertAlmostEqual(roof.compute_seconds(WORK, PEAKS), 2e-9)
        # 400 bytes go both ways, 400 are only read; all in L1.
        self.assertAlmostEqual(roof.memory_seconds(WORK, PEAKS), 14e-9)
        self.assertAlmostEqual(roof.least_seconds(WORK, PEAKS), 14e-9)

    def test_the_level_is_the_first_that_holds_everything(self):
        large = {**WORK, "footprint_bytes": 1001}
        self.assertAlmostEqual(roof.memory_seconds(large, PEAKS), 140e-9)

    def test_best_of_several_measurements(self):
        other = {**PEAKS, "gflops_f64": 120, "gflops_f32": 1}
        peaks = roof.best([PEAKS, other])
        self.assertEqual((peaks["gflops_f64"], peaks["gflops_f32"]), (120, 200))


def made_up_results(path, speedups):
    """A results file with one program of made-up times; `speedups` is
    competitor -> list of speedups, or a status."""
    results = Results.create(path, "polybench", "MINI", "one")
    results.data["machine"] = {
        "cpu": "Test CPU", "model": "1/2/3", "features": ["avx2"], "cores": 2,
        "governor": "performance", "huge_pages": "always", "load": 0.5,
        "kernel": "6.1", "versions": {"clang": "clang version 22"},
        "nestor": "0123456789ab"}
    results.data["peaks"] = [PEAKS]
    record = results.program("gemm")
    record["work"] = WORK
    results.data["competitors"][BASE] = {"about": "the base", "math": "fast"}
    record["entries"][BASE] = {"status": "ok", "detail": "", "chosen": 0,
                               "compile_seconds": 0.5, "schedule_seconds": 0}
    rounds = max(len(v) for v in speedups.values() if isinstance(v, list))
    record["rounds"] = [{BASE: 28e-9} for _ in range(rounds)]
    for name, values in speedups.items():
        results.data["competitors"][name] = {"about": name, "math": "fast"}
        if isinstance(values, str):
            record["entries"][name] = {"status": values, "detail": "C[0] is 1"}
            continue
        record["entries"][name] = {"status": "ok", "detail": "", "chosen": 0,
                                   "compile_seconds": 1, "schedule_seconds": 2}
        for seconds, speedup in zip(record["rounds"], values):
            seconds[name] = 28e-9 / speedup
    return results


class Formats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "results.json"

    def results(self):
        return made_up_results(self.path, {"a": [1.0, 2.0, 4.0], "b": "wrong"})

    def test_speedups_and_means(self):
        rows = table.speedup_rows(self.results())
        self.assertEqual(rows, [["program", BASE, "a", "b"],
                                ["gemm", "28 ns", "2.00", "wrong"],
                                ["geometric mean", "", "2.00 (1)", "-"]])

    def test_roof_shares(self):
        rows = table.roof_rows(self.results())
        self.assertEqual(rows[1], ["gemm", "14 ns", "50 %", "100 %", "wrong"])

    def test_spread(self):
        # Quartiles 1.5 and 3 around 2.
        self.assertEqual(table.spread_rows(self.results())[1],
                         ["gemm", "3", "37.5", "-"])

    def test_text_names_machine_and_peaks(self):
        text = table.full_text(self.results())
        self.assertIn("Test CPU (family/model/stepping 1/2/3), avx2, 2 cores, "
                      "governor performance, huge pages always, load 0.5", text)
        self.assertIn("100 GFLOP/s f64", text)

    def test_markdown(self):
        text = table.as_markdown(table.speedup_rows(self.results()))
        self.assertEqual(text.splitlines()[:3],
                         [f"| program | {BASE} | a | b |",
                          "| --- | ---: | ---: | ---: |",
                          "| gemm | 28 ns | 2.00 | wrong |"])

    def test_csv(self):
        file = io.StringIO()
        table.write_csv(self.results(), file)
        rows = list(csv.DictReader(io.StringIO(file.getvalue())))
        self.assertEqual([row["competitor"] for row in rows], [BASE, "a", "b"])
        self.assertEqual(rows[1]["speedup"], "2.0000")
        self.assertEqual(rows[1]["lower_quartile"], "1.5000")
        self.assertEqual(rows[1]["rounds"], "3")
        self.assertEqual(rows[2]["status"], "wrong")
        self.assertEqual(rows[2]["speedup"], "")

    def test_results_survive_a_round_trip(self):
        results = self.results()
        results.save()
        again = Results.load(self.path)
        self.assertEqual(again.data, results.data)
        self.assertEqual([p.name for p in self.folder.iterdir()],
                         ["results.json"])

    def test_other_files_are_refused(self):
        for text, message in (("{", "is no JSON"), ("[]", "no results file"),
                              ('{"format": "x"}', "no results file"),
                              ('{"format": "nestor-bench", "version": 2}',
                               "version 2"),
                              ('{"format": "nestor-bench", "version": 1}',
                               "missing")):
            with self.subTest(text=text):
                self.path.write_text(text)
                with self.assertRaisesRegex(UsageError, message):
                    Results.load(self.path)

    def test_forgetting_a_competitor_keeps_the_others(self):
        results = self.results()
        results.program("gemm")["rounds"].append({BASE: 1.0, "b": 2.0})
        results.forget("gemm", "b")
        self.assertEqual(results.samples("gemm", "b"), [])
        self.assertEqual(len(results.samples("gemm", "a")), 3)
        self.assertEqual(len(results.samples("gemm", BASE)), 3)


class Comparison(unittest.TestCase):
    def report(self, old, new):
        return compare.report(made_up_results("old", {"a": old}),
                              made_up_results("new", {"a": new}))

    def test_noise_is_no_change(self):
        text = self.report([2.0, 2.1, 2.2], [2.05, 2.15, 2.3])
        self.assertIn("0 of 2 figures changed", text)
        self.assertIn("within 5 %: 1 of 1", text)

    def test_intervals_that_do_not_touch_are_a_change(self):
        text = self.report([2.0, 2.1, 2.2], [2.5, 2.6, 2.7])
        self.assertIn("1 of 2 figures changed", text)
        self.assertRegex(text, r"gemm +a +2\.1 x -> +2\.6 x  \(1\.238\)")
        self.assertIn("within 5 %: 0 of 1", text)

    def test_a_tiny_change_is_none(self):
        text = self.report([2.0, 2.0, 2.0], [2.02, 2.02, 2.02])
        self.assertIn("0 of 2 figures changed", text)

    def test_a_result_that_became_wrong_is_named(self):
        text = compare.report(made_up_results("old", {"a": [1.0], "b": [1.0]}),
                              made_up_results("new", {"a": [1.0], "b": "wrong"}))
        self.assertIn("gemm: b was ok, is wrong", text)

    def test_other_sizes_are_refused(self):
        old = made_up_results("old", {"a": [1.0]})
        new = made_up_results("new", {"a": [1.0]})
        new.data["size"] = "LARGE"
        with self.assertRaisesRegex(UsageError, "differ in size"):
            compare.report(old, new)


# What external competitors make of atax: y := A^T (A x).
ATAX = """
void kernel(double A[M][N], double x[N], double y[N], double tmp[M]) {
  for (int i = 0; i < N; i++) y[i] = 0;
  for (int i = 0; i < M; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) sum += A[i][j] * x[j];
    for (int j = 0; j < N; j++) y[j] += A[i][j] * sum;
  }
  EXTRA
}
"""


class Misbehaviour(unittest.TestCase):
    """Whole runs, on atax, with competitors made for the purpose."""

    @classmethod
    def setUpClass(cls):
        """Builds of the real competitors are made once."""
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.work = work.name

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.json = self.folder / "results.json"

    def external(self, name, extra):
        """A command that compiles ATAX with `extra` at its end."""
        source = self.folder / f"{name}.c"
        source.write_text(ATAX.replace("EXTRA", extra))
        return {"command": f"clang-22 -O1 -w {{defines}} -fPIC -c {source} "
                           "-o {object}"}

    def run_bench(self, entries, *more):
        """(exit status, output, results) of a run."""
        externals = self.folder / "externals.json"
        externals.write_text(json.dumps({"version": 1, "competitors": entries}))
        out, error = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(error):
            status = main(["run", "--size", "MINI", "--only", "atax",
                           "--peers", "clang", "--external", str(externals),
                           "--json", str(self.json), "--rounds", "3",
                           "--min-time", "0.001", "--no-peaks", "--work",
                           self.work, *more])
        return status, out.getvalue() + error.getvalue(), \
            Results.load(self.json)

    def status_of(self, extra, *more):
        status, text, results = self.run_bench(
            {"test": self.external("test", extra)}, *more)
        # Whatever it does, the others are measured.
        self.assertEqual(len(results.samples("atax", "clang")), 3)
        return status, text, results.entry("atax", "test")["status"], results

    def test_a_right_competitor_is_counted(self):
        status, text, entry, results = self.status_of("")
        self.assertEqual((status, entry), (0, "ok"))
        self.assertEqual(len(results.samples("atax", "test")), 3)
        self.assertGreater(results.speedup("atax", "test").median, 0)
        self.assertIn("machine: ", text)

    def test_a_wrong_result_is_caught_and_not_counted(self):
        status, text, entry, results = self.status_of("y[7] += 1e-3;")
        self.assertEqual((status, entry), (3, "wrong"))
        self.assertIsNone(results.speedup("atax", "test"))
        self.assertEqual(results.samples("atax", "test"), [])
        self.assertIn("atax: test wrong: y[7] is", text)

    def test_one_that_hangs_is_cut_off(self):
        status, text, entry, _ = self.status_of(
            "for (volatile int i = 0;; i = 0);", "--timeout", "8")
        self.assertEqual((status, entry), (3, "timeout"))
        self.assertIn("atax: test timeout: ended after 8 s", text)

    def test_one_that_crashes_is_said_to(self):
        status, text, entry, _ = self.status_of("*(volatile int *)0 = 1;")
        self.assertEqual((status, entry), (3, "crashed"))
        self.assertIn("atax: test crashed: signal 11", text)

    def test_one_that_does_not_build_is_said_to(self):
        status, text, entry, _ = self.status_of("this is no C;")
        self.assertEqual((status, entry), (3, "build failed"))
        self.assertIn("atax: test build failed", text)

    def test_a_wrong_nestor_fails_the_run(self):
        original = competitors.External.must_be_right
        self.addCleanup(setattr, competitors.External, "must_be_right", original)
        competitors.External.must_be_right = True
        status, text, entry, _ = self.status_of("y[7] += 1e-3;")
        self.assertEqual((status, entry), (1, "wrong"))
        self.assertIn("nestor-bench: FAILED: atax: test wrong", text)

    def test_a_run_goes_on_where_it_stopped(self):
        entries = {"test": self.external("test", "")}
        _, _, first = self.run_bench(entries)
        status, text, again = self.run_bench(entries)
        self.assertEqual(status, 0)
        self.assertEqual(first.data["programs"], again.data["programs"])

    def test_another_build_is_measured_again_and_the_others_are_kept(self):
        _, _, first = self.run_bench({"test": self.external("test", "")})
        before = first.samples("atax", "clang")
        changed = self.external("test", "y[0] *= 1;\n  y[1] = -(-y[1]) + 0 * x[0];")
        status, text, again = self.run_bench({"test": changed})
        self.assertEqual(status, 0)
        self.assertIn("test is another build than before", text)
        self.assertEqual(again.samples("atax", "clang"), before)
        self.assertEqual(len(again.samples("atax", "test")), 3)

    def test_a_budget_ends_the_run_between_rounds(self):
        status, text, results = self.run_bench(
            {"test": self.external("test", "")}, "--budget-minutes", "1e-9")
        self.assertEqual(status, 4)
        self.assertIn("the same command goes on from here", text)
        self.assertEqual(results.samples("atax", BASE), [])

    def test_files_of_another_machine_are_not_mixed(self):
        _, _, results = self.run_bench({})
        results.data["machine"]["cpu"] = "another CPU"
        results.save()
        error = io.StringIO()
        with redirect_stderr(error), redirect_stdout(io.StringIO()):
            status = main(["run", "--size", "MINI", "--json", str(self.json)])
        self.assertEqual(status, 2)
        self.assertIn("was measured on another machine (cpu: another CPU",
                      error.getvalue())

    def test_schedules_are_replayed_and_checked(self):
        program = programs.Program("polybench", "atax", "MINI")
        path = self.folder / "polybench" / "atax.MINI.mlir"
        path.parent.mkdir()
        source = self.folder / "atax.mlir"
        source.write_text(program.source)
        subprocess.run(
            [tools.nestor("nestor-opt"), source, "-o", path,
             "--nestor-autoschedule=cost-model=analytical target=generic-avx2 "
             "apply=false reassociate"], check=True)
        self.assertIn("nestor.schedule", path.read_text())
        status, _, results = self.run_bench({}, "--schedules", str(self.folder))
        self.assertEqual(status, 0)
        self.assertEqual(len(results.samples("atax", "replay")), 3)
        # Made for another program, it must not be applied.
        path.write_text(path.read_text().replace('hash = "', 'hash = "0'))
        status, text, results = self.run_bench({}, "--schedules",
                                               str(self.folder))
        self.assertEqual(status, 1)
        self.assertEqual(results.entry("atax", "replay")["status"],
                         "build failed")

    def test_a_peer_that_is_not_installed_is_left_out(self):
        with mock.patch.dict("os.environ", {"NESTOR_PEERS_VENV": "/no/such"}):
            out = io.StringIO()
            with redirect_stdout(out):
                status = main([
                    "run", "--suite", "nests", "--size", "MINI", "--only",
                    "transpose-copy", "--peers", "clang,iree", "--rounds", "3",
                    "--json", str(self.json), "--min-time", "0.001",
                    "--no-peaks", "--work", self.work])
        self.assertEqual(status, 3)
        self.assertIn("note: iree is left out: no environment for optional peers",
                      out.getvalue())
        results = Results.load(self.json)
        self.assertEqual(len(results.samples("transpose-copy", "clang")), 3)

    def test_bad_command_templates_are_refused(self):
        path = self.folder / "externals.json"
        for text, message in (
                ("[]", "expected"), ('{"version": 2}', "expected"),
                ('{"version": 1, "competitors": {"a": {}}}', "command"),
                ('{"version": 1, "competitors": {"a": {"command": "true", '
                 '"math": "loose"}}}', "math is strict or fast")):
            with self.subTest(text=text):
                path.write_text(text)
                with self.assertRaisesRegex(UsageError, message):
                    competitors.load_externals(path)


class Running(unittest.TestCase):
    """Answers of the measuring process that make no sense."""

    def outcome(self, script):
        program = programs.Program("polybench", "atax", "MINI")
        build = competitors.Build(["sh", "-c", script, "sh"], "")
        return execute.run(build, program, session.Options(), 10)

    def test_seconds_are_read(self):
        self.assertEqual(self.outcome("echo '{\"seconds\": 0.5}'").seconds, 0.5)

    def test_anything_else_is_a_crash(self):
        for script in ("echo nonsense", "echo '{}'", "true",
                       "echo '{\"seconds\": null}'"):
            with self.subTest(script=script):
                self.assertEqual(self.outcome(script).status, "crashed")
        outcome = self.outcome("echo because >&2; exit 3")
        self.assertEqual((outcome.status, outcome.detail),
                         ("crashed", "exit code 3: because"))


class Inputs(unittest.TestCase):
    """Peers in Python work on the same data as everybody else."""

    def test_python_and_c_make_the_same_inputs(self):
        path = programs.ROOT / "python/nestor_bench/peers/protocol.py"
        spec = importlib.util.spec_from_file_location("protocol", path)
        protocol = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(protocol)
        texts = ["f64=1.5", "f64:default:3x4", "f32:default:50", "f64:zero:7"]
        with tempfile.TemporaryDirectory() as folder:
            source, code, dump = (Path(folder) / name for name in
                                  ("nothing.c", "nothing.so", "dump.bin"))
            source.write_text("void nestor_bench_entry(void **a) {}\n")
            subprocess.run([tools.find("clang"), "-shared", "-fPIC", source,
                            "-o", code], check=True)
            subprocess.run([tools.nestor("nestor-bench-runner"), code, *texts,
                            "--min-time", "0", "--dump", dump], check=True,
                           stdout=subprocess.DEVNULL)
            expected = b"".join(protocol.make_argument(i, text).tobytes()
                                for i, text in enumerate(texts) if ":" in text)
            self.assertEqual(dump.read_bytes(), expected)
        self.assertEqual(protocol.make_argument(0, texts[0]), 1.5)


class Plots(unittest.TestCase):
    def test_speedups_and_roofline_are_drawn_the_same_each_time(self):
        results = made_up_results("x", {"a": [1.0, 2.0, 4.0], "b": "wrong"})
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            paths = plots.draw_all(results, folder / "one")
            plots.draw_all(results, folder / "two")
            self.assertEqual([path.name for path in paths],
                             [f"polybench-mini-{what}.{end}" for what in
                              ("speedup", "roofline") for end in ("png", "svg")])
            for path in paths:
                self.assertEqual(path.read_bytes(),
                                 (folder / "two" / path.name).read_bytes())
                self.assertGreater(path.stat().st_size, 5000)

    def test_unknown_competitors_are_refused(self):
        results = made_up_results("x", {"a": [1.0]})
        with self.assertRaisesRegex(UsageError, "c was not measured in x"):
            plots.choose(results, ["c"])


class Progress(unittest.TestCase):
    def test_rows_show_the_speedups_so_far(self):
        out = io.StringIO()
        Display(out).row(made_up_results("x", {"a": [2.0], "b": "wrong"}), "gemm")
        header, row = out.getvalue().splitlines()
        self.assertEqual(header.split(), ["program", BASE, "rounds", "a", "b"])
        self.assertEqual(row.split(), ["gemm", "28", "ns", "1", "2.00", "wrong"])


if __name__ == "__main__":
    unittest.main()
