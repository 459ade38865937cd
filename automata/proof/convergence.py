"""Barrier divergence: every barrier is reached by all threads of a block or by none.

Formula per barrier with arrival guard g:  g(t1) and not g(t2)  for two threads of one block. With the
automaton free of cycles, all threads that reach the same barriers reach them in the same order.
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
from automata.proof.footprint import Footprint

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
    """One obligation per barrier that some thread can reach."""
    guards: dict[int, tuple[Term, Place]] = {}
    for arrival in footprint.arrivals:
        guard, place = guards.get(arrival.barrier, (T.FALSE, arrival.place))
        guards[arrival.barrier] = (T.disjunction(guard, arrival.guard), place)
    found = []
    for barrier, (guard, place) in guards.items():
        formula, answer = P.FALSE, Unsat("uniform")
        if guard.roles & Role.THREAD:
            threads = context.coordinates(Quantity.THREAD)
            formula = P.conj((encoder.truth(guard, LEFT), P.neg(encoder.truth(guard, RIGHT)),
                              distinct(threads, encoder, LEFT, RIGHT)))
            found.append(Obligation(barrier, place, guard, formula, context.ask([formula], encoder)))
        else:
            found.append(Obligation(barrier, place, guard, formula, answer))
    return found
