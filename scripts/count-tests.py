# Reads a test runner's report and prints "PASSED FAILED SKIPPED".
#
# count-tests.py lit|unittest|totals REPORT STATUS
#
# STATUS is the runner's exit status: a runner that failed without a failed test
# (it could not start, it crashed), or that ran no test, counts as one failure.
import re
import sys


def count_lit(report):
    # The summary at the end has a line for each kind of result, as in
    # "  Expectedly Failed: 2 (1.50%)"; what is no pass and no skip is a failure.
    kinds = {
        kind: int(number)
        for kind, number in re.findall(
            r"^  ([A-Z][A-Za-z ]+?) *: +(\d+) \(", report, re.MULTILINE
        )
    }
    passed = skipped = 0
    for kind in ("Passed", "Passed With Retry", "Expectedly Failed"):
        passed += kinds.pop(kind, 0)
    for kind in ("Unsupported", "Skipped", "Excluded"):
        skipped += kinds.pop(kind, 0)
    return passed, sum(kinds.values()), skipped


def count_unittest(report):
    ran = re.findall(r"^Ran (\d+) tests?", report, re.MULTILINE)
    verdict = re.findall(r"^(?:OK|FAILED)(?: \((.*)\))?$", report, re.MULTILINE)
    if not ran or not verdict:
        return 0, 0, 0
    # For example "failures=1, errors=2, skipped=3".
    kinds = dict(kind.split("=") for kind in verdict[-1].split(", ") if kind)
    failed = sum(
        int(kinds.get(kind, 0))
        for kind in ("failures", "errors", "unexpected successes")
    )
    skipped = int(kinds.get("skipped", 0))
    return max(int(ran[-1]) - failed - skipped, 0), failed, skipped


def count_totals(report):
    # Our own checkers end with this line.
    totals = re.findall(r"^(\d+) passed, (\d+) failed$", report, re.MULTILINE)
    return (*map(int, totals[-1]), 0) if totals else (0, 0, 0)


def count(kind, report, status):
    counter = {
        "lit": count_lit,
        "unittest": count_unittest,
        "totals": count_totals,
    }[kind]
    passed, failed, skipped = counter(report)
    if failed == 0 and (status != 0 or passed == 0):
        failed = 1
    return passed, failed, skipped


if __name__ == "__main__":
    with open(sys.argv[2], errors="replace") as file:
        print(*count(sys.argv[1], file.read(), int(sys.argv[3])))
