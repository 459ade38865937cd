"""The one door to libclang: parse a text, walk its cursors, ask their types, values and places.

Plain ctypes on the shared library of the `libclang` wheel. The wheel's own Python binding hides the
operators, and its properties cost ten times as much as the calls beneath them. A `Cursor` is one
libclang cursor with its children and type remembered; a `Shape` is one libclang type.
"""

from __future__ import annotations

import os
import re
from ctypes import (
    byref,
    c_char_p,
    c_uint,
    c_void_p,
)
from dataclasses import dataclass
from functools import cache

from automata.lang.clang import kinds
from automata.lang.clang.native import (
    FieldVisitor,
    InclusionVisitor,
    RawCursor,
    RawLocation,
    RawString,
    RawType,
    UnsavedFile,
    Visitor,
    library,
)
from automata.lang.source import Written, read_raw
from automata.place import NOWHERE, InputError, Place

SUPPRESS_INITIALISERS = 6
"""The printing of declarations without what they begin with, among libclang's properties of printing."""


def _text(raw: RawString) -> str:
    lib = library()
    found = lib.clang_getCString(raw)
    text = found.decode("utf-8", "replace") if found else ""
    lib.clang_disposeString(raw)
    return text



def _collect(cursor: RawCursor, parent: RawCursor, into: list[RawCursor]) -> int:
    into.append(cursor)
    return 1


def _collect_field(cursor: RawCursor, into: list[RawCursor]) -> int:
    into.append(cursor)
    return 1


def _collect_inclusion(file: int, stack: int, depth: int, into: list[int]) -> None:
    into.append(file)


_COLLECT = Visitor(_collect)
_COLLECT_FIELD = FieldVisitor(_collect_field)
_COLLECT_INCLUSION = InclusionVisitor(_collect_inclusion)


class Shape:
    """A libclang type, canonical."""

    __slots__ = ("kind", "raw", "unit")

    def __init__(self, raw: RawType, unit: Parsed) -> None:
        canonical = unit.lib.clang_getCanonicalType(raw) if raw.kind else raw
        self.raw, self.kind, self.unit = canonical, canonical.kind, unit

    @property
    def key(self) -> int:
        """The same number for the same type with the same qualifiers."""
        return self.raw.data[0] or 0

    @property
    def spelling(self) -> str:
        return _text(self.unit.lib.clang_getTypeSpelling(self.raw))

    @property
    def const(self) -> bool:
        return bool(self.unit.lib.clang_isConstQualifiedType(self.raw))

    @property
    def volatile(self) -> bool:
        return bool(self.unit.lib.clang_isVolatileQualifiedType(self.raw))

    @property
    def restrict(self) -> bool:
        return bool(self.unit.lib.clang_isRestrictQualifiedType(self.raw))

    @property
    def address_space(self) -> int:
        return int(self.unit.lib.clang_getAddressSpace(self.raw)) if self.kind else 0

    @property
    def pointee(self) -> Shape:
        return Shape(self.unit.lib.clang_getPointeeType(self.raw), self.unit)

    @property
    def element(self) -> Shape:
        lib = self.unit.lib
        of_vector = self.kind in (kinds.T_VECTOR, kinds.T_EXT_VECTOR)
        return Shape((lib.clang_getElementType if of_vector else lib.clang_getArrayElementType)(self.raw), self.unit)

    @property
    def count(self) -> int:
        lib = self.unit.lib
        of_vector = self.kind in (kinds.T_VECTOR, kinds.T_EXT_VECTOR)
        return int((lib.clang_getNumElements if of_vector else lib.clang_getArraySize)(self.raw))

    @property
    def result(self) -> Shape:
        return Shape(self.unit.lib.clang_getResultType(self.raw), self.unit)

    def parameters(self) -> list[Shape]:
        """The types of a function type's parameters."""
        lib = self.unit.lib
        return [Shape(lib.clang_getArgType(self.raw, at), self.unit) for at in range(max(0, lib.clang_getNumArgTypes(self.raw)))]

    @property
    def declaration(self) -> Cursor:
        return Cursor(self.unit.lib.clang_getTypeDeclaration(self.raw), self.unit)

    @property
    def size(self) -> int:
        return int(self.unit.lib.clang_Type_getSizeOf(self.raw))

    @property
    def align(self) -> int:
        return int(self.unit.lib.clang_Type_getAlignOf(self.raw))

    def fields(self) -> list[Cursor]:
        found: list[RawCursor] = []
        self.unit.lib.clang_Type_visitFields(self.raw, _COLLECT_FIELD, found)
        return [Cursor(raw, self.unit) for raw in found]

    def referred(self) -> Shape:
        """What a reference refers to; other types as they are."""
        return self.pointee if self.kind in kinds.REFERENCES else self


