"""Expressions of the C front end: pycparser nodes to the typed tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pycparser import c_ast

from automata.lang import tree
from automata.lang.builtins import C_TYPES, CONSTANTS, TYPE_NAMES
from automata.lang.c_types import TypeReader, place_of
from automata.lang.core import AXES, Quantity
from automata.lang.library import SCALAR_WORDS, choose, table
from automata.lang.literals import character, number
from automata.lang.meanings import Permute
from automata.lang.opencl import CONVERSION, REINTERPRETATION, conversion, literal, picked, reinterpretation, swizzle
from automata.lang.preprocess import Dialect
from automata.lang.tree import Expr, Function, Variable
from automata.lang.tree_typing import (
    binary,
    conditional,
    constant_of,
    converted,
    decayed,
    modulo_width,
    unary,
    update,
)
from automata.lang.types import VOID, ArrayOf, Code, Opaque, Pointer, Record, Type, Vector, Void, size_of
from automata.lang.work_items import QUERIES, work_item
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import BOOL, I8, I32, U32, U64, Scalar

_ANNOTATION = re.compile(r"__(read|write|no_read|no_write|enabled|uniform|distinct|all|exclusive|other|old|return_val|ptr_|"
                         r"barrier_invariant|global_|function_wide|candidate|requires_fresh|spec|same_group|atomic_has|array_snap|"
                         r"axiom|reads_from|writes_to|add_noovfl|mod_pow2|max|dominator|equal_|uninterpreted|return_val|"
                         r"non_temporal|pure|concrete|access_|accessed|offset|base|is_|unify|call_|arg)\w*")


@dataclass
class Scope:
    """What a name means: variables in nested frames, functions and constants of the file."""

    frames: list[dict[str, Variable]] = field(default_factory=lambda: [{}])

    def push(self) -> None:
        self.frames.append({})

    def pop(self) -> None:
        self.frames.pop()

    def declare(self, variable: Variable) -> None:
        if variable.name in self.frames[-1] and len(self.frames) > 1:
            raise InputError(f"'{variable.name}' is declared twice in one scope", variable.place)
        self.frames[-1][variable.name] = variable

    def find(self, name: str) -> Variable | None:
        for frame in reversed(self.frames):
            if name in frame:
                return frame[name]
        return None


class ExpressionReader:
    """Reads expressions; raises InputError and UnsupportedError. `function`: a function of the file by name."""

    def __init__(self, dialect: Dialect, function: Callable[[str, Place], Function | None],
                 undeclared: Callable[[str, Place], InputError]) -> None:
        self.dialect = dialect
        self.scope = Scope()
        self.types = TypeReader(dialect, self.constant)
        self.function = function
        self.undeclared = undeclared

    def initialiser(self, node: c_ast.Node, kind: Type) -> Expr:
        """An initialiser for a type (`c_init`)."""
        raise NotImplementedError

    def constant(self, node: c_ast.Node) -> int | None:
        """The value of an integer constant expression, None when it is none."""
        value = constant_of(self.read(node))
        return int(value) if value is not None and not isinstance(value, float) else None

    # -- expressions ----------------------------------------------------------------------------

    def read(self, node: c_ast.Node) -> Expr:
        place = place_of(node)
        match node:
            case c_ast.Constant():
                return self.literal(node, place)
            case c_ast.ID():
                return self.name(node.name, place)
            case c_ast.StructRef():
                return self.member(node, place)
            case c_ast.ArrayRef():
                return self.element(node, place)
            case c_ast.FuncCall():
                return self.call(node, place)
            case c_ast.UnaryOp():
                return self.unary(node, place)
            case c_ast.Cast():
                return self.cast(node, place)
        return self.operation(node, place)

    def value(self, node: c_ast.Node) -> Expr:
        """An expression used as a value: arrays are pointers."""
        return decayed(self.read(node))

    def operation(self, node: c_ast.Node, place: Place) -> Expr:
        match node:
            case c_ast.BinaryOp():
                return self.shift(binary(node.op, self.value(node.left), self.value(node.right), place))
            case c_ast.TernaryOp():
                return conditional(self.value(node.cond), self.value(node.iftrue), self.value(node.iffalse), place)
            case c_ast.Assignment():
                return self.assignment(node, place)
            case c_ast.ExprList():
                *before, last = [self.value(part) for part in node.exprs]
                result = last
                for part in reversed(before):
                    result = tree.Comma(part, result, result.type, place)
                return result
            case c_ast.CompoundLiteral():
                kind = self.types.read(node.type.type, place)
                return self.initialiser(node.init, kind)
        raise UnsupportedError(f"a {type(node).__name__} expression", place)

    def shift(self, node: Expr) -> Expr:
        """An operator; OpenCL takes the count of a shift modulo the width."""
        return modulo_width(node) if self.dialect == "opencl" else node

    def literal(self, node: c_ast.Constant, place: Place) -> Expr:
        text = str(node.value)
        if node.type == "bool" or text in ("true", "false"):
            return tree.Literal(int(text == "true"), BOOL, place)
        if node.type == "nullptr_t" or text == "nullptr":
            return tree.Literal(0, Pointer(VOID), place)
        if text.endswith('"'):
            return tree.Literal(1, Pointer(I8), place)
        if text.endswith("'"):
            return tree.Literal(*character(text, place, self.dialect == "cuda"), place)
        return tree.Literal(*number(text, place), place)

    def name(self, name: str, place: Place) -> Expr:
        found = self.scope.find(name)
        if found is not None:
            if found.const and isinstance(found.type, Scalar) and found.type.is_int and found.value is not None:
                value = constant_of(found.value)
                if value is not None:
                    return tree.Literal(value, found.type, place)
            if found.const and isinstance(found.type, Opaque) and found.value is not None:
                return found.value
            return tree.Name(found, found.type, place)
        if name in self.types.enumerators:
            return tree.Literal(self.types.enumerators[name].value, self.types.enumerators[name].type, place)
        if name in CONSTANTS:
            return tree.Literal(*CONSTANTS[name], place)
        if name in ("threadIdx", "blockIdx", "blockDim", "gridDim"):
            raise UnsupportedError(f"{name} used as a whole", place)
        function = self.function(name, place)
        if function is not None:
            kind = Code(function.result, tuple(param.type for param in function.params))
            return tree.FunctionName(function, Pointer(kind), place)
        raise self.undeclared(name, place)

    def member(self, node: c_ast.StructRef, place: Place) -> Expr:
        owner = node.name.name if isinstance(node.name, c_ast.ID) else ""
        quantities = {quantity.value: quantity for quantity in Quantity}
        name = str(node.field.name)
        if self.dialect == "cuda" and owner in quantities and node.type == "." and self.scope.find(owner) is None:
            for axis in AXES:
                if name == axis:
                    return tree.Query(quantities[owner], axis, U32, place)
            raise InputError(f"{owner} has no member '{name}'", place)
        base = self.read(node.name)
        if node.type == "->":
            base = self.pointed(decayed(base), place)
        if isinstance(base.type, Vector):
            return swizzle(base, name, place)
        if not isinstance(base.type, Record):
            raise InputError(f"'.{name}' of a {base.type}", place)
        found = base.type.field(name)
        if found is None:
            raise InputError(f"{base.type} has no member '{name}'", place)
        return tree.Member(base, name, found.type, place)

    def pointed(self, pointer: Expr, place: Place) -> Expr:
        if not isinstance(pointer.type, Pointer):
            raise InputError(f"a {pointer.type} is dereferenced", place)
        if isinstance(pointer.type.to, Void):
            raise InputError("a pointer to void is dereferenced", place)
        return tree.Deref(pointer, pointer.type.to, place)

    def element(self, node: c_ast.ArrayRef, place: Place) -> Expr:
        base, index = self.read(node.name), self.value(node.subscript)
        if isinstance(index.type, Pointer) and isinstance(base.type, Scalar):
            base, index = index, base
        if not isinstance(index.type, Scalar) or index.type.is_float:
            raise InputError("an array subscript is not an integer", place_of(node.subscript))
        match base.type:
            case ArrayOf(element=kind) | Pointer(to=kind) if not isinstance(kind, Void):
                return tree.Index(base, index, kind, place)
            case Vector(element=kind):
                number = constant_of(index)
                if number is None:
                    return tree.Index(base, index, kind, place)
                if not 0 <= number < base.type.count:
                    raise InputError(f"{base.type} has no component {number}", place)
                return picked(base, (int(number),), place)
        raise InputError(f"a subscript of a {base.type}", place)

    def unary(self, node: c_ast.UnaryOp, place: Place) -> Expr:
        if node.op in ("++", "--", "p++", "p--"):
            target = self.read(node.expr)
            _check_writable(target, place)
            if isinstance(target.type, Vector) and target.type.element.is_float:
                raise InputError(f"operator {node.op.strip('p')} on a {target.type}", place)
            return tree.Step("++" if "+" in node.op else "--", target, node.op.startswith("p"), target.type, place)
        if node.op == "*":
            return self.pointed(self.value(node.expr), place)
        if node.op == "&":
            arg = self.read(node.expr)
            if isinstance(arg, tree.FunctionName):
                return arg
            return tree.AddressOf(arg, Pointer(arg.type), place)
        if node.op in ("sizeof", "_Alignof"):
            return tree.Literal(self.size(node.expr, place), U64, place)
        return unary(node.op, self.value(node.expr), place)

    def size(self, node: c_ast.Node, place: Place) -> int:
        """The size of a type, or of an expression that is not evaluated."""
        if isinstance(node, c_ast.Constant) and str(node.value).endswith('"'):
            raise UnsupportedError("the size of a string", place)
        if isinstance(node, c_ast.Typename):
            kind = self.types.read(node.type, place)
        else:
            kind = self.read(node).type
            if self.dialect == "opencl" and _is_truth(node, kind):
                kind = I32
        if (isinstance(kind, Record) and not kind.complete) or isinstance(kind, Void | Code):
            raise InputError(f"the size of {kind} is not known here", place)
        return size_of(kind)

    def cast(self, node: c_ast.Cast, place: Place) -> Expr:
        kind = self.types.read(node.to_type.type, place)
        if isinstance(node.expr, c_ast.ExprList) and isinstance(kind, Vector):
            return literal([self.value(part) for part in node.expr.exprs], kind, place)
        arg = self.value(node.expr)
        if isinstance(kind, Void):
            return tree.Convert(arg, kind, place)
        if isinstance(kind, Vector) and isinstance(arg.type, Vector) and arg.type != kind:
            raise InputError(f"a cast from {arg.type} to {kind}: use convert_ or as_", place)
        if isinstance(arg.type, Record) and arg.type is kind:
            return arg
        return converted(arg, kind)

    def assignment(self, node: c_ast.Assignment, place: Place) -> Expr:
        target, value = self.read(node.lvalue), self.value(node.rvalue)
        if isinstance(target.type, ArrayOf):
            raise InputError("an array is assigned as a whole", place)
        _check_writable(target, place)
        if node.op == "=":
            return tree.Assign(target, self.converted(value, target.type), target.type, place)
        return self.shift(update(node.op[:-1], target, value, place))

    def converted(self, value: Expr, kind: Type) -> Expr:
        """A value converted as by assignment; the literal 0 may become a null pointer."""
        if isinstance(kind, Pointer) and isinstance(value, tree.Literal) and value.value == 0:
            return tree.Literal(0, kind, value.place)
        return converted(value, kind)

    # -- calls ----------------------------------------------------------------------------------

    def call(self, node: c_ast.FuncCall, place: Place) -> Expr:
        name = str(node.name.name) if isinstance(node.name, c_ast.ID) else ""
        nodes = list(node.args.exprs) if node.args is not None else []
        if not name:
            return self.invoke_through(self.value(node.name), nodes, place)
        if self.scope.find(name) is not None:
            return self.invoke_through(self.name(name, place), nodes, place)
        found = self.function(name, place)
        if found is not None:
            return self.invoke(found, nodes, place)
        if self.dialect == "opencl" and name in QUERIES:
            return work_item(name, self.constant(nodes[0]) if nodes else None, place)
        if name in table(self.dialect):
            return self.library(name, [self.value(arg) for arg in nodes], place)
        return self.special_call(name, nodes, place)

    def special_call(self, name: str, nodes: list[c_ast.Node], place: Place) -> Expr:
        """Families of functions that are named after a type."""
        shape = (CONVERSION.fullmatch(name) or REINTERPRETATION.fullmatch(name)) if self.dialect == "opencl" else None
        kind = self.plain(shape[1]) if shape else None
        if kind is not None and len(nodes) == 1:
            read = conversion if name.startswith("convert_") else reinterpretation
            return read(name, self.value(nodes[0]), kind, place)
        if self.dialect == "cuda" and name.startswith("make_"):
            made = self.types.single(name.removeprefix("make_"))
            if isinstance(made, Record) and len(nodes) != len(made.fields):
                raise InputError(f"{name} takes {len(made.fields)} arguments, here are {len(nodes)}", place)
            if isinstance(made, Record):
                return tree.Construct(tuple(converted(self.value(arg), item.type) for arg, item in
                                            zip(nodes, made.fields, strict=True)), made, place)
        if name in ("asm", "__asm__", "__asm"):
            raise UnsupportedError("inline assembly", place)
        if _ANNOTATION.match(name):
            raise UnsupportedError(f"the annotation '{name}'", place)
        raise UnsupportedError(f"a call of the unknown function '{name}'", place)

    def plain(self, word: str) -> Type | None:
        """A scalar or vector of the language by its name, whatever the file declares."""
        return C_TYPES.get((word,)) or TYPE_NAMES.get(word) or self.types.vector(word)

    def invoke_through(self, pointer: Expr, nodes: list[c_ast.Node], place: Place) -> Expr:
        """A call through a pointer to a function, dereferenced or not."""
        if isinstance(pointer, tree.Deref) and isinstance(pointer.type, Code):
            pointer = pointer.arg
        kind = pointer.type.to if isinstance(pointer.type, Pointer) else None
        if not isinstance(kind, Code):
            raise InputError(f"a call of a {pointer.type}", place)
        if len(nodes) != len(kind.params):
            raise InputError(f"a function of type {kind} is called with {len(nodes)} arguments", place)
        args = tuple(self.converted(self.value(arg), want) for arg, want in zip(nodes, kind.params, strict=True))
        return tree.InvokeThrough(pointer, args, kind.result, place)

    def invoke(self, function: Function, nodes: list[c_ast.Node], place: Place) -> Expr:
        if len(nodes) != len(function.params):
            raise InputError(f"'{function.name}' takes {len(function.params)} arguments, here are {len(nodes)}", place)
        args = tuple(self.converted(self.value(arg), param.type) for arg, param in zip(nodes, function.params, strict=True))
        return tree.Invoke(function, args, function.result, place)

    def library(self, name: str, args: list[Expr], place: Place) -> Expr:
        entry = table(self.dialect)[name]
        if isinstance(entry.meaning, Permute) and args and all(isinstance(arg.type, Vector) for arg in args):
            first, mask = args[0].type, args[-1].type
            assert isinstance(first, Vector) and isinstance(mask, Vector)
            return tree.Library(name, tuple(args), Vector(first.element, mask.count), place)
        found = choose(entry, tuple(arg.type for arg in args))
        if found is None:
            counts = sorted({len(proto.params) for proto in entry.prototypes})
            if len(args) not in counts:
                raise InputError(f"{name} takes {' or '.join(map(str, counts))} arguments, here are {len(args)}", place)
            kinds = ", ".join(str(arg.type) for arg in args)
            raise UnsupportedError(f"{name} on ({kinds})", place)
        result, params = found
        given = [self.argument(arg, kind) for arg, kind in zip(args, params, strict=False)]
        given += [tree.Literal(int(text.rstrip("u"), 0), kind, place) for text, kind in self.defaults(name, len(args))]
        return tree.Library(name, tuple(given), result, place)

    def argument(self, arg: Expr, kind: Type) -> Expr:
        """Pointers and handles go as they are; everything else is converted to the parameter's type."""
        return arg if isinstance(arg.type, Pointer | Opaque) or isinstance(kind, Opaque) else self.converted(arg, kind)

    def defaults(self, name: str, given: int) -> list[tuple[str, Scalar]]:
        proto = table(self.dialect)[name].prototypes[0]
        first = len(proto.params) - len(proto.defaults)
        return [(proto.defaults[at - first], SCALAR_WORDS[proto.params[at]])
                for at in range(max(given, first), len(proto.params))]


