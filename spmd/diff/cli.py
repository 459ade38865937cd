"""The command `spmd diff`: options in, page or records out, an exit status."""

from __future__ import annotations

import typer

from spmd.cache.cli import NoCacheOption, RecheckOption, kept_answers
from spmd.options import (
    BaselineOption,
    Mode,
    OutputOption,
    ReportOption,
    TimeoutOption,
    baseline_of,
    progress,
    sink,
    told,
)
from spmd.own_options import (
    BaseArgument,
    ChecksOption,
    DetailsOption,
    FailOnOption,
    FolderOption,
    HeadArgument,
    ProcessesOption,
    StagedOption,
    StrictOption,
    TogetherOption,
    WeakestEqualityOption,
)
from spmd.report.formats import PICTURED, Format
from spmd.settings.cli import given


def diff_command(
    context: typer.Context, base: BaseArgument = None, head: HeadArgument = "HEAD", staged: StagedOption = False,
    repository: FolderOption = ".", fail_on: FailOnOption = None, mode: WeakestEqualityOption = Mode.REAL,
    strict: StrictOption = False, checks: ChecksOption = False, details: DetailsOption = False, jobs: ProcessesOption = None,
    budget: TogetherOption = None, baseline: BaselineOption = None, no_cache: NoCacheOption = False, recheck: RecheckOption = 0.0,
    timeout: TimeoutOption = 60.0, form: ReportOption = Format.TEXT, output_file: OutputOption = None,
) -> None:
    """Of each kernel that changed between two revisions: is it deterministic, and does it compute what it did?"""
    with told():
        from automata.place import InputError
        from spmd.api import diff
        from spmd.diff.revision import STAGED
        from spmd.diff.writing import comes_to, marked, write

        if staged and head != "HEAD":
            raise InputError(f"--staged stands for HEAD: leave '{head}' out")
        base = base or ("HEAD" if staged else None)
        if base is None:
            raise InputError("say what to compare with: spmd diff main, spmd diff HEAD~1, or spmd diff --staged")
        gates = _gates(fail_on) if fail_on is not None else None
        stated = given(context)
        with sink(output_file) as say:
            with kept_answers(no_cache, recheck), progress(f"reading {base}") as begin:
                page = diff(base, STAGED if staged else head, repository=repository,
                            mode=mode.value if "mode" in stated else None,
                            strict=strict if "strict" in stated else None, timeout=timeout if "timeout" in stated else None,
                            checks_alone=checks, budget=budget, jobs=jobs, pictured=form in PICTURED, tell=begin)
            if known := baseline_of(baseline, False):
                page = marked(page, known)
            write(page, form, say, details=details, has_baseline=known is not None)
        status = comes_to(page, gates)
    raise typer.Exit(status)


def _gates(text: str) -> tuple[str, ...]:
    """The verdicts that fail. InputError for a word that is none."""
    from automata.place import InputError
    from spmd.diff.verdict import GATES

    words = [word.strip() for word in text.split(",") if word.strip()]
    if unknown := next((word for word in words if word not in (*GATES, "none")), None):
        raise InputError(f"--fail-on '{unknown}': give some of {', '.join(GATES)}, or none")
    return tuple(word for word in words if word != "none")
