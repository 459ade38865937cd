"""Asynchronous copies by a block, in the symbolic thread.

A copy reads and writes like a loop over its elements, which whoever carries it out may do at any time between its begin and the
wait for its event (OpenCL C 6.13.10). Input: the begin of a copy or a wait in a state of the thread. Output: the accesses of the
copy, made by every thread in the name of the block (`Access.copier`), with the number of the element as a round; the interval
in which it may be under way (`Interval.copies`); and the obligation that all threads of the block come, and agree on what is
copied.
"""

from __future__ import annotations

from collections.abc import Mapping

from automata.lang.core import AsyncCopy, AsyncWait, Barrier, Space, Stmt
from automata.logic import terms as T
from automata.logic.terms import Owner, Symbol, Term
from automata.place import Place, UndecidedError
from automata.proof.symbolic.states import Conjunct, State
from automata.proof.symbolic.symbolic import SymbolicThread
from automata.scalar import I64, U64
from automata.thread.automaton import Action, Automaton, Sync, Transition
from automata.thread.segments import Epoch, Interval

MOST_ROUNDS = 2**62


class CopyingThread(SymbolicThread):
    """`ranges`: low and high term of each symbol, to which those of elements are added."""

    def __init__(self, automaton: Automaton, values: Mapping[str, Term], side: str,
                 ranges: dict[Symbol, tuple[Term, Term]]) -> None:
        super().__init__(automaton, values, side)
        self.ranges = ranges

    def act(self, target: int, transition: Action, stmt: Stmt) -> State:
        match stmt:
            case AsyncCopy() as copy:
                self.copy(target, copy)
            case AsyncWait(place=place) as wait:
                self.arrive(target, [self.state.path], place, "block")
                self.interval = self.interval.waited(wait)
            case _:
                return super().act(target, transition, stmt)
        return self.state

    def meet(self, target: int, transition: Transition) -> None:
        match transition:
            case Sync(barrier=Barrier(scope="grid", place=place)) if any(self.interval.pending()):
                raise UndecidedError("an asynchronous copy that is under way at a barrier of the grid", place)
        super().meet(target, transition)

    def copy(self, target: int, copy: AsyncCopy) -> None:
        """The begin of a copy, and its accesses."""
        stride = T.const(1, I64) if copy.stride is None else T.cast(self.evaluate(copy.stride, T.TRUE), I64)
        to, origin = (T.cast(self.evaluate(expr, T.TRUE), I64) for expr in (copy.target_index, copy.source_index))
        count = T.cast(self.evaluate(copy.count, T.TRUE), U64)
        agreed = (to, origin, count, stride)
        for term in agreed:
            self.observe(T.TRUE, term, copy.place)
        self.arrive(target, [self.state.path], copy.place, "block", agreed=agreed)
        number = self.element_of(target, copy.place)
        far = T.binary("*", number, stride)
        to_global = self.arrays[copy.target].space is Space.GLOBAL
        into, at = T.binary("+", to, far if to_global else number), T.binary("+", origin, number if to_global else far)
        within = T.binary("<", T.cast(number, U64), count)
        begins = T.disjunction(T.binary("==", number, T.const(0, I64)), T.binary("<=", T.cast(number, U64), count))
        self.found.heads[number] = T.conjunction(self.state.condition, begins)
        self.found.tests[number] = [within]
        before, rounds = self.state, self.rounds
        self.state, self.rounds = State((*before.path, Conjunct(within)), before.values), (*rounds, number)
        self.copier = Epoch(target, rounds)
        version, further = self.version(copy.source)
        value = T.read(version, (at, *further), self.arrays[copy.source].element)
        self.access("read", copy.source, (at,), value, T.TRUE, copy.place)
        self.access("write", copy.target, (into,), value, T.TRUE, copy.place)
        self.state, self.rounds, self.copier = before, rounds, None
        self.interval = self.interval.copying(target, copy, rounds)

    def element_of(self, target: int, place: Place) -> Term:
        """The number of an element of the copy whose begin leads to a location."""
        return self.numbered(f"{self.side}element@{place.line}.{target}")

    def numbered(self, name: str) -> Term:
        """The number of a round, or of an element."""
        number = T.symbol(name, I64, Owner.THREAD)
        self.ranges[T.symbol_of(number)] = T.const(0, I64), T.const(MOST_ROUNDS, I64)
        return number


def require_ended(before: Interval, after: Interval, place: Place) -> None:
    """Raise UndecidedError where a round of a loop leaves a copy to the next."""
    if {copy.begun.barrier for copy in after.pending()} - {copy.begun.barrier for copy in before.pending()}:
        raise UndecidedError("an asynchronous copy that is still under way when the next round of a loop begins", place)
