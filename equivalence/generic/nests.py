"""Sums in sums, as one sum where the two go through numbers one by one.

Input: what is summed over several integers, and when. Output: the same over one. A body that reads x[i·w + j] and nothing else
of i and j is summed over k = i·w + j: j is k - i·w, and i stands in the test alone. An integer that stands in the test alone goes
if the others say what it is (0 <= k - i·w < w: i is the floor of k / w), which the solver has to agree to: then each k is counted
once. So rows of strips, of tiles, of planes become rows of elements, and loops that are interchanged meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly, Rel
from equivalence.generic.bounds import degree_in, pinned
from equivalence.generic.by_place import by_places
from equivalence.generic.form import Form
from equivalence.generic.integers import ONE, ZERO, CannotFollow
from equivalence.generic.ranges import Rangy, over

MOST_GUESSES = 6
"""What an integer may be that a test says something of."""


@dataclass(frozen=True, slots=True)
class Nest:
    """The sum of a body over integers that meet a test."""

    over: tuple[Atom, ...]
    where: Formula
    body: Form


class Nests(Rangy):
    """Forms whose nested sums are made one. `under`: what holds where forms are compared."""

    under: tuple[Formula, ...]

    def flattened(self, nest: Nest) -> Nest | None:
        """The same sum over one integer, None where that is not seen."""
        try:
            opened = self._opened_sum(nest)
            if opened is None or len(opened.over) < 2:
                return None
            written, opened = opened.where, self._by_places(opened)
            if self._is_mixed(opened, is_split=written != opened.where):
                return None
            return opened if len(opened.over) < 2 else self._merged_sum(opened)
        except CannotFollow:
            self.integers.mind_budget()
            return None

    def _opened_sum(self, nest: Nest) -> Nest | None:
        """A sum with the sums in its body as its own."""
        only = nest.body.only()
        if only is None or only[1] != 1:
            return None
        sums = [(number, power) for number, power in only[0] if self.factors[number].kind == "sum"]
        if not sums:
            return nest
        if len(sums) > 1 or sums[0][1] != 1:
            return None
        each = self.factors[sums[0][0]].data
        rest = Form({tuple(item for item in only[0] if item[0] != sums[0][0]): 1})
        inner = self.integers.variable(("nested", len(nest.over)), f"i{len(nest.over)}")
        value = Poly.atom(inner).scale(each.step).plus(each.rest)
        where = self.integers.put_formula(each.where, {each.bound: value})
        body = self.times(rest, self.put(each.body, {each.bound: value}))
        return self._opened_sum(Nest((*nest.over, inner), P.conj((nest.where, where)), body))

    def _by_places(self, nest: Nest) -> Nest:
        """The same sum with equations taken apart place by place, without the integers that these say."""
        parts = P.conjuncts(nest.where)
        known = (*self.under, *(part for part in parts if not isinstance(part, Rel) or part.sign != "=="))
        where = P.conj(each for part in parts for each in by_places(self.integers, part, known))
        is_split = where != nest.where
        nest = Nest(nest.over, where, nest.body)
        for each in nest.over:
            value = pinned(nest.where, each)
            if value is None or len(nest.over) < 2 or not (is_split or value.constant is not None):
                continue
            if not self.integers.depends(value, each):
                instead = {each: value}
                nest = Nest(tuple(other for other in nest.over if other != each),
                            self.integers.put_formula(nest.where, instead), self.put(nest.body, instead))
        return nest

    def _is_mixed(self, nest: Nest, *, is_split: bool) -> bool:
        """Whether an equation is of an element, or of a place (`is_split`), of multiples of what is summed over, and of integers
        that sums further out are over, or that stand for others: there it may be told apart."""
        reads = set(self._reads(nest.where))
        return any(isinstance(part, Rel) and part.sign == "=="
                   and (is_split or any(self.integers.within(each) & reads for each in part.poly.atoms()))
                   and any(len(mono) == 1 and abs(coef) > 1 and not self.integers.within(mono[0]).isdisjoint(nest.over)
                           and self.integers.within(mono[0]).isdisjoint(reads) for mono, coef in part.poly.terms.items())
                   and any(self._is_open(each, nest.over) for each in part.poly.atoms())
                   for part in P.conjuncts(nest.where))

    def _is_open(self, each: Atom, over: Sequence[Atom]) -> bool:
        """Whether an integer is made of one that is no size, is not summed over here, and is not given from outside."""
        return any(inner.symbol is None and inner not in over and inner not in self.integers.given
                   and inner not in self.integers.definitions and inner not in self.integers.encoder.floors
                   for inner in self.integers.within(each))

    def narrowed(self, nest: Nest) -> Nest:
        """The same sum without the integers of which the test says what they are, if they are anything."""
        left = list(nest.over)
        for _ in nest.over:
            found = next(((each, value) for each in reversed(left) if (value := self._said(nest.where, each)) is not None), None)
            if found is None:
                break
            left.remove(found[0])
            instead = {found[0]: found[1]}
            nest = Nest(tuple(left), self.integers.put_formula(nest.where, instead), self.put(nest.body, instead))
        return Nest(nest.over, self._pruned(nest.where), nest.body)

    def _said(self, where: Formula, each: Atom) -> Poly | None:
        """The one value that a test leaves to an integer; None where none is seen."""
        only = pinned(where, each)
        if only is not None and not self.integers.depends(only, each):
            return only
        return next((value for value in self._guesses(where, each)
                     if self.integers.never([where, *self.under, P.neg(P.eq(Poly.atom(each), value))])), None)

    def _merged_sum(self, nest: Nest) -> Nest | None:
        used = [each for each in nest.over if self._stands_in(nest.body, each) or self._is_read_by(nest.where, each)]
        if len(used) == 1:
            return self._without(nest, [each for each in nest.over if each not in used], used[0])
        found = self._index(nest, used)
        if found is None:
            return None
        index, inner, sign = found
        k = self.integers.variable(("nested", "all"), "k")
        instead = {inner: (Poly.atom(k) - index).scale(sign) + Poly.atom(inner)}
        body = self.put(nest.body, instead)
        others = [each for each in nest.over if each != inner]
        where = self.integers.put_formula(nest.where, instead)
        if any(self._stands_in(body, each) or self._is_read_by(where, each) for each in others):
            return None
        return self._without(Nest((k, *others), where, body), others, k)

    def _stands_in(self, body: Form, each: Atom) -> bool:
        return each in self.atoms_of(body)

    def _reads(self, where: Formula) -> list[Atom]:
        """The elements of arrays that a test is of, or quotients of which."""
        made = self.integers.definitions
        inside = frozenset[Atom]().union(*map(self.integers.within, P.atoms(where)))
        return sorted(each for each in inside if each in made and made[each].kind == "read")

    def _is_read_by(self, where: Formula, each: Atom) -> bool:
        """Whether an integer says which element a test is of."""
        return any(each in self.integers.within(read) for read in self._reads(where))

    def _index(self, nest: Nest, used: Sequence[Atom]) -> tuple[Poly, Atom, int] | None:
        """The part of an index that follows the integers, over a factor that all of it has; one of them that stands in it alone,
        and its sign."""
        read = [value for what, value in self.polys(nest.body) if what[0] == "read"]
        tested = [part.poly for part in P.conjuncts(nest.where) if isinstance(part, Rel)] if not used else []
        used = used or nest.over
        for value in (*read, *(self.integers.definitions[each].parts[0] for each in self._reads(nest.where)), *tested):
            part = Poly({mono: coef for mono, coef in value.terms.items() if not set(mono).isdisjoint(used)})
            others = value - part
            if any(self.integers.depends(Poly({mono: 1}), each) and each not in mono for mono in value.terms for each in used):
                return None
            for inner in reversed(used):
                slope = part.coefficient(inner)
                if slope.constant in (1, -1) and degree_in(part, inner) == 1:
                    return part if value in tested else part + others, inner, slope.constant or 1
            for inner in reversed(used):
                slope = part.coefficient(inner)
                whole = over(part, slope) if slope.terms and degree_in(part, inner) == 1 else None
                if whole is not None and not any(each in slope.atoms() for each in used):
                    for mono, coef in others.terms.items():
                        whole = whole + ((over(Poly({mono: coef}), slope) if mono else None) or ZERO)
                    return whole, inner, 1
        return None

    def _without(self, nest: Nest, gone: Iterable[Atom], kept: Atom) -> Nest | None:
        """The sum over one integer, if that says what the others are."""
        where = nest.where
        for each in gone:
            value = self._said(where, each)
            if value is None:
                return None
            where = self._pruned(self.integers.put_formula(where, {each: value}))
        return Nest((kept,), self._plain(where, kept), nest.body)

    def _plain(self, where: Formula, kept: Atom) -> Formula:
        """A test with less in the place of a part with quotients that says no more: 0 <= k, where the round of k is not negative,
        and k < n, where k is less than the end of its tile, min(s, n - tile·s)."""
        parts = list(P.conjuncts(where))
        for at, part in enumerate(parts):
            others = [*parts[:at], *parts[at + 1:], *self.under]
            parts[at] = next((less for less in self._less_than(part, kept) if self.integers.always(less, [part, *others])
                              and self.integers.always(part, [less, *others])), part)
        return P.conj(parts)

    def _less_than(self, part: Formula, kept: Atom) -> Iterator[Formula]:
        """What a bound with quotients may say in fewer words: the integer is not negative, or one case of what it chooses."""
        if not isinstance(part, Rel) or part.sign != "<=" or not part.poly.atoms() & self.integers.encoder.floors.keys():
            return
        yield P.le(ZERO, Poly.atom(kept))
        for each in sorted(part.poly.atoms() & self.integers.definitions.keys()):
            made = self.integers.definitions[each]
            if made.kind == "choice":
                yield from (P.le(part.poly.replace({each: case}), ZERO) for case in made.parts)

    def _guesses(self, where: Formula, each: Atom) -> Iterator[Poly]:
        """What a test says that an integer may be at most, or at least."""
        seen: dict[Poly, None] = {}
        for part in P.conjuncts(where):
            if len(seen) >= MOST_GUESSES or not isinstance(part, Rel):
                continue
            slope, rest = part.poly.coefficient(each), part.poly.replace({each: ZERO})
            if not slope.terms or self.integers.depends(slope, each) or self.integers.depends(rest, each):
                continue
            if part.sign == "==" and slope.constant in (1, -1):
                seen[rest.scale(-(slope.constant or 1))] = None
            elif part.sign == "<=" and self.integers.never([where, *self.under, P.le(slope, ZERO)]):
                seen |= dict.fromkeys(self.integers.floor(some.scale(-1), slope) for some in _less_of(rest, slope))
            elif part.sign == "<=" and self.integers.never([where, *self.under, P.le(ZERO, slope)]):
                size = slope.scale(-1)
                seen |= dict.fromkeys(self.integers.floor(some + size - ONE, size) for some in _less_of(rest, slope))
        seen |= dict.fromkeys(self._turns(where, each))
        yield from seen

    def _turns(self, where: Formula, each: Atom) -> Iterator[Poly]:
        """What an integer may be that a quotient is made of: of floor((v - c·x) / s), for numbers c and s, x may be
        floor((v mod s) / c). So of k = 192·round + 64·block + thread, the block is said by k, though the round is said by k and
        the block."""
        for quotient in sorted(P.atoms(where) & self.integers.encoder.floors.keys()):
            value, size = self.integers.encoder.floors[quotient]
            slope, rest = value.coefficient(each).constant or 0, value.replace({each: ZERO})
            if size.constant is not None and size.constant > 0 > slope and not self.integers.depends(rest, each):
                turned = rest - self.integers.floor(rest, size) * size
                yield self.integers.floor(turned, Poly.number(-slope))

    def _of_divided(self, part: Formula) -> Formula:
        """floor(v / s) >= m as v >= m·s, for a number s; floor(v / s) >= 0 as v >= 0, for any positive s."""
        encoder = self.integers.encoder
        if isinstance(part, Rel) and part.sign == "<=":
            each = next((each for each in part.poly.atoms() if each in encoder.floors and encoder.is_floor(each)), None)
            least = None if each is None else (part.poly + Poly.atom(each)).constant
            if each is not None and least is not None and (size := encoder.floors[each][1].constant or 0) > 0:
                return P.le(Poly.number(least * size), encoder.floors[each][0])
            if each is not None and least == 0 and self.integers.always(P.le(ONE, encoder.floors[each][1]), self.under):
                return P.le(ZERO, encoder.floors[each][0])
        return part

    def _pruned(self, where: Formula) -> Formula:
        """A test without what the rest of it says too, and without quotients that say what is divided."""
        parts = list(map(self._of_divided, P.conjuncts(where)))
        for part in sorted(parts, key=lambda part: -len(P.atoms(part) & self.integers.encoder.floors.keys())):
            others = [other for other in parts if other is not part]
            if self.integers.always(part, [*others, *self.under]):
                parts = others
        return P.conj(parts)


def _less_of(rest: Poly, slope: Poly) -> list[Poly]:
    """What is divided, also without a term that may be too small to count: a block's number beside that of a round of all."""
    if slope.constant is not None:
        return [rest]
    small = [Poly({mono: coef}) for mono, coef in sorted(rest.terms.items()) if len(mono) == 1]
    return [*(rest - part for part in small if len(rest.terms) > 1), rest]
