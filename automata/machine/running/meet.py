"""Where threads wait for each other: who may go on once nobody can run.

A block goes on when all its threads stand at one barrier, in the same round of the loops around it; a warp's
lanes when all that their mask names, and that have not returned before, have come. If nobody may go on, the
waiting blocks have diverged: that is noted, and they end. But where the others have all ended, a CUDA block goes on
without them (CUDA C++ Programming Guide, 7.6: since Volta a barrier waits for the threads that have not exited).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from automata.lang.core import AsyncCopy, AsyncWait, Barrier, Collective
from automata.lang.spaces import WARP
from automata.machine.lanes.frame import Frame, Surroundings
from automata.machine.numbers.ascending import ascending
from automata.machine.numbers.values import Mask, Numbers
from automata.machine.running.code import Code, Meet
from automata.machine.state.outcome import Event, Outcome, Setting
from automata.place import Place
from automata.scalar import I64

MOST_COPIED = 1 << 24
"""Elements that a copy may have; one of more leaves its arrays."""


class Crowd(Surroundings, Protocol):
    """A batch whose lanes wait. `waiting`: groups by the location at which they wait; `pending`: those that may run; `done`:
    lanes that have ended, `ended_at`: where; `gone_on`: blocks that went on without threads that had ended; `parked`: lanes that
    go round a loop for ever."""

    code: Code
    setting: Setting
    outcome: Outcome
    blocks: Numbers
    threads: int
    waiting: dict[int, list[Numbers]]
    pending: dict[tuple[int, int], list[Numbers]]
    done: Mask
    ended_at: Numbers
    gone_on: set[int]
    parked: dict[int, Place]

    def push(self, location: int, lanes: Numbers) -> None: ...
    def warp(self, lanes: Numbers) -> Numbers: ...
    def exchanged(self, meet: Meet, frame: Frame, groups: Numbers) -> None: ...
    def note(self, events: list[Event], what: str, lane: int, place: Place, array: str = "",
             index: tuple[int, ...] = ()) -> None: ...
    def note_divergence(self, waiting: int, barrier: Place, absent: int, other: Place | None, *,
                        nameless: bool = False) -> None: ...
    def tick(self) -> None: ...
    def rank_again(self) -> None: ...


def resolve(batch: Crowd) -> bool:
    """Release whoever may go on; False when all lanes have ended."""
    if not batch.waiting:
        return False
    released = False
    warps = [location for location in batch.waiting if _meet(batch, location).scope == "warp"]
    for location in warps or list(batch.waiting):
        released |= _release(batch, location)
    if warps and not released:
        for location in [location for location in batch.waiting if location not in warps]:
            released |= _release(batch, location)
    if released:
        batch.rank_again()
        return True
    _diverge(batch)
    return bool(batch.pending)


def _meet(batch: Crowd, location: int) -> Meet:
    found = batch.code.instructions[location]
    assert isinstance(found, Meet)
    return found


def _release(batch: Crowd, location: int) -> bool:
    meet = _meet(batch, location)
    groups = batch.waiting.pop(location)
    lanes = groups[0] if len(groups) == 1 else np.sort(np.concatenate(groups))
    match meet.scope:
        case "warp":
            ready = _warp(batch, meet, lanes)
        case "grid":
            ready = np.full(lanes.size, lanes.size == batch.setting.blocks * batch.threads)
            if ready.any() and batch.code.around.get(location):
                ready &= ~_out_of_step(batch, location, lanes, ready)
        case _:
            complete = np.bincount(batch.block[lanes], minlength=batch.blocks.size) == batch.threads
            ready = complete[batch.block[lanes]]
            if ready.any() and batch.code.around.get(location):
                ready &= ~_out_of_step(batch, location, lanes, ready)
    left = lanes[~ready & ~batch.done[lanes]]
    if left.size:
        batch.waiting[location] = [left]
    if not ready.any():
        return False
    going = lanes[ready]
    if meet.scope != "warp":
        _pass(batch, meet, going)
    batch.push(meet.target, going)
    return True


def _out_of_step(batch: Crowd, location: int, lanes: Numbers, ready: Mask) -> Mask:
    """Lanes of blocks whose threads have come to a barrier in different rounds of a loop: a divergence."""
    bad = np.zeros(batch.blocks.size, np.bool_)
    place = _meet(batch, location).place
    for counter in batch.code.around[location]:
        rounds = np.broadcast_to(batch.locals[counter], (batch.lanes,))
        first = rounds[batch.block * batch.threads]
        unlike = lanes[ready & (rounds[lanes] != first[lanes])]
        for lane in unlike.tolist():
            block = int(batch.block[lane])
            if not bad[block]:
                bad[block] = True
                batch.note_divergence(block * batch.threads, place, lane, place)
    if bad.any():
        gone = bad[batch.block[lanes]]
        batch.done[lanes[gone]] = True
        return gone
    return np.zeros(lanes.size, np.bool_)


def _pass(batch: Crowd, meet: Meet, lanes: Numbers) -> None:
    """What a meeting of whole blocks does."""
    blocks = ascending(batch.block[lanes])
    match meet.stmt:
        case Barrier(scope="grid"):
            batch.clock.pass_grid_barrier()
        case Barrier(fences=fences):
            batch.clock.pass_block_barrier(blocks, fences)
            for flags in meet.args:
                chosen = np.broadcast_to(flags(Frame(batch, lanes)), (lanes.size,)).astype(np.int64)
                batch.clock.pass_chosen_barrier(lanes, chosen)
        case Collective():
            frame = Frame(batch, lanes)
            batch.exchanged(meet, frame, batch.block[lanes])
            frame.flush()
        case AsyncWait():
            batch.clock.finish_copies(blocks, meet.copies)
        case AsyncCopy(joins=joins):
            batch.clock.begin_copy(blocks, meet.copies[0], () if joins else meet.copies)
            _copy(batch, meet, meet.stmt, blocks)
    batch.tick()


def _copy(batch: Crowd, meet: Meet, stmt: AsyncCopy, blocks: Numbers) -> None:
    """Each block copies its elements, as its first thread describes them; all its threads must say the same."""
    for block in blocks.tolist():
        lanes = np.arange(block * batch.threads, (block + 1) * batch.threads)
        frame = Frame(batch, lanes)
        given = [np.broadcast_to(arg(frame), (lanes.size,)) for arg in meet.args]
        unlike = np.flatnonzero(np.any([values != values[0] for values in given], axis=0))
        if unlike.size:
            batch.note_divergence(int(lanes[0]), stmt.place, int(lanes[unlike[0]]), stmt.place)
        target, source, count, *rest = (int(values[0]) for values in given)
        if not 0 <= count <= MOST_COPIED:
            batch.note_copy_outside(block, stmt.target, np.array([target]), stmt.place)
            continue
        steps = np.arange(count)
        stride = I64.wrap(rest[0]) if rest else 1
        to_global = batch.code.arrays[stmt.target].space.value == "global"
        if to_global and not stride and count > 1:
            batch.note(batch.outcome.undefined, "a copy of several elements to one cell", int(lanes[0]), stmt.place)
        to = target + steps * (stride if to_global else 1)
        origin = source + steps * (1 if to_global else stride)
        batch.heap.copy(batch.clock, meet.copies[0], block, stmt.target, stmt.source, to, origin, stmt.place)


# -- warps ----------------------------------------------------------------------------------------


def _masks(batch: Crowd, meet: Meet, lanes: Numbers) -> Numbers:
    """The lanes that each lane's meeting names, as bits; not those that have returned further up in the text."""
    warp = batch.warp(lanes)
    alive = np.zeros(int(batch.warp(batch.all[-1:])[0]) + 1, np.int64)
    waits = ~batch.done if meet.mask is None else ~batch.done | (batch.ended_at >= batch.code.until.get(meet.target, meet.target))
    living = batch.all[waits]
    np.bitwise_or.at(alive, batch.warp(living), np.int64(1) << (living % batch.threads % WARP))
    if meet.mask is None:
        return alive[warp]
    frame = Frame(batch, lanes)
    named = np.broadcast_to(meet.mask(frame), (lanes.size,)).astype(np.int64) & 0xFFFFFFFF
    return named & alive[warp]


