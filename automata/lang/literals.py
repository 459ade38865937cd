"""C's constants: the type and value of an integer, floating or character constant (C11 6.4.4)."""

from __future__ import annotations

import re
from fractions import Fraction

from automata.place import InputError, Place, UnsupportedError
from automata.scalar import F16, F32, F64, I8, I32, I64, U32, U64, Scalar


def number(text: str, place: Place) -> tuple[int | float, Scalar]:
    """The value and type of a numeric constant."""
    text = text.replace("'", "")
    if text.lower().startswith("0x") and ("p" in text.lower() or "." in text):
        return _hexadecimal_float(text)
    if re.search(r"[.]|^[^xX]*[eE]|[fF]$", text) and not text.lower().startswith("0x"):
        kind = F32 if text[-1] in "fF" else F16 if text[-1] in "hH" else F64
        return kind.nearest(Fraction(text.rstrip("fFlLhH"))), kind
    return _integer(text, place)


def _hexadecimal_float(text: str) -> tuple[float, Scalar]:
    kind = F32 if text[-1] in "fF" and "p" in text.lower() else F64
    exact = Fraction(float.fromhex(text.rstrip("fFlL") if "p" in text.lower() else text))
    return kind.nearest(exact), kind


def _integer(text: str, place: Place) -> tuple[int, Scalar]:
    found = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlL]*)", text)
    if not found:
        raise UnsupportedError(f"constant '{text}'", place)
    digits, suffix = found.group(1), found.group(2).lower()
    decimal = digits.isdigit() and (digits == "0" or digits[0] != "0")
    try:
        value = int(digits, 0) if not digits.isdigit() or decimal else int(digits, 8)
    except ValueError as error:
        raise InputError(f"constant '{text}' is no number", place) from error
    kinds = (U32, U64) if "u" in suffix else (I32, I64) if decimal else (I32, U32, I64, U64)
    fits = [kind for kind in kinds if kind.holds(value) and ("l" not in suffix or kind.bits == 64)]
    if not fits:
        raise InputError(f"constant '{text}' fits no integer type", place)
    return value, fits[0]


def character(text: str, place: Place) -> tuple[int, Scalar]:
    """The value of a character constant, an int in C."""
    try:
        body = text[text.index("'") + 1 : -1].encode().decode("unicode_escape")
    except (UnicodeDecodeError, ValueError) as error:
        raise UnsupportedError(f"the character constant {text}", place) from error
    if len(body) != 1 or ord(body) > 255:
        raise UnsupportedError(f"the character constant {text}", place)
    return I8.wrap(ord(body)), I32
