"""Atomic updates of several elements at once: of an int in an array of short.

Input: the index of the first element for each lane. Each element is an access of its own (bounds, shadow, watch); the value
is put together from them and taken apart again, little end first. An update that does not lie at a multiple of its width has no
meaning and is left out.
"""

from __future__ import annotations

import numpy as np

from automata.machine.lanes.frame import Frame, Memory
from automata.machine.numbers.values import Lanes, Numbers
from automata.machine.state.clock import Idents
from automata.machine.state.memory import at_least_1d
from automata.machine.state.updates import update
from automata.machine.state.watch import Manner
from automata.place import Place
from automata.scalar import Scalar

MISALIGNED = "an atomic update at an address that is not a multiple of its width"


def update_wide(heap: Memory, frame: Frame, name: str, op: str, kind: Scalar, index: Lanes, args: tuple[Lanes, ...], place: Place,
                family: int, *, used: bool, narrow: bool) -> Lanes:
    """Update elements one lane after another; the old values (0 outside the array)."""
    buffer = heap.buffers[name]
    width, first = kind.bytes // buffer.array.element.bytes, at_least_1d(index, frame.count).astype(np.int64)
    given = [np.broadcast_to(arg, (frame.count,)) for arg in args]
    good = first % width == 0
    heap.batch.note_undefined(frame, ~good, MISALIGNED, place)
    for part in range(width):
        inside = buffer.slots(first + part, heap.instance(frame, buffer.array))[1]
        if inside is not None:
            heap.batch.note_outside(frame, ~inside & good, name, first + part, "write", place)
            good &= inside
    if not good.all():
        found = np.zeros(frame.count, heap.batch.program.values.dtype(kind))
        if good.any():
            found[good] = update_wide(heap, frame.narrow(good), name, op, kind, first[good], tuple(arg[good] for arg in given),
                                      place, family, used=used, narrow=narrow)
        return found
    slots = [heap.reach(frame, name, first + part, place)[0] for part in range(width)]
    for cells in slots:
        _note(heap, name, cells, frame.ids(), Manner(op != "load", family, narrow), place)
    old = _updated(heap, slots, kind, op, given, name, used)
    if heap.journal is not None:
        for cells in slots:
            heap.enter(heap.journal, buffer, cells, frame.ids(), buffer.cells[cells], place, is_update=True)
    return old


def _note(heap: Memory, name: str, cells: Numbers, ids: Idents, manner: Manner, place: Place) -> None:
    """Tell the watch and the shadow of one part of each update."""
    if heap.watch is not None:
        heap.watch.touch(name, cells, ids, manner, heap.buffers[name].cells, place)
    if name in heap.shadows and manner.writes:
        heap.shadows[name].atomic(cells, ids, place, manner.family, narrow=manner.narrow)
    elif name in heap.shadows:
        heap.shadows[name].load(cells, ids, place, narrow=manner.narrow)


def _updated(heap: Memory, slots: list[Numbers], kind: Scalar, op: str, given: list[Lanes], name: str, used: bool) -> Lanes:
    """The values after the updates in memory, the old ones handed back."""
    cells, step = heap.buffers[name].cells, -1 if heap.reverses else 1
    _, at, which = np.unique(slots[0], return_index=True, return_inverse=True)
    parts = np.ascontiguousarray(np.stack([cells[part[at]] for part in slots], axis=1))
    whole = parts.view(heap.batch.program.values.dtype(kind)).ravel()
    old, _ = update(whole, op, which[::step], [arg[::step] for arg in given], used)
    for number, part in enumerate(slots):
        cells[part[at]] = whole.view(cells.dtype).reshape(parts.shape)[:, number]
    return old[::step]
