"""Which variables of a program may change after they are declared, over all functions a kernel reaches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache

from automata.lang import tree
from automata.lang.tree import Function, Variable
from automata.lang.types import ArrayOf, Code, Pointer, Record, Type

RefField = tuple[int, str]
"""A field that is a reference: its record, by identity, and its name."""


def mutated(kernel: Function) -> set[Variable]:
    """Variables that are assigned, stepped, address-taken, or reached so through a reference."""
    changes = _Changes()
    for function, parts in parts_of_all(kernel):
        for node in parts:
            changes.look(node, function)
    return changes.close()


class _Changes:
    """What is written, and which places other names mean: of parameters, of reference variables, of reference fields.

    A place that is only bound to a reference is not written by that; whatever is written through the reference is. So all
    facts are gathered first, and followed then (`close`), without regard for order.
    """

    def __init__(self) -> None:
        self.found: set[Variable] = set()
        self.todo: list[tree.Expr] = []
        self.named: dict[Variable, list[tree.Expr]] = {}
        self.bound: dict[RefField, list[tree.Expr]] = {}
        self.returned: dict[Function, list[tree.Expr]] = {}
        self.followed: set[RefField | Function] = set()
        self.plain: set[int] = set()

    def look(self, node: object, function: Function) -> None:
        """Gather what one node says; a node is looked at before its parts."""
        self.todo += _written(node) if id(node) not in self.plain else []
        match node:
            case tree.Construct(type=Record(is_union=False) as record, parts=parts):
                for item, part in zip(record.fields, parts, strict=False):
                    if item.reference:
                        self.bind((id(record), item.name), part)
            case tree.Deref(arg=tree.Member() as member):
                self.plain.add(id(member))
            case tree.Member() if _reference(node) is not None and id(node) not in self.plain:
                self.todo.append(tree.Deref(node, node.type))
            case _:
                self.names(node, function)

    def names(self, node: object, function: Function) -> None:
        """What other names of places a node makes."""
        match node:
            case tree.Invoke(function=callee, args=args):
                for param, arg in zip(callee.params, args, strict=False):
                    if param.reference:
                        self.named.setdefault(param, []).append(arg)
            case tree.Declare(variable=Variable(reference=True) as variable, init=init) if init is not None:
                self.named.setdefault(variable, []).append(init)
            case tree.Return(value=value) if value is not None and function.returns_place:
                self.returned.setdefault(function, []).append(value)

    def bind(self, target: RefField, part: tree.Expr) -> None:
        """A reference field is given a pointer: that alone writes nothing."""
        place = part.arg if isinstance(part, tree.AddressOf) else tree.Deref(part, part.type)
        self.bound.setdefault(target, []).append(place)
        if isinstance(part, tree.AddressOf) or (isinstance(part, tree.Member) and _reference(part) is not None):
            self.plain.add(id(part))

    def close(self) -> set[Variable]:
        """Follow each place that is written to the variables that it is a part of, by whatever name."""
        while self.todo:
            target = self.todo.pop()
            while isinstance(target, tree.Member | tree.Swizzle | tree.Index) and not isinstance(target.base.type, Pointer):
                target = target.base
            self.todo += self.follow(target)
        return self.found

    def follow(self, target: tree.Expr) -> list[tree.Expr]:
        match target:
            case tree.Name(variable=variable) if variable not in self.found:
                self.found.add(variable)
                return self.named.get(variable, [])
            case tree.Conditional(then=then, other=other):
                return [then, other]
            case tree.Comma(right=right):
                return [right]
            case tree.Assign(target=inner) | tree.Update(target=inner) | tree.Step(target=inner):
                return [inner]
            case tree.Convert(arg=arg, type=Record()):
                return [arg]
            case tree.Deref(arg=tree.Member() as arg) if (item := _reference(arg)) is not None and item not in self.followed:
                self.followed.add(item)
                return self.bound.get(item, [])
            case tree.Invoke(function=function) if function.returns_place and function not in self.followed:
                self.followed.add(function)
                return self.returned.get(function, [])
            case _:
                return []


def _reference(node: tree.Member) -> RefField | None:
    """The reference field that a member is; None for other members."""
    if not isinstance(node.base.type, Record):
        return None
    item = node.base.type.field(node.name)
    return (id(node.base.type), node.name) if item is not None and item.reference else None


def address_taken(kernel: Function) -> list[Function]:
    """The functions that a pointer may hold, in the order in which the program names them."""
    found = [node.function for _, parts in parts_of_all(kernel) for node in parts if isinstance(node, tree.FunctionName)]
    return list(dict.fromkeys(reversed(found)))


def sets_functions(kernel: Function) -> bool:
    """Whether every pointer to a function is one that the text sets: none is a parameter of the kernel or lies in memory that
    others write, and no other bytes are made one."""
    if any(_holds_code(param.type) for param in kernel.params):
        return False
    return not any(_from_elsewhere(node) for _, parts in parts_of_all(kernel) for node in parts)


def _from_elsewhere(node: object) -> bool:
    """Whether a node is memory that others write with a pointer to a function in it, or makes other bytes one."""
    match node:
        case tree.Name(variable=Variable(type=kind, storage=storage)):
            return storage not in (tree.Storage.LOCAL, tree.Storage.PARAM) and _holds_code(kind)
        case tree.Convert(arg=arg, type=Pointer(to=to)) if isinstance(arg.type, Pointer) and arg.type.to != to:
            return not isinstance(to, Code) and (_holds_code(to) or _holds_code(arg.type.to))
        case tree.Member(base=base) if isinstance(base.type, Record) and base.type.is_union:
            return _holds_code(base.type)
        case tree.Bits(type=kind):
            return _holds_code(kind)
        case _:
            return False


def _holds_code(kind: Type, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a pointer to a function is a part of a value, or of what its pointers lead to."""
    match kind:
        case Code():
            return True
        case Pointer(to=inner) | ArrayOf(element=inner):
            return _holds_code(inner, seen)
        case Record(fields=items) if id(kind) not in seen:
            return any(_holds_code(item.type, seen | {id(kind)}) for item in items)
        case _:
            return False


@lru_cache(maxsize=1)
def parts_of_all(kernel: Function) -> tuple[tuple[Function, tuple[object, ...]], ...]:
    """A kernel and the functions with a body that it may call, each with its nodes; they are asked for several times."""
    return tuple(_reached(kernel))


def _reached(kernel: Function) -> Iterator[tuple[Function, tuple[object, ...]]]:
    seen: set[int] = set()
    todo = [kernel]
    while todo:
        function = todo.pop()
        if id(function) in seen or function.body is None:
            continue
        seen.add(id(function))
        parts = tuple(nodes(function.body))
        yield function, parts
        for node in parts:
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
        case tree.Invoke(function=callee, args=args) if callee.body is None:
            return [arg for param, arg in zip(callee.params, args, strict=False) if param.reference]
        case _:
            return []


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
