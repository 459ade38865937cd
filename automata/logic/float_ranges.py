"""Between which numbers the value of a float lies, whatever is in memory.

`(int)(fminf(fmaxf(x, 0.f), 1.f) * 255.f)` lies between 0 and 255, and `(int)floorf(8.f * (x - floorf(x)))` between 0 and 8.
A term is followed down to what nobody knows (memory, parameters), which is any number, an infinity, or NaN. Going up, a bound is
an exact fraction. Rounding to nearest keeps the order of numbers: a bound that the type holds stays a bound of what is rounded,
any other is moved outwards by more than one step of the type, and so subnormal numbers that a device flushes to zero lie within.
Functions of the library are as near as `_SLACK` says.

A sum may be fused with a product in it (C's contraction): the product is not rounded there, but where a test or `floor` takes it
it is. So what a test says of a product holds in a sum up to a step of the type (`_addend`), and `x - floor(x)` may leave 0 to 1
by the rounding of an `x` that may be a product (`_products`), which is much where `x` is large.

What becomes an integer is cut towards zero, is the nearest one of its type where it fits none, and NaN is what `nan_as` says.
OpenCL leaves both to the device, unless a conversion is said to saturate: there such a float becomes any number of the type.
(Moore, Interval Analysis, 1966; Goldberg, What every computer scientist should know about floating-point arithmetic, 1991.)
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from automata.logic import terms as T
from automata.logic.dyadic import format_of
from automata.logic.terms import Owner, Term, Version, constant_value
from automata.scalar import Kind, Scalar, nan_as

DEEPEST = 16
"""So deep the operations of floats are followed."""
_SATURATING = 32
"""Bits of the integers that a device's conversion saturates to; narrower ones are cut off from those."""
_LARGEST_DIVISOR = 1 << 126
"""By more a fast quotient is 0."""
_SLACK = Fraction(1, 1 << 10)
"""How far a function's value may lie outside of the range that its real values have, relative to it."""
Bound = Fraction | float
"""A fraction, or an infinity."""
INFINITE: Final = math.inf
Told = tuple[tuple[Term, bool], ...]
"""Comparisons, and whether they hold."""
_MOST_TOLD, _SHALLOW = 4, 4
"""The innermost tests that count, and how deep what they compare with is followed."""


@dataclass(frozen=True, slots=True)
class Range:
    """`low` to `high`, both included. `may_be_nan`: or NaN."""

    low: Bound = -INFINITE
    high: Bound = INFINITE
    may_be_nan: bool = True

    @property
    def may_be_infinite(self) -> bool:
        return self.low == -INFINITE or self.high == INFINITE

    def is_cut_to(self, target: Scalar) -> bool:
        """Whether an integer type has all that it becomes by cutting off its fraction."""
        return not self.may_be_nan and all(isinstance(bound, Fraction) and target.low <= math.trunc(bound) <= target.high
                                           for bound in (self.low, self.high))


ANYTHING: Final = Range()


