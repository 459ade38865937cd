"""Rows of cells that a copy stores to, and the tests that keep accesses off them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from automata.lang.core import Binary, Cast, Const, Expr, Load, Select, Store, Unary
from automata.lang.traverse import children
from automata.scalar import BOOL, I64

TRUE, FALSE = Const(1, BOOL), Const(0, BOOL)


@dataclass(frozen=True, slots=True)
class Row:
    """Stores of a copy to neighbouring cells of one array: the first subscripts, and how far each is from them."""

    number: int
    array: str
    index: tuple[Expr, ...]
    stores: tuple[Store, ...]

    @property
    def width(self) -> int:
        return len(self.stores)

    def at(self, step: int, first: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """The subscripts of a cell."""
        *outer, last = first
        return (*outer, Binary("+", last, Const(step, last.type), last.type, last.place) if step else last)


def _split(expr: Expr) -> tuple[Expr, int]:
    """An expression as another one and a number added to it."""
    if isinstance(expr, Binary) and expr.op == "+" and isinstance(expr.right, Const):
        inner, number = _split(expr.left)
        return inner, number + int(expr.right.value)
    return (Const(0, expr.type), int(expr.value)) if isinstance(expr, Const) else (expr, 0)


def follows(before: list[Store], store: Store) -> bool:
    """Whether a store is to the cell behind the last of some."""
    first = before[0]
    if store.array != first.array or store.index[:-1] != first.index[:-1]:
        return False
    (base, number), (mine, own) = _split(first.index[-1]), _split(store.index[-1])
    return mine == base and own == number + len(before)


def all_hold(tests: Sequence[Expr]) -> Expr:
    found = tests[0]
    for test in tests[1:]:
        found = Binary("&&", found, test, BOOL)
    return found


def ends_below(first: Expr, width: int, other: Expr) -> Expr:
    """Whether so many cells from a subscript on end before another."""
    low, high = (part if part.type == I64 else Cast(part, I64, part.place) for part in (first, other))
    return Binary("<=", Binary("+", low, Const(width, I64), I64), high, BOOL)


def are_apart(one: tuple[Expr, ...], width: int, other: tuple[Expr, ...], wide: int) -> Expr:
    """Whether so many cells from some subscripts on are others than so many from others on."""
    tests: list[Expr] = []
    for axis, (mine, yours) in enumerate(zip(one, other, strict=True)):
        if axis < len(one) - 1 or width == wide == 1:
            first, second = (part if part.type == I64 else Cast(part, I64, part.place) for part in (mine, yours))
            tests.append(Binary("!=", first, second, BOOL))
        else:
            tests += [ends_below(mine, width, yours), ends_below(yours, wide, mine)]
    found = tests[0]
    for test in tests[1:]:
        found = Binary("||", found, test, BOOL)
    return found


def guarded_loads(expr: Expr, guard: Expr) -> Iterator[tuple[Expr, Load]]:
    """The reads in an expression, each with when it is made."""
    match expr:
        case Binary(op="&&" | "||", left=left, right=right):
            yield from guarded_loads(left, guard)
            yield from guarded_loads(right, _both(guard, left if expr.op == "&&" else Unary("!", left, BOOL)))
        case Select(test=test, then=then, other=other):
            yield from guarded_loads(test, guard)
            yield from guarded_loads(then, _both(guard, test))
            yield from guarded_loads(other, _both(guard, Unary("!", test, BOOL)))
        case _:
            if isinstance(expr, Load):
                yield guard, expr
            for part in children(expr):
                yield from guarded_loads(part, guard)


def _both(guard: Expr, test: Expr) -> Expr:
    return test if guard == TRUE else Binary("&&", guard, test, BOOL)
