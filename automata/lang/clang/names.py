"""Names, members, literals and conversions of clang's tree as the typed tree's.

libclang shows an implicit conversion as an unexposed node around its operand; which conversion it is
follows from the two types. `HANDLERS` says which method of the whole reader reads which kind of node.
"""

from __future__ import annotations

import re
from dataclasses import replace

from automata.lang.clang import kinds
from automata.lang.clang.convert import address, convert, convertible, deref, is_place, is_pure, null, unpromoted
from automata.lang.clang.index import Cursor
from automata.lang.clang.nodes import BIT_CAST, CONVERSIONS, PLACE_BIT_CAST, TO_BASE_OF_OBJECT, TO_DERIVED, cast_kind, is_value
from automata.lang.clang.reader import MAX_DEPTH, STATIC, Reader
from automata.lang.core import AXES, Quantity
from automata.lang.opencl import swizzle
from automata.lang.tree import (
    AddressOf,
    Binary,
    Conditional,
    Construct,
    Convert,
    Copy,
    Deref,
    Expr,
    FunctionName,
    Literal,
    Member,
    Name,
    Query,
    Storage,
    Variable,
)
from automata.lang.types import VOID, ArrayOf, Code, Opaque, Pointer, Record, Type, Vector, offsets
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import BOOL, I8, I32, U32, U64, Scalar

QUERIES = {quantity.value: quantity for quantity in Quantity}
REFUSED = {kinds.NEW: "new", kinds.DELETE: "delete", kinds.THROW: "exceptions", kinds.TYPEID: "typeid", kinds.STMT_EXPR:
           "a statement expression", kinds.DYNAMIC_CAST: "dynamic_cast", kinds.GENERIC: "_Generic", kinds.IMAGINARY:
           "complex numbers", kinds.LABEL_ADDRESS: "a computed goto", kinds.PACK_EXPANSION: "a pack expansion"}
HANDLERS: dict[int, str] = {
    kinds.UNEXPOSED: "unexposed", kinds.NAME: "name", kinds.MEMBER: "member", kinds.CALL: "call", kinds.INTEGER: "literal",
    kinds.FLOATING: "literal", kinds.CHARACTER: "literal", kinds.BOOLEAN: "literal", kinds.STRING: "text_literal",
    kinds.PAREN: "paren", kinds.UNARY: "unary", kinds.SUBSCRIPT: "subscript", kinds.BINARY: "binary",
    kinds.COMPOUND_ASSIGN: "compound",
    kinds.CONDITIONAL: "choose", kinds.C_CAST: "cast", kinds.STATIC_CAST: "cast", kinds.REINTERPRET_CAST: "cast",
    kinds.CONST_CAST: "cast", kinds.FUNCTIONAL_CAST: "cast", kinds.ADDRSPACE_CAST: "cast", kinds.COMPOUND_LITERAL: "paren",
    kinds.INIT_LIST: "init_list", kinds.NULLPTR: "null_pointer", kinds.GNU_NULL: "null_long", kinds.THIS: "this_pointer",
    kinds.SIZEOF: "measure", kinds.PACK_SIZE: "measure", kinds.LAMBDA: "lambda_expression", kinds.BUILTIN_BIT_CAST: "bit_cast",
}


