"""Divergence: every barrier is reached by all threads of its block or by none, every exchange by all lanes that it names.

Formula per barrier with arrival guard g:  g(t1) and not g(t2)  for two threads of one block (of the grid, of a warp). All
threads that reach the same barriers reach them in the same order; of loops that hold a barrier, entering and going on are
obligations too, for two threads in the same round (by induction on the rounds they have come there together). A
lane that returned further up is not waited for.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from automata.lang.core import Quantity, Scope
from automata.lang.spaces import WARP
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder, View
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Answer, Unknown, Unsat
from automata.logic.terms import Owner, Role, Term, Version
from automata.logic.views import runs_of_ones
from automata.passes import passing
from automata.place import Place
from automata.proof.known.context import FIRST, SAME_BLOCK, SECOND, Context, distinct, lane, same_warp
from automata.proof.known.footprint import Arrival, Footprint
from automata.proof.obligations.common_rounds import in_common_rounds
from automata.proof.obligations.memory import traceable, tracer_of
from automata.proof.obligations.trace import CannotTrace

LEFT, RIGHT = View(FIRST, SAME_BLOCK), View(SECOND, SAME_BLOCK)


@dataclass(frozen=True, slots=True)
class Obligation:
    """A barrier's uniformity and its answer: Unsat proves it, a model names two threads."""

    barrier: int
    place: Place
    guard: Term
    formula: Formula
    answer: Answer
    scope: Scope = "block"


@passing("convergence")
def check_convergence(context: Context, footprint: Footprint, encoder: Encoder) -> list[Obligation]:
    """One obligation per place where threads that came together before have to come together again.

    They may have come together in several ways (in intervals of their own, in the first round of a loop or a later one), some
    of which do not lead here: who is on one is compared with who is on another. Lanes that name others do not meet.
    """
    groups: dict[tuple[int, tuple[Term, ...]], list[Arrival]] = {}
    for arrival in footprint.arrivals:
        groups.setdefault((arrival.location, arrival.rounds), []).append(arrival)
    found = []
    for (location, _), arrivals in groups.items():
        ways = footprint.ways.get(arrivals[0].rounds, [T.TRUE])
        formula = P.TRUE if context.is_late() else P.disj(_Parted(context, encoder, arrivals, ways).formulas())
        answer: Answer = Unsat("uniform") if formula == P.FALSE or _is_uniform(context, arrivals, ways) else context.ask(
            [formula], encoder)
        if any(arrival.mask is not None and T.constant_value(arrival.mask) is None for arrival in arrivals):
            answer = Unknown("which lanes take part is not a constant")
        control = T.FALSE
        for arrival in arrivals:
            control = T.disjunction(control, arrival.control)
        found.append(Obligation(location, arrivals[0].place, control, formula, answer, arrivals[0].scope))
    return found


def through_memory(context: Context, footprint: Footprint, found: list[Obligation]) -> list[Obligation]:
    """The obligations with what threads read followed to who has written it. It rests on there being no race: the first of races
    and meetings that fail in a run comes behind reads that raced with nothing."""
    arrays = traceable(context, footprint)
    read = {part.data.array for arrival in footprint.arrivals for root in (arrival.base, arrival.full, arrival.control)
            for part in T.subterms(root) if isinstance(part.data, Version) and part.data.owner is not Owner.LAUNCH}
    if arrays.isdisjoint(read):
        return found
    try:
        again = check_convergence(context, footprint, tracer_of(context, footprint, arrays).encoder)
    except CannotTrace:
        return found
    return [new if isinstance(new.answer, Unsat) else old for old, new in zip(found, again, strict=True)]


def _is_uniform(context: Context, arrivals: list[Arrival], ways: list[Term]) -> bool:
    """Whether it shows without a query that all come or none, where two threads have one symbol for a round that both are in."""
    common = None if context.is_late() else in_common_rounds(context, arrivals, ways)
    if common is None:
        return False
    found, led, encoder = common
    return P.disj(_Parted(context, encoder, found, led).formulas()) == P.FALSE


@dataclass(frozen=True, slots=True)
class _Parted:
    """Two threads in the same rounds, of which one comes and the other, whom it waits for, does not."""

    context: Context
    encoder: Encoder
    arrivals: list[Arrival]
    ways: list[Term]

    def formulas(self) -> list[Formula]:
        threads, blocks = (self.context.coordinates(quantity) for quantity in (Quantity.THREAD, Quantity.BLOCK))
        depends = Role.NONE
        for arrival in self.arrivals:
            depends |= arrival.control.roles
        if len(self.ways) > 1:
            for way in self.ways:
                depends |= way.roles
        found = []
        for arrival in self.arrivals:
            if depends & Role.THREAD:
                found.append(self.formula(arrival, LEFT, RIGHT, threads))
            if arrival.scope == "grid" and depends:
                found.append(self.formula(arrival, View(FIRST, FIRST), View(SECOND, SECOND), blocks))
            if arrival.mask is not None:
                found.append(P.conj((self.here(arrival, LEFT), P.neg(self.names(arrival, LEFT)))))
        return [*found, *(self.unlike(one, two) for one, two in product(self.arrivals, repeat=2) if one.agreed)]

    def unlike(self, one: Arrival, two: Arrival) -> Formula:
        """Two threads come, and do not agree on what has to be the same."""
        encoder = self.encoder
        rounds = [P.eq(encoder.number(number, LEFT), encoder.number(number, RIGHT)) for number in one.rounds]
        agreed = P.conj(P.eq(encoder.index(mine, LEFT), encoder.index(yours, RIGHT))
                        for mine, yours in zip(one.agreed, two.agreed, strict=True))
        return P.conj((self.here(one, LEFT), self.here(two, RIGHT), *rounds, P.neg(agreed)))

    def formula(self, arrival: Arrival, left: View, right: View, coordinates: list[Term]) -> Formula:
        encoder = self.encoder
        same = [P.eq(encoder.number(number, left), encoder.number(number, right)) for number in arrival.rounds]
        if arrival.scope == "warp":
            same += [same_warp(self.context, encoder, left, right), self.names(arrival, right),
                     P.neg(encoder.truth(arrival.left, right))]
        came = P.disj(encoder.truth(way, right) for way in dict.fromkeys(self.ways))
        stays_away = [P.neg(P.conj((encoder.truth(other.base, right), encoder.truth(other.control, right))))
                      for other in self.arrivals if other.mask is arrival.mask]
        return P.conj((self.here(arrival, left), came, *stays_away, *same, distinct(coordinates, encoder, left, right)))

    def here(self, arrival: Arrival, view: View) -> Formula:
        return P.conj((self.encoder.truth(arrival.base, view), self.encoder.truth(arrival.full, view)))

    def names(self, arrival: Arrival, view: View) -> Formula:
        """Whether the mask names a thread."""
        mask = None if arrival.mask is None else T.constant_value(arrival.mask)
        if mask is None:
            return P.TRUE
        number = self.encoder.number(lane(self.context)[1], view)
        return P.disj(P.conj((P.le(Poly.number(low), number), P.lt(number, Poly.number(high or WARP))))
                      for low, high in runs_of_ones(int(mask), WARP, False) or [])
