"""Between which integers a value of C lies where a guard holds, with a range for each symbol in it.

Input: a term, a guard, the range of each symbol. Output: the least and the greatest integer the value may be, as far as
intervals tell; nothing is assumed of the values in it but that no divisor is zero, unless it comes out of memory.

The idea: intervals go along the term, as the program computes it. A remainder is less than what it divides by, whatever is
divided, and stays so where it is multiplied. In a polynomial it is a difference of a value and a multiple of an unknown quotient,
and the interval of six factors of that is as wide as both together. A comparison in the guard bounds the very value that it
compares. A value inside that may leave its type is any number of that type.
Source: Moore, Interval Analysis, 1966.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product

from automata.arithmetic import quotient
from automata.budget import METER
from automata.logic import terms as T
from automata.logic.arith import Mode
from automata.logic.terms import Role, Symbol, Term
from automata.scalar import BOOL, Scalar

Span = tuple[int, int]
"""The least and the greatest number, both included."""
_MOST = 5_000
"""Parts of a value that are looked at; beyond them a part is any number of its type."""
_DEEPEST = 200
"""So deep parts may nest."""
_FARTHEST_SHIFT = 63
LOOKED_AT = 3_000
"""Nanoseconds of work: of a part that is looked at."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """No more, or no less, than another value and a gap. `steps`: what this was moved through; it holds where they are as
    integers what they are in their types."""

    other: Term
    gap: int
    steps: tuple[Term, ...] = ()


class Spans:
    """The values of one guard. `ranges`: of symbols; those that are not in it are any number of their type. `modes`: what is
    known of values that may leave their types (PLAIN: this one does not); `fitting`: of others, when they do not. `data`: if it
    is given, what memory holds and what is made of floats is no larger than that."""

    def __init__(self, guard: Term, ranges: Mapping[Symbol, Span], modes: Mapping[Term, Mode],
                 fitting: Mapping[Term, Term] | None = None, data: int | None = None) -> None:
        self.ranges, self.modes, self.fitting, self.data = ranges, modes, fitting or {}, data
        self.away = set[Term]()
        self.parts: dict[Term, Span] = {}
        self.found: dict[Term, Span] = {}
        self.open: set[Term] = set()
        self.below: dict[Term, list[tuple[_Bound, ...]]] = {}
        self.above: dict[Term, list[tuple[_Bound, ...]]] = {}
        for part in T.conjuncts(guard):
            self.note(_alternatives(part))

    def note(self, tests: list[Term]) -> None:
        """Keep what holds of values where one of some comparisons does: of those that each of them bounds."""
        self.away = {test.args[1] for test in tests if test.op == "==" and T.constant_value(test.args[0]) == 0}
        for is_upper, kept in ((False, self.below), (True, self.above)):
            told = [self.told(test, is_upper) for test in tests]
            for term in told[0]:
                if all(term in each for each in told):
                    kept.setdefault(term, []).append(tuple(each[term] for each in told))

    def told(self, test: Term, is_upper: bool) -> dict[Term, _Bound]:
        """The values that a comparison bounds from above, or from below."""
        is_not, test = (True, test.args[0]) if test.op == "!" else (False, test)
        if test.op not in ("<", "<=", "==") or not test.args[0].type.is_int or (is_not and test.op == "=="):
            return {}
        left, right = test.args
        less, more, gap = (right, left, int(test.op == "<=")) if is_not else (left, right, int(test.op == "<"))
        found = self.bounds(less, more, -gap) if is_upper else self.bounds(more, less, gap)
        return found | self.bounds(*((more, less) if is_upper else (less, more)), 0) if test.op == "==" else found

    def bounds(self, term: Term, other: Term, gap: int) -> dict[Term, _Bound]:
        """That a value is bounded by another one and a gap, told of all that it is but a constant or a conversion apart from."""
        found = {term: _Bound(other, gap)}
        steps = dict[Term, None]()
        while True:
            outer = term
            if term.op == "cast" and term.args[0].type.is_int and _fits(_whole(term.args[0].type), term.type):
                term = term.args[0]
            elif term.op == "cast" and term.args[0].type.is_int and self.is_plain(term):
                term = term.args[0]
                steps[term] = None
            elif term.op in ("+", "-") and (step := T.constant_value(term.args[1])) is not None and term.type.is_int:
                gap += -int(step) if term.op == "+" else int(step)
                term = term.args[0]
                steps |= {outer: None, term: None}
            else:
                return found
            found[term] = _Bound(other, gap, tuple(steps))

    def is_plain(self, term: Term) -> bool:
        """Whether a value does not leave its type; or not where a number of rounds is 1 or more, and what is noted says of it
        that it is 0 otherwise."""
        begun = self.fitting.get(term)
        return self.modes.get(term) is Mode.PLAIN or (
            begun is not None and begun.op == "<=" and T.constant_value(begun.args[0]) == 1 and begun.args[1] in self.away
            and self.ranges.get(T.symbol_of(begun.args[1]), (-1, 0))[0] >= 0)

    def number(self, term: Term) -> Span:
        """The span of an integer that a term is congruent to in its type, as an encoder has it (`automata.logic.arith`): of a
        sum, difference or product before any of it wraps. It is the value itself where that does not leave its type."""
        span = self.made(term)
        return self.of(term) if _fits(span, term.type) or self.modes.get(term) is Mode.PLAIN else span

    def made(self, term: Term) -> Span:
        """The span of what a term makes of its parts, whatever a guard says of the term itself; looked for once."""
        if term not in self.parts:
            if term.depth > _DEEPEST or len(self.parts) >= _MOST:
                return _whole(term.type)
            METER.done += LOOKED_AT
            self.parts[term] = self.operation(term)
        return self.parts[term]

    def operation(self, term: Term) -> Span:
        """The same, looked for."""
        if term.op in _RING and all(arg.type.is_int for arg in term.args):
            numbers = list(map(self.number, term.args))
            made = BEYOND if BEYOND in numbers else _RING[term.op](*numbers)
            return made if BEYOND[0] < made[0] and made[1] < BEYOND[1] else BEYOND
        if term.op in _OTHERS and all(arg.type.is_int for arg in term.args):
            spans = [self.of(arg) for arg in term.args]
            may_be_zero = term.op in ("/", "%") and bool(term.args[1].roles & Role.DATA) and spans[1][0] <= 0 <= spans[1][1]
            span = None if may_be_zero else _OTHERS[term.op](*spans)
            return _whole(term.type) if span is None else span
        match term.op:
            case "const" if term.type.is_int:
                return int(str(term.data)), int(str(term.data))
            case "sym":
                return self.ranges.get(T.symbol_of(term), _whole(term.type))
            case "cast" if term.args[0].type.is_int:
                arg = term.args[0]
                return self.of(arg) if arg.type == BOOL or arg.type.bits < term.type.bits else self.number(arg)
            case "ite":
                return self.chosen(term)
        low, high = _whole(term.type)
        if self.data is not None and (term.op == "read" or term.op == "cast"):
            return max(low, -self.data), min(high, self.data)
        return low, high

    def chosen(self, term: Term) -> Span:
        """The span of either branch; of the lesser or greater of two values, no more than of both, where these are what is
        compared: neither is another number of the same residue."""
        test, then, other = term.args
        (low, high), (low_else, high_else) = self.number(then), self.number(other)
        is_itself = _fits((low, high), term.type) and _fits((low_else, high_else), term.type)
        if is_itself and test.op in ("<", "<=") and {then, other} == set(test.args):
            (low, high), (low_else, high_else) = self.of(then), self.of(other)
            pick = min if then is test.args[0] else max
            return pick(low, low_else), pick(high, high_else)
        return min(low, low_else), max(high, high_else)

    def of(self, term: Term) -> Span:
        """The span of a term's value in its type, within what the guard says of it."""
        if term in self.found:
            return self.found[term]
        low, high = self.made(term)
        least, most = _whole(term.type)
        if not _fits((low, high), term.type):
            low, high = (max(low, least), min(high, most)) if self.modes.get(term) is Mode.PLAIN else (least, most)
        if term in self.open:
            return low, high
        self.open.add(term)
        for bounds in self.below.get(term, ()):
            low = max(low, min(self.of(each.other)[0] + each.gap if self.applies(each) else low for each in bounds))
        for bounds in self.above.get(term, ()):
            high = min(high, max(self.of(each.other)[1] + each.gap if self.applies(each) else high for each in bounds))
        self.open.discard(term)
        self.found[term] = low, high
        return low, high


    def applies(self, bound: _Bound) -> bool:
        """Whether nothing that a bound was moved through wraps."""
        return all(self.modes.get(step) is Mode.PLAIN or _fits(self.made(step), step.type) for step in bound.steps)


