"""The typing pass of the C front end: operators on typed trees, conversions made explicit.

C11 6.3.1 and 6.5 for scalars and pointers, OpenCL C 6.2.6 and 6.3 for vectors: a scalar operand is
widened to the vector's type, comparisons of vectors yield integers of the component's width. What OpenCL
says otherwise of an operator is said here for both front ends (`modulo_width`, `logical`, `negated`).
"""

from __future__ import annotations

from dataclasses import replace

from automata import arithmetic
from automata.lang import tree
from automata.lang.tree import Expr
from automata.lang.types import ArrayOf, Code, Opaque, Pointer, Record, Type, Vector, Void
from automata.lang.typing import common, promoted
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import BOOL, I8, I16, I32, I64, U64, Scalar

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
SHIFTS = frozenset({"<<", ">>"})
INTEGER_ONLY = frozenset({"%", "&", "|", "^", "<<", ">>"})
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
    if isinstance(node.type, Vector) and isinstance(kind, Scalar | Vector):
        hint = ": use convert_ or as_" if isinstance(kind, Vector) and kind.count == node.type.count else ""
        raise InputError(f"a {node.type} where a {kind} is expected{hint}", node.place)
    if isinstance(kind, Vector):
        return splat(node, kind)
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


def splat(node: Expr, kind: Vector) -> Expr:
    """A scalar as every component of a vector. A bool gives -1 or 1 as it is cast or written in parentheses (OpenCL C 6.2.2,
    6.1.6), which is not to be seen here."""
    if not isinstance(node.type, Scalar):
        raise InputError(f"a {node.type} where a {kind} is expected", node.place)
    if _is_bool(node):
        raise UnsupportedError("a bool made a vector", node.place)
    return tree.Convert(converted(node, kind.element), kind, node.place)


def _is_bool(node: Expr) -> bool:
    """Whether the type of an expression is bool in OpenCL too, where tests are int."""
    return node.type == BOOL and not isinstance(node, tree.Binary | tree.Unary)


def truth_of(kind: Vector) -> Vector:
    """The type of a comparison of vectors: signed integers of the components' width."""
    return Vector(_TRUTH[kind.element.bits], kind.count)


def decayed(node: Expr) -> Expr:
    """An array used as a value: the pointer to its first element."""
    if isinstance(node.type, ArrayOf):
        return tree.Convert(node, Pointer(node.type.element), node.place)
    return node


def as_test(node: Expr) -> Expr:
    """A scalar or pointer as a condition."""
    return converted(node, BOOL)


def unary(op: str, arg: Expr, place: Place) -> Expr:
    """+ - ~ ! on a value."""
    if op == "!":
        return negated(arg, place) if isinstance(arg.type, Vector) else tree.Unary("!", as_test(arg), BOOL, place)
    if isinstance(arg.type, Vector):
        if op == "~":
            _no_floats(op, place, arg.type.element)
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
        if isinstance(left.type, Vector) or isinstance(right.type, Vector):
            return logical(op, *_same_vectors(left, right, place), place)
        return tree.Binary(op, as_test(left), as_test(right), BOOL, place)
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return _with_pointer(op, left, right, place)
    if isinstance(left.type, Vector) or isinstance(right.type, Vector):
        return _with_vector(op, left, right, place)
    if isinstance(left.type, Opaque) and left.type.name == "event_t" and op in ("+", "-"):
        return tree.Literal(0, left.type, place)
    if not (isinstance(left.type, Scalar) and isinstance(right.type, Scalar)):
        raise InputError(f"operator {op} on {left.type} and {right.type}", place)
    if op in SHIFTS:
        kind = promoted(left.type)
        by = promoted(right.type)
        _no_floats(op, place, kind, by)
        return tree.Binary(op, converted(left, kind), converted(right, by), kind, place)
    kind = common(left.type, right.type)
    if op in INTEGER_ONLY:
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
    if op in SHIFTS:
        if not isinstance(left.type, Vector):
            raise InputError(f"operator {op} on a {left.type} and a {right.type}", place)
        return tree.Binary(op, left, _vector_count(op, left.type, right, place), left.type, place)
    left, right = _same_vectors(left, right, place)
    kind = left.type
    assert isinstance(kind, Vector)
    if op in INTEGER_ONLY:
        _no_floats(op, place, kind.element)
    return tree.Binary(op, left, right, truth_of(kind) if op in COMPARISONS else kind, place)


def _same_vectors(left: Expr, right: Expr, place: Place) -> tuple[Expr, Expr]:
    """Two operands of one vector type; a scalar becomes every component of it, if that cannot cut it (OpenCL C 6.2.6)."""
    kind = left.type if isinstance(left.type, Vector) else right.type
    assert isinstance(kind, Vector)
    for side in (left, right):
        if isinstance(side.type, Scalar) and side.type.is_float and kind.element.is_int:
            raise InputError(f"a {side.type} with a {kind}", place)
    left, right = (converted(side, I32) if side.type == BOOL else side for side in (left, right))
    return converted(left, kind), converted(right, kind)


