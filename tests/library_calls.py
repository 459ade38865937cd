"""Calls of the device library on arrays, and the values of each type that matter."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from automata.machine.numbers.functions import evaluate
from automata.machine.numbers.rounding import DTYPES
from automata.scalar import BF16, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar

INTEGERS = (I8, U8, I16, U16, I32, U32, I64, U64)

Number = int | float


def run(function: str, rows: Sequence[Sequence[Number]], result: Scalar, *kinds: Scalar) -> list[Any]:
    """The results for rows of arguments, as Python numbers."""
    columns = [np.array([row[at] for row in rows], dtype=DTYPES[kind]) for at, kind in enumerate(kinds)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evaluate(function, columns, result, kinds)
    assert found.dtype == DTYPES[result], function
    values: list[Any] = found.tolist()
    return values


def is_same(one: float, other: float) -> bool:
    """Equal as bits are, but for NaNs."""
    return (one != one and other != other) or (one == other and math.copysign(1, one) == math.copysign(1, other))


def odd(function: str, rows: Sequence[Sequence[Number]], wanted: Sequence[float], result: Scalar, *kinds: Scalar) -> list[object]:
    """The rows for which a function gives another value than is wanted, with both."""
    return [(row, found, want) for row, found, want in zip(rows, run(function, rows, result, *kinds), wanted, strict=True)
            if not is_same(found, want)]


def floats_of(kind: Scalar) -> list[float]:
    """Zeros, ones, halves, the ends of a float type and of its normal numbers, values in between, no numbers."""
    digits, least = {F16: (11, -24), BF16: (8, -133), F32: (24, -149), F64: (53, -1074)}[kind]
    top = {F16: 16, BF16: 128, F32: 128, F64: 1024}[kind]
    largest = math.ldexp(2 - math.ldexp(1, 1 - digits), top - 1)
    normal = math.ldexp(1, least + digits - 1)
    sizes = [0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 7.0, 0.25, 1 + 2.0 ** (1 - digits), 1 - 2.0**-digits, 2.0 ** (digits - 1) + 0.5,
             2.0**digits, 2.0**-12, 100.0, 10.125, math.ldexp(1, least), math.ldexp(3, least), normal,
             normal - math.ldexp(1, least), largest, largest / 2, math.inf]
    values = [kind.round(sign * size) for size in sizes for sign in (1, -1)]
    return [*values, math.nan]


def integers_of(kind: Scalar, count: int = 20) -> list[int]:
    chance = random.Random(kind.bits)
    some = [0, 1, 2, 3, kind.low, kind.low + 1, kind.high, kind.high - 1, kind.high // 2, *([-1, -2] if kind.signed else [])]
    return some + [kind.wrap(chance.getrandbits(64) >> chance.randrange(64)) for _ in range(count)]


def values_of(kind: Scalar) -> list[Any]:
    return floats_of(kind) if kind.is_float else integers_of(kind)
