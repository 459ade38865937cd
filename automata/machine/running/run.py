"""The machine: the thread automaton run by every thread of a launch at once, on NumPy arrays.

Input: an automaton and a `Setting` (sizes, arguments, contents of memory). Output: an `Outcome` (memory
afterwards, conflicts, divergences, and whatever else threads did). Blocks run in batches, so that the state of
lanes is bounded; a batch's lanes run together in groups (`step`). Every access goes through the shadow, an
exact oracle for conflicts (`shadow`); where it sees one, the launch is run again to name both accesses (`watch`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from automata.budget import METER, UNLIMITED, Budget
from automata.lang.core import Array, Atomic, Barrier, Declare, Fence, Load, Space, Store
from automata.lang.core import AsyncCopy as Copy
from automata.lang.traverse import children, expressions, walk
from automata.limits import SYMBOL_CELLS
from automata.machine.numbers.values import Concrete, Numbers, Values
from automata.machine.running.code import Code, compile_automaton
from automata.machine.running.heap import Heap
from automata.machine.running.step import Batch
from automata.machine.state.clock import Clock
from automata.machine.state.memory import FIRST_DYNAMIC, MOST_CELLS, Buffer, Cells, Dense, Dynamic, Paged
from automata.machine.state.outcome import Outcome, Setting, Triple
from automata.machine.state.rules import RACE
from automata.machine.state.schedule import CANONICAL, Schedule
from automata.machine.state.shadow import MOST_DOUBTS, Shadow, Suspect
from automata.machine.state.stamps import FLAG_BITS
from automata.machine.state.watch import MAX_LOOKS, Cell, Watch
from automata.machine.symbols.domain import Data, dtype_of
from automata.passes import passing
from automata.place import EndlessError, GivenUpError, NeverEndsError, TooLargeError, UndecidedError
from automata.scalar import Scalar
from automata.thread.automaton import Automaton

BATCH_LANES = 1 << 15
BATCH_BYTES = 1 << 28
"""Elements of an array that is run on symbols: each takes up to 48 bytes, and several times that while it is made."""
MAX_ROUNDS = 1_000_000
MAX_SUSPECTS = 16
UNLIKE = 101
"""So many cells that nobody has written hold numbers of their own."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to run. `poison`: what memory and locals hold that nobody has written; `apart`: each such local
    holds its thread's number more, and each cell another number, so that no two have the same by chance; `blocks`: only these, in
    this order; `budget`: a run that spends it is given up; `journal`: writes are kept, and (`reads`) reads; `parks`: threads that
    go round a loop for ever stay there while the others run on, where else the run ends with an EndlessError; `looks`: accesses
    that are looked at where a cell is in conflict; `begun`: a run that is given up in a loop is told as far as it went, where
    something was seen in it; `elsewhere`: a number for what says where and when threads run; `absent`: added
    to what a lane gets that asks for one that is not there."""

    schedule: Schedule = CANONICAL
    shadow: bool = True
    poison: int = 0
    apart: bool = False
    blocks: tuple[Triple, ...] | None = None
    max_rounds: int = MAX_ROUNDS
    max_accesses: int | None = None
    budget: Budget = UNLIMITED
    journal: bool = False
    reads: bool = False
    parks: bool = False
    batch_lanes: int = BATCH_LANES
    watched: frozenset[tuple[str, int]] = frozenset()
    looks: int = MAX_LOOKS
    begun: bool = False
    elsewhere: int = 0
    absent: int = 0


class Program:
    """An automaton compiled once, run many times. `watch`: overflows of signed integers are noted, and (`wraps`) unsigned ones
    that wrap; `data`: what is not a number in it, if it is run on symbols (such a run has no shadow)."""

    def __init__(self, automaton: Automaton, values: Values | None = None, *, watch: bool = True, wraps: bool = False,
                 data: Data | None = None) -> None:
        self.automaton, self.values, self.entry, self.data = automaton, values or Concrete(), automaton.entry, data
        kernel = automaton.kernel
        self.code: Code = compile_automaton(automaton, self.values, watch=watch, wraps=wraps, data=data)
        self.types: dict[str, Scalar] = {stmt.name: stmt.type for stmt in walk(kernel.body) if isinstance(stmt, Declare)}
        self.written = {name for stmt in walk(kernel.body) for name in _writes(stmt)}
        self.read = {name for stmt in walk(kernel.body) for name in _reads(stmt)}
        self.dims = {array.name: array.dims for array in kernel.arrays}
        self.volatile = frozenset(array.name for array in kernel.arrays if array.volatile)
        barriers = [stmt for stmt in walk(kernel.body) if isinstance(stmt, Barrier)]
        self.has_warp_barriers = any(stmt.scope == "warp" for stmt in barriers)
        self.has_handshakes = {Fence, Atomic} <= {type(stmt) for stmt in walk(kernel.body)}
        self.has_grid_barriers = any(stmt.scope == "grid" for stmt in barriers)

    def run(self, setting: Setting, options: Options | None = None) -> Outcome:
        """Run all blocks, or the ones asked for; with the shadow, conflicts are named by a second run."""
        options = options or Options()
        try:
            return self.noted(setting, options)
        except MemoryError as error:
            METER.lacked += 1
            raise TooLargeError("the run takes more memory than there is", self.automaton.kernel.place) from error

    @passing("run")
    def noted(self, setting: Setting, options: Options) -> Outcome:
        """The run, and the second one."""
        with np.errstate(all="ignore"):
            first = _Run(self, setting, options, None)
            outcome = first.seen()
            if setting.required is not None and not setting.required(outcome.buffers, self.written):
                raise EndlessError("what was made up does not meet what is required of it", self.automaton.kernel.place)
            cells = frozenset(first.suspects) | first.doubtful | {(name, -1, at) for name, at in options.watched}
            if cells:
                watch = Watch(cells, options.looks, has_handshakes=self.has_handshakes, volatile=self.volatile)
                _Run(self, setting, replace(options, shadow=False), watch).seen()
                outcome.conflicts = [replace(item, past_ended=outcome.has_gone_on, dims=self.dims[item.array])
                                     for item in watch.conflicts]
                outcome.touches = {(name, at): watch.touches((name, block, at)) for name, block, at in watch.logs if block < 0}
                races = {item.array for item in outcome.conflicts if item.rule == RACE and not item.same_value}
                outcome.unexplained = bool(first.racing - races) or not all(map(watch.is_complete, first.doubtful))
            return outcome


class _Run:
    """One run of a launch."""

    def __init__(self, program: Program, setting: Setting, options: Options, watch: Watch | None) -> None:
        self.program, self.setting, self.options, self.watch = program, setting, options, watch
        self.outcome = Outcome()
        self.suspects: list[Cell] = []
        self.racing: set[str] = set()
        self.doubtful: set[Cell] = set()
        self.told: Counter[tuple[str, str]] = Counter()
        self.batch: Batch | None = None
        self.globals: dict[str, Dense | Paged] = {}
        self.shadows: dict[str, Shadow] = {}
        for array in program.code.kernel.arrays:
            if array.space is Space.GLOBAL:
                self.globals[array.name] = self.made(array)
        self.outcome.buffers = self.globals

    def made(self, array: Array) -> Dense | Paged:
        """A global array with its initial contents."""
        data = self.program.data
        dtype = dtype_of(data, self.program.values, array)
        if array.name in self.setting.arrays:
            cells = np.array(self.setting.arrays[array.name], dtype).reshape(-1)
            return Dense(array, cells, cells.size)
        if array.content is not None:
            content = self.program.values.cells(array.content, array.element)
            is_data = data is not None and data.holds(array.name)
            return Dense(array, data.domain.lift(content, array.element) if data and is_data else content, content.size)
        size = self.setting.extents.get(array.name, self.setting.lengths.get(array.name))
        if array.dims and None not in array.dims:
            size = int(np.prod([extent or 0 for extent in array.dims]))
        if size is not None and data is not None and data.holds(array.name) and not SYMBOL_CELLS.allows(size):
            raise UndecidedError(f"more than {SYMBOL_CELLS.value:,} elements of '{array.name}' on symbols", array.place)
        initial = self.setting.initial or self.zeros
        if data is not None and data.holds(array.name):
            initial = data.initial
        if size is None or size > MOST_CELLS:
            return Paged(array, dtype, initial, size)
        return Dense(array, np.asarray(initial(array, np.arange(size, dtype=np.int64)), dtype), size)

    def zeros(self, array: Array, index: Numbers) -> Cells:
        return np.zeros(index.size, self.program.values.dtype(array.element))

    def seen(self) -> Outcome:
        """What is seen until the end; or until the run is given up, where that is asked for: what has happened by then stays so,
        however the run goes on."""
        try:
            return self.execute()
        except (GivenUpError, NeverEndsError):
            told = self.suspects or self.doubtful or self.outcome.out_of_bounds or self.outcome.failed
            if not self.options.begun or (self.watch is None and not told):
                raise
            return self.outcome

    def execute(self) -> Outcome:
        now, most = 1, 0
        for blocks in self.batches():
            most = most or blocks.size
            now = self.run_batch(blocks, now, most)
        self.outcome.shadow_bytes += sum(shadow.bytes for shadow in self.shadows.values())
        self.outcome.written = {name: shadow.writes for name, shadow in self.shadows.items()}
        return self.outcome

    def batches(self) -> Iterator[Numbers]:
        """The flat numbers of the blocks that run together."""
        x, y, _ = self.setting.grid
        chosen = self.options.blocks
        asked = None if chosen is None else np.array([bx + x * (by + y * bz) for bx, by, bz in chosen], np.int64)
        total = self.setting.blocks if asked is None else asked.size
        size = max(1, min(self.options.batch_lanes // self.setting.threads, BATCH_BYTES // max(1, self.block_bytes())))
        if self.program.has_grid_barriers:
            size = max(1, total)
        if total * self.setting.threads > MOST_CELLS and self.program.has_grid_barriers:
            raise TooLargeError("more blocks than a run may hold together meet at a barrier", self.program.automaton.kernel.place)
        for at in range(0, total, size):
            numbers = np.arange(at, min(total, at + size))
            if self.options.schedule.reverses:
                numbers = total - 1 - numbers
            yield np.sort(numbers if asked is None else asked[numbers])

    def clock(self, blocks: Numbers, now: int, most: int) -> Clock:
        program = self.program
        return Clock(blocks.size, self.setting.threads, program.code.copies, now + 1, program.has_warp_barriers, most)

    def block_bytes(self) -> int:
        """What the shared and private arrays of one block take, with their shadow."""
        total = 0
        for array in self.program.code.kernel.arrays:
            if array.space is not Space.GLOBAL:
                copies = 1 if array.space is Space.SHARED else self.setting.threads
                size = int(np.prod([extent or self.setting.extents.get(array.name, FIRST_DYNAMIC) for extent in array.dims]))
                total += copies * size * (array.element.bytes + 8)
        return total

    def run_batch(self, blocks: Numbers, now: int, most: int) -> int:
        """Run some blocks; the time afterwards."""
        program, options = self.program, self.options
        clock = self.clock(blocks, now, most)
        if 2 * clock.now >= 1 << max(1, 32 - clock.id_bits - FLAG_BITS):
            for shadow in self.shadows.values():
                shadow.forget_times()
            clock = self.clock(blocks, 1, most)
        batch = Batch(program, self.setting, self.outcome, blocks, clock, options.schedule, options.poison, options.apart,
                      options.max_rounds, parks=options.parks)
        batch.budget, batch.elsewhere, batch.absent = options.budget, options.elsewhere, options.absent
        if program.data is not None:
            program.data.begin_batch()
        batch.max_accesses = None if options.max_accesses is None else options.max_accesses - self.outcome.accesses
        buffers: dict[str, Buffer] = dict(self.globals)
        for array in program.code.kernel.arrays:
            if array.space is not Space.GLOBAL:
                buffers[array.name] = self.own(array, batch)
        shadows = self.shadowed(buffers, clock) if options.shadow else {}
        batch.shadows = shadows
        batch.heap = Heap(batch, buffers, shadows, reverses=options.schedule.reverses, watch=self.watch)
        batch.heap.journal = self.outcome.journal if options.journal else None
        batch.heap.read = self.outcome.journal if options.journal and options.reads else None
        self.batch = batch
        self.aim(batch, buffers)
        batch.run()
        self.outcome.accesses += batch.heap.accesses
        self.outcome.unwaited |= bool(clock.under_way.any())
        shared = sum(shadow.bytes for shadow in shadows.values() if shadow.is_shared)
        self.outcome.shadow_bytes = max(self.outcome.shadow_bytes, shared)
        return clock.now

    def own(self, array: Array, batch: Batch) -> Buffer:
        """A shared or private array: one instance for each block or lane."""
        count = batch.blocks.size if array.space is Space.SHARED else batch.lanes
        data = self.program.data
        dtype = dtype_of(data, self.program.values, array)
        poison: Any = self.program.values.constant(self.options.poison, array.element)
        if data is not None and data.holds(array.name):
            poison = data.domain.undefined(array.name, np.zeros(1, np.int64))[0]
        size = self.setting.extents.get(array.name)
        if None not in array.dims:
            size = int(np.prod([extent or 0 for extent in array.dims]))
        if size is None:
            return Dynamic(array, dtype, count, poison)
        if count * size > MOST_CELLS:
            raise TooLargeError(f"'{array.name}' takes more memory than a run may use", array.place)
        cells = np.full(count * size, poison, dtype)
        if self.options.apart and data is None:
            cells = cells + (np.arange(count * size) % UNLIKE).astype(dtype)
        if array.content is not None:
            content = self.program.values.cells(array.content, array.element)
            is_data = data is not None and data.holds(array.name)
            cells = np.tile(data.domain.lift(content, array.element) if data and is_data else content, count)
        elif data is not None and data.holds(array.name):
            cells = data.domain.undefined(array.name, np.arange(count * size) + int(batch.blocks[0]) * size)
        return Dense(array, cells, size)

    def shadowed(self, buffers: dict[str, Buffer], clock: Clock) -> dict[str, Shadow]:
        """Shadows of the arrays that threads share and some thread writes; those of global arrays last."""
        found: dict[str, Shadow] = {}
        for name, buffer in buffers.items():
            space = buffer.array.space
            if space is Space.PRIVATE or (name not in self.program.written and space is Space.GLOBAL):
                continue
            if name in self.shadows:
                self.shadows[name].begin(clock)
            elif space is Space.GLOBAL:
                self.shadows[name] = self.shadow(name, buffer, clock)
            found[name] = self.shadows[name] if space is Space.GLOBAL else self.shadow(name, buffer, clock)
        return found

    def shadow(self, name: str, buffer: Buffer, clock: Clock) -> Shadow:
        return Shadow(buffer, clock, is_read=name in self.program.read, tell=lambda suspect: self.tell(name, suspect))

    # -- conflicts ------------------------------------------------------------------------------

    def aim(self, batch: Batch, buffers: dict[str, Buffer]) -> None:
        """Point the watch at its cells in the buffers of this batch."""
        if self.watch is None:
            return
        self.watch.follow(batch.clock, batch.who, batch.other_than)
        place = {int(block): at for at, block in enumerate(batch.blocks)}
        for name, buffer in buffers.items():
            cells = sorted(cell for cell in self.watch.cells if cell[0] == name and (cell[1] < 0 or cell[1] in place))
            if cells:
                self.point(name, buffer, cells, place)
            if cells and isinstance(buffer, Dynamic):
                buffer.grown.append(partial(self.point_again, name, buffer, cells, place))

    def point(self, name: str, buffer: Buffer, cells: list[Cell], place: dict[int, int]) -> None:
        """The slots of watched cells of one array."""
        assert self.watch is not None
        slots = [self.slot(buffer, place.get(instance, -1), at) for _, instance, at in cells]
        self.watch.slots[name] = buffer.array.space, np.array(slots), cells

    def point_again(self, name: str, buffer: Buffer, cells: list[Cell], place: dict[int, int], *sizes: int) -> None:
        """After the array has grown."""
        self.point(name, buffer, cells, place)

    def slot(self, buffer: Buffer, instance: int, at: int) -> int:
        where = None if instance < 0 else np.array([instance])
        slots, inside = buffer.slots(np.array([at], np.int64), where)
        return -1 if inside is not None else int(slots[0])

    def tell(self, name: str, suspect: Suspect) -> None:
        """A shadow has seen a conflict: keep its cell to be watched."""
        batch = self.batch
        assert batch is not None
        buffer = batch.heap.buffers[name]
        index = int(buffer.indices(np.array([suspect.slot]))[0])
        block = batch.who(suspect.later)[0][0] if buffer.array.space is Space.SHARED else -1
        cell = name, block, index
        if suspect.sure:
            self.racing |= {name} if suspect.rule == RACE else set()
            self.told[name, suspect.rule] += 1
            if self.told[name, suspect.rule] <= MAX_SUSPECTS:
                self.suspects.append(cell)
        elif len(self.doubtful) < MOST_DOUBTS:
            self.doubtful.add(cell)
        elif cell not in self.doubtful:
            self.racing.add(name)


def _writes(stmt: Any) -> list[str]:
    match stmt:
        case Store(array=array) | Atomic(array=array):
            return [array]
        case Copy(target=target):
            return [target]
        case _:
            return []


def _reads(stmt: Any) -> list[str]:
    found = [stmt.source] if isinstance(stmt, Copy) else []
    if isinstance(stmt, Atomic) and stmt.op == "load":
        found.append(stmt.array)
    todo = list(expressions(stmt))
    while todo:
        part = todo.pop()
        if isinstance(part, Load):
            found.append(part.array)
        todo += children(part)
    return found
