"""What the proofs of one kernel share and produce: read by reports, replays and equivalence."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from automata.logic.arith import Encoder
from automata.proof.known.context import Context
from automata.proof.known.footprint import Footprint
from automata.proof.obligations.alignment import Aligned
from automata.proof.obligations.bounds import Reach
from automata.proof.obligations.claims import Held
from automata.proof.obligations.convergence import Obligation
from automata.proof.obligations.divisors import Divided
from automata.proof.obligations.initialised import Doubt
from automata.proof.obligations.interference import Interference, Judged
from automata.proof.obligations.order import Unordered
from automata.proof.obligations.overflows import Overflow, Wraps
from automata.thread.automaton import Automaton
from automata.verdict import Finding

if TYPE_CHECKING:
    from automata.machine.state.outcome import Setting, Triple
    from automata.proof.witness.programs import Programs

Model = Judged | Obligation | Reach | Overflow | Held | Doubt
"""What may hold the model of a query that was to have none."""


Line = tuple[str, int]
"""A file and a line in it."""


@dataclass
class Analysis:
    """Everything the proofs of one kernel share and produced; equivalence and reports read it. `divided`: where it is
    assumed that a divisor is not zero; `loops_end`: a run of the launch
    has shown that all loops end that no data decide; `witnesses`: what runs showed, with the launch and the blocks that ran."""

    context: Context
    automaton: Automaton
    footprint: Footprint
    encoder: Encoder
    wraps: Wraps
    divided: Divided = field(default_factory=Divided)
    convergence: list[Obligation] = field(default_factory=list)
    interference: list[Interference] = field(default_factory=list)
    reaches: list[Reach] = field(default_factory=list)
    unknown_extents: list[str] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    unordered: list[Unordered] = field(default_factory=list)
    claims: list[Held] = field(default_factory=list)
    aligned: Aligned = field(default_factory=Aligned)
    counters: set[str] = field(default_factory=set)
    loops_end: bool = False
    witnesses: list[tuple[Finding, Setting, tuple[Triple, ...]]] = field(default_factory=list)

    @property
    def unwrapped(self) -> frozenset[Line]:
        """The lines at which nothing is assumed to wrap: a run in which something does there is none that is spoken of."""
        return frozenset((place.file, place.line) for places in self.wraps.assumed.values() for place in places)

    @cached_property
    def programs(self) -> Programs:
        """What replays run. A door to the machine: who asks for no run loads nothing of it."""
        from automata.proof.witness.programs import Programs

        return Programs(self.context)
