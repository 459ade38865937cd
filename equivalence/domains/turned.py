"""Bits of a value read as another type and back are that value.

Input: symbols of values whose bits were taken, with what was made of them. Output: for symbols whose bits are taken the other
way, what they were made of, where they were. So a copy by way of integers is a copy in every reading, also through shuffles
and memory, for a symbol is what it is wherever it goes. What was forgotten (`MOST`) stays an atom.
"""

from __future__ import annotations

import numpy as np

from equivalence.domains.digests import Pairs
from equivalence.domains.field import Value

MOST = 1 << 21
"""Values that are kept for one pair of types."""

Types = tuple[str, str]


class Turned:
    """For each pair of types what values were made, in order of their symbols, and of what."""

    def __init__(self) -> None:
        self.made: dict[Types, tuple[Pairs, Value]] = {}

    def keep(self, types: Types, symbols: Pairs, sources: Value) -> None:
        """Remember what the bits of some values, as another type, were made of."""
        known = self.made.get(types)
        if known is not None:
            symbols, sources = np.concatenate([known[0], symbols]), np.concatenate([known[1], sources])
        _, first = np.unique(symbols[:, 0], return_index=True)
        if len(first) <= MOST:
            self.made[types] = symbols[first], sources[first]

    def back(self, types: Types, symbols: Pairs, atoms: Value) -> Value:
        """What values were made of, else atoms. `types`: those of what it was, and of the values."""
        known = self.made.get(types)
        if known is None:
            return atoms
        keys, sources = known
        at = np.minimum(np.searchsorted(keys[:, 0], symbols[:, 0]), len(keys) - 1)
        found = (keys[at] == symbols).all(axis=1)
        atoms[found] = sources[at[found]]
        return atoms
