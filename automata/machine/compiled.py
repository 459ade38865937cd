"""Core expressions compiled to closures over a running thread.

Each closure takes a `Lane` and returns the concrete value, with C's exact semantics from
`automata.arithmetic`; loads go through the lane's memory, which keeps the shadow.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import Protocol

from automata import arithmetic
from automata.arithmetic import Undefined, Value
from automata.lang.builtins import BY_NAME
from automata.lang.core import Binary, Bits, Call, Cast, Const, Expr, Load, Select, Special, Unary, Var
from automata.place import Place
from automata.scalar import Scalar


class Lane(Protocol):
    """What a closure needs of a running thread."""

    values: dict[str, Value]

    def load(self, array: str, index: tuple[int, ...], place: Place) -> Value:
        """Read an element."""

    def wrapped(self, exact: int, kind: Scalar, place: Place) -> None:
        """Note that a signed integer result did not fit its type."""

    def undefined(self, what: str, place: Place) -> None:
        """Note an operation without a value; it yields 0."""


Closure = Callable[[Lane], Value]


def compile_expr(expr: Expr) -> Closure:
    """The closure of an expression."""
    match expr:
        case Const(value=value):
            return lambda lane: value
        case Var(name=name) | Special(name=name):
            return lambda lane: lane.values[name]
        case Unary() | Cast() | Bits():
            return _compile_unary(expr)
        case Binary(op="&&" | "||"):
            return _short_circuit(expr)
        case Binary():
            return _binary(expr)
        case Select(test=test, then=then, other=other):
            first, second, third = compile_expr(test), compile_expr(then), compile_expr(other)
            return lambda lane: second(lane) if first(lane) else third(lane)
        case Load(array=array, index=index, place=place):
            parts = tuple(compile_expr(part) for part in index)
            return lambda lane: lane.load(array, tuple(int(part(lane)) for part in parts), place)
        case Call():
            return _call(expr)


def _compile_unary(expr: Unary | Cast | Bits) -> Closure:
    match expr:
        case Unary():
            return _unary(expr)
        case Cast():
            return _cast(expr)
        case Bits():
            raise AssertionError("bits are not covered by the machine")


def _unary(expr: Unary) -> Closure:
    arg, op, kind, place = compile_expr(expr.arg), expr.op, expr.arg.type, expr.place

    def run(lane: Lane) -> Value:
        value = arg(lane)
        if op == "-" and kind.is_int and kind.signed and value == kind.low:
            lane.wrapped(-int(value), kind, place)
        return arithmetic.unary(op, value, kind)

    return run


def _cast(expr: Cast) -> Closure:
    arg, source, target, place = compile_expr(expr.arg), expr.arg.type, expr.type, expr.place
    watch = target.is_int and source.is_int and target.signed and target.bits >= 32 and not _fits(source, target)

    def run(lane: Lane) -> Value:
        value = arg(lane)
        if watch and not target.holds(int(value)):
            lane.wrapped(int(value), target, place)
        return arithmetic.cast(value, source, target)

    return run


def _fits(source: Scalar, target: Scalar) -> bool:
    return target.low <= source.low and source.high <= target.high


def _short_circuit(expr: Binary) -> Closure:
    left, right = compile_expr(expr.left), compile_expr(expr.right)
    if expr.op == "&&":
        return lambda lane: int(bool(left(lane)) and bool(right(lane)))
    return lambda lane: int(bool(left(lane)) or bool(right(lane)))


def _binary(expr: Binary) -> Closure:
    left, right, op, kind, place = compile_expr(expr.left), compile_expr(expr.right), expr.op, expr.left.type, expr.place
    if op in ("<", "<=", "==", "!=") or kind.is_float:
        return lambda lane: arithmetic.binary(op, left(lane), right(lane), kind)

    def run(lane: Lane) -> Value:
        first, second = int(left(lane)), int(right(lane))
        try:
            exact = arithmetic.exact(op, first, second, kind)
        except Undefined as error:
            lane.undefined(str(error), place)
            return 0
        if kind.low <= exact <= kind.high:
            return exact
        if kind.signed:
            lane.wrapped(exact, kind, place)
        return kind.wrap(exact)

    return run


def _call(expr: Call) -> Closure:
    args, kind = tuple(compile_expr(arg) for arg in expr.args), expr.type
    if expr.function == "fma":
        return lambda lane: _fma(kind, *(float(arg(lane)) for arg in args))
    evaluate = BY_NAME[expr.function].evaluate
    return lambda lane: kind.round(evaluate(*(float(arg(lane)) for arg in args)))


def _fma(kind: Scalar, x: float, y: float, z: float) -> float:
    """x·y + z rounded once (exact rationals inside)."""
    if not (isfinite(x) and isfinite(y)):
        return kind.round(x * y + z)
    if not isfinite(z):
        return z
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact:
        return kind.nearest(exact)
    signed_zero = x * y + z
    return signed_zero if signed_zero == 0 else 0.0
