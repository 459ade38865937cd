"""The value of an `#if` expression, in 64-bit arithmetic as the C standard (6.10.1) says.

Operands that are not evaluated (`0 && 1/0`) cannot fail. Nesting is bounded, so no input exhausts the stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable

MAX_NESTING = 100
MAX_OPERANDS = 100_000

PRECEDENCE = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
               "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlLzZ]*)")
_SIGNS = {"not": "!", "and": "&&", "or": "||", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~", "not_eq": "!="}
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11}


class ConditionError(Exception):
    """The expression has no value; the text says why."""


Value = tuple[int, bool]
"""An integer of 64 bits and whether it is unsigned."""


def evaluate(tokens: list[str]) -> bool:
    """Whether an expression whose macros are expanded is true. Names that are left count as 0."""
    return value_of(tokens) != 0


def value_of(tokens: list[str]) -> int:
    """The value of such an expression."""
    if not tokens:
        raise ConditionError("the expression is empty")
    if len(tokens) > MAX_OPERANDS:
        raise ConditionError(f"the expression has more than {MAX_OPERANDS} tokens")
    reader = _Reader(tokens)
    value = reader.expression(0)
    if reader.here:
        raise ConditionError(f"'{reader.here}' is not expected here")
    return value[0]


def decisive(tokens: list[str], truth: Callable[[list[str]], bool | None]) -> slice:
    """The part of an expression, not yet expanded, that decides it alone: of `a && b` an operand that is certainly false, of
    `a || b` one that is certainly true, whatever the others ask about; else all of it.

    `truth`: of an operand, None where it is not certain.
    """
    found = [_SIGNS.get(token, token) for token in tokens]
    depth, outer = 0, dict[int, str]()
    for at, token in enumerate(found):
        depth += (token == "(") - (token == ")")
        if depth == 0 and token in ("&&", "||", "?", ","):
            outer[at] = token
    for operator, verdict in (("&&", False), ("||", True)):
        if outer and set(outer.values()) == {operator}:
            begins, ends = [0, *(at + 1 for at in outer)], [*outer, len(found)]
            for begin, end in zip(begins, ends, strict=True):
                if truth(found[begin:end]) is verdict:
                    return slice(begin, end)
    return slice(0, len(tokens))


def _wrap(value: int, unsigned: bool) -> Value:
    low = value & (2**64 - 1)
    return (low if unsigned or low < 2**63 else low - 2**64), unsigned


class _Reader:
    """Precedence climbing. `live`: whether what is read now is evaluated."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = [*(_SIGNS.get(token, token) for token in tokens), ""]
        self.at = 0
        self.depth = 0
        self.live = True

    @property
    def here(self) -> str:
        return self.tokens[self.at]

    def take(self, expected: str = "") -> str:
        found = self.here
        if not found or (expected and found != expected):
            raise ConditionError(f"'{expected or 'an operand'}' is missing" + (f" before '{found}'" if found else " at the end"))
        self.at += 1
        return found

    def expression(self, level: int) -> Value:
        """An expression whose operators bind at least as tightly as `level`; 0 takes `?:` too."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise ConditionError(f"the expression nests more than {MAX_NESTING} deep")
        left = self.operand()
        while (strength := PRECEDENCE.get(self.here, 0)) and strength >= max(level, 1):
            left = self.binary(self.take(), strength, left)
        if level == 0 and self.here == "?":
            left = self.choice(left)
        self.depth -= 1
        return left

    def branch(self, level: int, live: bool) -> Value:
        before = self.live
        self.live = before and live
        value = self.expression(level)
        self.live = before
        return value

    def choice(self, condition: Value) -> Value:
        self.take("?")
        first = self.branch(0, condition[0] != 0)
        self.take(":")
        second = self.branch(0, condition[0] == 0)
        return _wrap((first if condition[0] else second)[0], first[1] or second[1])

    def binary(self, sign: str, strength: int, left: Value) -> Value:
        if sign in ("&&", "||"):
            needed = (left[0] != 0) == (sign == "&&")
            right = self.branch(strength + 1, needed)
            return int(right[0] != 0 if needed else sign == "||"), False
        right = self.branch(strength + 1, True)
        unsigned = left[1] or right[1]
        a, b = _wrap(left[0], unsigned)[0], _wrap(right[0], unsigned)[0]
        if strength in (6, 7):
            return int({"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign]), False
        if sign in ("<<", ">>"):
            count = min(max(right[0], 0), 64)
            return _wrap(left[0] << count if sign == "<<" else left[0] >> count, left[1])
        return _wrap(self.arithmetic(sign, a, b), unsigned)

    def arithmetic(self, sign: str, a: int, b: int) -> int:
        if sign in "/%":
            if b == 0:
                if self.live:
                    raise ConditionError("division by zero")
                return 0
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if sign == "/" else a - quotient * b
        return {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[sign]

    def operand(self) -> Value:
        signs = []
        while self.here in ("!", "~", "-", "+"):
            signs.append(self.take())
        value = self.primary()
        for sign in reversed(signs):
            if sign == "!":
                value = (int(value[0] == 0), False)
            elif sign != "+":
                value = _wrap(-value[0] if sign == "-" else ~value[0], value[1])
        return value

    def primary(self) -> Value:
        token = self.take()
        if token == "(":
            value = self.branch(0, True)
            self.take(")")
            return value
        if token[0].isalpha() or token[0] in "_$":
            if token[-1] == "'":
                return _character(token), False
            return self.name(token)
        if token[0] == "'":
            return _character(token), False
        number = _NUMBER.fullmatch(token.replace("'", ""))
        if not number:
            raise ConditionError(f"'{token[:40]}' is not an integer")
        return _integer(number.group(1), "u" in number.group(2).lower())

    def name(self, token: str) -> Value:
        """A name that is no macro: 0, `true` is 1, and so is a call of an unknown function 0."""
        if self.here == "(":
            depth = 0
            while True:
                sign = self.take()
                depth += (sign == "(") - (sign == ")")
                if depth == 0:
                    break
        return int(token == "true"), False


def _integer(digits: str, unsigned: bool) -> Value:
    if len(digits) > 70:
        raise ConditionError(f"the number {digits[:20]}… is too large")
    base = {"0x": 16, "0b": 2}.get(digits[:2].lower(), 8 if digits[0] == "0" else 10)
    try:
        value = int(digits, base)
    except ValueError as error:
        raise ConditionError(f"'{digits[:40]}' is not an integer") from error
    if value >= 2**64:
        raise ConditionError(f"the number {digits[:20]} is too large")
    return _wrap(value, unsigned or value >= 2**63)


def _character(token: str) -> int:
    """The value of `'a'` or `'\\n'`; of several characters the first."""
    inner = token[token.index("'") + 1 : -1]
    if not inner:
        raise ConditionError("a character constant is empty")
    if inner[0] != "\\":
        return _signed(ord(inner[0]))
    digits = re.match(r"\\x([0-9a-fA-F]{1,8})|\\([0-7]{1,3})", inner)
    if digits:
        return _signed(int(digits.group(1), 16) if digits.group(1) else int(digits.group(2), 8))
    return _ESCAPES.get(inner[1:2], ord(inner[1:2] or "\\"))


def _signed(value: int) -> int:
    """A byte as the signed char that it is here."""
    return value - 256 if 128 <= value < 256 else value
