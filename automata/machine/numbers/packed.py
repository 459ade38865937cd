"""What PTX does to floats that C++ has no words for: floats of eight bits (OFP8: e4m3 with NaN and no infinity, e5m2 as IEEE 754
has it), two of them or two halves in a word, operations that take subnormal numbers for zeros."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from automata.machine.numbers.float_functions import FLOAT
from automata.machine.numbers.rounding import Array, Meaning, narrow
from automata.scalar import BF16, F16, F32, F64, U8, Scalar

Format = Literal["e4m3", "e5m2"]
NAN = 0x7F
OVER = {"e4m3": 0x7F, "e5m2": 0x7C}
"""The first code that is no number: NaN, and infinity. As a number it would be the next one."""


def _magnitudes(kind: Format) -> Array:
    """The number of each code without its sign, as if all were numbers."""
    fraction, bias = (3, 7) if kind == "e4m3" else (2, 15)
    code = np.arange(128)
    exponent, rest = code >> fraction, (code & ((1 << fraction) - 1)) / 2**fraction
    return np.where(exponent == 0, rest * 2.0 ** (1 - bias), (1 + rest) * 2.0 ** (exponent - bias))


MAGNITUDES = {kind: _magnitudes(kind) for kind in ("e4m3", "e5m2")}


def decoded(kind: Format) -> Meaning:
    """The number that a code is."""
    def meaning(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
        code = args[0].astype(np.int64) & 0x7F
        found = MAGNITUDES[kind][code]
        found = np.where(code >= OVER[kind], np.nan, found) if kind == "e4m3" else np.where(
            code > OVER[kind], np.nan, np.where(code == OVER[kind], np.inf, found))
        return np.where(args[0].astype(np.int64) & 0x80, -found, found).astype(np.float32)
    return meaning


def encoded(kind: Format, *, saturates: bool) -> Meaning:
    """The code of the nearest number, of two as near the even one. `saturates`: what is too large is the largest number."""
    table, over = MAGNITUDES[kind], OVER[kind]

    def meaning(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
        value = args[0].astype(np.float64)
        size = np.abs(np.where(np.isnan(value), 0, value))
        above = np.minimum(np.searchsorted(table[:over + 1], size), over)
        below = np.maximum(above - 1, 0)
        up, down = table[above] - size, size - table[below]
        code = np.where((down < up) | ((down == up) & (below % 2 == 0)), below, above)
        code = np.where(size > table[over], over, code)
        code = np.where(saturates & (code >= over), over - 1, code)
        code = np.where(np.signbit(value), code | 0x80, code)
        return np.where(np.isnan(value), _nan(kind, value, kinds[0]), code).astype(np.uint8)
    return meaning


def _nan(kind: Format, value: Array, source: Scalar) -> Array | int:
    """The code of what is no number: devices that convert floats have one for all; doubles are converted by cuda_fp8.hpp, which
    keeps the sign, and in e5m2 the first bits of the fraction."""
    if source != F64:
        return NAN
    bits = np.ascontiguousarray(value).view(np.uint64)
    code = NAN if kind == "e4m3" else 0x7E | (bits >> np.uint64(50)).astype(np.int64) & 3
    return np.where(np.signbit(value), 0x80, 0) | code


def _flushed(value: Array) -> Array:
    return np.where(np.abs(value) < np.float32(2.0**-126), np.copysign(np.float32(0), value), value).astype(np.float32)


_LEAST = 2.0**-126


def _flushed_once(function: str) -> Meaning:
    """An operation of which what is too small for a normal number before it is rounded is zero, as devices have it."""
    def meaning(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
        given = [_flushed(arg) for arg in args]
        cut = FLOAT[f"{function}_rz"](given, F32, [F32] * len(given))
        return np.where(np.abs(cut) < _LEAST, np.copysign(np.float32(0), cut), FLOAT[f"{function}_rn"](given, F32, [F32] * 3))
    return meaning


def flushing(operation: Callable[..., Array]) -> Meaning:
    """An operation in single precision to which subnormal numbers are zeros, and which leaves none."""
    return lambda args, result, kinds: _flushed(operation(*map(_flushed, args)))


def _two_codes(kind: Format) -> Meaning:
    """The codes of two numbers, the first in the upper byte."""
    encode = encoded(kind, saturates=True)

    def meaning(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
        high, low = (encode([arg], U8, kinds).astype(np.uint16) for arg in args)
        return (high << 8) | low
    return meaning


def _two_halves(kind: Format) -> Meaning:
    """Two codes as two halves in a word."""
    decode = decoded(kind)

    def meaning(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
        low, high = (decode([(args[0].astype(np.uint16) >> shift) & 0xFF], F32, kinds).astype(np.float16) for shift in (0, 8))
        return low.view(np.uint16).astype(np.uint32) | high.view(np.uint16).astype(np.uint32) << 16
    return meaning


def _of_halves(function: Callable[[Array], Array], kind: Scalar) -> Meaning:
    """A function of each of two floats of sixteen bits in a word."""
    def one(bits: Array) -> Array:
        value = bits.astype(np.uint16).view(np.float16) if kind == F16 else (bits.astype(np.uint32) << 16).view(np.float32)
        found = narrow(function(value.astype(np.float64)), kind)
        return found.view(np.uint16).astype(np.uint32) if kind == F16 else found.view(np.uint32) >> 16

    return lambda args, result, kinds: one(args[0] & np.uint32(0xFFFF)) | one(args[0] >> np.uint32(16)) << np.uint32(16)


def _tf32(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
    """Rounded to ten bits of fraction, of two as near away from zero."""
    bits = args[0].astype(np.float32).view(np.uint32)
    kept = ((bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32)
    return np.where(np.isfinite(args[0]), kept, args[0]).astype(np.float32)


PACKED: dict[str, Meaning] = {
    "add_ftz": flushing(np.add), "sub_ftz": flushing(np.subtract), "mul_ftz": _flushed_once("__fmul"), "tf32": _tf32,
    "fma_ftz": _flushed_once("__fmaf"),
    **{f"{name}_{kind}x2": _of_halves(function, of) for name, function in (("ex2", np.exp2), ("tanh", np.tanh))
       for kind, of in (("f16", F16), ("bf16", BF16))},
    **{f"pack_{kind}": _two_codes(kind) for kind in ("e4m3", "e5m2")},
    **{f"unpack_{kind}": _two_halves(kind) for kind in ("e4m3", "e5m2")},
    **{f"from_{kind}": decoded(kind) for kind in ("e4m3", "e5m2")},
    **{f"to_{kind}": encoded(kind, saturates=True) for kind in ("e4m3", "e5m2")},
    **{f"to_{kind}_open": encoded(kind, saturates=False) for kind in ("e4m3", "e5m2")},
}
