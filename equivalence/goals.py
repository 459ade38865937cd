"""What is asked of memory after two symbolic runs: that an array is the same, or that a stated relation holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from automata.machine.numbers.ascending import ascending
from automata.machine.numbers.values import Numbers
from automata.scalar import Scalar
from equivalence.domains.field import NAN, Value
from equivalence.relation import Points, Relation
from equivalence.symbolic_run import Ran


class Goal(Protocol):
    """Something that must hold of memory after both runs."""

    @property
    def label(self) -> str:
        """What it is called in the answer."""

    def difference(self, runs: tuple[Ran, Ran]) -> int | None:
        """The first cell of which it does not hold."""

    def refuted(self, probes: tuple[Ran, Ran]) -> int | None:
        """A cell of which it is seen not to hold after runs of some blocks, each of which writes cells of its own."""

    def cell(self, number: int) -> str:
        """What a cell of which it does not hold is called."""


@dataclass(frozen=True)
class SameArray:
    """An array ends up the same."""

    label: str

    def difference(self, runs: tuple[Ran, Ran]) -> int | None:
        found = [indices for ran in runs for indices in ran.indices(self.label)]
        if not found:
            return None
        alike = all(np.array_equal(found[0], other) for other in found[1:])
        indices = found[0] if alike else ascending(*found)
        one, two = (ran.words(self.label, indices) for ran in runs)
        return unlike(runs, one, two, indices)

    def refuted(self, probes: tuple[Ran, Ran]) -> int | None:
        found = [indices for ran in probes for indices in ran.indices(self.label)]
        if len(found) < 2:
            return None
        indices = np.intersect1d(found[0], found[1], assume_unique=True)
        one, two = (ran.words(self.label, indices)[:, :4] for ran in probes)
        symbols = probes[0].symbols
        before = symbols.words(symbols.input(self.label, indices))[:, :4]
        differ = ~symbols.same(one, two) & (one != before).any(axis=1) & (two != before).any(axis=1)
        return int(indices[np.argmax(differ)]) if differ.any() else None

    def cell(self, number: int) -> str:
        return f"{self.label}[{number}]"


@dataclass(frozen=True)
class Related:
    """A relation among outputs holds, at all its points. `kind`: the type of what it is about."""

    relation: Relation
    points: Points
    kind: Scalar

    @property
    def label(self) -> str:
        return self.relation.text

    def difference(self, runs: tuple[Ran, Ran]) -> int | None:
        runs[0].symbols.special |= runs[1].symbols.special
        arithmetic = _Symbolic(runs, self.kind)
        left = self.relation.left
        here = arithmetic.element(left.side, left.array, self.points.index(left.index))
        return unlike(runs, here, self.relation.value(arithmetic, self.points), np.arange(self.points.count))

    def refuted(self, probes: tuple[Ran, Ran]) -> int | None:
        return None

    def cell(self, number: int) -> str:
        return self.points.told(number)


@dataclass(frozen=True)
class _Symbolic:
    """The arithmetic of relations on symbols of one type."""

    runs: tuple[Ran, Ran]
    kind: Scalar

    def element(self, side: str, array: str, indices: Numbers) -> Value:
        return self.runs["ab".index(side)].words(array, indices)

    def number(self, value: int | float, count: int) -> Value:
        symbols = self.runs[0].symbols
        known: Any = np.full(count, value, np.float64 if self.kind.is_float else np.int64)
        return symbols.words(symbols.lift(known, self.kind))

    def operation(self, op: str, left: Value, right: Value) -> Value:
        return self.runs[0].symbols.operation(op, left, right, self.kind)


def unlike(runs: tuple[Ran, Ran], one: Value, two: Value, indices: Numbers) -> int | None:
    """The first index where symbols differ; NaN is like nothing, for it may stand for several values."""
    same = runs[0].symbols.same(one, two)
    if any(ran.symbols.special for ran in runs):
        same &= one[:, 0] != NAN
    return None if same.all() else int(indices[np.argmin(same)])
