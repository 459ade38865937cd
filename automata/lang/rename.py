"""A kernel with parameters and arrays renamed, so that two kernels can share one set of names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

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


def rename(kernel: Kernel, names: Mapping[str, str]) -> Kernel:
    """The same kernel with every mapped name replaced; locals that would be captured get a mark."""
    taken = set(names.values())
    full = dict(names)
    for stmt in _all(kernel.body):
        if isinstance(stmt, Declare) and stmt.name not in full and stmt.name in taken:
            full[stmt.name] = f"{stmt.name}.local"
    return _Renamer(full).kernel(kernel)


def _all(body: tuple[Stmt, ...]) -> list[Stmt]:
    found: list[Stmt] = []
    for stmt in body:
        found.append(stmt)
        match stmt:
            case If(then=then, other=other):
                found += [*_all(then), *_all(other)]
            case For(body=inner):
                found += _all(inner)
            case _:
                continue
    return found


class _Renamer:
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def name(self, name: str) -> str:
        return self.names.get(name, name)

    def kernel(self, kernel: Kernel) -> Kernel:
        return replace(kernel, order=tuple(map(self.name, kernel.order)),
                       params=tuple(replace(param, name=self.name(param.name)) for param in kernel.params),
                       arrays=tuple(replace(array, name=self.name(array.name)) for array in kernel.arrays),
                       body=self.block(kernel.body))

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(self.statement(stmt) for stmt in body)

    def statement(self, stmt: Stmt) -> Stmt:
        match stmt:
            case Declare():
                return replace(stmt, name=self.name(stmt.name))
            case Assign():
                return replace(stmt, name=self.name(stmt.name), value=self.expr(stmt.value))
            case Store():
                return replace(stmt, array=self.name(stmt.array), index=self.exprs(stmt.index), value=self.expr(stmt.value))
            case If():
                return replace(stmt, test=self.expr(stmt.test), then=self.block(stmt.then), other=self.block(stmt.other))
            case For():
                return replace(stmt, counter=self.name(stmt.counter), start=self.expr(stmt.start),
                               test=self.expr(stmt.test), step=self.expr(stmt.step), body=self.block(stmt.body))
            case Barrier() | Return():
                return stmt
        assert_never(stmt)

    def exprs(self, parts: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(self.expr(part) for part in parts)

    def expr(self, expr: Expr) -> Expr:
        match expr:
            case Const() | Special():
                return expr
            case Var():
                return replace(expr, name=self.name(expr.name))
            case Unary() | Cast():
                return replace(expr, arg=self.expr(expr.arg))
            case Binary():
                return replace(expr, left=self.expr(expr.left), right=self.expr(expr.right))
            case Select():
                return replace(expr, test=self.expr(expr.test), then=self.expr(expr.then), other=self.expr(expr.other))
            case Load():
                return replace(expr, array=self.name(expr.array), index=self.exprs(expr.index))
            case Call():
                return replace(expr, args=self.exprs(expr.args))
        assert_never(expr)
