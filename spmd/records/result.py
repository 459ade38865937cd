"""The record of a check (interface: Records, schema spmd/1), and what records of pairs share with it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from automata.arithmetic import Value
from automata.lang.launch import Launch
from automata.place import Place
from automata.verdict import Actor, Finding, Property, Report, Spot, Verdict, one_a_defect
from spmd.asked import Answer
from spmd.records.alerts import with_fingerprints
from spmd.records.allow import with_allowances
from spmd.records.excerpt import place_record
from spmd.records.schema import SCHEMA as SCHEMA
from spmd.report.following import next_step
from spmd.report.summary import exactness_of

if TYPE_CHECKING:
    from equivalence.result import EquivReport


def check_record(answer: Answer) -> dict[str, Any]:
    """The record of one check."""
    report = answer.report
    record: dict[str, Any] = {
        "schema": SCHEMA, "id": answer.question.id or answer.question.source.file, "file": answer.question.source.file,
        "kernel": answer.kernel, **at("at", answer.place), "launch": launch_record(answer.launch),
        "verdict": report.verdict.value, **reason_of(report),
        "properties": {prop.value: outcome.value for prop, outcome in sorted_properties(report)},
        "findings": [finding_record(finding) for finding in report.findings],
        "assumptions": list(report.assumptions), "scope": str(report.scope or ""), "writes": report.writes,
        "determinism": {name: outcome.value for name, outcome in report.determinism.items()},
        "seconds": round(answer.seconds, 4)}
    if report.evidence:
        record["evidence"] = report.evidence
    if report.suggested:
        record["suggested"] = list(report.suggested)
    record |= limits_of(report)
    exactness = exactness_of(report.findings)
    if exactness:
        record["exactness"] = exactness
    record |= next_of(next_step(answer))
    if answer.unlaunched:
        record["unlaunched"] = answer.unlaunched
    if report.verdict is Verdict.REFUTED and report.besides:
        record["besides"] = [finding_record(finding) for finding in one_a_defect(report.besides)]
    if answer.beyond is not None:
        record["beyond"] = _beyond_record(answer.beyond)
        with_fingerprints({**record, **record["beyond"]})
    return with_allowances(with_fingerprints(record))


def _beyond_record(report: Report) -> dict[str, Any]:
    """What is found for sizes that the program does not launch."""
    return {"verdict": report.verdict.value, **reason_of(report), "scope": str(report.scope or ""),
            "findings": [finding_record(finding) for finding in report.findings]}


def limits_of(report: Report | EquivReport) -> dict[str, Any]:
    return {"limits": list(map(str, report.limits))} if report.limits else {}


def reason_of(report: Report | EquivReport) -> dict[str, Any]:
    if report.reason is None:
        return {}
    place = f"{report.reason_place}: " if report.reason_place else ""
    return {"reason": place + report.reason, **at("reason_at", report.reason_place)}


def at(name: str, place: Place | None) -> dict[str, Any]:
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
        record["thread"] = actor_record(spot.actor)
    if spot.index is not None:
        record["index"] = list(spot.index)
    return record


def next_of(step: str | None) -> dict[str, str]:
    return {"next": step} if step else {}


def actor_record(actor: Actor) -> dict[str, list[int]]:
    return {"block": list(actor.block), "thread": list(actor.thread)}


def json_value(value: Value) -> Value | str:
    """JSON has no NaN and no infinity: they are strings."""
    return value if math.isfinite(value) else str(value)
