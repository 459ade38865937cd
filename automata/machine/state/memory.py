"""Memory of a run: one buffer for each array, addressed by slot.

A global array whose extent is known is one dense buffer; else it consists of pages that come to life when
they are touched, so that any index of a witness can be followed. A shared array has one instance for each
block of the running batch, a private one for each lane. A slot is a position in the buffer: the
shadow keeps its own cells by the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from automata.lang.core import Array
from automata.limits import RUN_BYTES
from automata.machine.numbers.ascending import without
from automata.machine.numbers.values import Lanes, Mask, Numbers
from automata.place import TooLargeError

PAGE_BITS = 10
PAGE = 1 << PAGE_BITS
MOST_CELLS = 1 << 27
"""Of an array that is kept whole."""
FIRST_DYNAMIC = 256
Cells = npt.NDArray[Any]
Initial = Callable[[Array, Numbers], Cells]


class Buffer(Protocol):
    """The contents of one array."""

    array: Array
    cells: Cells

    def slots(self, index: Numbers, instance: Numbers | None) -> tuple[Numbers, Mask | None]:
        """Positions of flat indices; the mask tells which lie inside (None: all)."""

    def indices(self, slots: Numbers) -> Numbers:
        """Flat indices of positions."""


class Dense:
    """`instances` copies of `size` elements each."""

    def __init__(self, array: Array, cells: Cells, size: int) -> None:
        self.array, self.cells, self.size = array, cells, size

    def slots(self, index: Numbers, instance: Numbers | None) -> tuple[Numbers, Mask | None]:
        inside = index.view(np.uint64) < np.uint64(self.size)
        if inside.all():
            return (index if instance is None else instance * self.size + index), None
        if instance is None:
            return index[inside], inside
        return instance[inside] * self.size + index[inside], inside

    def indices(self, slots: Numbers) -> Numbers:
        return slots % self.size if self.size else slots


class Dynamic(Dense):
    """Shared memory whose size nobody stated: every block's instance grows to the largest index that is touched."""

    def __init__(self, array: Array, dtype: npt.DTypeLike, blocks: int, poison: Any) -> None:
        super().__init__(array, np.full(blocks * FIRST_DYNAMIC, poison, dtype), FIRST_DYNAMIC)
        self.blocks, self.poison = blocks, poison
        self.grown: list[Callable[[int, int, int], None]] = []

    def slots(self, index: Numbers, instance: Numbers | None) -> tuple[Numbers, Mask | None]:
        top = int(index.max(initial=0))
        if self.size <= top < RUN_BYTES.value // self.cells.itemsize // max(1, self.blocks):
            self.grow(1 << top.bit_length())
        return super().slots(index, instance)

    def grow(self, size: int) -> None:
        self.cells = widened(self.cells, self.blocks, self.size, size, self.poison)
        before, self.size = self.size, size
        for told in self.grown:
            told(self.blocks, before, size)


def widened(cells: Cells, blocks: int, before: int, after: int, fill: Any) -> Cells:
    """The instances of a buffer, each made longer."""
    made = np.full((blocks, after), fill, cells.dtype)
    made[:, :before] = cells.reshape(blocks, before)
    return made.reshape(-1)


class Paged:
    """A global array of unknown extent, or of one too large to be kept whole (`size`); pages are made up when touched."""

    def __init__(self, array: Array, dtype: npt.DTypeLike, initial: Initial, size: int | None = None) -> None:
        self.array, self.initial, self.size = array, initial, size
        self.cells: Cells = np.empty(0, dtype)
        self.used = 0
        self.pages: Numbers = np.empty(0, np.int64)
        self.order: Numbers = np.empty(0, np.int64)
        self.known: Numbers = np.empty(0, np.int64)
        self.is_whole = False
        self.grown: list[Callable[[int], None]] = []

    def slots(self, index: Numbers, instance: Numbers | None) -> tuple[Numbers, Mask | None]:
        if self.size is not None:
            inside = index.view(np.uint64) < np.uint64(self.size)
            if not inside.all():
                return self.positions(index[inside]), inside
        return self.positions(index), None

    def positions(self, index: Numbers) -> Numbers:
        """Positions of flat indices that lie inside."""
        if not index.size:
            return index
        page = index >> PAGE_BITS
        at = self.places(page)
        if at is None:
            self.add(page)
            at = self.places(page)
            assert at is not None
        found: Numbers = (self.order[at] << PAGE_BITS) + (index & (PAGE - 1))
        return found

    def places(self, page: Numbers) -> Numbers | None:
        """Where pages stand among the known ones; None if there are others."""
        if not self.known.size:
            return None
        if self.is_whole:
            at: Numbers = page - self.known[0]
            return at if int(at.min()) >= 0 and int(at.max()) < self.known.size else None
        at = np.minimum(np.searchsorted(self.known, page), self.known.size - 1)
        return at if np.array_equal(self.known[at], page) else None

    def touched(self) -> Numbers:
        """The flat indices of all cells that there are, in ascending order."""
        return ((self.known[:, None] << PAGE_BITS) + np.arange(PAGE)).reshape(-1)

    def add(self, pages: Numbers) -> None:
        """Make the pages that are new, with their initial contents."""
        fresh = without(pages, self.known)
        count = self.used + fresh.size
        if not RUN_BYTES.allows(count * PAGE * self.cells.itemsize):
            raise TooLargeError(f"the accesses of '{self.array.name}' are spread over more memory than a run may use: "
                                f"state how many elements it has (extents), or run fewer threads", self.array.place)
        if count * PAGE > self.cells.size:
            larger = np.empty(max(count, 2 * self.used) * PAGE, self.cells.dtype)
            larger[:self.used * PAGE] = self.cells[:self.used * PAGE]
            self.cells = larger
        made = self.initial(self.array, ((fresh[:, None] << PAGE_BITS) + np.arange(PAGE)).reshape(-1))
        self.cells[self.used * PAGE:count * PAGE] = made
        at = np.searchsorted(self.known, fresh)
        self.order = np.insert(self.order, at, np.arange(self.used, count))
        self.known = np.insert(self.known, at, fresh)
        self.used = count
        self.pages = np.concatenate([self.pages, fresh])
        self.is_whole = bool(self.known[-1] - self.known[0] == self.known.size - 1)
        for told in self.grown:
            told(self.cells.size)

    def indices(self, slots: Numbers) -> Numbers:
        return (self.pages[slots >> PAGE_BITS] << PAGE_BITS) + (slots & (PAGE - 1))


def at_least_1d(index: Lanes, count: int) -> Numbers:
    """An index as one 64-bit number for each lane (above 2^63: negative, so outside every array)."""
    wide = index.astype(np.int64)
    return np.full(count, wide) if wide.ndim == 0 else wide
