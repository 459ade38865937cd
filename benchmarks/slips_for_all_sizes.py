"""How slips in pairs for all sizes are answered, as `spmd equiv` answers them: with the search for runs that differ.

    python benchmarks/slips_for_all_sizes.py [--draw 300] [--seed 1] [--jobs 2] [--seconds 60]

Slips of the pairs of `tests/all_sizes` are drawn with the seed. Each is written into its side and compared with the other one
in a process of its own. A slip that comes out `equal` is a wrong answer, and the status is 1. Each other one that is not
`different` or `nondeterministic` is named with its reason. The last line has the counts and the median of the seconds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "all_sizes")]

import pairs  # noqa: E402


def answered(pair: pairs.Pair, slip: pairs.Slip, seconds: int) -> tuple[str, str, float]:
    """The verdict, its reason, and the seconds of the whole process."""
    relate = pair.slipped(slip).relate if slip.of == "relate" else pair.relate
    with tempfile.TemporaryDirectory() as made:
        sides = []
        for side in "ab":
            path = Path(made) / f"{side}.cu"
            path.write_text(slip.applied(pair.text(side)) if slip.of == side else pair.text(side))
            names = pair.sides[side].partition(":")[2]
            sides.append(f"{path}:{names}" if names else str(path))
        command = [sys.executable, "-m", "spmd", "equiv", *sides, "--all-sizes", "--format", "jsonl", "--timeout", str(seconds),
                   *(part for text in relate for part in ("--relate", text))]
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        taken = time.monotonic() - began
    lines = done.stdout.splitlines()
    if not lines:
        return "no record", done.stderr.strip()[-200:], taken
    record = json.loads(lines[-1])
    return record["verdict"], str(record.get("reason") or ""), taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", type=int, default=300, help="how many slips (0: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=60, help="of each comparison")
    asked = parser.parse_args()
    slips = [(pair, slip) for pair in pairs.all_pairs() for slip in pair.slips]
    drawn = Random(asked.seed).sample(slips, asked.draw) if 0 < asked.draw < len(slips) else slips
    counts: Counter[str] = Counter()
    times = []
    with ThreadPoolExecutor(asked.jobs) as pool:
        for (pair, slip), found in zip(drawn, pool.map(lambda each: answered(*each, asked.seconds), drawn), strict=True):
            verdict, reason, taken = found
            counts[verdict] += 1
            times.append(taken)
            if verdict not in ("different", "nondeterministic"):
                print(f"{verdict:10} {taken:5.1f} s  {pair.name}: {slip}: {reason}", flush=True)
            print(f"\r{len(times)} of {len(drawn)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{len(drawn)} slips: {dict(counts.most_common())}; median {median(times):.1f} s, longest {max(times):.1f} s")
    sys.exit(1 if counts["equal"] else 0)


if __name__ == "__main__":
    main()
