"""Barrier divergence: every barrier is reached by all threads of a block or by none.

Formula per barrier with arrival guard g:  g(t1) and not g(t2)  for two threads of one block. All threads that reach the
same barriers reach them in the same order; of loops that hold a barrier, entering and going on are obligations too,
for two threads in the same round (by induction on the rounds they have come there together).
"""

from __future__ import annotations

from dataclasses import dataclass

from automata.lang.core import Quantity
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder, View
from automata.logic.poly import Formula
from automata.logic.smt import Answer, Unsat
from automata.logic.terms import Role, Term
from automata.place import Place
from automata.proof.context import FIRST, SAME_BLOCK, SECOND, Context, distinct
from automata.proof.footprint import Arrival, Footprint

LEFT, RIGHT = View(FIRST, SAME_BLOCK), View(SECOND, SAME_BLOCK)


@dataclass(frozen=True, slots=True)
class Obligation:
    """A barrier's uniformity and its answer: Unsat proves it, a model names two threads."""

    barrier: int
    place: Place
    guard: Term
    formula: Formula
    answer: Answer


def check_convergence(context: Context, footprint: Footprint, encoder: Encoder) -> list[Obligation]:
    """One obligation per place where threads that came together before have to come together again."""
    groups: dict[tuple[int, Term], list[Arrival]] = {}
    for arrival in footprint.arrivals:
        groups.setdefault((arrival.location, arrival.base), []).append(arrival)
    found = []
    for (location, base), arrivals in groups.items():
        full, control = T.FALSE, T.FALSE
        for arrival in arrivals:
            full, control = T.disjunction(full, arrival.full), T.disjunction(control, arrival.control)
        formula: Formula = P.FALSE
        answer: Answer = Unsat("uniform")
        if control.roles & Role.THREAD:
            formula = _parted(context, encoder, base, full, control, arrivals[0].rounds)
            answer = context.ask([formula], encoder)
        found.append(Obligation(location, arrivals[0].place, control, formula, answer))
    return found


def _parted(context: Context, encoder: Encoder, base: Term, full: Term, control: Term, rounds: tuple[Term, ...]) -> Formula:
    """Two threads of a block in the same rounds, of which one comes and the other does not."""
    threads = context.coordinates(Quantity.THREAD)
    same = [P.eq(encoder.number(number, LEFT), encoder.number(number, RIGHT)) for number in rounds]
    return P.conj((encoder.truth(base, LEFT), encoder.truth(base, RIGHT), *same, encoder.truth(full, LEFT),
                   P.neg(encoder.truth(control, RIGHT)), distinct(threads, encoder, LEFT, RIGHT)))
