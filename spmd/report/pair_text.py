"""Text for a person, of a comparison: verdict, outputs, the counterexample with the source under it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from automata.arithmetic import Value
from automata.verdict import Status
from equivalence.result import Counterexample, EquivVerdict, Owner, Parting
from spmd.asked import PairAnswer
from spmd.report.assumed_text import assumptions
from spmd.report.text import assignments, at_launches, excerpt, finding_text, mark_text, paint, told_at

FIRST = (Status.CONFIRMED, Status.POTENTIAL, Status.BENIGN)
MOST_FINDINGS = 2
"""Findings of a side that are told; `spmd check` tells all."""


def pair_text(answer: PairAnswer, record: Mapping[str, Any]) -> str:
    """The text of one comparison, with what its record says besides."""
    report, question = answer.report, answer.question
    kind = f", {paint(report.equality.value)}" if report.equality else ""
    lines = [*([question.id] if question.id else []), f"{paint(report.verdict.value)}{kind}",
             f"  a: {answer.kernel_a or '?'}  {question.a.source.file}",
             f"  b: {answer.kernel_b or '?'}  {question.b.source.file}"]
    if report.verdict.value == "equal":
        bound = f" (error at most {report.bound})" if report.bound else ""
        blocks = ", every block run" if report.runs_all else ""
        at = at_launches(report.scope, answer.launch_a, answer.launch_b)
        lines.append(f"  scope: {report.scope}{at}{blocks}; assurance: {report.assurance}{bound}")
    for name, (verdict, kind_of) in report.outputs.items():
        lines.append(f"  output {name}: {paint(verdict.value)}" + (f" ({kind_of.value})" if kind_of else ""))
    if report.reason:
        lines.append(f"  reason: {told_at(report.reason_place)}{report.reason}")
        lines += excerpt(report.reason_place)
    if report.evidence:
        lines.append(f"  evidence: {report.evidence}")
    lines += [f"  limit reached: {text}" for text in report.limits]
    lines += [f"  note: {text}" for text in report.notes]
    if report.counterexample:
        lines += _counterexample(report.counterexample)
    lines += [*_suggested(answer), *_proof(answer)]
    lines += [*mark_text(record), *_side_findings(answer, record)]
    lines += assumptions(report.assumptions)
    if step := record.get("next"):
        lines.append(f"  next: {step}")
    return "\n".join(lines) + "\n"


def _suggested(answer: PairAnswer) -> Iterator[str]:
    report = answer.report
    if report.suggested:
        asked = f'--require "{report.suggested}"'
        yield (f"  suggestion: equal at {report.suggested_at}: perhaps they need {asked}" if report.suggested_at else
               f"  suggestion: equal with {asked}")
    elif answer.question.suggest and report.verdict is not EquivVerdict.EQUAL and report.counterexample is not None:
        yield "  suggestion: none of the usual requirements (a bound, a multiple, two of them) makes them equal"


def _proof(answer: PairAnswer) -> Iterator[str]:
    """How equality was shown, where that is asked for."""
    report = answer.report
    if not answer.question.shows_proof:
        return
    if report.proof:
        yield "  cells and their values, for all sizes:"
        yield from (f"    {text}" for text in report.proof)
    elif report.verdict is EquivVerdict.EQUAL and str(report.scope) == "this launch":
        yield ("  no proof to show: both kernels were run on symbols at this launch, what they leave was compared cell by cell; "
               "for a proof ask with --all-sizes")


def _side_findings(answer: PairAnswer, record: Mapping[str, Any]) -> list[str]:
    """The findings of the side that keeps the pair from being compared, what is confirmed first, and few of them."""
    report = answer.report
    if not report.side or report.side not in report.reports:
        return []
    found = report.reports[report.side].findings
    marks = record.get("findings") or [{}] * len(found)
    ordered = sorted(zip(found, marks, strict=True), key=lambda each: FIRST.index(each[0].status))
    lines = [line for finding, about in ordered[:MOST_FINDINGS] for line in ["", *finding_text(finding), *mark_text(about)]]
    question, kernel = ((answer.question.a, answer.kernel_a) if report.side == "a" else (answer.question.b, answer.kernel_b))
    more = len(ordered) - MOST_FINDINGS
    command = shlex.join(["spmd", "check", question.source.file, "--kernel", str(kernel)])
    return lines if more <= 0 else [*lines, f"  {more} more: {command}"]


def _counterexample(found: Counterexample) -> list[str]:
    what = f"does not meet the relation {found.relation}" if found.relation else "ends up different"
    lines = ["", f"  {found.array}[{found.cell}] {what} (both kernels were run):",
             f"    at {assignments(found.sizes) or 'this launch'}"]
    for name, cells in found.inputs.items():
        if cells:
            lines.append(f"    {name} starts as {_cells(cells)}")
    if found.zero_elsewhere:
        lines.append("    all other elements start as zero" if found.inputs else "    all elements start as zero")
    if found.relation:
        return [*lines, f"    left side: {_value(found.b)}", f"    right side: {_value(found.a)}"]
    for label, value, owner in (("a", found.a, found.a_owner), ("b", found.b, found.b_owner)):
        lines.append(f"    {label}: {_value(value)}{_written_by(owner)}")
        lines += excerpt(owner.place if owner else None)
    if found.reals:
        lines.append(f"    without rounding: a {found.reals[0]}, b {found.reals[1]}")
    return lines + [line for label, other, parting in zip("ab", "ba", found.partings, strict=True)
                    if parting is not None and (parting.array, parting.cell) != (found.array, found.cell)
                    for line in _parting(label, other, parting)]


def _parting(label: str, other: str, found: Parting) -> list[str]:
    what = f"the value of {other} is lost in {label} after" if found.is_last else f"{label} first holds what {other} never does:"
    cell = f"{found.array.removeprefix('b.')}[{found.cell}] = {_value(found.value)}"
    return [f"    {what} {cell}, stored in segment {found.segment} by {found.actor}, {found.place}", *excerpt(found.place)]


def _cells(cells: Mapping[int, Value]) -> str:
    return ", ".join(f"[{index}] {_value(value)}" for index, value in cells.items()) + (", …" if len(cells) == 8 else "")


def _value(value: Value) -> str:
    return repr(value)


def _written_by(owner: Owner | None) -> str:
    return f", written by {owner.actor}, {owner.place}" if owner else ", never written: the initial value"
