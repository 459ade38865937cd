"""Initialiser lists: `{1, {2, 3}}`, `{.x = 1}`, and initialisers as values of a type."""

from __future__ import annotations

from automata.lang.clang import kinds
from automata.lang.clang.bases import sets_each_field
from automata.lang.clang.bit_fields import BitField, joined
from automata.lang.clang.characters import characters_of
from automata.lang.clang.construct import Constructions
from automata.lang.clang.convert import convert, null
from automata.lang.clang.index import Cursor
from automata.lang.clang.nodes import is_designated, is_value
from automata.lang.clang.types import is_closure
from automata.lang.tree import AddressOf, Construct, Expr, Literal
from automata.lang.types import ArrayOf, Pointer, Record, Type, Vector
from automata.place import Place, UnsupportedError
from automata.scalar import Scalar

MAX_ELEMENTS = 4096


class Initialisers(Constructions):
    """Reads what objects begin with."""

    def init_list(self, cursor: Cursor) -> Expr:
        return self.value(cursor, self.reader.type(cursor))

    def value(self, init: Cursor, kind: Type, *, own: bool = False) -> Expr:
        """An initialiser as a value of a type. `own`: it makes the object that is initialised, no temporary."""
        inner = init
        while inner.kind == kinds.UNEXPOSED and len(inner.expressions()) == 1 and inner.expressions()[0].kind in (
                kinds.INIT_LIST, kinds.UNEXPOSED) and self.reader.type(inner) == kind:
            inner = inner.expressions()[0]
        if inner.kind == kinds.INIT_LIST:
            return self.list_value(inner, kind, own=own)
        if inner.kind == kinds.STRING and isinstance(kind, ArrayOf):
            return self.characters(inner, kind)
        found = self.expr(init)
        if isinstance(kind, (Record, ArrayOf)):
            return found
        return self.converted(found, kind) if isinstance(found.type, Record) else convert(found, kind, found.place)

    def characters(self, cursor: Cursor, kind: ArrayOf) -> Expr:
        """An array that begins with the characters of a text; the rest is zero."""
        found, element = characters_of(cursor), kind.element
        if found is None or not isinstance(element, Scalar) or element.bits != 8 or element.is_float:
            raise UnsupportedError("an array of characters that are not read", cursor.place)
        parts = tuple(Literal(element.wrap(code), element, cursor.place) for code in found[: kind.count])
        return Construct(parts, kind, cursor.place)

    def converted(self, found: Expr, kind: Type) -> Expr:
        """An object where a list wants a scalar or pointer; libclang does not show the operator that converts it there."""
        declaration = self.reader.types.declarations.get(id(found.type))
        if declaration is not None and is_closure(declaration) and isinstance(kind, Pointer):
            return self.as_function(found, kind, found.place)
        raise UnsupportedError(f"a '{found.type}' converted to '{kind}' in an initialiser list", found.place)

    def as_function(self, closure: Expr, kind: Type, place: Place) -> Expr:
        raise NotImplementedError

    def list_value(self, cursor: Cursor, kind: Type, *, own: bool = False) -> Expr:
        items = cursor.expressions()
        place = cursor.place
        if not own:
            self.check_destructor(cursor.type, place)
        if isinstance(kind, (Record, ArrayOf, Vector)):
            if len(items) == 1 and items[0].kind != kinds.INIT_LIST and self.reader.type(items[0]) == kind:
                return self.item(items[0])
            queue = list(items)
            made = self.aggregate(queue, kind, place, own=own)
            if queue:
                raise UnsupportedError("an initialiser of this form", place)
            return made
        return self.value(items[0], kind) if items else zero(kind, place)

    def aggregate(self, queue: list[Cursor], kind: Record | ArrayOf | Vector, place: Place, *, own: bool = False) -> Expr:
        """A record or array made of the next items; braces inside may be left out."""
        if isinstance(kind, Vector):
            return self.vector(queue, kind, place)
        if self.constructs(kind, len(queue)):
            raise UnsupportedError(f"a '{kind}' made by a constructor in an initialiser list", place)
        parts: list[Expr] = []
        if isinstance(kind, ArrayOf):
            slots: list[tuple[str | None, Type]] = [("", kind.element)] * min(kind.count or 0, MAX_ELEMENTS, len(queue))
            if len(queue) > MAX_ELEMENTS:
                raise UnsupportedError(f"an initialiser of more than {MAX_ELEMENTS} values", place)
        else:
            slots = self.slots(kind)
        if queue and _designator(queue[0]) is not None:
            return self.designated(queue, kind, place)
        for name, slot in slots:
            if name is None:
                self.empty_base(queue, slot, place)
            elif not queue:
                if isinstance(kind, Record) and self.needs_constructor(kind):
                    parts.append(self.default_field(kind, name, slot, place))
                else:
                    break
            else:
                parts.append(self.next_part(queue, kind, name, slot, own=own))
        return Construct(tuple(parts), kind, place)

    def run_of_bits(self, items: list[Cursor | None], run: list[BitField], kind: Record, place: Place) -> Expr:
        """The number that holds a run of bit-fields, made of an item for each. What has no item is 0; so are bits that are no
        field's, aloud: C++ leaves them open."""
        values = [Literal(0, field.kind, place) if item is None else self.value(item, field.kind)
                  for item, field in zip(items, run, strict=True)]
        if sum(field.width for field in run) < run[0].holder.bits:
            self.reader.assumed[f"the bits of a '{kind}' that are no field's are 0 (line {place.line})"] = None
        return joined(run, values, place)

    def constructs(self, kind: Record | ArrayOf, given: int) -> bool:
        """Whether constructors of its own make an object from so many items, or the rest of an array's elements: libclang
        does not show which."""
        if isinstance(kind, ArrayOf):
            return given < (kind.count or 0) and not isinstance(kind.element, ArrayOf) and self.needs_constructor(kind.element)
        own = self.reader.types.own_constructors(kind)
        return bool(own) and not (given in (0, len(kind.fields)) and all(sets_each_field(child) for child in own))

    def vector(self, queue: list[Cursor], kind: Vector, place: Place) -> Expr:
        """A vector made of scalars and smaller vectors."""
        parts: list[Expr] = []
        while queue:
            item = self.expr(queue.pop(0))
            parts.append(item if isinstance(item.type, Vector) else convert(item, kind.element, place))
        return Construct(tuple(parts), kind, place)

    def next_part(self, queue: list[Cursor], owner: Record | ArrayOf, name: str, slot: Type, *, own: bool) -> Expr:
        item = queue[0]
        if isinstance(owner, Record) and (run := self.reader.types.run_of(owner, name)):
            return self.run_of_bits([queue.pop(0) if queue else None for _ in run], run, owner, item.place)
        if isinstance(owner, Record) and self.reader.types.is_reference(owner, name):
            queue.pop(0)
            return self.referred(item, slot)
        if item.kind == kinds.INIT_LIST or not isinstance(slot, (Record, ArrayOf)):
            queue.pop(0)
            return self.value(item, slot, own=own)
        if self.reader.type(item) == slot:
            queue.pop(0)
            return self.item(item)
        return self.aggregate(queue, slot, item.place, own=own)

    def item(self, item: Cursor) -> Expr:
        """An object as an item of a list, copied there; libclang does not show a constructor that copies it."""
        found = self.expr(item)
        if not is_value(item):
            if self.copies_itself(found.type, True):
                raise UnsupportedError(f"a copy of '{found.type}' made by its own constructor in an initialiser list", item.place)
            self.check_copy(found.type, item.place, True)
        return found

    def referred(self, item: Cursor, slot: Type) -> Expr:
        """What a reference field is bound to: a place, or a temporary."""
        found = self.expr(item)
        if not isinstance(slot, Pointer) or found.type != slot.to:
            raise UnsupportedError(f"a reference field bound to a '{found.type}' in an initialiser list", item.place)
        return AddressOf(found, Pointer(found.type), found.place)

    def slots(self, kind: Record) -> list[tuple[str | None, Type]]:
        """What the items of a list are for: bases, then fields; without a name the bases that have no fields."""
        bases = self.reader.types.bases(kind)
        own = kind.fields[sum(is_field for _, is_field in bases):]
        fields = own[: 1 if kind.is_union else None]
        found: list[tuple[str | None, Type]] = [(base.name if is_field else None, base) for base, is_field in bases]
        return [*found, *((item.name, item.type) for item in fields)]

    def empty_base(self, queue: list[Cursor], base: Type, place: Place) -> None:
        """A base without fields takes `{}` off a list."""
        plain = not queue or (queue[0].kind == kinds.INIT_LIST and not queue[0].expressions())
        if not plain or self.needs_constructor(base):
            raise UnsupportedError(f"the base '{base}' without fields in an initialiser list", place)
        del queue[:1]

    def default_field(self, owner: Record, name: str, slot: Type, place: Place) -> Expr:
        for child in self.reader.types.members(owner):
            if child.kind == kinds.FIELD and child.spelling == name and self.has_default(child):
                around, self.reader.this = self.reader.this, None
                found = self.value(child.expressions()[-1], slot)
                self.reader.this = around
                return found
        if self.needs_constructor(slot):
            if not isinstance(slot, Record):
                raise UnsupportedError(f"the default value of the field '{name}'", place)
            return self.aggregate([], slot, place)
        return zero(slot, place)

    def designated(self, queue: list[Cursor], kind: Record | ArrayOf, place: Place) -> Expr:
        """`{.x = 1, .y = 2}`."""
        if not isinstance(kind, Record) or kind.is_union:
            raise UnsupportedError("a designated initialiser of this form", place)
        given: dict[str, Cursor] = {}
        while queue:
            item = queue.pop(0)
            name = _designator(item)
            if name is None:
                raise UnsupportedError("a designated initialiser of this form", place)
            given[name] = item.expressions()[-1]
        parts: list[Expr] = []
        for slot in kind.fields:
            if run := self.reader.types.run_of(kind, slot.name):
                named = [given.get(name) for name in self.reader.types.names_of(slot.name)]
                parts.append(self.run_of_bits(named, run, kind, place))
                continue
            init = given.get(slot.name)
            parts.append(self.default_field(kind, slot.name, slot.type, place) if init is None else self.value(init, slot.type))
        return Construct(tuple(parts), kind, place)


def zero(kind: Type, place: Place) -> Expr:
    """The zero of a type."""
    if isinstance(kind, Pointer):
        return null(kind, place)
    if isinstance(kind, Scalar):
        return Literal(0.0 if kind.is_float else 0, kind, place)
    return Construct((), kind, place)


def _designator(cursor: Cursor) -> str | None:
    if cursor.kind != kinds.UNEXPOSED or not is_designated(cursor):
        return None
    refs = [child for child in cursor.children() if child.kind == kinds.MEMBER_REF]
    return refs[0].spelling if len(refs) == 1 else None
