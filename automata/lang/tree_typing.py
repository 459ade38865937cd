"""The typing pass of the C front end: operators on typed trees, conversions made explicit.

C11 6.3.1 and 6.5 for scalars and pointers, OpenCL C 6.2.6 and 6.3 for vectors: a scalar operand is
widened to the vector's type, comparisons of vectors yield integers of the component's width.
"""

from __future__ import annotations

from automata import arithmetic
from automata.lang import tree
from automata.lang.tree import Expr
from automata.lang.types import ArrayOf, Code, Opaque, Pointer, Record, Type, Vector, Void
from automata.lang.typing import common, promoted
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import BOOL, I8, I16, I32, I64, U64, Scalar

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_TRUTH = {8: I8, 16: I16, 32: I32, 64: I64}


def converted(node: Expr, kind: Type) -> Expr:
    """The expression converted to a type; nothing where it has it; literals are converted at once."""
    node = decayed(node) if isinstance(kind, Pointer | Scalar) else node
    if node.type == kind and not isinstance(kind, Pointer):
        return node
    if isinstance(kind, Pointer) and isinstance(node.type, Pointer) and node.type.to == kind.to:
        return node
    if isinstance(node, tree.Literal) and isinstance(kind, Scalar) and isinstance(node.type, Scalar):
        return tree.Literal(arithmetic.cast(node.value, node.type, kind), kind, node.place)
    if isinstance(kind, Scalar) and kind != BOOL and isinstance(node.type, Vector):
        raise InputError(f"a {node.type} where a {kind} is expected", node.place)
    if isinstance(node.type, Pointer) and isinstance(node.type.to, Code) and not (
            isinstance(kind, Pointer) and isinstance(kind.to, Code)) and kind != BOOL:
        raise UnsupportedError(f"a pointer to a function where a {kind} is expected", node.place)
    if isinstance(node.type, Record) != isinstance(kind, Record) or (isinstance(kind, Record) and node.type is not kind):
        raise InputError(f"a {node.type} where a {kind} is expected", node.place)
    if isinstance(node.type, Void):
        raise InputError(f"a call that returns nothing, where a {kind} is expected", node.place)
    if isinstance(kind, Opaque):
        return node
    return tree.Convert(node, kind, node.place)


def decayed(node: Expr) -> Expr:
    """An array used as a value: the pointer to its first element."""
    if isinstance(node.type, ArrayOf):
        return tree.Convert(node, Pointer(node.type.element), node.place)
    return node


def as_test(node: Expr) -> Expr:
    return converted(node, BOOL)


def unary(op: str, arg: Expr, place: Place) -> Expr:
    """+ - ~ ! on a value."""
    if op == "!":
        if isinstance(arg.type, Vector):
            raise UnsupportedError("operator ! on a vector", place)
        return tree.Unary("!", as_test(arg), BOOL, place)
    if isinstance(arg.type, Vector):
        return arg if op == "+" else tree.Unary("-" if op == "-" else "~", arg, arg.type, place)
    if not isinstance(arg.type, Scalar) or (op == "~" and arg.type.is_float):
        raise InputError(f"operator {op} on a {arg.type}", place)
    arg = converted(arg, promoted(arg.type))
    assert isinstance(arg.type, Scalar)
    if op == "+":
        return arg
    if isinstance(arg, tree.Literal) and op == "-":
        return tree.Literal(arithmetic.unary("-", arg.value, arg.type), arg.type, place)
    return tree.Unary("-" if op == "-" else "~", arg, arg.type, place)


def binary(op: str, left: Expr, right: Expr, place: Place) -> Expr:
    """A binary operator with C's conversions."""
    left, right = decayed(left), decayed(right)
    if op in ("&&", "||"):
        return tree.Binary(op, as_test(left), as_test(right), BOOL, place)
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return _with_pointer(op, left, right, place)
    if isinstance(left.type, Vector) or isinstance(right.type, Vector):
        return _with_vector(op, left, right, place)
    if isinstance(left.type, Opaque) and left.type.name == "event_t" and op in ("+", "-"):
        return tree.Literal(0, left.type, place)
    if not (isinstance(left.type, Scalar) and isinstance(right.type, Scalar)):
        raise InputError(f"operator {op} on {left.type} and {right.type}", place)
    if op in ("<<", ">>"):
        kind = promoted(left.type)
        by = promoted(right.type)
        _no_floats(op, place, kind, by)
        return tree.Binary(op, converted(left, kind), converted(right, by), kind, place)
    kind = common(left.type, right.type)
    if op in ("%", "&", "|", "^"):
        _no_floats(op, place, kind)
    result = BOOL if op in COMPARISONS else kind
    return tree.Binary(op, converted(left, kind), converted(right, kind), result, place)


def _no_floats(op: str, place: Place, *kinds: Scalar) -> None:
    if any(kind.is_float for kind in kinds):
        raise UnsupportedError(f"operator {op} on a floating-point value", place)


