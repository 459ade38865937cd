"""Loops whose rounds sizes decide: one round stands for all.

What a round changes begins it as an unknown (a hole). A counter is what a round adds the same number to: in round r it is its
first value plus r steps. Everything else that is carried is data: its first value, and its value at the end of a round in terms
of the holes, go into a `LoopRun`, from which `evaluate` tells what the loop leaves: a sum, a maximum, or a recurrence of its own.
A test is understood if a round whose test fails is the last: then the rounds that are made are those whose own test holds.

An element of global memory that a loop reads and writes again and again, and nothing else of its array, is carried like a local
(`kept`): it is loaded before the loop and stored behind it. Where no round stores it, it gets what it had; so no other thread
at all may come to it (`cells`). Loops inside carry it too.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from automata.lang.core import Assign, Atomic, Collective, Declare, Havoc, Loop, Stmt
from automata.lang.effects import stored_arrays
from automata.lang.traverse import walk
from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import And, Formula, Or, Poly, Rel
from automata.place import Place
from automata.scalar import BOOL, I64, Scalar
from equivalence.generic.counters import MOST_TURNS, Counters, circles_of
from equivalence.generic.expressions import Expressions
from equivalence.generic.integers import ZERO, CannotFollow
from equivalence.generic.lanes import Row, Shape, row
from equivalence.generic.memory import Memory
from equivalence.generic.until import until
from equivalence.generic.values import CarriedKey, Cell, CellKey, LoopRun, Node, Seen, State, Truths, Value

MOST_TRIES = 4
"""Dry runs of a body until it is known which cells it changes."""


def changed_in(loop: Loop) -> dict[str, Scalar | None]:
    """The locals that a round changes and that live on, in the order of the source, with their types."""
    found: dict[str, Scalar | None] = {}
    own: set[str] = set()
    for stmt in walk((*loop.body, *loop.step)):
        match stmt:
            case Assign(name=name, value=value):
                found[name] = value.type
            case Havoc(name=name) | Atomic(result=str(name)) | Collective(result=name):
                found.setdefault(name, None)
            case Declare(name=name):
                own.add(name)
    return {name: kind for name, kind in found.items() if name not in own}


@dataclass(frozen=True, slots=True)
class Touch:
    """An access to an array that is written."""

    array: str
    index: Row[Poly]
    is_store: bool
    rounds: tuple[LoopRun, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Kept:
    """An element of each lane that a loop carries, by a name that no local has. `reached`: when rounds come to it, with the loops
    around."""

    name: str
    array: str
    index: Row[Poly]
    place: Place
    reached: list[tuple[Truths, tuple[LoopRun, ...]]] = field(default_factory=list)


class Rounds(Memory):
    """The part of a run that follows such loops. `kept`: the elements that the loops around carry; `touched`: the accesses of a
    dry run."""

    rounds: tuple[LoopRun, ...]
    leaving: dict[str, list[State]]
    has_returned: bool
    left_for: list[str]
    kinds: dict[str, Scalar | None]
    kept: tuple[Kept, ...] = ()
    touched: list[Touch] | None = None

    @abstractmethod
    def block(self, body: Iterable[Stmt], state: State) -> None: ...

    @abstractmethod
    def fetch(self, array: str, index: Row[Poly], kind: Scalar, state: State, place: Place) -> Value: ...

    @abstractmethod
    def leave_at(self, array: str, index: Row[Poly], value: Node, state: State, place: Place) -> None: ...

    def changed_in(self, stmt: Loop) -> dict[str, Scalar | None]:
        """The same, with the elements that the loops around carry: by inner loops too."""
        return {**changed_in(stmt), **{each.name: self.arrays[each.array].element for each in self.kept}}

    def symbolic_loop(self, stmt: Loop, state: State) -> None:
        """All rounds of a loop, for all lanes."""
        number = self.round_at(stmt.place, stmt.label, len(self.rounds), id(state), self.fresh())
        self.kinds = self.changed_in(stmt)
        changed = [name for name in self.kinds if name in state.env]
        for name in changed:
            begun = state.env[name]
            if isinstance(begun, Node) and begun.type.is_int and (whole := self.as_ints(begun)) is not None:
                state.env[name] = whole
        changed += [each.name for each in self.kept if each.array in stored_arrays((*stmt.body, *stmt.step))]
        outer, self.touched = self.touched, None
        counters, cells = self.counters(stmt, state, changed, number)
        self.touched = outer
        before = self.kept
        mine = self.keeping(stmt, state, changed, counters, cells, number)
        self.kept = (*before, *mine)
        changed += [each.name for each in mine]
        self.kinds = kinds = self.changed_in(stmt)
        loop = LoopRun(number, Row(self.shape, (P.TRUE,)), stmt.place)
        begin = self.beginning(state, changed, counters, cells, number, loop)
        test = self.as_truth(self.evaluate(stmt.test, begin))
        if test is None:
            raise CannotFollow("data decide how often a loop goes round", stmt.place)
        here = self.truths(lambda outer, path: P.conj((outer, path)), self.base, state.path)
        test = self.truths(lambda value, known: until(value, number, [known], self.integers), test, here)
        self.require_last(test, number, stmt)
        loop.test = test
        kept = self.base, self.rounds
        self.base = self.truths(lambda outer, t: P.conj((outer, t)), here, test)
        self.rounds = (*self.rounds, loop)
        end = self.round(stmt, begin)
        for lanes in end.wrote.values():
            self.one_of(self.base, lanes)
        state.have_written(end.wrote)
        self.base, self.rounds, self.kept = *kept, before
        self.require_guessed(stmt, begin, end, counters, cells, number)
        loop.end = {key: end.cells[key] if not isinstance(key, str) else
                    self.as_carried(end.env.get(key), state.env[key], kinds.get(key)) for key in loop.holes}
        self.behind(stmt, state, loop, changed, counters, cells, test)
        self.leave_kept(mine, state, number)

    def leave_kept(self, kept: Iterable[Kept], state: State, number: Atom) -> None:
        """Store behind a loop what it has carried."""
        for each in kept:
            value = state.env.pop(each.name)
            assert isinstance(value, Node)
            reached = self.reached(each, number)
            made = state if reached is None else state.at(self.truths(lambda a, b: P.conj((a, b)), state.path, reached))
            self.found.carried[each.array] = None  # type: ignore[attr-defined]
            self.leave_at(each.array, each.index, value, made, each.place)

    def reached(self, each: Kept, number: Atom) -> Truths | None:
        """Which lanes come to an element that a loop carries, None if that hangs on rounds."""
        result: Truths = Row(self.shape, (P.FALSE,))
        for path, rounds in each.reached:
            numbers = [number, *(loop.number for loop in rounds[len(self.rounds):])]
            if any(self.integers.formula_depends(value, own) for value in path.values for own in numbers):
                return None
            result = self.truths(lambda a, b: P.disj((a, b)), result, path)
        return result

    def keeping(self, stmt: Loop, state: State, changed: Sequence[str], counters: Counters, cells: Iterable[CellKey],
                number: Atom) -> list[Kept]:
        """The elements that a loop carries; they are loaded here."""
        self.kinds = self.changed_in(stmt)
        begin = self.beginning(state, changed, counters, cells, number, None)
        outer, self.touched = self.touched, []
        try:
            self.dry(stmt, begin)
            touched = self.touched
        finally:
            self.touched = outer
        found: list[Kept] = []
        for array in dict.fromkeys(each.array for each in touched if each.is_store):
            mine = [each for each in touched if each.array == array]
            index = mine[0].index
            if len(mine) < 2 or any(each.index.values != index.values or not self.stays(each, number) for each in mine):
                continue
            place = next(each.place for each in mine if each.is_store)
            name, kind = f"{array}[{len(self.kept) + len(found)}]", self.arrays[array].element
            state.env[name] = self.node(self.fetch(array, index, kind, state, place), kind)
            found.append(Kept(name, array, index, place))
            seen = Seen(array, self.absolute(state), index, self.rounds, 0, place)
            self.found.alone.append(seen)  # type: ignore[attr-defined]
        return found

    def stays(self, each: Touch, number: Atom) -> bool:
        """Whether an index is the same in all rounds, of this loop and those inside."""
        numbers = [number, *(loop.number for loop in each.rounds[len(self.rounds):])]
        return not any(self.integers.depends(value, own) for value in each.index.values for own in numbers)

    def kept_as(self, array: str, index: Row[Poly], state: State, place: Place) -> str | None:
        """The name by which the loops around carry an element. CannotFollow if they carry another one of its array."""
        each = next((each for each in self.kept if each.array == array), None)
        if each is None:
            return None
        if each.index.values != index.values:
            raise CannotFollow(f"a loop that goes to one element of '{array}' and to others", place)
        each.reached.append((state.path, self.rounds))
        return each.name

    def touch(self, array: str, index: Row[Poly], place: Place, *, is_store: bool) -> None:
        if self.touched is not None:
            self.touched.append(Touch(array, index, is_store, self.rounds, place))

    def require_circle(self, stmt: Loop, name: str, numbers: Sequence[int], number: Atom, after: Value | None) -> None:
        """CannotFollow unless a round turns each number of a circle into the next, whichever round it is."""
        turns = Poly.atom(self.integers.variable("turns of a circle", "turns", 0)).scale(len(numbers))
        for at in range(len(numbers)):
            made = after.values[0] if isinstance(after, Row) and after.is_one else None
            if not isinstance(made, Poly) or self.integers.put(made, {number: turns.plus(at)}).constant != (
                    numbers[(at + 1) % len(numbers)]):
                raise CannotFollow(f"how '{name}' changes from round to round", stmt.place)

    def require_guessed(self, stmt: Loop, begin: State, end: State, counters: Counters, cells: set[CellKey],
                        number: Atom) -> None:
        """CannotFollow unless a round does what the dry runs said."""
        for name, step in counters.steps.items():
            after = end.env.get(name)
            if not self.is_integers(begin.env[name]) or not isinstance(after, Row) or self.is_truth(after):
                raise CannotFollow(f"how '{name}' changes from round to round", stmt.place)
            grown = self.each(lambda value, by: value + by, begin.env[name], step)  # type: ignore[arg-type]
            if grown.values != after.values:
                raise CannotFollow(f"how '{name}' changes from round to round", stmt.place)
        for name, numbers in counters.circles.items():
            self.require_circle(stmt, name, numbers, number, end.env.get(name))
        if any(begin.cells.get(key) is not cell and key not in cells for key, cell in end.cells.items()):
            raise CannotFollow("cells that only some rounds change", stmt.place)

    def fresh(self) -> int:
        return self.integers.encoder.fresh()

    def as_carried(self, value: Value | None, like: Value, kind: Scalar | None) -> Node:
        if value is None:
            raise CannotFollow("a local that a round leaves without a value")
        if isinstance(value, Node):
            return value
        return self.node(value, kind or (like.type if isinstance(like, Node) else self.kind_of(value)))

    def kind_of(self, value: Value) -> Scalar:
        return BOOL if self.is_truth(value) else I64

    def round(self, stmt: Loop, begin: State) -> State:
        """A round, from a state of its own."""
        here = self.truths(lambda outer, path: P.FALSE if P.FALSE in (outer, path) else P.TRUE, self.base, begin.path)
        state = begin.fork(here)
        kept, begun, left = self.leaving.get(stmt.label), self.has_returned, len(self.left_for)
        self.leaving[stmt.label], self.has_returned = [], False
        self.block(stmt.body, state)
        self.block(stmt.step, state)
        if self.leaving.pop(stmt.label) or self.has_returned or any(label in self.leaving for label in self.left_for[left:]):
            raise CannotFollow("a loop that is left from inside", stmt.place)
        if kept is not None:
            self.leaving[stmt.label] = kept
        self.has_returned = begun
        return state

    def counters(self, stmt: Loop, state: State, changed: Sequence[str],
                 number: Atom) -> tuple[Counters, set[CellKey]]:
        """What is known of each round's locals, and the cells that a round changes: found by dry runs."""
        counters = Counters()
        steps = counters.steps
        cells: set[CellKey] = set()
        for _ in range(MOST_TRIES):
            unknown = {name: self.integers.variable(("hole", number, name), f"{name} before") for name in changed
                       if self.is_integers(state.env[name])}
            self.kinds = self.changed_in(stmt)
            begin = self.beginning(state, changed, counters, cells, number, None)
            for name, each in unknown.items():
                if name not in steps:
                    begin.env[name] = Row(self.shape, (Poly.atom(each),))
            end = self.dry(stmt, begin)
            more = {key for key, cell in end.cells.items() if begin.cells.get(key) is not cell}
            found = {name: step for name, each in unknown.items() if name not in steps
                     and (step := self.step(end.env.get(name), begin.env[name], each, number, unknown.values())) is not None}
            if more <= cells and not found:
                break
            cells |= more
            steps |= found
        for name in unknown:
            if name not in steps:
                steps.setdefault(name, Row(self.shape, (ZERO,))) if end.env.get(name) is state.env[name] else None
        self.find_circles(stmt, state, changed, counters, cells, number)
        return counters, cells

    def find_circles(self, stmt: Loop, state: State, changed: Sequence[str], counters: Counters, cells: set[CellKey],
                     number: Atom) -> None:
        """Find the locals that begin with a number and come back to it: dry runs go from each of their numbers to the next."""
        begun = {name: _number(state.env.get(name)) for name in changed if name not in counters}
        numbers = {name: value for name, value in begun.items() if value is not None}
        rounds: list[Mapping[str, int]] = [numbers]
        while rounds[-1] and len(rounds) <= MOST_TURNS:
            begin = self.beginning(state, changed, counters, cells, number, None)
            begin.env |= {name: self.number(value) for name, value in rounds[-1].items()}
            end = self.dry(stmt, begin)
            after = {name: value for name in rounds[-1] if (value := _number(end.env.get(name))) is not None}
            if len(after) < len(rounds[-1]):
                rounds = [{name: numbers[name] for name in after}]
                continue
            rounds.append(after)
            found = circles_of(rounds)
            if found is not None:
                counters.circles = found
                return

    def is_integers(self, value: Value) -> bool:
        return isinstance(value, Row) and not self.is_truth(value)

    def dry(self, stmt: Loop, begin: State) -> State:
        """A round that leaves nothing behind."""
        found = self.found  # type: ignore[attr-defined]
        lists = [found.writes, found.seen, found.alone, found.staged, found.fetched, found.passed]
        lengths = list(map(len, lists))
        reached = [len(each.reached) for each in self.kept]
        kept = self.rounds, self.is_dry
        self.rounds = (*self.rounds, LoopRun(self.integers.variable("dry", "round", 0), Row(self.shape, (P.TRUE,)), stmt.place))
        self.is_dry = True
        try:
            return self.round(stmt, begin)
        finally:
            self.rounds, self.is_dry = kept
            for each, length in zip(lists, lengths, strict=True):
                del each[length:]
            for kept_one, length in zip(self.kept, reached, strict=True):
                del kept_one.reached[length:]

    def step(self, end: Value | None, begin: Value, hole: Atom, number: Atom, holes: Iterable[Atom]) -> Row[Poly] | None:
        """What a round adds to a counter, None if it is no counter."""
        if not isinstance(end, Row) or self.is_truth(end):
            return None
        others = [*holes, number]
        added = self.each(lambda value: value - Poly.atom(hole), end)  # type: ignore[arg-type]
        if any(self.integers.depends(value, each) for value in added.values for each in others):
            return None
        return added

    def beginning(self, state: State, changed: Sequence[str], counters: Counters, cells: Iterable[CellKey], number: Atom,
                  loop: LoopRun | None) -> State:
        """How a round begins. `loop`: gets the holes and what was there before."""
        begin = State(dict(state.env), dict(state.cells), state.path, state.tests)
        kinds = self.kinds
        holes: dict[CarriedKey, Node] = {}
        first: dict[CarriedKey, Node | Cell | None] = {}
        for name in changed:
            before = state.env[name]
            if name in counters.steps:
                begin.env[name] = self.each(lambda value, step: value + step * Poly.atom(number), before, counters.steps[name])  # type: ignore[arg-type]
                continue
            if name in counters.circles:
                begin.env[name] = Row(self.shape, (counters.turned(name, Poly.atom(number), self.integers),))
                continue
            kind = kinds.get(name) or (before.type if isinstance(before, Node) else self.kind_of(before))
            holes[name] = begin.env[name] = Node("hole", kind, (), (loop, name))
            if loop is not None:  # a dry run may find that it is a counter
                first[name] = self.node(before, kind)
        for key in cells:
            kind = self.arrays[key[0]].element
            holes[key] = Node("hole", kind, (), (loop, key))
            first[key] = state.cells.get(key)
            begin.cells[key] = Cell(holes[key], max(key[1], 0), max(key[1], 0))
        if loop is not None:
            loop.holes, loop.first = holes, first
        return begin

    def require_last(self, test: Truths, number: Atom, stmt: Loop) -> None:
        """CannotFollow unless a round whose test fails is followed by none whose test holds."""
        one = {number: Poly.atom(number).plus(1)}
        for value in test.values:
            if not _falls(value, number, self) and not self.integers.never([self.integers.put_formula(value, one), P.neg(value)]):
                raise CannotFollow("a loop whose test may hold again after it has failed", stmt.place)

    def behind(self, stmt: Loop, state: State, loop: LoopRun, changed: Sequence[str], counters: Counters,
               cells: Iterable[CellKey], test: Truths) -> None:
        """The state behind the loop."""
        needed = [name for name in changed if name in counters]
        if needed:
            trips = self.truths_to_ints(lambda value: self.integers.trip(value, loop.number), test)
            for name in needed:
                if name in counters.circles:
                    state.env[name] = self.each(partial(counters.turned, name, integers=self.integers), trips)
                    continue
                begun = state.env[name]
                state.env[name] = self.each(lambda value, step, trip: value + step * trip, begun, counters.steps[name], trips)  # type: ignore[arg-type]
        for name in changed:
            if name not in counters:
                hole = loop.holes[name]
                state.env[name] = Node("out", hole.type, (), (loop, name), stmt.place)
        for key in cells:
            lane = max(key[1], 0)
            state.cells[key] = Cell(Node("out", loop.holes[key].type, (), (loop, key), stmt.place), lane, lane)

    def truths_to_ints(self, function: Callable[[Formula], Poly], test: Truths) -> Row[Poly]:
        if test.is_one:
            return Row(self.shape, (function(test.values[0]),))
        return row(self.shape, [function(value) for value in test.values], (function, (test,)))


def _number(value: Value | None) -> int | None:
    """The number that an integer is in all lanes."""
    if not isinstance(value, Row) or not value.is_one or not isinstance(value.values[0], Poly):
        return None
    return value.values[0].constant


def _falls(test: Formula, number: Atom, run: Expressions) -> bool:
    """Whether a test, once it fails, fails in all later rounds: every relation in it is `p <= 0` with a p that does not fall."""
    match test:
        case Rel(sign="<=", poly=poly):
            slope = poly.coefficient(number)
            inside = [each for each in poly.atoms() if each != number and number in run.integers.within(each)]
            return not inside and number not in slope.atoms() and run.integers.encoder.interval(slope)[0] >= 0
        case And(args=args) | Or(args=args):
            return all(_falls(arg, number, run) for arg in args)
    return not run.integers.formula_depends(test, number)


__all__ = ["Rounds", "Shape"]
