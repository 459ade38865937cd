"""What the proofs of one kernel share and produce: read by reports, replays and equivalence."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from automata.logic.arith import Encoder
from automata.machine.running.run import Program
from automata.machine.state.outcome import Setting, Triple
from automata.place import Place
from automata.proof.known.context import Context, known_numbers
from automata.proof.known.footprint import Footprint
from automata.proof.obligations.alignment import Aligned
from automata.proof.obligations.bounds import Reach
from automata.proof.obligations.claims import Held
from automata.proof.obligations.convergence import Obligation
from automata.proof.obligations.initialised import Doubt
from automata.proof.obligations.interference import Interference
from automata.proof.obligations.order import Unordered
from automata.proof.obligations.wraps import Wraps
from automata.proof.witness.caution import Caution
from automata.proof.witness.pixels import values_of
from automata.rewriting.lower import lower_for_runs
from automata.thread.automaton import Automaton
from automata.thread.build import build
from automata.thread.deciding import deciding_places
from automata.verdict import Finding


@dataclass
class Analysis:
    """Everything the proofs of one kernel share and produced; equivalence and reports read it. `loops_end`: a run of the launch
    has shown that all loops end that no data decide; `witnesses`: what runs showed, with the launch and the blocks that ran."""

    context: Context
    automaton: Automaton
    footprint: Footprint
    encoder: Encoder
    wraps: Wraps
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

    @cached_property
    def program(self) -> Program:
        """The kernel compiled for the machine, once for all replays."""
        automaton = build(lower_for_runs(self.context.source, known_numbers(self.context)))
        return Program(automaton, values_of(automaton))

    @cached_property
    def wrapping(self) -> Program:
        """The same; its runs note unsigned values that wrap as well."""
        return Program(self.program.automaton, self.program.values, wraps=True)

    @cached_property
    def deciding(self) -> frozenset[Place]:
        """The places of the operations that decide where a thread goes and what it touches."""
        return deciding_places(self.program.automaton.kernel)

    @cached_property
    def caution(self) -> Caution:
        """What to think of what its runs show."""
        return Caution(self.program)
