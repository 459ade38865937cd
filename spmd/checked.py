"""One kernel at one launch: what the proofs say, and what they leave open, runs; in the time that the user grants."""

from __future__ import annotations

from collections.abc import Iterator

from automata.budget import Budget
from automata.lang.core import AsyncCopy, Atomic, Kernel, Store
from automata.lang.launch import Launch
from automata.lang.traverse import walk
from automata.logic import smt
from automata.place import TIME_IS_UP, UndecidedError
from automata.proof.analysis import Analysis
from automata.proof.besides import left_open
from automata.proof.determinism import Side, check
from automata.proof.endless import see_that_loops_end
from automata.proof.tested import add_runs
from automata.verdict import Outcome, Property, Report, Verdict, copied
from spmd.deadline import TooLateError, enforced

FIRST, LONGEST = 0.1, 1.5
"""Of the time there is, and seconds of work at most, for a first look at everything."""
RUNS = 0.25
"""Of the work that is left, for runs after a first look that left something out."""
ALWAYS = Property.RACE_FREE, Property.BARRIERS, Property.ORDER_FREE, Property.NO_WRAP
"""The properties that there are of every kernel."""


def checked(kernel: Kernel, launch: Launch, strict: bool, budget: Budget) -> tuple[Report, Analysis | None]:
    """The report, and what the proofs made, if they came to an end. What the time limit cuts off leaves no trace."""
    analysis: Analysis | None = None
    report = Report(Verdict.UNKNOWN, kernel.name, dict.fromkeys(ALWAYS, Outcome.UNKNOWN), reason=TIME_IS_UP)
    try:
        with enforced(budget):
            for look in _looks(budget):
                report, analysis = _proved(kernel, launch, strict, look)
                if report.verdict is Verdict.UNKNOWN and not look.was_enough:
                    report = copied(report)
                    add_runs(report, kernel, launch, strict=strict, budget=budget.share(RUNS))
                if report.verdict is not Verdict.UNKNOWN or look.was_enough:
                    report = _with_runs(copied(report), analysis, kernel, launch, strict, budget)
                    break
    except TooLateError:
        smt.reset()
        if report.verdict is Verdict.PROVED:
            report.verdict, report.reason = Verdict.UNKNOWN, f"{TIME_IS_UP}: whether all loops end is open"
    return report, analysis


def _looks(budget: Budget) -> Iterator[Budget]:
    """Where there is a limit, a first look leaves out what is hard: what runs show, or easy questions settle, need not wait."""
    if budget.work is not None:
        yield budget.hurried(FIRST, LONGEST)
    yield budget


def _proved(kernel: Kernel, launch: Launch, strict: bool, budget: Budget) -> tuple[Report, Analysis | None]:
    """What the proofs say; a report that they do not cover the kernel where they do not."""
    try:
        return check(kernel, launch, strict=strict, side=Side(budget=budget))
    except UndecidedError as error:
        return _undecided(kernel, error), None
    except RecursionError:
        return _undecided(kernel, UndecidedError("conditions nested as deeply as here", kernel.place)), None


def _with_runs(report: Report, analysis: Analysis | None, kernel: Kernel, launch: Launch, strict: bool, budget: Budget) -> Report:
    """A report with what runs add to it, and whether loops end."""
    amplified = None
    if report.verdict is Verdict.UNKNOWN:
        amplified = add_runs(report, kernel, launch, strict=strict, budget=budget)
    if analysis is not None and report.verdict is not Verdict.REFUTED and not (amplified is not None and amplified.holds):
        see_that_loops_end(report, kernel, analysis, budget)
    return report


def _undecided(kernel: Kernel, error: UndecidedError) -> Report:
    """A kernel that was read but that the proofs do not cover: every property is unknown."""
    place = error.place if error.place.file else None
    properties = dict.fromkeys(ALWAYS, Outcome.UNKNOWN)
    writes = sum(isinstance(stmt, Store | Atomic | AsyncCopy) for stmt in walk(kernel.body))
    reason = error.reason
    return Report(Verdict.UNKNOWN, kernel.name, properties, reason=reason, reason_place=place, writes=writes,
                  besides=[left_open("not decided", reason)])
