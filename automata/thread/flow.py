"""What every access, barrier, loop and claim of a thread may depend on: one static analysis, over all paths.

For each *sink* it says which *sources* may influence it (`dependence.py` says how), separately for which
element it is and for whether it happens. What no data influences behaves in one run as in all: test
amplification (Leung, Gupta, Agarwal, Gupta, Jhala, Lerner, "Verifying GPU kernels by test amplification",
PLDI 2012). What no thread index influences is uniform.

It holds for runs without conflicts in which the threads that wait for each other wait at one barrier of the text.
Then what a thread reads was written by a location before it in the automaton, by whichever thread, except by
atomics. It also takes for granted that loops end, that arrays do not overlap and that only this launch writes
memory while it runs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from automata.lang.core import Assign, Barrier, Declare, Expr, Load
from automata.lang.show import show_action, show_expr
from automata.passes import passing
from automata.place import Place
from automata.thread.automaton import Automaton
from automata.thread.control import control
from automata.thread.dependence import Graph
from automata.thread.vertices import CONFIGURATION, Cause, Content, Decision, Leaf, Node, Phi, Root, Source, Test, What

__all__ = ["CONFIGURATION", "Flow", "Part", "Sink", "Source", "Step", "What", "flow"]

Part = Literal["index", "guard"]


@dataclass(frozen=True, slots=True)
class Step:
    """A link of an explanation."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Sink:
    """Something whose behaviour depends on sources.

    `index`: what may influence which element an access touches, what a store puts there (`value`), which lanes a
    barrier or exchange names, how many rounds a loop makes, whether a claim holds. `guard`: what may influence
    whether it is reached.
    `location`: where its transition starts; the head of a loop. `number`: tells sinks of one location apart.
    """

    what: What
    array: str
    place: Place
    location: int
    number: int
    index: frozenset[Source]
    guard: frozenset[Source]


@dataclass(frozen=True, slots=True)
class Flow:
    """All sinks in the order of the text, and for each location with a test the sources of its operands.

    `unordered`: the arrays whose contents depend on the order of atomics.
    """

    sinks: tuple[Sink, ...]
    test_sources: Mapping[int, frozenset[Source]]
    unordered: frozenset[str]
    _roots: Mapping[Sink, Root] = field(repr=False, compare=False)
    _bits: Mapping[Node, int] = field(repr=False, compare=False)
    _positions: Mapping[Source, int] = field(repr=False, compare=False)

    def tests(self, sink: Sink) -> tuple[Expr, ...]:
        """The tests that a sink is control dependent on, also through each other; nearest first."""
        root = self._roots[sink]
        todo = deque([root.index, root.guard] if sink.what == "loop" else [root.guard])
        seen: dict[Node, None] = dict.fromkeys(todo)
        while todo:
            node = todo.popleft()
            for other, _ in () if isinstance(node, Test) else node.inputs:
                if other not in seen:
                    seen[other] = None
                    todo.append(other)
        return tuple(node.expr for node in seen if isinstance(node, Test))

    def unset(self, sink: Sink, array: str | None = None) -> frozenset[Source]:
        """What may decide whether an index of a sink is computed from a value that nobody set: in a local, or in an array if
        that is named. Empty if it never is.

        Of all that the index is computed from only vertices that such a value reaches are looked at. There it hangs on tests that
        choose between values, on how often loops run, and, where it passes through memory, on where that goes. What is
        computed from it together with others (a sum, a product) hangs on no contents of the others.
        """
        mask = sum(1 << at for source, at in self._positions.items()
                   if source.kind == "undefined" and array in (None, source.name))
        todo = [self._roots[sink].index]
        seen, deciding = set(todo), 0
        while todo:
            node = todo.pop()
            for other, cause in node.inputs if self._bits[node] & mask else ():
                if _decides(node, other, cause):
                    deciding |= self._bits[other]
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return frozenset(source for source, at in self._positions.items() if deciding >> at & 1)

    def explain(self, sink: Sink, source: Source, part: Part = "index") -> tuple[Step, ...]:
        """A shortest way from a source to a part of a sink. ValueError when there is none.

        A breadth-first search from the sink over the vertices that the source reaches; passing a value on is no step.
        """
        if source not in (sink.index if part == "index" else sink.guard):
            raise ValueError(f"{source.kind} {source.name} does not reach this")
        root = self._roots[sink]
        start = root.index if part == "index" else root.guard
        return (*_chain(start, source, self._bits, 1 << self._positions[source]), Step(sink.place, _reached(root)))


