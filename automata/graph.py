"""Directed graphs, as far as kernels need them: an order, dominators, cycles.

A library of graphs takes longer to load than a check of a short kernel takes. What was added first comes first everywhere, so
what is made by going through a graph repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Any, Generic, TypeVar

N = TypeVar("N", bound=Hashable)


class Graph(Generic[N]):
    """Nodes, and for each those after it and those before it."""

    def __init__(self, edges: Iterable[tuple[N, N]] = ()) -> None:
        self.after: dict[N, dict[N, None]] = {}
        self.before: dict[N, dict[N, None]] = {}
        for source, target in edges:
            self.add_edge(source, target)

    def add_node(self, node: N) -> None:
        self.after.setdefault(node, {})
        self.before.setdefault(node, {})

    def add_edge(self, source: N, target: N) -> None:
        self.add_node(source)
        self.add_node(target)
        self.after[source][target] = None
        self.before[target][source] = None

    def __iter__(self) -> Iterator[N]:
        return iter(self.after)

    def __len__(self) -> int:
        return len(self.after)

    def has_edge(self, source: N, target: N) -> bool:
        return target in self.after[source]

    def edges(self) -> Iterator[tuple[N, N]]:
        return ((source, target) for source, others in self.after.items() for target in others)


def order(graph: Graph[N], key: Callable[[N], Any] | None = None) -> list[N] | None:
    """All nodes, each before those after it; of those that might come next the one with the least key, which is the node itself
    where none is given. None for a graph with a cycle."""
    waits = {node: len(others) for node, others in graph.before.items()}
    place = {node: at for at, node in enumerate(graph)}
    ready = [(node if key is None else key(node), place[node], node) for node, count in waits.items() if not count]
    heapify(ready)
    found: list[N] = []
    while ready:
        _, _, node = heappop(ready)
        found.append(node)
        for other in graph.after[node]:
            waits[other] -= 1
            if not waits[other]:
                heappush(ready, (other if key is None else key(other), place[other], other))
    return found if len(found) == len(graph) else None


def postorder(graph: Graph[N], start: N) -> list[N]:
    """The nodes that are reached from one, each behind those that are reached through it first."""
    found, seen, stack = list[N](), {start}, [(start, iter(graph.after[start]))]
    while stack:
        for other in stack[-1][1]:
            if other not in seen:
                seen.add(other)
                stack.append((other, iter(graph.after[other])))
                break
        else:
            found.append(stack.pop()[0])
    return found


def dominators(graph: Graph[N], start: N) -> dict[N, N]:
    """The immediate dominator of each node that is reached from one, but for that (Cooper, Harvey, Kennedy, "A simple, fast
    dominance algorithm")."""
    nodes = postorder(graph, start)
    rank = {node: at for at, node in enumerate(nodes)}
    found = {start: start}
    changed = True
    while changed:
        changed = False
        for node in nodes[-2::-1]:
            above: N | None = None
            for other in graph.before[node]:
                if other in found:
                    above = other if above is None else _meet(above, other, found, rank)
            assert above is not None
            if found.get(node) != above:
                found[node] = above
                changed = True
    del found[start]
    return found


def _meet(one: N, two: N, above: dict[N, N], rank: dict[N, int]) -> N:
    """Where the ways up from two nodes meet."""
    while one != two:
        while rank[one] < rank[two]:
            one = above[one]
        while rank[two] < rank[one]:
            two = above[two]
    return one


def components(graph: Graph[N]) -> list[set[N]]:
    """The strongly connected components (Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972)."""
    found: list[set[N]] = []
    number: dict[N, int] = {}
    least: dict[N, int] = {}
    held: dict[N, None] = {}
    for root in graph:
        stack = [] if root in number else [(root, iter(graph.after[root]))]
        while stack:
            node, others = stack[-1]
            if node not in number:
                number[node] = least[node] = len(number)
                held[node] = None
            for other in others:
                if other not in number:
                    stack.append((other, iter(graph.after[other])))
                    break
                if other in held:
                    least[node] = min(least[node], number[other])
            else:
                stack.pop()
                if stack:
                    least[stack[-1][0]] = min(least[stack[-1][0]], least[node])
                if least[node] == number[node]:
                    found.append(_popped(held, node))
    return found


def _popped(held: dict[N, None], until: N) -> set[N]:
    part: set[N] = set()
    while until not in part:
        part.add(held.popitem()[0])
    return part
