"""What orders accesses: the happens-before of a running batch of blocks, by time stamps.

Time counts the releases of barriers. An access of thread u at time s is ordered before an access that thread t
makes now if u is t; or a block barrier that fences the space released their block after s; or a warp barrier, directly
or through others, let t know of u's past up to s (`seen`, a vector clock cut to the warp); or a grid barrier came
between. A copy by the block (asynchronous) is a thread of its own that only the wait on it orders.
Lanes are known by `ident`: the block of the batch in the high bits, the thread in the low ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from automata.lang.core import Space
from automata.lang.fences import FENCE_BITS
from automata.lang.spaces import WARP
from automata.machine.numbers.ascending import ascending
from automata.machine.numbers.values import Mask, Numbers

Idents = npt.NDArray[np.uint32]
Times = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A barrier that blocks have passed at a time, at which only some lanes of each have fenced a space."""

    space: Space
    time: int
    blocks: Mask
    fenced: Mask


@dataclass
class Clock:
    """Time of one batch. `copies`: how many asynchronous copies the kernel has; `now` starts after all earlier batches;
    `most_blocks`: of any batch, so that idents are of one width."""

    blocks: int
    threads: int
    copies: int
    now: int
    has_warp_barriers: bool
    most_blocks: int
    start: int = field(init=False)
    grid: int = 0
    chosen: list[Chosen] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start = self.now
        self.thread_bits = (self.threads + self.copies - 1).bit_length()
        self.id_bits = self.thread_bits + (self.most_blocks - 1).bit_length()
        block, thread = np.divmod(np.arange(self.blocks * self.threads, dtype=np.uint32), np.uint32(self.threads))
        self.ident: Idents = (block << np.uint32(self.thread_bits)) | thread
        self.bars = {space: np.full(self.blocks, self.now, np.int64) for space in (Space.GLOBAL, Space.SHARED)}
        self.common: dict[Space, int | None] = {space: self.now for space in self.bars}
        self.waited = np.zeros((self.blocks, max(1, self.copies)), np.int64)
        self.lost = np.zeros_like(self.waited)
        self.under_way = np.zeros(self.waited.shape, np.bool_)
        self.waited_then, self.lost_then = self.waited.copy(), self.lost.copy()
        self.seen: dict[Space, Times] | None = None
        if self.has_warp_barriers:
            self.seen = {space: np.zeros((self.blocks * self.threads, WARP), np.int64) for space in self.bars}

    def block_of(self, ids: npt.NDArray[np.uint64] | Idents) -> Numbers:
        return (ids >> ids.dtype.type(self.thread_bits)).astype(np.int64)

    def thread_of(self, ids: npt.NDArray[np.uint64] | Idents) -> Numbers:
        return (ids & ids.dtype.type((1 << self.thread_bits) - 1)).astype(np.int64)

    def lane_of(self, ids: npt.NDArray[np.uint64] | Idents) -> Numbers:
        return self.block_of(ids) * self.threads + self.thread_of(ids)

    def copier(self, blocks: Numbers, copy: int) -> Idents:
        """The idents of a copy statement's own threads."""
        return ((blocks << self.thread_bits) | (self.threads + copy)).astype(np.uint32)

    # -- releases -------------------------------------------------------------------------------

    def pass_block_barrier(self, blocks: Numbers, fences: frozenset[Space]) -> None:
        """Blocks pass a barrier together."""
        self.now += 1
        for space in fences & self.bars.keys():
            self.bars[space][blocks] = self.now
            first = int(self.bars[space][0])
            self.common[space] = first if (self.bars[space] == first).all() else None

    def pass_chosen_barrier(self, lanes: Numbers, flags: Numbers) -> None:
        """Blocks pass a barrier at which each lane says what it fences: what all do is fenced, what some do is kept in mind."""
        block = lanes // self.threads
        for space, bit in FENCE_BITS.items():
            fences = (flags & bit) != 0
            count = np.bincount(block[fences], minlength=self.blocks)
            self.pass_block_barrier(ascending(block[count[block] == self.threads]), frozenset({space}))
            some = (count > 0) & (count < self.threads)
            if some.any():
                fenced = np.zeros(self.blocks * self.threads, np.bool_)
                fenced[lanes] = fences
                self.chosen.append(Chosen(space, self.now, some, fenced))

    def pass_grid_barrier(self) -> None:
        self.pass_block_barrier(np.arange(self.blocks), frozenset(self.bars))
        self.grid = self.now
        self.waited_then, self.lost_then = self.waited.copy(), self.lost.copy()

    def pass_warp_barrier(self, lanes: Numbers, group: Numbers, fences: frozenset[Space]) -> None:
        """Lanes of one group (ascending numbers) learn each other's past in the spaces that are fenced."""
        assert self.seen is not None
        self.now += 1
        order = np.argsort(group, kind="stable")
        lanes, group = lanes[order], group[order]
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        which = np.cumsum(np.diff(group, prepend=group[0]) != 0)
        for space in fences & self.seen.keys():
            known = np.maximum.reduceat(self.seen[space][lanes], starts, axis=0)
            known[which, lanes % self.threads % WARP] = self.now
            self.seen[space][lanes] = known[which]

    def begin_copy(self, blocks: Numbers, copy: int, lost: tuple[int, ...]) -> None:
        """Copies have a time of their own: a copy statement that is carried out again makes another copy. `lost`: those of the
        same event, for which nothing can wait any more if they are under way."""
        for other in lost:
            self.lost[blocks[self.under_way[blocks, other]], other] = self.now
        self.now += 1
        self.under_way[blocks, copy] = True

    def finish_copies(self, blocks: Numbers, copies: tuple[int, ...]) -> None:
        """The accesses of these copies have ended for these blocks."""
        self.now += 1
        for copy in copies:
            self.waited[blocks, copy] = self.now
            self.under_way[blocks, copy] = False

    def shift_back(self, times: Times) -> Times:
        """Times with everything before the batch as 1, before all its barriers as 2, the rest counted from 3."""
        low = self.oldest()
        return np.where(times < self.start, np.minimum(times, 1), np.where(times < low, 2, times - low + 3))

    def oldest(self) -> int:
        """The earliest time that still orders something: a last barrier of any block in any space, a wait for a copy."""
        waits = np.concatenate([waited[waited > 0] for waited in (self.waited, self.waited_then)])
        return min(*(int(bars.min()) for bars in self.bars.values()), int(waits.min(initial=self.now)))

    def restart(self) -> None:
        """Count time from the last barrier that all blocks passed; shadows have used `shift_back` before."""
        low = self.oldest()
        self.lost, self.lost_then = (np.where(lost > 0, self.shift_back(lost), 0) for lost in (self.lost, self.lost_then))
        for space, bars in self.bars.items():
            self.bars[space] = bars - low + 3
            common = self.common[space]
            self.common[space] = None if common is None else common - low + 3
        for times in [self.waited, self.waited_then, *([] if self.seen is None else self.seen.values())]:
            np.maximum(times - low + 3, 0, out=times)
        self.chosen = [replace(item, time=item.time - low + 3) for item in self.chosen if item.time >= low]
        self.grid = max(2, self.grid - low + 3) if self.grid else 0
        self.now, self.start = self.now - low + 3, 2

    # -- order ----------------------------------------------------------------------------------

    def by_barrier(self, space: Space, earlier: Idents, times: Times, ids: Idents) -> Mask:
        """Whether accesses of threads `earlier` at `times` come before all that the blocks of `ids` do from now on."""
        block = self.block_of(ids)
        who, bars = self.thread_of(earlier), self.bars[space][block]
        if self.copies:
            copy = np.clip(who - self.threads, 0, self.copies - 1)
            ended = np.where(times > self.lost[block, copy], self.waited[block, copy], 0)
            bars = np.where(who >= self.threads, ended, bars)
        found: Mask = (self.block_of(earlier) == block) & (times >= self.start) & (times < bars)
        return found | self.by_grid_barrier(earlier, times)

    def by_grid_barrier(self, earlier: npt.NDArray[np.uint64] | Idents, times: Times) -> Mask:
        """Whether accesses of threads `earlier` at `times` come before the last grid barrier: those of a copy if it was waited
        for before."""
        found: Mask = times < self.grid
        if self.copies and self.grid:
            block, copy = self.block_of(earlier), self.thread_of(earlier) - self.threads
            at = block, np.maximum(copy, 0)
            found &= (copy < 0) | ((times > self.lost_then[at]) & (times < self.waited_then[at]))
        return found

    def is_copy(self, ids: npt.NDArray[np.uint64] | Idents) -> Mask:
        """Whether accesses are by a copy of the block, and not by a thread."""
        found: Mask = self.thread_of(ids) >= self.threads
        return found

    def all_waited(self, space: Space, times: Times, ids: Idents) -> Mask:
        """Whether the blocks of `ids` have passed a barrier and a wait for each of their copies after `times`."""
        block = self.block_of(ids)
        found: Mask = (times < self.bars[space][block]) & (times < self.waited[block].min(axis=1))
        found &= times > self.lost[block].max(axis=1)
        return found

    def ordered(self, space: Space, earlier: Idents, times: Times, ids: Idents) -> Mask:
        """Whether accesses of threads `earlier` at `times` come before what threads `ids` do now."""
        found = self.by_barrier(space, earlier, times, ids)
        if self.seen is not None:
            block, me, who = self.block_of(ids), self.thread_of(ids), self.thread_of(earlier)
            near = (self.block_of(earlier) == block) & (times >= self.start) & (me // WARP == who // WARP)
            near &= (who < self.threads) & (me < self.threads)
            lanes = np.where(near, block * self.threads + me, 0)
            found |= near & (times < self.seen[space][lanes, who % WARP])
        if self.copies and self.threads <= WARP:
            found |= self.is_copy(ids) & self.known_to_all(space, earlier, times, ids)
        return found

    def by_flags(self, space: Space, earlier: Idents, times: Times, ids: Idents) -> tuple[Mask, Mask]:
        """Whether barriers at which lanes chose their fences order accesses of threads `earlier` at `times` before what `ids` do
        now: for sure, since both fenced at one; and perhaps, since the earlier one fenced at some (a copy by the
        block fences nothing itself)."""
        block, far = self.block_of(ids), self.block_of(earlier)
        near = (far == block) & (times >= self.start) & ~self.is_copy(earlier)
        by_thread = ~self.is_copy(ids)
        mine, theirs = np.where(near & by_thread, self.lane_of(ids), 0), np.where(near, self.lane_of(earlier), 0)
        surely, perhaps = np.zeros(near.size, np.bool_), np.zeros(near.size, np.bool_)
        for item in self.chosen:
            if item.space is space:
                passed = near & item.blocks[np.where(near, block, 0)] & (times < item.time)
                surely |= passed & by_thread & item.fenced[mine] & item.fenced[theirs]
                perhaps |= passed & item.fenced[theirs]
        return surely, perhaps

    def known_to_all(self, space: Space, earlier: Idents, times: Times, ids: Idents) -> Mask:
        """Whether each thread of a block of one warp knows of it: any of them may begin the block's copy."""
        block, who = self.block_of(ids), self.thread_of(earlier)
        near = (self.block_of(earlier) == block) & (times >= self.start) & (who < self.threads)
        seen = np.zeros((self.blocks * self.threads, WARP), np.int64) if self.seen is None else self.seen[space]
        known = seen.reshape(self.blocks, self.threads, WARP)[block, :, who % WARP]
        mine = np.arange(self.threads)[None, :] == who[:, None]
        found: Mask = near & np.where(mine, True, times[:, None] < known).all(axis=1)
        return found

    def tile_ordered(self, space: Space, earlier: Idents, times: Times, ids: Idents, level: Numbers) -> Mask:
        """Whether `ids` know of all others in the aligned tile of 2^level lanes around `earlier`, up to `times`."""
        if self.seen is None:
            return np.zeros(times.size, np.bool_)
        block, me, who = self.block_of(ids), self.thread_of(ids), self.thread_of(earlier)
        near = (self.block_of(earlier) == block) & (times >= self.start) & (me // WARP == who // WARP) & (level <= 5)
        near &= (who < self.threads) & (me < self.threads)
        lane = np.arange(WARP)
        known = self.seen[space][np.where(near, block * self.threads + me, 0)]
        in_tile = (lane[None, :] >> level[:, None]) == ((who % WARP) >> level)[:, None]
        others = in_tile & (lane[None, :] != (me % WARP)[:, None])
        others &= (me // WARP * WARP)[:, None] + lane[None, :] < self.threads
        alright = np.where(others, times[:, None] < known, True).all(axis=1)
        return near & alright
