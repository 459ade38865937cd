"""Text and records of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from automata.arithmetic import Value
from automata.verdict import Status
from spmd.execute import Ran
from spmd.records.result import SCHEMA, finding_record, json_value, launch_record
from spmd.report.text import finding_text
from spmd.report.words import many

SHOWN = 8


def is_clean(ran: Ran) -> bool:
    """Whether nothing went wrong in any of the runs."""
    return not ran.differences and not any(finding.status is Status.CONFIRMED for finding in ran.findings)


def run_text(ran: Ran) -> str:
    """The text of one run."""
    result = typer.style("ran", fg="green", bold=True) if is_clean(ran) else typer.style("ran into trouble", fg="red", bold=True)
    lines = [f"{result} {ran.kernel.name}  {ran.asked.question.source.file}  [{_sizes(ran)}]", f"  {_seen(ran)}"]
    for finding in ran.findings:
        lines += ["", *finding_text(finding)]
    for item in ran.differences:
        lines.append(f"  {item.array}[{item.index}] is {number(item.first)} after schedule {ran.asked.schedule}, "
                     f"{number(item.other)} after {item.schedule}")
    lines += ["", *_outputs(ran)]
    lines += [f"  made up: {text}" for text in ran.made_up]
    return "\n".join(lines) + "\n"


def _sizes(ran: Ran) -> str:
    block, grid = (",".join(map(str, size)) for size in (ran.setting.block, ran.setting.grid))
    args = " ".join(f"{name}={number(value)}" for name, value in ran.setting.scalars.items())
    at = f" · as launched at {ran.launch.source}" if ran.launch.source.startswith("host code") else ""
    return f"block {block} · grid {grid}" + (f" · {args}" if args else "") + at


def _seen(ran: Ran) -> str:
    threads = ran.setting.threads * ran.setting.blocks
    what = "nothing wrong seen" if is_clean(ran) else "see below"
    schedules = f" and {many(ran.schedules - 1, 'other schedule')}" if ran.schedules > 1 else ""
    accesses = f"{ran.outcome.accesses:,} access" + ("" if ran.outcome.accesses == 1 else "es")
    return f"schedule {ran.asked.schedule}{schedules}: {what}, in {accesses} by {many(threads, 'thread')} ({ran.seconds:.2f} s)"


def _outputs(ran: Ran) -> Iterator[str]:
    for name in ran.outputs:
        written = int((ran.outcome.written[name] != 0).sum()) if name in ran.outcome.written else 0
        cells = ran.output(name, SHOWN).tolist()
        more = ", …" if ran.elements(name) > SHOWN else ""
        yield f"  {name}: {many(written, 'element')} written; from the start: {', '.join(map(number, cells))}{more}"


def number(value: Value) -> str:
    """A value as a person wants to read it."""
    return f"{value:.7g}" if isinstance(value, float) else str(value)


def run_record(ran: Ran) -> dict[str, Any]:
    """The record of one run."""
    return {
        "schema": SCHEMA, "file": ran.asked.question.source.file, "kernel": ran.kernel.name,
        "launch": {**launch_record(ran.launch), "grid": list(ran.setting.grid), "block": list(ran.setting.block),
                   "args": {name: json_value(value) for name, value in ran.setting.scalars.items()}},
        "result": "clean" if is_clean(ran) else "trouble", "schedule": str(ran.asked.schedule), "schedules": ran.schedules,
        "findings": [finding_record(finding) for finding in ran.findings],
        "differences": [{"schedule": item.schedule, "array": item.array, "index": item.index, "first": json_value(item.first),
                         "other": json_value(item.other)} for item in ran.differences],
        "outputs": {name: {"type": str(ran.kernel.array(name).element), "elements": ran.elements(name),
                           "first": [json_value(value) for value in ran.output(name, SHOWN).tolist()]} for name in ran.outputs},
        "made_up": ran.made_up, "accesses": ran.outcome.accesses, "seconds": round(ran.seconds, 4)}