@dataclass(frozen=True, slots=True)
class FloatRanges:
    """Reads ranges. `integer`: the least and the greatest value of an integer term. `saturates`: so a plain cast does."""

    integer: Callable[[Term], tuple[int, int]]
    saturates: bool = True
    known: dict[tuple[Term, int, Told], Range] = field(default_factory=dict)

    def whole(self, term: Term, target: Scalar, by: str = "cast") -> tuple[int, int]:
        """The least and the greatest integer that a float becomes, by a cast or by a function that makes integers."""
        found, named = self.of(term), _NAMED.fullmatch(by)
        if by == "cast" and not self.saturates and not found.is_cut_to(target):
            return target.low, target.high
        cut = _CUTS.get(named[1] if named else by)
        low, high = (_whole(bound, target, cut or math.trunc) for bound in (found.low, found.high))
        nothing = nan_as(term.type, target) if found.may_be_nan else low
        is_open = target.bits < _SATURATING and (_leaves(found.low, target) or _leaves(found.high, target))
        return (target.low, target.high) if cut is None or is_open else (min(low, nothing), max(high, nothing))

    def of(self, term: Term, depth: int = DEEPEST, told: Told = ()) -> Range:
        """The range of a float term, where tests of choices around it say something."""
        if not depth or not term.type.is_float:
            return ANYTHING
        key = term, depth, told
        if key not in self.known:
            found = self._of(term, depth, told)
            for test, holds in told:
                found = self._told(found, term, test, holds)
            self.known[key] = found
        return self.known[key]

    def _of(self, term: Term, depth: int, told: Told) -> Range:
        match term.op:
            case "const":
                return _constant(term)
            case "cast":
                return self._cast(term, depth - 1, told)
            case "neg":
                return _negated(self.of(term.args[0], depth - 1, told))
            case "+" | "-" | "*" | "/":
                return self._operation(term, depth - 1, told)
            case "ite":
                return _either(*(self.of(term.args[number], depth - 1, self._with(told, term.args[0], number == 1))
                                 for number in (1, 2)))
            case "call":
                return self._call(term, depth - 1, told)
        return ANYTHING

    def _with(self, told: Told, test: Term, holds: bool) -> Told:
        """What is told besides where a test holds, or does not."""
        if test.op == "!":
            test, holds = test.args[0], not holds
        is_comparison = test.op in ("<", "<=") and test.args[0].type.is_float
        return (*told[1 - _MOST_TOLD:], (test, holds)) if is_comparison else told

    def _told(self, found: Range, term: Term, test: Term, holds: bool) -> Range:
        """A range under a comparison of its term with another one. A test that fails says nothing of NaN."""
        left, right = map(_widened, test.args)
        if term is not left and term is not right:
            return found
        other = self.of(right if term is left else left, _SHALLOW)
        if other.may_be_nan and not holds:
            return found
        within = _below(found, other.high) if (term is left) is holds else _above(found, other.low)
        return replace(within, may_be_nan=found.may_be_nan and not holds)

    def _cast(self, term: Term, depth: int, told: Told) -> Range:
        arg = term.args[0]
        if arg.type.is_int:
            low, high = self.integer(arg)
            return _rounded(Range(Fraction(low), Fraction(high), False), term.type)
        return _rounded(self.of(arg, depth, told), term.type) if arg.type.is_float else Range(Fraction(0), Fraction(1), False)

    def _operation(self, term: Term, depth: int, told: Told) -> Range:
        left, right = term.args
        if term.op == "-" and _is_floor_of(right, left) and (part := self._fraction(left, depth, told)) is not None:
            return part
        read = self._addend if term.op in "+-" else self.of
        one, two = read(left, depth, told), read(right, depth, told)
        match term.op:
            case "+":
                return _rounded(_sum(one, two), term.type)
            case "-":
                return _rounded(_sum(one, Range(-two.high, -two.low, two.may_be_nan)), term.type)
            case "*":
                return _rounded(_product(one, two), term.type)
        divisor = two.low
        if divisor != two.high or not isinstance(divisor, Fraction) or two.may_be_nan or not 0 < abs(divisor) <= _LARGEST_DIVISOR:
            return ANYTHING
        return _loose(_rounded(_product(one, Range(1 / divisor, 1 / divisor, False)), term.type))

    def _fraction(self, term: Term, depth: int, told: Told) -> Range | None:
        """The range of a term minus its floor; None where rounding may be as much as an infinity."""
        found, products = self.of(term, depth, told), _products(term)
        is_nan = found.may_be_nan or found.may_be_infinite
        if not products:
            return Range(Fraction(0), Fraction(1), is_nan)
        if found.may_be_infinite:
            return None
        moved = max(_step(bound, product.type) for product in products for bound in (found.low, found.high))
        return Range(-moved, 1 + moved, is_nan)

    def _addend(self, term: Term, depth: int, told: Told) -> Range:
        """The range of what is added, which is not rounded if it is a product."""
        found, products = self.of(term, depth, told), _products(term)
        if not products or (term.op == "*" and found == self.of(term, depth, ())):
            return found
        if INFINITE in (found.low, -found.high):
            return ANYTHING
        down, up = (max(_step(bound, product.type) for product in products) for bound in (found.low, found.high))
        return Range(found.low - down, found.high + up, found.may_be_nan)

    def _call(self, term: Term, depth: int, told: Told) -> Range:
        name = term.data
        if not isinstance(name, str) or not term.args or not all(arg.type.is_float for arg in term.args):
            return ANYTHING
        args = [self.of(arg, depth, told) for arg in term.args]
        if name in _STEPS and len(args) == 1:
            step = _STEPS[name]
            low, high = (bound if isinstance(bound, float) else Fraction(step(bound)) for bound in (args[0].low, args[0].high))
            return Range(low, high, args[0].may_be_nan)
        if name in ("fmin", "fmax") and len(args) == 2:
            return _least(*args) if name == "fmin" else _negated(_least(*map(_negated, args)))
        if name == "fabs" and len(args) == 1:
            return _size(args[0])
        if name == "saturate":
            return Range(Fraction(0), Fraction(1), False)
        if name == "sqrt" and not args[0].may_be_nan and args[0].low >= 0:
            return _loose(Range(_root(args[0].low) if args[0].low > _SMALL else Fraction(0), _root(args[0].high) + _ROOTS, False))
        if name in _VALUES:
            low, high = _VALUES[name]
            return _loose(Range(low, high))
        return ANYTHING


