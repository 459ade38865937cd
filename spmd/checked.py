"""One kernel at one launch: what the proofs say, and what they leave open, runs; in the time that the user grants."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from automata.budget import Budget
from automata.lang.core import AsyncCopy, Atomic, Kernel, Store
from automata.lang.launch import Launch
from automata.lang.traverse import walk
from automata.logic import smt
from automata.place import TIME_IS_UP, UndecidedError
from automata.proof.determinism import Side, prove
from automata.proof.evidence import Evidence, ForAllData, Formulas, Shown, Uncovered, Unended, conclude
from automata.proof.runs.endless import see_that_loops_end
from automata.proof.witness.analysis import Analysis
from automata.verdict import Report, Verdict
from spmd.deadline import TooLateError, enforced

FIRST, LONGEST = 0.1, 2.5
"""Of the time there is, and seconds of work at most, for a first look at everything."""
RUNS = 0.25
"""Of the work that is left, for runs after a first look that left something out."""
BEHIND_DOORS = ("automata.proof.preconditions", "automata.proof.runs.amplify", "automata.proof.runs.endless_runs",
                "automata.proof.runs.tested", "automata.proof.witness.confirm", "automata.proof.witness.programs",
                "automata.proof.witness.replay", "automata.proof.witness.setting", "spmd.open_values")
"""What a check loads when it comes to it: runs, replays, and what is asked where nothing is proved."""


def checked(kernel: Kernel, launch: Launch, strict: bool, budget: Budget) -> tuple[Report, Analysis | None]:
    """The report, and what the proofs made, if they came to an end. What the time limit cuts off leaves no trace."""
    analysis: Analysis | None = None
    evidence: list[Evidence] = [Uncovered(TIME_IS_UP, None, 0)]
    try:
        with enforced(budget):
            for look in _looks(budget):
                proof, analysis = _proved(kernel, launch, strict, look)
                evidence = [proof]
                report = conclude(kernel.name, evidence)
                if report.verdict is Verdict.UNKNOWN and not look.was_enough:
                    evidence += _runs(report, kernel, launch, strict, budget.share(RUNS))
                    report = conclude(kernel.name, evidence)
                if report.verdict is not Verdict.UNKNOWN or look.was_enough:
                    for more in _looked_into(report, analysis, kernel, launch, strict, budget):
                        evidence += more
                    break
    except TooLateError:
        smt.reset()
        evidence.append(Unended(None))
    return conclude(kernel.name, evidence), analysis


def load() -> None:
    """Load all that a check may come to. For a process from which others are forked, which then need not load it each."""
    for name in ("automata.lang.host", *BEHIND_DOORS):
        import_module(name)


def _looks(budget: Budget) -> Iterator[Budget]:
    """Where there is a limit, a first look leaves out what is hard: what runs show, or easy questions settle, need not wait."""
    if budget.work is not None:
        yield budget.hurried(FIRST, LONGEST)
    yield budget


def _proved(kernel: Kernel, launch: Launch, strict: bool, budget: Budget) -> tuple[Formulas | Uncovered, Analysis | None]:
    """What the proofs say; that they do not cover the kernel where they do not."""
    try:
        return prove(kernel, launch, strict=strict, side=Side(budget=budget))
    except UndecidedError as error:
        return _uncovered(kernel, error), None
    except RecursionError:
        return _uncovered(kernel, UndecidedError("conditions nested as deeply as here", kernel.place)), None


def _looked_into(report: Report, analysis: Analysis | None, kernel: Kernel, launch: Launch, strict: bool,
                 budget: Budget) -> Iterator[tuple[Evidence, ...]]:
    """What runs say of what proofs leave open, and then whether loops end, unless a run for all data has come to its end."""
    shown: tuple[Evidence, ...] = ()
    if report.verdict is Verdict.UNKNOWN:
        shown = _runs(report, kernel, launch, strict, budget)
        yield shown
    is_refuted = report.verdict is Verdict.REFUTED or any(isinstance(item, Shown) for item in shown)
    if analysis is not None and not is_refuted and not any(isinstance(item, ForAllData) for item in shown):
        yield see_that_loops_end(kernel, analysis, budget)


def _runs(report: Report, kernel: Kernel, launch: Launch, strict: bool, budget: Budget) -> tuple[Evidence, ...]:
    """What runs say of what the proofs leave open; a door to the machine."""
    from automata.proof.runs.tested import runs

    return runs(report, kernel, launch, strict=strict, budget=budget)


def _uncovered(kernel: Kernel, error: UndecidedError) -> Uncovered:
    """A kernel that was read but that the proofs do not cover."""
    writes = sum(isinstance(stmt, Store | Atomic | AsyncCopy) for stmt in walk(kernel.body))
    return Uncovered(error.reason, error.place if error.place.file else None, writes)
