"""Which locals may be read before they have a value, where what other locals hold rules ways out.

Input: an automaton and a local. Output: whether no way from the entry reads it before it is set, so that the value which it
begins with may be any. `while (more) { if (found) { x = …; more = false; } } use(x);` is such a case: where x is not set, `more`
is still what it was before the loop.

For each location two states are kept, of the ways on which the local has no value and of those on which it has one, each with
what holds on all of them: constants that locals were given, and tests that were passed and whose operands are as they were.
That is property simulation (Das, Lerner, Seigle, "ESP: path-sensitive program verification in polynomial time", PLDI 2002).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from automata.lang.core import Assign, Binary, Call, Cast, Const, Declare, Expr, Unary, Var
from automata.lang.effects import reads_memory, variables
from automata.lang.fold import fold_constants
from automata.lang.traverse import expressions, within
from automata.scalar import BOOL
from automata.thread.automaton import Automaton, Condition, Sync, Transition
from automata.thread.dependence import defines

MOST_STEPS = 40_000
"""Transitions that are followed for all locals of an automaton; what is beyond them may be unset."""
Facts = Mapping[Expr, int]
"""Locals with the constants that they hold, and tests with what they came to."""


class Unset:
    """The locals of one automaton; what is asked of one is worked out once."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.found: dict[str, bool] = {}
        self.steps = 0
        tested = [data["transition"].test for *_, data in automaton.graph.edges(data=True)
                  if isinstance(data["transition"], Condition)]
        self.deciding = frozenset[str]().union(*map(variables, tested))

    def is_never_read(self, name: str) -> bool:
        """Whether a local is set wherever it is read."""
        if name not in self.found:
            self.found[name] = self._is_never_read(name)
        return self.found[name]

    def _is_never_read(self, name: str) -> bool:
        begin = self.automaton.entry, True
        states: dict[tuple[int, bool], Facts] = {begin: {}}
        todo = [begin]
        while todo:
            at = todo.pop()
            for target, transition in self.automaton.outgoing(at[0]):
                self.steps += 1
                if self.steps > MOST_STEPS:
                    return False
                after = self._after(name, at[1], states[at], transition)
                if after is None:
                    return False
                for is_unset, facts in after:
                    there = target, is_unset
                    joined = facts if there not in states else _common(states[there], facts)
                    if there not in states or len(joined) < len(states[there]):
                        states[there] = joined
                        todo.append(there)
        return True

    def _after(self, name: str, is_unset: bool, facts: Facts, transition: Transition) -> list[tuple[bool, Facts]] | None:
        """The states behind a transition: none where it cannot be taken; None where the local is read without a value."""
        match transition:
            case Condition(test=test, positive=positive):
                folded = _folded(test, facts)
                if is_unset and name in variables(folded):
                    return None
                if isinstance(folded, Const):
                    return [(is_unset, facts)] if bool(folded.value) == positive else []
                return [(is_unset, {**facts, **dict(_learnt(folded, positive))})]
            case Sync(barrier=barrier):
                return None if is_unset and self._reads(name, expressions(barrier), facts) else [(is_unset, facts)]
        stmt = transition.stmt
        if is_unset and self._reads(name, expressions(stmt), facts):
            return None
        for holder in defines(stmt):
            facts = {fact: value for fact, value in facts.items() if holder not in variables(fact)}
            is_unset = isinstance(stmt, Declare) if holder == name else is_unset
        if isinstance(stmt, Assign) and stmt.name in self.deciding:
            value = _folded(stmt.value, facts)
            if isinstance(value, Const) and value.type.is_int and stmt.name not in variables(stmt.value):
                facts = {**facts, Var(stmt.name, value.type): int(value.value)}
        return [(is_unset, facts)]

    def _reads(self, name: str, parts: tuple[Expr, ...], facts: Facts) -> bool:
        return any(name in variables(part) and name in variables(_folded(part, facts)) for part in parts)


def _common(one: Facts, other: Facts) -> Facts:
    """What holds on both ways."""
    return {fact: value for fact, value in one.items() if other.get(fact) == value}


def _folded(expr: Expr, facts: Facts) -> Expr:
    """An expression with what is known carried out."""
    folded = fold_constants(expr, {fact.name: value for fact, value in facts.items() if isinstance(fact, Var)})
    return Const(facts[folded], BOOL, folded.place) if folded in facts and folded.type == BOOL else folded


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
