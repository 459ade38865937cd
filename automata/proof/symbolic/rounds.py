"""The values of a loop's locals in its round k.

Input: a loop and the state in which it is entered. Output: for each local that the loop changes its value at the head in
round k. It is found by running the body once in silence on placeholders:

- unchanged, or changed by what does not change (`x += c`, whatever the branches): x₀ + k·c; where inner loops change it, by as
  much as all their rounds do (`trips`);
- one that comes back to where it was after a few rounds (`buffer = 1 - buffer`), or that hands its value round with others
  (two pointers swapped): one of these few, by the remainder of k;
- computed anew from such ones: their term, a round earlier;
- else an unknown function of k (of the thread and block too, unless nothing of theirs gets into it), within bounds that
  are kept by every round (Houdini: candidates that a round may break are dropped until the rest is inductive; Flanagan
  and Leino, FME 2001).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce

from automata.lang.core import Assign, Atomic, Collective, Const, Declare, Expr, Havoc, Scope
from automata.logic import terms as T
from automata.logic.terms import Owner, Symbol, Term
from automata.place import NOWHERE, Place
from automata.proof.known.footprint import Footprint
from automata.proof.symbolic.copies import CopyingThread, require_ended
from automata.proof.symbolic.recurrence import (
    Bound,
    after_rounds,
    candidates,
    in_rotation,
    in_turn,
    is_fixed,
    is_undefined,
    owner_of,
    previous,
    rank,
    step_of,
)
from automata.proof.symbolic.source_lane import at_source
from automata.proof.symbolic.states import State, met
from automata.proof.symbolic.trips import Trip, trip_of
from automata.scalar import I64, Scalar
from automata.thread.automaton import Action, Automaton, Condition
from automata.thread.deciding import deciding_locals
from automata.thread.segments import WIDTH, Interval, barrier_of, meeting
from automata.thread.unset import Unset

Seeds = dict[int, dict[Interval, list[State]]]
Trips = dict[Term, Trip | None]
"""How many rounds loops make, by the symbols that number them; None where that is open, or not always the same."""
UNSET = 3
"""The parts of a tag of what a local begins with: whose, its name, and where."""


@dataclass(frozen=True, slots=True)
class Exit:
    """A state that leaves a region along an edge."""

    target: int
    interval: Interval
    state: State


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of the automaton: its locations, the locals of before that it changes and the test at its head.

    `scope`: the widest in which threads meet in it, None if they do not; `cuts`: whether a barrier in it begins an interval;
    `ends_by_test`: whether its head is the only place that leads out.
    """

    head: int
    span: range
    changed: dict[str, Scalar]
    test: Expr | None
    scope: Scope | None
    cuts: bool
    place: Place
    ends_by_test: bool


@dataclass(frozen=True, slots=True)
class Recurrences:
    """What a loop does to its locals: the values at its head, from those before it, by name.

    `first`: in round 0; `later`: in round k > 0; `always`: in any round; `known`: what holds in round k > 0; `ends`: the
    states in which a round that began like round 0 goes back to the head; `unknown`: the names of unknown functions.
    """

    first: dict[str, Term]
    later: dict[str, Term]
    always: dict[str, Term]
    known: tuple[Term, ...]
    ends: list[Exit]
    unknown: dict[str, object]


