"""Numbers, with made-up contents of images and textures: what a fetch gives follows from its name and coordinates alone.

For runs that look for conflicts where pixels decide nothing (`witness.pixels`). What two kernels compute from images is not
compared so, since samplers that fold coordinates together leave pixels that no image can choose apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from automata.machine.numbers.values import Concrete, Lanes
from automata.machine.state.fill import as_cells, scrambled
from automata.scalar import Scalar

LEVELS = 256


class Imagined(Concrete):
    """Concrete numbers; `fetches`, functions of these names, have values."""

    def __init__(self, fetches: frozenset[str]) -> None:
        self.fetches = fetches

    def knows(self, function: str) -> bool:
        return super().knows(function) or function in self.fetches

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        if super().knows(function):
            return super().call(function, args, kinds, result)
        count = max((np.size(arg) for arg in args), default=1)
        mixed = np.zeros(count, np.int64)
        for arg in args:
            mixed = scrambled(function, mixed + (np.asarray(arg) + 0.0).astype(np.float64).view(np.int64)).view(np.int64)
        levels = (scrambled(function, mixed) % np.uint64(LEVELS)).astype(np.float64)
        found = as_cells(levels / LEVELS if result.is_float else levels, result)
        return found if any(np.ndim(arg) for arg in args) else found[0]
