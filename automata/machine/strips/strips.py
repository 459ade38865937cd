"""Strips: many rounds of a loop run at once, stage by stage, each lane's every round as a lane of its own.

One idea: runs cost by the operation, not by the lane, as long as lanes are few. A loop that has been taken apart
(`distribution`) runs as many rounds at once as all its lanes still have, up to so many elements. That one lane's rounds do not
meet in cells is looked at before anything is written. What is left of the loop runs round by round, as usual.

Runs on numbers go so only where the loop writes no memory: then no other lane sees in which order it reads. Runs on
symbols (`symbol_strips`) take it that lanes do not meet in cells within the loop, which is so in deterministic kernels.

Strip mining and scalar expansion: Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from automata.budget import METER
from automata.lang.core import Assign, Store
from automata.machine.lanes.compiled import Closure, Compiler, Run
from automata.machine.lanes.frame import Frame
from automata.machine.numbers.values import Lanes, Numbers
from automata.machine.strips.distribution import Carried, Distribution, Wide, entering
from automata.scalar import F32, F64, Scalar
from automata.thread.growth import Term

ELEMENTS = 1 << 13
"""Lanes times rounds of a strip."""

FEW = 4
"""Rounds from which on a strip pays."""

MOST_ROUNDS = 1 << 12
MINDED = 256
"""Rounds after which the time is looked at."""

MOST_FAILURES = 8
MOST_AT_ONCE = 1 << 16
"""Rounds without one between that is run as usual."""


class Rounds(Frame):
    """The lanes of a frame, once for each round of a strip, in the order of rounds."""

    __slots__ = ("last", "outer", "rounds")

    def __init__(self, outer: Frame, rounds: int) -> None:
        super().__init__(outer.batch, np.tile(outer.numbers(), rounds))
        self.outer, self.rounds = outer, rounds
        self.last: dict[str, Lanes] = {}

    def get(self, name: str) -> Lanes:
        value = self.cache.get(name)
        if value is None:
            value = self.outer.get(name)
            if value.ndim:
                value = np.tile(value, self.rounds)
            self.cache[name] = value
        return value

    def of_round(self, name: str, number: int) -> Lanes | None:
        """What a name of the strip holds in one round."""
        value = self.cache.get(name)
        if value is None or not value.ndim:
            return value
        count = self.outer.count
        return value[number * count:(number + 1) * count]


class Round(Frame):
    """One round of a strip."""

    __slots__ = ("number", "whole")

    def __init__(self, whole: Rounds, number: int) -> None:
        super().__init__(whole.batch, whole.outer.lanes)
        self.whole, self.number = whole, number

    def get(self, name: str) -> Lanes:
        value = self.cache.get(name)
        if value is None:
            value = self.whole.of_round(name, self.number)
            if value is None:
                value = self.whole.outer.get(name)
            self.cache[name] = value
        return value


@dataclass(frozen=True)
class _Statement:
    """A compiled statement: a value for a name, or something done."""

    name: str
    run: Closure


@dataclass(frozen=True)
class Stage:
    """A compiled stage: statements for all rounds, or by rounds (`carried`). `terms`: of a sum, each one factor or two,
    subtracted where not positive."""

    statements: tuple[_Statement, ...]
    carried: Carried | None = None
    terms: tuple[tuple[bool, Closure, Closure | None], ...] = ()


class Strip:
    """A loop that can run in strips."""

    def __init__(self, plan: Distribution, compiler: Compiler) -> None:
        self.plan, self.compiler = plan, compiler
        self.test = Compiler(compiler.values, compiler.dims, watch=frozenset()).expr(plan.test)
        self.watched = compiler.expr(plan.test) if compiler.watch else None
        self.steps = [compiler.expr(counter.step) for counter in plan.counters]
        self.stages = [self.stage(stage) for stage in plan.stages]
        flat = compiler.flat
        self.meetings = [(flat(item.array, item.one), None if item.one == item.two else flat(item.array, item.two))
                         for item in plan.meetings]
        self.before = {version: entering(name) for name, version in plan.carried.items()}
        self.failures = 0

    # -- compiling ------------------------------------------------------------------------------

    def stage(self, stage: Wide | Carried) -> Stage:
        if isinstance(stage, Wide):
            return Stage((self.statement(stage.stmt),))
        return Stage(tuple(map(self.statement, stage.stmts)), stage, self.terms(stage))

    def terms(self, stage: Carried) -> tuple[tuple[bool, Closure, Closure | None], ...]:
        """What a sum takes in, compiled: of numbers products are rounded first."""
        return tuple((term.positive, self.compiler.expr(term.product), None) for term in stage.terms)

    def statement(self, stmt: Assign | Store) -> _Statement:
        if isinstance(stmt, Assign):
            return _Statement(stmt.name, self.compiler.assigned(stmt.name, stmt.value))
        run: Run = self.compiler.store(stmt)
        nothing = np.zeros(0)

        def store(frame: Frame) -> Lanes:
            run(frame)
            return nothing
        return _Statement("", store)

    # -- running --------------------------------------------------------------------------------

    def run(self, frame: Frame) -> int:
        """Run rounds for the lanes of a frame that stand at the head; how many. Now and then one is left to be run as usual,
        where rounds are counted and loops seen that never end."""
        total = 0
        while self.failures < MOST_FAILURES and total < MOST_AT_ONCE:
            frame.batch.mind_time()
            rounds = self.once(frame)
            total += rounds
            if not rounds or rounds * frame.count < ELEMENTS // 2:
                break
        self.failures = 0 if total else self.failures + 1
        return total

    def once(self, frame: Frame) -> int:
        """One strip; how many rounds it had."""
        wide = self.begun(frame)
        if wide is None:
            return 0
        METER.done += wide.count * frame.batch.lane * len(self.stages)
        for stage in self.stages[:self.plan.numbers]:
            self.execute(stage, wide)
        if not all(_parts(self.indices(one, wide), None if two is None else self.indices(two, wide))
                   for one, two in self.meetings):
            return 0
        self.enter()
        for stage in self.stages[self.plan.numbers:]:
            self.execute(stage, wide)
        self.leave(frame, wide)
        return wide.rounds

    def enter(self) -> None:
        """Before the first stage after those that the indices hang on."""

    def leave(self, frame: Frame, wide: Rounds) -> None:
        """Locals hold what the last round gave them; what all lanes shared, they share again."""
        alike = {counter.name for counter in self.plan.counters if not frame.get(counter.name).ndim}
        for local, version in self.plan.last.items():
            value = wide.last.get(version)
            if value is None:
                value = wide.of_round(version, wide.rounds - 1)
                assert value is not None
            if value.ndim and local in alike and (value == value[0]).all():
                value = value.dtype.type(value[0])
            frame.set(local, np.array(value) if value.ndim else value)
            self.left(local, version, frame)

    def left(self, local: str, version: str, frame: Frame) -> None:
        """A local holds what a version of it held in the last round."""

    def begun(self, frame: Frame) -> Rounds | None:
        """The rounds that all lanes have before them, with their counters."""
        most = min(MOST_ROUNDS, ELEMENTS // max(1, frame.count))
        if most < FEW:
            return None
        for name in self.plan.unset:
            frame.set(name, frame.batch.poison(frame, name, frame.batch.program.types[name]))
        if not self.all_begin(frame):
            return None
        wide = Rounds(frame, most)
        for counter, step in zip(self.plan.counters, self.steps, strict=True):
            start, by = frame.get(counter.name), step(frame)
            wide.cache[entering(counter.name)] = _counted(start, by, counter.positive, most, frame.count)
        chosen = self.test(wide)
        if not chosen.ndim:
            return None
        going = (chosen == self.plan.positive).reshape(most, frame.count).all(axis=1)
        rounds = most if going.all() else int(going.argmin())
        if rounds < FEW:
            return None
        begun = wide if rounds == most else self.cut(wide, rounds)
        if self.watched is not None:
            self.watched(begun)
        return begun

    def all_begin(self, frame: Frame) -> bool:
        """Whether every lane has a round before it: only then is a step evaluated for all."""
        first = Rounds(frame, 1)
        for counter in self.plan.counters:
            start = frame.get(counter.name)
            first.cache[entering(counter.name)] = np.broadcast_to(start, (frame.count,))
        return bool(np.all(self.test(first) == self.plan.positive))

    def cut(self, wide: Rounds, rounds: int) -> Rounds:
        """The first rounds of a strip that has not begun."""
        short = Rounds(wide.outer, rounds)
        for counter in self.plan.counters:
            name = entering(counter.name)
            short.cache[name] = wide.cache[name][:rounds * wide.outer.count]
        return short

    def indices(self, index: Closure, wide: Rounds) -> Numbers:
        """Flat indices by rounds and lanes."""
        return np.broadcast_to(index(wide), (wide.count,)).astype(np.int64).reshape(wide.rounds, -1)

    # -- stages ---------------------------------------------------------------------------------

    def execute(self, stage: Stage, wide: Rounds) -> None:
        if stage.carried is None:
            for statement in stage.statements:
                made = statement.run(wide)
                if statement.name:
                    self.keep(statement.name, made, wide)
        elif not stage.terms or not self.total(stage, stage.carried, wide):
            self.by_rounds(stage, stage.carried, wide)

    def keep(self, version: str, value: Lanes, wide: Rounds) -> None:
        """What a version holds in all rounds; the round after each begins with it, where it is passed on."""
        wide.cache[version] = value
        name = self.before.get(version)
        if name is None or name in wide.cache:
            return
        first = np.broadcast_to(wide.outer.get(self.plan.made[version]), (wide.outer.count,))
        wide.cache[name] = np.concatenate([first, np.broadcast_to(value, (wide.count,))[:-wide.outer.count]])
        self.kept(version, name)

    def kept(self, version: str, name: str) -> None:
        """What a version holds is passed on to the next round under a name."""

    def total(self, stage: Stage, carried: Carried, wide: Rounds) -> bool:
        """A local that only takes in terms: their sum over all rounds, rounded after each as in C. False where that is not
        done."""
        last, count = carried.stmts[-1], wide.outer.count
        rows = [np.broadcast_to(term(wide), (wide.count,)).reshape(wide.rounds, count) for _, term, _ in stage.terms]
        start = np.broadcast_to(wide.outer.get(self.plan.made[last.name]), (1, count))
        every = np.stack(rows, axis=1).reshape(-1, count)
        wide.last[last.name] = np.add.accumulate(np.concatenate([start, every]), axis=0)[-1]
        return True

    def by_rounds(self, stage: Stage, carried: Carried, wide: Rounds) -> None:
        """Statements that hang on the round before, one round after another."""
        state = {self.before[statement.name]: wide.outer.get(self.plan.made[statement.name])
                 for statement in stage.statements if statement.name in self.before}
        rows: dict[str, list[Lanes]] = {name: [] for name in carried.seen}
        frame = Round(wide, 0)
        for number in range(wide.rounds):
            if number % MINDED == 0:
                wide.batch.mind_time()
            frame = Round(wide, number)
            frame.cache.update(state)
            for statement in stage.statements:
                frame.cache[statement.name] = statement.run(frame)
            for name, row in rows.items():
                row.append(frame.cache[name])
            for statement in stage.statements:
                if statement.name in self.before:
                    self.passed_on(statement.name, frame.cache[statement.name], state)
        for name, row in rows.items():
            wide.cache[name] = np.concatenate([np.broadcast_to(value, (wide.outer.count,)) for value in row])
        for statement in stage.statements:
            wide.last[statement.name] = frame.cache[statement.name]

    def passed_on(self, version: str, value: Lanes, state: dict[str, Lanes]) -> None:
        """What a round leaves is what the next one begins with."""
        state[self.before[version]] = value


def are_added(kind: Scalar, terms: tuple[Term, ...]) -> bool:
    """Whether a sum of numbers is taken as a whole: added up one after another, in a type whose sums NumPy rounds as C does."""
    return kind in (F32, F64) and all(term.positive and not term.is_fused for term in terms)


def _counted(start: Lanes, step: Lanes, positive: bool, rounds: int, count: int) -> Lanes:
    """What a counter holds at the start of each round; integers wrap as those of its type do."""
    numbers = np.arange(rounds, dtype=np.int64)
    if not start.ndim and not step.ndim:
        offsets, first = numbers * step.astype(np.int64), start.astype(np.int64)
        return np.repeat((first + offsets if positive else first - offsets).astype(start.dtype), count)
    offsets = numbers[:, None] * step.astype(np.int64)
    whole: Numbers = start.astype(np.int64) + offsets if positive else start.astype(np.int64) - offsets
    return np.broadcast_to(whole, (rounds, count)).astype(start.dtype).reshape(-1)


def _parts(one: Numbers, two: Numbers | None) -> bool:
    """Whether accesses at indices of shape (rounds, lanes) reach different cells in different rounds, for each lane: they
    advance evenly, and not by a number of steps between the two (None: the same)."""
    strides = one[1:] - one[:-1]
    stride = strides[0]
    even = bool((strides == stride).all())
    if two is None:
        return bool(stride.all()) if even else bool(np.diff(np.sort(one, axis=0), axis=0).all())
    if not even or not stride.all() or not (two[1:] - two[:-1] == stride).all():
        return False
    apart = two[0] - one[0]
    meet: npt.NDArray[np.bool_] = (apart != 0) & (apart % stride == 0) & (np.abs(apart // stride) < len(one))
    return not meet.any()