_STEPS: Final[dict[str, Callable[[Fraction], int]]] = {
    "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "rint": round, "nearbyint": round,
    "round": lambda value: math.floor(abs(value) + Fraction(1, 2)) * (1 if value >= 0 else -1)}
"""Functions that make floats whole and keep their order."""
_CUTS: Final[dict[str, Callable[[Fraction], int]]] = {
    "cast": math.trunc, "saturated": math.trunc, "lrint": round, "lround": _STEPS["round"],
    "rn": round, "rz": math.trunc, "rd": math.floor, "ru": math.ceil}
"""Functions that make integers, or how their names say that they round."""
_NAMED: Final = re.compile(r"(?:float|double|half)2(?:u?int|u?ll|u?short)_(r[nzdu])")
_PI = Fraction(355, 113)
"""More than π."""
_VALUES: Final[dict[str, tuple[Bound, Bound]]] = {
    "sin": (Fraction(-1), Fraction(1)), "cos": (Fraction(-1), Fraction(1)), "sinpi": (Fraction(-1), Fraction(1)),
    "cospi": (Fraction(-1), Fraction(1)), "tanh": (Fraction(-1), Fraction(1)), "erf": (Fraction(-1), Fraction(1)),
    "normcdf": (Fraction(0), Fraction(1)), "atan": (-_PI / 2, _PI / 2), "asin": (-_PI / 2, _PI / 2), "acos": (Fraction(0), _PI),
    "atan2": (-_PI, _PI), "exp": (Fraction(0), INFINITE), "exp2": (Fraction(0), INFINITE), "exp10": (Fraction(0), INFINITE),
    "sqrt": (Fraction(0), INFINITE), "hypot": (Fraction(0), INFINITE)}
"""Values of functions of the library, or NaN."""


_ROOTS = Fraction(1, 1 << 64)
"""A step between bounds of roots."""
_SMALL = Fraction(1, 1 << 64)
"""Less may be flushed to zero."""


def _root(bound: Bound) -> Bound:
    """A number of which the root is not less, and less by no more than a step."""
    return bound if isinstance(bound, float) else math.isqrt(math.floor(bound / _ROOTS**2)) * _ROOTS


def span(term: Term, integer: Callable[[Term], tuple[int, int]], saturates: bool) -> tuple[int, int]:
    """The least and the greatest value of an integer term of which nothing else is known. `integer`: of other integer terms;
    `saturates`: so a plain cast does."""
    is_made = term.op == "cast" or (term.op == "call" and isinstance(term.data, str))
    if is_made and len(term.args) == 1 and term.args[0].type.is_float and term.type.kind is not Kind.BOOL:
        by = str(term.data) if term.op == "call" else "cast"
        return FloatRanges(integer, saturates).whole(term.args[0], term.type, by)
    return term.type.low, term.type.high


def _whole(bound: Bound, target: Scalar, cut: Callable[[Fraction], int]) -> int:
    if isinstance(bound, float):
        return target.high if bound > 0 else target.low
    return min(max(cut(bound), target.low), target.high)


def _leaves(bound: Bound, target: Scalar) -> bool:
    return isinstance(bound, float) or not target.low < bound < target.high


def _constant(term: Term) -> Range:
    value = constant_value(term)
    if value is None or math.isnan(value):
        return ANYTHING
    bound = float(value) if math.isinf(value) else Fraction(value)
    return _rounded(Range(bound, bound, False), term.type)


def _widened(term: Term) -> Term:
    """What a float was before it was made wider, which changes nothing."""
    while term.op == "cast" and term.args[0].type.is_float and term.args[0].type.bits < term.type.bits:
        term = term.args[0]
    return term


def _is_floor_of(term: Term, of: Term) -> bool:
    """Whether a term is the floor of another one of its type."""
    return term.op == "call" and term.data == "floor" and term.args == (of,) and term.type is of.type


def _products(term: Term) -> list[Term]:
    """What a term may be, bit by bit, that a compiler may fuse with a sum: products, and what may hold one that is not seen."""
    found, todo, seen = list[Term](), [term], set[Term]()
    while todo:
        part = todo.pop()
        if part in seen or not part.type.is_float:
            continue
        seen.add(part)
        match part.op:
            case "ite" | "neg" | "cast":
                todo += part.args
            case "+" | "-":
                todo += part.args if any(constant_value(arg) == 0 for arg in part.args) else ()
            case "call" if part.data == "fabs":
                todo += part.args
            case _ if not _is_as_rounded(part):
                found.append(part)
    return found


