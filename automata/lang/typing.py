"""C's integer promotions and usual arithmetic conversions (C11 6.3.1), as explicit casts in Core."""

from __future__ import annotations

from automata import arithmetic
from automata.lang.core import COMPARISONS, Binary, BinaryOp, Cast, Const, Expr, Select, Unary, UnaryOp
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, F32, F64, I32, U32, U64, Scalar


def promoted(scalar: Scalar) -> Scalar:
    """The type after integer promotion: everything narrower than int becomes int."""
    return I32 if scalar.is_int and scalar.bits < 32 else scalar


def common(left: Scalar, right: Scalar) -> Scalar:
    """The type both operands of an arithmetic operator are converted to."""
    if left.is_float or right.is_float:
        floats = [scalar for scalar in (left, right) if scalar.is_float]
        return max(floats, key=lambda scalar: scalar.bits)
    left, right = promoted(left), promoted(right)
    if left.bits != right.bits:
        return left if left.bits > right.bits else right
    if left.signed == right.signed:
        return left
    return U32 if left.bits == 32 else U64


def by_way_of(source: Scalar, target: Scalar) -> Scalar | None:
    """The integer that a float or double becomes on its way to one of less than 32 bits; None where it goes straight.

    What the narrow type cannot hold, C++ leaves undefined ([conv.fpint]). nvcc has it become one of 32 bits first, which
    saturates, and cuts that (seen on a GPU: 300.0f becomes 44 as unsigned char, -1 becomes 0). Halves saturate at once.
    """
    if source not in (F32, F64) or not target.is_int or target == BOOL or target.bits >= 32:
        return None
    return I32 if target.signed else U32


def convert(expr: Expr, target: Scalar) -> Expr:
    """The expression converted to a type; to bool by comparison with zero; to a narrow integer as `by_way_of` says."""
    if expr.type == target:
        return expr
    if (wide := by_way_of(expr.type, target)) is not None:
        return convert(convert(expr, wide), target)
    if target == BOOL:
        return Binary("!=", expr, Const(0.0 if expr.type.is_float else 0, expr.type, expr.place), BOOL, expr.place)
    if isinstance(expr, Const):
        return Const(arithmetic.cast(expr.value, expr.type, target), target, expr.place)
    return Cast(expr, target, expr.place)


def binary(op: str, left: Expr, right: Expr, place: Place) -> Expr:
    """A C binary operator on two typed operands; UnsupportedError for `%` and bit operators on floats."""
    if op in ("&&", "||"):
        return Binary("&&" if op == "&&" else "||", convert(left, BOOL), convert(right, BOOL), BOOL, place)
    if op in (">", ">="):
        left, right, op = right, left, "<" if op == ">" else "<="
    if op in ("<<", ">>"):
        if left.type.is_float or right.type.is_float:
            raise UnsupportedError(f"operator {op} on a floating-point value", place)
        kind = promoted(left.type)
        shift: BinaryOp = "<<" if op == "<<" else ">>"
        return Binary(shift, convert(left, kind), convert(right, promoted(right.type)), kind, place)
    kind = common(left.type, right.type)
    if kind.is_float and op in ("%", "&", "|", "^"):
        raise UnsupportedError(f"operator {op} on a floating-point value", place)
    known: dict[str, BinaryOp] = {"+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "&": "&", "|": "|", "^": "^",
                                  "<": "<", "<=": "<=", "==": "==", "!=": "!="}
    if op not in known:
        raise UnsupportedError(f"operator {op}", place)
    name = known[op]
    return Binary(name, convert(left, kind), convert(right, kind), BOOL if name in COMPARISONS else kind, place)


def unary(op: str, arg: Expr, place: Place) -> Expr:
    """A C unary operator: + - ~ !"""
    if op == "!":
        return Unary("!", convert(arg, BOOL), BOOL, place)
    if op == "~" and arg.type.is_float:
        raise UnsupportedError("operator ~ on a floating-point value", place)
    arg = convert(arg, promoted(arg.type))
    if op == "+":
        return arg
    if isinstance(arg, Const) and op == "-":
        return Const(arithmetic.unary("-", arg.value, arg.type), arg.type, place)
    known: dict[str, UnaryOp] = {"-": "-", "~": "~"}
    if op not in known:
        raise UnsupportedError(f"operator {op}", place)
    return Unary(known[op], arg, arg.type, place)


def select(test: Expr, then: Expr, other: Expr, place: Place) -> Expr:
    """`test ? then : other` with both sides in their common type."""
    kind = then.type if then.type == other.type else common(then.type, other.type)
    return Select(convert(test, BOOL), convert(then, kind), convert(other, kind), kind, place)


def float_type(*types: Scalar) -> Scalar:
    """The type an overloaded float function computes in: double if an argument is double or integer."""
    return F32 if all(scalar == F32 for scalar in types) else F64
