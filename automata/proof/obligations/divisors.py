"""Divisors of integers that may be zero.

C leaves such a quotient undefined, and a GPU gives any number for it. The proofs take a quotient to lie where one by another
number does, so what they show holds only if no divisor is zero.

Input: a footprint, its observed terms and how they are read. Output: the places of the quotients and remainders which decide
something and whose divisor nothing keeps from being zero where they are computed: there it is assumed, and printed.

What decides something may come out of memory. So of an array that such a value is read from, every value that is stored decides;
and so do two values that are stored in one cell, where the proof rests on it that they are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from automata.lang.core import Quantity
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder
from automata.logic.ladder import Limits
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Sat, Unsat
from automata.logic.terms import Role, Term
from automata.logic.views import atom_of
from automata.passes import passing
from automata.place import Place
from automata.proof.known.context import ONE, Context
from automata.proof.known.footprint import Footprint, Observation
from automata.proof.obligations.interference import Interference
from automata.proof.symbolic.observed_terms import sites_of

NOT_ZERO = "no divisor is zero"
SOON = Limits(linear=100, linearised=100, nonlinear=100, first=100)
"""Of questions whose answers are of no use where they are long in coming."""


@dataclass(frozen=True, slots=True)
class Divided:
    """Where it is assumed that a divisor is not zero; `zero`: where one is at every launch, so that nothing meets the
    assumption."""

    assumed: list[Place] = field(default_factory=list)
    zero: list[Place] = field(default_factory=list)


def always_zero(place: Place) -> str:
    """Why nothing is proved of what an assumption decides that no launch meets."""
    return f"a thread of every launch divides by zero ({place})"


@passing("divisors", lambda found: f"{len(found.assumed)} may be zero" if found.assumed else "none is zero")
def divisors_that_may_be_zero(context: Context, footprint: Footprint, meeting: Sequence[Interference] = ()) -> Divided:
    """The places where a proof takes for granted that a divisor is not zero, each once. `meeting`: the answers on accesses that
    conflict."""
    if not footprint.divided:
        return Divided()
    deciding = _deciding(footprint, _compared(meeting))
    return _maybe_zero(context, footprint, (quotient for quotient in footprint.divided if quotient.term in deciding))


def open_quotients(context: Context, footprint: Footprint, assumed: Sequence[Place]) -> dict[Term, Place]:
    """The quotients whose divisor may be zero and is not `assumed` to be none: those that are stored and decide nothing."""
    found = set(_maybe_zero(context, footprint, (each for each in footprint.divided if each.place not in assumed)).assumed)
    return {each.term: each.place for each in footprint.divided if each.place in found}


def _maybe_zero(context: Context, footprint: Footprint, quotients: Iterable[Observation]) -> Divided:
    encoder = context.encoder()
    found: dict[Place, bool] = {}
    for quotient in quotients:
        if not found.get(quotient.place):
            is_zero = P.eq(encoder.index(quotient.term.args[1], ONE), Poly.number(0))
            happens = P.conj((encoder.truth(quotient.guard, ONE), is_zero))
            if not isinstance(context.ask([happens], encoder, model=False), Unsat):
                in_a_round = footprint.heads.keys() & set(T.unseen((quotient.guard, quotient.term), set()))
                found[quotient.place] = not in_a_round and _is_inevitable(context, encoder, happens)
    return Divided(list(found), [place for place, is_sure in found.items() if is_sure])


def _is_inevitable(context: Context, encoder: Encoder, happens: Formula) -> bool:
    """Whether something happens at every launch, to a thread that every launch has: one that a model names."""
    answer = context.ask([happens], encoder, limits=SOON)
    if not isinstance(answer, Sat):
        return False
    coordinates = [*context.coordinates(Quantity.THREAD), *context.coordinates(Quantity.BLOCK)]
    known = {term: answer.model.get(atom_of(term, ONE), 0) for term in coordinates}
    missing = [P.lt(encoder.number(context.range_of(term)[1], ONE), Poly.number(value)) for term, value in known.items()]
    given = [P.eq(encoder.number(term, ONE), Poly.number(value)) for term, value in known.items()]
    return all(isinstance(context.ask(formulas, encoder, model=False, limits=SOON), Unsat)
               for formulas in ([P.disj(missing)], [*given, P.neg(happens)]))


def _deciding(footprint: Footprint, further: Iterable[Term]) -> set[Term]:
    """Every term that is in one whose value decides something, or in when that is. `further`: terms that do besides."""
    sites = [(term, site.guard) for term, seen in sites_of(footprint).items() for site in seen if not site.is_value]
    roots = [*(part for site in sites for part in site),
             *(part for seen in footprint.observations if not seen.is_value for part in (seen.guard, seen.term)),
             *(access.guard for access in footprint.accesses), *(arrival.full for arrival in footprint.arrivals),
             *(part for claimed in footprint.claims for part in (claimed.guard, claimed.test)), *further]
    found = set[Term]()
    followed = set[object]()
    while roots:
        behind = [part.data.array if isinstance(part.data, T.Version) else part.data
                  for part in T.unseen(roots, found) if part.op in ("read", "call")]
        roots = list(chain.from_iterable(_behind(footprint, name) for name in dict.fromkeys(behind) if name not in followed))
        followed.update(behind)
    return found


def _behind(footprint: Footprint, name: object) -> list[Term]:
    """What an array may hold that somebody stores there, or a round leaves for an unknown function of the rounds."""
    stored = [part for access in footprint.writes if access.array == name for part in (access.value, *access.operands)]
    return stored + [part for seen in footprint.defined.get(name, []) for part in (seen.guard, seen.term)]


def _compared(meeting: Sequence[Interference]) -> list[Term]:
    """The values of stores to one cell that are shown to be the same, and are not so as they stand."""
    pairs = [(item.pair.first.value, item.pair.second.value) for group in meeting for item in group.judged if item.same_value]
    own = Role.THREAD | Role.BLOCK | Role.DATA
    return [part for pair in pairs for part in pair if pair[0] is not pair[1] or part.roles & own]
