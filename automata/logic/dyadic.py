"""Floats that hold whole numbers over a power of two, computed without rounding.

`threadIdx.x < blockDim.x / 32.f` is decided by integers: what an integer becomes as a float, and sums, products and quotients
by powers of two of such floats, are exact as long as they fit the significand. So the value of a float term is sought as
N / 2^s with N a polynomial, |N| <= 2^p for a significand of p bits, and 2^s so small that nothing is subnormal. Every
operation on the way has to be exact; where one may round, nothing is said. Two such values are compared, and cut to whole
numbers, as integers. There is no NaN among them, and zeros of both signs are equal. (Goldberg, What every computer
scientist should know about floating-point arithmetic, 1991.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from automata.logic import poly as P
from automata.logic.atoms import Atoms
from automata.logic.poly import Formula, Poly
from automata.logic.terms import Term, constant_value
from automata.scalar import Scalar

DEEPEST = 8
"""So deep the operations of floats are followed."""
_FORMATS = {"bfloat16": (8, 126), 16: (11, 14), 32: (24, 126), 64: (53, 1022)}


def format_of(kind: Scalar) -> tuple[int, int]:
    """Bits of a float type's significand, and how small a normal number may be, as the negative of an exponent."""
    return _FORMATS.get(kind.name) or _FORMATS[kind.bits]


@dataclass(frozen=True, slots=True)
class Dyadic:
    """number / 2^shift."""

    number: Poly
    shift: int = 0

    def over(self, shift: int) -> Poly:
        """The number over a power of two that is not smaller."""
        return self.number.scale(1 << (shift - self.shift))


@dataclass(frozen=True, slots=True)
class Exactly:
    """Reads float terms exactly. `integer`: the value of an integer term; `atoms`: what is known of numbers."""

    atoms: Atoms
    integer: Callable[[Term], Poly]

    def compared(self, op: str, left: Term, right: Term) -> Formula | None:
        """`<`, `<=` or `==` of two floats as a formula over integers, if both are computed without rounding."""
        one = self.value(left)
        two = None if one is None else self.value(right)
        if one is None or two is None:
            return None
        shift = max(one.shift, two.shift)
        return {"<": P.lt, "<=": P.le, "==": P.eq}[op](one.over(shift), two.over(shift))

    def whole(self, term: Term, target: Scalar) -> Poly | None:
        """What a float becomes as an integer, if it is computed without rounding, not negative, and fits."""
        found = self.value(term)
        if found is None:
            return None
        low, high = self.atoms.interval(found.number)
        if low < 0 or not target.holds(high >> found.shift):
            return None
        return self.atoms.floor_quotient(found.number, Poly.number(1 << found.shift))

    def value(self, term: Term, depth: int = DEEPEST) -> Dyadic | None:
        """The exact value of a float term, None where it is not known to have one."""
        found = self._value(term, depth) if depth and term.type.is_float else None
        return found if found is not None and self._fits(found, term.type) else None

    def _fits(self, found: Dyadic, kind: Scalar) -> bool:
        bits, smallest = format_of(kind)
        low, high = self.atoms.interval(found.number)
        return found.shift <= smallest and -(1 << bits) <= low and high <= 1 << bits

    def _value(self, term: Term, depth: int) -> Dyadic | None:
        match term.op:
            case "const":
                return _constant(term)
            case "cast":
                arg = term.args[0]
                return Dyadic(self.integer(arg)) if arg.type.is_int else self.value(arg, depth - 1)
            case "neg":
                found = self.value(term.args[0], depth - 1)
                return None if found is None else Dyadic(found.number.scale(-1), found.shift)
            case "+" | "-" | "*" | "/":
                right = self.value(term.args[1], depth - 1)
                left = None if right is None else self.value(term.args[0], depth - 1)
                return None if left is None or right is None else _combined(term.op, left, right)
        return None


def _constant(term: Term) -> Dyadic | None:
    value = constant_value(term)
    if value is None or not math.isfinite(value):
        return None
    exact = Fraction(value)
    return Dyadic(Poly.number(exact.numerator), exact.denominator.bit_length() - 1)


def _combined(op: str, left: Dyadic, right: Dyadic) -> Dyadic | None:
    """A sum, a product with a constant, or a quotient by a power of two."""
    if op in ("+", "-"):
        shift = max(left.shift, right.shift)
        one, two = left.over(shift), right.over(shift)
        return Dyadic(one + two if op == "+" else one - two, shift)
    factor = right.number.constant
    if op == "*":
        if factor is None and left.number.constant is None:
            return None
        return Dyadic(left.number * right.number, left.shift + right.shift)
    if factor is None or factor == 0 or abs(factor) & (abs(factor) - 1):
        return None
    signed = left.number.scale(1 if factor > 0 else -1)
    return Dyadic(signed.scale(1 << right.shift), left.shift + abs(factor).bit_length() - 1)


__all__ = ["Dyadic", "Exactly", "format_of"]
