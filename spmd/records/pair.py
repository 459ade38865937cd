"""The record of a comparison."""

from __future__ import annotations

from typing import Any

from equivalence.result import Counterexample, Owner, Parting
from spmd.asked import PairAnswer
from spmd.records.alerts import with_fingerprints
from spmd.records.allow import with_allowances
from spmd.records.excerpt import place_record
from spmd.records.result import SCHEMA, actor_record, at, finding_record, json_value, launch_record, limits_of, next_of, reason_of
from spmd.report.following_pair import next_step_of_pair


def pair_record(answer: PairAnswer) -> dict[str, Any]:
    """The record of one comparison."""
    report, question = answer.report, answer.question
    record: dict[str, Any] = {
        "schema": SCHEMA, **({"id": question.id} if question.id else {}),
        "a": {"file": question.a.source.file, "kernel": answer.kernel_a, **at("at", answer.places[0]),
              "launch": launch_record(answer.launch_a)},
        "b": {"file": question.b.source.file, "kernel": answer.kernel_b, **at("at", answer.places[1]),
              "launch": launch_record(answer.launch_b)},
        "verdict": report.verdict.value}
    if report.equality:
        record["class"] = report.equality.value
    for name in ("scope", "assurance", "bound", "evidence", "side"):
        if getattr(report, name):
            record[name] = str(getattr(report, name))
    record |= reason_of(report)
    record["outputs"] = {name: {"verdict": verdict.value, **({"class": kind.value} if kind else {})}
                         for name, (verdict, kind) in report.outputs.items()}
    record["assumptions"] = list(report.assumptions)
    record |= limits_of(report)
    if report.notes:
        record["notes"] = list(report.notes)
    if question.shows_proof and report.proof:
        record["proof"] = list(report.proof)
    if report.suggested:
        record["suggested"] = [report.suggested]
        if report.suggested_at:
            record["suggested_at"] = report.suggested_at
    if report.counterexample:
        record["counterexample"] = counterexample_record(report.counterexample)
    if report.verdict.value == "nondeterministic" and report.side:
        record["findings"] = [finding_record(finding) for finding in report.reports[report.side].findings]
    record |= next_of(next_step_of_pair(answer))
    record["seconds"] = round(answer.seconds, 4)
    return with_allowances(with_fingerprints(record))


def _parting(found: Parting) -> dict[str, Any]:
    return {"array": found.array.removeprefix("b."), "cell": found.cell, "value": json_value(found.value),
            "segment": found.segment, "last": found.is_last, "thread": actor_record(found.actor), **place_record(found.place)}


def _owner(found: Owner) -> dict[str, Any]:
    """Who wrote the differing cell last, and where."""
    return {**place_record(found.place), "thread": actor_record(found.actor)}


def counterexample_record(found: Counterexample) -> dict[str, Any]:
    partings = {side: _parting(item) for side, item in zip("ab", found.partings, strict=True) if item is not None}
    owners = {side: _owner(item) for side, item in (("a", found.a_owner), ("b", found.b_owner)) if item is not None}
    maybe = {"partings": partings, "owners": owners, "relation": found.relation,
             "reals": dict(zip("ab", found.reals, strict=True)) if found.reals else None}
    return {"sizes": {name: json_value(value) for name, value in found.sizes.items()}, "zero_elsewhere": found.zero_elsewhere,
            "inputs": {name: {str(index): json_value(value) for index, value in cells.items()}
                       for name, cells in found.inputs.items()},
            "array": found.array, "cell": found.cell, "a": json_value(found.a), "b": json_value(found.b),
            **{name: value for name, value in maybe.items() if value}, "replayed": True}
