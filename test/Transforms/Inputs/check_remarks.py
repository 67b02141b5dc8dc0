"""Compares docs/remarks.md with the reasons in the sources, and runs its examples.

    check_remarks.py NESTOR_OPT REASONS_H REMARKS_MD

Every code in Reasons.h has a section of that name and the other way round. The
program of each section must get a remark with the section's code. Its first line
may be "// options: PASS OPTIONS", "// tool: OPTION", or "// nest: N" (its statements
are put in N loops). Prints the remarks of each section.
"""

import pathlib
import re
import subprocess
import sys


def prepared(program):
    """Returns (options of the tool, program)."""
    options = "cost-model=analytical target=generic-avx2 budget=100"
    first = program.split("\n", 1)[0]
    if first.startswith("// options: "):
        options += " " + first[len("// options: "):]
    if first.startswith("// nest: "):
        lines = program.rstrip("\n").split("\n")
        depth = int(first[len("// nest: "):])
        head, body, tail = lines[:2], lines[2:-2], lines[-2:]
        loops = [f"affine.for %i{d} = 0 to 2 {{" for d in range(depth)]
        program = "\n".join([*head, *loops, *body, *["}"] * depth, *tail]) + "\n"
    tool = [first[len("// tool: "):]] if first.startswith("// tool: ") else []
    return [f"--nestor-autoschedule={options}", *tool], program


def remarks_of(opt, program):
    options, program = prepared(program)
    done = subprocess.run(
        [opt, "-", *options, "--remarks-filter=nestor"],
        input=program, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        check=False)
    if done.returncode != 0:
        return done.stderr
    return "\n".join(re.findall(r'Remark="(.*)"$', done.stderr, re.M))


def main():
    opt, header, page = sys.argv[1:]
    text = pathlib.Path(header).read_text()
    codes = re.findall(r'inline constexpr Reason \w+\{\s*"([\w-]+)"', text)
    assert len(codes) == text.count("inline constexpr Reason"), "unusual Reason"
    sections = re.findall(r"^### ([\w-]+)\n(.*?)(?=^##|\Z)",
                          pathlib.Path(page).read_text(), re.M | re.S)
    wrong = [f"no section for code '{code}'"
             for code in codes if code not in dict(sections)]
    wrong += [f"section '{name}' is no code of the sources"
              for name, _ in sections if name not in codes]
    for name, section in sections:
        program = re.search(r"```mlir\n(.*?)```", section, re.S)
        if not program:
            wrong.append(f"{name}: no example")
            continue
        said = remarks_of(opt, program[1])
        print(*(f"{name}: {line}" for line in said.split("\n")
                if f"[{name}]" in line), sep="\n")
        if f"[{name}]" not in said:
            wrong.append(f"{name}: the example gets\n{said}")
    print(*wrong, sep="\n")
    print(f"{len(codes)} codes, {len(sections)} sections, {len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
