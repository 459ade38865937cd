"""What all parts of elaboration share: the state, and the methods by which they call each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from automata.lang import core, tree
from automata.lang.elaborate.builder import Builder
from automata.lang.elaborate.storage import (
    Address,
    Value,
)
from automata.lang.elaborate.values import as_scalar
from automata.lang.types import Type
from automata.lang.typing import convert
from automata.place import Place
from automata.scalar import BOOL


class Elaborator:
    """The state of elaboration, and what its parts ask of each other."""

    builder: Builder
    bindings: dict[tree.Variable, Address]

    def invoke(self, node: tree.Invoke) -> Value:
        raise NotImplementedError

    def library(self, node: tree.Library) -> Value:
        raise NotImplementedError

    def function_number(self, function: tree.Function, place: Place) -> Value:
        raise NotImplementedError

    def invoke_through(self, node: tree.InvokeThrough) -> Value:
        raise NotImplementedError

    def bind_global(self, variable: tree.Variable, place: Place) -> Address:
        raise NotImplementedError

    def value(self, node: tree.Expr) -> Value:
        """The value of an expression; places are read."""
        raise NotImplementedError

    def address(self, node: tree.Expr) -> Address:
        """The place that an expression names; a value is put into a temporary."""
        raise NotImplementedError

    def settled_address(self, at: Address, place: Place) -> Address:
        """An address that no later statement changes."""
        found = self.builder.settled(at, place)
        assert isinstance(found, Address)
        return found

    def bind_local(self, variable: tree.Variable, value: Value | None, place: Place) -> None:
        """A new local with its initial value."""
        raise NotImplementedError

    def effect(self, node: tree.Expr) -> None:
        """An expression for its effects; what it reads from memory is read."""
        raise NotImplementedError

    def known_address(self, value: Value, place: Place, kind: Type | None = None) -> Address:
        """The address; of the null pointer, one at which nothing is."""
        raise NotImplementedError

    def pointer_operation(self, node: tree.Binary, left: Value, right: Value) -> Value:
        """`p ± i`, `p - q`, comparisons of pointers."""
        raise NotImplementedError

    def scalar(self, node: tree.Expr) -> core.Expr:
        """The value of an expression of scalar type."""
        return as_scalar(self.value(node))

    def test(self, node: tree.Expr) -> core.Expr:
        return convert(self.scalar(node), BOOL)

    def operands(self, nodes: Iterable[tree.Expr], places: Sequence[bool] = (), backwards: bool = False) -> list[Value]:
        """Values of expressions evaluated in order; effects of a later one do not change an earlier one. `places`: those whose
        place is asked for instead. `backwards`: the last comes first."""
        found: list[Value] = []
        pairs = list(zip_longest(nodes, places, fillvalue=False))
        for node, is_place in reversed(pairs) if backwards else pairs:
            assert not isinstance(node, bool)
            with self.builder.into() as effects:
                value = self.address(node) if is_place else self.value(node)
            if effects:
                found = [self.builder.settled(earlier, node.place) for earlier in found]
            for stmt in effects:
                self.builder.emit(stmt)
            found.append(value)
        return found[::-1] if backwards else found
