"""Which questions are kept, and what their answers hang on.

A check of a kernel at a launch; what it came to at the launches of the program, where they decide, together with what was found
beyond them; and a comparison. Definite is what is proved or refuted, equal, different or nondeterministic.
"""

from __future__ import annotations

from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.verdict import Outcome, Report, Verdict
from equivalence.result import EquivReport, EquivVerdict
from spmd.cache.recall import Asked

AtLaunches = tuple[Report, tuple[tuple[Launch, Report], ...]]
"""What was found beyond the launches, and at each."""
DEFINITE = (EquivVerdict.EQUAL, EquivVerdict.DIFFERENT, EquivVerdict.NONDETERMINISTIC)


def check(kernel: Kernel, launch: Launch, strict: bool, root: str, seconds: float | None) -> Asked[Report]:
    """One kernel at one launch."""
    return Asked("check", (kernel, launch, strict), (root,), seconds, lambda report: report.verdict.value, _is_whole)


def at_launches(kernel: Kernel, launch: Launch, stated: list[Launch], strict: bool, root: str,
                seconds: float | None) -> Asked[AtLaunches]:
    """One kernel at the launches of its program."""
    return Asked("launches", (kernel, launch, stated, strict), (root,), seconds, _words, _are_whole)


def equiv(parts: tuple[object, ...], roots: tuple[str, ...], seconds: float | None) -> Asked[EquivReport]:
    """One comparison. `parts`: the sides and everything that was asked about them."""
    return Asked("equiv", parts, roots, seconds, lambda report: report.verdict.value,
                 lambda report: True if report.verdict in DEFINITE else None)


def _is_whole(report: Report) -> bool | None:
    if report.verdict not in (Verdict.PROVED, Verdict.REFUTED):
        return None
    return Outcome.UNKNOWN not in report.properties.values()


def _are_whole(found: AtLaunches) -> bool | None:
    beyond, launched = found
    parts = [_is_whole(report) for _, report in launched]
    if not parts or None in parts:
        return None
    return all(parts) and bool(_is_whole(beyond))


def _words(found: AtLaunches) -> str:
    return ", ".join(report.verdict.value for _, report in found[1])
