"""Desugaring, once for every front end: counted loops with constant bounds are unrolled.

Input: a Core kernel and the values of parameters and sizes that the launch fixes. Output: a kernel
without `For`. The counter is replaced by its value in each round, so indices become what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from automata import arithmetic
from automata.lang.core import (
    Assign,
    Barrier,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Kernel,
    Load,
    Return,
    Select,
    Special,
    Stmt,
    Store,
    Unary,
    Var,
)
from automata.place import UnsupportedError

MAX_ROUNDS = 4096
MAX_STATEMENTS = 20_000

Known = Mapping[str, int]


def fold_constants(expr: Expr, known: Known) -> Expr:
    """The expression with known names replaced and constant operations carried out."""
    match expr:
        case Const():
            return expr
        case Var(name=name, type=kind, place=place) | Special(name=name, type=kind, place=place):
            return Const(kind.wrap(known[name]), kind, place) if name in known and kind.is_int else expr
        case Unary() | Cast():
            return _fold_unary(expr, known)
        case Binary():
            return _fold_binary(expr, known)
        case Select():
            test = fold_constants(expr.test, known)
            then, other = fold_constants(expr.then, known), fold_constants(expr.other, known)
            if isinstance(test, Const):
                return then if test.value else other
            return replace(expr, test=test, then=then, other=other)
        case Load():
            return replace(expr, index=tuple(fold_constants(part, known) for part in expr.index))
        case Call():
            return replace(expr, args=tuple(fold_constants(part, known) for part in expr.args))
    assert_never(expr)


def _fold_unary(expr: Unary | Cast, known: Known) -> Expr:
    arg = fold_constants(expr.arg, known)
    if not isinstance(arg, Const):
        return replace(expr, arg=arg)
    value = (arithmetic.unary(expr.op, arg.value, arg.type) if isinstance(expr, Unary)
             else arithmetic.cast(arg.value, arg.type, expr.type))
    return Const(value, expr.type, expr.place)


def _fold_binary(expr: Binary, known: Known) -> Expr:
    left, right = fold_constants(expr.left, known), fold_constants(expr.right, known)
    if isinstance(left, Const) and expr.op in ("&&", "||"):
        decided = bool(left.value) == (expr.op == "||")
        return Const(int(bool(left.value)), expr.type, expr.place) if decided else right
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            if arithmetic.overflows(expr.op, left.value, right.value, left.type):
                return replace(expr, left=left, right=right)
            return Const(arithmetic.binary(expr.op, left.value, right.value, left.type), expr.type, expr.place)
        except arithmetic.Undefined:
            pass
    return replace(expr, left=left, right=right)


def lower(kernel: Kernel, known: Known) -> Kernel:
    """The kernel with every loop unrolled. UnsupportedError where a bound is not constant.

    A known name that the kernel assigns or declares anew is not replaced: it does not keep its value.
    """
    changed = _changed(kernel.body)
    unroller = _Unroller({name: value for name, value in known.items() if name not in changed})
    return replace(kernel, body=unroller.block(kernel.body, {}))


class _Unroller:
    """Unrolls a statement tree; `count` bounds the size of the result."""

    def __init__(self, known: dict[str, int]) -> None:
        self.known = known
        self.count = 0

    def block(self, body: tuple[Stmt, ...], counters: Known) -> tuple[Stmt, ...]:
        return tuple(stmt for item in body for stmt in self.statement(item, counters))

    def statement(self, stmt: Stmt, counters: Known) -> list[Stmt]:
        self.count += 1
        if self.count > MAX_STATEMENTS:
            raise UnsupportedError(f"a kernel of more than {MAX_STATEMENTS} statements after unrolling", stmt.place)
        values = {**self.known, **counters}
        match stmt:
            case Declare() | Barrier() | Return():
                return [stmt]
            case Assign():
                return [replace(stmt, value=fold_constants(stmt.value, values))]
            case Store():
                index = tuple(fold_constants(part, values) for part in stmt.index)
                return [replace(stmt, index=index, value=fold_constants(stmt.value, values))]
            case If():
                return self.branch(stmt, counters)
            case For():
                return self.loop(stmt, counters)
        assert_never(stmt)

    def branch(self, stmt: If, counters: Known) -> list[Stmt]:
        test = fold_constants(stmt.test, {**self.known, **counters})
        if isinstance(test, Const):
            return list(self.block(stmt.then if test.value else stmt.other, counters))
        return [If(test, self.block(stmt.then, counters), self.block(stmt.other, counters), stmt.place)]

    def loop(self, stmt: For, counters: Known) -> list[Stmt]:
        if stmt.counter in _changed(stmt.body):
            raise UnsupportedError(f"a loop that changes its counter '{stmt.counter}' in its body", stmt.place)
        values = {**self.known, **counters}
        counter = fold_constants(stmt.start, values)
        result: list[Stmt] = []
        for _ in range(MAX_ROUNDS):
            if not isinstance(counter, Const) or not counter.type.is_int:
                raise UnsupportedError(f"a loop whose counter '{stmt.counter}' does not start at a constant", stmt.place)
            now = {**counters, stmt.counter: int(counter.value)}
            test = fold_constants(stmt.test, {**self.known, **now})
            if not isinstance(test, Const):
                raise UnsupportedError(f"a loop over '{stmt.counter}' whose bound is not a constant", stmt.place)
            if not test.value:
                return [*result, Assign(stmt.counter, counter, stmt.place)]
            result += self.block(stmt.body, now)
            counter = fold_constants(stmt.step, {**self.known, **now})
        raise UnsupportedError(f"a loop of more than {MAX_ROUNDS} rounds", stmt.place)


def _changed(body: tuple[Stmt, ...]) -> set[str]:
    """The names that some statement assigns, steps or declares."""
    found: set[str] = set()
    for stmt in body:
        match stmt:
            case Assign(name=name) | Declare(name=name):
                found.add(name)
            case If(then=then, other=other):
                found |= _changed(then) | _changed(other)
            case For(counter=counter, body=inner):
                found |= {counter} | _changed(inner)
            case _:
                continue
    return found
