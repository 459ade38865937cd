"""Core to thread automaton.

Input: a lowered kernel. Output: its automaton. A `Return` is a jump to the exit from a location at its own place in the
text, the kernel's end one from behind all others, a `Leave` one to the end of its block; a branch is two conditions that
leave one location and, unless a side jumps away, meet again; a loop leads back to its head.
"""

from __future__ import annotations

from dataclasses import replace

from automata.lang.core import Barrier, Block, Const, Expr, If, Kernel, Later, Leave, Loop, Return, Settle, Stmt
from automata.lang.fences import fenced
from automata.passes import passing
from automata.place import NOWHERE, Place
from automata.scalar import BOOL
from automata.thread.automaton import Action, Automaton, Condition, Sync


@passing("build", lambda made: f"{made.graph.number_of_nodes()} locations")
def build(kernel: Kernel) -> Automaton:
    """The automaton of a kernel."""
    automaton = Automaton(kernel)
    builder = _Builder(automaton)
    automaton.entry = automaton.location()
    last = builder.block(kernel.body, [(automaton.entry, None)])
    ends = builder.returns + ([builder.join(last)] if last else [])
    automaton.exit = automaton.location()
    for location in dict.fromkeys(ends):
        builder.arrive(location, None, automaton.exit)
    return automaton


_ALWAYS = Const(1, BOOL)
Pending = tuple[Expr, bool, Place] | None
Ends = list[tuple[int, Pending]]


class _Builder:
    """Walks statements with the open ends of the graph: locations, each with a condition still to be drawn."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.returns: list[int] = []
        self.leaves: dict[str, Ends] = {}

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
                self.returns.append(self.join(ends))
                return []
            case If(test=test, then=then, other=other, place=place):
                here = self.join(ends)
                return (self.block(then, [(here, (test, True, place))])
                        + self.block(other, [(here, (test, False, place))]))
            case Block(label=label, body=body):
                outer, self.leaves[label] = self.leaves.get(label, []), []
                after = self.block(body, ends) + self.leaves[label]
                self.leaves[label] = outer
                return after
            case Leave(label=label):
                self.leaves[label] += ends
                return []
            case Loop():
                return self.loop(stmt, ends)
            case Later() | Settle():
                raise AssertionError("copies of threads are written out by lower", stmt)
            case _:
                here = self.join(ends)
                there = self.automaton.location()
                transition = Sync(_settled(stmt)) if isinstance(stmt, Barrier) else Action(stmt)
                self.automaton.connect(here, there, transition)
                return [(there, None)]

    def loop(self, stmt: Loop, ends: Ends) -> Ends:
        """The head, entered from before and from the end of the step; left by the test or by jumps."""
        head = self.automaton.location()
        for location, pending in ends:
            self.arrive(location, pending, head)
        outer, self.leaves[stmt.label] = self.leaves.get(stmt.label, []), []
        after = self.block(stmt.step, self.block(stmt.body, [(head, (stmt.test, True, stmt.place))]))
        for location, pending in after:
            self.arrive(location, pending, head)
        self.automaton.loops[head] = range(head, self.automaton.graph.number_of_nodes())
        left = [(head, (stmt.test, False, stmt.place)), *self.leaves[stmt.label]]
        self.leaves[stmt.label] = outer
        return left if not isinstance(stmt.test, Const) else left[1:]


def _settled(barrier: Barrier) -> Barrier:
    """A barrier whose fence flags have turned out to be constant."""
    if not isinstance(barrier.flags, Const):
        return barrier
    return replace(barrier, fences=fenced(int(barrier.flags.value)), flags=None)
