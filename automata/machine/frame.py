"""A group of lanes that are at one location: how expressions see them.

Locals of a group are gathered once and written back when the group splits, waits or ends. Of an expression
that only some lanes evaluate (the right side of `&&`, a branch of `?:`) those see a narrower frame; or, where nothing but an
overflow can tell, all lanes compute it and a *guard* says whose overflows count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from automata.machine.clock import Idents
from automata.machine.values import Lanes, Mask, Numbers

if TYPE_CHECKING:
    from automata.machine.step import Batch


class Frame:
    """Lanes of a batch, in ascending order; `lanes` None: all of them. `guard`: those for which an expression is evaluated, None
    for all."""

    __slots__ = ("_ids", "batch", "cache", "count", "dirty", "guard", "lanes")

    def __init__(self, batch: Batch, lanes: Numbers | None) -> None:
        self.batch, self.lanes = batch, lanes
        self.count = batch.lanes if lanes is None else lanes.size
        self.cache: dict[str, Lanes] = {}
        self.dirty: set[str] = set()
        self.guard: Mask | None = None
        self._ids: Idents | None = None

    def has(self, name: str) -> bool:
        """Whether any lane of the batch has come to where a local is declared."""
        return name in self.cache or name in self.batch.locals

    def get(self, name: str) -> Lanes:
        value = self.cache.get(name)
        if value is None:
            value = self.batch.locals[name]
            if self.lanes is not None and value.ndim:
                value = value[self.lanes]
            self.cache[name] = value
        return value

    def set(self, name: str, value: Lanes) -> None:
        self.cache[name] = value
        self.dirty.add(name)

    def numbers(self) -> Numbers:
        """The lanes' numbers."""
        return self.batch.all if self.lanes is None else self.lanes

    def ids(self) -> Idents:
        if self._ids is None:
            self._ids = self.batch.clock.ident if self.lanes is None else self.batch.clock.ident[self.lanes]
        return self._ids

    def narrow(self, mask: Mask) -> Frame:
        """The lanes of a mask, to evaluate an expression for them alone."""
        return Narrow(self, mask)

    def under(self, mask: Mask, closure: Callable[[Frame], Lanes]) -> Lanes:
        """What all lanes compute, which is evaluated for the lanes of a mask alone."""
        outer = self.guard
        self.guard = mask if outer is None else np.logical_and(outer, mask)
        try:
            return closure(self)
        finally:
            self.guard = outer

    def flush(self) -> None:
        """Write changed locals back."""
        for name in self.dirty:
            self.batch.write_back(name, self.cache[name], self.lanes)
        self.dirty.clear()


class Narrow(Frame):
    """Some lanes of another frame."""

    __slots__ = ("mask", "outer")

    def __init__(self, outer: Frame, mask: Mask) -> None:
        super().__init__(outer.batch, outer.numbers()[mask])
        self.outer, self.mask = outer, mask
        self.guard = None if outer.guard is None else outer.guard[mask]

    def get(self, name: str) -> Lanes:
        value = self.cache.get(name)
        if value is None:
            value = self.outer.get(name)
            if value.ndim:
                value = value[self.mask]
            self.cache[name] = value
        return value


def spread(values: Lanes, mask: Mask) -> Lanes:
    """The values of a narrower frame's lanes in the wider one; 0 elsewhere."""
    found = np.zeros(mask.size, values.dtype)
    found[mask] = values
    return found
