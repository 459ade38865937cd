"""Accesses of lanes to memory: bounds, shadow, values; plain and atomic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from automata.lang.core import Array, Space
from automata.machine.lanes.frame import Frame, Surroundings
from automata.machine.numbers.values import Lanes, Mask, Numbers
from automata.machine.running.wide import update_wide
from automata.machine.state.clock import Clock, Idents
from automata.machine.state.memory import Buffer, Cells, at_least_1d
from automata.machine.state.outcome import CONST_WRITE, Written
from automata.machine.state.rules import FAMILIES, ORDER_SHOWS
from automata.machine.state.shadow import Shadow
from automata.machine.state.updates import in_turns, update
from automata.machine.state.watch import READ, WRITE, Manner, Watch
from automata.machine.symbols.domain import Data, updated_data
from automata.place import Place
from automata.scalar import Scalar

TURN_COST = 500


class Heap:
    """The buffers and shadows that one batch reaches. `reverses`: of lanes that write a cell at once the first one wins."""

    def __init__(self, batch: Surroundings, buffers: Mapping[str, Buffer], shadows: Mapping[str, Shadow], *, reverses: bool,
                 watch: Watch | None) -> None:
        self.batch, self.buffers, self.shadows, self.reverses, self.watch = batch, buffers, shadows, reverses, watch
        self.accesses = 0
        self.journal: list[Written] | None = None
        self.read: list[Written] | None = None

    def instance(self, frame: Frame, array: Array) -> Numbers | None:
        """Which copy of the array each lane reaches."""
        if array.space is Space.GLOBAL:
            return None
        if array.space is Space.PRIVATE:
            return frame.numbers()
        return self.batch.block if frame.lanes is None else self.batch.block[frame.lanes]

    def load(self, frame: Frame, name: str, index: Lanes, place: Place, manner: Manner = READ) -> Lanes:
        """Read an element, atomically if `manner` says so; 0 outside the array, which is noted."""
        buffer, shadow = self.buffers[name], self.shadows.get(name)
        self.accesses += frame.count
        instance = self.instance(frame, buffer.array)
        if index.ndim == 0 and instance is None and shadow is None and self.watch is None and self.read is None:
            return self.uniform(frame, buffer, index, place)
        wide = at_least_1d(index, frame.count)
        slots, inside = buffer.slots(wide, instance)
        if inside is not None:
            self.batch.note_outside(frame, ~inside, name, wide, "read", place)
        ids = frame.ids() if inside is None else frame.ids()[inside]
        if shadow is not None:
            unknown = (shadow.load(slots, ids, place, narrow=manner.narrow) if manner.family else
                       shadow.read(slots, ids, place))
            if unknown is not None:
                self.batch.note_uninitialised(ids, unknown, name, buffer.indices(slots), place)
        if self.watch is not None:
            self.watch.touch(name, slots, ids, manner, buffer.cells, place)
        values = buffer.cells.take(slots)
        if self.read is not None:
            self.enter(self.read, buffer, slots, ids, values, place, is_read=True)
        if inside is None:
            return values
        found = np.zeros(frame.count, values.dtype)
        found[inside] = values
        return found

    def uniform(self, frame: Frame, buffer: Buffer, index: Lanes, place: Place) -> Lanes:
        """One element that all lanes read, of an array that nobody writes."""
        slots, inside = buffer.slots(at_least_1d(index, 1).astype(np.int64), None)
        if inside is not None:
            self.batch.note_outside(frame, np.ones(frame.count, np.bool_), buffer.array.name,
                                    at_least_1d(index, frame.count), "read", place)
            return np.zeros(1, buffer.cells.dtype)[0]  # of symbols too, whose cells have several bytes
        return buffer.cells[slots[0]]

    def reach(self, frame: Frame, name: str, index: Lanes, place: Place) -> tuple[Numbers, Idents, Mask | None]:
        """The slots of a write, the idents of those that are inside, and which are."""
        buffer = self.buffers[name]
        self.accesses += frame.count
        wide = at_least_1d(index, frame.count)
        slots, inside = buffer.slots(wide, self.instance(frame, buffer.array))
        if inside is not None:
            self.batch.note_outside(frame, ~inside, name, wide, "write", place)
        if buffer.array.const and frame.count:
            self.batch.note_outside(frame, np.ones(frame.count, np.bool_), name, wide, CONST_WRITE, place)
        return slots, frame.ids() if inside is None else frame.ids()[inside], inside

    def store(self, frame: Frame, name: str, index: Lanes, value: Lanes, place: Place) -> None:
        """Write an element; nothing outside the array, which is noted."""
        slots, ids, inside = self.reach(frame, name, index, place)
        if inside is not None and value.ndim:
            value = value[inside]
        self.write(name, slots, ids, value, place)

    def write(self, name: str, slots: Numbers, ids: Idents, value: Any, place: Place) -> None:
        if self.reverses:
            slots, ids, value = slots[::-1], ids[::-1], value[::-1] if value.ndim else value
        buffer, shadow = self.buffers[name], self.shadows.get(name)
        if self.watch is not None:
            self.watch.touch(name, slots, ids, WRITE, value, place)
        if self.journal is not None:
            self.enter(self.journal, buffer, slots, ids, np.broadcast_to(value, slots.shape), place)
        if shadow is None:
            buffer.cells[slots] = value
            return
        again = shadow.check_write(slots, ids, place, buffer.cells, value)
        varied = shadow.varied(slots, ids, buffer.cells, value)
        buffer.cells[slots] = value
        shadow.note_write(slots, ids, place, buffer.cells, value, again, varied)

    def enter(self, journal: list[Written], buffer: Buffer, slots: Numbers, ids: Idents, values: Cells, place: Place, *,
              is_read: bool = False, is_update: bool = False) -> None:
        """Keep a write, or a read, of an array that threads share."""
        if buffer.array.space is not Space.PRIVATE and slots.size:
            batch, segment = self.batch, self.batch.clock.now - self.batch.clock.start + 1
            journal.append(Written(buffer.array.name, buffer.indices(slots), np.array(values),
                                   lambda at: batch.who(int(ids[at]))[1], place, segment, is_read, is_update))

    # -- atomics --------------------------------------------------------------------------------

    def atomic(self, frame: Frame, name: str, op: str, kind: Scalar, index: Lanes, args: tuple[Lanes, ...], place: Place, *,
               used: bool, narrow: bool, repeats: bool = False) -> Lanes:
        """Update elements one lane after another; the old values (0 outside the array). `repeats`: the array sees no other update
        than by this operation and these numbers, so that rounding is the same in any order."""
        shows = used or (kind.is_float and not repeats)
        family = ORDER_SHOWS if shows else FAMILIES.get(op, ORDER_SHOWS)
        if kind.bytes > self.buffers[name].array.element.bytes:
            return update_wide(self, frame, name, op, kind, index, args, place, family, used=used, narrow=narrow)
        if op == "load":
            return self.load(frame, name, index, place, Manner(False, family, narrow))
        slots, ids, inside = self.reach(frame, name, index, place)
        given = [np.broadcast_to(arg, (frame.count,)) for arg in args]
        if inside is not None:
            given = [arg[inside] for arg in given]
        buffer, shadow = self.buffers[name], self.shadows.get(name)
        if self.watch is not None:
            self.watch.touch(name, slots, ids, Manner(True, family, narrow), buffer.cells, place)
        if shadow is not None:
            shadow.atomic(slots, ids, place, family, narrow=narrow)
        step = -1 if self.reverses else 1
        data = self.batch.program.data
        if data is not None and data.holds(name):
            old, turns = _update_data(data, buffer, op, slots, given, used), 1
            step = 1
        else:
            old, turns = update(buffer.cells, op, slots[::step], [arg[::step] for arg in given], used)
        old = old[::step]
        if self.journal is not None:
            self.enter(self.journal, buffer, slots, ids, buffer.cells[slots], place, is_update=True)
        self.accesses += TURN_COST * (turns - 1)
        if inside is None:
            return old
        found = np.zeros(frame.count, old.dtype)
        found[inside] = old
        return found

    def copy(self, clock: Clock, copy: int, block: int, target: str, source: str, to: Numbers, origin: Numbers,
             place: Place) -> None:
        """Elements that a block copies asynchronously, as accesses of the copy's own thread."""
        ids = np.repeat(clock.copier(np.array([block]), copy), to.size)
        places = []
        for name, index in ((source, origin), (target, to)):
            array = self.buffers[name].array
            where = None if array.space is Space.GLOBAL else np.full(index.size, block)
            slots, inside = self.buffers[name].slots(index, where)
            if inside is not None:
                self.batch.note_copy_outside(block, name, index[~inside], place)
                return
            places.append(slots)
        if self.watch is not None:
            self.watch.touch(source, places[0], ids, READ, self.buffers[source].cells, place)
        if source in self.shadows:
            self.shadows[source].read(places[0], ids, place)
        values = self.buffers[source].cells.take(places[0])
        if self.read is not None:
            self.enter(self.read, self.buffers[source], places[0], ids, values, place, is_read=True)
        self.write(target, places[1], ids, values, place)


def _update_data(data: Data, buffer: Buffer, op: str, slots: Numbers, args: list[Cells], used: bool) -> Cells:
    """The same where cells hold data."""
    domain, kind = data.domain, buffer.array.element
    old = np.zeros(slots.size, domain.dtype)
    if not used and domain.update(op, buffer.cells, slots, args, kind):
        return old
    for turn in in_turns(slots):
        where = slots[turn]
        before = buffer.cells[where]
        old[turn] = before
        buffer.cells[where] = updated_data(domain, op, before, [arg[turn] for arg in args], kind)
    return old
