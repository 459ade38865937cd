"""Strips: many rounds of a loop run at once, stage by stage, each lane's every round as a lane of its own.

One idea: symbolic runs cost by the operation, not by the lane, as long as lanes are few. A loop that has been taken apart
(`distribution`) runs as many rounds at once as all its lanes still have, up to so many elements. Lanes must not
meet in cells within the loop, which is so in deterministic kernels (nothing in such a loop orders them); that one lane's rounds
do not meet is looked at before anything is written. What is left of the loop runs round by round, as usual.

Strip mining and scalar expansion: Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
import numpy.typing as npt

from automata.lang.core import Assign, Store
from automata.machine.compiled import Closure, Run
from automata.machine.distribution import Carried, Distribution, Wide, entering
from automata.machine.domain import ATOM, Data, Degree
from automata.machine.frame import Frame
from automata.machine.mixed import Mixed
from automata.machine.values import Lanes, Numbers, Values

ELEMENTS = 1 << 13
"""Lanes times rounds of a strip."""

FEW = 4
"""Rounds from which on a strip pays."""

MOST_ROUNDS = 1 << 12
MINDED = 256
"""Rounds after which the time is looked at."""

MOST_FAILURES = 8


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
class _Stage:
    """A compiled stage: statements for all rounds, or by rounds (`carried`). `terms`: of a total, with their degrees."""

    statements: tuple[_Statement, ...]
    carried: Carried | None = None
    terms: tuple[tuple[bool, Closure, Closure | None], ...] = ()
    degrees: tuple[Callable[[], Degree], ...] = ()


class Strip:
    """A loop that can run in strips."""

    def __init__(self, plan: Distribution, values: Values, dims: dict[str, tuple[int, ...]], data: Data) -> None:
        self.plan, self.data = plan, data
        names = {name for name, local in plan.made.items() if local in data.partition.locals}
        partition = replace(data.partition, locals=data.partition.locals | names)
        for stage in plan.stages:
            if isinstance(stage, Wide) and isinstance(stage.stmt, Assign) and partition.is_data(stage.stmt.value):
                partition.locals.add(stage.stmt.name)
        self.compiler = Mixed(values, dims, data, partition)
        self.symbols = partition.locals & set(plan.made)
        self.test = self.compiler.expr(plan.test)
        self.steps = [self.compiler.expr(counter.step) for counter in plan.counters]
        self.stages = [self.stage(stage) for stage in plan.stages]
        self.meetings = [(self.compiler.flat(item.array, item.one),
                          None if item.one == item.two else self.compiler.flat(item.array, item.two)) for item in plan.meetings]
        self.before = {version: entering(name) for name, version in plan.carried.items()}
        self.failures = 0

    # -- compiling ------------------------------------------------------------------------------

    def stage(self, stage: Wide | Carried) -> _Stage:
        if isinstance(stage, Wide):
            return _Stage((self.statement(stage.stmt),))
        compiler = self.compiler
        terms = tuple((term.positive, compiler.symbol(term.one), None if term.two is None else compiler.symbol(term.two))
                      for term in stage.terms)
        degrees = tuple(compiler.degree(term.product) for term in stage.terms)
        return _Stage(tuple(map(self.statement, stage.stmts)), stage, terms, degrees)

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
        """Run rounds for the lanes of a frame that stand at the head; how many."""
        total = 0
        while self.failures < MOST_FAILURES:
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
        """Degrees of what the first round begins with."""
        for name in self.symbols:
            self.data.degrees.pop(name, None)
        for local, version in self.plan.carried.items():
            if version in self.symbols and local in self.data.degrees:
                self.data.degrees[entering(local)] = self.data.degrees[local]

    def leave(self, frame: Frame, wide: Rounds) -> None:
        """Locals hold what the last round gave them."""
        for local, version in self.plan.last.items():
            value = wide.last.get(version)
            if value is None:
                value = wide.of_round(version, wide.rounds - 1)
                assert value is not None
            frame.set(local, np.array(value) if value.ndim else value)
            if version in self.symbols and version in self.data.degrees:
                self.data.note(local, self.data.degrees[version], whole=frame.lanes is None)

    def begun(self, frame: Frame) -> Rounds | None:
        """The rounds that all lanes have before them, with their counters."""
        most = min(MOST_ROUNDS, ELEMENTS // max(1, frame.count))
        if most < FEW:
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
        if rounds == most:
            return wide
        short = Rounds(frame, rounds)
        for counter in self.plan.counters:
            name = entering(counter.name)
            short.cache[name] = wide.cache[name][:rounds * frame.count]
        return short

    def indices(self, index: Closure, wide: Rounds) -> Numbers:
        """Flat indices by rounds and lanes."""
        return np.broadcast_to(index(wide), (wide.count,)).astype(np.int64).reshape(wide.rounds, -1)

    # -- stages ---------------------------------------------------------------------------------

    def execute(self, stage: _Stage, wide: Rounds) -> None:
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
        if version in self.symbols:
            self.data.note(name, self.data.degree(version), whole=False)

    def total(self, stage: _Stage, carried: Carried, wide: Rounds) -> bool:
        """A local that only takes in terms: their sum over all rounds. False where the domain has none."""
        last = carried.stmts[-1]
        name = self.plan.made[last.name]
        start = wide.outer.get(name)
        terms = [(positive, one(wide), None if two is None else two(wide)) for positive, one, two in stage.terms]
        made = self.data.domain.total(start, terms, wide.rounds, wide.outer.count, last.value.type)
        if made is None:
            return False
        wide.last[last.name] = made
        taken = reduce(Degree.plus, (degree() for degree in stage.degrees)).copies(wide.rounds)
        self.data.note(last.name, self.data.degree(entering(name)).plus(taken).or_larger(ATOM), whole=True)
        return True

    def by_rounds(self, stage: _Stage, carried: Carried, wide: Rounds) -> None:
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
        name = self.before[version]
        state[name] = value
        if version in self.data.degrees:
            self.data.degrees[name] = self.data.degrees[version]


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
