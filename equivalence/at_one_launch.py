"""A difference at one launch of kernels that are not shown to be deterministic at all sizes.

A run says what a kernel does if it is deterministic at that launch. Where the proofs for all sizes leave that open (products of
sizes are hard), small launches are run all the same, and of the first at which outputs differ it is proved that each kernel is
deterministic there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from automata.budget import Budget
from automata.lang.launch import Launch
from automata.place import UndecidedError
from automata.proof.determinism import Side
from automata.proof.known.context import Context
from automata.verdict import Report, Verdict
from equivalence.chain import Chain
from equivalence.counterexample import Search, Trials
from equivalence.evidence import Barred, Differs, Said
from equivalence.gate import reach_open
from equivalence.result import Launched
from equivalence.step import Step

SMALL = Trials(threads=4096, work=8_000, seconds=5.0)
SPREAD = Trials(threads=8192, work=60_000, seconds=5.0)
LAUNCHES = 40
SECONDS = 5.0
"""Of the proof that a kernel is deterministic at a launch."""


def different_at_one_launch(sides: Sequence[Chain], outputs: tuple[str, ...], bar: Barred, budget: Budget, *,
                            bits: bool) -> list[Said]:
    """A difference, if runs show one at a launch at which all kernels are deterministic. `bar`: that one of them is not shown to
    be so at all sizes."""
    search = Search(sides[0], sides[1], outputs, bits=bits)
    found = search.smallest(SMALL) or search.spread(LAUNCHES, SPREAD)
    if found is None:
        return []
    for side, launches in zip(sides, found.launches, strict=True):
        for context, launched in zip(side.contexts, launches, strict=True):
            if not _is_deterministic(context, launched, budget):
                return []
    note = f"it is open whether they are deterministic at all sizes; at this launch they are ({bar.why})"
    return [Differs(found, notes=(note,))]


def _is_deterministic(context: Context, launched: Launched, budget: Budget) -> bool:
    """Whether a kernel is proved deterministic at a launch; that a run stays inside its arrays has been seen."""
    step = Step(context.source, _fixed(context, launched), Side())
    try:
        report: Report = step.checked(budget.within(SECONDS))
    except UndecidedError:
        return False
    return report.verdict is Verdict.PROVED or bool(reach_open(report))


def _fixed(context: Context, launched: Launched) -> Launch:
    """The launch with numbers for all its sizes and integer arguments."""
    numbers = {name: int(value) for name, (value, kind) in launched.scalars.items() if kind.is_int}
    return replace(context.launch, grid=launched.grid, block=launched.block, args={**context.launch.args, **numbers})
