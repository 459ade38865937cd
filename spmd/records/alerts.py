"""What of a record somebody may have to act on, one list for check and equiv: formats, baselines and allowances read it.

In: a record (spmd/1). Out: alerts. A finding is one; so is a verdict that no finding explains (`unknown`, `unsupported`,
`different`, …), under its own name as a rule. An alert keeps the part of the record that it is about, so that a mark on it
(known, allowed) is a mark in the record.

The one idea: an alert's *fingerprint* is made of what a defect is, not of where it stands today: the rule, the kernel, the
array, and the text of the lines it is about, without blanks and comments. So it survives lines that move and a checkout that is
renamed, and does not survive a change of the lines themselves. Equal ones within a record are numbered.

What a verdict leaves open counts as well. A record whose only race is accepted, but whose overflows nobody has excluded, has an
alert left; and where some finding of a record is accepted, what is not proved `besides` is an alert of its own, since
nobody has accepted that.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from spmd.records.paths import relative
from spmd.rules import PROPERTY_OF

Record = dict[str, Any]
Level = Literal["error", "warning", "note"]

SETTLED = ("proved", "equal")
NEVER_ACCEPTED = "fault"
"""A fault of the tool is nobody's to accept."""
LEVELS: dict[str, Level] = {
    "confirmed": "error", "potential": "warning", "benign": "note", "different": "error", "nondeterministic": "error",
    "fault": "error", "invalid": "warning", "unsupported": "note", "unknown": "note"}
_COMMENT = re.compile(r"//.*|/\*.*?(\*/|$)")
_VARIES = re.compile(r"\d+|[^\s'\"]*/")
"""What of a reason changes although its cause stays: numbers of lines and seconds, folders of a checkout."""


@dataclass(frozen=True, slots=True)
class Alert:
    """One thing to act on. `about`: the finding or the record it was made of; `counts`: whether it decides an exit status."""

    rule: str
    level: Level
    message: str
    places: list[Record]
    file: str
    kernel: str | None
    about: Record
    counts: bool

    @property
    def fingerprint(self) -> str:
        return str(self.about["fingerprint"])

    @property
    def allowed(self) -> str | None:
        """The reason that the source gives for allowing it."""
        return self.about.get("allowed")

    @property
    def is_known(self) -> bool:
        """Whether a baseline lists it."""
        return bool(self.about.get("known"))

    @property
    def mark(self) -> str:
        """Why it does not count, in words; "" if it does."""
        return mark_of(self.about)

    @property
    def is_accepted(self) -> bool:
        return (self.is_known or self.allowed is not None) and self.rule != NEVER_ACCEPTED


def mark_of(about: Mapping[str, Any]) -> str:
    """Why a finding or a record does not count for the exit status, in words; "" if it does."""
    if "allowed" in about:
        return f"allowed: {about['allowed']}"
    return "known: listed in the baseline" if about.get("known") else ""


def alerts(record: Record) -> list[Alert]:
    """What there is to act on, findings first; what is not proved beside them only where one of them is accepted."""
    found = every_alert(record)
    beside = record.get("besides", [])
    if any(mark_of(alert.about) for alert in found):
        return found
    return [alert for alert in found if not any(alert.about is item for item in beside)]


def every_alert(record: Record) -> list[Alert]:
    """What may be accepted: all that is not proved. Each has a fingerprint, also in a record that came without."""
    found = _every(record)
    if not all("fingerprint" in alert.about for alert in found):
        with_fingerprints(record)
    return found


def _every(record: Record) -> list[Alert]:
    file, kernel = file_of(record), kernel_of(record)
    found = [Alert(item["rule"], LEVELS[item["status"]], item["message"], item["places"], file, kernel, item,
                   item["status"] != "benign") for item in (*record.get("findings", ()), *record.get("besides", ()))]
    message = _left_open(record)
    if message is not None:
        rule = record["verdict"] if record["verdict"] != "refuted" else "unknown"
        found.append(Alert(rule, LEVELS[rule], message, _places(record), file, kernel, record, True))
    return found


