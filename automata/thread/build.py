"""Core to thread automaton.

Input: a lowered kernel (no `For`). Output: its automaton. A `Return` is a jump to the exit; a branch
is two conditions that leave one location and, unless a side returns, meet again.
"""

from __future__ import annotations

from automata.lang.core import Assign, Barrier, Const, Declare, Expr, For, If, Kernel, Return, Stmt, Store
from automata.place import NOWHERE, Place
from automata.scalar import BOOL
from automata.thread.automaton import Action, Automaton, Condition, Sync


def build(kernel: Kernel) -> Automaton:
    """The automaton of a kernel without loops."""
    automaton = Automaton(kernel)
    builder = _Builder(automaton)
    automaton.entry = automaton.location()
    last = builder.block(kernel.body, [(automaton.entry, None)])
    automaton.exit = automaton.location()
    for location, pending in last + builder.returns:
        builder.arrive(location, pending, automaton.exit)
    return automaton


_ALWAYS = Const(1, BOOL)
Pending = tuple[Expr, bool, Place] | None
Ends = list[tuple[int, Pending]]


class _Builder:
    """Walks statements with the open ends of the graph: locations, each with a condition still to be drawn."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.returns: Ends = []

    def block(self, body: tuple[Stmt, ...], ends: Ends) -> Ends:
        for stmt in body:
            if not ends:
                break
            ends = self.statement(stmt, ends)
        return ends

    def join(self, ends: Ends) -> int:
        """One location that all open ends lead to."""
        if len(ends) == 1 and not ends[0][1]:
            return ends[0][0]
        target = self.automaton.location()
        for location, pending in ends:
            self.arrive(location, pending, target)
        return target

    def arrive(self, location: int, pending: Pending, target: int) -> None:
        test, positive, place = pending or (_ALWAYS, True, NOWHERE)
        self.automaton.connect(location, target, Condition(test, positive, place))

    def statement(self, stmt: Stmt, ends: Ends) -> Ends:
        match stmt:
            case Return():
                self.returns += ends
                return []
            case If(test=test, then=then, other=other, place=place):
                here = self.join(ends)
                return (self.block(then, [(here, (test, True, place))])
                        + self.block(other, [(here, (test, False, place))]))
            case Declare() | Assign() | Store() | Barrier():
                here = self.join(ends)
                there = self.automaton.location()
                transition = Sync(stmt) if isinstance(stmt, Barrier) else Action(stmt)
                self.automaton.connect(here, there, transition)
                return [(there, None)]
            case For():
                raise AssertionError("loops are unrolled before the automaton is built")
