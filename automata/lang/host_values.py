"""Values of constant expressions in host code, where they are certain.

The C++ types of operands are followed as far as they matter: 32 or 64 bits, unsigned, or floating. A result
that its type does not hold (overflow, division by zero) is no value: `Unknown` is raised, as for any name
whose value is not certain and for anything that is not an expression over numbers.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from typing import NamedTuple

MAX_TOKENS = 400
MAX_NESTING = 20


class Unknown(Exception):
    """The value is not certain."""


class Number(NamedTuple):
    """A number. `bits` 0: floating, double unless `single`."""

    value: int | float
    bits: int = 32
    unsigned: bool = False
    single: bool = False


Sizes = tuple[int | None, int | None, int | None]
Value = Number | Sizes

_FLOATS = {"float": Number(0.0, 0, False, True), "double": Number(0.0, 0)}
_NAMED: dict[str, Number] = {
    **_FLOATS, "size_t": Number(0, 64, True), "ptrdiff_t": Number(0, 64), "ssize_t": Number(0, 64), "uint": Number(0, 32, True),
    "bool": Number(0, 1, True), "char": Number(0, 8), "uchar": Number(0, 8, True), "ushort": Number(0, 16, True),
    "ulong": Number(0, 64, True),
    **{f"int{bits}_t": Number(0, bits) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": Number(0, bits, True) for bits in (8, 16, 32, 64)},
}
_INTEGER_WORDS = frozenset({"int", "unsigned", "signed", "long", "short", "char"})
TYPE_WORDS = frozenset(_NAMED) | _INTEGER_WORDS
QUALIFIERS = frozenset({"const", "constexpr", "static", "inline", "volatile", "register", "extern", "std", "::", "typename"})
_VECTOR = re.compile(r"(char|uchar|short|ushort|int|uint|long|ulong|longlong|ulonglong|float|double)([1-4])")
_SIZES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4, "long": 8, "ulong": 8, "longlong": 8,
          "ulonglong": 8, "double": 8, "half": 2, "__half": 2, "__nv_bfloat16": 2, "half2": 4, "__half2": 4}
_PRECEDENCE = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
               "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlLzZ]*)")
_FLOAT = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([fFlL]?)")


def type_of(words: list[str]) -> Number | None:
    """The arithmetic type that some words name; None for any other type."""
    words = [word for word in words if word not in QUALIFIERS]
    if len(words) == 1 and words[0] in _NAMED:
        return _NAMED[words[0]]
    if words == ["long", "double"] or not words or not set(words) <= _INTEGER_WORDS:
        return None
    bits = 64 if "long" in words else 16 if "short" in words else 8 if "char" in words else 32
    return Number(0, bits, "unsigned" in words)


def converted(number: Number, kind: Number) -> Number:
    """A number as a type; Unknown where the type does not hold it."""
    if kind.bits == 1:
        return kind._replace(value=int(number.value != 0))
    if kind.bits:
        return _checked(int(number.value), kind) if math.isfinite(number.value) else _fail()
    return _floating(float(number.value), kind.single)


def _fail() -> Number:
    raise Unknown


def _checked(value: int, kind: Number) -> Number:
    low, high = (0, 2**kind.bits) if kind.unsigned else (-(2 ** (kind.bits - 1)), 2 ** (kind.bits - 1))
    return kind._replace(value=value) if low <= value < high else _fail()


def _floating(value: float, single: bool) -> Number:
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
            value = int(digits, base)
        except ValueError:
            raise Unknown from None
        unsigned = "u" in suffix
        bits = 64 if "l" in suffix or "z" in suffix or value >= 2 ** (31 + (unsigned or base != 10)) else 32
        return _checked(value, Number(0, bits, unsigned or value >= 2 ** (bits - 1)))
    floating = _FLOAT.fullmatch(text)
    if not floating or len(text) > 40:
        raise Unknown
    return _floating(float(floating.group(1)), floating.group(2) in ("f", "F"))


def _common(a: Number, b: Number) -> Number:
    """The type of an arithmetic operation on two numbers."""
    if not a.bits or not b.bits:
        return Number(0.0, 0, False, all(item.bits or item.single for item in (a, b)))
    bits = max(a.bits, b.bits, 32)
    return Number(0, bits, any(item.unsigned and item.bits == bits for item in (a, b)))


def operate(sign: str, a: Number, b: Number) -> Number:
    """A binary operation."""
    kind = _common(a, b)
    if sign in ("<<", ">>"):
        if not a.bits or not b.bits or not 0 <= b.value < max(a.bits, 32):
            raise Unknown
        left = converted(a, Number(0, max(a.bits, 32), a.unsigned and a.bits >= 32))
        return _checked(int(left.value) << int(b.value) if sign == "<<" else int(left.value) >> int(b.value), left)
    left, right = converted(a, kind), converted(b, kind)
    x, y = left.value, right.value
    if sign in _COMPARE:
        return Number(int(_COMPARE[sign](x, y)))
    if not kind.bits:
        if sign not in "+-*/" or (sign == "/" and y == 0):
            raise Unknown
        return _floating({"+": x + y, "-": x - y, "*": x * y}.get(sign, 0.0) if sign != "/" else x / y, kind.single)
    return _checked(_integers(sign, int(x), int(y)), kind)


_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "==": lambda x, y: x == y, "!=": lambda x, y: x != y, "<": lambda x, y: x < y, "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y, ">=": lambda x, y: x >= y, "&&": lambda x, y: bool(x and y), "||": lambda x, y: bool(x or y),
}


def _integers(sign: str, x: int, y: int) -> int:
    if sign in "/%":
        if y == 0:
            raise Unknown
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        return quotient if sign == "/" else x - quotient * y
    return {"+": x + y, "-": x - y, "*": x * y, "&": x & y, "|": x | y, "^": x ^ y}[sign]


def size_of(words: list[str]) -> int:
    """`sizeof` of a type."""
    if words and words[-1] == "*":
        return 8
    kind = type_of(words)
    plain = [word for word in words if word not in QUALIFIERS]
    if kind:
        return max(kind.bits // 8, 1) if kind.bits else 4 if kind.single else 8
    if len(plain) == 1:
        vector = _VECTOR.fullmatch(plain[0])
        if plain[0] in _SIZES:
            return _SIZES[plain[0]]
        if vector:
            return _SIZES[vector.group(1)] * int(vector.group(2))
    raise Unknown


class Expression:
    """Reads one expression from tokens [begin, end) of a file. `lookup` gives the value of the name at an index."""

    def __init__(self, tokens: list[str], begin: int, end: int, lookup: Callable[[int], Value]) -> None:
        if end - begin > MAX_TOKENS:
            raise Unknown
        self.tokens = tokens
        self.at = begin
        self.end = end
        self.lookup = lookup
        self.depth = 0

    @property
    def here(self) -> str:
        return self.tokens[self.at] if self.at < self.end else ""

    def take(self, expected: str = "") -> str:
        token = self.here
        if not token or (expected and token != expected):
            raise Unknown
        self.at += 1
        return token

    def whole(self) -> Value:
        """The value of all tokens."""
        value = self.value()
        if self.here:
            raise Unknown
        return value

    def value(self) -> Value:
        """A number, or the sizes that `dim3(…)`, `{…}` or a name stand for."""
        token = self.here
        braces = token == "{"
        if braces or (token == "dim3" and self.at + 1 < self.end and self.tokens[self.at + 1] in ("(", "{")):
            self.at += 0 if braces else 1
            return self.sizes()
        return self.expression(0)

    def sizes(self) -> Sizes:
        """Up to three sizes in brackets; one that is unknown is None."""
        closing = ")" if self.take() == "(" else "}"
        found: list[int | None] = []
        while self.here != closing and len(found) < 3:
            begin = self.at
            try:
                found.append(positive(self.expression(0)))
                if self.here not in (",", closing):
                    raise Unknown
            except Unknown:
                self.at = begin
                self.skip(closing)
                found.append(None) if len(found) < 3 else None
            if self.here == ",":
                self.take()
        self.take(closing)
        x, y, z = [*found, 1, 1, 1][:3]
        return x, y, z

    def skip(self, closing: str) -> None:
        """Past one argument."""
        depth = 0
        while self.here and not (depth == 0 and self.here in (",", closing)):
            depth += (self.here in "([{") - (self.here in ")]}")
            self.at += 1

    def number(self, level: int) -> Number:
        value = self.expression(level)
        if not isinstance(value, Number):
            raise Unknown
        return value

    def expression(self, level: int) -> Value:
        """An expression whose operators bind at least as tightly as `level`; 0 takes `?:` too."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise Unknown
        left = self.unary()
        while (strength := _PRECEDENCE.get(self.here, 0)) >= max(level, 1):
            sign = self.take()
            right = self.number(strength + 1)
            if not isinstance(left, Number):
                raise Unknown
            left = operate(sign, left, right)
        if level == 0 and self.here == "?":
            self.take()
            first = self.expression(0)
            self.take(":")
            second = self.expression(0)
            if not isinstance(left, Number):
                raise Unknown
            left = first if left.value else second
        self.depth -= 1
        return left

    def unary(self) -> Value:
        sign = self.here
        if sign not in ("-", "+", "!", "~"):
            return self.primary()
        self.take()
        value = self.number(11)
        if sign == "!":
            return Number(int(not value.value))
        if sign == "~":
            return _checked(~int(value.value), value) if value.bits and not value.unsigned else _fail()
        if not value.bits:
            return value._replace(value=-value.value if sign == "-" else value.value)
        return operate(sign, Number(0), value)

    def type_until(self, closing: str) -> list[str] | None:
        """The words up to a closing bracket when they name a type; the position then is behind it."""
        at = self.at
        while at < self.end and (self.tokens[at] in TYPE_WORDS or self.tokens[at] in QUALIFIERS):
            at += 1
        if at == self.at or at >= self.end or self.tokens[at] != closing:
            return None
        words, self.at = self.tokens[self.at : at], at + 1
        return words

    def cast(self, words: list[str], level: int) -> Number:
        kind = type_of(words)
        return converted(self.number(level), kind) if kind else _fail()

    def primary(self) -> Value:
        token = self.take()
        if token == "(":
            words = self.type_until(")")
            if words:
                return self.cast(words, 11)
            value = self.expression(0)
            self.take(")")
            return value
        if token[0].isdigit() or token[0] == ".":
            return literal(token)
        if token in ("true", "false"):
            return Number(int(token == "true"), 1, True)
        if token == "static_cast" and self.take("<"):
            words = self.type_until(">") or []
            self.take("(")
            made = self.cast(words, 0)
            self.take(")")
            return made
        return self.named(token)

    def named(self, token: str) -> Value:
        if token == "std" and self.here == "::":
            self.take()
            token = self.take()
            if self.here == "<":
                self.take()
                kind = type_of(self.type_until(">") or [])
                return self.call(token, kind)
        if self.here == "(" and token in TYPE_WORDS:
            self.take()
            value = self.cast([token], 0)
            self.take(")")
            return value
        if self.here == "(":
            return self.call(token, None)
        at = self.at - 1
        found = self.lookup(at)
        if self.here == "." and not isinstance(found, Number):
            self.take()
            part = self.take()
            size = found["xyz".index(part)] if part in ("x", "y", "z") else None
            return Number(size, 32, True) if size is not None else _fail()
        return found

    def call(self, name: str, kind: Number | None) -> Value:
        """`sizeof`, `min`, `max`, `ceil`, `floor` of known values."""
        self.take("(")
        if name == "sizeof":
            begin = self.at
            self.skip(")")
            value = Number(size_of(self.tokens[begin : self.at]), 64, True)
            self.take(")")
            return value
        args = [self.number(0)]
        while self.here == ",":
            self.take()
            args.append(self.number(0))
        self.take(")")
        if kind:
            args = [converted(arg, kind) for arg in args]
        if name in ("ceil", "ceilf", "floor", "floorf") and len(args) == 1:
            round_to = math.ceil if name.startswith("ceil") else math.floor
            return _floating(float(round_to(args[0].value)), name.endswith("f") or args[0].single)
        if name in ("min", "max") and len(args) == 2:
            common = _common(*args)
            return converted((min if name == "min" else max)(args, key=lambda arg: arg.value), common)
        raise Unknown


def positive(value: Value) -> int | None:
    """A size of a launch: a whole number of at least one, below 2^32."""
    if not isinstance(value, Number):
        return None
    whole = int(value.value)
    return whole if 0 < whole < 2**32 else None
