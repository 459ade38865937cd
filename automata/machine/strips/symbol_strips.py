"""Strips of symbolic runs: data as symbols, with bounds on their degrees.

Lanes must not meet in cells within the loop, which is so in deterministic kernels (nothing in such a loop orders them).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from automata.lang.core import Assign
from automata.machine.lanes.compiled import Closure
from automata.machine.lanes.frame import Frame
from automata.machine.numbers.values import Lanes, Values
from automata.machine.strips.distribution import Carried, Distribution, Wide, entering
from automata.machine.strips.mixed import Mixed
from automata.machine.strips.strips import Rounds, Stage, Strip
from automata.machine.symbols.domain import ATOM, Data, Degree


class SymbolStrip(Strip):
    """A loop of a symbolic run. `symbols`: the versions that hold data; `degrees`: of the terms of each sum, by its last
    version."""

    def __init__(self, plan: Distribution, values: Values, dims: dict[str, tuple[int, ...]], data: Data) -> None:
        self.data = data
        names = {name for name, local in plan.made.items() if local in data.partition.locals}
        partition = replace(data.partition, locals=data.partition.locals | names)
        for stage in plan.stages:
            if isinstance(stage, Wide) and isinstance(stage.stmt, Assign) and partition.is_data(stage.stmt.value):
                partition.locals.add(stage.stmt.name)
        self.mixed = Mixed(values, dims, data, partition)
        self.degrees: dict[str, list[Callable[[], Degree]]] = {}
        super().__init__(plan, self.mixed)
        self.symbols = partition.locals & set(plan.made)

    def terms(self, stage: Carried) -> tuple[tuple[bool, Closure, Closure | None], ...]:
        mixed = self.mixed
        self.degrees[stage.stmts[-1].name] = [mixed.degree(term.product) for term in stage.terms]
        return tuple((term.positive, mixed.symbol(term.one), None if term.two is None else mixed.symbol(term.two))
                     for term in stage.terms)

    def enter(self) -> None:
        """Degrees of what the first round begins with."""
        for name in self.symbols:
            self.data.degrees.pop(name, None)
        for local, version in self.plan.carried.items():
            if version in self.symbols and local in self.data.degrees:
                self.data.degrees[entering(local)] = self.data.degrees[local]

    def left(self, local: str, version: str, frame: Frame) -> None:
        if version in self.symbols and version in self.data.degrees:
            self.data.note(local, self.data.degrees[version], whole=frame.lanes is None)

    def kept(self, version: str, name: str) -> None:
        if version in self.symbols:
            self.data.note(name, self.data.degree(version), whole=False)

    def total(self, stage: Stage, carried: Carried, wide: Rounds) -> bool:
        last = carried.stmts[-1]
        name = self.plan.made[last.name]
        terms = [(positive, one(wide), None if two is None else two(wide)) for positive, one, two in stage.terms]
        made = self.data.domain.total(wide.outer.get(name), terms, wide.rounds, wide.outer.count, last.value.type)
        if made is None:
            return False
        wide.last[last.name] = made
        taken = reduce(Degree.plus, (degree() for degree in self.degrees[last.name])).copies(wide.rounds)
        self.data.note(last.name, self.data.degree(entering(name)).plus(taken).or_larger(ATOM), whole=True)
        return True

    def passed_on(self, version: str, value: Lanes, state: dict[str, Lanes]) -> None:
        super().passed_on(version, value, state)
        if version in self.data.degrees:
            self.data.degrees[self.before[version]] = self.data.degrees[version]
