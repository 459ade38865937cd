"""How long proofs of equality for all sizes take: every pair of `tests/all_sizes` that is shown, in processor time.

    python benchmarks/proofs_for_all_sizes.py [--longest 12] [--only NAME …]

Each pair is read and compared in this process, with nothing kept of the one before. The table names the longest; the last line
has the median, the ninth tenth and the longest.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import test_generic as shown  # noqa: E402


def seconds_of(name: str) -> float:
    """The processor time of one comparison, which has to come out equal for all sizes."""
    began = time.process_time()
    report = shown.compared(shown.ALL[name], shown.ALL[name].folder)
    taken = time.process_time() - began
    if report.verdict.value != "equal" or not str(report.scope).startswith("all sizes"):
        raise SystemExit(f"{name}: {report.verdict.value}: {report.reason}")
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--longest", type=int, default=12, help="how many of the longest are named")
    parser.add_argument("--only", nargs="*", help="these pairs alone")
    asked = parser.parse_args()
    times: dict[str, float] = {}
    for name in asked.only or shown.SHOWN:
        times[name] = seconds_of(name)
        print(f"\r{len(times)} {name:50}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for name in sorted(times, key=times.__getitem__, reverse=True)[:asked.longest]:
        print(f"{times[name]:6.2f} s  {name}")
    values = [*times.values(), *times.values()] if len(times) == 1 else list(times.values())
    print(f"{len(times)} pairs: median {median(values):.2f} s, nine tenths below {quantiles(values, n=10)[-1]:.2f} s, "
          f"longest {max(values):.2f} s")


if __name__ == "__main__":
    main()
