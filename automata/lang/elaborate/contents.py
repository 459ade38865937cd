"""What constant tables hold: leaves of an initialiser, and the arrays that a table is cut into.

The leaves of a type are its parts without parts of their own, in the order of declaration (of a union, those
of its first field, which an initialiser is for); a table's content is the value of each.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence

from automata.lang import tree
from automata.lang.elaborate.storage import Root, component_name
from automata.lang.tree_typing import constant_of
from automata.lang.types import ArrayOf, Field, Record, Type, Vector, leaf_count, offsets, size_of
from automata.scalar import Kind, Scalar

MAX_TABLE = 65_536
Number = int | float
Cut = Callable[[Sequence[Number]], tuple[Number, ...] | None]
"""What an array of a root holds, of what the root holds."""
Steps = tuple[str | None, ...]
_CODES = {8: "b", 16: "h", 32: "i", 64: "q"}
_FLOAT_CODES = {"half": "e", "float": "f", "double": "d"}


def constant_content(value: tree.Expr, kind: Type) -> tuple[Number, ...] | None:
    """The leaves of a constant; None where one is not known or is no number."""
    if leaf_count(kind) > MAX_TABLE or not _is_plain(kind):
        return None
    found = list(_values(value, kind))
    return None if None in found else tuple(number for number in found if number is not None)


def first_content(variable: tree.Variable) -> tuple[Number, ...] | str | None:
    """What a variable of the file holds at first: its leaves, or text where they are not known."""
    if variable.initial is None or isinstance(variable.initial, str):
        return variable.initial
    found = constant_content(variable.initial, variable.type)
    return f"values that are not read ({variable.place})" if found is None else found


def _is_plain(kind: Type) -> bool:
    match kind:
        case Scalar() | Vector():
            return True
        case ArrayOf(element=element, count=count):
            return count is not None and _is_plain(element)
        case Record():
            return all(_is_plain(item.type) for item, _ in _fields(kind))
        case _:
            return False


def _fields(kind: Record) -> list[tuple[Field, int]]:
    """The fields that an initialiser is for, with their distances in bytes."""
    return list(offsets(kind))[: 1 if kind.is_union else None]


def _parts(kind: Type) -> list[Type]:
    match kind:
        case ArrayOf(element=element, count=count):
            return [element] * (count or 0)
        case Vector(element=scalar, count=lanes):
            return [scalar] * lanes
        case Record():
            return [item.type for item, _ in _fields(kind)]
        case _:
            return []


def _values(value: tree.Expr, kind: Type) -> Iterator[Number | None]:
    """The value of each leaf, None for one that is not known."""
    if isinstance(kind, Scalar):
        found = constant_of(value)
        yield None if found is None else float(found) if kind.is_float else kind.wrap(int(found))
    elif isinstance(kind, Vector):
        lanes = list(_lanes(value, kind))
        yield from lanes if len(lanes) == kind.count else [None] * kind.count
    elif isinstance(value, tree.Construct) and len(value.parts) <= len(_parts(kind)):
        inner = _parts(kind)
        for part, of in zip(value.parts, inner, strict=False):
            yield from _values(part, of)
        for of in inner[len(value.parts):]:
            yield from _zeros(of)
    else:
        yield None


def _lanes(value: tree.Expr, kind: Vector) -> Iterator[Number | None]:
    """The components of a constant vector."""
    match value:
        case tree.Construct(parts=()):
            yield from _zeros(kind)
        case tree.Construct(parts=parts):
            for part in parts:
                yield from _values(part, part.type)
        case tree.Convert(arg=arg) if isinstance(arg.type, Scalar):
            found = constant_of(tree.Convert(arg, kind.element))
            yield from [found] * kind.count
        case _:
            yield None


def _zeros(kind: Type) -> Iterator[Number]:
    if isinstance(kind, Scalar):
        yield 0.0 if kind.is_float else 0
    for part in _parts(kind):
        yield from _zeros(part)


# -- arrays of a table --------------------------------------------------------------------------


def _leaves(kind: Type, at: int, steps: Steps) -> Iterator[tuple[Steps, int, Scalar]]:
    """Each leaf: the names on its path (None: a subscript), its distance in bytes, its type."""
    match kind:
        case Scalar():
            yield steps, at, kind
        case ArrayOf(element=element, count=count):
            for number in range(count or 0):
                yield from _leaves(element, at + number * size_of(element), (*steps, None))
        case Vector(element=scalar, count=lanes):
            for number in range(lanes):
                yield (*steps, component_name(number, lanes)), at + number * scalar.bytes, scalar
        case Record():
            for item, offset in _fields(kind):
                yield from _leaves(item.type, at + offset, (*steps, item.name))


def lies(kind: Type, shape: Steps) -> tuple[int, ...]:
    """Where the leaf of a path lies in memory, if the path goes through fields: its distance in bytes, and that of the elements
    at each subscript."""
    at, strides = 0, list[int]()
    for step in shape:
        match kind:
            case ArrayOf(element=element):
                strides.append(size_of(element))
                kind = element
            case Vector(element=scalar, count=lanes):
                names = [component_name(number, lanes) for number in range(lanes)]
                at, kind = at + (names.index(step) if step in names else 0) * scalar.bytes, scalar
            case Record():
                field, distance = next((item, distance) for item, distance in offsets(kind) if item.name == step)
                at, kind = at + (0 if kind.is_union else distance), field.type
    return (at, *strides) if any(step is not None for step in shape) else ()


def contents(root: Root, cut: Cut) -> tuple[tuple[Number, ...] | None, tuple[Number, ...] | str | None]:
    """What an array of a root holds of its content for good, and of what it holds at first; as text where that cannot be cut."""
    initial = cut(root.initial) or repr(root.initial) if isinstance(root.initial, tuple) else root.initial
    return cut(root.content) if root.content is not None else None, initial


def of_leaf(content: Sequence[Number], kind: Type, shape: Steps) -> tuple[Number, ...]:
    """What the array of one leaf holds, in row-major order."""
    return tuple(value for value, (steps, _, _) in zip(content, _leaves(kind, 0, ()), strict=True) if steps == shape)


def of_cells(content: Sequence[Number], kind: Type, unit: Scalar) -> tuple[Number, ...] | None:
    """What a table holds as one array of cells; None if that is not known. Bytes of no leaf are 0, as compilers fill them."""
    image = bytearray(size_of(kind))
    for value, (_, at, scalar) in zip(content, _leaves(kind, 0, ()), strict=True):
        code = _code(scalar)
        if code is None:
            return None
        image[at : at + scalar.bytes] = struct.pack(f"<{code}", value)
    code = _code(unit)
    if code is None or len(image) % unit.bytes:
        return None
    return tuple(value for (value,) in struct.iter_unpack(f"<{code}", bytes(image)))


def _code(kind: Scalar) -> str | None:
    """How `struct` calls a type; None if it has no such type."""
    if kind.kind is Kind.BOOL:
        return "B"
    if kind.is_float:
        return _FLOAT_CODES.get(kind.name)
    return _CODES[kind.bits] if kind.signed else _CODES[kind.bits].upper()


def is_uniform(content: Sequence[Number]) -> bool:
    """Whether all values are the same, to the sign of zero."""
    return len(set(map(repr, content))) == 1
