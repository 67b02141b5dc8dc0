"""Every text that the tools can say must be expected by some test.

A text is a string literal of at least two words in the C++ sources, whatever it
is given to: a diagnostic of an op, a remark, an llvm::Error, a line of output.
Descriptions of options and texts for programmers (assertions) are left out. A
test expects a text if it stands in a CHECK or expected-* line (test/), or in a
string (unittests/, python/tests/). Add a message, and this fails until some test
makes it appear.
"""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Texts that no test can bring about, each with the reason.
OTHER_MACHINE = "needs a machine or an LLVM that this one is not"
OURS = "says that Nestor itself is wrong; a test that brings it about is a bug found"
NOT_SAID = "is compared or handed on, not said"
ALLOWED = {
    "dataset files need an LLVM with zstd, which this one lacks: build Nestor "
    "with an LLVM that has LLVM_ENABLE_ZSTD=ON": OTHER_MACHINE,
    "this LLVM cannot generate code for this machine": OTHER_MACHINE,
    "which the program needs: install it with LLVM": OTHER_MACHINE,
    "cannot read the weights folder": "root, who may run the tests, reads all",
    "MLIR failed without saying why": "an upstream pass that does so",
    "a printed schedule does not parse": OURS,
    "an illegal schedule was drawn": OURS,
    "a child could not work": OURS,
    "a copy of the function has other scops": OURS,
    "the rewritten function is invalid": OURS,
    "the search failed": OURS,
    "the fuzzer made an invalid program": OURS,
    "outside all buffers": OURS,
    "the program does not fail": OURS,
    "run the base": OURS,
    "run the candidate": OURS,
    "lowering failed": OURS,
    "translation to LLVM IR failed": OURS,
    "@main cannot take another argument": OURS,
    "cannot map the memory of programs": OTHER_MACHINE,
    "cannot make a pipe": OTHER_MACHINE,
    "cannot start a child": OTHER_MACHINE,
    "cannot share memory with a child": OTHER_MACHINE,
    "no function of Nestor was running": "needs an input that MLIR dies of",
    "affine.if affine_set<() : (0 >= 0)>() {": NOT_SAID,
    'a.b"() {c =': NOT_SAID,
    "model name": NOT_SAID,
    "{ [o] : 0 <= o <": NOT_SAID,
}

TOKEN = re.compile(
    r"""
      (?P<comment>//[^\n]*|/\*.*?\*/|\#\s*include[^\n]*)
    | R"(?P<mark>[^(\s]*)\((?P<raw>.*?)\)(?P=mark)"
    | "(?P<text>(?:\\.|[^"\\\n])*)"
    | '(?:\\.|[^'\\\n])+'
    | (?P<word>\w+(?:::\w+)*)
    | (?P<other>\S)
    """,
    re.VERBOSE | re.DOTALL,
)
ESCAPES = {"n": "\n", "t": "\t"}

# A statement with one of these words says nothing to a user at run time.
SILENT = {"assert", "static_assert", "llvm_unreachable", "_Pragma"}
# Names, and descriptions for --help.
SILENT |= {"getDescription", "PassPipelineRegistration", "MlirOptMain"}
# What the ends of a fixed part are made of, where a name or a number is put in.
PUNCTUATION = " '\"():;,."
SQL = re.compile(r"\s*(SELECT|INSERT|DELETE|CREATE|PRAGMA|BEGIN)\b")


def unescape(text):
    return re.sub(
        r"\\(.)", lambda match: ESCAPES.get(match.group(1), match.group(1)), text
    )


def literals(source):
    """(line, text, silent) of each string literal; adjacent ones are joined."""
    found, silent, joins = [], False, False
    for match in TOKEN.finditer(source):
        if match.group("comment"):
            continue
        text = match.group("raw")
        if text is None and match.group("text") is not None:
            text = unescape(match.group("text"))
        if text is not None:
            if joins:
                found[-1][1] += text
            else:
                found.append([source.count("\n", 0, match.start()) + 1, text, silent])
            joins = True
            continue
        joins = False
        word = match.group("word")
        if word:
            silent |= word.split("::")[-1] in SILENT or "cl::" in word
        elif match.group("other") == ";":
            silent = False
    return found


