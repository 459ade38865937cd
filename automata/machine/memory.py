"""Memory of a concrete run, with its shadow.

Cells are typed elements, addressed by array and flat index; shared arrays have one copy per block. The
shadow keeps, for each cell, at most two readers and two writers of every block and epoch: enough to
see any conflict, since a third thread differs from one of two.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from automata.arithmetic import Value
from automata.lang.core import Array, Space
from automata.place import Place
from automata.verdict import Actor

Initial = Callable[[str, int], Value]
Cell = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Touch:
    """One recorded access to a cell."""

    actor: Actor
    block: int
    epoch: int
    is_write: bool
    value: Value
    place: Place


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two unordered accesses of different threads to one cell, at least one a write."""

    array: str
    index: int
    first: Touch
    second: Touch

    @property
    def same_value(self) -> bool:
        return self.first.is_write and self.second.is_write and same_bits(self.first.value, self.second.value)


def same_bits(left: Value, right: Value) -> bool:
    """Bit-identical values: tells −0 from 0, takes any NaN for any other."""
    if isinstance(left, float) and isinstance(right, float):
        if left != left and right != right:
            return True
        return struct.pack("<d", left) == struct.pack("<d", right)
    return type(left) is type(right) and left == right


@dataclass
class Memory:
    """`initial` gives the first value of a global cell; `poison` stands for uninitialised contents."""

    arrays: Mapping[str, Array]
    initial: Initial
    poison: int = 0
    cells: dict[Cell, Value] = field(default_factory=dict)
    shadow: dict[Cell, dict[tuple[int, int, bool], list[Touch]]] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    noted: set[tuple[str, Place, Place, bool]] = field(default_factory=set)
    uninitialised: list[tuple[str, int, Actor, Place]] = field(default_factory=list)
    owners: dict[Cell, tuple[Actor, Place]] = field(default_factory=dict)

    def read(self, array: Array, index: int, actor: Actor, block: int, epoch: int, place: Place) -> Value:
        cell = self._cell(array, index, block)
        if cell in self.cells:
            value = self.cells[cell]
        elif array.space is Space.SHARED:
            self.uninitialised.append((array.name, index, actor, place))
            value = float(self.poison) if array.element.is_float else array.element.wrap(self.poison)
        elif array.content is not None and 0 <= index < len(array.content):
            value = array.content[index]
        else:
            value = self.cells[cell] = self.initial(array.name, index)
        self._touch(array, cell, Touch(actor, block, epoch, False, value, place))
        return value

    def write(self, array: Array, index: int, value: Value, actor: Actor, block: int, epoch: int, place: Place) -> None:
        cell = self._cell(array, index, block)
        self._touch(array, cell, Touch(actor, block, epoch, True, value, place))
        self.cells[cell] = value
        self.owners[cell] = (actor, place)

    def contents(self, array: str) -> dict[int, Value]:
        """All cells of a global array that were touched, by flat index."""
        return {index: value for (name, block, index), value in self.cells.items() if name == array and block < 0}

    def _note(self, conflict: Conflict) -> None:
        """Keep the first conflict of each pair of places, of equal and of different values."""
        key = (conflict.array, conflict.first.place, conflict.second.place, conflict.same_value)
        if key not in self.noted:
            self.noted.add(key)
            self.conflicts.append(conflict)

    def _cell(self, array: Array, index: int, block: int) -> Cell:
        return array.name, block if array.space is Space.SHARED else -1, index

    def _touch(self, array: Array, cell: Cell, touch: Touch) -> None:
        groups = self.shadow.setdefault(cell, {})
        for (block, epoch, is_write), others in groups.items():
            if not (is_write or touch.is_write) or (block == touch.block and epoch != touch.epoch):
                continue
            for other in others:
                if other.actor != touch.actor:
                    self._note(Conflict(array.name, cell[2], other, touch))
        group = groups.setdefault((touch.block, touch.epoch, touch.is_write), [])
        if len(group) < 2 and all(other.actor != touch.actor for other in group):
            group.append(touch)
