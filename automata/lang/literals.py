"""C's constants: the type and value of an integer, floating or character constant (C11 6.4.4)."""

from __future__ import annotations

import re
from fractions import Fraction

from automata.place import InputError, Place, UnsupportedError
from automata.scalar import F16, F32, F64, I8, I32, I64, U8, U16, U32, U64, Scalar

MAX_DIGITS = 1000
MAX_EXPONENT = 5000


def number(text: str, place: Place) -> tuple[int | float, Scalar]:
    """The value and type of a numeric constant."""
    text = text.replace("'", "")
    if len(text) > MAX_DIGITS:
        raise UnsupportedError(f"a constant of more than {MAX_DIGITS} characters", place)
    if text.lower().startswith("0x") and ("p" in text.lower() or "." in text):
        return _hexadecimal_float(text, place)
    if re.search(r"[.]|^[^xX]*[eE]|[fF]$", text) and not text.lower().startswith("0x"):
        return _decimal_float(text, place)
    return _integer(text, place)


def _decimal_float(text: str, place: Place) -> tuple[float, Scalar]:
    kind = F32 if text[-1] in "fF" else F16 if text[-1] in "hH" else F64
    exponent = re.search(r"[eE]([+-]?\d+)", text)
    if exponent and abs(int(exponent.group(1))) > MAX_EXPONENT:
        raise UnsupportedError(f"constant '{text}': its exponent is beyond {MAX_EXPONENT}", place)
    try:
        return kind.nearest(Fraction(text.rstrip("fFlLhH"))), kind
    except ValueError as error:
        raise InputError(f"constant '{text}' is no number", place) from error


def _hexadecimal_float(text: str, place: Place) -> tuple[float, Scalar]:
    kind = F32 if text[-1] in "fF" and "p" in text.lower() else F64
    try:
        exact = Fraction(float.fromhex(text.rstrip("fFlL") if "p" in text.lower() else text))
    except (OverflowError, ValueError) as error:
        raise UnsupportedError(f"constant '{text}', which is no finite double", place) from error
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
        raise InputError(f"constant '{text[:40]}' fits no integer type", place)
    return value, fits[0]


_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63, "e": 27}
_PREFIXES: dict[str, Scalar] = {"L": I32, "u": U16, "U": U32, "u8": U8}


_PIECE = re.compile(r"""\\x[0-9a-fA-F]+|\\[0-7]{1,3}|\\.|[ -~]""")


def read_text(text: str) -> bytes | None:
    """The characters of a text in double quotes, without the zero at its end; None for one that is not read."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return None
    found, at = bytearray(), 1
    while at < len(text) - 1:
        piece = _PIECE.match(text, at, len(text) - 1)
        word = piece[0] if piece is not None else ""
        code = _code(word)
        if code > 255:
            return None
        found.append(code)
        at += len(word)
    return bytes(found)


def _code(word: str) -> int:
    """The number of a character as a text writes it; 256 for one that is not read."""
    if word[:1] != "\\":
        return ord(word) if word else 256
    if word[1] == "x":
        return int(word[2:], 16)
    return int(word[1:], 8) if word[1:].isdigit() else _ESCAPES.get(word[1:], 256)


def character(text: str, place: Place, cxx: bool = False) -> tuple[int, Scalar]:
    """The value and type of a character constant: an int in C, a char in C++; by its prefix if it has one."""
    prefix, body = text[: text.index("'")], text[text.index("'") + 1 : -1]
    escape = re.fullmatch(r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|(.))", body)
    if escape and escape.group(1):
        code = int(escape.group(1), 16)
    elif escape and escape.group(2):
        code = int(escape.group(2), 8)
    elif escape and escape.group(3) in _ESCAPES:
        code = _ESCAPES[escape.group(3)]
    elif len(body) == 1 and (ord(body) < 128 or prefix):
        code = ord(body)
    else:
        raise UnsupportedError(f"the character constant {text}", place)
    kind = _PREFIXES.get(prefix, I8)
    if code > (kind.high if kind.bits == 32 else (1 << kind.bits) - 1):
        raise InputError(f"the character constant {text} is too large", place)
    return kind.wrap(code), (kind if prefix or cxx else I32)
