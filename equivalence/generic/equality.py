"""Whether two forms are equal: whether their difference vanishes.

Sums and maxima that go over the same numbers are made one (`unified`); tests that the facts decide are taken away, divisors
multiplied out, sums over one body counted (every k must be taken as often by one side as by the other), and what still hangs on a
test is looked at in both cases. That none of this finds a form to be zero does not mean that it is not.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm

from automata.logic import poly as P
from automata.logic.poly import Formula, Poly
from equivalence.generic.along import Along
from equivalence.generic.exclusive import cases_of, groups_of
from equivalence.generic.first_pairs import EXTREMES, Pairs
from equivalence.generic.form import ONE, ZERO, Factor, Form, Mono, Number
from equivalence.generic.integers import CannotFollow
from equivalence.generic.ranges import Range
from equivalence.generic.residues import Residues

MOST_COUNTED = 6
"""Ranges of one body that are counted against each other."""
MOST_RESTS = 1 << 13
"""Rests by the steps of ranges that are counted one by one."""
MOST_CASES = 5
"""Tests that are looked at in both cases."""
MOST_APART = 4
"""Exponents of one base that are looked at as the same but for a number."""
MOST_READS = 16
"""Pairs of reads of one array of which is asked whether they are of one element."""
MOST_FOLDS = 8
"""Recurrences in one value that are looked for in it in other words."""
MOST_NESTED = 4
"""How deep sums and maxima stand in each other that are looked for in the place of others."""


class Equality(Along, Residues, Pairs):
    """The questions. `asked`: how many about indices, of one form."""

    asked = 0

    def vanishes(self, form: Form, cases: int = MOST_CASES) -> bool:
        """Whether a form is zero wherever what holds here holds."""
        form = self.unified(self.settled(self.resolved(form)))
        if form.terms:
            form = self.unified(self.multiplied_out(form))
        if not form.terms:
            return True
        if self.counted_out(form) or self._is_left_over(form):
            return True
        parted = self.by_residues(form)
        if parted is not None:
            return self.vanishes(parted, cases)
        test = next((number for mono in form.terms for number, _ in mono if self.factors[number].kind == "test"), None)
        if test is None or not cases:
            return False
        groups = groups_of({number: self.factors[number].data for number in self.tests_in(form)})
        group = next(group for group in groups if test in group)
        return all(self._vanishes_in(form, known, cases) for known in cases_of(group))

    def _vanishes_in(self, form: Form, known: Mapping[int, bool], cases: int) -> bool:
        """Whether a form is zero in a case. `known`: the tests that it decides."""
        case = P.conj(self.factors[number].data if holds else P.neg(self.factors[number].data) for number, holds in known.items())
        with self.assuming([case]):
            if self.integers.never(self.under):
                return True
            ended = self.integers.ended(case, self.under)
            form = self.decided(form, known)
            return self.vanishes(self.put(form, ended) if ended else form, cases - 1)

    def _is_left_over(self, form: Form) -> bool:
        """Whether a form is what a recurrence leaves, and less the same in other words."""
        folds = [mono for mono in form.terms if len(mono) == 1 and mono[0][1] == 1 and self.factors[mono[0][0]].kind == "fold"]
        return len(folds) == 1 and any(self.runs_out(self.factors[mono[0][0]], Form(
            {other: self.plain(-Fraction(coef) / form.terms[mono]) for other, coef in form.terms.items() if other != mono}))
            for mono in folds)

    def unified(self, form: Form) -> Form:
        """The form with one sum, and one maximum, in the place of those that go over the same numbers; the innermost first."""
        for _ in range(MOST_NESTED):
            instead = self._alike(form) | self._counted_here(form)
            if not instead:
                break
            form = self.settled(self.renamed(form, instead))
        return form

    def _counted_here(self, form: Form) -> dict[int, Form]:
        """Sums of ones in a form and its factors of which is known here, and was not where they were made, that their range does
        not end before it begins."""
        sums = [factor for number in self.all_inside(form) if (factor := self.factors[number]).kind == "sum"]
        counted = {factor.number: self.counted(factor.data) for factor in sums if factor.data.body == ONE}
        return {number: made for number, made in counted.items() if made != self.of(self.factors[number])}

    def _alike(self, form: Form) -> dict[int, Form]:
        """Sums, maxima, powers and reads in a form and its factors that are others in it; only those in which none such stand."""
        inside = [self.factors[number] for number in sorted(self.all_inside(form))]
        self.asked = 0
        folds = self.outer_folds(form)
        folds = folds if len(folds) <= MOST_FOLDS else set()
        held: dict[Hashable, list[Factor]] = {}
        reads: dict[Hashable, dict[Poly, list[Factor]]] = {}
        instead: dict[int, Form] = {}
        for factor in inside:
            if factor.kind == "sum":
                key: Hashable = ("sum", self.skeleton(factor.data))
            elif factor.kind in ("max", "min", "place"):
                key = (factor.kind, factor.data[0], tuple(sorted(map(repr, map(self.skeleton, factor.data[1])))))
            elif factor.kind in ("power", "read"):
                key = (factor.kind, factor.data[:2])
            elif factor.kind == "fold" and factor.number in folds:
                key = (factor.kind,)
            elif factor.kind == "xor":
                key = (factor.kind, factor.data[0])
            else:
                continue
            known = held.setdefault(key, [])
            if factor.kind == "read":
                known = self._elsewhere(reads.setdefault(key, {}), factor)
            like = next((found for other in known if (found := self._like(factor, other)) is not None), None)
            if like is None:
                known.append(factor)
            else:
                instead[factor.number] = like
        return instead

    def _elsewhere(self, known: dict[Poly, list[Factor]], read: Factor) -> list[Factor]:
        """The reads of an array that may be of the element of another one, for their indices do not differ by a number; that one
        is held with them."""
        index: Poly = read.data[2]
        base = index.plus(-index.terms.get((), 0))
        found = [other for apart, others in known.items() if apart != base for other in others]
        known.setdefault(base, []).append(read)
        return found if self.asked < MOST_READS else []

    def _like(self, one: Factor, two: Factor) -> Form | None:
        """What a factor is by another of its kind, None if that is not seen."""
        match one.kind:
            case "power":
                return self._power_like(one, two)
            case "read":
                is_same = self._is_same_index(one.data[2] - two.data[2])
            case "sum":
                moved = self.shifted(one.data, two.data)
                is_same = moved is not None and self.same_numbers(moved, two.data, self.under)
            case "fold":
                is_same = self.same_folds(one, two)
            case "xor":
                is_same = self.vanishes(self.minus(one.data[1], two.data[1]))
            case _:
                is_same = self._same_sets(one.data[1], two.data[1])
        return self.of(two) if is_same else None

    def _is_same_index(self, apart: Poly) -> bool:
        """Whether two indices are one here: a question that is not asked of too many."""
        if apart.constant is not None or self.asked >= MOST_READS:
            return False
        self.asked += 1
        return self.integers.always(P.eq(apart, Poly({})), self.under)

    def _power_like(self, one: Factor, two: Factor) -> Form | None:
        """Powers of one base whose exponents differ by a number, here."""
        is_factor, base, exponent = one.data
        apart = exponent - two.data[2]
        for by in range(-MOST_APART, MOST_APART + 1):
            if self.integers.always(P.eq(apart, Poly.number(by)), self.under):
                step = self.of(self.factors[base], by) if is_factor else self.number(Fraction(base) ** by)
                return self.times(self.of(two), step) if by else self.of(two)
        return None

    def is_of_something(self, form: Form, facts: Sequence[Formula]) -> bool:
        """Whether the maxima and minima in a form, and the places of such, are of at least one value each."""
        held = [self.factors[number] for number in sorted(self.all_inside(form))]
        return all(any(self._is_nonempty(each, facts) for each in factor.data[1])
                   for factor in held if factor.kind in EXTREMES)

    def has_places(self, form: Form, facts: Sequence[Formula]) -> bool:
        """Whether the places in a form, of values over the reals, are of at least one value each: else they are what a kernel
        began with."""
        held = [self.factors[number] for number in sorted(self.all_inside(form))]
        return all(any(self._is_nonempty(each, facts) for each in factor.data[1])
                   for factor in held if factor.kind == "place" and factor.data[0].family == "real")

    def _is_nonempty(self, each: Range, facts: Sequence[Formula]) -> bool:
        """Whether a range holds a number, shown for its least or its largest one: a bound, moved to the next number that it steps
        on."""
        if each.bound is None:
            return True
        for part in P.conjuncts(each.where):
            if isinstance(part, P.Rel) and part.poly.coefficient(each.bound).constant in (1, -1):
                sign = part.poly.coefficient(each.bound).constant or 1
                end = part.poly.replace({each.bound: Poly({})}).scale(-sign)
                beyond = end.terms.get((), 0) - each.rest  # from the number that is stepped on, where all else is a multiple
                if all(coef % each.step == 0 for mono, coef in end.terms.items() if mono):
                    end = end.plus(-sign * (sign * beyond % each.step))
                if self.integers.never([*facts, P.neg(self.integers.put_formula(each.inside(self.integers), {each.bound: end}))]):
                    return True
        if isinstance(each.where, P.Or):
            return any(self._is_nonempty(Range(each.bound, each.step, each.rest, part, each.body), facts)
                       for part in each.where.args)
        return False

    def may_be_no_number(self, form: Form) -> bool:
        """Whether a divisor that sizes alone make may be zero."""
        factors = [self.factors[number] for mono in form.terms for number, _ in mono]
        if form.constant is not None or any(factor.kind not in ("size", "test") for factor in factors):
            return False
        if any(factor.kind == "test" for factor in factors):
            return True
        try:
            value = Poly({tuple(sorted(self.factors[number].data for number, power in mono for _ in range(int(power)))): int(coef)
                          for mono, coef in form.terms.items() if coef == int(coef)})
        except (TypeError, ValueError):
            return True
        return not self.integers.never([P.eq(value, Poly({}))])

    def multiplied_out(self, form: Form) -> Form:
        """The form times all its divisors that are forms."""
        for _ in range(8):
            worst: dict[int, Number] = {}
            for mono in form.terms:
                for number, power in mono:
                    if self.factors[number].kind == "poly" and power < 0:
                        worst[number] = min(worst.get(number, 0), power)
            if not worst:
                break
            for number, power in worst.items():
                form = self.times(form, self.of(self.factors[number], -power))
                if power == int(power):
                    form = self._expanded(form, number)
            form = self.settled(form)
        return form

    def _expanded(self, form: Form, number: int) -> Form:
        """The form with positive powers of a form carried out."""
        result = ZERO
        for mono, coef in form.terms.items():
            power = dict(mono).get(number, 0)
            if power >= 1:
                rest = tuple(item for item in mono if item[0] != number)
                result = self.plus(result, self.times(Form({rest: coef}), self.raised(number, power)))
            else:
                result = self.plus(result, Form({mono: coef}))
        return result

    def counted_out(self, form: Form) -> bool:
        """Whether all terms are sums over the same bodies, or single ones of these, that take each number as often with
        each sign."""
        groups: dict[tuple[Mono, Hashable], list[tuple[Number, Range]]] = {}
        single: list[tuple[Number, Mono, tuple[Formula, ...]]] = []
        try:
            parts = list(self.by_cases(form, lambda factor: True))
        except CannotFollow:
            return False
        for coef, mono, tests in parts:
            at = next((number for number, power in mono if power == 1 and self.factors[number].kind == "sum"), None)
            if at is None:
                single.append((coef, mono, tests))
                continue
            rest, each = tuple(item for item in mono if item[0] != at), self.factors[at].data
            each = Range(each.bound, each.step, each.rest, P.conj((each.where, *tests)), each.body)
            groups.setdefault((rest, self.skeleton(each)), []).append((coef, each))
        classes = [(rest, known) for (rest, _), held in groups.items() for known in self._by_body(held)]
        for coef, mono, tests in single:
            if not any(self._put_beside(coef, mono, tests, rest, known) for rest, known in classes):
                return False
        return all(self._counts_to_zero(known) for _, known in classes)

    def _put_beside(self, coef: Number, mono: Mono, tests: tuple[Formula, ...], rest: Mono,
                    known: list[tuple[Number, Range]]) -> bool:
        """Take a single term for a sum over one number, if it is one of a body."""
        inverse = tuple((number, -power) for number, power in rest)
        body, expanded = self.product(mono, inverse)
        if expanded is not None:
            return False
        point = self.shifted(Range(None, 1, 0, P.TRUE, Form({body: 1})), known[0][1])
        if point is not None:
            known.append((coef, Range(point.bound, 1, 0, P.conj((point.where, *tests)), point.body)))
        return point is not None

    def _by_body(self, held: Sequence[tuple[Number, Range]]) -> list[list[tuple[Number, Range]]]:
        classes: list[list[tuple[Number, Range]]] = []
        for coef, each in held:
            for known in classes:
                moved = self.shifted(each, known[0][1])
                if moved is not None:
                    known.append((coef, moved))
                    break
            else:
                classes.append([(coef, each)])
        return classes

    def _counts_to_zero(self, held: Sequence[tuple[Number, Range]]) -> bool:
        """Whether every number is taken as often as it is taken away."""
        by_coef: dict[Number, list[Range]] = {}
        for coef, each in held:
            by_coef.setdefault(coef, []).append(each)
        joined = [(coef, each) for coef, ranges in by_coef.items() for each in self.joined(self.points_joined(ranges))]
        step = lcm(*(each.step for _, each in joined))
        if step == 1:
            return self._balanced([(coef, each.where) for coef, each in joined])
        if step > MOST_RESTS:
            return False
        bound = joined[0][1].bound
        assert bound is not None
        turns = Poly.atom(self.integers.variable("turns", "turns")).scale(step)
        return all(self._balanced([(coef, self.integers.put_formula(each.where, {bound: turns.plus(rest)}))
                                   for coef, each in joined if each.step == 1 or rest % each.step == each.rest])
                   for rest in range(step))

    def _balanced(self, held: Sequence[tuple[Number, Formula]]) -> bool:
        """Whether tests of one number never hold so that their weights do not add up to zero."""
        if len(held) > MOST_COUNTED:
            return False
        return all(self.integers.never([*self.under, *(test if chosen else P.neg(test)
                                                       for (_, test), chosen in zip(held, way, strict=True))])
                   for way in product((False, True), repeat=len(held))
                   if sum(coef for (coef, _), chosen in zip(held, way, strict=True) if chosen))

    def _same_sets(self, ones: Sequence[Range], twos: Sequence[Range]) -> bool:
        left = list(twos)
        for each in ones:
            for other in left:
                moved = each if each.bound is None and each.body == other.body else self.shifted(each, other)
                if moved is not None and (moved.bound is None) == (other.bound is None) and (
                        moved.bound is None or self.same_numbers(moved, other, self.under)):
                    left.remove(other)
                    break
            else:
                return False
        return not left
