"""Conversions of clang's tree as the typed tree's.

libclang shows an implicit conversion as an unexposed node around its operand; which conversion it is follows from the two
types, and from what clang's node says of values and places (`nodes`).
"""

from __future__ import annotations

from automata.lang.clang import kinds
from automata.lang.clang.convert import address, convert, convertible, deref, is_place, is_pure, null, unpromoted
from automata.lang.clang.index import Cursor
from automata.lang.clang.nodes import (
    BIT_CAST,
    CONVERSIONS,
    PLACE_BIT_CAST,
    TO_BASE_OF_OBJECT,
    TO_DERIVED,
    cast_kind,
    is_designated,
    is_offset,
    is_value,
)
from automata.lang.clang.reader import Reader
from automata.lang.tree import AddressOf, Binary, Conditional, Convert, Copy, Expr, Literal, Member
from automata.lang.types import VOID, ArrayOf, Code, Opaque, Pointer, Record, Type, Vector, offsets
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, I8, I32, Scalar


class Conversions:
    """Reads conversions, implicit and written."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def expr(self, cursor: Cursor) -> Expr:
        """The tree of an expression; a place stays a place."""
        raise NotImplementedError

    def component(self, cursor: Cursor, base: Cursor) -> Expr | None:
        raise NotImplementedError

    def chosen_value(self, cursor: Cursor) -> Expr:
        raise NotImplementedError

    def constant_value(self, cursor: Cursor, otherwise: str) -> Expr:
        raise NotImplementedError

    def test(self, cursor: Cursor) -> Expr:
        """A condition, converted to BOOL."""
        found = self.expr(cursor)
        return convert(found, BOOL, found.place)

    def paren(self, cursor: Cursor) -> Expr:
        return self.expr(cursor.expressions()[0])

    def unexposed(self, cursor: Cursor) -> Expr:
        """An implicit conversion, a temporary, or a node that libclang has no name for."""
        if is_offset(cursor):
            return self.constant_value(cursor, "an offset that is not constant")
        if is_designated(cursor):
            raise UnsupportedError("a designated initialiser of this form", cursor.place)
        parts = cursor.expressions()
        if len(parts) == 1 and self.reader.dialect == "opencl" and (found := self.component(cursor, parts[0])) is not None:
            return found
        if len(parts) == 1:
            return self.held(cursor, parts[0])
        place = cursor.place
        if len(parts) == 4:
            return self.choose_itself(cursor, parts)
        if parts:
            self.reader.type(cursor)
            raise UnsupportedError("an expression with an error", place)
        return self.constant_value(cursor, "an expression that this version does not read")

    def held(self, cursor: Cursor, child: Cursor) -> Expr:
        """An operand below a node without a name: converted, or a value that becomes a place of its own (a temporary)."""
        inner = child
        while inner.kind == kinds.PAREN:
            inner = inner.expressions()[0]
        is_read = is_value(cursor) and inner.kind in CONVERSIONS and not is_value(inner)
        if is_read and isinstance(self.reader.type(inner), Pointer):
            return self.to_type(inner, self.expr(inner.expressions()[-1]), inner.expressions()[-1])
        is_read = is_value(cursor) and inner.kind == kinds.CONDITIONAL
        found = self.to_type(cursor, self.chosen_value(inner) if is_read else self.expr(child), child)
        if is_value(cursor) or not is_value(child) or not is_place(found) or self.reader.is_temporary(found):
            return found
        return Copy(found, found.type, found.place)

    def to_type(self, cursor: Cursor, arg: Expr, child: Cursor) -> Expr:
        """An operand converted to the type of the node around it."""
        if cursor.type.key == child.type.key:
            return arg
        kind = self.reader.type(cursor)
        if cursor.kind == child.kind == kinds.UNEXPOSED and isinstance(kind, Scalar):
            arg = unpromoted(arg)
        have = arg.type
        if isinstance(kind, Record) and isinstance(have, Record) and kind is not have:
            return self.to_base(arg, have, kind, cursor)
        if isinstance(kind, Pointer) and isinstance(have, Pointer) and self.is_moved(cursor, have.to, kind.to):
            return self.along(arg, have.to, kind, cursor)
        if kind in (have, VOID):
            return arg
        if isinstance(kind, ArrayOf) and isinstance(have, Pointer):
            return convert(arg, Pointer(kind.element), arg.place)
        if isinstance(kind, Opaque):
            return arg
        self.check_conversion(have, kind, cursor, child)
        return convert(arg, kind, arg.place)

    def check_conversion(self, have: Type, kind: Type, cursor: Cursor, child: Cursor) -> None:
        """UnsupportedError for a conversion that the tree does not know or whose meaning is not certain."""
        if isinstance(kind, Vector) and isinstance(have, Scalar) and self.is_of_bool(child):
            raise UnsupportedError("a bool made a vector", cursor.place)
        if not convertible(have, kind):
            raise UnsupportedError(f"a conversion from '{have}' to '{kind}'", cursor.place)

    def is_of_bool(self, cursor: Cursor) -> bool:
        """Whether an operand is a bool behind implicit conversions; -1 or 1 as a vector (`tree_typing.splat`)."""
        inside = cursor.expressions()
        while self.reader.type(cursor) != BOOL and cursor.kind in (kinds.UNEXPOSED, kinds.PAREN) and len(inside) == 1:
            cursor, inside = inside[0], inside[0].expressions()
        return self.reader.type(cursor) == BOOL

    def is_moved(self, cursor: Cursor, have: Type, to: Type) -> bool:
        """Whether a conversion of pointers goes from an object to a base of it, or down to the object that it is a base of."""
        if not isinstance(have, Record) or not isinstance(to, Record) or have is to:
            return False
        kind = cast_kind(cursor)
        is_up = self.reader.types.path_to_base(have, to) is not None
        return (is_up and kind not in (BIT_CAST, PLACE_BIT_CAST)) or kind == TO_DERIVED

    def along(self, arg: Expr, have: Type, kind: Pointer, cursor: Cursor) -> Expr:
        """A pointer to a record made one to a base or derived class; null stays null."""
        place = cursor.place
        moved = address(self.to_base(deref(arg, have, place), have, kind.to, cursor), place)
        assert isinstance(have, Record) and isinstance(kind.to, Record)
        if isinstance(arg, AddressOf) or cast_kind(cursor) == TO_BASE_OF_OBJECT or not self.distance(have, kind.to, place):
            return moved
        if not is_pure(arg):
            raise UnsupportedError("a pointer to a base class that is not the first, made by an expression with effects", place)
        return Conditional(convert(arg, BOOL, place), convert(moved, kind, place), null(kind, place), kind, place)

    def distance(self, have: Record, to: Record, place: Place) -> int:
        """How many bytes a base lies from the start of the object, either one given first."""
        types = self.reader.types
        path = types.path_to_base(have, to)
        outer = have if path is not None else to
        path = path if path is not None else types.path_to_base(to, have)
        if path is None:
            raise UnsupportedError(f"a conversion from '{have}' to '{to}'", place)
        total = 0
        for name, record in path:
            total += next(at for item, at in offsets(outer) if item.name == name)
            outer = record
        return total

    def to_base(self, arg: Expr, have: Type, base: Type, cursor: Cursor) -> Expr:
        """A base class part of a record, or the record that this is a base of."""
        assert isinstance(have, Record) and isinstance(base, Record)
        path = self.reader.types.path_to_base(have, base)
        place = cursor.place
        if path is None:
            start = address(arg, place)
            if before := self.distance(have, base, place):
                byte = Pointer(I8)
                start = Binary("-", Convert(start, byte, place), Literal(before, I32, place), byte, place)
            return deref(Convert(start, Pointer(base), place), base, place)
        for name, record in path:
            arg = Member(arg, name, record, place)
        return arg

    def cast(self, cursor: Cursor) -> Expr:
        """A written conversion; one to a reference reads the same bytes as another type."""
        parts = cursor.expressions()
        place = cursor.place
        if not parts:
            return self.constant_value(cursor, "a conversion of nothing")
        arg = self.expr(parts[-1])
        kind = self.reader.type(cursor)
        if kind in (VOID, arg.type) or isinstance(kind, Code):
            return arg
        if is_value(cursor):
            return self.to_type(cursor, arg, parts[-1])
        if cast_kind(cursor) not in (BIT_CAST, PLACE_BIT_CAST) and isinstance(kind, Record) and isinstance(arg.type, Record):
            return self.to_base(arg, arg.type, kind, cursor)
        if isinstance(kind, Pointer) or isinstance(arg.type, Pointer):
            raise UnsupportedError("a pointer in memory used as a place of another type", place)
        return deref(Convert(address(arg, place), Pointer(kind), place), kind, place)

    def choose_itself(self, cursor: Cursor, parts: list[Cursor]) -> Expr:
        """`a ?: b`, where evaluating a twice does no harm."""
        place = cursor.place
        first = self.expr(parts[0])
        if not is_pure(first):
            raise UnsupportedError("the operator '?:' without a middle", place)
        kind = self.reader.type(cursor)
        other = convert(self.expr(parts[3]), kind, place)
        return Conditional(convert(first, BOOL, place), convert(first, kind, place), other, kind, place)
