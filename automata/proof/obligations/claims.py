"""Claims: assertions of the source (and invariants, as they come) hold wherever they are reached, and so does what `in_flight`
claims of a thread's own copies."""

from __future__ import annotations

from dataclasses import dataclass

from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.smt import Answer, Sat, Unknown
from automata.passes import passing
from automata.proof.known.context import ONE, Context
from automata.proof.known.footprint import Claimed, Footprint


@dataclass(frozen=True, slots=True)
class Held:
    """A claim and whether it can fail: Unsat proves it, a model names a thread."""

    claimed: Claimed
    answer: Answer

    @property
    def is_of_copies(self) -> bool:
        """Whether it is about the thread's own copies, not one of the source's."""
        return self.claimed.claim.kind in ("landed", "apart")


@passing("claims")
def check_claims(context: Context, footprint: Footprint, encoder: Encoder) -> list[Held]:
    """Each claim where it stands. That copies of a thread are apart may be true although their order does not show it."""
    found = [Held(item, context.ask([encoder.truth(item.guard, ONE), P.neg(encoder.truth(item.test, ONE))], encoder))
             for item in footprint.claims]
    return [Held(held.claimed, Unknown("whether copies of one thread that are under way together are to different cells"))
            if held.claimed.claim.kind == "apart" and isinstance(held.answer, Sat) else held for held in found]
