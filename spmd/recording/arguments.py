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
from spmd.recording.read import Argument

MEMORY = ("buffer", "svm")


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter as the source declares it."""

    name: str
    type: Type


@dataclass
class Passed:
    """What a launch passes. `alike`: pairs of array parameters whose memory overlaps; `open`: parameters about whose argument
    nothing is known, so that it may be anything."""

    args: dict[str, int | float | str] = field(default_factory=dict)
    extents: dict[str, int] = field(default_factory=dict)
    alike: list[tuple[str, str]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)


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
    _pair_memory(declared, given, found)
    return found


def _pass_pointer(parameter: Declared, kind: Pointer, argument: Argument, found: Passed) -> None:
    element = size_of(kind.to)
    if argument.kind == "local" and kind.space is not Space.SHARED:
        found.extents[parameter.name] = 0  # a null pointer
    elif argument.size is not None and element and argument.kind in (*MEMORY, "local"):
        found.extents[parameter.name] = argument.size // element
    else:
        found.open.append(parameter.name)


def _pass_value(kernel: Kernel, parameter: Declared, argument: Argument, found: Passed) -> None:
    if argument.kind != "value" or len(argument.value) != size_of(parameter.type):
        raise InputError(f"{len(argument.value)} bytes were recorded for '{parameter.name}' of kernel '{kernel.name}', which has "
                         f"{size_of(parameter.type)}")
    for scalar in kernel.params:
        if scalar.name == parameter.name:
            at = 0
        elif scalar.name.startswith(f"{parameter.name}."):
            at = place_of(parameter.type, scalar.name.removeprefix(f"{parameter.name}."))
        else:
            continue
        value = value_of(scalar, argument.value[at:at + scalar.type.bytes])
        if value is not None:
            found.args[scalar.name] = value


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


def _pair_memory(declared: list[Declared], given: tuple[Argument, ...], found: Passed) -> None:
    """Pairs of parameters whose memory overlaps, or of which that cannot be excluded."""
    shared = [(parameter, argument) for parameter, argument in zip(declared, given, strict=True)
              if argument.kind in (*MEMORY, "image", "pipe")]
    for number, (parameter, argument) in enumerate(shared):
        for other, before in shared[:number]:
            if argument.root == before.root and _overlap(argument, before):
                found.alike.append((other.name, parameter.name))


def _overlap(a: Argument, b: Argument) -> bool:
    if a.size is None or b.size is None:
        return True
    return a.offset < b.offset + b.size and b.offset < a.offset + a.size