def _vector_count(op: str, kind: Vector, count: Expr, place: Place) -> Expr:
    """The right side of a shift of a vector: integers of any type, as many as there are components."""
    by = count.type.element if isinstance(count.type, Vector) else count.type
    if not isinstance(by, Scalar) or (isinstance(count.type, Vector) and count.type.count != kind.count):
        raise InputError(f"operator {op} on {kind} and {count.type}", place)
    _no_floats(op, place, kind.element, by)
    if isinstance(count.type, Vector):
        return count
    count = converted(count, promoted(by))
    return tree.Convert(count, Vector(promoted(by), kind.count), count.place)


def modulo_width(node: Expr) -> Expr:
    """A shift of OpenCL: of the count, as many low bits as the width of what is shifted needs (OpenCL C 6.3.j)."""
    if isinstance(node, tree.Binary) and node.op in SHIFTS:
        return replace(node, right=_low_bits(node.right, node.type))
    if isinstance(node, tree.Update) and node.op in SHIFTS:
        return replace(node, value=_low_bits(node.value, node.computed))
    return node


def _low_bits(count: Expr, shifted: Type) -> Expr:
    """A count below the width of what is shifted; a constant one that is below it stays as it is."""
    width = shifted.element if isinstance(shifted, Vector) else shifted
    kind = count.type.element if isinstance(count.type, Vector) else count.type
    assert isinstance(width, Scalar) and isinstance(kind, Scalar)
    inner = count.arg if isinstance(count, tree.Convert) and isinstance(count.type, Vector) else count
    known = constant_of(inner)
    if known is not None and 0 <= known < width.bits:
        return count
    mask: Expr = tree.Literal(width.bits - 1, kind, count.place)
    if isinstance(count.type, Vector):
        mask = tree.Convert(mask, count.type, count.place)
    return tree.Binary("&", count, mask, count.type, count.place)


def logical(op: str, left: Expr, right: Expr, place: Place) -> Expr:
    """`&&` or `||` of vectors of one type: both are evaluated, -1 where it holds (OpenCL C 6.3.g)."""
    assert isinstance(left.type, Vector)
    kind = truth_of(left.type)
    tests = [tree.Binary("!=", side, _zeros(left.type, place), kind, place) for side in (left, right)]
    return tree.Binary("&" if op == "&&" else "|", tests[0], tests[1], kind, place)


def negated(arg: Expr, place: Place) -> Expr:
    """`!` of a vector: -1 where a component is 0 (OpenCL C 6.3.h)."""
    assert isinstance(arg.type, Vector)
    return tree.Binary("==", arg, _zeros(arg.type, place), truth_of(arg.type), place)


def _zeros(kind: Vector, place: Place) -> Expr:
    return tree.Convert(tree.Literal(0.0 if kind.element.is_float else 0, kind.element, place), kind, place)


def conditional(test: Expr, then: Expr, other: Expr, place: Place) -> Expr:
    """`test ? then : other` with both sides in their common type."""
    then, other = decayed(then), decayed(other)
    if isinstance(test.type, Vector):
        return _choice_of_components(test, test.type, then, other, place)
    kind = then.type
    if isinstance(then.type, Scalar) and isinstance(other.type, Scalar):
        kind = then.type if then.type == other.type else common(then.type, other.type)
    elif isinstance(other.type, Pointer | Vector) and isinstance(then.type, Scalar):
        kind = other.type
    return tree.Conditional(as_test(test), _side(then, kind), _side(other, kind), kind, place)


def _choice_of_components(test: Expr, tests: Vector, then: Expr, other: Expr, place: Place) -> Expr:
    """`?:` with a vector of tests (OpenCL C 6.3.i); two scalars become vectors of their common type."""
    kind = then.type if isinstance(then.type, Vector) else other.type
    if isinstance(then.type, Scalar) and isinstance(other.type, Scalar):
        kind = Vector(then.type if then.type == other.type else common(then.type, other.type), tests.count)
    if tests.element.is_float or not isinstance(kind, Vector) or truth_of(kind) != truth_of(tests):
        raise InputError(f"?: with a {tests} as its test, on {then.type} and {other.type}", place)
    return tree.Conditional(test, converted(then, kind), converted(other, kind), kind, place)


def _side(node: Expr, kind: Type) -> Expr:
    if isinstance(kind, Pointer) and isinstance(node, tree.Literal) and node.value == 0:
        return tree.Literal(0, kind, node.place)
    return converted(node, kind)


def update(op: str, target: Expr, value: Expr, place: Place) -> Expr:
    """`target op= value`."""
    kind = target.type
    if isinstance(kind, Pointer):
        if not (isinstance(value.type, Scalar) and value.type.is_int and op in ("+", "-")):
            raise InputError(f"operator {op}= on {kind} and {value.type}", place)
        return tree.Update(op, target, converted(value, promoted(value.type)), kind, kind, place)
    if isinstance(kind, Vector):
        made = _with_vector(op, target, value, place)
        assert isinstance(made, tree.Binary)
        return tree.Update(op, target, made.right, kind, kind, place)
    if not (isinstance(kind, Scalar) and isinstance(value.type, Scalar)):
        raise InputError(f"operator {op}= on {kind} and {value.type}", place)
    if op in SHIFTS:
        _no_floats(op, place, kind, value.type)
        return tree.Update(op, target, converted(value, promoted(value.type)), promoted(kind), kind, place)
    computed = common(kind, value.type)
    if op in INTEGER_ONLY:
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
