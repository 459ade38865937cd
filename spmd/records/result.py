"""Result records (interface: Records, schema spmd/1) from answers."""

from __future__ import annotations

import math
from typing import Any

from automata.arithmetic import Value
from automata.lang.launch import Launch
from automata.place import Place
from automata.verdict import Actor, Finding, Property, Report, Spot, Verdict, one_a_defect
from equivalence.result import Counterexample, EquivReport, Owner, Parting
from spmd.asked import Answer, PairAnswer
from spmd.records.alerts import with_fingerprints
from spmd.records.allow import with_allowances
from spmd.records.excerpt import place_record
from spmd.records.schema import SCHEMA as SCHEMA
from spmd.report.following import next_step
from spmd.report.following_pair import next_step_of_pair
from spmd.report.summary import exactness_of


def check_record(answer: Answer) -> dict[str, Any]:
    """The record of one check."""
    report = answer.report
    record: dict[str, Any] = {
        "schema": SCHEMA, "id": answer.question.id or answer.question.source.file, "file": answer.question.source.file,
        "kernel": answer.kernel, **_at("at", answer.place), "launch": launch_record(answer.launch),
        "verdict": report.verdict.value, **_reason(report),
        "properties": {prop.value: outcome.value for prop, outcome in sorted_properties(report)},
        "findings": [finding_record(finding) for finding in report.findings],
        "assumptions": list(report.assumptions), "scope": str(report.scope or ""), "writes": report.writes,
        "determinism": {name: outcome.value for name, outcome in report.determinism.items()},
        "seconds": round(answer.seconds, 4)}
    if report.evidence:
        record["evidence"] = report.evidence
    if report.suggested:
        record["suggested"] = list(report.suggested)
    record |= _limits(report)
    exactness = exactness_of(report.findings)
    if exactness:
        record["exactness"] = exactness
    record |= _next(next_step(answer))
    if report.verdict is Verdict.REFUTED and report.besides:
        record["besides"] = [finding_record(finding) for finding in one_a_defect(report.besides)]
    if answer.beyond is not None:
        record["beyond"] = _beyond_record(answer.beyond)
        with_fingerprints({**record, **record["beyond"]})
    return with_allowances(with_fingerprints(record))


def _beyond_record(report: Report) -> dict[str, Any]:
    """What is found for sizes that the program does not launch."""
    return {"verdict": report.verdict.value, **_reason(report), "scope": str(report.scope or ""),
            "findings": [finding_record(finding) for finding in report.findings]}


def _limits(report: Report | EquivReport) -> dict[str, Any]:
    return {"limits": list(map(str, report.limits))} if report.limits else {}


def _reason(report: Report | EquivReport) -> dict[str, Any]:
    if report.reason is None:
        return {}
    place = f"{report.reason_place}: " if report.reason_place else ""
    return {"reason": place + report.reason, **_at("reason_at", report.reason_place)}


def _at(name: str, place: Place | None) -> dict[str, Any]:
    return {name: place_record(place)} if place is not None and place.line else {}


def sorted_properties(report: Report) -> list[tuple[Property, Any]]:
    """Properties in the order of the interface."""
    return [(prop, report.properties[prop]) for prop in Property if prop in report.properties]


def launch_record(launch: Launch) -> dict[str, Any]:
    """A launch as it was taken."""
    record: dict[str, Any] = {"grid": list(launch.grid) if launch.grid else None,
                              "block": list(launch.block) if launch.block else None,
                              "args": launch.args, "requires": list(launch.requires)}
    if launch.source:
        record["source"] = launch.source
    if launch.aliases:
        record["aliases"] = [list(group) for group in launch.aliases]
    return record


def finding_record(finding: Finding) -> dict[str, Any]:
    record: dict[str, Any] = {
        "rule": finding.rule, "status": finding.status.value, "exactness": finding.exactness.value,
        "message": finding.message, "array": finding.array, "places": [spot_record(spot) for spot in finding.spots]}
    if finding.sizes:
        record["sizes"] = dict(finding.sizes)
    if finding.note:
        record["note"] = finding.note
    if finding.times > 1:
        record["times"] = finding.times
    return record


def spot_record(spot: Spot) -> dict[str, Any]:
    record = {**place_record(spot.place), "access": spot.access}
    if spot.actor is not None:
        record["thread"] = _actor(spot.actor)
    if spot.index is not None:
        record["index"] = list(spot.index)
    return record


def pair_record(answer: PairAnswer) -> dict[str, Any]:
    """The record of one comparison."""
    report, question = answer.report, answer.question
    record: dict[str, Any] = {
        "schema": SCHEMA, **({"id": question.id} if question.id else {}),
        "a": {"file": question.a.source.file, "kernel": answer.kernel_a, **_at("at", answer.places[0]),
              "launch": launch_record(answer.launch_a)},
        "b": {"file": question.b.source.file, "kernel": answer.kernel_b, **_at("at", answer.places[1]),
              "launch": launch_record(answer.launch_b)},
        "verdict": report.verdict.value}
    if report.equality:
        record["class"] = report.equality.value
    for name in ("scope", "assurance", "bound", "evidence", "side"):
        if getattr(report, name):
            record[name] = str(getattr(report, name))
    record |= _reason(report)
    record["outputs"] = {name: {"verdict": verdict.value, **({"class": kind.value} if kind else {})}
                         for name, (verdict, kind) in report.outputs.items()}
    record["assumptions"] = list(report.assumptions)
    record |= _limits(report)
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
    record |= _next(next_step_of_pair(answer))
    record["seconds"] = round(answer.seconds, 4)
    return with_allowances(with_fingerprints(record))


def _next(step: str | None) -> dict[str, str]:
    return {"next": step} if step else {}


def _actor(actor: Actor) -> dict[str, list[int]]:
    return {"block": list(actor.block), "thread": list(actor.thread)}


def _parting(found: Parting) -> dict[str, Any]:
    return {"array": found.array.removeprefix("b."), "cell": found.cell, "value": json_value(found.value),
            "segment": found.segment, "last": found.is_last, "thread": _actor(found.actor), **place_record(found.place)}


def _owner(found: Owner) -> dict[str, Any]:
    """Who wrote the differing cell last, and where."""
    return {**place_record(found.place), "thread": _actor(found.actor)}


def json_value(value: Value) -> Value | str:
    """JSON has no NaN and no infinity: they are strings."""
    return value if math.isfinite(value) else str(value)


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
