"""Objects in memory and addresses into them, while a tree is elaborated.

A `Root` is one object: what a pointer parameter points to, a shared or file-level variable, a local,
or "whatever the pointer variable p points to". An `Address` is a part of a root: either a path of
subscripts and field names, or a *view*, a number of bytes from the root's start read as some type.
Pointer arithmetic on a path keeps it a path where it can; a cast to another element type makes a view.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from math import gcd

from automata.lang import core
from automata.lang.core import Expr, Space
from automata.lang.types import ArrayOf, Opaque, Record, Type, Vector, align_of, leaf_count, offset_of, size_of
from automata.lang.typing import convert
from automata.place import NOWHERE, Place, UnsupportedError
from automata.scalar import I64, Scalar


class Origin(Enum):
    """Where a root comes from."""

    PARAM = "parameter"
    SHARED = "shared"
    DYNAMIC = "dynamic shared"
    FILE = "file level"
    LOCAL = "local"
    MEMORY = "pointed to from memory"
    POINTER = "pointer variable"


@dataclass(eq=False, slots=True)
class Root:
    """One object. `name` is unique in the kernel; `targets`: of a pointer variable, what it was ever set to;
    `content`: of a constant table, its leaves in order; `initial`: of a variable of the file, its first ones, as text where they
    are not known; `external`: another file defines it."""

    name: str
    type: Type
    space: Space
    origin: Origin
    const: bool = False
    volatile: bool = False
    restrict: bool = False
    place: Place = NOWHERE
    targets: list[Root] = field(default_factory=list)
    content: tuple[int | float, ...] | None = None
    initial: tuple[int | float, ...] | str | None = None
    external: bool = False

    def __repr__(self) -> str:
        return f"Root({self.name})"


@dataclass(frozen=True, slots=True)
class Linear:
    """A sum of expressions times constants, plus a constant: a number of bytes."""

    terms: tuple[tuple[Expr, int], ...] = ()
    constant: int = 0

    def merged(self) -> Linear:
        """Equal expressions of the sum taken together."""
        factors: dict[Expr, int] = {}
        for expr, factor in self.terms:
            factors[expr] = factors.get(expr, 0) + factor
        return Linear(tuple((expr, factor) for expr, factor in factors.items() if factor), self.constant)

    def plus(self, other: Linear) -> Linear:
        return Linear(self.terms + other.terms, self.constant + other.constant)

    def divisible(self, unit: int) -> bool:
        return self.constant % unit == 0 and all(factor % unit == 0 for _, factor in self.terms)

    def common(self, unit: int) -> int:
        """The greatest divisor of a unit that divides the sum, whatever its expressions are."""
        return gcd(unit, self.constant, *(factor for _, factor in self.terms))

    def over(self, unit: int) -> Expr:
        """The sum divided by a unit that divides it, as a 64-bit expression (one term of factor 1: as it is)."""
        parts: list[Expr] = []
        for expr, factor in self.terms:
            scale = factor // unit
            if scale == 1 and len(self.terms) == 1 and self.constant == 0:
                return expr
            wide = convert(expr, I64)
            parts.append(wide if scale == 1 else core.Binary("*", core.Const(scale, I64), wide, I64, expr.place))
        if self.constant or not parts:
            parts.append(core.Const(self.constant // unit, I64))
        total = parts[0]
        for part in parts[1:]:
            total = core.Binary("+", total, part, I64, total.place)
        return total


def linear(expr: Expr, factor: int) -> Linear:
    """`expr * factor` bytes; constants, and sums and differences widened to 64 bits, are taken apart."""
    if isinstance(expr, core.Const):
        return Linear((), int(expr.value) * factor)
    if isinstance(expr, core.Binary) and expr.type == I64 and expr.op in ("+", "-"):
        return linear(expr.left, factor).plus(linear(expr.right, factor if expr.op == "+" else -factor))
    if isinstance(expr, core.Binary) and expr.type == I64 and expr.op == "*" and isinstance(expr.left, core.Const):
        return linear(expr.right, factor * int(expr.left.value))
    return Linear(((expr, factor),))


Path = tuple[Expr | str, ...]


@dataclass(frozen=True, slots=True)
class Address:
    """A part of a root, of type `type`. `view` None: reached by `path`; else: at that many bytes.

    `decayed`: an inner array was turned into a pointer, so a subscript may run on into the next row. `cell`: of a root that
    pointers in memory lead to, the number of the cell that the pointer lies in (`Tables`). `inside`: of a field that is reached
    through a view, at multiples of how many bytes the record lies, and how far into it the field is (it may be moved as a whole);
    fewer than the field's type asks for where the record is packed.
    """

    root: Root
    path: Path
    type: Type
    view: Linear | None = None
    decayed: bool = False
    cell: Expr | None = None
    inside: tuple[int, int] | None = None

    # -- parts ----------------------------------------------------------------------------------

    @property
    def is_fixed(self) -> bool:
        """Whether the path has field names and constant subscripts only."""
        return self.view is None and all(isinstance(step, str | core.Const) for step in self.path)

    def member(self, name: str, kind: Type) -> Address:
        """A field of a record or a component of a vector."""
        if self.view is None and not (isinstance(self.type, Record) and self.type.is_union):
            return replace(self, path=(*self.path, name), type=kind)
        assert isinstance(self.type, Record | Vector)
        offset = (offset_of(self.type, name) if isinstance(self.type, Record)
                  else component_number(name) * self.type.element.bytes)
        width, into = self.inside or (align_of(self.type), 0)
        return replace(self, path=(), type=kind, view=self.bytes().plus(Linear((), offset)), inside=(width, into + offset))

    def element(self, index: Expr, kind: Type) -> Address:
        """An element of an array."""
        if self.view is None:
            return replace(self, path=(*self.path, index), type=kind)
        width, into = self.inside or (0, 0)
        kept = gcd(width, size_of(kind))
        inside = (kept, into) if self.inside is not None and kept < align_of(kind) else None
        return replace(self, path=(), type=kind, view=self.view.plus(linear(index, size_of(kind))), inside=inside)

    def moved(self, by: Expr) -> Address:
        """The address `by` elements on (pointer arithmetic)."""
        if isinstance(by, core.Const) and by.value == 0:
            return self
        if self.view is None and self.path and not isinstance(self.path[-1], str):
            last = self.path[-1]
            total = by if isinstance(last, core.Const) and last.value == 0 else core.Binary(
                "+", convert(last, I64), convert(by, I64), I64, by.place)
            return replace(self, path=(*self.path[:-1], total))
        return replace(self, path=(), view=self.bytes().plus(linear(by, size_of(self.type))), inside=None)

    def pointed_at(self) -> Address:
        """The same place behind a pointer, which knows of no packed record around it: it asks for what its type does."""
        if self.view is not None:
            return replace(self, inside=None) if self.inside is not None and self.inside[0] < align_of(self.type) else self
        is_loose = has_packed(self.root.type) and not self.bytes().divisible(align_of(self.type))
        return replace(self, path=(), view=self.bytes()) if is_loose else self

    def first_element(self) -> Address:
        """The pointer to its first element that an array decays to."""
        assert isinstance(self.type, ArrayOf)
        inner = bool(self.path) or self.view is not None
        found = self.element(core.Const(0, I64), self.type.element)
        return replace(found, decayed=self.decayed or inner)

    def retyped(self, kind: Type) -> Address:
        """The same place read as another type (a cast of a pointer to it)."""
        if kind == self.type:
            return self
        found = replace(self, path=(), type=kind, view=self.bytes(), inside=None)
        if isinstance(self.type, Scalar) and isinstance(kind, Scalar) and self.type.bits == kind.bits and self.view is None:
            return replace(found, view=self.bytes())
        return found

    # -- bytes ----------------------------------------------------------------------------------

    def bytes(self) -> Linear:
        """Its distance from the root's start."""
        if self.view is not None:
            return self.view
        return path_bytes(self.root.type, self.path)


