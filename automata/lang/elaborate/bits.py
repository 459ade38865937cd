"""Values as bits: of another type of their width, in cells of which they are made, and updated as another type of numbers."""

from __future__ import annotations

from automata.lang import core
from automata.lang.core import Expr
from automata.lang.elaborate.layouts import UNSIGNED
from automata.lang.typing import binary, convert
from automata.scalar import BOOL, Scalar

OF_BITS = frozenset({"add", "sub", "exch", "cas", "and", "or", "xor", "load"})
"""Updates that leave the same bits behind whether they are of numbers with a sign or without."""


def is_same_number(one: Scalar, other: Scalar) -> bool:
    """Whether both are integers of one size, with a sign or without."""
    return one.bytes == other.bytes and keeps_bits(one, other)


def parts_of(whole: Expr, size: int, count: int) -> list[Expr] | None:
    """The bits of each cell of which a value is made, if it is what `load_cells` makes of cells of a size; else None."""
    while isinstance(whole, core.Cast | core.Bits) and whole.arg.type.bytes == whole.type.bytes and (
            isinstance(whole, core.Bits) or keeps_bits(whole.arg.type, whole.type)):
        whole = whole.arg
    found: list[Expr] = []
    for part in range(count - 1, 0, -1):
        match whole:
            case core.Binary(op="|", left=rest, right=core.Binary(op="<<", left=core.Cast(arg=bits), right=core.Const(value=by))):
                if by != 8 * size * part or bits.type != UNSIGNED[size]:
                    return None
                found.insert(0, bits)
                whole = rest
            case _:
                return None
    if not (isinstance(whole, core.Cast) and whole.arg.type == UNSIGNED[size]):
        return None
    return [whole.arg, *found]


def keeps_bits(one: Scalar, two: Scalar) -> bool:
    """Whether a conversion between types of one width keeps all bits."""
    return one.is_int and two.is_int and BOOL not in (one, two)


def reinterpreted(value: Expr, kind: Scalar) -> Expr:
    """The bits of a value as another type of its width (bool: as a byte); of bits of that type, the value they are of."""
    if value.type == kind:
        return value
    if isinstance(value, core.Bits) and value.arg.type == kind:
        return value.arg
    if value.type.is_int and kind.is_int:
        return convert(value, kind) if kind != BOOL else binary("!=", value, core.Const(0, value.type), value.place)
    return core.Bits(value, kind, value.place)
