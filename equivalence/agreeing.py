"""Threads that store one value to the same cell: whichever comes last, the cell is the same.

Input: a kernel at a launch of which all is shown but that stores of several threads to one cell agree. Output: a report that it
is deterministic, if it is. The proofs are asked about everything else, reads of these cells included. Then the launch is run on
exact symbols that understand only what keeps every bit: integers as a ring, a + b = b + a of floats, and maxima and minima either
way round. Each cell of these arrays has to be given one symbol by all stores to it. So the lanes of a warp may all store what a
butterfly of exchanges has left in each of them; where each has added up in another order they may not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from automata.budget import Budget
from automata.lang.core import AsyncCopy, Atomic, Kernel, Load, Select, Space, Stmt, Store
from automata.lang.traverse import walk
from automata.machine.numbers.values import Lanes
from automata.machine.running.run import Options
from automata.machine.state.outcome import Written
from automata.place import EndlessError, UndecidedError
from automata.proof.determinism import check
from automata.rewriting.predication import CannotPredicate, predicate
from automata.scalar import Scalar
from automata.verdict import Outcome, Property, Report, Status, Verdict
from equivalence.domains.exact import Exact, Terms
from equivalence.domains.field import INF, INT
from equivalence.domains.functions import stem
from equivalence.domains.polynomials import TooLarge
from equivalence.gate import doubted, runs_decide
from equivalence.step import LITTLE, Step
from equivalence.symbolic_run import Broken, Part, Ran, Refused, run_stage

MOST_THREADS = 1 << 14
MOST_SECONDS = 4.0
"""Seconds of the proofs of everything else."""


class Bits(Exact):
    """Symbols that are the same only if every bit is, of one kernel."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(INT, "a", Terms())
        self.commutes = kernel.dialect == "cuda"
        self.shared = {array.name for array in kernel.arrays if array.space is Space.SHARED}

    def is_shared(self, array: str) -> bool:
        return array in self.shared

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        name = stem(function)
        if self.commutes and name in ("fmin", "fmax") and len(args) == 2:
            return self.value(self.symmetric(f"{name} {result.name}", *map(self.words, args)), *args)
        return super().call(function, args, kinds, result)


def agreeing(step: Step, report: Report, budget: Budget) -> Report | None:
    """The report on a kernel whose stores of several threads to one cell are shown to agree."""
    arrays = _suspected(step.kernel, report)
    if not arrays or step.threads > MOST_THREADS:
        return None
    side = replace(step.side, budget=budget.within(MOST_SECONDS), left=step.data_arrays(), run=LITTLE, agreed=arrays)
    try:
        found = check(step.kernel, step.launch, side=side)[0]
    except UndecidedError:
        return None
    if found.verdict is not Verdict.PROVED and not runs_decide(found):
        return None
    return found if _is_given_one_value(step.part(budget, doubted(found)), arrays, budget) else None


def told(report: Report) -> str:
    """What a note says of the report before."""
    lines = sorted({spot.place.line for finding in report.findings if finding.rule == "race" for spot in finding.spots})
    return f"several threads store one value to the same cells (line {', '.join(map(str, lines))}): which comes last is the same"


def _suspected(kernel: Kernel, report: Report) -> frozenset[str]:
    """The arrays that conflicts are left open on, if those are all that is open, and none of them is updated or copied."""
    races = [finding for finding in report.findings if finding.status is Status.POTENTIAL and finding.rule == "race"]
    names = frozenset(finding.array for finding in races if finding.array)
    if report.properties.get(Property.RACE_FREE) is not Outcome.UNKNOWN or not all(finding.array for finding in races):
        return frozenset()
    moved = {name for stmt in walk(kernel.body) for name in _moved(stmt)}
    return frozenset() if names & moved else names


def _moved(stmt: Stmt) -> tuple[str, ...]:
    match stmt:
        case Atomic(array=array):
            return (array,)
        case AsyncCopy(source=source, target=target):
            return source, target
    return ()


def _is_given_one_value(part: Part, arrays: frozenset[str], budget: Budget) -> bool:
    """Whether all stores to a cell of some arrays give it the same symbol, at any data."""
    symbols = Bits(part.kernel)
    options = Options(shadow=False, budget=budget, journal=True)
    try:
        kernel, found = predicate(part.lowered, part.free, exact=symbols.exact)
        stores = [stmt for stmt in walk(kernel.body) if isinstance(stmt, Store) and stmt.array in arrays]
        if any(_keeps(stmt) or any(map(found.is_data, stmt.index)) for stmt in stores):
            return False
        _, outcome = run_stage(part, Ran(symbols, symbols.input), frozenset(), options)
    except (CannotPredicate, UndecidedError, EndlessError, Refused, Broken, TooLarge, RecursionError):
        return False
    return all(_agree([item for item in outcome.journal if item.array == name], symbols) for name in arrays)


def _keeps(stmt: Store) -> bool:
    """Whether a store may leave what is there."""
    return isinstance(stmt.value, Select) and isinstance(stmt.value.other, Load) and stmt.value.other.array == stmt.array


def _agree(items: Sequence[Written], symbols: Bits) -> bool:
    """Whether stores give each cell one symbol. A cell of shared memory is one of its block."""
    given: dict[tuple[tuple[int, int, int] | None, int], int] = {}
    for item in items:
        words = symbols.words(item.values)[:, 0]
        if (words >= INF).any():
            return False
        for at, (cell, word) in enumerate(zip(item.indices.tolist(), words.tolist(), strict=True)):
            block = item.actor(at).block if symbols.is_shared(item.array) else None
            if given.setdefault((block, cell), word) != word:
                return False
    return True