def _is_as_rounded(term: Term) -> bool:
    """Whether a term has no rounding that fusing could leave out: an argument, what nobody writes, an exact function, a share."""
    match term.op:
        case "const":
            return True
        case "sym":
            return not T.symbol_of(term).owner.value
        case "read":
            return isinstance(term.data, Version) and term.data.owner is Owner.LAUNCH
        case "call":
            return term.data in _STEPS or term.data in ("fmin", "fmax", "saturate")
        case "*":
            return any(_is_share(arg) for arg in term.args)
        case "/":
            by = constant_value(term.args[1])
            return not by or abs(by) >= 1 or not _is_power_of_two(by)
    return False


def _is_share(term: Term) -> bool:
    """Whether a term is a power of two that makes nothing larger: a product with it is exact as long as it is no subnormal."""
    value = constant_value(term)
    return value is not None and abs(value) <= 1 and _is_power_of_two(value)


def _is_power_of_two(value: float) -> bool:
    """Whether a number is one but for its sign."""
    return abs(math.frexp(value)[0]) == 0.5


def _step(bound: Bound, kind: Scalar) -> Fraction:
    """More than what rounding to a type moves a number that is no larger; an infinity stays where it is."""
    bits, smallest = format_of(kind)
    return Fraction(0) if isinstance(bound, float) else abs(bound) / (1 << (bits - 2)) + Fraction(1, 1 << smallest)


def _rounded(found: Range, kind: Scalar) -> Range:
    """Where the nearest numbers of a type lie; a small number may become 0."""
    bits, smallest = format_of(kind)
    tiny = Fraction(1, 1 << smallest)

    def moved(bound: Bound, sign: int) -> Bound:
        if isinstance(bound, float):
            return bound
        nearest = kind.nearest(bound)
        if abs(bound) < tiny:
            return Fraction(0) if bound * sign <= 0 else sign * tiny
        if math.isfinite(nearest) and Fraction(nearest) == bound:
            return bound
        outside = bound + sign * abs(bound) / (1 << (bits - 2))
        return outside if math.isfinite(kind.nearest(outside)) else sign * INFINITE if outside * sign > 0 else outside

    return Range(moved(found.low, -1), moved(found.high, 1), found.may_be_nan)


def _loose(found: Range) -> Range:
    """A little more."""
    low, high = found.low, found.high
    if isinstance(low, Fraction):
        low -= abs(low) * _SLACK
    if isinstance(high, Fraction):
        high += abs(high) * _SLACK
    return Range(low, high, found.may_be_nan)


def _sum(one: Range, two: Range) -> Range:
    clash = (one.low == -INFINITE and two.high == INFINITE) or (one.high == INFINITE and two.low == -INFINITE)
    low = -INFINITE if -INFINITE in (one.low, two.low) else one.low + two.low
    high = INFINITE if INFINITE in (one.high, two.high) else one.high + two.high
    return Range(low, high, one.may_be_nan or two.may_be_nan or clash)


def _product(one: Range, two: Range) -> Range:
    corners = [_times(left, right) for left in (one.low, one.high) for right in (two.low, two.high)]
    clash = any(part.may_be_infinite and other.low <= 0 <= other.high for part, other in ((one, two), (two, one)))
    return Range(min(corners), max(corners), one.may_be_nan or two.may_be_nan or clash)


def _times(left: Bound, right: Bound) -> Bound:
    """A corner of a product; where 0 meets an infinity it is what numbers come near to."""
    if not left or not right:
        return Fraction(0)
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left * right
    return INFINITE if (left > 0) is (right > 0) else -INFINITE


def _either(one: Range, two: Range) -> Range:
    return Range(min(one.low, two.low), max(one.high, two.high), one.may_be_nan or two.may_be_nan)


def _below(found: Range, most: Bound) -> Range:
    """What of a range is not more; the range where nothing would be left."""
    return replace(found, high=min(found.high, most)) if found.low <= most else found


def _above(found: Range, least: Bound) -> Range:
    return replace(found, low=max(found.low, least)) if found.high >= least else found


def _negated(found: Range) -> Range:
    return Range(-found.high, -found.low, found.may_be_nan)


def _least(one: Range, two: Range) -> Range:
    """Of the lesser of two, which is the other one where one is NaN."""
    high: Bound = min(one.high, two.high)
    if one.may_be_nan:
        high = max(high, two.high)
    if two.may_be_nan:
        high = max(high, one.high)
    return Range(min(one.low, two.low), high, one.may_be_nan and two.may_be_nan)


def _size(found: Range) -> Range:
    if found.low <= 0 <= found.high:
        return Range(Fraction(0), max(-found.low, found.high), found.may_be_nan)
    return found if found.low > 0 else _negated(found)


__all__ = ["FloatRanges", "Range", "span"]
