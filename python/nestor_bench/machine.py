"""What every result says of where it comes from."""

import os
import platform
import subprocess
from pathlib import Path

from . import tools
from .programs import ROOT

FEATURES = ("avx2", "fma", "avx512f", "amx_tile", "asimd", "sve")
# What must agree before results are added to a file.
IDENTITY = ("cpu", "features")


def _read(path):
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def _cpu_lines():
    lines = {}
    for line in _read("/proc/cpuinfo").splitlines():
        key, _, value = line.partition(":")
        lines.setdefault(key.strip(), value.strip())
    return lines


def _commit():
    done = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=12",
                           "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def describe():
    """The machine and its tools, now."""
    cpu = _cpu_lines()
    flags = (cpu.get("flags") or cpu.get("Features") or "").split()
    cpufreq = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
    pages = _read("/sys/kernel/mm/transparent_hugepage/enabled")
    return {
        "cpu": cpu.get("model name") or platform.machine(),
        "model": "/".join(cpu.get(key, "") for key in
                          ("cpu family", "model", "stepping")),
        "features": [flag for flag in FEATURES if flag in flags],
        "cores": len(os.sched_getaffinity(0)),
        "governor": _read(cpufreq) or "unknown",
        "huge_pages": pages[pages.find("[") + 1:pages.find("]")] or "unknown",
        "load": round(os.getloadavg()[0], 2),
        "kernel": platform.release(),
        "versions": {name: tools.version(name) for name in
                     ("clang", "gcc", "mlir-opt") if tools.find(name)},
        "nestor": _commit(),
    }


def line(machine):
    """One line for people."""
    return (f"{machine['cpu']} (family/model/stepping {machine['model']}), "
            f"{' '.join(machine['features'])}, {machine['cores']} cores, "
            f"governor {machine['governor']}, huge pages "
            f"{machine['huge_pages']}, load {machine['load']}, Linux "
            f"{machine['kernel']}; "
            + ", ".join(machine["versions"].values())
            + f"; Nestor {machine['nestor']}")
