"""What is not proved beside a finding, and has no finding of its own.

A kernel with one race is refuted, and the report tells that race. Other pairs of accesses may stay open: their replay showed the
same race first, or they were not looked at any more. That decides no verdict. But whoever accepts the race has not accepted
those, so they are kept apart, as potential findings, for whoever asks whether all of a kernel is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator

from automata.logic.smt import Sat
from automata.proof.witness.analysis import Analysis
from automata.verdict import Finding, Spot, Status

OTHER = "a replay shows another one first"


def besides(analysis: Analysis, told: list[Finding], *, strict: bool) -> Iterator[Finding]:
    """Pairs of accesses and barriers with a witness that no finding is about."""
    at = {(finding.array, frozenset(spot.place for spot in finding.spots)) for finding in told}
    for group in analysis.interference:
        for item in group.suspects:
            one, two = item.pair.first, item.pair.second
            apart = isinstance(item.answer, Sat) and (strict or not item.same_value)
            if apart and (one.array, frozenset((one.place, two.place))) not in at:
                yield Finding("race", Status.POTENTIAL, f"two threads may access the same cell of '{one.array}'",
                              (Spot(one.place, one.kind), Spot(two.place, two.kind)), one.array, note=OTHER)
    first = {finding.spots[0].place for finding in told if finding.spots}
    for barrier in analysis.convergence:
        if isinstance(barrier.answer, Sat) and barrier.place not in first:
            yield Finding("barrier-divergence", Status.POTENTIAL, "threads of one block may not all reach this barrier",
                          (Spot(barrier.place, "barrier"),), note=OTHER)
