"""Divisors of integers that may be zero.

C leaves such a quotient undefined, and a GPU gives any number for it. The proofs take a quotient to lie where one by another
number does, so what they show holds only if no divisor is zero.

Input: a footprint, its observed terms and how they are read. Output: the places of the quotients and remainders which decide
something and whose divisor nothing keeps from being zero where they are computed: there it is assumed, and printed.
"""

from __future__ import annotations

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.poly import Poly
from automata.logic.smt import Unsat
from automata.logic.terms import Term
from automata.passes import passing
from automata.place import Place
from automata.proof.known.context import ONE, Context
from automata.proof.known.footprint import Footprint
from automata.proof.symbolic.observed_terms import sites_of

NOT_ZERO = "no divisor is zero"


@passing("divisors", lambda found: f"{len(found)} may be zero" if found else "none is zero")
def divisors_that_may_be_zero(context: Context, footprint: Footprint) -> list[Place]:
    """The places where a proof takes for granted that a divisor is not zero, each once."""
    if not footprint.divided:
        return []
    encoder, deciding = context.encoder(), _deciding(footprint)
    found: dict[Place, None] = {}
    for quotient in footprint.divided:
        if quotient.term in deciding and quotient.place not in found:
            is_zero = P.eq(encoder.index(quotient.term.args[1], ONE), Poly.number(0))
            if not isinstance(context.ask([encoder.truth(quotient.guard, ONE), is_zero], encoder, model=False), Unsat):
                found[quotient.place] = None
    return list(found)


def _deciding(footprint: Footprint) -> set[Term]:
    """Every term that is in one whose value decides something, or in when that is."""
    sites = [(term, site.guard) for term, seen in sites_of(footprint).items() for site in seen if not site.is_value]
    roots = [*(part for site in sites for part in site),
             *(part for seen in footprint.observations if not seen.is_value for part in (seen.guard, seen.term)),
             *(access.guard for access in footprint.accesses), *(arrival.full for arrival in footprint.arrivals),
             *(part for claimed in footprint.claims for part in (claimed.guard, claimed.test))]
    return set(T.unseen(roots, set()))
