"""What is put into a run, and what it leaves behind."""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from automata.arithmetic import Value
from automata.machine.numbers.values import Numbers
from automata.machine.numbers.values import same_bits as equal_bits
from automata.machine.state.memory import PAGE, Cells, Dense, Initial, Paged
from automata.place import Place
from automata.verdict import Actor

Triple = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Setting:
    """A concrete launch: sizes, scalar arguments, contents of global arrays.

    `arrays`: whole contents, by name (they are copied). `initial`: contents of all other global cells, by
    array and flat indices. `extents`: elements of those, and of dynamic shared arrays, where known. `required`: whether arrays
    that the kernel does not write held what they must, asked at the end of a run; `lengths`: extents that follow from that alone.
    """

    grid: Triple
    block: Triple
    scalars: Mapping[str, Value] = field(default_factory=dict)
    arrays: Mapping[str, Cells] = field(default_factory=dict)
    initial: Initial | None = None
    extents: Mapping[str, int] = field(default_factory=dict)
    required: Callable[[Mapping[str, Dense | Paged], Collection[str]], bool] | None = None
    lengths: Mapping[str, int] = field(default_factory=dict)

    @property
    def threads(self) -> int:
        """Threads of a block."""
        x, y, z = self.block
        return x * y * z

    @property
    def blocks(self) -> int:
        x, y, z = self.grid
        return x * y * z


@dataclass(frozen=True, slots=True)
class Touch:
    """One access to a cell. `value`: what was read or written."""

    actor: Actor
    is_write: bool
    value: Value
    place: Place


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two unordered accesses of different threads to one cell, at least one a write.

    `same_value`: both write, and bit-identical values. `rule`: "race", or "atomic-order" where both are atomic
    but their order shows. `perhaps_ordered`: fences may order them, with atomic updates or at a
    barrier at which not both fence. `past_ended`: some block of the run has gone on without threads that had ended. `dims`: the
    array's. `has_fences`: two blocks meet, and there are fences and atomic updates, but no chain of them from one to the other.
    """

    array: str
    index: int
    first: Touch
    second: Touch
    same_value: bool = False
    rule: str = "race"
    perhaps_ordered: bool = False
    past_ended: bool = False
    dims: tuple[int | None, ...] = ()
    has_fences: bool = False

    @property
    def cell(self) -> str:
        """The cell as the source would name it."""
        return self.array + subscripts(self.index, self.dims)


def subscripts(index: int, dims: Sequence[int | None]) -> str:
    """The subscripts of a flat index in an array of some dimensions, outermost first."""
    found: list[int] = []
    for extent in reversed(dims[1:]):
        if not extent:
            return f"[{index}]"
        index, rest = divmod(index, extent)
        found.append(rest)
    return "".join(f"[{part}]" for part in (index, *reversed(found)))


@dataclass(frozen=True, slots=True)
class Divergence:
    """Threads of one block that do not meet at a barrier. `other` None: that thread has ended; `is_endless`: it is a loop round
    which that thread goes for ever; `is_nameless`: a lane, `absent` too, comes with a mask that does not name it."""

    waiting: Actor
    barrier: Place
    absent: Actor
    other: Place | None
    is_endless: bool = False
    is_nameless: bool = False


CONST_WRITE = "write to constant memory"
"""What happened in an event: an access that is inside its array."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something a thread did at a place: an overflow, an access out of bounds, an undefined operation."""

    what: str
    actor: Actor
    place: Place
    array: str = ""
    index: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """What lanes wrote at once: values at flat indices of an array. `actor`: who wrote an entry; `segment`: counted from 1, a new
    one whenever threads have met; `is_read`: they were read, which is kept on request; `is_update`:
    by atomic operations."""

    array: str
    indices: Numbers
    values: Cells
    actor: Callable[[int], Actor]
    place: Place
    segment: int
    is_read: bool = False
    is_update: bool = False


