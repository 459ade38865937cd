"""Cells that many threads add to: what is in one of them in the end.

Input: the stores of one side to an array, all of them atomic additions of integers, or plain ones that nobody else touches.
Output: the content of cell c, for any c: what was there before, and the sum over all blocks, threads and rounds of what is added
where the index is c. A plain store of v adds v minus what was there, for it is the only one to its cell. Additions modulo a power
of two may be done in any order, so this holds whatever the order is. Integers that the index says (the row that a block has) are
put in; the others stay bound, and sums in sums become one (`nests`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from automata.lang.core import Atomic
from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.scalar import Scalar
from equivalence.generic.algebra import Algebra
from equivalence.generic.cells import Cells, Family, Side
from equivalence.generic.form import Form
from equivalence.generic.integers import CannotFollow
from equivalence.generic.lanes import NotAffine, Position
from equivalence.generic.values import Write

ADDED = {"add": 1, "sub": -1}
"""The updates that add, with a sign."""
MOST_LANES = 256
"""Threads that are added up one by one."""


def require_added(update: Atomic, kind: Scalar) -> int:
    """The sign with which an update adds; CannotFollow of any other."""
    if update.op not in ADDED or update.type != kind or not kind.is_int or kind.bits < 32:
        raise CannotFollow(f"an atomic update that is no addition of integers ('{update.op}')", update.place)
    return ADDED[update.op]


def is_updated(side: Side, array: str) -> bool:
    """Whether a side updates an array atomically."""
    return any(write.array == array and write.update is not None for write in side.written.writes)


@dataclass
class Tallies:
    """The contents of one side's arrays. `value`: of a store, at a position."""

    cells: Cells
    algebra: Algebra
    value: Callable[[Write, Position], Form]

    def content(self, side: Side, array: str, kind: Scalar, cell: Poly) -> Form:
        """What a cell holds in the end."""
        before = self.algebra.of(self.algebra.read(array, kind, cell))
        result = before
        for family in self.families(side, array):
            here = P.eq(family.index, cell)
            added = None if family.write.update is not None else before
            try:
                part = self.added(family, family.position, [here], added)
            except NotAffine:
                if added is not None:
                    raise
                part = self.by_lanes(family, here)
            result = self.algebra.plus(result, part)
        return result

    def families(self, side: Side, array: str) -> list[Family]:
        if not is_updated(side, array):
            return self.cells.families(side, array)
        writes = [write for write in side.written.writes if write.array == array]
        plain = next((write for write in writes if write.update is None), None)
        if plain is not None:
            raise CannotFollow(f"'{array}' is stored to and updated", plain.place)
        return [self.cells.family(side, write) for write in writes]

    def added(self, family: Family, position: Position, where: Sequence[Formula], before: Form | None,
              known: frozenset[Atom] = frozenset()) -> Form:
        """What a store adds: over all its threads, blocks and rounds. `before`: what it takes the place of; `known`: the integers
        that are numbers already."""
        body = self.value(family.write, position)
        if before is not None:
            body = self.algebra.minus(body, before)
        over = [each for each in family.spans if each not in known]
        return self.algebra.total_over(over, P.conj((family.guard, *where)), body, is_single=before is not None)

    def by_lanes(self, family: Family, here: Formula) -> Form:
        """The same, thread by thread."""
        shape, put = family.side.written.shape, self.cells.integers.put_formula
        if shape.extents is None or shape.lanes > MOST_LANES:
            raise NotAffine
        result = self.algebra.number(0)
        for lane in range(shape.lanes):
            position = shape.position_of(lane)
            numbers = {each: value for part, value in zip(family.position, position, strict=True) for each in part.atoms()}
            own = Family(family.side, family.write, position, family.index, put(family.guard, numbers), family.spans)
            result = self.algebra.plus(result, self.added(own, position, [put(here, numbers)], None, frozenset(numbers)))
        return result
