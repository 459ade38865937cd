"""Launches that differ in padding alone are one launch.

In: distinct launches, by all bytes that were passed. Out: the same, with those together that pass the same values. Between the
fields of a structure, and behind the third element of a vector of three, lie bytes that belong to no value: whatever was in the
memory of the host is passed with them. Only launches that have a partner of the same sizes and buffers are looked at, so that no
kernel is read where nothing can come of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from automata.lang.types import ArrayOf, Record, Type, Vector, offset_of, size_of
from automata.place import InputError
from spmd.recording.arguments import Declared
from spmd.recording.read import Argument, Recorded, Shape


def together(launches: list[Recorded], declared: Callable[[Shape], list[Declared]]) -> list[Recorded]:
    """The launches without those that are another one but for padding. `declared`: a kernel's parameters; InputError where it
    cannot be read, and then its launches stay as they are."""
    alike = Counter(_outline(launch.shape) for launch in launches)
    found: dict[Shape, Recorded] = {}
    for launch in launches:
        shape = launch.shape
        if alike[_outline(shape)] > 1:
            shape = _cleared(shape, declared)
        known = found.setdefault(shape, launch)
        if known is not launch:
            known.count += launch.count
            known.refused += launch.refused
            known.sites += [site for site in launch.sites if site not in known.sites]
    return list(found.values())


def _outline(shape: Shape) -> Shape:
    """A launch without the bytes of what may hold padding."""
    return replace(shape, args=shape.args and tuple(replace(each, value=b"") for each in shape.args))


def _cleared(shape: Shape, declared: Callable[[Shape], list[Declared]]) -> Shape:
    try:
        parameters = declared(shape)
    except InputError:
        return shape
    if shape.args is None or len(shape.args) != len(parameters):
        return shape
    return replace(shape, args=tuple(_clear(each, of.type) for each, of in zip(shape.args, parameters, strict=True)))


def _clear(argument: Argument, kind: Type) -> Argument:
    """An argument by value with zeros for padding."""
    if not isinstance(kind, Record | Vector) or len(argument.value) != size_of(kind):
        return argument
    used = used_bytes(kind)
    return replace(argument, value=bytes(value if at in used else 0 for at, value in enumerate(argument.value)))


def used_bytes(kind: Type) -> set[int]:
    """The bytes of a type that belong to a value."""
    parts: Iterable[tuple[int, Type]]
    match kind:
        case Record():
            parts = [(offset_of(kind, each.name), each.type) for each in kind.fields]
        case ArrayOf(element=element, count=count):
            parts = [(number * size_of(element), element) for number in range(count or 0)]
        case Vector(element=element, count=count):
            return set(range(count * element.bytes))
        case _:
            return set(range(size_of(kind)))
    return {at + byte for at, part in parts for byte in used_bytes(part)}