class Names:
    """Reads expressions of one kernel and its callees."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

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

    def test(self, cursor: Cursor) -> Expr:
        """A condition, converted to BOOL."""
        found = self.expr(cursor)
        return convert(found, BOOL, found.place)

    # -- conversions ---------------------------------------------------------------------------------

    def paren(self, cursor: Cursor) -> Expr:
        return self.expr(cursor.expressions()[0])

    def unexposed(self, cursor: Cursor) -> Expr:
        """An implicit conversion, a temporary, or a node that libclang has no name for."""
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
        found = self.to_type(cursor, self.expr(child), child)
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
        """A text stands for an address, not the null pointer's, that no kernel reads from."""
        return Literal(1, Pointer(I8, const=True), cursor.place)

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
        if target.kind == kinds.FUNCTION or (target.kind == kinds.METHOD and target.asks("CXXMethod_isStatic")):
            return self.function_name(target, place)
        if target.kind not in (kinds.VAR, kinds.PARAM, kinds.ENUM_CONSTANT) and not is_variable_template(target):
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
        held = self.reader.captured(target, place)
        if held is not None:
            return held
        variable = self.reader.variable(target)
        if variable.value is None and variable.const and target.kind == kinds.VAR:
            self.fill_constant(variable, target)
        if target.kind == kinds.VAR and variable.value is None and variable.initial is None:
            self.fill_initial(variable, target)
        return Name(variable, variable.type, place)

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
        if not definition.exists and not self.reader.is_outside(target):
            raise UnsupportedError(f"a pointer to the function '{target.spelling}'", place)
        return FunctionName(self.reader.function(definition) if definition.exists else self.reader.outside(target), kind, place)

    def fill_constant(self, variable: Variable, cursor: Cursor) -> None:
        """The value of a constant that lives outside functions."""
        if variable.storage.value not in ("constant", "global") or not variable.const:
            return
        variable.value = self.evaluated(variable, cursor)
        init = cursor.initialiser
        if variable.value is None and init.exists:
            known = init.kind == kinds.INIT_LIST or isinstance(variable.type, Vector)
            variable.value = self.expr(init) if known else None

    def fill_initial(self, variable: Variable, cursor: Cursor) -> None:
        """What a variable of the file holds at first, for the host may set it; and whether another file defines it."""
        if variable.storage not in (Storage.CONSTANT, Storage.GLOBAL):
            return
        definition = cursor.definition
        variable.external = not definition.exists
        init = definition.initialiser if definition.exists else cursor.initialiser
        text = self.reader.text(init) if init.exists else ""
        if not text or text == variable.name:
            return
        outer, self.reader.prelude = self.reader.prelude, []
        closures = dict(self.reader.closures)
        try:
            variable.initial = self.evaluated(variable, init) or self.expr(init)
        except InputError:
            variable.initial = text
        self.reader.prelude, self.reader.closures = outer, closures

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
            if self.reader.dialect == "opencl" and parts:
                return self.swizzle(cursor, self.expr(parts[0]))
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
        name = target.spelling
        kind = types.read(target.type, place)
        if isinstance(base.type, Record) and types.is_reference(base.type, name):
            return Deref(Member(base, name, Pointer(kind), place), kind, place)
        return Member(base, name, Pointer(kind) if isinstance(kind, Code) else kind, place)

    def component(self, cursor: Cursor, base: Cursor) -> Expr | None:
        """`v.xy`, `p->xy`, which libclang does not name: the node reaches further than its operand, and a point or an arrow
        follows that."""
        kind = self.reader.type(base)
        is_arrow = isinstance(kind, Pointer) and isinstance(kind.to, Vector)
        if not is_arrow and not isinstance(kind, Vector):
            return None
        file, _, end = cursor.extent
        _, _, inner = base.extent
        if inner >= end or not self.reader.source(file)[inner:end].lstrip().startswith(b"->" if is_arrow else b"."):
            return None
        found = self.expr(base)
        return self.swizzle(cursor, deref(found, found.type.to, cursor.place) if isinstance(found.type, Pointer) else found)

    def swizzle(self, cursor: Cursor, base: Expr) -> Expr:
        """Components of an OpenCL vector, named x y z w, s0 to sF, lo hi even odd."""
        place = cursor.place
        word = re.split(r"\.|->", self.reader.text(cursor))[-1].strip()
        if not isinstance(base.type, Vector):
            raise UnsupportedError(f"the member '{word}'", place)
        return swizzle(base, word, place)


def is_variable_template(cursor: Cursor) -> bool:
    """Whether this is an instantiation of a variable template, for which libclang has no kind."""
    return cursor.kind == kinds.UNEXPOSED_DECL and cursor.parent.kind not in kinds.FUNCTIONS
