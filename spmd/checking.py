"""`spmd check` between its options and the answers, for files: one after another in this process."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from spmd.asked import Answer, Question
from spmd.interruption import telling, writing
from spmd.options import complain, progress, sink
from spmd.output import Output, Record
from spmd.pipeline import run_check
from spmd.recording.head import is_recording
from spmd.records.baseline import Baseline
from spmd.report.formats import Format
from spmd.report.text import check_text


def recorded(files: list[str], launches: str | None) -> tuple[list[str], str | None]:
    """A recording that is given as a file is one of launches."""
    if len(files) == 1 and launches is None and is_recording(files[0]):
        return [], files[0]
    return files, launches


def has_folder(files: list[str]) -> bool:
    """Whether folders are to be searched for files."""
    return any(os.path.isdir(file) for file in files)


def check_files(files: list[str], question: Callable[[str], Question], is_whole: bool, form: Format,
                output_file: str | None, show: bool, dump: str | None, known: Baseline | None) -> list[str]:
    """Check files. `question`: what is asked of each; `show`, `dump`: formulas. The verdicts that decide."""
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
                    for answer in run_check(question(file), tell=tell, pass_by=lambda why: complain(f"passed by: {why}")):
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
