"""What a counterexample says of a launch of the program that leaves values open.

Input: the report on a launch in the host's code. What the text does not tell of it (arguments, sizes, what memory holds) counts
as any value: so the proofs speak of all. A counterexample picks one, which the program may never pass; it refutes the launch
only if it hangs on nothing that is open (`witness.hanging`), and on no number that a loop may or may not end with (`perhaps`).
Else it is told with its condition, `if n is 5`, and the verdict is open. What the command line gives is not: whoever calls
the program may give any number that its tests admit; and a loop of the host comes to each number that it counts through. Of
those, too, none below zero is taken, none beyond 2^24, and none for which a value has to leave its type: nobody means such a
call. Any other number is taken for granted where the finding shows from a small one on (`witness.everywhere`). One in a
structure, or that a lambda keeps, is so only from the least on: the text may state it, and nothing here reads that.
"""

from __future__ import annotations

from dataclasses import replace

from automata.budget import Budget
from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.place import InputError, UndecidedError
from automata.proof.witness.everywhere import Everywhere, is_tried
from automata.proof.witness.hanging import Hanging, Open
from automata.verdict import LEFT_OPEN, Finding, Outcome, Report, Status, Verdict, below_zero
from spmd.deadline import TooLateError, enforced
from spmd.rules import PROPERTY_OF

MOST_NAMED = 4
LEAST, LONGEST = 1.0, 30.0
"""Seconds that looking at findings may take."""
FARTHEST = 1 << 24
"""Numbers of the command line up to here are taken for granted: what happens at larger ones alone is told with its condition."""
Numbers = dict[str, int]
LIMITS = frozenset({"index-overflow"})
"""Rules that speak of the largest values there are: a call that gives such a one is not taken for granted."""


def leave_open(report: Report, kernel: Kernel, launch: Launch, seconds: float | None = None) -> Report:
    """Findings that hang on what the launch leaves open are told with their condition; where there are no others, what is refuted
    is unknown. `seconds`: what is left of the user's limit."""
    if report.verdict is not Verdict.REFUTED:
        return report
    hanging, since, given = _looked_at(report, kernel, launch, Budget.of(min(LONGEST, max(LEAST, seconds or LONGEST))))
    report = replace(report, findings=tuple(
        replace(finding, note=_added(finding.note, since.get(at, {}), given.get(at, {}), launch.rounds))
        for at, finding in enumerate(report.findings)))
    if not hanging:
        return report
    findings = tuple(replace(finding, status=Status.POTENTIAL, note=f"only {_condition(finding, hanging[at], launch)}")
                     if at in hanging else finding for at, finding in enumerate(report.findings))
    left = {PROPERTY_OF.get(finding.rule, "") for finding in findings if finding.status is Status.CONFIRMED}
    opened = replace(report, findings=findings, properties={
        name: Outcome.UNKNOWN if outcome is Outcome.REFUTED and name.value not in left else outcome
        for name, outcome in report.properties.items()})
    if left:
        return opened
    return replace(opened, verdict=Verdict.UNKNOWN, reason=_reason(report, launch, hanging), reason_place=None, determinism={
        name: Outcome.UNKNOWN if outcome is Outcome.REFUTED else outcome for name, outcome in report.determinism.items()})


def _looked_at(report: Report, kernel: Kernel, launch: Launch, budget: Budget
               ) -> tuple[dict[int, Hanging], dict[int, Numbers], dict[int, Numbers]]:
    """What the findings that are confirmed hang on, by their number; those that hang on nothing are left out. Of those that show
    at whatever numbers are tried, from which on; of those that hang on the command line, which numbers it gives."""
    confirmed = [(at, finding) for at, finding in enumerate(report.findings) if finding.status is Status.CONFIRMED]
    found = {at: Hanging(frozenset({"?"})) for at, _ in confirmed}
    since, given = dict[int, Numbers](), dict[int, Numbers]()
    try:
        with enforced(budget):
            left_open = Open(kernel, launch)
            for at, finding in confirmed:
                found[at] = _hanging(left_open, finding, launch)
                names = left_open.of(finding).values & {*launch.inputs, *launch.rounds}
                given[at] = {name: finding.sizes[name] for name in sorted(names) if name in finding.sizes}
            tried = Everywhere(left_open.context, left_open.automaton, budget)
            fields = {param.name for param in kernel.params if "." in param.name}
            for at, finding in confirmed:
                values = found[at].values
                is_asked = values and not found[at].contents and finding.rule not in LIMITS and is_tried(finding, launch, values)
                numbers = tried.since(finding, values) if is_asked else None
                if numbers is not None and all(numbers[name] <= 1 for name in values & fields):
                    found[at], since[at] = Hanging(), numbers
    except (InputError, UndecidedError, TooLateError):
        pass
    if launch.perhaps:
        found = {at: Hanging(each.values - {"?"} | dict(launch.perhaps).keys(), each.contents) for at, each in found.items()}
    return {at: each for at, each in found.items() if each}, since, given


def _hanging(left_open: Open, finding: Finding, launch: Launch) -> Hanging:
    """What one finding hangs on, but for what the command line gives."""
    whole = left_open.of(finding)
    given = frozenset() if finding.rule in LIMITS else left_open.computed(frozenset((*launch.inputs, *launch.rounds)),
                                                                         finding.sizes)
    odd = frozenset(name for name, value in finding.sizes.items() if value < 0 or (value > FARTHEST and name in whole.values))
    return Hanging((whole.values - given) | odd, whole.contents)


def _added(note: str, numbers: Numbers, given: Numbers, rounds: tuple[str, ...]) -> str:
    """A note, with the numbers that were tried, those that the command line gives, and those that a loop of the host passes."""
    tried = " and ".join(f"{name} from {number} on" for name, number in numbers.items())
    typed = ", ".join(f"{name} = {number}" for name, number in given.items() if name not in rounds)
    passed = ", ".join(f"{name} = {number}" for name, number in given.items() if name in rounds)
    told = [note, f"at all of {tried} that were tried" if tried else "", f"where the command line gives {typed}" if typed else "",
            f"where the host's loop comes to {passed}" if passed else ""]
    return "; ".join(filter(None, told))


def _condition(finding: Finding, hanging: Hanging, launch: Launch) -> str:
    """When a finding happens, in words."""
    known = {**finding.sizes, **dict(launch.perhaps)}
    values = [f"{name} is {known[name]}" for name in sorted(hanging.values) if name in known]
    values += [f"for some {name}" for name in sorted(hanging.values) if name not in known and name != "?"]
    parts = ["if " + " and ".join(values[:MOST_NAMED])] if values else []
    if hanging.contents:
        names = sorted(hanging.contents)
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        parts.append(f"for some contents of {', '.join(names[:MOST_NAMED])}{more}")
    return " and ".join(parts) or "as it was run"


def _reason(report: Report, launch: Launch, hanging: dict[int, Hanging]) -> str:
    """Why the verdict is open."""
    found = [report.findings[at] for at in hanging]
    if negative := below_zero(found, Status.CONFIRMED):
        told = " and ".join(f"{name} >= 0" for name in negative)
        return f"counterexamples need {', '.join(negative)} below zero; nothing says what the program passes: require {told}"
    first = min(hanging, key=lambda at: len(hanging[at].contents) + len(hanging[at].values))
    when = _condition(report.findings[first], hanging[first], launch)
    is_size = bool(hanging[first].values & set(launch.untold))
    return (f"{report.findings[first].rule} {when}: {LEFT_OPEN[is_size]}; "
            f"say what it does ({'--grid, --block, ' if is_size else ''}--arg, --require)")
