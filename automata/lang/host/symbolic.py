"""Integers that a launch's arguments decide, and the types in which C computes them.

A size over arguments is a text over 64-bit integers, in which `{2}` stands for the third argument. C computes it in the types of
the operands; so with the text goes what is required for both to agree: that no step leaves its type (`{2} + 255 <= 2147483647`),
and that no conversion changes a value (`{2} >= 0`). Steps that cannot, by the ranges of the types, require nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from automata.lang.host.numbers import Number, Unknown, common, converted, limits, operate

_PRODUCT, _SUM = 12, 11
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_EXACT = {True: 2**24, False: 2**53}
"""Below it floats, single or double, hold all integers, and no quotient of such integers is rounded to or past an integer."""
ATOM = 99
"""Of what needs no brackets."""
_FACTOR = 2**31
"""What the factors of a product are required not to exceed that may outgrow 64 bits."""
_LONGEST = 300
MOST_AMONG = 8
"""Numbers that tests choose between."""


class Sure(str):
    """A need without which the program has no meaning: that signed arithmetic, which is certainly done, stays in its type."""


class Doubted(str):
    """A need that small numbers may break in a program that has a meaning: that one fits a type of fewer than 32 bits, or that a
    divisor is positive. Such numbers are not left out where something else may be left open."""


@dataclass(frozen=True, slots=True)
class Symbolic:
    """An integer over arguments. `level`: how tightly its outermost operator binds; `low`, `high`: its least and greatest value
    where what it `needs` holds; `among`: the few numbers that it is one of, where tests choose between numbers."""

    text: str
    level: int
    kind: Number
    low: int
    high: int
    needs: tuple[str, ...] = ()
    among: tuple[int, ...] = ()

    def held(self, low: int, high: int, need: type[str] = str) -> Symbolic:
        """The same, required to lie between two numbers."""
        text = self.text if self.level > 9 else f"({self.text})"
        needs = self.needs
        if self.low < low:
            needs += (need(f"{text} >= {low}"),)
        if self.high > high:
            needs += (need(f"{text} <= {high}"),)
        low, high = max(low, self.low), min(high, self.high)
        if low > high:
            raise Unknown
        among = tuple(each for each in self.among if low <= each <= high)
        return Symbolic(self.text, self.level, self.kind, low, high, tuple(dict.fromkeys(needs)), among)

    def within(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True, slots=True)
class Ratio:
    """A quotient of integers that C computes in floats: `above / below`, rounded once. Both are less than the floats hold, so no
    quotient is rounded to or past an integer: that is at least 1 / below away, and half a unit in its last place is less.
    """

    above: Symbolic
    below: int | Symbolic
    single: bool


def outside(need: str) -> str:
    """The opposite of what a text needs: that it lies on the other side of a limit."""
    least, most = need.rfind(" >= "), need.rfind(" <= ")
    return f"{need[:least]} < {need[least + 4 :]}" if least > most else f"{need[:most]} > {need[most + 4 :]}"


Scalar = Number | Symbolic


@dataclass(frozen=True, slots=True)
class Sizes:
    """A `dim3`; None: a member that is not known."""

    parts: tuple[Scalar | None, Scalar | None, Scalar | None]


@dataclass(frozen=True, slots=True)
class Relation:
    """A test over arguments, and the text of its opposite. `is_true`: None where it hangs on them."""

    text: str
    needs: tuple[str, ...] = ()
    is_true: bool | None = None
    opposite: str = ""


Value = Scalar | Sizes | Ratio
ONE = Number(1, 32, True)
NO_SIZES = Sizes((None, None, None))


def undoubted(args: list[Value | None], sizes: list[Symbolic]) -> list[Value | None]:
    """The arguments of a launch. One of which it is doubted that C computes what its text says is not known, unless the sizes
    rest on the same."""
    held = {need for size in sizes for need in size.needs}
    return [None if isinstance(arg, Symbolic) and any(isinstance(need, Doubted) for need in {*arg.needs} - held) else arg
            for arg in args]


def as_kind(value: Scalar, kind: Number) -> Scalar:
    """A value as a type."""
    if isinstance(value, Number):
        return converted(value, kind)
    if kind.bits < 8:
        raise Unknown
    held = value.held(*limits(kind), str if kind.bits >= 32 else Doubted)
    return Symbolic(held.text, held.level, kind, held.low, held.high, held.needs, held.among)


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
        right = right.held(1, right.high, Doubted) if right.low < 1 else right
    low, high = _range(sign, left, right)
    if sign == "*" and not -(2**63) <= low <= high < 2**63:
        left, right = left.held(-_FACTOR, _FACTOR), right.held(-_FACTOR, _FACTOR)
        low, high = _range(sign, left, right)
    if not -(2**63) <= low <= high < 2**63:
        raise Unknown
    level = _SUM if sign in "+-" else _PRODUCT
    text = f"{left.within(level)} {sign} {right.within(level + 1)}"
    if len(text) > _LONGEST:
        raise Unknown
    needs = tuple(dict.fromkeys(left.needs + right.needs))
    among = {_computed(sign, one, two) for one in _each(left) for two in _each(right)}
    return Symbolic(text, level, kind, low, high, needs, tuple(sorted(among)) if 1 < len(among) <= MOST_AMONG else ()).held(
        *limits(kind), str if kind.unsigned else Sure)


def _each(value: Symbolic) -> tuple[int, ...]:
    """The few numbers that a value is one of."""
    return (value.low,) if value.low == value.high else value.among


def _computed(sign: str, x: int, y: int) -> int:
    """An operation on two numbers; a divisor is positive."""
    whole = abs(x) // y * (1 if x >= 0 else -1) if sign in "/%" else 0
    return {"+": x + y, "-": x - y, "*": x * y, "/": whole, "%": x - whole * y}[sign]


def _range(sign: str, a: Symbolic, b: Symbolic) -> tuple[int, int]:
    """The least and the greatest result of an operation; a divisor is positive."""
    if sign == "%":
        most = b.high - 1
        return (max(a.low, -most) if a.low < 0 else 0), (min(a.high, most) if a.high > 0 else 0)
    corners = [_computed(sign, x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners)


def compared(sign: str, a: Scalar, b: Scalar) -> Relation:
    """A comparison."""
    if sign not in _OPPOSITE:
        raise Unknown
    if isinstance(a, Number) and isinstance(b, Number):
        return truth(operate(sign, a, b))
    left, right = _lifted(a), _lifted(b)
    kind = common(left.kind, right.kind)
    left, right = _lifted(as_kind(left, kind)), _lifted(as_kind(right, kind))
    said, opposite = (f"({left.within(_SUM)} {each} {right.within(_SUM)})" for each in (sign, _OPPOSITE[sign]))
    return Relation(said, tuple(dict.fromkeys(left.needs + right.needs)), opposite=opposite)


def truth(value: Scalar) -> Relation:
    """A value as a condition."""
    if isinstance(value, Number):
        return Relation("", (), value.value != 0)
    return Relation(f"({value.within(_SUM)} != 0)", value.needs, opposite=f"({value.within(_SUM)} == 0)")


def negated(test: Relation) -> Relation:
    """What holds where a test does not."""
    if test.is_true is not None:
        return Relation("", (), not test.is_true)
    return Relation(test.opposite or f"(!{test.text})", test.needs, opposite=test.text)


def either(one: Relation, two: Relation) -> Relation:
    """Whether one of two tests holds. The second may not be computed: of what it needs nothing is sure."""
    for test, other in ((one, two), (two, one)):
        if test.is_true is not None:
            return test if test.is_true else other
    return Relation(f"({one.text} || {two.text})", tuple(dict.fromkeys(
        each if isinstance(each, Doubted) else str(each) for each in one.needs + two.needs)))


def chosen(test: Relation, a: Scalar, b: Scalar) -> Symbolic:
    """`test ? a : b`, where neither side needs more than the test does."""
    one, two = _lifted(a), _lifted(b)
    kind = common(one.kind, two.kind)
    one, two = _lifted(as_kind(one, kind)), _lifted(as_kind(two, kind))
    if not {*one.needs, *two.needs} <= set(test.needs) or len(test.text) > _LONGEST:
        raise Unknown
    text = f"({test.text} ? {one.within(_SUM)} : {two.within(_SUM)})"
    known = _each(one), _each(two)
    among = tuple(sorted({*known[0], *known[1]})) if all(known) else ()
    return Symbolic(text, ATOM, kind._replace(value=0), min(one.low, two.low), max(one.high, two.high), test.needs,
                    among if len(among) <= MOST_AMONG else ())


def selected(name: str, a: Scalar, b: Scalar) -> Symbolic:
    """`min` or `max` of two integers of one type."""
    one, two = _lifted(a), _lifted(b)
    kind = common(one.kind, two.kind)
    one, two = _lifted(as_kind(one, kind)), _lifted(as_kind(two, kind))
    pick: Callable[[int, int], int] = min if name == "min" else max
    needs = tuple(dict.fromkeys(one.needs + two.needs))
    return Symbolic(f"{name}({one.text}, {two.text})", ATOM, kind._replace(value=0), pick(one.low, two.low),
                    pick(one.high, two.high), needs)


def as_ratio(value: Scalar | Ratio, single: bool) -> Ratio:
    """An integer over arguments as a float that holds it, or a float as one of at least that precision."""
    if isinstance(value, Ratio):
        if value.single != single and value.below != 1:
            raise Unknown
        return Ratio(value.above.held(-_EXACT[single], _EXACT[single]), value.below, single)
    return Ratio(_lifted(value).held(-_EXACT[single], _EXACT[single]), 1, single)


def ratio(sign: str, a: Scalar | Ratio, b: Scalar | Ratio) -> Ratio:
    """A quotient in floats by a positive integer, also by one over arguments."""
    if sign == "/" and isinstance(b, Symbolic | Ratio):
        return _over(a, b)
    if sign != "/" or not isinstance(b, Number) or b.value != int(b.value) or not 0 < b.value < 2**20:
        raise Unknown
    if isinstance(a, Ratio):
        single = a.single and (bool(b.bits) or b.single)
    elif isinstance(a, Symbolic) and not b.bits:
        single = b.single
    else:
        raise Unknown
    above = as_ratio(a, single)
    if above.below != 1:
        raise Unknown
    return Ratio(above.above, int(b.value), single)


def _over(a: Scalar | Ratio, b: Symbolic | Ratio) -> Ratio:
    """A quotient by an integer over arguments; one of both is a float, single if none is double."""
    single = all(each.single for each in (a, b) if isinstance(each, Ratio) or (isinstance(each, Number) and not each.bits))
    if isinstance(a, Symbolic) and isinstance(b, Symbolic):
        raise Unknown
    above, below = as_ratio(a, single), as_ratio(b, single)
    if above.below != 1 or below.below != 1:
        raise Unknown
    return Ratio(above.above, below.above.held(1, _EXACT[single], Doubted), single)


def rounded(name: str, value: Ratio) -> Ratio:
    """`ceil` or `floor` of a quotient that is not negative."""
    above = value.above.held(0, _EXACT[value.single] - 1)
    if value.below == 1:
        return Ratio(above, 1, value.single)
    wide = replace(above, kind=Number(0, 64))
    below = Number(value.below, 64) if isinstance(value.below, int) else replace(value.below, kind=Number(0, 64))
    less = Number(value.below - 1, 64) if isinstance(value.below, int) else calculated("-", below, Number(1, 64))
    quotient = calculated("/", calculated("+", wide, less) if name.startswith("ceil") else wide, below)
    if not isinstance(quotient, Symbolic):
        raise Unknown
    return Ratio(quotient, 1, value.single)


def whole(value: Ratio, kind: Number) -> Scalar:
    """A float as an integer type: cut off."""
    cut = rounded("floor", value) if value.below != 1 else value
    return as_kind(Symbolic(cut.above.text, cut.above.level, Number(0, 64), cut.above.low, cut.above.high, cut.above.needs), kind)
