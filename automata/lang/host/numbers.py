"""Numbers of host code and C's arithmetic on them.

A number has C++'s type as far as it matters: how many bits, unsigned, or floating. `long` has 64 bits. A result that its type
does not hold (overflow, wrapping, division by zero, a negative `char`) is no value: `Unknown` is raised.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from automata.scalar import F32


class Unknown(Exception):
    """The value is not certain."""


class Number(NamedTuple):
    """A number. `bits` 0: floating, double unless `single`."""

    value: int | float
    bits: int = 32
    unsigned: bool = False
    single: bool = False


INT, BOOL, UNSIGNED, SIZE = Number(0), Number(0, 1, True), Number(0, 32, True), Number(0, 64, True)
NAMED: dict[str, Number] = {
    "float": Number(0.0, 0, False, True), "double": Number(0.0, 0), "bool": BOOL, "char": Number(0, 8), "size_t": SIZE,
    "ptrdiff_t": Number(0, 64), "ssize_t": Number(0, 64), "uint": UNSIGNED, "uchar": Number(0, 8, True),
    "ushort": Number(0, 16, True), "ulong": Number(0, 64, True),
    **{f"int{bits}_t": Number(0, bits) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": Number(0, bits, True) for bits in (8, 16, 32, 64)},
    **{f"cl_{name}": Number(0, bits) for name, bits in (("char", 8), ("short", 16), ("int", 32), ("long", 64))},
    **{f"cl_u{name}": Number(0, bits, True) for name, bits in (("char", 8), ("short", 16), ("int", 32), ("long", 64))},
}
"""Types by one name; the keywords among them are no names that a program can declare."""
INTEGER_WORDS = frozenset({"int", "unsigned", "signed", "long", "short", "char"})
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlLzZ]*)")
_FLOAT = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([fFlL]?)")


def integer_type(words: list[str]) -> Number | None:
    """The integer type that keywords name; None where they name none."""
    if not words or not set(words) <= INTEGER_WORDS:
        return None
    bits = 64 if "long" in words else 16 if "short" in words else 8 if "char" in words else 32
    return Number(0, bits, "unsigned" in words)


def kind_named(kind: Number) -> str:
    """A type of numbers by its name."""
    if not kind.bits:
        return "float" if kind.single else "double"
    plain = {1: "bool", 8: "char", 16: "short", 32: "int", 64: "long"}[kind.bits]
    return f"unsigned {plain}" if kind.unsigned and kind.bits > 1 else plain


def limits(kind: Number) -> tuple[int, int]:
    """The least and the greatest value of an integer type; of a plain `char`, whose sign is the platform's, what all hold."""
    if kind.bits == 8 and not kind.unsigned:
        return 0, 127
    return (0, 2**kind.bits - 1) if kind.unsigned else (-(2 ** (kind.bits - 1)), 2 ** (kind.bits - 1) - 1)


def converted(number: Number, kind: Number) -> Number:
    """A number as a type; Unknown where the type does not hold it."""
    if kind.bits == 1:
        return kind._replace(value=int(number.value != 0))
    if kind.bits:
        return _checked(int(number.value), kind) if math.isfinite(number.value) else _fail()
    if kind.single and number.bits:
        return floating(F32.nearest(Fraction(int(number.value))), True)
    return floating(float(number.value), kind.single)


def promoted(kind: Number) -> Number:
    """The type after integral promotion."""
    return INT if 0 < kind.bits < 32 else kind._replace(value=0)


def common(a: Number, b: Number) -> Number:
    """The type of an arithmetic operation on two numbers."""
    if not a.bits or not b.bits:
        return Number(0.0, 0, False, all(item.bits or item.single for item in (a, b)))
    bits = max(a.bits, b.bits, 32)
    return Number(0, bits, any(item.unsigned and item.bits == bits for item in (a, b)))


def _fail() -> Number:
    raise Unknown


def _checked(value: int, kind: Number) -> Number:
    low, high = limits(kind)
    return kind._replace(value=value) if low <= value <= high else _fail()


