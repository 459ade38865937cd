"""Shadow memory: an exact oracle for conflicts, two words a cell, whatever the number of accesses.

For each cell of an array the shadow keeps its last writer and its last reader, as stamps: time of the access, flags,
thread. Of several unordered readers only the latest is kept, and how far apart they are (`SPREAD`: within an aligned
tile of 2^k lanes, 6: wider than a warp; `BLOCKS`: in different blocks): enough to decide every later writer, since
who is ordered after the latest of them and knows all of the tile is ordered after each. Of writers: `MANY` wrote
without order (the same value, or atomically), `WIDE` in several warps, `FAR` in several blocks; an atomic update keeps in
mind its kind, a narrow scope, and that its block wrote the cell plainly before; a plain one that its block wrote another
value before, which others may still meet (`varied`). Arrays that the kernel never writes
need no shadow, arrays that it never reads no readers.

After Leung et al. (PLDI 2012, section 4, whose log grew with the run) and HiRace (Jacobson et al. 2024; 8 bytes a cell).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from automata.lang.core import Space
from automata.machine.clock import Clock, Idents
from automata.machine.memory import Buffer, Cells, Dynamic, Paged, widened
from automata.machine.schedule import WARP
from automata.machine.values import Mask, Numbers
from automata.place import Place

Stamps = npt.NDArray[Any]
Again = tuple[Numbers, Numbers, Numbers]

FLAG_BITS = 8
MANY, KIND, NARROW, PLAIN, FAR, WIDE = 1, 14, 16, 32, 64, 128
SPREAD, BLOCKS = 7, 8
ORDERED_KIND = 7
WHOLE_WARP, WIDER_THAN_A_WARP = 5, 6
FAMILIES = {"add": 1, "sub": 1, "min": 2, "max": 3, "and": 4, "or": 5, "xor": 6}
SHORTEST_CLOCK = 8


@dataclass(frozen=True, slots=True)
class Suspect:
    """An access that is not ordered after an earlier one: the cell by slot, the later thread, what the earlier one did.

    `earlier`: its ident, -1 where that is not known. `kind`: "conflict" or "atomic-order".
    """

    kind: str
    place: Place
    slot: int
    later: int
    earlier: int
    later_writes: bool
    earlier_writes: bool
    same_value: bool


class Shadow:
    """The shadow of one array, in the numbering of its buffer's slots."""

    def __init__(self, buffer: Buffer, clock: Clock, *, is_read: bool, tell: Callable[[Suspect], None]) -> None:
        self.buffer, self.tell, self.is_read = buffer, tell, is_read
        self.is_shared = buffer.array.space is Space.SHARED
        wide = clock.id_bits + FLAG_BITS + SHORTEST_CLOCK > 32
        self.word: type[np.unsignedinteger[Any]] = np.uint64 if wide else np.uint32
        self.writes: Stamps = np.zeros(buffer.cells.size, self.word)
        self.reads: Stamps = np.zeros(buffer.cells.size if is_read else 0, self.word)
        self.silent: set[tuple[Place, str, bool, bool, bool]] = set()
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
        self.writes = np.concatenate([self.writes, np.zeros(size - self.writes.size, self.word)])
        if self.is_read:
            self.reads = np.concatenate([self.reads, np.zeros(size - self.reads.size, self.word)])

    def promote(self) -> None:
        self.word = np.uint64
        self.writes, self.reads = self.writes.astype(np.uint64), self.reads.astype(np.uint64)

    def make_room(self) -> None:
        """Before time runs out: stamps count it from the last barriers, or become wider words."""
        if self.clock.now - self.clock.oldest() + 4 >= self.limit // 2:
            self.promote()
        for name in ("writes", "reads"):
            stamps = getattr(self, name)
            rest = stamps & self.word((1 << int(self.time_shift)) - 1)
            before = (stamps >> self.time_shift).astype(np.int64)
            times = self.clock.shift_back(before).astype(self.word)
            gone = (before < self.clock.grid) | (stamps == 0)
            setattr(self, name, np.where(gone, self.word(0), (times << self.time_shift) | rest))

    def forget_times(self) -> None:
        """All that is stamped is of earlier batches: one time for all of it is enough."""
        for name in ("writes", "reads"):
            stamps = getattr(self, name)
            rest = stamps & self.word((1 << int(self.time_shift)) - 1)
            setattr(self, name, np.where(stamps != 0, rest | (self.word(1) << self.time_shift), self.word(0)))

    # -- accesses -------------------------------------------------------------------------------

    def read(self, slots: Numbers, ids: Idents, place: Place) -> Mask | None:
        """Note reads; the mask of those that read what nobody wrote (shared memory only; None: no such)."""
        mine = self.stamps(ids)
        last = self.writes.take(slots)
        self.check_writes(last, slots, ids, place, writes=False)
        self.mark(slots, mine, ids)
        if not self.is_shared or last.all():
            return None
        return last == 0

    def check_write(self, slots: Numbers, ids: Idents, place: Place, cells: Cells, value: Cells) -> Again | None:
        """Look at what came before; the entries that repeat an unordered earlier write's value (None: none)."""
        last = self.writes.take(slots)
        unordered = self.unordered_writes(last, ids)
        again: Again | None = None
        if unordered is not None:
            same = same_bits(cells[slots[unordered]], value[unordered] if value.ndim else value)
            away = self.is_away(last[unordered], ids[unordered])
            same &= self.flags(last[unordered], KIND | NARROW) == 0
            same &= ~away | (self.flags(last[unordered], PLAIN) == 0)
            for equal in (False, True):
                self.report("conflict", unordered[same == equal], last, slots, ids, place, True, True, equal)
            far = away | (self.flags(last[unordered], FAR) != 0)
            wide = self.is_wide(last[unordered], ids[unordered]) | (self.flags(last[unordered], WIDE) != 0)
            again = unordered[same], unordered[same & far], unordered[same & wide]
        self.check_reads(slots, ids, place)
        return again

    def varied(self, slots: Numbers, ids: Idents, cells: Cells, value: Cells) -> Stamps:
        """Flags of writes over another value of the own block: `PLAIN` where other blocks may still meet that value,
        `NARROW` where threads of the own block may."""
        last = self.writes.take(slots)
        if not last.any():
            return np.zeros(slots.size, self.word)
        own = (last != 0) & ~self.is_away(last, ids)
        fresh = own & ~self.is_stale(last, ids)
        if self.is_shared:
            own = fresh
        unlike, kinds = ~same_bits(cells[slots], value), self.flags(last, KIND) != 0
        flags = np.where(own & (unlike | kinds | (self.flags(last, PLAIN) != 0)), self.word(PLAIN), self.word(0))
        return flags | np.where(fresh & (unlike | kinds | (self.flags(last, NARROW) != 0)), self.word(NARROW), self.word(0))

    def note_write(self, slots: Numbers, ids: Idents, place: Place, cells: Cells, value: Cells, again: Again | None,
                   varied: Stamps) -> None:
        """Stamp the cells after the values are in memory; of several writers at once the last one stays."""
        mine = self.stamps(ids) | (varied << self.flag_shift)
        self.writes[slots] = mine
        kept = self.writes.take(slots)
        lost = np.flatnonzero(((kept ^ mine) & self.id_mask) != 0)
        if lost.size:
            same = same_bits(cells[slots[lost]], value[lost] if value.ndim else value)
            for equal in (False, True):
                self.report("conflict", lost[same == equal], kept, slots, ids, place, True, True, equal)
            self.flag(self.writes, slots[lost], MANY)
            self.flag(self.writes, slots[lost[self.is_away(kept[lost], ids[lost])]], FAR)
            self.flag(self.writes, slots[lost[self.is_wide(kept[lost], ids[lost])]], WIDE)
        if again is not None:
            for which, entries in zip((MANY, FAR, WIDE), again, strict=True):
                self.flag(self.writes, slots[entries], which)

    def atomic(self, slots: Numbers, ids: Idents, place: Place, op: str, *, used: bool, narrow: bool) -> None:
        """Atomic updates: of one commuting family, and with no result used, they have no order to depend on."""
        kind = ORDERED_KIND if used or self.buffer.array.element.is_float else FAMILIES.get(op, ORDERED_KIND)
        last = self.alive(self.writes.take(slots))
        kinds = self.flags(last, KIND) >> self.word(1)
        far = (last != 0) & self.is_away(last, ids)
        flags = np.full(slots.size, (kind << 1) | (NARROW if narrow else 0), self.word)
        flags |= np.where(far, self.word(FAR), self.flags(last, FAR))
        flags |= np.where((last != 0) & (kinds == 0) & ~far, self.word(PLAIN), self.flags(last, PLAIN))
        met = (last != 0) & ~far if not self.is_shared else ~self.is_stale(last, ids)
        flags[met & (kinds != 0) & (kinds != kind)] |= self.word(KIND)
        flags |= np.where(met & (kinds != 0), self.flags(last, NARROW), self.word(0))
        unordered = self.unordered_writes(last, ids)
        if unordered is not None:
            wide = self.is_wide(last[unordered], ids[unordered]) | (self.flags(last[unordered], WIDE) != 0)
            flags[unordered] |= np.where(wide, self.word(MANY | WIDE), self.word(MANY))
            mixed = self.check_atomics(unordered, last, kinds, far, slots, ids, place, kind, narrow)
            flags[mixed] |= self.word(KIND)
        self.check_reads(slots, ids, place)
        mine = self.stamps(ids) | (flags << self.flag_shift)
        own = (last != 0) & (kinds == 0) & ~far & (((last ^ mine) & self.id_mask) == 0) & ~self.is_stale(last, ids)
        self.writes[slots] = np.where(own, last, mine)
        kept = self.writes.take(slots)
        lost = np.flatnonzero(((kept ^ mine) & self.id_mask) != 0)
        if lost.size:
            self.flag(self.writes, slots[lost], MANY)
            self.flag(self.writes, slots[lost[self.is_wide(kept[lost], ids[lost])]], WIDE)
            far_lost = lost[self.is_away(kept[lost], ids[lost])]
            self.flag(self.writes, slots[far_lost], FAR)
            if narrow:
                self.report("conflict", far_lost, kept, slots, ids, place, True, True, False)
            if kind == ORDERED_KIND:
                self.report("atomic-order", lost, kept, slots, ids, place, True, True, False)

    def check_atomics(self, unordered: Numbers, last: Stamps, kinds: Stamps, far: Mask, slots: Numbers, ids: Idents,
                      place: Place, kind: int, narrow: bool) -> Numbers:
        """Unordered updates: conflicts with plain or too narrow ones; those of another family are returned."""
        flags = self.flags(last[unordered], NARROW | PLAIN)
        plain = (kinds[unordered] == 0) | (far[unordered] & (narrow | (flags != 0)))
        self.report("conflict", unordered[plain], last, slots, ids, place, True, True, False)
        mixed = unordered[~plain & ((kinds[unordered] != kind) | (kind == ORDERED_KIND))]
        self.report("atomic-order", mixed, last, slots, ids, place, True, True, False)
        return mixed

    # -- checks ---------------------------------------------------------------------------------

    def stamps(self, ids: Idents) -> Stamps:
        return ids.astype(self.word) | self.word(self.clock.now << int(self.time_shift))

    def flags(self, stamps: Stamps, which: int) -> Stamps:
        return (stamps >> self.flag_shift) & self.word(which)

    def alive(self, stamps: Stamps) -> Stamps:
        """Without those that a grid barrier has ordered before everything."""
        if not self.clock.grid:
            return stamps
        return np.where((stamps >> self.time_shift) < self.word(self.clock.grid), self.word(0), stamps)

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

    def unordered_writes(self, last: Stamps, ids: Idents) -> Numbers | None:
        """Entries whose cell was last written by another thread without order; None: none."""
        fresh = ~self.is_stale(last, ids) if self.is_shared else last != 0
        if not fresh.any():
            return None
        other = ((last ^ ids.astype(self.word)) & self.id_mask) != 0
        if not self.is_shared:
            other |= (last >> self.time_shift) < self.word(self.clock.start)
        some = np.flatnonzero(fresh & (other | (self.flags(last, MANY | FAR) != 0)))
        if not some.size:
            return None
        space, stamps = self.buffer.array.space, last[some]
        earlier, times = stamps & self.id_mask, (stamps >> self.time_shift).astype(np.int64)
        ordered = self.clock.ordered(space, earlier, times, ids[some])
        if self.flags(stamps, MANY | FAR).any():
            several = self.clock.by_barrier(space, earlier, times, ids[some])
            tiled = self.clock.tile_ordered(space, earlier, times, ids[some], np.full(some.size, WHOLE_WARP))
            several |= tiled & (self.flags(stamps, WIDE) == 0)
            ordered = np.where(self.flags(stamps, MANY) != 0, several, ordered)
            ordered = np.where(self.flags(stamps, FAR) != 0, times < self.clock.grid, ordered)
        found = some[~ordered]
        return found if found.size else None

    def check_writes(self, last: Stamps, slots: Numbers, ids: Idents, place: Place, *, writes: bool) -> None:
        unordered = self.unordered_writes(last, ids)
        if unordered is not None:
            self.report("conflict", unordered, last, slots, ids, place, writes, True, False)

    def check_reads(self, slots: Numbers, ids: Idents, place: Place) -> None:
        """A write: is it ordered after all readers of the cell?"""
        if not self.is_read:
            return
        last = self.reads.take(slots)
        fresh = ~self.is_stale(last, ids) if self.is_shared else last != 0
        if not fresh.any():
            return
        several = self.flags(last, SPREAD | BLOCKS) != 0
        other = ((last ^ ids.astype(self.word)) & self.id_mask) != 0
        if not self.is_shared:
            other |= (last >> self.time_shift) < self.word(self.clock.start)
        some = np.flatnonzero(fresh & (several | other))
        if some.size:
            open_ = some[~self.readers_ordered(last[some], ids[some])]
            self.report("conflict", open_, last, slots, ids, place, True, False, False)

    def readers_ordered(self, last: Stamps, ids: Idents) -> Mask:
        space, level = self.buffer.array.space, self.flags(last, SPREAD).astype(np.int64)
        earlier, times = last & self.id_mask, (last >> self.time_shift).astype(np.int64)
        found = self.clock.ordered(space, earlier, times, ids)
        if self.clock.seen is not None:
            tiled = self.clock.tile_ordered(space, earlier, times, ids, level)
            found = np.where(level > 0, self.clock.by_barrier(space, earlier, times, ids) | tiled, found)
        return found & ((self.flags(last, BLOCKS) == 0) | (times < self.clock.grid))

    def mark(self, slots: Numbers, mine: Stamps, ids: Idents) -> None:
        """Add readers to their cells."""
        last = self.alive(self.reads.take(slots))
        if self.clock.seen is None and ((last ^ mine) & self.id_mask == 0).all() and not self.is_stale(last, ids).any():
            return
        new = mine
        if last.any():
            stale = self.is_stale(last, ids)
            if not self.is_shared:
                away = (last != 0) & self.is_away(last, ids)
                held = np.where(away, self.word(BLOCKS), self.flags(last, BLOCKS))
                new = new | (held << self.flag_shift)
                stale |= away
            if not stale.all():
                new = new | (np.where(stale, self.word(0), self.joined(last, mine)) << self.flag_shift)
        self.reads[slots] = new
        kept = self.reads.take(slots)
        lost = np.flatnonzero(kept != new)
        if not lost.size:
            return
        if self.is_shared and self.clock.seen is None:
            self.reads[slots[lost]] = kept[lost] | self.widest
        else:
            self.join_readers(slots[lost], kept[lost], new[lost])

    def joined(self, last: Stamps, mine: Stamps) -> Stamps:
        """The spread of a cell's readers once a thread of their block has joined them."""
        apart = self.distance(last, mine)
        before = self.flags(last, SPREAD)
        if self.clock.seen is not None:
            ids = (mine & self.id_mask).astype(np.uint32)
            known = self.readers_ordered(last & ~(self.word(BLOCKS) << self.flag_shift), ids)
            return np.where(known, self.word(0), np.maximum(before, apart))
        return np.maximum(before, apart)

    def distance(self, one: Stamps, other: Stamps) -> Stamps:
        """0: one thread; k: two in an aligned tile of 2^k lanes; 6: further apart."""
        apart = (one ^ other) & self.id_mask
        if self.clock.seen is None:
            return np.where(apart != 0, self.word(WIDER_THAN_A_WARP), self.word(0))
        level = np.frexp(apart.astype(np.float64))[1]
        return np.where(apart >= WARP, WIDER_THAN_A_WARP, level).astype(self.word)

    def join_readers(self, slots: Numbers, kept: Stamps, mine: Stamps) -> None:
        """Several lanes read a cell at once: widen the spread of the one that stayed."""
        if not self.is_shared:
            away = self.clock.block_of(kept & self.id_mask) != self.clock.block_of(mine & self.id_mask)
            self.flag(self.reads, slots[away], BLOCKS)
        level = self.distance(kept, mine)
        for step in np.unique(level):
            where = slots[level == step]
            now = self.reads[where]
            spread = np.maximum(self.flags(now, SPREAD), step)
            self.reads[where] = (now & ~(self.word(SPREAD) << self.flag_shift)) | (spread << self.flag_shift)
        self.flag(self.reads, slots, 0, of=mine)

    def flag(self, stamps: Stamps, slots: Numbers, which: int, of: Stamps | None = None) -> None:
        """Set flags of cells (`of`: the block flag that a lost stamp carried as well)."""
        if of is not None:
            carried = self.flags(of, BLOCKS) != 0
            if not carried.any():
                return
            slots, which = slots[carried], BLOCKS
        if slots.size:
            stamps[slots] = stamps[slots] | (self.word(which) << self.flag_shift)

    def report(self, kind: str, entries: Numbers, last: Stamps, slots: Numbers, ids: Idents, place: Place,
               writes: bool, earlier_writes: bool, same: bool) -> None:
        """Tell the first of each kind at each place."""
        key = (place, kind, writes, earlier_writes, same)
        if not entries.size or key in self.silent:
            return
        self.silent.add(key)
        at = int(entries[0])
        stamp = last[at]
        known = int(stamp >> self.time_shift) >= self.clock.start
        earlier = int(stamp & self.id_mask) if known else -1
        self.tell(Suspect(kind, place, int(slots[at]), int(ids[at]), earlier, writes, earlier_writes, same))


def same_bits(left: Any, right: Any) -> Mask:
    """Bit-identical contents: tells −0 from 0, and one NaN from another."""
    one, two = np.broadcast_arrays(np.ascontiguousarray(left), np.asarray(right, dtype=np.asarray(left).dtype))
    if one.dtype.kind == "f":
        bits = f"u{one.dtype.itemsize}"
        return np.ascontiguousarray(one).view(bits) == np.ascontiguousarray(two).view(bits)
    return one == two
