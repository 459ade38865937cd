"""The symbolic thread: one run of the automaton that stands for every thread.

Input: an automaton and the values of coordinates, sizes and parameters as terms. States that meet at a
location in the same barrier interval are merged by selects, so the work is linear in the automaton, not in its
paths. Loops are `loops`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from automata.lang.core import (
    AXES,
    Assign,
    Atomic,
    Barrier,
    Binary,
    Bits,
    Call,
    Cast,
    Claim,
    Collective,
    Const,
    Declare,
    Expr,
    Fence,
    Havoc,
    Load,
    Print,
    Quantity,
    Scope,
    Select,
    Space,
    Special,
    Stmt,
    Store,
    Unary,
    Var,
)
from automata.lang.exactness import manner
from automata.lang.fences import FENCE_BITS
from automata.lang.traverse import within
from automata.logic import terms as T
from automata.logic.terms import Owner, Term, Version
from automata.logic.undefined import Nothing
from automata.place import Place, UndecidedError
from automata.proof.known.footprint import Access, Arrival, Claimed, Fenced, Footprint, Given, Observation
from automata.proof.symbolic.recurrence import is_undefined
from automata.proof.symbolic.states import Conjunct, Conjuncts, State, decisions, whole
from automata.scalar import BOOL, I64, Scalar
from automata.thread.automaton import Action, Automaton, Condition, Sync, Transition
from automata.thread.segments import START, WIDTH, Epoch, Interval, barrier_of

MOST_KNOWN = 8
"""Paths of which it is kept what they amount to."""


@dataclass(frozen=True, slots=True)
class Together:
    """When threads last came together: how much of the path condition held then, and in which rounds of the loops."""

    length: int = 0
    rounds: tuple[Term, ...] = ()


class SymbolicThread:
    """The state of one symbolic run. `rounds`: of the loops around; `together`: when the threads of a scope were.
    `is_vague`: the interval is not the one of all rounds that this run stands for. `left`: when a thread has returned.
    `side` keeps the unknowns of two kernels of a pair apart."""

    def __init__(self, automaton: Automaton, values: Mapping[str, Term], side: str) -> None:
        self.automaton = automaton
        self.side = side
        self.values = values
        self.found = Footprint()
        self.arrays = {array.name: array for array in automaton.kernel.arrays}
        self.types = declared(automaton)
        self.written_in = written_epochs(automaton)
        self.interval = Interval()
        self.state = State((), {})
        self.tests: dict[int, Term] = {}
        self.rounds: tuple[Term, ...] = ()
        self.together: dict[Scope, Together] = {scope: Together() for scope in WIDTH}
        self.left = T.FALSE
        self.unknowns = 0
        self.nothing = Nothing()
        self.is_vague = False
        self.copier: Epoch | None = None
        self.known: deque[tuple[Conjuncts, Term]] = deque(maxlen=MOST_KNOWN)

    def step(self, target: int, transition: Transition) -> State | None:
        """The state after a transition, None if it cannot be taken."""
        match transition:
            case Condition(test=test, positive=positive, place=place):
                term = self.test(test, place)
                taken = term if positive else T.negate(term)
                if taken is T.FALSE:
                    return None
                path = self.state.path if taken is T.TRUE else self.longer(self.state.path, taken)
                return State(path, self.state.values)
            case Action(stmt=stmt):
                return self.act(target, transition, stmt)
            case Sync():
                self.meet(target, transition)
                return self.state
        assert_never(transition)

    def act(self, target: int, transition: Action, stmt: Stmt) -> State:
        """The state after a statement."""
        match stmt:
            case Declare(name=name, type=kind):
                return self.assigned(name, T.undefined((self.side, name, target), kind))
            case Assign(name=name, value=value):
                return self.assigned(name, self.evaluate(value, T.TRUE))
            case Store() as store:
                self.store(store)
                return self.state
            case Claim() as claim:
                return self.claim(claim)
            case Print(args=args, place=place):
                self.give(args, place)
                return self.state
            case Atomic() as atomic:
                return self.atomic(atomic)
            case Fence(scope=scope, side=side):
                fence = Fenced(len(self.found.accesses), self.guard(T.TRUE), scope, side, self.interval, self.rounds)
                self.found.fences.append(fence)
                return self.state
            case Collective() as collective:
                return self.exchange(target, transition, collective)
            case Havoc(name=name, what=what):
                return self.assigned(name, self.unknown(what, self.types[name]))
        raise AssertionError(stmt)

    def assigned(self, name: str, value: Term) -> State:
        return self.state.with_values({name: value})

    def claim(self, claim: Claim) -> State:
        """What is assumed is known from here on; the rest has to be shown."""
        if claim.kind == "aligned":
            return self.distance(claim)
        test = self.evaluate(claim.test, T.TRUE)
        self.observe(T.TRUE, test, claim.place)
        if claim.kind == "assume":
            self.found.assumed[test] = T.disjunction(self.found.assumed.get(test, T.FALSE), self.state.condition)
            return self.state.knowing(test, kind="past")
        self.found.claims.append(Claimed(self.guard(T.TRUE), test, claim))
        return self.state

    def distance(self, claim: Claim) -> State:
        """That a wide access is aligned. What memory holds is not read for it: it could be anything."""
        holds_data = any(isinstance(part, Load) for part in within(claim.test))
        if holds_data and not claim.begins:
            self.found.unread.append(claim.place)
        else:
            test = self.unknown("alignment", BOOL) if holds_data else self.evaluate(claim.test, T.TRUE)
            self.found.distances.append(Claimed(self.guard(T.TRUE), test, claim))
        return self.state

    def atomic(self, atomic: Atomic) -> State:
        index = tuple(self.evaluate(part, T.TRUE) for part in atomic.index)
        operands = tuple(self.evaluate(arg, T.TRUE) for arg in atomic.args)
        before = self.unknown(f"{atomic.op} of {atomic.array}", atomic.type)
        self.access("atomic", atomic.array, index, before, T.TRUE, atomic.place, atomic, operands)
        for part in range(1, self.automaton.kernel.width(atomic)):
            *outer, first = index
            further = T.binary("+", T.cast(first, I64), T.const(part, I64))
            self.access("atomic", atomic.array, (*outer, further), before, T.TRUE, atomic.place, atomic, operands, part)
        return self.state if atomic.result is None else self.assigned(atomic.result, before)

    def give(self, args: tuple[Expr, ...], place: Place, op: str = "") -> Term:
        """Values leave the thread other than through memory. `op`: of an exchange; a shuffle hands on the first as it is, and
        returned is when what a lane gets has no value, outside of loops that stay or where the lane that is asked has one."""
        given = tuple(self.evaluate(arg, T.TRUE) for arg in args)
        self.found.observations += [Observation(self.guard(T.TRUE), term, place, True) for term in given]
        nothing = self.nothing.of(given[0]) if op.startswith("shfl") else T.FALSE
        is_set = nothing is not T.FALSE and op == "shfl" and self.has_value(nothing, *given[1:])
        passed = 0 if nothing is T.FALSE or (self.rounds and not is_set) else 1
        self.found.given.append(Given(self.guard(T.TRUE), given[passed:], place, given[:passed], is_set))
        return T.FALSE if is_set or not passed else nothing

    def has_value(self, nothing: Term, lane: Term, width: Term | None = None) -> bool:
        """Whether the lane that is asked has a value, for it has none where `nothing` holds of it; False where that is open."""
        return False

    def exchange(self, target: int, transition: Transition, collective: Collective) -> State:
        """Lanes or threads exchange values: what comes back is unknown, among the threads of a block one for all. A lane that
        hands on what has no value gets none: that no lane of its warp has one then is shown (`obligations.initialised`), or
        that the lane which is asked has one."""
        nothing = self.give(collective.args, collective.place, collective.op)
        self.meet(target, transition)
        owner = Owner.BLOCK if collective.scope == "block" else Owner.THREAD
        name, kind = collective.result, self.types[collective.result]
        found = self.unknown(collective.op, kind, owner)
        return self.assigned(name, T.select(nothing, T.undefined((self.side, name, target, "given"), kind), found))

    def meet(self, target: int, transition: Transition) -> None:
        """Threads come together at a barrier or an exchange."""
        match transition:
            case Sync(barrier=Barrier() as stmt) | Action(stmt=Collective() as stmt):
                mask = None if stmt.mask is None else self.evaluate(stmt.mask, T.TRUE)
                op, args = (stmt.op, stmt.args) if isinstance(stmt, Collective) else ("", ())
                width = self.evaluate(args[2], T.TRUE) if op.startswith("shfl") and len(args) > 2 else None
                self.arrive(target, [self.state.path], stmt.place, stmt.scope, mask, op, width=width)
                if isinstance(stmt, Barrier) and stmt.flags is not None:
                    self.chosen(target, stmt.flags, stmt.place)
        barrier = barrier_of(transition)
        if barrier is not None:
            self.interval = self.interval.after(target, barrier, self.rounds)

    def chosen(self, target: int, flags: Expr, place: Place) -> None:
        """What a thread fences at a barrier that leads to a location."""
        if self.rounds:
            raise UndecidedError("fence flags of a barrier that are chosen at run time, in a loop", place)
        value = self.evaluate(flags, T.TRUE)
        self.observe(T.TRUE, value, place)
        for space, bit in FENCE_BITS.items():
            part = T.binary("&", value, T.const(bit, value.type))
            fences = T.conjunction(self.guard(T.TRUE), T.binary("!=", part, T.const(0, value.type)))
            self.found.fenced[target, space] = T.disjunction(self.found.fenced.get((target, space), T.FALSE), fences)

    def test(self, test: Expr, place: Place) -> Term:
        """The term of a test; evaluated once for both conditions that leave a location."""
        if id(test) not in self.tests:
            self.tests[id(test)] = self.evaluate(test, T.TRUE)
            self.observe(T.TRUE, self.tests[id(test)], place)
        return self.tests[id(test)]

    def guard(self, local: Term) -> Term:
        """When a thread is here."""
        return T.conjunction(self.condition(self.state.path), local)

    def condition(self, path: Conjuncts) -> Term:
        """All of a path condition. It is asked about again and again, and grows by one: the last ones are kept."""
        known = next((term for other, term in self.known if other is path), None)
        if known is None:
            known = whole(path)
            self.known.append((path, known))
        return known

    def longer(self, path: Conjuncts, term: Term) -> Conjuncts:
        """A path with one more decision."""
        found = (*path, Conjunct(term))
        self.known.append((found, T.conjunction(self.condition(path), term)))
        return found

    def arrive(self, location: int, paths: list[Conjuncts], place: Place, scope: Scope, mask: Term | None = None,
               op: str = "", agreed: tuple[Term, ...] = (), width: Term | None = None) -> None:
        """Note where all threads of a scope have to come."""
        before = self.together[scope]
        full, control = T.FALSE, T.FALSE
        for path in paths:
            full = T.disjunction(full, whole(path[before.length:]))
            control = T.disjunction(control, decisions(path[before.length:]))
        base = whole(paths[0][:before.length]) if paths else T.TRUE
        self.found.arrivals.append(Arrival(location, base, full, control, before.rounds, place, scope, mask, self.left, op,
                                           agreed, width))

    def observe(self, local: Term, term: Term, place: Place) -> None:
        if self.rounds and is_undefined(set(T.subterms(term))):
            self.found.undefined.append(place)
        self.found.observations.append(Observation(self.guard(local), term, place))

    def store(self, store: Store) -> None:
        index = tuple(self.evaluate(part, T.TRUE) for part in store.index)
        value = self.evaluate(store.value, T.TRUE)
        self.found.observations.append(Observation(self.guard(T.TRUE), value, store.place, True))
        self.access("write", store.array, index, value, T.TRUE, store.place)

    def access(self, kind: Literal["read", "write", "atomic"], array: str, index: tuple[Term, ...], value: Term, local: Term,
               place: Place, atomic: Atomic | None = None, operands: tuple[Term, ...] = (), part: int = 0) -> None:
        guard = self.guard(local)
        for subscript in index:
            self.found.observations.append(Observation(guard, subscript, place))
        self.found.accesses.append(Access(len(self.found.accesses), array, self.arrays[array].space, kind, guard, index,
                                          value, self.interval, place, self.rounds, atomic, operands, self.copier, part))

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
            case Binary():
                return self.combined(expr, local)
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
                given = tuple(self.evaluate(arg, local) for arg in args)
                own = manner(expr, self.automaton.kernel.dialect) is not None
                return T.unknown(function, given, kind) if own else T.call(function, given, kind)
            case Bits(arg=arg, type=kind):
                return T.call(f"bits of {arg.type}", (self.evaluate(arg, local),), kind)
        assert_never(expr)

    def combined(self, expr: Binary, local: Term) -> Term:
        """The term of an operation on two values. What is divided by something that is no constant is noted."""
        first = self.evaluate(expr.left, local)
        further = first if expr.op == "&&" else T.negate(first) if expr.op == "||" else T.TRUE
        second = self.evaluate(expr.right, T.conjunction(local, further))
        value = T.binary(expr.op, first, second)
        if value.op in ("/", "%") and value.type.is_int and T.constant_value(second) is None:
            self.found.divided.append(Observation(self.guard(local), value, expr.place))
        return value

    def version(self, name: str) -> tuple[Version, tuple[Term, ...]]:
        """Which contents a read sees here (see soundness: values), and in which rounds."""
        array = self.arrays[name]
        writers = self.written_in.get(name, set())
        if not writers and not array.volatile and array.space is Space.GLOBAL:
            return Version(name, Owner.LAUNCH, "initial"), ()
        epoch = self.interval.of(array.space)
        if array.space is Space.SHARED and not array.volatile and epoch.barrier not in writers and not self.is_vague:
            return Version(name, Owner.BLOCK, f"{self.side}{epoch.barrier}"), epoch.rounds
        self.unknowns += 1
        return Version(name, Owner.THREAD, f"{self.side}read{self.unknowns}"), self.rounds

    def unknown(self, what: str, kind: Scalar, owner: Owner = Owner.THREAD) -> Term:
        """A value of which only is known whose it is."""
        self.unknowns += 1
        return T.unknown(f"{self.side}{what} {self.unknowns}", (*self.coordinates(owner), *self.rounds), kind)

    def coordinates(self, owner: Owner) -> tuple[Term, ...]:
        """What tells threads apart, or blocks, or nothing."""
        seen = {Owner.THREAD: (Quantity.THREAD, Quantity.BLOCK), Owner.BLOCK: (Quantity.BLOCK,), Owner.LAUNCH: ()}[owner]
        return tuple(self.values[f"{quantity.value}.{axis}"] for quantity in seen for axis in AXES)


def declared(automaton: Automaton) -> dict[str, Scalar]:
    """The types of the locals."""
    return {data["transition"].stmt.name: data["transition"].stmt.type for *_, data in automaton.graph.edges(data=True)
            if isinstance(data["transition"], Action) and isinstance(data["transition"].stmt, Declare)}


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
                after = replace(interval.passing(target, transition, ()), warp=START, grid=START)
                names = [copy.array for copy in (*interval.pending(), *after.pending())]
                if isinstance(transition, Action) and isinstance(transition.stmt, Store | Atomic):
                    names.append(transition.stmt.array)
                for name in names:
                    found.setdefault(name, set()).update(at.of(arrays[name].space).barrier for at in (interval, after))
                if after not in reach.setdefault(target, set()):
                    reach[target].add(after)
                    todo.append(target)
    return found
