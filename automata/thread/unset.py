"""Which locals may be read before they have a value, where what other locals hold rules ways out.

Input: an automaton and a local. Output: whether no way from the entry reads it before it is set, so that the value which it
begins with may be any. `while (more) { if (found) { x = …; more = false; } } use(x);` is such a case: where x is not set, `more`
is still what it was before the loop.

For each location two states are kept, of the ways on which the local has no value and of those on which it has one, each with
what holds on all of them: constants that locals were given, and tests that were passed and whose operands are as they were.
That is property simulation (Das, Lerner, Seigle, "ESP: path-sensitive program verification in polynomial time", PLDI 2002).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from automata.lang.core import Assign, Barrier, Binary, Call, Cast, Const, Declare, Expr, Unary, Var
from automata.lang.effects import reads_memory, variables
from automata.lang.fold import fold_constants
from automata.lang.traverse import expressions, within
from automata.scalar import BOOL
from automata.thread.automaton import Automaton, Condition, Sync, Transition
from automata.thread.dependence import defines

MOST_STEPS = 20_000
"""Transitions that are followed for all locals of an automaton; what is beyond them may be unset."""
Facts = Mapping[str | int, int]
"""Locals by name with the constants that they hold, and tests by number with what they came to."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A transition, and what of it is the same for all that is asked. `sets`: the locals that get another value; `given`: the
    constant expression that one of them may get; `number`: of the test; `learnt`: what is known behind it."""

    target: int
    reads: frozenset[str]
    parts: tuple[Expr, ...]
    sets: tuple[str, ...] = ()
    begins: bool = False
    given: Expr | None = None
    test: Expr | None = None
    positive: bool = True
    number: int = -1
    learnt: tuple[tuple[str | int, int], ...] = ()


class Unset:
    """The locals of one automaton; what is asked of one is worked out once."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.found: dict[str, bool] = {}
        self.count = 0
        self.steps: dict[int, list[_Step]] = {}
        self.tests: defaultdict[str, set[int]] = defaultdict(set)
        """The tests that are noted as facts, by the locals in them."""
        self.numbers: dict[Expr, int] = {}
        self.deciding: frozenset[str] = frozenset()

    def is_never_read(self, name: str) -> bool:
        """Whether a local is set wherever it is read."""
        if name not in self.found:
            if not self.steps:
                self._prepare()
            self.found[name] = self._is_never_read(name)
        return self.found[name]

    def _prepare(self) -> None:
        edges = [(source, target, data["transition"]) for source, target, data in self.automaton.graph.edges(data=True)]
        self.deciding = frozenset[str]().union(*(variables(each.test) for *_, each in edges if isinstance(each, Condition)))
        self.steps = {location: [] for location in self.automaton.graph}
        for source, target, transition in edges:
            self.steps[source].append(self._step(target, transition))

    def _step(self, target: int, transition: Transition) -> _Step:
        if isinstance(transition, Condition):
            test, positive = transition.test, transition.positive
            learnt = tuple((self._fact(fact), value) for fact, value in _learnt(test, positive))
            return _Step(target, frozenset(variables(test)), (test,), test=test, positive=positive,
                         number=self.numbers.get(test, -1), learnt=learnt)
        stmt = transition.barrier if isinstance(transition, Sync) else transition.stmt
        parts = expressions(stmt)
        reads = frozenset[str]().union(*map(variables, parts))
        if isinstance(stmt, Barrier):
            return _Step(target, reads, parts)
        sets = tuple(each for each in defines(stmt) if isinstance(each, str))
        is_told = isinstance(stmt, Assign) and stmt.name in self.deciding - reads and stmt.value.type.is_int
        return _Step(target, reads, parts, sets, isinstance(stmt, Declare), parts[0] if is_told else None)

    def _fact(self, fact: Expr) -> str | int:
        if isinstance(fact, Var):
            return fact.name
        number = self.numbers.setdefault(fact, len(self.numbers))
        for name in variables(fact):
            self.tests[name].add(number)
        return number

    def _is_never_read(self, name: str) -> bool:
        begin = self.automaton.entry, True
        states: dict[tuple[int, bool], Facts] = {begin: {}}
        todo, waiting = [begin], {begin}
        while todo:
            at = heappop(todo)
            waiting.discard(at)
            for step in self.steps[at[0]]:
                self.count += 1
                if self.count > MOST_STEPS or (at[1] and name in step.reads and self._reads(name, step.parts, states[at])):
                    return False
                after = self._after(name, at[1], states[at], step)
                if after is None:
                    continue
                there = step.target, after[0]
                joined = after[1] if there not in states else _common(states[there], after[1])
                if there not in states or len(joined) < len(states[there]):
                    states[there] = joined
                    if there not in waiting:
                        waiting.add(there)
                        heappush(todo, there)
        return True

    def _after(self, name: str, is_unset: bool, facts: Facts, step: _Step) -> tuple[bool, Facts] | None:
        """The state behind a transition; None where it cannot be taken."""
        if step.test is not None:
            value = facts.get(step.number)
            if value is None and not step.reads.isdisjoint(facts.keys()):
                folded = _folded(step.test, facts)
                value = int(folded.value) if isinstance(folded, Const) else None
            if value is not None:
                return (is_unset, facts) if bool(value) == step.positive else None
            return is_unset, {**facts, **dict(step.learnt)} if step.learnt else facts
        given = _folded(step.given, facts) if step.given is not None else None
        for each in step.sets:
            is_unset = step.begins if each == name else is_unset
            gone = [fact for fact in (each, *self.tests.get(each, ())) if fact in facts]
            if gone:
                facts = {fact: value for fact, value in facts.items() if fact not in gone}
            if isinstance(given, Const):
                facts = {**facts, each: int(given.value)}
        return is_unset, facts

    def _reads(self, name: str, parts: tuple[Expr, ...], facts: Facts) -> bool:
        return any(name in variables(_folded(part, facts)) for part in parts)


def _common(one: Facts, other: Facts) -> Facts:
    """What holds on both ways."""
    return {fact: value for fact, value in one.items() if other.get(fact) == value}


def _folded(expr: Expr, facts: Facts) -> Expr:
    """An expression with the constants carried out that locals hold."""
    known = {fact: value for fact, value in facts.items() if isinstance(fact, str)}
    return fold_constants(expr, known) if known else expr


def _may_come_out_otherwise(part: Expr) -> bool:
    """Whether a device may make another value of an expression where it stands a second time: it may round it otherwise there."""
    return isinstance(part, Call) or (part.type.is_float and not isinstance(part, Var | Const))


def _learnt(test: Expr, positive: bool) -> Iterator[tuple[Expr, int]]:
    """What follows from what a test came to."""
    if not reads_memory(test) and not any(_may_come_out_otherwise(part) for part in within(test)):
        yield test, int(positive)
    match test:
        case Unary(op="!", arg=arg):
            yield from _learnt(arg, not positive)
        case Binary(op="&&" | "||" as op, left=left, right=right) if positive == (op == "&&"):
            yield from _learnt(left, positive)
            yield from _learnt(right, positive)
        case Binary(op="==" | "!=" as op, left=Var() as local, right=Const(value=value)) if positive == (op == "=="):
            if local.type.is_int:
                yield local, int(value)
        case Binary(op="==" | "!=", left=Var(type=kind) as local, right=Const(value=value)) if kind == BOOL:
            yield local, 1 - int(value)
        case Cast(arg=Var() as local, type=kind) if kind == BOOL and local.type.is_int and not positive:
            yield local, 0
