"""A brute-force reference for the shadow: it forgets no access and judges every pair.

A Core kernel is run here thread by thread, each thread to its next meeting point, on plain Python values. Every
access to memory that threads share goes into a log, with what its thread knew: for each other thread, up to which of its
meetings (a full vector clock for each address space). Two accesses of different threads to one cell are ordered if the
later one knew of the earlier one. Knowledge passes at block barriers (within the block, in the fenced spaces), warp
barriers (among the lanes named, in the fenced spaces) and grid barriers (among all), nowhere else. A copy by the block is
a thread of its own that begins with what all threads of the block know; they know of it once they have waited for it.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, fields, is_dataclass
from itertools import combinations
from math import prod
from typing import Any

from automata import arithmetic
from automata.lang import core
from automata.lang.core import Array, Expr, Kernel, Quantity, Space, Stmt
from automata.lang.traverse import walk
from automata.place import Place

Triple = tuple[int, int, int]
Who = tuple[int, int, int]
Cell = tuple[str, int, int]
Clock = dict[Who, int]
Meeting = core.Barrier | core.Collective | core.AsyncCopy | core.AsyncWait
RACE, SAME, ORDER = "race", "same-value", "atomic-order"
RETURN = ""
WARP = 32
FAMILY = {"add": "add", "sub": "add", "min": "min", "max": "max", "and": "and", "or": "or", "xor": "xor"}
OPERATOR = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """One access. `who`: block, thread, and 0 or the number of a copy by the block; `epoch`: how many meetings came before;
    `clock`: what it knew; `family`: of an atomic update, "" where its order shows, else None; `narrow`: in its block only."""

    who: Who
    epoch: int
    clock: Clock
    writes: bool
    bits: bytes
    place: Place
    family: str | None = None
    narrow: bool = False

    def knew(self, other: Access) -> bool:
        return self.who == other.who or self.clock.get(other.who, -1) >= other.epoch


def rule(one: Access, other: Access) -> str | None:
    """How two accesses to one cell conflict, if they do."""
    if not (one.writes or other.writes) or one.knew(other) or other.knew(one):
        return None
    if one.family is not None and other.family is not None:
        if (one.narrow or other.narrow) and one.who[0] != other.who[0]:
            return RACE
        return None if one.family and one.family == other.family else ORDER
    plain = one.family is other.family is None and one.writes and other.writes
    return SAME if plain and one.bits == other.bits else RACE


@dataclass(frozen=True, slots=True)
class Wait:
    """A thread at a meeting point. `rounds`: of the loops around it; `mask`: the lanes named; `given`: what it brings."""

    stmt: Meeting
    rounds: tuple[int, ...]
    mask: int
    given: tuple[Any, ...]

    @property
    def scope(self) -> str:
        return self.stmt.scope if isinstance(self.stmt, core.Barrier | core.Collective) else "block"


Steps = Generator[Wait, Any, str | None]


class Thread:
    """One thread: its locals, what it knows, and its run."""

    def __init__(self, launch: Launch, block: int, number: int) -> None:
        self.launch, self.block, self.number, self.lane = launch, block, number, number % WARP
        self.who = block, number, 0
        self.locals: dict[str | None, Any] = dict(launch.scalars)
        self.rounds: list[int] = []
        self.epoch = 0
        self.clocks: dict[Space, Clock] = {space: {} for space in Space}
        self.steps = self.body(launch.kernel.body)
        self.wait: Wait | None = None
        self.done = False
        self.returned: Stmt | None = None

    def advance(self, answer: Any = None) -> None:
        """To the next meeting point, or to the end."""
        try:
            self.wait = self.steps.send(answer)
        except StopIteration:
            self.wait, self.done = None, True

    def body(self, stmts: tuple[Stmt, ...]) -> Steps:
        for stmt in stmts:
            jump = yield from self.statement(stmt)
            if jump is not None:
                return jump
        return None

    def statement(self, stmt: Stmt) -> Steps:
        match stmt:
            case core.If(test=test, then=then, other=other):
                return (yield from self.body(then if self.value(test) else other))
            case core.Block() | core.Loop():
                jump = yield from (self.loop(stmt) if isinstance(stmt, core.Loop) else self.body(stmt.body))
                return None if jump == stmt.label else jump
            case core.Leave(label=label):
                return label
            case core.Return():
                self.returned = stmt
                return RETURN
            case core.Barrier() | core.Collective() | core.AsyncCopy() | core.AsyncWait():
                yield from self.meeting(stmt)
            case _:
                self.act(stmt)
        return None

    def loop(self, stmt: core.Loop) -> Steps:
        self.rounds.append(0)
        jump = None
        while jump is None and self.value(stmt.test):
            jump = yield from self.body(stmt.body + stmt.step)
            self.rounds[-1] += 1
        self.rounds.pop()
        return jump

    def meeting(self, stmt: Meeting) -> Generator[Wait, Any, None]:
        mask, args = getattr(stmt, "mask", None), getattr(stmt, "args", ())
        if isinstance(stmt, core.AsyncCopy):
            args = (stmt.target_index, stmt.source_index, stmt.count, *([stmt.stride] if stmt.stride else []))
        named = -1 if mask is None else int(self.value(mask))
        answer = yield Wait(stmt, tuple(self.rounds), named, tuple(self.value(arg) for arg in args))
        if isinstance(stmt, core.Collective):
            self.locals[stmt.result] = answer

    def act(self, stmt: Stmt) -> None:
        match stmt:
            case core.Declare(name=name):
                self.locals[name] = 0
            case core.Assign(name=name, value=value):
                self.locals[name] = self.value(value)
            case core.Store(array=array, index=index, value=value):
                cell = self.reach(array, index, "write", stmt.place)
                self.launch.write(self.who, self.epoch, self.clocks, cell, self.value(value), stmt.place)
            case core.Atomic():
                self.update(stmt)
            case _:
                raise NotImplementedError(type(stmt).__name__)

    def update(self, stmt: core.Atomic) -> None:
        launch, array = self.launch, self.launch.arrays[stmt.array]
        cell = self.reach(stmt.array, stmt.index, "read" if stmt.op == "load" else "write", stmt.place)
        args = [self.value(arg) for arg in stmt.args]
        self.locals[stmt.result] = 0 if cell is None else launch.content(cell)
        if cell is not None:
            rounds = array.element.is_float and stmt.array not in launch.alike
            family = "" if stmt.result in launch.used or rounds else FAMILY.get(stmt.op, "")
            narrow = stmt.scope in ("block", "warp")
            launch.log[cell].append(Access(self.who, self.epoch, self.clocks[array.space], stmt.op != "load", b"", stmt.place,
                                           family, narrow))
            launch.memory[cell] = updated(stmt.op, launch.content(cell), args, array)

    def reach(self, name: str, index: tuple[Expr, ...], access: str, place: Place) -> Cell | None:
        """The cell that an access reaches; None outside the array, which is noted."""
        array, flat = self.launch.arrays[name], 0
        for extent, part in zip(array.dims, index, strict=True):
            flat = flat * (extent or 0) + int(self.value(part))
        return self.launch.cell(name, self.block, self.number, flat, access, place)

    def value(self, expr: Expr) -> Any:
        match expr:
            case core.Const(value=value):
                return value
            case core.Var(name=name):
                return self.locals[name]
            case core.Binary(op="&&" | "||" as op, left=left, right=right):
                first = bool(self.value(left))
                return int(bool(self.value(right)) if first == (op == "&&") else first)
            case core.Binary(op=op, left=left, right=right):
                return arithmetic.binary(op, self.value(left), self.value(right), left.type)
            case core.Unary(op=op, arg=arg, type=kind):
                return arithmetic.unary(op, self.value(arg), kind)
            case core.Cast(arg=arg, type=kind):
                return arithmetic.cast(self.value(arg), arg.type, kind)
            case core.Select(test=test, then=then, other=other):
                return self.value(then if self.value(test) else other)
            case core.Load(array=array, index=index):
                cell = self.reach(array, index, "read", expr.place)
                return self.launch.read(self.who, self.epoch, self.clocks, cell, expr.place)
            case core.Special(quantity=quantity, axis=axis):
                grid, block = self.launch.grid, self.launch.block
                sizes = {Quantity.THREAD: coordinates(self.number, block), Quantity.BLOCK: coordinates(self.block, grid),
                         Quantity.BLOCK_DIM: block, Quantity.GRID_DIM: grid}
                return sizes[quantity][core.AXES.index(axis)]
        raise NotImplementedError(type(expr).__name__)


def coordinates(at: int, size: Triple) -> Triple:
    return at % size[0], at // size[0] % size[1], at // (size[0] * size[1])


def flat(at: Triple, size: Triple) -> int:
    return at[0] + size[0] * (at[1] + size[1] * at[2])


def updated(op: str, old: Any, args: list[Any], array: Array) -> Any:
    """CUDA C++ Programming Guide, atomic functions."""
    one = args[0]
    if op in OPERATOR:
        return arithmetic.binary(OPERATOR[op], old, one, array.element)
    return {"exch": one, "min": min(old, one), "max": max(old, one), "inc": 0 if old >= one else old + 1,
            "load": old, "dec": one if old == 0 or old > one else old - 1, "cas": args[-1] if old == one else old}[op]


def names_read(node: object) -> Iterator[str]:
    """The locals that some expression of a tree reads."""
    if isinstance(node, core.Var):
        yield node.name
    parts = node if isinstance(node, tuple) else [getattr(node, each.name) for each in fields(node)] if is_dataclass(node) else ()
    for part in parts:
        yield from names_read(part)


def _all_alike(kernel: Kernel, array: str) -> bool:
    """Whether each update of an array adds one and the same number: rounding then knows no order."""
    updates = [stmt for stmt in walk(kernel.body) if isinstance(stmt, core.Atomic) and stmt.array == array and stmt.op != "load"]
    numbers = [struct.pack("<d", stmt.args[0].value) if isinstance(stmt.args[0], core.Const) else None for stmt in updates]
    return len({(stmt.op, number) for stmt, number in zip(updates, numbers, strict=True)}) == 1 and None not in numbers \
        and updates[0].op in OPERATOR and FAMILY[updates[0].op] == "add"


class Launch:
    """A kernel run at a launch, and what can be said of it afterwards.

    `extents`: elements of arrays whose size is not declared, where known (else any index will do); `initial`: contents of
    a cell of a global array. After `play`: `log`, `memory`, `outside`; `stuck`: which threads wait in vain, where; `nameless`:
    which come to a meeting of their warp with a mask that leaves themselves out.
    """

    def __init__(self, kernel: Kernel, grid: Triple, block: Triple, *, scalars: dict[str, Any] | None = None,
                 extents: dict[str, int] | None = None, initial: Callable[[Array, int], Any] = lambda array, at: 0) -> None:
        self.kernel, self.grid, self.block, self.scalars = kernel, grid, block, scalars or {}
        self.arrays = {array.name: array for array in kernel.arrays}
        self.extents, self.initial = extents or {}, initial
        self.used = set(names_read(kernel.body))
        self.alike = {name for name in self.arrays if _all_alike(kernel, name)}
        self.size, self.copies = prod(block), 0
        self.memory: dict[Cell, Any] = {}
        self.log: dict[Cell, list[Access]] = defaultdict(list)
        self.stuck: dict[tuple[int, int], Wait] = {}
        self.nameless: set[tuple[tuple[int, int], Place]] = set()
        self.outside: set[tuple[str, int, int, str, int, Place]] = set()
        self.events: dict[tuple[int, str], list[Who]] = defaultdict(list)
        self.blocks = [[Thread(self, at, number) for number in range(self.size)] for at in range(prod(grid))]

    def cell(self, name: str, block: int, thread: int, flat: int, access: str, place: Place) -> Cell | None:
        array = self.arrays[name]
        size = self.extents.get(name) if None in array.dims else prod(extent or 0 for extent in array.dims)
        if (size is not None or array.space is not Space.GLOBAL) and not 0 <= flat < (flat + 1 if size is None else size):
            self.outside.add((access, block, thread, name, flat, place))
            return None
        return name, {Space.GLOBAL: -1, Space.SHARED: block, Space.PRIVATE: block * self.size + thread}[array.space], flat

    def content(self, cell: Cell) -> Any:
        array = self.arrays[cell[0]]
        if cell not in self.memory and array.space is Space.GLOBAL:
            return self.initial(array, cell[2])
        return self.memory.get(cell, 0)

    def read(self, who: Who, epoch: int, clocks: dict[Space, Clock], cell: Cell | None, place: Place) -> Any:
        if cell is None:
            return 0
        self.log[cell].append(Access(who, epoch, clocks[self.arrays[cell[0]].space], False, b"", place))
        return self.content(cell)

    def write(self, who: Who, epoch: int, clocks: dict[Space, Clock], cell: Cell | None, value: Any, place: Place) -> None:
        if cell is not None:
            array = self.arrays[cell[0]]
            bits = struct.pack("<d" if array.element.is_float else "<q", value)
            self.log[cell].append(Access(who, epoch, clocks[array.space], True, bits, place))
            self.memory[cell] = value

    # -- meetings -------------------------------------------------------------------------------

    def play(self) -> Launch:
        """Until every thread has ended, or waits for one that never comes."""
        threads = [thread for block in self.blocks for thread in block]
        for thread in threads:
            thread.advance()
        while self.warps() or self.whole(self.blocks, "block") or self.whole([threads], "grid") or self.in_vain():
            pass
        return self

    def in_vain(self) -> bool:
        """Nobody can go on. Blocks that stand at one barrier but for threads that have ended go on without those, as CUDA does;
        the others end. A block that goes on is stuck where it was the first time."""
        moved = False
        for block in self.blocks:
            waiting = [(thread, thread.wait) for thread in block if thread.wait]
            if not waiting:
                continue
            if not any(thread.who[:2] in self.stuck for thread in block):
                self.stuck |= {thread.who[:2]: wait for thread, wait in waiting}
            (_, first), *_ = waiting
            if all(wait.stmt is first.stmt and wait.rounds == first.rounds for _, wait in waiting) and (
                    isinstance(first.stmt, core.Barrier) and first.scope == "block"):
                self.meet([thread for thread, _ in waiting], block)
                moved = True
                continue
            for thread, _ in waiting:
                thread.wait, thread.done = None, True
        return moved

    def warps(self) -> bool:
        """Let groups of lanes go on that have all come, of those that have not returned before."""
        moved = False
        for warp in (block[at:at + WARP] for block in self.blocks for at in range(0, self.size, WARP)):
            groups: dict[tuple[int, int], list[Thread]] = defaultdict(list)
            for thread in warp:
                if thread.wait and thread.wait.scope == "warp":
                    stmt = thread.wait.stmt
                    if not thread.wait.mask >> thread.lane & 1:
                        self.nameless.add((thread.who[:2], stmt.place))
                    awaited = sum(1 << other.lane for other in warp if not other.done or self.is_awaited(other, stmt))
                    groups[id(stmt), thread.wait.mask & awaited].append(thread)
            for (_, named), came in groups.items():
                if not named & ~sum(1 << thread.lane for thread in came):
                    moved = True
                    self.meet(came)
        return moved

    def is_awaited(self, thread: Thread, stmt: Meeting) -> bool:
        """Whether a thread that has ended was to come to a meeting that names lanes: it has not returned further up, or
        in a loop around it."""
        if getattr(stmt, "mask", None) is None:
            return False
        order = {id(inner): number for number, inner in enumerate(walk(self.kernel.body))}
        until = order[id(stmt)]
        for loop in walk(self.kernel.body):
            inside = [order[id(inner)] for inner in walk((loop,))] if isinstance(loop, core.Loop) else []
            until = max(until, *inside) if order[id(stmt)] in inside else until
        return thread.returned is None or order[id(thread.returned)] > until

    def whole(self, groups: list[list[Thread]], scope: str) -> bool:
        """Let blocks, or the grid, go on where all stand at one meeting point, in the same rounds within each block."""
        moved = False
        for threads in groups:
            first = threads[0].wait
            together = first is not None and all(each.wait and each.wait.stmt is first.stmt for each in threads)
            if first is None or first.scope != scope or not together:
                continue
            moved = True
            rounds = {(thread.block, thread.wait.rounds) for thread in threads if thread.wait}
            late = {one[0] for one, other in combinations(rounds, 2) if one[0] == other[0]}
            if not late:
                self.meet(threads)
            for thread in threads:
                if thread.block in late and thread.wait:
                    self.stuck[thread.who[:2]] = thread.wait
                    thread.wait, thread.done = None, True
        return moved

    def meet(self, threads: list[Thread], block: list[Thread] | None = None) -> None:
        """Threads that have all come to a meeting point pass it. `block`: with those of it that have ended."""
        waits = [thread.wait for thread in threads if thread.wait]
        answer: int | None = None
        match waits[0].stmt:
            case core.Barrier(fences=fences):
                for space in fences:
                    self.learn(block or threads, space)
            case core.Collective(op=op):
                answer = vote(op, threads, [wait.given[0] for wait in waits])
            case core.AsyncCopy() as stmt:
                self.copy(threads, stmt, *waits[0].given)
            case core.AsyncWait(events=events):
                ended = {who: 0 for event in events for who in self.events[threads[0].block, event]}
                for thread in threads:
                    thread.clocks = {space: {**clock, **ended} for space, clock in thread.clocks.items()}
        for thread in threads:
            thread.epoch += 1
            thread.advance(answer)

    def learn(self, threads: list[Thread], space: Space) -> None:
        """Each comes to know what any knew, and all that any has done."""
        known: Clock = {}
        for clock in {id(thread.clocks[space]): thread.clocks[space] for thread in threads}.values():
            known = {who: max(clock.get(who, -1), known.get(who, -1)) for who in clock.keys() | known.keys()}
        known |= {thread.who: thread.epoch for thread in threads}
        for thread in threads:
            thread.clocks[space] = known

    def copy(self, threads: list[Thread], stmt: core.AsyncCopy, target: int, source: int, count: int, stride: int = 1) -> None:
        """A copy as its block's first thread describes it; it begins with what every thread knows."""
        self.copies += 1
        who, clocks = (threads[0].block, 0, self.copies), common(threads)
        out, into = (stride, 1) if self.arrays[stmt.target].space is Space.GLOBAL else (1, stride)
        for name, start, step in ((stmt.source, source, into), (stmt.target, target, out)):
            if None in [self.cell(name, who[0], 0, start + at * step, "asynchronous copy", stmt.place) for at in range(count)]:
                return
        if not stmt.joins:
            self.events[who[0], stmt.event].clear()
        self.events[who[0], stmt.event].append(who)
        for at in range(count):
            one = self.cell(stmt.source, who[0], 0, source + at * into, "", stmt.place)
            value = self.read(who, 0, clocks, one, stmt.place)
            self.write(who, 0, clocks, self.cell(stmt.target, who[0], 0, target + at * out, "", stmt.place), value, stmt.place)

    # -- verdicts -------------------------------------------------------------------------------

    def judged(self, name: str) -> set[str]:
        """How any two accesses to one cell of an array conflict."""
        found: set[str | None] = set()
        for cell, accesses in self.log.items():
            if cell[0] == name and any(access.writes for access in accesses):
                unlike = {(each.who, each.epoch, id(each.clock), each.writes, each.bits, each.family, each.narrow): each
                          for each in accesses}
                found |= {rule(*pair) for pair in combinations(unlike.values(), 2)}
        return found - {None}  # type: ignore[return-value]

    def pairs(self, cell: Cell, first: Callable[[Access], bool], second: Callable[[Access], bool]) -> set[str]:
        """How the pairs of accesses conflict of which one is such, the other such."""
        return {rule(one, other) for one, other in combinations(self.log.get(cell, []), 2)
                if (first(one) and second(other)) or (first(other) and second(one))} - {None}  # type: ignore[return-value]


def common(threads: list[Thread]) -> dict[Space, Clock]:
    """What all of the threads know, of themselves too."""
    found = {}
    for space in Space:
        clocks = [{**thread.clocks[space], thread.who: thread.epoch} for thread in threads]
        found[space] = {who: min(clock[who] for clock in clocks) for who in set(clocks[0]).intersection(*clocks[1:])}
    return found


def vote(op: str, threads: list[Thread], votes: list[Any]) -> int:
    """What each thread of a group gets when all vote."""
    ballot = sum(1 << thread.lane for thread, each in zip(threads, votes, strict=True) if each)
    return {"ballot": ballot, "count": sum(map(bool, votes)), "all": int(all(votes)), "any": int(any(votes))}[op]
