"""Stamps: what the shadow keeps of an access, in one word; and how stamps stand to what threads do now.

A stamp is the time of the access, flags, and the ident of the thread, from the high bits down. It has 32 bits until time or
threads need more. 0: no access.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from automata.lang.core import Space
from automata.lang.spaces import WARP
from automata.machine.numbers.values import Mask, Numbers
from automata.machine.state.clock import Clock, Idents
from automata.machine.state.memory import Buffer, Dynamic, Paged, widened

Stamps = npt.NDArray[Any]

FLAG_BITS = 8
MANY, KIND, NARROW, PLAIN, FAR, WIDE = 1, 14, 16, 32, 64, 128
SPREAD, BLOCKS = 7, 8
WHOLE_WARP, WIDER_THAN_A_WARP = 5, 6
SHORTEST_CLOCK = 8


class Stamped:
    """The stamps of one array, in the numbering of its buffer's slots: of last writers and of last readers."""

    def __init__(self, buffer: Buffer, clock: Clock, *, is_read: bool) -> None:
        self.buffer, self.is_read = buffer, is_read
        self.is_shared = buffer.array.space is Space.SHARED
        wide = clock.id_bits + FLAG_BITS + SHORTEST_CLOCK > 32
        self.word: type[np.unsignedinteger[Any]] = np.uint64 if wide else np.uint32
        self.writes: Stamps = np.zeros(buffer.cells.size, self.word)
        self.reads: Stamps = np.zeros(buffer.cells.size if is_read else 0, self.word)
        if isinstance(buffer, Dynamic):
            buffer.grown.append(self.widen)
        if isinstance(buffer, Paged):
            buffer.grown.append(self.lengthen)
        self.begin(clock)

    def begin(self, clock: Clock) -> None:
        """Follow another batch; what is stamped stays."""
        self.clock = clock
        word = self.word
        self.id_mask = word((1 << clock.id_bits) - 1)
        self.flag_shift, self.time_shift = word(clock.id_bits), word(clock.id_bits + FLAG_BITS)
        self.widest = word(WIDER_THAN_A_WARP << clock.id_bits)
        self.limit = 1 << (self.writes.itemsize * 8 - clock.id_bits - FLAG_BITS)

    @property
    def bytes(self) -> int:
        return self.writes.nbytes + self.reads.nbytes

    def widen(self, blocks: int, before: int, after: int) -> None:
        self.writes = widened(self.writes, blocks, before, after, 0)
        self.reads = widened(self.reads, blocks, before, after, 0) if self.is_read else self.reads

    def lengthen(self, size: int) -> None:
        if size == self.writes.size:
            return
        self.writes = np.concatenate([self.writes, np.zeros(size - self.writes.size, self.word)])
        if self.is_read:
            self.reads = np.concatenate([self.reads, np.zeros(size - self.reads.size, self.word)])

    def promote(self) -> None:
        self.word = np.uint64
        self.writes, self.reads = self.writes.astype(np.uint64), self.reads.astype(np.uint64)

    def make_room(self) -> None:
        """Before time runs out: stamps count it from the last barriers, or become wider words. That a shared cell was written at
        all stays known."""
        if self.clock.now - self.clock.oldest() + 4 >= self.limit // 2:
            self.promote()
        for name in ("writes", "reads"):
            stamps = getattr(self, name)
            rest = stamps & self.word((1 << int(self.time_shift)) - 1)
            times = self.clock.shift_back((stamps >> self.time_shift).astype(np.int64)).astype(self.word)
            kept = self.word(1 << int(self.time_shift)) if self.is_shared and name == "writes" else self.word(0)
            moved = np.where(self.is_over(stamps), kept, (times << self.time_shift) | rest)
            setattr(self, name, np.where(stamps == 0, stamps, moved))

    def forget_times(self) -> None:
        """All that is stamped is of earlier batches: one time for all of it is enough."""
        for name in ("writes", "reads"):
            stamps = getattr(self, name)
            rest = stamps & self.word((1 << int(self.time_shift)) - 1)
            setattr(self, name, np.where(stamps != 0, rest | (self.word(1) << self.time_shift), self.word(0)))

    # -- single stamps ------------------------------------------------------------------------------

    def stamps(self, ids: Idents) -> Stamps:
        return ids.astype(self.word) | self.word(self.clock.now << int(self.time_shift))

    def flags(self, stamps: Stamps, which: int) -> Stamps:
        return (stamps >> self.flag_shift) & self.word(which)

    def flag(self, stamps: Stamps, slots: Numbers, which: int, of: Stamps | None = None) -> None:
        """Set flags of cells (`of`: the block flag that a lost stamp carried as well)."""
        if of is not None:
            carried = self.flags(of, BLOCKS) != 0
            if not carried.any():
                return
            slots, which = slots[carried], BLOCKS
        if slots.size:
            stamps[slots] = stamps[slots] | (self.word(which) << self.flag_shift)

    def alive(self, stamps: Stamps) -> Stamps:
        """Without those that a grid barrier has ordered before everything."""
        if not self.clock.grid:
            return stamps
        return np.where(self.is_over(stamps), self.word(0), stamps)

    def is_over(self, stamps: Stamps) -> Mask:
        """Whether a grid barrier has ordered what is stamped before everything."""
        gone = self.clock.by_grid_barrier(stamps & self.id_mask, (stamps >> self.time_shift).astype(np.int64))
        return gone & ~self.is_held(stamps)

    def is_held(self, stamps: Stamps) -> Mask:
        """Whether the stamp of a copy stands for others as well, whose waits it does not tell."""
        if not self.clock.copies:
            return np.zeros(stamps.size, np.bool_)
        return self.clock.is_copy(stamps & self.id_mask) & (self.flags(stamps, SPREAD) != 0)

    def is_other(self, stamps: Stamps, ids: Idents) -> Mask:
        """Whether the stamp is of another thread, or of another copy."""
        other: Mask = ((stamps ^ ids.astype(self.word)) & self.id_mask) != 0
        if not self.is_shared:
            other |= (stamps >> self.time_shift) < self.word(self.clock.start)
        if self.clock.copies:
            other |= self.clock.is_copy(ids) & ((stamps >> self.time_shift) != self.word(self.clock.now))
        return other

    def is_stale(self, stamps: Stamps, ids: Idents) -> Mask:
        """For shared memory: whether the stamp's own block has passed a barrier since; a copy's own stamps do not age so."""
        common = self.clock.common[self.buffer.array.space]
        if self.clock.copies:
            times, earlier = (stamps >> self.time_shift).astype(np.int64), stamps & self.id_mask
            return (stamps == 0) | self.clock.by_barrier(self.buffer.array.space, earlier, times, ids)
        if common is not None:
            return stamps < self.word(common << int(self.time_shift))
        bars = self.clock.bars[self.buffer.array.space][self.clock.block_of(ids)]
        return (stamps >> self.time_shift).astype(np.int64) < bars

    def is_away(self, stamps: Stamps, ids: Idents) -> Mask:
        """Whether the stamp is of another block."""
        if self.is_shared:
            return np.zeros(stamps.size, np.bool_)
        away: Mask = self.clock.block_of(stamps & self.id_mask) != self.clock.block_of(ids)
        return away | ((stamps >> self.time_shift) < self.word(self.clock.start))

    def is_wide(self, stamps: Stamps, ids: Idents) -> Mask:
        """Whether the stamp is of another warp."""
        wide: Mask = ((stamps ^ ids.astype(self.word)) & self.id_mask) >= WARP
        return wide

    def is_ordered(self, stamps: Stamps, ids: Idents) -> Mask:
        """Whether the very accesses that are stamped come before what `ids` do now."""
        times = (stamps >> self.time_shift).astype(np.int64)
        return self.clock.ordered(self.buffer.array.space, stamps & self.id_mask, times, ids)

    def distance(self, one: Stamps, other: Stamps) -> Stamps:
        """0: one thread; k: two in an aligned tile of 2^k lanes; 6: further apart."""
        apart = (one ^ other) & self.id_mask
        if self.clock.seen is None:
            return np.where(apart != 0, self.word(WIDER_THAN_A_WARP), self.word(0))
        level = np.frexp(apart.astype(np.float64))[1]
        return np.where(apart >= WARP, WIDER_THAN_A_WARP, level).astype(self.word)
