"""A group of lanes that are at one location: how expressions see them.

Locals of a group are gathered once and written back when the group splits, waits or ends. Of an expression
that only some lanes evaluate (the right side of `&&`, a branch of `?:`) those see a narrower frame; or, where nothing but an
overflow can tell, all lanes compute it and a *guard* says whose overflows count.

What expressions and memory see of the batch, its memory and its program stands here as protocols: who runs them is known to the
machine alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from automata.lang.core import Array
from automata.machine.numbers.values import Lanes, Mask, Numbers, Values
from automata.machine.state.clock import Clock, Idents
from automata.machine.state.memory import Buffer, Cells
from automata.machine.state.outcome import Written
from automata.machine.state.shadow import Shadow
from automata.machine.state.watch import Watch
from automata.machine.symbols.domain import Data
from automata.place import Place
from automata.scalar import Scalar
from automata.thread.automaton import Automaton
from automata.verdict import Actor


class Compiled(Protocol):
    """The program that is run: its values, what of it are symbols, and the types of its locals."""

    @property
    def automaton(self) -> Automaton: ...
    @property
    def values(self) -> Values: ...
    @property
    def data(self) -> Data | None: ...
    @property
    def types(self) -> Mapping[str, Scalar]: ...


class Memory(Protocol):
    """The memory of a batch. `accesses`: how many were made; `reverses`: of lanes that write a cell at once the first one wins;
    `journal`: where writes are kept, if they are."""

    accesses: int
    journal: list[Written] | None

    @property
    def batch(self) -> Surroundings: ...
    @property
    def buffers(self) -> Mapping[str, Buffer]: ...
    @property
    def shadows(self) -> Mapping[str, Shadow]: ...
    @property
    def reverses(self) -> bool: ...
    @property
    def watch(self) -> Watch | None: ...
    def instance(self, frame: Frame, array: Array) -> Numbers | None: ...
    def load(self, frame: Frame, name: str, index: Lanes, place: Place) -> Lanes: ...
    def store(self, frame: Frame, name: str, index: Lanes, value: Lanes, place: Place) -> None: ...
    def atomic(self, frame: Frame, name: str, op: str, kind: Scalar, index: Lanes, args: tuple[Lanes, ...], place: Place, *,
               used: bool, narrow: bool, repeats: bool = False) -> Lanes: ...
    def reach(self, frame: Frame, name: str, index: Lanes, place: Place) -> tuple[Numbers, Idents, Mask | None]: ...
    def copy(self, clock: Clock, copy: int, block: int, target: str, source: str, to: Numbers, origin: Numbers,
             place: Place) -> None: ...
    def enter(self, journal: list[Written], buffer: Buffer, slots: Numbers, ids: Idents, values: Cells, place: Place, *,
              is_read: bool = False, is_update: bool = False) -> None: ...


class Surroundings(Protocol):
    """A batch of blocks. `all`: the numbers of its lanes, `block`: the block of each; `lane`: nanoseconds of work for one;
    `rounds`: of loops so far; `absent`: what a lane gets more that asks for one that is not there."""

    lanes: int
    lane: int
    all: Numbers
    block: Numbers
    clock: Clock
    locals: dict[str, Lanes]
    rounds: int
    absent: int

    @property
    def heap(self) -> Memory: ...
    @property
    def program(self) -> Compiled: ...
    def write_back(self, name: str, value: Lanes, lanes: Numbers | None) -> None: ...
    def poison(self, frame: Frame, name: str, kind: Scalar) -> Lanes: ...
    def havoc(self, frame: Frame, name: str, what: str, place: Place) -> None: ...
    def fence(self, frame: Frame, *, is_wide: bool) -> None: ...
    def lane_in_warp(self, frame: Frame) -> Numbers: ...
    def exchange(self, meet: Any, frame: Frame) -> None:
        """Run an instruction at which lanes meet (`code.Meet`)."""
    def mind_time(self) -> None: ...
    def who(self, ident: int) -> tuple[tuple[int, int], Actor]: ...
    def note_undefined(self, frame: Frame, bad: Lanes, what: str, place: Place) -> None: ...
    def note_overflow(self, frame: Frame, bad: Lanes, kind: Scalar, place: Place, exact: Callable[[int], int]) -> None: ...
    def note_outside(self, frame: Frame, bad: Mask, array: str, index: Numbers, access: str, place: Place) -> None: ...
    def note_copy_outside(self, block: int, array: str, index: Numbers, place: Place) -> None: ...
    def note_uninitialised(self, ids: Idents, bad: Mask, array: str, index: Numbers, place: Place) -> None: ...
    def note_claim(self, frame: Frame, holds: Lanes, kind: str, place: Place) -> None: ...


class Frame:
    """Lanes of a batch, in ascending order; `lanes` None: all of them. `guard`: those for which an expression is evaluated, None
    for all."""

    __slots__ = ("_ids", "batch", "cache", "count", "dirty", "guard", "lanes")

    def __init__(self, batch: Surroundings, lanes: Numbers | None) -> None:
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
