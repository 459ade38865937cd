"""Choices between two values, or two places, by a comparison: what they are as an order.

Input: a test made of comparisons, and what is chosen where it holds and where it fails. Output: a maximum, a minimum, or the
place of one (`first_pairs`). Nothing is read off the way the test is written. Its comparisons are of two values, and of two
places besides; so there are nine cases (the first value is less, equal, more; the first place is), and in each of them the test
is true, false, or hangs on something else. A choice that takes the greater value in all cases is the maximum. One that takes the
place that belongs to it, and of equal values the lesser place, is the first place of the maximum. Where it takes the old place of
equal values, whatever the places are, the old ones have to be shown to be less (then it is the least place), or more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.scalar import SCALARS
from equivalence.generic.first_pairs import Key, Pairs
from equivalence.generic.form import ONE, Factor, Form, Mono, Number
from equivalence.generic.ranges import Range

Forms = tuple[Form, Form]
SIGNS = ("<", "==", ">")
TURNED = {"<": ">", "==": "==", ">": "<"}
HOLDS = {"<": ("<",), "<=": ("<", "=="), "==": ("==",)}
MOST_TRUTHS = 6
"""Comparisons in one test."""
MOST_TABLED = 4
"""Readings of one choice."""


class Ways(NamedTuple):
    """What a test says. `less`, `more`: where the first value is less, or more, than the second; `equal`: where they are equal,
    if the first place is less than the second, equal, more. None: that hangs on something else."""

    less: bool | None
    equal: tuple[bool | None, bool | None, bool | None]
    more: bool | None


class Step(NamedTuple):
    """A round that keeps a place. `key`: without the order of places; `ways`: of the new pair (`value`, `place`) and the one that
    is kept; `family`: as what places are compared, None where they are not."""

    key: Key
    ways: Ways
    value: Form
    place: Form
    family: str | None


class Choices:
    """The choices of one side. `tabled`: integers that are chosen by one comparison, as places."""

    algebra: Pairs
    tabled: dict[Form, list[tuple[Key, list[Range]]]]

    def ordered(self, test: Form, then: Form, other: Form) -> Form | None:
        """A choice as a maximum, a minimum, or a place; None where it is none. A place of two pairs alone stays a choice, which
        is noted."""
        truths = self.comparisons(test)
        if not truths:
            return None
        for one, two in self.compared(truths):
            family = next(truth.data[1] for truth in truths if set(truth.data[2]) == {one, two})
            if not (self.algebra.laws.exp_max if family == "real" else self.algebra.laws.ints):
                continue
            if {then, other} == {one, two}:
                found = self.chosen_value(test, truths, (then, other), family)
                if found is not None:
                    return found
        if not (self.is_place(then) and self.is_place(other)):
            return None
        return self.chosen_place(test, truths, (then, other))

    def comparisons(self, test: Form) -> list[Factor]:
        """The comparisons that a test is made of; none where it is made of others, or of too many."""
        numbers = sorted({number for mono in test.terms for number, _ in mono})
        found = [self.algebra.factors[number] for number in numbers]
        is_order = all(each.kind == "truth" and each.data[0] in HOLDS for each in found)
        return found if is_order and len(found) <= MOST_TRUTHS else []

    def compared(self, truths: Sequence[Factor]) -> list[Forms]:
        """The values that are compared, each two once."""
        found: dict[frozenset[Form], Forms] = {}
        for each in truths:
            one, two = each.data[2]
            found.setdefault(frozenset((one, two)), (one, two))
        return list(found.values())

    def is_place(self, form: Form) -> bool:
        """Whether a form may be a place: an integer of sizes, a place, or a choice of such."""
        factor = self.algebra.single_factor(form)
        return self.algebra.integer_of(form) is not None or form in self.tabled or (factor is not None and factor.kind == "place")

    # -- what a test says -----------------------------------------------------------------------------------------

    def ways(self, test: Form, truths: Sequence[Factor], values: Forms, family: str, places: Forms | None) -> Ways:
        """What a test says of the order of two values, and of two places. `family`: as what the values are compared; a comparison
        of them as something else (unsigned, say) is another order, of which nothing is known."""
        kept = None if places is None else self.place_family(truths, places)

        def case(value: str, place: str) -> bool | None:
            known = {each.number: holds for each in truths
                     if (holds := _holds(each, values, family, value)) is not None
                     or (places is not None and (holds := _holds(each, places, kept, place)) is not None)}
            return self.decided_test(test, known)
        less, equal, more = ([case(sign, place) for place in SIGNS] for sign in SIGNS)
        same = [each[0] if len(set(each)) == 1 else None for each in (less, more)]
        return Ways(same[0], (equal[0], equal[1], equal[2]), same[1])

    def decided_test(self, test: Form, known: Mapping[int, bool]) -> bool | None:
        """Whether a test holds, where some comparisons are known."""
        test = self.algebra.decided(test, known)
        return None if test.constant not in (0, 1) else bool(test.constant)

    # -- values -----------------------------------------------------------------------------------------------------

    def chosen_value(self, test: Form, truths: Sequence[Factor], forms: Forms, family: str) -> Form | None:
        """A choice between the two values that are compared: of equal ones it does not matter which."""
        ways = self.ways(test, truths, forms, family, None)
        if ways.less is None or ways.more is None or ways.less is ways.more:
            return None
        kind = "min" if ways.less else "max"
        return self.algebra.extreme(kind, family, [Range(None, 1, 0, P.TRUE, each) for each in forms])

    # -- places -----------------------------------------------------------------------------------------------------

    def chosen_place(self, test: Form, truths: Sequence[Factor], forms: Forms) -> Form | None:
        """A choice between two places, as the place of all pairs that these are the places of."""
        algebra, (then, other) = self.algebra, forms
        found: list[tuple[Key, list[Range]]] = []
        for key, values in self.readings(test, truths, forms):
            sets = [self.pairs_of(key, value, place) for value, place in zip(values, forms, strict=True)]
            ways = self.ways(test, truths, values, key.family, forms)
            order = self.order(ways, sets, self.place_family(truths, forms))
            if order == key.order:
                found.append((key, [each for held in sets for each in held]))
        for key, ranges in found:
            if len(ranges) > 2 or any(each.bound is not None for each in ranges):
                return algebra.place(key, ranges)
        if found:
            plain = algebra.plus(other, algebra.times(test, algebra.minus(then, other)))
            self.tabled[plain] = found[:MOST_TABLED]
        return None

    def readings(self, test: Form, truths: Sequence[Factor], forms: Forms) -> Iterator[tuple[Key, Forms]]:
        """What a choice of places may be the place of: with the values that belong to the places."""
        for values in self.compared(truths):
            if set(values) == set(forms):
                continue
            family = next(truth.data[1] for truth in truths if set(truth.data[2]) == set(values))
            if not (self.algebra.laws.exp_max if family == "real" else self.algebra.laws.ints):
                continue
            for held in (values, values[::-1]):
                ways = self.ways(test, truths, held, family, forms)
                if ways.less is not None and ways.more is not None and ways.less is not ways.more:
                    for order in ("least", "greatest"):
                        yield Key("min" if ways.less else "max", order, family), held

    def pairs_of(self, key: Key, value: Form, place: Form) -> list[Range]:
        for known, ranges in self.tabled.get(place, ()):
            if known == key and self.algebra.value_of(key, ranges) == value:
                return ranges
        return self.algebra.pairs_of(key, value, place)

    def place_family(self, truths: Sequence[Factor], forms: Forms) -> str | None:
        """As what places are compared, None where they are not."""
        return next((truth.data[1] for truth in truths if set(truth.data[2]) == set(forms)), None)

    def order(self, ways: Ways, sets: Sequence[Sequence[Range]], family: str | None) -> str | None:
        """Which place of equal values is kept: the least, or the greatest; None where that is not seen."""
        before, _, behind = ways.equal
        if before is None or behind is None:
            return None
        if before is not behind:
            return self.order_compared(sets, family, is_least=before)
        kept, gone = sets if before else sets[::-1]
        if self.algebra.are_below(kept, gone):
            return "least"
        return "greatest" if self.algebra.are_below(gone, kept) else None

    def order_compared(self, sets: Sequence[Sequence[Range]], family: str | None, *, is_least: bool) -> str | None:
        """The same where places are compared: as numbers of a type in which they are what they are."""
        is_sure = family is not None and (family in SIGNED or all(map(self.are_natural, sets)))
        return None if not is_sure else "least" if is_least else "greatest"

    def are_natural(self, ranges: Sequence[Range]) -> bool:
        """Whether all places of some pairs are integers that are not negative."""
        integers = self.algebra.integers
        for each in ranges:
            place = self.algebra.integer_of(self.algebra.parts_of(each.body)[1])
            if place is None or not integers.never([*self.algebra.inside(each), P.lt(place, Poly({}))]):
                return False
        return True

    # -- what a loop leaves -------------------------------------------------------------------------------------------

    def kept_place(self, end: Form, mine: Factor) -> tuple[Form, Form] | None:
        """The test and the new place of a round that keeps the old place, or takes a new one: h + T·(p - h)."""
        algebra = self.algebra
        slope: dict[Mono, Number] = {}
        rest: dict[Mono, Number] = {}
        for mono, coef in end.terms.items():
            power = dict(mono).get(mine.number, 0)
            if power not in (0, 1):
                return None
            (slope if power else rest)[tuple(item for item in mono if item[0] != mine.number)] = coef
        test = algebra.minus(ONE, Form(slope))
        truths = self.comparisons(test)
        if not truths or not rest:
            return None
        for way in product((True, False), repeat=len(truths)):
            known = dict(zip((each.number for each in truths), way, strict=True))
            if self.decided_test(test, known):
                place = algebra.decided(Form(rest), known)
                return (test, place) if algebra.times(test, place) == Form(rest) else None
        return None

    def keeping_step(self, end: Form, mine: Factor, other: Factor, other_end: Form) -> Step | None:
        """What a round does that keeps the place of another carried value. `other_end`: that value behind the round."""
        algebra = self.algebra
        found = self.kept_place(end, mine)
        if found is None:
            return None
        test, place = found
        truths, held, forms = self.comparisons(test), algebra.of(other), (place, algebra.of(mine))
        for key, values in self.readings(test, truths, forms):
            if values[1] == held and self.is_extreme_of(other_end, key, values):
                ways = self.ways(test, truths, values, key.family, forms)
                return Step(key, ways, values[0], place, self.place_family(truths, forms))
        return None

    def is_extreme_of(self, form: Form, key: Key, values: Forms) -> bool:
        """Whether a form is the maximum, or minimum, of two values."""
        factor = self.algebra.single_factor(form)
        return factor is not None and factor.kind == key.kind and factor.data[0] == key.family and len(factor.data[1]) == 2 and (
            {each.body for each in factor.data[1] if each.bound is None} == set(values))

    def places_of(self, step: Step, first: Forms, number: Atom, where: Formula) -> Form | None:
        """The place that a loop leaves: of the pair that it begins with, and of those of all rounds."""
        algebra, (before, _, behind) = self.algebra, step.ways.equal
        place = algebra.integer_of(step.place)
        if place is None or before is None or behind is None:
            return None
        rounds = algebra.ranged(algebra.pair(step.value, step.place), number, where)
        for order in ("least", "greatest"):
            key = step.key._replace(order=order)
            begun = self.pairs_of(key, *first)
            named = [each for each in begun if key.family != "real" or not algebra.is_neutral(key, each)]
            if before is not behind:
                is_so = self.order_compared((named, [rounds]), step.family, is_least=before) == order
            else:
                is_rising = before is (order == "greatest")
                is_so = self.is_going(place, number, where, is_rising=is_rising) and (
                    algebra.are_below(named, [rounds]) if is_rising else algebra.are_below([rounds], named))
            if is_so:
                return algebra.place(key, [*begun, rounds])
        return None

    def is_going(self, place: Poly, number: Atom, where: Formula, *, is_rising: bool) -> bool:
        """Whether a later round has no lesser place (or, if they fall, no greater one)."""
        integers = self.algebra.integers
        later = {number: Poly.atom(integers.variable(("later", number), f"{number.text}'"))}
        after = integers.put(place, later)
        wrong = P.lt(after, place) if is_rising else P.lt(place, after)
        return integers.never([where, integers.put_formula(where, later), P.lt(Poly.atom(number), later[number]), wrong])


SIGNED = frozenset(kind.name for kind in SCALARS if kind.is_int and kind.signed)


def _holds(truth: Factor, forms: Forms, family: str | None, sign: str) -> bool | None:
    """Whether a comparison of two forms as what they are holds where the first is less, equal, or more; None of others."""
    op, compared, args = truth.data
    if compared != family:
        return None
    if args == forms:
        return sign in HOLDS[op]
    return TURNED[sign] in HOLDS[op] if args == forms[::-1] else None

