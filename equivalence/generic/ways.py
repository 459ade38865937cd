"""A way of a branch that leaves what it stands in, without leaving.

`if (c) { A; leave; } B` is `if (c) { A } else { B }`, where leaving goes behind B: out of a function that was put in the place
of its call, to the next round, or out of the kernel. Where sizes decide the branch, whoever has left is gone (`block`); where
data do, both ways are gone and their values chosen between, so neither may leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from automata.lang.core import If, Leave, Return, Stmt

Exit = str | type[Return] | None
"""The label of a block, or that of the kernel: to return."""


def _leaves(way: Sequence[Stmt], leaves: Exit) -> bool:
    last = way[-1] if way else None
    return (isinstance(last, Leave) and last.label == leaves) or (isinstance(last, Return) and leaves is Return)


def goes(stmt: If, leaves: Exit) -> bool:
    """Whether a way of a branch ends by leaving."""
    return _leaves(stmt.then, leaves) or _leaves(stmt.other, leaves)


def instead_of_leaving(stmt: If, behind: Sequence[Stmt], leaves: Exit) -> If:
    """The branch with what is behind it in the ways that do not leave."""
    ways = (way[:-1] if _leaves(way, leaves) else (*way, *behind) for way in (stmt.then, stmt.other))
    then, other = ways
    return replace(stmt, then=then, other=other)
