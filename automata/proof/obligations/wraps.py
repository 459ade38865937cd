"""No value that decides something wraps in its C type: proved, assumed aloud, read modulo 2^k, or found.

Input: the observations of a footprint. For every observed term (an index, an operand of a comparison,
division or widening cast) one of:

- it fits its type under its guard: PLAIN, nothing to say;
- narrower than int, or unsigned and it can fall below zero or wrap at small or bounded sizes: the code relies
  on it: EXACT (modulo 2^bits); so is data inside a stored value;
- signed, and it can overflow though everything in it is bounded: a finding `index-overflow`; of a left shift only what the
  unsigned type does not hold is an overflow, and in OpenCL C nothing is (C++14 [expr.shift], OpenCL C 6.3.j): else EXACT;
- it can overflow only where nothing bounds its operands: PLAIN under a printed assumption, with the
  launch limits within which it holds where those can be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Mode
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Answer, Sat, Unknown, Unsat
from automata.logic.terms import Role, Term
from automata.passes import passing
from automata.place import TIME_IS_UP, Place
from automata.proof.known.context import ONE, Context
from automata.proof.known.footprint import Footprint, Observation
from automata.proof.known.sizes import SMALL_SCALAR, wrap_limit
from automata.proof.obligations.may_wrap import Questions
from automata.proof.obligations.overflows import Overflow, Wraps
from automata.proof.symbolic.carried_data import grown_by_data, grown_in
from automata.proof.symbolic.observed_terms import (
    Sites,
    divides,
    inner_shifts,
    is_of_data,
    is_shift,
    is_split,
    levels,
    narrows,
    outside,
    overflow_is_undefined,
    sites_of,
)
from automata.proof.symbolic.recurrence import previous

READABLE = 3
"""Overflows for which a model of small sizes is looked for."""
MOST_OVERFLOWS = 12
"""So many are told; what else may overflow is not looked at then."""
SHARE = 0.5
"""Of the time that is left, for all of this."""


@passing("wraps", lambda found: f"{len(found.assumed)} assumed" if found.assumed else "none assumed")
def decide_wraps(context: Context, footprint: Footprint) -> Wraps:
    """Decide the mode of every observed term; writes `context.modes`."""
    sites = sites_of(footprint)
    run = _Run(context, footprint.heads, sites, footprint.counted, grown_by_data(footprint))
    with context.sharing(SHARE):
        for terms in levels(sites):
            run.decide_all(terms)
        if context.is_late():
            run.found.unclear.append(TIME_IS_UP)
    return run.found


class _Run(Questions):
    """Decides the values of one footprint, as they are at `sites`."""

    def __init__(self, context: Context, heads: dict[Term, Term], sites: Sites, counted: Set[Term], grown: Set[object]) -> None:
        super().__init__(context, heads, counted, grown)
        self.sites = sites
        self.found = Wraps()
        self.looked_at: set[tuple[Term, Term]] = set()
        self.said: dict[Term, list[str]] = {}
        self.conjuncts: dict[Term, frozenset[Term]] = {}

    def decide_all(self, terms: Sites) -> None:
        """Decide terms that do not hold each other. Of those that differ by constants alone and matter at the same sites, the
        least and the greatest come first: where both fit, so do all between."""
        alike: dict[object, list[tuple[int, Term]]] = {}
        self.convert(terms)
        for term, sites in terms.items():
            if term not in self.context.modes:
                value = self.encoder.number(term, ONE)
                base = frozenset(item for item in value.terms.items() if item[0])
                where = tuple((site.guard, site.is_value) for site in sites)
                key = base, where, term.type, term.roles, overflow_is_undefined(term, self.counted), narrows(term, self.counted)
                alike.setdefault(key, []).append((int(value.terms.get((), 0)), term))
        for group in alike.values():
            group.sort(key=lambda item: item[0])
            ends = [group[0][1], *(term for _, term in group[-1:] if term is not group[0][1])]
            for term in ends:
                self.decide(term, terms[term])
            fit = all(self.context.modes[term] is Mode.PLAIN for term in ends)
            for _, term in group[1:-1]:
                if fit:
                    self.settle(term, Mode.PLAIN)
                else:
                    self.decide(term, terms[term])

    def convert(self, terms: Sites) -> None:
        """Find the left shifts inside of terms that reach the sign and lose nothing: they are converted before they are used."""
        found = [(shift, site) for term, sites in terms.items() for shift in inner_shifts(term) for site in sites]
        for shift, site in found:
            key = shift, site.guard
            if key not in self.looked_at and shift not in self.context.converted and not self.context.is_late():
                self.looked_at.add(key)
                value = self.encoder.number(shift, ONE)
                if self.leaves(shift, value) and isinstance(self.at_small_sizes(
                        shift, site.guard, outside(shift, value)), Sat) and not isinstance(self.at_small_sizes(
                        shift, site.guard, self.lost(shift, value)), Sat):
                    self.context.converted.add(shift)
                    self.encoder = self.context.encoder()

    def settle(self, term: Term, mode: Mode) -> None:
        self.context.modes[term] = self.encoder.modes[term] = mode

    def decide(self, term: Term, sites: list[Observation]) -> None:
        if term in self.context.modes:
            return
        if len(self.found.overflows) >= MOST_OVERFLOWS or self.context.is_late():
            self.settle(term, self.unasked(term, sites))
            return
        if self.is_part(term, sites):
            self.settle(term, Mode.PLAIN)
            return
        is_open = is_shift(term) and T.constant_value(term.args[1]) is None
        if not is_open and self.by_induction(term, sites[0].place):
            return
        value = self.encoder.number(term, ONE)
        mode = Mode.PLAIN
        if is_open or self.leaves(term, value):
            for site in self.weakest(term, sites):
                mode = self.at(term, value, site)
                if mode is Mode.EXACT:
                    break
        self.settle(term, mode)
        for assumption in self.said.pop(term, ()):
            for site in sites:
                self.tell(assumption, site.place)

    def weakest(self, term: Term, sites: list[Observation]) -> list[Observation]:
        """The sites whose guard is not that of another one with more conditions: what holds there, or is assumed, holds under all
        of those. A straight piece of code looks at a value again and again, each time a little deeper."""
        found: list[Observation] = []
        for site in sites:
            mine = self.conditions(site.guard)
            if not any(other.is_value == site.is_value and self.conditions(other.guard) <= mine for other in found):
                found.append(site)
        return found

    def conditions(self, guard: Term) -> frozenset[Term]:
        """The conjuncts of a guard."""
        if guard not in self.conjuncts:
            self.conjuncts[guard] = frozenset(T.conjuncts(guard))
        return self.conjuncts[guard]

    def unasked(self, term: Term, sites: list[Observation]) -> Mode:
        """The mode of a term for which no time is left: as it wraps, or under an assumption where an overflow is undefined."""
        if term.type.bits < 32 or not overflow_is_undefined(term, self.counted) or is_shift(term):
            return Mode.EXACT
        if self.leaves(term, self.encoder.number(term, ONE)):
            self.assume(term, sites[0].place, False, *(site.guard for site in sites))
        return Mode.PLAIN

    def is_part(self, term: Term, sites: list[Observation]) -> bool:
        """Whether a value is a quotient or remainder of one that is in its type, and not the one quotient that leaves it."""
        if term.op not in ("/", "%") or self.context.modes.get(term.args[0]) is not Mode.PLAIN:
            return False
        left, right = (self.encoder.index(arg, ONE) for arg in term.args)
        exception = P.conj((P.eq(left, Poly.number(term.type.low)), P.eq(right, Poly.number(-1))))
        return not term.type.signed or all(isinstance(self.context.ask(
            [self.encoder.truth(site.guard, ONE), exception], self.encoder, model=False), Unsat) for site in sites)

    def by_induction(self, term: Term, place: Place) -> bool:
        """Whether a value of a round of a loop stays in its type whenever a thread comes to the head of the loop: by induction
        on the rounds, if it did in the round before, where there was one. What holds for small sizes is assumed for all. The
        induction is over the innermost loop: a round of it before this one there was, in the same rounds of the loops around.
        What the test of the round before says of a value holds only if the values in that test stayed in their types, too: where
        a value alone is not inductive, all of these are looked at together. Who never comes to the head may look at a value of
        it, too: behind a branch around the loop the value of either side is one term.
        """
        inside = set(T.subterms(term))
        number = next((symbol for symbol in reversed(self.heads) if symbol in inside), None)
        if number is None or is_split(term, number):
            return False
        outer = self.encoder
        stays = self.inductive({term: place}, number)
        if not stays:
            together = {term: place, **self.tested_before(number)}
            stays = self.inductive(together, number) if len(together) > 1 else {}
        self.encoder = outer
        if term not in stays or not self.fit_elsewhere(stays, number):
            return False
        known = T.binary("<=", T.const(1, number.type), number)
        for other, (where, is_large_only) in stays.items():
            if is_large_only:
                self.assume(other, where, False, self.heads[number])
            self.context.modes[other] = Mode.PLAIN
            before = T.substitute(other, {number: previous(number)})
            if self.context.modes.get(before) is not Mode.PLAIN:
                self.context.fitting[before] = known
        self.encoder = self.context.encoder()
        return True

    def fit_elsewhere(self, terms: Iterable[Term], number: Term) -> bool:
        """Whether values are in their types wherever a thread looks at one that does not come to the head of a loop. For such a
        thread the number of the round stands for nothing, and may be 0."""
        begun = self.conditions(self.heads[number])
        away = P.conj((P.neg(self.encoder.truth(self.heads[number], ONE)),
                       P.eq(self.encoder.number(number, ONE), Poly.number(0))))
        return not any(self.ends(term, self.encoder.number(term, ONE), P.conj((self.encoder.truth(site.guard, ONE), away)))
                       for term in terms for site in self.sites[term] if not begun <= self.conditions(site.guard))

    def tested_before(self, number: Term) -> dict[Term, Place]:
        """The values of a round that nothing is decided of, and that decided in the round before whether there is this one."""
        head, back = set(T.subterms(self.heads[number])), {number: previous(number)}
        return {term: sites[0].place for term, sites in self.sites.items() if term not in self.context.modes
                and (before := T.substitute(term, back)) is not term and before in head}

    def inductive(self, terms: dict[Term, Place], number: Term) -> dict[Term, tuple[Place, bool]]:
        """The largest set of some values that all stay in their types in a round if all did in the round before, and whether each
        may leave it at large sizes."""
        known = T.binary("<=", T.const(1, number.type), number)
        while terms:
            self.encoder = self.context.encoder()
            self.encoder.fitting = {**self.encoder.fitting, **{
                T.substitute(term, {number: previous(number)}): known for term in terms}}
            found = {term: self.stays_at_small_sizes(term, self.encoder.number(term, ONE), self.heads[number]) for term in terms}
            stay = {term: (terms[term], is_large_only) for term, is_large_only in found.items() if is_large_only is not None}
            if len(stay) == len(terms):
                return stay
            terms = {term: terms[term] for term in stay}
        return {}

    def stays_at_small_sizes(self, term: Term, value: Poly, head: Term) -> bool | None:
        """Whether a value that stays in its type at small sizes leaves it at large ones; None where it may at small ones."""
        if self.rests_on_assumed(term) and self.fits_when_small(term, head):
            return True
        if not self.leaves(term, value) or not self.ends(term, value, self.encoder.truth(head, ONE)):
            return False
        if term.type.bits < 32 or narrows(term, self.counted):
            return None
        if self.fits_when_small(term, head):
            return True
        asked = (self.at_small_sizes(term, head, outside(term, value), model=model) for model in (False, True))
        small = next((answer for answer in asked if not isinstance(answer, Unknown)), None)
        return True if isinstance(small, Unsat) or self.needs_large_data(term, head, value) else None

    def at(self, term: Term, value: Poly, site: Observation) -> Mode:
        """The mode of a term at one site; notes an overflow or assumption there."""
        guard = self.encoder.truth(site.guard, ONE)
        if self.rests_on_assumed(term) and self.fits_when_small(term, site.guard):
            self.assume(term, site.place, False, site.guard)
            return Mode.PLAIN
        ends = self.ends(term, value, guard)
        if not is_shift(term) and not ends:
            return Mode.PLAIN
        if self.is_overflow(term) and is_of_data(term) and self.fits_when_small(term, site.guard, SMALL_SCALAR):
            return self.for_data(term, site)
        if is_shift(term) and isinstance(self.context.ask([guard, self.lost(term, value)], self.encoder, model=False), Unsat):
            return Mode.EXACT if ends else Mode.PLAIN
        small = self.leaves_when_small(term, site.guard, value)
        if isinstance(small, Sat):
            return self.overflowing(term, site, small, value)
        if is_shift(term) and isinstance(self.at_small_sizes(term, site.guard, outside(term, value)), Sat):
            self.tell(f"`{T.show(term)}` loses no bits", site.place)
            return Mode.EXACT
        return self.at_large_sizes(term, value, site, small, ends) if ends else Mode.PLAIN

    def at_large_sizes(self, term: Term, value: Poly, site: Observation, small: Answer, ends: dict[str, Formula]) -> Mode:
        """A value that leaves its type at some ends of it, if at all, only at large sizes, as far as is known of small ones."""
        kind = term.type
        if ("below" in ends and not kind.signed) or kind.bits < 32:
            return Mode.EXACT
        if self.heads.keys() & set(T.subterms(term)):
            if not narrows(term, self.counted) and (isinstance(small, Unsat) or self.is_open(term, value, site, small)):
                self.assume(term, site.place, False, site.guard)
                return Mode.PLAIN
            return self.in_rounds(term, site)
        return self.beyond_small_sizes(term, value, site, P.disj(ends.values()), "below" in ends)

    def overflowing(self, term: Term, site: Observation, small: Sat, value: Poly) -> Mode:
        """A value that leaves its type at small sizes."""
        if term.type.bits < 32 or not overflow_is_undefined(term, self.counted):
            self.found.is_silent |= term.type.bits >= 32 and not is_of_data(term)
            return Mode.EXACT
        is_in_rounds = bool(self.heads.keys() & set(T.subterms(term)))
        may_be_small = is_in_rounds or not term.roles & Role.DATA
        hangs_on_data = is_of_data(term) or bool(grown_in(term, self.grown))
        lost = self.lost(term, value)
        if hangs_on_data and not (may_be_small and self.holds_for_small_data(term, site.guard, lost)):
            return self.for_data(term, site)
        if is_in_rounds:
            is_assumed = hangs_on_data and not self.is_shown_for_small_data(term, site.guard, lost)
            return self.for_data(term, site) if is_assumed else self.in_rounds(term, site)
        if len(self.found.overflows) < READABLE:
            pleasant = self.at_small_sizes(term, site.guard, self.lost(term, value), readable=True)
            small = pleasant if isinstance(pleasant, Sat) else small
        self.found.overflows.append(Overflow(term, site.place, dict(small.model)))
        return Mode.PLAIN

    def in_rounds(self, term: Term, site: Observation) -> Mode:
        """A value of some round of a loop, of which no model can tell when it overflows: read as it wraps. Where only large data
        make it do so, it is assumed not to. What is stored, or cut from a wider type, decides nothing."""
        if site.is_value or narrows(term, self.counted):
            self.found.is_silent |= term.type.bits >= 32 and not is_of_data(term)
        elif self.needs_large_data(term, site.guard, self.encoder.number(term, ONE)):
            self.assume(term, site.place, False, site.guard)
            return Mode.PLAIN
        elif term.type.signed:
            self.found.unclear.append(f"`{T.show(term)}` may leave the range of {term.type} in some round ({site.place})")
        return Mode.EXACT

    def for_data(self, term: Term, site: Observation) -> Mode:
        """Signed arithmetic on data: exact in a stored value, else assumed to be in range."""
        if site.is_value:
            return Mode.EXACT
        self.assume(term, site.place, False, site.guard)
        return Mode.PLAIN

    def beyond_small_sizes(self, term: Term, value: Poly, site: Observation, leaves: Formula, below: bool) -> Mode:
        """A value that leaves its type, if at all, only at large sizes. Where it always does, nothing is assumed."""
        unbounded = self.unbounded(value, site.guard)
        sizes_alone = all(map(T.size_of, unbounded))
        fits = P.conj((self.encoder.truth(site.guard, ONE), P.neg(outside(term, value))))
        may_fit = bool(unbounded) and not isinstance(self.context.ask([fits], self.encoder, model=False), Unsat)
        if may_fit and (sizes_alone or not narrows(term, self.counted)):
            self.assume(term, site.place, not below, site.guard)
            return Mode.PLAIN
        if not overflow_is_undefined(term, self.counted):
            self.found.is_silent |= not is_of_data(term)
            return Mode.EXACT
        formulas = [self.encoder.truth(site.guard, ONE), leaves, self.lost(term, value), *divides(term, self.encoder)]
        answer = self.context.ask(formulas, self.encoder)
        if isinstance(answer, Sat):
            self.found.overflows.append(Overflow(term, site.place, dict(answer.model)))
        elif not isinstance(answer, Unsat):
            self.assume(term, site.place, not below, site.guard)
        return Mode.PLAIN

    def assume(self, term: Term, place: Place, only_above: bool, *tests: Term) -> None:
        """Note the assumption, to hold under any of some tests; as a limit on the sizes where the upper end is the only one in
        question."""
        self.context.assumed.setdefault(term, []).extend(tests)
        self.found.places.setdefault(term, place)
        limit = wrap_limit(self.context, term) if only_above else None
        text = f"no wrap in {term.type}: {limit}" if limit else f"`{T.show(term)}` does not wrap in {term.type}"
        if limit:
            self.found.limits[text] = limit
        self.said.setdefault(term, []).append(text)
        self.tell(text, place)

    def tell(self, assumption: str, place: Place) -> None:
        places = self.found.assumed.setdefault(assumption, [])
        if place not in places:
            places.append(place)
