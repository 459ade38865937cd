"""Walking and rebuilding Core: what every pass over it shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from automata.lang.core import (
    Assign,
    AsyncCopy,
    AsyncWait,
    Atomic,
    Barrier,
    Binary,
    Bits,
    Block,
    Call,
    Cast,
    Claim,
    Collective,
    Const,
    Declare,
    Expr,
    Fence,
    Havoc,
    If,
    Kernel,
    Later,
    Leave,
    Load,
    Loop,
    Print,
    Return,
    Select,
    Settle,
    Special,
    Stmt,
    Store,
    Unary,
    Var,
)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct sub-expressions, in evaluation order."""
    match expr:
        case Const() | Var() | Special():
            return ()
        case Unary(arg=arg) | Cast(arg=arg) | Bits(arg=arg):
            return (arg,)
        case Binary(left=left, right=right):
            return (left, right)
        case Select(test=test, then=then, other=other):
            return (test, then, other)
        case Load(index=index):
            return index
        case Call(args=args):
            return args


def within(expr: Expr) -> Iterator[Expr]:
    """An expression and all inside it."""
    yield expr
    for part in children(expr):
        yield from within(part)


def conjuncts(test: Expr) -> list[Expr]:
    """The parts of a test that all must hold."""
    if isinstance(test, Binary) and test.op == "&&":
        return conjuncts(test.left) + conjuncts(test.right)
    return [test]


def bodies(stmt: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The statement lists directly inside a statement."""
    match stmt:
        case If(then=then, other=other):
            return (then, other)
        case Loop(body=body, step=step):
            return (body, step)
        case Block(body=body) | Later(body=body):
            return (body,)
        case _:
            return ()


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions that a statement itself evaluates, not those of statements inside it."""
    match stmt:
        case Assign(value=value):
            return (value,)
        case Store(index=index, value=value):
            return (*index, value)
        case Atomic(index=index, args=args):
            return (*index, *args)
        case Collective(mask=mask, args=args):
            return args if mask is None else (mask, *args)
        case Print(args=args):
            return args
        case If(test=test) | Loop(test=test) | Claim(test=test):
            return (test,)
        case AsyncCopy() | Barrier() | Settle():
            return tuple(part for part in _of_a_meeting(stmt) if part is not None)
        case Declare() | Havoc() | Block() | Leave() | Return() | AsyncWait() | Later() | Fence():
            return ()


def _of_a_meeting(stmt: AsyncCopy | Barrier | Settle) -> tuple[Expr | None, ...]:
    match stmt:
        case Barrier(mask=mask, flags=flags):
            return (mask, flags)
        case AsyncCopy(target_index=target, source_index=source, count=count, stride=stride):
            return (target, source, count, stride)
        case Settle(most=most):
            return (most,)


def walk(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """All statements, outer ones first, in source order."""
    for stmt in body:
        yield stmt
        for inner in bodies(stmt):
            yield from walk(inner)


def count_statements(body: tuple[Stmt, ...]) -> int:
    """How many statements there are, inner ones too."""
    return sum(1 for _ in walk(body))


def rebuild(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The expression with `change` applied to each direct sub-expression; itself, where that changes none."""
    match expr:
        case Const() | Var() | Special():
            return expr
        case Unary() | Cast() | Bits():
            arg = change(expr.arg)
            return expr if arg is expr.arg else replace(expr, arg=arg)
        case Binary():
            left, right = change(expr.left), change(expr.right)
            is_same = left is expr.left and right is expr.right
            return expr if is_same else Binary(expr.op, left, right, expr.type, expr.place)
        case Select():
            test, then, other = change(expr.test), change(expr.then), change(expr.other)
            is_same = test is expr.test and then is expr.then and other is expr.other
            return expr if is_same else Select(test, then, other, expr.type, expr.place)
        case Load():
            index = _changed(expr.index, change)
            return expr if index is expr.index else Load(expr.array, index, expr.type, expr.place)
        case Call():
            args = _changed(expr.args, change)
            return expr if args is expr.args else replace(expr, args=args)


def _changed(parts: tuple[Expr, ...], change: Callable[[Expr], Expr]) -> tuple[Expr, ...]:
    """Some expressions changed; the same tuple, where none is."""
    found = list(map(change, parts))
    return tuple(found) if any(new is not old for new, old in zip(found, parts, strict=True)) else parts


def rebuild_statement(stmt: Stmt, change: Callable[[Expr], Expr],
                      body: Callable[[tuple[Stmt, ...]], tuple[Stmt, ...]]) -> Stmt:
    """The statement with `change` applied to its expressions and `body` to the statement lists inside it."""
    match stmt:
        case If():
            return replace(stmt, test=change(stmt.test), then=body(stmt.then), other=body(stmt.other))
        case Loop():
            return replace(stmt, test=change(stmt.test), body=body(stmt.body), step=body(stmt.step))
        case Block() | Later():
            return replace(stmt, body=body(stmt.body))
        case Assign():
            return replace(stmt, value=change(stmt.value))
        case Store():
            return replace(stmt, index=tuple(map(change, stmt.index)), value=change(stmt.value))
        case Claim():
            return replace(stmt, test=change(stmt.test))
        case Atomic() | Collective() | Barrier() | AsyncCopy() | Print():
            return _rebuild_exchange(stmt, change)
        case Settle():
            return replace(stmt, most=None if stmt.most is None else change(stmt.most))
        case Declare() | Havoc() | Leave() | Return() | AsyncWait() | Fence():
            return stmt


def _rebuild_exchange(stmt: Atomic | Collective | Barrier | AsyncCopy | Print, change: Callable[[Expr], Expr]) -> Stmt:
    match stmt:
        case Atomic():
            return replace(stmt, index=tuple(map(change, stmt.index)), args=tuple(map(change, stmt.args)))
        case Collective():
            mask = None if stmt.mask is None else change(stmt.mask)
            return replace(stmt, mask=mask, args=tuple(map(change, stmt.args)))
        case Print():
            return replace(stmt, args=tuple(map(change, stmt.args)))
        case Barrier():
            return replace(stmt, mask=None if stmt.mask is None else change(stmt.mask),
                           flags=None if stmt.flags is None else change(stmt.flags))
        case AsyncCopy():
            stride = None if stmt.stride is None else change(stmt.stride)
            return replace(stmt, target_index=change(stmt.target_index), source_index=change(stmt.source_index),
                           count=change(stmt.count), stride=stride)


def calls(kernel: Kernel) -> Iterator[Call]:
    """All calls of pure functions in a kernel."""
    for stmt in walk(kernel.body):
        todo = list(expressions(stmt))
        while todo:
            expr = todo.pop()
            todo += children(expr)
            if isinstance(expr, Call):
                yield expr
