"""Which locals decide whether a loop goes on, where those decide it alone.

Input: an automaton. Output: for the head of a loop the locals that it changes and on which another round depends, also through
each other; None where something else decides as well (memory that the kernel writes, other threads, values that nobody knows). A
thread that comes to such a head twice with the same of these, and has not left the loop between, never leaves it.
"""

from __future__ import annotations

from automata.lang.core import Assign, AsyncCopy, Atomic, Declare, Expr, Load, Store, Var
from automata.lang.exactness import manner
from automata.lang.traverse import children, walk
from automata.thread.automaton import Action, Automaton, Condition
from automata.thread.control import NaturalLoop, control
from automata.thread.dependence import defines
from automata.thread.vertices import Holder


class Repeating:
    """The loops of one automaton; what is asked of one is worked out once."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.written = {name for stmt in walk(automaton.kernel.body) for name in _writes(stmt)}
        self.written |= {array.name for array in automaton.kernel.arrays if array.volatile}
        self.found: dict[int, frozenset[str] | None] = {}
        try:
            self.control = control(automaton)
        except ValueError:
            self.loops: dict[int, NaturalLoop] = {}
        else:
            self.loops = {loop.head: loop for loop in self.control.loops}

    def locals_of(self, head: int) -> frozenset[str] | None:
        """What another round of a loop depends on; None where not on locals alone."""
        if head not in self.found:
            self.found[head] = _Slice(self, self.loops[head]).names() if head in self.loops else None
        return self.found[head]


class _Slice:
    """The part of a loop that decides whether it goes on."""

    def __init__(self, whole: Repeating, loop: NaturalLoop) -> None:
        self.whole, self.control, self.loop = whole, whole.control, loop
        self.definitions: dict[Holder, list[int]] = {}
        self.at: dict[int, Action | Condition] = {}
        for location in loop.body:
            for _, transition in whole.automaton.outgoing(location)[:1]:
                if isinstance(transition, Condition | Action):
                    self.at[location] = transition
                for name in defines(transition.stmt) if isinstance(transition, Action) else ():
                    self.definitions.setdefault(name, []).append(location)
        self.tests: set[int] = set()
        self.seen: set[str] = set()
        self.exprs: list[Expr] = []

    def names(self) -> frozenset[str] | None:
        self.decided(self.control.repeating(self.loop))
        while self.exprs:
            if not self.look(self.exprs.pop()):
                return None
        return frozenset(self.seen)

    def decided(self, tests: list[int]) -> None:
        """These tests count, and those that decide whether they are come to in a round."""
        todo = [location for location in tests if location in self.loop.body]
        while todo:
            location = todo.pop()
            if location not in self.tests:
                self.tests.add(location)
                transition = self.at.get(location)
                if isinstance(transition, Condition):
                    self.exprs.append(transition.test)
                todo += [other for other in self.deciding(location) if other in self.loop.body]

    def deciding(self, location: int) -> list[int]:
        """The tests that decide whether a location of the loop is reached in a round."""
        inner = self.control.loops_left(location, self.loop.head)
        return [*self.control.depends[location], *(test for loop in inner for test in (*loop.repeats, *loop.enters))]

    def look(self, expr: Expr) -> bool:
        """Whether an expression hangs on locals alone; those that the loop changes are followed."""
        if isinstance(expr, Load) and expr.array in self.whole.written:
            return False
        if manner(expr, self.whole.automaton.kernel.dialect) is not None:
            return False
        if isinstance(expr, Var) and expr.name in self.definitions and expr.name not in self.seen:
            self.seen.add(expr.name)
            for location in self.definitions[expr.name]:
                match self.at[location]:
                    case Action(stmt=Assign(value=value)):
                        self.exprs.append(value)
                    case Action(stmt=Declare()):
                        pass
                    case _:
                        return False
                self.decided(self.deciding(location))
        return all(map(self.look, children(expr)))


def _writes(stmt: object) -> tuple[str, ...]:
    match stmt:
        case Store(array=array) | Atomic(array=array):
            return (array,)
        case AsyncCopy(target=target):
            return (target,)
    return ()
