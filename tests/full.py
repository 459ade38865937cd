"""All cross-checks: in slices that take turns, or everything.

    python tests/full.py [--minutes M] [--turn N] [--seed S]

With `--minutes`: one slice of ten of every long test (`tests/slices.py`), with fresh random cases: kernels and pairs with a
stated truth, mutants and slips, loops, exact terms, scripts that show a difference, other names, the laws, the machine against
PoCL, its C twin and the log of all accesses, prover against machine, broken files. Ten runs in a row look at everything there is:
the turn is one more than that of the last run on this machine (kept in the cache folder), or the number of commits where there
was none. Cases for which no time was left are counted at the end. Without `--minutes`: every case of every test.

The seed is that of the commit, so that each has random cases of its own and a failure repeats. Seed and turn are printed and
can be given. The exit status is that of pytest: 0 if nothing failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from slices import SLICES  # noqa: E402

LAST = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "spmd" / "turn"


def git(*args: str) -> str:
    """What git prints; nothing outside a checkout."""
    return subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def next_turn() -> int:
    """One more than the last turn on this machine; the number of commits where none is known."""
    try:
        return int(LAST.read_text()) + 1
    except (OSError, ValueError):
        return int(git("rev-list", "--count", "HEAD") or 0)


def remember(turn: int) -> None:
    """Keep the turn, where there is a place for it."""
    try:
        LAST.parent.mkdir(parents=True, exist_ok=True)
        LAST.write_text(str(turn))
    except OSError as error:
        print(f"the turn is not kept: {error}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, help="one slice, for at most so long")
    parser.add_argument("--turn", type=int, help="which slice: the turn modulo ten")
    parser.add_argument("--seed", type=int, default=int(git("rev-parse", "HEAD")[:5] or "0", 16), help="of random cases")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (default 2)")
    given = parser.parse_args()
    turn = next_turn() if given.turn is None else given.turn
    which = ["--all"] if given.minutes is None else ["--slice", str(turn % SLICES), "--minutes", str(given.minutes)]
    seeds = ["--seed", str(given.seed), f"--hypothesis-seed={given.seed}"]
    command = ["-m", "pytest", "-q", "-rs", "-n", str(given.jobs), *seeds, *which]
    print(f"turn {turn}, seed {given.seed}: python {' '.join(command)}", flush=True)
    status = subprocess.run([sys.executable, *command], cwd=ROOT, check=False).returncode
    if given.minutes is not None:
        remember(turn)
    sys.exit(status)


if __name__ == "__main__":
    main()
