"""The plain machine: the thread automaton run for every thread, one after another between barriers.

A block's threads run in a given order up to their next barrier; when all have arrived at the same one
the next round starts. Blocks run one after another: one legal schedule of the launch, or of the part
of it whose blocks are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Literal

from automata.arithmetic import Value
from automata.lang.core import AXES, Array, Assign, Claim, Declare, Store
from automata.machine.compiled import Closure, compile_expr
from automata.machine.memory import Initial, Memory
from automata.place import Place
from automata.scalar import Scalar
from automata.thread.automaton import Action, Automaton, Condition, Sync
from automata.thread.segments import Interval
from automata.verdict import Actor

Triple = tuple[int, int, int]
Order = Literal["canonical", "reversed"]


@dataclass(frozen=True, slots=True)
class Divergence:
    """Threads of one block that do not meet at a barrier. `other` None: that thread has ended."""

    waiting: Actor
    barrier: Place
    absent: Actor
    other: Place | None


@dataclass(frozen=True, slots=True)
class Event:
    """Something a thread did at a place: an overflow, an access out of bounds, an undefined operation."""

    what: str
    actor: Actor
    place: Place
    array: str = ""
    index: tuple[int, ...] = ()


@dataclass
class Outcome:
    """What a run left behind."""

    memory: Memory
    divergences: list[Divergence] = field(default_factory=list)
    overflows: list[Event] = field(default_factory=list)
    out_of_bounds: list[Event] = field(default_factory=list)
    undefined: list[Event] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Setting:
    """A concrete launch: sizes, scalar arguments, initial memory, known extents (in elements)."""

    grid: Triple
    block: Triple
    scalars: Mapping[str, Value]
    initial: Initial
    extents: Mapping[str, int] = field(default_factory=dict)

    @property
    def threads(self) -> int:
        x, y, z = self.block
        return x * y * z


@dataclass(frozen=True, slots=True)
class _Step:
    """A compiled transition."""

    target: int
    kind: str
    closure: Closure | None = None
    positive: bool = True
    name: str = ""
    type: Scalar | None = None
    index: tuple[Closure, ...] = ()
    sync: Sync | None = None
    place: Place | None = None


class Program:
    """An automaton compiled once, run many times."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.arrays: dict[str, Array] = {array.name: array for array in automaton.kernel.arrays}
        self.steps: dict[int, list[_Step]] = {}
        cache: dict[int, Closure] = {}
        for location in automaton.order():
            self.steps[location] = [self._compile(target, transition, cache)
                                    for target, transition in automaton.outgoing(location)]

    def _compile(self, target: int, transition: Condition | Action | Sync, cache: dict[int, Closure]) -> _Step:
        match transition:
            case Condition(test=test, positive=positive):
                closure = cache.setdefault(id(test), compile_expr(test))
                return _Step(target, "test", closure, positive)
            case Sync():
                return _Step(target, "sync", sync=transition)
            case Action(stmt=Declare(name=name, type=kind)):
                return _Step(target, "declare", name=name, type=kind)
            case Action(stmt=Assign(name=name, value=value)):
                return _Step(target, "assign", compile_expr(value), name=name)
            case Action(stmt=Store(array=array, index=index, value=value, place=place)):
                return _Step(target, "store", compile_expr(value), name=array,
                             index=tuple(compile_expr(part) for part in index), place=place)
            case Action(stmt=Claim(test=test)):
                return _Step(target, "claim", compile_expr(test))
        raise AssertionError(transition)

    def run(self, setting: Setting, *, blocks: Iterable[Triple] | None = None, poison: int = 0,
            order: Order = "canonical") -> Outcome:
        """Run all blocks, or the ones given, in that order."""
        memory = Memory(self.arrays, setting.initial, poison)
        outcome = Outcome(memory)
        for block in blocks if blocks is not None else triples(setting.grid):
            self._block(setting, block, outcome, order)
        return outcome

    def _block(self, setting: Setting, block: Triple, outcome: Outcome, order: Order) -> None:
        flat = block[0] + setting.grid[0] * (block[1] + setting.grid[1] * block[2])
        lanes = [_Thread(self, setting, outcome, block, flat, thread) for thread in triples(setting.block)]
        if order == "reversed":
            lanes.reverse()
        while True:
            for lane in lanes:
                lane.advance()
            first = lanes[0]
            for lane in lanes[1:]:
                if lane.at_sync != first.at_sync or (lane.at_sync and lane.location != first.location):
                    outcome.divergences.append(_diverged(first, lane))
                    return
            if first.at_sync is None:
                return
            for lane in lanes:
                lane.release()


