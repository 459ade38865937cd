"""Text for a person, of a check: verdict, findings with the source under them, assumptions. Texts of pairs share its parts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import typer

from automata.lang.launch import Launch, Size, Sizes
from automata.place import Place
from automata.verdict import Finding, Report, Spot, Status, Verdict
from spmd.asked import Answer
from spmd.records.alerts import alerts, mark_of
from spmd.records.excerpt import caret, source_line
from spmd.records.result import sorted_properties
from spmd.report.assumed_text import assumptions
from spmd.report.launch_text import left_to_assume, scope_text
from spmd.report.words import told_place

COLOURS = {"proved": "green", "equal": "green", "refuted": "red", "different": "red", "nondeterministic": "red",
           "unknown": "yellow", "unsupported": "yellow", "invalid": "red", "fault": "magenta",
           "confirmed": "red", "potential": "yellow", "benign": "blue", "not-checked": "bright_black"}
MOST_BEYOND = 3


def paint(word: str) -> str:
    return typer.style(word, fg=COLOURS.get(word), bold=True)


def check_text(answer: Answer, record: Mapping[str, Any]) -> str:
    """The text of one check, with what its record says besides of its findings."""
    report = answer.report
    kernel = f" {answer.kernel}" if answer.kernel else ""
    stated = f"  [{answer.launch.source}]" if answer.launch.source else ""
    lines = [f"{paint(report.verdict.value)}{kernel}  {answer.question.source.file}{stated}"]
    if report.scope:
        lines.append(f"  scope: {scope_text(report.scope, report.assumptions)}{at_launches(report.scope, answer.launch)}")
    if report.properties:
        lines.append("  " + " · ".join(f"{prop.value} {paint(outcome.value)}" for prop, outcome in sorted_properties(report)))
    if report.determinism:
        lines.append(f"  determinism: global arrays {report.determinism['global'].value}, "
                     f"strong (shared memory too) {report.determinism['strong'].value}")
    if report.properties and not report.writes:
        lines.append("  note: this kernel writes no array at all; the verdict rests on no write")
    if report.reason:
        lines.append(f"  reason: {told_at(report.reason_place)}{report.reason}")
        lines += excerpt(report.reason_place)
    lines += mark_text(record)
    if report.evidence:
        lines.append(f"  evidence: {report.evidence}")
    lines += [f"  limit reached: {text}" for text in report.limits]
    if report.suggested:
        asked = " ".join(f'--require "{text}"' for text in report.suggested)
        lines.append(f"  suggestion: proved with {asked}")
    elif answer.question.suggest and report.verdict.value in ("refuted", "unknown"):
        lines.append("  suggestion: none of the usual requirements makes it proved")
    told = list(zip(report.findings, record["findings"], strict=True))
    for finding, about in sorted(told, key=lambda pair: pair[0].status is Status.BENIGN):
        lines += ["", *finding_text(finding), *mark_text(about)]
    return "\n".join([*lines, *_left(record), *_rests_on(answer, record)]) + "\n"


def _left(record: Mapping[str, Any]) -> Iterator[str]:
    """Where findings are accepted: what is not, and has no finding of its own."""
    beside = record.get("besides", [])
    for alert in alerts(dict(record)):
        if any(alert.about is item for item in beside) and not alert.is_accepted:
            yield f"  beside what is accepted, not proved: {alert.rule}: {alert.message}"
            yield from (f"    {told_place(place)}" for place in alert.places)


def _rests_on(answer: Answer, record: Mapping[str, Any]) -> list[str]:
    """What the verdict assumes, what it does not speak of, and what to type next."""
    lines = assumptions(left_to_assume(answer.report.scope, answer.report.assumptions))
    if answer.beyond is not None and answer.report.verdict is not Verdict.REFUTED:
        lines += _beyond(answer, answer.beyond)
    if answer.unlaunched:
        known = "its sizes are open" if answer.launch.is_open else "none is known"
        lines.append(f"  launch: {known}. {answer.unlaunched}; --block and --grid state one")
    step = record.get("next")
    return [*lines, f"  next: {step}"] if step else lines


def _beyond(answer: Answer, report: Report) -> list[str]:
    """What is found for sizes that the program does not launch: a line a defect, and how to see it whole."""
    why = f": {report.reason}" if report.reason else ""
    lines = [f"  beyond, at sizes that nothing here launches: {report.verdict.value}{why}"]
    told = [finding for finding in report.findings if finding.status is not Status.BENIGN]
    for finding in told[:MOST_BEYOND]:
        lines_of = ", ".join(dict.fromkeys(f"line {spot.place.line}" for spot in finding.spots if spot.place.line))
        at = f", at {assignments(finding.sizes)}" if finding.sizes else ""
        lines.append(f"    - {finding.status.value} {finding.rule}{f' ({lines_of})' if lines_of else ''}{at}")
    if len(told) > MOST_BEYOND:
        lines.append(f"    - and {len(told) - MOST_BEYOND} more")
    command = ["spmd", "check", answer.question.source.file, "--kernel", answer.kernel or "", "--all-sizes"]
    return [*lines, f"    all of it: {shlex.join(command)}"]


def at_launches(scope: object, *launches: Launch) -> str:
    """The sizes and arguments of `this launch`, in brackets; of two launches that differ, those of each."""
    told = list(dict.fromkeys(map(_told_launch, launches)))
    if str(scope) != "this launch" or not all(told):
        return ""
    each = told if len(told) == 1 else [f"{side}: {text}" for side, text in zip("ab", told, strict=True)]
    return " (" + "; ".join(each) + ")"


def _told_launch(launch: Launch) -> str:
    stated = ("grid", launch.grid), ("block", launch.block)
    sizes = [f"{name} {','.join(map(str, _short(size)))}" for name, size in stated if size]
    return ", ".join([*sizes, *(f"{name} = {value}" for name, value in launch.args.items())])


def _short(sizes: Sizes) -> Sizes | tuple[Size, ...]:
    """Sizes without the axes of one at the end."""
    x, y, z = sizes
    return sizes if z != 1 else (x, y) if y != 1 else (x,)


def told_at(place: Place | None) -> str:
    return f"{place}: " if place else ""


def finding_text(finding: Finding) -> list[str]:
    """A finding: what happens, and each place with its source line and a caret."""
    times = f" ({finding.times} times here)" if finding.times > 1 else ""
    lines = [f"  {paint(finding.status.value)} {finding.rule}: {finding.message}{times}"]
    if finding.sizes:
        lines.append(f"    at {assignments(finding.sizes)}")
    for spot in finding.spots:
        lines += _spot(spot)
    if finding.note:
        lines.append(f"    note: {finding.note}")
    if finding.status is not Status.BENIGN:
        lines.append(f"    exactness {finding.exactness.value}; more: spmd explain {finding.rule}")
    return lines


def _spot(spot: Spot) -> list[str]:
    who = f"{spot.actor} " if spot.actor else ""
    verb = {"write": "writes", "read": "reads"}.get(spot.access, spot.access) if who else spot.access
    return [f"    {who}{verb}, {spot.place}", *excerpt(spot.place)]


def excerpt(place: Place | None) -> list[str]:
    """The source line with a caret."""
    text = source_line(place) if place else ""
    if place is None or not text:
        return []
    shown, column = caret(text, place.column)
    number = str(place.line)
    return [f"      {number} | {shown}", f"      {' ' * len(number)} | {' ' * (column - 1)}^"]


def assignments(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def mark_text(about: Mapping[str, Any]) -> list[str]:
    """Why something does not count for the exit status."""
    return [f"    {text}" for text in [mark_of(about)] if text]
