"""libclang's types as the tree's: scalars, pointers, arrays, records with the layout that clang gave them.

A record is read once for each unit and checked against clang's size. A base class is a field named after
it; one without fields takes no room and is left out. An unnamed member is named after its position.
A reference field is a pointer field that says so. A closure is a record with a field for each variable that it captures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from automata.lang.clang import kinds
from automata.lang.clang.bases import (
    classes_named,
    hidden,
    is_empty,
    is_obscure,
    maker_line,
    members_of,
    pattern_of,
    resolved,
    unfound,
)
from automata.lang.clang.bit_fields import BitField, declared_kind, holder_of, run_end
from automata.lang.clang.index import Cursor, Shape
from automata.lang.core import Space
from automata.lang.types import (
    VOID,
    ArrayOf,
    Code,
    Field,
    Opaque,
    Pointer,
    Record,
    Type,
    Vector,
    align_of,
    data_end,
    offsets,
    size_of,
)
from automata.place import Place, UnsupportedError
from automata.scalar import BF16, BOOL, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar

SCALARS: dict[int, Scalar] = {
    3: BOOL, 4: U8, 5: U8, 6: U16, 7: U32, 8: U16, 9: U32, 10: U64, 11: U64, 13: I8, 14: I8, 15: I32, 16: I16, 17: I32,
    18: I64, 19: I64, 21: F32, 22: F64, 31: F16, 32: F16, 39: BF16,
}
REFUSED = {12: "128-bit integers", 20: "128-bit integers", 23: "long double", 30: "128-bit floats", 100: "complex numbers",
           kinds.T_VARIABLE_ARRAY: "an array whose length is not constant", kinds.T_MEMBER_POINTER: "a pointer to a member",
           kinds.T_VECTOR: "a vector type of the compiler's"}
_LAMBDA = re.compile(r"\(lambda at .*?:\d+:\d+\)")
OPENCL_SPACES = {1: Space.GLOBAL, 2: Space.SHARED, 3: Space.GLOBAL}


class Types:
    """The types of one unit, each read once. `shown`: functions that name instantiated classes, as was asked;
    `wanted`: lines that ask for more, which were not found."""

    def __init__(self, opencl: bool = False, function: Cursor | None = None, shown: Sequence[Cursor] = ()) -> None:
        self.opencl = opencl
        self.function = function
        self.shown = shown
        self.wanted: dict[str, None] = {}
        self.known: dict[int, Type] = {}
        self.records: dict[int, Record] = {}
        self.declarations: dict[int, Cursor] = {}
        self.paths: dict[int, tuple[Record, str]] = {}
        self.starts: dict[int, list[int]] = {}
        self.bits: dict[tuple[int, str], BitField] = {}
        self.used: list[Cursor] = []
        self._found: dict[int, list[Shape]] = {}
        self._lacking: set[int] = set()
        self._classes: tuple[dict[int, Cursor], list[Cursor]] | None = None

    def read(self, shape: Shape, place: Place) -> Type:
        """The tree's type; a reference is read as what it refers to."""
        found = self.known.get(shape.key)
        if found is None:
            found = self._make(shape, place)
            self.known[shape.key] = found
        return found

    def _make(self, shape: Shape, place: Place) -> Type:
        kind = shape.kind
        if kind in SCALARS:
            return SCALARS[kind]
        if kind == kinds.T_VOID:
            return VOID
        if kind == kinds.T_NULLPTR:
            return Pointer(VOID)
        if kind in kinds.REFERENCES:
            return self.read(shape.pointee, place)
        if kind == kinds.T_POINTER:
            return self._pointer(shape, place)
        if kind in (kinds.T_CONSTANT_ARRAY, kinds.T_INCOMPLETE_ARRAY):
            count = shape.count if kind == kinds.T_CONSTANT_ARRAY else None
            return ArrayOf(self.read(shape.element, place), count)
        if kind == kinds.T_ENUM:
            declaration = shape.declaration
            return self.read(Shape(declaration.unit.lib.clang_getEnumDeclIntegerType(declaration.raw), declaration.unit), place)
        if kind == kinds.T_RECORD:
            texture = shape.spelling.removeprefix("const ").startswith("texture<")
            return Opaque("cudaTextureObject_t") if texture else self._record(shape, place)
        if kind in (kinds.T_FUNCTION, kinds.T_FUNCTION_PROTO):
            return self.code(shape, place)
        return self._rare(shape, place)

    def _pointer(self, shape: Shape, place: Place) -> Type:
        to = shape.pointee
        if to.kind == kinds.T_RECORD and to.spelling.endswith("__spmd_texture"):
            return Opaque("cudaTextureObject_t")
        space = OPENCL_SPACES.get(to.address_space) if self.opencl else None
        const = to.const or (self.opencl and to.address_space == 3)
        return Pointer(self.read(to, place), space, const, to.volatile, shape.restrict)

    def code(self, shape: Shape, place: Place) -> Code:
        """A function's type, as pointers to it need it; a reference is what it refers to, bound where the function is known."""
        params = shape.parameters()
        if shape.result.kind in kinds.REFERENCES or shape.unit.lib.clang_isFunctionTypeVariadic(shape.raw):
            raise UnsupportedError("a pointer to a function that returns a reference or has no fixed parameters", place)
        return Code(self.read(shape.result, place), tuple(decayed(self.read(param, place)) for param in params))

    def _rare(self, shape: Shape, place: Place) -> Type:
        kind = shape.kind
        if kind == kinds.T_UNEXPOSED and shape.spelling.split()[-1] == "__bf16":
            return BF16
        if kind == kinds.T_EXT_VECTOR:
            element = self.read(shape.element, place)
            if isinstance(element, Scalar):
                return Vector(element, shape.count)
        if 121 <= kind <= 160:
            return Opaque(shape.spelling.split()[-1])
        if kind in REFUSED:
            raise UnsupportedError(REFUSED[kind], place)
        if kind in (kinds.T_INVALID, kinds.T_UNEXPOSED, kinds.T_OVERLOAD, kinds.T_DEPENDENT, kinds.T_DEPENDENT_ARRAY):
            raise UnsupportedError("an expression whose type clang could not work out", place)
        raise UnsupportedError(f"the type '{shape.spelling}'", place)

    def _record(self, shape: Shape, place: Place) -> Record:
        declaration = shape.declaration
        key = declaration.canonical.key
        if key in self.records:
            return self.records[key]
        made = Record(self._record_name(shape), is_union=declaration.kind == kinds.UNION)
        self.records[key] = made
        definition = declaration.definition
        if not definition.exists or shape.size < 0:
            made.complete = False
            return made
        self.declarations[id(made)] = definition
        self.used.append(definition)
        made.fields = self._fields(made, shape, definition, place)
        self._lay_out(made, shape, definition, place)
        return made

    def _fields(self, made: Record, shape: Shape, definition: Cursor, place: Place) -> tuple[Field, ...]:
        if is_closure(definition):
            return tuple(self._captured(field, at) for at, field in enumerate(shape.fields()))
        found: list[Field] = []
        for shape_of_base in self.bases_of(definition):
            base = self.read(shape_of_base, place)
            if isinstance(base, Record) and base.fields:
                found.append(Field(base.name, base))
        for child in members_of(definition):
            if child.kind == kinds.METHOD and child.asks("CXXMethod_isVirtual"):
                raise UnsupportedError("virtual functions", child.place)
        own, self.starts[id(made)] = self._own(made, shape, found)
        return (*found, *own)

    def _own(self, made: Record, shape: Shape, bases: list[Field]) -> tuple[list[Field], list[int]]:
        """The fields that a record declares and the bits they start at; a run of bit-fields is one."""
        fields, at = shape.fields(), 0
        lib = shape.unit.lib
        widths = [int(lib.clang_getFieldDeclBitWidth(field.raw)) for field in fields]
        starts = [int(lib.clang_Cursor_getOffsetOfField(field.raw)) for field in fields]
        found: list[Field] = []
        begins: list[int] = []
        while at < len(fields):
            if widths[at] < 0:
                found.append(self._field(made, fields[at], at))
                begins.append(starts[at])
            end = run_end(widths, at, alone=made.is_union or widths[at] <= 0)
            if widths[at] > 0:
                low = 0 if made.is_union else max([data_end(Record("", tuple(bases)))] + [
                    start // 8 + size_of(item.type) for item, start in zip(found, begins, strict=True)])
                high = shape.size if made.is_union or end == len(fields) else starts[end] // 8
                holder = holder_of(starts[at], starts[end - 1] + widths[end - 1], low, high)
                if holder is None or min(starts[at:end]) < 0:
                    raise UnsupportedError("bit-fields that share bytes with other fields, or need more than 8", fields[at].place)
                name = ":".join([*(field.spelling for field in fields[at:end]), *([""] if end == at + 1 else [])])
                found.append(Field(name, holder[1]))
                begins.append(8 * holder[0])
                for field, width, start in zip(fields[at:end], widths[at:end], starts[at:end], strict=True):
                    if re.search(r":[^:]*[={]", field.printed()):
                        raise UnsupportedError("a bit-field with an initialiser", field.place)
                    kind = declared_kind(self.read(field.type, field.place), field.place)
                    self.bits[id(made), field.spelling] = BitField(name, holder[1], start - 8 * holder[0], width, kind)
            at = end
        return found, begins

    def _captured(self, field: Cursor, at: int) -> Field:
        """What a closure keeps of a variable: its value, or where it is."""
        kind, refers = self.field_type(field)
        return Field(f"capture{at}", kind, refers)

    def field_type(self, field: Cursor) -> tuple[Type, bool]:
        """A field's type, and whether it is a reference: a pointer then. One to a function is a pointer to it, as all are."""
        kind, refers = self.read(field.type, field.place), field.type.kind in kinds.REFERENCES
        return (Pointer(kind) if refers else kind), refers and not isinstance(kind, Code)

    def _field(self, made: Record, field: Cursor, at: int) -> Field:
        name = field.spelling
        if not name or "(" in name or field.asks("Cursor_isAnonymous"):
            name = f"({at})"
        kind, refers = self.field_type(field)
        if name.startswith("(") and isinstance(kind, Record):
            self.paths[id(kind)] = (made, name)
        return Field(name, kind, refers)

    def _lay_out(self, made: Record, shape: Shape, definition: Cursor, place: Place) -> None:
        """Take over clang's alignment; refuse a layout that the tree's rules do not give."""
        made.packed = definition.has(kinds.PACKED_ATTR)
        if shape.align > align_of(made):
            made.align = shape.align
        if size_of(made) != shape.size or align_of(made) != shape.align:
            made.packed = True
            made.align = shape.align
        theirs = self.starts.get(id(made)) or [
            int(field.unit.lib.clang_Cursor_getOffsetOfField(field.raw)) for field in shape.fields()]
        if size_of(made) != shape.size or align_of(made) != shape.align or not self._fits(made, theirs):
            self._place(made, shape, theirs, place)

    def _fits(self, made: Record, theirs: list[int]) -> bool:
        """Whether every field lies where clang says; a base that clang does not show would move them."""
        ours = [at for _, at in offsets(made)]
        return all(8 * at == bits for at, bits in zip(ours[len(ours) - len(theirs):], theirs, strict=True) if bits >= 0)

    def _place(self, made: Record, shape: Shape, theirs: list[int], place: Place) -> None:
        """Put each field where clang has it: one base lies at the start, and fields may use the padding at its end. More room in
        front of them is that of a base which clang does not show."""
        bases = made.fields[:len(made.fields) - len(theirs)]
        end = sum(data_end(base.type) for base in bases if isinstance(base.type, Record))
        first = next((align_of(item.type) for item in made.fields[len(bases):]), 1)
        if made.is_union or len(bases) > 1 or not theirs or min(theirs) < 8 * end or theirs[0] >= 8 * (end + first) or (
                any(bits % 8 for bits in theirs) or (not bases and theirs[0])):
            raise UnsupportedError(f"the memory layout of '{made.name}'", place)
        made.placed, made.size = (*(0 for _ in bases), *(bits // 8 for bits in theirs)), shape.size
        made.packed, made.align = True, shape.align

    def _record_name(self, shape: Shape) -> str:
        """A record's name; types that are spelled with a lambda in them are told apart by a number."""
        text = shape.spelling
        for word in ("const ", "volatile ", "struct ", "union ", "class "):
            text = text.replace(word, "")
        if "(lambda at " in text:
            return f"{_LAMBDA.sub('(lambda)', text)}#{len(self.records)}"
        return "(unnamed)" if "(unnamed" in text or "(anonymous" in text else text

    def run_of(self, record: Record, name: str) -> list[BitField]:
        """The bit-fields that a field of a record holds, in their order; none if it is an ordinary one."""
        return [self.bits[id(record), each] for each in self.names_of(name)] if ":" in name else []

    @staticmethod
    def names_of(run: str) -> list[str]:
        """The names of a run's bit-fields; those without a name are only room."""
        return [each for each in run.split(":") if each]

    def has_bits(self, kind: Type) -> bool:
        """Whether a value of a type has bit-fields in it."""
        if isinstance(kind, ArrayOf):
            return self.has_bits(kind.element)
        return isinstance(kind, Record) and (any(record == id(kind) for record, _ in self.bits) or any(
            self.has_bits(item.type) for item in kind.fields))

    def is_reference(self, record: Record, name: str) -> bool:
        found = record.field(name)
        return found is not None and found.reference

    def bases(self, record: Record) -> list[tuple[Record, bool]]:
        """The base classes of a record, and whether each is a field."""
        definition = self.declarations.get(id(record))
        found: list[tuple[Record, bool]] = []
        for shape in self.bases_of(definition) if definition else []:
            base = self.read(shape, shape.declaration.place)
            if isinstance(base, Record):
                found.append((base, bool(base.fields)))
        return found

    def bases_of(self, definition: Cursor) -> list[Shape]:
        """The types of a class's bases; of an instantiation those that are found, or none."""
        written = hidden(definition)
        if not written:
            return [child.type for child in definition.children() if child.kind == kinds.BASE]
        if definition.key not in self._found:
            found = resolved(definition, written, self._named()[0], self.shown)
            if found is None:
                self.wanted |= dict.fromkeys(unfound(definition, written, self._named()[0]))
            if found is None and not all(map(is_empty, written)):
                self._lacking.add(definition.key)
            self._found[definition.key] = found or []
        return self._found[definition.key]

    def _named(self) -> tuple[dict[int, Cursor], list[Cursor]]:
        """The instantiated classes whose members are named in what is read, and their constructors; looked up once."""
        if self._classes is None:
            found, constructors = classes_named(self.function) if self.function is not None else ({}, [])
            for asked in self.shown:
                constructors += classes_named(asked)[1]
            self._classes = found, constructors
        return self._classes

    def lacks(self, definition: Cursor) -> bool:
        """Whether a class has a base that is not known and may have something in it, or members that are not known."""
        self.bases_of(definition)
        return definition.key in self._lacking or is_obscure(definition)

    def lacks_base(self, kind: Type) -> bool:
        definition = self.declarations.get(id(kind))
        return definition is not None and self.lacks(definition)

    def members(self, kind: Type) -> list[Cursor]:
        """What a class declares; nothing for other types."""
        definition = self.declarations.get(id(kind))
        return members_of(definition) if definition is not None else []

    def own_constructors(self, kind: Type) -> list[Cursor]:
        """The constructors of a class that the compiler does not write."""
        return [child for child in self.members(kind)
                if child.kind == kinds.CONSTRUCTOR and not child.asks("CXXMethod_isDefaulted")]

    def default_constructor(self, definition: Cursor) -> Cursor | None:
        """A class's constructor without parameters, with its body; of an instantiation the one that is named somewhere."""
        is_made = pattern_of(definition) is not None
        if is_made and (line := maker_line(definition)):
            self.wanted[line] = None
        written = self._named()[1] if is_made else definition.children()
        return next((child.definition for child in written if child.kind == kinds.CONSTRUCTOR and child.definition.exists
                     and child.asks("CXXConstructor_isDefaultConstructor")
                     and child.parent.canonical.key == definition.canonical.key), None)

    def path_to_base(self, record: Record, base: Record) -> list[tuple[str, Record]] | None:
        """The fields that lead from a record to one of its bases; None if it is none."""
        if record is base:
            return []
        for parent, is_field in self.bases(record):
            rest = self.path_to_base(parent, base)
            if rest is not None:
                return [(parent.name, parent), *rest] if is_field else rest
        return None


def decayed(kind: Type) -> Type:
    """A parameter's type; libclang shows one declared as an array by that array."""
    return Pointer(kind.element) if isinstance(kind, ArrayOf) else kind


def is_closure(declaration: Cursor) -> bool:
    """Whether a class is the one of a lambda."""
    return declaration.spelling.startswith("(lambda at ")
