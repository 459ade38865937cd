"""What a counterexample says of a launch of the program that leaves values open.

Input: the report on a launch in the host's code, of whose arguments some are not known. Sizes and counts are not below zero; the
proofs take any value all the same, since nothing says so. A counterexample that needs one below zero is none of a launch that the
program is known to make: the verdict is open, and says which requirement is missing.
"""

from __future__ import annotations

from dataclasses import replace

from automata.verdict import Finding, Outcome, Report, Status, Verdict


def below_zero(findings: list[Finding], status: Status) -> list[str]:
    """The parameters, one of which is below zero in each of the findings of a status; none if there is a finding without."""
    found = [[name for name, value in finding.sizes.items() if value < 0] for finding in findings if finding.status is status]
    return list(dict.fromkeys(name for names in found for name in names)) if all(found) else []


def leave_open(report: Report) -> None:
    """Where all that was confirmed needs a parameter below zero: what is refuted is unknown."""
    names = below_zero(report.findings, Status.CONFIRMED)
    if report.verdict is not Verdict.REFUTED or not names:
        return
    told = " and ".join(f"{name} >= 0" for name in names)
    report.verdict, report.reason_place = Verdict.UNKNOWN, None
    report.reason = f"counterexamples need {', '.join(names)} below zero; nothing says what the program passes: require {told}"
    report.properties = {name: Outcome.UNKNOWN if outcome is Outcome.REFUTED else outcome
                         for name, outcome in report.properties.items()}
    report.determinism = {name: Outcome.UNKNOWN if outcome is Outcome.REFUTED else outcome
                          for name, outcome in report.determinism.items()}
    report.findings = [replace(finding, status=Status.POTENTIAL, note="only with a parameter below zero")
                       if finding.status is Status.CONFIRMED else finding for finding in report.findings]
