"""Claims of the source: assertions (and invariants, as they come) hold wherever they are reached."""

from __future__ import annotations

from dataclasses import dataclass

from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.smt import Answer
from automata.passes import passing
from automata.proof.context import ONE, Context
from automata.proof.footprint import Claimed, Footprint


@dataclass(frozen=True, slots=True)
class Held:
    """A claim and whether it can fail: Unsat proves it, a model names a thread."""

    claimed: Claimed
    answer: Answer


@passing("claims")
def check_claims(context: Context, footprint: Footprint, encoder: Encoder) -> list[Held]:
    """Each claim where it stands."""
    return [Held(item, context.ask([encoder.truth(item.guard, ONE), P.neg(encoder.truth(item.test, ONE))], encoder))
            for item in footprint.claims]
