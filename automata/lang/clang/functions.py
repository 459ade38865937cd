"""Bodies of functions and constructors, read one after another until nothing new is called."""

from __future__ import annotations

from automata.lang.clang import kinds
from automata.lang.clang.bases import is_constructor_template, not_known
from automata.lang.clang.construct import unwrapped
from automata.lang.clang.convert import convert
from automata.lang.clang.index import Cursor
from automata.lang.clang.initialisers import zero
from automata.lang.clang.nodes import is_value
from automata.lang.clang.reader import Closure
from automata.lang.clang.statements import Statements
from automata.lang.elaborate.scan import nodes
from automata.lang.tree import (
    AddressOf,
    Assign,
    Construct,
    Declare,
    Evaluate,
    Expr,
    Function,
    Goto,
    Index,
    Invoke,
    Literal,
    Member,
    Name,
    Stmt,
)
from automata.lang.types import VOID, ArrayOf, Field, Pointer, Record, Type
from automata.place import Place, UnsupportedError
from automata.scalar import I32

MAX_FUNCTIONS = 4000


class Functions(Statements):
    """Reads a kernel and, after it, every function it calls."""

    def kernel(self, cursor: Cursor) -> Function:
        made = self.reader.function(cursor)
        for param in made.params:
            self.handed(param.type, param.place)
        done, unknown = 0, 0
        while self.reader.queue:
            function, definition = self.reader.queue.pop(0)
            if self.is_unknown(definition) and unknown < len(self.reader.queue):
                self.reader.queue.append((function, definition))
                unknown += 1
                continue
            done, unknown = done + 1, 0
            if done > MAX_FUNCTIONS:
                raise UnsupportedError(f"a kernel that calls more than {MAX_FUNCTIONS} functions", made.place)
            self.fill_body(function, definition)
        made.body = (*self.reader.computed, *(made.body or ()))
        return made

    def is_unknown(self, definition: Cursor) -> bool:
        """Whether this is the body of a lambda with captures that has not been read yet: a function that makes it may come."""
        closure = self.reader.closure_of(definition)
        return closure is not None and closure not in self.reader.closures and bool(definition.parent.type.fields())

    def fill_body(self, function: Function, cursor: Cursor) -> None:
        self.reader.touch(cursor)
        self.enter(function, cursor)
        if not cursor.has(kinds.GLOBAL_ATTR):
            for shape in (cursor.type.result, *(param.type for param in cursor.arguments())):
                self.check_destructor(shape, function.place)
        bodies = [child for child in cursor.children() if child.kind in (kinds.COMPOUND, kinds.TRY)]
        first: list[Stmt] = self.members(cursor, function) if cursor.kind == kinds.CONSTRUCTOR else []
        if not bodies:
            if cursor.kind == kinds.CONSTRUCTOR:
                function.body = tuple(first)
                return
            raise UnsupportedError(f"the function '{function.name}', whose body clang could not read", function.place)
        function.body = (*first, *self.body(bodies[0]))
        if self.reader.destroys and any(isinstance(node, Goto) for node in nodes(function.body)):
            raise UnsupportedError("a goto in a function whose locals have a destructor", function.place)

    def enter(self, function: Function, cursor: Cursor) -> None:
        """What names mean in a body: in a lambda's, those of the variables around it are parts of the closure."""
        reader, key = self.reader, self.reader.closure_of(cursor)
        is_method = cursor.kind != kinds.FUNCTION and function.params and function.params[0].name == "this"
        this = function.params[0] if is_method else None
        reader.current, reader.captures, reader.closure = cursor.canonical.key, {}, None
        reader.scopes, reader.destroys, reader.returns_place = [], False, function.returns_place
        reader.this = Name(this, this.type, function.place) if this is not None else None
        if key is None:
            return
        if self.is_unknown(cursor):
            raise UnsupportedError("a lambda made outside the kernel", function.place)
        assert this is not None
        around = reader.closures.get(key, Closure())
        reader.captures, reader.closure = around.captures, this
        reader.this = around.this.of(this, function.place) if around.this is not None else None

    def members(self, cursor: Cursor, function: Function) -> list[Stmt]:
        """What a constructor does before its body: bases, then fields, as written or by default."""
        outer, self.reader.prelude = self.reader.prelude, []
        place = function.place
        this = function.params[0]
        record = this.type
        assert isinstance(record, Record)
        written, bases, delegate = self.written(cursor, record)
        base_place = Name(this, record, place)
        if delegate is not None:
            made: list[Stmt] = self.build(base_place, delegate, place)
        else:
            made = self.all_members(record, base_place, written, bases, place)
        before, self.reader.prelude = self.reader.prelude, outer
        return [*before, *made]

    def written(self, cursor: Cursor, record: Record) -> tuple[dict[str, Cursor], dict[int, Cursor], Cursor | None]:
        """The initialisers that a constructor writes: of fields by name, of bases, or the one it delegates to."""
        fields: dict[str, Cursor] = {}
        bases: dict[int, Cursor] = {}
        delegate = None
        pending: Cursor | None = None
        known = {id(base) for base, _ in self.reader.types.bases(record)}
        for child in cursor.children():
            if child.kind == kinds.MEMBER_REF:
                pending = child
            elif kinds.FIRST_EXPR <= child.kind <= kinds.LAST_EXPR and pending is not None:
                fields[pending.spelling] = child
                pending = None
            elif kinds.FIRST_EXPR <= child.kind <= kinds.LAST_EXPR and child.type.kind == kinds.T_RECORD:
                kind = self.reader.type(child)
                if kind is record:
                    delegate = child
                elif id(kind) in known:
                    bases[id(kind)] = child
                else:
                    raise UnsupportedError(f"an initialiser of '{record}' of this form", child.place)
        return fields, bases, delegate

    def all_members(self, record: Record, this: Expr, written: dict[str, Cursor], bases: dict[int, Cursor],
                    place: Place) -> list[Stmt]:
        made: list[Stmt] = []
        self.check_known(record, place)
        for base, is_field in self.reader.types.bases(record):
            if not is_field and id(base) not in bases and not self.needs_constructor(base):
                continue
            part: Expr = Member(this, base.name, base, place) if is_field else self.no_fields(base, place)
            if id(base) in bases:
                self.check_base(bases[id(base)])
                made += self.build(part, bases[id(base)], place)
            else:
                made += self.by_default(part, place)
        defaults = {child.spelling: child for child in self.reader.types.members(record) if child.kind == kinds.FIELD}
        rest = dict(written)
        for item in record.fields[len(record.fields) - self.own_fields(record):]:
            part = Member(this, item.name, item.type, place)
            if item.name in rest:
                made += self.field_value(record, part, item.name, rest.pop(item.name), place)
            elif inside := self.inside(item, rest):
                made += self.members_of_unnamed(part, inside, rest, place)
            elif item.name in defaults and self.has_default(defaults[item.name]):
                made += self.field_value(record, part, item.name, defaults[item.name].expressions()[-1], place)
            elif not record.is_union:
                made += self.by_default(part, place)
        if rest:
            raise UnsupportedError(f"the initialiser of '{next(iter(rest))}'", place)
        return made

    def check_known(self, record: Record, place: Place) -> None:
        """Refuse a class with a base or member that is not known: it may be constructed in its own way."""
        if self.reader.types.lacks_base(record):
            raise not_known(str(record), place)

    def check_base(self, init: Cursor) -> None:
        """Refuse a base made from a value of its class where that would be copied: compilers do so or make the base in place."""
        call = unwrapped(init)
        target, args = call.referenced, call.arguments()
        copies = target.asks("CXXConstructor_isCopyConstructor") or target.asks("CXXConstructor_isMoveConstructor")
        if call.kind != kinds.CALL or not args or not copies or self.is_implicit(target):
            return
        inner = args[0]
        while inner.kind == kinds.UNEXPOSED and not is_value(inner) and len(inner.expressions()) == 1:
            inner = inner.expressions()[0]
        if is_value(inner):
            raise UnsupportedError(f"the base '{call.spelling}' made from a value, by its own constructor or without", call.place)

    def no_fields(self, base: Record, place: Place) -> Expr:
        """A base without fields takes no room in its object: what its constructor does, it does to an object of its own."""
        variable = self.reader.temporary(base, place)
        self.reader.prelude.append(Declare(variable, None, place))
        return Name(variable, base, place)

    def inside(self, item: Field, written: dict[str, Cursor]) -> list[Field]:
        """The fields of an unnamed union or struct that a constructor initialises, or in which it initialises some."""
        if not item.name.startswith("(") or not isinstance(item.type, Record):
            return []
        return [inner for inner in item.type.fields if inner.name in written or self.inside(inner, written)]

    def members_of_unnamed(self, part: Expr, inside: list[Field], written: dict[str, Cursor], place: Place) -> list[Stmt]:
        """Initialisers of fields that lie in an unnamed union or struct; of all of a struct's, or of one of a union's."""
        assert isinstance(part.type, Record)
        if not part.type.is_union and len(inside) < len(part.type.fields) and self.needs_constructor(part.type):
            raise UnsupportedError("an unnamed struct that a constructor initialises in part", place)
        made: list[Stmt] = []
        for item in inside:
            place_of_item = Member(part, item.name, item.type, place)
            if item.name in written:
                made += self.build(place_of_item, written.pop(item.name), place)
            else:
                made += self.members_of_unnamed(place_of_item, self.inside(item, written), written, place)
        return made

    def own_fields(self, record: Record) -> int:
        return len(record.fields) - sum(is_field for _, is_field in self.reader.types.bases(record))

    def field_value(self, record: Record, part: Expr, name: str, init: Cursor, place: Place) -> list[Stmt]:
        if self.reader.types.is_reference(record, name):
            found = self.expr(init)
            kind = Pointer(found.type)
            return [Evaluate(Assign(part, AddressOf(found, kind, place), kind, place), place)]
        return self.build(part, init, place)

    def build(self, part: Expr, init: Cursor, place: Place) -> list[Stmt]:
        """Initialise a place that exists already."""
        built = self.built(part, init)
        if built is not None:
            return built
        if init.kind == kinds.UNEXPOSED and not init.expressions():
            return self.assign(part, zero(part.type, place), place)
        return self.assign(part, self.value(init, part.type, own=True), place)

    def assign(self, part: Expr, value: Expr, place: Place) -> list[Stmt]:
        """Assign a value; an array element by element."""
        kind: Type = part.type
        if isinstance(kind, ArrayOf) and isinstance(value, Construct):
            if (kind.count or 0) > 256:
                raise UnsupportedError("an array member of more than 256 elements with an initialiser", place)
            made: list[Stmt] = []
            for at in range(kind.count or 0):
                item = value.parts[at] if at < len(value.parts) else zero(kind.element, place)
                made += self.assign(Index(part, Literal(at, I32, place), kind.element, place), item, place)
            return made
        value = value if isinstance(kind, (Record, ArrayOf)) else convert(value, kind, place)
        return [Evaluate(Assign(part, value, kind, place), place)]

    def by_default(self, part: Expr, place: Place) -> list[Stmt]:
        """Default construction of a base or field."""
        if not self.needs_constructor(part.type):
            return []
        made: list[Stmt] = []
        for element in self.elements(part, place):
            record = element.type
            assert isinstance(record, Record)
            if self.has_constructors(record):
                made.append(Evaluate(Invoke(self.default_constructor(record, place), (element,), VOID, place), place))
                continue
            around, self.reader.this = self.reader.this, element
            made += self.all_members(record, element, {}, {}, place)
            self.reader.this = around
        return made

    def has_constructors(self, record: Record) -> bool:
        """Whether a class declares a constructor, so that the compiler writes none without parameters."""
        definition = self.reader.types.declarations[id(record)]
        return any(child.kind == kinds.CONSTRUCTOR or is_constructor_template(child, definition)
                   for child in self.reader.types.members(record))

    def default_constructor(self, record: Record, place: Place) -> Function:
        found = self.reader.types.default_constructor(self.reader.types.declarations[id(record)])
        if found is not None and not found.arguments():
            return self.reader.function(found)
        raise UnsupportedError(f"the default constructor of '{record}'", place)
