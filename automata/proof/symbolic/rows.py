"""Rows of accesses: those that differ in nothing but a constant in where they go.

Input: the accesses of one array. Output: rows, each the accesses of one kind under one guard in one interval whose
elements are  base, base + s, base + 2s, …  for a step s. Unrolled code makes many accesses and few rows of them, and
one formula speaks for a row: which of its accesses is meant becomes one more number of the thread, as the round of a loop is.
What a formula cannot show of a whole row is asked of its halves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from automata.lang.core import Array
from automata.logic import terms as T
from automata.logic.arith import Encoder, View
from automata.logic.poly import Poly
from automata.logic.terms import Owner, Term
from automata.proof.known.context import ONE, Context, flatten
from automata.proof.known.footprint import Access
from automata.scalar import I64

FEW = 16
"""So many accesses of an array are looked at one by one."""
SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Row:
    """Accesses in the order of their elements, which lie `step` apart. `number`: which of them, where there are several."""

    members: tuple[Access, ...]
    step: int = 0
    number: Term | None = None

    @property
    def first(self) -> Access:
        return self.members[0]

    def offset(self, encoder: Encoder, view: View) -> Poly:
        """How far from the first the one in question goes."""
        return Poly({}) if self.number is None else encoder.number(self.number, view).scale(self.step)


def is_family(array: Array) -> bool:
    """Whether an array is what the pointers of a table lead to: accesses through unlike cells are apart, however far they go."""
    return len(array.dims) > 1 and array.dims[0] is None


def flat_index(context: Context, access: Access, encoder: Encoder, view: View) -> Poly:
    """Row-major element number of an access."""
    dims = context.kernel.array(access.array).dims
    return flatten(dims, (encoder.index(part, view) for part in access.index))


def rows(context: Context, accesses: list[Access], encoder: Encoder, few: int = FEW) -> list[Row]:
    """All accesses of an array, each in one row; reads that do the same are told once. Fewer than `few` stay alone."""
    if len(accesses) < few:
        return [Row((access,)) for access in accesses]
    groups: dict[object, dict[int, list[Access]]] = {}
    for access in accesses:
        index = flat_index(context, access, encoder, ONE)
        base = frozenset(item for item in index.terms.items() if item[0])
        family = access.index[0] if is_family(context.kernel.array(access.array)) else None
        alike = (base, family, access.kind, access.guard, access.interval, access.rounds,
                 access.atomic and (access.atomic.op, access.atomic.scope), access.part)
        at = groups.setdefault(alike, {}).setdefault(int(index.terms.get((), 0)), [])
        if access.is_write or all(other.index != access.index for other in at):
            at.append(access)
    found = []
    for group in groups.values():
        while group:
            for place in _progressions(sorted(group)):
                step = place[1] - place[0] if len(place) > 1 else 0
                found.append(_row(context, tuple(group[at].pop() for at in place), step))
            group = {at: left for at, left in group.items() if left}
    return sorted(found, key=lambda row: min(access.order for access in row.members))


def halves(context: Context, row: Row) -> list[Row]:
    """The two parts of a row; itself where it cannot be parted."""
    half = len(row.members) // 2
    return [_row(context, part, row.step) for part in (row.members[:half], row.members[half:]) if part]


def _row(context: Context, members: tuple[Access, ...], step: int) -> Row:
    if len(members) == 1:
        return Row(members)
    number = T.symbol(f"{context.prefix}one of {len(members)} from {members[0].order}", I64, Owner.THREAD)
    context.ranges[T.symbol_of(number)] = T.const(0, I64), T.const(len(members) - 1, I64)
    return Row(members, step, number)


def _progressions(places: list[int]) -> Iterator[list[int]]:
    """Numbers in order, cut into parts of equal distances; short ones into single numbers."""
    start = 0
    while start < len(places):
        end = start + 2
        while end < len(places) and places[end] - places[end - 1] == places[start + 1] - places[start]:
            end += 1
        if end - start < SHORTEST or end > len(places):
            end = start + 1
        yield places[start:end]
        start = end
