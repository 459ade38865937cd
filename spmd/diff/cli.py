"""The command `spmd diff`: options in, page or records out, an exit status."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from spmd.cache.cli import NoCacheOption, RecheckOption, kept_answers
from spmd.options import (
    BaselineOption,
    Mode,
    OutputOption,
    ReportOption,
    TimeoutOption,
    baseline_of,
    emit,
    finish,
    progress,
    sink,
    told,
)
from spmd.report.formats import PICTURED, PLAIN, Format, document
from spmd.settings.cli import given


def diff_command(
    context: typer.Context,
    base: Annotated[str, typer.Argument(metavar="BASE", help="A revision; A...B: since B parted from A.")],
    head: Annotated[str, typer.Argument(metavar="HEAD", help="The revision to check.")] = "HEAD",
    staged: Annotated[bool, typer.Option("--staged", help="Check what the next commit would hold.")] = False,
    repository: Annotated[str, typer.Option("-C", help="A folder of the repository.")] = ".",
    fail_on: Annotated[str | None, typer.Option("--fail-on", help="What fails: refuted,different (default: all); none.")] = None,
    mode: Annotated[Mode, typer.Option("--mode", help="Weakest class of equality accepted.")] = Mode.REAL,
    strict: Annotated[bool, typer.Option("--strict", help="Same-value writes count as races.")] = False,
    checks: Annotated[bool, typer.Option("--checks-alone", help="Do not compare with the old kernels.")] = False,
    details: Annotated[bool, typer.Option("--details", help="Also print what is proved and equal, with scopes.")] = False,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="Processes (default: one a processor).")] = None,
    budget: Annotated[float | None, typer.Option("--budget", min=0.1, help="Seconds that all answers may take together.")] = None,
    baseline: BaselineOption = None, no_cache: NoCacheOption = False, recheck: RecheckOption = 0.0,
    timeout: TimeoutOption = 60.0, form: ReportOption = Format.TEXT, output_file: OutputOption = None,
) -> None:
    """Of each kernel that changed between two revisions: is it deterministic, and does it compute what it did?"""
    with told():
        from contextlib import chdir
        from dataclasses import replace

        from automata.place import InputError
        from spmd.api import diff
        from spmd.diff.paths import shown
        from spmd.diff.report import alerting, page_text, pair_of_record, summary, summary_record, unasked
        from spmd.diff.revision import STAGED
        from spmd.diff.verdict import GATES, is_let_through, is_of_the_old, status_of, verdict_of
        from spmd.interruption import Interrupted, is_noticed, undecided
        from spmd.records.results import Results

        if staged and head != "HEAD":
            raise InputError(f"--staged stands for HEAD: leave '{head}' out")
        gates = _gates(fail_on) if fail_on is not None else None
        stated = given(context)
        with sink(output_file) as say:
            with kept_answers(no_cache, recheck), progress(f"reading {base}") as begin:
                page = diff(base, STAGED if staged else head, repository=repository,
                            mode=mode.value if "mode" in stated else None,
                            strict=strict if "strict" in stated else None, timeout=timeout if "timeout" in stated else None,
                            checks_alone=checks, budget=budget, jobs=jobs, pictured=form in PICTURED, tell=begin)
            if known := baseline_of(baseline, False):
                known.is_whole = False
                with chdir(page.top):
                    for part in (part for outcome in page.outcomes for part in outcome.parts):
                        known.mark(part.record, is_past=is_of_the_old(part))
                page = replace(page, fixed=known.fixed())
            kept: list[dict[str, Any]] = []
            if form is Format.TEXT:
                say(page_text(page, details=details))
            elif form not in PLAIN:
                with chdir(page.top):
                    say(document(form)(Results(alerting(page), page.fixed, has_baseline=known is not None, about=summary(page),
                                               notes=[*page.notes, *unasked(page)])))
            else:
                for outcome in page.sorted:
                    emit(say, form, pair_of_record(page, outcome), "", kept)
                emit(say, form, summary_record(page), "", kept)
                finish(say, form, kept)
        status = status_of((verdict_of(outcome) for outcome in page.outcomes if not is_let_through(outcome)),
                           next(each for each in (gates, page.gates, GATES) if each is not None))
        if is_noticed():
            left = [outcome.pair.name or shown(outcome.pair.one.home) for outcome in page.sorted if outcome.failure]
            raise Interrupted(undecided(left, len(page.outcomes) - len(left)))
    raise typer.Exit(status)


def _gates(text: str) -> tuple[str, ...]:
    """The verdicts that fail. InputError for a word that is none."""
    from automata.place import InputError
    from spmd.diff.verdict import GATES

    words = [word.strip() for word in text.split(",") if word.strip()]
    if unknown := next((word for word in words if word not in (*GATES, "none")), None):
        raise InputError(f"--fail-on '{unknown}': give some of {', '.join(GATES)}, or none")
    return tuple(word for word in words if word != "none")
