"""What the reading of one kernel knows: its variables, functions, closures, and what it has touched.

A declaration of clang's is one object of the tree, however often it is mentioned. Bodies wait in a queue
until the text that calls them has been read. `touched` lists the extents of all that the kernel uses;
an error of clang's inside one of them refuses the kernel.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal as Choice

from automata.lang.clang import kinds
from automata.lang.clang.bit_fields import Bits
from automata.lang.clang.index import Cursor, Parsed, Shape
from automata.lang.clang.types import Types, is_closure
from automata.lang.library import Entry, choose, table
from automata.lang.tree import Comma, Deref, Expr, Function, Library, Literal, Member, Name, Return, Stmt, Storage, Variable
from automata.lang.types import VOID, ArrayOf, Code, Pointer, Record, Type
from automata.place import Place, UnsupportedError
from automata.scalar import Scalar

STATIC, EXTERN = 3, 2
MAX_DEPTH = 400


def text_of(texts: dict[str, bytes], file: str) -> bytes:
    """The text of a file that clang has read; offsets count its bytes."""
    if file not in texts:
        try:
            texts[file] = texts.get(os.path.abspath(file)) or Path(file).read_bytes()
        except OSError:
            texts[file] = b""
    return texts[file]


@dataclass(frozen=True)
class Capture:
    """What a closure keeps of a variable or of `this`: the field it is in, its type, and whether the field says where it is."""

    field: str
    type: Type
    refers: bool

    def of(self, closure: Variable, place: Place) -> Expr:
        """The place that the variable's name means in the lambda's body."""
        base = Name(closure, closure.type, place)
        if not self.refers:
            return Member(base, self.field, self.type, place)
        return Deref(Member(base, self.field, Pointer(self.type), place), self.type, place)


@dataclass(frozen=True)
class Closure:
    """A lambda: what it captures, by the variables' declarations, and of the `this` around it."""

    captures: dict[int, Capture] = field(default_factory=dict)
    this: Capture | None = None


@dataclass
class Scope:
    """A scope that is being read: the locals declared in it so far that have a destructor, each with its class; whether a `break`
    or `continue` inside leaves it."""

    objects: list[tuple[Variable, Shape]]
    breaks: bool
    continues: bool


