"""Types as C writes them, from pycparser's declarations: names, typedefs, records, enums, vectors."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pycparser import c_ast

from automata.lang import tree
from automata.lang.builtins import C_TYPES, OPAQUE_TYPES, TYPE_NAMES
from automata.lang.core import Space
from automata.lang.preprocess import Dialect
from automata.lang.types import VOID, ArrayOf, Code, Field, Opaque, Pointer, Record, Type, Vector, Void, size_of
from automata.place import NOWHERE, InputError, Place, UnsupportedError
from automata.scalar import F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar

MAX_ARRAY = 1 << 40
SHARED_WORDS = frozenset({"__shared__", "__local", "local"})
GLOBAL_WORDS = frozenset({"__global", "global", "__constant", "constant", "__constant__", "__device__"})
CONSTANT_WORDS = frozenset({"__constant", "constant", "__constant__"})
VECTOR_BASES: dict[str, Scalar] = {
    "char": I8, "uchar": U8, "short": I16, "ushort": U16, "int": I32, "uint": U32, "long": I64, "ulong": U64,
    "float": F32, "double": F64, "half": F16,
}
VECTOR_NAME = re.compile(r"(u?(?:char|short|int|long)|float|double|half)(2|3|4|8|16)$")
CUDA_VECTOR_NAME = re.compile(r"(u?(?:char|short|int|long|longlong)|float|double)([1234])$")


def place_of(node: c_ast.Node) -> Place:
    """The user's place of a pycparser node."""
    coord = getattr(node, "coord", None)
    return Place(str(coord.file), coord.line, coord.column or 0) if coord else NOWHERE


def quals_of(node: c_ast.Node) -> set[str]:
    """The words that qualify a declaration's base type, or a part of its type."""
    return set(getattr(node, "quals", None) or [])


def own_quals(kind: c_ast.Node) -> set[str]:
    """The words that qualify an object of a type, not what it points to; of an array, its elements."""
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    return quals_of(kind)


