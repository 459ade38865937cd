"""Names, members and literals of clang's tree as the typed tree's. `HANDLERS` says which method of the whole reader reads which
kind of node."""

from __future__ import annotations

from dataclasses import replace

from automata.lang.clang import kinds
from automata.lang.clang.bit_fields import Bits
from automata.lang.clang.characters import characters_of
from automata.lang.clang.conversions import Conversions
from automata.lang.clang.convert import address, convert, deref, is_fixed, null
from automata.lang.clang.index import Cursor
from automata.lang.clang.nodes import components
from automata.lang.clang.reader import MAX_DEPTH, STATIC
from automata.lang.core import AXES, Quantity
from automata.lang.opencl import swizzle
from automata.lang.tree import (
    Construct,
    Deref,
    Expr,
    FunctionName,
    Literal,
    Member,
    Name,
    Query,
    Variable,
)
from automata.lang.types import VOID, Code, Pointer, Record, Vector
from automata.place import Place, UnsupportedError
from automata.scalar import I8, I32, U32, U64, Scalar

QUERIES = {quantity.value: quantity for quantity in Quantity}
REFUSED = {kinds.NEW: "new", kinds.DELETE: "delete", kinds.THROW: "exceptions", kinds.TYPEID: "typeid", kinds.DYNAMIC_CAST:
           "dynamic_cast", kinds.GENERIC: "_Generic", kinds.IMAGINARY: "complex numbers", kinds.LABEL_ADDRESS: "a computed goto",
           kinds.PACK_EXPANSION: "a pack expansion"}
HANDLERS: dict[int, str] = {
    kinds.UNEXPOSED: "unexposed", kinds.NAME: "name", kinds.MEMBER: "member", kinds.CALL: "call", kinds.INTEGER: "literal",
    kinds.FLOATING: "literal", kinds.CHARACTER: "literal", kinds.BOOLEAN: "literal", kinds.STRING: "text_literal",
    kinds.PAREN: "paren", kinds.UNARY: "unary", kinds.SUBSCRIPT: "subscript", kinds.BINARY: "binary",
    kinds.COMPOUND_ASSIGN: "compound",
    kinds.CONDITIONAL: "choose", kinds.C_CAST: "cast", kinds.STATIC_CAST: "cast", kinds.REINTERPRET_CAST: "cast",
    kinds.CONST_CAST: "cast", kinds.FUNCTIONAL_CAST: "cast", kinds.ADDRSPACE_CAST: "cast", kinds.COMPOUND_LITERAL: "paren",
    kinds.INIT_LIST: "init_list", kinds.NULLPTR: "null_pointer", kinds.GNU_NULL: "null_long", kinds.THIS: "this_pointer",
    kinds.SIZEOF: "measure", kinds.PACK_SIZE: "measure", kinds.LAMBDA: "lambda_expression", kinds.BUILTIN_BIT_CAST: "bit_cast",
    kinds.STMT_EXPR: "statement_expression",
}


