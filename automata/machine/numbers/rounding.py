"""Rounding as IEEE 754 has it, on NumPy arrays: to nearest or in a direction, once, from the exact result.

One idea: the exact result of an operation on doubles is a pair (nearest, rest): the double nearest to it, and a number
with the sign of what that double leaves out (0 where it is exact). From such a pair every rounding to every type
follows. The rest comes from error-free transformations (Knuth's and Møller's sum, Dekker's product); where magnitudes
are so extreme that those are not exact, it comes from rationals, element by element.

Values are arrays of doubles; results have the NumPy type that stands for a scalar type (`DTYPES`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from automata.scalar import BF16, BOOL, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar

Array = npt.NDArray[Any]
Pair = tuple[Array, Array]

DTYPES: dict[Scalar, type[np.generic]] = {
    BOOL: np.bool_, I8: np.int8, U8: np.uint8, I16: np.int16, U16: np.uint16, I32: np.int32, U32: np.uint32, I64: np.int64,
    U64: np.uint64, F16: np.float16, BF16: np.float32, F32: np.float32, F64: np.float64,
}
"""The type of the arrays that hold values of a scalar type; bfloat16 stands in float32, whose upper half it is."""

Meaning = Callable[[Sequence[Array], Scalar, Sequence[Scalar]], Array]
"""A function of the device library: from arguments of one shape, the result's type and the arguments' types."""

MODES = ("rn", "rz", "ru", "rd")
"""To nearest (ties to even), towards zero, up, down: the suffixes of CUDA's functions."""

_WHOLE: dict[str, Callable[..., Array]] = {"rn": np.rint, "rz": np.trunc, "ru": np.ceil, "rd": np.floor}


def narrow(value: Array, kind: Scalar, mode: str = "rn") -> Array:
    """Doubles rounded once to a float type."""
    nearest = _nearest(value, kind)
    if mode == "rn" or kind == F64:
        return nearest
    wide = nearest.astype(np.float64)
    if mode == "rz":
        return np.where(np.abs(wide) > np.abs(value), step(nearest, np.zeros_like(value), kind), nearest)
    passed = wide < value if mode == "ru" else wide > value
    limit = np.full_like(value, np.inf if mode == "ru" else -np.inf)
    return np.where(passed, step(nearest, limit, kind), nearest)


def _nearest(value: Array, kind: Scalar) -> Array:
    if kind != BF16:
        return value.astype(DTYPES[kind])
    single = value.astype(np.float32)
    bits = _odd_single(value, single).view(np.uint32)
    kept = ((bits + np.uint32(0x7FFF) + ((bits >> 16) & np.uint32(1))) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.isfinite(value), kept, single)


def _odd_single(value: Array, single: Array) -> Array:
    """Doubles cut to float32, with the last bit set where that lost something (round to odd)."""
    wide = single.astype(np.float64)
    cut = np.where(np.abs(wide) > np.abs(value), np.nextafter(single, np.float32(0)), single)
    return (cut.view(np.uint32) | (wide != value)).view(np.float32)


def step(value: Array, target: Array, kind: Scalar) -> Array:
    """C's nextafter in a float type: the neighbour of each value in the direction of `target` (doubles)."""
    if kind != BF16:
        limit = target.astype(value.dtype)
        return np.where(value == limit, limit, np.nextafter(value, limit))
    wide = value.astype(np.float64)
    bits = value.view(np.uint32) >> np.uint32(16)
    moved = np.where((target > wide) == (wide > 0), bits + np.uint32(1), bits - np.uint32(1))
    smallest = (np.signbit(target).astype(np.uint32) << np.uint32(15)) | np.uint32(1)
    bits = np.where(wide == 0, smallest, moved) << np.uint32(16)
    found = np.where(wide == target, target.astype(np.float32), bits.view(np.float32))
    return np.where(np.isnan(wide) | np.isnan(target), np.float32(np.nan), found)


def odd(pair: Pair) -> Array:
    """The exact result in double rounded to odd: any narrower type is reached from it with one rounding in all.

    A rest of NaN, where nothing is finite, counts as none.
    """
    nearest, rest = pair
    inexact = (np.abs(rest) > 0) & (nearest.view(np.int64) & 1 == 0)
    return nearest if not inexact.any() else np.where(inexact, np.nextafter(nearest, np.copysign(np.inf, rest)), nearest)


def rounded(pair: Pair, kind: Scalar, mode: str) -> Array:
    """The exact result rounded once to a float type."""
    if kind != F64:
        return narrow(odd(pair), kind, mode)
    nearest, rest = pair
    if mode == "rn":
        return nearest
    if mode == "rz":
        return np.where((rest != 0) & ((rest < 0) == (nearest > 0)), np.nextafter(nearest, 0.0), nearest)
    wrong, limit = (rest > 0, np.inf) if mode == "ru" else (rest < 0, -np.inf)
    return np.where(wrong, np.nextafter(nearest, limit), nearest)


def to_integer(value: Array, kind: Scalar, mode: str, nothing: int = 0) -> Array:
    """Doubles as integers; what lies outside the type becomes its nearest end, NaN becomes `nothing`."""
    whole = _WHOLE[mode](value)
    above, below = whole >= float(kind.high), whole <= float(kind.low)
    result = np.where(above | below | np.isnan(whole), 0.0, whole).astype(DTYPES[kind])
    result[above] = kind.high
    result[below] = kind.low
    result[np.isnan(whole)] = nothing
    return result


