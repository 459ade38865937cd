"""Relations among outputs that the user states: `b.out[k] == a.out[2*k] + a.out[2*k+1]`.

Grammar (a subset of C's, read by Python's own parser):

    relation    SIDE.NAME[I] == E                               for every k with which the left array has an element; I is k
                SIDE.NAME[I] == E for i < M, j < N              for all i from 0 to M - 1 and j from 0 to N - 1
    E           elements SIDE.NAME[I], SIDE is a or b; numbers; + - * / and parentheses
    I, M, N     variables, whole numbers and integer parameters of the kernels, by + - * / % (division towards zero)

A relation claims what it says and no more: cells that it does not name are not compared. It need not be one to one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from math import prod
from typing import Protocol, TypeVar

import numpy as np

from automata.arithmetic import Value
from automata.machine.numbers.values import Numbers
from automata.place import InputError
from automata.scalar import Scalar

LARGE = 1 << 31
BEYOND = float(1 << 62)
"""Indices that large are refused: numbers of 64 bits wrap."""
PLAIN = "k"
"""The variable of a relation that states no range."""
MOST_RELATED = 1 << 27
"""Elements that a relation is about."""
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}


@dataclass(frozen=True)
class Points:
    """What the variables of a relation stand for, one after another, and the values of parameters."""

    count: int
    variables: Mapping[str, Numbers]
    parameters: Mapping[str, int]

    def at(self, number: int) -> Points:
        """One of them."""
        return Points(1, {name: values[number:number + 1] for name, values in self.variables.items()}, self.parameters)

    def told(self, number: int) -> str:
        """One of them, for people."""
        return ", ".join(f"{name} = {values[number]}" for name, values in self.variables.items())

    def index(self, node: ast.expr) -> Numbers:
        """The values of an index."""
        return np.broadcast_to(_whole(node, self), (self.count,))


@dataclass(frozen=True)
class Element:
    """An element of an array of one side, at an index."""

    side: str
    array: str
    index: ast.expr


@dataclass(frozen=True)
class Relation:
    """A relation as stated. `ranges`: the variables, each with the number that it stays below; none: k, over the left array."""

    text: str
    left: Element
    right: ast.expr
    ranges: tuple[tuple[str, ast.expr], ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.ranges) or (PLAIN,)

    def elements(self) -> list[Element]:
        """All elements: the left one first, then as they are evaluated (`valued`)."""
        return [self.left, *map(element, _subscripts(self.right))]

    def indices(self) -> Iterator[ast.expr]:
        """All indices, and the ends of ranges."""
        yield from (each.index for each in self.elements())
        yield from (end for _, end in self.ranges)

    def parameters(self) -> list[str]:
        """The parameters that indices and ranges name."""
        named = (node.id for each in self.indices() for node in ast.walk(each) if isinstance(node, ast.Name))
        return list(dict.fromkeys(name for name in named if name not in self.variables))

    def has_fractions(self) -> bool:
        """Whether a constant on the right is no integer."""
        return any(isinstance(node, ast.Constant) and isinstance(node.value, float) for node in ast.walk(self.right))

    def points(self, size: int, parameters: Mapping[str, int]) -> Points:
        """All that it is about. `size`: how many elements the array on its left has."""
        if not self.ranges:
            return Points(_few(size, self.text), {PLAIN: np.arange(size)}, parameters)
        none = Points(1, {}, parameters)
        ends = [max(0, int(none.index(end)[0])) for _, end in self.ranges]
        count = _few(prod(ends), self.text)
        found = np.unravel_index(np.arange(count), ends) if count else [np.zeros(0, np.int64)] * len(ends)
        return Points(count, dict(zip(self.variables, found, strict=True)), parameters)

    def value(self, arithmetic: Arithmetic[T], points: Points) -> T:
        """The right side at all points."""
        def found(node: ast.Subscript) -> T:
            one = element(node)
            return arithmetic.element(one.side, one.array, points.index(one.index))
        return valued(self.right, found, lambda value: arithmetic.number(value, points.count), arithmetic.operation)

    def in_names(self, theirs: Mapping[str, str], ours: frozenset[str]) -> Relation:
        """The relation in the names of a pair. `theirs`: names of b to those; `ours`: the parameters of a, which come first."""
        change = _Renamed(theirs, ours | {*self.variables})
        left = ast.Subscript(ast.Attribute(ast.Name(self.left.side), self.left.array), deepcopy(self.left.index))
        return replace(self, left=element(change.visit(left)), right=change.visit(deepcopy(self.right)),
                       ranges=tuple((name, change.visit(deepcopy(end))) for name, end in self.ranges))


class _Renamed(ast.NodeTransformer):
    """An expression with b's names turned into those of a pair."""

    def __init__(self, theirs: Mapping[str, str], kept: frozenset[str]) -> None:
        self.theirs, self.kept = theirs, kept

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        found = element(node)
        array = self.theirs.get(found.array, found.array) if found.side == "b" else found.array
        return ast.Subscript(ast.Attribute(ast.Name(found.side), array), self.visit(found.index))

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return node if node.id in self.kept else ast.Name(self.theirs.get(node.id, node.id))


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
    """The arithmetic of relations at one point, in the type of the arrays: integers wrap, and divide towards zero (by 0: 0)."""

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


