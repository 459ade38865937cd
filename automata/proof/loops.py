"""Loops of the symbolic thread: one round stands for all, its number a variable of the thread.

Input: an automaton with loops whose rounds were not unrolled. A loop's body is run once, at its head in round k of the
thread: k is a symbol, and each local that the loop changes has its value of round k. That value is found by running the body
once in silence on placeholders:

- unchanged, or changed by what does not change (`x += c`, whatever the branches): x₀ + k·c;
- computed anew from such ones: their term, a round earlier;
- else an unknown function of k (of the thread and block too, unless nothing of theirs gets into it), within bounds that
  are kept by every round (Houdini: candidates that a round may break are dropped until the rest is inductive).

In round k > 0 the test of round k - 1 held. What is decided in a loop is only known behind it, not decided: all ways out that
lead to one place do so for every thread (a loop that never ends is another matter).

A loop that holds a barrier cuts intervals in two kinds: round 0 begins in the interval before the loop, a later one in that
of the last barrier of the round before (Tripakis et al., HotPar 2010, section 3, cut at the back edge). So its body is run
for both. That all threads make the same rounds is an obligation like that of a barrier: for two threads in
one round, one goes on and the other does not (`Arrival`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

from automata.lang.core import Assign, Const, Declare, Expr, Space
from automata.logic import terms as T
from automata.logic.terms import Owner, Term
from automata.place import NOWHERE, Place, UndecidedError
from automata.proof.footprint import Footprint
from automata.proof.recurrence import Bound, candidates, is_undefined, owner_of, rank, step_of
from automata.proof.symbolic import Conjunct, State, SymbolicThread, merge, whole
from automata.scalar import I32, I64, Scalar
from automata.thread.automaton import Action, Automaton, Condition, Sync
from automata.thread.segments import Interval

MOST_ROUNDS = 2**62
MAX_DEPTH = 6
COORDINATES = tuple(f"{what}.{axis}" for what in ("threadIdx", "blockIdx") for axis in "xyz")
Refuted = Callable[[list[Term]], bool]
Seeds = dict[int, dict[Interval, list[State]]]


@dataclass(frozen=True, slots=True)
class Exit:
    """A state that leaves a region along an edge."""

    target: int
    interval: Interval
    state: State


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of the automaton: its locations, what it changes, the test at its head, whether a barrier stands in it."""

    head: int
    span: range
    changed: dict[str, Scalar]
    test: Expr | None
    has_barrier: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Recurrences:
    """What a loop does to its locals: the values at its head, from those before it, by name.

    `first`: in round 0; `later`: in round k > 0; `always`: in any round; `known`: what holds in round k > 0.
    """

    first: dict[str, Term]
    later: dict[str, Term]
    always: dict[str, Term]
    known: tuple[Term, ...]


def footprint(automaton: Automaton, values: Mapping[str, Term], ranges: dict[str, tuple[Term, Term]], refuted: Refuted,
              side: str = "") -> Footprint:
    """Run the generic thread. `values`: a term for each parameter and each `Special` by name; `ranges`: of their symbols, to
    which those of rounds are added; `refuted`: whether terms are never true together, for one thread."""
    return _Run(automaton, values, side, ranges, refuted).run()


