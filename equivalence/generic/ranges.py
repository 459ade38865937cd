"""Ranges: what a sum or a maximum goes over, brought to one form so that equal ones meet.

A range is a body with a bound integer k, and when k is in it: a test and, if `step` is not 1, a congruence. A loop's round r,
of which a lane reads every 256th element, becomes the element itself: k = 256·r + lane, k ≡ lane (mod 256). So the ranges of
all lanes differ by the congruence alone, and together are all k (`joined`). Two ranges with one body up to a shift of k are
compared by their tests, which a solver decides (`shifted`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly, Rel
from equivalence.generic.bounds import degree_in, scaled, tight, with_small_numbers
from equivalence.generic.form import Form
from equivalence.generic.inside import Inside
from equivalence.generic.integers import Integers, Ratio
from equivalence.generic.lanes import NotAffine, fitted


@dataclass(frozen=True, slots=True)
class Range:
    """`bound` None: the body alone."""

    bound: Atom | None
    step: int
    rest: int
    where: Formula
    body: Form

    def inside(self, integers: Integers) -> Formula:
        """That the bound integer is in the range."""
        if self.step == 1 or self.bound is None:
            return self.where
        k = Poly.atom(self.bound)
        turns = integers.floor(k, Poly.number(self.step))
        return P.conj((self.where, P.eq(k - turns.scale(self.step), Poly.number(self.rest))))


def over(value: Poly, by: Poly) -> Poly | None:
    """An exact quotient of polynomials, None if it is none that is easily seen."""
    if not value.terms:
        return value
    if len(by.terms) == 1:
        (mono, coef), = by.terms.items()
        found = {}
        for other, factor in value.terms.items():
            rest = P.divided(other, mono)
            if rest is None or factor % coef:
                return None
            found[rest] = factor // coef
        return Poly(found)
    first = min(by.terms)
    times, left = divmod(value.terms.get(first, 0), by.terms[first])
    return Poly.number(times) if not left and by.scale(times) == value else None


class Rangy(Inside):
    """Forms that hold ranges."""

    def depth(self, atoms: Iterable[Atom]) -> int:
        """How deep the ranges are nested that atoms are bound by: their own and those inside."""
        return max((self.depths.get(each, 0) for each in atoms), default=0)

    depths: dict[Atom, int]
    nested: dict[int, int]
    _turned: dict[tuple[Range, tuple[Formula, ...]], Formula]

    def bound_at(self, depth: int) -> Atom:
        each = self.integers.variable(("bound", depth), f"k{depth}")
        self.depths[each] = depth
        return each

    def depth_of(self, form: Form) -> int:
        """Of the deepest range in a form."""
        return max((self.nested.get(number, 0) for mono in form.terms for number, _ in mono), default=0)

    # -- one form of a range ------------------------------------------------------------------------------

    def ranged(self, body: Form, number: Atom, where: Formula) -> Range:
        """The range of a body over all numbers that meet a test, in its own form."""
        bound = self.bound_at(self.depth_of(body) + 1)
        k = Poly.atom(bound)
        direct = [(what, value) for what, value in self.polys(body, number) if self.integers.depends(value, number)]
        lead = next((value for what, value in sorted(direct, key=_plainest)
                     if what != ("test",) and value.coefficient(number).terms), None)
        step, shift, sign = self._unit(direct, number, where, lead)
        if step == 1:
            instead = {number: (k - shift).scale(sign)}
            return Range(bound, 1, 0, tight(self.integers.put_formula(where, instead), bound, 1, 0), self.put(body, instead))
        turned = {number: Ratio((k - shift).scale(sign), step)}
        body = self.put(body, turned)
        rest = shift.terms.get((), 0) % step
        test = P.map_polys(where, lambda value: scaled(self._inside_put(value, number, turned), number, step, shift, sign, k))
        return Range(bound, step, rest, tight(test, bound, step, rest), body)

    def _unit(self, direct: Sequence[tuple[tuple[object, ...], Poly]], number: Atom, where: Formula,
              lead: Poly | None) -> tuple[int, Poly, int]:
        """Step, shift and sign of k = sign·step·number + shift. Where what is summed is weighed by its number, k is the whole
        index, so that equal weights meet."""
        tested = [leaf.poly for leaf in P.relations([where])]
        indices = self._indices([*(value for _, value in direct), *tested], number)
        if not direct and indices == []:
            return _unit_of_test(where, number)
        if lead is None and not direct:
            lead = next((value for value in indices or () if (value.coefficient(number).constant or 0) > 1), None)
        if lead is None or indices is None:
            return 1, Poly({}), 1
        direct = [*direct, *((("index",), value) for value in indices)]
        if any(degree_in(value, number) > 1 for _, value in direct):
            return 1, Poly({}), 1
        step = 0
        for what, value in direct:
            step = gcd(step, *value.coefficient(number).terms.values())
            if what == ("test",):
                step = 1
        if any(degree_in(leaf.poly, number) > 1 for leaf in P.relations([where])):
            return 1, Poly({}), 1
        slope, base = lead.coefficient(number), lead.replace({number: Poly({})})
        mono = min(slope.terms)
        sign = 1 if slope.terms[mono] > 0 else -1
        by = abs(slope.terms[mono]) // step
        is_closed = not any(self.integers.depends(base, bound) for bound in self.depths)  # nothing bound by a sum inside gets out
        if is_closed and mono == () and by == 1 and any(what[0] in ("power", "size") for what, _ in direct) and (
                all(coef % step == 0 for term, coef in base.terms.items() if term)):
            return step, base, sign
        return step, Poly.number(base.terms.get(mono, 0) // by), sign

    def _inside_put(self, value: Poly, number: Atom, instead: Mapping[Atom, Poly]) -> Poly:
        """An integer with another value in the place of a number, in elements that it has to do with, and there alone."""
        return value.replace({each: self.integers.put(Poly.atom(each), instead) for each in value.atoms()
                              if each != number and number in self.integers.within(each)})

    def _indices(self, values: Sequence[Poly], number: Atom) -> list[Poly] | None:
        """The indices of elements that integers are made of and a number says; None where it gets in by a quotient, say."""
        found: list[Poly] = []
        for value in values:
            for each in value.atoms():
                if each != number and number in self.integers.within(each):
                    made = self.integers.definitions.get(each)
                    is_read = made is not None and made.kind == "read"
                    if made is None or not (is_read or (made.kind == "floor" and not any(number in part.atoms()
                                                                                         for part in made.parts))):
                        return None
                    deeper = self._indices(made.parts, number)
                    if deeper is None:
                        return None
                    found += [*(made.parts if is_read else ()), *deeper]
        return found

    # -- ranges that meet ---------------------------------------------------------------------------------

    def shifted(self, each: Range, like: Range) -> Range | None:
        """The range with the body of another, its bound integer counted from elsewhere; None if bodies differ by more."""
        if each.body == like.body:
            return each if each.bound == like.bound else None
        lead = self._lead(like)
        if lead is None or like.bound is None:
            return None
        what, value = lead
        slope, base = value.coefficient(like.bound), value.replace({like.bound: Poly({})})
        for other, found in list(self.polys(each.body, each.bound)):
            if other != what or self.is_inside(found - base, like.bound):
                continue
            if each.bound is None:
                by = over(found - base, slope)
                if by is not None and self.put(like.body, {like.bound: by}) == each.body:
                    return Range(like.bound, 1, 0, P.eq(Poly.atom(like.bound), by), like.body)
            elif each.bound == like.bound and found.coefficient(like.bound) == slope:
                moved = self._moved(each, over(value - found, slope), like)
                if moved is not None:
                    return moved
        return None

    def is_inside(self, value: Poly, bound: Atom) -> bool:
        """Whether a value hangs on what a range further inside binds."""
        return any(0 < depth < self.depths[bound] and self.integers.depends(value, each) for each, depth in self.depths.items())

    def _lead(self, like: Range) -> tuple[tuple[object, ...], Poly] | None:
        """The first integer in a body that follows the bound one."""
        found = [(what, value) for what, value in self.polys(like.body, like.bound)
                 if like.bound is not None and what != ("test",) and value.coefficient(like.bound).terms]
        return next((each for each in found if each[0][0] != "power"), found[0] if found else None)

    def _moved(self, each: Range, by: Poly | None, like: Range) -> Range | None:
        if by is None or each.bound is None:
            return None
        instead = {each.bound: Poly.atom(each.bound) + by}
        if self.put(each.body, instead) != like.body:
            return None
        whole = Poly({mono: coef for mono, coef in by.terms.items() if mono})
        if any(coef % each.step for coef in whole.terms.values()):
            return None
        rest = (each.rest - by.terms.get((), 0)) % each.step
        where = tight(self.integers.put_formula(each.where, instead), each.bound, each.step, rest)
        return Range(each.bound, each.step, rest, where, like.body)

    def joined(self, ranges: Sequence[Range]) -> list[Range]:
        """Ranges of one body, none of which share a number: as few as possible."""
        found: list[Range] = []
        for step in sorted({each.step for each in ranges}):
            alike = [each for each in ranges if each.step == step]
            found += alike if step == 1 else self._without_steps(alike, step)
        return found

    def points_joined(self, ranges: Sequence[Range]) -> list[Range]:
        """Ranges of one body, those of one number each put together where the numbers follow each other (from one that sizes say)
        and their tests do so too."""
        points: dict[Poly, dict[int, list[Formula]]] = {}
        found: list[Range] = []
        for each in ranges:
            at = _point(each)
            at = None if at is None or each.bound is None or self.integers.depends(at[0], each.bound) else at
            known = {} if at is None else points.setdefault(at[0], {})
            if at is None or at[1] in known:
                found.append(each)
            else:
                known[at[1]] = at[2]
        for base, known in points.items():
            run: list[int] = []
            for number in sorted(known):
                if run and (number != run[-1] + 1):
                    found += self._run(ranges[0], base, run, known)
                    run = []
                run.append(number)
            found += self._run(ranges[0], base, run, known)
        return found

    def _run(self, like: Range, base: Poly, run: list[int], points: dict[int, list[Formula]]) -> list[Range]:
        """The numbers of a run, from a base on, as one range, if their tests are one test of the number."""
        assert like.bound is not None
        k = Poly.atom(like.bound) - base
        digits = (len(run),)
        try:
            fit = fitted(digits, [(at,) for at in range(len(run))], [P.conj(points[number]) for number in run])
        except NotAffine:
            return [Range(like.bound, 1, 0, P.conj((P.eq(k, Poly.number(number)), *points[number])), like.body) for number in run]
        inside = P.le(Poly.number(run[0]), k), P.le(k, Poly.number(run[-1]))
        return [Range(like.bound, 1, 0, P.conj((*inside, fit((k.plus(-run[0]),)))), like.body)]

    def _without_steps(self, ranges: Sequence[Range], step: int) -> list[Range]:
        """Ranges of one step: those that together have all rests, as one without; those that have all that are alike modulo a
        divisor of the step, as one that goes by the divisor."""
        left = list(ranges)
        found = []
        for turned in (False, True):
            groups: dict[Formula, list[Range]] = {}
            for each in left:
                groups.setdefault(self._by_turns(each) if turned else each.where, []).append(each)
            left = []
            for where, group in groups.items():
                whole: dict[int, list[Range]] = {}
                for each in group:
                    whole.setdefault(each.rest, []).append(each)
                for smaller, rest in _taken_together(whole, step):
                    found.append(Range(group[0].bound, smaller, rest, self._of_turns(where, group[0], step) if turned else where,
                                       ranges[0].body))
                left += [each for held in whole.values() for each in held]
        return [*found, *left]

    def _of_turns(self, test: Formula, like: Range, step: int) -> Formula:
        """A test of the number of the step as one of the bound integer."""
        assert like.bound is not None
        return self.integers.put_formula(test, {self.turn(): self.integers.floor(Poly.atom(like.bound), Poly.number(step))})

    def turn(self) -> Atom:
        return self.integers.variable("turn", "turn")

    def _by_turns(self, each: Range) -> Formula:
        """The test of a range, of the number of the step instead of the bound integer."""
        assert each.bound is not None
        key = each, tuple(self.integers.under)
        if key not in self._turned:
            value = Poly.atom(self.turn()).scale(each.step).plus(each.rest)
            self._turned[key] = with_small_numbers(self.integers.put_formula(each.where, {each.bound: value}))
        return self._turned[key]

    def same_numbers(self, one: Range, two: Range, under: Sequence[Formula]) -> bool:
        """Whether two ranges of one body hold the same numbers."""
        if (one.step, one.rest) != (two.step, two.rest):
            return False
        if one.where == two.where:
            return True
        first, second = one.inside(self.integers), two.inside(self.integers)
        return (self.integers.never([first, P.neg(second), *under]) and self.integers.never([second, P.neg(first), *under]))

    def apart(self, one: Range, two: Range, under: Sequence[Formula]) -> bool:
        """Whether two ranges of one body have no number in common."""
        if one.step == two.step and one.rest != two.rest:
            return True
        return self.integers.never([one.inside(self.integers), two.inside(self.integers), *under])

    def united(self, ranges: Sequence[Range], under: Sequence[Formula], *, disjoint: bool) -> list[Range]:
        """Ranges of one body as few as possible; `disjoint`: only those that share no number are put together."""
        left = self.joined(ranges) if disjoint else self.joined(list(dict.fromkeys(ranges)))
        found: list[Range] = []
        for each in left:
            for at, other in enumerate(found):
                if each.step == other.step == 1 and (not disjoint or self.apart(each, other, under)):
                    where = other.where if other.where == each.where else P.disj((other.where, each.where))
                    found[at] = Range(each.bound, 1, 0, where, each.body)
                    break
            else:
                found.append(each)
        return found


def _unit_of_test(where: Formula, number: Atom) -> tuple[int, Poly, int]:
    """The same of numbers that are counted: of those that an upper bound takes in steps, 128·number + 5 < cols, what is bound."""
    bounds = [part.poly for part in P.conjuncts(where) if isinstance(part, Rel) and part.sign == "<="]
    steps = [(slope, -value.terms.get((), 0)) for value in bounds if (slope := value.coefficient(number).constant or 0) > 1]
    if not steps or any(degree_in(leaf.poly, number) > 1 for leaf in P.relations([where])):
        return 1, Poly({}), 1
    slope, least = max(steps)
    return slope, Poly.number(-least - 1), 1


def _taken_together(whole: dict[int, list[Range]], step: int) -> Iterator[tuple[int, int]]:
    """Divisors of a step and rests by them of which all rests by the step are there; these are taken out, as often as all are."""
    for smaller in _divisors(step) if len(whole) > 1 else ():
        if step // smaller > len(whole):
            continue
        there = Counter(rest % smaller for rest, held in whole.items() if held)
        for first in sorted(first for first, number in there.items() if number == step // smaller):
            rests = range(first, step, smaller)
            for _ in range(min(len(whole.get(rest, ())) for rest in rests)):
                for rest in rests:
                    whole[rest].pop(0)
                yield smaller, first


@cache
def _divisors(step: int) -> tuple[int, ...]:
    """The divisors of a step that are smaller."""
    return tuple(number for number in range(1, step) if step % number == 0)


def _point(each: Range) -> tuple[Poly, int, list[Formula]] | None:
    """The one number of a range, which leaves its rest, as a part that sizes say and a number; and what else must hold. None if
    it is not of the form k = number and tests without k."""
    parts = P.conjuncts(each.where)
    for part in parts:
        slope = part.poly.terms.get((each.bound,)) if isinstance(part, Rel) and part.sign == "==" else None  # type: ignore[arg-type]
        if not isinstance(part, Rel) or slope not in (1, -1) or each.bound is None or degree_in(part.poly, each.bound) != 1:
            continue
        value = part.poly.replace({each.bound: Poly({})}).scale(-slope)
        number = value.terms.get((), 0)
        base, others = value.plus(-number), [other for other in parts if other is not part]
        is_alone = part.poly.coefficient(each.bound).constant is not None
        if is_alone and (each.step == 1 or (not base.terms and number % each.step == each.rest)) and not any(
                each.bound in P.atoms(other) for other in others):
            return base, number, others
    return None


def _plainest(item: tuple[tuple[object, ...], Poly]) -> tuple[bool, bool, int, str]:
    what, value = item
    return what[0] != "read", what[0] == "power", value.degree, repr(what)
