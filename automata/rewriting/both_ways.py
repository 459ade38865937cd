"""A kernel whose branches on data take both sides, one after the other.

Input: a kernel, and which tests depend on data. Output: a kernel whose accesses are a superset of those of the
kernel for any data, as long as addresses and the other tests are the same for all data. No jump is
carried out under a branch on data. What a side does to locals must not be seen by the other, nor by what
comes after a jump: they are put back to what they were. Where that is not enough (`CannotTake`): contents of an
array that one side writes and the other, or what follows a jump, reads; a jump out of a block that is also
left in other ways, so that what follows the block might never be run.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace

from automata.lang.core import (
    Assign,
    AsyncCopy,
    Atomic,
    Block,
    Const,
    Declare,
    Expr,
    If,
    Kernel,
    Leave,
    Load,
    Loop,
    Return,
    Stmt,
    Var,
)
from automata.lang.effects import assigned, declared, goes_on, leaves, stored_arrays
from automata.lang.names import Names
from automata.lang.spec import watched
from automata.lang.traverse import bodies, children, expressions, walk
from automata.place import Place
from automata.scalar import BOOL, Scalar

Body = tuple[Stmt, ...]


class CannotTake(Exception):
    """A branch on data of which both sides cannot be taken one after the other."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.message, self.place = message, place


def both_ways(kernel: Kernel, variant_tests: Set[int], matters: Callable[[Stmt], bool]) -> Kernel:
    """The kernel with both sides taken; loops on data that do not matter are left out. Tests are known by identity."""
    return watched(replace(kernel, body=_BothWays(kernel, variant_tests, matters).block(kernel.body)), "run both ways")


class _BothWays:
    def __init__(self, kernel: Kernel, variant_tests: Set[int], matters: Callable[[Stmt], bool]) -> None:
        self.kernel, self.variant_tests, self.matters = kernel, variant_tests, matters
        self.types: dict[str, Scalar] = {param.name: param.type for param in kernel.params}
        self.types |= {stmt.name: stmt.type for stmt in walk(kernel.body) if isinstance(stmt, Declare)}
        self.read = _loads(kernel.body)
        self.names = Names.beside(kernel)
        self.around: list[Block | Loop] = []

    def block(self, body: Body) -> Body:
        return tuple(item for stmt in body for item in self.statement(stmt))

    def statement(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case If(test=test) if id(test) in self.variant_tests:
                return self.branch(stmt)
            case If():
                return [replace(stmt, then=self.block(stmt.then), other=self.block(stmt.other))]
            case Loop(test=test) if id(test) in self.variant_tests:
                if self.matters(stmt):  # one whose rounds never end: what it depends on reaches nothing else
                    raise CannotTake("data decide how many rounds a loop makes", stmt.place)
                return self.havocked(stmt)
            case Loop() | Block():
                self.around.append(stmt)
                body = self.block(stmt.body)
                step = self.block(stmt.step) if isinstance(stmt, Loop) else ()
                self.around.pop()
                return [Loop(stmt.label, stmt.test, body, step, stmt.place) if isinstance(stmt, Loop)
                        else replace(stmt, body=body)]
        return [stmt]

    def havocked(self, loop: Loop) -> list[Stmt]:
        """A loop on data that is left out must not jump further than its own end."""
        for jump in _jumps(loop.body + loop.step, frozenset({loop.label})):
            self.check_jump(jump)
        return []

    def branch(self, stmt: If) -> list[Stmt]:
        """Test, one side, everything as before, other side. A side that cannot go on comes first."""
        sides = [stmt.then, stmt.other]
        if not goes_on(stmt.other) and goes_on(stmt.then):
            sides.reverse()
        for one, other in ((stmt.then, stmt.other), (stmt.other, stmt.then)):
            jumps = _jumps(one, frozenset())
            for jump in jumps:
                self.check_jump(jump)
            seen = self.read if jumps else _loads(other)
            clash = sorted(stored_arrays(one) & seen)
            if clash:
                raise CannotTake(f"one side of a branch on data writes '{clash[0]}', which is read where that did not happen",
                                 stmt.place)
        made = self.evaluated(stmt.test)
        for number, side in enumerate(sides):
            is_last = number == 1 and goes_on(side)
            kept = [] if is_last else sorted((assigned(side) - declared(side)) & self.types.keys())
            names = {name: self.names.fresh("before") for name in kept}
            made += [item for name in kept for item in self.copied(names[name], name, stmt.place)]
            made += self.without_jumps(side)
            made += [Assign(name, Var(names[name], self.types[name], stmt.place), stmt.place) for name in kept]
        return made

    def copied(self, copy: str, name: str, place: Place) -> list[Stmt]:
        kind = self.types[name]
        return [Declare(copy, kind, place), Assign(copy, Var(name, kind, place), place)]

    def without_jumps(self, side: Body) -> Body:
        """A side, with the jumps out of it left out."""
        return self.block(_dropped(side, frozenset()))

    def check_jump(self, jump: Leave | Return) -> None:
        """What comes after the target must be run all the same: nothing else may lead out of the block that is left.

        What a thread does that returns is nothing; but then no other may return on its own account and skip the rest.
        """
        if isinstance(jump, Return):
            return
        target = next((block for block in reversed(self.around) if block.label == jump.label), None)
        if target is None:
            return
        inner = target.body + (target.step if isinstance(target, Loop) else ())
        if _jumps(inner, frozenset({target.label})):
            raise CannotTake("a jump on data out of a block that is also left to elsewhere", jump.place)
        plain = [item for item in leaves(inner, target.label) if item is not jump]
        if isinstance(target, Loop) and isinstance(target.test, Const) and not plain:
            raise CannotTake("a loop that only data ends", jump.place)

    def evaluated(self, test: Expr) -> list[Stmt]:
        """The test, for the reads in it."""
        if isinstance(test, Const):
            return []
        name = self.names.fresh("decided")
        return [Declare(name, BOOL, test.place), Assign(name, test, test.place)]


def _dropped(body: Body, inside: frozenset[str]) -> Body:
    """Statements without the jumps that lead out of them. `inside`: labels of blocks within."""
    found: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Return():
                continue
            case Leave(label=label) if label not in inside:
                continue
            case If():
                found.append(replace(stmt, then=_dropped(stmt.then, inside), other=_dropped(stmt.other, inside)))
            case Block(label=label):
                found.append(replace(stmt, body=_dropped(stmt.body, inside | {label})))
            case Loop(label=label):
                inner = inside | {label}
                found.append(replace(stmt, body=_dropped(stmt.body, inner), step=_dropped(stmt.step, inner)))
            case _:
                found.append(stmt)
    return tuple(found)


def _jumps(body: Body, inside: frozenset[str]) -> list[Leave | Return]:
    """The jumps that lead out of some statements."""
    found: list[Leave | Return] = []
    for stmt in body:
        if isinstance(stmt, Return) or (isinstance(stmt, Leave) and stmt.label not in inside):
            found.append(stmt)
        inner = inside | {stmt.label} if isinstance(stmt, Block | Loop) else inside
        for part in bodies(stmt):
            found += _jumps(part, inner)
    return found


def _loads(body: Body) -> set[str]:
    """The arrays that statements read."""
    found: set[str] = set()
    for stmt in walk(body):
        todo = list(expressions(stmt))
        if isinstance(stmt, Atomic):
            found.add(stmt.array)
        if isinstance(stmt, AsyncCopy):
            found.add(stmt.source)
        while todo:
            expr = todo.pop()
            todo += children(expr)
            if isinstance(expr, Load):
                found.add(expr.array)
    return found
