"""Pointers that the kernel itself keeps in variables, and arrays of them.

A variable that holds a pointer is a distance (`.at`) and the number of an object (`.of`); where pointers out of memory are kept
too, the cell that one came from (`.in`). What it points into is a root of its own, of origin POINTER, with the objects it was
ever aimed at; `pointers` resolves accesses through it at the end. A variable of a block lies in shared memory, with its parts:
who reads one gets what some thread has stored. The parts of an array of pointers are arrays; a pointer read from there is first
put into a variable of its own.

The distance is counted in elements. Where one that is stored may be no whole number of elements (a record over an array of its
words, say), the kernel is elaborated anew, with the variable's distance counted in a unit that divides all that are stored: what
is reached through it lies at so many bytes then, and overlaps with other accesses as its bytes do (`cells`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from automata.lang import core
from automata.lang.core import Expr, Space
from automata.lang.elaborate.objectless import Objectless
from automata.lang.elaborate.storage import Address, Foreign, Linear, Null, Origin, Root, Value, leaf_path
from automata.lang.elaborate.tables import NeedsError, Tables
from automata.lang.types import ArrayOf, Pointer, Record, Type, Vector, align_of, size_of
from automata.lang.typing import convert
from automata.place import NOWHERE, Place, UnsupportedError
from automata.scalar import I32, I64, U64


@dataclass(frozen=True, slots=True)
class Parts:
    """Where a pointer variable keeps what it holds. `unit`: the bytes that its distance is counted in."""

    unit: int
    offset: Root
    which: Root
    cell: Root | None = None

    @property
    def roots(self) -> tuple[Root, ...]:
        return (self.offset, self.which) if self.cell is None else (self.offset, self.which, self.cell)


class PointerVariables(Tables, Objectless):
    """The part of a kernel under construction that knows them."""

    roots: list[Root]
    fixed: dict[tuple[Root, tuple[object, ...]], Value]
    stable: set[Root]
    followed: set[Root]

    def __init__(self) -> None:
        Tables.__init__(self)
        Objectless.__init__(self)
        self.pointers: dict[tuple[Root, tuple[object, ...]], Root] = {}
        self.parts: dict[Root, Parts] = {}
        self.keeps_addresses = False

    def root(self, name: str, kind: Type, space: Space, origin: Origin, place: Place = NOWHERE) -> Root:
        raise NotImplementedError

    def load_scalar(self, at: Address, place: Place) -> Expr:
        raise NotImplementedError

    def store(self, at: Address, value: Value, place: Place) -> None:
        raise NotImplementedError

    # -- reading and writing --------------------------------------------------------------------

    def load_pointer(self, at: Address, place: Place) -> Value:
        assert isinstance(at.type, Pointer)
        leaf = (at.root, leaf_path(at))
        if leaf in self.fixed:
            return self.fixed[leaf]
        if self.is_row(at):
            return self.load_from_row(at, at.type, place)
        if leaf not in self.pointers and not self.is_variable(at):
            if at.root.origin in (Origin.POINTER, Origin.LOCAL):
                raise UnsupportedError("a pointer that is read through a pointer or at a varying subscript", place)
            number = self.load_scalar(replace(at, type=U64), place)
            return Foreign(number, None if at.root.origin is Origin.MEMORY else at)
        return self.held_by(self.pointers.get(leaf) or self.pointer_variable(at), at.type.to, place)

    def held_by(self, root: Root, to: Type, place: Place) -> Address:
        """Where a variable points to now."""
        parts = self.parts[root]
        distance = self.load_scalar(Address(parts.offset, (), I64), place)
        if parts.unit == max(1, size_of(to)):
            return Address(root, (distance,), to)
        return Address(root, (), to, Linear(((distance, parts.unit),)))

    def store_pointer(self, at: Address, value: Value, place: Place) -> None:
        assert isinstance(at.type, Pointer)
        leaf = (at.root, leaf_path(at))
        if not self.is_row(at) and not self.is_variable(at):
            if at.root.origin in (Origin.POINTER, Origin.LOCAL):
                raise UnsupportedError("a pointer that is written through a pointer or at a varying subscript", place)
            self.store(replace(at, type=U64), self.pointer_number(value, place), place)
            return
        if isinstance(value, Foreign):
            value = self.follow(value, place).retyped(at.type.to)
        if self.fixed.get(leaf, value) != value:
            raise UnsupportedError("a reference that is bound more than once", place)
        root = self.row(at) if self.is_row(at) else self.pointers.get(leaf) or self.pointer_variable(at)
        if isinstance(value, Null):
            value = self.nowhere(at.type.to)
        assert isinstance(value, Address), value
        if at.root.space is Space.SHARED and value.root.space is Space.PRIVATE and value.root.origin is not Origin.POINTER:
            raise UnsupportedError("a pointer to a thread's own variable in shared memory", place)
        self.aim(root, value.root, place)
        distance, unit = value.bytes().merged(), self.parts[root].unit
        if not distance.divisible(unit):
            raise NeedsError("units", (root.name, distance.common(unit)))
        kept = [convert(distance.over(unit), I64), self.number(value.root, place)]
        steps = subscripts(at) if self.is_row(at) else ()
        kept += [self.cell_value(value, place)] if self.parts[root].cell is not None else []
        for part, number in zip(self.parts[root].roots, kept, strict=True):
            self.store(Address(part, steps, number.type), number, place)

    def is_variable(self, at: Address) -> bool:
        """Whether an address is a variable of one pointer: of a thread, or of a block."""
        return at.view is None and at.is_fixed and (
            at.root.origin is Origin.LOCAL or (at.root.origin is Origin.SHARED and not subscripts(at)))

    # -- variables ------------------------------------------------------------------------------

    def pointer_variable(self, at: Address) -> Root:
        """The pointer variable at a leaf of a local or of a shared variable."""
        assert isinstance(at.type, Pointer)
        name = ".".join([at.root.name, *(str(step) for step in leaf_path(at))])
        root = self.variable(name, at.type, at.root)
        self.pointers[(at.root, leaf_path(at))] = root
        return root

    def variable(self, name: str, kind: Pointer, holder: Root, counts: tuple[int, ...] = (), unit: int = 0) -> Root:
        """A pointer variable, or an array of them, that lies where `holder` does. `unit`: what its distance is counted in, if
        that is settled."""
        shared = holder.space is Space.SHARED
        space, origin = (Space.SHARED, Origin.SHARED) if shared else (Space.PRIVATE, Origin.LOCAL)
        root = self.root(f"*{name}", ArrayOf(kind.to, None), Space.PRIVATE, Origin.POINTER, holder.place)
        names = (("at", I64), ("of", I32), *((("in", I64),) if self.has_cells else ()))
        made = [self.root(f"{name}.{each}", arrays(scalar, counts), space, origin, holder.place) for each, scalar in names]
        for part in made:
            part.volatile = holder.volatile and shared
        self.parts[root] = Parts(unit or self.units.get(root.name, max(1, size_of(kind.to))), *made)
        return root

    def settled_root(self, at: Address, place: Place) -> Address:
        """A pointer variable may be set anew later: which object it points into now is kept in a variable of its own."""
        if at.root.origin is not Origin.POINTER or at.root in self.stable:
            return at
        root = self.copied(at.root, (), place)
        self.stable |= {root, *self.parts[root].roots[1:]}
        return replace(at, root=root)

    def copied(self, source: Root, steps: tuple[Expr, ...], place: Place) -> Root:
        """A variable of the thread that is in the object that another one is in now; `steps`: which of an array of them."""
        assert isinstance(source.type, ArrayOf)
        root = self.variable(f"{source.name[1:]}.now", Pointer(source.type.element), source, unit=self.parts[source].unit)
        self.aim(root, source)
        for mine, theirs, kind in zip(self.parts[root].roots[1:], self.parts[source].roots[1:], (I32, I64), strict=False):
            self.store(Address(mine, (), kind), self.load_scalar(Address(theirs, steps, kind), place), place)
        return root

    # -- arrays of pointers ---------------------------------------------------------------------

    def is_row(self, at: Address) -> bool:
        """Whether an address is one of an array of pointers that is kept as such: in shared memory, or where subscripts vary."""
        if at.view is not None or at.root.origin not in (Origin.LOCAL, Origin.SHARED) or not subscripts(at):
            return False
        return at.root.origin is Origin.SHARED or any(kind in self.indexed for kind in kinds_along(at))

    def row(self, at: Address) -> Root:
        """The array of pointer variables that an address is one of."""
        key = (at.root, ("[]", *(step if isinstance(step, str) else None for step in at.path)))
        if key not in self.pointers:
            assert isinstance(at.type, Pointer)
            counts = tuple(kind.count or 0 for kind in kinds_along(at) if isinstance(kind, ArrayOf))
            name = ".".join([at.root.name, *(step for step in at.path if isinstance(step, str))])
            self.pointers[key] = self.variable(name, at.type, at.root, counts)
        return self.pointers[key]

    def load_from_row(self, at: Address, kind: Pointer, place: Place) -> Address:
        row = self.row(at)
        root = self.copied(row, subscripts(at), place)
        mine, theirs = self.parts[root].offset, self.parts[row].offset
        self.store(Address(mine, (), I64), self.load_scalar(Address(theirs, subscripts(at), I64), place), place)
        self.stable |= {root, *self.parts[root].roots}
        return self.held_by(root, kind.to, place)

    # -- numbers --------------------------------------------------------------------------------

    def pointer_number(self, value: Value, place: Place) -> Expr:
        """A pointer as a number in memory: the address of an object is a value of its own."""
        match value:
            case Foreign(number=number):
                return number
            case Null():
                return core.Const(0, U64, place)
            case Address(root=root):
                if root.origin is Origin.MEMORY or (root.origin is Origin.POINTER and self.has_cells):
                    raise UnsupportedError("a pointer out of memory that is compared or stored after it was moved", place)
                self.keeps_addresses = True
                return core.Call("address", (self.number(root, place), convert(value.bytes().over(1), I64)), U64, place)
            case _:
                raise AssertionError(value)

    def aim(self, root: Root, target: Root, place: Place = NOWHERE) -> None:
        if target.origin is Origin.MEMORY and not self.has_cells:
            raise NeedsError("has_cells")
        if not self.has_loose and align_of(target.type) < align_of(root.type) and target not in self.objectless:
            raise NeedsError("has_loose")
        if target not in root.targets:
            if root in self.followed:
                raise UnsupportedError("a pointer to events that is aimed at another after it was followed", place)
            root.targets.append(target)

    def number(self, root: Root, place: Place) -> Expr:
        """The number of the root that an address is in."""
        if root.origin is Origin.POINTER:
            return self.load_scalar(Address(self.parts[root].which, (), I32), place)
        return core.Const(self.roots.index(root), I32, place)

    def cell_value(self, at: Address, place: Place) -> Expr:
        """The cell that the pointer to an address was read from; 0 where it was not read from memory."""
        if at.root.origin is Origin.POINTER and (cell := self.parts[at.root].cell) is not None:
            return self.load_scalar(Address(cell, (), I64), place)
        return at.cell if at.cell is not None else core.Const(0, I64, place)


def subscripts(at: Address) -> tuple[Expr, ...]:
    return tuple(step for step in at.path if not isinstance(step, str))


def kinds_along(at: Address) -> list[Type]:
    """The types of the arrays that the subscripts of an address go into."""
    kind, found = at.root.type, list[Type]()
    for step in at.path:
        if isinstance(step, str):
            item = kind.field(step) if isinstance(kind, Record) else None
            kind = item.type if item is not None else kind.element if isinstance(kind, Vector) else kind
        else:
            assert isinstance(kind, ArrayOf)
            found.append(kind)
            kind = kind.element
    return found


def arrays(kind: Type, counts: tuple[int, ...]) -> Type:
    """Arrays of arrays of a type, the outermost first."""
    for count in reversed(counts):
        kind = ArrayOf(kind, count)
    return kind
