"""What the generic thread does: every access with its guard, index and value as terms, every evaluation whose
value matters, and where threads have to come together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from automata.lang.core import Atomic, Claim, Scope, Space
from automata.logic import terms as T
from automata.logic.terms import Term
from automata.place import Place
from automata.thread.segments import Epoch, Interval


@dataclass(frozen=True, slots=True)
class Access:
    """One access of the generic thread. `order`: position in program order; `value`: what is stored.

    A read's `value` is the read term itself, an atomic update's what the cell held before. `rounds`: of the loops
    around, outermost first. `atomic`: the update, with its operands. `copier`: of an access that an asynchronous copy of the
    block makes, the begin of that copy; every thread stands for the block, the last of the rounds numbers the elements.
    `part`: which of the elements it is that one update covers.
    """

    order: int
    array: str
    space: Space
    kind: Literal["read", "write", "atomic"]
    guard: Term
    index: tuple[Term, ...]
    value: Term
    interval: Interval
    place: Place
    rounds: tuple[Term, ...] = ()
    atomic: Atomic | None = None
    operands: tuple[Term, ...] = ()
    copier: Epoch | None = None
    part: int = 0

    @property
    def is_write(self) -> bool:
        return self.kind != "read" and (self.atomic is None or self.atomic.op != "load")


@dataclass(frozen=True, slots=True)
class Fenced:
    """A memory fence of the generic thread. `order`: how many accesses stand before it; `scope`, `side`: as in `core.Fence`;
    `interval`: between which barriers the thread passes it."""

    order: int
    guard: Term
    scope: str
    side: str
    interval: Interval
    rounds: tuple[Term, ...] = ()


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
class Claimed:
    """A claim of the source where it stands: `test` has to hold whenever `guard` does."""

    guard: Term
    test: Term
    claim: Claim


@dataclass(frozen=True, slots=True)
class Given:
    """What a thread gives to an exchange, or prints, when `guard` holds. `passed`: of it, what may have no value and is only
    handed on to a lane, which has none then either; `is_set`: or the lane that is asked has a value, which was shown."""

    guard: Term
    terms: tuple[Term, ...]
    place: Place
    passed: tuple[Term, ...] = ()
    is_set: bool = False

    @property
    def all(self) -> tuple[Term, ...]:
        """Everything that is given."""
        return *self.terms, *self.passed


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where all threads of a scope (a block, a warp, the grid), or none, have to come: a barrier, an exchange, a loop that
    holds one, its next round.

    `base`: what holds for both of two threads that are compared, because they came together before, in the same `rounds`
    of the loops around; `full`: when, from there, the generic thread comes here, and what it then knows; `control`: the
    decisions alone that lead here. `location`: of the barrier's target; of a loop its head, -head for the next round.
    `mask`: of a warp, the lanes that have to come, None for all; `left`: when a thread has returned further up; `op`: of an
    exchange; `agreed`: what has to be the same for all who come; `width`: of a shuffle, how many lanes it stays within, None for
    the warp.
    """

    location: int
    base: Term
    full: Term
    control: Term
    rounds: tuple[Term, ...]
    place: Place
    scope: Scope = "block"
    mask: Term | None = None
    left: Term = T.FALSE
    op: str = ""
    agreed: tuple[Term, ...] = ()
    width: Term | None = None


@dataclass
class Footprint:
    """What a thread does, and what is known of how it comes to do it.

    `carried`: values of locals that a round of a loop leaves to the next; `undefined`: where a local without a value decides
    something in a loop; `hiding`: names of unknown functions of the round that stand for locals which may have no value, with
    their loops; `claims`: what the source claims; `distances`: that wide accesses are aligned, and `unread` where that hangs
    on memory; `given`: to exchanges, and printed; `defined`: by the name of an unknown function of the round, the values that
    a round leaves to the next for it; `ways`: by the symbols of the rounds in which threads are together, when one is in each
    of the runs of the body; `heads`: the symbols that number rounds, outer loops before inner ones, each with when a thread
    comes to the head of the loop in that round; `tests`: of the loops that end by their test alone, and in which threads do
    not meet, that test in the round; `left`: of a loop, by the symbol of its round, when a thread enters it, and when it then
    leaves it in that round, by any of the ways out; `assumed`: what the source assumes, each with when; `meeting`: of the
    loops in which the threads of a block meet, the symbols of the round; `divided`: quotients and remainders of integers
    whose divisor is no constant; `fenced`: by barrier and space, when a thread comes to the barrier and chooses to fence the
    space; `unwaited`: when one ends while an asynchronous copy of its block is under way, as far as the text tells; `fences`:
    as they stand in the text; `counted`: rounds as locals of a type count them, in arithmetic of that type; `sites`: of each
    observed term where it is, once somebody has looked for it.
    """

    accesses: list[Access] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    carried: list[Term] = field(default_factory=list)
    undefined: list[Place] = field(default_factory=list)
    hiding: dict[object, Place] = field(default_factory=dict)
    claims: list[Claimed] = field(default_factory=list)
    distances: list[Claimed] = field(default_factory=list)
    unread: list[Place] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    defined: dict[object, list[Observation]] = field(default_factory=dict)
    ways: dict[tuple[Term, ...], list[Term]] = field(default_factory=dict)
    heads: dict[Term, Term] = field(default_factory=dict)
    tests: dict[Term, list[Term]] = field(default_factory=dict)
    left: dict[Term, tuple[Term, Term]] = field(default_factory=dict)
    assumed: dict[Term, Term] = field(default_factory=dict)
    meeting: set[Term] = field(default_factory=set)
    counted: set[Term] = field(default_factory=set)
    divided: list[Observation] = field(default_factory=list)
    unwaited: Term = T.FALSE
    fenced: dict[tuple[int, Space], Term] = field(default_factory=dict)
    fences: list[Fenced] = field(default_factory=list)
    sites: dict[Term, list[Observation]] | None = None

    @property
    def writes(self) -> list[Access]:
        return [access for access in self.accesses if access.is_write]