def _diverged(first: _Thread, second: _Thread) -> Divergence:
    waiting, absent = (first, second) if first.at_sync else (second, first)
    assert waiting.at_sync is not None
    return Divergence(waiting.actor, waiting.at_sync.place, absent.actor, absent.at_sync.place if absent.at_sync else None)


def triples(size: Triple) -> Iterable[Triple]:
    """All coordinates below a size, x fastest."""
    return ((x, y, z) for z, y, x in product(range(size[2]), range(size[1]), range(size[0])))


class _Thread:
    """One running thread; it is the `Lane` its closures see."""

    def __init__(self, program: Program, setting: Setting, outcome: Outcome, block: Triple, flat: int,
                 thread: Triple) -> None:
        self.program, self.setting, self.outcome = program, setting, outcome
        self.actor, self.flat = Actor(block, thread), flat
        self.values: dict[str, Value] = dict(setting.scalars)
        for axis, b, t, size, blocks in zip(AXES, block, thread, setting.block, setting.grid, strict=True):
            self.values[f"threadIdx.{axis}"], self.values[f"blockIdx.{axis}"] = t, b
            self.values[f"blockDim.{axis}"], self.values[f"gridDim.{axis}"] = size, blocks
        self.location = program.automaton.entry
        self.interval = Interval()
        self.at_sync: Sync | None = None

    def advance(self) -> None:
        """Run to the next barrier or the end."""
        steps = self.program.steps
        while True:
            moved = False
            for step in steps[self.location]:
                if step.kind == "sync":
                    self.at_sync = step.sync
                    return
                if self._take(step):
                    self.location, moved = step.target, True
                    break
            if not moved:
                return

    def release(self) -> None:
        """Pass the barrier this thread waits at."""
        assert self.at_sync is not None
        step = self.program.steps[self.location][0]
        self.interval = self.interval.after(step.target, self.at_sync.barrier.fences)
        self.location, self.at_sync = step.target, None

    def _take(self, step: _Step) -> bool:
        if step.kind == "test":
            assert step.closure is not None
            return bool(step.closure(self)) is step.positive
        if step.kind == "assign":
            assert step.closure is not None
            self.values[step.name] = step.closure(self)
        elif step.kind == "claim":
            assert step.closure is not None
            step.closure(self)
        elif step.kind == "declare":
            assert step.type is not None
            poison = self.outcome.memory.poison
            self.values[step.name] = float(poison) if step.type.is_float else step.type.wrap(poison)
        else:
            self._store(step)
        return True

    def _store(self, step: _Step) -> None:
        assert step.closure is not None and step.place is not None
        index = tuple(int(part(self)) for part in step.index)
        value = step.closure(self)
        array = self.program.arrays[step.name]
        flat = self._flat(array, index, step.place, "write")
        if flat is not None:
            self.outcome.memory.write(array, flat, value, self.actor, self.flat, self.interval.epoch(array.space), step.place)

    def load(self, array: str, index: tuple[int, ...], place: Place) -> Value:
        found = self.program.arrays[array]
        flat = self._flat(found, index, place, "read")
        if flat is None:
            return 0.0 if found.element.is_float else 0
        return self.outcome.memory.read(found, flat, self.actor, self.flat, self.interval.epoch(found.space), place)

    def _flat(self, array: Array, index: tuple[int, ...], place: Place, access: str) -> int | None:
        """Row-major position; None, and an event, when it lies outside a known extent."""
        flat, size = 0, 1
        for part, extent in zip(index, array.dims, strict=True):
            flat = part if extent is None else flat * extent + part
            size = size * extent if extent is not None else self.setting.extents.get(array.name, -1)
        if size >= 0 and not 0 <= flat < size:
            self.outcome.out_of_bounds.append(Event(access, self.actor, place, array.name, index))
            return None
        return flat

    def wrapped(self, exact: int, kind: Scalar, place: Place) -> None:
        if len(self.outcome.overflows) < 256:
            self.outcome.overflows.append(Event(f"{exact} does not fit {kind}", self.actor, place))

    def undefined(self, what: str, place: Place) -> None:
        if len(self.outcome.undefined) < 256:
            self.outcome.undefined.append(Event(what, self.actor, place))
