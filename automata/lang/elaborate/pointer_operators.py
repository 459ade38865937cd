"""Operators on pointers, and conversions."""

from __future__ import annotations

from automata.lang import core, tree
from automata.lang.elaborate.addresses import Addresses, is_address_number
from automata.lang.elaborate.base import Elaborator
from automata.lang.elaborate.storage import (
    Address,
    Aggregate,
    Foreign,
    Null,
    Origin,
    Root,
    Value,
)
from automata.lang.elaborate.values import as_index, as_scalar, componentwise, null, same_bits
from automata.lang.types import ArrayOf, Code, Pointer, Record, Type, Vector, Void, size_of
from automata.lang.typing import binary, convert, unary
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, I64, U64, Scalar


def is_function(kind: Type) -> bool:
    """Whether a value of this type is a pointer to a function, which has no other meaning than which function it is."""
    return isinstance(kind, Pointer) and isinstance(kind.to, Code)


class PointerOperators(Elaborator):
    """Arithmetic and comparisons of pointers; conversions between types."""

    assumptions: dict[str, None]
    addresses: Addresses

    def pointer_operation(self, node: tree.Binary, left: Value, right: Value) -> Value:
        """`p ± i`, `p - q`, comparisons of pointers."""
        place = node.place
        if node.op in ("+", "-") and isinstance(left, Null) and isinstance(node.left.type, Pointer):
            left = self.builder.nowhere(node.left.type.to)
        if node.op in ("+", "-") and isinstance(left, Address) and not isinstance(right, Address | Null):
            by = as_index(as_scalar(right))
            return left.moved(by if node.op == "+" else unary("-", convert(by, I64), place))
        if isinstance(left, Address) and isinstance(right, Address):
            return self.pointer_pair(node, left, right)
        same = isinstance(left, Null) and isinstance(right, Null)
        pointed = left if isinstance(left, Address) else right
        is_null = self.is_null(pointed, place) if isinstance(pointed, Address) else core.Const(int(same), BOOL, place)
        if node.op in ("==", "!="):
            return is_null if node.op == "==" else core.Unary("!", is_null, BOOL, place)
        if node.op not in ("<", ">", "<=", ">="):
            raise UnsupportedError(f"operator {node.op} on a null pointer", place)
        null_is_right = isinstance(right, Null)
        if node.op in ((">=", "<=")[null_is_right], ("<", ">")[null_is_right]):
            return is_null if "=" in node.op else core.Unary("!", is_null, BOOL, place)
        return core.Const(int("=" in node.op), BOOL, place)

    def is_null(self, at: Address, place: Place) -> core.Expr:
        """Whether a pointer is null: a pointer variable knows; what a parameter points to exists, which is assumed aloud. Null
        and a distance is no longer null, and nothing is there either."""
        if at.root.origin in (Origin.PARAM, Origin.POINTER, Origin.MEMORY):
            self.assumptions["pointer parameters are not null where the source compares pointers with null"] = None
        if at.root.origin is not Origin.POINTER and at.root is not self.builder.null:
            return core.Const(0, BOOL, place)
        here = binary("==", convert(at.bytes().over(1), I64), core.Const(0, I64, place), place)
        if at.root is self.builder.null:
            return here
        nothing = self.builder.number(self.builder.nowhere(at.type).root, place)
        return binary("&&", binary("==", self.builder.number(at.root, place), nothing, place), here, place)

    def pointer_pair(self, node: tree.Binary, left: Address, right: Address) -> core.Expr:
        """Two pointers: compared or subtracted by their distance from the start of one object."""
        place, unit = node.place, max(1, size_of(left.type))
        one, two = left.bytes(), right.bytes()
        if not (one.divisible(unit) and two.divisible(unit)):
            unit = 1
        first, second = convert(one.over(unit), I64), convert(two.over(unit), I64)
        same = self.same_object(left, right, place)
        if node.op == "-":
            self.require_one_object(same, "the difference of", place)
            return binary("-", first, second, place)
        compared = binary(node.op, first, second, place)
        if isinstance(same, core.Const) and same.value:
            return compared
        if node.op == "==":
            return binary("&&", same, compared, place)
        if node.op == "!=":
            return binary("||", unary("!", same, place), compared, place)
        self.require_one_object(same, f"operator {node.op} on", place)
        return compared

    def require_one_object(self, same: core.Expr, what: str, place: Place) -> None:
        """What C++ leaves undefined for pointers into two arrays is taken to be asked of one, unless they are known to differ."""
        if isinstance(same, core.Const) and same.value:
            return
        if isinstance(same, core.Const):
            raise UnsupportedError(f"{what} pointers that may point into different arrays", place)
        self.assumptions[f"pointers that are subtracted or compared by order point into one array (line {place.line})"] = None

    def same_object(self, one: Address, two: Address, place: Place) -> core.Expr:
        """Whether two addresses are in one object; what pointers in memory lead to is one only for one cell."""
        same = self.same_root(one.root, two.root, place)
        known = isinstance(same, core.Const)
        if isinstance(same, core.Const) and not same.value:
            return same
        if one.cell is None and two.cell is None and not (self.builder.has_cells and not known):
            return same
        cells = [self.builder.cell_value(at, place) for at in (one, two)]
        if cells[0] == cells[1] and known:
            return same
        return binary("&&", same, binary("==", cells[0], cells[1], place), place)

    def same_root(self, one: Root, two: Root, place: Place) -> core.Expr:
        if one is two:
            return core.Const(1, BOOL, place)
        if Origin.POINTER in (one.origin, two.origin):
            return binary("==", self.builder.number(one, place), self.builder.number(two, place), place)
        return core.Const(0, BOOL, place)

    # -- conversions ----------------------------------------------------------------------------

    def conversion(self, node: tree.Convert) -> Value:
        kind, place = node.type, node.place
        if isinstance(kind, Pointer):
            return self.to_pointer(node.arg, kind, place)
        if isinstance(node.arg.type, Record | ArrayOf) and not isinstance(kind, Void):
            return self.builder.load(self.address(node.arg).retyped(kind), place)
        value = self.value(node.arg)
        if is_function(node.arg.type) and isinstance(kind, Scalar) and kind != BOOL:
            raise UnsupportedError("a pointer to a function turned into an integer", place)
        match kind:
            case Scalar():
                return self.to_scalar(value, kind, place)
            case Vector() if not isinstance(value, Aggregate):
                return Aggregate((convert(as_scalar(value), kind.element),) * kind.count, kind)
            case Vector():
                return componentwise(lambda part: convert(part, kind.element), kind, value)
        return value

    def to_scalar(self, value: Value, kind: Scalar, place: Place) -> core.Expr:
        if isinstance(value, Foreign):
            return convert(value.number, kind)
        if not isinstance(value, Address | Null):
            return convert(as_scalar(value), kind)
        if kind != BOOL:
            number = self.addresses.number(value, place) if isinstance(value, Address) else core.Const(0, U64, place)
            return convert(number, kind)
        is_null = self.is_null(value, place) if isinstance(value, Address) else core.Const(1, BOOL, place)
        return unary("!", is_null, place)

    def to_pointer(self, arg: tree.Expr, kind: Pointer, place: Place) -> Value:
        if isinstance(arg.type, ArrayOf):
            at = self.address(arg)
            return at.first_element().retyped(kind.to)
        if isinstance(arg.type, Scalar):
            value = as_scalar(self.value(arg))
            if isinstance(value, core.Const) and value.value == 0:
                return null(kind, place)
            if is_address_number(value):
                return self.addresses.place_of(value, kind.to, place)
            raise UnsupportedError("an integer turned into a pointer", place)
        found = self.value(arg)
        if isinstance(arg.type, Pointer) and isinstance(arg.type.to, Code) != isinstance(kind.to, Code):
            raise UnsupportedError("a pointer to a function turned into one to data, or back", place)
        return found.retyped(kind.to) if isinstance(found, Address) else found

    def bits(self, value: Value, kind: Type, place: Place) -> Value:
        """The same bytes as another type: by component where widths agree, through memory otherwise."""
        if isinstance(kind, Scalar) and not isinstance(value, Aggregate):
            return same_bits(as_scalar(value), kind, place)
        if isinstance(kind, Vector) and isinstance(value, Aggregate) and len(value.parts) == kind.count:
            scalars = [as_scalar(part) for part in value.parts]
            if all(part.type.bits == kind.element.bits for part in scalars):
                return Aggregate(tuple(same_bits(part, kind.element, place) for part in scalars), kind)
        source = value.type if isinstance(value, Aggregate) else as_scalar(value).type
        at = self.builder.local("bits", source, place)
        self.builder.store(at, value, place)
        return self.builder.settled(self.builder.load(at.retyped(kind), place), place)
