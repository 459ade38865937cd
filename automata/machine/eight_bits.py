"""Floats of eight bits (OFP8: e4m3 with NaN and no infinity, e5m2 as IEEE 754 has it) to and from single precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from automata.machine.rounding import Array, Meaning
from automata.scalar import Scalar

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
        code = np.where(np.isnan(value), NAN, code)
        return (code | np.where(np.signbit(value), 0x80, 0)).astype(np.uint8)
    return meaning


EIGHT_BITS: dict[str, Meaning] = {
    **{f"from_{kind}": decoded(kind) for kind in ("e4m3", "e5m2")},
    **{f"to_{kind}": encoded(kind, saturates=True) for kind in ("e4m3", "e5m2")},
    **{f"to_{kind}_open": encoded(kind, saturates=False) for kind in ("e4m3", "e5m2")},
}
