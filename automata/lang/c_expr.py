"""Expressions of the C front end: names, literals, operators, array elements, device functions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from pycparser import c_ast

from automata.lang import core
from automata.lang.builtins import (
    C_TYPES,
    CONSTANTS,
    FUNCTIONS,
    INTEGER_FUNCTIONS,
    QUERIES_OPENCL,
    TYPE_NAMES,
    UNREAD_TYPES,
)
from automata.lang.core import AXES, Array, Expr, Quantity, Space
from automata.lang.lower import fold_constants
from automata.lang.preprocess import Dialect
from automata.lang.typing import binary, common, convert, float_type, promoted, select, unary
from automata.place import NOWHERE, InputError, Place, UnsupportedError
from automata.scalar import BOOL, F32, F64, I8, I32, I64, U32, U64, Scalar

_DEVICE_LIBRARY = re.compile(r"atomic|atom_|__\w|sub_group|work_group|(read_|write_)?mem_fence|vload|vstore|async_|prefetch|"
                             r"mem(cpy|set)$|printf$|assert$|clock|as_\w|convert_|make_|tex[123]D|read_image|write_image")


def place_of(node: c_ast.Node) -> Place:
    """The user's place of a pycparser node."""
    coord = getattr(node, "coord", None)
    return Place(str(coord.file), coord.line, coord.column or 0) if coord else NOWHERE


@dataclass
class Scope:
    """What a name means inside one kernel. Locals are renamed apart: `i`, `i.2`, `i.3`."""

    device_names: set[str]
    missing: tuple[str, ...]
    constants: dict[str, tuple[int | float, Scalar]] = field(default_factory=lambda: dict(CONSTANTS))
    frames: list[dict[str, tuple[str, Scalar] | Array]] = field(default_factory=lambda: [{}])
    used: dict[str, int] = field(default_factory=dict)
    param_names: set[str] = field(default_factory=set)

    def push(self) -> None:
        self.frames.append({})

    def pop(self) -> None:
        self.frames.pop()

    def fresh(self, name: str) -> str:
        self.used[name] = self.used.get(name, 0) + 1
        return name if self.used[name] == 1 else f"{name}.{self.used[name]}"

    def declare_param(self, name: str, kind: Scalar) -> None:
        self.frames[-1][name] = (self.fresh(name), kind)
        self.param_names.add(name)

    def declare_local(self, name: str, kind: Scalar, place: Place) -> str:
        if name in self.frames[-1]:
            raise InputError(f"'{name}' is declared twice in one scope", place)
        unique = self.fresh(name)
        self.frames[-1][name] = (unique, kind)
        return unique

    def declare_array(self, array: Array) -> None:
        self.fresh(array.name)
        self.frames[-1][array.name] = array

    def bind_array(self, name: str, array: Array) -> None:
        self.frames[-1][name] = array

    def find(self, name: str) -> tuple[str, Scalar] | Array | None:
        for frame in reversed(self.frames):
            if name in frame:
                return frame[name]
        return None

    def is_shared_scalar(self, name: str) -> bool:
        found = self.find(name)
        return isinstance(found, Array) and not found.dims

    def local(self, name: str, place: Place) -> tuple[str, Scalar]:
        """A name that may be assigned: a local or a scalar parameter."""
        found = self.find(name)
        if isinstance(found, Array):
            raise UnsupportedError(f"assignment to the pointer or array '{name}'", place)
        if found is None:
            raise self.unknown(name, place)
        return found

    def unknown(self, name: str, place: Place) -> InputError:
        if name in self.device_names:
            return UnsupportedError(f"'{name}', a variable or function of the device at file level", place)
        absent = [header for header in self.missing if not _known_header(header)]
        hint = f" (these headers were not found: {', '.join(absent[:4])}; add -I)" if absent else ""
        return InputError(f"'{name}' is not declared{hint}", place)


def _known_header(name: str) -> bool:
    """Headers of the C library and the CUDA toolkit, whose absence says nothing."""
    return bool(re.match(r"(c?std\w+|cuda\w*|device_\w+|vector_types|\w*math|c?assert|iostream|vector|algorithm|"
                         r"helper_\w+|c?string|chrono|random|numeric|limits)(\.h|\.cuh)?$", name))


