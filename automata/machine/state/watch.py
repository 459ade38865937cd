"""Who touched which cell: a second run that looks at a few cells only, and judges every pair of accesses to them.

The shadow knows that accesses to a cell conflict, but not where in the source the earlier one stands, and of several
only that there were some. A run is repeatable, so it is run again, without shadows, with the cells in question
watched. Of each thread the last access of each kind is kept: what is ordered after it is ordered after all before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from automata.budget import METER
from automata.lang.core import Space
from automata.machine.numbers.values import Mask, Numbers
from automata.machine.state.clock import Clock, Idents
from automata.machine.state.handshakes import Handshakes, have_been_seen
from automata.machine.state.memory import Cells
from automata.machine.state.outcome import Conflict, Touch
from automata.machine.state.rules import ORDER, ORDER_SHOWS, RACE, SAME
from automata.place import Place
from automata.verdict import Actor

MAX_KEPT = 4096
MAX_LOOKS = 4096
"""Accesses to a cell that are looked at once a race at it has a name; sixteen times as many before."""
FEW_LOOKS = 256
"""The same, for a run that looks for any conflict and not for all of them."""
LOOK = 100_000
"""Nanoseconds for one of them."""
Cell = tuple[str, int, int]
Key = tuple[int, int]
"""A thread, by flat block and flat thread; a copy by the block counts as a thread beyond the last."""
COLUMNS = ("block", "thread", "ident", "time", "batch", "events", "writes", "family", "narrow", "bits", "order")


@dataclass(frozen=True, slots=True)
class Manner:
    """How memory is accessed. `family`: of atomic updates; 0: not atomic."""

    writes: bool
    family: int = 0
    narrow: bool = False


READ, WRITE = Manner(False), Manner(True)


@dataclass
class _Log:
    """The accesses to one cell: a row for each thread and kind of access, the oldest row overwritten when it is full."""

    rows: dict[tuple[Key, Manner, int], int] = field(default_factory=dict)
    touches: list[Touch] = field(default_factory=list)
    columns: dict[str, Numbers] = field(default_factory=lambda: {name: np.zeros(64, np.int64) for name in COLUMNS})
    looks: int = 0
    has_race: bool = False
    is_complete: bool = True
    is_done: bool = False

    def add(self, key: tuple[Key, Manner, int], touch: Touch, values: dict[str, int]) -> None:
        at = self.rows.pop(key, None)
        if at is None and len(self.touches) >= MAX_KEPT:
            at, self.is_complete = self.rows.pop(next(iter(self.rows))), False
        if at is None:
            at = len(self.touches)
            self.touches.append(touch)
            if at >= self.columns["block"].size:
                self.columns = {name: np.concatenate([column, np.zeros_like(column)]) for name, column in self.columns.items()}
        self.rows[key], self.touches[at] = at, touch
        for name, value in values.items():
            self.columns[name][at] = value

    def known(self) -> dict[str, Numbers]:
        return {name: column[:len(self.touches)] for name, column in self.columns.items()}


@dataclass
class Watch:
    """Cells to look at: array, block (-1: global memory), flat index; their accesses, and the conflicts among those. `looks`: see
    MAX_LOOKS. `has_handshakes`: fences may order accesses, with atomic ones between them; `handshakes`: what there was of both;
    `volatile`: the arrays that are.

    `follow` says which batch runs and how its threads are known.
    """

    cells: frozenset[Cell]
    looks: int = MAX_LOOKS
    logs: dict[Cell, _Log] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    slots: dict[str, tuple[Space, Numbers, list[Cell]]] = field(default_factory=dict)
    told: set[object] = field(default_factory=set)
    batch: int = 0
    has_handshakes: bool = False
    handshakes: Handshakes = field(default_factory=Handshakes)
    volatile: frozenset[str] = frozenset()

    def follow(self, clock: Clock, who: Callable[[int], tuple[Key, Actor]], other_than: Callable[[Actor], Actor]) -> None:
        self.clock, self.who, self.other_than = clock, who, other_than
        self.batch += 1
        self.slots = {}

    def touches(self, cell: Cell) -> list[Touch]:
        """What is kept of the accesses to a cell, oldest first."""
        log = self.logs[cell]
        return [log.touches[at] for at in log.rows.values()]

    def is_complete(self, cell: Cell) -> bool:
        """Whether a race at the cell would have been seen, or was."""
        log = self.logs.get(cell)
        return log is None or log.is_complete or log.has_race

    def touch(self, name: str, slots: Numbers, ids: Idents, manner: Manner, values: Cells | Any, place: Place) -> None:
        """Look at what touches watched cells. `values`: one for each plain write, else the whole buffer."""
        if manner.family:
            self.handshakes.update()
        if name not in self.slots:
            return
        space, watched, cells = self.slots[name]
        for at in np.flatnonzero(np.isin(slots, watched)).tolist():
            cell = cells[int(np.flatnonzero(watched == slots[at])[0])]
            log = self.logs.get(cell)
            if log is None:
                log = self.logs[cell] = _Log()
            if log.is_done:
                continue
            log.looks += 1
            if log.looks > self.looks * (1 if log.has_race else 16):
                log.is_complete, log.is_done = False, True
                self.pass_by(name, cell)
                continue
            is_store = manner.writes and not manner.family
            value = values[slots[at]] if not is_store else values[at] if values.ndim else values
            self.look(cell, log, space, int(ids[at]), manner, value, place)

    def fence(self, blocks: Numbers, *, is_wide: bool) -> None:
        self.handshakes.fence(blocks.tolist(), is_wide=is_wide)

    def pass_by(self, name: str, cell: Cell) -> None:
        """Look at a cell no more, of which enough has been seen."""
        space, watched, cells = self.slots[name]
        kept = [at for at, other in enumerate(cells) if other != cell]
        self.slots[name] = space, watched[kept], [cells[at] for at in kept]

    def look(self, cell: Cell, log: _Log, space: Space, ident: int, manner: Manner, value: Any, place: Place) -> None:
        """One access: name its conflicts with earlier ones, and keep it."""
        METER.done += LOOK
        key, actor = self.who(ident)
        touch = Touch(actor, manner.writes, value.item(), place)
        bits = int.from_bytes(value.tobytes()[:8], "little", signed=True)
        own = {"block": key[0], "thread": key[1], "ident": ident, "time": self.clock.now, "batch": self.batch,
               "events": self.handshakes.events, "writes": manner.writes, "family": manner.family,
               "narrow": manner.narrow, "bits": bits, "order": log.looks}
        if log.touches:
            for rule, which, doubtful in self.rules(log.known(), {**own, "volatile": cell[0] in self.volatile}, space):
                found = np.flatnonzero(which)
                if found.size:
                    log.has_race |= rule == RACE and not (doubtful and self.clock.chosen)
                    self.tell(cell, rule, log.touches[int(found[-1])], touch, key[1] >= self.clock.threads, doubtful)
        log.add((key, manner, bits if manner.writes else 0), touch, own)

    def rules(self, kept: dict[str, Numbers], own: dict[str, int], space: Space) -> list[tuple[str, Mask, bool]]:
        """Which earlier accesses this one conflicts with, by rule; whether that is in doubt, since fences may order them."""
        away = kept["block"] != own["block"]
        is_copy = own["thread"] >= self.clock.threads
        other = away | (kept["thread"] != own["thread"]) | (is_copy & (kept["time"] != own["time"]))
        open_ = other & ((kept["writes"] != 0) | bool(own["writes"]))
        now, doubt = open_ & (kept["batch"] == own["batch"]), np.zeros(open_.size, np.bool_)
        if now.any():
            earlier = np.where(now, kept["ident"], own["ident"]).astype(np.uint32)
            mine = np.full(earlier.size, own["ident"], np.uint32)
            open_ &= ~(now & self.clock.ordered(space, earlier, kept["time"], mine))
            if self.clock.chosen:
                surely, perhaps = self.clock.by_flags(space, earlier, kept["time"], mine)
                open_ &= ~(now & surely)
                doubt = now & perhaps
        if self.has_handshakes:
            doubt |= open_ & (self.handshakes.between(kept, own) | have_been_seen(kept, own))
        both = (kept["family"] > 0) & (own["family"] > 0)
        narrow = both & away & ((kept["narrow"] != 0) | bool(own["narrow"]))
        commute = both & (kept["family"] == own["family"]) & (own["family"] != ORDER_SHOWS)
        plain = (kept["family"] == 0) & (own["family"] == 0) & (kept["writes"] != 0) & bool(own["writes"])
        same = plain & (kept["bits"] == own["bits"])
        race = (~both & ~same) | narrow
        found = [(RACE, open_ & race), (SAME, open_ & same), (ORDER, open_ & both & ~narrow & ~commute)]
        return [(rule, which & ~doubt, False) for rule, which in found] + (
            [(rule, which & doubt, True) for rule, which in found] if doubt.any() else [])

    def tell(self, cell: Cell, rule: str, first: Touch, second: Touch, is_copy: bool, doubtful: bool) -> None:
        """Keep a conflict, the first of its kind at a place; a copy is told as one of the block's threads."""
        kind = cell[0], rule, second.place, second.is_write, first.is_write, doubtful
        if kind in self.told:
            return
        self.told.add(kind)
        if first.actor == second.actor and is_copy:
            second = replace(second, actor=self.other_than(first.actor))
        elif first.actor == second.actor:
            first = replace(first, actor=self.other_than(second.actor))
        has_fences = self.has_handshakes and not doubtful and first.actor.block != second.actor.block
        self.conflicts.append(Conflict(cell[0], cell[2], first, second, rule == SAME, RACE if rule == SAME else rule, doubtful,
                                       has_fences=has_fences))