def _check_writable(target: Expr, place: Place) -> None:
    """InputError for a write to what is declared const, or to what is no place at all."""
    if isinstance(target, tree.Swizzle) and len(set(target.components)) < len(target.components):
        raise InputError("a component of a vector is assigned twice", place)
    while isinstance(target, tree.Member | tree.Swizzle | tree.Index) and not isinstance(target.base.type, Pointer):
        target = target.base
    pointer = target.base if isinstance(target, tree.Index) else target.arg if isinstance(target, tree.Deref) else None
    name = _name_of(pointer if pointer is not None else target)
    if pointer is not None and isinstance(pointer.type, Pointer) and pointer.type.const:
        raise InputError(f"write to '{name}', which is const", place)
    if isinstance(target, tree.Name) and target.variable.const:
        raise InputError(f"write to '{name}', which is const", place)
    if isinstance(target, tree.Literal | tree.Query | tree.Binary):
        raise InputError("an assignment to something that is no place", place)


def _name_of(node: Expr) -> str:
    while isinstance(node, tree.Convert | tree.Binary):
        node = node.arg if isinstance(node, tree.Convert) else node.left
    return node.variable.name if isinstance(node, tree.Name) else "this place"


def _is_truth(node: c_ast.Node, kind: Type) -> bool:
    """Whether C gives an expression the type int where the tree has BOOL."""
    operator = isinstance(node, c_ast.BinaryOp | c_ast.UnaryOp) and node.op in ("<", "<=", ">", ">=", "==", "!=", "&&", "||", "!")
    return kind == BOOL and operator
