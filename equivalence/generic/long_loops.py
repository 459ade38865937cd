"""Loops of many rounds whose number is known: one round may stand for all of them, as where sizes decide.

Round by round such a loop gives a sum of as many terms, which is the shorter proof for a tree over a block and a long one for a
product of a thousand columns. Where a pair is at a launch that is too large to be run, long loops are followed as if sizes
bounded them; one that cannot be followed so is gone through round by round, in a run that is begun anew (`RoundByRound`).
"""

from __future__ import annotations

from collections.abc import Callable

from automata.lang.core import Assign, Binary, Cast, Expr, Loop, Var
from equivalence.generic.integers import CannotFollow

MANY_ROUNDS = 16
"""From which on a loop counts as long; only where to look first."""
KEPT_STATEMENTS = 256
"""That a loop may be unrolled to before a generic block is run, where long loops stay."""


class RoundByRound(CannotFollow):
    """A long loop that cannot be followed by one round for all."""

    def __init__(self, label: str, error: CannotFollow) -> None:
        super().__init__(error.reason, error.place)
        self.label = label


def is_long(stmt: Loop, known: Callable[[Expr], int | None]) -> bool:
    """Whether a loop counts up by a number to a number, with many steps from zero on. `known`: the number of an expression."""
    match stmt.step, _plain(stmt.test):
        case (Assign(name=name, value=value),), Binary(op="<" | "<=", left=left, right=right) if _is(left, name):
            by = _step(name, value, known)
            end = None if by is None else known(right)
            return by is not None and end is not None and end >= MANY_ROUNDS * by > 0
    return False


def _step(name: str, value: Expr, known: Callable[[Expr], int | None]) -> int | None:
    """The number by which a variable is counted up."""
    match _plain(value):
        case Binary(op="+", left=left, right=right):
            return known(right) if _is(left, name) else known(left) if _is(right, name) else None
    return None


def _is(expr: Expr, name: str) -> bool:
    plain = _plain(expr)
    return isinstance(plain, Var) and plain.name == name


def _plain(expr: Expr) -> Expr:
    """Without casts among integers."""
    while isinstance(expr, Cast) and expr.type.is_int and expr.arg.type.is_int:
        expr = expr.arg
    return expr
