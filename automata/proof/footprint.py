"""The symbolic thread: one run of the automaton that stands for every thread.

Input: an automaton and the values of coordinates, sizes and parameters as terms. Output: every access
with its guard, index and value as terms, every evaluation whose value matters, and the guard under which
each barrier is reached. States that meet at a location in the same barrier interval are merged by
selects, so the work is linear in the automaton, not in its paths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Literal, assert_never

from automata.lang.core import (
    Assign,
    Binary,
    Bits,
    Call,
    Cast,
    Claim,
    Const,
    Declare,
    Expr,
    Load,
    Select,
    Space,
    Special,
    Store,
    Unary,
    Var,
)
from automata.logic import terms as T
from automata.logic.terms import Owner, Term, Version
from automata.place import Place
from automata.thread.automaton import Action, Automaton, Condition, Sync
from automata.thread.segments import Interval


@dataclass(frozen=True, slots=True)
class Access:
    """One access of the generic thread. `order`: position in program order; `value`: what is stored.

    A read's `value` is the read term itself.
    """

    order: int
    array: str
    space: Space
    kind: Literal["read", "write"]
    guard: Term
    index: tuple[Term, ...]
    value: Term
    interval: Interval
    place: Place

    @property
    def is_write(self) -> bool:
        return self.kind == "write"


@dataclass(frozen=True, slots=True)
class Observation:
    """A term whose value decides something (an index or a test) when `guard` holds.

    `is_value`: the term is stored, so only what it observes itself (operands of / or >>, say) decides.
    """

    guard: Term
    term: Term
    place: Place
    is_value: bool = False


@dataclass(frozen=True, slots=True)
class Arrival:
    """A barrier and the guard under which a thread reaches it; `origin`: the interval it comes from."""

    barrier: int
    guard: Term
    origin: Interval
    place: Place


@dataclass
class Footprint:
    accesses: list[Access] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)

    @property
    def writes(self) -> list[Access]:
        return [access for access in self.accesses if access.is_write]


@dataclass(frozen=True, slots=True)
class _State:
    """Path condition as a list of conjuncts, and the values of locals."""

    path: tuple[Term, ...]
    values: Mapping[str, Term]


def footprint(automaton: Automaton, values: Mapping[str, Term], side: str = "") -> Footprint:
    """Run the generic thread. `values`: a term for each parameter and each `Special` by name.

    `side` keeps the unknowns of two kernels of a pair apart.
    """
    return _Run(automaton, values, side).run()


class _Run:
    """The state of one symbolic run."""

    def __init__(self, automaton: Automaton, values: Mapping[str, Term], side: str) -> None:
        self.automaton = automaton
        self.side = side
        self.values = values
        self.found = Footprint()
        self.arrays = {array.name: array for array in automaton.kernel.arrays}
        self.written_in = _written_intervals(automaton)
        self.interval = Interval()
        self.state = _State((), {})
        self.tests: dict[int, Term] = {}

    def run(self) -> Footprint:
        waiting: dict[int, dict[Interval, list[_State]]] = {
            self.automaton.entry: {Interval(): [_State((), dict(self.values))]}}
        for location in self.automaton.order():
            for interval, states in waiting.pop(location, {}).items():
                state = reduce(_merge, states)
                self.tests = {}
                for target, transition in self.automaton.outgoing(location):
                    self.interval, self.state = interval, state
                    after = self.step(target, transition)
                    if after is not None:
                        waiting.setdefault(target, {}).setdefault(self.interval, []).append(after)
        return self.found

    def step(self, target: int, transition: Condition | Action | Sync) -> _State | None:
        """The state after a transition, None if it cannot be taken."""
        match transition:
            case Condition(test=test, positive=positive, place=place):
                term = self.test(test, place)
                taken = term if positive else T.negate(term)
                if taken is T.FALSE:
                    return None
                path = self.state.path if taken is T.TRUE else (*self.state.path, taken)
                return _State(path, self.state.values)
            case Action(stmt=Declare(name=name, type=kind)):
                undefined = T.undefined((self.side, name, target), kind)
                return _State(self.state.path, {**self.state.values, name: undefined})
            case Action(stmt=Assign(name=name, value=value)):
                return _State(self.state.path, {**self.state.values, name: self.evaluate(value, T.TRUE)})
            case Action(stmt=Store() as store):
                self.store(store)
                return self.state
            case Action(stmt=Claim(kind=kind, test=test)):
                if kind != "aligned":
                    self.evaluate(test, T.TRUE)
                return self.state
            case Sync(barrier=barrier):
                self.found.arrivals.append(Arrival(target, self.guard(T.TRUE), self.interval, barrier.place))
                self.interval = self.interval.after(target, barrier.fences)
                return self.state
        raise AssertionError(transition)

    def test(self, test: Expr, place: Place) -> Term:
        """The term of a test; evaluated once for both conditions that leave a location."""
        if id(test) not in self.tests:
            self.tests[id(test)] = self.evaluate(test, T.TRUE)
            self.observe(T.TRUE, self.tests[id(test)], place)
        return self.tests[id(test)]

    def guard(self, local: Term) -> Term:
        return T.conjunction(T.all_of(self.state.path), local)

    def observe(self, local: Term, term: Term, place: Place) -> None:
        self.found.observations.append(Observation(self.guard(local), term, place))

    def store(self, store: Store) -> None:
        index = tuple(self.evaluate(part, T.TRUE) for part in store.index)
        value = self.evaluate(store.value, T.TRUE)
        self.found.observations.append(Observation(self.guard(T.TRUE), value, store.place, True))
        self.access("write", store.array, index, value, T.TRUE, store.place)

    def access(self, kind: Literal["read", "write"], array: str, index: tuple[Term, ...], value: Term, local: Term,
               place: Place) -> None:
        guard = self.guard(local)
        for part in index:
            self.found.observations.append(Observation(guard, part, place))
        self.found.accesses.append(Access(len(self.found.accesses), array, self.arrays[array].space, kind, guard, index,
                                          value, self.interval, place))

    def evaluate(self, expr: Expr, local: Term) -> Term:
        """The term of an expression; loads below it are recorded under path and `local` guard."""
        match expr:
            case Const(value=number, type=kind):
                return T.const(number, kind)
            case Var(name=name, type=kind) | Special(name=name, type=kind):
                return T.cast(self.state.values[name], kind)
            case Unary(op=op, arg=arg):
                return T.unary(op, self.evaluate(arg, local))
            case Cast(arg=arg, type=kind):
                return T.cast(self.evaluate(arg, local), kind)
            case Binary(op=op, left=left, right=right):
                first = self.evaluate(left, local)
                further = first if op == "&&" else T.negate(first) if op == "||" else T.TRUE
                return T.binary(op, first, self.evaluate(right, T.conjunction(local, further)))
            case Select(test=test, then=then, other=other):
                chosen = self.evaluate(test, local)
                self.observe(local, chosen, expr.place)
                return T.select(chosen, self.evaluate(then, T.conjunction(local, chosen)),
                                self.evaluate(other, T.conjunction(local, T.negate(chosen))))
            case Load(array=array, index=index, type=kind):
                at = tuple(self.evaluate(part, local) for part in index)
                value = T.read(self.version(array), at, kind)
                self.access("read", array, at, value, local, expr.place)
                return value
            case Call(function=function, args=args, type=kind):
                return T.call(function, tuple(self.evaluate(arg, local) for arg in args), kind)
            case Bits():
                raise AssertionError("bits are not covered by the proofs")
        assert_never(expr)

    def version(self, name: str) -> Version:
        """Which contents a read sees here (see soundness: values)."""
        array = self.arrays[name]
        writers = self.written_in.get(name, set())
        if not writers and not array.volatile and array.space is Space.GLOBAL:
            return Version(name, Owner.LAUNCH, "initial")
        epoch = self.interval.epoch(array.space)
        if array.space is Space.SHARED and not array.volatile and epoch not in writers:
            return Version(name, Owner.BLOCK, f"{self.side}{epoch}")
        return Version(name, Owner.THREAD, f"{self.side}read{len(self.found.accesses)}")


def _written_intervals(automaton: Automaton) -> dict[str, set[int]]:
    """For each written array, the epochs (of its space) in which some transition may write it."""
    arrays = {array.name: array for array in automaton.kernel.arrays}
    reach: dict[int, set[Interval]] = {automaton.entry: {Interval()}}
    found: dict[str, set[int]] = {}
    for location in automaton.order():
        for interval in reach.get(location, set()):
            for target, transition in automaton.outgoing(location):
                after = interval
                if isinstance(transition, Sync):
                    after = interval.after(target, transition.barrier.fences)
                elif isinstance(transition, Action) and isinstance(transition.stmt, Store):
                    name = transition.stmt.array
                    found.setdefault(name, set()).add(interval.epoch(arrays[name].space))
                reach.setdefault(target, set()).add(after)
    return found


def _merge(left: _State, right: _State) -> _State:
    """Two states that meet: the common path stays, the rest becomes a choice."""
    shared = 0
    while shared < min(len(left.path), len(right.path)) and left.path[shared] is right.path[shared]:
        shared += 1
    first, second = T.all_of(left.path[shared:]), T.all_of(right.path[shared:])
    either = T.disjunction(first, second)
    path = left.path[:shared] if either is T.TRUE else (*left.path[:shared], either)
    values = {name: T.select(first, left.values[name], right.values[name])
              for name in left.values if name in right.values}
    return _State(path, values)
