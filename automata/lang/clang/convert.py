"""Conversions and shapes of tree expressions: folded where C's meaning is plain, never doubled."""

from __future__ import annotations

from automata import arithmetic
from automata.lang.tree import (
    AddressOf,
    Assign,
    Binary,
    Comma,
    Conditional,
    Convert,
    Copy,
    Deref,
    Expr,
    Index,
    Invoke,
    Literal,
    Member,
    Name,
    Query,
    Step,
    Storage,
    Swizzle,
    Unary,
    Update,
)
from automata.lang.types import ArrayOf, Pointer, Type, Vector
from automata.lang.typing import by_way_of
from automata.place import Place
from automata.scalar import BOOL, I32, Scalar


def convert(arg: Expr, to: Type, place: Place) -> Expr:
    """The expression converted: a literal becomes a literal, a comparison's detour through int is dropped."""
    have = arg.type
    if have == to:
        return arg
    if isinstance(arg, Literal) and isinstance(have, Scalar) and isinstance(to, Scalar):
        if (wide := by_way_of(have, to)) is not None:
            return convert(convert(arg, wide, place), to, place)
        try:
            return Literal(arithmetic.cast(arg.value, have, to), to, arg.place)
        except arithmetic.Undefined:
            return Convert(arg, to, place)
    if isinstance(arg, Comma):
        return Comma(arg.left, convert(arg.right, to, place), to, arg.place)
    if isinstance(arg, Convert):
        inner = arg.arg
        if inner.type == BOOL and isinstance(have, Scalar) and to == BOOL:
            return inner
        if isinstance(to, Pointer) and isinstance(inner, Literal) and isinstance(have, Pointer):
            return Convert(inner, to, place)
    return Convert(arg, to, place)


def unpromoted(arg: Expr) -> Expr:
    """Without an implicit conversion to a wider integer type that another conversion follows: it changes no value."""
    if isinstance(arg, Convert) and isinstance(arg.type, Scalar) and isinstance(arg.arg.type, Scalar):
        narrow, wide = arg.arg.type, arg.type
        if narrow.is_int and wide.is_int and wide.holds(narrow.low) and wide.holds(narrow.high):
            return arg.arg
    return arg


def convertible(have: Type, to: Type) -> bool:
    """Whether a conversion between two types is one that the tree knows."""
    if isinstance(to, Vector):
        return isinstance(have, (Scalar, Vector))
    if isinstance(to, Pointer):
        return isinstance(have, (Pointer, ArrayOf)) or (isinstance(have, Scalar) and not have.is_float)
    if isinstance(to, Scalar):
        return isinstance(have, Scalar) or (isinstance(have, Pointer) and not to.is_float)
    return False


def index(base: Expr, at: Expr, kind: Type, place: Place) -> Expr:
    """`base[at]`, on the array itself where the base is an array used as a pointer."""
    if isinstance(base, Convert) and isinstance(base.arg.type, ArrayOf) and base.type == Pointer(kind):
        base = base.arg if base.arg.type.element == kind else base
    return Index(base, at, kind, place)


def deref(pointer: Expr, kind: Type, place: Place) -> Expr:
    """What a pointer points to; `*&x` is x."""
    if isinstance(pointer, AddressOf) and pointer.arg.type == kind:
        return pointer.arg
    return Deref(pointer, kind, place)


def address(arg: Expr, place: Place) -> Expr:
    """`&arg`; `&*p` is p."""
    if isinstance(arg, Deref):
        return arg.arg
    return AddressOf(arg, Pointer(arg.type), place)


def null(to: Type, place: Place) -> Expr:
    return Convert(Literal(0, I32, place), to, place)


def is_pure(expr: Expr) -> bool:
    """Whether evaluating the expression changes nothing (a small sure test: names, members, elements, operators)."""
    match expr:
        case Name() | Literal() | Query():
            return True
        case Member(base=arg) | Swizzle(base=arg) | Convert(arg=arg) | Copy(arg=arg) | Unary(arg=arg) | Deref(arg=arg):
            return is_pure(arg)
        case AddressOf(arg=arg):
            return is_pure(arg)
        case Conditional(test=test, then=then, other=other):
            return is_pure(test) and is_pure(then) and is_pure(other)
        case Binary(left=left, right=right) | Index(base=left, index=right):
            return is_pure(left) and is_pure(right)
        case _:
            return False


def is_place(expr: Expr) -> bool:
    """Whether the expression is a place in memory, which a reference can be bound to."""
    match expr:
        case Name() | Deref() | Index() | Swizzle() | Assign() | Update():
            return True
        case Member(base=base):
            return is_place(base)
        case Step(postfix=postfix):
            return not postfix
        case Invoke(function=function):
            return function.returns_place
        case Conditional(then=then, other=other):
            return is_place(then) and is_place(other)
        case Comma(right=right):
            return is_place(right)
        case _:
            return False


def is_fixed(expr: Expr) -> bool:
    """Whether an expression names a place in memory that is not local, by constants alone."""
    while isinstance(expr, (Index, Member)):
        if isinstance(expr, Index) and (isinstance(expr.base.type, Pointer) or not isinstance(expr.index, Literal)):
            return False
        expr = expr.base
    return isinstance(expr, Name) and not expr.variable.reference and expr.variable.storage in (
        Storage.SHARED, Storage.DYNAMIC, Storage.GLOBAL, Storage.CONSTANT)
