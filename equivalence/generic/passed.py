"""Kernels one after another: what one has stored, a later one loads.

Input: the generic blocks of the kernels before one, and a load of an array that they write. Output: the stores that leave what is
loaded, each by the thread, block and rounds that come to it. The last kernel that writes the array has to write all cells that
those before it write, so that its stores alone are looked at; that one of them means the element is proved as it is of two sides
that fill the same cell (`cells`). What it left is then worth what its kernel makes of it, at that thread (`evaluate`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from automata.place import Place
from equivalence.generic.cells import Cells, Family, Match, Side
from equivalence.generic.integers import CannotFollow
from equivalence.generic.tallies import is_updated
from equivalence.generic.values import Fetch, Node, Write


@dataclass
class Passed:
    """What some kernels leave, in their order. `side`: the kernel that comes behind them; None behind the last."""

    cells: Cells
    before: Sequence[Side]
    side: Side | None = None
    _found: dict[int, list[Match]] = field(default_factory=dict)
    _loads: dict[int, Family] = field(default_factory=dict)

    @property
    def arrays(self) -> frozenset[str]:
        """The arrays that they write."""
        return frozenset(write.array for side in self.before for write in side.written.writes)

    def writers(self, array: str) -> list[Side]:
        return [side for side in self.before if any(write.array == array for write in side.written.writes)]

    def updater(self, array: str) -> Side | None:
        """The one kernel that writes an array, where it adds to its cells; CannotFollow where others write it too."""
        writers = self.writers(array)
        if not any(is_updated(side, array) for side in writers):
            return None
        if len(writers) > 1:
            raise CannotFollow(f"'{array}' is updated by one kernel and written by another", _place(writers, array))
        return writers[0]

    def left(self, array: str) -> list[Family]:
        """The stores that say what is in an array in the end."""
        writers = self.writers(array)
        if not writers:
            return []
        if any(is_updated(side, array) for side in writers):
            raise CannotFollow(f"'{array}' is updated by one kernel and loaded or written by another", _place(writers, array))
        last = self.cells.families(writers[-1], array)
        for side in writers[:-1]:
            for family in self.cells.families(side, array):
                self.cells.matches(family, last)
        return last

    def sources(self, node: Node) -> list[Match]:
        """The stores that a load takes its value from, each where it is valid, and the last one where none before it is.
        CannotFollow where it is not shown that there is always one."""
        known = self._found.get(id(node))
        if known is None:
            known = self._found[id(node)] = self._sources(node, node.data)
        return known

    def load(self, node: Node) -> Family:
        """A load as that of a generic thread: where it goes, and when."""
        known = self._loads.get(id(node))
        if known is None:
            assert self.side is not None
            fetch: Fetch = node.data
            load = Write(fetch.array, fetch.guard, (), fetch.index, node, fetch.rounds, 0, fetch.place)
            known = self._loads[id(node)] = self.cells.family(self.side, load)
        return known

    def _sources(self, node: Node, fetch: Fetch) -> list[Match]:
        left = self.left(fetch.array)
        try:
            return self.cells.matches(self.load(node), left)
        except CannotFollow as error:
            self.cells.integers.mind_budget()
            raise CannotFollow(f"which store of the kernels before left the element of '{fetch.array}' that is loaded here",
                               fetch.place) from error


def _place(writers: Sequence[Side], array: str) -> Place:
    """Where an array is written first."""
    return next(write.place for side in writers for write in side.written.writes if write.array == array)
