"""What is asked of a pair of kernels, and what came of it: data alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from spmd.diff.matching import Pair
from spmd.records.alerts import SETTLED, is_accepted

FIXED, ACCEPTED = "fixed", "accepted"


@dataclass(frozen=True, slots=True)
class Options:
    """What holds for all questions. `seconds`: for one kernel at one launch, and for one comparison; `given`: the options
    that the command line states; `pictured`: records
    hold what some formats draw."""

    mode: str = "real"
    seconds: float = 60.0
    strict: bool = False
    checks_alone: bool = False
    given: frozenset[str] = frozenset()
    pictured: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One answer. `kind`: check, before (the old kernel's check) or equiv; `is_cut`: memory ran out on the way; `besides`: what
    is suspected beside the findings, whatever the verdict; `complete`: the properties of which all that is open is among both."""

    kind: str
    record: dict[str, Any]
    text: str
    is_cut: bool = False
    besides: tuple[dict[str, Any], ...] = ()
    complete: frozenset[str] = frozenset()


@dataclass
class Outcome:
    """A pair and its answers; `failure`: what ended them early, as verdict and reason."""

    pair: Pair
    parts: list[Part] = field(default_factory=list)
    failure: tuple[str, str] | None = None
    seconds: float = 0.0

    def verdicts(self, kind: str) -> list[str]:
        return [str(part.record["verdict"]) for part in self.parts if part.kind == kind]

    def deciding(self, kind: str) -> list[str]:
        """The verdicts, `accepted` for those that a baseline or the source accepts."""
        return [verdict if verdict in SETTLED or not is_accepted(part.record) else ACCEPTED
                for part in self.parts if part.kind == kind for verdict in [str(part.record["verdict"])]]
