"""Initialisers of the C front end: lists in braces, designated or not, for arrays, records and vectors."""

from __future__ import annotations

from pycparser import c_ast

from automata.lang import tree
from automata.lang.c_expr import ExpressionReader
from automata.lang.c_types import place_of
from automata.lang.opencl import literal
from automata.lang.tree import Expr
from automata.lang.types import ArrayOf, Pointer, Record, Type, Vector
from automata.place import NOWHERE, InputError, Place, UnsupportedError
from automata.scalar import Scalar


class InitialiserReader(ExpressionReader):
    """Expressions, and initialisers made of them."""

    def initialiser(self, node: c_ast.Node, kind: Type) -> Expr:
        """An initialiser for a type; in braces: a part for each part of the type."""
        place = place_of(node)
        if not isinstance(node, c_ast.InitList):
            if isinstance(kind, ArrayOf):
                raise UnsupportedError("an array initialised by something that is not a list in braces", place)
            return self.converted(self.value(node), kind)
        place = place if place.file else self.list_place(node)
        parts = list(node.exprs)
        count = len(kind.fields) if isinstance(kind, Record) else kind.count if isinstance(kind, ArrayOf) else None
        if count is not None and len(parts) > count:
            raise InputError(f"{len(parts)} initial values for {kind}, which has {count} parts", place)
        if any(isinstance(part, c_ast.NamedInitializer) for part in parts):
            return self.named_initialiser(parts, kind, place)
        match kind:
            case ArrayOf(element=element):
                return tree.Construct(tuple(self.initialiser(part, element) for part in parts), kind, place)
            case Record(fields=fields):
                return tree.Construct(tuple(self.initialiser(part, item.type) for part, item in zip(parts, fields, strict=False)),
                                      kind, place)
            case Vector():
                values = [self.value(part) for part in parts]
                if len(values) == 1 and not isinstance(values[0].type, Vector):
                    raise InputError(f"1 initial value for a {kind}", place)
                return literal(values, kind, place)
        if len(parts) != 1:
            raise InputError(f"{len(parts)} initial values for a {kind}", place)
        return self.initialiser(parts[0], kind)

    def list_place(self, node: c_ast.Node) -> Place:
        """The place of a list in braces that has none itself: that of its first part that has one."""
        for _, child in node.children():
            found = place_of(child) if place_of(child).file else self.list_place(child)
            if found.file:
                return found
        return NOWHERE

    def named_initialiser(self, parts: list[c_ast.Node], kind: Type, place: Place) -> Expr:
        if not isinstance(kind, Record):
            raise UnsupportedError("a designated initialiser of an array", place)
        given = {part.name[0].name: part.expr for part in parts
                 if isinstance(part, c_ast.NamedInitializer) and len(part.name) == 1 and isinstance(part.name[0], c_ast.ID)}
        if len(given) != len(parts):
            raise UnsupportedError("a designated initialiser of nested parts", place)
        if kind.is_union:
            raise UnsupportedError("a designated initialiser of a union", place)
        unknown = sorted(set(given) - {item.name for item in kind.fields})
        if unknown:
            raise InputError(f"{kind} has no member '{unknown[0]}'", place)
        return tree.Construct(tuple(self.initialiser(given[item.name], item.type) if item.name in given else
                                    zero(item.type, place) for item in kind.fields), kind, place)


def zero(kind: Type, place: Place) -> Expr:
    """The value of a part that a list in braces leaves out."""
    if isinstance(kind, Scalar | Pointer):
        return tree.Literal(0.0 if isinstance(kind, Scalar) and kind.is_float else 0, kind, place)
    return tree.Construct((), kind, place)
