"""Models of earlier queries that answer later ones.

Input: the formulas of a query, facts about their atoms included. Output: whether one of the last models fits them.

One idea: a proof asks hundreds of questions under the same facts (is this index always that one?), and most are answered no. A
model of one of them mostly answers the next: numbers that tell two indices apart tell others apart as well. An atom that the
model does not know gets the number that it is defined to be, else the least it may be. The formulas are evaluated, all of them,
so a model that fits is one. That none fits says nothing.

Source: simulation before equivalence checking (Kuehlmann, Krohm, DAC 1997; Mishchenko and others, FRAIGs, 2005).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from automata.budget import METER
from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly

Interval = tuple[int, int]
MOST = 6
"""Models that are kept, the last that helped first."""
MOST_KNOWN = 20_000
"""Formulas of which a model knows whether they hold."""
EVALUATED = 2_000
"""Nanoseconds of work: of a relation."""
PATIENCE = 4
"""Candidates of which none became a model before they are given up, for each that did."""


class Known(Protocol):
    """What is known of atoms: bounds, what is divided by what, and facts."""

    @property
    def intervals(self) -> Mapping[Atom, Interval]: ...

    @property
    def floors(self) -> Mapping[Atom, tuple[Poly, Poly]]: ...

    @property
    def facts(self) -> Mapping[Atom, Sequence[Formula]]: ...


class Sample:
    """One model, and which formulas hold in it. `values`: grows with the atoms that are asked for; `known`: what is known of
    them; `pending`: atoms whose number is being found, so that nothing is certain yet."""

    def __init__(self, model: Mapping[Atom, int], known: Known) -> None:
        self.values, self.known = dict(model), known
        self.truths: dict[Formula, bool] = {}
        self.pending = 0

    def fits(self, formulas: Sequence[Formula]) -> bool:
        return all(map(self.holds, formulas))

    def holds(self, formula: Formula) -> bool:
        known = self.truths.get(formula)
        if known is None:
            known = self._holds(formula)
            if len(self.truths) >= MOST_KNOWN:
                self.truths.clear()
            if not self.pending:
                self.truths[formula] = known
        return known

    def _holds(self, formula: Formula) -> bool:
        match formula:
            case P.Rel(sign=sign, poly=poly):
                METER.done += EVALUATED
                value = self.number(poly)
                return value <= 0 if sign == "<=" else value == 0
            case P.Prop(atom=each):
                return bool(self.values.setdefault(each, 0))
            case P.Not(arg=arg):
                return not self.holds(arg)
            case P.And(args=args):
                return all(map(self.holds, args))
            case P.Or(args=args):
                return any(map(self.holds, args))

    def number(self, value: Poly) -> int:
        total = 0
        for mono, coef in value.terms.items():
            for each in mono:
                held = self.values.get(each)
                coef *= self._found(each) if held is None else held
            total += coef
        return total

    def _found(self, each: Atom) -> int:
        """The number of an atom that the model does not know."""
        low, high = self.known.intervals.get(each, (0, 0))
        found = self.values[each] = max(low, min(0, high))
        self.pending += 1
        if each in self.known.floors:
            whole, size = map(self.number, self.known.floors[each])
            found = whole // size if size else found
        else:
            told = (value for fact in self.known.facts.get(each, ()) if (value := self._told(each, fact)) is not None)
            found = next(told, found)
        self.pending -= 1
        self.values[each] = found
        return found

    def _told(self, each: Atom, fact: Formula) -> int | None:
        """What an atom is where a fact leaves it no other number: of a choice, the one of the case that holds."""
        parts = fact.args if isinstance(fact, P.Or) else (fact,)
        ends = [part for part in parts if isinstance(part, P.Rel) and part.sign == "==" and each in part.poly.atoms()]
        if len(ends) != 1 or any(self.holds(part) for part in parts if part is not ends[0]):
            return None
        slope, rest = ends[0].poly.coefficient(each).constant, ends[0].poly.replace({each: Poly({})})
        return -slope * self.number(rest) if slope in (1, -1) and each not in rest.atoms() else None


class Samples:
    """The last models. `tried`, `found`: candidates, and those of them that became models."""

    def __init__(self) -> None:
        self.models: list[Sample] = []
        self.tried = self.found = 0

    def fitting(self, formulas: Sequence[Formula]) -> Sample | None:
        """A model that fits."""
        for place, each in enumerate(self.models):
            if each.fits(formulas):
                self.models.insert(0, self.models.pop(place))
                return each
        return None

    def keep(self, sample: Sample) -> None:
        self.models = [sample, *self.models[:MOST - 1]]

    @property
    def is_worth_more(self) -> bool:
        """Whether to try to make a model of another candidate."""
        return self.tried < PATIENCE * (self.found + 1)
