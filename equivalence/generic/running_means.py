"""Running means, and what is summed up of distances from them: Welford's update.

A mean that is kept up to date is h' = a·h + b with a = f(r)/f(r + 1) for a polynomial f of the round: then f·h is a sum, as
(r + 1)·mean' = r·mean + x. A value that grows by a quadratic of such an h, by A + B·h + C·h², is a sum but for a square: if
e(r + 1)·h'² - e(r)·h² has the same B and C for a polynomial e, it leaves e(n)·h² behind all n rounds, less what e·h² was before
them, and a sum of A - e(r + 1)·b². So M2' = M2 + (x - mean)·(x - mean') is Σ x² - n·mean². What e is, B says: e(r + 1) is
B/(2·a·b); that C is as it has to be is checked, as an identity of rational functions. Both hold for any number of rounds, none
included.

Source: Welford, Note on a method for calculating corrected sums of squares and products, Technometrics 4 (1962).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import lcm

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from equivalence.generic.first_pairs import Pairs
from equivalence.generic.form import ONE, Factor, Form, Mono, Number
from equivalence.generic.lanes import Position
from equivalence.generic.quotients import cleared, quotient, reduced
from equivalence.generic.telescopes import Carried, Telescopes
from equivalence.generic.values import CarriedKey, LoopRun


class Averages(Telescopes):
    """The forms of such values."""

    algebra: Pairs

    @abstractmethod
    def rounds(self, loop: LoopRun, name: CarriedKey, at: Position) -> Formula: ...

    @abstractmethod
    def test(self, loop: LoopRun, name: CarriedKey, at: Position) -> Formula: ...

    def weighted(self, each: Carried, slope: Form, rest: Form, number: Atom, where: Formula, trips: Poly) -> Form | None:
        """h' = a·h + b with a = f(r)/f(r + 1): (f(0)·h + Σ f(r + 1)·b(r)) / f(n), behind a round, or if f(0) is not zero. In no
        round may f(r + 1) be zero: a mean that was no number once stays none, though the sum is one."""
        algebra = self.algebra
        (above,), below = cleared(algebra, [slope])
        by = lcm(*(coef.denominator for form in (above, below) for coef in form.terms.values()))
        above, below = algebra.scale(above, by), algebra.scale(below, by)
        now, after = algebra.integer_of(above), algebra.integer_of(below)
        if now is None or after is None or not self.algebra.integers.depends(now, number):
            return None
        put = algebra.integers.put
        if put(now, {number: Poly.atom(number).plus(1)}) != after or self.has_infinity(each.first) or not (
                algebra.integers.never([where, P.eq(after, Poly({}))])):
            return None
        first = put(now, {number: Poly({})})
        begun = algebra.times(algebra.of_poly(first), each.first)
        added = algebra.total(algebra.settled(reduced(algebra, algebra.times(below, rest))), number, where)
        weight = algebra.of_poly(put(now, {number: trips}))
        if weight.constant == 0:
            return None
        result = algebra.times(algebra.settled(algebra.plus(begun, added)), algebra.power(weight, -1))
        is_made = P.le(Poly.number(1), trips)
        if algebra.integers.always(is_made) or algebra.integers.never([P.eq(first, Poly({}))]):
            return result
        test = algebra.bracket(is_made)
        return algebra.plus(algebra.times(test, result), algebra.times(algebra.minus(ONE, test), each.first))

    def squared(self, each: Carried, loop: LoopRun, name: CarriedKey, other: CarriedKey, at: Position,
                where: Formula) -> Form | None:
        """s' = s + A + B·h + C·h², where h' = a·h + b is another carried value."""
        algebra, held, mine = self.algebra, self.own_hole(loop, other, at), self.own_hole(loop, name, at)
        parts = self.powers_of(algebra.minus(each.end, algebra.of(mine)), held)
        beside = self.carried(loop, other, at)
        slope, more = self.linear(beside.end, held)
        if parts is None or slope is None or not parts[2].terms or where != self.rounds(loop, other, at) or any(
                self.holes_in(form, loop) for form in (*parts, slope, more)) or any(
                map(self.has_infinity, (each.first, beside.first, *parts, slope, more))):
            return None
        weight = self.weight_of(parts, slope, more, loop.number)
        if weight is None:
            return None
        put, of_poly = algebra.integers.put, algebra.of_poly
        before = put(weight, {loop.number: Poly.atom(loop.number).plus(-1)})
        grows = reduced(algebra, algebra.minus(parts[0], algebra.times(of_poly(weight), algebra.times(more, more))))
        ended, trips = self.left_by(loop, other, at), algebra.integers.trip(self.test(loop, name, at), loop.number)
        result = algebra.plus(each.first, algebra.total(algebra.settled(grows), loop.number, where))
        for value, round_, sign in ((algebra.settled(ended), trips, 1), (beside.first, Poly({}), -1)):
            factor = of_poly(put(before, {loop.number: round_}))
            result = algebra.plus(result, algebra.scale(algebra.times(factor, algebra.times(value, value)), sign))
        return result

    def weight_of(self, parts: Sequence[Form], slope: Form, more: Form, number: Atom) -> Poly | None:
        """The polynomial e(r + 1) for which a square takes up what stands beside h; None where there is none."""
        algebra = self.algebra
        (beside, twice), _ = cleared(algebra, [parts[1], algebra.scale(algebra.times(slope, more), 2)])
        found = quotient(beside, twice)
        weight = None if found is None else algebra.integer_of(found)
        if weight is None:
            return None
        before = algebra.integers.put(weight, {number: Poly.atom(number).plus(-1)})
        square = algebra.times(algebra.of_poly(weight), algebra.times(slope, slope))
        (left,), _ = cleared(algebra, [algebra.minus(algebra.minus(square, algebra.of_poly(before)), parts[2])])
        return None if left.terms else weight

    def powers_of(self, form: Form, hole: Factor) -> tuple[Form, Form, Form] | None:
        """The parts of a form that stand beside no power of a hole, itself, and its square."""
        found: list[dict[Mono, Number]] = [{}, {}, {}]
        for mono, coef in form.terms.items():
            power = dict(mono).get(hole.number, 0)
            if power not in (0, 1, 2):
                return None
            found[int(power)][tuple(item for item in mono if item[0] != hole.number)] = coef
        return Form(found[0]), Form(found[1]), Form(found[2])

