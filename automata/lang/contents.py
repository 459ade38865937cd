"""Requirements on what arrays hold before a kernel runs: `targets[i] < V`, `row[i] <= row[i + 1]`, `sorted(a)`, `distinct(a)`.

A name that is neither a parameter nor an array stands for every index at which all elements that the requirement mentions lie in
their arrays. It may stand in subscripts alone, plus what a launch fixes, so that a requirement says nothing of how long an array
is. Input: the text and the kernel. Output: `Contents`, conjunct by conjunct; or a refusal by name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pycparser import c_ast

from automata.lang import core
from automata.lang.builtins import CONSTANTS
from automata.lang.core import Array, Expr, Kernel, Space
from automata.lang.fold import fold_constants
from automata.lang.launch import WideReader, conjuncts, parsed
from automata.lang.typing import convert
from automata.place import NOWHERE, InputError, UnsupportedError
from automata.scalar import BOOL, I64

WORDS = {"sorted": "sorted", "nondecreasing": "sorted", "distinct": "distinct", "injective": "distinct"}


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array that a requirement mentions: `offset` from the index that stands for every one, or from 0."""

    array: str
    is_moving: bool
    offset: Expr


@dataclass(frozen=True, slots=True)
class Contents:
    """One conjunct. `kind`: of each index a test over `elements`, or all elements of one array in order, or no two of them equal.
    `slots`: the names that stand for the elements in `test`."""

    text: str
    kind: Literal["each", "sorted", "distinct"]
    elements: tuple[Element, ...]
    test: Expr | None = None
    slots: tuple[core.Var, ...] = ()

    @property
    def arrays(self) -> set[str]:
        return {element.array for element in self.elements}


def is_on_contents(text: str) -> bool:
    """Whether a requirement speaks of what an array holds."""
    return any(isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.FuncCall) and _called(node) in WORDS)
               for node in _parts(parsed(text, "requirement")))


def arrays_named(text: str) -> set[str]:
    """The arrays whose contents a requirement speaks of."""
    found = set()
    for node in _parts(parsed(text, "requirement")):
        if isinstance(node, c_ast.ArrayRef):
            found.add(_name_of(node.name))
        elif isinstance(node, c_ast.FuncCall) and _called(node) in WORDS and node.args is not None:
            found |= {_name_of(each) for each in node.args.exprs}
    return found


def read_contents(text: str, kernel: Kernel) -> list[Contents]:
    """The conjuncts of a requirement on contents."""
    found = []
    for node in conjuncts(parsed(text, "requirement")):
        try:
            found += _with_order(_conjunct(node, text, kernel))
        except UnsupportedError as error:
            raise UnsupportedError(f"requirement '{text}': {error.message}") from error
        except InputError as error:
            raise InputError(f"requirement '{text}': {error.message}") from error
    return found


def _with_order(each: Contents) -> list[Contents]:
    """`a[i] <= a[i + 1]` of all neighbours says that an array is sorted, `a[i] < a[i + 1]` that its elements are distinct too."""
    match [(element.array, element.is_moving, element.offset) for element in each.elements], each.test:
        case ([(one, True, core.Const(value=low)), (two, True, core.Const(value=high))],
              core.Binary(op="<=" | "<" as op, left=left, right=right)) if one == two and abs(high - low) == 1:
            pair = each.slots if low < high else each.slots[::-1]
            if (_plain(left), _plain(right)) == pair:
                order = Contents(each.text, "sorted", each.elements[:1])
                return [each, order, replace(order, kind="distinct")] if op == "<" else [each, order]
    return [each]


def _plain(expr: Expr) -> Expr:
    """Without casts to a wider type, which change no value."""
    while isinstance(expr, core.Cast) and expr.type.holds(expr.arg.type.low) and expr.type.holds(expr.arg.type.high):
        expr = expr.arg
    return expr


def _called(node: c_ast.FuncCall) -> str:
    return node.name.name if isinstance(node.name, c_ast.ID) else ""


def _conjunct(node: c_ast.Node, text: str, kernel: Kernel) -> Contents:
    if isinstance(node, c_ast.FuncCall) and _called(node) in WORDS:
        args = node.args.exprs if node.args is not None else []
        if len(args) != 1:
            raise InputError(f"'{_called(node)}' is said of one array, as in {_called(node)}(idx)")
        array = _array(_name_of(args[0]), kernel)
        here = Element(array.name, True, core.Const(0, I64))
        return Contents(text, "sorted" if WORDS[_called(node)] == "sorted" else "distinct", (here,))
    reader = _Reader(kernel)
    test = convert(reader.read(node), BOOL)
    slots = tuple(core.Var(reader.slot(at), kernel.array(each.array).element) for at, each in enumerate(reader.elements))
    return Contents(text, "each", tuple(reader.elements), fold_constants(test, {}), slots)