@dataclass
class Outcome:
    """What a run left behind: memory, conflicts, divergences, and what threads did that they should not.

    `unexplained`: the shadow saw a conflict that the second run could not name; `unwaited`: an asynchronous copy was under way
    at the end; `has_gone_on`: a block went on at a barrier without threads that had ended; `endless`: threads that go round a
    loop for ever, and the loops.
    `written`: for arrays with a shadow, which slots were written. `shadow_bytes`: the shadow of global arrays at the end, and
    of the shared arrays of a batch. `journal`: all writes of arrays that threads share, if it was asked for.
    """

    buffers: dict[str, Dense | Paged] = field(default_factory=dict)
    written: dict[str, Cells] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    divergences: list[Divergence] = field(default_factory=list)
    overflows: list[Event] = field(default_factory=list)
    out_of_bounds: list[Event] = field(default_factory=list)
    undefined: list[Event] = field(default_factory=list)
    uninitialised: list[Event] = field(default_factory=list)
    failed: list[Event] = field(default_factory=list)
    endless: list[Event] = field(default_factory=list)
    touches: dict[tuple[str, int], list[Touch]] = field(default_factory=dict)
    journal: list[Written] = field(default_factory=list)
    unexplained: bool = False
    unwaited: bool = False
    has_gone_on: bool = False
    shadow_bytes: int = 0
    accesses: int = 0

    @property
    def arrays(self) -> dict[str, Cells]:
        """The contents of global arrays whose extent is known."""
        return {name: buffer.cells for name, buffer in self.buffers.items() if isinstance(buffer, Dense)}

    def contents(self, name: str) -> dict[int, Value]:
        """The cells of a global array that are known to be written (without a shadow: all that exist), by flat index."""
        buffer, slots = self.buffers[name], self._slots_written(name)
        return dict(zip(buffer.indices(slots).tolist(), buffer.cells[slots].tolist(), strict=True))

    def cells_written(self, name: str) -> Numbers:
        """The same by their flat indices alone, in no order."""
        found: Numbers = self.buffers[name].indices(self._slots_written(name))
        return found

    def _slots_written(self, name: str) -> Numbers:
        buffer = self.buffers[name]
        count = buffer.used * PAGE if isinstance(buffer, Paged) else buffer.cells.size
        return np.flatnonzero(self.written[name][:count]) if name in self.written else np.arange(count)

    def value(self, name: str, index: int) -> Value:
        """One cell of a global array."""
        buffer = self.buffers[name]
        slots, _ = buffer.slots(np.array([index], np.int64), None)
        found: Value = buffer.cells[slots[0]].item()
        return found


def same_value(left: Value, right: Value) -> bool:
    """Bit-identical values, but any NaN for any other."""
    if isinstance(left, float) and isinstance(right, float):
        if left != left and right != right:
            return True
        return struct.pack("<d", left) == struct.pack("<d", right)
    return type(left) is type(right) and left == right


def differences(first: Outcome, second: Outcome) -> list[tuple[str, int, Value, Value]]:
    """The first differing cell of each array that two runs left different: name, flat index, both values."""
    found = []
    for name in first.buffers:
        one, two = first.buffers[name], second.buffers[name]
        if isinstance(one, Dense) and isinstance(two, Dense):
            unlike = np.flatnonzero(~equal_bits(one.cells, two.cells))
            indices = unlike[:1].tolist()
        else:
            cells = sorted(first.contents(name).keys() | second.contents(name).keys())
            indices = [at for at in cells if not equal_bits(_cell(first, name, at), _cell(second, name, at)).all()][:1]
        found += [(name, at, first.value(name, at), second.value(name, at)) for at in indices]
    return found


def _cell(outcome: Outcome, name: str, index: int) -> Cells:
    buffer = outcome.buffers[name]
    slots, _ = buffer.slots(np.array([index], np.int64), None)
    return buffer.cells[slots]
