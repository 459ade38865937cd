"""The C front end: a kernel's pycparser tree to typed Core.

It types every expression itself and refuses, by name and place, what Core does not say. It never
guesses: an unknown name or callee is an error, not a symbol.
"""

from __future__ import annotations

from itertools import pairwise

from pycparser import c_ast

from automata.lang import core
from automata.lang.builtins import TYPE_NAMES, UNREAD_TYPES
from automata.lang.c_expr import ExpressionReader, Scope, place_of
from automata.lang.core import Array, Kernel, Param, Space, Stmt
from automata.lang.parse import parse_kernel
from automata.lang.preprocess import Dialect, Text
from automata.lang.slices import Part, Piece, keep_only, kernel_name
from automata.lang.typing import binary, convert
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import BOOL

SHARED_WORDS = {"__shared__", "__local", "local"}
GLOBAL_WORDS = {"__global", "global", "__constant", "constant"}
KERNEL_WORDS = {"__global__", "__kernel", "kernel"}


def read_kernel(source: Text, piece: Piece, others: list[Piece], dialect: Dialect) -> Kernel:
    """One kernel piece of a file as Core; `others` are the pieces whose types and constants it may use."""
    kept = [*(other for other in others if _simple_declaration(other) and other.end <= piece.start), piece]
    device = {name for other in others if other.part is Part.DEVICE for name in _declared_names(other)}
    types = {name for other in others if other.part is Part.DECLARATION for name in _type_names(other)}
    tree = parse_kernel(source, keep_only(source, kept), dialect, kernel_name(piece), device | types)
    reader = KernelReader(dialect, device, source.missing)
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef) and set(node.decl.quals) & KERNEL_WORDS:
            return reader.kernel(node)
        if isinstance(node, c_ast.FuncDef):
            raise UnsupportedError("a nested or second function in a kernel's text", place_of(node))
        reader.file_level(node)
    raise InputError("no kernel definition found here", source.place(piece.start))


def _simple_declaration(piece: Piece) -> bool:
    texts = {word.text for word in piece.words}
    return piece.part is Part.DECLARATION and not texts & {"{", "class", "template", "<", "::", "static_assert"}


def _type_names(piece: Piece) -> set[str]:
    """The names of structs, unions, classes and enums that a declaration introduces."""
    texts = [word.text for word in piece.words]
    heads = {following for word, following in pairwise(texts) if word in ("struct", "class", "union", "enum")}
    return {name for name in heads | {texts[-2] if len(texts) > 1 else ""} if name.isidentifier()}


def _declared_names(piece: Piece) -> set[str]:
    return {word.text for word in piece.words[:60] if word.text.isidentifier()}


