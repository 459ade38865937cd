"""Threads that are in the same rounds of the loops around them, with one symbol for a round of both.

Input: places where threads of a block (a warp, the grid) have to come together again, and the rounds in which they are together.
Output: the same places, in which a round is a symbol of the launch instead of one of the thread, and an encoder that reads
their terms as it read the old ones.

The idea: that two threads are in the same round is an equation of the formula, `round$1 = round$2`. What is computed of the round
has two names still, and a solver has to see that they are equal: through a product, a quotient by a size, or a minimum of what
memory holds it does not. Where the equation is put in (Leibniz: equals for equals), the two are one term, and a test that no
coordinate of the thread stands in is uniform without any query. Whether a term wraps was decided for every thread and round,
so it holds of the common round too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from automata.logic import terms as T
from automata.logic.arith import Encoder
from automata.logic.terms import Owner, Term
from automata.proof.known.context import Context
from automata.proof.known.footprint import Arrival


def in_common_rounds(context: Context, arrivals: list[Arrival],
                     ways: list[Term]) -> tuple[list[Arrival], list[Term], Encoder] | None:
    """The places, and the ways that lead there, in common rounds; None where they stand in no loop."""
    rounds = {number: T.symbol(f"{T.symbol_of(number).name} of all", number.type, Owner.LAUNCH)
              for number in arrivals[0].rounds if number.op == "sym"}
    if not rounds:
        return None
    found = [replace(arrival, base=T.substitute(arrival.base, rounds), full=T.substitute(arrival.full, rounds),
                     control=T.substitute(arrival.control, rounds), left=T.substitute(arrival.left, rounds),
                     agreed=tuple(T.substitute(each, rounds) for each in arrival.agreed),
                     rounds=tuple(rounds.get(number, number) for number in arrival.rounds)) for arrival in arrivals]
    terms = [*ways, *(term for each in arrivals for term in (each.base, each.full, each.control, each.left, *each.agreed))]
    return found, [T.substitute(way, rounds) for way in ways], _reading(context, terms, rounds)


def _reading(context: Context, terms: Iterable[Term], rounds: Mapping[Term, Term]) -> Encoder:
    """An encoder that reads a term of the common rounds as that of the rounds of a thread was decided to be read."""
    encoder = context.encoder()
    encoder.ranges = {**encoder.ranges, **{T.symbol_of(new): context.range_of(old) for old, new in rounds.items()}}
    done = {old.serial: new for old, new in rounds.items()}
    for term in T.unseen(terms, set()):
        if term.serial not in done:
            args = tuple(done[arg.serial] for arg in term.args)
            done[term.serial] = term if args == term.args else T.rebuild(term, args)
        new = done[term.serial]
        if (mode := encoder.modes.get(term)) is not None:
            encoder.modes.setdefault(new, mode)
        if term in encoder.converted:
            encoder.converted = encoder.converted | {new}
    return encoder
