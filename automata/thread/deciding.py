"""Which operations decide where a thread goes and what it touches.

Input: a kernel. Output: the places of the operations whose values reach an index, a test, a count or a mask through locals.
A value that is only stored decides nothing until somebody reads it: it is data then.
"""

from __future__ import annotations

from collections.abc import Iterator

from automata.lang.core import Assign, Atomic, Binary, Cast, Collective, Expr, Kernel, Load, Print, Select, Stmt, Store, Unary
from automata.lang.effects import reads_memory, variables
from automata.lang.traverse import expressions, walk, within
from automata.place import Place


def deciding_places(kernel: Kernel) -> frozenset[Place]:
    """The places of unary and binary operations and conversions that decide."""
    return _deciding(kernel)[0]


def deciding_locals(kernel: Kernel) -> frozenset[str]:
    """The locals whose values decide."""
    return _deciding(kernel)[1]


def _deciding(kernel: Kernel) -> tuple[frozenset[Place], frozenset[str]]:
    values: dict[str, list[Expr]] = {}
    for stmt in walk(kernel.body):
        if isinstance(stmt, Assign):
            values.setdefault(stmt.name, []).append(stmt.value)
    todo = [expr for stmt in walk(kernel.body) for expr in _decides(stmt)]
    places: set[Place] = set()
    done: set[str] = set()
    while todo:
        expr = todo.pop()
        places |= {part.place for part in within(expr) if isinstance(part, Unary | Binary | Cast)}
        for name in variables(expr) - done:
            done.add(name)
            todo += values.get(name, ())
    return frozenset(places), frozenset(done)


def _decides(stmt: Stmt) -> Iterator[Expr]:
    """What decides in a statement: all of it but the values that it hands on, and of those what decides about reads in them."""
    match stmt:
        case Assign(value=value):
            handed: tuple[Expr, ...] = (value,)
        case Store(index=index, value=value):
            yield from index
            handed = (value,)
        case Atomic(index=index, args=args):
            yield from index
            handed = args
        case Collective(op=op, mask=mask, args=args):
            if mask is not None:
                yield mask
            handed = args[:1] if op.startswith("shfl") else args
            yield from args[1:] if op.startswith("shfl") else ()
        case Print(args=args):
            handed = args
        case _:
            yield from expressions(stmt)
            return
    for expr in handed:
        yield from _about_reads(expr)


def _about_reads(expr: Expr) -> Iterator[Expr]:
    """The indices of reads in a value, and the tests that say whether they are made."""
    for part in within(expr):
        match part:
            case Load(index=index):
                yield from index
            case Select(test=test, then=then, other=other) if reads_memory(then) or reads_memory(other):
                yield test
            case Binary(op="&&" | "||", left=left, right=right) if reads_memory(right):
                yield left
