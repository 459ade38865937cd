"""Statement expressions of GNU C: `({ int a = f(x); a < b ? a : b; })`.

One is read as a call, where it stands, of a function without parameters whose body it is: such a function sees the names around
it, and calls are inlined. What leaves the block by another way than its end has no such reading, and is refused.
"""

from __future__ import annotations

from automata.lang.elaborate.scan import nodes
from automata.lang.tree import Break, Continue, Expr, Function, Goto, Group, If, Invoke, Label, Return, Stmt, Switch
from automata.lang.types import VOID, Pointer, Type, Vector, Void
from automata.place import Place, UnsupportedError
from automata.scalar import Scalar


def block_value(body: list[Stmt], value: Expr | None, kind: Type, place: Place) -> Invoke:
    """The value of a block; None for one without."""
    if not isinstance(kind, Scalar | Pointer | Vector | Void):
        raise UnsupportedError(f"a statement expression of type {kind}", place)
    if leaves(tuple(body), inside=False) or any(isinstance(node, Return | Goto | Label) for node in nodes(tuple(body))):
        raise UnsupportedError("a statement expression that is left before its end", place)
    done = (*body, Return(value, place)) if value is not None else tuple(body)
    return Invoke(Function("a statement expression", kind if value is not None else VOID, (), done, place=place), (), kind, place)


def leaves(body: tuple[Stmt, ...], *, inside: bool) -> bool:
    """Whether a `break` or `continue` leads out of statements; `inside`: those of a `switch`, which `break` ends."""
    return any(_leaves(stmt, inside=inside) for stmt in body)


def _leaves(stmt: Stmt, *, inside: bool) -> bool:
    match stmt:
        case Continue():
            return True
        case Break():
            return not inside
        case If(then=then, other=other):
            return leaves(then, inside=inside) or leaves(other, inside=inside)
        case Group(body=inner):
            return leaves(inner, inside=inside)
        case Switch(body=inner):
            return leaves(inner, inside=True)
        case _:
            return False
