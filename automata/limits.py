"""The limits on work that can turn an answer into `unknown`, in one table.

Each has a name, what it holds where nobody says otherwise, and what is left out beyond it. Whoever asks may give others
(`--limit NAME=VALUE`, `limits` in the settings): a limit leaves work out and decides nothing, so higher ones can only make an
`unknown` definite. Code asks a limit whether an amount is allowed; one that says no is noted, and an `unknown` names it (`met`),
with the amount that it would have taken where that is known. They count work, never seconds: those are the user's `--timeout`,
which `budget` shares out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from automata.place import GivenUpError, InputError


@dataclass(frozen=True, slots=True)
class Limit:
    """`standard`: its value where none is given; `means`: what it counts, for `spmd config` and messages; `as_it_goes`: it is
    counted while the work is done, so where it stops the work nobody knows how much there would have been."""

    name: str
    standard: int
    means: str
    as_it_goes: bool = False

    @property
    def value(self) -> int:
        return _Now.given.get(self.name, self.standard)

    def allows(self, amount: int) -> bool:
        """Whether it is within the limit; if not, that is noted."""
        if amount <= self.value:
            return True
        self.stopped(None if self.as_it_goes else amount)
        return False

    def stopped(self, amount: int | None = None) -> None:
        """Note that something was left out. `amount`: what would have been needed, where that is known."""
        _Now.met[self] = max(_Now.met.get(self) or 0, amount or 0) or None


@dataclass(frozen=True, slots=True)
class Reached:
    """A limit beyond which something was left out. `value`: what it was; `needed`: what it would have taken, where that is
    known."""

    name: str
    value: int
    means: str
    needed: int | None

    def __str__(self) -> str:
        return f"{self.name} = {self.value:,} ({self.means})" + (f"; {self.needed:,} are needed" if self.needed else "")

    @property
    def higher(self) -> int:
        """What to try next: what is needed, or tenfold."""
        return self.needed or 10 * self.value


UNROLL_ROUNDS = Limit("unroll-rounds", 4096, "rounds of a loop that is unrolled before it is proved")
UNROLL_STATEMENTS = Limit("unroll-statements", 20_000, "statements that unrolling the loops of a kernel may make")
REPLAY_THREADS = Limit("replay-threads", 1 << 16, "threads of a run that replays a counterexample")
REPLAY_ROUNDS = Limit("replay-rounds", 5_000, "rounds of loops in such a run")
RUN_THREADS = Limit("run-threads", 1 << 16, "threads of a launch that is run for findings, or for all data")
RUN_ROUNDS = Limit("run-rounds", 5_000, "rounds of loops in a run for findings")
RUN_ACCESSES = Limit("run-accesses", 10_000_000, "accesses in a run for findings")
ALL_DATA_ROUNDS = Limit("all-data-rounds", 50_000, "rounds of loops in a run that speaks of all data")
ALL_DATA_ACCESSES = Limit("all-data-accesses", 50_000_000, "accesses in a run that speaks of all data")
ENDING_ROUNDS = Limit("ending-rounds", 200_000, "rounds of loops in a run that looks whether they end")
ENDING_THREADS = Limit("ending-threads", 1 << 22, "threads of a run that looks whether loops end")
SYMBOL_THREADS = Limit("symbol-threads", 1 << 28, "threads of a launch, or elements of a block's array, on symbols")
SYMBOL_CELLS = Limit("symbol-cells", 1 << 24, "elements of a global array on symbols")
UNROLL_WORK = Limit("unroll-work", 100_000, "statements looked at and rounds begun while loops of a kernel are unrolled",
                    as_it_goes=True)
LOOP_NESTING = Limit("loop-nesting", 6, "loops inside each other that a proof keeps: the work doubles with each")
RACES = Limit("races", 12, "suspicions of races on an array before its other pairs of accesses are left out", as_it_goes=True)
OUTSIDE = Limit("accesses-outside", 4, "accesses suspected outside an array before its others are left out", as_it_goes=True)
WRITERS = Limit("writers", 150, "writers of cells that a proof of equality for all sizes tells apart", as_it_goes=True)
LANE_ROUNDS = Limit("lane-rounds", 4096, "rounds of a loop that a generic block goes through one by one")
PRODUCT_TERMS = Limit("product-terms", 20_000, "products of terms when two values of a generic block are multiplied")
CERTIFY_WORK = Limit("certify-work", 1_000_000, "products of monomials, all together, with --certify", as_it_goes=True)
ORDER_WORK = Limit("order-work", 2_000_000, "steps of decision diagrams, and choices of single lanes, by the laws of an order")
STEPS = Limit("steps", 200_000, "statements gone over where two kernels may do the same step by step")
RUN_BYTES = Limit("run-bytes", 1 << 30, "bytes of an array whose cells are far apart, in a run", as_it_goes=True)
TABLE = (UNROLL_ROUNDS, UNROLL_STATEMENTS, REPLAY_THREADS, REPLAY_ROUNDS, RUN_THREADS, RUN_ROUNDS, RUN_ACCESSES, ALL_DATA_ROUNDS,
         ALL_DATA_ACCESSES, ENDING_ROUNDS, ENDING_THREADS, SYMBOL_THREADS, SYMBOL_CELLS, UNROLL_WORK, LOOP_NESTING, RACES,
         OUTSIDE, WRITERS, LANE_ROUNDS, PRODUCT_TERMS, CERTIFY_WORK, ORDER_WORK, RUN_BYTES)
BY_NAME = {limit.name: limit for limit in TABLE}


class _Now:
    """The limits that are given, by name, and those that were reached, with what would have been needed."""

    given: ClassVar[Mapping[str, int]] = {}
    met: ClassVar[dict[Limit, int | None]] = {}


def given_up(error: Exception, rounds: Limit, accesses: Limit) -> None:
    """Note which limit a run was given up for, if it was for one."""
    if isinstance(error, GivenUpError):
        {"rounds": rounds, "accesses": accesses}[error.counted].stopped()


@contextmanager
def using(given: Mapping[str, int]) -> Iterator[None]:
    """Other limits than the standard ones for what is done inside, where nothing has been noted at first."""
    before = _Now.given, _Now.met
    _Now.given, _Now.met = {**_Now.given, **given}, {}
    try:
        yield
    finally:
        _Now.given, _Now.met = before


def met() -> tuple[Reached, ...]:
    """The limits beyond which something was left out."""
    return tuple(Reached(limit.name, limit.value, limit.means, _Now.met[limit]) for limit in TABLE if limit in _Now.met)


def checked(given: Mapping[str, object]) -> dict[str, int]:
    """Limits by name, of the names that there are and whole numbers above zero; else InputError."""
    for name, value in given.items():
        if name not in BY_NAME:
            raise InputError(f"there is no limit '{name}'; there are {', '.join(BY_NAME)}")
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InputError(f"the limit {name} is a whole number above zero: {name}={BY_NAME[name].standard}")
    return {name: value for name, value in given.items() if isinstance(value, int)}
