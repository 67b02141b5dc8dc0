"""The set-up scripts: how they count tests, and what they install."""
import importlib.util
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load_script(name):
    path = ROOT / "scripts" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class CountTests(unittest.TestCase):
    def setUp(self):
        self.count = load_script("count-tests").count

    def test_lit_counts_every_kind_of_result(self):
        report = """
Testing Time: 0.16s

Total Discovered Tests: 15
  Unsupported        : 1 (6.67%)
  Passed             : 9 (60.00%)
  Expectedly Failed  : 2 (13.33%)
  Failed             : 1 (6.67%)
  Unresolved         : 1 (6.67%)
  Unexpectedly Passed: 1 (6.67%)
"""
        self.assertEqual(self.count("lit", report, 1), (11, 3, 1))

    def test_unittest_counts_every_kind_of_result(self):
        report = "....\nRan 9 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=3)\n"
        self.assertEqual(self.count("unittest", report, 1), (3, 3, 3))
        self.assertEqual(self.count("unittest", "Ran 1 test in 1s\n\nOK\n", 0), (1, 0, 0))

    def test_runner_that_ran_nothing_or_crashed_is_a_failure(self):
        for kind in ("lit", "unittest"):
            self.assertEqual(self.count(kind, "", 0), (0, 1, 0))
            self.assertEqual(self.count(kind, "Traceback", 1), (0, 1, 0))
        report = "Total Discovered Tests: 2\n  Passed: 2 (100.00%)\n"
        self.assertEqual(self.count("lit", report, 139), (2, 1, 0))


class Packages(unittest.TestCase):
    def test_scripts_install_what_cmake_asks_for(self):
        cmake = (ROOT / "cmake" / "NestorDependencies.cmake").read_text()
        scripts = (ROOT / "scripts" / "lib.sh").read_text()
        named = set(re.findall(r"\b[a-z0-9-]+-(?:dev|tools)\b", cmake))
        self.assertIn("libsqlite3-dev", named)
        for package in named:
            with self.subTest(package=package):
                self.assertRegex(scripts, rf"\s{re.escape(package)}\s")

    def test_scripts_and_cmake_agree_on_the_version_of_torch(self):
        requirement = re.search(
            r"torch_requirement=(\S+)", (ROOT / "scripts" / "lib.sh").read_text()
        ).group(1)
        for path in ("cmake/NestorDependencies.cmake", "README.md"):
            with self.subTest(path=path):
                self.assertIn(requirement, (ROOT / path).read_text())


if __name__ == "__main__":
    unittest.main()
