"""Few inputs that still tell two kernels apart: all other cells are zero.

Input: a fill that shows a difference, the sizes of arrays, and a test that runs both kernels on a fill. Output: a fill with
few cells that are not zero, each of which is needed. Delta debugging (Zeller and Hildebrandt, IEEE TSE 2002, section 3):
halves of the cells, then smaller parts and their complements, as long as the difference shows. The number of runs is bounded,
not the time: answers repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from automata.machine.numbers.values import Numbers
from automata.machine.state.fill import Fill, Reals

Test = Callable[[Fill], bool]


@dataclass(frozen=True)
class Few:
    """A fill with only the cells kept: of each array its indices. Arrays of no size here are as in `base`. `ones`: the cells
    that are kept are 1."""

    base: Fill
    kept: Mapping[str, Numbers]
    ones: bool = False

    def __call__(self, name: str, index: Numbers) -> Reals:
        values = self.base(name, index)
        if name not in self.kept:
            return values
        given = np.ones_like(values) if self.ones else values
        found: Reals = np.where(np.isin(index, self.kept[name]), given, 0.0)
        return found


def minimised(base: Fill, sizes: Mapping[str, int], differs: Test, most: int) -> Few | None:
    """Few cells that still show the difference, in at most so many runs; None if not even those of all arrays do."""
    search = _Search(base, sizes, differs, most)
    if not search.shows(np.arange(search.count)):
        return None
    cells = search.fewest()
    found = search.fill(cells)
    ones = Few(base, found.kept, ones=True)
    return ones if search.left > 0 and differs(ones) else found


class _Search:
    """Cells of all arrays, numbered through, and what was found out about them."""

    def __init__(self, base: Fill, sizes: Mapping[str, int], differs: Test, most: int) -> None:
        self.base, self.sizes, self.differs, self.left = base, sizes, differs, most
        self.count = sum(sizes.values())

    def fill(self, cells: Numbers) -> Few:
        kept, start = {}, 0
        for name, size in self.sizes.items():
            kept[name] = cells[(cells >= start) & (cells < start + size)] - start
            start += size
        return Few(self.base, kept)

    def shows(self, cells: Numbers) -> bool:
        self.left -= 1
        return self.differs(self.fill(cells))

    def fewest(self) -> Numbers:
        """Cells of which none can be left out, as far as runs last."""
        if self.shows(np.arange(0)):
            return np.arange(0)
        cells, parts = np.arange(self.count), 2
        while len(cells) > 1 and self.left > 0:
            smaller = self.smaller(cells, parts)
            if smaller is not None:
                cells, parts = smaller, 2 if len(smaller) < len(cells) // 2 + 1 else max(parts - 1, 2)
            elif parts >= len(cells):
                break
            else:
                parts = min(2 * parts, len(cells))
        return cells

    def smaller(self, cells: Numbers, parts: int) -> Numbers | None:
        """One of so many parts that shows the difference alone, or what is left without one."""
        split = np.array_split(cells, parts)
        for part in split:
            if self.left > 0 and self.shows(part):
                return part
        for number in range(parts if parts > 2 else 0):
            rest = np.concatenate(split[:number] + split[number + 1:])
            if self.left > 0 and self.shows(rest):
                return rest
        return None
