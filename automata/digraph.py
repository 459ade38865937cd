"""Directed graphs, and the few algorithms on them that programs need.

A graph keeps its nodes and edges in the order in which they came, and so does all that is made of it: nothing hangs on hashes.
Sources: strong components, Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972; dominators, Cooper,
Harvey, Kennedy, "A simple, fast dominance algorithm", 2001; the order, Kahn, "Topological sorting of large networks", CACM 1962.
The tests hold each against networkx, which would take longer to load than a small proof takes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heappop, heappush
from typing import Any, Generic, TypeVar

N = TypeVar("N", bound=Hashable)


class Digraph(Generic[N]):
    """Nodes and edges; of two nodes at most one edge in each direction."""

    def __init__(self, edges: Iterable[tuple[N, N]] = ()) -> None:
        self._after: dict[N, dict[N, None]] = {}
        self._before: dict[N, dict[N, None]] = {}
        self.add_edges(edges)

    def add_nodes(self, nodes: Iterable[N]) -> None:
        for node in nodes:
            self._after.setdefault(node, {})
            self._before.setdefault(node, {})

    def add_edges(self, edges: Iterable[tuple[N, N]]) -> None:
        """Add edges, and their ends."""
        for source, target in edges:
            self.add_nodes((source, target))
            self._after[source][target] = self._before[target][source] = None

    def __iter__(self) -> Iterator[N]:
        return iter(self._after)

    def __len__(self) -> int:
        return len(self._after)

    def __contains__(self, node: object) -> bool:
        return node in self._after

    def successors(self, node: N) -> Iterable[N]:
        return self._after[node]

    def predecessors(self, node: N) -> Iterable[N]:
        return self._before[node]

    def has_edge(self, source: N, target: N) -> bool:
        return target in self._after.get(source, ())

    def edges(self) -> Iterator[tuple[N, N]]:
        """All edges, those that leave a node together."""
        return ((source, target) for source, after in self._after.items() for target in after)

    def postorder(self, start: N) -> list[N]:
        """The nodes that are reached from one, each after those that are reached from it first."""
        found: list[N] = []
        seen, path = {start}, [(start, iter(self._after[start]))]
        while path:
            node, left = path[-1]
            for target in left:
                if target not in seen:
                    seen.add(target)
                    path.append((target, iter(self._after[target])))
                    break
            else:
                found.append(node)
                path.pop()
        return found

    def order(self, key: Callable[[N], Any]) -> list[N]:
        """All nodes, each before its successors; of those that may come next, the one with the least key. ValueError where the
        graph has a cycle."""
        number = {node: at for at, node in enumerate(self)}
        waits = {node: len(before) for node, before in self._before.items()}
        ready: list[tuple[Any, int, N]] = []
        for node in self:
            if not waits[node]:
                heappush(ready, (key(node), number[node], node))
        found: list[N] = []
        while ready:
            node = heappop(ready)[2]
            found.append(node)
            for target in self._after[node]:
                waits[target] -= 1
                if not waits[target]:
                    heappush(ready, (key(target), number[target], target))
        if len(found) < len(self):
            raise ValueError("the graph has a cycle")
        return found

    def is_acyclic(self) -> bool:
        return all(len(part) == 1 and not self.has_edge(part[0], part[0]) for part in self.components())

    def components(self) -> list[list[N]]:
        """The strong components, each before those that lead to it: nodes that reach each other are in one."""
        found: list[list[N]] = []
        number, least = dict[N, int](), dict[N, int]()
        open_ones: dict[N, None] = {}
        for start in self:
            path = [] if start in number else [(start, iter(self._after[start]))]
            while path:
                node, left = path[-1]
                if node not in number:
                    number[node] = least[node] = len(number)
                    open_ones[node] = None
                for target in left:
                    if target not in number:
                        path.append((target, iter(self._after[target])))
                        break
                    if target in open_ones:
                        least[node] = min(least[node], least[target])
                else:
                    path.pop()
                    if path:
                        least[path[-1][0]] = min(least[path[-1][0]], least[node])
                    if least[node] == number[node]:
                        found.append(_taken(open_ones, node))
        return found

    def dominators(self, start: N) -> dict[N, N]:
        """The immediate dominator of each node that is reached from one, but for that one."""
        order = self.postorder(start)
        number = {node: at for at, node in enumerate(order)}
        found = {start: start}

        def common(one: N, two: N) -> N:
            while one != two:
                while number[one] < number[two]:
                    one = found[one]
                while number[two] < number[one]:
                    two = found[two]
            return one

        is_changed = True
        while is_changed:
            is_changed = False
            for node in reversed(order[:-1]):
                known = iter([before for before in self._before[node] if before in found])
                nearest = next(known)
                for before in known:
                    nearest = common(nearest, before)
                if found.get(node, node) != nearest or node not in found:
                    found[node], is_changed = nearest, True
        del found[start]
        return found


def _taken(open_ones: dict[N, None], first: N) -> list[N]:
    """The nodes from one on, which are closed."""
    taken: list[N] = []
    while not taken or taken[-1] != first:
        taken.append(open_ones.popitem()[0])
    return taken[::-1]
