"""SARIF 2.1.0: a result for each alert, with both accesses, for code scanning and editors.

The first place is the result's location, the others are related ones, each with what the thread does there. Equal alerts of
several launches are one result. Paths are relative to `%SRCROOT%`, the folder that holds `.git`, and fingerprints are those of
`record.alerts`, so that a known finding stays the same alert when lines move. What the source allows is a suppression; what a
baseline lists has the state `unchanged`, what it lists and nobody finds `absent`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import quote

from spmd.records.alerts import Alert, alerts
from spmd.records.paths import relative
from spmd.records.results import Results
from spmd.report.words import assigned, told_place
from spmd.rules import RULES, VERDICTS, Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "spmd/v1"
ORDER = {rule.name: number for number, rule in enumerate((*RULES, *VERDICTS))}
ABOUT = ("array", "exactness", "scope", "assumptions", "launch")
"""What of a finding or a record goes along as properties."""
LEVEL_OF_RULE = {"same-value-write": "note", "launch-limit": "note", "unknown": "note", "unsupported": "note",
                 "invalid": "warning", "idle-allow": "warning"}


def sarif(results: Results) -> str:
    """The whole log."""
    driver = {"name": "spmd", "semanticVersion": _version(), "rules": [_rule(rule) for rule in (*RULES, *VERDICTS)]}
    run = {"tool": {"driver": driver},
           "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The folder of the repository."}}},
           "columnKind": "unicodeCodePoints", "results": list(_results(results))}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _version() -> str:
    try:
        return version("spmd-equivalence")
    except PackageNotFoundError:
        return "0.0.0"


def _rule(rule: Rule) -> dict[str, Any]:
    example = f"\n\n```c\n{rule.example}\n```" if rule.example else ""
    return {"id": rule.name, "name": "".join(part.capitalize() for part in rule.name.split("-")),
            "shortDescription": {"text": rule.title}, "fullDescription": {"text": rule.why},
            "help": {"text": f"{rule.why}\n\n{rule.example}\n\nFix: {rule.fix}",
                     "markdown": f"{rule.why}{example}\n\n**Fix:** {rule.fix}"},
            "defaultConfiguration": {"level": LEVEL_OF_RULE.get(rule.name, "error")},
            "properties": {"tags": [*([rule.property] if rule.property else []), "gpu"]}}


def _results(results: Results) -> Iterator[dict[str, Any]]:
    merged: dict[str, list[Alert]] = {}
    for record in results.records:
        for alert in alerts(record):
            merged.setdefault(alert.fingerprint, []).append(alert)
    for group in merged.values():
        yield _result(group, results)
    for item in results.idle:
        yield {**_head("idle-allow", "warning", item["message"]), **_locations([item])}
    for item in results.fixed:
        yield {**_head(item["rule"], "none", f"no longer found: {item['message']}"), "kind": "pass",
               **_locations([{"file": item["file"], "line": item.get("line")}]), "baselineState": "absent",
               "partialFingerprints": {FINGERPRINT: item["fingerprint"]}}


def _head(rule: str, level: str, text: str) -> dict[str, Any]:
    known = {"ruleIndex": ORDER[rule]} if rule in ORDER else {}
    return {"ruleId": rule, **known, "level": level, "message": {"text": text}}


def _result(group: list[Alert], results: Results) -> dict[str, Any]:
    """One result for equal alerts: the worst of them speaks."""
    alert = min(group, key=lambda one: ("error", "warning", "note").index(one.level))
    places = alert.places or [{"file": alert.file, "line": 0}]
    found = {**_head(alert.rule, alert.level, _message(alert)), **_locations(places, alert.kernel),
             "partialFingerprints": {FINGERPRINT: alert.fingerprint}, "occurrenceCount": len(group)}
    if results.has_baseline:
        found["baselineState"] = "unchanged" if alert.is_known else "new"
    if alert.allowed is not None:
        found["suppressions"] = [{"kind": "inSource", "status": "accepted", "justification": alert.allowed}]
    elif alert.is_accepted:
        found["suppressions"] = [{"kind": "external", "status": "accepted", "justification": "listed in the baseline"}]
    about = {name: alert.about[name] for name in ABOUT if alert.about.get(name)}
    return {**found, "properties": {"kernel": alert.kernel, "status": alert.about.get("status"), **about}}


def _message(alert: Alert) -> str:
    at = f" (at {assigned(alert.about['sizes'])})" if alert.about.get("sizes") else ""
    note = f". {alert.about['note']}" if alert.about.get("note") else ""
    where = f"{alert.kernel}: " if alert.kernel else ""
    return f"{where}{alert.message}{at}{note}"


def _locations(places: list[dict[str, Any]], kernel: str | None = None) -> dict[str, Any]:
    first, *others = [_location(place) for place in places]
    if kernel:
        first["logicalLocations"] = [{"name": kernel, "kind": "function"}]
    related = [{"id": number, **other} for number, other in enumerate(others, 1)]
    return {"locations": [first], **({"relatedLocations": related} if related else {})}


def _location(place: dict[str, Any]) -> dict[str, Any]:
    """A place; our own headers have no address."""
    message = {"message": {"text": told_place(place)}} if place.get("access") else {}
    if place["file"].startswith("<"):
        return message or {"message": {"text": f"{place['file']}:{place['line']}"}}
    region = {"startLine": place["line"]} if place.get("line") else {}
    if region and place.get("column"):
        region["startColumn"] = place["column"]
    text = {"snippet": {"text": place["text"]}} if region and place.get("text") else {}
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(relative(place["file"])), "uriBaseId": "%SRCROOT%"}}
    return {"physicalLocation": {**physical, **({"region": {**region, **text}} if region else {})}, **message}
