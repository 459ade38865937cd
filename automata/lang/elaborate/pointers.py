"""Accesses through pointer variables become accesses to what the variables may point to.

Input: statements whose accesses may go through a root of origin POINTER, and for each such root the roots
it was ever aimed at (a flow-insensitive points-to set, after Andersen). Output: statements that reach real
objects only. One target: its own access, at the variable's offset. Several: guarded alternatives, chosen by
the variable that holds the number of the root; a read is a nested Select, a write an If, that it is aligned an If for each.
"""

from __future__ import annotations

from dataclasses import replace

from automata.lang import core
from automata.lang.core import Expr, Stmt
from automata.lang.elaborate.builder import Access, Builder
from automata.lang.elaborate.storage import Address, Linear, Origin, Root, linear, path_bytes
from automata.lang.traverse import rebuild, rebuild_statement
from automata.lang.types import align_of
from automata.lang.typing import binary, convert
from automata.place import Place, UnsupportedError
from automata.scalar import I32, I64


def resolve(builder: Builder, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements with every pointer variable's accesses sent to its targets."""
    resolver = _Resolver(builder)
    return resolver.block(body)


def reached(builder: Builder, start: Root) -> list[Root]:
    """The real objects that a pointer variable may reach, in order of their roots."""
    found: set[Root] = set()
    seen: set[Root] = set()
    todo = [start]
    while todo:
        root = todo.pop()
        if root in seen:
            continue
        seen.add(root)
        if root.origin is Origin.POINTER:
            todo += root.targets
        else:
            found.add(root)
    return [root for root in builder.roots if root in found]


class _Resolver:
    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.targets = {root: reached(builder, root) for root in builder.roots if root.origin is Origin.POINTER}
        self.named = {root.name: root for root in self.targets}

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(item for stmt in body for item in self.statement(stmt))

    def statement(self, stmt: Stmt) -> list[Stmt]:
        made = rebuild_statement(stmt, self.expr, self.block)
        match made:
            case core.Store() | core.Atomic():
                return self.write(made)
            case core.AsyncCopy():
                return self.copies(made)
            case core.Claim(kind="aligned") if made.of in self.named:
                return self.distances(made, self.named[made.of])
            case _:
                return [made]

    def expr(self, expr: Expr) -> Expr:
        made = rebuild(expr, self.expr)
        if not isinstance(made, core.Load):
            return made
        access = self.builder.accesses[made.array]
        if access.root.origin is not Origin.POINTER:
            return made
        choices = [replace(made, array=key, index=index) for key, index in self.places(access, made.index, made.place)]
        result: Expr = choices[-1]
        for target, choice in list(zip(self.targets[access.root], choices, strict=True))[-2::-1]:
            result = core.Select(self.is_at(access.root, target, made.place), choice, result, made.type, made.place)
        return result

    def write(self, stmt: core.Store | core.Atomic) -> list[Stmt]:
        access = self.builder.accesses[stmt.array]
        if access.root.origin is not Origin.POINTER:
            return [stmt]
        choices = [replace(stmt, array=key, index=index) for key, index in self.places(access, stmt.index, stmt.place)]
        targets = self.targets[access.root]
        result: Stmt = choices[-1]
        for target, choice in list(zip(targets, choices, strict=True))[-2::-1]:
            result = core.If(self.is_at(access.root, target, stmt.place), (choice,), (result,), stmt.place)
        return [result]

    def distances(self, claim: core.Claim, pointer: Root) -> list[Stmt]:
        """That a wide access is aligned, for each target: where that begins is left out if its elements promise it."""
        found: list[Stmt] = []
        for target in self.targets[pointer]:
            if target in self.builder.objectless or (isinstance(claim.test, core.Const) and claim.unit <= align_of(target.type)):
                continue
            own = replace(claim, of=target.name)
            found.append(own if len(self.targets[pointer]) == 1 else
                         core.If(self.is_at(pointer, target, claim.place), (own,), (), claim.place))
        return found

    def copies(self, stmt: core.AsyncCopy, sides: tuple[str, ...] = ("target", "source")) -> list[Stmt]:
        """An asynchronous copy, by guarded alternatives of its target and then of its source."""
        if not sides:
            return [stmt]
        side, rest = sides[0], sides[1:]
        access = self.builder.accesses[getattr(stmt, side)]
        if access.root.origin is not Origin.POINTER:
            return self.copies(stmt, rest)
        unit, distance = access.type.bytes, _distance(access, (getattr(stmt, f"{side}_index"),))
        if not distance.divisible(unit):
            raise UnsupportedError("an asynchronous copy from the middle of an element", stmt.place)
        whole = Linear(((convert(distance.over(unit), I64), unit),))
        choices = []
        for target in self.targets[access.root]:
            key, index = self.builder.key(Address(target, (), access.type, whole, access.decayed))
            changes = {side: key, f"{side}_index": index[0]}
            if target.origin is Origin.MEMORY:
                raise UnsupportedError("an asynchronous copy through a pointer out of memory", stmt.place)
            choices.append(self.copies(replace(stmt, **changes), rest))  # type: ignore[arg-type]
        if not choices:
            raise UnsupportedError(f"a pointer '{access.root.name[1:]}' that is never set", stmt.place)
        result = choices[-1]
        for target, choice in list(zip(self.targets[access.root], choices, strict=True))[-2::-1]:
            result = [core.If(self.is_at(access.root, target, stmt.place), tuple(choice), tuple(result), stmt.place)]
        return result

    def is_at(self, pointer: Root, target: Root, place: Place) -> Expr:
        number = core.Const(self.builder.roots.index(target), I32, place)
        return binary("==", self.builder.number(pointer, place), number, place)

    def places(self, access: Access, index: tuple[Expr, ...], place: Place) -> list[tuple[str, tuple[Expr, ...]]]:
        """For each target: key and index of the access there."""
        targets = self.targets[access.root]
        if not targets:
            raise UnsupportedError(f"a pointer '{access.root.name[1:]}' that is never set", place)
        distance = _distance(access, index)
        found = []
        for target in targets:
            at = Address(target, (), access.type, distance, access.decayed)
            if target.origin is Origin.MEMORY:
                at = replace(at, cell=self.builder.cell_value(Address(access.root, (), access.type), place))
            found.append(self.builder.key(at))
        return found


def _distance(access: Access, index: tuple[Expr, ...]) -> Linear:
    """The bytes of an access from the start of its root."""
    if access.factors is not None:
        total = Linear((), access.constant)
        for expr, factor in zip(index, access.factors, strict=True):
            total = total.plus(linear(expr, factor))
        return total
    steps = iter(index)
    return path_bytes(access.root.type, tuple(next(steps) if name is None else name for name in access.shape))


distance_of = _distance
