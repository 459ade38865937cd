"""How long a check of the array reversal takes, and where: imports, deciding, everything else.

    python benchmarks/reversal.py [--repeat N]

Prints medians. Machines are noisy, so the own part is also given as a ratio against a fixed reference of
pure Python that runs in the same process right before each measurement. Of imports, and of the processor time of
a whole process, it prints the least: imports as the sum, over all modules, of the least that each took itself.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ("original.cu", "optimised.cu")
PROVED = ("case_studies/array_reversal/original.cu", "case_studies/nbody_app/nbody.cl")
"""By formulas alone, so that nothing of the machine is loaded."""


def reference() -> float:
    """Seconds for a fixed piece of dictionary and tuple work."""
    began = time.perf_counter()
    table: dict[tuple[int, int], int] = {}
    for number in range(60_000):
        key = (number % 977, number % 31)
        table[key] = table.get(key, 0) + number
    return time.perf_counter() - began


def measure(kernel: str) -> tuple[float, float, float]:
    """Own seconds, deciding seconds and reference seconds of one check in this process."""
    from automata.logic.smt import spent
    from spmd.asked import Question, Source
    from spmd.pipeline import run_check

    path = str(ROOT / "case_studies" / "array_reversal" / kernel)
    unit = reference()
    before, _ = spent()
    began = time.perf_counter()
    answers = list(run_check(Question(Source(path))))
    total = time.perf_counter() - began
    deciding = spent()[0] - before
    assert answers[0].report.verdict.value == "proved"
    return total - deciding, deciding, unit


def command(*args: str) -> float:
    """Seconds of a whole `spmd` process."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "spmd.cli", *args], cwd=ROOT, capture_output=True, check=False,
                   env={**os.environ, "SPMD_NO_CACHE": "1"})
    return time.perf_counter() - began


def imports(file: str, repeat: int) -> tuple[float, int]:
    """Seconds that a check spends on loading modules, and how many it loads."""
    least: dict[str, int] = {}
    for _ in range(repeat):
        told = subprocess.run([sys.executable, "-X", "importtime", "-m", "spmd", "check", file, "--no-cache"], cwd=ROOT,
                              capture_output=True, text=True, check=False).stderr
        for took, name in re.findall(r"^import time: +(\d+) \| +\d+ \| +(\S+)$", told, re.MULTILINE):
            least[name] = min(least.get(name, int(took)), int(took))
    return sum(least.values()) / 10**6, len(least)


def processor(file: str) -> float:
    """Seconds of processor time of a check."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "spmd", "check", file, "--no-cache"], cwd=ROOT, capture_output=True, check=False)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=11)
    repeat = parser.parse_args().repeat
    print(f"{'kernel':14}{'own ms':>9}{'deciding ms':>13}{'own/reference':>15}{'whole process s':>17}")
    for kernel in KERNELS:
        measure(kernel)
        runs = [measure(kernel) for _ in range(repeat)]
        own, deciding = (statistics.median(run[part] for run in runs) for part in (0, 1))
        ratio = statistics.median(run[0] / run[2] for run in runs)
        whole = statistics.median(command("check", f"case_studies/array_reversal/{kernel}") for _ in range(repeat))
        print(f"{kernel:14}{own * 1000:9.1f}{deciding * 1000:13.1f}{ratio:15.2f}{whole:17.2f}")
    for file in PROVED:
        took, modules = imports(file, repeat)
        whole = min(processor(file) for _ in range(repeat))
        print(f"{file}: imports {took:.2f} s ({modules} modules), processor time of the process {whole:.2f} s")
    print(f"spmd --help: {statistics.median(command('--help') for _ in range(repeat)):.2f} s")


if __name__ == "__main__":
    main()
