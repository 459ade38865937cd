"""A batch of blocks, run together: lanes in groups, one group for each location.

The group at the lowest location (of the lowest rank, where a schedule ranks lanes) runs until it splits, waits, ends
or comes to where others stand. Locations are numbered in program order, so lanes that parted meet again as early as the
automaton lets them, however their control flow went apart. When nobody can run, `meet` decides who may go on.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from automata.budget import METER, UNLIMITED, Budget
from automata.lang.core import AXES, Collective, Param, Quantity
from automata.lang.exactness import PLACE, TIMES
from automata.lang.spaces import WARP
from automata.machine.lanes.frame import Compiled, Frame
from automata.machine.numbers.ascending import ascending
from automata.machine.numbers.values import Lanes, Mask, Numbers, every, some
from automata.machine.running.code import Branch, Code, Do, End, Meet
from automata.machine.running.exchange import exchange, exchange_data
from automata.machine.running.heap import Heap
from automata.machine.running.meet import resolve
from automata.machine.running.recurrence import Recurrence
from automata.machine.state.clock import Clock, Idents
from automata.machine.state.outcome import Divergence, Event, Outcome, Setting, Triple
from automata.machine.state.schedule import Schedule
from automata.machine.state.shadow import Shadow
from automata.place import EndlessError, GivenUpError, NeverEndsError, Place
from automata.scalar import I32, U32, Scalar
from automata.verdict import Actor

MAX_EVENTS = 256
FOR_EVER = "goes round for ever"
ROUNDS_FOR_ONE = 32
"""Rounds of a strip that count as one towards the limit on rounds, as they take about as long."""
Groups = list[Numbers]
OPERATION, LANE, LANE_OF_SYMBOLS = 12_000, 8, 400
"""Nanoseconds of work: of an operation, and of each lane in it; of one whose values are symbols."""


class Runnable(Compiled, Protocol):
    """A program with its code, and where it begins."""

    @property
    def code(self) -> Code: ...
    @property
    def entry(self) -> int: ...


class Batch:
    """Some blocks of a launch with all their lanes: `block` is each lane's block, counted within the batch."""

    heap: Heap
    shadows: dict[str, Shadow]
    max_accesses: int | None = None
    budget: Budget = UNLIMITED
    elsewhere: int = 0
    absent: int = 0

    def __init__(self, program: Runnable, setting: Setting, outcome: Outcome, blocks: Numbers, clock: Clock,
                 schedule: Schedule, poison: int, apart: bool, max_rounds: int, *, parks: bool = False) -> None:
        self.lane = LANE if program.data is None else LANE_OF_SYMBOLS
        self.program, self.setting, self.outcome, self.blocks, self.clock = program, setting, outcome, blocks, clock
        self.code: Code = program.code
        self.schedule, self.poison_value, self.apart, self.max_rounds, self.asked = schedule, poison, apart, max_rounds, 0
        self.threads, self.lanes = setting.threads, setting.threads * blocks.size
        self.all = np.arange(self.lanes)
        self.block = np.repeat(np.arange(blocks.size), self.threads)
        self.locals, self.owned = dict[str, Lanes](), set[str]()
        self.done = np.zeros(self.lanes, np.bool_)
        self.ended_at = np.full(self.lanes, -1, np.int64)
        self.gone_on: set[int] = set()
        self.pending: dict[tuple[int, int], Groups] = {}
        self.queue: list[tuple[int, int]] = []
        self.waiting: dict[int, Groups] = {}
        self.ranks: Numbers | None = None
        self.turn, self.rounds = 0, 0
        self.parks, self.recurrence = parks, Recurrence(self)
        self.parked: dict[int, Place] = {}
        self.resting: set[int] = set()
        self.declare()

    def declare(self) -> None:
        """Coordinates, sizes and scalar parameters."""
        values = self.program.values
        thread = np.tile(np.arange(self.threads), self.blocks.size)
        numbers = ((Quantity.THREAD, thread, self.setting.block), (Quantity.BLOCK, self.blocks[self.block], self.setting.grid))
        for quantity, flat, (x, y, z) in numbers:
            for axis, part in zip(AXES, (flat % x, flat // x % y, flat // (x * y)), strict=True):
                size = dict(zip(AXES, (x, y, z), strict=True))[axis]
                name = f"{quantity.value}.{axis}"
                self.locals[name] = values.constant(0, U32) if size == 1 else part.astype(np.uint32)
        for quantity, triple in ((Quantity.BLOCK_DIM, self.setting.block), (Quantity.GRID_DIM, self.setting.grid)):
            for axis, size in zip(AXES, triple, strict=True):
                self.locals[f"{quantity.value}.{axis}"] = values.constant(size, U32)
        for param in self.code.kernel.params:
            number = values.constant(self.setting.scalars.get(param.name, 0), param.type)
            self.locals[param.name] = number if self.program.data is None else self.symbol(param, number)
        for head in self.code.heads.values():
            if head.counter:
                self.locals[head.counter] = values.constant(0, I32)

    def symbol(self, param: Param, number: Lanes) -> Lanes:
        """A scalar parameter of a symbolic run."""
        data = self.program.data
        if data is None or param.name not in data.partition.locals:
            return number
        if param.name in self.setting.scalars:
            return data.domain.lift(number, param.type)
        return data.domain.parameter(param.name)

    # -- running --------------------------------------------------------------------------------

    def run(self) -> None:
        """Until every lane has ended."""
        self.rank()
        self.push(self.program.entry, self.all)
        while self.pending or resolve(self):
            while self.queue:
                rank, location = heapq.heappop(self.queue)
                groups = self.pending.pop((rank, location))
                self.advance(location, rank, groups[0] if len(groups) == 1 else np.sort(np.concatenate(groups)))

    def rank(self) -> None:
        """Draw the ranks anew, at the start and after every barrier."""
        known = {int(block): at for at, block in enumerate(self.blocks)}
        ahead = tuple(known[block] * self.threads + thread for block, thread in self.schedule.first if block in known)
        self.ranks = self.schedule.ranks(self.lanes, self.threads, self.turn, ahead)
        self.turn += 1

    def push(self, location: int, lanes: Numbers) -> None:
        """Let lanes run on at a location."""
        if self.ranks is None:
            self.put(0, location, lanes)
            return
        ranks = self.ranks[lanes]
        for rank in ascending(ranks).tolist():
            self.put(rank, location, lanes[ranks == rank])

    def put(self, rank: int, location: int, lanes: Numbers) -> None:
        if not lanes.size:
            return
        key = rank, location
        if key not in self.pending:
            self.pending[key] = []
            heapq.heappush(self.queue, key)
        self.pending[key].append(lanes)

    def advance(self, location: int, rank: int, lanes: Numbers) -> None:
        """Run one group until it splits, waits, ends, or others come first."""
        frame = Frame(self, None if lanes.size == self.lanes else lanes)
        instructions = self.code.instructions
        while True:
            self.arrive(frame, location)
            instruction = instructions[location]
            match instruction:
                case Do(run=run, target=target):
                    run(frame)
                case Branch():
                    chosen = self.branch(frame, location, instruction, rank)
                    if chosen is None:
                        return
                    target = chosen
                case Meet():
                    frame.flush()
                    self.waiting.setdefault(location, []).append(lanes)
                    return
                case End():
                    frame.flush()
                    self.done[lanes] = True
                    return
            if target == self.code.exit:
                self.ended_at[lanes] = location
            if target in self.code.heads:
                frame = self.crossed(frame, location, target)
                lanes = frame.numbers()
            location = target
            if not lanes.size or (self.queue and self.queue[0] <= (rank, location)):
                frame.flush()
                self.put(rank, location, lanes)
                return

    def mind_time(self) -> None:
        """EndlessError once the time for the run is up."""
        if self.budget.is_spent:
            raise EndlessError("the time for the run is up", self.program.automaton.kernel.place)

    def arrive(self, frame: Frame, location: int) -> None:
        """Mind the time; at the head of a loop run rounds at once: where that cannot be, not again before the loop is
        entered anew."""
        METER.done += OPERATION + frame.count * self.lane
        self.mind_time()
        strip = self.code.strips.get(location)
        if strip is not None and location not in self.resting:
            rounds = strip.run(frame)
            self.rounds += -(-rounds // ROUNDS_FOR_ONE)
            if not rounds:
                self.resting.add(location)

    def branch(self, frame: Frame, location: int, branch: Branch, rank: int) -> int | None:
        """Where all lanes go on; None if they part (both groups are queued then)."""
        chosen = branch.test(frame)
        if every(chosen):
            return branch.then
        if not some(chosen):
            return branch.other
        frame.flush()
        assert isinstance(chosen, np.ndarray)
        lanes = frame.numbers()
        for target, mask in ((branch.then, chosen), (branch.other, ~chosen)):
            side = lanes[mask]
            if target == self.code.exit:
                self.ended_at[lanes] = location
            if target in self.code.heads:
                part = Frame(self, side)
                stuck = self.cross(part, location, target)
                part.flush()
                side = side if stuck is None else self.park(side, stuck, target)
            self.put(rank, target, side)
        return None

    def cross(self, frame: Frame, location: int, head: int) -> Mask | None:
        """An edge into the head of a loop; the lanes that go round it for ever (None: none is seen to)."""
        counter = self.code.heads[head].counter
        if (location, head) not in self.code.again:
            self.resting.discard(head)
            self.recurrence.enter(head, frame.numbers())
            if counter:
                frame.set(counter, self.program.values.constant(0, I32))
            return None
        self.rounds += 1
        if self.max_accesses is not None and self.heap.accesses > self.max_accesses:
            raise GivenUpError("the loop here was given up: the run made too many accesses", self.code.heads[head].place,
                               "accesses")
        if self.rounds > self.max_rounds:
            raise GivenUpError(f"the loop here still runs after {self.max_rounds:,} rounds of loops in one batch of blocks: "
                               "it may never end; raise --max-steps if it should", self.code.heads[head].place)
        if counter:
            frame.set(counter, np.add(frame.get(counter), np.int32(1)))
        return self.recurrence.again(frame, head)

    def crossed(self, frame: Frame, location: int, head: int) -> Frame:
        """The lanes of a group that run on behind an edge into the head of a loop."""
        stuck = self.cross(frame, location, head)
        if stuck is None:
            return frame
        frame.flush()
        return Frame(self, self.park(frame.numbers(), stuck, head))

    def park(self, lanes: Numbers, stuck: Mask, head: int) -> Numbers:
        """Lanes without those that go round a loop for ever; these run no more, and have not ended either. Where threads meet in
        the loop the others would wait for them in vain, and the run is over."""
        place, gone = self.code.heads[head].place, lanes[stuck].tolist()
        if not self.parks or self.code.heads[head].counter:
            actor = self.actor_of(gone[0])
            raise NeverEndsError(f"the loop here never ends: {actor} comes to it again as it was before", place,
                                 Event(FOR_EVER, actor, place))
        self.parked.update(dict.fromkeys(gone, place))
        self.note(self.outcome.endless, FOR_EVER, gone[0], place)
        return lanes[~stuck]

    def write_back(self, name: str, value: Lanes, lanes: Numbers | None) -> None:
        """A group's value of a local becomes the lanes' value."""
        if lanes is None:
            self.locals[name] = value
            self.owned.discard(name)
            return
        whole = self.locals.get(name)
        if whole is None or whole.ndim == 0 or whole.dtype != value.dtype:
            before = np.zeros((), value.dtype) if whole is None or whole.dtype != value.dtype else whole
            whole = np.full(self.lanes, before)
        elif name not in self.owned:
            whole = np.array(whole)
        self.locals[name] = whole
        self.owned.add(name)
        whole[lanes] = value

    def poison(self, frame: Frame, name: str, kind: Scalar) -> Lanes:
        """The values of a local that nobody has set."""
        data = self.program.data
        if data is not None and data.holds(name):
            return data.domain.undefined(name, self.blocks[self.block[frame.numbers()]] * self.threads + frame.numbers())
        value = self.program.values.constant(self.poison_value, kind)
        return value + frame.numbers().astype(value.dtype) if self.apart else value

    def havoc(self, frame: Frame, name: str, what: str, place: Place) -> None:
        kind = self.program.types.get(name, I32)
        value = self.poison(frame, name, kind)
        if self.elsewhere and what in TIMES:
            self.asked += 1
            value = value + self.program.values.constant(self.asked * self.elsewhere, kind)
        elif self.elsewhere and what == PLACE:
            value = value + self.program.values.constant(self.elsewhere, kind)
        frame.set(name, value)

    # -- lanes ----------------------------------------------------------------------------------

    def fence(self, frame: Frame, *, is_wide: bool) -> None:
        """Lanes pass a memory fence; `is_wide`: one that may order what threads of several blocks do."""
        if self.heap.watch is not None:
            self.heap.watch.fence(ascending(self.blocks[self.block[frame.numbers()]]), is_wide=is_wide)

    def lane_in_warp(self, frame: Frame) -> Numbers:
        return frame.numbers() % self.threads % WARP

    def warp(self, lanes: Numbers) -> Numbers:
        """The number of each lane's warp in the batch."""
        return lanes // self.threads * -(-self.threads // WARP) + lanes % self.threads // WARP

    def exchange(self, meet: Meet, frame: Frame) -> None:
        """An exchange among the lanes of a frame, within their warps."""
        self.exchanged(meet, frame, self.warp(frame.numbers()))

    def exchanged(self, meet: Meet, frame: Frame, groups: Numbers) -> None:
        assert isinstance(meet.stmt, Collective)
        args = [np.broadcast_to(arg(frame), (frame.count,)) for arg in meet.args]
        kind, data = self.program.types.get(meet.stmt.result), self.program.data
        if data is not None and data.holds(meet.stmt.result):
            frame.set(meet.stmt.result, exchange_data(data, meet.stmt, frame, groups, args))
            return
        found = exchange(meet.stmt, frame, groups, args)
        frame.set(meet.stmt.result, found if kind is None else found.astype(self.program.values.dtype(kind)))

    def actor_of(self, lane: int) -> Actor:
        return _actor(self.setting, int(self.blocks[lane // self.threads]), lane % self.threads)

    def who(self, ident: int) -> tuple[tuple[int, int], Actor]:
        """The flat block and thread of an ident, and its thread; of a copy by the block, the block's first."""
        block = int(self.blocks[ident >> self.clock.thread_bits])
        thread = ident & ((1 << self.clock.thread_bits) - 1)
        return (block, thread), _actor(self.setting, block, thread if thread < self.threads else 0)

    def other_than(self, actor: Actor) -> Actor:
        """Another thread of the block: a copy that all of its threads make is told as that of one of them."""
        last = _coordinates(self.threads - 1, self.setting.block)
        return Actor(actor.block, last if actor.thread != last else (0, 0, 0))

    # -- events ---------------------------------------------------------------------------------

    def note(self, events: list[Event], what: str, lane: int, place: Place, array: str = "", index: tuple[int, ...] = ()) -> None:
        if len(events) < MAX_EVENTS:
            events.append(Event(what, self.actor_of(lane), place, array, index))

    def note_undefined(self, frame: Frame, bad: Lanes, what: str, place: Place) -> None:
        for at in _some(bad, frame.count):
            self.note(self.outcome.undefined, what, int(frame.numbers()[at]), place)

    def note_overflow(self, frame: Frame, bad: Lanes, kind: Scalar, place: Place, exact: Callable[[int], int]) -> None:
        bad = bad if frame.guard is None else np.logical_and(bad, frame.guard)
        for at in _some(bad, frame.count):
            self.note(self.outcome.overflows, f"{exact(at)} does not fit {kind}", int(frame.numbers()[at]), place)

    def note_outside(self, frame: Frame, bad: Mask, array: str, index: Numbers, access: str, place: Place) -> None:
        dims = self.code.arrays[array].dims
        for at in _some(bad, frame.count):
            flat = int(index[at])
            self.note(self.outcome.out_of_bounds, access, int(frame.numbers()[at]), place, array, _subscripts(flat, dims))

    def note_copy_outside(self, block: int, array: str, index: Numbers, place: Place) -> None:
        self.note(self.outcome.out_of_bounds, "asynchronous copy", block * self.threads, place, array, (int(index[0]),))

    def note_uninitialised(self, ids: Idents, bad: Mask, array: str, index: Numbers, place: Place) -> None:
        for at in _some(bad, bad.size):
            lane = int(self.clock.lane_of(ids[at:at + 1])[0])
            self.note(self.outcome.uninitialised, "read", lane, place, array, (int(index[at]),))

    def note_claim(self, frame: Frame, holds: Lanes, kind: str, place: Place) -> None:
        for at in _some(np.logical_not(holds), frame.count):
            self.note(self.outcome.failed, kind, int(frame.numbers()[at]), place)

    def note_divergence(self, waiting: int, barrier: Place, absent: int, other: Place | None, *, nameless: bool = False) -> None:
        self.outcome.divergences.append(
            Divergence(self.actor_of(waiting), barrier, self.actor_of(absent), other, absent in self.parked, nameless))

    def tick(self) -> None:
        """After time went on: shadows that have no room for it make some."""
        if any(self.clock.now + 2 >= shadow.limit for shadow in self.shadows.values()):
            for shadow in self.shadows.values():
                shadow.make_room()
            self.clock.restart()
            for shadow in self.shadows.values():
                shadow.begin(self.clock)

    def rank_again(self) -> None:
        """Draw ranks anew for lanes that were released; those already queued keep their order."""
        queued = [(location, lanes) for (_, location), groups in sorted(self.pending.items()) for lanes in groups]
        self.pending.clear()
        self.queue.clear()
        self.rank()
        for location, lanes in queued:
            self.push(location, lanes)


def _actor(setting: Setting, block: int, thread: int) -> Actor:
    return Actor(_coordinates(block, setting.grid), _coordinates(thread, setting.block))


def _coordinates(flat: int, size: Triple) -> Triple:
    x, y, _ = size
    return flat % x, flat // x % y, flat // (x * y)


def _some(bad: Any, count: int, most: int = 4) -> list[int]:
    """The first few of the lanes that a mask names."""
    found: list[int] = np.flatnonzero(np.broadcast_to(bad, (count,)))[:most].tolist()
    return found


def _subscripts(flat: int, dims: tuple[int | None, ...]) -> tuple[int, ...]:
    """A flat index as subscripts, outermost first; what runs over stays in the first."""
    found: list[int] = []
    for extent in reversed(dims[1:]):
        assert extent is not None
        found.append(flat % extent if extent else 0)
        flat = flat // extent if extent else flat
    return (flat, *reversed(found))
