"""What `spmd diff` does with a page: marks what is known, writes it in a format, and says what it comes to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import chdir
from dataclasses import replace
from typing import Any

from spmd.diff.paths import shown
from spmd.diff.report import Page, alerting, page_text, pair_of_record, summary, summary_record, unasked
from spmd.diff.verdict import GATES, is_let_through, is_of_the_old, status_of, verdict_of
from spmd.interruption import Interrupted, is_noticed, undecided
from spmd.options import emit, finish
from spmd.records.baseline import Baseline
from spmd.records.results import Results
from spmd.report.formats import PLAIN, Format, document


def marked(page: Page, known: Baseline) -> Page:
    """The page with what is known marked in its records, and with what was fixed since."""
    known.is_whole = False
    with chdir(page.top):
        for part in (part for outcome in page.outcomes for part in outcome.parts):
            known.mark(part.record, is_past=is_of_the_old(part))
    return replace(page, fixed=known.fixed())


def write(page: Page, form: Format, say: Callable[[str], None], *, details: bool, has_baseline: bool) -> None:
    """The page in a format."""
    kept: list[dict[str, Any]] = []
    if form is Format.TEXT:
        say(page_text(page, details=details))
    elif form not in PLAIN:
        with chdir(page.top):
            say(document(form)(Results(alerting(page), page.fixed, has_baseline=has_baseline, about=summary(page),
                                       notes=[*page.notes, *unasked(page)])))
    else:
        for outcome in page.sorted:
            emit(say, form, pair_of_record(page, outcome), "", kept)
        emit(say, form, summary_record(page), "", kept)
        finish(say, form, kept)


def comes_to(page: Page, gates: tuple[str, ...] | None) -> int:
    """The exit status. `gates`: the verdicts that fail, where the command line names some. Interrupted, which names what is not
    decided."""
    status = status_of((verdict_of(outcome) for outcome in page.outcomes if not is_let_through(outcome)),
                       next(each for each in (gates, page.gates, GATES) if each is not None))
    if is_noticed():
        left = [outcome.pair.name or shown(outcome.pair.one.home) for outcome in page.sorted if outcome.failure]
        raise Interrupted(undecided(left, len(page.outcomes) - len(left)))
    return status
