"""What a batch came to: verdicts, and how exact its alarms are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from automata.verdict import Exactness, Finding, Status

CLASSES = tuple(kind.value for kind in Exactness)


def exactness_of(findings: Iterable[Finding]) -> str | None:
    """The class of a kernel's alarms (Liew et al., "Sound and partially-complete static analysis of data-races in GPU programs",
    2024): C where data decide that one is reached, D where data decide where it goes; None without an alarm."""
    found = [finding.exactness.value for finding in findings if finding.status is not Status.BENIGN]
    if not found:
        return None
    control, data = (any(kind[at:at + 2] == part for kind in found) for at, part in ((0, "CD"), (2, "DD")))
    return ("CD" if control else "CI") + ("DD" if data else "DI")


def verdict_counts(records: Iterable[Mapping[str, Any]]) -> str:
    """How many kernels got which verdict."""
    return _counts(Counter(record["verdict"] for record in records))


def _counts(verdicts: Counter[str]) -> str:
    told = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
    return f"{verdicts.total()} kernel{'s' * (verdicts.total() != 1)}: {told}"


def batch_summary(records: Iterable[Mapping[str, Any]]) -> str:
    """How many kernels got which verdict, and the share of each class among those with alarms."""
    verdicts: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    confirmed: Counter[str] = Counter()
    for record in records:
        verdicts[record["verdict"]] += 1
        kind = record.get("exactness")
        if kind:
            classes[kind] += 1
            confirmed[kind] += record["verdict"] == "refuted"
    lines = [_counts(verdicts)]
    alarms = sum(classes.values())
    if alarms:
        lines.append(f"{alarms} with alarms, by exactness: " + ", ".join(
            f"{kind} {classes[kind]} ({classes[kind] / alarms:.0%}, {confirmed[kind]} confirmed)" for kind in CLASSES))
    return "\n".join(lines)
