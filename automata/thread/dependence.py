"""The dependence graph of a thread automaton: what each access, barrier and loop is computed from.

A program dependence graph (Ferrante, Ottenstein, Warren, TOPLAS 1987): its vertices are definitions, tests and
reads, its edges lead from what is computed to what it is computed from; leaves are *sources*. Locals
are in static single assignment form (Cytron et al., TOPLAS 1991), and so are the contents of arrays, each as a
whole: a store makes new contents out of the old ones, what it stores, where, and the tests it is
control dependent on.

Implicit flow has two places. Where ways meet, a local depends on the tests that decide which definition arrives
(`control.deciders`); after a loop, what the loop defines depends on the tests that end it, for they say
which round was the last. (Rosemann, Moll, Hack, "An abstract interpretation for SPMD divergence on reducible
control flow graphs", POPL 2021, call these sync and temporal divergence.)
"""

from __future__ import annotations

from collections.abc import Iterable

from automata.lang.core import (
    AXES,
    Array,
    Assign,
    AsyncCopy,
    AsyncWait,
    Atomic,
    Barrier,
    Binary,
    Call,
    Claim,
    Collective,
    Const,
    Declare,
    Expr,
    Fence,
    Havoc,
    Load,
    Print,
    Quantity,
    Select,
    Space,
    Special,
    Store,
    Var,
)
from automata.lang.exactness import manner, spoken
from automata.lang.show import show_expr
from automata.lang.traverse import children, expressions
from automata.place import NOWHERE
from automata.thread.automaton import Action, Automaton, Condition, Sync
from automata.thread.contraction import Contraction
from automata.thread.control import Control, NaturalLoop, Region, deciders, region
from automata.thread.updated import unordered, updated
from automata.thread.vertices import (
    Cause,
    Content,
    Contents,
    Decision,
    Holder,
    Input,
    Kind,
    Leaf,
    Node,
    Phi,
    Root,
    Source,
    Statement,
    Test,
    What,
)

_KINDS: dict[Quantity, Kind] = {Quantity.THREAD: "thread", Quantity.BLOCK: "block", Quantity.BLOCK_DIM: "size",
                                Quantity.GRID_DIM: "size"}
_VOTES = frozenset({"all", "any", "and", "or"})
_ROUNDS, _REACHED = "how many rounds the loop makes", "whether this is reached"

# What decides whether a location is reached: the tests it is directly control dependent on, and the loop it is in.
Context = tuple[tuple[int, ...], int | None]


def _head(loop: NaturalLoop | None) -> int | None:
    return None if loop is None else loop.head