@dataclass
class Reader:
    """The state of one reading."""

    unit: Parsed
    dialect: Choice["cuda", "opencl"]
    texts: dict[str, bytes]
    stub: str
    types: Types = field(default_factory=Types)
    variables: dict[int, Variable] = field(default_factory=dict)
    constants: dict[int, Literal | None] = field(default_factory=dict)
    functions: dict[int, Function] = field(default_factory=dict)
    queue: list[tuple[Function, Cursor]] = field(default_factory=list)
    closures: dict[int, Closure] = field(default_factory=dict)
    touched: list[tuple[str, int, int]] = field(default_factory=list)
    prelude: list[Stmt] = field(default_factory=list)
    captures: dict[int, Capture] = field(default_factory=dict)
    ranges: dict[int, Expr] = field(default_factory=dict)
    closure: Variable | None = None
    this: Expr | None = None
    harmless: set[int] = field(default_factory=set)
    scopes: list[Scope] = field(default_factory=list)
    destroys: bool = False
    returns_place: bool = False
    bound: dict[int, Cursor] = field(default_factory=dict)
    filled: set[Variable] = field(default_factory=set)
    computed: list[Stmt] = field(default_factory=list)
    temporaries: set[Variable] = field(default_factory=set)
    bits: dict[int, Bits] = field(default_factory=dict)
    assumed: dict[str, None] = field(default_factory=dict)
    depth: int = 0
    current: int = 0

    @property
    def library(self) -> dict[str, Entry]:
        return table(self.dialect)

    def type(self, cursor: Cursor) -> Type:
        """The tree's type of an expression or declaration; references are what they refer to."""
        shape = cursor.type
        return self.types.known.get(shape.key) or self.types.read(shape, cursor.place)

    def text(self, cursor: Cursor) -> str:
        """The source text of a cursor; of the whole invocation where a macro made it."""
        file, start, end = cursor.extent
        return self.source(file)[start:end].decode("utf-8", "replace")

    def source(self, file: str) -> bytes:
        return text_of(self.texts, file)

    def touch(self, cursor: Cursor) -> None:
        """Remember that the kernel uses this declaration."""
        self.touched.append(cursor.extent)

    def temporary(self, kind: Type, place: Place) -> Variable:
        """A new local that the text does not name."""
        made = Variable(f"__temporary{len(self.temporaries) + 1}", kind, Storage.LOCAL, place=place)
        self.temporaries.add(made)
        return made

    def is_temporary(self, expr: Expr) -> bool:
        """Whether an expression makes an object of its own and names it."""
        while isinstance(expr, Comma):
            expr = expr.right
        return isinstance(expr, Name) and expr.variable in self.temporaries

    def variable(self, cursor: Cursor) -> Variable:
        """The variable of a declaration."""
        key = cursor.canonical.key
        if key not in self.variables:
            self.variables[key] = self._declare(cursor)
        return self.variables[key]

    def captured(self, cursor: Cursor, place: Place) -> Expr | None:
        """What a name of a variable around a lambda means in its body; None for other variables."""
        if self.closure is None:
            return None
        found = self.captures.get(cursor.canonical.key)
        if found is not None:
            return found.of(self.closure, place)
        variable = self.variable(cursor)
        is_outside = variable.storage in (Storage.LOCAL, Storage.PARAM) and cursor.parent.canonical.key != self.current
        if is_outside and not variable.const:
            raise UnsupportedError(f"'{variable.name}', which the lambda around it is not seen to capture", place)
        return None

    def _declare(self, cursor: Cursor) -> Variable:
        shape = cursor.type
        place = cursor.place
        storage = self._storage(cursor, place)
        if storage in (Storage.GLOBAL, Storage.CONSTANT):
            self.touch(cursor)
        kind = self.types.read(shape, place)
        if cursor.kind == kinds.PARAM and isinstance(kind, ArrayOf) and shape.kind not in kinds.REFERENCES:
            kind = Pointer(kind.element, const=shape.const or shape.element.const)
        const = shape.const or (self.dialect == "opencl" and storage is Storage.CONSTANT)
        reference = shape.kind in kinds.REFERENCES
        if isinstance(kind, Code):
            kind, reference = Pointer(kind), False
        return Variable(cursor.spelling or "__unnamed", kind, storage, reference=reference, const=const,
                        volatile=shape.referred().volatile, place=place)

    def _storage(self, cursor: Cursor, place: Place) -> Storage:
        if cursor.kind == kinds.PARAM:
            return Storage.PARAM
        attributes = {child.kind for child in cursor.children()}
        file_level = cursor.parent.kind not in kinds.FUNCTIONS and cursor.parent.kind != kinds.FUNCTION_TEMPLATE
        storage_class = cursor.unit.lib.clang_Cursor_getStorageClass(cursor.raw)
        if kinds.SHARED_ATTR in attributes:
            return Storage.DYNAMIC if storage_class == EXTERN else Storage.SHARED
        if self.dialect == "opencl" and (space := cursor.type.address_space) in (2, 3):
            return Storage.SHARED if space == 2 else Storage.CONSTANT
        if kinds.CONSTANT_ATTR in attributes:
            return Storage.CONSTANT
        if not file_level and storage_class not in (STATIC, EXTERN):
            return Storage.LOCAL
        if cursor.type.const:
            return Storage.CONSTANT
        if kinds.DEVICE_ATTR not in attributes:
            if cursor.type.spelling.startswith("texture<"):
                return Storage.CONSTANT
            what = "the static local" if not file_level else "the host variable"
            raise UnsupportedError(f"{what} '{cursor.spelling}' in a kernel", place)
        return Storage.GLOBAL

    def constant(self, cursor: Cursor) -> Literal | None:
        """The value of a const integral variable with a constant initialiser, and of an enumerator."""
        key = cursor.key
        if key not in self.constants:
            self.constants[key] = self._constant(cursor)
        return self.constants[key]

    def _constant(self, cursor: Cursor) -> Literal | None:
        if cursor.kind == kinds.ENUM_CONSTANT:
            value: int | float | None = cursor.unit.lib.clang_getEnumConstantDeclValue(cursor.raw)
            kind = self.types.read(cursor.type, cursor.place)
            return Literal(kind.wrap(int(value or 0)), kind, cursor.place) if isinstance(kind, Scalar) else None
        shape = cursor.type
        if not shape.const or shape.volatile or cursor.kind not in (kinds.VAR, kinds.UNEXPOSED_DECL):
            return None
        kind = self.types.read(shape, cursor.place)
        if not isinstance(kind, Scalar) or kind.is_float:
            return None
        value = cursor.evaluate()
        if value is None and not cursor.initialiser.exists:
            definition = cursor.definition
            value = definition.evaluate() if definition.exists else None
        return Literal(kind.wrap(value), kind, cursor.place) if isinstance(value, int) else None

    def function(self, cursor: Cursor) -> Function:
        """The tree's function of a definition; its body waits in the queue."""
        key = cursor.key
        if key not in self.functions:
            place = cursor.place
            made = Function(cursor.spelling, VOID, (), None, place=place)
            self.functions[key] = made
            shape = cursor.type.result
            made.returns_place = shape.kind in kinds.REFERENCES
            made.result = VOID if cursor.kind == kinds.CONSTRUCTOR else self.types.read(shape, place)
            params = [self.variable(param) for param in cursor.arguments()]
            this = self._this(cursor, place)
            made.params = (this, *params) if this else tuple(params)
            self.queue.append((made, cursor))
        return self.functions[key]

    def is_outside(self, cursor: Cursor) -> bool:
        """Whether the user's text declares this function and another one defines it."""
        file = cursor.place.file
        return cursor.kind == kinds.FUNCTION and file not in ("", self.stub) and not cursor.spelling.startswith("__builtin_")

    def outside(self, cursor: Cursor) -> Function:
        """A function that another text defines."""
        key = cursor.canonical.key
        if key not in self.functions:
            shape, place = cursor.type.result, cursor.place
            params = tuple(self.variable(param) for param in cursor.arguments())
            self.touch(cursor)
            self.functions[key] = Function(cursor.spelling, self.types.read(shape, place), params, None,
                                           shape.kind in kinds.REFERENCES, place, True)
        return self.functions[key]

    def of_library(self, cursor: Cursor) -> Function | None:
        """A function that calls a function of numbers of the device library, which has no body; None for all others of it."""
        name, key, place = cursor.spelling, cursor.canonical.key, cursor.place
        if key not in self.functions:
            result = self.types.read(cursor.type.result, place)
            kinds_of = tuple(self.types.read(param.type, place) for param in cursor.arguments())
            is_plain = name in self.library and not name.startswith("__") and all(
                isinstance(kind, Scalar) for kind in (result, *kinds_of))
            if not is_plain or choose(self.library[name], kinds_of) != (result, kinds_of):
                return None
            params = tuple(Variable(f"x{at}", kind, Storage.PARAM, place=place) for at, kind in enumerate(kinds_of))
            value = Library(name, tuple(Name(param, param.type, place) for param in params), result, place)
            self.functions[key] = Function(name, result, params, (Return(value, place),), place=place)
        return self.functions[key]

    def _this(self, cursor: Cursor, place: Place) -> Variable | None:
        if cursor.kind == kinds.FUNCTION or cursor.asks("CXXMethod_isStatic"):
            return None
        if cursor.asks("CXXMethod_isVirtual"):
            raise UnsupportedError("virtual functions", place)
        owner = self.owner(cursor, place)
        return Variable("this", owner, Storage.PARAM, reference=True, place=place)

    def owner(self, cursor: Cursor, place: Place) -> Record:
        """The record that a method or field belongs to."""
        kind = self.types.read(cursor.parent.type, place)
        if not isinstance(kind, Record):
            raise UnsupportedError(f"the class of '{cursor.spelling}'", place)
        return kind

    def closure_of(self, cursor: Cursor) -> int | None:
        """The key of the lambda whose call operator this is; None for other functions."""
        if cursor.kind != kinds.METHOD or cursor.spelling != "operator()":
            return None
        parent = cursor.parent
        return parent.canonical.key if is_closure(parent) else None
