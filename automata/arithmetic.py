"""C's operators on concrete values: one meaning for constant folding, terms and the machine.

Integers wrap in two's complement, as GPUs compute; floats are rounded to their type after every
operation (no contraction). What C leaves undefined and GPUs do not agree on raises `Undefined`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

from automata.scalar import BOOL, Scalar, nan_as

Value = int | float


class Undefined(Exception):
    """An operation without a value: division by zero, a shift by more than the width."""


def quotient(left: int, right: int) -> int:
    """C's integer division: towards zero."""
    if right == 0:
        raise Undefined("division by zero")
    result = abs(left) // abs(right)
    return result if (left < 0) == (right < 0) else -result


_INTEGER: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "/": quotient, "%": lambda a, b: a - quotient(a, b) * b,
}
_COMPARE: dict[str, Callable[[Value, Value], bool]] = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne,
}


def exact(op: str, left: int, right: int, kind: Scalar) -> int:
    """The mathematical result of an integer operation, before it wraps in its type."""
    if op in ("<<", ">>"):
        if not 0 <= right < kind.bits:
            raise Undefined(f"shift by {right} of a {kind.bits}-bit value")
        return left << right if op == "<<" else left >> right
    return _INTEGER[op](left, right)


def overflows(op: str, left: Value, right: Value, kind: Scalar) -> bool:
    """Whether a signed integer operation leaves its type (undefined in C; it is not folded away).

    What the unsigned type can hold of a left shift is converted to the signed one (C++14 [expr.shift], OpenCL C 6.3.j).
    """
    if not (kind.is_int and kind.signed) or op in _COMPARE or op in ("&&", "||"):
        return False
    found = exact(op, int(left), int(right), kind)
    return not kind.low <= found <= highest(op, kind)


def negates_the_least(op: str, arg: Value, kind: Scalar) -> bool:
    """Whether a unary operation overflows: the negative of the least signed number."""
    return op == "-" and kind.is_int and kind.signed and arg == kind.low


def highest(op: str, kind: Scalar) -> int:
    """The largest exact result of a signed operation that has a value."""
    return (1 << kind.bits) - 1 if op == "<<" else int(kind.high)


def binary(op: str, left: Value, right: Value, kind: Scalar) -> Value:
    """`left op right` for operands of type `kind`; comparisons and `&&`, `||` give 0 or 1."""
    if op in _COMPARE:
        return int(_COMPARE[op](left, right))
    if op in ("&&", "||"):
        return int(bool(left) and bool(right)) if op == "&&" else int(bool(left) or bool(right))
    if kind.is_int:
        return kind.wrap(exact(op, int(left), int(right), kind))
    return kind.round(_float(op, float(left), float(right)))


def _float(op: str, left: float, right: float) -> float:
    if op == "+":
        return left + right
    if op == "-":
        return left - right
    if op == "*":
        return left * right
    if right != 0:
        return left / right
    if left == 0 or left != left:
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def is_rounded(op: str, left: float, right: float, value: float) -> bool:
    """Whether `left op right` of floats, for +, -, * and /, gives another number than on the reals."""
    if not (math.isfinite(left) and math.isfinite(right)) or (op == "/" and right == 0):
        return False
    one, two = Fraction(left), Fraction(right)
    exact = one / two if op == "/" else one * two if op == "*" else one + two if op == "+" else one - two
    return not math.isfinite(value) or Fraction(value) != exact


def unary(op: str, arg: Value, kind: Scalar) -> Value:
    """`op arg` for an operand of type `kind`."""
    if op == "!":
        return int(not arg)
    if op == "~":
        return kind.wrap(~int(arg))
    return -arg if kind.is_float else kind.wrap(-int(arg))


def cast(value: Value, source: Scalar, target: Scalar) -> Value:
    """A C conversion. A float outside the integer type saturates, NaN gives `nan_as` (as GPUs do)."""
    if target.is_float:
        return target.nearest(Fraction(value)) if source.is_int else target.round(float(value))
    if target == BOOL:
        return int(value != 0)
    if source.is_float:
        if math.isnan(value):
            return nan_as(source, target)
        if math.isinf(value):
            return target.high if value > 0 else target.low
        return min(max(int(value), target.low), target.high)
    return target.wrap(int(value))


def is_neutral(op: str, first: int | float | None, second: int | float | None) -> bool:
    """x+0, 0+x, x-0, x*1, 1*x, x/1, x<<0, x>>0"""
    if op == "+":
        return first == 0 or second == 0
    if op == "*":
        return first == 1 or second == 1
    return second == (1 if op == "/" else 0) and op in ("-", "/", "<<", ">>")
