"""Loops taken apart into stages that each run all rounds of a strip, before the next stage begins.

Input: the head of a loop of the automaton. Output: a `Distribution`, or None where the loop is not of the kind: a test of
numbers at the head, then assignments and stores in one line. Every assignment makes a version of its local of its own, so
that one stage reads exactly what it depends on; of counters the value in every round is known beforehand. Statements
that depend on themselves through rounds form a stage that goes round by round (`Carried`); whatever in such a stage does not
depend on it is taken out first. All others are wide stages: all rounds at once. A stage of sums that nothing else reads is
one total.

Loop distribution over the strongly connected components of the dependence graph: Allen and Kennedy, Optimizing Compilers for
Modern Architectures, 2001, sections 2.2 and 5.2; scalar expansion: section 5.3. That different rounds reach different cells
is taken for granted here, and looked at when the strip runs (`strips`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import networkx as nx

from automata.lang.core import (
    COMPARISONS,
    Assign,
    Binary,
    Const,
    Declare,
    Expr,
    Load,
    Select,
    Special,
    Store,
    Unary,
    Var,
)
from automata.lang.effects import reads_memory, variables
from automata.lang.traverse import children, expressions, rebuild, rebuild_statement
from automata.machine.lanes.compiled import has_effect
from automata.scalar import Scalar
from automata.thread.automaton import Action, Automaton, Condition
from automata.thread.growth import Term, growth, sum_of

Line = Assign | Store
Index = tuple[Expr, ...]


@dataclass(frozen=True)
class Counter:
    """A local that grows by the same amount in every round."""

    name: str
    kind: Scalar
    positive: bool
    step: Expr


@dataclass(frozen=True)
class Wide:
    """A statement that runs for all rounds at once."""

    stmt: Line


@dataclass(frozen=True)
class Carried:
    """Statements that go round by round. `seen`: the names they give a value to that others read; `terms`: where they only
    add to one local that nothing else reads, what they add."""

    stmts: tuple[Assign, ...]
    seen: tuple[str, ...]
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Meeting:
    """Two accesses of one array, one of them a store, that must not reach one cell in different rounds."""

    array: str
    one: Index
    two: Index


@dataclass
class Distribution:
    """A loop taken apart. `carried`: the locals that a round takes over from the one before, with the version
    that they take; `last`: the last version of each local; `made`: the names of versions, with their locals, and of parts;
    `numbers`: how many of the stages come before the accesses can be looked at; `unset`: the locals that a round declares
    and reads without having given them a value."""

    test: Expr
    positive: bool
    counters: tuple[Counter, ...]
    carried: dict[str, str]
    last: dict[str, str]
    made: dict[str, str]
    stages: list[Wide | Carried] = field(default_factory=list)
    numbers: int = 0
    meetings: list[Meeting] = field(default_factory=list)
    unset: tuple[str, ...] = ()

    @property
    def stores(self) -> bool:
        """Whether the loop writes memory."""
        return any(isinstance(stage, Wide) and isinstance(stage.stmt, Store) for stage in self.stages)


def entering(name: str) -> str:
    """What a local holds when a round begins, as a name."""
    return f"{name}@"


def distribute(automaton: Automaton, head: int, is_data: Callable[[Expr], bool],
               sums: Callable[[Scalar, tuple[Term, ...]], bool]) -> Distribution | None:
    """The loop of a head taken apart, if it is of the kind. `sums`: whether what is added to a local of a type is one total."""
    line = _line(automaton, head)
    return None if line is None else _Distribution(line, is_data, sums).made()


@dataclass
class _Loop:
    """A loop's test and the statements of its body, which stand in one line."""

    test: Expr
    positive: bool
    stmts: list[Line] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)


def _line(automaton: Automaton, head: int) -> _Loop | None:
    edges = automaton.outgoing(head)
    if len(edges) != 2:
        return None
    for at, transition in edges:
        if not isinstance(transition, Condition):
            return None
        found = _Loop(transition.test, transition.positive)
        while at != head and at in automaton.loops[head]:
            following = automaton.outgoing(at)
            if len(following) != 1:
                break
            at, step = following[0]
            match step:
                case Action(stmt=Assign() | Store() as stmt):
                    found.stmts.append(stmt)
                case Action(stmt=Declare(name=name)):
                    found.declared.add(name)
                case Condition(test=Const()):
                    pass
                case _:
                    return None
        if at == head:
            return found
    return None


