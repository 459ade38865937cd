"""The story of `spmd run --amplify`: for each kernel of a file or folder, what one run says of all data.

    kernels ─▶ launch ─▶ static information flow ─▶ one run, both ways at branches on data ─▶ a row of the table
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from automata.lang.read import Found
from automata.machine.running.run import Options, Program
from automata.machine.state.outcome import Setting
from automata.place import EndlessError, InputError, UndecidedError
from automata.proof.known.context import check_satisfiable, prepare
from automata.proof.runs.amplify import Amplified, amplify
from automata.proof.witness.caution import Caution
from automata.proof.witness.observed import observed
from automata.thread.build import build
from automata.verdict import Finding, Status
from spmd.execute import RunQuestion, launch_of, settle, written_out
from spmd.pipeline import forget

SUFFIXES = (".cu", ".cl", ".cuh")


@dataclass
class Row:
    """One kernel of the table. `result` None: it could not be judged, because of `reason`."""

    file: str
    kernel: str
    lines: int
    result: Amplified | None = None
    setting: Setting | None = None
    made_up: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    seconds: float = 0.0

    @property
    def verdict(self) -> str:
        """`proved` races and barriers hold for all data, `refuted` the run itself shows a fault, `unknown` else."""
        if self.findings:
            return "refuted"
        return "proved" if self.result is not None and self.result.holds else "unknown"


def files_of(path: str) -> list[str]:
    """The kernel files of a folder, or the one file."""
    if not Path(path).is_dir():
        return [path]
    found = sorted(str(item) for item in Path(path).rglob("*") if item.suffix in SUFFIXES and item.is_file())
    if not found:
        raise InputError(f"no kernel files ({', '.join(SUFFIXES)}) in '{path}'")
    return found


def amplify_all(asked: RunQuestion, path: str) -> Iterator[Row]:
    """A row for each kernel. A file that cannot be read makes a row of a folder; alone it is an InputError."""
    files = files_of(path)
    for file in files:
        question = replace(asked.question, source=replace(asked.question.source, file=file))
        try:
            found = question.source.kernels()
        except InputError as error:
            if len(files) == 1:
                raise
            yield Row(file, "", 0, reason=error.message)
            continue
        for item in found:
            yield _row(replace(asked, question=question), item)


def _row(asked: RunQuestion, item: Found) -> Row:
    forget()
    began = time.monotonic()
    row = Row(asked.question.source.file, item.name, sum(bool(line.strip()) for line in item.original.splitlines()))
    try:
        _judge(row, asked, item)
    except (InputError, UndecidedError) as error:
        row.reason = error.message
    row.seconds = time.monotonic() - began
    return row


def _judge(row: Row, asked: RunQuestion, item: Found) -> None:
    kernel = item.read()
    launch = launch_of(asked, item, kernel)
    context = prepare(kernel, launch)
    check_satisfiable(context)
    row.setting, made_up = settle(context, asked)
    row.made_up = tuple(made_up)
    try:
        program = Program(build(written_out(kernel, context)))
        outcome = program.run(row.setting, Options(max_rounds=asked.max_steps))
    except EndlessError as error:
        row.reason = error.message
        return
    row.findings = tuple(finding for finding in Caution(program).told(observed(outcome)) if finding.status is Status.CONFIRMED
                         and finding.rule in ("race", "barrier-divergence"))
    free = frozenset(param.name for param in kernel.params if param.type.is_float and param.name not in launch.args)
    row.result = amplify(kernel, row.setting, free)
    row.reason = row.result.reason
