"""C's scalar types as this project reads them: width, signedness, range, wrap-around.

One idea: a type is data (`Scalar`), so that promotions, casts, the machine's arithmetic and the
solver's ranges all ask the same record. LP64, as CUDA and 64-bit OpenCL devices have it.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction


class Kind(Enum):
    """What family of values a scalar type holds."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A C scalar type: its C name, family, width in bits and signedness."""

    name: str
    kind: Kind
    bits: int
    signed: bool

    @property
    def is_float(self) -> bool:
        return self.kind is Kind.FLOAT

    @property
    def is_int(self) -> bool:
        return self.kind is not Kind.FLOAT

    @property
    def low(self) -> int:
        """Smallest value of an integer type."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        """Largest value of an integer type."""
        if self.kind is Kind.BOOL:
            return 1
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    @property
    def bytes(self) -> int:
        return max(1, self.bits // 8)

    def holds(self, value: int) -> bool:
        """Whether an integer lies in the range of this type."""
        return self.low <= value <= self.high

    def wrap(self, value: int) -> int:
        """The integer modulo 2^bits, in two's complement if signed (bool: value != 0)."""
        if self.kind is Kind.BOOL:
            return int(value != 0)
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value >> (self.bits - 1) else value

    def round(self, value: float) -> float:
        """The nearest value of a float type (ties to even; overflow gives infinity)."""
        if self.bits == 64:
            return value
        if self.name == "bfloat16":
            return _to_bfloat16(value)
        code = "<e" if self.bits == 16 else "<f"
        try:
            rounded: float = struct.unpack(code, struct.pack(code, value))[0]
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
        return rounded

    def nearest(self, exact: Fraction) -> float:
        """The value of a float type nearest to a rational, rounded once (ties to even; overflow gives infinity)."""
        try:
            double = float(exact)
        except OverflowError:
            double = float("inf") if exact > 0 else float("-inf")
        if self.bits == 16:
            return self.round(_sticky(double, exact))
        first = self.round(double)
        if self.bits == 64:
            return first
        if abs(exact) >= 2**128 - 2**103:
            return double if double in (float("inf"), float("-inf")) else self.round(double)
        (bits,) = struct.unpack("<i", struct.pack("<f", min(max(first, -_LARGEST), _LARGEST)))
        around: list[float] = [struct.unpack("<f", struct.pack("<i", near))[0] for near in (bits - 1, bits, bits + 1)
                  if near >= -(1 << 31)]
        finite = [value for value in around if abs(value) <= _LARGEST]
        return min(finite, key=lambda value: (abs(Fraction(value) - exact), struct.pack("<f", value)[0] & 1))

    def __str__(self) -> str:
        return self.name


_LARGEST = float(2**128 - 2**104)


def _sticky(double: float, exact: Fraction) -> float:
    """A double next to `exact` that is no tie of a narrower type unless `exact` is (round to odd)."""
    if not math.isfinite(double) or Fraction(double) == exact or struct.pack("<d", double)[0] & 1:
        return double
    return math.nextafter(double, math.inf if exact > Fraction(double) else -math.inf)


def _to_bfloat16(value: float) -> float:
    """The nearest bfloat16 (8 bits of exponent, 7 of fraction), ties to even, rounded once from a double."""
    if value != value or value in (float("inf"), float("-inf")) or value == 0:
        return value
    _, exponent = math.frexp(value)
    unit = math.ldexp(1.0, max(exponent, -125) - 8)
    rounded = round(value / unit) * unit
    return math.copysign(float("inf"), value) if abs(rounded) >= 2.0**128 else math.copysign(rounded, value)


BOOL = Scalar("bool", Kind.BOOL, 1, False)
I8 = Scalar("signed char", Kind.INT, 8, True)
U8 = Scalar("unsigned char", Kind.INT, 8, False)
I16 = Scalar("short", Kind.INT, 16, True)
U16 = Scalar("unsigned short", Kind.INT, 16, False)
I32 = Scalar("int", Kind.INT, 32, True)
U32 = Scalar("unsigned int", Kind.INT, 32, False)
I64 = Scalar("long", Kind.INT, 64, True)
U64 = Scalar("unsigned long", Kind.INT, 64, False)
F16 = Scalar("half", Kind.FLOAT, 16, True)
BF16 = Scalar("bfloat16", Kind.FLOAT, 16, True)
F32 = Scalar("float", Kind.FLOAT, 32, True)
F64 = Scalar("double", Kind.FLOAT, 64, True)

SCALARS: tuple[Scalar, ...] = (BOOL, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64)


_SIGNIFICANDS = {"bfloat16": 8, 16: 11, 32: 24, 64: 53}


def is_as_direct(first: Scalar, between: Scalar, last: Scalar) -> bool:
    """Whether a conversion by a float type between is the one without it: that type holds every value of the first one, and the
    last one rounds it, or holds it, as well. What a float becomes as an integer that does not hold it hangs on its type."""
    if not between.is_float:
        return False
    if not first.is_float:
        exact = first.bits - (first.signed and first.bits > 1) <= _SIGNIFICANDS.get(between.name, _SIGNIFICANDS[between.bits])
        return exact and (last.is_float or (last.low <= first.low and first.high <= last.high))
    return last.is_float and (first.name == between.name or (first.bits < between.bits and between.name != "bfloat16"))


def nan_as(source: Scalar, target: Scalar) -> int:
    """NaN as an integer: 0; from double precision or to 64 bits the value whose sign bit alone is set (PTX ISA, `cvt`)."""
    return target.wrap(1 << target.bits - 1) if target.bits == 64 or (source.bits == 64 and target.bits == 32) else 0
