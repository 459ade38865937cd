"""Which findings of a run stand, though the machine rounds in its own way and makes some values up.

Input: an automaton, and findings of runs of it. A finding that hangs on random numbers, addresses of objects or clocks is not
confirmed: no device need have those values. One that may hang on how functions and products are rounded is seen again in runs in
which they are off to either side (`numbers.nudged`), or not confirmed. What hangs on what is `thread.flow`'s to say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, cached_property, partial

from automata.lang.core import Expr, Havoc
from automata.lang.exactness import manner
from automata.lang.traverse import children, expressions, walk
from automata.machine.numbers.nudged import DIRECTIONS, Nudged
from automata.machine.numbers.values import Concrete
from automata.machine.running.run import Program
from automata.thread.automaton import Automaton
from automata.thread.contraction import Contraction
from automata.thread.flow import Flow, flow
from automata.verdict import Finding, Status

PLACED = ("race", "out-of-bounds", "barrier-divergence", "misaligned")
"""Findings of accesses and barriers alone, whatever values are; but where two write, whether they write the same."""
WAITING = ("barrier", "collective", "loop", "claim")
ROUNDING = "it was not seen when what a device may round otherwise was a little off"


class Caution:
    """What to think of the findings of one program."""

    def __init__(self, program: Program) -> None:
        self.program, self.automaton = program, program.automaton

    @cached_property
    def flow(self) -> Flow | None:
        """Where values go that the machine gives in its own way; None if there are none."""
        return flow(self.automaton) if _has_own_values(self.automaton) else None

    @cached_property
    def nudged(self) -> tuple[Program, ...]:
        """The program with other rounding."""
        if type(self.program.values) is not Concrete:
            return ()
        dialect = self.automaton.kernel.dialect
        return tuple(Program(self.automaton, Nudged(dialect, direction)) for direction in DIRECTIONS)

    def is_rounded(self, finding: Finding) -> bool:
        """Whether rounding may decide that a run shows this: by whether or where its accesses are made, who waits at barriers and
        what loops do. Where values count, all that decides anything counts that may lead to them."""
        is_placed = finding.rule in PLACED and [spot.access for spot in finding.spots] != ["write", "write"]
        places = {spot.place for spot in finding.spots}
        sinks = [sink for sink in self.flow.sinks if sink.what != "value"] if self.flow is not None else []
        return any(source.kind == "rounded" for sink in sinks
                   if not is_placed or sink.what in WAITING or sink.place in places for source in sink.index | sink.guard)

    def doubt(self, finding: Finding, seen: Callable[[Program], bool]) -> str:
        """Why a finding is not confirmed by its run; empty if it is. `seen`: whether another program shows it as well."""
        if finding.status is not Status.CONFIRMED or self.flow is None:
            return ""
        made_up = self.behind(finding)
        if made_up:
            return f"it hangs on {made_up}, which the machine makes up"
        return "" if not self.is_rounded(finding) or all(map(seen, self.nudged)) else ROUNDING

    def kept(self, found: list[Finding], show: Callable[[Program], list[Finding]]) -> list[Finding]:
        """The confirmed findings of a run that stay so. `show`: what the same run of another program shows."""
        once = cache(show)

        def seen(finding: Finding, program: Program) -> bool:
            return any(alike(finding, other) for other in once(program))

        return [finding for finding in found if not self.doubt(finding, partial(seen, finding))]

    def told(self, found: list[Finding]) -> list[Finding]:
        """The findings of one run, as it rounds; what hangs on made-up values is potential."""
        doubts = ((finding, self.doubt(finding, lambda program: True)) for finding in found)
        return [replace(finding, status=Status.POTENTIAL, note=doubt) if doubt else finding for finding, doubt in doubts]

    def behind(self, finding: Finding) -> str:
        """Something made up that decides whether or where the accesses of a finding are made, or who waits at a barrier."""
        assert self.flow is not None
        places = {spot.place for spot in finding.spots}
        sinks = [sink for sink in self.flow.sinks if sink.what in ("barrier", "collective")
                 or (sink.place in places and sink.what != "value")]
        unknown = {stmt.name: stmt.what for stmt in walk(self.automaton.kernel.body) if isinstance(stmt, Havoc)}
        found = {source.name if source.kind == "made-up" else unknown.get(source.name, "")
                 for sink in sinks for source in sink.index | sink.guard if source.kind in ("made-up", "undefined")}
        return min(found - {""}, default="")


def alike(one: Finding, other: Finding | None) -> bool:
    """Whether two runs show the same: the same threads do the same at the same places, to the same cell."""
    return other is not None and (one.rule, one.array, one.spots) == (other.rule, other.array, other.spots)


def _has_own_values(automaton: Automaton) -> bool:
    """Whether a kernel computes anything that a device may compute otherwise."""
    kernel = automaton.kernel
    contraction = Contraction(kernel)

    def own(expr: Expr) -> bool:
        return manner(expr, kernel.dialect) is not None or contraction.may_fuse(expr) or any(map(own, children(expr)))

    return any(isinstance(stmt, Havoc) or any(map(own, expressions(stmt))) for stmt in walk(kernel.body))
