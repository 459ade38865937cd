"""The arrays whose contents decide which cells a kernel touches and which ways its threads go.

In: a kernel. Out: the names of arrays of which an element may come into a subscript, a test, a mask or a count. A backward slice
over names (Weiser, ICSE 1981), without order: what is ever assigned to a local that decides, decides, and so does what is ever
stored in an array whose elements do. It takes too many rather than too few.
"""

from __future__ import annotations

from collections.abc import Iterator

from automata.lang.core import (
    Assign,
    AsyncCopy,
    Atomic,
    Barrier,
    Claim,
    Collective,
    Expr,
    If,
    Kernel,
    Load,
    Loop,
    Select,
    Settle,
    Stmt,
    Store,
    Var,
)
from automata.lang.traverse import expressions, walk, within


def deciding_arrays(kernel: Kernel) -> frozenset[str]:
    """The arrays whose contents decide."""
    flows: dict[str, set[str]] = {}
    found: set[str] = set()
    for stmt in walk(kernel.body):
        for target, value in _flows(stmt):
            flows.setdefault(target, set()).update(_names(value))
        for expr in _sinks(stmt):
            found |= _names(expr)
    todo = list(found)
    while todo:
        new = flows.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return frozenset(array.name for array in kernel.arrays if array.name in found)


def _names(expr: Expr) -> set[str]:
    """The locals and arrays that are read in an expression."""
    return {part.name if isinstance(part, Var) else part.array for part in within(expr) if isinstance(part, Var | Load)}


def _flows(stmt: Stmt) -> Iterator[tuple[str, Expr]]:
    """What comes to be held where: a local or an array, and an expression."""
    match stmt:
        case Assign(name=name, value=value) | Store(array=name, value=value):
            yield name, value
        case Atomic(result=result, array=array, args=args):
            for value in args:
                yield array, value
            if result is not None:
                yield result, Load(array, stmt.index, stmt.type)
        case Collective(result=result, args=args):
            for value in args:
                yield result, value
        case AsyncCopy(target=target, source=source, source_index=index):
            yield target, Load(source, (index,), index.type)


def _sinks(stmt: Stmt) -> Iterator[Expr]:
    """What decides at a statement."""
    match stmt:
        case If(test=test) | Loop(test=test) | Claim(test=test):
            yield test
        case Store(index=index) | Atomic(index=index):
            yield from index
        case AsyncCopy() | Barrier() | Settle():
            yield from expressions(stmt)
        case Collective(mask=mask, args=args):
            yield from (() if mask is None else (mask,))
            yield from args[1:]
    for expr in expressions(stmt):
        for part in within(expr):
            if isinstance(part, Load):
                yield from part.index
            elif isinstance(part, Select):
                yield part.test
