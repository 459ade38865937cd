"""Two kernels of which each thread does the same, step by step: equal for all sizes, in milliseconds.

Input: two kernels as they are proved, in one name space, at one launch. Output: the class in which each output is equal, or None.
What the kernels are made of may differ: names, places, temporaries, helper functions, early returns in the place of branches,
two ways to choose a value.

The idea is an induction over what a thread does with others (barriers, exchanges, updates), which has to come in one order on
both sides, with the same values. In between each side computes and stores by itself (`numbering`); when it meets others the next
time, both have to have made the same stores to each array, in the same order. A load gives the same on both sides if the thread
has made the same stores to the array since it met others, for no other thread writes what this one reads before the two have met:
both kernels are shown to be deterministic. That is why a kernel with memory fences or volatile arrays is not followed: its loads
meet others, too. In a loop the locals of both sides that have one value at its head are guessed, as many as can be, and those
guesses are dropped that a round does not keep (the same source as `numbering`). Where paths meet, what comes in by the same paths
is the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from automata.lang.core import (
    Array,
    Assign,
    Atomic,
    Barrier,
    Block,
    Claim,
    Collective,
    Declare,
    Expr,
    Fence,
    If,
    Kernel,
    Later,
    Leave,
    Loop,
    Print,
    Return,
    Settle,
    Space,
    Stmt,
    Store,
)
from automata.lang.effects import assigned, stored_arrays
from automata.lang.traverse import walk
from automata.limits import STEPS
from automata.rewriting.straightened import straightened
from equivalence.numbering import Laws, Number, Numbering, Reader, Unread
from equivalence.result import EqualityClass

SAME_STEPS = ("each thread of both sides makes the same stores, updates, exchanges and barriers, in the same order, of the same "
              "values; loads between two of them are the same, for both sides are deterministic",)
"""How it is shown, for people."""
Body = Sequence[Stmt]


class _Apart(Exception):
    """The sides do not do the same, or it is not seen that they do."""


def same_class(a: Kernel, b: Kernel, outputs: Sequence[str], alike: Mapping[str, str], most: EqualityClass
               ) -> dict[str, EqualityClass] | None:
    """The class of each output where both kernels do the same in step. `alike`: b's parameters that hold what one of a's does,
    and the names of those; `most`: the weakest class that is asked for."""
    has_fences = any(isinstance(stmt, Fence) for kernel in (a, b) for stmt in walk(kernel.body))
    if a.dialect != b.dialect or has_fences or any(array.volatile for kernel in (a, b) for array in kernel.arrays):
        return None
    elements = {array.name: array.element for array in a.arrays}
    try:
        a, b = (replace(kernel, body=straightened(kernel.body)) for kernel in (a, b))
    except RecursionError:
        return None
    for laws in Laws:
        kinds = {name: _class_of(laws, is_int=elements[name].is_int) for name in outputs if name in elements}
        if len(kinds) < len(outputs) or any(kind.rank > most.rank for kind in kinds.values()):
            return None
        try:
            _Pair(a, b, alike, laws).block(a.body, b.body)
        except (_Apart, Unread, RecursionError):
            continue
        return kinds
    return None


def _class_of(laws: Laws, *, is_int: bool) -> EqualityClass:
    if is_int:
        return EqualityClass.BITWISE if laws is Laws.EXACT else EqualityClass.INT
    return EqualityClass.COMMUTATIVE if laws is Laws.COMMUTES else EqualityClass.BITWISE


@dataclass(frozen=True, slots=True)
class _State:
    """What both sides know at one point: the numbers of their locals, and when arrays last changed."""

    a: Mapping[str, Number]
    b: Mapping[str, Number]
    since: Mapping[object, Number]


@dataclass(slots=True)
class _Exit:
    """A loop or block of each side, and the states in which both leave it."""

    a: str
    b: str
    states: list[_State] = field(default_factory=list)


class _Pair:
    """Both sides in step. `_Apart` ends it."""

    def __init__(self, a: Kernel, b: Kernel, alike: Mapping[str, str], laws: Laws) -> None:
        self.made = Numbering(laws)
        one = {param.name: self.made.of("param", param.name) for param in a.params}
        two = {param.name: one[alike[param.name]] if param.name in alike else self.made.of("param of b", param.name)
               for param in b.params}
        self.sides = (Reader(self.made, _arrays(a, "a"), one), Reader(self.made, _arrays(b, "b"), two))
        self.own = {place for kernel, side in zip((a, b), self.sides, strict=True)
                    for array in kernel.arrays if array.space is Space.PRIVATE for place in [side.arrays[array.name]]}
        self.places = {place for side in self.sides for place in side.arrays.values()}
        self.exits: list[_Exit] = []
        self.left = STEPS.value

    # States

    def settle(self) -> None:
        """Both sides have made the same stores."""
        one, two = self.sides
        if any(one.when(place) != two.when(place) for place in self.places):
            raise _Apart

    def state(self) -> _State:
        self.settle()
        one, two = self.sides
        return _State(dict(one.locals), dict(two.locals), dict(one.since))

    def enter(self, state: _State) -> None:
        for side, known in zip(self.sides, (state.a, state.b), strict=True):
            side.locals, side.since = dict(known), dict(state.since)

    def changed(self, places: set[object]) -> None:
        """Some arrays are others from here on."""
        self.settle()
        for place in places:
            number = self.made.fresh()
            for side in self.sides:
                side.since[place] = number

    def met(self) -> None:
        """The thread has met others: what they did may be seen now."""
        self.changed(self.places - self.own)

    def join(self, states: Sequence[_State], choose: Callable[[Number, Number], Number] | None = None) -> bool:
        """Go on where paths meet; False where none does. `choose`: of two, by the test that parts them."""
        if not states:
            return False
        met = self.made.fresh()

        def one(numbers: list[Number]) -> Number:
            if len(set(numbers)) == 1:
                return numbers[0]
            return choose(*numbers) if choose is not None and len(numbers) == 2 else self.made.of("meet", met, *numbers)

        def both(maps: list[Mapping[str, Number]]) -> dict[str, Number]:
            return {name: one([each[name] for each in maps]) for name in maps[0] if all(name in each for each in maps)}

        since = {place: one([state.since.get(place, self.made.of("first", place)) for state in states]) for place in self.places}
        self.enter(_State(both([state.a for state in states]), both([state.b for state in states]), since))
        return True

    # Statements

    def block(self, a: Body, b: Body) -> bool:
        """Both lists in step; False where no path comes to their end."""
        left = deque(a), deque(b)
        while True:
            for side, todo in zip(self.sides, left, strict=True):
                self.advance(side, todo)
            if not all(left):
                if any(left):
                    raise _Apart
                self.settle()
                return True
            if not self.step(left[0].popleft(), left[1].popleft()):
                return False

    def advance(self, side: Reader, todo: deque[Stmt]) -> None:
        """Go over what only computes and stores; what is left begins with something else, or is empty."""
        while todo:
            self.left -= 1
            if self.left < 0:
                raise _Apart
            if not _only_computes(todo[0]):
                break
            self.compute(side, todo.popleft())

    def compute(self, side: Reader, stmt: Stmt) -> None:
        """One side alone."""
        match stmt:
            case Declare(name=name):
                side.locals.pop(name, None)
            case Assign(name=name, value=value):
                side.locals[name] = side.number(value)
            case Store():
                side.store(stmt)
            case If():
                self.choose(side, stmt)
            case _:
                assert isinstance(stmt, Claim)

    def choose(self, side: Reader, stmt: If) -> None:
        """A branch in which one side computes and stores."""
        number, before, since = side.number(stmt.test), dict(side.locals), dict(side.since)
        for part in stmt.then:
            self.compute(side, part)
        then, side.locals = side.locals, before
        stored, side.since = side.since, since
        for part in stmt.other:
            self.compute(side, part)
        side.locals = {name: self.made.chosen(number, then[name], value) for name, value in side.locals.items() if name in then}
        for place in {**stored, **side.since}:
            first = self.made.of("first", place)
            side.since[place] = self.made.chosen(number, stored.get(place, first), side.when(place))

    def step(self, a: Stmt, b: Stmt) -> bool:
        """One effect of each side; False where no path goes on behind it."""
        match a, b:
            case If(), If():
                return self.branch(a, b)
            case Loop(), Loop():
                return self.loop(a, b)
            case Block(), Block():
                self.exits.append(_Exit(a.label, b.label))
                goes_on = self.block(a.body, b.body)
                found = self.exits.pop()
                return self.join([*found.states, *([self.state()] if goes_on else [])])
            case Leave(), Leave():
                self.exit_of(a.label, b.label).states.append(self.state())
                return False
            case Return(), Return():
                self.settle()
                return False
            case _:
                self.effect(a, b)
                return True

    def exit_of(self, a: str, b: str) -> _Exit:
        found = next((each for each in reversed(self.exits) if each.a == a or each.b == b), None)
        if found is None or (found.a, found.b) != (a, b):
            raise _Apart
        return found

    def branch(self, a: If, b: If) -> bool:
        (one, ways_a), (two, ways_b) = (self.ways(side, stmt) for side, stmt in zip(self.sides, (a, b), strict=True))
        if one != two:
            raise _Apart
        before, states = self.state(), []
        for way_a, way_b in zip(ways_a, ways_b, strict=True):
            self.enter(before)
            if self.block(way_a, way_b):
                states.append(self.state())
        return self.join(states, lambda then, other: self.made.chosen(one, then, other))

    def ways(self, side: Reader, stmt: If) -> tuple[Number, tuple[Body, Body]]:
        """A test without its negation, and what happens where it holds and where not."""
        test, is_negated = self.made.upright(side.number(stmt.test))
        return test, (stmt.other, stmt.then) if is_negated else (stmt.then, stmt.other)

    def loop(self, a: Loop, b: Loop) -> bool:
        """The locals that a round may change are of one class if they have one value at the head: at first those that come in
        equal, then without those that a round parts."""
        before, touched = self.state(), self.touched(self.sides[0], a) | self.touched(self.sides[1], b)
        classes: dict[tuple[int, str], object] = {
            (at, name): side.locals[name] for at, (side, stmt) in enumerate(zip(self.sides, (a, b), strict=True))
            for name in sorted(assigned((stmt,)) & side.locals.keys())}
        while True:
            self.enter(before)
            heads = {each: self.made.fresh() for each in dict.fromkeys(classes.values())}
            for (at, name), each in classes.items():
                self.sides[at].locals[name] = heads[each]
            self.changed(touched)
            head = self.state()
            self.exits.append(_Exit(a.label, b.label))
            self.same((a.test,), (b.test,))
            goes_on = self.block(a.body, b.body) and self.block(a.step, b.step)
            left = self.exits.pop().states
            finer = {(at, name): (each, self.sides[at].locals.get(name, self.made.fresh()))
                     for (at, name), each in classes.items()}
            if not goes_on or len(set(finer.values())) == len(heads):
                return self.join([head, *left])
            numbers = {each: at for at, each in enumerate(dict.fromkeys(finer.values()))}
            classes = {key: numbers[each] for key, each in finer.items()}

    def touched(self, side: Reader, loop: Loop) -> set[object]:
        """The arrays that may be others in a later round."""
        stored = {side.arrays[name] for name in stored_arrays((loop,))}
        is_met = any(isinstance(stmt, Atomic | Collective | Barrier | Later | Settle) for stmt in walk((loop,)))
        return stored | (self.places - self.own if is_met else set())

    # Effects

    def effect(self, a: Stmt, b: Stmt) -> None:
        """One effect of each side that is the same."""
        match a, b:
            case Atomic(), Atomic() if (a.op, a.scope) == (b.op, b.scope):
                self.same_place(a.array, b.array)
                if len(a.index) != len(b.index) or any(
                        self.sides[0].index(one) != self.sides[1].index(two) for one, two in zip(a.index, b.index, strict=True)):
                    raise _Apart
                self.same(a.args, b.args)
                self.given(a.result, b.result)
                self.changed({self.sides[0].arrays[a.array]})
                self.met()
            case Collective(), Collective() if (a.op, a.scope) == (b.op, b.scope):
                self.same((a.mask, *a.args), (b.mask, *b.args))
                self.given(a.result, b.result)
                self.met()
            case Barrier(), Barrier() if (a.fences, a.scope) == (b.fences, b.scope):
                self.same((a.mask, a.flags), (b.mask, b.flags))
                self.met()
            case Later(), Later():
                self.block(a.body, b.body)
                self.met()
            case Settle(), Settle():
                self.same((a.most,), (b.most,))
                self.met()
            case Print(), Print():
                self.same(a.args, b.args)
            case _:
                raise _Apart

    def same_place(self, a: str, b: str) -> None:
        if self.sides[0].arrays[a] != self.sides[1].arrays[b]:
            raise _Apart

    def same(self, a: Sequence[Expr | None], b: Sequence[Expr | None]) -> None:
        """The same values of the same types on both sides."""
        if len(a) != len(b):
            raise _Apart
        for one, two in zip(a, b, strict=True):
            if one is None or two is None:
                if one is not two:
                    raise _Apart
            elif one.type != two.type or self.sides[0].number(one) != self.sides[1].number(two):
                raise _Apart

    def given(self, a: str | None, b: str | None) -> None:
        """One value that nobody knows, on both sides."""
        number = self.made.fresh()
        for side, name in zip(self.sides, (a, b), strict=True):
            if name is not None:
                side.locals[name] = number


def _arrays(kernel: Kernel, side: str) -> dict[str, object]:
    """What both sides call the arrays of one: those in global memory by name, others by their kind and the order in which they
    are stored to first. That the sides mean one array by that is seen where they store to it."""
    order = [stmt.array for stmt in walk(kernel.body) if isinstance(stmt, Store | Atomic)]
    first = {name: at for at, name in reversed(list(enumerate(order)))}
    seen: dict[object, Iterator[int]] = {}

    def place(array: Array) -> object:
        kind = array.space, array.element.name, array.dims
        if array.space is Space.GLOBAL:
            return array.name, kind
        return (kind, next(seen.setdefault(kind, count()))) if array.name in first else (side, array.name)

    return {array.name: place(array) for array in sorted(kernel.arrays, key=lambda array: first.get(array.name, len(order)))}


def _only_computes(stmt: Stmt) -> bool:
    """Whether a statement sets locals and stores, and nothing else."""
    if isinstance(stmt, If):
        return all(map(_only_computes, (*stmt.then, *stmt.other)))
    return isinstance(stmt, Declare | Assign | Store | Claim)
