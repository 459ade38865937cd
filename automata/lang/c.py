"""The C front end: a kernel's pycparser tree, with the functions it calls, to the typed tree.

It types every expression itself and refuses, by name and place, what it does not know. It never guesses:
an unknown name or callee is an error, not a symbol.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pycparser import c_ast, c_generator

from automata.lang import tree
from automata.lang.c_init import InitialiserReader
from automata.lang.c_types import CONSTANT_WORDS, GLOBAL_WORDS, SHARED_WORDS, own_quals, place_of, quals_of
from automata.lang.core import Space
from automata.lang.library import table
from automata.lang.parse import parse_kernel
from automata.lang.preprocess import Dialect, Text
from automata.lang.slices import Piece, keep_only, kernel_name, needed
from automata.lang.tree import Function, Program, Storage, Variable
from automata.lang.tree_typing import as_test, binary, converted
from automata.lang.types import VOID, ArrayOf, Pointer, Type, Void
from automata.lang.typing import promoted
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import I32, Scalar

KERNEL_WORDS = {"__global__", "__kernel", "kernel"}


def read_kernel(source: Text, piece: Piece, others: list[Piece], dialect: Dialect, numbers: tuple[str, ...] = ()) -> Program:
    """One kernel piece of a file as a typed tree; `others` are the pieces it may use. `numbers`: names for integers from 0 on
    that the host puts in when it builds the program; the kernel has them as parameters behind its own."""
    name = kernel_name(piece)
    kept, foreign = needed(piece, others)
    parsed = parse_kernel(source, keep_only(source, kept), dialect, name, foreign)
    return CReader(dialect, source.missing, foreign).program(parsed, name, source.place(piece.start), numbers)


def _from_zero(variable: Variable, place: Place) -> tree.Stmt:
    """The requirement that a variable is not below zero."""
    test = as_test(binary(">=", tree.Name(variable, I32, place), tree.Literal(0, I32, place), place))
    return tree.Evaluate(tree.Library("__requires", (test,), VOID, place), place)


@dataclass
class _Body:
    """A function of the file before its body is read."""

    node: c_ast.FuncDef
    function: Function
    reading: bool = False


@dataclass
class _Context:
    """The function being read."""

    result: Type
    names: list[str] = field(default_factory=list)


class CReader:
    """Reads one translation unit's kernel."""

    def __init__(self, dialect: Dialect, missing: tuple[str, ...], foreign: set[str]) -> None:
        self.dialect = dialect
        self.missing, self.foreign = missing, foreign
        self.functions: dict[str, _Body] = {}
        self.declared: dict[str, c_ast.Decl] = {}
        self.outside: dict[str, Function] = {}
        self.expressions = InitialiserReader(dialect, self.function, self.undeclared)
        self.types, self.scope = self.expressions.types, self.expressions.scope
        self.context = _Context(Void())

    def program(self, parsed: c_ast.FileAST, name: str, place: Place, numbers: tuple[str, ...] = ()) -> Program:
        kernel: c_ast.FuncDef | None = None
        put_in = [Variable(each, I32, Storage.PARAM, const=True, place=place) for each in numbers]
        for variable in put_in:
            self.scope.declare(variable)
        for node in parsed.ext:
            if isinstance(node, c_ast.FuncDef):
                if node.decl.name == name and set(node.decl.quals) & KERNEL_WORDS:
                    kernel = node
                else:
                    self.functions[node.decl.name] = _Body(node, self.signature(node))
            else:
                self.file_level(node)
        if kernel is None:
            raise InputError("no kernel definition found here", place)
        function = self.signature(kernel, is_kernel=True)
        if not isinstance(function.result, Void):
            raise InputError("a kernel must return void", place_of(kernel.decl))
        self.body(kernel, function)
        if put_in:
            function.params = (*function.params, *put_in)
            function.body = (*(_from_zero(each, place) for each in put_in), *(function.body or ()))
        return Program(function, self.dialect)

    def undeclared(self, name: str, place: Place) -> InputError:
        """The error for a name that means nothing here."""
        if name in self.foreign:
            return UnsupportedError(f"'{name}', a type or function that the file declares in C++", place)
        absent = [header for header in self.missing if not known_header(header)]
        hint = f" (these headers were not found: {', '.join(absent[:4])}; add -I)" if absent else ""
        return InputError(f"'{name}' is not declared{hint}", place)

    def function(self, name: str, place: Place) -> Function | None:
        """A function of the file by name, its body read when it is first called."""
        found = self.functions.get(name)
        if found is None:
            if name in self.declared and name not in table(self.dialect):
                if name not in self.outside:
                    self.outside[name] = self.signature(self.declared[name])
                    self.outside[name].outside = True
                return self.outside[name]
            if name in self.foreign:
                raise UnsupportedError(f"'{name}', a type or function that the file declares in C++", place)
            return None
        if found.function.body is None and not found.reading:
            found.reading = True
            self.body(found.node, found.function)
        return found.function

    # -- file level -----------------------------------------------------------------------------

    def file_level(self, node: c_ast.Node) -> None:
        """Typedefs, records, enums, constants, device variables, prototypes."""
        place = place_of(node)
        if isinstance(node, c_ast.Typedef):
            self.types.typedefs[node.name] = self.types.read(node.type, place)
        elif isinstance(node, c_ast.Decl):
            if isinstance(node.type, c_ast.FuncDecl):
                self.declared[node.name] = node
            elif node.name is None:
                self.types.named(node.type, place)
            else:
                self.file_variable(node, place)

    def file_variable(self, node: c_ast.Decl, place: Place) -> None:
        quals = quals_of(node)
        kind = self.sized(node, self.types.read(node.type, place))
        own = own_quals(node.type)
        const = "const" in own or bool(quals & CONSTANT_WORDS)
        storage = Storage.SHARED if quals & SHARED_WORDS else Storage.CONSTANT if const else Storage.GLOBAL
        if quals & SHARED_WORDS and "extern" in (node.storage or []):
            storage = Storage.DYNAMIC
        value = initial = None
        if node.init is not None and const and "__constant__" not in quals:
            value = self.expressions.initialiser(node.init, kind)
        elif node.init is not None:
            initial = self.first_value(node.init, kind)
        external = "extern" in (node.storage or []) and node.init is None
        self.scope.declare(Variable(node.name, kind, storage, const=const, volatile="volatile" in own, value=value,
                                    initial=initial, external=external, place=place))

    def first_value(self, node: c_ast.Node, kind: Type) -> tree.Expr | str:
        """What a variable of the file is initialised with; its text where that is not read."""
        try:
            return self.expressions.initialiser(node, kind)
        except InputError:
            return str(c_generator.CGenerator().visit(node))

    def sized(self, node: c_ast.Decl, kind: Type) -> Type:
        """The type of a declaration; an array without a size takes that of its initialiser."""
        if isinstance(kind, ArrayOf) and kind.count is None and isinstance(node.init, c_ast.InitList):
            return ArrayOf(kind.element, len(node.init.exprs))
        return kind

    # -- functions ------------------------------------------------------------------------------

    def signature(self, node: c_ast.FuncDef | c_ast.Decl, is_kernel: bool = False) -> Function:
        decl = node.decl if isinstance(node, c_ast.FuncDef) else node
        declared = decl.type
        if not isinstance(declared, c_ast.FuncDecl) or getattr(node, "param_decls", None):
            raise InputError(f"'{decl.name}' is not a function with typed parameters", place_of(decl))
        result = self.types.read(declared.type, place_of(decl))
        params = []
        for param in declared.args.params if declared.args else []:
            if isinstance(param, c_ast.Typename) and isinstance(self.types.read(param.type, place_of(param)), Void):
                continue
            params.append(self.parameter(param, is_kernel))
        return Function(decl.name, result, tuple(params), None, place=place_of(decl))

    def parameter(self, node: c_ast.Node, is_kernel: bool) -> Variable:
        place = place_of(node)
        if not isinstance(node, c_ast.Decl):
            if isinstance(node, c_ast.EllipsisParam):
                raise UnsupportedError("a variadic function", place)
            if is_kernel or not isinstance(node, c_ast.Typename):
                raise UnsupportedError("a parameter without a name or without a type", place)
            return Variable("unnamed", self.types.read(node.type, place), Storage.PARAM, place=place)
        kind = self.parameter_type(node, place)
        quals = set() if isinstance(node.type, c_ast.ArrayDecl) else own_quals(node.type)
        if is_kernel and isinstance(kind, Pointer):
            if self.dialect == "opencl" and kind.space is None:
                raise InputError(f"kernel parameter '{node.name}' points to no address space: write __global or __local", place)
            kind = Pointer(kind.to, kind.space or Space.GLOBAL, kind.const, kind.volatile, kind.restrict)
        return Variable(node.name, kind, Storage.PARAM, const="const" in quals, place=place)

    def parameter_type(self, node: c_ast.Decl, place: Place) -> Type:
        """The type of a parameter: an array is a pointer to its element."""
        declared = node.type
        if isinstance(declared, c_ast.ArrayDecl):
            pointer = c_ast.PtrDecl([], declared.type, declared.coord)
            return self.types.read(pointer, place)
        return self.types.read(declared, place)

    def body(self, node: c_ast.FuncDef, function: Function) -> None:
        """Read a function's body in a scope of its own above the file's."""
        outer, self.scope.frames = self.scope.frames, [self.scope.frames[0]]
        context, self.context = self.context, _Context(function.result)
        self.scope.push()
        for param in function.params:
            self.scope.declare(param)
        function.body = self.block(node.body)
        self.scope.frames, self.context = outer, context

    # -- declarations ---------------------------------------------------------------------------

    def declaration(self, node: c_ast.Decl) -> list[tree.Stmt]:
        place, quals, own = place_of(node), quals_of(node), own_quals(node.type)
        if node.name is None:
            self.types.named(node.type, place)
            return []
        if isinstance(node.type, c_ast.FuncDecl):
            return []
        kind = self.sized(node, self.types.read(node.type, place))
        storage = self.storage(node, quals, kind, place)
        variable = Variable(node.name, kind, storage, const="const" in own, volatile="volatile" in own, place=place)
        if storage is Storage.CONSTANT and node.init is not None:
            variable.value = self.expressions.initialiser(node.init, kind)
        if storage is not Storage.LOCAL:
            if node.init is not None and storage is not Storage.CONSTANT:
                raise InputError(f"shared variable '{node.name}' cannot have an initialiser", place)
            self.scope.declare(variable)
            return [tree.Declare(variable, None, place)]
        init = self.expressions.initialiser(node.init, kind) if node.init is not None else None
        if variable.const and isinstance(init, tree.Literal):
            variable.value = init
        self.scope.declare(variable)
        return [tree.Declare(variable, init, place)]

    def storage(self, node: c_ast.Decl, quals: set[str], kind: Type, place: Place) -> Storage:
        words = set(node.storage or [])
        if quals & SHARED_WORDS and (self.dialect == "cuda" or not isinstance(kind, Pointer)):
            if isinstance(kind, ArrayOf) and kind.count is None:
                if "extern" not in words:
                    raise UnsupportedError(f"shared array '{node.name}' whose size is not a constant", place)
                return Storage.DYNAMIC
            return Storage.SHARED
        if isinstance(kind, ArrayOf) and kind.count is None and node.init is None:
            raise UnsupportedError(f"array '{node.name}' whose size is not a constant", place)
        if isinstance(kind, Void):
            raise InputError(f"'{node.name}' is declared void", place)
        if quals & (CONSTANT_WORDS | (GLOBAL_WORDS - {"__global", "global"})) and not isinstance(kind, Pointer):
            return Storage.CONSTANT
        if words & {"static", "extern"}:
            raise UnsupportedError(f"{'/'.join(sorted(words))} local '{node.name}'", place)
        return Storage.LOCAL

    # -- statements -----------------------------------------------------------------------------

    def block(self, node: c_ast.Node | None) -> tuple[tree.Stmt, ...]:
        """A compound statement, or one statement, in a scope of its own."""
        if node is None:
            return ()
        self.scope.push()
        items = (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
        result = [stmt for item in items for stmt in self.statement(item)]
        self.scope.pop()
        return tuple(result)

    def statement(self, node: c_ast.Node) -> list[tree.Stmt]:
        place = place_of(node)
        match node:
            case c_ast.Decl():
                return self.declaration(node)
            case c_ast.DeclList():
                return [stmt for decl in node.decls for stmt in self.declaration(decl)]
            case c_ast.Compound():
                return [tree.Group(self.block(node), place)]
            case c_ast.If():
                test = as_test(self.expressions.value(node.cond))
                return [tree.If(test, self.block(node.iftrue), self.block(node.iffalse), place)]
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                return [self.loop(node, place)]
            case c_ast.Switch():
                return [tree.Switch(self.promoted(node.cond), self.block(node.stmt), place)]
            case c_ast.Case() | c_ast.Default():
                return self.case(node, place)
            case c_ast.Return():
                return [self.returned(node, place)]
            case c_ast.EmptyStatement() | c_ast.Pragma() | c_ast.StaticAssert():
                return []
        return self.simple(node, place)

    def simple(self, node: c_ast.Node, place: Place) -> list[tree.Stmt]:
        match node:
            case c_ast.Break():
                return [tree.Break(place)]
            case c_ast.Continue():
                return [tree.Continue(place)]
            case c_ast.Goto():
                return [tree.Goto(node.name, place)]
            case c_ast.Label():
                return [tree.Label(node.name, place), *(self.statement(node.stmt) if node.stmt is not None else [])]
            case c_ast.Typedef():
                self.types.typedefs[node.name] = self.types.read(node.type, place)
                return []
        return [tree.Evaluate(self.expressions.read(node), place)]

    def promoted(self, node: c_ast.Node) -> tree.Expr:
        value = self.expressions.value(node)
        if not isinstance(value.type, Scalar) or value.type.is_float:
            raise InputError("a switch over something that is no integer", place_of(node))
        return converted(value, promoted(value.type))

    def case(self, node: c_ast.Case | c_ast.Default, place: Place) -> list[tree.Stmt]:
        value = None
        if isinstance(node, c_ast.Case):
            value = self.expressions.constant(node.expr)
            if value is None:
                raise InputError("a case label that is not a constant", place)
        following = [stmt for item in node.stmts or [] for stmt in self.statement(item)]
        return [tree.Case(value, place), *following]

    def loop(self, node: c_ast.For | c_ast.While | c_ast.DoWhile, place: Place) -> tree.Loop:
        self.scope.push()
        start: list[tree.Stmt] = []
        step = None
        if isinstance(node, c_ast.For):
            start = self.statement(node.init) if node.init is not None else []
            step = self.expressions.read(node.next) if node.next is not None else None
        test = self.loop_test(node.cond) if node.cond is not None else None
        body = self.block(node.stmt)
        self.scope.pop()
        return tree.Loop(tuple(start), test, step, body, isinstance(node, c_ast.DoWhile), place)

    def loop_test(self, node: c_ast.Node) -> tree.Expr:
        """The test of a loop; of a comma, the last part is the test."""
        return as_test(self.expressions.value(node))

    def returned(self, node: c_ast.Return, place: Place) -> tree.Return:
        if node.expr is None:
            return tree.Return(None, place)
        value = self.expressions.value(node.expr)
        if isinstance(self.context.result, Void):
            if not isinstance(value.type, Void):
                raise InputError("a kernel or void function returns a value", place)
            return tree.Return(value, place)
        return tree.Return(self.expressions.converted(value, self.context.result), place)


def known_header(name: str) -> bool:
    """Headers of the C library and the CUDA toolkit, whose absence says nothing."""

    return re.match(KNOWN_HEADERS, name) is not None


KNOWN_HEADERS = (r"(c?std\w+|cuda\w*|device_\w+|vector_types|\w*math|c?assert|iostream|vector|algorithm|opencl|helper_\w+|"
                 r"c?string|chrono|random|numeric|limits|builtin_types|cooperative_groups)(\.h|\.cuh)?$")
