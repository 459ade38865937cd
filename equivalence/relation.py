"""Relations among outputs that the user states: `b.out[k] == a.out[2*k] + a.out[2*k+1]`.

Grammar (a subset of C's, read by Python's own parser): `b.NAME[k] == E`, or a.NAME on the left, E built of array elements
`a.NAME[I]` and `b.NAME[I]`, numbers, + - * / and parentheses; indices I of k and whole numbers by + - * / % (division
towards zero). The relation is asked for every k for which the left cell is one that its side writes or holds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from automata.arithmetic import Value
from automata.machine.numbers.values import Numbers
from automata.place import InputError
from automata.scalar import Scalar

LARGE = 1 << 31
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}


@dataclass(frozen=True)
class Element:
    """An element of an array of one side, at an index that `k` gives."""

    side: str
    array: str
    index: ast.expr

    def at(self, k: Numbers) -> Numbers:
        return _whole(self.index, k)


@dataclass(frozen=True)
class Relation:
    """A relation as stated; `left`: the element that ranges over all k."""

    text: str
    left: Element
    right: ast.expr

    def elements(self) -> list[Element]:
        """All elements: the left one first."""
        return [self.left, *(element(node) for node in ast.walk(self.right) if isinstance(node, ast.Subscript))]

    def has_fractions(self) -> bool:
        """Whether a constant on the right is no integer."""
        return any(isinstance(node, ast.Constant) and isinstance(node.value, float) for node in ast.walk(self.right))

    def value(self, arithmetic: Arithmetic[T], k: Numbers) -> T:
        """The right side for all k."""
        return _valued(self.right, arithmetic, k)


T = TypeVar("T")


class Arithmetic(Protocol[T]):
    """Values that a relation's right side is computed in."""

    def element(self, side: str, array: str, indices: Numbers) -> T:
        """What elements of an array of a side hold at the end."""

    def number(self, value: int | float, count: int) -> T:
        """A constant."""

    def operation(self, op: str, left: T, right: T) -> T:
        """+, -, * or /."""


@dataclass(frozen=True)
class NumberArithmetic:
    """The arithmetic of relations at one k, in the type of the arrays: integers wrap, and divide towards zero (by 0: 0)."""

    kind: Scalar
    held: Callable[[str, str, int], Value]

    def element(self, side: str, array: str, indices: Numbers) -> Value:
        return self.held(side, array, int(indices[0]))

    def number(self, value: int | float, count: int) -> Value:
        return float(value) if self.kind.is_float else self.kind.wrap(int(value))

    def operation(self, op: str, left: Value, right: Value) -> Value:
        if self.kind.is_float:
            with np.errstate(all="ignore"):
                return float({"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[op](left, right))
        one, two = int(left), int(right)
        if op == "/":
            size = abs(one) // abs(two) if two else 0
            return self.kind.wrap(size if (one < 0) == (two < 0) else -size)
        return self.kind.wrap({"+": one + two, "-": one - two, "*": one * two}[op])


def _valued(node: ast.expr, arithmetic: Arithmetic[T], k: Numbers) -> T:
    match node:
        case ast.Subscript():
            found = element(node)
            return arithmetic.element(found.side, found.array, found.at(k))
        case ast.BinOp(left=left, op=op, right=right):
            return arithmetic.operation(_OPERATORS[type(op)], _valued(left, arithmetic, k), _valued(right, arithmetic, k))
        case ast.UnaryOp(operand=operand):
            return arithmetic.operation("-", arithmetic.number(0, k.size), _valued(operand, arithmetic, k))
        case ast.Constant(value=int() | float() as value):
            return arithmetic.number(value, k.size)
    raise AssertionError(ast.unparse(node))


def parse_relation(text: str) -> Relation:
    """The relation that a text states; InputError with what is wrong."""
    left, equals, right = text.partition("==")
    try:
        if not equals or "==" in right:
            raise InputError(f"--relate '{text}': write b.NAME[k] == EXPRESSION")
        one, two = (ast.parse(part.strip(), mode="eval").body for part in (left, right))
    except SyntaxError as error:
        raise InputError(f"--relate '{text}': {error.msg}") from error
    if not isinstance(one, ast.Subscript) or not (isinstance(one.slice, ast.Name) and one.slice.id == "k"):
        raise InputError(f"--relate '{text}': the left side must be an element at k, such as b.out[k]")
    relation = Relation(text, element(one), two)
    _check(two, text)
    return relation


def element(node: ast.Subscript) -> Element:
    """`a.NAME[I]`; InputError for anything else."""
    base, name = node.value, ""
    while isinstance(base, ast.Attribute):
        name = f"{base.attr}.{name}" if name else base.attr
        base = base.value
    if not isinstance(base, ast.Name) or base.id not in ("a", "b") or not name:
        raise InputError(f"--relate: '{ast.unparse(node)}' is no element of a or b, such as a.out[k]")
    return Element(base.id, name, node.slice)


def _check(node: ast.expr, text: str) -> None:
    """Only what the grammar has."""
    match node:
        case ast.Subscript():
            _whole(element(node).index, np.zeros(1, np.int64))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS and not isinstance(op, ast.Mod):
            _check(left, text)
            _check(right, text)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _check(operand, text)
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool) and abs(value) < LARGE:
            pass
        case _:
            raise InputError(f"--relate '{text}': '{ast.unparse(node)}' is neither an element, a number below 2^31 nor a sum "
                             "or product")


def _whole(node: ast.expr, k: Numbers) -> Numbers:
    """The value of an index for all k."""
    match node:
        case ast.Name(id="k"):
            return k
        case ast.Constant(value=int() as value) if not isinstance(value, bool) and value < LARGE:
            return np.full(k.size, value, np.int64)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_whole(operand, k)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            one, two = _whole(left, k), _whole(right, k)
            if isinstance(op, ast.Div | ast.Mod):
                if not two.all():
                    raise InputError(f"--relate: '{ast.unparse(node)}' divides by zero")
                rest = np.fmod(one, two)
                return rest if isinstance(op, ast.Mod) else (one - rest) // two
            function = {"+": np.add, "-": np.subtract, "*": np.multiply}[_OPERATORS[type(op)]]
            found: Numbers = function(one, two)
            return found
    raise InputError(f"--relate: '{ast.unparse(node)}' is no index: use k, whole numbers and + - * / %")
