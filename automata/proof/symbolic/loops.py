"""Loops of the symbolic thread: one round stands for all, its number a variable of the thread.

Input: an automaton with loops whose rounds were not unrolled. A loop's body is run once, at its head in round k of the
thread: k is a symbol, and each local that the loop changes has its value of round k (`rounds`). In round k > 0 the test
of round k - 1 held. What is decided in a loop is only known behind it, not decided: all ways out that lead to one place
do so for every thread (a loop that never ends is another matter).

A loop that holds a barrier cuts intervals in two kinds: round 0 begins in the interval before the loop, a later one in that
of the last barrier before it (Tripakis et al., HotPar 2010, section 3, cut at the back edge). So its body is run
for both. That all threads make the same rounds is an obligation like that of a barrier: for two threads in
one round, one goes on and the other does not (`Arrival`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from automata.lang.core import Atomic
from automata.limits import LOOP_NESTING
from automata.logic import terms as T
from automata.logic.terms import Owner, Symbol, Term
from automata.passes import passing
from automata.place import Place, UndecidedError
from automata.proof.known.footprint import Footprint, Observation
from automata.proof.symbolic.recurrence import previous
from automata.proof.symbolic.rounds import Exit, Loop, Recurrences, Rounds, Seeds
from automata.proof.symbolic.states import Conjunct, State, met, whole
from automata.proof.symbolic.symbolic import Together
from automata.scalar import I32, I64
from automata.thread.automaton import Automaton
from automata.thread.segments import WIDTH, Epoch, Interval

EPOCHS: tuple[tuple[str, Callable[[Interval], Epoch], Owner], ...] = (
    ("shared", lambda interval: interval.shared, Owner.BLOCK), ("global_", lambda interval: interval.global_, Owner.BLOCK),
    ("warp", lambda interval: interval.warp, Owner.BLOCK), ("grid", lambda interval: interval.grid, Owner.LAUNCH))
"""The epochs of an interval, and of what the round of one is a function; that of a warp matters within the warp alone."""


@passing("collect", lambda found: f"{len(found.accesses)} accesses")
def footprint(automaton: Automaton, values: Mapping[str, Term], ranges: dict[Symbol, tuple[Term, Term]],
              refuted: Callable[[list[Term]], bool], side: str = "") -> Footprint:
    """Run the generic thread. `values`: a term for each parameter and each `Special` by name; `ranges`: of their symbols, to
    which those of rounds are added; `refuted`: whether terms are never true together, for one thread."""
    run = _Run(automaton, values, side, ranges, refuted)
    everything = range(automaton.graph.number_of_nodes())
    run.region(everything, {automaton.entry: {Interval(): [State((), dict(values))]}}, None)
    return run.found


@dataclass(frozen=True, slots=True)
class _Start:
    """How a later round begins: the interval it is in, and what is known of when that began."""

    interval: Interval
    known: tuple[Term, ...]


class _Run(Rounds):
    def __init__(self, automaton: Automaton, values: Mapping[str, Term], side: str, ranges: dict[Symbol, tuple[Term, Term]],
                 refuted: Callable[[list[Term]], bool]) -> None:
        super().__init__(automaton, values, side, ranges, refuted)
        self.order = automaton.order()
        self.ordered: dict[range, list[int]] = {}

    def inside(self, members: range) -> list[int]:
        """Some locations, in order."""
        if members not in self.ordered:
            self.ordered[members] = [location for location in self.order if location in members]
        return self.ordered[members]

    def region(self, members: range, waiting: Seeds, head: int | None) -> list[Exit]:
        """Run locations in order; what leaves them, or goes back to their head."""
        exits: list[Exit] = []

        def send(target: int, interval: Interval, state: State) -> None:
            if target == head or target not in members:
                exits.append(Exit(target, interval, state))
                return
            if target == self.automaton.exit:
                self.ended(interval, state)
            waiting.setdefault(target, {}).setdefault(interval, []).append(state)

        for location in self.inside(members):
            for interval, states in waiting.pop(location, {}).items():
                state = met(states)
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

    def access(self, kind: Literal["read", "write", "atomic"], array: str, index: tuple[Term, ...], value: Term, local: Term,
               place: Place, atomic: Atomic | None = None, operands: tuple[Term, ...] = (), part: int = 0) -> None:
        super().access(kind, array, self.within_rounds(index), value, local, place, atomic, operands, part)

    def within_rounds(self, index: tuple[Term, ...]) -> tuple[Term, ...]:
        """An index in a loop, behind its test, which held in round 0 as well: by how many rounds the loop makes, and not by a
        choice whether it makes any. By as much a pointer is further after each round of the loop around."""
        trips = [trip for number in self.rounds if (trip := self.trips.get(number)) is not None]
        passed = {part.term for part in self.state.path if part.kind == "decision"} if trips else set()
        made = {trip.given(lambda _: False): trip.count for trip in trips if trip.test in passed}
        return tuple(T.substitute(part, made) for part in index) if made else index

    def ended(self, interval: Interval, state: State) -> None:
        """A thread has come to its end."""
        self.left = T.disjunction(self.left, self.condition(state.path))
        if any(interval.pending()):
            self.found.unwaited = T.disjunction(self.found.unwaited, state.condition)

    def loop(self, loop: Loop, interval: Interval, state: State) -> list[Exit]:
        """All rounds of a loop that is entered in a state; the states that leave it."""
        if not LOOP_NESTING.allows(len(self.rounds) + 1):
            raise UndecidedError(f"loops nested more than {LOOP_NESTING.value} deep", loop.place)
        number = self.round_of(loop)
        if loop.scope is not None:
            self.arrive(loop.head, [state.path], loop.place, loop.scope)
        found = self.recurrences(loop, interval, state, number)
        is_first, is_later = (T.binary(op, left, number) for op, left in (("==", T.const(0, I64)), ("<=", T.const(1, I64))))
        if not loop.cuts:
            some = state.knowing(T.disjunction(is_first, T.all_of(found.known))).with_values(found.always)
            return self.outside(loop, number, state, self.rounds_from(loop, found, number, interval, some))
        exits = self.rounds_from(loop, found, number, interval, state.knowing(is_first).with_values(found.first))
        for start in self.starts(loop, interval, found.ends, number):
            later = state.knowing(is_later, *found.known, *start.known).with_values(found.later)
            exits += self.rounds_from(loop, found, number, start.interval, later)
        return self.outside(loop, number, state, exits)

    def rounds_from(self, loop: Loop, known: Recurrences, number: Term, interval: Interval, state: State) -> list[Exit]:
        """One run of the body."""
        kept = self.rounds, self.together
        self.rounds = (*self.rounds, number)
        if loop.scope is not None and WIDTH[loop.scope]:
            self.found.meeting.add(number)
        if loop.scope is not None:
            here = Together(len(state.path), self.rounds)
            self.found.ways.setdefault(self.rounds, []).append(state.condition)
            self.together = {scope: here if width <= WIDTH[loop.scope] else self.together[scope]
                             for scope, width in WIDTH.items()}
        self.found.heads[number] = T.disjunction(self.found.heads.get(number, T.FALSE), state.condition)
        exits = self.region(loop.span, {loop.head: {interval: [state]}}, loop.head)
        again = [leaving.state for leaving in exits if leaving.target == loop.head]
        self.found.carried += [value for after in again for name, value in after.values.items() if name in loop.changed]
        for name, function in known.unknown.items():
            self.found.defined.setdefault(function, []).extend(
                Observation(after.condition, after.values[name], loop.place) for after in again)
        if loop.scope is not None:
            self.arrive(-loop.head, [after.path for after in again], loop.place, loop.scope)
        self.rounds, self.together = kept
        return exits

    def outside(self, loop: Loop, number: Term, before: State, exits: list[Exit]) -> list[Exit]:
        """The states behind a loop: what was decided in it is only known."""
        leaving = [item for item in exits if item.target != loop.head]
        targets = {item.target for item in leaving}
        found = []
        entered, left = self.found.left.get(number, (T.FALSE, T.FALSE))
        for item in leaving:
            own = tuple(Conjunct(part.term, "past") for part in item.state.path[len(before.path):])
            path = (*item.state.path[:len(before.path)], *own)
            if len(targets) > 1:
                seen = (*self.coordinates(Owner.THREAD), *self.rounds)
                which = T.call(f"{self.side}way from {loop.head} to {item.target}", seen, I32)
                path = (*path, Conjunct(T.binary("!=", which, T.const(0, I32))))
            found.append(Exit(item.target, item.interval, State(path, item.state.values)))
            left = T.disjunction(left, whole(path))
        self.found.left[number] = T.disjunction(entered, before.condition), left
        return found

    # -- where a later round begins -------------------------------------------------------------

    def starts(self, loop: Loop, interval: Interval, ends: list[Exit], number: Term) -> list[_Start]:
        """The intervals in which a later round may begin.

        For each kind of epoch that is the last one of the round before or, if some rounds pass no such barrier, of the last
        that did, or still the one before the loop. Rounds of inner loops are those of then, and have names of their own.
        """
        changes = {tuple(None if of(leaving.interval) == of(interval) else of(leaving.interval) for _, of, _ in EPOCHS): None
                   for leaving in ends}
        inner = {self.round_of(other): self.round_of(other, "'") for other in self.within(loop)}
        before = previous(number)
        renamed, known = [], []
        for position, (kind, _, owner) in enumerate(EPOCHS):
            last = before
            if any(change[position] is None for change in changes) and any(change[position] for change in changes):
                seen = (*self.coordinates(owner), *self.rounds, number)
                last = T.call(f"{self.side}last {kind} of {loop.head}.{self.entries}", seen, I64)
                known += [T.binary("<=", T.const(0, I64), last), T.binary("<=", last, before)]
            renamed.append({**inner, number: last})
        found = []
        for change in _composed(list(changes)):
            parts: dict[str, Any] = {kind: Epoch(epoch.barrier, tuple(T.substitute(part, names) for part in epoch.rounds))
                     for (kind, _, _), epoch, names in zip(EPOCHS, change, renamed, strict=True) if epoch is not None}
            found.append(replace(interval, segment=max((epoch.barrier for epoch in change if epoch), default=interval.segment),
                                 **parts))
        return self.told_apart(loop, found, number, tuple(known))

    def told_apart(self, loop: Loop, found: list[Interval], number: Term, known: tuple[Term, ...]) -> list[_Start]:
        """All threads of a block begin a round in one of the alternatives (those of warps may differ)."""
        of_block = [(start.shared, start.global_, start.grid) for start in found]
        groups = list(dict.fromkeys(of_block))
        if len(groups) == 1:
            return [_Start(start, known) for start in found]
        seen = (*self.coordinates(Owner.BLOCK), *self.rounds, number)
        which = T.call(f"{self.side}start of {loop.head}.{self.entries}", seen, I32)
        return [_Start(start, (*known, T.binary("==", which, T.const(groups.index(group), I32))))
                for start, group in zip(found, of_block, strict=True)]


_Change = tuple[Epoch | None, ...]


def _composed(changes: list[_Change]) -> list[_Change]:
    """What some rounds, one after the other, may do to the epochs, if one round does one of these."""
    found = dict.fromkeys(changes)
    todo = list(found)
    while todo:
        first = todo.pop()
        for second in changes:
            both = tuple(new if new is not None else old for old, new in zip(first, second, strict=True))
            if both not in found:
                found[both] = None
                todo.append(both)
    return list(found)
