"""How long a check of the array reversal takes, and where: imports, deciding, everything else.

    python benchmarks/reversal.py [--repeat N]

Prints medians. Machines are noisy, so the own part is also given as a ratio against a fixed reference of
pure Python that runs in the same process right before each measurement.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ("original.cu", "optimised.cu")


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
    print(f"spmd --help: {statistics.median(command('--help') for _ in range(repeat)):.2f} s")


if __name__ == "__main__":
    main()
