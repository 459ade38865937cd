"""Statements whose jumps are branches, where they can be.

Input: a body of Core. Output: one that does the same, without the jumps that go where the end of their statements goes: what
follows `if (a) return;` or `if (a) continue;` stands in the other way of the branch. Left are jumps out of loops, and out of
blocks from the middle of a branch.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from automata.lang.core import Block, If, Leave, Loop, Return, Stmt
from automata.lang.effects import goes_on, leaves

Body = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class _End:
    """What coming to the end of some statements is the same as: a jump to one of these labels, or the end of the thread."""

    labels: frozenset[str] = frozenset()
    is_last: bool = False

    def is_reached_by(self, stmt: Stmt) -> bool:
        """Whether a jump goes there."""
        return stmt.label in self.labels if isinstance(stmt, Leave) else self.is_last and isinstance(stmt, Return)


INSIDE = _End()


def straightened(body: Body) -> Body:
    """The body of a kernel; RecursionError for one nested too deeply."""
    return _block(body, _End(is_last=True))


def _block(body: Body, end: _End) -> Body:
    todo, made = deque(body), list[Stmt]()
    while todo:
        stmt = todo.popleft()
        here = INSIDE if todo else end
        match stmt:
            case Leave() | Return():
                return (*made, *([] if end.is_reached_by(stmt) else [stmt]))
            case If() if todo and not (goes_on(stmt.then) and goes_on(stmt.other)):
                then, other = ((*way, *todo) if goes_on(way) else way for way in (stmt.then, stmt.other))
                todo = deque([replace(stmt, then=then, other=other)])
            case If():
                made.append(replace(stmt, then=_block(stmt.then, here), other=_block(stmt.other, here)))
            case Block(label=label):
                inner = _block(stmt.body, replace(here, labels=here.labels | {label}))
                if leaves(inner, label):
                    made.append(replace(stmt, body=inner))
                else:
                    todo.extendleft(reversed(inner))
            case Loop():
                made.append(replace(stmt, body=_block(stmt.body, INSIDE), step=_block(stmt.step, INSIDE)))
            case _:
                made.append(stmt)
    return tuple(made)