class _Run(SymbolicThread):
    def __init__(self, automaton: Automaton, values: Mapping[str, Term], side: str, ranges: dict[str, tuple[Term, Term]],
                 refuted: Refuted) -> None:
        super().__init__(automaton, values, side)
        self.ranges, self.refuted = ranges, refuted
        self.order = automaton.order()
        self.loops = {head: _loop(automaton, head, span) for head, span in automaton.loops.items()
                      if any(automaton.is_back(source, head) for source, _ in automaton.graph.in_edges(head))}
        self.inside: list[Loop] = []
        self.silence = 0
        self.entries = 0

    def run(self) -> Footprint:
        everything = range(self.automaton.graph.number_of_nodes())
        self.region(everything, {self.automaton.entry: {Interval(): [State((), dict(self.values))]}}, None)
        return self.found

    def region(self, members: range, waiting: Seeds, head: int | None) -> list[Exit]:
        """Run locations in order; what leaves them, or goes back to their head."""
        exits: list[Exit] = []

        def send(target: int, interval: Interval, state: State) -> None:
            if target == head or target not in members:
                exits.append(Exit(target, interval, state))
            else:
                waiting.setdefault(target, {}).setdefault(interval, []).append(state)

        for location in self.order:
            for interval, states in (waiting.pop(location, {}) if location in members else {}).items():
                state = reduce(merge, states)
                if location in self.loops and location != head:
                    for leaving in self.loop(self.loops[location], interval, state):
                        send(leaving.target, leaving.interval, leaving.state)
                    continue
                self.tests = {}
                for target, transition in self.automaton.outgoing(location):
                    self.interval, self.state = interval, state
                    after = self.step(target, transition)
                    if after is not None:
                        send(target, self.interval, after)
        return exits

    # -- one loop -------------------------------------------------------------------------------

    def loop(self, loop: Loop, interval: Interval, state: State) -> list[Exit]:
        """All rounds of a loop that is entered in a state; the states that leave it."""
        if len(self.inside) >= MAX_DEPTH:
            raise UndecidedError(f"loops nested more than {MAX_DEPTH} deep", loop.place)
        number = self.round_of(loop)
        if loop.has_barrier:
            self.arrive(loop.head, [state.path], loop.place)
        found = self.recurrences(loop, interval, state, number)
        zero, one = T.const(0, I64), T.const(1, I64)
        exits: list[Exit] = []
        if loop.has_barrier:
            first = State((*state.path, Conjunct(T.binary("==", number, zero), False)), {**state.values, **found.first})
            exits += self.rounds_from(loop, number, interval, first)
            known = (T.binary("<=", one, number), *found.known)
            later = State((*state.path, *(Conjunct(term, False) for term in known)), {**state.values, **found.later})
            for behind in self.behind(loop, interval, state, number):
                exits += self.rounds_from(loop, number, behind, later)
        else:
            either = T.disjunction(T.binary("==", number, zero), T.all_of(found.known))
            path = (*state.path, *((Conjunct(either, False),) if either is not T.TRUE else ()))
            exits += self.rounds_from(loop, number, interval, State(path, {**state.values, **found.always}))
        return self.outside(loop, state, exits)

    def rounds_from(self, loop: Loop, number: Term, interval: Interval, state: State) -> list[Exit]:
        """One run of the body."""
        kept = self.rounds, self.met, self.base
        self.rounds = (*self.rounds, number)
        if loop.has_barrier:
            self.met, self.base = self.rounds, len(state.path)
        self.inside.append(loop)
        exits = self.region(loop.span, {loop.head: {interval: [state]}}, loop.head)
        self.inside.pop()
        self.found.carried += [value for leaving in exits if leaving.target == loop.head
                               for name, value in leaving.state.values.items() if name in loop.changed]
        if loop.has_barrier:
            again = [leaving.state.path for leaving in exits if leaving.target == loop.head]
            self.arrive(-loop.head, again, loop.place)
        self.rounds, self.met, self.base = kept
        return exits

    def outside(self, loop: Loop, before: State, exits: list[Exit]) -> list[Exit]:
        """The states behind a loop: what was decided in it is only known."""
        leaving = [item for item in exits if item.target != loop.head]
        targets = {item.target for item in leaving}
        found = []
        for item in leaving:
            own = tuple(Conjunct(part.term, False) for part in item.state.path[len(before.path):])
            path = (*item.state.path[:len(before.path)], *own)
            if len(targets) > 1:
                seen = (*self.coordinates(Owner.THREAD), *self.rounds)
                which = T.call(f"{self.side}way from {loop.head} to {item.target}", seen, I32)
                path = (*path, Conjunct(T.binary("!=", which, T.const(0, I32))))
            found.append(Exit(item.target, item.interval, State(path, item.state.values)))
        return found

    def round_of(self, loop: Loop, mark: str = "") -> Term:
        """The round that a thread is in. `mark`: or was in, at another time."""
        name = f"{self.side}round@{loop.place.line}.{loop.head}{mark}"
        self.ranges[name] = T.const(0, I64), T.const(MOST_ROUNDS, I64)
        symbol = T.symbol(name, I64, Owner.THREAD)
        self.found.rounds.add(symbol)
        return symbol

    # -- what a round does ----------------------------------------------------------------------

    def in_silence(self, loop: Loop, number: Term, interval: Interval, state: State) -> tuple[list[Exit], Footprint]:
        """One run of the body of which nothing is kept: the states that go back to the head, and what it would have done."""
        kept = self.found, self.inside, self.rounds, self.met, self.base
        vague, self.is_vague = self.is_vague, self.is_vague or loop.has_barrier
        self.found = Footprint()
        self.silence += 1
        self.rounds = (*self.rounds, number)
        self.inside = [*self.inside, loop]
        exits = self.region(loop.span, {loop.head: {interval: [state]}}, loop.head)
        done = self.found
        self.found, self.inside, self.rounds, self.met, self.base = kept
        self.is_vague = vague
        self.silence -= 1
        return [leaving for leaving in exits if leaving.target == loop.head], done

    def behind(self, loop: Loop, interval: Interval, state: State, number: Term) -> list[Interval]:
        """The intervals in which a later round may begin: those of the last barriers of the round before.

        Rounds of inner loops are those of then, and have names of their own.
        """
        held = self.placeholders(loop, {})
        rounds, _ = self.in_silence(loop, number, interval, State(state.path, {**state.values, **held}))
        before = {number: T.binary("-", number, T.const(1, I64))}
        for other in self.loops.values():
            if other.head in loop.span and other is not loop:
                before[self.round_of(other)] = self.round_of(other, "'")
        found: dict[Interval, None] = {}
        for space in (Space.SHARED, Space.GLOBAL):
            if len({leaving.interval.epoch(space) in loop.span for leaving in rounds}) > 1:
                raise UndecidedError("a loop with a barrier that some of its rounds do not reach", loop.place)
        for leaving in rounds:
            end = leaving.interval
            shared, global_ = (tuple(T.substitute(part, before) for part in end.rounds(space))
                               for space in (Space.SHARED, Space.GLOBAL))
            found[Interval(end.segment, end.shared, end.global_, shared, global_)] = None
        return list(found)

    def placeholders(self, loop: Loop, owners: Mapping[str, Owner]) -> dict[str, Term]:
        """A symbol for the value of each changed local at the head."""
        found = {}
        for name, kind in loop.changed.items():
            symbol = f"@{loop.head}.{name}"
            if kind.is_int:
                self.ranges[symbol] = T.const(kind.low, kind), T.const(kind.high, kind)
            found[name] = T.symbol(symbol, kind, owners.get(name, Owner.THREAD))
        return found

    def recurrences(self, loop: Loop, interval: Interval, state: State, number: Term) -> Recurrences:
        owners = {name: Owner.LAUNCH for name in loop.changed}
        first = {name: state.values.get(name, T.undefined((self.side, name, loop.head), kind))
                 for name, kind in loop.changed.items()}
        while True:
            held = self.placeholders(loop, owners)
            rounds, done = self.in_silence(loop, number, interval, State(state.path, {**state.values, **held}))
            ends = {name: _merged(rounds, name, held[name], len(state.path)) for name in held}
            spoiled = {name: owner_of({*self.rounds, number}, first[name], end) for name, end in ends.items()}
            wider = {name: owner for name, owner in spoiled.items() if rank(owner) > rank(owners[name])}
            if not wider:
                break
            owners |= wider
        back = {number: T.binary("-", number, T.const(1, I64))}
        later, always, unknown = self.solved(loop, number, first, ends, {term: name for name, term in held.items()}, owners)
        used = _used(done, ends.values(), {term: name for name, term in held.items()})
        if any(name in used and is_undefined(set(T.subterms(first[name]))) for name in unknown):
            self.found.undefined.append(loop.place)
        unknown = [name for name in unknown if name in used]
        bounds = {} if self.silence else self.kept_bounds(state, rounds, held, first, always, unknown, number)
        known = [bound(always[name]) for name, found in bounds.items() for bound in found]
        known += [T.substitute(term, back) for term in known]
        known.append(T.substitute(self.test_at(loop, number, {**state.values, **always}), back))
        return Recurrences(first, later, always, tuple(term for term in known if term is not T.TRUE))

    def coordinates(self, owner: Owner) -> tuple[Term, ...]:
        """What tells threads apart, or blocks, or nothing."""
        seen = COORDINATES if owner is Owner.THREAD else COORDINATES[3:] if owner is Owner.BLOCK else ()
        return tuple(self.values[name] for name in seen)

    def solved(self, loop: Loop, number: Term, first: Mapping[str, Term], ends: Mapping[str, Term], names: Mapping[Term, str],
               owners: Mapping[str, Owner]) -> tuple[dict[str, Term], dict[str, Term], list[str]]:
        """The values in round k > 0, those in any round, and the names of those that are unknown functions of it: functions
        of their own for each way to come to the loop, which others may come to with other values."""
        back = {number: T.binary("-", number, T.const(1, I64))}
        is_first = T.binary("==", number, T.const(0, I64))
        inner = {self.round_of(other) for other in self.loops.values() if other.head in loop.span and other is not loop}
        later: dict[str, Term] = {}
        always: dict[str, Term] = {}

        def settle(name: str, value: Term) -> None:
            later[name], always[name] = value, T.select(is_first, first[name], value)

        for name, end in ends.items():
            step = step_of(end, next(term for term, other in names.items() if other == name), {*names, *inner, number})
            if step is not None:
                turns = T.binary("*", T.cast(number, end.type), step) if T.constant_value(step) != 0 else step
                later[name] = always[name] = T.binary("+", first[name], turns)
        progress = True
        while progress:
            progress = False
            for name in [name for name in ends if name not in later]:
                parts = set(T.subterms(ends[name]))
                needs = {term for term in parts if term in names}
                if {names[term] for term in needs} <= later.keys() and not parts & inner and not is_undefined(parts):
                    settle(name, T.substitute(T.substitute(ends[name], {term: always[names[term]] for term in needs}), back))
                    progress = True
        unknown = [name for name in ends if name not in later]
        self.entries += 1
        for name in unknown:
            args = (*self.coordinates(owners[name]), *self.rounds, number)
            settle(name, T.call(f"{self.side}{name}@{loop.head}.{self.entries}", args, ends[name].type))
        return later, always, unknown

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

    def kept_bounds(self, state: State, rounds: list[Exit], held: Mapping[str, Term], first: Mapping[str, Term],
                    always: Mapping[str, Term], unknown: Iterable[str], number: Term) -> dict[str, list[Bound]]:
        """Bounds of unknown values that hold before the loop and that no round breaks."""
        here = whole(state.path)
        bounds = {name: [bound for bound in candidates(first[name])
                         if self.refuted([here, T.negate(bound(first[name]))])] for name in unknown if first[name].type.is_int}
        values = {term: always[name] for name, term in held.items()}
        ends = [(T.substitute(whole(leaving.state.path), values),
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


def _loop(automaton: Automaton, head: int, span: range) -> Loop:
    changed: dict[str, Scalar] = {}
    has_barrier, test, place = False, None, NOWHERE
    for source, _, data in automaton.graph.out_edges(span, data=True):
        match data["transition"]:
            case Action(stmt=Assign(name=name, value=value)):
                changed[name] = value.type
            case Action(stmt=Declare(name=name, type=kind)):
                changed[name] = kind
            case Sync():
                has_barrier = True
            case Condition(test=found, positive=True, place=where) if source == head:
                test, place = found, where
    return Loop(head, span, changed, None if isinstance(test, Const) else test, has_barrier, place)


def _merged(rounds: list[Exit], name: str, otherwise: Term, shared: int) -> Term:
    """The value of a local at the end of a round."""
    if not rounds:
        return otherwise
    last = rounds[-1].state
    found = last.values.get(name, otherwise)
    for leaving in rounds[-2::-1]:
        found = T.select(whole(leaving.state.path[shared:]), leaving.state.values.get(name, otherwise), found)
    return found


def _used(done: Footprint, ends: Iterable[Term], names: Mapping[Term, str]) -> set[str]:
    """The locals whose value at the head gets into anything."""
    roots = [*ends, *(seen.term for seen in done.observations), *(seen.guard for seen in done.observations),
             *(arrival.full for arrival in done.arrivals), *done.carried]
    for access in done.accesses:
        roots += [access.guard, access.value, *access.index]
    return {names[part] for root in dict.fromkeys(roots) for part in T.subterms(root) if part in names}
