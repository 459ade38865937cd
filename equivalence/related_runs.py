"""Relations on runs: what they are about at some sizes, and launches at which one does not hold.

Input: relations (`relation`), both sides as runs on numbers take them, sizes. Output: the points that a relation is about there,
and a counterexample: a point, by the cell of the array on the left, with both values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from automata.arithmetic import Value
from automata.budget import UNLIMITED, Budget
from automata.lang.core import Space
from automata.logic.terms import Term
from automata.machine.numbers.values import Numbers
from automata.machine.state.fill import Fill
from automata.place import EndlessError, InputError
from automata.proof.known.concrete import extent
from automata.proof.known.context import Context
from automata.proof.known.evaluation import value_of
from automata.scalar import Scalar
from equivalence.chain import Chain, ChainOutcome
from equivalence.counterexample import Search
from equivalence.inputs import distinct, near, signs
from equivalence.judging import WIDE_ROUNDING
from equivalence.relation import Element, NumberArithmetic, Points, Relation
from equivalence.result import Counterexample

Sides = Sequence[Sequence[Context]]
"""The kernels of a and those of b."""
MOST_POINTS = 1 << 16
"""Points of a relation that are looked at one by one, of those at which something was written."""


def kind_of(relation: Relation, sides: Sides) -> Scalar:
    """The type of all arrays of a relation; InputError where they are none, or of several types."""
    found: list[tuple[Element, Scalar]] = []
    for item in relation.elements():
        kinds = [array.element for context in sides["ab".index(item.side)] for array in context.kernel.arrays
                 if array.name == item.array and array.space is Space.GLOBAL]
        if not kinds:
            raise InputError(f"--relate '{relation.text}': {item.side} has no global array '{item.array}'")
        found.append((item, kinds[0]))
    (left, kind), *others = found
    for item, other in others:
        if other != kind:
            raise InputError(f"--relate '{relation.text}': {item.side}.{item.array} holds {other}, "
                             f"{left.side}.{left.array} holds {kind}")
    if kind.is_int and relation.has_fractions():
        raise InputError(f"--relate '{relation.text}': a fraction, though the arrays hold {kind}")
    return kind


def parameters_of(relation: Relation, sides: Sides) -> dict[str, Context]:
    """The integer parameters that a relation names, each with a kernel that has it; InputError where there is none."""
    found = {}
    contexts = [context for side in sides for context in side]
    for name in relation.variables:
        if relation.ranges and any(name in context.values for context in contexts):
            raise InputError(f"--relate '{relation.text}': '{name}' is a parameter: call the variable otherwise")
    for name in relation.parameters():
        having = [context for context in contexts if any(param.name == name and param.type.is_int
                                                         for param in context.kernel.params)]
        if not having:
            raise InputError(f"--relate '{relation.text}': no kernel has an integer parameter '{name}', and no range is stated "
                             "for it")
        if any(other.values[name] != having[0].values[name] for other in having):
            raise InputError(f"--relate '{relation.text}': '{name}' has one value in one kernel and another in another")
        found[name] = having[0]
    return found


def require_sense(relations: Sequence[Relation], sides: Sides) -> None:
    """InputError where a relation names what there is not, or arrays of several types."""
    for relation in relations:
        kind_of(relation, sides)
        parameters_of(relation, sides)


def parameters_at(relation: Relation, sides: Sides, sizes: Mapping[str, int]) -> dict[str, int]:
    """The values of those at some sizes."""
    found = {name: value_of(context.values[name], sizes) for name, context in parameters_of(relation, sides).items()}
    if None in found.values():
        raise InputError(f"--relate '{relation.text}': give {', '.join(found)} a value")
    return {name: value for name, value in found.items() if value is not None}


def extent_at(item: Element, sides: Sides, sizes: Mapping[str, int]) -> int | None:
    """How many elements an array has, where that is stated."""
    term = stated_extent(item, sides)
    size = None if term is None else value_of(term, sizes)
    return None if size is None else max(0, size)


def stated_extent(item: Element, sides: Sides) -> Term | None:
    """The same, as the kernels state it."""
    return next((extent(context, item.array) for context in sides["ab".index(item.side)]
                 if item.array in context.launch.extents), None)


class RelatedSearch(Search):
    """Runs two sides next to each other at concrete sizes, for a point at which a relation does not hold. `meant`: relations at
    launches of which all that they name was there."""

    def __init__(self, a: Chain, b: Chain, relations: Sequence[Relation], *, bits: bool, budget: Budget = UNLIMITED) -> None:
        super().__init__(a, b, (), bits=bits, numbers=True, budget=budget)
        self.relations = relations
        self.meant = 0

    @property
    def evidence(self) -> str:
        if not self.meant:
            return "at none of the launches that were run does the relation name elements that there are"
        return super().evidence

    def at(self, sizes: Mapping[str, int]) -> Counterexample | None:
        self.tried += 1
        return next(filter(None, (self._run(sizes, fill) for fill in (distinct(1), near, signs))), None)

    def _is_different(self, sizes: Mapping[str, int], fill: Fill) -> bool:
        return self._run(sizes, fill) is not None

    def _run(self, sizes: Mapping[str, int], fill: Fill) -> Counterexample | None:
        """The first point of a relation that does not hold: b's value is the left side, a's the right."""
        fill = self.as_required(sizes, fill)
        try:
            return next(filter(None, (self._broken(relation, sizes, fill) for relation in self.relations)), None)
        except EndlessError:
            self.given_up = True
            return None

    def _broken(self, relation: Relation, sizes: Mapping[str, int], fill: Fill) -> Counterexample | None:
        if self.stands_in:
            return None
        outcomes, wide = ([side.run(sizes, fill, self.ranges, self.options) for side in sides]
                          for sides in (self.sides, [side.wide for side in self.sides]))
        points = self._points(relation, sizes) if all(outcome.is_sound for outcome in outcomes) else None
        if points is None:
            return None
        left, cells = relation.left, points.index(relation.left.index)
        for number in self._touched(relation, points, outcomes, sizes)[:MOST_POINTS].tolist():
            one, two = self._sides_of(relation, outcomes, fill, points.at(number))
            if one == two or self.judge.is_rounding(one, two):
                continue
            mine, other = self._sides_of(relation, wide, fill, points.at(number))
            if abs(mine - other) > (WIDE_ROUNDING * max(1.0, abs(mine), abs(other)) if isinstance(mine, float) else 0):
                cell = int(cells[number])
                owners = [self._owner(side, left.array, cell, sizes, fill) for side in self.sides]
                return Counterexample({**sizes, **self._made_up(fill)}, self._inputs(outcomes, fill), left.array, cell, two, one,
                                      owners[0], owners[1], self._memory(outcomes, fill),
                                      tuple(side.launched(sizes, fill) for side in self.sides), relation=relation.text)
        return None

    def _points(self, relation: Relation, sizes: Mapping[str, int]) -> Points | None:
        """What a relation is about at some sizes; None where it names an element that there is not."""
        contexts = [side.contexts for side in self.sides]
        extents = [extent_at(item, contexts, sizes) for item in relation.elements()]
        if not relation.ranges and extents[0] is None:
            return None
        try:
            points = relation.points(extents[0] or 0, parameters_at(relation, contexts, sizes))
            indices = [points.index(item.index) for item in relation.elements()]
        except InputError:
            return None  # by zero, or too many of them
        inside = (index.min() >= 0 and (size is None or index.max() < size) for index, size in zip(indices, extents, strict=True))
        is_meant = bool(points.count) and all(inside)
        self.meant += is_meant
        return points if is_meant else None

    def _touched(self, relation: Relation, points: Points, outcomes: Sequence[ChainOutcome], sizes: Mapping[str, int]) -> Numbers:
        """The points of which some element was written, and all those that may lie outside of their arrays."""
        found, are_there = np.zeros(points.count, bool), np.ones(points.count, bool)
        for item in relation.elements():
            written = np.isin(points.index(item.index), outcomes["ab".index(item.side)].cells_written(item.array))
            found |= written
            if extent_at(item, [side.contexts for side in self.sides], sizes) is None:
                are_there &= written
        return np.flatnonzero(found & are_there)

    def _sides_of(self, relation: Relation, outcomes: list[ChainOutcome], fill: Fill, point: Points) -> tuple[Value, Value]:
        """Both sides of a relation at one point, in numbers."""
        left = relation.left

        def held(side: str, name: str, index: int) -> Value:
            return self.judge.value(outcomes["ab".index(side)], name, index, fill)
        arithmetic = NumberArithmetic(self.judge.array(left.array).element, held)
        return arithmetic.element(left.side, left.array, point.index(left.index)), relation.value(arithmetic, point)
