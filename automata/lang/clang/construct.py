"""Constructors and initialisers."""

from __future__ import annotations

from automata.lang.clang import kinds
from automata.lang.clang.bases import is_constructor_template, members_of, not_known
from automata.lang.clang.calls import Calls
from automata.lang.clang.index import Cursor, Shape
from automata.lang.clang.nodes import zeroes
from automata.lang.tree import (
    Assign,
    Comma,
    Construct,
    Declare,
    Evaluate,
    Expr,
    Index,
    Invoke,
    Literal,
    Name,
    Stmt,
    Storage,
    Variable,
)
from automata.lang.types import VOID, ArrayOf, Record, Type
from automata.place import Place, UnsupportedError
from automata.scalar import I32


class Constructions(Calls):
    """Reads constructions."""

    def construct(self, cursor: Cursor, target: Cursor) -> Expr:
        """A constructor as an expression: its value, or a temporary that it fills."""
        place = cursor.place
        kind = self.reader.type(cursor)
        self.check_destructor(cursor.type, place)
        copied = self.copied(cursor, target)
        if copied is not None:
            return copied
        if not isinstance(kind, Record):
            raise UnsupportedError("an array of constructed objects as a value", place)
        if self.is_trivial(cursor, target):
            return Construct((), kind, place)
        variable = self.reader.temporary(kind, place)
        self.reader.prelude.append(Declare(variable, None, place))
        name = Name(variable, kind, place)
        run = self.run_constructor(name, cursor, target)
        if zeroes(cursor):
            run = Comma(Assign(name, Construct((), kind, place), kind, place), run, VOID, place)
        return Comma(run, name, kind, place)

    def copied(self, cursor: Cursor, target: Cursor) -> Expr | None:
        """The argument of a copy or move that copies the bytes; None for other constructors."""
        if not (target.asks("CXXConstructor_isCopyConstructor") or target.asks("CXXConstructor_isMoveConstructor")):
            return None
        args = cursor.arguments()
        if not self.is_implicit(target) or len(args) != 1:
            return None
        self.check_copy(self.reader.owner(target, cursor.place), cursor.place, target.asks("CXXConstructor_isMoveConstructor"))
        return self.expr(args[0])

    def check_copy(self, kind: Type, place: Place, moves: bool = False) -> None:
        """Refuse a copy, or move, that the compiler writes of a class with a part that has its own way to be copied or moved."""
        if isinstance(kind, ArrayOf):
            return self.check_copy(kind.element, place, moves)
        definition = self.reader.types.declarations.get(id(kind)) if isinstance(kind, Record) else None
        if definition is None or not isinstance(kind, Record):
            return None
        for what, part in self.parts(kind):
            if self.copies_itself(part, moves):
                raise UnsupportedError(f"a copy of '{kind}', whose part '{what}' has its own way to be copied", place)
            self.check_copy(part, place, moves)
        return None

    def parts(self, kind: Record) -> list[tuple[str, Type]]:
        """The fields of a class, its bases among them, and bases without fields."""
        empty = [(base.name, base) for base, is_field in self.reader.types.bases(kind) if not is_field]
        return [*empty, *((item.name, item.type) for item in kind.fields)]

    def copies_itself(self, kind: Type, moves: bool = False) -> bool:
        """Whether a class, or that of an array's elements, has a copy constructor or assignment of its own, or one that moves."""
        while isinstance(kind, ArrayOf):
            kind = kind.element
        if self.reader.types.lacks_base(kind):
            return True
        for child in self.reader.types.members(kind):
            own = child.kind == kinds.CONSTRUCTOR and (child.asks("CXXConstructor_isCopyConstructor") or (
                moves and child.asks("CXXConstructor_isMoveConstructor")))
            if (own or child.spelling == "operator=") and child.kind in kinds.FUNCTIONS and not self.is_implicit(child):
                return True
        return False

    def is_trivial(self, cursor: Cursor, target: Cursor) -> bool:
        """Whether a default constructor does nothing but, perhaps, zero."""
        kind = self.reader.owner(target, cursor.place)
        return not cursor.arguments() and self.is_implicit(target) and not self.needs_constructor(kind)

    def needs_constructor(self, kind: Type) -> bool:
        """Whether default construction of a type runs code."""
        if isinstance(kind, ArrayOf):
            return self.needs_constructor(kind.element)
        if not isinstance(kind, Record):
            return False
        definition = self.reader.types.declarations.get(id(kind))
        if definition is None:
            return False
        if self.reader.types.lacks_base(kind):
            return True
        for child in members_of(definition):
            if child.kind == kinds.CONSTRUCTOR and is_default(child) and not self.is_implicit(child):
                return True
            if (child.kind == kinds.FIELD and self.has_default(child)) or is_constructor_template(child, definition, bare=True):
                return True
        if any(self.needs_constructor(base) for base, _ in self.reader.types.bases(kind)):
            return True
        return any(self.needs_constructor(item.type) for item in kind.fields)

    def has_default(self, field: Cursor) -> bool:
        """Whether a field has a default member initialiser: clang prints it with the field, where that is asked for."""
        return bool(field.expressions()) and field.printed() != field.printed(initialiser=False)

    def run_constructor(self, target_place: Expr, cursor: Cursor, target: Cursor) -> Expr:
        """The call of a constructor on a place."""
        place = cursor.place
        owner = self.reader.owner(target, place)
        if isinstance(target_place.type, Record) and owner is not target_place.type:
            raise UnsupportedError("an inherited constructor", place)
        definition = target.definition
        if not definition.exists:
            raise UnsupportedError(f"the constructor of '{owner}', whose body is not known", place)
        function = self.reader.function(definition)
        args = self.fill(cursor.arguments(), definition, target)
        return Invoke(function, (target_place, *args), VOID, place)

    def check_destructor(self, shape: Shape, place: Place) -> None:
        """Refuse a temporary, or what else is destroyed at no end of a scope, if its destructor runs code, or that of a part."""
        if (name := self.runs_destructor(shape, place)) is not None:
            raise UnsupportedError(f"the destructor of '{name}'", place)

    def runs_destructor(self, shape: Shape, place: Place) -> str | None:
        """The class, of this object or of a part of it, whose destructor runs code; None if none does."""
        if shape.kind == kinds.T_CONSTANT_ARRAY:
            return self.runs_destructor(shape.element, place)
        definition = shape.declaration.definition if shape.kind == kinds.T_RECORD else None
        if definition is None or shape.key in self.reader.harmless or not definition.exists:
            return None
        if self.reader.types.lacks(definition):
            raise not_known(shape.spelling, place)
        if any(child.kind == kinds.DESTRUCTOR and self.does_something(child) for child in members_of(definition)):
            return shape.spelling
        parts = [*self.reader.types.bases_of(definition), *(item.type for item in shape.fields())]
        found = next((name for part in parts if (name := self.runs_destructor(part, place)) is not None), None)
        if found is None:
            self.reader.harmless.add(shape.key)
        return found

    def does_something(self, destructor: Cursor) -> bool:
        """Whether the body of a destructor is not empty, or not known."""
        if destructor.asks("CXXMethod_isDefaulted"):
            return False
        known = destructor.definition
        body = [part for part in known.children() if part.kind == kinds.COMPOUND] if known.exists else []
        return not body or bool(body[0].children())

    def initialise(self, variable: Variable, init: Cursor, place: Place) -> list[Stmt]:
        """The declaration of a local with its initialiser."""
        built = self.built(Name(variable, variable.type, place), init)
        if built is not None:
            return [self.undefined(variable, place), *built]
        value = self.value(init, variable.type, own=True)
        return [Declare(variable, value, place)]

    def undefined(self, variable: Variable, place: Place) -> Declare:
        """A local that is not set yet. One with bit-fields is taken to be 0: a bit-field is stored with those beside it."""
        if variable.storage is not Storage.LOCAL or not self.reader.types.has_bits(variable.type):
            return Declare(variable, None, place)
        self.reader.assumed[f"the local '{variable.name}', which has bit-fields, is 0 until it is set (line {place.line})"] = None
        return Declare(variable, Construct((), variable.type, place), place)

    def built(self, target_place: Expr, init: Cursor) -> list[Stmt] | None:
        """The constructor calls that initialise a place; None if it is initialised by a value."""
        inner = unwrapped(init)
        if inner.kind != kinds.CALL:
            return None
        target = inner.referenced
        if target.kind != kinds.CONSTRUCTOR or self.copied_kind(inner, target):
            return None
        place = inner.place
        kind = target_place.type
        if not inner.arguments() and self.is_implicit(target) and not self.needs_constructor(self.reader.owner(target, place)):
            if zeroes(inner):
                return [Evaluate(Assign(target_place, Construct((), kind, place), kind, place), place)]
            return []
        if isinstance(kind, ArrayOf):
            return [Evaluate(self.run_constructor(part, inner, target), place) for part in self.elements(target_place, place)]
        if isinstance(kind, Record) and self.reader.owner(target, place) is kind:
            zeroed: list[Stmt] = []
            if zeroes(inner):
                zeroed = [Evaluate(Assign(target_place, Construct((), kind, place), kind, place), place)]
            return [*zeroed, Evaluate(self.run_constructor(target_place, inner, target), place)]
        return None

    def copied_kind(self, cursor: Cursor, target: Cursor) -> bool:
        return (target.asks("CXXConstructor_isCopyConstructor") or target.asks("CXXConstructor_isMoveConstructor")) and \
            self.is_implicit(target)

    def elements(self, target_place: Expr, place: Place) -> list[Expr]:
        """The elements of an array place, also of arrays in it."""
        kind = target_place.type
        if not isinstance(kind, ArrayOf):
            return [target_place]
        if kind.count is None or kind.count > 64:
            raise UnsupportedError("an array of more than 64 constructed objects", place)
        found: list[Expr] = []
        for at in range(kind.count):
            found.extend(self.elements(Index(target_place, Literal(at, I32, place), kind.element, place), place))
        return found

    def value(self, init: Cursor, kind: Type, *, own: bool = False) -> Expr:
        """An initialiser as a value of a type. `own`: it makes the object that is initialised, no temporary."""
        raise NotImplementedError

def is_default(constructor: Cursor) -> bool:
    return constructor.asks("CXXConstructor_isDefaultConstructor")


def unwrapped(cursor: Cursor) -> Cursor:
    """Below temporaries and functional casts that change nothing."""
    while cursor.kind in (kinds.UNEXPOSED, kinds.FUNCTIONAL_CAST):
        inside = cursor.expressions()
        if len(inside) != 1 or not _same_record(inside[0], cursor):
            break
        cursor = inside[0]
    return cursor


def _same_record(inner: Cursor, outer: Cursor) -> bool:
    """Whether two nodes have one class type, const or not, or one array type."""
    if inner.type.kind == outer.type.kind == kinds.T_RECORD:
        return inner.type.declaration.canonical.key == outer.type.declaration.canonical.key
    return inner.type.key == outer.type.key
