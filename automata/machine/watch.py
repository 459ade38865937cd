"""Who touched which cell: a second run that looks at a few cells only.

The shadow knows that two accesses conflict, but not where in the source the earlier one stands. A run is
repeatable, so it is run again with the cells in question watched, and the touches of those are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from automata.machine.clock import Idents
from automata.machine.memory import Cells
from automata.machine.outcome import Touch
from automata.machine.values import Numbers
from automata.place import Place
from automata.verdict import Actor

MAX_TOUCHES = 4096
Cell = tuple[str, int, int]
Key = tuple[int, int]
"""A thread, by flat block and flat thread; a copy by the block counts as a thread beyond the last."""


@dataclass
class Watch:
    """Cells to look at: array, block (-1: global memory), flat index; and the touches seen, oldest first.

    Of one thread the last read and the last write of a cell are kept.
    """

    cells: frozenset[Cell]
    touches: dict[Cell, dict[tuple[Key, bool], Touch]] = field(default_factory=dict)
    slots: dict[str, tuple[Numbers, list[Cell]]] = field(default_factory=dict)
    who: Callable[[int], tuple[Key, Actor]] | None = None

    def touch(self, name: str, slots: Numbers, ids: Idents, is_write: bool, values: Cells | Any, place: Place,
              atomic: bool = False) -> None:
        """Keep what touches a watched cell. `values`: one for each write, or the whole buffer."""
        if name not in self.slots:
            return
        watched, cells = self.slots[name]
        for at in np.flatnonzero(np.isin(slots, watched)).tolist():
            cell = cells[int(np.flatnonzero(watched == slots[at])[0])]
            assert self.who is not None
            key, actor = self.who(int(ids[at]))
            value = values[slots[at]] if not is_write or atomic else values[at] if values.ndim else values
            kept = self.touches.setdefault(cell, {})
            kept.pop((key, is_write), None)
            if len(kept) >= MAX_TOUCHES:
                kept.pop(next(iter(kept)))
            kept[key, is_write] = Touch(actor, is_write, value.item(), place)

    def earlier(self, cell: Cell, later: Key, writes: bool, known: Key | None) -> Touch | None:
        """The touch that a later one of another thread conflicts with: of the known thread, else the latest of any."""
        kept = self.touches.get(cell, {})
        if known is not None and known != later and (known, writes) in kept:
            return kept[known, writes]
        for (key, is_write), touch in reversed(kept.items()):
            if key != later and is_write == writes:
                return touch
        return None