class Rounds(CopyingThread):
    """`refuted`: whether terms are never true together, for one thread. Loops by their heads."""

    def __init__(self, automaton: Automaton, values: Mapping[str, Term], side: str, ranges: dict[Symbol, tuple[Term, Term]],
                 refuted: Callable[[list[Term]], bool]) -> None:
        super().__init__(automaton, values, side, ranges)
        self.refuted = refuted
        self.deciding = deciding_locals(automaton.kernel)
        self.unset = Unset(automaton)
        self.loops = {head: loop_of(automaton, head, span, self.types) for head, span in automaton.loops.items()
                      if any(automaton.is_back(source, head) for source, _ in automaton.graph.in_edges(head))}
        self.silence = 0
        self.behind: dict[object, set[Term]] = {}
        self.entries = 0
        self.trips: Trips = {}
        self.owners: dict[tuple[int, tuple[Term, ...]], Mapping[str, Owner]] = {}
        """Whose the locals were that a loop changes, when it was last run in silence in some rounds of the loops around it: whose
        they are only widens there, so the next run begins with that."""

    @abstractmethod
    def region(self, members: range, waiting: Seeds, head: int | None) -> list[Exit]:
        """Run locations in order; what leaves them, or goes back to their head."""

    def has_value(self, nothing: Term, lane: Term, width: Term | None = None) -> bool:
        there = at_source(self.values, nothing, lane, width)
        return there is not None and self.refuted([self.guard(T.TRUE), there])

    def within(self, loop: Loop) -> list[Loop]:
        """The loops inside a loop."""
        return [other for other in self.loops.values() if other.head in loop.span and other is not loop]

    def round_of(self, loop: Loop, mark: str = "") -> Term:
        """The round that a thread is in. `mark`: or was in, at another time."""
        return self.numbered(f"{self.side}round@{loop.place.line}.{loop.head}{mark}")

    def in_silence(self, loop: Loop, number: Term, interval: Interval, state: State) -> tuple[list[Exit], Footprint, Trips]:
        """One run of the body of which nothing is kept: the states that go back to the head, what it would have done, and how
        many rounds its loops make."""
        kept = self.found, self.rounds, self.together, self.is_vague, self.trips
        self.trips = {}
        self.is_vague = self.is_vague or (loop.cuts and loop.scope != "warp")
        self.found = Footprint()
        self.silence += 1
        self.rounds = (*self.rounds, number)
        exits = self.region(loop.span, {loop.head: {interval: [state]}}, loop.head)
        done, trips = self.found, self.trips
        self.found, self.rounds, self.together, self.is_vague, self.trips = kept
        self.silence -= 1
        return [leaving for leaving in exits if leaving.target == loop.head], done, trips

    def placeholders(self, loop: Loop, owners: Mapping[str, Owner]) -> dict[str, Term]:
        """A symbol for the value of each changed local at the head."""
        found = {}
        for name, kind in loop.changed.items():
            found[name] = T.symbol(f"@{loop.head}.{name}", kind, owners[name])
            if kind.is_int:
                self.ranges[T.symbol_of(found[name])] = T.const(kind.low, kind), T.const(kind.high, kind)
        return found

    def recurrences(self, loop: Loop, interval: Interval, state: State, number: Term) -> Recurrences:
        owners = dict(self.owners.get((loop.head, self.rounds)) or {name: Owner.LAUNCH for name in loop.changed})
        first = {name: self.given(state.values.get(name, T.undefined((self.side, name, loop.head), kind)))
                 for name, kind in loop.changed.items()}
        while True:
            held = self.placeholders(loop, owners)
            rounds, done, trips = self.in_silence(loop, number, interval, state.with_values(held))
            for leaving in rounds:
                require_ended(interval, leaving.interval, loop.place)
            ends = _merged([leaving.state for leaving in rounds], held)
            spoiled = {name: owner_of({*self.rounds, number}, first[name], end) for name, end in ends.items()}
            wider = {name: owner for name, owner in spoiled.items() if rank(owner) > rank(owners[name])}
            if not wider:
                break
            owners |= wider
        self.owners = {**self.owners, (loop.head, self.rounds): owners} if self.silence else {}
        ends = self.counted_out(loop, number, state, first, ends, trips)
        later, always, unknown = self.solved(loop, number, first, ends, held, owners)
        functions = {name: later[name].data for name in unknown}
        used = _used(done, ends.values(), {term: name for name, term in held.items()})
        self.found.hiding |= done.hiding
        self.found.hiding |= dict.fromkeys(self.hiding(first, ends, held, functions), loop.place)
        unknown = [name for name in unknown if name in used and name in self.deciding]
        bounds = {} if self.silence else self.kept_bounds(state, rounds, held, first, always, unknown, number)
        test = self.test_at(loop, number, {**state.values, **always})
        trip = trip_of(test, number) if loop.ends_by_test else None
        self.trips[number] = trip if self.trips.get(number, trip) == trip else None
        known = [bound(always[name]) for name, found in bounds.items() for bound in found]
        went_on = T.TRUE if loop.ends_by_test else self.went_on(
            loop, state, rounds, {term: always[name] for name, term in held.items()})
        known += [T.substitute(term, {number: previous(number)}) for term in (*known, test, went_on)]
        if loop.ends_by_test and loop.scope is None and loop.test is not None:
            self.found.tests.setdefault(number, []).append(test)
        return Recurrences(first, later, always, tuple(term for term in known if term is not T.TRUE), rounds, functions)

    def given(self, term: Term) -> Term:
        """A value with any number for locals without one that are set wherever they are read."""
        return T.substitute(term, {part: T.const(0, part.type) for part in T.subterms(term) if self.is_of_no_use(part)})

    def is_of_no_use(self, part: Term) -> bool:
        """Whether a term is what a local begins with that is set wherever it is read."""
        name = part.data[1] if part.op == "undef" and isinstance(part.data, tuple) and len(part.data) == UNSET else None
        return isinstance(name, str) and self.unset.is_never_read(name)

    def counted_out(self, loop: Loop, number: Term, state: State, first: Mapping[str, Term], ends: Mapping[str, Term],
                    trips: Trips) -> Mapping[str, Term]:
        """The values at the end of a round with the numbers of rounds that inner loops make. That a loop makes any may follow
        from the test of round 0, which held where any round is made."""
        inside = set().union(*map(T.subterms, ends.values()))
        made = {inner: trip for inner, trip in trips.items() if trip is not None and inner in inside}
        if not made:
            return ends
        known = [state.condition, self.test_at(loop, number, {**state.values, **first})]
        counts = {inner: trip.given(lambda test: self.refuted([*known, T.negate(test)])) for inner, trip in made.items()}
        return {name: T.substitute(end, counts) for name, end in ends.items()}

    def solved(self, loop: Loop, number: Term, first: Mapping[str, Term], ends: Mapping[str, Term], held: Mapping[str, Term],
               owners: Mapping[str, Owner]) -> tuple[dict[str, Term], dict[str, Term], list[str]]:
        """The values in round k > 0, those in any round, and the names of those that are unknown functions of it: functions
        of their own for each way to come to the loop, which others may come to with other values."""
        is_first = T.binary("==", number, T.const(0, I64))
        names = {term: name for name, term in held.items()}
        inner = {self.round_of(other) for other in self.within(loop)}
        later: dict[str, Term] = {}
        always: dict[str, Term] = {}
        below = {name: set(T.subterms(end)) for name, end in ends.items()}

        def settle(name: str, value: Term) -> None:
            later[name], always[name] = value, T.select(is_first, first[name], value)

        for name, end in ends.items():
            varying = {*names, *inner, number}
            step = step_of(end, held[name], varying)
            known = after_rounds(first[name], step, number) if step is not None else in_rotation(name, ends, names, first, number)
            if known is not None:
                later[name] = always[name] = known
                is_counted = step is not None and T.constant_value(step) != 0
                self.found.counted |= {T.cast(number, ends[name].type)} - {number} if is_counted else set()
            elif held[name] in below[name] and is_fixed(below[name], varying - {held[name]}):
                turn = in_turn(end, held[name], first[name], number, self.refuted)
                if turn is not None:
                    settle(name, turn)
        plain = {name: parts for name, parts in below.items() if not parts & inner and not is_undefined(parts)}
        for name in _ready(plain, names, later):
            now = T.substitute(ends[name], {term: always[names[term]] for term in plain[name] & names.keys()})
            settle(name, T.substitute(now, {number: previous(number)}))
        unknown = [name for name in ends if name not in later]
        self.entries += 1
        for name in unknown:
            args = (*self.coordinates(owners[name]), *self.rounds, number)
            settle(name, T.call(f"{self.side}{name}@{loop.head}.{self.entries}", args, ends[name].type))
        return later, always, unknown

    def hiding(self, first: Mapping[str, Term], ends: Mapping[str, Term], held: Mapping[str, Term],
               functions: Mapping[str, object]) -> set[object]:
        """The unknown functions, by name, whose value may be one that nobody gave: before the loop, in a round, or to another
        local that gets into it. What an unknown function is made of is remembered, for the loops around."""
        parts = {name: self.made_of(first[name]) | self.made_of(end) for name, end in ends.items()}
        more = True
        while more:
            more = False
            for mine in parts.values():
                for other, others in parts.items():
                    if held[other] in mine and not others <= mine:
                        mine |= others
                        more = True
        self.behind |= {function: parts[name] for name, function in functions.items()}
        hiding = self.found.hiding.keys()
        return {function for name, function in functions.items() if is_undefined(parts[name])
                or any(part.op == "call" and part.data in hiding for part in parts[name])}

    def made_of(self, term: Term) -> set[Term]:
        """The symbols, undefined values and unknown functions in a term, and what those functions are made of."""
        found = {part for part in T.subterms(term) if part.op in ("sym", "undef", "call")}
        return found.union(*(self.behind.get(part.data, ()) for part in found if part.op == "call"))

    def test_at(self, loop: Loop, number: Term, values: Mapping[str, Term]) -> Term:
        """The test at the head in a round."""
        if loop.test is None:
            return T.TRUE
        kept = self.found, self.rounds, self.is_vague
        self.found, self.rounds, self.is_vague = Footprint(), (*self.rounds, number), True
        self.state = State((), values)
        term = self.evaluate(loop.test, T.TRUE)
        self.found, self.rounds, self.is_vague = kept
        return term

    def went_on(self, loop: Loop, state: State, rounds: list[Exit], values: Mapping[Term, Term]) -> Term:
        """What the branches of a round that is followed by another were decided by, as far as that is told by numbers: a loop
        need not end at its head. `values`: at the head."""
        inner = {self.round_of(other) for other in self.within(loop)}

        def is_told(part: Term) -> bool:
            parts = set(T.subterms(part))
            return is_fixed(parts, inner) and not parts.isdisjoint(values) and not any(
                term.op == "call" or term.type.is_float for term in parts)

        told = [T.all_of(tuple(part.term for part in leaving.state.path[len(state.path):] if is_told(part.term)))
                for leaving in rounds]
        return T.substitute(reduce(T.disjunction, told, T.FALSE), values) if told else T.TRUE

    def kept_bounds(self, state: State, rounds: list[Exit], held: Mapping[str, Term], first: Mapping[str, Term],
                    always: Mapping[str, Term], unknown: Iterable[str], number: Term) -> dict[str, list[Bound]]:
        """Bounds of unknown values that hold before the loop and that no round breaks."""
        bounds = {name: [bound for bound in candidates(first[name])
                         if self.refuted([state.condition, T.negate(bound(first[name]))])]
                  for name in unknown if first[name].type.is_int}
        values = {term: always[name] for name, term in held.items()}
        ends = [(T.substitute(leaving.state.condition, values),
                 {name: T.substitute(leaving.state.values.get(name, held[name]), values) for name in bounds})
                for leaving in rounds]
        start = T.binary("<=", T.const(0, I64), number)
        changed = any(bounds.values())
        while changed:
            changed = False
            known = [bound(always[name]) for name, found in bounds.items() for bound in found]
            for name, found in bounds.items():
                for bound in list(found):
                    if not all(self.refuted([start, path, *known, T.negate(bound(end[name]))]) for path, end in ends):
                        found.remove(bound)
                        changed = True
        return bounds


