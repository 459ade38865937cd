"""JUnit's XML, as CI servers read it: a suite a file, a case a kernel and launch.

What is refuted or different is a failure; what is unknown or unsupported is skipped, for it is no defect and no proof either; an
input that cannot be read, or a fault, is an error. What the source or a baseline accepts passes, and says so.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as XML

from spmd.records.alerts import SETTLED, Record, alerts, file_of, is_accepted, kernel_of
from spmd.records.paths import relative
from spmd.records.results import Results
from spmd.report.words import told_place

KIND = {"refuted": "failure", "different": "failure", "nondeterministic": "failure", "unknown": "skipped",
        "unsupported": "skipped", "invalid": "error", "fault": "error"}
_CONTROL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML may hold."""


def junit(results: Results) -> str:
    """The whole document."""
    by_file: dict[str, list[Record]] = {}
    for record in results.records:
        by_file.setdefault(relative(file_of(record)), []).append(record)
    totals = _totals(results.records)
    del totals["skipped"]  # Jenkins' schema knows it of suites alone
    root = XML.Element("testsuites", {"name": "spmd", **totals})
    for file, records in by_file.items():
        suite = XML.SubElement(root, "testsuite", {"name": _clean(file or "spmd"), **_totals(records)})
        for record in records:
            _case(suite, file, record)
    XML.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + XML.tostring(root, encoding="unicode") + "\n"


def _totals(records: list[Record]) -> dict[str, str]:
    kinds = [_kind(record) for record in records]
    return {"tests": str(len(records)), "failures": str(kinds.count("failure")), "errors": str(kinds.count("error")),
            "skipped": str(kinds.count("skipped")), "time": f"{sum(record.get('seconds', 0.0) for record in records):.3f}"}


def _kind(record: Record) -> str:
    return "" if is_accepted(record) else KIND[record["verdict"]]


def _case(suite: XML.Element, file: str, record: Record) -> None:
    scope = f" [{record['scope']}]" if record.get("scope") else ""
    case = XML.SubElement(suite, "testcase", {"classname": _clean(file or "spmd"), "name": _clean(f"{kernel_of(record)}{scope}"),
                                              "time": f"{record.get('seconds', 0.0):.3f}"})
    found = alerts(record)
    kind = _kind(record)
    if kind:
        counting = [alert for alert in found if alert.counts and not alert.is_accepted] or found
        first = f"{record['verdict']}: {counting[0].message}" if counting else record["verdict"]
        element = XML.SubElement(case, kind, {"message": _clean(first)} | (
            {} if kind == "skipped" else {"type": _clean(counting[0].rule if counting else record["verdict"])}))
        element.text = _clean(_details(record))
    elif found or record["verdict"] not in SETTLED:
        XML.SubElement(case, "system-out").text = _clean(_details(record))


def _details(record: dict[str, Any]) -> str:
    lines = []
    for alert in alerts(record):
        lines.append(f"{alert.level} {alert.rule}: {alert.message}" + (f" ({alert.mark})" if alert.mark else ""))
        for place in alert.places:
            lines += [f"  {told_place(place)}", f"    {place.get('text', '').strip()}"]
    return "\n".join([*lines, *(f"assuming: {text}" for text in record.get("assumptions", ()))])


def _clean(text: object) -> str:
    return _CONTROL.sub("�", str(text))
