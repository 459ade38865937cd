"""Integers by their digits of four bits: what is known of each, how operations move and join them, which expression a run is.

A digit is a number, or four bits of an expression that is no wider than 16 bits (`Digit`), or what fills up behind a sign
(`Filled`), or nothing is known of it (None). Lowest first. `packets` says what they are for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from automata.lang.core import Binary, Cast, Const, Expr, Load
from automata.lang.traverse import within
from automata.scalar import I8, I16, I32, U8, U16, U32, U64, Scalar

BITS = 4
"""Of a digit."""
WIDEST = 16
"""Bits of an expression that has digits of its own: a wider one is put together, or nothing is known of it."""
SIGNED, UNSIGNED = {8: I8, 16: I16}, {8: U8, 16: U16, 32: U32, 64: U64}


@dataclass(frozen=True, slots=True)
class Digit:
    """Four bits of an unsigned expression, from bit `at` on."""

    of: Expr
    at: int

    @property
    def is_last(self) -> bool:
        return self.at + BITS == self.of.type.bits


@dataclass(frozen=True, slots=True)
class Filled:
    """Four bits that are all what the highest bit of a digit is."""

    like: Digit


Known = int | Digit | Filled | None
Digits = tuple[Known, ...]


def taken_apart(digits: Digits, parts: Sequence[Scalar], whole: Expr) -> list[Expr] | None:
    """The parts of an integer, lowest first, if all are known and what it reads is read by them."""
    width = parts[0].bits // BITS
    values = [run_of(digits[at:at + width], kind) for at, kind in zip(range(0, len(digits), width), parts, strict=True)]
    found = [value for value in values if value is not None]
    return found if len(found) == len(parts) and loads_of(found) == loads_of([whole]) else None


def loads_of(exprs: Iterable[Expr]) -> set[Load]:
    """What is read: nothing of it may be lost, for it may be what another thread writes."""
    return {part for expr in exprs for part in within(expr) if isinstance(part, Load)}


def own_digits(expr: Expr) -> Digits:
    """The digits of an expression that is one part."""
    whole = Cast(expr, UNSIGNED[expr.type.bits], expr.place) if expr.type.signed else expr
    return tuple(Digit(whole, at) for at in range(0, expr.type.bits, BITS))


def filled_behind(digits: Digits, signed: bool) -> Known:
    """What comes behind the highest digit where a number is made wider, or moved down."""
    last = digits[-1]
    if not signed:
        return 0
    if isinstance(last, int):
        return 15 if last & 8 else 0
    return Filled(last) if isinstance(last, Digit) else last


def moved_by(digits: Digits, by: int, signed: bool) -> Digits:
    """Digits moved up, or down."""
    return (*(0,) * by, *digits)[:len(digits)] if by >= 0 else (*digits[-by:], *(filled_behind(digits, signed),) * -by)


def joined_digits(op: str, one: Digits, two: Digits) -> Digits:
    found = tuple(both_digits(op, *pair) for pair in zip(one, two, strict=True))
    return (None,) * len(found) if op == "+" and None in found else found


def both_digits(op: str, one: Known, two: Known) -> Known:
    """One digit of a sum without carry, or of a bitwise operation."""
    if isinstance(one, int) and isinstance(two, int):
        return {"&": one & two, "|": one | two, "^": one ^ two, "+": one + two if not (one and two) else None}[op]
    for mine, other in ((one, two), (two, one)):
        if mine == (15 if op == "&" else 0):
            return other
        if mine == 0:
            return 0
    return None


def part_width(digits: Digits) -> int:
    """How many bits the parts of a packet have, which has two at least; 0 where it is none."""
    whole = {digit.of for digit in digits if isinstance(digit, Digit)}
    if len(whole) < 2 or None in digits or any(isinstance(digit, Filled) for digit in digits):
        return 0
    return min(part.type.bits for part in whole)


def are_whole_parts(digits: Digits, width: int) -> bool:
    """Whether each part of so many bits is known, and one expression or a number; of bytes, a part of one will do."""
    if None in digits:
        return False
    parts = [digits[at:at + width // BITS] for at in range(0, len(digits), width // BITS)]
    return width == 8 or all(part == own_digits(part[0].of) if isinstance(part[0], Digit) else set(part) == {0}
                             for part in parts)


def run_of(digits: Digits, kind: Scalar) -> Expr | None:
    """The expression that digits of one expression are, a run of them with zeros or a sign behind; None if they are not."""
    first = digits[0]
    if all(isinstance(digit, int) for digit in digits):
        return Const(kind.wrap(sum(int(digit) << BITS * at for at, digit in enumerate(digits) if isinstance(digit, int))), kind)
    if not isinstance(first, Digit):
        return None
    long = 1
    while long < len(digits) and digits[long] == Digit(first.of, first.at + BITS * long):
        long += 1
    rest, last = digits[long:], Digit(first.of, first.at + BITS * (long - 1))
    if rest and all(digit == Filled(last) for digit in rest):
        return _signed(first, last, kind)
    return _masked(first, last, kind) if all(digit == 0 for digit in rest) else None


def _masked(first: Digit, last: Digit, kind: Scalar) -> Expr:
    """Bits of an expression, with zeros behind."""
    if first.at == 0 and last.is_last:
        return as_kind(first.of, kind)
    value = as_kind(first.of, I32)
    if first.at:
        value = Binary(">>", value, Const(first.at, I32), I32, first.of.place)
    if not last.is_last:
        value = Binary("&", value, Const((1 << last.at + BITS - first.at) - 1, I32), I32, first.of.place)
    return as_kind(value, kind)


def _signed(first: Digit, last: Digit, kind: Scalar) -> Expr:
    """Bits of an expression, with the highest of them behind."""
    above = first.of.type.bits - last.at - BITS
    value: Expr = as_kind(as_kind(first.of, SIGNED[first.of.type.bits]), I32)
    if above:
        left = I32.bits - last.at - BITS
        value = Binary("<<", value, Const(left, I32), I32, first.of.place)
        return as_kind(Binary(">>", value, Const(left + first.at, I32), I32, first.of.place), kind)
    return as_kind(Binary(">>", value, Const(first.at, I32), I32, first.of.place) if first.at else value, kind)


def as_kind(expr: Expr, kind: Scalar) -> Expr:
    """A conversion, without one to the same number of bits that it takes back."""
    if isinstance(expr, Cast) and expr.arg.type == kind and expr.type.bits == kind.bits:
        return expr.arg
    return expr if expr.type == kind else Cast(expr, kind, expr.place)
