"""Shadow memory: an oracle for conflicts, two words a cell, whatever the number of accesses.

For each cell of an array the shadow keeps its last writer and its last reader, as stamps (`stamps`). Of several
unordered readers only the latest is kept, and how far apart they are (`SPREAD`: within an aligned tile of 2^k lanes,
6: wider than a warp; `BLOCKS`: in different blocks): who is ordered after the latest of them and knows all of the tile
is ordered after each. A copy by the block stays a cell's reader until it is waited for. Of writers: `MANY` wrote
without order (the same value, or atomically), `WIDE` in several warps, `FAR` in several blocks; an atomic update keeps in
mind its kind, a narrow scope, and that its block wrote the cell plainly before; a plain one that its block wrote another
value before, which others may still meet (`varied`). Arrays that the kernel never writes need no shadow, arrays
that it never reads no readers.

No conflict is missed. Where warp barriers or copies order some of a cell's accesses, two words may not suffice to tell:
such a suspect is not `sure`, and all such cells are watched in a second run, which judges every pair (`watch`). So is none
once the lanes of a block have fenced unlike spaces at a barrier, which orders nothing here.

After Leung et al. (PLDI 2012, section 4, whose log grew with the run) and HiRace (Jacobson et al. 2024; 8 bytes a cell).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from automata.machine.numbers.ascending import ascending
from automata.machine.numbers.values import Mask, Numbers, same_bits
from automata.machine.state.clock import Clock, Idents
from automata.machine.state.memory import Buffer, Cells
from automata.machine.state.rules import ORDER, ORDER_SHOWS, RACE, SAME
from automata.machine.state.stamps import BLOCKS, FAR, KIND, MANY, NARROW, PLAIN, SPREAD, WHOLE_WARP, WIDE, Stamped, Stamps
from automata.place import Place

Again = tuple[Numbers, Numbers, Numbers]
MOST_DOUBTS = 64


@dataclass(frozen=True, slots=True)
class Suspect:
    """An access that is not ordered after an earlier one: the cell by slot, the later thread.

    `rule`: "race", "same-value" or "atomic-order". `sure`: else what is kept of the earlier ones does not suffice to tell.
    """

    rule: str
    slot: int
    later: int
    sure: bool


class Shadow(Stamped):
    """The shadow of one array. `tell` hears of suspects."""

    def __init__(self, buffer: Buffer, clock: Clock, *, is_read: bool, tell: Callable[[Suspect], None]) -> None:
        super().__init__(buffer, clock, is_read=is_read)
        self.tell = tell
        self.silent: set[tuple[Place, str, str]] = set()
        self.is_loaded = False
        """Whether some readers may be atomic loads: what an update meets is then in doubt."""

    # -- accesses -------------------------------------------------------------------------------

    def read(self, slots: Numbers, ids: Idents, place: Place) -> Mask | None:
        """Note reads; the mask of those that read what nobody wrote (shared memory only; None: no such)."""
        mine = self.stamps(ids)
        last = self.writes.take(slots)
        unordered = self.unordered_writes(last, ids)
        if unordered is not None:
            self.report(RACE, unordered, slots, ids, place, "is read", self.is_sure(last, unordered, ids))
        self.mark(slots, mine, ids)
        if not self.is_shared or last.all():
            return None
        return last == 0

    def load(self, slots: Numbers, ids: Idents, place: Place, *, narrow: bool) -> Mask | None:
        """Atomic loads: readers that conflict with plain writes, and with updates only in that their order shows. The mask as of
        plain reads."""
        written = self.writes.take(slots)
        last = self.alive(written)
        unordered = self.unordered_writes(last, ids)
        if unordered is not None:
            far = (last != 0) & self.is_away(last, ids)
            kinds = self.flags(last, KIND) >> self.word(1)
            self.check_atomics(unordered, last, kinds, far, slots, ids, place, ORDER_SHOWS, narrow)
        self.mark(slots, self.stamps(ids), ids)
        self.is_loaded = True
        return written == 0 if self.is_shared and not written.all() else None

    def check_write(self, slots: Numbers, ids: Idents, place: Place, cells: Cells, value: Cells) -> Again | None:
        """Look at what came before; the entries that repeat an unordered earlier write's value (None: none)."""
        last = self.writes.take(slots)
        unordered = self.unordered_writes(last, ids)
        again: Again | None = None
        if unordered is not None:
            same = same_bits(cells[slots[unordered]], value[unordered] if value.ndim else value)
            away = self.is_away(last[unordered], ids[unordered])
            same &= self.flags(last[unordered], KIND) == 0
            same &= ~away | (self.flags(last[unordered], PLAIN) == 0)
            other_before = same & (self.flags(last[unordered], NARROW) != 0)
            same &= ~other_before
            sure = self.is_sure(last, unordered, ids)
            if self.clock.seen is not None or self.clock.copies:
                sure &= ~other_before
            self.report(RACE, unordered[~same], slots, ids, place, "", sure[~same])
            self.report(SAME, unordered[same], slots, ids, place)
            far = away | (self.flags(last[unordered], FAR) != 0)
            wide = self.is_wide(last[unordered], ids[unordered]) | (self.flags(last[unordered], WIDE) != 0)
            again = unordered[same], unordered[same & far], unordered[same & wide]
        self.check_reads(slots, ids, place)
        return again

    def varied(self, slots: Numbers, ids: Idents, cells: Cells, value: Cells) -> Stamps:
        """Flags of writes over another value of the own block: `PLAIN` where other blocks may still meet that value,
        `NARROW` where threads of the own block may."""
        last = self.alive(self.writes.take(slots))
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
            self.report(RACE, lost[~same], slots, ids, place)
            self.report(SAME, lost[same], slots, ids, place)
            self.flag(self.writes, slots[lost], MANY)
            self.flag(self.writes, slots[lost[self.is_away(kept[lost], ids[lost])]], FAR)
            self.flag(self.writes, slots[lost[self.is_wide(kept[lost], ids[lost])]], WIDE)
        if again is not None:
            for which, entries in zip((MANY, FAR, WIDE), again, strict=True):
                self.flag(self.writes, slots[entries], which)

    def atomic(self, slots: Numbers, ids: Idents, place: Place, kind: int, *, narrow: bool) -> None:
        """Atomic updates of a family (`FAMILIES`). A thread's own plain write stays the last one, if no barrier has come since,
        flagged as one of another value: what others write there meets the update, whatever the value."""
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
        self.check_reads(slots, ids, place, in_doubt=self.is_loaded)
        mine = self.stamps(ids) | (flags << self.flag_shift)
        own = (last != 0) & (kinds == 0) & ~far & (((last ^ mine) & self.id_mask) == 0) & ~self.is_stale(last, ids)
        if self.clock.seen is not None:
            own &= (last >> self.time_shift) == (mine >> self.time_shift)
        self.writes[slots] = np.where(own, last | (self.word(PLAIN | NARROW) << self.flag_shift), mine)
        kept = self.writes.take(slots)
        lost = np.flatnonzero(((kept ^ mine) & self.id_mask) != 0)
        if lost.size:
            self.flag(self.writes, slots[lost], MANY)
            self.flag(self.writes, slots[lost[self.is_wide(kept[lost], ids[lost])]], WIDE)
            far_lost = lost[self.is_away(kept[lost], ids[lost])]
            self.flag(self.writes, slots[far_lost], FAR)
            if narrow:
                self.report(RACE, far_lost, slots, ids, place)
            if kind == ORDER_SHOWS:
                self.report(ORDER, lost, slots, ids, place)

    def check_atomics(self, unordered: Numbers, last: Stamps, kinds: Stamps, far: Mask, slots: Numbers, ids: Idents,
                      place: Place, kind: int, narrow: bool) -> Numbers:
        """Unordered updates: conflicts with plain or too narrow ones; those of another family are returned. A plain write of the
        own block before the last update may be ordered before that one by a barrier of its warp alone: a doubt."""
        flags = self.flags(last[unordered], NARROW | PLAIN)
        plain = (kinds[unordered] == 0) | (far[unordered] & (narrow | (flags != 0)))
        self.report(RACE, unordered[plain], slots, ids, place, "", self.is_sure(last, unordered[plain], ids))
        if self.clock.seen is not None:
            before = unordered[~plain & ~far[unordered] & ((flags & self.word(PLAIN)) != 0)]
            self.report(RACE, before, slots, ids, place, "", np.zeros(before.size, np.bool_))
        mixed = unordered[~plain & ((kinds[unordered] != kind) | (kind == ORDER_SHOWS))]
        self.report(ORDER, mixed, slots, ids, place, "", self.is_sure(last, mixed, ids))
        return mixed

    def is_sure(self, last: Stamps, entries: Numbers, ids: Idents) -> Mask:
        """Of unordered writes: not where only some of several lanes that wrote are not ordered before, as far as is known."""
        if self.clock.seen is None:
            return np.ones(entries.size, np.bool_)
        doubtful = (self.flags(last[entries], MANY) != 0) & self.is_ordered(last[entries], ids[entries])
        return ~doubtful

    # -- checks ---------------------------------------------------------------------------------

    def unordered_writes(self, last: Stamps, ids: Idents) -> Numbers | None:
        """Entries whose cell was last written by another thread without order; None: none."""
        fresh = ~self.is_stale(last, ids) if self.is_shared else last != 0
        if not fresh.any():
            return None
        some = np.flatnonzero(fresh & (self.is_other(last, ids) | (self.flags(last, MANY | FAR) != 0)))
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
            ordered = np.where(self.flags(stamps, FAR) != 0, self.clock.by_grid_barrier(earlier, times), ordered)
        found = some[~ordered]
        return found if found.size else None

    def check_reads(self, slots: Numbers, ids: Idents, place: Place, *, in_doubt: bool = False) -> None:
        """A write: is it ordered after all readers of the cell? `in_doubt`: those may not conflict with it."""
        if not self.is_read:
            return
        last = self.reads.take(slots)
        fresh = ~self.is_stale(last, ids) if self.is_shared else last != 0
        if self.clock.copies:
            fresh = (last != 0) & ~self.all_waited(last, ids, ~fresh)
        if not fresh.any():
            return
        several = self.flags(last, SPREAD | BLOCKS) != 0
        some = np.flatnonzero(fresh & (several | self.is_other(last, ids)))
        if some.size:
            open_ = some[~self.readers_ordered(last[some], ids[some])]
            sure = self.is_other(last[open_], ids[open_]) & ~self.is_ordered(last[open_], ids[open_])
            if self.clock.seen is None and not self.clock.copies:
                sure[:] = True
            sure |= self.flags(last[open_], BLOCKS) != 0
            sure &= ~self.is_held(last[open_])
            self.report(RACE, open_, slots, ids, place, "read before", sure & (not in_doubt))

    def all_waited(self, last: Stamps, ids: Idents, otherwise: Mask) -> Mask:
        """Of copies that read a cell with others: whether a barrier and all waits have come since."""
        several = self.is_held(last)
        times = (last >> self.time_shift).astype(np.int64)
        waited = self.clock.all_waited(self.buffer.array.space, times, ids) & (self.flags(last, BLOCKS) == 0)
        return np.where(several, waited, otherwise)

    def readers_ordered(self, last: Stamps, ids: Idents) -> Mask:
        space, level = self.buffer.array.space, self.flags(last, SPREAD).astype(np.int64)
        earlier, times = last & self.id_mask, (last >> self.time_shift).astype(np.int64)
        found = self.clock.ordered(space, earlier, times, ids)
        if self.clock.seen is not None:
            tiled = self.clock.tile_ordered(space, earlier, times, ids, level)
            found = np.where(level > 0, self.clock.by_barrier(space, earlier, times, ids) | tiled, found)
        if self.clock.copies:
            found = self.all_waited(last, ids, found)
        return found & ((self.flags(last, BLOCKS) == 0) | self.clock.by_grid_barrier(earlier, times))

    def mark(self, slots: Numbers, mine: Stamps, ids: Idents) -> None:
        """Add readers to their cells."""
        last = self.alive(self.reads.take(slots))
        if self.clock.seen is None and ((last ^ mine) & self.id_mask == 0).all() and not self.is_stale(last, ids).any():
            return
        new = mine
        if last.any():
            stale = self.is_stale(last, ids)
            if self.clock.copies:
                stale = (last == 0) | self.all_waited(last, ids, stale)
                new = self.kept_copies(last, new, stale)
            if not self.is_shared:
                away = (last != 0) & self.is_away(last, ids)
                held = np.where(away, self.word(BLOCKS), self.flags(last, BLOCKS))
                new = new | (held << self.flag_shift)
                stale |= away
            if not stale.all():
                new = new | (np.where(stale, self.word(0), self.joined(last, new)) << self.flag_shift)
        self.reads[slots] = new
        kept = self.reads.take(slots)
        lost = np.flatnonzero(kept != new)
        if not lost.size:
            return
        if self.is_shared and self.clock.seen is None:
            self.reads[slots[lost]] = kept[lost] | self.widest
        else:
            self.join_readers(slots[lost], kept[lost], new[lost])

    def kept_copies(self, last: Stamps, mine: Stamps, stale: Mask) -> Stamps:
        """A copy that is under way stays the cell's reader; that others read the cell as well is in its spread."""
        copied, is_copy = (self.clock.is_copy(stamps & self.id_mask) for stamps in (last, mine))
        both = ~stale & (copied | is_copy)
        held = np.where(both & copied, (mine & ~self.id_mask) | (last & self.id_mask), mine)
        return np.where(both, held | self.widest, held)

    def joined(self, last: Stamps, mine: Stamps) -> Stamps:
        """The spread of a cell's readers once a thread of their block has joined them."""
        apart = self.distance(last, mine)
        before = self.flags(last, SPREAD)
        if self.clock.seen is not None:
            ids = (mine & self.id_mask).astype(np.uint32)
            known = self.readers_ordered(last & ~(self.word(BLOCKS) << self.flag_shift), ids)
            return np.where(known, self.word(0), np.maximum(before, apart))
        return np.maximum(before, apart)

    def join_readers(self, slots: Numbers, kept: Stamps, mine: Stamps) -> None:
        """Several lanes read a cell at once: widen the spread of the one that stayed."""
        if not self.is_shared:
            away = self.clock.block_of(kept & self.id_mask) != self.clock.block_of(mine & self.id_mask)
            self.flag(self.reads, slots[away], BLOCKS)
        level = self.distance(kept, mine)
        for step in ascending(level):
            where = slots[level == step]
            now = self.reads[where]
            spread = np.maximum(self.flags(now, SPREAD), step)
            self.reads[where] = (now & ~(self.word(SPREAD) << self.flag_shift)) | (spread << self.flag_shift)
        self.flag(self.reads, slots, 0, of=mine)

    def report(self, rule: str, entries: Numbers, slots: Numbers, ids: Idents, place: Place, detail: str = "",
               sure: Mask | None = None) -> None:
        """Tell the first of each rule and detail at each place, and all that are not sure."""
        if not entries.size:
            return
        certain, doubtful = (entries, entries[:0]) if sure is None else (entries[sure], entries[~sure])
        if self.clock.chosen:
            certain, doubtful = entries[:0], entries
        key = place, rule, detail
        if certain.size and key not in self.silent:
            self.silent.add(key)
            self.tell(Suspect(rule, int(slots[certain[0]]), int(ids[certain[0]]), True))
        for at in np.unique(slots[doubtful], return_index=True)[1][:MOST_DOUBTS + 1].tolist():
            self.tell(Suspect(rule, int(slots[doubtful[at]]), int(ids[doubtful[at]]), False))