def _warp(batch: Crowd, meet: Meet, lanes: Numbers) -> Mask:
    """Which lanes have all come that they wait for; they exchange, or learn each other's past."""
    named = _masks(batch, meet, lanes)
    warp = batch.warp(lanes)
    nameless = lanes[named >> (lanes % batch.threads % WARP) & 1 == 0]
    for lane in nameless[:1].tolist():
        batch.note_divergence(lane, meet.place, lane, meet.place, nameless=True)
    group = np.unique(warp.astype(np.int64) << WARP | named, return_inverse=True)[1].ravel()
    came = np.zeros(int(group.max()) + 1, np.int64)
    np.bitwise_or.at(came, group, np.int64(1) << (lanes % batch.threads % WARP))
    ready = (named & ~came[group]) == 0
    if ready.any():
        if isinstance(meet.stmt, Barrier):
            batch.clock.pass_warp_barrier(lanes[ready], group[ready], meet.stmt.fences)
            batch.tick()
        else:
            frame = Frame(batch, lanes[ready])
            batch.exchanged(meet, frame, group[ready])
            frame.flush()
    return ready


# -- divergence -----------------------------------------------------------------------------------


def _diverge(batch: Crowd) -> None:
    """Note one divergence of each block that waits in vain, and end those blocks that cannot go on."""
    at: dict[int, int] = {}
    for location, groups in batch.waiting.items():
        for lanes in groups:
            at.update(dict.fromkeys(lanes.tolist(), location))
    blocks: dict[int, list[int]] = {}
    for lane in sorted(at):
        blocks.setdefault(int(batch.block[lane]), []).append(lane)
    batch.waiting.clear()
    going = []
    for block, waiters in blocks.items():
        if block not in batch.gone_on:
            waiting, absent = _pair(batch, block, waiters, at)
            other = _meet(batch, at[absent]).place if absent in at else batch.parked.get(absent)
            batch.note_divergence(waiting, _meet(batch, at[waiting]).place, absent, other)
        if _goes_on(batch, waiters, at):
            batch.gone_on.add(block)
            going.append((at[waiters[0]], np.array(waiters)))
        else:
            batch.done[block * batch.threads:(block + 1) * batch.threads] = True
    for location, lanes in going:
        _pass(batch, _meet(batch, location), lanes)
        batch.push(_meet(batch, location).target, lanes)
    if going:
        batch.outcome.has_gone_on = True
        batch.rank_again()


