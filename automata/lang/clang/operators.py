"""Operators of clang's tree as the typed tree's; their operands have been converted by clang."""

from __future__ import annotations

from dataclasses import replace

from automata.lang.clang import kinds
from automata.lang.clang.convert import address, convert, deref, index, is_place, unpromoted
from automata.lang.clang.index import Cursor
from automata.lang.clang.names import Names
from automata.lang.clang.nodes import is_value
from automata.lang.opencl import picked
from automata.lang.tree import (
    Assign,
    Binary,
    Bits,
    Comma,
    Conditional,
    Construct,
    Declare,
    Expr,
    FunctionName,
    Literal,
    Name,
    Query,
    Step,
    Unary,
    Update,
)
from automata.lang.tree_typing import SHIFTS, logical, modulo_width, negated
from automata.lang.types import VOID, ArrayOf, Code, Pointer, Record, Type, Vector
from automata.lang.typing import common, promoted
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, Scalar

COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})


class Operators(Names):
    """Reads operators."""

    def subscript(self, cursor: Cursor) -> Expr:
        left, right = (self.expr(part) for part in cursor.expressions())
        if isinstance(left.type, Vector) and isinstance(right, Literal):
            if not 0 <= right.value < left.type.count:
                raise UnsupportedError(f"component {right.value} of a {left.type}", cursor.place)
            return picked(left, (int(right.value),), cursor.place)
        if not isinstance(left.type, (Pointer, ArrayOf)):
            left, right = right, left
        if not isinstance(left.type, (Pointer, ArrayOf)):
            raise UnsupportedError(f"an index into '{left.type}'", cursor.place)
        return index(left, right, self.reader.type(cursor), cursor.place)

    def unary(self, cursor: Cursor) -> Expr:
        op = kinds.UNARY_OPERATORS.get(cursor.unit.lib.clang_getCursorUnaryOperatorKind(cursor.raw), "")
        parts = cursor.expressions()
        place = cursor.place
        if not parts or not op:
            return self.constant_value(cursor, "a unary operator that this version does not read")
        arg = self.expr(parts[0])
        kind = self.reader.type(cursor)
        if op.endswith(("++", "--")) and (bits := self.reader.bits.get(id(arg))) is not None:
            return bits.stepped(op[-1], op.startswith("post"), place)
        if op.endswith(("++", "--")):
            return Step("++" if op.endswith("++") else "--", arg, op.startswith("post"), arg.type, place)
        if op == "&":
            return self.address_of(arg, place)
        if op == "*":
            return arg if isinstance(kind, Code) else deref(arg, kind, place)
        if op == "!" and isinstance(arg.type, Vector):
            return negated(arg, place)
        if op == "!":
            found: Expr = Unary("!", self.truth_of(arg), BOOL, place)
            return found if kind == BOOL else convert(found, kind, place)
        return self.arithmetic_unary(op, arg, kind, place)

    def address_of(self, arg: Expr, place: Place) -> Expr:
        if isinstance(arg, FunctionName):
            return arg
        if isinstance(arg, (Construct, Query)):
            raise UnsupportedError("the address of a value", place)
        return address(arg, place)

    def arithmetic_unary(self, op: str, arg: Expr, kind: Type, place: Place) -> Expr:
        arg = convert(arg, kind, place)
        if op == "+":
            return arg
        if op == "-":
            if isinstance(arg, Literal) and isinstance(kind, Scalar):
                value = -arg.value if kind.is_float else kind.wrap(-int(arg.value))
                return Literal(value, kind, place)
            return Unary("-", arg, kind, place)
        return Unary("~", arg, kind, place)

    def binary(self, cursor: Cursor) -> Expr:
        """A binary operator; a chain to the left is read in a loop, for generated sums are long."""
        chain = [cursor]
        while (first := chain[-1].expressions()[0]).kind == kinds.BINARY:
            chain.append(first)
        left = self.expr(chain[-1].expressions()[0])
        for node in reversed(chain):
            left = self.operate(node, left)
        return left

    def operate(self, cursor: Cursor, left: Expr) -> Expr:
        op = kinds.BINARY_OPERATORS.get(cursor.unit.lib.clang_getCursorBinaryOperatorKind(cursor.raw), "")
        right = self.expr(cursor.expressions()[1])
        kind = self.value_type(cursor)
        place = cursor.place
        if op == "=" and (bits := self.reader.bits.get(id(left))) is not None:
            return bits.assigned(right, place)
        if op == "=":
            return Assign(left, right if isinstance(left.type, Record) else convert(right, left.type, place), left.type, place)
        if op == ",":
            return Comma(left, right, right.type, place)
        if op in ("&&", "||") and isinstance(left.type, Vector):
            return logical(op, left, right, place)
        if op in ("&&", "||"):
            return self.truth(Binary(op, self.truth_of(left), self.truth_of(right), BOOL, place), kind)
        if op in COMPARISONS:
            if isinstance(kind, Vector):
                return Binary(op, left, right, kind, place)
            left, right = self.balance(left, right, place)
            return self.truth(Binary(op, left, right, BOOL, place), kind)
        if not op:
            raise UnsupportedError("an operator that this version does not read", place)
        return self.arithmetic(op, left, right, kind, place)

    def value_type(self, cursor: Cursor) -> Type:
        """The type of an operator's value; libclang shows a parameter declared as an array by that array."""
        kind = self.reader.type(cursor)
        return Pointer(kind.element) if isinstance(kind, ArrayOf) else kind

    def truth_of(self, expr: Expr) -> Expr:
        """A value as a condition, without the promotion that OpenCL C puts in between."""
        return convert(unpromoted(expr), BOOL, expr.place)

    def truth(self, expr: Expr, kind: Type) -> Expr:
        """OpenCL C says int where C++ says bool."""
        return convert(expr, kind, expr.place)

    def balance(self, left: Expr, right: Expr, place: Place) -> tuple[Expr, Expr]:
        """Both operands of a comparison in one type; clang has done it but for pointers and enumerations."""
        if isinstance(left.type, Scalar) and isinstance(right.type, Scalar) and left.type != right.type:
            kind = common(left.type, right.type)
            return convert(left, kind, place), convert(right, kind, place)
        if isinstance(left.type, Pointer) and isinstance(right.type, Pointer) and left.type != right.type:
            return (convert(left, right.type, place), right) if left.type.to == VOID else (left, convert(right, left.type, place))
        return left, right

    def arithmetic(self, op: str, left: Expr, right: Expr, kind: Type, place: Place) -> Expr:
        if isinstance(kind, Pointer):
            base, offset = (right, left) if isinstance(right.type, Pointer) else (left, right)
            return Binary(op, base, offset, kind, place)
        if isinstance(left.type, Pointer) or op in SHIFTS:
            return self.shift(Binary(op, left, right, kind, place))
        return Binary(op, convert(left, kind, place), convert(right, kind, place), kind, place)

    def shift(self, node: Expr) -> Expr:
        """An operator; OpenCL takes the count of a shift modulo the width."""
        return modulo_width(node) if self.reader.dialect == "opencl" else node

    def compound(self, cursor: Cursor) -> Expr:
        """`a op= b`: libclang hides the type it is computed in, C's rules give it."""
        op = kinds.BINARY_OPERATORS.get(cursor.unit.lib.clang_getCursorBinaryOperatorKind(cursor.raw), "")
        target, value = (self.expr(part) for part in cursor.expressions())
        kind = target.type
        place = cursor.place
        if not op or op == "=":
            raise UnsupportedError("an operator that this version does not read", place)
        if (bits := self.reader.bits.get(id(target))) is not None:
            return bits.updated(op, value, place)
        if isinstance(kind, Scalar) and isinstance(value.type, Scalar):
            if op in SHIFTS:
                return self.shift(Update(op, target, convert(value, promoted(value.type), place), promoted(kind), kind, place))
            computed = common(kind, value.type)
            return Update(op, target, convert(value, computed, place), computed, kind, place)
        return self.shift(Update(op, target, value, kind, kind, place))

    def choose(self, cursor: Cursor) -> Expr:
        """`a ? b : c`; as a place, a constant among the two is one too."""
        found = self.chosen_value(cursor)
        if is_value(cursor) or not isinstance(found, Conditional) or is_place(found.then) == is_place(found.other):
            return found
        return replace(found, then=self.placed(found.then), other=self.placed(found.other))

    def placed(self, value: Expr) -> Expr:
        """A value put where a reference finds it."""
        if is_place(value):
            return value
        variable = self.reader.temporary(value.type, value.place)
        self.reader.prelude.append(Declare(variable, None, value.place))
        name = Name(variable, value.type, value.place)
        return Comma(Assign(name, value, value.type, value.place), name, value.type, value.place)

    def chosen_value(self, cursor: Cursor) -> Expr:
        test, then, other = cursor.expressions()
        kind = self.reader.type(cursor)
        place = cursor.place
        left, right = self.expr(then), self.expr(other)
        if isinstance(kind, Vector) and isinstance(self.reader.type(test), Vector):
            return Conditional(self.expr(test), convert(left, kind, place), convert(right, kind, place), kind, place)
        if isinstance(kind, (ArrayOf, Code)) and isinstance(left.type, Pointer):
            kind = left.type
        if isinstance(kind, (Scalar, Pointer)):
            left, right = convert(left, kind, place), convert(right, kind, place)
        return Conditional(self.test(test), left, right, kind, place)

    def bit_cast(self, cursor: Cursor) -> Expr:
        """`__builtin_bit_cast`: libclang gives the node no type, but names the one written."""
        named = [child for child in cursor.children() if child.kind == kinds.TYPE_REF]
        if not named:
            raise UnsupportedError("__builtin_bit_cast to a built-in type", cursor.place)
        return Bits(self.expr(cursor.expressions()[-1]), self.reader.type(named[0]), cursor.place)
