"""Bytes that were passed to a kernel, as values of its parameters.

In: the parameters as the source declares them, Core's scalars, and the arguments of a launch. Out: `Passed`: scalars by name,
elements of arrays by name, and which parameters have the same memory. A structure or vector by value is taken apart into the
scalars that Core made of it.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field

from automata.lang.core import Kernel, Param, Space
from automata.lang.types import ArrayOf, Opaque, Pointer, Record, Type, Vector, offset_of, size_of
from automata.place import InputError, UnsupportedError
from spmd.recording.read import Argument, Inside

MEMORY = ("buffer", "svm")


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter as the source declares it."""

    name: str
    type: Type


@dataclass
class Passed:
    """What a launch passes. `one`: pairs of array parameters that get one buffer; `alike`: those whose memory overlaps otherwise;
    `open`: parameters about whose argument nothing is known, so that it may be anything; `unsaid`: scalars whose bytes were not
    kept."""

    args: dict[str, int | float | str] = field(default_factory=dict)
    extents: dict[str, int] = field(default_factory=dict)
    one: list[tuple[str, str]] = field(default_factory=list)
    alike: list[tuple[str, str]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)


def passed(kernel: Kernel, declared: list[Declared], given: tuple[Argument, ...]) -> Passed:
    """The arguments by name. InputError where they do not fit the parameters."""
    if len(given) != len(declared):
        raise InputError(f"{len(given)} arguments were recorded, and kernel '{kernel.name}' has {len(declared)} parameters")
    found = Passed()
    for parameter, argument in zip(declared, given, strict=True):
        if argument.kind == "unset":
            raise UnsupportedError(f"the argument for '{parameter.name}' was set in a way that is not recorded")
        if isinstance(parameter.type, Pointer):
            _pass_pointer(parameter, parameter.type, argument, found)
        elif not isinstance(parameter.type, Opaque):
            _pass_value(kernel, parameter, argument, found)
    _pair_memory(kernel, declared, given, found)
    return found


def _pass_pointer(parameter: Declared, kind: Pointer, argument: Argument, found: Passed) -> None:
    element = size_of(kind.to)
    is_null = argument.kind == "value" and argument.value and not any(argument.value)
    if is_null or (argument.kind == "local" and kind.space is not Space.SHARED):
        found.extents[parameter.name] = 0
    elif argument.size is not None and element and argument.kind in (*MEMORY, "local"):
        found.extents[parameter.name] = argument.size // element
    else:
        found.open.append(parameter.name)


def _pass_value(kernel: Kernel, parameter: Declared, argument: Argument, found: Passed) -> None:
    content = _bytes_of(argument)
    if len(content) != size_of(parameter.type):
        raise InputError(f"{len(content)} bytes were recorded for '{parameter.name}' of kernel '{kernel.name}', which has "
                         f"{size_of(parameter.type)}")
    inside = _inside(argument)
    for scalar in kernel.params:
        if (at := _place_in(parameter, scalar.name)) is None:
            continue
        if any(at < pointer.at + 8 and pointer.at < at + scalar.type.bytes for pointer in inside):
            found.unsaid.append(scalar.name)
            continue
        value = value_of(scalar, content[at:at + scalar.type.bytes])
        if value is not None:
            found.args[scalar.name] = value
    for name, element, pointer in _pointers(kernel, parameter, inside):
        found.extents[name] = pointer.size // element
    known = {name for name, _, _ in _pointers(kernel, parameter, inside)}
    found.open += [array.name for array in kernel.arrays if _place_in(parameter, array.name) is not None
                   and not array.of and array.name not in known]


def _bytes_of(argument: Argument) -> bytes:
    """What was passed by value; an address is kept as zeros."""
    return bytes(8) if argument.kind == "buffer" else argument.value if argument.kind == "value" else b""


def _inside(argument: Argument) -> tuple[Inside, ...]:
    """Pointers among the bytes of an argument; one that is an address alone has one."""
    if argument.kind == "buffer" and argument.size is not None:
        return (Inside(0, argument.root, argument.size, argument.offset),)
    return argument.memory


def _place_in(parameter: Declared, name: str) -> int | None:
    """Where a scalar or array of Core's lies in the parameter that it is of, in bytes; None for one of another."""
    if name == parameter.name:
        return 0
    return place_of(parameter.type, name.removeprefix(f"{parameter.name}.")) if name.startswith(f"{parameter.name}.") else None


def _pointers(kernel: Kernel, parameter: Declared, inside: tuple[Inside, ...]) -> list[tuple[str, int, Inside]]:
    """Pointers in a structure that is passed by value: the array that each leads to, bytes of an element, the memory."""
    return [(array.name, array.element.bytes, pointer) for array in kernel.arrays for pointer in inside
            if not array.of and _place_in(parameter, array.name) == pointer.at]


def place_of(kind: Type, path: str) -> int:
    """Where a field or component lies in a type, in bytes."""
    at = 0
    for part in path.split("."):
        while isinstance(kind, ArrayOf):
            number, part = int(part), ""
            at, kind = at + number * size_of(kind.element), kind.element
        if not part:
            continue
        if isinstance(kind, Record):
            at += offset_of(kind, part)
            inner = kind.field(part)
            assert inner is not None
            kind = inner.type
        elif isinstance(kind, Vector):
            at += kind.element.bytes * ("xyzw".index(part) if part in "xyzw" else int(part.removeprefix("s"), 16))
            kind = kind.element
        else:
            raise UnsupportedError(f"the part '{path}' of an argument passed by value")
    return at


def value_of(scalar: Param, content: bytes) -> int | float | None:
    """The value of some bytes; None for a float that is no number, which stays open."""
    if scalar.type.is_float:
        value = float(struct.unpack({2: "<e", 4: "<f", 8: "<d"}[scalar.type.bytes], content)[0])
        return value if math.isfinite(value) else None
    return int.from_bytes(content, "little", signed=scalar.type.signed)


def _pair_memory(kernel: Kernel, declared: list[Declared], given: tuple[Argument, ...], found: Passed) -> None:
    """Pairs of parameters whose memory overlaps, or of which that cannot be excluded."""
    shared: list[tuple[str, Argument]] = []
    plain = {parameter.name for parameter in declared if isinstance(parameter.type, Pointer)}
    for parameter, argument in zip(declared, given, strict=True):
        if isinstance(parameter.type, Pointer | Opaque) and argument.kind in (*MEMORY, "image", "pipe"):
            shared.append((parameter.name, argument))
        elif not isinstance(parameter.type, Pointer | Opaque):
            shared += [(name, Argument("buffer", pointer.size, root=pointer.root, offset=pointer.offset))
                       for name, _, pointer in _pointers(kernel, parameter, _inside(argument))]
    for number, (name, argument) in enumerate(shared):
        for other, before in shared[:number]:
            if argument.root == before.root and _overlap(argument, before):
                is_one = {name, other} <= plain and argument.offset == before.offset and argument.kind in MEMORY
                (found.one if is_one else found.alike).append((other, name))


def _overlap(a: Argument, b: Argument) -> bool:
    if a.size is None or b.size is None:
        return True
    return a.offset < b.offset + b.size and b.offset < a.offset + a.size