def has_packed(kind: Type) -> bool:
    """Whether a field of a type need not lie where its own type asks for."""
    match kind:
        case ArrayOf(element=element):
            return has_packed(element)
        case Record(fields=fields):
            return any(align_of(item.type) > align_of(kind) or has_packed(item.type) for item in fields)
    return False


def path_bytes(kind: Type, path: Path) -> Linear:
    """The distance in bytes of a path from the start of an object of a type."""
    total = Linear()
    for step in path:
        if isinstance(step, str):
            assert isinstance(kind, Record | Vector)
            if isinstance(kind, Vector):
                total = total.plus(Linear((), component_number(step) * kind.element.bytes))
                kind = kind.element
            else:
                total = total.plus(Linear((), offset_of(kind, step)))
                found = kind.field(step)
                assert found is not None
                kind = found.type
        else:
            assert isinstance(kind, ArrayOf)
            kind = kind.element
            total = total.plus(linear(step, size_of(kind)))
    return total


def component_name(number: int, count: int) -> str:
    """The name of a vector component: x y z w, or s0 … sf for longer vectors."""
    return "xyzw"[number] if count <= 4 else f"s{number:x}"


def component_number(name: str) -> int:
    return "xyzw".index(name) if name in "xyzw" else int(name[1:], 16)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The value of a record, array or vector: its parts in order."""

    parts: tuple[Value, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Null:
    """The null pointer."""


@dataclass(frozen=True, slots=True)
class Handle:
    """The value of an opaque type; `name`: which parameter or variable it is. `choices`: of an event that is chosen at run
    time, others that it is where their test holds, the first of them."""

    name: str
    type: Opaque
    choices: tuple[tuple[Expr, Handle], ...] = ()

    @property
    def alternatives(self) -> tuple[Handle, ...]:
        """All that it may be."""
        return (*(other for _, other in self.choices), replace(self, choices=()))


@dataclass(frozen=True, slots=True)
class Foreign:
    """A pointer that was read from memory: as a number, which is copied and compared, and the cell that it lies in."""

    number: Expr
    at: Address | None = None


Value = Expr | Address | Aggregate | Null | Handle | Foreign

MAX_PARTS = 4096


def component_names(kind: Vector) -> list[str]:
    return [component_name(number, kind.count) for number in range(kind.count)]


def parts_of(kind: Type, place: Place) -> list[tuple[str | int, Type]]:
    """The names or numbers of an aggregate's parts with their types. UnsupportedError for one that is too large."""
    if leaf_count(kind) > MAX_PARTS:
        raise UnsupportedError(f"a value of {kind}, which has more than {MAX_PARTS} parts", place)
    match kind:
        case Record(fields=fields, is_union=False):
            return [(item.name, item.type) for item in fields]
        case Record(fields=fields):
            largest = max(fields, key=lambda item: size_of(item.type))
            return [(largest.name, largest.type)]
        case Vector(element=element, count=count):
            return [(component_name(number, count), element) for number in range(count)]
        case ArrayOf(element=element, count=count):
            return [(number, element) for number in range(count or 0)]
        case _:
            raise AssertionError(kind)


def leaf_path(at: Address) -> tuple[object, ...]:
    """A path whose constant subscripts are plain numbers, to look leaves up by."""
    return tuple(int(step.value) if isinstance(step, core.Const) else step for step in at.path)
