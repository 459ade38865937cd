"""Sync-segments: the automaton cut at its barriers.

A segment starts at the entry or right after a barrier and holds the transitions up to the next
barriers. The cut is right only if all threads of a block pass the same barriers, which
`obligations.convergence` has to show. A barrier that fences only one address space does not order the other:
so for each space the *epoch* (the last barrier that fenced it) is what decides whether two accesses
of one block are ordered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import networkx as nx

from automata.lang.core import FENCED, AsyncCopy, AsyncWait, Barrier, Collective, Const, Scope, Space
from automata.logic.terms import Term
from automata.thread.automaton import Action, Automaton, Sync, Transition

ENTRY = -1
ALL_LANES = 0xFFFFFFFF
WIDTH: dict[Scope, int] = {"warp": 0, "block": 1, "grid": 2}
"""The scopes in which threads meet; who meets in a wider one has met in the narrower ones too."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """The last barrier that ordered something: the target of its transition, ENTRY before the first.

    `rounds`: of the loops around the barrier, outermost first.
    """

    barrier: int = ENTRY
    rounds: tuple[Term, ...] = ()


START = Epoch()


@dataclass(frozen=True, slots=True)
class Copying:
    """An asynchronous copy that a block has begun: the target of its transition with the rounds around; whether it may still
    be under way, until a wait for its event ("" once nothing can wait for it)."""

    begun: Epoch
    event: str
    array: str
    is_pending: bool = True


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a thread is between barriers: the segment it runs in and the epochs that tell what is ordered before it.

    `shared`, `global_`: for threads of one block, of each space; `warp`: for lanes of one warp, besides; `grid`: for all
    threads of the launch. `copies`: those under way, and those that have ended since the last barrier of the block.
    `chosen`: the barriers at which each thread has chosen its fences, since the last that fenced all for sure.
    """

    segment: int = ENTRY
    shared: Epoch = START
    global_: Epoch = START
    warp: Epoch = START
    grid: Epoch = START
    copies: tuple[Copying, ...] = ()
    chosen: frozenset[int] = frozenset()

    def of(self, space: Space) -> Epoch:
        """The epoch of a space within a block."""
        return self.shared if space is Space.SHARED else self.global_

    def after(self, target: int, barrier: Barrier, rounds: tuple[Term, ...]) -> Interval:
        """Behind a barrier that leads to a location."""
        here = Epoch(target, rounds)
        if barrier.scope == "warp":
            return replace(self, segment=target, warp=here) if orders_warp(barrier) else replace(self, segment=target)
        if barrier.flags is not None:
            return replace(self, segment=target, chosen=self.chosen | {target})
        everywhere = barrier.scope == "grid"
        orders_all = everywhere or barrier.fences >= FENCED
        return Interval(target,
                        here if everywhere or Space.SHARED in barrier.fences else self.shared,
                        here if everywhere or Space.GLOBAL in barrier.fences else self.global_,
                        self.warp, here if everywhere else self.grid,
                        tuple(self.pending()) if orders_all else self.copies, frozenset() if orders_all else self.chosen)

    def pending(self) -> Iterator[Copying]:
        """The copies that are under way."""
        return (copy for copy in self.copies if copy.is_pending)

    def copying(self, target: int, copy: AsyncCopy, rounds: tuple[Term, ...]) -> Interval:
        """Behind the begin of a copy that leads to a location."""
        others = tuple(replace(other, event="") if other.event == copy.event and other.is_pending and not copy.joins else other
                       for other in self.copies if other.begun.barrier != target)
        return replace(self, copies=(*others, Copying(Epoch(target, rounds), copy.event, copy.target)))

    def waited(self, wait: AsyncWait) -> Interval:
        """Behind a wait for copies."""
        return replace(self, copies=tuple(replace(copy, is_pending=copy.is_pending and copy.event not in wait.events)
                                          for copy in self.copies))

    def passing(self, target: int, transition: Transition, rounds: tuple[Term, ...]) -> Interval:
        """Behind any transition that leads to a location."""
        match transition:
            case Action(stmt=AsyncCopy() as copy):
                return self.copying(target, copy, rounds)
            case Action(stmt=AsyncWait() as wait):
                return self.waited(wait)
        barrier = barrier_of(transition)
        return self if barrier is None else self.after(target, barrier, rounds)


def orders_warp(barrier: Barrier) -> bool:
    """Whether a barrier of a warp orders all its lanes, and all memory. One that names some lanes is taken to order none."""
    names_all = barrier.mask is None or (isinstance(barrier.mask, Const) and int(barrier.mask.value) & ALL_LANES == ALL_LANES)
    return names_all and barrier.fences >= FENCED


def barrier_of(transition: Transition) -> Barrier | None:
    """The barrier that a transition is, or that an exchange among the threads of a block implies."""
    match transition:
        case Sync(barrier=barrier):
            return barrier
        case Action(stmt=Collective(scope="block", place=place)):
            return Barrier(FENCED, "block", None, place)
    return None


def meeting(transition: Transition) -> Scope | None:
    """Among which threads a transition is a meeting, None if it is none."""
    match transition:
        case Sync(barrier=Barrier(scope=scope)) | Action(stmt=Collective(scope=scope)):
            return scope
        case Action(stmt=AsyncCopy() | AsyncWait()):
            return "block"
    return None


@dataclass(frozen=True, slots=True)
class Segment:
    """The transitions between barriers. `start`: location; `number`: position in the kernel, from 0."""

    number: int
    start: int
    edges: tuple[tuple[int, int, Transition], ...]
    ends: tuple[int, ...]


def segments(automaton: Automaton) -> list[Segment]:
    """All sync-segments in topological order. `ends`: the locations after the barriers that close it."""
    rank = {location: position for position, location in enumerate(automaton.order())}
    starts = [automaton.entry]
    for _, target, data in automaton.graph.edges(data=True):
        if barrier_of(data["transition"]) is not None:
            starts.append(target)
    unique = sorted(set(starts), key=rank.__getitem__)
    return [_cut(automaton, number, start, rank) for number, start in enumerate(unique)]


def _cut(automaton: Automaton, number: int, start: int, rank: dict[int, int]) -> Segment:
    edges: list[tuple[int, int, Transition]] = []
    ends: list[int] = []
    seen, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for target, transition in automaton.outgoing(here):
            edges.append((here, target, transition))
            if barrier_of(transition) is not None:
                ends.append(target)
            elif target not in seen:
                seen.add(target)
                todo.append(target)
    edges.sort(key=lambda edge: (rank[edge[0]], rank[edge[1]]))
    return Segment(number, start, tuple(edges), tuple(sorted(set(ends), key=rank.__getitem__)))


def is_acyclic(automaton: Automaton) -> bool:
    """Whether loops were indeed unrolled."""
    return bool(nx.is_directed_acyclic_graph(automaton.graph))