def _parts(node: c_ast.Node) -> list[c_ast.Node]:
    """A node and all below it."""
    found = [node]
    for at in found:
        found += [child for _, child in at.children()]
    return found


def _name_of(node: c_ast.Node) -> str:
    if isinstance(node, c_ast.ID):
        return str(node.name)
    if isinstance(node, c_ast.StructRef):
        return f"{_name_of(node.name)}.{node.field.name}"
    return ""


def _array(name: str, kernel: Kernel) -> Array:
    """An array of integers, in global memory and of one dimension, that a requirement may speak of."""
    found = [array for array in kernel.arrays if array.name == name]
    if not found:
        known = ", ".join(array.name for array in kernel.arrays if array.space is Space.GLOBAL) or "none"
        raise InputError(f"'{name}' is no array of kernel '{kernel.name}' (its arrays in global memory: {known})")
    array = found[0]
    if array.content is not None:
        raise InputError(f"'{name}' is a table whose contents the source says")
    if array.element.is_int and array.element.bits == 64 and not array.element.signed:
        raise UnsupportedError(f"the contents of '{name}', unsigned numbers of 64 bits: requirements are read over signed ones")
    if array.space is not Space.GLOBAL or len(array.dims) != 1 or not array.element.is_int or array.unit:
        raise UnsupportedError(f"the contents of '{name}': only arrays of integers in global memory, with one subscript and read "
                               "as what they are declared as")
    return array


class _Reader(WideReader):
    """Launch expressions that also mention elements of arrays. `index`: the name that stands for every index."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        self.elements: list[Element] = []
        self.index = ""

    def slot(self, at: int) -> str:
        """The name of an element in the test; no name of a source has a bracket in it."""
        return f"element[{at}]"

    def read(self, node: c_ast.Node) -> Expr:
        match node:
            case c_ast.ArrayRef():
                return self.element(_name_of(node.name), node.subscript)
            case c_ast.StructRef(name=c_ast.ArrayRef() as inner):
                return self.element(f"{_name_of(inner.name)}.{node.field.name}", inner.subscript)
        return super().read(node)

    def element(self, name: str, subscript: c_ast.Node) -> Expr:
        array = _array(name, self.kernel)
        is_moving, offset = self.apart(subscript)
        found = Element(name, is_moving, fold_constants(offset, {}))
        if found not in self.elements:
            self.elements.append(found)
        return convert(core.Var(self.slot(self.elements.index(found)), array.element), I64)

    def apart(self, node: c_ast.Node) -> tuple[bool, Expr]:
        """A subscript as the index that stands for every one (or not) plus the rest."""
        zero = core.Const(0, I64)
        if isinstance(node, c_ast.ID) and self.is_free(node.name):
            if self.index not in ("", node.name):
                raise UnsupportedError(f"two indices, '{self.index}' and '{node.name}': say sorted(a) or distinct(a) of any two "
                                       "elements of one array")
            self.index = node.name
            return True, zero
        if isinstance(node, c_ast.BinaryOp) and node.op in ("+", "-"):
            (one, left), (two, right) = self.apart(node.left), self.apart(node.right)
            if two and (one or node.op == "-"):
                raise UnsupportedError("a subscript that is not the index plus something")
            return one or two, core.Binary(node.op, left, right, I64, NOWHERE)
        if any(isinstance(part, c_ast.ArrayRef) for part in _parts(node)):
            raise UnsupportedError("an element of an array in a subscript")
        if any(isinstance(part, c_ast.ID) and self.is_free(part.name) for part in _parts(node)):
            raise UnsupportedError("a subscript that is not the index plus something")
        return False, convert(super().read(node), I64)

    def name(self, name: str) -> Expr:
        if self.is_free(name):
            raise InputError(f"'{name}' is not declared; what stands for every index may stand in subscripts alone")
        return super().name(name)

    def call(self, node: c_ast.FuncCall) -> Expr:
        if _called(node) in WORDS:
            raise UnsupportedError(f"'{_called(node)}' in an expression: it is a requirement of its own")
        return super().call(node)

    def is_free(self, name: str) -> bool:
        """Whether nothing else has that name, so that it may stand for every index."""
        quantities = [quantity.value for quantity in core.Quantity]
        return name not in (*self.params, *CONSTANTS, *quantities, *(array.name for array in self.kernel.arrays))
