"""A global array of integers seen as integers of the other sign: same bits, another type of its elements.

Input: a kernel, an array of it and the type. Output: the same kernel with conversions around loads, stores and updates. Not
for arrays with atomic updates of which the sign says what they do (a minimum).
"""

from __future__ import annotations

from dataclasses import replace

from automata.lang.core import Assign, Atomic, Cast, Collective, Declare, Expr, Havoc, Kernel, Load, Stmt, Store, Var
from automata.lang.traverse import rebuild, rebuild_statement, walk
from automata.scalar import Scalar

_ALIKE = frozenset({"add", "sub", "and", "or", "xor", "exch", "cas", "load"})
"""Updates that are the same for integers with and without a sign."""


def is_fixed(kernel: Kernel, name: str) -> bool:
    """Whether the type of an array's elements cannot be another."""
    olds = _olds(kernel, name)
    return any((isinstance(stmt, Atomic) and (stmt.op not in _ALIKE or kernel.width(stmt) > 1 if stmt.array == name
                                              else stmt.result in olds))
               or (isinstance(stmt, Assign | Havoc) and stmt.name in olds)
               or (isinstance(stmt, Collective) and stmt.result in olds) for stmt in walk(kernel.body))


def _olds(kernel: Kernel, name: str) -> set[str | None]:
    """The locals that take old values of an array."""
    return {stmt.result for stmt in walk(kernel.body) if isinstance(stmt, Atomic) and stmt.array == name and stmt.result}


def retyped(kernel: Kernel, name: str, element: Scalar) -> Kernel:
    """The kernel with an array of elements of that type, as wide as those it has."""
    assert not is_fixed(kernel, name)
    olds = _olds(kernel, name)

    def expr(part: Expr) -> Expr:
        made = rebuild(part, expr)
        if (isinstance(made, Load) and made.array == name) or (isinstance(made, Var) and made.name in olds):
            return Cast(replace(made, type=element), made.type, made.place)
        return made

    def body(stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map(statement, stmts))

    def statement(stmt: Stmt) -> Stmt:
        made = rebuild_statement(stmt, expr, body)
        match made:
            case Store(array=array, value=value) if array == name:
                return replace(made, value=Cast(value, element, made.place))
            case Atomic(array=array, args=args) if array == name:
                return replace(made, args=tuple(Cast(arg, element, made.place) for arg in args))
            case Declare(name=local) if local in olds:
                return replace(made, type=element)
        return made

    arrays = tuple(replace(array, element=element) if array.name == name else array for array in kernel.arrays)
    return replace(kernel, arrays=arrays, body=body(kernel.body))