@dataclass
class TypeReader:
    """Reads type nodes. `constant`: the value of an integer constant expression, None when it is none."""

    dialect: Dialect
    constant: Callable[[c_ast.Node], int | None]
    typedefs: dict[str, Type] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    enumerators: dict[str, tree.Literal] = field(default_factory=dict)
    vectors: dict[str, Record] = field(default_factory=dict)

    def read(self, node: c_ast.Node, place: Place) -> Type:
        """The type of a declaration's type part."""
        match node:
            case c_ast.TypeDecl():
                return self.named(node.type, place)
            case c_ast.PtrDecl():
                return self.pointer(node, place)
            case c_ast.ArrayDecl():
                count = self.constant(node.dim) if node.dim is not None else None
                if node.dim is not None and count is None:
                    raise UnsupportedError("an array whose size is not a constant", place)
                if count is not None and count <= 0:
                    raise InputError(f"an array of size {count}", place)
                made = ArrayOf(self.read(node.type, place), count)
                if size_of(made) > MAX_ARRAY:
                    raise InputError(f"an array of {size_of(made)} bytes", place)
                return made
            case c_ast.FuncDecl():
                return self.code(node, place)
        raise UnsupportedError(f"a {type(node).__name__} type", place)

    def pointer(self, node: c_ast.PtrDecl, place: Place) -> Pointer:
        quals = own_quals(node.type)
        space = Space.SHARED if quals & SHARED_WORDS else Space.GLOBAL if quals & GLOBAL_WORDS else None
        const = bool(quals & ({"const"} | CONSTANT_WORDS))
        restrict = bool(quals_of(node) & {"restrict", "__restrict", "__restrict__"})
        return Pointer(self.read(node.type, place), space, const, "volatile" in quals, restrict)

    def code(self, node: c_ast.FuncDecl, place: Place) -> Code:
        """The type of a function."""
        params = [param for param in (node.args.params if node.args else []) if not isinstance(param, c_ast.EllipsisParam)]
        if any(not isinstance(param, c_ast.Decl | c_ast.Typename) for param in params):
            raise InputError("a parameter without a type", place)
        kinds = [self.read(param.type, place) for param in params]
        return Code(self.read(node.type, place), tuple(kind for kind in kinds if not isinstance(kind, Void)))

    def named(self, node: c_ast.Node, place: Place) -> Type:
        match node:
            case c_ast.IdentifierType(names=names):
                return self.by_name(names, place)
            case c_ast.Struct() | c_ast.Union():
                return self.record(node, place)
            case c_ast.Enum():
                self.enum(node)
                return I32
        raise UnsupportedError(f"a {type(node).__name__} type", place)

    def by_name(self, names: list[str], place: Place) -> Type:
        """A type by its words: a typedef, a builtin name, or C's own words in any order."""
        if len(names) == 1:
            found = self.single(names[0])
            if found is not None:
                return found
        if names == ["void"]:
            return VOID
        kind = C_TYPES.get(tuple(sorted(names)))
        if kind is None:
            raise UnsupportedError(f"type '{' '.join(names)}'", place)
        return kind

    def single(self, name: str) -> Type | None:
        if name in self.typedefs:
            return self.typedefs[name]
        if name in self.records:
            return self.records[name]
        if name in TYPE_NAMES:
            return TYPE_NAMES[name]
        if name in OPAQUE_TYPES:
            return Opaque(name)
        return self.vector(name)

    def vector(self, name: str) -> Type | None:
        """float4: a vector in OpenCL, a struct of x, y, z, w in CUDA."""
        if self.dialect == "opencl":
            found = VECTOR_NAME.match(name)
            return Vector(VECTOR_BASES[found.group(1)], int(found.group(2))) if found else None
        found = CUDA_VECTOR_NAME.match(name)
        if not found:
            return None
        if name not in self.vectors:
            base = VECTOR_BASES[found.group(1).replace("longlong", "long")]
            count = int(found.group(2))
            fields = tuple(Field("xyzw"[number], base) for number in range(count))
            align = base.bytes * count if count in (2, 4) else 0
            self.vectors[name] = Record(name, fields, align=min(align, 16))
        return self.vectors[name]

    def record(self, node: c_ast.Struct | c_ast.Union, place: Place) -> Record:
        """A struct or union; its fields are read where it is defined."""
        name = node.name or f"(unnamed at {place.line})"
        known = self.records.get(name) if node.name else None
        made = known or Record(name, complete=False)
        made.is_union = isinstance(node, c_ast.Union)
        if node.name:
            self.records[name] = made
        if node.decls is not None and not made.complete:
            made.fields = tuple(item for decl in node.decls for item in self.field(decl))
            names = [item.name for item in made.fields]
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise InputError(f"'{twice}' is declared twice in {name}", place)
            made.complete = True
        return made

    def field(self, decl: c_ast.Node) -> list[Field]:
        place = place_of(decl)
        if not isinstance(decl, c_ast.Decl):
            return []
        if decl.bitsize is not None:
            raise UnsupportedError(f"bit-field '{decl.name}'", place)
        is_record = isinstance(decl.type, c_ast.Struct | c_ast.Union)
        kind = self.record(decl.type, place) if is_record else self.read(decl.type, place)
        if decl.name is None:
            raise UnsupportedError("an unnamed member of a struct", place)
        return [Field(decl.name, kind)]

    def enum(self, node: c_ast.Enum) -> None:
        following = 0
        for item in node.values.enumerators if node.values is not None else []:
            value = self.constant(item.value) if item.value is not None else following
            if value is None:
                raise UnsupportedError(f"enumerator '{item.name}' whose value is not a constant", place_of(item))
            kind = next((kind for kind in (I32, U32, I64, U64) if kind.holds(value)), None)
            if kind is None:
                raise InputError(f"enumerator '{item.name}' fits no integer type", place_of(item))
            self.enumerators[item.name] = tree.Literal(value, kind, place_of(item))
            following = value + 1
