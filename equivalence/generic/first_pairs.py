"""The place of the greatest value, or of the least: a set of pairs.

Of pairs (value, place) a search keeps the one that comes first: by its value, and of equal values by its place. That is the
greatest element of an order, so it is associative, commutative and idempotent, and a set of pairs says all: a serial loop, lanes
that take turns, and a tree over them leave the same if their sets are the same. A range of pairs has a factor `pair` for its
body; the factor `place` of some ranges is the place of their first pair.

`Key`: whether the greatest or the least value is looked for ("max", "min"), whether the least or the greatest of its places
("least", "greatest"), and what values are ("real", or a type of integers). Over the reals a value is no infinity, so a pair whose
value is -infinity (of a maximum) is behind all others, and is left out; then a set has to be of something (`has_places`). Of
integers the least value with the greatest place that there is comes behind all others or is equal to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.scalar import I32
from equivalence.generic.algebra import Algebra
from equivalence.generic.form import Factor, Form
from equivalence.generic.ranges import Range

EXTREMES = frozenset({"max", "min", "place"})


class Key(NamedTuple):
    """What comes first of some pairs."""

    kind: str
    order: str
    family: str


class Pairs(Algebra):
    """Forms with places."""

    def pair(self, value: Form, place: Form) -> Form:
        """A pair, as the body of a range."""
        factor = self.factor("pair", ("", (value, place)), (*self.atoms_of(value), *self.atoms_of(place)))
        return self.of(factor)

    def parts_of(self, body: Form) -> tuple[Form, Form]:
        """The value and the place of a pair."""
        (mono,) = body.terms
        value, place = self.factors[mono[0][0]].data[1]
        return value, place

    def place(self, key: Key, ranges: Iterable[Range]) -> Form:
        """The place of the first of all pairs of some ranges."""
        held = list(dict.fromkeys(ranges))
        kept = [each for each in held if not self._is_last(key, each, held)] or held
        classes: list[list[Range]] = []
        for each in sorted(kept, key=lambda item: item.bound is None):
            for known in classes:
                moved = self.shifted(each, known[0])
                if moved is not None:
                    known.append(moved)
                    break
            else:
                classes.append([each])
        united = [found for known in classes for found in (
            known[:1] if known[0].bound is None else self.united(known, self.under, disjoint=False))]
        if len(united) == 1 and united[0].bound is None:
            return self.parts_of(united[0].body)[1]
        return self.of(self.range_factor("place", (key, tuple(united)), united))

    def _is_last(self, key: Key, each: Range, held: Sequence[Range]) -> bool:
        """Whether a pair comes behind all others that there may be, or is equal to them."""
        if not self.is_neutral(key, each):
            return False
        if key.family == "real":
            return True
        if self.parts_of(each.body)[1].constant != (I32.high if key.order == "least" else I32.low):
            return False
        others = [other for other in held if other is not each]
        return self.are_below(others, [each]) if key.order == "least" else self.are_below([each], others)

    def is_neutral(self, key: Key, each: Range) -> bool:
        """Whether a pair has the value that all others are before."""
        return each.bound is None and self._is_neutral(key.kind, key.family, self.parts_of(each.body)[0])

    def are_below(self, ones: Sequence[Range], twos: Sequence[Range]) -> bool:
        """Whether no place of some pairs is more than one of others, whatever the sizes."""
        for one, two in product(ones, twos):
            below, above = (self.integer_of(self.parts_of(each.body)[1]) for each in (one, two))
            if below is None or above is None:
                return False
            where = self.inside(two)
            if two.bound is not None:
                renamed = {two.bound: Poly.atom(self.integers.variable(("place", two.bound), f"{two.bound.text}'"))}
                above, where = self.integers.put(above, renamed), [self.integers.put_formula(part, renamed) for part in where]
            if not self.integers.never([*self.inside(one), *where, P.lt(above, below)]):
                return False
        return True

    def inside(self, each: Range) -> list[Formula]:
        """That a number is in a range."""
        return [] if each.bound is None else [each.inside(self.integers)]

    def pairs_of(self, key: Key, value: Form, place: Form) -> list[Range]:
        """A set of pairs of which the first has a value and a place: that of which the place is taken, if its value is that of
        the same pairs, else this one pair."""
        factor = self.single_factor(place)
        is_place = factor is not None and factor.kind == "place" and factor.data[0] == key
        if factor is not None and is_place and self.value_of(key, factor.data[1]) == value:
            return list(factor.data[1])
        return [Range(None, 1, 0, P.TRUE, self.pair(value, place))]

    def value_of(self, key: Key, ranges: Sequence[Range]) -> Form:
        """The greatest, or least, value of some pairs."""
        return self.extreme(key.kind, key.family, [
            Range(each.bound, each.step, each.rest, each.where, self.parts_of(each.body)[0]) for each in ranges])

    def single_factor(self, form: Form) -> Factor | None:
        """The factor that a form is."""
        only = form.only()
        if only is None or only[1] != 1 or len(only[0]) != 1 or only[0][0][1] != 1:
            return None
        return self.factors[only[0][0][0]]

    # -- what is asked of every kind of factor ----------------------------------------------------------------

    def made_again(self, factor: Factor, instead: Mapping[Atom, Poly]) -> Form:
        match factor.kind:
            case "pair":
                value, place = factor.data[1]
                whole = self.integer_of(place)
                there = self.put(place, instead) if whole is None else self.of_poly(self.integers.put(whole, instead))
                return self.pair(self.put(value, instead), there)
            case "place":
                return self.place(factor.data[0], [self._range_again(each, instead) for each in factor.data[1]])
        return super().made_again(factor, instead)

    def _with_forms(self, factor: Factor, made: Sequence[Form]) -> Form:
        match factor.kind:
            case "pair":
                return self.pair(*made)
            case "place":
                return self.place(factor.data[0], [Range(each.bound, each.step, each.rest, each.where, body)
                                                   for each, body in zip(factor.data[1], made, strict=True)])
        return super()._with_forms(factor, made)