def exact_integer(value: Array) -> Pair:
    """Integers of any width as exact results."""
    wide = value.astype(np.int64 if value.dtype.kind == "i" else np.uint64)
    high = (wide >> 32).astype(np.float64) * 2.0**32
    return _two_sum(high, (wide & 0xFFFFFFFF).astype(np.float64))


def exact_sum(x: Array, y: Array) -> Pair:
    """x + y."""
    nearest, rest = _two_sum(x, y)
    safe = np.maximum(np.abs(x), np.abs(y)) < 2.0**1000
    return _settled(lambda a, b: a + b, (x, y), (nearest, rest), safe, np.False_)


def exact_product(x: Array, y: Array) -> Pair:
    """x · y."""
    safe = _is_middling(x) & _is_middling(y)
    return _settled(lambda a, b: a * b, (x, y), _two_product(x, y), safe, (x == 0) | (y == 0))


def exact_quotient(x: Array, y: Array) -> Pair:
    """x / y: the remainder x - q·y is a double, and has the sign of what the quotient leaves out, or the opposite."""
    nearest = x / y
    product, error = _two_product(nearest, y)
    rest = ((x - product) - error) * np.sign(y)
    safe = _is_middling(x) & _is_middling(y) & _is_middling(nearest)
    return _settled(lambda a, b: a / b, (x, y), (nearest, rest), safe, (x == 0) | (y == 0))


def signed_zero(pair: Pair, x: Array, y: Array, mode: str) -> Pair:
    """The sum x + y where it is exactly 0: rounding down makes it -0 unless both are +0 (IEEE 754, 6.3)."""
    nearest, rest = pair
    if mode != "rd":
        return pair
    return np.where((nearest == 0) & (np.signbit(x) | np.signbit(y)), -0.0, nearest), rest


def fused(x: Array, y: Array, z: Array, kind: Scalar, mode: str = "rn") -> Array:
    """x · y + z rounded once; `mode` is for types narrower than double, whose products are exact in double."""
    if kind == F64:
        return _fused_doubles(x, y, z)
    product = x * y
    return narrow(odd(signed_zero(_two_sum(product, z), product, z, mode)), kind, mode)


def _fused_doubles(x: Array, y: Array, z: Array) -> Array:
    """Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd"."""
    high, low = _two_product(x, y)
    middle, end = _two_sum(z, low)
    top, under = _two_sum(high, middle)
    result = top + odd(_two_sum(end, under))
    plain = np.where(np.isinf(z) & np.isfinite(x) & np.isfinite(y), z, x * y + z)
    safe = _is_middling(x) & _is_middling(y) & (np.abs(z) < 2.0**1000)
    pair = np.where(safe, result, plain), np.zeros_like(plain)
    return _settled(lambda a, b, c: a * b + c, (x, y, z), pair, safe, (x == 0) | (y == 0))[0]


def _two_sum(x: Array, y: Array) -> Pair:
    """The nearest double of a sum and the exact rest (Knuth; exact unless something overflows)."""
    total = x + y
    from_y = total - x
    return total, (x - (total - from_y)) + (y - from_y)


def _two_product(x: Array, y: Array) -> Pair:
    """The nearest double of a product and the exact rest (Dekker; exact for middling factors)."""
    product = x * y
    x_high, x_low = _split(x)
    y_high, y_low = _split(y)
    return product, x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low)


def _split(value: Array) -> Pair:
    """A double as a sum of two with 26 bits each (Veltkamp)."""
    scaled = value * (2.0**27 + 1)
    high = scaled - (scaled - value)
    return high, value - high


def _is_middling(value: Array) -> Array:
    """Whether products of such doubles neither overflow nor lose bits below the smallest double."""
    size = np.abs(value)
    return (size > 2.0**-450) & (size < 2.0**450)


def _settled(function: Callable[..., Fraction], args: tuple[Array, ...], pair: Pair, safe: Array, plain: Array | np.bool) -> Pair:
    """The pair as it is where it is safe; its first part alone where the operation is plain (a special case, exact by
    itself) or has arguments that are not finite; and from rationals elsewhere."""
    if safe.all():
        return pair
    nearest, rest = pair[0].copy(), np.where(safe, pair[1], 0.0)
    finite = np.logical_and.reduce([np.isfinite(arg) for arg in args])
    for at in zip(*np.nonzero(finite & ~safe & ~plain), strict=True):
        exact = function(*(Fraction(float(arg[at])) for arg in args))
        if exact:
            value = F64.nearest(exact)
            nearest[at], rest[at] = value, _sign(exact, value)
    return nearest, rest


def _sign(exact: Fraction, value: float) -> int:
    """The sign of what a double leaves out of a rational."""
    if value in (np.inf, -np.inf):
        return -1 if value > 0 else 1
    return (exact > Fraction(value)) - (exact < Fraction(value))


@cache
def special() -> Any:
    """SciPy's special functions, imported when a kernel first needs one (the import takes a fifth of a second)."""
    from scipy import special

    return special
