"""Which variables of a program may change after they are declared, over all functions a kernel reaches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from automata.lang import tree
from automata.lang.tree import Function, Variable
from automata.lang.types import ArrayOf, Pointer


def mutated(kernel: Function) -> set[Variable]:
    """Variables that are assigned, stepped, address-taken or bound to a reference that may be written."""
    found: set[Variable] = set()
    for node in everything(kernel):
        for target in _written(node):
            _mark(target, found)
    return found


def address_taken(kernel: Function) -> list[Function]:
    """The functions that a pointer may hold, in the order in which the program names them."""
    found = [node.function for node in everything(kernel) if isinstance(node, tree.FunctionName)]
    return list(dict.fromkeys(reversed(found)))


def everything(kernel: Function) -> Iterator[object]:
    """All tree nodes of a kernel and of the functions it may call."""
    seen: set[int] = set()
    todo = [kernel]
    while todo:
        function = todo.pop()
        if id(function) in seen or function.body is None:
            continue
        seen.add(id(function))
        for node in nodes(function.body):
            yield node
            if isinstance(node, tree.Invoke | tree.FunctionName):
                todo.append(node.function)


def _written(node: object) -> list[tree.Expr]:
    """The places that a node may change, or lets others change."""
    match node:
        case tree.Assign(target=target) | tree.Update(target=target) | tree.Step(target=target):
            return [target]
        case tree.AddressOf(arg=arg):
            return [arg]
        case tree.Convert(arg=arg, type=Pointer()) if isinstance(arg.type, ArrayOf):
            return [arg]
        case tree.Invoke(function=callee, args=args):
            return [arg for param, arg in zip(callee.params, args, strict=False) if param.reference and not param.const]
        case tree.Declare(variable=Variable(reference=True, const=False), init=init) if init is not None:
            return [init]
        case _:
            return []


def _mark(target: tree.Expr, found: set[Variable]) -> None:
    """The variable that a place is a part of."""
    while isinstance(target, tree.Member | tree.Swizzle | tree.Index):
        if isinstance(target.base.type, Pointer):
            return
        target = target.base
    match target:
        case tree.Name(variable=variable):
            found.add(variable)
        case tree.Conditional(then=then, other=other):
            _mark(then, found)
            _mark(other, found)
        case tree.Comma(right=right):
            _mark(right, found)


def nodes(item: object) -> Iterator[object]:
    """All tree nodes below statements or expressions (not the bodies of functions called)."""
    todo = [item]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(node)
        elif is_dataclass(node) and not isinstance(node, Function | Variable | type) and type(node).__module__ == tree.__name__:
            yield node
            todo.extend(getattr(node, item.name) for item in fields(node))
