"""What must hold of both sides before their outputs are compared, and what the answer then rests on."""

from __future__ import annotations

from collections.abc import Sequence

from automata.verdict import Outcome, Property, Report, Verdict
from equivalence.result import EqualityClass, EquivReport, EquivVerdict

MEANINGFUL = (Property.RACE_FREE, Property.BARRIERS, Property.ORDER_FREE, Property.BOUNDS)
"""What must hold for an output to be determined: what lies outside an array is nobody's to say."""

MODES = {"bitwise": EqualityClass.COMMUTATIVE, "int": EqualityClass.INT, "real": EqualityClass.REAL_EXP_MAX}
"""The weakest class that each mode accepts."""


def gate(reports: Sequence[Sequence[Report]], result: EquivReport, decided_by_runs: set[Property]) -> bool:
    """Stops a comparison that makes no sense: a side that is refuted or not decided. `reports`: of all kernels of each side;
    `decided_by_runs`: what symbolic runs decide, for they make every access of the launch."""
    for name, group in zip("ab", reports, strict=True):
        for report in group:
            bad = [prop for prop in MEANINGFUL if report.properties.get(prop) is Outcome.REFUTED]
            if bad:
                result.verdict, result.side = EquivVerdict.NONDETERMINISTIC, name
                rules = sorted({finding.rule for finding in report.findings if finding.status.value == "confirmed"})
                result.reason = f"side {name} ({report.kernel}): {', '.join(rules)}"
                return True
    for name, group in zip("ab", reports, strict=True):
        for report in group:
            undecided = {prop for prop, found in report.properties.items() if found is Outcome.UNKNOWN}
            by_runs = report.verdict is Verdict.UNKNOWN and undecided and undecided <= decided_by_runs
            if report.verdict is not Verdict.PROVED and not by_runs:
                broken = ", ".join(sorted({finding.rule for finding in report.findings}))
                what = report.reason if report.verdict is Verdict.UNKNOWN else f"it is {report.verdict.value}: {broken}"
                result.side, result.reason = name, f"side {name} ({report.kernel}): {what}"
                return True
    return False


def assumptions_of(stated: Sequence[str], reports: Sequence[Sequence[Report]]) -> list[str]:
    """What pairing took for granted, then what both sides do, then what one of them does."""
    found = list(stated)
    texts = [[text for report in group for text in report.assumptions] for group in reports]
    for number, name in enumerate("ab"):
        for text in texts[number]:
            label = text if text in texts[1 - number] else f"{name}: {text}"
            if label not in found:
                found.append(label)
    return found
