"""What the readings know of the device library, by the canonical names of Core's calls.

Over the reals: what rounds is its exact operation, 1/sqrt(x) is rsqrt(x), and approximate functions stand for what
they approximate. With laws: exponentials as powers of one base each, tanh by exponentials, maxima and minima, |x|.
Whatever has no row is an atom of its name and arguments. Of a zero the reals have no sign: what shows one (copysign(1, -0) is -1)
has no value there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from automata.lang.exactness import EXACT, FUSED, ROUNDED
from automata.machine.numbers.functions import SAME
from automata.scalar import Scalar
from equivalence.domains.field import Reading, Value


class Operations(Protocol):
    """What a domain offers to put functions together from (`symbols.Symbols`)."""

    reading: Reading

    def number(self, value: int) -> Value: ...
    def ring(self, op: str, one: Value, two: Value) -> Value: ...
    def minus(self, one: Value, two: Value) -> Value: ...
    def divide(self, one: Value, two: Value) -> Value: ...
    def power(self, base: str, words: Value) -> Value: ...
    def maximum(self, one: Value, two: Value) -> Value: ...
    def minimum(self, one: Value, two: Value) -> Value: ...
    def operation(self, op: str, one: Value, two: Value, kind: Scalar) -> Value: ...
    def symmetric(self, tag: str, one: Value, two: Value) -> Value: ...
    def atom(self, tag: str, *operands: Value) -> Value: ...
    def without_zeros(self, made: Value, operand: Value) -> Value: ...


Row = Callable[[Operations, Sequence[Value]], Value]
OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


SIGN_OF_ZERO = {"copysign": 1, "signbit": 0, "atan2": 0, "rsqrt": 0, "tgamma": 0, "pow": 0, "powi": 0}
"""The functions that tell -0 from 0 by more than the sign of a zero, each with the number of the operand."""


def stem(function: str) -> str:
    """The function that a name stands for: what an approximate one approximates, without the suffix of its type."""
    for name in (function, function.removesuffix("f"), function.removeprefix("__").removesuffix("f")):
        if name in SAME:
            return SAME[name]
    function = function.removeprefix("__").removeprefix("native_")
    return function if function in REAL or function in LAWS or function in EXACT else function.removesuffix("f")


def is_near(function: str) -> bool:
    """Whether a function only comes near to the one that it stands for, by a bound that CUDA or OpenCL leaves wide."""
    return function.startswith(("__", "native_", "half_")) and not ROUNDED.match(function) and not FUSED.match(function) and (
        stem(function) != function and function != "__frsqrt_rn")


def apply(symbols: Operations, function: str, args: Sequence[Value], kinds: Sequence[Scalar], result: Scalar) -> Value:
    """The value of a call."""
    made, at = _applied(symbols, function, args, kinds, result), SIGN_OF_ZERO.get(stem(function))
    return made if at is None or not symbols.reading.floats else symbols.without_zeros(made, args[at])


def _applied(symbols: Operations, function: str, args: Sequence[Value], kinds: Sequence[Scalar], result: Scalar) -> Value:
    if symbols.reading.floats and result.is_float:
        fused, rounded = FUSED.match(function), ROUNDED.match(function)
        if fused:
            return REAL["fma"](symbols, args)
        if rounded:
            return symbols.operation(OPERATORS[rounded.group(1)], args[0], args[1], result)
        name = stem(function)
        row = (LAWS.get(name) if symbols.reading.laws else None) or REAL.get(name)
        if row is not None:
            return row(symbols, args)
        if name in ("fmin", "fmax"):
            return symbols.symmetric(name, args[0], args[1])
        families = ",".join("real" if kind.is_float else kind.name for kind in kinds)
        return symbols.atom(f"{name} {families}", *args)
    types = ",".join(kind.name for kind in kinds)
    return symbols.atom(f"{function} {types} {result.name}", *args)


def _fma(symbols: Operations, args: Sequence[Value]) -> Value:
    return symbols.ring("+", symbols.ring("*", args[0], args[1]), args[2])


def _root(symbols: Operations, args: Sequence[Value]) -> Value:
    return symbols.atom("sqrt", args[0])


def _mix(symbols: Operations, args: Sequence[Value]) -> Value:
    return symbols.ring("+", args[0], symbols.ring("*", symbols.minus(args[1], args[0]), args[2]))


REAL: dict[str, Row] = {
    "fma": _fma, "mad": _fma, "mix": _mix, "sqrt": _root,
    "rsqrt": lambda symbols, args: symbols.divide(symbols.number(1), _root(symbols, args)),
    "recip": lambda symbols, args: symbols.divide(symbols.number(1), args[0]),
    "divide": lambda symbols, args: symbols.divide(args[0], args[1]),
}


# -- laws ---------------------------------------------------------------------------------------------------


def _power(base: str) -> Row:
    return lambda symbols, args: symbols.power(base, args[0])


def _tanh(symbols: Operations, args: Sequence[Value]) -> Value:
    """(e^2x - 1)/(e^2x + 1)"""
    power, one = _power("e")(symbols, [symbols.ring("+", args[0], args[0])]), symbols.number(1)
    return symbols.divide(symbols.minus(power, one), symbols.ring("+", power, one))


def _fabs(symbols: Operations, args: Sequence[Value]) -> Value:
    """x + 2·max(-x, 0)"""
    zero = symbols.number(0)
    bend = symbols.maximum(symbols.minus(zero, args[0]), zero)
    return symbols.ring("+", args[0], symbols.ring("+", bend, bend))


LAWS: dict[str, Row] = {
    "exp": _power("e"), "exp2": _power("2"), "exp10": _power("10"), "tanh": _tanh, "fabs": _fabs,
    "expm1": lambda symbols, args: symbols.minus(_power("e")(symbols, args), symbols.number(1)),
    "fmax": lambda symbols, args: symbols.maximum(args[0], args[1]),
    "fmin": lambda symbols, args: symbols.minimum(args[0], args[1]),
}
"""Rows that only the reading with laws has."""
