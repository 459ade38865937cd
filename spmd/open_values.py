"""What a counterexample says of a launch of the program that leaves values open.

Input: the report on a launch in the host's code, of whose arguments some are not known. Sizes and counts are not below zero; the
proofs take any value all the same, since nothing says so. A counterexample that needs one below zero is none of a launch that
the program is known to make: the verdict is open, and says which requirement is missing. Nor is one that hangs on a size of the
launch which the text does not tell. Of the grid it does not hang if all of it happens in the first block, and the kernel does not
ask how many blocks there are: one block there always is.
"""

from __future__ import annotations

from dataclasses import replace

from automata.lang.core import Kernel, Quantity, Special
from automata.lang.launch import Launch
from automata.lang.traverse import expressions, walk, within
from automata.verdict import Finding, Outcome, Report, Status, Verdict


def below_zero(findings: list[Finding], status: Status) -> list[str]:
    """The parameters, one of which is below zero in each of the findings of a status; none if there is a finding without."""
    found = [[name for name, value in finding.sizes.items() if value < 0] for finding in findings if finding.status is status]
    return list(dict.fromkeys(name for names in found for name in names)) if all(found) else []


def not_told(kernel: Kernel, launch: Launch, findings: list[Finding]) -> list[str]:
    """The sizes that the program's text does not tell, and on one of which each of the findings that are confirmed hangs; none
    if there is a finding that hangs on none."""
    asked = {expr.name for stmt in walk(kernel.body) for whole in expressions(stmt) for expr in within(whole)
             if isinstance(expr, Special) and expr.quantity is Quantity.GRID_DIM}
    found = list[list[str]]()
    for finding in findings if launch.untold else ():
        if finding.status is Status.CONFIRMED:
            first = all(spot.actor is None or not any(spot.actor.block) for spot in finding.spots)
            found.append([name for name in launch.untold if name.startswith("blockDim") or not first or name in asked])
    return list(dict.fromkeys(name for names in found for name in names)) if all(found) else []


def leave_open(report: Report, kernel: Kernel, launch: Launch) -> None:
    """Where all that was confirmed needs a parameter below zero, or a size that is not told: what is refuted is unknown."""
    names = below_zero(report.findings, Status.CONFIRMED)
    sizes = not_told(kernel, launch, report.findings)
    if report.verdict is not Verdict.REFUTED or not (names or sizes):
        return
    report.verdict, report.reason_place = Verdict.UNKNOWN, None
    if sizes:
        note = "only with a size that the text does not tell"
        report.reason = (f"counterexamples choose {', '.join(sizes)}; the text does not tell what the program launches: "
                         "give --grid and --block")
    else:
        note = "only with a parameter below zero"
        told = " and ".join(f"{name} >= 0" for name in names)
        report.reason = (f"counterexamples need {', '.join(names)} below zero; nothing says what the program passes: "
                         f"require {told}")
    report.properties = {name: Outcome.UNKNOWN if outcome is Outcome.REFUTED else outcome
                         for name, outcome in report.properties.items()}
    report.determinism = {name: Outcome.UNKNOWN if outcome is Outcome.REFUTED else outcome
                          for name, outcome in report.determinism.items()}
    report.findings = [replace(finding, status=Status.POTENTIAL, note=note)
                       if finding.status is Status.CONFIRMED else finding for finding in report.findings]
