"""Schedules every program of a folder and compares the results bit for bit.

    compare_each.py NESTOR_OPT NESTOR_MEASURE FOLDER SEEDS

For each NAME.mlir in FOLDER: --nestor-autoschedule and SEEDS random legal
schedules, all compared with the program in one run. Prints a line a program,
"NAME: same, R of SEEDS random schedules reorder", then what the autoscheduler
remarked, or what differs; exits 1 if anything does. A program whose first line
is "// overlap: OPTIONS" is also compared with these options of nestor-measure.
"""

import pathlib
import re
import subprocess
import sys


def run(*command):
    done = subprocess.run([str(part) for part in command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def check(opt, measure, source, seeds):
    """Returns (ok, lines to print)."""
    name = source.stem
    settings = [["--nestor-autoschedule=cost-model=analytical target=generic-avx2 "
                 "budget=200", "--remarks-filter=nestor"]]
    settings += [[f"--nestor-test-random-schedule=seed={seed} round-trip"]
                 for seed in range(seeds)]
    outputs, said = [], []
    for number, options in enumerate(settings):
        outputs.append(source.with_suffix(f".{number}.out"))
        code, _, err = run(opt, source, *options, "-o", outputs[-1])
        if code != 0:
            return False, [f"{name}: {options[0]} fails", err]
        said.append(err)
    first = source.read_text().split("\n", 1)[0]
    modes = [[]]
    if first.startswith("// overlap: "):
        modes += [[option] for option in first.split()[2:]]
    for mode in modes:
        code, out, err = run(measure, "compare", source, *outputs, *mode)
        if code != 0:
            return False, [f"{name} {mode}:", out, err]
    reorder = sum("(reorders)" in text for text in said[1:])
    remarks = re.findall(r'Remark="(.*)"$', said[0], re.M)
    return True, [f"{name}: same, {reorder} of {seeds} random schedules reorder",
                  *(f"  {remark}" for remark in remarks)]


def main():
    opt, measure, folder, seeds = sys.argv[1:]
    failed = False
    for source in sorted(pathlib.Path(folder).glob("*.mlir")):
        ok, lines = check(opt, measure, source, int(seeds))
        failed |= not ok
        print(*lines, sep="\n", flush=True, file=sys.stdout if ok else sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main())
