"""Finding other people's tools, and running them with a limit of time."""

import os
import resource
import shutil
import signal
import subprocess
import time
from functools import lru_cache
from pathlib import Path

from .errors import BuildError, Timeout, UsageError
from .programs import ROOT

# Names to look for, best first, and the variable that overrides them.
TOOLS = {
    "clang": ("clang-22", "clang"),
    "gcc": ("gcc",),
    "opt": ("opt-22", "opt"),
    "llc": ("llc-22", "llc"),
    "mlir-opt": ("mlir-opt-22", "mlir-opt"),
    "mlir-translate": ("mlir-translate-22", "mlir-translate"),
}
LLVM_BIN = Path("/usr/lib/llvm-22/bin")


@lru_cache(maxsize=None)
def find(name):
    """The path of a tool, or None. NESTOR_BENCH_CLANG=... overrides."""
    override = os.environ.get("NESTOR_BENCH_" + name.upper().replace("-", "_"))
    if override:
        return shutil.which(override)
    for candidate in TOOLS[name]:
        path = shutil.which(candidate)
        if path:
            return path
    path = LLVM_BIN / name
    return str(path) if path.exists() else None


def need(name):
    path = find(name)
    if not path:
        raise BuildError(f"{name} is not installed")
    return path


def nestor(name):
    """A tool of Nestor's build."""
    folder = Path(os.environ.get("NESTOR_BIN", ROOT / "build" / "bin"))
    path = folder / name
    if not path.exists():
        raise UsageError(f"{path} is not there: build Nestor first, or set "
                         "NESTOR_BIN to the folder of its tools")
    return str(path)


def peers_python():
    """Python of the optional peers' environment, or None without one."""
    folder = os.environ.get("NESTOR_PEERS_VENV", ROOT / ".venv-peers")
    path = Path(folder) / "bin" / "python"
    return str(path) if path.exists() else None


@lru_cache(maxsize=None)
def version(name):
    """The version line of a tool, or "" without the tool."""
    path = find(name)
    if not path:
        return ""
    text = subprocess.run([path, "--version"], capture_output=True, text=True,
                          check=False).stdout
    lines = [line.strip() for line in text.splitlines() if "version" in line
             or line.startswith(("gcc", "clang"))]
    return lines[0] if lines else ""


def _last_words(text, lines=6):
    kept = [line for line in text.splitlines() if line.strip()]
    return "\n".join(kept[-lines:])


def execute(command, timeout, env=None):
    """Runs a command to its end; returns (exit code, output, error output).

    A command that runs past `timeout` seconds is ended with all its children,
    and raises Timeout.
    """
    process = subprocess.Popen(
        [str(part) for part in command], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # A group of its own, to be ended as a whole; but not a session, of which
        # Linux gives each an equal share of the CPU, whatever its nice value.
        errors="replace", process_group=0,
        env={**os.environ, **(env or {})})
    try:
        output, error = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Timeout(f"ended after {timeout:.0f} s") from None
    finally:
        # Also on an interrupt from the keyboard.
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return process.returncode, output, error


class Shell:
    """Runs the commands of one build, and adds up what they cost."""

    def __init__(self, timeout):
        self.timeout = timeout
        self.seconds = 0.0  # CPU time of all commands so far

    def run(self, *command, env=None):
        """Standard output of a command that must succeed."""
        command = [part for part in command if part is not None]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        try:
            code, output, error = execute(command, self.timeout, env)
        except OSError as problem:
            raise BuildError(f"{command[0]}: {problem.strerror}") from None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds += (after.ru_utime - before.ru_utime
                         + after.ru_stime - before.ru_stime)
        self.wall = time.monotonic() - start
        if code:
            name = Path(str(command[0])).name
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            raise BuildError(f"{name}: {how}\n{_last_words(error or output)}")
        return output
