"""Text for a person: verdict, findings with the source under them, counterexamples, assumptions."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import typer

from automata.arithmetic import Value
from automata.place import Place
from automata.verdict import Finding, Report, Spot, Status, Verdict
from equivalence.result import Counterexample, EquivReport, Owner, Parting
from spmd.asked import Answer, PairAnswer
from spmd.records.alerts import alerts, mark_of
from spmd.records.excerpt import caret, source_line
from spmd.records.result import sorted_properties
from spmd.report.following import next_step
from spmd.report.following_pair import next_step_of_pair
from spmd.report.words import told_place

COLOURS = {"proved": "green", "equal": "green", "refuted": "red", "different": "red", "nondeterministic": "red",
           "unknown": "yellow", "unsupported": "yellow", "invalid": "red", "fault": "magenta",
           "confirmed": "red", "potential": "yellow", "benign": "blue", "not-checked": "bright_black"}
MOST_BEYOND = 3


def _paint(word: str) -> str:
    return typer.style(word, fg=COLOURS.get(word), bold=True)


def check_text(answer: Answer, record: Mapping[str, Any]) -> str:
    """The text of one check, with what its record says besides of its findings."""
    report = answer.report
    kernel = f" {answer.kernel}" if answer.kernel else ""
    stated = f"  [{answer.launch.source}]" if answer.launch.source else ""
    lines = [f"{_paint(report.verdict.value)}{kernel}  {answer.question.source.file}{stated}"]
    if report.scope:
        lines.append(f"  scope: {report.scope}")
    if report.properties:
        lines.append("  " + " · ".join(f"{prop.value} {_paint(outcome.value)}" for prop, outcome in sorted_properties(report)))
    if report.determinism:
        lines.append(f"  determinism: global arrays {report.determinism['global'].value}, "
                     f"strong (shared memory too) {report.determinism['strong'].value}")
    if report.properties and not report.writes:
        lines.append("  note: this kernel writes no array at all; the verdict rests on no write")
    if report.reason:
        lines.append(f"  reason: {_at(report.reason_place)}{report.reason}")
        lines += _excerpt(report.reason_place)
    lines += _mark(record)
    if report.evidence:
        lines.append(f"  evidence: {report.evidence}")
    lines += [f"  limit reached: {text}" for text in report.limits]
    if report.suggested:
        asked = " ".join(f'--require "{text}"' for text in report.suggested)
        lines.append(f"  suggestion: proved with {asked}")
    elif answer.question.suggest and report.verdict.value in ("refuted", "unknown"):
        lines.append("  suggestion: none of the usual requirements makes it proved")
    for finding, about in zip(report.findings, record["findings"], strict=True):
        lines += ["", *finding_text(finding), *_mark(about)]
    return "\n".join([*lines, *_left(record), *_rests_on(answer)]) + "\n"


def _left(record: Mapping[str, Any]) -> Iterator[str]:
    """Where findings are accepted: what is not, and has no finding of its own."""
    beside = record.get("besides", [])
    for alert in alerts(dict(record)):
        if any(alert.about is item for item in beside) and not alert.is_accepted:
            yield f"  beside what is accepted, not proved: {alert.rule}: {alert.message}"
            yield from (f"    {told_place(place)}" for place in alert.places)


def _rests_on(answer: Answer) -> list[str]:
    """What the verdict assumes, what it does not speak of, and what to type next."""
    lines = _assumptions(answer.report.assumptions)
    if answer.beyond is not None and answer.report.verdict is not Verdict.REFUTED:
        lines += _beyond(answer, answer.beyond)
    step = next_step(answer)
    return [*lines, f"  next: {step}"] if step else lines


def _beyond(answer: Answer, report: Report) -> list[str]:
    """What is found for sizes that the program does not launch: a line a defect, and how to see it whole."""
    why = f": {report.reason}" if report.reason else ""
    lines = [f"  beyond, at sizes that nothing here launches: {report.verdict.value}{why}"]
    told = [finding for finding in report.findings if finding.status is not Status.BENIGN]
    for finding in told[:MOST_BEYOND]:
        lines_of = ", ".join(dict.fromkeys(f"line {spot.place.line}" for spot in finding.spots if spot.place.line))
        at = f", at {_assignments(finding.sizes)}" if finding.sizes else ""
        lines.append(f"    - {finding.status.value} {finding.rule}{f' ({lines_of})' if lines_of else ''}{at}")
    if len(told) > MOST_BEYOND:
        lines.append(f"    - and {len(told) - MOST_BEYOND} more")
    command = ["spmd", "check", answer.question.source.file, "--kernel", answer.kernel or "", "--all-sizes"]
    return [*lines, f"    all of it: {shlex.join(command)}"]


def _at(place: Place | None) -> str:
    return f"{place}: " if place else ""


def _assumptions(assumptions: Iterable[str]) -> list[str]:
    found = list(assumptions)
    return ["  assuming:", *(f"    - {text}" for text in found)] if found else []


def finding_text(finding: Finding) -> list[str]:
    """A finding: what happens, and each place with its source line and a caret."""
    times = f" ({finding.times} times here)" if finding.times > 1 else ""
    lines = [f"  {_paint(finding.status.value)} {finding.rule}: {finding.message}{times}"]
    if finding.sizes:
        lines.append(f"    at {_assignments(finding.sizes)}")
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
    return [f"    {who}{verb}, {spot.place}", *_excerpt(spot.place)]


def _excerpt(place: Place | None) -> list[str]:
    """The source line with a caret."""
    text = source_line(place) if place else ""
    if place is None or not text:
        return []
    shown, column = caret(text, place.column)
    number = str(place.line)
    return [f"      {number} | {shown}", f"      {' ' * len(number)} | {' ' * (column - 1)}^"]


def _assignments(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def pair_text(answer: PairAnswer, record: Mapping[str, Any]) -> str:
    """The text of one comparison, with what its record says besides."""
    report, question = answer.report, answer.question
    kind = f", {_paint(report.equality.value)}" if report.equality else ""
    lines = [*([question.id] if question.id else []), f"{_paint(report.verdict.value)}{kind}",
             f"  a: {answer.kernel_a or '?'}  {question.a.source.file}",
             f"  b: {answer.kernel_b or '?'}  {question.b.source.file}"]
    if report.verdict.value == "equal":
        bound = f" (error at most {report.bound})" if report.bound else ""
        blocks = ", every block run" if report.runs_all else ""
        lines.append(f"  scope: {report.scope}{blocks}; assurance: {report.assurance}{bound}")
    for name, (verdict, kind_of) in report.outputs.items():
        lines.append(f"  output {name}: {_paint(verdict.value)}" + (f" ({kind_of.value})" if kind_of else ""))
    if report.reason:
        lines.append(f"  reason: {_at(report.reason_place)}{report.reason}")
        lines += _excerpt(report.reason_place)
    if report.evidence:
        lines.append(f"  evidence: {report.evidence}")
    lines += [f"  limit reached: {text}" for text in report.limits]
    lines += [f"  note: {text}" for text in report.notes]
    if report.counterexample:
        lines += _counterexample(report.counterexample)
    if report.suggested:
        asked = f'--require "{report.suggested}"'
        lines.append(f"  suggestion: equal at {report.suggested_at}: perhaps they need {asked}" if report.suggested_at else
                     f"  suggestion: equal with {asked}")
    if question.shows_proof and report.proof:
        lines += ["  cells and their values, for all sizes:", *(f"    {text}" for text in report.proof)]
    lines += [*_mark(record), *_side_findings(report, record)]
    lines += _assumptions(report.assumptions)
    if step := next_step_of_pair(answer):
        lines.append(f"  next: {step}")
    return "\n".join(lines) + "\n"


def _side_findings(report: EquivReport, record: Mapping[str, Any]) -> list[str]:
    if not report.side or report.side not in report.reports:
        return []
    found = report.reports[report.side].findings
    marks = record.get("findings") or [{}] * len(found)
    return [line for finding, about in zip(found, marks, strict=True) for line in ["", *finding_text(finding), *_mark(about)]]


def _mark(about: Mapping[str, Any]) -> list[str]:
    """Why something does not count for the exit status."""
    return [f"    {text}" for text in [mark_of(about)] if text]


def _counterexample(found: Counterexample) -> list[str]:
    what = f"does not meet the relation {found.relation}" if found.relation else "ends up different"
    lines = ["", f"  {found.array}[{found.cell}] {what} (both kernels were run):",
             f"    at {_assignments(found.sizes) or 'this launch'}"]
    for name, cells in found.inputs.items():
        if cells:
            lines.append(f"    {name} starts as {_cells(cells)}")
    if found.zero_elsewhere:
        lines.append("    all other elements start as zero" if found.inputs else "    all elements start as zero")
    if found.relation:
        return [*lines, f"    left side: {_value(found.b)}", f"    right side: {_value(found.a)}"]
    for label, value, owner in (("a", found.a, found.a_owner), ("b", found.b, found.b_owner)):
        lines.append(f"    {label}: {_value(value)}{_written_by(owner)}")
        lines += _excerpt(owner.place if owner else None)
    if found.reals:
        lines.append(f"    without rounding: a {found.reals[0]}, b {found.reals[1]}")
    return lines + [line for label, other, parting in zip("ab", "ba", found.partings, strict=True)
                    if parting is not None and (parting.array, parting.cell) != (found.array, found.cell)
                    for line in _parting(label, other, parting)]


def _parting(label: str, other: str, found: Parting) -> list[str]:
    what = f"the value of {other} is lost in {label} after" if found.is_last else f"{label} first holds what {other} never does:"
    cell = f"{found.array.removeprefix('b.')}[{found.cell}] = {_value(found.value)}"
    return [f"    {what} {cell}, stored in segment {found.segment} by {found.actor}, {found.place}", *_excerpt(found.place)]


def _cells(cells: Mapping[int, Value]) -> str:
    return ", ".join(f"[{index}] {_value(value)}" for index, value in cells.items()) + (", …" if len(cells) == 8 else "")


def _value(value: Value) -> str:
    return repr(value)


def _written_by(owner: Owner | None) -> str:
    return f", written by {owner.actor}, {owner.place}" if owner else ", never written: the initial value"
