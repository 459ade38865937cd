"""Core's own rules of well-formedness, checked after each front end and pass in tests.

The front ends promise typed trees with explicit conversions; every later pass relies on that without
looking. `violations` says where a tree breaks the promise.
"""

from __future__ import annotations

from collections.abc import Iterator

from automata.lang.core import (
    COMPARISONS,
    LOGICAL,
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
    children,
)
from automata.scalar import BOOL, Scalar


def violations(kernel: Kernel, *, lowered: bool = False) -> list[str]:
    """What is wrong with a kernel, empty if nothing. `lowered`: no loop may be left."""
    return list(_Spec(kernel, lowered).block(kernel.body))


class _Spec:
    def __init__(self, kernel: Kernel, lowered: bool) -> None:
        self.kernel, self.lowered = kernel, lowered
        self.arrays = {array.name: array for array in kernel.arrays}
        self.types: dict[str, Scalar] = {param.name: param.type for param in kernel.params}

    def block(self, body: tuple[Stmt, ...]) -> Iterator[str]:
        for stmt in body:
            yield from self.statement(stmt)

    def statement(self, stmt: Stmt) -> Iterator[str]:
        match stmt:
            case Declare(name=name, type=kind):
                self.types[name] = kind
            case Assign(name=name, value=value):
                yield from self.expr(value)
                if self.types.get(name) != value.type:
                    yield f"{stmt.place}: '{name}' of type {self.types.get(name)} is assigned a {value.type}"
            case Store(array=array, index=index, value=value):
                yield from self.element(stmt, array, index)
                yield from self.expr(value)
                if array in self.arrays and self.arrays[array].element != value.type:
                    yield f"{stmt.place}: a {value.type} is stored in '{array}'"
            case If(test=test, then=then, other=other):
                yield from self.test(test)
                yield from self.block(then)
                yield from self.block(other)
            case For():
                yield from self.loop(stmt)
            case Barrier() | Return():
                return

    def loop(self, stmt: For) -> Iterator[str]:
        if self.lowered:
            yield f"{stmt.place}: a loop is left after lowering"
        for part in (stmt.start, stmt.step):
            yield from self.expr(part)
            if self.types.get(stmt.counter) != part.type:
                yield f"{stmt.place}: counter '{stmt.counter}' gets a {part.type}"
        yield from self.test(stmt.test)
        yield from self.block(stmt.body)

    def test(self, expr: Expr) -> Iterator[str]:
        yield from self.expr(expr)
        if expr.type != BOOL:
            yield f"{expr.place}: a test of type {expr.type}"

    def element(self, where: Store | Load, array: str, index: tuple[Expr, ...]) -> Iterator[str]:
        if array not in self.arrays:
            yield f"{where.place}: no array '{array}'"
        elif len(index) != len(self.arrays[array].dims):
            yield f"{where.place}: '{array}' with {len(index)} subscripts"
        for part in index:
            yield from self.expr(part)
            if not part.type.is_int or part.type == BOOL:
                yield f"{part.place}: a subscript of type {part.type}"

    def expr(self, expr: Expr) -> Iterator[str]:
        if isinstance(expr, Load):
            yield from self.element(expr, expr.array, expr.index)
            if expr.array in self.arrays and self.arrays[expr.array].element != expr.type:
                yield f"{expr.place}: '{expr.array}' read as {expr.type}"
            return
        for part in children(expr):
            yield from self.expr(part)
        if not self.well_typed(expr):
            yield f"{expr.place}: ill-typed {type(expr).__name__} of type {expr.type}"

    def well_typed(self, expr: Expr) -> bool:
        match expr:
            case Const(value=value, type=kind):
                return isinstance(value, float) if kind.is_float else isinstance(value, int) and kind.holds(value)
            case Var(name=name, type=kind):
                return self.types.get(name) == kind
            case Unary(op=op, arg=arg, type=kind):
                return arg.type == kind and (op != "!" or kind == BOOL)
            case Binary():
                return _binary(expr)
            case Select(test=test, then=then, other=other, type=kind):
                return test.type == BOOL and then.type == other.type == kind
            case Cast(arg=arg, type=kind):
                return arg.type != kind
            case Call(args=args, type=kind):
                return kind.is_float and all(arg.type == kind for arg in args)
            case Special() | Load():
                return True


def _binary(expr: Binary) -> bool:
    left, right = expr.left.type, expr.right.type
    if expr.op in LOGICAL:
        return left == right == expr.type == BOOL
    if expr.op in COMPARISONS:
        return left == right and expr.type == BOOL
    if expr.op in ("<<", ">>"):
        return left == expr.type and left.is_int and right.is_int
    return left == right == expr.type
