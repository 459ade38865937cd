"""Ranges of sums and maxima, put together: every number is in what is made of them as often as in what there was.

The judge is counting: each formula is evaluated at each small number, with nothing of the solver or of the rules that are tested.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import pytest

from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.atom import Atom
from automata.logic.poly import And, Formula, Not, Or, Poly, Rel
from equivalence.generic.bounds import tight
from equivalence.generic.equality import Equality
from equivalence.generic.form import REAL
from equivalence.generic.integers import Integers
from equivalence.generic.ranges import Range

NUMBERS = range(-30, 40)
SIZES = range(-6, 14)
CASES = 60


class Counted:
    """Ranges over k of one body, x[k], with one size n."""

    def __init__(self) -> None:
        self.integers = Integers(Encoder(), [])
        self.algebra = Equality(self.integers, REAL)
        self.k = self.algebra.bound_at(1)
        self.n = self.integers.variable("n", "n")
        self.body = self.algebra.of(self.algebra.factor("read", ("x", None, Poly.atom(self.k)), [self.k]))

    def value(self, poly: Poly, known: Mapping[Atom, int]) -> int:
        total = 0
        for mono, coef in poly.terms.items():
            for each in mono:
                coef *= self.number(each, known)
            total += coef
        return total

    def number(self, each: Atom, known: Mapping[Atom, int]) -> int:
        if each in known:
            return known[each]
        value, size = self.integers.encoder.floors[each]
        return self.value(value, known) // self.value(size, known)

    def holds(self, formula: Formula, known: Mapping[Atom, int]) -> bool:
        match formula:
            case Rel(sign=sign, poly=poly):
                value = self.value(poly, known)
                return value <= 0 if sign == "<=" else value == 0
            case And(args=args):
                return all(self.holds(arg, known) for arg in args)
            case Or(args=args):
                return any(self.holds(arg, known) for arg in args)
            case Not(arg=arg):
                return not self.holds(arg, known)
        return formula == P.TRUE

    def times(self, ranges: list[tuple[int, Range]]) -> Counter[tuple[int, int]]:
        """How often each number is taken, at each size; those that are taken as often as they are taken away are left out."""
        found: Counter[tuple[int, int]] = Counter()
        for n in SIZES:
            for coef, each in ranges:
                found.update({(k, n): coef for k in NUMBERS
                              if k % each.step == each.rest and self.holds(each.where, {self.k: k, self.n: n})})
        return Counter({key: count for key, count in found.items() if count})

    def range(self, step: int, rest: int, *tests: Formula) -> Range:
        return Range(self.k, step, rest, P.conj(tests), self.body)

    def drawn_test(self, draw: random.Random) -> Formula:
        k, n = Poly.atom(self.k), Poly.atom(self.n)
        by, most = draw.randint(1, 4), draw.randint(-6, 9)
        return draw.choice([
            P.le(Poly.number(most), k), P.le(k, Poly.number(most + 6)), P.lt(k, n.plus(most)),
            P.lt(k.scale(by), n.scale(2).plus(most)), P.le(n.scale(by).plus(most), k.scale(3)),
            P.eq(k.scale(by), n.scale(draw.choice((0, 1, 3))).plus(most)), P.eq(k, Poly.number(most)),
            P.disj((P.lt(k, n), P.eq(k.scale(by), Poly.number(most)))), P.neg(P.eq(k, n.plus(most))),
        ])

    def drawn(self, draw: random.Random, step: int, rest: int) -> Range:
        tests = P.conj(self.drawn_test(draw) for _ in range(draw.randint(1, 3)))
        return self.range(step, rest, tight(tests, self.k, step, rest) if draw.random() < 0.5 else tests)

    def parted(self, draw: random.Random, each: Range) -> list[Range]:
        """The same numbers, by their rests by a multiple of the step, and some of those again."""
        by = draw.choice((2, 2, 3, 4))
        step = each.step * by
        found = [self.range(step, each.rest + each.step * at, tight(each.where, self.k, step, each.rest + each.step * at)
                            if draw.random() < 0.5 else each.where) for at in range(by)]
        again = draw.randrange(3 * by)
        return [*found[:again], *self.parted(draw, found[again]), *found[again + 1:]] if again < by and step <= 24 else found

    def is_zero(self, held: list[tuple[int, Range]]) -> bool:
        return self.algebra._counts_to_zero(held)


def changed(draw: random.Random, ranges: list[Range], each: Range) -> list[Range]:
    """A range more, less, of another rest or with another test."""
    at = draw.randrange(len(ranges))
    one = ranges[at]
    way = draw.randrange(4)
    if way == 0:
        return [*ranges, one]
    if way == 1:
        return [*ranges[:at], *ranges[at + 1:]]
    if way == 2:
        return [*ranges[:at], Range(one.bound, one.step, (one.rest + 1) % one.step, one.where, one.body), *ranges[at + 1:]]
    return [*ranges[:at], Range(one.bound, one.step, one.rest, each.where, one.body), *ranges[at + 1:]]


@pytest.mark.drawn(4)
def test_joined_ranges_hold_the_same_numbers(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(CASES):
        counted = Counted()
        ranges = []
        for _ in range(draw.randint(1, 2)):
            step = draw.choice((1, 2, 3, 4))
            ranges += counted.parted(draw, counted.drawn(draw, step, draw.randrange(step)))
        if draw.random() < 0.5:
            ranges = changed(draw, ranges, counted.drawn(draw, 1, 0))
        draw.shuffle(ranges)
        before = counted.times([(1, each) for each in ranges])
        assert counted.times([(1, each) for each in counted.algebra.joined(ranges)]) == before
        assert counted.times([(1, each) for each in counted.algebra.points_joined(ranges)]) == before


@pytest.mark.drawn(4)
def test_ranges_that_count_to_zero_do(seed: int) -> None:
    draw = random.Random(seed)
    shown = 0
    for _ in range(CASES):
        counted = Counted()
        step = draw.choice((1, 1, 2, 3, 4))
        whole = counted.drawn(draw, step, draw.randrange(step))
        ones, twos = counted.parted(draw, whole), counted.parted(draw, whole) if draw.random() < 0.7 else [whole]
        if draw.random() < 0.6:
            twos = changed(draw, twos, counted.drawn(draw, step, whole.rest))
        held = [*((1, each) for each in ones), *((-1, each) for each in twos)]
        if counted.is_zero(held):
            shown += 1
            assert not counted.times(held), held
    assert shown, "none is shown"


def by_four(counted: Counted, test: Formula) -> list[Range]:
    return [counted.range(4, rest, test) for rest in range(4)]


def test_a_test_that_one_rest_alone_can_meet() -> None:
    """k == 3 leaves one of the four rests by 4, and none of those by 4 that are 0."""
    counted = Counted()
    three = P.eq(Poly.atom(counted.k), Poly.number(3))
    assert counted.times([(1, each) for each in counted.algebra.joined(by_four(counted, three))]).keys() == {
        (3, n) for n in SIZES}
    at_each = [counted.range(4, rest, P.eq(Poly.atom(counted.k), Poly.number(rest + by)))
               for rest, by in enumerate((1, 2, 3, 2))]
    assert not counted.times([(1, each) for each in counted.algebra.joined(at_each)])


@pytest.mark.parametrize(("steps", "is_zero"), [
    (((4, 0), (4, 2)), True), (((6, 0), (6, 2), (6, 4)), True), (((4, 0), (8, 2), (8, 6)), True),
    (((4, 0), (12, 2), (12, 6), (12, 10)), True), (((4, 0), (6, 2)), False), (((4, 0), (4, 1)), False),
    (((4, 0), (8, 2)), False), (((6, 0), (6, 2)), False), (((4, 0), (4, 0), (4, 2)), False), (((4, 0), (8, 2), (8, 2)), False),
])
def test_even_numbers_by_the_rests_of_larger_steps(steps: tuple[tuple[int, int], ...], is_zero: bool) -> None:
    counted = Counted()
    inside = P.le(Poly({}), Poly.atom(counted.k)), P.lt(Poly.atom(counted.k), Poly.atom(counted.n))
    held = [(1, counted.range(2, 0, *inside)), *((-1, counted.range(step, rest, *inside)) for step, rest in steps)]
    assert counted.is_zero(held) is is_zero
    assert bool(counted.times(held)) is not is_zero
