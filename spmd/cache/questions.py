"""Which questions about kernels are kept, and what their answers hang on.

A check of a kernel at a launch; and what it came to at the launches of the program, where they decide, together with what was
found beyond them. Definite is what is proved or refuted; what is unknown, or not supported, is open.
"""

from __future__ import annotations

from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.verdict import Outcome, Report, Verdict
from spmd.asked import Question
from spmd.cache.recall import Asked, Worth, least

AtLaunches = tuple[Report, tuple[tuple[Launch, Report], ...]]
"""What was found beyond the launches, and at each."""


def check(kernel: Kernel, launch: Launch, question: Question) -> Asked[Report]:
    """One kernel at one launch."""
    return Asked("check", (kernel, launch, question.strict, question.limits), (question.source.root(),), question.limit(),
                 lambda report: report.verdict.value, _worth)


def at_launches(kernel: Kernel, launch: Launch, stated: list[Launch], question: Question) -> Asked[AtLaunches]:
    """One kernel at the launches of its program."""
    return Asked("launches", (kernel, launch, stated, question.strict, question.limits), (question.source.root(),),
                 question.limit(), _words, _worth_of_all)


def _worth(report: Report) -> Worth:
    if report.verdict not in (Verdict.PROVED, Verdict.REFUTED):
        return Worth.OPEN
    return Worth.PARTLY_OPEN if Outcome.UNKNOWN in report.properties.values() else Worth.WHOLE


def _worth_of_all(found: AtLaunches) -> Worth:
    """What is found beyond the launches decides nothing, so that it may stay open."""
    beyond, launched = found
    worth = least(_worth(report) for _, report in launched)
    return worth if _worth(beyond) is Worth.WHOLE else min(worth, Worth.PARTLY_OPEN)


def _words(found: AtLaunches) -> str:
    return ", ".join(report.verdict.value for _, report in found[1])