def _alternatives(test: Term) -> list[Term]:
    """What a disjunction is made of."""
    return [part for arg in test.args for part in _alternatives(arg)] if test.op == "||" else [test]


def _whole(kind: Scalar) -> Span:
    return int(kind.low), int(kind.high)


BEYOND = -(1 << 1024), 1 << 1024
"""The span of numbers of which no more is known than that: squares of squares have more digits than there is room for. What is
computed of such a one is one."""


def _fits(span: Span, kind: Scalar) -> bool:
    return kind.low <= span[0] and span[1] <= kind.high


def _ends(operation: Callable[[int, int], int], left: Span, right: Span) -> Span:
    """The span of an operation that is monotonic in each argument."""
    found = [operation(one, two) for one, two in product(left, right)]
    return min(found), max(found)


def _divided(left: Span, right: Span) -> Span:
    """A quotient towards zero, by whatever is not zero in the divisor's span."""
    low, high = right
    if low <= 0 <= high:
        most = max(abs(left[0]), abs(left[1]))
        return (0 if low == 0 and left[0] >= 0 else -most), (0 if low == 0 and left[1] <= 0 else most)
    return _ends(quotient, left, right)


def _left(left: Span, right: Span) -> Span:
    """A remainder, with the sign of what is divided."""
    most = max(abs(right[0]), abs(right[1])) - 1
    return max(min(left[0], 0), -most), min(max(left[1], 0), max(most, 0))


