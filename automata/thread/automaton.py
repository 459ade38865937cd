"""The thread automaton (Tripakis, Stergiou, Lublinerman, HotPar 2010, section 3).

Locations are integers; a transition is a condition, an assignment or a sync. All threads of a launch
run the same automaton, each with its own locals and coordinates. Where every loop was unrolled before, the
graph has no cycle; a loop that was not leads back to its head.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import networkx as nx

from automata.lang.core import (
    Assign,
    AsyncCopy,
    AsyncWait,
    Atomic,
    Barrier,
    Claim,
    Collective,
    Declare,
    Expr,
    Fence,
    Havoc,
    Kernel,
    Print,
    Store,
)
from automata.place import Place


@dataclass(frozen=True, slots=True)
class Condition:
    """Passable when the test holds (`positive`) or fails."""

    test: Expr
    positive: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Action:
    """A statement that is neither a jump nor a barrier."""

    stmt: Declare | Assign | Store | Havoc | Atomic | Collective | AsyncCopy | AsyncWait | Claim | Print | Fence

    @property
    def place(self) -> Place:
        return self.stmt.place


@dataclass(frozen=True, slots=True)
class Sync:
    """A barrier."""

    barrier: Barrier

    @property
    def place(self) -> Place:
        return self.barrier.place


Transition = Condition | Action | Sync


@dataclass
class Automaton:
    """The graph and its entry and exit. Edges carry their `Transition` under "transition".

    `loops`: the head of each loop, with the locations that its statement has made: those that jump out of it as well.
    """

    kernel: Kernel
    graph: nx.MultiDiGraph = field(default_factory=nx.MultiDiGraph)
    entry: int = 0
    exit: int = 0
    loops: dict[int, range] = field(default_factory=dict)

    def location(self) -> int:
        """A new location."""
        number: int = self.graph.number_of_nodes()
        self.graph.add_node(number)
        return number

    def connect(self, source: int, target: int, transition: Transition) -> None:
        self.graph.add_edge(source, target, transition=transition)

    def outgoing(self, location: int) -> list[tuple[int, Transition]]:
        """Targets and transitions that leave a location, in source order."""
        return [(target, data["transition"]) for _, target, data in self.graph.out_edges(location, data=True)]

    def order(self) -> list[int]:
        """All locations, each before its successors; a loop's head before its body."""
        forward = nx.DiGraph(self.graph)
        forward.remove_edges_from([edge for edge in self.graph.edges() if self.is_back(*edge)])
        return list(nx.lexicographical_topological_sort(forward))

    def is_back(self, source: int, target: int) -> bool:
        """Whether an edge leads from a loop to its own head."""
        return target in self.loops and source in self.loops[target]
