"""Values that are made of several choices by one test, as one choice between two values.

`hi = big ? a : b; lo = big ? b : a; s = hi.d + lo.d * exp(lo.m - hi.m)` is `s = big ? a.d + b.d * exp(b.m - a.m) : b.d + a.d
* exp(a.m - b.m)`: each side is what a reader of that case sees, and what laws know of (a pair of a maximum and a sum, joined
by two such). Input: a lowered kernel. Output: the same, in which a value that takes up two choices or more by one test, a
local of the kernel, is a choice itself. Followed are locals that were assigned a choice between locals and numbers, on a
stretch of statements without a branch, for as long as nothing in it is assigned anew. What is chosen is evaluated on the side
that is taken alone, as before; nothing is read there, so no access comes or goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from automata.lang.core import (
    COMPARISONS,
    Assign,
    Atomic,
    Binary,
    Collective,
    Const,
    Declare,
    Expr,
    Havoc,
    Kernel,
    Later,
    Load,
    Select,
    Stmt,
    Unary,
    Var,
)
from automata.lang.traverse import bodies, rebuild, rebuild_statement, walk, within
from automata.scalar import BOOL

LEAST = 2
"""Choices by one test in a value that becomes one."""


def joined(kernel: Kernel) -> Kernel:
    """The kernel with choices by one test joined; the same one where there are none."""
    chosen = [stmt for stmt in walk(kernel.body) if isinstance(stmt, Assign) and _is_simple(stmt.value)]
    if len(chosen) < LEAST or any(isinstance(stmt, Later) for stmt in walk(kernel.body)):
        return kernel
    return replace(kernel, body=_Joiner().block(kernel.body))


def _is_simple(value: Expr) -> bool:
    """Whether a value is a choice by a local or a comparison of such, between locals and numbers."""
    return (isinstance(value, Select) and value.type != BOOL and (isinstance(value.test, Var) or _compares(value.test))
            and isinstance(value.then, Var | Const) and isinstance(value.other, Var | Const))


def _compares(value: Expr) -> bool:
    """Whether a value is a comparison of locals and numbers, or the opposite of one."""
    if isinstance(value, Unary):
        return value.op == "!" and _compares(value.arg)
    return (isinstance(value, Binary) and value.op in COMPARISONS and isinstance(value.left, Var | Const)
            and isinstance(value.right, Var | Const))


@dataclass
class _Joiner:
    """`now`: the choices that locals are, here; `tests`: the comparisons that they are, of locals and numbers."""

    now: dict[str, Select] = field(default_factory=dict)
    tests: dict[str, Binary | Unary] = field(default_factory=dict)

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        made = tuple(item for stmt in body for item in self.statement(stmt))
        self.branched()
        return made

    def branched(self) -> None:
        self.now.clear()
        self.tests.clear()

    def statement(self, stmt: Stmt) -> Iterator[Stmt]:
        if bodies(stmt):
            self.branched()
            yield rebuild_statement(stmt, lambda expr: expr, self.block)
            return
        if isinstance(stmt, Assign):
            stmt = replace(stmt, value=self.value(stmt.value))
        yield stmt
        match stmt:
            case Assign(name=name) | Havoc(name=name) | Declare(name=name) | Atomic(result=str(name)) | Collective(result=name):
                self.forget(name)
        if isinstance(stmt, Assign) and _is_simple(stmt.value) and stmt.name not in _names(stmt.value):
            assert isinstance(stmt.value, Select)
            self.now[stmt.name] = stmt.value
        if isinstance(stmt, Assign) and _compares(stmt.value) and stmt.name not in _names(stmt.value):
            assert isinstance(stmt.value, Binary | Unary)
            self.tests[stmt.name] = stmt.value

    def forget(self, name: str) -> None:
        """A local has another value: what was chosen by it, or among it, is no more what it was."""
        self.now = {other: choice for other, choice in self.now.items() if name != other and name not in _names(choice)}
        self.tests = {other: test for other, test in self.tests.items() if name != other and name not in _names(test)}

    def value(self, value: Expr) -> Expr:
        """A value as one choice, where it is made of several by one test and reads no memory; a choice by the comparison that its
        test is."""
        if isinstance(value, Select) and isinstance(value.test, Var):
            return replace(value, test=self.tests.get(value.test.name, value.test))
        if isinstance(value, Var | Const | Select) or any(isinstance(part, Load) for part in within(value)):
            return value
        used = {part.name: self.now[part.name] for part in within(value) if isinstance(part, Var) and part.name in self.now}
        tests = {choice.test for choice in used.values()}
        if len(used) < LEAST or len(tests) != 1:
            return value
        then, other = (_with(value, {name: getattr(choice, side) for name, choice in used.items()}) for side in ("then", "other"))
        return self.value(Select(tests.pop(), then, other, value.type, value.place))


def _names(expr: Expr) -> set[str]:
    return {part.name for part in within(expr) if isinstance(part, Var)}


def _with(expr: Expr, instead: dict[str, Expr]) -> Expr:
    """An expression with others in the place of locals."""
    if isinstance(expr, Var):
        return instead.get(expr.name, expr)
    return rebuild(expr, lambda part: _with(part, instead))