class Names(Conversions):
    """Reads expressions of one kernel and its callees."""

    def expr(self, cursor: Cursor) -> Expr:
        """The tree of an expression; a place stays a place."""
        method = HANDLERS.get(cursor.kind)
        if method is None:
            raise UnsupportedError(REFUSED.get(cursor.kind, "an expression that this version does not read"), cursor.place)
        self.reader.depth += 1
        if self.reader.depth > MAX_DEPTH:
            raise UnsupportedError("expressions nested too deeply", cursor.place)
        found: Expr = getattr(self, method)(cursor)
        self.reader.depth -= 1
        return found

    # -- literals ------------------------------------------------------------------------------------

    def literal(self, cursor: Cursor) -> Expr:
        value = cursor.evaluate()
        kind = self.reader.type(cursor)
        if value is None or not isinstance(kind, Scalar):
            raise UnsupportedError("a literal of this type", cursor.place)
        if kind.is_float:
            return Literal(float(value), kind, cursor.place)
        return Literal(kind.wrap(int(value)), kind, cursor.place)

    def constant_value(self, cursor: Cursor, otherwise: str) -> Expr:
        """What clang evaluates: a trait, sizeof, the size of a pack, a zero."""
        kind = self.reader.type(cursor)
        value = cursor.evaluate()
        if value is not None and isinstance(kind, Scalar):
            return Literal(float(value) if kind.is_float else kind.wrap(int(value)), kind, cursor.place)
        if isinstance(kind, Pointer) and value == 0:
            return null(kind, cursor.place)
        raise UnsupportedError(otherwise, cursor.place)

    def measure(self, cursor: Cursor) -> Expr:
        return self.constant_value(cursor, "a size that is not constant")

    def text_literal(self, cursor: Cursor) -> Expr:
        """A text stands for an address, not the null pointer's, of its characters."""
        return Literal(1, Pointer(I8, const=True), cursor.place, characters_of(cursor) or b"")

    def null_long(self, cursor: Cursor) -> Expr:
        return Literal(0, U64, cursor.place)

    def null_pointer(self, cursor: Cursor) -> Expr:
        return null(Pointer(VOID), cursor.place)

    # -- names and members ---------------------------------------------------------------------------

    def name(self, cursor: Cursor) -> Expr:
        target = cursor.referenced
        if not target.exists or target.kind == kinds.TEMPLATE_VALUE:
            parts = cursor.expressions()
            if len(parts) != 1:
                self.reader.type(cursor)
                raise UnsupportedError(f"the name '{cursor.spelling}'", cursor.place)
            return convert(self.expr(parts[0]), self.reader.type(cursor), cursor.place)
        return self.declared(target, cursor)

    def declared(self, target: Cursor, cursor: Cursor) -> Expr:
        """A name of a variable, parameter or enumerator."""
        place = cursor.place
        part = self.reader.bound.get(target.canonical.key)
        if part is not None:
            found = self.expr(part)
            return found if id(found) in self.reader.bits else replace(found, place=place)
        if target.kind == kinds.FUNCTION or (target.kind == kinds.METHOD and target.asks("CXXMethod_isStatic")):
            return self.function_name(target, place)
        is_known = target.kind in (kinds.VAR, kinds.PARAM, kinds.ENUM_CONSTANT)
        if not (is_known or is_variable_template(target) or is_taken_apart(target)):
            self.reader.type(cursor)
            is_method = target.kind in kinds.FUNCTIONS
            raise UnsupportedError("a pointer to a member" if is_method else f"the name '{cursor.spelling}'", place)
        element = self.reader.ranges.get(target.canonical.key)
        if element is not None:
            return element
        constant = self.reader.constant(target)
        if constant is not None and not self.is_plain_local(target):
            return Literal(constant.value, constant.type, place)
        if target.kind == kinds.VAR and target.spelling in QUERIES and self.in_stub(target):
            kind = self.reader.type(cursor)
            return Construct(tuple(Query(QUERIES[target.spelling], axis, U32, place) for axis in AXES), kind, place)
        if target.kind == kinds.VAR and target.spelling == "warpSize" and self.in_stub(target):
            return Literal(32, I32, place)
        held = self.of_fixed_object(target) or self.reader.captured(target, place)
        if held is not None:
            return held
        variable = self.reader.variable(target)
        if target.kind not in (kinds.PARAM, kinds.ENUM_CONSTANT):
            self.fill_constant(variable, target)
            self.fill_initial(variable, target)
        return Name(variable, variable.type, place)

    def of_fixed_object(self, target: Cursor) -> Expr | None:
        """What a reference outside of a lambda means in it where C++ captures none: it was bound to a part of memory that is
        there for as long as the program, told by constants alone ([expr.prim.lambda.capture], [expr.const])."""
        reader = self.reader
        if reader.closure is None or target.kind != kinds.VAR or target.type.kind not in kinds.REFERENCES or (
                target.canonical.key in reader.captures or target.parent.canonical.key == reader.current):
            return None
        init = target.initialiser
        outer, reader.prelude = reader.prelude, []
        found = self.expr(init) if init.exists else None
        reader.prelude = outer
        return found if found is not None and is_fixed(found) else None

    def is_plain_local(self, target: Cursor) -> bool:
        """Whether this is a `const` local whose value is computed, which C reads as a variable."""
        if target.kind != kinds.VAR or target.parent.canonical.key != self.reader.current:
            return False
        is_static = target.unit.lib.clang_Cursor_getStorageClass(target.raw) == STATIC
        init = target.initialiser
        if is_static or not init.exists or "constexpr" in self.reader.text(target).partition("=")[0]:
            return False
        outer, self.reader.prelude = self.reader.prelude, []
        is_literal = isinstance(self.expr(init), Literal)
        self.reader.prelude = outer
        return not is_literal

    def function_name(self, target: Cursor, place: Place) -> Expr:
        """A function that is not called here: a pointer to it."""
        kind = Pointer(self.reader.types.code(target.type, place))
        definition = target.definition
        if not definition.exists and self.in_stub(target) and (function := self.reader.of_library(target)) is not None:
            return FunctionName(function, kind, place)
        if not definition.exists and not self.reader.is_outside(target):
            raise UnsupportedError(f"a pointer to the function '{target.spelling}'", place)
        return FunctionName(self.reader.function(definition) if definition.exists else self.reader.outside(target), kind, place)

    def fill_constant(self, variable: Variable, cursor: Cursor) -> None:
        raise NotImplementedError

    def fill_initial(self, variable: Variable, cursor: Cursor) -> None:
        raise NotImplementedError

    def evaluated(self, variable: Variable, cursor: Cursor) -> Literal | None:
        """The value of a scalar that is a constant, or of its initialiser."""
        value = cursor.evaluate()
        if value is None or not isinstance(variable.type, Scalar):
            return None
        exact = variable.type.wrap(int(value)) if variable.type.is_int else variable.type.round(float(value))
        return Literal(exact, variable.type, cursor.place)

    def in_stub(self, cursor: Cursor) -> bool:
        return cursor.place.file == self.reader.stub

    def member(self, cursor: Cursor) -> Expr:
        target = cursor.referenced
        parts = cursor.expressions()
        if target.kind in (kinds.VAR, kinds.ENUM_CONSTANT):
            return self.declared(target, cursor)
        place = cursor.place
        if target.kind != kinds.FIELD:
            self.reader.type(cursor)
            raise UnsupportedError(f"the member '{cursor.spelling}'", place)
        if parts and (query := self.query(parts[0], target.spelling, place)) is not None:
            return query
        return self.field(self.object(parts, place), target, place)

    def query(self, base: Cursor, field: str, place: Place) -> Expr | None:
        """`threadIdx.x` and its like."""
        while base.kind in (kinds.PAREN, kinds.UNEXPOSED) and len(base.expressions()) == 1:
            base = base.expressions()[0]
        if base.kind != kinds.NAME or base.spelling not in QUERIES or field not in AXES or not self.in_stub(base.referenced):
            return None
        return Query(QUERIES[base.spelling], field, U32, place)

    def object(self, parts: list[Cursor], place: Place) -> Expr:
        """What a member is taken of: written, through a pointer, or `this`."""
        if not parts:
            return self.this(place)
        base = self.expr(parts[0])
        return deref(base, base.type.to, place) if isinstance(base.type, Pointer) else base

    def this(self, place: Place) -> Expr:
        if self.reader.this is None:
            raise UnsupportedError("'this' outside a method", place)
        return replace(self.reader.this, place=place)

    def this_pointer(self, cursor: Cursor) -> Expr:
        return address(self.this(cursor.place), cursor.place)

    def field(self, base: Expr, target: Cursor, place: Place) -> Expr:
        """A field of a record, also one of a base class or of an unnamed union inside it."""
        types = self.reader.types
        owner = self.reader.owner(target, place)
        steps: list[tuple[str, Record]] = []
        while owner is not base.type and id(owner) in types.paths:
            outer, name = types.paths[id(owner)]
            steps.append((name, owner))
            owner = outer
        if isinstance(base.type, Record) and owner is not base.type:
            for name, record in types.path_to_base(base.type, owner) or []:
                base = Member(base, name, record, place)
        for name, record in reversed(steps):
            base = Member(base, name, record, place)
        if (bit := types.bits.get((id(base.type), target.spelling))) is not None:
            value = bit.read(base, place)
            self.reader.bits[id(value)] = Bits(bit, base, value)
            return value
        kind = types.read(target.type, place)
        name = types.paths[id(kind)][1] if id(kind) in types.paths else target.spelling
        if isinstance(base.type, Record) and types.is_reference(base.type, name):
            return Deref(Member(base, name, Pointer(kind), place), kind, place)
        return Member(base, name, Pointer(kind) if isinstance(kind, Code) else kind, place)

    def component(self, cursor: Cursor, base: Cursor) -> Expr | None:
        """`v.xy`, `p->xy`, which libclang does not name."""
        word = components(cursor)
        if word is None:
            return None
        found = self.expr(base)
        place = cursor.place
        if isinstance(found.type, Pointer):
            found = deref(found, found.type.to, place)
        if not isinstance(found.type, Vector):
            raise UnsupportedError(f"the member '{word}'", place)
        return swizzle(found, word, place)


def is_variable_template(cursor: Cursor) -> bool:
    """Whether this is an instantiation of a variable template, for which libclang has no kind."""
    return cursor.kind == kinds.UNEXPOSED_DECL and cursor.parent.kind not in kinds.FUNCTIONS


def is_taken_apart(cursor: Cursor) -> bool:
    """Whether this is the object without a name that a structured binding declares."""
    return cursor.kind == kinds.UNEXPOSED_DECL and cursor.spelling.startswith("[")
