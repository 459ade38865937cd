"""Small questions about values and places while a tree is elaborated."""

from __future__ import annotations

from collections.abc import Callable

from automata.lang import core, tree
from automata.lang.elaborate.storage import (
    Address,
    Aggregate,
    Foreign,
    Handle,
    Null,
    Value,
    parts_of,
)
from automata.lang.types import ArrayOf, Code, Opaque, Pointer, Record, Type, Vector, Void
from automata.lang.typing import convert, promoted
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import I32, Scalar


def componentwise(operation: Callable[..., core.Expr], kind: Type, *values: Value) -> Value:
    """An operation on scalars, applied to each component of aggregates."""
    if any(isinstance(value, Aggregate) for value in values):
        counts = {len(value.parts) for value in values if isinstance(value, Aggregate)}
        assert len(counts) == 1
        rows = [value.parts if isinstance(value, Aggregate) else (value,) * max(counts) for value in values]
        part = kind.element if isinstance(kind, Vector | ArrayOf) else kind
        return Aggregate(tuple(componentwise(operation, part, *row) for row in zip(*rows, strict=True)), kind)
    return operation(*(as_scalar(value) for value in values))


def as_scalar(value: Value) -> core.Expr:
    if isinstance(value, Address):
        raise UnsupportedError("a pointer used as a number", value.root.place)
    if isinstance(value, Foreign):
        raise UnsupportedError("a pointer used as a number", value.number.place)
    if isinstance(value, Handle):
        raise UnsupportedError(f"a {value.type} chosen or used as a number")
    assert not isinstance(value, Aggregate | Null), value
    return value


def to_scalar_type(kind: Type, place: Place) -> Scalar:
    if not isinstance(kind, Scalar):
        raise UnsupportedError(f"a literal of type {kind}", place)
    return kind


def as_index(expr: core.Expr) -> core.Expr:
    if not expr.type.is_int:
        raise InputError("an array subscript is not an integer", expr.place)
    return convert(expr, promoted(expr.type))


def same_bits(value: core.Expr, kind: Scalar, place: Place) -> core.Expr:
    if value.type == kind:
        return value
    if value.type.is_int and kind.is_int and value.type.bits == kind.bits:
        return convert(value, kind)
    return core.Bits(value, kind, place)


def null(kind: Pointer, place: Place) -> Value:
    """The null pointer; to a function: 0, the number of none."""
    return core.Const(0, I32, place) if isinstance(kind.to, Code) else Null()


def zero(kind: Type, place: Place) -> Value:
    """The zero value of a type."""
    match kind:
        case Scalar():
            return core.Const(0.0 if kind.is_float else 0, kind, place)
        case Pointer():
            return null(kind, place)
        case Record() | Vector() | ArrayOf():
            return Aggregate(tuple(zero(inner, place) for _, inner in parts_of(kind, place)), kind)
        case Opaque():
            return Handle("", kind)
        case Void() | Code():
            raise UnsupportedError(f"a value of type {kind}", place)


def is_place(node: tree.Expr) -> bool:
    """Whether an expression names a place in memory."""
    match node:
        case tree.Name() | tree.Deref() | tree.Index():
            return True
        case tree.Member(base=base) | tree.Swizzle(base=base):
            return is_place(base)
        case tree.Comma(right=right):
            return is_place(right)
        case tree.Conditional(then=then, other=other):
            return is_place(then) and is_place(other) and not isinstance(node.type, Scalar)
        case tree.Convert(arg=arg, type=kind):
            return isinstance(kind, Record) and is_place(arg)
        case tree.Invoke(function=function):
            return function.returns_place
        case _:
            return False


def each(operation: Callable[[Scalar, tuple[core.Expr, ...]], core.Expr], kind: Type, values: list[Value]) -> Value:
    """A function of scalars, of each component where there are vectors."""
    if isinstance(kind, Vector):
        rows = [value.parts if isinstance(value, Aggregate) else (value,) * kind.count for value in values]
        return Aggregate(tuple(each(operation, kind.element, list(row)) for row in zip(*rows, strict=True)), kind)
    assert isinstance(kind, Scalar)
    return operation(kind, tuple(as_scalar(value) for value in values))


def is_lvalue(node: tree.Expr) -> bool:
    """Whether a reference to what an expression names can be bound: a place, or a choice or update of one."""
    match node:
        case tree.Conditional(then=then, other=other):
            return is_lvalue(then) and is_lvalue(other)
        case tree.Comma(right=right):
            return is_lvalue(right)
        case tree.Assign() | tree.Update() | tree.Step(postfix=False):
            return True
        case tree.Member(base=base):
            return is_lvalue(base)
        case _:
            return is_place(node)
