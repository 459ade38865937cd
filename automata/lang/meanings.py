"""What a builtin of the device library may mean: the vocabulary of `library_rows`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from automata.lang.core import Scope


@dataclass(frozen=True, slots=True)
class Opaquely:
    """A pure function: equal arguments, equal value. `name`: its canonical name. `whole`: of a structure, each part of the
    result is a function of them all."""

    name: str
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Expand:
    """A pure function that Core's own operators say exactly: a method of `expand.Expander`, by name."""

    how: str


@dataclass(frozen=True, slots=True)
class Relation:
    """A test of numbers (OpenCL C 6.12.6): 1 where it holds, of vectors -1 in each component where it holds.

    `name`: an operator, `ordered`, `unordered`, or the canonical name of a pure function.
    """

    name: str


@dataclass(frozen=True, slots=True)
class BarrierCall:
    """A barrier of a block, warp or grid. `flags`: OpenCL's fence flags are the first argument;
    `mask`: the lanes are the first argument; `vote`: the value it returns of the last argument."""

    scope: Scope
    flags: bool = False
    mask: bool = False
    vote: str = ""


@dataclass(frozen=True, slots=True)
class FenceCall:
    """A memory fence: no thread waits, nothing is ordered between threads by it alone. As in `core.Fence`."""

    scope: Literal["block", "device", "group"]
    side: Literal["both", "acq_rel", "release", "acquire", "early", "late"] = "both"


@dataclass(frozen=True, slots=True)
class AtomicCall:
    """An atomic update through the first argument. `op`: add sub exch min max inc dec and or xor cas load.

    `fixed`: the operand is this constant, not an argument (atomic_inc adds 1).
    """

    op: str
    scope: Scope = "device"
    fixed: int | None = None


@dataclass(frozen=True, slots=True)
class CollectiveCall:
    """Lanes of a warp exchange values; no memory is ordered. `mask`: the lanes are the first argument."""

    op: str
    mask: bool = True


@dataclass(frozen=True, slots=True)
class ReadThrough:
    """A plain read through the only argument. `is_read_only`: of what nobody writes while the kernel runs."""

    is_read_only: bool = False


@dataclass(frozen=True, slots=True)
class WriteThrough:
    """A plain write of the second argument through the first."""


@dataclass(frozen=True, slots=True)
class VectorRead:
    """vloadN(offset, p): N elements from p + N * offset."""

    count: int


@dataclass(frozen=True, slots=True)
class VectorWrite:
    """vstoreN(value, offset, p)."""

    count: int


@dataclass(frozen=True, slots=True)
class CopyBytes:
    """memcpy, memmove (`fill` False) or memset."""

    fill: bool = False


@dataclass(frozen=True, slots=True)
class AsyncCopy:
    """async_work_group_copy; `strided`: the last argument but one is the stride."""

    strided: bool = False


@dataclass(frozen=True, slots=True)
class AsyncWait:
    """wait_group_events(count, events)."""


@dataclass(frozen=True, slots=True)
class LaterCopy:
    """A copy that the thread goes on beside: to, from, bytes; then how many of these are zeros instead, the last ones.

    `given`: it says how many bytes come from the source instead."""

    given: bool = False


@dataclass(frozen=True, slots=True)
class LaterGroup:
    """What the thread has begun since the last one is a group. `waits`: for all groups; for all but so many by an argument."""

    waits: bool = False
    commits: bool = True


@dataclass(frozen=True, slots=True)
class SharedNumber:
    """An address in shared memory as a number; `back`: the place that such a number means, a multiple of the last argument."""

    back: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about the program: requires, ensures, assume, assert, invariant; never: no thread comes here, it is assumed."""

    kind: Literal["requires", "ensures", "assume", "assert", "invariant", "never"]


@dataclass(frozen=True, slots=True)
class Assumption:
    """A word of our own header: reading on takes something for granted, which is printed."""

    text: str


@dataclass(frozen=True, slots=True)
class Unknowable:
    """A value nobody can predict: clocks, scheduling registers, random sources."""

    what: str


@dataclass(frozen=True, slots=True)
class Printing:
    """printf: the values behind the format are an output."""


@dataclass(frozen=True, slots=True)
class NoEffect:
    """Evaluates its arguments and does nothing that is checked (prefetch)."""


@dataclass(frozen=True, slots=True)
class SineAndCosine:
    """sincos: OpenCL's returns the sine and writes the cosine through its pointer; CUDA's writes both."""


@dataclass(frozen=True, slots=True)
class ImageWrite:
    """OpenCL's write_image: a pixel at coordinates set to four components, which are the image, the coordinates, the value."""


@dataclass(frozen=True, slots=True)
class Geometric:
    """A function of vectors as wholes (OpenCL C 6.15.5): a number is a function of all components; a vector in each of its
    components a function of that one, for `cross` of those that it is made of. In which order they are summed nobody says."""

    name: str


@dataclass(frozen=True, slots=True)
class Permute:
    """shuffle and shuffle2 of OpenCL: components of the vectors before the last argument, chosen by it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Not read yet; `what` names it."""

    what: str


Meaning = (Opaquely | Expand | Relation | BarrierCall | FenceCall | AtomicCall | CollectiveCall | ReadThrough | WriteThrough
           | VectorRead | VectorWrite | CopyBytes | AsyncCopy | AsyncWait | LaterCopy | LaterGroup | SharedNumber | Statement
           | Unknowable | Assumption | NoEffect | Printing | SineAndCosine | Permute | Geometric | ImageWrite | Refused)