class Cursor:
    """One node of libclang's tree."""

    __slots__ = ("_children", "_expressions", "_type", "kind", "raw", "unit")

    def __init__(self, raw: RawCursor, unit: Parsed) -> None:
        self.raw, self.kind, self.unit = raw, raw.kind, unit
        self._children: list[Cursor] | None = None
        self._expressions: list[Cursor] | None = None
        self._type: Shape | None = None

    @property
    def exists(self) -> bool:
        return not 70 <= self.kind <= 73

    @property
    def key(self) -> int:
        """The same number for the same declaration."""
        return self.raw.data[0] or 0

    def children(self) -> list[Cursor]:
        if self._children is None:
            found: list[RawCursor] = []
            self.unit.lib.clang_visitChildren(self.raw, _COLLECT, found)
            self._children = [Cursor(raw, self.unit) for raw in found]
        return self._children

    def expressions(self) -> list[Cursor]:
        """The children that are expressions."""
        if self._expressions is None:
            self._expressions = [child for child in self.children() if 100 <= child.kind <= 156 or child.kind == 280]
        return self._expressions

    @property
    def type(self) -> Shape:
        if self._type is None:
            self._type = Shape(self.unit.lib.clang_getCursorType(self.raw), self.unit)
        return self._type

    @property
    def spelling(self) -> str:
        return _text(self.unit.lib.clang_getCursorSpelling(self.raw))

    @property
    def place(self) -> Place:
        return self.unit.place(self.unit.lib.clang_getCursorLocation(self.raw))

    @property
    def location(self) -> int:
        """libclang's number of the place in the text: another one for each token, of macros too."""
        return int(self.unit.lib.clang_getCursorLocation(self.raw).number)

    @property
    def extent(self) -> tuple[str, int, int]:
        """File, first offset, offset after the last character (in bytes); of the invocation if a macro made it."""
        lib = self.unit.lib
        extent = lib.clang_getCursorExtent(self.raw)
        file, start, _, _ = self.unit.resolve(lib.clang_getRangeStart(extent), expansion=True)
        _, end, _, _ = self.unit.resolve(lib.clang_getRangeEnd(extent), expansion=True)
        return file, start, end

    @property
    def referenced(self) -> Cursor:
        return Cursor(self.unit.lib.clang_getCursorReferenced(self.raw), self.unit)

    @property
    def definition(self) -> Cursor:
        return Cursor(self.unit.lib.clang_getCursorDefinition(self.raw), self.unit)

    @property
    def canonical(self) -> Cursor:
        return Cursor(self.unit.lib.clang_getCanonicalCursor(self.raw), self.unit)

    @property
    def parent(self) -> Cursor:
        return Cursor(self.unit.lib.clang_getCursorSemanticParent(self.raw), self.unit)

    @property
    def template(self) -> Cursor:
        return Cursor(self.unit.lib.clang_getSpecializedCursorTemplate(self.raw), self.unit)

    @property
    def initialiser(self) -> Cursor:
        return Cursor(self.unit.lib.clang_Cursor_getVarDeclInitializer(self.raw), self.unit)

    def arguments(self) -> list[Cursor]:
        """The arguments of a call, the parameters of a function."""
        lib = self.unit.lib
        count = lib.clang_Cursor_getNumArguments(self.raw)
        return [Cursor(lib.clang_Cursor_getArgument(self.raw, at), self.unit) for at in range(max(0, count))]

    def printed(self, *, initialiser: bool = True) -> str:
        """A declaration as clang prints it from its tree, with its initialiser or without."""
        lib = self.unit.lib
        policy = lib.clang_getCursorPrintingPolicy(self.raw)
        lib.clang_PrintingPolicy_setProperty(policy, SUPPRESS_INITIALISERS, not initialiser)
        found = _text(lib.clang_getCursorPrettyPrinted(self.raw, policy))
        lib.clang_PrintingPolicy_dispose(policy)
        return found

    def asks(self, question: str) -> bool:
        """A yes-or-no function of libclang, such as `CXXMethod_isStatic`."""
        return bool(getattr(self.unit.lib, f"clang_{question}")(self.raw))

    def has(self, kind: int) -> bool:
        """Whether a child has this kind (an attribute, say)."""
        return any(child.kind == kind for child in self.children())

    def evaluate(self) -> int | float | None:
        """The value of a constant expression or constant variable; None if it is none."""
        lib = self.unit.lib
        result = lib.clang_Cursor_Evaluate(self.raw)
        if not result:
            return None
        kind = lib.clang_EvalResult_getKind(result)
        value: int | float | None = None
        if kind == 1:
            unsigned = lib.clang_EvalResult_isUnsignedInt(result)
            value = int(lib.clang_EvalResult_getAsUnsigned(result) if unsigned else lib.clang_EvalResult_getAsLongLong(result))
        elif kind == 2:
            value = float(lib.clang_EvalResult_getAsDouble(result))
        lib.clang_EvalResult_dispose(result)
        return value


