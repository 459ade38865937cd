"""Pointers that lie in memory: arrays of pointers, pointers in structures, pointers of the file.

A cell of memory that holds a pointer is a *table* with the cells beside it; what its pointers lead to is one array of Core with
one more dimension in front, the *family* of the table: element j of what cell i points to is `table.to[i][j]`. So two threads
that read one cell get the same array, and what is reached through different cells, or otherwise, does not overlap: that is
assumed, and printed. No pointer's number is needed for it; numbers are read where the source compares pointers.

The idea holds as long as nobody writes the table while the kernel runs: one whose cells the kernel writes is refused at the end
(`check_tables`), and so is one whose cells are read as pointers in two ways, since then one cell had two families. A pointer
that is read through such a pointer (lists, trees) is not followed yet. An inner array has room for EXTENT elements; that
accesses stay within half of that on either side is part of what is printed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal

from automata.lang import core, tree
from automata.lang.core import Expr, Space
from automata.lang.elaborate.scan import parts_of_all
from automata.lang.elaborate.storage import Address, Foreign, Linear, Origin, Root
from automata.lang.names import spelled
from automata.lang.types import ArrayOf, Opaque, Pointer, Record, Type, Void, contains_pointer, size_of
from automata.lang.typing import convert
from automata.place import NOWHERE, Place, UnsupportedError
from automata.scalar import I64, U8

EXTENT = 1 << 36
Shape = tuple[str | None, ...] | None
"""How the cells of a table are reached: field names, None for a subscript; None as a whole: as bytes of its root."""


class NeedsError(Exception):
    """What is found on the way and has to be known from the start. `has_cells`: a pointer variable is set to what memory holds;
    every pointer variable then carries the cell it came from. `has_loose`: one is set to an object whose own type asks for less
    than what the pointer is to; of every access through one it is then said what it asks for. `units`: the distance of one has
    to be counted in a smaller unit than elements; `unit` says of which, by its name, and in how many bytes."""

    def __init__(self, what: Literal["has_cells", "has_loose", "units"], unit: tuple[str, int] | None = None) -> None:
        self.what, self.unit = what, unit

    def added_to(self, known: dict[str, Any]) -> None:
        """What is known from the start, the next time."""
        known[self.what] = known.get(self.what, {}) | dict([self.unit]) if self.unit else True


class Tables:
    """The tables of a kernel, each with its family."""

    def __init__(self) -> None:
        self.families: dict[tuple[Root, Shape], Root] = {}
        self.indexed: set[Type] = set()
        self.has_cells = self.has_loose = False
        self.units: dict[str, int] = {}

    def root(self, name: str, kind: Type, space: Space, origin: Origin, place: Place = NOWHERE) -> Root:
        raise NotImplementedError

    def keep_reads(self, value: Foreign, place: Place) -> None:
        raise NotImplementedError

    def follow(self, pointer: Foreign, place: Place) -> Address:
        """Where a pointer that was read from memory leads to."""
        at = pointer.at
        if at is None or not isinstance(at.type, Pointer):
            raise UnsupportedError("a pointer that is read through a pointer that lies in memory", place)
        if at.root.space is Space.SHARED:
            raise UnsupportedError("a pointer that is read from shared memory", place)
        if at.root.volatile:
            raise UnsupportedError("a pointer that is read from volatile memory", place)
        self.keep_reads(pointer, place)
        shape = None if at.view is not None else tuple(step if isinstance(step, str) else None for step in at.path)
        family = self.families.get((at.root, shape)) or self.family(at.root, shape, at.type, place)
        return Address(family, (core.Const(0, I64),), at.type.to, cell=cell_of(at, place))

    def family(self, table: Root, shape: Shape, kind: Pointer, place: Place) -> Root:
        inner = U8 if isinstance(kind.to, Void) else kind.to
        if isinstance(inner, Opaque) or (isinstance(inner, Record) and not size_of(inner)):
            raise UnsupportedError(f"a pointer to {inner} that is read from memory", place)
        made = self.root(spelled(f"{_table(table, shape)}.to"), ArrayOf(inner, None), Space.GLOBAL, Origin.MEMORY, place)
        made.const, made.volatile, made.restrict = kind.const, kind.volatile, kind.restrict
        self.families[table, shape] = made
        return made

    def assumed(self) -> list[str]:
        """What following pointers out of memory takes for granted."""
        return [f"the pointers in '{_table(table, shape)}' lead to arrays of global memory that overlap neither each other nor "
                f"anything else, with less than 2^35 elements on either side" for table, shape in self.families]

    def check_tables(self, written: Iterable[tuple[Root, Shape]]) -> None:
        """Refuse tables that the kernel writes, or that hold pointers in two ways."""
        stores = list(written)
        for table, shape in self.families:
            if any(root is table and (other is None or shape is None or other == shape) for root, other in stores):
                raise UnsupportedError(f"a pointer that is read from '{table.name}' and followed, where the kernel writes such "
                                       "pointers", table.place)
            if sum(other is table for other, _ in self.families) > 1 and (table, None) in self.families:
                raise UnsupportedError(f"pointers in '{table.name}' that are reached as another type", table.place)


def _table(root: Root, shape: Shape) -> str:
    return ".".join((root.name, *(step for step in shape or () if step is not None)))


def cell_of(at: Address, place: Place) -> Expr:
    """The number of a cell among those of its table."""
    if at.view is None:
        steps = [step for step in at.path if not isinstance(step, str)]
        if len(steps) <= 1:
            return convert(steps[0], I64) if steps else core.Const(0, I64, place)
    distance = Linear() if at.view is None and not at.path else at.bytes()
    if not distance.divisible(size_of(at.type)):
        raise UnsupportedError("a pointer that may not lie at a whole number of pointers in its array", place)
    return convert(distance.over(size_of(at.type)), I64)


def indexed_pointers(kernel: tree.Function) -> set[Type]:
    """The types of arrays of pointers that some subscript of the program runs over."""
    return {node.base.type for _, parts in parts_of_all(kernel) for node in parts
            if isinstance(node, tree.Index) and not isinstance(node.index, tree.Literal)
            and isinstance(node.base.type, ArrayOf) and contains_pointer(node.base.type.element)}


def without_cell(at: Address) -> Address:
    """An address as its family alone sees it."""
    return replace(at, cell=None)
