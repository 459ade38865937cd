"""What a value is on the machine: the protocol, and the concrete kind, NumPy arrays with C's exact semantics.

A value is an array with one entry for each lane, or a NumPy scalar that all lanes share (a uniform value): `ndim` tells.
Operations are total: what C leaves undefined gives 0, and whoever calls has noted it. `automata.arithmetic` says
the same of single values and is what this is tested against.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from automata.machine.numbers.functions import evaluate, is_known
from automata.machine.numbers.rounding import DTYPES, narrow
from automata.scalar import BF16, BOOL, F16, Scalar, nan_as

Lanes = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


def some(test: Lanes) -> bool:
    """Whether a test holds of any lane. Numpy's functions take ten times as long for one value, which small runs have most."""
    return bool(test) if isinstance(test, np.bool_) else bool(test.any())


def every(test: Lanes) -> bool:
    """Whether a test holds of all lanes."""
    return bool(test) if isinstance(test, np.bool_) else bool(test.all())


class Values(Protocol):
    """A kind of value: what the machine asks of it. `kind` is the C type of the operands."""

    def dtype(self, kind: Scalar) -> npt.DTypeLike:
        """How values of a type are kept in memory."""

    def cells(self, content: Any, kind: Scalar) -> Lanes:
        """Numbers as contents of an array."""

    def constant(self, value: int | float, kind: Scalar) -> Lanes:
        """A uniform value."""

    def unary(self, op: str, arg: Lanes, kind: Scalar) -> Lanes:
        """`op arg`."""

    def binary(self, op: str, left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
        """`left op right`; comparisons give BOOL."""

    def cast(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        """A C conversion."""

    def bits(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        """The same bits as another type of the same width."""

    def knows(self, function: str) -> bool:
        """Whether `call` gives a function a value."""

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        """A function of the device library."""


class Concrete:
    """Numbers: integers wrap in two's complement, floats are rounded after every operation (no contraction)."""

    def dtype(self, kind: Scalar) -> npt.DTypeLike:
        return DTYPES[kind]

    def cells(self, content: Any, kind: Scalar) -> Lanes:
        return np.asarray(content).astype(self.dtype(kind), copy=False)

    def constant(self, value: int | float, kind: Scalar) -> Lanes:
        number: Any = value if kind.is_float else kind.wrap(int(value))
        uniform: Any = np.asarray(number).astype(DTYPES[kind])[()]
        return uniform

    def unary(self, op: str, arg: Lanes, kind: Scalar) -> Lanes:
        if op == "!":
            return np.logical_not(arg)
        if kind == BOOL:
            arg = arg.astype(np.int32)
        return np.invert(arg) if op == "~" else np.negative(arg)

    def binary(self, op: str, left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
        if op in _COMPARE:
            return _COMPARE[op](left, right)
        if kind.is_float:
            found = _FLOAT[op](left, right)
            return narrow(found.astype(np.float64), BF16) if kind == BF16 else found
        return _INTEGER[op](left, right, kind)

    def cast(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        if source == target:
            return arg
        if target == BOOL:
            return np.not_equal(arg, 0)
        if target.is_float:
            return _to_float(arg, source, target)
        return _truncated(arg, source, target) if source.is_float else arg.astype(DTYPES[target])

    def bits(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        if source == BF16:
            arg = (arg.view(np.uint32) >> np.uint32(16)).astype(np.uint16)
        if target == BF16:
            wide: Lanes = arg.view(np.uint16).astype(np.uint32) << np.uint32(16)
            return wide.view(np.float32)
        return arg.view(DTYPES[target])

    def knows(self, function: str) -> bool:
        return is_known(function)

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        found: Any = evaluate(function, args, result, kinds)
        return found


# -- integers -----------------------------------------------------------------------------------------------


def _quotient(left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
    """Towards zero; 0 where the divisor is 0."""
    safe = np.where(right == 0, right.dtype.type(1), right) if some(right == 0) else right
    found: Lanes = np.floor_divide(left, safe)
    if kind.signed:
        rest = left - found * safe
        found = found + ((rest != 0) & ((rest < 0) != (left < 0))).astype(found.dtype)
    return found if safe is right else np.where(right == 0, found.dtype.type(0), found)


def _remainder(left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
    """With the sign of the dividend; 0 where the divisor is 0."""
    if not some(right == 0):
        return np.fmod(left, right)
    return np.where(right == 0, left.dtype.type(0), np.fmod(left, np.where(right == 0, right.dtype.type(1), right)))


def _shift(function: Callable[..., Lanes]) -> Callable[[Lanes, Lanes, Scalar], Lanes]:
    def shifted(left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
        outside = (right < 0) | (right >= kind.bits)
        if not some(outside):
            return function(left, right.astype(left.dtype))
        return np.where(outside, left.dtype.type(0), function(left, np.where(outside, 0, right).astype(left.dtype)))

    return shifted


def _plain(function: Callable[..., Lanes]) -> Callable[[Lanes, Lanes, Scalar], Lanes]:
    return lambda left, right, kind: function(left, right)


_COMPARE: dict[str, Callable[..., Lanes]] = {"<": np.less, "<=": np.less_equal, "==": np.equal, "!=": np.not_equal}
_FLOAT: dict[str, Callable[..., Lanes]] = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.true_divide}
_INTEGER: dict[str, Callable[[Lanes, Lanes, Scalar], Lanes]] = {
    "+": _plain(np.add), "-": _plain(np.subtract), "*": _plain(np.multiply), "&": _plain(np.bitwise_and),
    "|": _plain(np.bitwise_or), "^": _plain(np.bitwise_xor), "/": _quotient, "%": _remainder,
    "<<": _shift(np.left_shift), ">>": _shift(np.right_shift), "&&": _plain(np.logical_and), "||": _plain(np.logical_or),
}


# -- floats -------------------------------------------------------------------------------------------------


def _to_float(arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
    if target == BF16:
        return narrow(_odd_double(arg, source), BF16)
    if target == F16 and source.is_int:
        return _odd_double(arg, source).astype(np.float16)
    return arg.astype(DTYPES[target])


def _odd_double(arg: Lanes, source: Scalar) -> Lanes:
    """As a double that rounds to narrower floats as the value itself would (integers beyond 2^53: rounded to odd)."""
    if not source.is_int or source.bits < 64:
        return arg.astype(np.float64)
    low = arg & arg.dtype.type(0x7FF)
    sticky = (arg & ~arg.dtype.type(0x7FF)) | ((low != 0).astype(arg.dtype) << arg.dtype.type(11))
    large = (arg >= arg.dtype.type(1 << 53)) | ((arg <= arg.dtype.type(-(1 << 53))) if source.signed else np.False_)
    return np.where(large, sticky, arg).astype(np.float64)


def _truncated(arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
    """Float to integer: towards zero, saturating; NaN gives `nan_as` (as GPUs do)."""
    double = np.trunc(arg.astype(np.float64))
    inside = (double >= float(target.low)) & (double < float(target.high + 1))
    kind = DTYPES[target]
    found = np.where(inside, double, 0.0).astype(kind)
    if every(inside):
        return found[()]
    beyond = np.where(double > 0, kind(target.high), kind(target.low))
    return np.where(inside, found, np.where(np.isnan(double), kind(nan_as(source, target)), beyond))[()]


def same_bits(left: Any, right: Any) -> Mask:
    """Bit-identical contents: tells −0 from 0, and one NaN from another."""
    one, two = np.broadcast_arrays(np.ascontiguousarray(left), np.asarray(right, dtype=np.asarray(left).dtype))
    if one.dtype.kind == "f":
        bits = f"u{one.dtype.itemsize}"
        return np.ascontiguousarray(one).view(bits) == np.ascontiguousarray(two).view(bits)
    return one == two