class KernelReader:
    """Reads one kernel. `scope` holds what a name means; statements come back as tuples of Core."""

    def __init__(self, dialect: Dialect, device_names: set[str], missing: tuple[str, ...]) -> None:
        self.dialect = dialect
        self.scope = Scope(device_names, missing)
        self.expressions = ExpressionReader(self.scope, dialect)
        self.arrays: list[Array] = []
        self.params: list[Param] = []
        self.order: list[str] = []

    def file_level(self, node: c_ast.Node) -> None:
        """A typedef of a scalar, or a constant integer, that the kernel may use."""
        if isinstance(node, c_ast.Typedef):
            if node.name not in TYPE_NAMES and node.name not in UNREAD_TYPES and isinstance(node.type, c_ast.TypeDecl):
                self.expressions.typedefs[node.name] = self.expressions.scalar(node.type.type, node)
        elif isinstance(node, c_ast.Decl) and node.init is not None and "const" in node.quals:
            value = self.expressions.constant(node.init)
            if value is not None and isinstance(node.type, c_ast.TypeDecl):
                kind = self.expressions.scalar(node.type.type, node)
                self.scope.constants[node.name] = (kind.wrap(value) if kind.is_int else value, kind)

    # -- declarations -------------------------------------------------------------------------

    def kernel(self, node: c_ast.FuncDef) -> Kernel:
        declared = node.decl.type
        result = declared.type
        if not (isinstance(result, c_ast.TypeDecl) and isinstance(result.type, c_ast.IdentifierType)
                and result.type.names == ["void"]):
            raise InputError("a kernel must return void", place_of(node.decl))
        for param in declared.args.params if declared.args else []:
            self.parameter(param)
        body = self.block(node.body)
        return Kernel(node.decl.name, self.dialect, tuple(self.order), tuple(self.params), tuple(self.arrays), body,
                      place_of(node.decl))

    def parameter(self, node: c_ast.Node) -> None:
        place = place_of(node)
        if isinstance(node, c_ast.Typename) and _is_void(node.type):
            return
        if not isinstance(node, c_ast.Decl) or node.name is None:
            raise UnsupportedError("a kernel parameter without a name", place)
        if isinstance(node.type, c_ast.PtrDecl | c_ast.ArrayDecl):
            self.array_parameter(node, place)
            return
        if not isinstance(node.type, c_ast.TypeDecl):
            raise UnsupportedError(f"parameter '{node.name}' of this type", place)
        kind = self.expressions.scalar(node.type.type, node)
        self.params.append(Param(node.name, kind, place))
        self.scope.declare_param(node.name, kind)
        self.order.append(node.name)

    def array_parameter(self, node: c_ast.Decl, place: Place) -> None:
        target = node.type.type
        if not isinstance(target, c_ast.TypeDecl):
            raise UnsupportedError(f"parameter '{node.name}': pointer to a pointer or to an array", place)
        quals = set(target.quals or []) | set(node.quals or [])
        space = Space.SHARED if quals & SHARED_WORDS else Space.GLOBAL
        if self.dialect == "opencl" and not quals & (SHARED_WORDS | GLOBAL_WORDS):
            raise InputError(f"kernel parameter '{node.name}' points to no address space: write __global or __local", place)
        const = "const" in quals or bool(quals & {"__constant", "constant"})
        element = self.expressions.scalar(target.type, node)
        self.add_array(Array(node.name, element, space, (None,), const, "volatile" in quals, place))
        self.order.append(node.name)

    def add_array(self, array: Array) -> None:
        self.arrays.append(array)
        self.scope.declare_array(array)

    def declaration(self, node: c_ast.Decl) -> list[Stmt]:
        place, quals = place_of(node), set(node.quals or [])
        storage = set(node.storage or [])
        if quals & SHARED_WORDS:
            self.shared(node, place, "extern" in storage)
            return []
        if storage & {"static", "extern"}:
            raise UnsupportedError(f"{'/'.join(sorted(storage))} local '{node.name}'", place)
        if isinstance(node.type, c_ast.PtrDecl):
            raise UnsupportedError(f"pointer local '{node.name}'", place)
        if isinstance(node.type, c_ast.ArrayDecl):
            raise UnsupportedError(f"private array '{node.name}'", place)
        if not isinstance(node.type, c_ast.TypeDecl):
            raise UnsupportedError(f"local '{node.name}' of this type", place)
        kind = self.expressions.scalar(node.type.type, node)
        init = None
        if node.init is not None:
            if isinstance(node.init, c_ast.InitList):
                raise UnsupportedError("an initialiser in braces", place)
            init = convert(self.expressions.read(node.init), kind)
        name = self.scope.declare_local(node.name, kind, place)
        first: list[Stmt] = [core.Declare(name, kind, place)]
        return [*first, core.Assign(name, init, place)] if init is not None else first

    def shared(self, node: c_ast.Decl, place: Place, dynamic: bool) -> None:
        dims: list[int | None] = []
        target = node.type
        while isinstance(target, c_ast.ArrayDecl):
            size = self.expressions.constant(target.dim) if target.dim is not None else None
            if size is None and not (dynamic and target.dim is None and not dims):
                raise UnsupportedError(f"shared array '{node.name}' whose size is not a constant", place)
            if size is not None and size <= 0:
                raise InputError(f"shared array '{node.name}' has a size of {size}", place)
            dims.append(size)
            target = target.type
        if not isinstance(target, c_ast.TypeDecl):
            raise UnsupportedError(f"shared variable '{node.name}' of this type", place)
        if node.init is not None:
            raise InputError(f"shared variable '{node.name}' cannot have an initialiser", place)
        if None in dims and len(dims) > 1:
            raise UnsupportedError(f"dynamic shared array '{node.name}' of rank {len(dims)}", place)
        if None in dims and any(other.space is Space.SHARED and other.dims == (None,) for other in self.arrays):
            raise UnsupportedError(f"second dynamic shared array '{node.name}' (it overlaps the first one)", place)
        element = self.expressions.scalar(target.type, node)
        name = self.scope.fresh(node.name)
        array = Array(name, element, Space.SHARED, tuple(dims), False, "volatile" in (node.quals or []), place)
        self.arrays.append(array)
        self.scope.bind_array(node.name, array)

    # -- statements ---------------------------------------------------------------------------

    def block(self, node: c_ast.Node | None) -> tuple[Stmt, ...]:
        """A compound statement, or one statement, in a scope of its own."""
        if node is None:
            return ()
        self.scope.push()
        items = (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
        result = [stmt for item in items for stmt in self.statement(item)]
        self.scope.pop()
        return tuple(result)

    def statement(self, node: c_ast.Node) -> list[Stmt]:
        place = place_of(node)
        match node:
            case c_ast.Decl():
                return self.declaration(node)
            case c_ast.DeclList():
                return [stmt for decl in node.decls for stmt in self.declaration(decl)]
            case c_ast.Compound():
                return list(self.block(node))
            case c_ast.If():
                test = convert(self.expressions.read(node.cond), BOOL)
                return [core.If(test, self.block(node.iftrue), self.block(node.iffalse), place)]
            case c_ast.For():
                return self.for_loop(node)
            case c_ast.Return():
                if node.expr is not None:
                    raise InputError("a kernel returns no value", place)
                return [core.Return(place)]
            case c_ast.EmptyStatement() | c_ast.Pragma():
                return []
        if type(node).__name__ in _REFUSED:
            raise UnsupportedError(_REFUSED[type(node).__name__], place)
        return self.effect(node)

    def effect(self, node: c_ast.Node) -> list[Stmt]:
        """An expression statement: assignment, increment, barrier; anything else is refused."""
        place = place_of(node)
        match node:
            case c_ast.Assignment():
                return self.assignment(node.lvalue, node.op, node.rvalue, place)
            case c_ast.UnaryOp(op="p++" | "++" | "p--" | "--"):
                one = c_ast.Constant("int", "1", node.coord)
                return self.assignment(node.expr, "+=" if "+" in node.op else "-=", one, place)
            case c_ast.ExprList():
                return [stmt for part in node.exprs for stmt in self.effect(part)]
            case c_ast.FuncCall():
                fences = self.expressions.barrier(node)
                if fences is not None:
                    return [core.Barrier(fences, place)]
                self.expressions.read(node)
                return []
            case c_ast.Cast() if _is_void(node.to_type.type):
                self.expressions.read(node.expr)
                return []
        self.expressions.read(node)
        return []

    def assignment(self, target: c_ast.Node, op: str, value: c_ast.Node, place: Place) -> list[Stmt]:
        if isinstance(value, c_ast.Assignment):
            raise UnsupportedError("an assignment inside an expression", place)
        if isinstance(target, c_ast.ID) and not self.scope.is_shared_scalar(target.name):
            name, kind = self.scope.local(target.name, place_of(target))
            if op == "=":
                return [core.Assign(name, convert(self.expressions.read(value), kind), place)]
            old: core.Expr = core.Var(name, kind, place_of(target))
            new = binary(op[:-1], old, self.expressions.read(value), place)
            return [core.Assign(name, convert(new, kind), place)]
        array, index, where = self.expressions.element(target)
        if array.const:
            raise InputError(f"write to '{array.name}', which is const", where)
        result = self.expressions.read(value)
        if op != "=":
            result = binary(op[:-1], core.Load(array.name, index, array.element, where), result, place)
        return [core.Store(array.name, index, convert(result, array.element), where)]

    def for_loop(self, node: c_ast.For) -> list[Stmt]:
        """A counted loop `for (int i = a; test; i = step)`; the counter may be declared before it."""
        place = place_of(node)
        self.scope.push()
        before: list[Stmt] = []
        if isinstance(node.init, c_ast.DeclList) and len(node.init.decls) == 1:
            before = self.declaration(node.init.decls[0])
        elif node.init is not None and not isinstance(node.init, c_ast.DeclList):
            before = self.effect(node.init)
        if not before or not isinstance(before[-1], core.Assign) or node.cond is None or node.next is None:
            raise UnsupportedError("a loop that is not `for (i = constant; test; step)` with one counter", place)
        start = before.pop()
        assert isinstance(start, core.Assign)
        test = convert(self.expressions.read(node.cond), BOOL)
        step = self.effect(node.next)
        if len(step) != 1 or not isinstance(step[0], core.Assign) or step[0].name != start.name:
            raise UnsupportedError(f"a loop whose step is not one assignment to its counter '{start.name}'", place)
        body = self.block(node.stmt)
        self.scope.pop()
        return [*before, core.For(start.name, start.value, test, step[0].value, body, place)]


_REFUSED = {
    "While": "a while loop", "DoWhile": "a do-while loop", "Switch": "a switch statement", "Break": "break",
    "Continue": "continue", "Goto": "goto", "Label": "a label", "StaticAssert": "static_assert",
    "Typedef": "a typedef inside a kernel",
}


def _is_void(node: c_ast.Node) -> bool:
    return (isinstance(node, c_ast.TypeDecl) and isinstance(node.type, c_ast.IdentifierType)
            and node.type.names == ["void"])