def floating(value: float, single: bool) -> Number:
    try:
        rounded = struct.unpack("<f", struct.pack("<f", value))[0] if single else value
    except OverflowError:
        raise Unknown from None
    return Number(rounded, 0, False, single) if math.isfinite(rounded) else _fail()


def literal(text: str) -> Number:
    """The value of a numeric literal."""
    integer = _INTEGER.fullmatch(text)
    if integer and len(text) < 24:
        digits, suffix = integer.group(1), integer.group(2).lower()
        base = {"0x": 16, "0b": 2}.get(digits[:2].lower(), 8 if digits[0] == "0" and len(digits) > 1 else 10)
        try:
            value = int(digits[2:] if base in (2, 16) else digits, base)
        except ValueError:
            raise Unknown from None
        unsigned = "u" in suffix
        bits = 64 if "l" in suffix or "z" in suffix or value >= 2 ** (31 + (unsigned or base != 10)) else 32
        return _checked(value, Number(0, bits, unsigned or (base != 10 and value >= 2 ** (bits - 1))))
    found = _FLOAT.fullmatch(text)
    if not found or len(text) > 40 or found.group(2) in ("l", "L") or not set(text) & set(".eE"):
        raise Unknown
    if found.group(2) in ("f", "F") and found.group(1)[:2].lower() != "0x":
        return floating(F32.nearest(Fraction(found.group(1))), True)
    return floating(float(found.group(1)), found.group(2) in ("f", "F"))


def operate(sign: str, a: Number, b: Number) -> Number:
    """A binary operation."""
    kind = common(a, b)
    if sign in ("&&", "||"):
        return BOOL._replace(value=int(bool(a.value and b.value) if sign == "&&" else bool(a.value or b.value)))
    if sign in ("<<", ">>"):
        return _shifted(sign, a, b)
    left, right = converted(a, kind), converted(b, kind)
    if sign in _COMPARE:
        return BOOL._replace(value=int(_COMPARE[sign](left.value, right.value)))
    if not kind.bits:
        return _on_floats(sign, left.value, right.value, kind.single)
    return _checked(_on_integers(sign, int(left.value), int(right.value)), kind)


def unary(sign: str, a: Number) -> Number:
    """An operation on one operand."""
    if sign == "!":
        return BOOL._replace(value=int(not a.value))
    if sign == "~":
        return converted(a, promoted(a))._replace(value=~int(a.value)) if a.bits and not promoted(a).unsigned else _fail()
    if not a.bits:
        return a._replace(value=-a.value if sign == "-" else a.value)
    kind = promoted(a)
    return _checked(-int(a.value) if sign == "-" else int(a.value), kind)


def _shifted(sign: str, a: Number, b: Number) -> Number:
    kind = promoted(a)
    if not a.bits or not b.bits or not 0 <= b.value < kind.bits:
        raise Unknown
    return _checked(int(a.value) << int(b.value) if sign == "<<" else int(a.value) >> int(b.value), kind)


_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "==": lambda x, y: x == y, "!=": lambda x, y: x != y, "<": lambda x, y: x < y, "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y, ">=": lambda x, y: x >= y}


def _on_floats(sign: str, x: float, y: float, single: bool) -> Number:
    if sign not in "+-*/" or (sign == "/" and y == 0):
        raise Unknown
    return floating({"+": x + y, "-": x - y, "*": x * y}.get(sign, 0.0) if sign != "/" else x / y, single)


def _on_integers(sign: str, x: int, y: int) -> int:
    if sign in "/%":
        return divided(sign, x, y)
    return {"+": x + y, "-": x - y, "*": x * y, "&": x & y, "|": x | y, "^": x ^ y}[sign]


def divided(sign: str, x: int, y: int) -> int:
    """Quotient or remainder, rounded towards zero."""
    if y == 0:
        raise Unknown
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return quotient if sign == "/" else x - quotient * y