_MADE = re.compile(r"in instantiation of function template specialization '([^']*)' requested here")


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error of libclang's: its text, where it stands, and where the macro that made it was invoked. `instance`: the function
    that a template makes in which it was found, as clang spells it."""

    message: str
    place: Place
    file: str
    offset: int
    instance: str = ""


class Parsed:
    """A parsed text: the root cursor, the errors, the files that were read.

    `shown`: a folder as libclang knows it, and as the user wrote it: places are told in the user's words. `own`: files
    of ours, which keep their names wherever they lie.
    """

    def __init__(self, path: str, args: list[str], unsaved: dict[str, str], shown: tuple[str, str] = ("", ""),
                 own: frozenset[str] = frozenset()) -> None:
        self.lib = library()
        self.shown, self.own = shown, own
        self._files: dict[int, str] = {}
        self._called: dict[str, str] = {}
        self._places: dict[int, Place] = {}
        self._texts, self._written = unsaved, dict[str, Written | None]()
        self._file, self._line, self._column, self._offset = c_void_p(), c_uint(), c_uint(), c_uint()
        self._slots = tuple(byref(slot) for slot in (self._file, self._line, self._column, self._offset))
        words = [word.encode() for word in args]
        held = [(name.encode(), text.encode("utf-8", "surrogateescape")) for name, text in unsaved.items()]
        files = (UnsavedFile * len(held))(*(UnsavedFile(name, text, len(text)) for name, text in held))
        unit = c_void_p()
        self._unit: c_void_p | None = None
        options = 0x200  # a missing include is an error like another
        code = self.lib.clang_parseTranslationUnit2(_index(), path.encode(), (c_char_p * len(words))(*words), len(words),
                                                    files, len(held), options, byref(unit))
        if code or not unit:
            raise InputError("libclang could not read this file" + (" (it crashed)" if code == 2 else ""), Place(path, 0, 0))
        self._unit = unit

    def __del__(self) -> None:
        if getattr(self, "_unit", None):
            self.lib.clang_disposeTranslationUnit(self._unit)
            self._unit = None

    @property
    def root(self) -> Cursor:
        return Cursor(self.lib.clang_getTranslationUnitCursor(self._unit), self)

    def save(self, path: str) -> bool:
        """Write the parsed text as a precompiled header."""
        return bool(self.lib.clang_saveTranslationUnit(self._unit, path.encode(), 0) == 0)

    def errors(self) -> list[Complaint]:
        found = []
        for at in range(self.lib.clang_getNumDiagnostics(self._unit)):
            item = self.lib.clang_getDiagnostic(self._unit, at)
            if self.lib.clang_getDiagnosticSeverity(item) >= 3:
                raw = self.lib.clang_getDiagnosticLocation(item)
                file, offset, _, _ = self.resolve(raw, expansion=True)
                found.append(Complaint(_text(self.lib.clang_getDiagnosticSpelling(item)), self.place(raw), file, offset,
                                       self._instance(item)))
            self.lib.clang_disposeDiagnostic(item)
        return found

    def _instance(self, error: c_void_p) -> str:
        """The innermost function of a template that was being made at an error; nothing where it is of another kind."""
        notes = self.lib.clang_getChildDiagnostics(error)
        for at in range(self.lib.clang_getNumDiagnosticsInSet(notes)):
            item = self.lib.clang_getDiagnosticInSet(notes, at)
            text = _text(self.lib.clang_getDiagnosticSpelling(item))
            self.lib.clang_disposeDiagnostic(item)
            if text.startswith(("in instantiation of", "while ")):
                made = _MADE.fullmatch(text)
                return made[1] if made is not None else ""
        return ""

    def files(self) -> list[str]:
        found: list[int] = []
        self.lib.clang_getInclusions(self._unit, _COLLECT_INCLUSION, found)
        return [self._name(file) for file in found]

    def resolve(self, raw: RawLocation, *, expansion: bool = False) -> tuple[str, int, int, int]:
        """File, offset, line, column of a location; inside a macro: of the argument, or (`expansion`) of the invocation."""
        ask = self.lib.clang_getExpansionLocation if expansion else self.lib.clang_getFileLocation
        ask(raw, *self._slots)
        return self._name(self._file.value), self._offset.value, self._line.value, self._column.value

    def place(self, raw: RawLocation) -> Place:
        """The user's place of a location, remembered by libclang's own number for it."""
        found = self._places.get(raw.number)
        if found is None:
            file, _, line, column = self.resolve(raw)
            found = Place(self.in_users_words(file), line, self._as_written(file, line, column)) if file else NOWHERE
            self._places[raw.number] = found
        return found

    def _as_written(self, file: str, line: int, column: int) -> int:
        """The column in the user's file, for a text that was mended."""
        if file not in self._written:
            text = self._texts.get(file) if file not in self.own else None
            raw = read_raw(file) if text is not None and os.path.isfile(file) else text
            self._written[file] = Written.of(raw, text) if raw is not None and text is not None else None
        written = self._written[file]
        return column if written is None else written.column(line, column)

    def in_users_words(self, file: str) -> str:
        if file not in self._called:
            self._called[file] = self._in_words(file)
        return self._called[file]

    def _in_words(self, file: str) -> str:
        """A file as the user would type it: from the folder of the text on, or from where the user stands, if so was typed."""
        known, given = self.shown
        if file in self.own or not known:
            return file
        here = os.getcwd() + os.sep
        if file.startswith(known + os.sep):
            file = os.path.join(given, file[len(known) + 1:])
        elif not os.path.isabs(given) and file.startswith(here):
            file = file[len(here):]
        plain = os.path.normpath(file)
        return plain if os.path.realpath(plain) == os.path.realpath(file) else file

    def _name(self, file: int | None) -> str:
        if not file:
            return ""
        if file not in self._files:
            self._files[file] = _text(self.lib.clang_getFileName(file))
        return self._files[file]


@cache
def _index() -> int:
    return int(library().clang_createIndex(1, 0))