class ExpressionReader:
    """pycparser expressions to Core expressions, typed. Raises InputError and UnsupportedError."""

    def __init__(self, scope: Scope, dialect: Dialect) -> None:
        self.scope = scope
        self.dialect = dialect
        self.typedefs: dict[str, Scalar] = dict(TYPE_NAMES)

    # -- types and constants ------------------------------------------------------------------

    def scalar(self, node: c_ast.Node, at: c_ast.Node) -> Scalar:
        """The scalar type that a type node names."""
        place = place_of(at)
        if not isinstance(node, c_ast.IdentifierType):
            raise UnsupportedError(f"a {type(node).__name__.lower()} type", place)
        if len(node.names) == 1 and node.names[0] in self.typedefs:
            return self.typedefs[node.names[0]]
        if len(node.names) == 1 and node.names[0] in UNREAD_TYPES:
            raise UnsupportedError(f"type '{node.names[0]}'", place)
        kind = C_TYPES.get(tuple(sorted(node.names)))
        if kind is None:
            raise UnsupportedError(f"type '{' '.join(node.names)}'", place)
        return kind

    def constant(self, node: c_ast.Node) -> int | None:
        """The value of an integer constant expression, None when it is none."""
        try:
            folded = fold_constants(self.read(node), {})
        except UnsupportedError:
            return None
        return int(folded.value) if isinstance(folded, core.Const) and folded.type.is_int else None

    # -- expressions --------------------------------------------------------------------------

    def read(self, node: c_ast.Node) -> Expr:
        """An expression without effects, as Core."""
        place = place_of(node)
        match node:
            case c_ast.Constant():
                return self.literal(node, place)
            case c_ast.ID():
                return self.name(node.name, place)
            case c_ast.StructRef():
                return self.member(node, place)
            case c_ast.ArrayRef():
                array, index, where = self.element(node)
                return core.Load(array.name, index, array.element, where)
            case c_ast.FuncCall():
                return self.call(node, place)
        return self.operation(node, place)

    def operation(self, node: c_ast.Node, place: Place) -> Expr:
        """An operator applied to expressions; effects inside expressions are refused."""
        match node:
            case c_ast.BinaryOp():
                return binary(node.op, self.read(node.left), self.read(node.right), place)
            case c_ast.UnaryOp():
                return self.unary(node, place)
            case c_ast.TernaryOp():
                return select(self.read(node.cond), self.read(node.iftrue), self.read(node.iffalse), place)
            case c_ast.Cast():
                return self.cast(node, place)
            case c_ast.Assignment():
                raise UnsupportedError("an assignment inside an expression", place)
            case c_ast.ExprList():
                raise UnsupportedError("a comma operator", place)
        raise UnsupportedError(f"a {type(node).__name__} expression", place)

    def literal(self, node: c_ast.Constant, place: Place) -> Expr:
        text = str(node.value)
        if node.type == "bool" or text in ("true", "false"):
            return core.Const(int(text == "true"), BOOL, place)
        if text.startswith("'"):
            body = text[1:-1].encode().decode("unicode_escape")
            if len(body) != 1 or ord(body) > 255:
                raise UnsupportedError(f"the character constant {text}", place)
            return core.Const(I8.wrap(ord(body)), I32, place)
        if text.startswith('"'):
            raise UnsupportedError("a string", place)
        if re.search(r"[.]|^[^xX]*[eE]|[pP]", text) and not text.lower().startswith("0x"):
            kind = F32 if text[-1] in "fF" else F64
            return core.Const(kind.nearest(Fraction(text.rstrip("fFlL"))), kind, place)
        if text.lower().startswith("0x") and ("p" in text.lower() or "." in text):
            raise UnsupportedError("a hexadecimal floating constant", place)
        return self.integer(text, place)

    def integer(self, text: str, place: Place) -> Expr:
        found = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlL]*)", text)
        if not found:
            raise UnsupportedError(f"constant '{text}'", place)
        digits, suffix = found.group(1), found.group(2).lower()
        decimal = digits.isdigit() and (digits == "0" or digits[0] != "0")
        value = int(digits, 0) if not digits.isdigit() or decimal else int(digits, 8)
        kinds = (U32, U64) if "u" in suffix else (I32, I64) if decimal else (I32, U32, I64, U64)
        fits = [kind for kind in kinds if kind.holds(value) and ("l" not in suffix or kind.bits == 64)]
        if not fits:
            raise InputError(f"constant '{text}' fits no integer type", place)
        return core.Const(value, fits[0], place)

    def name(self, name: str, place: Place) -> Expr:
        found = self.scope.find(name)
        if isinstance(found, Array):
            if not found.dims:
                return core.Load(found.name, (), found.element, place)
            raise UnsupportedError(f"the address of '{name}' used as a value", place)
        if found is not None:
            return core.Var(found[0], found[1], place)
        if name in self.scope.constants:
            value, kind = self.scope.constants[name]
            return core.Const(value, kind, place)
        if name in ("threadIdx", "blockIdx", "blockDim", "gridDim"):
            raise UnsupportedError(f"{name} used as a whole", place)
        raise self.scope.unknown(name, place)

    def member(self, node: c_ast.StructRef, place: Place) -> Expr:
        owner = node.name.name if isinstance(node.name, c_ast.ID) else ""
        quantities = {quantity.value: quantity for quantity in Quantity}
        if self.dialect == "cuda" and owner in quantities and node.type == ".":
            for axis in AXES:
                if node.field.name == axis:
                    return core.Special(quantities[owner], axis, U32, place)
            raise InputError(f"{owner} has no member '{node.field.name}'", place)
        raise UnsupportedError("a struct or vector member", place)

    def unary(self, node: c_ast.UnaryOp, place: Place) -> Expr:
        if node.op in ("++", "--", "p++", "p--"):
            raise UnsupportedError("an increment inside an expression", place)
        if node.op == "*":
            array, index, where = self.element(node)
            return core.Load(array.name, index, array.element, where)
        if node.op == "&":
            raise UnsupportedError("an address taken with &", place)
        if node.op == "sizeof":
            inner = node.expr
            kind = (self.scalar(inner.type.type, node)
                    if isinstance(inner, c_ast.Typename) and isinstance(inner.type, c_ast.TypeDecl)
                    else self.read(inner).type)
            return core.Const(kind.bytes, U64, place)
        return unary(node.op, self.read(node.expr), place)

    def cast(self, node: c_ast.Cast, place: Place) -> Expr:
        target = node.to_type.type
        if not isinstance(target, c_ast.TypeDecl):
            raise UnsupportedError("a cast to a pointer", place)
        return convert(self.read(node.expr), self.scalar(target.type, node))

    # -- array elements -----------------------------------------------------------------------

    def element(self, node: c_ast.Node) -> tuple[Array, tuple[Expr, ...], Place]:
        """The array, index and place of an element: `a[i][j]`, `*p`, `*(p + e)`, a shared scalar."""
        place = place_of(node)
        array, index = self.pointer_path(node)
        if len(index) != len(array.dims):
            raise UnsupportedError(f"'{array.name}' of rank {len(array.dims)} used with {len(index)} subscripts", place)
        return array, tuple(index), place

    def pointer_path(self, node: c_ast.Node) -> tuple[Array, list[Expr]]:
        place = place_of(node)
        match node:
            case c_ast.ID():
                found = self.scope.find(node.name)
                if isinstance(found, Array):
                    return found, []
                if found is None:
                    raise self.scope.unknown(node.name, place)
                raise InputError(f"'{node.name}' is not an array", place)
            case c_ast.ArrayRef():
                array, index = self.pointer_path(node.name)
                subscript = self.read(node.subscript)
                if subscript.type.is_float:
                    raise InputError("an array subscript is not an integer", place_of(node.subscript))
                return array, [*index, convert(subscript, promoted(subscript.type))]
            case c_ast.UnaryOp(op="*"):
                return self.dereference(node.expr, place)
        if isinstance(node, c_ast.Cast):
            raise UnsupportedError("a cast of a pointer", place)
        raise UnsupportedError("an element of something that is not a named array", place)

    def dereference(self, node: c_ast.Node, place: Place) -> tuple[Array, list[Expr]]:
        """`*p` and `*(p ± e)` for an array p of rank 1."""
        if isinstance(node, c_ast.BinaryOp) and node.op in ("+", "-"):
            for base, offset in ((node.left, node.right), (node.right, node.left)):
                if isinstance(base, c_ast.ID) and isinstance(self.scope.find(base.name), Array):
                    array, index = self.pointer_path(base)
                    by = self.read(offset)
                    by = convert(by, promoted(by.type))
                    return array, [*index, by if node.op == "+" else unary("-", convert(by, I64), place)]
        if isinstance(node, c_ast.ID):
            array, index = self.pointer_path(node)
            return array, [*index, core.Const(0, I32, place)]
        raise UnsupportedError("a dereference that is not *p or *(p + offset) of a named array", place)

    # -- calls --------------------------------------------------------------------------------

    def callee(self, node: c_ast.FuncCall) -> str:
        return str(node.name.name) if isinstance(node.name, c_ast.ID) else ""

    def arguments(self, node: c_ast.FuncCall) -> list[c_ast.Node]:
        return list(node.args.exprs) if node.args is not None else []

    def barrier(self, node: c_ast.FuncCall) -> frozenset[Space] | None:
        """The spaces a barrier call fences, None when the call is no barrier."""
        name, args, place = self.callee(node), self.arguments(node), place_of(node)
        if self.dialect == "cuda" and name == "__syncthreads" and not args:
            return frozenset(Space)
        if self.dialect == "opencl" and name in ("barrier", "work_group_barrier") and len(args) == 1:
            flags = self.constant(args[0])
            if flags is None or not 0 <= flags <= 3:
                raise UnsupportedError("a barrier whose fence flags are not constant", place)
            chosen = [space for bit, space in ((1, Space.SHARED), (2, Space.GLOBAL)) if flags & bit]
            return frozenset(chosen)
        return None

    def call(self, node: c_ast.FuncCall, place: Place) -> Expr:
        name, nodes = self.callee(node), self.arguments(node)
        if self.dialect == "opencl" and name in QUERIES_OPENCL:
            return self.query(name, nodes, place)
        if name in INTEGER_FUNCTIONS or name in FUNCTIONS:
            return self.library(name, [self.read(arg) for arg in nodes], place)
        if name in ("fma", "fmaf") and len(nodes) == 3:
            args = [self.read(arg) for arg in nodes]
            kind = F32 if name == "fmaf" else float_type(*(arg.type for arg in args))
            return core.Call("fma", tuple(convert(arg, kind) for arg in args), kind, place)
        if name in ("__syncthreads", "barrier", "work_group_barrier"):
            raise UnsupportedError(f"{name} with these arguments or inside an expression", place)
        if not name:
            raise UnsupportedError("a call through an expression", place)
        if name in self.scope.device_names:
            raise UnsupportedError(f"a call of the device function '{name}'", place)
        if _DEVICE_LIBRARY.match(name):
            raise UnsupportedError(f"the device function '{name}'", place)
        raise UnsupportedError(f"a call of the unknown function '{name}'", place)

    def query(self, name: str, nodes: list[c_ast.Node], place: Place) -> Expr:
        axis = self.constant(nodes[0]) if len(nodes) == 1 else None
        if axis is None:
            raise UnsupportedError(f"{name} whose dimension is not a constant", place)
        default = 1 if name in ("get_local_size", "get_global_size", "get_num_groups") else 0
        if not 0 <= axis <= 2 or name == "get_global_offset":
            return core.Const(default, U64, place)
        thread, block, size, blocks = (core.Special(quantity, AXES[axis], U64, place) for quantity in Quantity)
        simple: dict[str, Expr] = {"get_local_id": thread, "get_group_id": block, "get_local_size": size,
                                   "get_num_groups": blocks}
        if name in simple:
            return simple[name]
        if name == "get_global_size":
            return core.Binary("*", blocks, size, U64, place)
        return core.Binary("+", core.Binary("*", block, size, U64, place), thread, U64, place)

    def library(self, name: str, args: list[Expr], place: Place) -> Expr:
        arity = INTEGER_FUNCTIONS.get(name) or FUNCTIONS[name].arity
        if len(args) != arity:
            raise InputError(f"{name} takes {arity} arguments, here are {len(args)}", place)
        if name in INTEGER_FUNCTIONS:
            kind = common(args[0].type, args[-1].type)
            if name in ("umin", "umax") and kind.is_int:
                kind = U32 if kind.bits == 32 else U64
            if kind.is_float:
                return self.library({"min": "fmin", "max": "fmax"}.get(name, "fabs"), args, place)
            args = [convert(arg, kind) for arg in args]
            if name == "abs":
                below = binary("<", args[0], core.Const(0, kind, place), place)
                return select(below, unary("-", args[0], place), args[0], place)
            first, second = (args[0], args[1]) if "min" in name else (args[1], args[0])
            return select(binary("<", first, second, place), args[0], args[1], place)
        function = FUNCTIONS[name]
        kind = function.type or float_type(*(arg.type for arg in args))
        return core.Call(function.name, tuple(convert(arg, kind) for arg in args), kind, place)


__all__ = ["ExpressionReader", "Scope", "place_of"]
