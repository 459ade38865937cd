"""Integers that a launch's arguments decide, and the types in which C computes them.

A size over arguments is a text over 64-bit integers, in which `{2}` stands for the third argument. C computes it in the types of
the operands; so with the text goes what is required for both to agree: that no step leaves its type (`{2} + 255 <= 2147483647`),
and that no conversion changes a value (`{2} >= 0`). Steps that cannot, by the ranges of the types, require nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from automata.lang.host.numbers import Number, Unknown, common, converted, limits, operate

_PRODUCT, _SUM = 12, 11
ATOM = 99
"""Of what needs no brackets."""
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Symbolic:
    """An integer over arguments. `level`: how tightly its outermost operator binds; `low`, `high`: its least and greatest value
    where what it `needs` holds."""

    text: str
    level: int
    kind: Number
    low: int
    high: int
    needs: tuple[str, ...] = ()

    def held(self, low: int, high: int) -> Symbolic:
        """The same, required to lie between two numbers."""
        text = self.text if self.level > 9 else f"({self.text})"
        needs = self.needs
        if self.low < low:
            needs += (f"{text} >= {low}",)
        if self.high > high:
            needs += (f"{text} <= {high}",)
        low, high = max(low, self.low), min(high, self.high)
        if low > high:
            raise Unknown
        return Symbolic(self.text, self.level, self.kind, low, high, tuple(dict.fromkeys(needs)))

    def within(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


Scalar = Number | Symbolic


@dataclass(frozen=True, slots=True)
class Sizes:
    """A `dim3`; None: a member that is not known."""

    parts: tuple[Scalar | None, Scalar | None, Scalar | None]


Value = Scalar | Sizes
ONE = Number(1, 32, True)
NO_SIZES = Sizes((None, None, None))


def as_kind(value: Scalar, kind: Number) -> Scalar:
    """A value as a type."""
    if isinstance(value, Number):
        return converted(value, kind)
    if kind.bits < 8:
        raise Unknown
    held = value.held(*limits(kind))
    return Symbolic(held.text, held.level, kind, held.low, held.high, held.needs)


def _lifted(value: Scalar) -> Symbolic:
    if isinstance(value, Symbolic):
        return value
    if not value.bits:
        raise Unknown
    number = int(value.value)
    text = str(number) if number >= 0 else f"({number})"
    return Symbolic(text, ATOM, value._replace(value=0), number, number)


def calculated(sign: str, a: Scalar, b: Scalar) -> Scalar:
    """A binary operation."""
    if isinstance(a, Number) and isinstance(b, Number):
        return operate(sign, a, b)
    if sign not in ("+", "-", "*", "/", "%"):
        raise Unknown
    left, right = _lifted(a), _lifted(b)
    kind = common(left.kind, right.kind)
    left, right = _lifted(as_kind(left, kind)), _lifted(as_kind(right, kind))
    if sign in "/%":
        right = right.held(1, right.high) if right.low < 1 else right
    low, high = _range(sign, left, right)
    if not -(2**63) <= low <= high < 2**63:
        raise Unknown
    level = _SUM if sign in "+-" else _PRODUCT
    text = f"{left.within(level)} {sign} {right.within(level + 1)}"
    if len(text) > _LONGEST:
        raise Unknown
    needs = tuple(dict.fromkeys(left.needs + right.needs))
    return Symbolic(text, level, kind, low, high, needs).held(*limits(kind))


def _range(sign: str, a: Symbolic, b: Symbolic) -> tuple[int, int]:
    """The least and the greatest result of an operation; a divisor is positive."""
    if sign == "%":
        most = b.high - 1
        return (max(a.low, -most) if a.low < 0 else 0), (min(a.high, most) if a.high > 0 else 0)
    compute: Callable[[int, int], int] = {
        "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y,
        "/": lambda x, y: abs(x) // y * (1 if x >= 0 else -1)}[sign]
    corners = [compute(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners)
