"""What statements do to locals and to control: names they set and declare, jumps out of them."""

from __future__ import annotations

from collections.abc import Sequence

from automata.lang.core import (
    Assign,
    AsyncCopy,
    Atomic,
    Barrier,
    Block,
    Collective,
    Const,
    Declare,
    Expr,
    Havoc,
    If,
    Later,
    Leave,
    Load,
    Loop,
    Return,
    Settle,
    Stmt,
    Store,
    Var,
)
from automata.lang.traverse import bodies, children, walk

Body = tuple[Stmt, ...]


def assigned(body: Body) -> set[str]:
    """The locals that statements give a value."""
    found: set[str] = set()
    for stmt in walk(body):
        match stmt:
            case Assign(name=name) | Havoc(name=name) | Collective(result=name):
                found.add(name)
            case Atomic(result=str() as name) | AsyncCopy(event=name):
                found.add(name)
    return found


def declared(body: Body) -> set[str]:
    """The locals that statements declare."""
    return {stmt.name for stmt in walk(body) if isinstance(stmt, Declare)}


def variables(expr: Expr) -> set[str]:
    """The locals in an expression."""
    found = {expr.name} if isinstance(expr, Var) else set()
    for part in children(expr):
        found |= variables(part)
    return found


def reads_memory(expr: Expr) -> bool:
    """Whether an expression reads an array."""
    return isinstance(expr, Load) or any(map(reads_memory, children(expr)))


def jumps_out(body: Sequence[Stmt], inside: frozenset[str] = frozenset()) -> bool:
    """Whether a jump leads out of some statements."""
    for stmt in body:
        if isinstance(stmt, Return) or (isinstance(stmt, Leave) and stmt.label not in inside):
            return True
        inner = inside | {stmt.label} if isinstance(stmt, Block | Loop) else inside
        if any(jumps_out(part, inner) for part in bodies(stmt)):
            return True
    return False


def leaves(body: Body, label: str) -> list[Leave]:
    """The jumps to the end of a block or loop among some statements."""
    return [stmt for stmt in walk(body) if isinstance(stmt, Leave) and stmt.label == label]


def goes_on(body: Body) -> bool:
    """Whether control can come to the end of some statements."""
    for stmt in body:
        match stmt:
            case Return() | Leave():
                return False
            case If() if not goes_on(stmt.then) and not goes_on(stmt.other):
                return False
            case Block() if not goes_on(stmt.body) and not leaves(stmt.body, stmt.label):
                return False
            case Loop(test=Const(value=value)) if value and not leaves(stmt.body, stmt.label):
                return False
    return True


def stored_arrays(body: Body) -> set[str]:
    """The arrays that statements write."""
    found: set[str] = set()
    for stmt in walk(body):
        match stmt:
            case Store(array=array) | Atomic(array=array) | AsyncCopy(target=array):
                found.add(array)
    return found


def does_something(body: Body) -> bool:
    """Whether a kernel may change memory or wait for others: not one that only ends, asserts or prints."""
    kinds = (Store, Atomic, AsyncCopy, Barrier, Collective, Havoc, Later, Settle)
    return any(isinstance(stmt, kinds) for stmt in walk(body))
