"""`spmd check` between its options and the answers: files one after another in this process, or a batch of launch records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

import typer

from automata.place import InputError
from spmd.asked import Answer
from spmd.batch import Job, run_batch
from spmd.interruption import Interrupted, telling, writing
from spmd.options import complain, progress, sink
from spmd.output import Output, Record
from spmd.recording.read import is_recording
from spmd.records.alerts import SETTLED, is_accepted
from spmd.records.baseline import Baseline
from spmd.records.launch import read_lines
from spmd.report.formats import Format
from spmd.report.summary import batch_summary
from spmd.report.text import check_text


def recorded(files: list[str], launches: str | None) -> tuple[list[str], str | None]:
    """A recording that is given as a file is one of launches."""
    if len(files) == 1 and launches is None and is_recording(files[0]):
        return [], files[0]
    return files, launches


def refuse_beside_launches(options: dict[str, object]) -> None:
    """InputError where an option for files would be dropped: a launch record says all of that itself."""
    if idle := [name for name, given in options.items() if given]:
        raise InputError(f"{', '.join(idle)}: for files only; a launch record states its own launch, 'defines', 'arch'")


def check_files(files: list[str], asked: Callable[..., Iterator[Answer]], is_whole: bool, form: Format,
                output_file: str | None, show: bool, dump: str | None, known: Baseline | None) -> list[str]:
    """Check files with `asked`, `spmd.api.check` with all options. `show`, `dump`: formulas. The verdicts that decide."""
    with sink(output_file) as say:
        out = Output(form, say, known, is_whole=is_whole)
        at_work: list[str] = []
        begun: list[str] = []
        with telling(lambda: complain(out.interrupted(at_work + [file for file in files if file not in begun]))):
            for file in files:
                begun.append(file)
                with progress(f"reading {file}") as begin:
                    tell = partial(_tell, begin, at_work, file)
                    tell("")
                    for answer in asked(file, tell=tell, pass_by=lambda why: complain(f"passed by: {why}")):
                        with writing():
                            begin("")
                            out.check(answer, partial(_check_text, answer, show, dump))
                at_work.clear()
        return out.close()


def _check_text(answer: Answer, show: bool, dump: str | None, record: Record) -> str:
    text = check_text(answer, record)
    if answer.analysis is not None and (show or dump):
        from spmd.report.formulas import dump_smt, formulas_text

        text += "\n" + formulas_text(answer.analysis) if show else ""
        text += f"  {dump_smt(answer.analysis, dump)} formulas written to {dump}\n" if dump else ""
    return text


def _tell(begin: Callable[[str], None], at_work: list[str], file: str, kernel: str) -> None:
    """A kernel is begun; "": its file is."""
    at_work[:] = [f"{kernel} ({file})" if kernel else file]
    begin(f"checking {kernel} of {file}" if kernel else f"reading {file}")


def check_batch(path: str, only: int | None, workers: int, seconds: float | None, strict: bool, form: Format,
                output_file: str | None, known: Baseline | None, is_general: bool = False,
                scheduler: str | None = None) -> list[str]:
    """Check the launches of a file, or a recording. `only`: one of them, by number; `is_general`: launches that an earlier one
    covers are not asked about; `scheduler`: the address of a Dask cluster. The verdicts that decide."""
    from spmd.recording.covering import Covering, counts_told

    if is_general and not is_recording(path):
        raise InputError("--generalise is for recordings: spmd check DIR --generalise")
    if is_general and scheduler:
        raise InputError("--generalise asks about launches one after another: leave --scheduler out")
    covering = Covering(path, only, complain) if is_general else None
    jobs = covering.jobs() if covering else _jobs(path, only)
    if not jobs:
        raise InputError(f"no launch record in '{path}'" + (f" with number {only}" if only else ""))
    working = (nullcontext(covering.run(workers, seconds, strict)) if covering
               else _workers(jobs, workers, seconds, strict, scheduler))
    with sink(output_file) as say, working as records, progress(f"0 records of {len(jobs)} launches", counts=True) as begin:
        out = Output(form, say, known, is_whole=False)
        try:
            for number, record in enumerate(records, 1):
                begin("")
                out.add(record, _batch_line)
                begin(f"{number} records of {len(jobs)} launches")
        except Interrupted:
            begin("")
            out.interrupted([])
            raise
        begin("")
        deciding = out.close()
    typer.echo(batch_summary(out.results.records), err=True)
    if covering:
        typer.echo(counts_told(out.results.records), err=True)
    return deciding


def _jobs(path: str, only: int | None) -> list[Job]:
    from spmd.recording.jobs import jobs_of

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
    found = next((each for each in record["findings"] if each["status"] == "confirmed"), None) if "launched" in record else None
    place = found["places"][0] if found and found["places"] else None
    return f": {found['rule']}: {found['message']}" + (f" ({place['file']}:{place['line']})" if place else "") if found else ""