def loop_of(automaton: Automaton, head: int, span: range, types: Mapping[str, Scalar]) -> Loop:
    """What there is to know of a loop before it is run."""
    changed: dict[str, Scalar] = {}
    own: set[str] = set()
    test, place = None, NOWHERE
    scopes: set[Scope] = set()
    cuts = False
    ways_out = {source for source, target in automaton.graph.out_edges(span) if target not in span}
    for source, _, data in automaton.graph.out_edges(span, data=True):
        transition = data["transition"]
        scope = meeting(transition)
        scopes |= {scope} if scope is not None else set()
        cuts |= barrier_of(transition) is not None
        match transition:
            case Action(stmt=Assign(name=name, value=value)):
                changed[name] = value.type
            case Action(stmt=Declare(name=name)):
                own.add(name)
            case Action(stmt=Havoc(name=name) | Atomic(result=str(name)) | Collective(result=name)):
                changed[name] = types[name]
            case Condition(test=found, positive=True, place=where) if source == head:
                test, place = found, where
    widest = max(scopes, key=WIDTH.__getitem__, default=None)
    changed = {name: kind for name, kind in changed.items() if name not in own}
    return Loop(head, span, changed, None if isinstance(test, Const) else test, widest, cuts, place, ways_out <= {head})


def _ready(made_of: Mapping[str, set[Term]], names: Mapping[Term, str], known: Mapping[str, Term]) -> Iterator[str]:
    """The names of values that are made of known ones alone, each as soon as that is so: who takes one makes it known."""
    goes_on = True
    while goes_on:
        goes_on = False
        for name in [name for name in made_of if name not in known]:
            if all(names[term] in known for term in made_of[name] & names.keys()):
                yield name
                goes_on = True


def _merged(rounds: list[State], held: Mapping[str, Term]) -> Mapping[str, Term]:
    """The values of locals at the end of a round."""
    after = met(rounds).values if rounds else {}
    return {name: after.get(name, term) for name, term in held.items()}


def _used(done: Footprint, ends: Iterable[Term], names: Mapping[Term, str]) -> set[str]:
    """The locals whose value at the head gets into anything."""
    roots = [*ends, *(seen.term for seen in done.observations), *(seen.guard for seen in done.observations),
             *(arrival.full for arrival in done.arrivals), *done.carried]
    for given in done.given:
        roots += [given.guard, *given.all]
    for access in done.accesses:
        roots += [access.guard, access.value, *access.operands, *access.index]
    return {names[part] for part in T.unseen(roots, set()) if part in names}
