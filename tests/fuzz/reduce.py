"""Makes a failing input small: `python tests/fuzz/reduce.py FILE [--frontend c|clang|auto]`, the result on standard output.

Pieces are left out, lines first and then tokens, as long as the failure keeps its key.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import mutate
from run import Result, Worker


def reduced(worker: Worker, start: mutate.Case, tries: int = 4000) -> Result:
    """The smallest case found that fails alike."""
    best = worker.judge(start)
    left = tries

    def fails(text: str) -> bool:
        nonlocal best, left
        left -= 1
        if left < 0:
            return False
        result = worker.judge(mutate.Case(start.number, start.origin, start.suffix, text.encode("latin-1")))
        if result.ok or result.key != best.key:
            return False
        best = result
        return True

    size = len(start.text) + 1
    while left > 0 and len(best.case.text) < size:
        size = len(best.case.text)
        _shorten(best.case.text.decode("latin-1").splitlines(keepends=True), fails)
        _shorten(mutate.TOKEN.findall(best.case.text.decode("latin-1")), fails)
    return best


def _shorten(parts: list[str], fails: Callable[[str], bool]) -> None:
    """Leave out stretches of parts, long ones first."""
    step = max(1, len(parts) // 2)
    while step:
        at = 0
        while at < len(parts):
            rest = parts[:at] + parts[at + step:]
            if fails("".join(rest)):
                parts = rest
            else:
                at += step
        step //= 2


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--frontend", choices=("c", "clang", "auto"), default="c")
    given = parser.parse_args()
    worker = Worker(given.frontend)
    try:
        start = mutate.Case(0, str(given.file), given.file.suffix, given.file.read_bytes())
        if worker.judge(start).ok:
            sys.stderr.write("this file does not fail\n")
            return 1
        result = reduced(worker, start)
    finally:
        worker.close()
    sys.stdout.write(result.case.text.decode("latin-1") + "\n")
    sys.stderr.write("\n".join([result.key, result.detail, *result.frames]) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
