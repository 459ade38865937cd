"""Calls: of functions, methods, the device library, functions of other texts, and through pointers."""

from __future__ import annotations

from collections.abc import Iterator

from automata.lang.clang import kinds
from automata.lang.clang.convert import convert, is_pure, null, unpromoted
from automata.lang.clang.index import Cursor
from automata.lang.clang.nodes import is_operator, is_plain_call
from automata.lang.clang.operators import Operators
from automata.lang.clang.types import is_closure
from automata.lang.library import choose
from automata.lang.opencl import CONVERSION, REINTERPRETATION, conversion, reinterpretation
from automata.lang.tree import (
    Assign,
    Comma,
    Construct,
    Expr,
    FunctionName,
    Invoke,
    InvokeThrough,
    Library,
    Literal,
    Member,
)
from automata.lang.types import ArrayOf, Code, Opaque, Pointer, Record, Type
from automata.lang.work_items import QUERIES, work_item
from automata.place import Place, UnsupportedError
from automata.scalar import I32, Scalar

ASSIGNMENTS = frozenset(f"operator{op}=" for op in ("", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"))
EXCHANGE = "__spmd_exchange"
"""How the names of functions of our header begin that move values of any type among lanes."""
PASSING = frozenset({"move", "forward", "as_const"})
"""Functions of the library that give what they are handed; clang knows them and makes no instance of them."""


class Calls(Operators):
    """Reads calls of functions, constructors and closures."""

    def call(self, cursor: Cursor) -> Expr:
        target = cursor.referenced
        place = cursor.place
        if not target.exists or target.kind not in kinds.FUNCTIONS or self.calls_result(cursor):
            return self.call_through(cursor)
        if target.kind == kinds.CONSTRUCTOR:
            handed = self.operands(cursor, target) if isinstance(self.reader.type(cursor), Opaque) else []
            return self.expr(handed[0]) if len(handed) == 1 else self.construct(cursor, target)
        if target.kind == kinds.DESTRUCTOR:
            raise UnsupportedError("a destructor called by name", place)
        if target.kind == kinds.CONVERSION and is_closure(target.parent):
            return self.closure_as_function(cursor, target)
        if target.has(kinds.GLOBAL_ATTR):
            raise UnsupportedError("a kernel launched by a kernel", place)
        definition = target.definition
        if target.kind == kinds.METHOD and target.spelling == "operator=" and self.is_implicit(target):
            return self.assigned(cursor, target, place)
        if not definition.exists:
            passed = target.spelling in PASSING and self.in_stub(target) and target.parent.kind == kinds.NAMESPACE
            return self.expr(cursor.arguments()[0]) if passed else self.library_call(cursor, target)
        if target.kind == kinds.FUNCTION and self.in_stub(definition) and target.parent.kind != kinds.NAMESPACE:
            plain = self.plain_call(cursor, target)
            if plain is not None:
                return plain
        return self.folded(cursor, definition) or self.invoke(cursor, definition, target)

    def assigned(self, cursor: Cursor, target: Cursor, place: Place) -> Expr:
        """An assignment that the compiler writes: of all bytes; of a base without fields, of none."""
        callee, args = self.callee(cursor), cursor.arguments()
        left = self.method_object(callee, target, place) if callee is not None else self.expr(args[0])
        right = self.expr(args[-1])
        assert left is not None
        self.check_copy(self.reader.owner(target, place), place)
        if not self.reader.owner(target, place).fields:
            return Comma(right, left, left.type, place)
        return Assign(left, right, left.type, place)

    def folded(self, cursor: Cursor, definition: Cursor) -> Expr | None:
        """A call that C++ computes when it compiles, of a `constexpr` function and constants: those may call themselves."""
        kind = self.reader.type(cursor)
        is_free = definition.kind == kinds.FUNCTION or definition.asks("CXXMethod_isStatic")
        if not is_free or not isinstance(kind, Scalar) or (value := cursor.evaluate()) is None:
            return None
        if not all(is_pure(self.expr(arg)) for arg in cursor.arguments()) or not self.is_closed(definition):
            return None
        return Literal(float(value) if kind.is_float else kind.wrap(int(value)), kind, cursor.place)

    def is_closed(self, definition: Cursor) -> bool:
        """Whether a function, and those it calls, can change only variables of their own: clang computes a value alone."""
        seen: set[int] = set()
        waiting = [definition]
        while waiting:
            function = waiting.pop()
            if function.key in seen:
                continue
            seen.add(function.key)
            shapes = [param.type for param in function.arguments()]
            if not all(shape.pointee.const for shape in shapes if shape.kind in (*kinds.REFERENCES, kinds.T_POINTER)):
                return False
            for name in named(function):
                target = name.referenced
                if target.kind in kinds.FUNCTIONS and (inner := target.definition).exists:
                    waiting.append(inner)
                if target.kind == kinds.VAR and not target.type.const and target.parent.kind not in kinds.FUNCTIONS:
                    return False
        return True

    def plain_call(self, cursor: Cursor, target: Cursor) -> Expr | None:
        """A function of the stub that only converts its arguments (`max` of an int and a long, `sqrt` of an int) or makes a
        record of them (`make_float4`): said directly, as in C. None for its other functions."""
        kind = self.reader.type(cursor)
        name, place = target.spelling, cursor.place
        params = [self.reader.type(param) for param in target.arguments()]
        if isinstance(kind, Record) and name == f"make_{kind.name}" and len(params) == len(kind.fields):
            return Construct(tuple(self.fill(cursor.arguments(), target, target)), kind, place)
        entry = self.reader.library.get(name)
        scalars = isinstance(kind, Scalar) and all(isinstance(param, Scalar) for param in params)
        if entry is None or name.startswith("__") or not scalars:
            return None
        same = (kind,) * len(params)
        if choose(entry, same) != (kind, same):
            return None
        args = self.fill(cursor.arguments(), target, target)
        return Library(name, tuple(convert(arg, kind, place) for arg in args), kind, place)

    def calls_result(self, cursor: Cursor) -> bool:
        """Whether this calls what another call returns, which libclang takes for the function that was called there."""
        callee = cursor.expressions()[0] if is_plain_call(cursor) and cursor.expressions() else cursor
        while callee.kind == kinds.UNEXPOSED and len(callee.expressions()) == 1:
            callee = callee.expressions()[0]
        return callee is not cursor and callee.kind == kinds.CALL

    def call_through(self, cursor: Cursor) -> Expr:
        """A call of what a pointer to a function holds."""
        place = cursor.place
        kind = self.reader.type(cursor)
        parts = cursor.expressions()
        target = cursor.referenced
        known = (kinds.VAR, kinds.PARAM, kinds.FIELD)
        if not parts or (target.exists and target.kind not in known and not self.calls_result(cursor)):
            raise UnsupportedError(f"a call of the unknown function '{cursor.spelling}'", place)
        pointer = self.expr(parts[0])
        args = []
        for arg in cursor.arguments():
            value = self.expr(arg)
            args.append(convert(value, Pointer(value.type.element), place) if isinstance(value.type, ArrayOf) else value)
        if isinstance(pointer, FunctionName):
            return Invoke(pointer.function, tuple(args), kind, place)
        if not isinstance(pointer.type, Pointer) or not isinstance(pointer.type.to, Code):
            raise UnsupportedError("a call through a pointer", place)
        return InvokeThrough(pointer, tuple(args), kind, place)

    def operands(self, cursor: Cursor, target: Cursor) -> list[Cursor]:
        """The object (for a method) and the arguments as written."""
        args = cursor.arguments()
        callee = self.callee(cursor)
        if target.kind == kinds.FUNCTION or callee is None:
            return args
        inner = callee.expressions()
        return [*inner[:1], *args]

    def callee(self, cursor: Cursor) -> Cursor | None:
        """The member expression that names the method; None for operators and functions."""
        parts = cursor.expressions()
        first = parts[0] if parts else None
        while first is not None and first.kind in (kinds.PAREN, kinds.UNEXPOSED) and len(first.expressions()) == 1:
            first = first.expressions()[0]
        return first if first is not None and first.kind == kinds.MEMBER and first.referenced.kind in kinds.FUNCTIONS else None

    def invoke(self, cursor: Cursor, definition: Cursor, target: Cursor) -> Expr:
        place = cursor.place
        kind = self.reader.type(cursor)
        args = cursor.arguments()
        before: list[Expr] = []
        if definition.kind != kinds.FUNCTION:
            callee = self.callee(cursor)
            if callee is None and not definition.asks("CXXMethod_isStatic"):
                this, args = self.expr(args[0]), args[1:]
            elif definition.asks("CXXMethod_isStatic"):
                this = None
            else:
                this = self.method_object(callee, definition, place)
            before = [this] if this is not None else []
        function = self.reader.function(definition)
        return Invoke(function, (*before, *self.fill(args, definition, target)), kind, place,
                      is_operator(cursor) and definition.spelling in ASSIGNMENTS)

    def method_object(self, callee: Cursor | None, definition: Cursor, place: Place) -> Expr | None:
        if callee is None:
            return None
        base = self.object(callee.expressions(), place)
        owner = self.reader.owner(definition, place)
        if isinstance(base.type, Record) and base.type is not owner:
            base = self.to_base(base, base.type, owner, callee)
        return base

    def fill(self, args: list[Cursor], definition: Cursor, target: Cursor) -> list[Expr]:
        """The arguments, default ones taken from the declaration."""
        found = []
        params = target.arguments()
        for at, arg in enumerate(args):
            if arg.kind == kinds.UNEXPOSED and not arg.expressions() and not arg.place.line:
                found.append(self.default(arg, params[at], definition.arguments()[at]))
            else:
                value = self.expr(arg)
                if isinstance(value.type, ArrayOf) and (at >= len(params) or params[at].type.kind not in kinds.REFERENCES):
                    value = convert(value, Pointer(value.type.element), value.place)
                found.append(value)
        return found

    def default(self, arg: Cursor, *params: Cursor) -> Expr:
        kind = self.reader.type(arg)
        value = arg.evaluate()
        for param in params:
            inside = param.expressions()
            if inside:
                found = self.expr(inside[-1])
                if value is None or not is_pure(found):
                    return found if isinstance(kind, Record) else convert(found, kind, param.place)
                break
        if value is not None and isinstance(kind, Scalar):
            return Literal(float(value) if kind.is_float else kind.wrap(int(value)), kind, params[0].place)
        if isinstance(kind, Pointer):
            return null(kind, params[0].place)
        raise UnsupportedError(f"the default argument of '{params[0].spelling}'", params[0].place)

    def library_call(self, cursor: Cursor, target: Cursor) -> Expr:
        name = target.spelling
        place = cursor.place
        kind = self.reader.type(cursor)
        if target.kind != kinds.FUNCTION:
            raise UnsupportedError(f"a call of '{name}', whose body is not known", place)
        if name.startswith(EXCHANGE):
            return exchange(name.removeprefix(EXCHANGE), self.fill(cursor.arguments(), target, target), place)
        if self.reader.dialect == "opencl":
            found = self.opencl_call(name, cursor, kind, place)
            if found is not None:
                return found
        built_in = self.built_in(name, cursor, kind) if name.startswith("__builtin_") else None
        if built_in is not None:
            return built_in
        if name not in self.reader.library and name.startswith("__builtin_"):
            name = name.removeprefix("__builtin_")
        if name.startswith("__spmd_missing_"):
            raise UnsupportedError(f"'{name.removeprefix('__spmd_missing_')}'", place)
        if name not in self.reader.library or self.is_in_own_namespace(target):
            if self.reader.is_outside(target):
                return Invoke(self.reader.outside(target), tuple(self.fill(cursor.arguments(), target, target)), kind, place)
            raise UnsupportedError(f"a call of the unknown function '{name}'", place)
        return Library(name, tuple(self.fill(cursor.arguments(), target, target)), kind, place)

    def built_in(self, name: str, cursor: Cursor, kind: Type) -> Expr | None:
        """A function of the compiler that says something, or whose value clang knows."""
        if name == "__builtin_expect":
            return self.expr(cursor.arguments()[0])
        value = cursor.evaluate() if isinstance(kind, Scalar) else None
        if value is None or not isinstance(kind, Scalar):
            return None
        if not all(is_pure(self.expr(arg)) for arg in cursor.arguments()):
            raise UnsupportedError(f"'{name}' of an expression with effects", cursor.place)
        return Literal(float(value) if kind.is_float else kind.wrap(int(value)), kind, cursor.place)

    def is_in_own_namespace(self, target: Cursor) -> bool:
        """Whether a function stands in a namespace of the file: it is not the library's of that name."""
        return not self.in_stub(target) and target.parent.kind == kinds.NAMESPACE and target.parent.spelling not in ("", "std")

    def opencl_call(self, name: str, cursor: Cursor, kind: Type, place: Place) -> Expr | None:
        """A work-item function, a conversion or a reinterpretation of OpenCL C; None for other functions."""
        args = cursor.arguments()
        if name in QUERIES:
            axis = args[0].evaluate() if args and is_pure(self.expr(args[0])) else None if args else 0
            return work_item(name, axis if isinstance(axis, int) else None, place)
        if REINTERPRETATION.fullmatch(name) and len(args) == 1:
            return reinterpretation(name, self.expr(args[0]), kind, place)
        if CONVERSION.fullmatch(name) and len(args) == 1:
            return conversion(name, unpromoted(self.expr(args[0])), kind, place)
        return None

    def is_implicit(self, function: Cursor) -> bool:
        """Whether the compiler writes this special member function."""
        return function.asks("CXXMethod_isDefaulted")

    def construct(self, cursor: Cursor, target: Cursor) -> Expr:
        raise NotImplementedError

    def closure_as_function(self, cursor: Cursor, target: Cursor) -> Expr:
        raise NotImplementedError

    def check_copy(self, kind: Type, place: Place) -> None:
        raise NotImplementedError


def named(function: Cursor) -> Iterator[Cursor]:
    """The names and calls in a function's text."""
    waiting = [function]
    while waiting:
        cursor = waiting.pop()
        if cursor.kind in (kinds.NAME, kinds.MEMBER, kinds.CALL):
            yield cursor
        waiting.extend(cursor.children())


def exchange(name: str, args: list[Expr], place: Place) -> Expr:
    """A value that moves among lanes, by an exchange with a mask in front; of a structure, every field. The arguments are names,
    and are evaluated again for each field. Integers of less than 32 bits move as int."""
    mask, value, *others = args
    kind = value.type
    match kind:
        case Scalar():
            moved = I32 if kind.is_int and kind.bits < 32 else kind
            return convert(Library(name, (mask, convert(value, moved, place), *others), moved, place), kind, place)
        case Record(is_union=False):
            parts = (exchange(name, [mask, Member(value, item.name, item.type, place), *others], place) for item in kind.fields)
            return Construct(tuple(parts), kind, place)
    raise UnsupportedError("an exchange among lanes of arrays, pointers or unions", place)
