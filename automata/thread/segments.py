"""Sync-segments: the automaton cut at its barriers.

A segment starts at the entry or right after a barrier and holds the transitions up to the next
barriers. The cut is right only if all threads of a block pass the same barriers, which
`proof.convergence` has to show. A barrier that fences only one address space does not order the other:
so for each space the *epoch* (the last barrier that fenced it) is what decides whether two accesses
of one block are ordered.
"""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx

from automata.lang.core import Space
from automata.logic.terms import Term
from automata.thread.automaton import Automaton, Sync, Transition

ENTRY = -1


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a thread is between barriers: the segment it runs in and the epoch of each space.

    Numbers are target locations of sync transitions; ENTRY before the first. Behind a barrier in loops its epoch is of
    certain rounds of them, outermost first.
    """

    segment: int = ENTRY
    shared: int = ENTRY
    global_: int = ENTRY
    shared_rounds: tuple[Term, ...] = ()
    global_rounds: tuple[Term, ...] = ()

    def rounds(self, space: Space) -> tuple[Term, ...]:
        return self.shared_rounds if space is Space.SHARED else self.global_rounds

    def epoch(self, space: Space) -> int:
        return self.shared if space is Space.SHARED else self.global_

    def after(self, barrier: int, fences: frozenset[Space], rounds: tuple[Term, ...]) -> Interval:
        shared, global_ = Space.SHARED in fences, Space.GLOBAL in fences
        return Interval(barrier, barrier if shared else self.shared, barrier if global_ else self.global_,
                        rounds if shared else self.shared_rounds, rounds if global_ else self.global_rounds)


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
        if isinstance(data["transition"], Sync):
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
            if isinstance(transition, Sync):
                ends.append(target)
            elif target not in seen:
                seen.add(target)
                todo.append(target)
    edges.sort(key=lambda edge: (rank[edge[0]], rank[edge[1]]))
    return Segment(number, start, tuple(edges), tuple(sorted(set(ends), key=rank.__getitem__)))


def is_acyclic(automaton: Automaton) -> bool:
    """Whether loops were indeed unrolled."""
    return bool(nx.is_directed_acyclic_graph(automaton.graph))