def _goes_on(batch: Crowd, waiters: list[int], at: dict[int, int]) -> bool:
    """Whether a block of CUDA stands at one barrier, in one round, but for threads that have ended."""
    meet, lanes = _meet(batch, at[waiters[0]]), np.array(waiters)
    block = waiters[0] // batch.threads
    if any(lane // batch.threads == block for lane in batch.parked):
        return False
    together = {at[lane] for lane in waiters} == {at[waiters[0]]} and all(
        np.unique(np.broadcast_to(batch.locals[counter], (batch.lanes,))[lanes]).size == 1
        for counter in batch.code.around.get(at[waiters[0]], ()))
    return (together and batch.code.kernel.dialect == "cuda" and meet.scope == "block" and isinstance(meet.stmt, Barrier))


def _pair(batch: Crowd, block: int, lanes: list[int], at: dict[int, int]) -> tuple[int, int]:
    """A lane that waits, and one it waits for in vain."""
    first = block * batch.threads
    for waiting in lanes:
        meet = _meet(batch, at[waiting])
        named = range(first, first + batch.threads)
        if meet.scope == "warp":
            start = waiting - (waiting - first) % WARP
            bits = int(_masks(batch, meet, np.array([waiting]))[0])
            named = range(start, min(start + WARP, first + batch.threads))
            absent = [lane for lane in named if bits >> (lane - start) & 1 and _waits_elsewhere(batch, at, waiting, lane, bits)]
        else:
            named = range(batch.lanes) if meet.scope == "grid" else named
            absent = [lane for lane in named if at.get(lane) != at[waiting]]
        if absent:
            return waiting, absent[0]
    return lanes[0], lanes[-1]


def _waits_elsewhere(batch: Crowd, at: dict[int, int], waiting: int, lane: int, bits: int) -> bool:
    """Whether a lane is not where another waits for it, or there names other lanes."""
    if at.get(lane) != at[waiting]:
        return True
    return int(_masks(batch, _meet(batch, at[lane]), np.array([lane]))[0]) != bits
