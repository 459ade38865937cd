"""Control of the thread automaton: dominators, loops, control dependence, and which tests decide at a join.

*Whether* a location is reached is control dependence (Ferrante, Ottenstein, Warren, "The program dependence
graph and its use in optimization", TOPLAS 1987), which is the dominance frontier of the reversed graph (Cytron,
Ferrante, Rosen, Wegman, Zadeck, TOPLAS 1991, section 6). In a loop that would say whether it is reached in some
round; what counts here is this round. So each loop has a graph of its own, of one round: jumps back to the head
end it, as do jumps out of the loop, and the jumps back meet in one vertex, whose control dependence says
whether there is another round.

*Which value* a local has where paths meet is decided by fewer tests: those from which two disjoint paths bring
different definitions there. An early return decides whether what follows is reached, but no value in it.

Loops are natural loops of a reducible graph. A run that never ends counts as one that reaches what
postdominates it: control dependence is insensitive to termination.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace

import networkx as nx

from automata.thread.automaton import Automaton

_END, _BACK = -1, -2


@dataclass(frozen=True, slots=True)
class NaturalLoop:
    """A loop: all locations from which its head is reached again without passing the head.

    `enters`: the branching locations that its first round is directly control dependent on, all outside it;
    `repeats`: those in it that another round is directly control dependent on.
    """

    head: int
    body: frozenset[int]
    enters: tuple[int, ...] = ()
    repeats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """All ways from the immediate dominator of a location to it.

    `ways`: for each location at which they part, the last ones first, where they part next; the complement ~p of
    a predecessor where the join is entered from p without parting again.
    """

    join: int
    ways: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Control:
    """The locations reached from the entry, and their order.

    `rank`: position in reverse postorder. `children`: the dominator tree. `frontier`: the dominance
    frontier. `depends`: the branching locations that a location is directly control dependent on, in one round
    of the innermost loop around it. `loops`: outer ones first; `around`: those around a location, as a
    bit set of positions in `loops`.
    """

    graph: nx.DiGraph
    rank: Mapping[int, int]
    dominator: Mapping[int, int]
    children: Mapping[int, tuple[int, ...]]
    frontier: Mapping[int, tuple[int, ...]]
    depends: Mapping[int, tuple[int, ...]]
    loops: tuple[NaturalLoop, ...]
    around: Mapping[int, int]

    def loops_left(self, inner: int, outer: int) -> list[NaturalLoop]:
        """The loops around one location that are not around another, outer ones first."""
        left = self.around[inner] & ~self.around[outer]
        return [loop for position, loop in enumerate(self.loops) if left >> position & 1] if left else []

    def innermost(self, location: int) -> NaturalLoop | None:
        """The innermost loop around a location."""
        around = self.around[location]
        return self.loops[around.bit_length() - 1] if around else None

    def parent(self, loop: NaturalLoop) -> NaturalLoop | None:
        """The innermost loop around a loop."""
        outer = _outer(self.around[loop.head])
        return self.loops[outer.bit_length() - 1] if outer else None

    def repeating(self, loop: NaturalLoop) -> list[int]:
        """All branching locations in a loop that decide whether it makes another round, also through each other."""
        found = dict.fromkeys(loop.repeats)
        todo = list(found)
        while todo:
            location = todo.pop()
            near = dict.fromkeys(self.depends[location])
            for inner in self.loops_left(location, loop.head):
                near |= dict.fromkeys([*inner.repeats, *inner.enters])
            todo += [other for other in near if other not in found]
            found |= near
        return list(found)


def control(automaton: Automaton) -> Control:
    """The control structure of an automaton. ValueError when a cycle is entered at two locations."""
    entry = automaton.entry
    order = list(nx.dfs_postorder_nodes(automaton.graph, entry))[::-1]
    rank = {location: position for position, location in enumerate(order)}
    graph = nx.DiGraph()
    graph.add_nodes_from(order)
    # The deepest predecessors come first: so the walks up the dominator tree stay short where many ways meet.
    graph.add_edges_from((location, target) for location in reversed(order) for target in automaton.graph.successors(location))
    dominator, frontier = _dominance(graph, entry)
    children: dict[int, list[int]] = {location: [] for location in order}
    for location in order[1:]:
        children[dominator[location]].append(location)
    loops = _loops(graph, rank, dominator)
    around = dict.fromkeys(order, 0)
    for position, loop in enumerate(loops):
        for location in loop.body:
            around[location] |= 1 << position
    depends, loops = _dependence(graph, rank, loops, around)
    return Control(graph, rank, dominator, {location: tuple(below) for location, below in children.items()},
                   {location: _sorted(others, rank) for location, others in frontier.items()}, depends, loops, around)


def _sorted(locations: Iterable[int], rank: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(sorted(locations, key=rank.__getitem__))


def _dominance(graph: nx.DiGraph, start: int) -> tuple[dict[int, int], dict[int, set[int]]]:
    """Immediate dominators and dominance frontiers (Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm").

    networkx has the second too, but goes up the tree again from each predecessor: quadratic where a thousand meet.
    """
    dominator: dict[int, int] = nx.immediate_dominators(graph, start)
    dominator.pop(start, None)
    frontier: dict[int, set[int]] = {location: set() for location in graph}
    for location in graph:
        for above in graph.predecessors(location):
            while above != dominator.get(location) and location not in frontier[above]:
                frontier[above].add(location)
                if above == start:
                    break
                above = dominator[above]
    return dominator, frontier


def _loops(graph: nx.DiGraph, rank: Mapping[int, int], dominator: Mapping[int, int]) -> tuple[NaturalLoop, ...]:
    latches: dict[int, list[int]] = {}
    for location, target in graph.edges:
        if rank[target] <= rank[location]:
            above = location
            while rank[above] > rank[target]:
                above = dominator[above]
            if above != target:
                raise ValueError(f"the cycle through location {target} has another entry")
            latches.setdefault(target, []).append(location)
    return tuple(NaturalLoop(head, _body(graph, head, latches[head])) for head in _sorted(latches, rank))


def _body(graph: nx.DiGraph, head: int, latches: list[int]) -> frozenset[int]:
    seen, todo = {head, *latches}, [latch for latch in latches if latch != head]
    while todo:
        for before in graph.predecessors(todo.pop()):
            if before not in seen:
                seen.add(before)
                todo.append(before)
    return frozenset(seen)


# -- control dependence ---------------------------------------------------------------------------


def _dependence(graph: nx.DiGraph, rank: Mapping[int, int], loops: tuple[NaturalLoop, ...], around: Mapping[int, int],
                ) -> tuple[dict[int, tuple[int, ...]], tuple[NaturalLoop, ...]]:
    """Direct control dependence of each location and loop, in the round or run that each is part of."""
    whole = _directly(graph, rank, None)
    depends = {location: _sorted(whole[location], rank) for location in graph if not around[location]}
    found = []
    rounds = [_directly(graph, rank, loop) for loop in loops]
    for position, (loop, once) in enumerate(zip(loops, rounds, strict=True)):
        outer = _outer(around[loop.head])
        before = rounds[outer.bit_length() - 1] if outer else whole
        found.append(replace(loop, enters=_sorted(before[loop.head] - loop.body, rank), repeats=_sorted(once[_BACK], rank)))
        depends |= {location: _sorted(once[location], rank) for location in loop.body
                    if around[location].bit_length() - 1 == position}
    return depends, tuple(found)


def _outer(around: int) -> int:
    """The loops around a loop, of those around its head."""
    return around & ~(1 << around.bit_length() - 1)


def _directly(graph: nx.DiGraph, rank: Mapping[int, int], loop: NaturalLoop | None) -> dict[int, set[int]]:
    """Control dependence in a whole run, or in one round of a loop; of _BACK: whether there is another round.

    A cycle without a way out is taken to end at its head.
    """
    inside = graph if loop is None else loop.body
    backwards = nx.DiGraph([] if loop is None else [(_END, _BACK)])
    for location in inside:
        for target in graph.successors(location):
            again = loop is not None and target == loop.head
            backwards.add_edge(_BACK if again else target if target in inside else _END, location)
    backwards.add_nodes_from(inside)
    backwards.add_node(_END)
    for component in nx.strongly_connected_components(graph) if loop is None else ():
        if all(target in component for location in component for target in graph.successors(location)):
            backwards.add_edge(_END, min(component, key=rank.__getitem__))
    return _dominance(backwards, _END)[1]


# -- which test decides where ways meet -----------------------------------------------------------


def region(control: Control, join: int) -> Region:
    """The region of a location where ways meet."""
    top = control.dominator[join]
    inside, todo = {top}, list(control.graph.predecessors(join))
    while todo:
        here = todo.pop()
        if here not in inside:
            inside.add(here)
            if here != join:
                todo.extend(control.graph.predecessors(here))
    heads = {loop.head for loop in control.loops}
    onward = (inside - {top}) | {join}
    short: dict[int, int] = {}
    ways = []
    for here in sorted(inside, key=control.rank.__getitem__, reverse=True):
        ends = dict.fromkeys(~here if target == join else short.get(target, target)
                             for target in control.graph.successors(here) if target in onward)
        if len(ends) == 1 and here not in heads:
            short[here] = next(iter(ends))
        else:
            ways.append((here, tuple(ends)))
    return Region(join, tuple(ways))


def deciders(region: Region, arriving: Mapping[int, Hashable]) -> tuple[int, ...]:
    """The branching locations that decide which of the values arriving from the predecessors the join sees.

    Each location of the region is given the one value that the join will see from there, or itself if that is
    still to be decided there: then and only then two disjoint ways lead from it to different values.
    This is value numbering run backwards; cycles start from "no value yet" and only ever lose agreement.
    A decision inside a loop that the join is not in counts in the last round: which one that is depends on
    the tests that end the loop, and the caller has to add them.
    """
    seen: dict[int, Hashable] = {~location: value for location, value in arriving.items()}
    changed = True
    while changed:
        changed = False
        for here, targets in region.ways:
            if seen.get(here) == here:
                continue
            values = {seen[target] for target in targets if target in seen}
            value = here if len(values) > 1 else next(iter(values), None)
            if value is not None and seen.get(here) != value:
                seen[here] = value
                changed = True
    return tuple(here for here, _ in reversed(region.ways) if seen.get(here) == here)
