"""Reads of shared memory that are as another one is: what was shown of one is not asked of all.

Input: the reads of a footprint, one by one, and what is asked of a read. Output: whether a read is settled by what was shown
before it. That is so of a read of the same cell at which more is known, and of one in a row of reads (`symbolic.rows`): of all of
them one formula speaks, with the place in the row as one more number of the thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from automata.lang.core import Space
from automata.logic import terms as T
from automata.logic.arith import Encoder
from automata.logic.terms import Term
from automata.proof.known.context import Context
from automata.proof.known.footprint import Access, Footprint
from automata.proof.symbolic.rows import SHORTEST, Row, rows
from automata.scalar import I64


class AlikeReads:
    """`is_settled`: whether what is asked holds of a read, which may stand for a row."""

    def __init__(self, context: Context, footprint: Footprint, encoder: Encoder, is_settled: Callable[[Access], bool]) -> None:
        self.context, self.footprint, self.encoder, self.is_settled = context, footprint, encoder, is_settled
        self.rows: dict[str, dict[int, Row]] = {}
        """Of an array, the row of each read, by its order."""
        self.asked: dict[int, bool] = {}
        """Of each row, by the order of its first read, whether it is settled."""
        self.shown: dict[object, list[frozenset[Term]]] = {}
        """The guards under which a cell's read is settled, by all else that matters."""

    def covers(self, access: Access) -> bool:
        """Whether a read is settled by others, or together with those of its row."""
        guard = frozenset(T.conjuncts(access.guard))
        if any(known <= guard for known in self.shown.get(_key(access), ())):
            return True
        row = self._rows_of(access.array).get(access.order)
        if row is None or not self._is_settled(row):
            return False
        self.note(access)
        return True

    def note(self, access: Access) -> None:
        """A read is settled; so are those behind it of the same cell at which no less is known."""
        self.shown.setdefault(_key(access), []).append(frozenset(T.conjuncts(access.guard)))

    def _rows_of(self, array: str) -> dict[int, Row]:
        if array not in self.rows:
            reads = [access for access in self.footprint.accesses
                     if access.array == array and access.kind == "read" and access.space is Space.SHARED]
            self.rows[array] = {access.order: row for row in rows(self.context, reads, self.encoder, few=SHORTEST)
                                if len(row.members) >= SHORTEST for access in row.members}
        return self.rows[array]

    def _is_settled(self, row: Row) -> bool:
        key = row.first.order
        if key not in self.asked:
            general = _general(row)
            self.asked[key] = general is not None and self.is_settled(general)
        return self.asked[key]


def _key(access: Access) -> object:
    return access.array, access.kind, access.index, access.interval, access.rounds


def _general(row: Row) -> Access | None:
    """A read that stands for a row; None where its members differ in more than how far along the last axis they go. It is as
    early as the earliest, which sees the fewest writes."""
    *outer, last = row.first.index
    if row.number is None or any(access.index[:-1] != tuple(outer) for access in row.members):
        return None
    along = T.binary("+", T.cast(last, I64), T.binary("*", row.number, T.const(row.step, I64)))
    return replace(row.first, index=(*outer, along), order=min(access.order for access in row.members))