def fragments(text):
    """The fixed parts of a text that have at least two words."""
    if SQL.match(text):
        return
    for part in re.split(r"\{\d[^}]*\}|%[-.\d]*[a-z]|\n", text):
        part = " ".join(part.split()).strip(PUNCTUATION)
        if re.search(r"[A-Za-z]\S* (?:\S+ )*\S*[A-Za-z]", part):
            yield part


def messages(source):
    for line, text, silent in literals(source):
        if not silent:
            for part in fragments(text):
                yield line, part


PREFIXES = re.compile(r"-check-prefix(?:es)?[ =]([\w,-]+)")
DIRECTIVE = re.compile(
    r"^\s*(?://|#)?\s*(?P<prefix>[\w-]+?)(?P<kind>-(?:NEXT|SAME|DAG|NOT|LABEL|EMPTY))?:"
    r"(?P<text>.*)$"
)


def expected_by_lit(source):
    """What a test on IR expects: one run of text per line that FileCheck or
    -verify-diagnostics reads, with the lines that go on (-SAME) joined to it."""
    prefixes = {"CHECK"}
    for names in PREFIXES.findall(source):
        prefixes.update(names.split(","))
    found = []
    for line in source.splitlines():
        check = DIRECTIVE.match(line)
        if "expected-" in line:
            found.append(line.strip())
        elif check and check["prefix"] in prefixes and check["kind"] != "-NOT":
            if check["kind"] == "-SAME" and found:
                found[-1] += " " + check["text"].strip()
            else:
                found.append(check["text"].strip())
    return found


def expectations(root):
    found = []
    for path in sorted(root.glob("test/**/*")):
        if path.suffix in (".mlir", ".test"):
            found += expected_by_lit(path.read_text())
    for path in sorted(root.glob("unittests/**/*.cpp")):
        found += [text for _, text, _ in literals(path.read_text())]
    for path in sorted(root.glob("python/tests/*.py")):
        if path.name != pathlib.Path(__file__).name:
            found.append(path.read_text())
    return "\n".join(" ".join(text.split()) for text in found)


def source_files(root):
    for folder in ("include", "lib", "tools"):
        for path in sorted(root.glob(f"{folder}/**/*")):
            if path.suffix in (".cpp", ".h"):
                yield path


class Extraction(unittest.TestCase):
    def test_finds_the_fixed_parts_of_messages(self):
        source = r"""
          // "a comment says nothing"
          static cl::opt<int> n("n", cl::desc("How many there are"), cl::init(1));
          assert(n && "only for programmers");
          return emitError() << "cannot read '" << path << "': " << why
                             << "; try \"another\" "
                                "file\n";
          print(formatv("{0} of {1} programs done\n", a, b), "word");
        """
        self.assertEqual(
            list(messages(source)),
            [
                (5, "cannot read"),
                (6, 'try "another" file'),
                (8, "programs done"),
            ],
        )

    def test_finds_what_a_test_on_ir_expects(self):
        source = """
// RUN: not nestor-opt %s 2>&1 | FileCheck %s --check-prefixes=CHECK,OTHER
// CHECK: cannot read
// CHECK-SAME: 'file'
// OTHER-NOT: never said
 OTHER: said
  // expected-error @below {{is illegal}}
# Note: a comment
"""
        self.assertEqual(
            expected_by_lit(source),
            [
                "cannot read 'file'",
                "said",
                "// expected-error @below {{is illegal}}",
            ],
        )


class Diagnostics(unittest.TestCase):
    def setUp(self):
        self.expected = expectations(ROOT)

    def test_every_message_is_expected_by_a_test(self):
        missing, used = [], set()
        for path in source_files(ROOT):
            for line, text in messages(path.read_text()):
                if text in ALLOWED:
                    used.add(text)
                elif text not in self.expected:
                    missing.append(f"{path.relative_to(ROOT)}:{line}: {text}")
        self.assertEqual(
            missing, [], "\nno test expects these:\n" + "\n".join(missing)
        )
        self.assertEqual(set(ALLOWED), used, "allowed, but not said anywhere")


if __name__ == "__main__":
    unittest.main()
