"""What a comparison concludes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from automata.arithmetic import Value
from automata.lang.core import Kernel
from automata.limits import Reached
from automata.place import Place
from automata.scalar import Scalar
from automata.scope import Scope
from automata.verdict import Actor, Report

if TYPE_CHECKING:
    from automata.machine.state.memory import Cells


WRAPS = "relies on integers that wrap"
"""Why a side cannot be followed for all sizes, as reasons say it."""


class EquivVerdict(Enum):
    """The answer for one pair."""

    EQUAL = "equal"
    DIFFERENT = "different"
    NONDETERMINISTIC = "nondeterministic"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"
    INVALID = "invalid"
    FAULT = "fault"


class EqualityClass(Enum):
    """Classes of equality, strongest first."""

    BITWISE = "bitwise"
    COMMUTATIVE = "bitwise-commutative"
    INT = "int"
    REAL = "real"
    REAL_EXP_MAX = "real-exp-max"

    @property
    def rank(self) -> int:
        """0 for the strongest."""
        return list(EqualityClass).index(self)


@dataclass(frozen=True, slots=True)
class Owner:
    """Who wrote a cell last in a run: the thread and the line; None: nobody."""

    actor: Actor
    place: Place


@dataclass(frozen=True, slots=True)
class Parting:
    """A store that tells where two computations part: the last one of what the other side ends up with (`is_last`), or the first
    of a value that the other never holds. The cell, who stored it and where, and in which segment (from 1)."""

    array: str
    cell: int
    value: Value
    actor: Actor
    place: Place
    segment: int
    is_last: bool


@dataclass(frozen=True, slots=True)
class Launched:
    """A kernel as a counterexample launches it. `order`: its parameters as declared; `scalars`: values, with their types;
    `core`: the kernel as read; `extents`: elements of its arrays, where stated."""

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    order: tuple[str, ...]
    scalars: Mapping[str, tuple[Value, Scalar]]
    core: Kernel
    extents: Mapping[str, int]
    shared_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A launch and inputs at which one cell ends up with two values; both were obtained by running.

    `inputs`: the first cells that matter; `memory`: all that the runs touched, with the type of an element; `launches`: the
    kernels of each side. `zero_elsewhere`: inputs are few, all other cells are 0 (or lowest in their range), and none of the few
    can be left out, as far as was tried; `partings`: for each side where it parts from the other; `reals`: the two values without
    rounding, as text, if they were computed; `relation`: what does not hold of the cell: `b` is its left side, `a` its right one.
    """

    sizes: Mapping[str, int | float]
    inputs: Mapping[str, Mapping[int, Value]]
    array: str
    cell: int
    a: Value
    b: Value
    a_owner: Owner | None
    b_owner: Owner | None
    memory: Mapping[str, tuple[Scalar, Cells]] = field(default_factory=dict)
    launches: tuple[tuple[Launched, ...], ...] = ()
    zero_elsewhere: bool = False
    partings: tuple[Parting | None, Parting | None] = (None, None)
    reals: tuple[str, str] | None = None
    relation: str | None = None


@dataclass(frozen=True, slots=True)
class EquivReport:
    """Everything one comparison has to say.

    `equality`: of what is equal, the weakest class among the outputs; `assurance`, `bound`: whether that is proved, or rests on
    random points with this bound on the error; `side`, `reason`, `reason_place`: why nothing is said, and of which side;
    `evidence`: what runs say of what is open; `runs_all`: every block of the launch was run on symbols; `reports`: on side `a`
    and side `b`; `proof`: of equality for all sizes, whose cells are compared with whose and by which values, for a reader to
    check; `one_size`: numbers for open arguments at which the two are equal; `suggested`: a requirement under which they are,
    `suggested_at`: seen at these arguments alone; `limits`: of what is unknown, the limits on work beyond which something was
    left out."""

    verdict: EquivVerdict
    equality: EqualityClass | None = None
    scope: Scope | None = None
    assurance: str | None = None
    bound: str | None = None
    notes: tuple[str, ...] = ()
    outputs: Mapping[str, tuple[EquivVerdict, EqualityClass | None]] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    reason: str | None = None
    reason_place: Place | None = None
    evidence: str | None = None
    one_size: Mapping[str, int] = field(default_factory=dict)
    side: str | None = None
    runs_all: bool = False
    suggested: str | None = None
    suggested_at: str | None = None
    reports: Mapping[str, Report] = field(default_factory=dict)
    proof: tuple[str, ...] = ()
    limits: tuple[Reached, ...] = ()