def _with_pointer(op: str, left: Expr, right: Expr, place: Place) -> Expr:
    if op == "+" and isinstance(right.type, Pointer) and isinstance(left.type, Scalar):
        left, right = right, left
    if op in ("+", "-") and isinstance(left.type, Pointer) and isinstance(right.type, Scalar) and right.type.is_int:
        return tree.Binary(op, left, converted(right, promoted(right.type)), left.type, place)
    if op == "-" and isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
        return tree.Binary("-", left, right, I64, place)
    if op in COMPARISONS:
        return tree.Binary(op, _pointer_side(left, right), _pointer_side(right, left), BOOL, place)
    raise InputError(f"operator {op} on {left.type} and {right.type}", place)


def _pointer_side(node: Expr, other: Expr) -> Expr:
    """A side of a comparison of pointers; the literal 0 is the null pointer."""
    if isinstance(node.type, Pointer):
        return node
    if isinstance(node, tree.Literal) and node.value == 0:
        return tree.Literal(0, other.type, node.place)
    raise InputError(f"a pointer compared with a {node.type}", node.place)


def _with_vector(op: str, left: Expr, right: Expr, place: Place) -> Expr:
    kind = left.type if isinstance(left.type, Vector) else right.type
    assert isinstance(kind, Vector)
    left, right = converted(left, kind), converted(right, kind)
    if op in COMPARISONS:
        return tree.Binary(op, left, right, Vector(_TRUTH[kind.element.bits], kind.count), place)
    return tree.Binary(op, left, right, kind, place)


def conditional(test: Expr, then: Expr, other: Expr, place: Place) -> Expr:
    """`test ? then : other` with both sides in their common type."""
    if isinstance(test.type, Vector):
        raise UnsupportedError("?: on a vector of tests", place)
    then, other = decayed(then), decayed(other)
    kind = then.type
    if isinstance(then.type, Scalar) and isinstance(other.type, Scalar):
        kind = then.type if then.type == other.type else common(then.type, other.type)
    elif isinstance(other.type, Pointer | Vector) and isinstance(then.type, Scalar):
        kind = other.type
    return tree.Conditional(as_test(test), _side(then, kind), _side(other, kind), kind, place)


def _side(node: Expr, kind: Type) -> Expr:
    if isinstance(kind, Pointer) and isinstance(node, tree.Literal) and node.value == 0:
        return tree.Literal(0, kind, node.place)
    return converted(node, kind)


def update(op: str, target: Expr, value: Expr, place: Place) -> Expr:
    """`target op= value`."""
    kind = target.type
    if isinstance(kind, Pointer):
        assert isinstance(value.type, Scalar)
        return tree.Update(op, target, converted(value, promoted(value.type)), kind, kind, place)
    if isinstance(kind, Vector):
        return tree.Update(op, target, converted(value, kind), kind, kind, place)
    if not (isinstance(kind, Scalar) and isinstance(value.type, Scalar)):
        raise InputError(f"operator {op}= on {kind} and {value.type}", place)
    if op in ("<<", ">>"):
        _no_floats(op, place, kind, value.type)
        return tree.Update(op, target, converted(value, promoted(value.type)), promoted(kind), kind, place)
    computed = common(kind, value.type)
    if op in ("%", "&", "|", "^"):
        _no_floats(op, place, computed)
    return tree.Update(op, target, converted(value, computed), computed, kind, place)


def constant_of(node: Expr) -> int | float | None:
    """The value of a constant expression of scalar type, None when it is none."""
    match node:
        case tree.Literal(value=value):
            return value
        case tree.Convert(arg=arg, type=kind) if isinstance(kind, Scalar) and isinstance(arg.type, Scalar):
            inner = constant_of(arg)
            return None if inner is None else arithmetic.cast(inner, arg.type, kind)
        case tree.Unary(op=op, arg=arg, type=kind) if isinstance(kind, Scalar):
            inner = constant_of(arg)
            return None if inner is None else arithmetic.unary(op, inner, kind)
        case tree.Binary():
            return _constant_binary(node)
        case tree.Conditional(test=test, then=then, other=other):
            chosen = constant_of(test)
            return None if chosen is None else constant_of(then if chosen else other)
        case _:
            return None


def _constant_binary(node: tree.Binary) -> int | float | None:
    left, right = constant_of(node.left), constant_of(node.right)
    if left is None or right is None or not isinstance(node.left.type, Scalar):
        return None
    if node.op in ("&&", "||"):
        return int(bool(left) and bool(right)) if node.op == "&&" else int(bool(left) or bool(right))
    op = node.op
    if op in (">", ">="):
        left, right, op = right, left, "<" if op == ">" else "<="
    try:
        return arithmetic.binary(op, left, right, node.left.type)
    except arithmetic.Undefined:
        return None


SIZE = U64
