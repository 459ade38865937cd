"""What OpenCL C says of vectors and conversions that C does not have, for both front ends.

Components and vector literals (OpenCL C 6.1.6, 6.1.7), and the functions that are named after a type:
`convert_T` and `as_T` (6.2.3, 6.2.4).
"""

from __future__ import annotations

import re

from automata.lang import tree
from automata.lang.tree import Expr
from automata.lang.tree_typing import converted
from automata.lang.types import Type, Vector, size_of
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import BOOL, I32, Scalar

CONVERSION = re.compile(r"convert_([a-z0-9]+)(_sat)?(?:_rt([ezpn]))?")
REINTERPRETATION = re.compile(r"as_([a-z0-9]+)")
_ROUNDED = {"e": "rint", "p": "ceil", "n": "floor"}
_FRACTION = {16: 11, 32: 24, 64: 53}
_LETTERS = {letter: number for word in ("xyzw", "rgba") for number, letter in enumerate(word)}


# -- components ---------------------------------------------------------------------------------


def components(name: str, count: int) -> tuple[int, ...] | None:
    """The components that a swizzle names; None if it is none of a vector of that length, or one without a value."""
    half = (count + 1) // 2
    whole = {"lo": range(half), "hi": range(half, 2 * half), "even": range(0, 2 * half, 2), "odd": range(1, 2 * half, 2)}
    if name in whole:
        chosen = tuple(whole[name])
    elif re.fullmatch(r"[sS][0-9a-fA-F]+", name):
        chosen = tuple(int(digit, 16) for digit in name[1:])
    elif re.fullmatch(r"[xyzw]+|[rgba]+", name):
        chosen = tuple(_LETTERS[letter] for letter in name)
    else:
        return None
    return chosen if all(number < count for number in chosen) else None


def swizzle(base: Expr, name: str, place: Place) -> Expr:
    """Components by name: xyzw, s0 … sf, lo, hi, even, odd; of a swizzle, components of what that is of."""
    kind = base.type
    assert isinstance(kind, Vector)
    chosen = components(name, kind.count)
    if chosen is None and kind.count == 3 and name in ("hi", "odd"):
        raise UnsupportedError(f"'.{name}' of a vector of three, whose last component is undefined", place)
    if chosen is None:
        raise InputError(f"{kind} has no components '{name}'", place)
    return picked(base, chosen, place)


def picked(base: Expr, chosen: tuple[int, ...], place: Place) -> Expr:
    """Components of a vector by number."""
    kind = base.type
    assert isinstance(kind, Vector)
    if isinstance(base, tree.Swizzle):
        chosen, base = tuple(base.components[number] for number in chosen), base.base
    return tree.Swizzle(base, chosen, kind.element if len(chosen) == 1 else Vector(kind.element, len(chosen)), place)


def literal(parts: list[Expr], kind: Vector, place: Place) -> Expr:
    """A vector literal: scalars and shorter vectors in order, or one scalar for all."""
    if len(parts) == 1:
        return converted(parts[0], kind)
    count = sum(part.type.count if isinstance(part.type, Vector) else 1 for part in parts)
    if count != kind.count:
        raise InputError(f"{count} values for a {kind}", place)
    wanted: list[Type] = [Vector(kind.element, part.type.count) if isinstance(part.type, Vector) else kind.element
                          for part in parts]
    return tree.Construct(tuple(converted(part, inner) for part, inner in zip(parts, wanted, strict=True)), kind, place)


# -- functions named after a type ------------------------------------------------------------------


def by_component(arg: Expr, kind: Type) -> Expr:
    """A conversion that is written out: of a vector, each component."""
    if isinstance(arg.type, Vector):
        return arg if arg.type == kind else tree.Convert(arg, kind, arg.place)
    return converted(arg, kind)


def conversion(name: str, arg: Expr, kind: Type, place: Place) -> Expr:
    """`convert_T`, `convert_T_sat`, `convert_T_rte` and so on: the default is C's rounding."""
    shape = CONVERSION.fullmatch(name)
    source, target = _element(arg.type), _element(kind)
    if shape is None or source is None or target is None or _count(arg.type) != _count(kind):
        raise InputError(f"{name} of a {arg.type}", place)
    saturated, mode = bool(shape[2]), shape[3]
    if target.is_float:
        if saturated:
            raise InputError(f"{name}: only conversions to integers saturate", place)
        if mode not in (None, "e") and not _is_exact(source, target):
            raise UnsupportedError(f"the conversion '{name}' of a {arg.type}", place)
    elif source.is_float and mode in _ROUNDED:
        arg = tree.Library(_ROUNDED[mode], (arg,), arg.type, place)
    if saturated:
        return tree.Library("__convert_sat", (arg,), kind, place)
    return by_component(arg, kind)


def _is_exact(source: Scalar, target: Scalar) -> bool:
    """Whether every value of a type is one of a float type."""
    if source.is_float:
        return source.bits <= target.bits
    return source.bits - source.signed <= _FRACTION[target.bits]


def reinterpretation(name: str, arg: Expr, kind: Type, place: Place) -> Expr:
    """`as_T`: the same bytes as another type, which has as many."""
    if _element(arg.type) is None or _element(kind) is None:
        raise InputError(f"{name} of a {arg.type}", place)
    if arg.type == BOOL:
        arg = converted(arg, I32)
    if size_of(arg.type) != size_of(kind):
        raise InputError(f"{name} of a {arg.type}: {kind} has {size_of(kind)} bytes, {arg.type} has {size_of(arg.type)}", place)
    return tree.Bits(arg, kind, place)


def _element(kind: Type) -> Scalar | None:
    return kind.element if isinstance(kind, Vector) else kind if isinstance(kind, Scalar) else None


def _count(kind: Type) -> int:
    return kind.count if isinstance(kind, Vector) else 1