class _Distribution:
    """Takes one loop apart."""

    def __init__(self, loop: _Loop, is_data: Callable[[Expr], bool],
                 sums: Callable[[Scalar, tuple[Term, ...]], bool]) -> None:
        self.loop, self.source, self.is_data, self.sums = loop, loop.stmts, is_data, sums
        self.assigned = {stmt.name for stmt in loop.stmts if isinstance(stmt, Assign)}
        self.stored = {stmt.array for stmt in loop.stmts if isinstance(stmt, Store)}
        self.version: dict[str, str] = {}
        self.exposed: set[str] = set()
        self.of: dict[str, str] = {}
        self.types: dict[str, Scalar] = {}
        self.stmts: list[Line] = []

    def made(self) -> Distribution | None:
        indices = list(self.indices())
        if has_effect(self.loop.test) or any(map(self.is_data, (self.loop.test, *indices))):
            return None
        if any(load.array in self.stored for index in indices for load in _loads(index)):
            return None
        test = self.renamed(self.loop.test)
        for number, stmt in enumerate(self.source):
            self.stmts.append(self.versioned(stmt, number))
        counters = tuple(found for found in map(self.counter, sorted(self.exposed)) if found is not None)
        carried = {name: self.version[name] for name in sorted(self.exposed)}
        if self.exposed & self.loop.declared or not self.of_loop(test) <= {entering(item.name) for item in counters}:
            return None
        read = {name for stmt in self.source for expr in expressions(stmt) for name in variables(expr)}
        unset = tuple(sorted((self.loop.declared & read) - self.assigned))
        made = Distribution(test, self.loop.positive, counters, carried, dict(self.version), self.of, unset=unset)
        return made if self.staged(made) else None

    def of_loop(self, expr: Expr) -> set[str]:
        """The names in an expression that the loop gives a value."""
        return variables(expr) & set(self.of)

    def indices(self) -> Iterator[Expr]:
        for stmt in self.source:
            if isinstance(stmt, Store):
                yield from stmt.index
            for expr in expressions(stmt):
                for load in _loads(expr):
                    yield from load.index if load.array in self.stored else ()

    # -- versions -------------------------------------------------------------------------------

    def renamed(self, expr: Expr) -> Expr:
        if isinstance(expr, Var) and expr.name in self.assigned:
            name = self.version.get(expr.name)
            if name is None:
                self.exposed.add(expr.name)
                name = entering(expr.name)
                self.of[name], self.types[name] = expr.name, expr.type
            return replace(expr, name=name)
        return rebuild(expr, self.renamed)

    def versioned(self, stmt: Line, number: int) -> Line:
        made = rebuild_statement(stmt, self.renamed, lambda body: body)
        if isinstance(made, Assign):
            name = f"{made.name}#{number}"
            self.version[made.name], self.of[name], self.types[name] = name, made.name, made.value.type
            made = replace(made, name=name)
        assert isinstance(made, Assign | Store)
        return made

    def counter(self, name: str) -> Counter | None:
        """A local with one assignment, by which it grows, among integers modulo 2^k."""
        stmts = [stmt for stmt in self.stmts if isinstance(stmt, Assign) and self.of[stmt.name] == name]
        kind = self.types[entering(name)]
        if len(stmts) != 1 or not kind.is_int or self.is_data(self.source[self.stmts.index(stmts[0])].value):
            return None
        found = growth(stmts[0].value, entering(name), kind.bits)
        if found is None or self.of_loop(found[1]) or reads_memory(found[1]):
            return None
        return Counter(name, kind, *found)

    # -- stages ---------------------------------------------------------------------------------

    def staged(self, made: Distribution) -> bool:
        """Order the stages; False where an access cannot be looked at before any data are computed."""
        graph = self.dependences(made)
        parts = nx.condensation(graph)
        members: dict[int, list[int]] = {node: sorted(parts.nodes[node]["members"]) for node in parts}
        order = list(nx.lexicographical_topological_sort(parts, key=lambda node: members[node][0]))
        early = [node for node in order if self.stored and all(map(self.is_number, members[node]))]
        late = [node for node in order if node not in early]
        if any(parts.has_edge(one, two) for one in late for two in early):
            return False
        for node in early + late:
            if not self.stage(made, graph, members[node]):
                return False
            if node in early:
                made.numbers = len(made.stages)
        known = {entering(item.name) for item in made.counters}
        known |= {stmt.name for node in early for stmt in (self.stmts[at] for at in members[node]) if isinstance(stmt, Assign)}
        return all(self.of_loop(part) <= known for meeting in made.meetings for part in (*meeting.one, *meeting.two))

    def is_number(self, at: int) -> bool:
        stmt = self.source[at]
        return (isinstance(stmt, Assign) and not self.is_data(stmt.value) and not self.is_data(Var(stmt.name, stmt.value.type))
                and not any(load.array in self.stored for load in _loads(stmt.value)))

    def dependences(self, made: Distribution) -> nx.DiGraph:
        """Statement to statement: through locals, from round to round as well, and through cells within a round."""
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(self.stmts)))
        counted = {entering(item.name) for item in made.counters}
        defined = {stmt.name: at for at, stmt in enumerate(self.stmts) if isinstance(stmt, Assign)}
        for at, stmt in enumerate(self.stmts):
            for name in {name for expr in expressions(stmt) for name in self.of_loop(expr)}:
                if name in defined:
                    graph.add_edge(defined[name], at)
                elif name not in counted:
                    graph.add_edge(defined[self.version[self.of[name]]], at)
        for at, store in enumerate(self.stmts):
            if isinstance(store, Store):
                for other, index in self.accesses(store.array, store):
                    if other != at:
                        graph.add_edge(min(at, other), max(at, other))
                    made.meetings.append(Meeting(store.array, store.index, index))
        return graph

    def accesses(self, array: str, beside: Store) -> Iterator[tuple[int, Index]]:
        """The statements that reach an array, and where, beside a store."""
        for at, stmt in enumerate(self.stmts):
            if isinstance(stmt, Store) and stmt.array == array and stmt is not beside:
                yield at, stmt.index
            for expr in expressions(stmt):
                yield from ((at, load.index) for load in _loads(expr) if load.array == array)

    def stage(self, made: Distribution, graph: nx.DiGraph, members: list[int]) -> bool:
        first = members[0]
        if len(members) == 1 and not graph.has_edge(first, first):
            made.stages.append(Wide(self.stmts[first]))
            return True
        stmts = [stmt for stmt in (self.stmts[at] for at in members) if isinstance(stmt, Assign)]
        if len(stmts) != len(members):
            return False
        own = {stmt.name for stmt in stmts}
        own |= {entering(name) for name, version in made.carried.items() if version in own}
        outside = {name for at, stmt in enumerate(self.stmts) if at not in members
                   for expr in expressions(stmt) for name in variables(expr)}
        seen = tuple(sorted(own & outside))
        terms = () if seen else self.terms(stmts, own)
        if not terms:
            stmts = [replace(stmt, value=self.without(stmt.value, own, made)) for stmt in stmts]
        made.stages.append(Carried(tuple(stmts), seen, terms))
        return True

    def terms(self, stmts: list[Assign], own: set[str]) -> tuple[Term, ...]:
        """What statements add to one local of data, if that is all they do."""
        local, kind = Var(self.of[stmts[0].name], stmts[0].value.type), stmts[0].value.type
        if not self.is_data(local) or any(self.of[stmt.name] != local.name for stmt in stmts):
            return ()
        terms = sum_of(stmts, own)
        return terms if terms and self.sums(kind, terms) else ()

    def holds_data(self, expr: Expr) -> bool:
        """Whether data are in an expression on versions."""
        return self.is_data(self.original(expr))

    def original(self, expr: Expr) -> Expr:
        if isinstance(expr, Var):
            return replace(expr, name=self.of.get(expr.name, expr.name))
        return rebuild(expr, self.original)

    def without(self, expr: Expr, own: set[str], made: Distribution) -> Expr:
        """An expression of a carried stage, with what does not depend on the stage computed before it. Floats that are numbers
        stay where they are: what they round to is for the expression around them to say."""
        if isinstance(expr, Const | Var | Special) or (expr.type.is_float and not self.holds_data(expr)):
            return expr
        if not variables(expr) & own:
            name = f"part {len(self.of)}"
            self.of[name] = name
            made.stages.append(Wide(Assign(name, expr, expr.place)))
            return Var(name, expr.type, expr.place)
        if _chooses(expr) and any(map(has_effect, children(expr)[1:])):
            return expr
        if isinstance(expr, Select):
            then, other = (self.without(side, own, made) for side in (expr.then, expr.other))
            return replace(expr, test=self.test_without(expr.test, own, made), then=then, other=other)
        return rebuild(expr, lambda part: self.without(part, own, made))

    def test_without(self, test: Expr, own: set[str], made: Distribution) -> Expr:
        """The same of a test, which is still seen to be a comparison."""
        if (isinstance(test, Unary) and test.op == "!") or (isinstance(test, Binary) and test.op in COMPARISONS):
            return rebuild(test, lambda part: self.test_without(part, own, made))
        return self.without(test, own, made)


def _chooses(expr: Expr) -> bool:
    """Whether a part of an expression may not be evaluated."""
    return isinstance(expr, Select) or (isinstance(expr, Binary) and expr.op in ("&&", "||"))


def _loads(expr: Expr) -> Iterator[Load]:
    if isinstance(expr, Load):
        yield expr
    for part in children(expr):
        yield from _loads(part)
