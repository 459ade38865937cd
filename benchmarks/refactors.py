"""Ordinary refactors as people keep them: both versions of a kernel and their launchers in one file, asked with two names.

    python benchmarks/refactors.py [--only softmax] [--slips] [--timeout 60]

Of each file under `benchmarks/refactors` every `NAME_a` is compared with `NAME_b`, to which it is equal at all sizes that the
launchers admit, or with `--slips` with `NAME_x`, which has one mistake and differs at some of them. No option is given besides.
Prints the answer, what it hangs on if it is open, and the processor time of the whole process; then how many there are of each.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "benchmarks" / "refactors"


def pairs(other: str) -> Iterator[tuple[Path, str]]:
    """The files, and the names of what both versions are in them."""
    for path in sorted(FOLDER.glob("*.cu")):
        kernels = re.findall(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\(", path.read_text())
        yield from ((path, name[:-2]) for name in kernels if name.endswith("_a") and f"{name[:-1]}{other}" in kernels)


def asked(path: Path, name: str, other: str, timeout: float) -> tuple[str, str, float]:
    """The first line of the answer, its reason or evidence, and the seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", "spmd", "equiv", f"{path}:{name}_a", f"{path}:{name}_{other}", "--timeout",
                           str(timeout)], cwd=ROOT, capture_output=True, text=True, check=False,
                          env={**os.environ, "SPMD_NO_CACHE": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = done.stdout.splitlines() or [done.stderr.strip()]
    told = "; ".join(line.strip()[:120] for line in lines if line.strip().startswith(("reason:", "evidence:")))
    return lines[0], told, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="pairs in whose file or name this stands")
    parser.add_argument("--slips", action="store_true", help="compare with the version that has a mistake")
    parser.add_argument("--timeout", type=float, default=60, help="of each pair, in seconds")
    given = parser.parse_args()
    other, found = "x" if given.slips else "b", Counter[str]()
    for path, name in pairs(other):
        if given.only in path.stem or given.only in name:
            answer, told, seconds = asked(path, name, other, given.timeout)
            found[answer.partition(",")[0]] += 1
            print(f"{path.stem:26} {name:24} {seconds:6.1f}  {answer:24} {told}", flush=True)
    print(", ".join(f"{number} {word}" for word, number in found.most_common()))


if __name__ == "__main__":
    main()
