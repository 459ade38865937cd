"""Which element of an array a symbol stands for."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from automata.machine.numbers.values import Numbers
from equivalence.orders.compared import Symbol

Keys = npt.NDArray[np.uint64]


@dataclass
class Inputs:
    """The symbols of elements of one array, looked up by their first word; `added`: those that are not in order yet."""

    keys: Keys = field(default_factory=lambda: np.zeros(0, np.uint64))
    places: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    added: list[tuple[Keys, Numbers]] = field(default_factory=list)

    def add(self, keys: Keys, places: Numbers) -> None:
        self.added.append((keys, places))

    def index(self, symbol: Symbol) -> int | None:
        if self.added:
            keys = np.concatenate([self.keys, *(part for part, _ in self.added)])
            places = np.concatenate([self.places, *(part for _, part in self.added)])
            self.keys, first = np.unique(keys, return_index=True)
            self.places, self.added = places[first], []
        key = np.frombuffer(symbol[:8], np.uint64)[0]
        at = int(np.searchsorted(self.keys, key))
        return int(self.places[at]) if at < len(self.keys) and self.keys[at] == key else None
