"""Accesses at indices that data decide: they reach every cell of their array, each as far as the index is its number.

One idea: with e_c the test `index == c`, a read is the cell that is chosen by the e_c, and a write or update changes cell c to
what it would become where e_c holds, and leaves it else. An array must be small for that, and its extent known.
Updates whose order makes no difference are summed at once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from automata.lang.core import Atomic, Load, Store
from automata.machine.compiled import Closure
from automata.machine.domain import Data, updated_data
from automata.machine.frame import Frame
from automata.machine.memory import Buffer, Cells, Dense, Dynamic
from automata.machine.values import Lanes, Numbers
from automata.place import Place, UndecidedError
from automata.scalar import Scalar

MOST = 1 << 24
"""Lanes times cells of one access."""
AT_ONCE = 1 << 17


def read_anywhere(data: Data, array: str, index: Closure, of: Scalar, expr: Load) -> Closure:
    """A read at an index of data of a type."""
    kind, place = expr.type, expr.place

    def run(frame: Frame) -> Lanes:
        buffer, base = _reach(frame, array, place)
        wanted = _lanes(index(frame), frame.count)
        held = buffer.cells if data.holds(array) else data.domain.lift(buffer.cells, kind)
        found = held[base]
        for cell in range(1, buffer.size):
            test = data.domain.binary("==", wanted, data.domain.lift(np.full(1, cell), of)[0], of)
            found = data.domain.select(test, held[base + cell], found, None, kind)
        return found
    return run


def write_anywhere(data: Data, stmt: Store | Atomic, index: Closure, of: Scalar, args: tuple[Closure, ...],
                   read: bool) -> Callable[[Frame], None]:
    """A store or atomic update at an index of data of a type. `read`: the old value is used."""
    op = "exch" if isinstance(stmt, Store) else stmt.op
    if read:
        raise UndecidedError("the old value of an update at an index that data decide", stmt.place)

    def run(frame: Frame) -> None:
        buffer, base = _reach(frame, stmt.array, stmt.place)
        wanted = _lanes(index(frame), frame.count)
        given = [_lanes(arg(frame), frame.count) for arg in args]
        step = max(1, AT_ONCE // buffer.size)
        if all(_together(data, op, of, buffer, base[at:at + step], wanted[at:at + step], given[0][at:at + step])
               for at in range(0, frame.count, step)):
            return
        for lane in range(frame.count):
            one = slice(lane, lane + 1)
            _each(data, op, of, buffer, base[one], wanted[one], [arg[one] for arg in given])
    return run


def _together(data: Data, op: str, of: Scalar, buffer: Dense, base: Numbers, wanted: Cells, value: Cells) -> bool:
    """Add to all cells at once what the lanes add to them; False where that is not what the domain does."""
    slots, tests, kind = *_tests(data, of, buffer, base, wanted), buffer.array.element
    zero = data.domain.lift(np.zeros((), np.float64 if kind.is_float else np.int64)[()], kind)
    if op not in ("add", "sub") or not data.domain.update(op, buffer.cells, slots[:0], [value[:0]], kind):
        return False
    amounts = data.domain.select(tests, np.repeat(value, buffer.size), zero, None, kind)
    return data.domain.update(op, buffer.cells, slots, [amounts], kind)


def _each(data: Data, op: str, of: Scalar, buffer: Dense, base: Numbers, wanted: Cells, given: list[Cells]) -> None:
    """One lane's update of every cell of its array."""
    slots, tests = _tests(data, of, buffer, base, wanted)
    old, kind = buffer.cells[slots], buffer.array.element
    made = updated_data(data.domain, op, old, [np.repeat(arg, buffer.size) for arg in given], kind)
    buffer.cells[slots] = data.domain.select(tests, made, old, None, kind)


def _tests(data: Data, of: Scalar, buffer: Dense, base: Numbers, wanted: Cells) -> tuple[Numbers, Lanes]:
    """For each lane and cell the cell's slot, and whether the lane's index is its number."""
    cells = np.arange(buffer.size)
    slots = (base[:, None] + cells).reshape(-1)
    numbers = np.tile(data.domain.lift(cells, of), base.size)
    return slots, data.domain.binary("==", np.repeat(wanted, buffer.size), numbers, of)


def _reach(frame: Frame, array: str, place: Place) -> tuple[Dense, Numbers]:
    """The buffer of an array, and where each lane's instance begins in it."""
    heap = frame.batch.heap
    buffer: Buffer = heap.buffers[array]
    if not isinstance(buffer, Dense) or isinstance(buffer, Dynamic):
        raise UndecidedError(f"an index of '{array}' that data decide, for nobody says how large the array is", place)
    if buffer.size * frame.count > MOST or not buffer.size:
        raise UndecidedError(f"an index of '{array}' that data decide, in an array so large", place)
    instance = heap.instance(frame, buffer.array)
    heap.accesses += frame.count * buffer.size
    return buffer, np.zeros(frame.count, np.int64) if instance is None else instance * buffer.size


def _lanes(value: Lanes, count: int) -> Cells:
    return np.broadcast_to(value, (count,))

