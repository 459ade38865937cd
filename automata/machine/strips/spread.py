"""Accesses at indices that data decide: they reach every cell of their array, each as far as the index is its number.

One idea: with e_c the test `index == c`, a read is the cell that is chosen by the e_c, and a write or update changes cell c to
what it would become where e_c holds, and leaves it else. An array must be small for that, and its extent known.
Updates whose order makes no difference are summed at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from automata.lang.core import Atomic, Store
from automata.machine.lanes.compiled import Closure
from automata.machine.lanes.frame import Frame
from automata.machine.numbers.values import Lanes, Numbers
from automata.machine.state.memory import Buffer, Cells, Dense, Dynamic
from automata.machine.symbols.domain import ATOM, Data, Degree, updated_data
from automata.place import Place, UndecidedError
from automata.scalar import Scalar

MOST = 1 << 24
"""Lanes times cells of one access."""
AT_ONCE = 1 << 17


@dataclass(frozen=True)
class Target:
    """Where an index of data may lead: `index`, a value of type `kind`; of an array of several dimensions only within the row
    of `width` elements that numbers say (`start`)."""

    array: str
    index: Closure
    kind: Scalar
    place: Place
    start: Closure | None = None
    width: int = 0


def read_anywhere(data: Data, target: Target, kind: Scalar) -> Closure:
    """A read at an index of data."""

    def run(frame: Frame) -> Lanes:
        buffer, base, size = _reach(frame, target)
        data.widest = max(data.widest, float(size))
        wanted = _lanes(target.index(frame), frame.count)
        held = buffer.cells if data.holds(target.array) else data.domain.lift(buffer.cells, kind)
        found = held[base]
        for cell in range(1, size):
            test = data.domain.binary("==", wanted, data.domain.lift(np.full(1, cell), target.kind)[0], target.kind)
            found = data.domain.select(test, held[base + cell], found, None, kind)
        return found
    return run


def write_anywhere(data: Data, target: Target, stmt: Store | Atomic, args: tuple[Closure, ...],
                   degree: Callable[[], Degree], *, is_read: bool) -> Callable[[Frame], None]:
    """A store or atomic update at an index of data. `degree`: of the first argument; `is_read`: the old value is used."""
    op = "exch" if isinstance(stmt, Store) else stmt.op
    if is_read:
        raise UndecidedError("the old value of an update at an index that data decide", stmt.place)

    def run(frame: Frame) -> None:
        buffer, base, size = _reach(frame, target)
        wanted = _lanes(target.index(frame), frame.count)
        given = [_lanes(arg(frame), frame.count) for arg in args]
        step = max(1, AT_ONCE // size)
        spread = _Spread(data, op, buffer, size, target.kind)
        before, value = data.degree(target.array), degree()
        if all(spread.together(base[at:at + step], wanted[at:at + step], given[0][at:at + step])
               for at in range(0, frame.count, step)):
            data.note(target.array, before.plus(value.times(ATOM).copies(frame.count)), whole=False)
            return
        data.note(target.array, before.plus(before).plus(value).chosen(frame.count), whole=False)
        for lane in range(frame.count):
            one = slice(lane, lane + 1)
            spread.each(base[one], wanted[one], [arg[one] for arg in given])
    return run


@dataclass(frozen=True)
class _Spread:
    """An update of all `size` cells that an index of type `kind` may mean."""

    data: Data
    op: str
    buffer: Dense
    size: int
    kind: Scalar

    def together(self, base: Numbers, wanted: Cells, value: Cells) -> bool:
        """Add to all cells at once what the lanes add to them; False where that is not what the domain does."""
        domain, element = self.data.domain, self.buffer.array.element
        nothing = np.zeros(0, np.int64)
        if self.op not in ("add", "sub") or not domain.update(self.op, self.buffer.cells, nothing, [value[:0]], element):
            return False
        slots, tests = self.tests(base, wanted)
        zero = domain.lift(np.zeros((), np.float64 if element.is_float else np.int64)[()], element)
        amounts = domain.select(tests, np.repeat(value, self.size), zero, None, element)
        return domain.update(self.op, self.buffer.cells, slots, [amounts], element)

    def each(self, base: Numbers, wanted: Cells, given: list[Cells]) -> None:
        """One lane's update of every cell."""
        slots, tests = self.tests(base, wanted)
        old, element = self.buffer.cells[slots], self.buffer.array.element
        made = updated_data(self.data.domain, self.op, old, [np.repeat(arg, self.size) for arg in given], element)
        self.buffer.cells[slots] = self.data.domain.select(tests, made, old, None, element)

    def tests(self, base: Numbers, wanted: Cells) -> tuple[Numbers, Lanes]:
        """For each lane and cell the cell's slot, and whether the lane's index is its number."""
        cells = np.arange(self.size)
        slots = (base[:, None] + cells).reshape(-1)
        numbers = np.tile(self.data.domain.lift(cells, self.kind), base.size)
        return slots, self.data.domain.binary("==", np.repeat(wanted, self.size), numbers, self.kind)


def _reach(frame: Frame, target: Target) -> tuple[Dense, Numbers, int]:
    """The buffer of an array, where the cells in question begin for each lane, and how many there are."""
    heap = frame.batch.heap
    buffer: Buffer = heap.buffers[target.array]
    if not isinstance(buffer, Dense) or isinstance(buffer, Dynamic):
        raise UndecidedError(f"an index of '{target.array}' that data decide, for nobody says how large the array is",
                             target.place)
    size = target.width if target.start is not None else buffer.size
    if size * frame.count > MOST or not size:
        raise UndecidedError(f"an index of '{target.array}' that data decide, in an array so large", target.place)
    instance = heap.instance(frame, buffer.array)
    heap.accesses += frame.count * size
    base = np.zeros(frame.count, np.int64) if instance is None else instance * buffer.size
    if target.start is None:
        return buffer, base, size
    start = np.broadcast_to(target.start(frame), (frame.count,)).astype(np.int64)
    if ((start < 0) | (start + size > buffer.size)).any():
        raise UndecidedError(f"a row outside '{target.array}'", target.place)
    return buffer, base + start, size


def _lanes(value: Lanes, count: int) -> Cells:
    return np.broadcast_to(value, (count,))
