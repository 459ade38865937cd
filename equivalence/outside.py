"""A launch at which an access lies outside its array, where an equality takes for granted that none does.

The proofs of one kernel may leave open whether an access stays inside (`gate.reach_open`): no model of theirs replays, or
products of sizes are too hard. The outputs are compared all the same, and that accesses stay inside is stated as an assumption.
Before an equality is told that rests on it, the side is run at small launches of the scope and at launches spread over the sizes
(`spread`). If such a run reaches outside one of those arrays, the assumption does not hold: the side is refuted, with the launch.

Input: the evidence on a pair so far. Output: the bar, if a run shows one; else nothing, and the assumption stands as it is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from automata.budget import UNLIMITED
from automata.machine.running.run import Options
from automata.machine.state.outcome import CONST_WRITE, Outcome
from automata.place import EndlessError
from automata.proof.known.concrete import Assignment
from automata.proof.witness.caution import Caution
from automata.proof.witness.observed import observed
from automata.verdict import Finding, Property, Report, Status, Verdict
from automata.verdict import Outcome as Answer
from equivalence.chain import Chain, Stage
from equivalence.counterexample import LAUNCH_COST, Search, Trials
from equivalence.evidence import Barred, Said, weakest
from equivalence.gate import reach_open
from equivalence.inputs import distinct
from equivalence.spread import spread, swept

MOST = Trials(threads=4096, work=4_000_000, seconds=4.0)
LAUNCHES, SWEPT = 4000, 1024


def reaches_outside(sides: tuple[Chain, Chain], reports: Sequence[Sequence[Report]], said: Sequence[Said]) -> list[Said]:
    """What bars an equality that takes accesses for granted which a run shows to lie outside their arrays. `reports`: of all
    kernels of each side."""
    doubted = [[frozenset(reach_open(report)) for report in group] for group in reports]
    if weakest(said) is None or not any(map(any, doubted)):
        return []
    search = Search(*sides, (), bits=False)
    left, budget = MOST.work, UNLIMITED.within(MOST.seconds)
    for sizes in islice(_launches(search), LAUNCHES):
        threads = search.threads(sizes)
        if threads > MOST.threads:
            continue
        left -= threads + LAUNCH_COST
        if left < 0 or budget.is_spent or search.contexts[0].is_late():
            break
        for name, side, group, arrays in zip("ab", sides, reports, doubted, strict=True):
            if any(arrays) and (bar := _seen(search, name, side, group, arrays, sizes)) is not None:
                return [bar]
    return []


def _launches(search: Search) -> Iterator[Assignment]:
    """Launches of the scope, each once: in turns a small one, one spread over the sizes, and one of a size after the other."""
    seen = set[tuple[tuple[str, int], ...]]()
    ways = iter([sizes for _, sizes in search.candidates]), spread(search.contexts), swept(search.contexts, SWEPT)
    while True:
        found = [sizes for each in ways if (sizes := next(each, None)) is not None]
        if not found:
            return
        for sizes in found:
            if (key := tuple(sorted(sizes.items()))) not in seen:
                seen.add(key)
                yield sizes


def _seen(search: Search, name: str, side: Chain, reports: Sequence[Report], doubted: Sequence[frozenset[str]],
          sizes: Assignment) -> Barred | None:
    """The bar that a run of one side at some sizes shows."""
    try:
        found = side.run(sizes, search.as_required(sizes, distinct(1)), search.ranges, Options(budget=search.options.budget))
    except EndlessError:
        return None
    if not found.is_spoken_of:
        return None
    for stage, outcome, report, arrays in zip(side.stages, found.outcomes, reports, doubted, strict=True):
        if findings := _outside(stage, outcome, arrays):
            properties = {**report.properties, Property.BOUNDS: Answer.REFUTED}
            told = tuple(replace(each, sizes=sizes) for each in findings)
            broken = replace(report, verdict=Verdict.REFUTED, properties=properties, findings=told, reason=None)
            return Barred(name, f"side {name} ({report.kernel}): out-of-bounds", is_refuted=True, report=broken)
    return None


def _outside(stage: Stage, outcome: Outcome, arrays: frozenset[str]) -> list[Finding]:
    """The findings of a run on accesses outside of some arrays, which no made-up value decides."""
    events = [event for event in outcome.out_of_bounds if event.array in arrays and event.what != CONST_WRITE]
    if not events:
        return []
    found = Caution(stage.program).told(observed(Outcome(out_of_bounds=events)))
    return [finding for finding in found if finding.status is Status.CONFIRMED]
