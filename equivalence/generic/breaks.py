"""Loops that are left from inside, as loops with a test: `do … while`, and one `break` by a test of its own.

Input: a loop whose body has one statement that leaves it, `if (c) break`, on its top level: A, the test, B. Output: what comes
before, and the same loop by a test. A loop without a test of its own,

    for (;;) { A; if (c) break; B }    is    A; while (!c) { B; A }

and one that begins with it,

    while (t) { if (c) break; B }      is    while (t && !c) { B }.

What A declares and c or B use lives from one round to the next then: in the copy of A inside of the loop it is not declared.
Where A ends with copies (`n = t`), c is said of what they are copied to. Other loops, and tests on data, are left as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from automata.lang.core import Assign, Binary, Const, Declare, Expr, If, Leave, Loop, Stmt, Unary, Var
from automata.lang.effects import variables
from automata.lang.traverse import expressions, rebuild, walk
from automata.scalar import BOOL


def by_test(loop: Loop) -> tuple[tuple[Stmt, ...], Loop] | None:
    """What comes before, and the loop by a test; None where it is not of that form."""
    if sum(isinstance(stmt, Leave) and stmt.label == loop.label for stmt in walk((*loop.body, *loop.step))) != 1:
        return None
    for at, stmt in enumerate(loop.body):
        stays = _stays(stmt, loop.label)
        if stays is None:
            continue
        before, behind = loop.body[:at], loop.body[at + 1:]
        if isinstance(loop.test, Const) and loop.test.value:
            stays = _of_copies(stays, before)
            inside = [each for inner in walk(behind) for each in expressions(inner)]
            used = set[str]().union(*map(variables, [stays, *inside]))
            again = tuple(inner for inner in before if not isinstance(inner, Declare) or inner.name not in used)
            return before, Loop(loop.label, stays, (*behind, *loop.step, *again), (), loop.place)
        if not before:
            test = Binary("&&", loop.test, stays, BOOL, loop.place)
            return (), Loop(loop.label, test, behind, loop.step, loop.place)
    return None


def _stays(stmt: Stmt, label: str) -> Expr | None:
    """The test under which a statement does not leave a loop, and does nothing else."""
    if not isinstance(stmt, If):
        return None
    leave = (Leave(label),)
    if stmt.other == leave and not stmt.then:
        return stmt.test
    if stmt.then == leave and not stmt.other:
        return Unary("!", stmt.test, BOOL, stmt.place)
    return None


def _of_copies(test: Expr, before: Sequence[Stmt]) -> Expr:
    """A test behind statements, of what the last ones of them copy a local to."""
    changed: set[str] = set()
    for stmt in reversed(before):
        if not isinstance(stmt, Assign):
            break
        if isinstance(stmt.value, Var) and stmt.value.name != stmt.name and changed.isdisjoint({stmt.name, stmt.value.name}):
            test = _put(test, stmt.value.name, stmt.name)
        changed.add(stmt.name)
    return test


def _put(expr: Expr, name: str, other: str) -> Expr:
    """An expression with one local in the place of another."""
    if isinstance(expr, Var):
        return Var(other, expr.type, expr.place) if expr.name == name else expr
    return rebuild(expr, lambda part: _put(part, name, other))
