"""What the generic thread does: every access with its guard, index and value as terms, every evaluation whose
value matters, and where threads have to come together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from automata.lang.core import Space
from automata.logic.terms import Term
from automata.place import Place
from automata.thread.segments import Interval


@dataclass(frozen=True, slots=True)
class Access:
    """One access of the generic thread. `order`: position in program order; `value`: what is stored.

    A read's `value` is the read term itself. `rounds`: of the loops around, outermost first.
    """

    order: int
    array: str
    space: Space
    kind: Literal["read", "write"]
    guard: Term
    index: tuple[Term, ...]
    value: Term
    interval: Interval
    place: Place
    rounds: tuple[Term, ...] = ()

    @property
    def is_write(self) -> bool:
        return self.kind == "write"


@dataclass(frozen=True, slots=True)
class Observation:
    """A term whose value decides something (an index or a test) when `guard` holds.

    `is_value`: the term is stored, so only what it observes itself (operands of / or >>, say) decides.
    """

    guard: Term
    term: Term
    place: Place
    is_value: bool = False


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where all threads of a block, or none, have to come: a barrier, a loop that holds one, its next round.

    `base`: what holds for both of two threads that are compared, because they came together before, in the same `rounds`
    of the loops around; `full`: when, from there, the generic thread comes here, and what it then knows; `control`: the
    decisions alone that lead here. `location`: of the barrier's target; of a loop its head, -head for the next round.
    """

    location: int
    base: Term
    full: Term
    control: Term
    rounds: tuple[Term, ...]
    place: Place


@dataclass
class Footprint:
    """`carried`: values of locals that a round of a loop leaves to the next; `undefined`: loops before whose first round such
    a local has no value; `rounds`: the symbols that number rounds."""

    accesses: list[Access] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    carried: list[Term] = field(default_factory=list)
    undefined: list[Place] = field(default_factory=list)
    rounds: set[Term] = field(default_factory=set)

    @property
    def writes(self) -> list[Access]:
        return [access for access in self.accesses if access.is_write]
