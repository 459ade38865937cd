"""What replays of one kernel run: it, compiled for the machine once, and what to think of what its runs show."""

from __future__ import annotations

from functools import cached_property

from automata.machine.running.run import Program
from automata.place import Place
from automata.proof.known.context import Context, known_numbers
from automata.proof.witness.caution import Caution
from automata.proof.witness.pixels import values_of
from automata.rewriting.lower import lower_for_runs
from automata.thread.build import build
from automata.thread.deciding import deciding_places


class Programs:
    """The programs of one kernel at one launch, each made when it is asked for."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @cached_property
    def plain(self) -> Program:
        """The kernel compiled for the machine."""
        automaton = build(lower_for_runs(self.context.source, known_numbers(self.context)))
        return Program(automaton, values_of(automaton))

    @cached_property
    def wrapping(self) -> Program:
        """The same; its runs note unsigned values that wrap as well."""
        return Program(self.plain.automaton, self.plain.values, wraps=True)

    @cached_property
    def deciding(self) -> frozenset[Place]:
        """The places of the operations that decide where a thread goes and what it touches."""
        return deciding_places(self.plain.automaton.kernel)

    @cached_property
    def caution(self) -> Caution:
        """What to think of what its runs show."""
        return Caution(self.plain)