def valued(node: ast.expr, element_of: Callable[[ast.Subscript], T], number: Callable[[int | float], T],
           operation: Callable[[str, T, T], T]) -> T:
    """A right side, from what its parts are."""
    match node:
        case ast.Subscript():
            return element_of(node)
        case ast.BinOp(left=left, op=op, right=right):
            one, two = (valued(each, element_of, number, operation) for each in (left, right))
            return operation(_OPERATORS[type(op)], one, two)
        case ast.UnaryOp(operand=operand):
            return operation("-", number(0), valued(operand, element_of, number, operation))
        case ast.Constant(value=int() | float() as value):
            return number(value)
    raise AssertionError(ast.unparse(node))


def _subscripts(node: ast.expr) -> Iterator[ast.Subscript]:
    match node:
        case ast.Subscript():
            yield node
        case ast.BinOp(left=left, right=right):
            yield from _subscripts(left)
            yield from _subscripts(right)
        case ast.UnaryOp(operand=operand):
            yield from _subscripts(operand)


def parse_relation(text: str) -> Relation:
    """The relation that a text states; InputError with what is wrong."""
    said, _, ranges = text.partition(" for ")
    left, equals, right = said.partition("==")
    try:
        if not equals or "==" in right:
            raise InputError(f"--relate '{text}': write b.NAME[k] == EXPRESSION")
        one, two = (ast.parse(part.strip(), mode="eval").body for part in (left, right))
        over = _ranges(ast.parse(ranges.strip(), mode="eval").body, text) if ranges else ()
    except SyntaxError as error:
        raise InputError(f"--relate '{text}': {error.msg}") from error
    if not isinstance(one, ast.Subscript) or not (over or (isinstance(one.slice, ast.Name) and one.slice.id == PLAIN)):
        raise InputError(f"--relate '{text}': the left side must be an element at k, such as b.out[k], or say which numbers "
                         "there are, as in b.out[i*n + j] == a.out[j*m + i] for i < m, j < n")
    relation = Relation(text, element(one), two, over)
    _check(two, text)
    for each in relation.indices():
        _check_index(each)
    for name in (node.id for _, end in over for node in ast.walk(end) if isinstance(node, ast.Name)):
        if name in relation.variables:
            raise InputError(f"--relate '{text}': the end of a range is made of numbers and parameters, '{name}' is neither")
    return relation


def _ranges(node: ast.expr, text: str) -> tuple[tuple[str, ast.expr], ...]:
    """`i < M, j < N`"""
    found: dict[str, ast.expr] = {}
    for each in node.elts if isinstance(node, ast.Tuple) else [node]:
        match each:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt()], comparators=[end]) if name not in found:
                found[name] = end
            case _:
                raise InputError(f"--relate '{text}': '{ast.unparse(each)}' is no range: write for i < m, j < n")
    return tuple(found.items())


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
            element(node)
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


def _check_index(node: ast.expr) -> None:
    """The same of an index."""
    match node:
        case ast.Name():
            pass
        case ast.Constant(value=int() as value) if not isinstance(value, bool) and value < LARGE:
            pass
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _check_index(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            _check_index(left)
            _check_index(right)
            if isinstance(op, ast.Div | ast.Mod) and isinstance(right, ast.Constant) and right.value == 0:
                raise InputError(f"--relate: '{ast.unparse(node)}' divides by zero")
        case _:
            raise InputError(f"--relate: '{ast.unparse(node)}' is no index: use k, integer parameters, whole numbers and "
                             "+ - * / %")


def _whole(node: ast.expr, points: Points) -> Numbers:
    """The values of an index, or the one value of what no variable is in."""
    match node:
        case ast.Name(id=name) if name in points.variables:
            return points.variables[name]
        case ast.Name(id=name):
            return np.full(1, points.parameters[name], np.int64)
        case ast.Constant(value=int() as value):
            return np.full(1, value, np.int64)
        case ast.UnaryOp(operand=operand):
            return -_whole(operand, points)
        case ast.BinOp(left=left, op=op, right=right):
            one, two = _whole(left, points), _whole(right, points)
            if isinstance(op, ast.Div | ast.Mod):
                if not two.all():
                    raise InputError(f"--relate: '{ast.unparse(node)}' divides by zero")
                rest = np.fmod(one, two)
                return rest if isinstance(op, ast.Mod) else (one - rest) // two
            function = {"+": np.add, "-": np.subtract, "*": np.multiply}[_OPERATORS[type(op)]]
            reach = (np.multiply if isinstance(op, ast.Mult) else np.add)(*(np.abs(each.astype(float)) for each in (one, two)))
            if reach.max(initial=0) >= BEYOND:
                raise InputError(f"--relate: '{ast.unparse(node)}' is beyond 2^62")
            found: Numbers = function(one, two)
            return found
    raise AssertionError(ast.unparse(node))


def _few(count: int, text: str) -> int:
    """InputError for more points than are compared one by one."""
    if count > MOST_RELATED:
        raise InputError(f"--relate '{text}': it is about {count} elements, more than are compared one by one ({MOST_RELATED})")
    return count