def _shifted(operation: Callable[[int, int], int]) -> Callable[[Span, Span], Span | None]:
    def shifted(left: Span, right: Span) -> Span | None:
        return _ends(operation, left, right) if right[0] >= 0 and right[1] <= _FARTHEST_SHIFT else None
    return shifted


def _masked(left: Span, right: Span) -> Span | None:
    """`&`: no more than what is not negative."""
    most = [high for low, high in (left, right) if low >= 0]
    return (0, min(most)) if most else None


def _joined(left: Span, right: Span) -> Span | None:
    """`|` and `^` of what is not negative: no more bits than both have."""
    return (0, (1 << max(left[1], right[1]).bit_length()) - 1) if left[0] >= 0 and right[0] >= 0 else None


_RING: Mapping[str, Callable[..., Span]] = {
    "+": lambda left, right: (left[0] + right[0], left[1] + right[1]),
    "-": lambda left, right: (left[0] - right[1], left[1] - right[0]),
    "*": lambda left, right: _ends(int.__mul__, left, right),
    "neg": lambda span: (-span[1], -span[0]),
    "~": lambda span: (-span[1] - 1, -span[0] - 1),
}
_OTHERS: Mapping[str, Callable[..., Span | None]] = {
    "/": _divided, "%": _left, "&": _masked, "|": _joined, "^": _joined,
    "<<": _shifted(int.__lshift__), ">>": _shifted(int.__rshift__),
}
