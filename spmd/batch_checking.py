"""`spmd check` between its options and the answers, for batches: launch records, recordings, folders.

Jobs go to processes, or to a cluster; records are written as they come, a line each, and counted at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType

import typer

from automata.place import InputError
from spmd.asked import Question
from spmd.batch import Job, run_batch
from spmd.diff.crew import processors
from spmd.folders import folder_jobs
from spmd.interruption import Interrupted
from spmd.options import complain, progress, sink
from spmd.output import Output, Record, Text
from spmd.recording.covering import Covering, counts_told
from spmd.recording.freeing import freed
from spmd.recording.head import is_recording
from spmd.recording.jobs import jobs_of
from spmd.records.alerts import SETTLED, is_accepted
from spmd.records.baseline import Baseline
from spmd.records.launch import read_lines
from spmd.report.folder import FolderLines, confirmed
from spmd.report.formats import Format
from spmd.report.summary import batch_summary, verdict_counts

Records = AbstractContextManager[Iterator[Record]]


def check_batch(path: str, only: int | None, workers: int, seconds: float | None, strict: bool, form: Format,
                output_file: str | None, known: Baseline | None, is_general: bool = False,
                scheduler: str | None = None, free: Mapping[str, str] = MappingProxyType({}),
                requires: Sequence[str] = ()) -> list[str]:
    """Check the launches of a file, or a recording. `only`: one of them, by number; `is_general`: launches that an earlier one
    covers are not asked about; `scheduler`: the address of a Dask cluster; `free`, `requires`: arguments of that one launch that
    are set free, and what is required in their place. The verdicts that decide."""
    if (free or requires) and (only is None or is_general):
        raise InputError(f"{'--arg' if free else '--require'}: for files only, or for one launch: --launch N --arg NAME=* "
                         "--require EXPR, without --generalise")
    if is_general and not is_recording(path):
        raise InputError("--generalise is for recordings: spmd check DIR --generalise")
    if is_general and scheduler:
        raise InputError("--generalise asks about launches one after another: leave --scheduler out")
    covering = Covering(path, only, complain) if is_general else None
    jobs = covering.jobs() if covering else [freed(job, free, requires) for job in _jobs(path, only)]
    if not jobs:
        raise InputError(f"no launch record in '{path}'" + (f" with number {only}" if only else ""))
    working: Records = (nullcontext(covering.run(workers, seconds, strict)) if covering
               else _workers(jobs, workers, seconds, strict, scheduler))
    deciding, records = _streamed(working, f"{len(jobs)} launch{'es' * (len(jobs) != 1)}", _batch_line, form, output_file, known)
    if covering:
        typer.echo(counts_told(records), err=True)
    return deciding


def check_folders(paths: list[str], question: Callable[[str], Question], workers: int | None, form: Format,
                  output_file: str | None, known: Baseline | None) -> list[str]:
    """Check the files below folders. `question`: what is asked of each; `workers`: processes, None: one a processor. The verdicts
    that decide."""
    jobs = folder_jobs(paths, question, complain)
    limits = [job.record.limit() for job in jobs]
    seconds = None if None in limits else max(limits)
    records = run_batch(jobs, workers=workers or processors(), seconds=seconds, strict=False)
    lines = FolderLines()
    of = f"{len(jobs)} file{'s' * (len(jobs) != 1)}"
    deciding, _ = _streamed(nullcontext(records), of, lines.line, form, output_file, known, is_whole=True, summary=verdict_counts,
                            rest=lines.rest)
    complain("more of a kernel: spmd check FILE --kernel NAME")
    return deciding


def _streamed(working: Records, of: str, line: Text, form: Format, output_file: str | None, known: Baseline | None, *,
              is_whole: bool = False, summary: Callable[[list[Record]], str] = batch_summary,
              rest: Callable[[], list[str]] = list) -> tuple[list[str], list[Record]]:
    """Write records as they come, and how many got which verdict. `of`: how many jobs there are; `rest`: lines of a text that
    are left for the end. The verdicts that decide."""
    with sink(output_file) as say, working as records, progress(f"0 records of {of}", counts=True) as begin:
        out = Output(form, say, known, is_whole=is_whole)
        try:
            for number, record in enumerate(records, 1):
                begin("")
                out.add(record, line)
                begin(f"{number} records of {of}")
        except Interrupted:
            begin("")
            out.interrupted([])
            raise
        begin("")
        if form is Format.TEXT:
            say("".join(f"{line}\n" for line in rest()))
        deciding = out.close()
    typer.echo(summary(out.results.records), err=True)
    return deciding, out.results.records


def _jobs(path: str, only: int | None) -> list[Job]:
    if is_recording(path):
        return jobs_of(path, only, complain)
    return [Job(line, record, Path(path).parent) for line, record in read_lines(path) if only in (None, line)]


@contextmanager
def _workers(jobs: list[Job], workers: int, seconds: float | None, strict: bool,
             scheduler: str | None) -> Iterator[Iterator[Record]]:
    """The records of jobs, from processes here or from a cluster."""
    if scheduler is None:
        yield run_batch(jobs, workers=workers, seconds=seconds, strict=strict)
        return
    from spmd.cluster import dask, run_on

    with dask(scheduler) as executor:
        yield run_on(executor, jobs, seconds=seconds, strict=strict)


def _batch_line(record: Record) -> str:
    reason = f": {record['reason']}" if "reason" in record else _first_finding(record)
    known = "  (known or allowed)" if record["verdict"] not in SETTLED and is_accepted(record) else ""
    if covered := record.get("covered"):
        return f"{'covered':12} {record['id']}  {record['kernel'] or ''} by {covered['by']}"
    general = f"\n{'':14}for every launch with: {record['generalised']['text']}" if "generalised" in record else ""
    return f"{record['verdict']:12} {record['id']}  {record['kernel'] or ''}{reason}{known}{general}"


def _first_finding(record: Record) -> str:
    """What was confirmed of a launch that was recorded, in short."""
    return confirmed(record) if "launched" in record else ""
