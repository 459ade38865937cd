"""What queries of one kernel gain by sharing what was translated: processor time with and without, in turns, in one run.

    python benchmarks/queries.py [--every N] [--rounds N]

Measured on the kernels of the tests, every Nth of them. *Alone* gives each query a room of its own: a pySMT environment, a
context of z3 and nothing translated yet. Printed: the number of queries, the share of their formulas that stood in an earlier
query of the same kernel, and for either way the least processor time of the rounds, with their ratio.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from automata.logic import smt
from automata.logic.atom import Atom
from automata.logic.poly import Formula
from automata.logic.views import Application
from automata.place import InputError
from spmd.asked import Question, Source
from spmd.pipeline import run_check

KERNELS = sorted((Path(__file__).resolve().parent.parent / "tests" / "kernels").glob("*.c[ul]"))


class Counted:
    """`smt._solve`, with its formulas counted, and a room of its own for a query that is to be alone."""

    def __init__(self) -> None:
        self.solve = smt._solve
        self.is_alone = False
        self.queries = self.formulas = self.known = 0
        self.seen: set[tuple[bool, Formula]] = set()

    def __call__(self, formulas: Iterable[Formula], applications: Mapping[Atom, Application], *rest: Any) -> smt.Answer:
        asked = list(formulas)
        keys = {(bool(applications), formula) for formula in asked}
        self.queries += 1
        self.formulas += len(keys)
        self.known += len(keys & self.seen)
        self.seen |= keys
        if self.is_alone:
            smt.reset()
        return self.solve(asked, applications, *rest)


def check(paths: list[Path], counted: Counted) -> float:
    """Seconds of this process for checking all files."""
    began = time.process_time()
    for path in paths:
        counted.seen.clear()
        try:
            list(run_check(Question(Source(str(path)))))
        except InputError:
            continue
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    paths, counted = KERNELS[::given.every], Counted()
    smt._solve = counted  # type: ignore[assignment]
    check(paths[:3], counted)
    times: dict[bool, list[float]] = {False: [], True: []}
    counted.queries = counted.formulas = counted.known = 0
    for _ in range(given.rounds):
        for counted.is_alone in times:
            times[counted.is_alone].append(check(paths, counted))
    runs = 2 * given.rounds
    print(f"{len(paths)} files, {counted.queries // runs} queries; of their {counted.formulas // runs} formulas "
          f"{counted.known / counted.formulas:.0%} stood in an earlier query of the kernel")
    shared, alone = min(times[False]), min(times[True])
    print(f"shared {shared:.1f} s, alone {alone:.1f} s: {alone / shared:.2f} times")


if __name__ == "__main__":
    main()
