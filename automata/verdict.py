"""What a check concludes: verdicts, properties, findings, witnesses, assumptions. Types, not strings.

The words are those of the interface: scripts read `.value`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from automata.limits import Reached
from automata.place import Place
from automata.scope import Scope


class Verdict(Enum):
    """The answer for one kernel at one launch."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"
    INVALID = "invalid"
    FAULT = "fault"


class Property(Enum):
    """What is checked."""

    RACE_FREE = "race-free"
    BARRIERS = "barriers"
    ORDER_FREE = "order-free"
    ASSERTIONS = "assertions"
    BOUNDS = "bounds"
    NO_WRAP = "no-wrap"


class Outcome(Enum):
    """The state of one property."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    NOT_CHECKED = "not-checked"


class Status(Enum):
    """How sure a finding is: its witness replayed, it did not, or it does no harm."""

    CONFIRMED = "confirmed"
    POTENTIAL = "potential"
    BENIGN = "benign"


class Exactness(Enum):
    """Control-flow and data independence of a finding's derivation (Liew et al. 2024, FaialAA)."""

    CIDI = "CIDI"
    CIDD = "CIDD"
    CDDI = "CDDI"
    CDDD = "CDDD"

    @staticmethod
    def of(control: bool, data: bool) -> Exactness:
        """By whether control flow (C) and data (D) depend on what memory holds."""
        return Exactness(f"C{'D' if control else 'I'}D{'D' if data else 'I'}")


@dataclass(frozen=True, slots=True)
class Actor:
    """One thread of a launch."""

    block: tuple[int, int, int]
    thread: tuple[int, int, int]

    def __str__(self) -> str:
        return f"block {_tuple(self.block)}, thread {_tuple(self.thread)}"


def _tuple(value: tuple[int, int, int]) -> str:
    return "(" + ", ".join(map(str, value)) + ")"


@dataclass(frozen=True, slots=True)
class Spot:
    """One place of a finding: the source position, what happens there, who does it, at which cell."""

    place: Place
    access: str
    actor: Actor | None = None
    index: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a kernel breaks, or is suspected of breaking. `sizes`: at which sizes it happens; `times`: how many findings of
    the rule at these places it stands for."""

    rule: str
    status: Status
    message: str
    spots: tuple[Spot, ...]
    array: str | None = None
    exactness: Exactness = Exactness.CIDI
    sizes: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    times: int = 1


_SURE = (Status.CONFIRMED, Status.POTENTIAL, Status.BENIGN)


def one_a_defect(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings of one rule at the same places as one, the surest first found, without sizes below zero if one is, in one
    block if one is: a defect is told once, and what happens in a block is what a barrier mends."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.rule, frozenset(spot.place for spot in finding.spots) or finding.message), []).append(finding)
    def odd(found: Finding) -> tuple[int, bool, bool]:
        blocks = {spot.actor.block for spot in found.spots if spot.actor is not None}
        return _SURE.index(found.status), any(size < 0 for size in found.sizes.values()), len(blocks) > 1

    return tuple(replace(min(group, key=odd), times=sum(found.times for found in group)) for group in groups.values())


@dataclass(frozen=True)
class Report:
    """Everything one check has to say; made from evidence (`automata.proof.evidence`), and never changed. `suggested`:
    requirements under which what is not proved is; `besides`: what is not proved either and has no finding; to be read where the
    verdict is refuted; `limits`: of what is unknown, the limits on work beyond which something was left out; `complete`: the
    properties of which formulas have an answer to every question: whatever is open of them has a finding, here or `besides`."""

    verdict: Verdict
    kernel: str | None
    properties: Mapping[Property, Outcome] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    assumptions: tuple[str, ...] = ()
    reason: str | None = None
    reason_place: Place | None = None
    scope: Scope | None = None
    writes: int = 0
    evidence: str | None = None
    suggested: tuple[str, ...] = ()
    determinism: Mapping[str, Outcome] = field(default_factory=dict)
    besides: tuple[Finding, ...] = ()
    limits: tuple[Reached, ...] = ()
    complete: frozenset[Property] = frozenset()


LEFT_OPEN = ("the text does not tell whether the program passes that", "the text does not tell what the program launches")
"""One of them stands in the reason of a verdict that hangs on values which the program's text leaves open; the second where sizes
of the launch are among these."""


def below_zero(findings: Sequence[Finding], status: Status) -> list[str]:
    """The parameters, one of which is below zero in each of the findings of a status; none if there is a finding without."""
    found = [[name for name, value in finding.sizes.items() if value < 0] for finding in findings if finding.status is status]
    return list(dict.fromkeys(name for names in found for name in names)) if all(found) else []
