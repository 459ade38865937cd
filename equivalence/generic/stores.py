"""Global memory of one generic block: a list of stores, and loads of what they leave.

A load takes what was there before the kernel, unless the lane itself has stored it: just before, in a loop that is over
(`from_rounds`), or in rounds of loops that carry the element (`rounds`). What of this hangs on what other threads store is noted
and asked later (`cells`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from automata.lang.core import Array, Atomic, Load, Space
from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.place import Place
from automata.scalar import Scalar
from equivalence.generic.expressions import flat
from equivalence.generic.integers import ZERO, CannotFollow
from equivalence.generic.lanes import Row, Shape, row
from equivalence.generic.ranges import over
from equivalence.generic.rounds import Rounds
from equivalence.generic.values import Fetch, LoopRun, Made, Node, Seen, State, Truths, Value, Write


@dataclass
class Written:
    """What a generic block does to global memory. `seen`: loads of arrays that it writes too, of what was there before;
    `carried`: arrays of which loops carry elements like locals; `alone`: those elements, which no other thread may store;
    `staged`, `fetched`: stores to arrays of the block or thread whose elements sizes decide, and loads of them; `passed`: loads
    of what kernels before have stored."""

    shape: Shape
    writes: list[Write] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    carried: dict[str, None] = field(default_factory=dict)
    alone: list[Seen] = field(default_factory=list)
    staged: list[Write] = field(default_factory=list)
    fetched: list[Fetch] = field(default_factory=list)
    passed: list[Fetch] = field(default_factory=list)


class Stores(Rounds):
    """The part of a run that loads and stores. `found`: what it does to global memory; `stored`: the arrays that the kernel
    stores; `constant`: those that it only loads; `settled`: those of them whose integers may be indices; `symbolic`: arrays of
    the block or thread that are not held by numbers of cells; `earlier`: those that kernels before this one have stored."""

    found: Written
    stored: set[str]
    settled: frozenset[str]
    constant: frozenset[str]
    symbolic: frozenset[str]
    earlier: frozenset[str]

    def flat_index(self, array: Array, where: Sequence[Value], place: Place) -> Row[Poly]:
        return self.flattened(array, self.subscripts(array, where, place))

    def subscripts(self, array: Array, where: Sequence[Value], place: Place) -> list[Row[Poly]]:
        is_read = array.name in self.constant
        return [self.ints(part, place, f"a subscript of '{array.name}'", wraps=is_read) for part in where]

    def flattened(self, array: Array, rows: Sequence[Row[Poly]]) -> Row[Poly]:
        return self.each(lambda *parts: flat(array.dims, list(parts)), *rows)

    def store(self, array: Array, where: Sequence[Value], value: Node, state: State, place: Place) -> None:
        rows = self.subscripts(array, where, place)
        index = self.flattened(array, rows)
        if array.name in self.symbolic:
            self.stage(array, rows, index, value, state, place)
            return
        if array.space is not Space.GLOBAL:
            self.store_cells(self.keys(array, index, place), value, state)
            return
        kept = self.kept_as(array.name, index, state, place)
        if kept is None:
            self.leave_at(array.name, index, value, state, place)
        else:
            state.env[kept] = value

    def stage(self, array: Array, rows: Sequence[Row[Poly]], index: Row[Poly], value: Node, state: State, place: Place,
              update: Atomic | None = None) -> None:
        if state.tests:
            raise CannotFollow(f"data decide whether an element of '{array.name}' is stored", place)
        self.found.staged.append(Write(array.name, self.absolute(state), (), index, value, self.rounds, len(self.found.staged),
                                       place, update, tuple(rows), is_private=array.space is Space.PRIVATE))

    def leave_at(self, array: str, index: Row[Poly], value: Node, state: State, place: Place) -> None:
        self.touch(array, index, place, is_store=True)
        self.found.writes.append(Write(array, self.absolute(state), state.tests, index, value, self.rounds,
                                       len(self.found.writes), place))

    def absolute(self, state: State) -> Truths:
        """When a lane is here, all loops around considered."""
        return self.truths(lambda outer, here: P.conj((outer, here)), self.base, state.path)

    def load(self, expr: Load, state: State) -> Value:
        array = self.arrays[expr.array]
        rows = self.subscripts(array, [self.evaluate(part, state) for part in expr.index], expr.place)
        index = self.flattened(array, rows)
        if array.name in self.symbolic:
            found = Fetch(array.name, self.absolute(state), index, tuple(rows), self.rounds, len(self.found.staged), expr.place)
            self.found.fetched.append(found)
            return Node("fetch", expr.type, (), found, expr.place)
        if array.space is not Space.GLOBAL:
            return self.gathered(array, index, state, expr)
        if array.volatile:
            raise CannotFollow(f"'{array.name}' is volatile", expr.place)
        kept = self.kept_as(array.name, index, state, expr.place) if array.name in self.stored else None
        if kept is not None:
            return state.env[kept]
        return self.fetch(array.name, index, expr.type, state, expr.place)

    def fetch(self, array: str, index: Row[Poly], kind: Scalar, state: State, place: Place) -> Value:
        """What is in global memory."""
        if array in self.stored:
            self.touch(array, index, place, is_store=False)
            known = self.forwarded(self.arrays[array], index, state) or self.from_rounds(array, index, state, place)
            if known is not None:
                return known
            self.found.seen.append(Seen(array, self.absolute(state), index, self.rounds, len(self.found.writes), place))
        if array in self.earlier:
            found = Fetch(array, self.absolute(state), index, (), self.rounds, 0, place)
            self.found.passed.append(found)
            return Node("passed", kind, (), found, place)
        return Node("load", kind, (), (array, index), place)

    def forwarded(self, array: Array, index: Row[Poly], state: State) -> Node | None:
        """What the lanes themselves stored where they load, if the last store to the array went there, for sure and just
        before."""
        last = next((write for write in reversed(self.found.writes) if write.array == array.name), None)
        if last is None or last.rounds != self.rounds or last.tests or last.update is not None:
            return None
        if last.index.values != index.values:
            return None
        here = self.absolute(state)
        covered = all(a == b or a == P.TRUE or b == P.FALSE or self.integers.never([b, P.neg(a)])
                      for a, b in zip(self.spread(last.guard), self.spread(here), strict=True))
        return last.value if covered else None

    def from_rounds(self, array: str, index: Row[Poly], state: State, place: Place) -> Node | None:
        """What a loop before this one stored where the lanes load: the last store to the array, in the round that meant that
        element. That no other store goes there is asked of the source (`cells`)."""
        last = next((write for write in reversed(self.found.writes) if write.array == array), None)
        if last is None or len(last.rounds) != len(self.shared(last)) + 1 or last.tests or last.update is not None:
            return None
        number = last.rounds[-1].number
        lanes = 1 if last.index.is_one and index.is_one else self.shape.lanes
        found = [self.round_of(last.index.of(lane), index.of(lane), number) for lane in range(lanes)]
        if any(value is None for value in found):
            return None
        numbers: Row[Poly] = row(self.shape, [value for value in found if value is not None])
        when = self.truths(lambda test, value: P.conj((P.le(ZERO, value), self.integers.put_formula(test, {number: value}))),
                              last.guard, numbers)
        if not all(here == P.FALSE or self.follows(here, asked)
                   for here, asked in zip(self.spread(self.absolute(state)), self.spread(when), strict=True)):
            return None
        self.found.seen.append(Seen(array, self.absolute(state), index, self.rounds, len(self.found.writes), place, last))
        return Node("made", last.value.type, (last.value,), Made(last.value, last.rounds[-1:], (numbers,)), place)

    def shared(self, write: Write) -> tuple[LoopRun, ...]:
        """The loops around a store that are around here too."""
        return tuple(loop for loop in write.rounds if loop in self.rounds)

    def round_of(self, there: Poly, here: Poly, number: Atom) -> Poly | None:
        """The round in which an index was another, None if that is not seen."""
        slope, first = there.coefficient(number), there.replace({number: ZERO})
        if not slope.terms or self.integers.depends(first, number) or self.integers.depends(slope, number):
            return None
        return over(here - first, slope)

    def follows(self, here: Formula, asked: Formula) -> bool:
        known = set(P.conjuncts(here))
        return all(part in known or self.integers.never([here, P.neg(part)]) for part in P.conjuncts(asked))
