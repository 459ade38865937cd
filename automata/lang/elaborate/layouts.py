"""How a root is cut into arrays: leaf by leaf, or as cells of one size (`cells` says what that means)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from automata.lang import core
from automata.lang.core import Space
from automata.lang.elaborate.builder import Access
from automata.lang.elaborate.pointers import distance_of
from automata.lang.elaborate.storage import Linear, Root
from automata.lang.types import ArrayOf, Record, Type, Vector, size_of
from automata.scalar import BOOL, I32, U8, U16, U32, U64, Scalar


@dataclass(frozen=True, slots=True)
class Split:
    """A root whose leaves are arrays of their own."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A root as one flat array of elements of `type`."""

    type: Scalar


Layout = Split | Cells
UNSIGNED = {1: U8, 2: U16, 4: U32, 8: U64}


def layout_of(root: Root, accesses: list[Access], updated: set[Access], wanted: Scalar | None = None) -> Layout:
    """How a root is cut into arrays. `wanted`: the cells that are taken if every access is of some of them."""
    if wanted is not None and not any(access in updated for access in accesses) and all(
            grain(access, root) % wanted.bytes == 0 for access in accesses):
        return Cells(wanted)
    by_path = all(access.factors is None and not access.decayed for access in accesses)
    if by_path and (root.space is Space.PRIVATE or not _is_homogeneous(root.type)):
        return Split()
    scalars = sorted({scalar for scalar in _leaves(root.type)}, key=lambda scalar: scalar.name)
    own = scalars[0] if len(scalars) == 1 else None
    if own == BOOL and any(access.type != BOOL for access in accesses):
        own = U8
    atomics = sorted({access.type for access in accesses if access in updated}, key=lambda scalar: scalar.name)
    if len(atomics) == 1 and all(access.type.bytes == atomics[0].bytes for access in accesses):
        own = atomics[0]
    unit = 0
    for access in accesses:
        unit = gcd(unit, grain(access, root))
    same = {access.type for access in accesses}
    is_moved = own is not None and own.is_float and all(kind.is_int for kind in same)
    if isinstance(root.type, Vector | Record) and own is not None and own.is_int and unit == own.bytes and not atomics:
        own = _one_of(unit, same) or own
    if own is not None and unit % own.bytes == 0 and (
            is_moved or not (len(same) == 1 and min(kind.bytes for kind in same) > own.bytes)):
        return Cells(own)
    if len(atomics) == 1 and unit == atomics[0].bytes:
        return Cells(atomics[0])
    if len(same) == 1 and unit % min(access.type.bytes for access in accesses) == 0:
        return Cells(next(iter(same)))
    part = gcd(unit, 8)
    return Cells(_one_of(part, {own} if own is not None else set()) or _one_of(part, same) or UNSIGNED[part])


def _one_of(size: int, kinds: set[Scalar]) -> Scalar | None:
    """The one type of floats of a size that is among others: packets of half that are moved as int4 are half."""
    found = [kind for kind in kinds if kind.bytes == size and kind.is_float]
    return found[0] if len(found) == 1 else None


def _is_homogeneous(kind: Type) -> bool:
    """Whether it is one array of records or vectors whose leaves are all of one type, without gaps of another size."""
    if not isinstance(kind, ArrayOf) or not isinstance(kind.element, Record | Vector):
        return False
    leaves = list(_leaves(kind.element))
    return len(set(leaves)) == 1 and size_of(kind.element) % leaves[0].bytes == 0


def grain(access: Access, root: Root) -> int:
    """The greatest number of bytes that divides an access's size and every distance it may have."""
    grain = access.type.bytes
    if access.factors is not None:
        for number in (*access.factors, access.constant):
            grain = gcd(grain, number)
        return grain
    distance: Linear = distance_of(access, tuple(core.Var("i", I32) for name in access.shape if name is None))
    for number in (*(factor for _, factor in distance.terms), distance.constant):
        grain = gcd(grain, number)
    return grain


def _leaves(kind: Type) -> Iterator[Scalar]:
    match kind:
        case Scalar():
            yield kind
        case ArrayOf(element=element) | Vector(element=element):
            yield from _leaves(element)
        case Record(fields=fields):
            for item in fields:
                yield from _leaves(item.type)
        case _:
            return
