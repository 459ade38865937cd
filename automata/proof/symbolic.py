"""The symbolic thread: one run of the automaton that stands for every thread.

Input: an automaton and the values of coordinates, sizes and parameters as terms. States that meet at a
location in the same barrier interval are merged by selects, so the work is linear in the automaton, not in its
paths. Loops are `loops`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, assert_never

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
from automata.proof.footprint import Access, Arrival, Footprint, Observation
from automata.thread.automaton import Action, Automaton, Condition, Sync
from automata.thread.segments import Interval


class Conjunct(NamedTuple):
    """A part of a path condition: a decision that led here, or (`control` False) only something known here."""

    term: Term
    control: bool = True


Conjuncts = tuple[Conjunct, ...]


def whole(path: Conjuncts) -> Term:
    """All of a path condition."""
    return T.all_of(tuple(part.term for part in path))


def decisions(path: Conjuncts) -> Term:
    """The decisions of a path condition."""
    return T.all_of(tuple(part.term for part in path if part.control))


@dataclass(frozen=True, slots=True)
class State:
    """Path condition as a list of conjuncts, and the values of locals."""

    path: Conjuncts
    values: Mapping[str, Term]


class SymbolicThread:
    """The state of one symbolic run. `rounds`: of the loops around; `base`: how much of a path condition held when all
    threads of the block last came together; `met`: in which rounds. `is_vague`: the interval is not the one of all rounds
    that this run stands for. `side` keeps the unknowns of two kernels of a pair apart."""

    def __init__(self, automaton: Automaton, values: Mapping[str, Term], side: str) -> None:
        self.automaton = automaton
        self.side = side
        self.values = values
        self.found = Footprint()
        self.arrays = {array.name: array for array in automaton.kernel.arrays}
        self.written_in = written_epochs(automaton)
        self.interval = Interval()
        self.state = State((), {})
        self.tests: dict[int, Term] = {}
        self.rounds: tuple[Term, ...] = ()
        self.met: tuple[Term, ...] = ()
        self.base = 0
        self.reads = 0
        self.is_vague = False

    def step(self, target: int, transition: Condition | Action | Sync) -> State | None:
        """The state after a transition, None if it cannot be taken."""
        match transition:
            case Condition(test=test, positive=positive, place=place):
                term = self.test(test, place)
                taken = term if positive else T.negate(term)
                if taken is T.FALSE:
                    return None
                path = self.state.path if taken is T.TRUE else (*self.state.path, Conjunct(taken))
                return State(path, self.state.values)
            case Action(stmt=Declare(name=name, type=kind)):
                undefined = T.undefined((self.side, name, target), kind)
                return State(self.state.path, {**self.state.values, name: undefined})
            case Action(stmt=Assign(name=name, value=value)):
                return State(self.state.path, {**self.state.values, name: self.evaluate(value, T.TRUE)})
            case Action(stmt=Store() as store):
                self.store(store)
                return self.state
            case Action(stmt=Claim(kind=kind, test=test)):
                if kind != "aligned":
                    self.evaluate(test, T.TRUE)
                return self.state
            case Sync(barrier=barrier):
                self.arrive(target, [self.state.path], barrier.place)
                self.interval = self.interval.after(target, barrier.fences, self.rounds)
                return self.state
        raise AssertionError(transition)

    def test(self, test: Expr, place: Place) -> Term:
        """The term of a test; evaluated once for both conditions that leave a location."""
        if id(test) not in self.tests:
            self.tests[id(test)] = self.evaluate(test, T.TRUE)
            self.observe(T.TRUE, self.tests[id(test)], place)
        return self.tests[id(test)]

    def guard(self, local: Term) -> Term:
        return T.conjunction(whole(self.state.path), local)

    def arrive(self, location: int, paths: list[Conjuncts], place: Place) -> None:
        """Note where all threads of a block have to come."""
        full, control = T.FALSE, T.FALSE
        for path in paths:
            full = T.disjunction(full, whole(path[self.base:]))
            control = T.disjunction(control, decisions(path[self.base:]))
        base = whole(paths[0][:self.base]) if paths else T.TRUE
        self.found.arrivals.append(Arrival(location, base, full, control, self.met, place))

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
                                          value, self.interval, place, self.rounds))

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
                version, within = self.version(array)
                value = T.read(version, (*at, *within), kind)
                self.access("read", array, at, value, local, expr.place)
                return value
            case Call(function=function, args=args, type=kind):
                return T.call(function, tuple(self.evaluate(arg, local) for arg in args), kind)
            case Bits():
                raise AssertionError("bits are not covered by the proofs")
        assert_never(expr)

    def version(self, name: str) -> tuple[Version, tuple[Term, ...]]:
        """Which contents a read sees here (see soundness: values), and in which rounds."""
        array = self.arrays[name]
        writers = self.written_in.get(name, set())
        if not writers and not array.volatile and array.space is Space.GLOBAL:
            return Version(name, Owner.LAUNCH, "initial"), ()
        epoch = self.interval.epoch(array.space)
        if array.space is Space.SHARED and not array.volatile and epoch not in writers and not self.is_vague:
            return Version(name, Owner.BLOCK, f"{self.side}{epoch}"), self.interval.rounds(array.space)
        self.reads += 1
        return Version(name, Owner.THREAD, f"{self.side}read{self.reads}"), self.rounds


def written_epochs(automaton: Automaton) -> dict[str, set[int]]:
    """For each written array, the epochs (of its space) in which some transition may write it."""
    arrays = {array.name: array for array in automaton.kernel.arrays}
    reach: dict[int, set[Interval]] = {automaton.entry: {Interval()}}
    found: dict[str, set[int]] = {}
    todo = [automaton.entry]
    while todo:
        location = todo.pop()
        for target, transition in automaton.outgoing(location):
            for interval in list(reach[location]):
                after = interval
                if isinstance(transition, Sync):
                    after = interval.after(target, transition.barrier.fences, ())
                elif isinstance(transition, Action) and isinstance(transition.stmt, Store):
                    name = transition.stmt.array
                    found.setdefault(name, set()).add(interval.epoch(arrays[name].space))
                if after not in reach.setdefault(target, set()):
                    reach[target].add(after)
                    todo.append(target)
    return found


def merge(left: State, right: State) -> State:
    """Two states that meet: the common path stays, the rest becomes a choice."""
    shared = 0
    while shared < min(len(left.path), len(right.path)) and left.path[shared] == right.path[shared]:
        shared += 1
    one, two = left.path[shared:], right.path[shared:]
    first, second = whole(one), whole(two)
    chosen = T.disjunction(decisions(one), decisions(two))
    known = T.disjunction(first, second)
    rest = (*((Conjunct(chosen),) if chosen is not T.TRUE else ()),
            *((Conjunct(known, False),) if known is not T.TRUE and known is not chosen else ()))
    values = {name: T.select(first, left.values[name], right.values[name])
              for name in left.values if name in right.values}
    return State((*left.path[:shared], *rest), values)