@passing("follow")
def flow(automaton: Automaton, apart: frozenset[str] = frozenset()) -> Flow:
    """The dependence analysis of a thread automaton. `apart`: arrays of which no two threads update one cell in any order."""
    graph = Graph(automaton, control(automaton), apart)
    positions = {source: position for position, source in enumerate(graph.leaves)}
    roots = sorted(graph.roots, key=lambda root: (root.location, root.what != "loop"))
    starts = [node for root in roots for node in (root.index, root.guard)]
    bits = _solve(graph, [*starts, *graph.tests.values()], positions)
    names = list(positions)
    sets: dict[int, frozenset[Source]] = {}

    def sources(node: Node) -> frozenset[Source]:
        mask = bits[node]
        if mask not in sets:
            sets[mask] = frozenset(source for position, source in enumerate(names) if mask >> position & 1)
        return sets[mask]

    found = {Sink(root.what, root.array, root.place, root.location, number, sources(root.index), sources(root.guard)): root
             for number, root in enumerate(roots)}
    tests = {location: sources(test) for location, test in graph.tests.items()}
    return Flow(tuple(found), tests, graph.unordered, found, bits, positions)


def _solve(graph: Graph, starts: list[Node], positions: Mapping[Source, int]) -> dict[Node, int]:
    """The least solution: the sources that each vertex reaches, as a bit set."""
    order = _operands_first(graph, starts)
    bits = {node: 1 << positions[node.source] if isinstance(node, Leaf) else 0 for node in order}
    changed = True
    while changed:
        changed = False
        for node in order:
            mask = bits[node]
            for other, _ in node.inputs:
                mask |= bits[other]
            if mask != bits[node]:
                bits[node] = mask
                changed = True
    return bits


def _operands_first(graph: Graph, starts: list[Node]) -> list[Node]:
    """The vertices that the starts depend on, in postorder."""
    order: list[Node] = []
    seen: set[Node] = set()
    todo = [(start, False) for start in reversed(starts)]
    while todo:
        node, is_done = todo.pop()
        if is_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            if isinstance(node, Phi):
                graph.complete(node)
            todo.append((node, True))
            todo += [(other, False) for other, _ in node.inputs if other not in seen]
    return order


def _decides(node: Node, other: Node, cause: Cause | None) -> bool:
    """Whether an input of a vertex may decide which of the vertex's other inputs arrives there."""
    if isinstance(node, Test) or isinstance(other, Test) or isinstance(cause, Decision):
        return True
    if cause is None:
        return bool(other.inputs) and all(isinstance(each, Decision) for _, each in other.inputs)
    return not isinstance(cause, Assign | Declare) and not isinstance(other, Content)


# -- explanations ---------------------------------------------------------------------------------


def _chain(start: Node, source: Source, bits: Mapping[Node, int], bit: int) -> list[Step]:
    """The steps of a shortest way from a source to a vertex: breadth first, where only an edge with a cause counts."""
    came: dict[Node, tuple[Node, Cause | None]] = {}
    length, todo, done = {start: 0}, deque([start]), set[Node]()
    while todo:
        node = todo.popleft()
        if isinstance(node, Leaf) and node.source == source:
            return _steps(node, start, came)
        for other, cause in node.inputs if node not in done else ():
            cost = length[node] + (cause is not None)
            if bits[other] & bit and cost < length.get(other, cost + 1):
                length[other], came[other] = cost, (node, cause)
                if cause is None:
                    todo.appendleft(other)
                else:
                    todo.append(other)
        done.add(node)
    raise AssertionError(source)


def _steps(node: Node, start: Node, came: Mapping[Node, tuple[Node, Cause | None]]) -> list[Step]:
    steps = []
    while node is not start:
        node, cause = came[node]
        if cause is not None:
            steps.append(Step(cause.place, _text(cause)))
    return steps


def _text(cause: Cause) -> str:
    match cause:
        case Decision(test=test, what=what):
            return f"`{show_expr(test)}` decides {what}"
        case Load():
            return f"`{show_expr(cause)}` is read"
        case Declare(name=name):
            return f"`{name}` is declared without a value"
        case Barrier(scope=scope):
            return f"a barrier of the {scope}"
    return f"`{show_action(cause)}`"


def _reached(root: Root) -> str:
    """The sink itself, as the last step."""
    return "another round of the loop" if root.cause is None else _text(root.cause)
