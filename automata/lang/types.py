"""C's types beyond scalars, and where their parts lie in memory.

    Type ::= Scalar | Void | Pointer(Type) | ArrayOf(Type, count) | Record(fields) | Vector(Scalar, count) | Opaque(name)
           | Code(result, parameters)

A `Record` is a struct, union or class; two records are the same type when they are the same object, so
a struct may point to itself. Layout is the Itanium/System V one that CUDA and 64-bit OpenCL share:
natural alignment, fields in order, a vector of three is as large as one of four (OpenCL C 6.1.5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from automata.lang.core import Space
from automata.scalar import Scalar


@dataclass(frozen=True, slots=True)
class Void:
    """No value."""

    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer. `space`: the address space it is declared to point into, None when the dialect does not say.

    `const`, `volatile`: of what it points to; `restrict`: of the pointer itself.
    """

    to: Type
    space: Space | None = field(default=None, compare=False)
    const: bool = field(default=False, compare=False)
    volatile: bool = field(default=False, compare=False)
    restrict: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.to}*"


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """An array; `count` None: an extent that is not known here."""

    element: Type
    count: int | None

    def __str__(self) -> str:
        return f"{self.element}[{'' if self.count is None else self.count}]"


@dataclass(frozen=True, slots=True)
class Vector:
    """An OpenCL vector: components are values, operators work on each."""

    element: Scalar
    count: int

    def __str__(self) -> str:
        return f"{self.element}{self.count}"


@dataclass(frozen=True, slots=True)
class Opaque:
    """A handle without parts that kernels can read: an image, a texture, a sampler, an event, a stream."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Code:
    """A function's type; only pointers to it are values."""

    result: Type
    params: tuple[Type, ...]

    def __str__(self) -> str:
        return f"{self.result}({', '.join(map(str, self.params))})"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record; base classes are fields named after the base.

    `reference`: a pointer that is set once, when the record comes to life: a reference, or the `this` that a lambda refers to.
    """

    name: str
    type: Type
    reference: bool = False


@dataclass(eq=False, slots=True)
class Record:
    """A struct, union or class. `fields` is filled in once its definition is read.

    `align`: a larger alignment that the source asks for, 0 for none; `packed`: no padding. `placed`: where each field lies, if
    not one behind the other (a class may use the padding at the end of its base); `size`: the bytes of the whole then.
    """

    name: str
    fields: tuple[Field, ...] = ()
    is_union: bool = False
    align: int = 0
    packed: bool = False
    complete: bool = True
    placed: tuple[int, ...] = ()
    size: int = 0

    def field(self, name: str) -> Field | None:
        for item in self.fields:
            if item.name == name:
                return item
        return None

    def __str__(self) -> str:
        return self.name


Type = Scalar | Void | Pointer | ArrayOf | Vector | Record | Opaque | Code
VOID = Void()
POINTER_BYTES = 8


def size_of(kind: Type) -> int:
    """Size in bytes; 0 for void, opaque handles and arrays of unknown extent."""
    match kind:
        case Scalar():
            return kind.bytes
        case Pointer() | Opaque():
            return POINTER_BYTES
        case ArrayOf(element=element, count=count):
            return size_of(element) * (count or 0)
        case Vector(element=scalar, count=count):
            return scalar.bytes * (4 if count == 3 else count)
        case Record():
            return _record_size(kind)
        case Void() | Code():
            return 0


def align_of(kind: Type) -> int:
    """Alignment in bytes, at least 1."""
    match kind:
        case ArrayOf(element=element):
            return align_of(element)
        case Record(packed=packed, align=align):
            own = 1 if packed else max((align_of(item.type) for item in kind.fields), default=1)
            return max(own, align)
        case _:
            return max(1, size_of(kind))


def offsets(record: Record) -> Iterator[tuple[Field, int]]:
    """Each field of a record with its offset in bytes."""
    if record.placed:
        yield from zip(record.fields, record.placed, strict=True)
        return
    at = 0
    for item in record.fields:
        if record.is_union:
            yield item, 0
            continue
        unit = 1 if record.packed else align_of(item.type)
        at = -(-at // unit) * unit
        yield item, at
        at += size_of(item.type)


def offset_of(record: Record, name: str) -> int:
    """The offset of a field in bytes; KeyError if there is none."""
    for item, at in offsets(record):
        if item.name == name:
            return at
    raise KeyError(name)


def data_end(record: Record) -> int:
    """Where the last field of a record ends, without the padding behind it."""
    return max((at + (data_end(item.type) if isinstance(item.type, Record) else size_of(item.type))
                for item, at in offsets(record)), default=0)


def _record_size(record: Record) -> int:
    if record.placed:
        return record.size
    end = max((at + size_of(item.type) for item, at in offsets(record)), default=1)
    unit = align_of(record)
    return -(-end // unit) * unit


def leaf_count(kind: Type, known: dict[int, int] | None = None) -> int:
    """How many parts without parts of their own a value of the type has; each record is counted once."""
    known = {} if known is None else known
    match kind:
        case ArrayOf(element=element, count=count):
            return leaf_count(element, known) * (count or 1)
        case Vector(count=count):
            return count
        case Record(fields=fields):
            if id(kind) not in known:
                known[id(kind)] = sum(leaf_count(item.type, known) for item in fields)
            return known[id(kind)]
        case _:
            return 1


def is_arithmetic(kind: Type) -> bool:
    return isinstance(kind, Scalar)


def contains_pointer(kind: Type) -> bool:
    """Whether a value of the type holds a pointer in some part."""
    match kind:
        case Pointer():
            return True
        case ArrayOf(element=element):
            return contains_pointer(element)
        case Record(fields=fields):
            return any(contains_pointer(item.type) for item in fields)
        case _:
            return False
