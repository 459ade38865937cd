"""Names for unknowns, and what is known of each.

An atom is an integer unknown of the solvers: a size, a coordinate, a quotient, the value of a read. Facts
about it hold whenever it is used, so a query takes along just those its formulas reach.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from automata.logic import poly as P
from automata.logic.poly import Formula, Monomial, Poly
from automata.logic.views import Application

Interval = tuple[int, int]
MARK = re.compile(r"\$\w+(?:,\w+)?")
HUGE: Interval = (-(1 << 200), 1 << 200)


def interval_of(value: Poly, bounds: Callable[[str], Interval]) -> Interval:
    """Numeric bounds of a polynomial from those of its atoms."""
    low = high = 0
    for mono, coef in value.terms.items():
        least, most = scaled(mono, coef, bounds)
        low, high = low + least, high + most
    return low, high


def scaled(mono: Monomial, coef: int, bounds: Callable[[str], Interval]) -> Interval:
    """The bounds of a coefficient times some atoms."""
    low = high = coef
    for name in mono:
        a, b = bounds(name)
        corners = low * a, low * b, high * a, high * b
        low, high = min(corners), max(corners)
    return low, high


@dataclass
class Atoms:
    """The atoms of some queries. `facts[name]`: what holds of an atom or proposition; `intervals[name]`:
    its numeric bounds; `applications[name]`: the uninterpreted function behind it, if it is
    one; `floors[name]`: what is divided by what; `quotients`: those of C's `/`, towards zero;
    `spans[value]`: bounds of a sum without its constant.
    """

    facts: dict[str, list[Formula]] = field(default_factory=dict)
    intervals: dict[str, Interval] = field(default_factory=dict)
    applications: dict[str, Application] = field(default_factory=dict)
    floors: dict[str, tuple[Poly, Poly]] = field(default_factory=dict)
    quotients: set[str] = field(default_factory=set)
    spans: dict[Poly, Interval] = field(default_factory=dict)
    views: int = 0
    labels: dict[tuple[str, tuple[Poly, ...]], str] = field(default_factory=dict)

    def label(self, base: str, parts: tuple[Poly, ...]) -> str:
        """A short name for something made of polynomials: the same for the same parts.

        It keeps the marks ($thread,block) of every atom in the parts, so that one can see whose it is.
        """
        key = (base, parts)
        if key not in self.labels:
            marks = {mark for part in parts for atom in part.atoms() for mark in MARK.findall(atom)}
            self.labels[key] = f"{base}#{len(self.labels)}{''.join(sorted(marks - set(MARK.findall(base))))}"
        return self.labels[key]

    def fresh(self) -> int:
        """A number no view of this encoder has had yet."""
        self.views += 1
        return self.views

    def interval(self, value: Poly) -> Interval:
        """Numeric bounds of a polynomial, its own or from the bounds of its atoms."""
        low, high = interval_of(value, lambda name: self.intervals.get(name, HUGE))
        if self.spans and len(value.terms) > 1:
            constant = value.terms.get((), 0)
            least, most = self.spans.get(value.plus(-constant), HUGE)
            low, high = max(low, least + constant), min(high, most + constant)
        return low, high

    def spanning(self, value: Poly, bounds: Interval) -> Poly:
        """A polynomial of which it is known that it lies within bounds."""
        constant = value.terms.get((), 0)
        self.spans[value.plus(-constant)] = bounds[0] - constant, bounds[1] - constant
        return value

    def closure(self, formula: Formula) -> list[Formula]:
        """All facts about the atoms of a formula, and about the atoms of those facts."""
        found: list[Formula] = []
        seen: set[str] = set()
        todo = sorted(P.names(formula))
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            for fact in self.facts.get(name, []):
                found.append(fact)
                todo.extend(sorted(P.names(fact)))
            if name in self.applications:
                for arg in self.applications[name].args:
                    todo.extend(sorted(arg.atoms()))
        return found

    def atom(self, name: str, interval: Interval) -> Poly:
        """The atom of that name; its bounds become facts when it is new."""
        value = Poly.atom(name)
        if name not in self.facts:
            self.facts[name] = []
            self.intervals[name] = interval
            if interval != HUGE:
                self.facts[name] += [P.le(Poly.number(interval[0]), value), P.le(value, Poly.number(interval[1]))]
        return value

    def apply(self, function: str, args: tuple[Poly, ...], interval: Interval, array: str = "") -> Poly:
        """An uninterpreted function of some integers, as an atom."""
        name = self.label(function, args)
        self.applications[name] = Application(function, args, False, array)
        return self.atom(name, interval)

    def choice(self, name: str, test: Formula, then: Poly, other: Poly) -> Poly:
        """`test ? then : other` as an atom of that name."""
        if test == P.TRUE or then == other:
            return then
        if test == P.FALSE:
            return other
        (a, b), (c, d) = self.interval(then), self.interval(other)
        if name not in self.facts:
            value = self.atom(name, HUGE)
            self.intervals[name] = (min(a, c), max(b, d))
            self.facts[name] += [P.implies(test, P.eq(value, then)), P.implies(P.neg(test), P.eq(value, other))]
        return Poly.atom(name)

    def floor_quotient(self, value: Poly, size: Poly) -> Poly:
        """floor(value / size) for a positive size; nothing is known where the size is not positive."""
        if size == Poly.number(1):
            return value
        if value.constant is not None and (size.constant or 0) > 0:
            return Poly.number(value.constant // (size.constant or 1))
        name = self.label("floor", (value, size))
        if name not in self.facts:
            part = self.atom(name, HUGE)
            self.floors[name] = value, size
            low, high = self.interval(value)
            if low >= 0:
                self.intervals[name] = (0, high)
            rest = value - size * part
            self.facts[name].append(P.implies(P.lt(Poly.number(0), size),
                                              P.conj((P.le(Poly.number(0), rest), P.lt(rest, size)))))
        return Poly.atom(name)