def is_accepted(record: Record) -> bool:
    """Whether a record need not fail a gate: it is settled, or all that there is to act on is known or allowed."""
    counting = [alert for alert in every_alert(record) if alert.counts]
    return record["verdict"] in SETTLED or (bool(counting) and all(alert.is_accepted for alert in counting))


def file_of(record: Record) -> str:
    return str(record[record.get("acts_on", "a")]["file"] if "a" in record else record.get("file") or "")


def kernel_of(record: Record) -> str | None:
    """The kernel, or both of a comparison."""
    if "a" in record:
        return " / ".join(str(record[side]["kernel"] or "?") for side in "ab")
    return record.get("kernel")


def _left_open(record: Record) -> str | None:
    """What no finding explains, in words; None where there is nothing of it."""
    verdict, reason = record["verdict"], _reason(record)
    if verdict in SETTLED:
        return None
    if verdict == "different":
        return _difference(record)
    if verdict == "nondeterministic":
        return None if record.get("findings") else reason or "a side is not deterministic"
    counting = [item for item in record.get("findings", ()) if item["status"] != "benign"]
    explained = {PROPERTY_OF.get(item["rule"]) for item in counting}
    open_ = [name for name, outcome in record.get("properties", {}).items()
             if outcome in ("refuted", "unknown") and name not in explained]
    if verdict == "refuted":
        return f"not shown: {', '.join(open_)}" + (f" ({reason})" if reason else "") if open_ or not counting else None
    if reason or open_ or not counting:
        return str(reason or f"not shown: {', '.join(open_) or 'any property'}")
    return None


def _reason(record: Record) -> str | None:
    """The reason without the place that stands before it."""
    at, reason = record.get("reason_at"), record.get("reason")
    return reason and str(reason).removeprefix(f"{at['file']}:{at['line']}:{at['column']}: " if at else "")


def _difference(record: Record) -> str:
    found = record.get("counterexample")
    if found is None:
        return _reason(record) or "the outputs differ"
    sizes = ", ".join(f"{name} = {value}" for name, value in found["sizes"].items())
    at = f" at {sizes}" if sizes else ""
    if "relation" in found:
        return f"{found['array']}[{found['cell']}] does not meet the relation {found['relation']}{at} (both were run)"
    return f"{found['array']}[{found['cell']}] is {found['a']} after a, {found['b']} after b{at} (both were run)"


def _places(record: Record) -> list[Record]:
    """Where it hangs: the writers of a differing cell, the place of the reason, else the kernel. Where only one side can be acted
    on (`acts_on`: the other is of an old revision), that side comes first."""
    owners = record.get("counterexample", {}).get("owners", {})
    first = str(record.get("acts_on", "a"))
    sides = (first, "b" if first == "a" else "a")
    writers = [{**owners[side], "access": "write", "side": side} for side in sides if side in owners]
    if writers and "acts_on" in record and writers[0]["side"] != first and "at" in record[first]:
        writers.insert(0, {**record[first]["at"], "access": "kernel", "side": first})
    if writers:
        return writers
    for name in ("reason_at", "at"):
        if name in record:
            return [record[name]]
    return []


# -- fingerprints --------------------------------------------------------------------------------


def with_fingerprints(record: Record) -> Record:
    """The record, each of its alerts with a fingerprint."""
    seen: Counter[str] = Counter()
    for alert in _every(record):
        mark = _digest(record, alert)
        seen[mark] += 1
        alert.about["fingerprint"] = f"{mark}:{seen[mark]}"
    return record


def _digest(record: Record, alert: Alert) -> str:
    parts = [alert.rule, *_kernels(record), alert.about.get("array"), *lines_of(alert.places)]
    if alert.about is record:
        found = record.get("counterexample")
        parts += [found["array"]] if found else [_VARIES.sub("#", alert.message)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:20]


def _kernels(record: Record) -> Iterator[str]:
    for side in (record["a"], record["b"]) if "a" in record else (record,):
        yield relative(side.get("file") or "")
        yield side.get("kernel") or ""


def lines_of(places: Iterable[Record]) -> list[str]:
    """What happens, and the text there, whichever of two accesses comes first."""
    texts = ((place.get("access", ""), _COMMENT.sub("", place.get("text", ""))) for place in places)
    return sorted(f"{access} {''.join(text.split())}" for access, text in texts)