class Graph:
    """Builds the graph in one walk down the dominator tree; `roots` and `tests` are what it leaves."""

    def __init__(self, automaton: Automaton, structure: Control, apart: frozenset[str] = frozenset()) -> None:
        self.automaton, self.control = automaton, structure
        self.first = {location: next((transition for _, transition in automaton.outgoing(location)), None)
                      for location in structure.rank}
        self.leaves: dict[Source, Leaf] = {}
        self.roots: list[Root] = []
        self.tests = self._tests()
        self.trips = {loop.head: Node(automaton.entry, self._decided(structure.repeating(loop), _ROUNDS))
                      for loop in structure.loops}
        self.contexts = {location: (structure.depends[location], _head(structure.innermost(location)))
                         for location in structure.rank}
        self.entries = {loop.head: (loop.enters, _head(structure.parent(loop))) for loop in structure.loops}
        self.guards = self._guards()
        self.updates = {array.name: Node(automaton.entry) for array in automaton.kernel.arrays}
        self.apart, self.updated = apart, updated(automaton)
        self.unordered = unordered(automaton) - apart
        self.contraction = Contraction(automaton.kernel)
        self.current: dict[Holder, Node] = {param.name: self.leaf("scalar", param.name) for param in automaton.kernel.params}
        self.current |= {Contents(array.name): self._initial(array) for array in automaton.kernel.arrays}
        self.undo: list[tuple[Holder, Node | None]] = []
        self.phis = self._phis()
        self.regions: dict[int, Region] = {}
        self.here = automaton.entry
        self._walk()
        for loop in structure.loops:
            self._loop(loop.head)

    def leaf(self, kind: Kind, name: str) -> Leaf:
        source = Source(kind, name)
        if source not in self.leaves:
            self.leaves[source] = Leaf(self.automaton.entry, source=source)
        return self.leaves[source]

    def _initial(self, array: Array) -> Node:
        if array.space is not Space.GLOBAL:
            return self.leaf("undefined", array.name)
        return Node(self.automaton.entry) if array.content is not None else self.leaf("array", array.name)

    # -- control ----------------------------------------------------------------------------------

    def _tests(self) -> dict[int, Test]:
        """A vertex for each location with a test; its operands are known when the walk gets there."""
        found = {}
        for location, first in self.first.items():
            match first:
                case Condition(test=test, place=place) if not isinstance(test, Const):
                    found[location] = Test(location, expr=test, place=place)
        return found

    def _guards(self) -> dict[Context, Node]:
        """A vertex for each context: its tests and, in a loop, whether there is this round."""
        guards = {context: Node(self.automaton.entry) for context in [*self.contexts.values(), *self.entries.values()]}
        for (tests, head), node in guards.items():
            node.inputs += self._decided(tests, _REACHED)
            node.inputs += [(guards[self.contexts[location]], None) for location in tests]
            if head is not None:
                node.inputs += [(self.trips[head], None), (guards[self.entries[head]], None)]
        return guards

    def guard(self, location: int) -> Node:
        """What decides whether a location is reached."""
        return self.guards[self.contexts[location]]

    def _decided(self, locations: Iterable[int], what: str) -> list[Input]:
        tests = [self.tests[location] for location in locations if location in self.tests]
        return [(test, Decision(test.expr, test.place, what)) for test in tests]

    def _loop(self, head: int) -> None:
        """The sink of a loop."""
        first = self.first[head]
        place = NOWHERE if first is None else first.place
        self.roots.append(Root("loop", "", head, place, None, self.trips[head], self.guards[self.entries[head]]))

    # -- single assignment ------------------------------------------------------------------------

    def _phis(self) -> dict[int, list[Phi]]:
        """The iterated dominance frontier of each holder's definitions."""
        defined: dict[Holder, list[int]] = {}
        for location, first in self.first.items():
            match first:
                case Action(stmt=stmt):
                    for holder in defines(stmt):
                        defined.setdefault(holder, []).append(location)
        phis: dict[int, list[Phi]] = {}
        for holder, todo in defined.items():
            seen: set[int] = set()
            while todo:
                for join in self.control.frontier[todo.pop()]:
                    if join not in seen:
                        seen.add(join)
                        todo.append(join)
                        phis.setdefault(join, []).append(Phi(join, holder=holder))
        return phis

    def _walk(self) -> None:
        todo: list[tuple[int, int | None]] = [(self.automaton.entry, None)]
        while todo:
            location, mark = todo.pop()
            if mark is not None:
                self._restore(mark)
                continue
            todo.append((location, len(self.undo)))
            self._visit(location)
            todo += [(child, None) for child in reversed(self.control.children[location])]

    def _restore(self, mark: int) -> None:
        while len(self.undo) > mark:
            holder, node = self.undo.pop()
            if node is None:
                del self.current[holder]
            else:
                self.current[holder] = node

    def define(self, holder: Holder, node: Node) -> None:
        """Give a local or an array's contents a new value from here down the dominator tree."""
        self.undo.append((holder, self.current.get(holder)))
        self.current[holder] = node

    def lookup(self, holder: Holder) -> Node:
        """The value of a local or an array's contents here."""
        return self.current.get(holder) or self.leaf("undefined", str(holder))

    def _visit(self, location: int) -> None:
        self.here = location
        for phi in self.phis.get(location, ()):
            self.define(phi.holder, phi)
        guard = self.guard(location)
        match self.first[location]:
            case Condition() if location in self.tests:
                test = self.tests[location]
                test.inputs += [(node, None) for node in self.uses(test.expr, guard)]
            case Sync(barrier=barrier):
                mask = [node for part in expressions(barrier) for node in self.uses(part, guard)]
                self.sink("barrier", "", barrier, mask, guard)
            case Action(stmt=stmt):
                self.statement(stmt, guard)
        for target in self.control.graph.successors(location):
            for phi in self.phis.get(target, ()):
                phi.ways[location] = self.lookup(phi.holder)

    def across(self, node: Node, location: int) -> Node:
        """A value as seen from a location: outside a loop it depends on which round was the last."""
        left = self.control.loops_left(node.location, location)
        return Node(location, [(node, None), *((self.trips[loop.head], None) for loop in left)]) if left else node

    def complete(self, phi: Phi) -> None:
        """The inputs of a phi. Stores carry the tests they depend on, so contents need no others."""
        if phi.is_array:
            phi.inputs = [(node, None) for node in phi.ways.values()]
            return
        phi.inputs = [(self.across(node, phi.location), None) for node in phi.ways.values()]
        if len(set(phi.ways.values())) > 1:
            if phi.location not in self.regions:
                self.regions[phi.location] = region(self.control, phi.location)
            chosen = deciders(self.regions[phi.location], phi.ways)
            phi.inputs += [(self.across(test, phi.location), cause)
                           for test, cause in self._decided(chosen, f"which value `{phi.holder}` has")]

    # -- expressions and statements ---------------------------------------------------------------

    def uses(self, expr: Expr, guard: Node) -> list[Node]:
        """What an expression is computed from; the reads in it become sinks."""
        match expr:
            case Const():
                return []
            case Special():
                return [self.leaf(_KINDS[expr.quantity], expr.name)]
            case Var(name=name):
                return [self.across(self.lookup(name), self.here)]
            case Load():
                index = [node for part in expr.index for node in self.uses(part, guard)]
                self.sink("read", expr.array, expr, index, guard)
                return [self.made([Content(self.here, [(self.lookup(Contents(expr.array)), None)]), *index], expr)]
            case Call() if expr.source:
                return [self.leaf("array", expr.source), *(node for part in expr.args for node in self.uses(part, guard))]
            case Binary(op="&&" | "||", left=left, right=right):
                return self.choice(left, (right,), guard)
            case Select(test=test, then=then, other=other):
                return self.choice(test, (then, other), guard)
        return self.ways(expr) + [node for part in children(expr) for node in self.uses(part, guard)]

    def ways(self, expr: Expr) -> list[Node]:
        """What a device may make of an operation by itself, whatever its operands."""
        if self.contraction.may_fuse(expr):
            return [self.leaf("rounded", show_expr(expr))]
        how = manner(expr, self.automaton.kernel.dialect)
        return [] if how is None else [self.leaf(how, spoken(expr.function) if isinstance(expr, Call) else show_expr(expr))]

    def choice(self, test: Expr, parts: tuple[Expr, ...], guard: Node) -> list[Node]:
        """A test and what is only evaluated when it says so."""
        vertex = Test(self.here, [(node, None) for node in self.uses(test, guard)], test, test.place)
        inner = Node(self.here, [(vertex, Decision(test, test.place, _REACHED)), (guard, None)])
        return [vertex, *(node for part in parts for node in self.uses(part, inner))]

    def made(self, nodes: Iterable[Node], cause: Cause, old: Node | None = None) -> Node:
        """A vertex computed from others; `old`: contents of which this changes a part."""
        kept: list[Input] = [] if old is None else [(old, None)]
        return Node(self.here, kept + [(node, cause) for node in nodes])

    def sink(self, what: What, array: str, cause: Load | Barrier | Statement, index: Iterable[Node], guard: Node) -> None:
        vertex = Node(self.here, [(node, None) for node in index])
        self.roots.append(Root(what, array, self.here, cause.place, cause, vertex, guard))

    def statement(self, stmt: Statement, guard: Node) -> None:
        match stmt:
            case Declare(name=name) | Havoc(name=name):
                self.define(name, self.made([self.leaf("undefined", name)], stmt))
            case Assign(name=name, value=value):
                self.define(name, self.made(self.uses(value, guard), stmt))
            case Store(array=array, index=index, value=value):
                at = [node for part in index for node in self.uses(part, guard)]
                stored = self.uses(value, guard)
                nodes = [Content(self.here, [(node, None) for node in stored]), *at, guard]
                self.sink("write", array, stmt, at, guard)
                self.sink("value", array, stmt, stored, guard)
                self.define(Contents(array), self.made(nodes, stmt, self.lookup(Contents(array))))
            case Claim(test=test):
                self.sink("claim", "", stmt, self.uses(test, guard), guard)
            case Print(args=args):
                self.sink("print", "", stmt, [node for arg in args for node in self.uses(arg, guard)], guard)
            case AsyncWait():
                self.sink("barrier", "", stmt, (), guard)
            case Atomic():
                self.atomic(stmt, guard)
            case Collective():
                self.collective(stmt, guard)
            case AsyncCopy():
                self.copy(stmt, guard)

    def atomic(self, stmt: Atomic, guard: Node) -> None:
        """The old value may come from any atomic of the kernel on the array, by any thread. One that only loads changes
        nothing, and where nothing updates the array, no order shows in it: stores that are not ordered with it would race."""
        at = [node for part in stmt.index for node in self.uses(part, guard)]
        if stmt.op == "load":
            self.sink("atomic", stmt.array, stmt, at, guard)
            if stmt.result is not None:
                known = [self.lookup(Contents(stmt.array)), self.updates[stmt.array]]
                known += [self.leaf("order", stmt.array)] if stmt.array in self.updated - self.apart else []
                self.define(stmt.result, self.made([*known, *at], stmt))
            return
        given = [node for part in stmt.args for node in self.uses(part, guard)]
        nodes = given + at + [guard]
        self.sink("atomic", stmt.array, stmt, at, guard)
        self.sink("value", stmt.array, stmt, given, guard)
        old, all_updates = self.lookup(Contents(stmt.array)), self.updates[stmt.array]
        order = self.leaf("order", stmt.array)
        all_updates.inputs += [(node, stmt) for node in nodes]
        self.define(Contents(stmt.array), self.made([*nodes, order] if stmt.array in self.unordered else nodes, stmt, old))
        if stmt.result is not None:
            self.define(stmt.result, self.made([*([] if stmt.array in self.apart else [order]), old, all_updates, *at], stmt))

    def collective(self, stmt: Collective, guard: Node) -> None:
        """What lanes exchange, and which lanes do. Votes and counts see how many lanes a warp or block has."""
        mask = [] if stmt.mask is None else self.uses(stmt.mask, guard)
        nodes = [node for part in stmt.args for node in self.uses(part, guard)] + mask + [guard]
        self.sink("collective", "", stmt, mask, guard)
        if not stmt.op.startswith("shfl"):
            nodes += [self.leaf("size", f"{Quantity.BLOCK_DIM.value}.{axis}") for axis in AXES]
            if stmt.scope == "warp" and stmt.op not in _VOTES:
                nodes += [self.leaf("thread", f"{Quantity.THREAD.value}.{axis}") for axis in AXES]
        if stmt.op == "activemask":
            nodes.append(self.leaf("undefined", stmt.result))
        self.define(stmt.result, self.made(nodes, stmt))

    def copy(self, stmt: AsyncCopy, guard: Node) -> None:
        size = [node for part in (stmt.count, stmt.stride) if part is not None for node in self.uses(part, guard)]
        source, target = self.uses(stmt.source_index, guard), self.uses(stmt.target_index, guard)
        self.sink("copy_read", stmt.source, stmt, source + size, guard)
        self.sink("copy_write", stmt.target, stmt, target + size, guard)
        nodes = [self.lookup(Contents(stmt.source)), *source, *target, *size, guard]
        self.define(Contents(stmt.target), self.made(nodes, stmt, self.lookup(Contents(stmt.target))))
        self.define(stmt.event, Node(self.here))


def defines(stmt: Statement) -> tuple[Holder, ...]:
    """The holders that a statement gives a new value."""
    match stmt:
        case Declare(name=name) | Havoc(name=name) | Assign(name=name):
            return (name,)
        case Store(array=array):
            return (Contents(array),)
        case Atomic(op="load", result=result):
            return () if result is None else (result,)
        case Atomic(array=array, result=result):
            return (Contents(array),) if result is None else (Contents(array), result)
        case Collective(result=result):
            return (result,)
        case AsyncCopy(event=event, target=target):
            return event, Contents(target)
        case AsyncWait() | Claim() | Print() | Fence():
            return ()
