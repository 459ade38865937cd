"""Same command, same answer: kernels and pairs, each asked several times while other work keeps all cores busy.

    python benchmarks/repeat.py [--kernels 50] [--pairs 20] [--runs 5] [--seed 0] [--busy 2] [--part 1 --parts 4]

Each run is a process of its own, with another seed for Python's hashes. Records must be identical but for `seconds`. Prints what
differed, and how many did; the exit status is 1 if any did. Where this is ended, by whatever signal, so is the work beside it.
`--busy`: how many processes do nothing but take time, one for each processor if nothing is said; 0 where the machine is busy.
`--part` K of `--parts` N: one question in N.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): pass"
"""Work that ends with the process that began it, also where that one is killed."""


def answers(command: list[str], seed: int) -> list[dict[str, object]]:
    """The records of one run, without seconds."""
    done = subprocess.run([sys.executable, "-m", "spmd", *command, "--format", "jsonl"], cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "PYTHONHASHSEED": str(seed), "SPMD_NO_CACHE": "1"}, check=False)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    kept = [{key: value for key, value in record.items() if key != "seconds"} for record in records]
    return kept or [{"status": done.returncode}]


def difference(one: list[dict[str, object]], other: list[dict[str, object]]) -> str:
    """The first field in which records differ, shortened."""
    for mine, yours in zip(one, other, strict=False):
        for key in {**mine, **yours}:
            if mine.get(key) != yours.get(key):
                return f"{key}: {str(mine.get(key))[:200]} | {str(yours.get(key))[:200]}"
    return f"{len(one)} and {len(other)} records"


def questions(kernels: int, pairs: int, seed: int) -> list[list[str]]:
    """Commands: kernels and pairs of the tests and the case studies, drawn."""
    draw = random.Random(seed)
    files = sorted(str(path.relative_to(ROOT)) for folder in ("tests/kernels", "tests/programs", "case_studies/*")
                   for path in ROOT.glob(f"{folder}/*.c[ul]"))
    folders = sorted(path.parent.relative_to(ROOT) for path in (ROOT / "tests" / "pairs").glob("*/a.cu"))
    chosen = [["check", path] for path in draw.sample(files, min(kernels, len(files)))]
    return chosen + [["equiv", f"{folder}/a.cu", f"{folder}/b.cu"] for folder in draw.sample(folders, min(pairs, len(folders)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, number in (("kernels", 50), ("pairs", 20), ("runs", 5), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=number)
    for name, number in (("busy", os.cpu_count() or 1), ("part", 1), ("parts", 1)):
        parser.add_argument(f"--{name}", type=int, default=number)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # what is asked is killed on the way out
    busy = [subprocess.Popen([sys.executable, "-c", BUSY, str(os.getpid())]) for _ in range(given.busy)]
    began, unlike = time.monotonic(), 0
    asked = questions(given.kernels, given.pairs, given.seed)[given.part - 1::given.parts]
    try:
        for command in asked:
            first, *others = (answers(command, seed) for seed in range(1, given.runs + 1))
            other = next((other for other in others if other != first), None)
            if other is not None:
                unlike += 1
                print(f"unlike: spmd {' '.join(command)}: {difference(first, other)}", flush=True)
    finally:
        for process in busy:
            process.kill()
    print(f"{len(asked)} questions, {given.runs} runs each beside {len(busy)} busy processes: {unlike} with unlike answers "
          f"({time.monotonic() - began:.0f} s)")
    sys.exit(unlike > 0)


if __name__ == "__main__":
    main()
