"""Places in memory that expressions name, and the addresses that pointers hold."""

from __future__ import annotations

from dataclasses import replace

from automata.lang import core, tree
from automata.lang.elaborate.base import Elaborator
from automata.lang.elaborate.storage import (
    Address,
    Foreign,
    Null,
    Value,
    component_names,
)
from automata.lang.elaborate.values import as_index, as_scalar, is_place
from automata.lang.types import ArrayOf, Pointer, Type, Vector, Void
from automata.place import Place, UnsupportedError
from automata.scalar import U8, Scalar


class Places(Elaborator):
    """Addresses of tree expressions."""

    def address(self, node: tree.Expr) -> Address:
        """The place that an expression names; a value is put into a temporary."""
        match node:
            case tree.Name(variable=variable, place=place):
                return self.bindings[variable] if variable in self.bindings else self.bind_global(variable, place)
            case tree.Deref(arg=arg):
                return self.pointer(arg)
            case tree.Index():
                return self.element(node)
            case tree.Member(base=base, name=name, type=kind):
                return self.address(base).member(name, kind)
            case tree.Swizzle(base=base, components=(number,), type=kind):
                inner = self.address(base)
                assert isinstance(inner.type, Vector)
                return inner.member(component_names(inner.type)[number], kind)
        return self.effective_address(node)

    def effective_address(self, node: tree.Expr) -> Address:
        """The place that an expression with effects, or a choice, names."""
        match node:
            case tree.Swizzle():
                raise UnsupportedError("several components of a vector used as a place", node.place)
            case tree.Assign() | tree.Update() | tree.Step(postfix=False):
                return self.changed(node)
            case tree.Comma(left=left, right=right):
                self.effect(left)
                return self.address(right)
            case tree.Conditional():
                return self.conditional_place(node)
            case tree.Convert(arg=arg, type=kind) if is_place(arg) and not isinstance(kind, Pointer | Scalar):
                return self.address(arg).retyped(kind)
            case tree.Invoke() if node.function.returns_place:
                found = self.invoke(node)
                assert isinstance(found, Address)
                return found
        return self.spilled(node)

    def changed(self, node: tree.Assign | tree.Update | tree.Step) -> Address:
        """The place that an assignment or step changes, looked up once, and behind the value on its right."""
        place = node.place
        if not isinstance(node, tree.Step):
            with self.builder.into() as effects:
                value = self.value(node.value)
            if effects:
                for stmt in effects:
                    self.builder.emit(stmt)
                held = tree.Variable("__value", node.value.type, tree.Storage.LOCAL)
                self.bind_local(held, value, place)
                node = replace(node, value=tree.Name(held, held.type, place))
        holder = tree.Variable("__changed", node.target.type, tree.Storage.LOCAL, reference=True)
        at = self.settled_address(self.address(node.target), place)
        self.bindings[holder] = at
        self.effect(replace(node, target=tree.Name(holder, holder.type, place)))
        return at

    def spilled(self, node: tree.Expr) -> Address:
        """A temporary that holds the value of an expression."""
        value = self.value(node)
        at = self.builder.local("t", node.type, node.place)
        self.builder.store(at, value, node.place)
        return at

    def conditional_place(self, node: tree.Conditional) -> Address:
        """`c ? a : b` as a place: a pointer to one of the two."""
        kind = Pointer(node.type)
        chosen = tree.Conditional(node.test, tree.AddressOf(node.then, kind), tree.AddressOf(node.other, kind), kind, node.place)
        return self.pointer(chosen)

    def element(self, node: tree.Index) -> Address:
        kind = node.base.type
        if isinstance(kind, ArrayOf):
            base = self.address(node.base) if is_place(node.base) else self.spilled(node.base)
            with self.builder.into() as effects:
                index = self.subscript(node.index)
            if effects:
                base = self.settled_address(base, node.place)
            for stmt in effects:
                self.builder.emit(stmt)
            return base.element(index, kind.element)
        if isinstance(kind, Vector):
            return self.component(node, kind)
        pointer, by = self.operands([node.base, node.index])
        return self.known_address(pointer, node.place, node.type).moved(as_index(as_scalar(by)))

    def component(self, node: tree.Index, kind: Vector) -> Address:
        index = self.subscript(node.index)
        if not isinstance(index, core.Const):
            raise UnsupportedError("a vector component chosen at run time", node.place)
        if not 0 <= index.value < kind.count:
            raise UnsupportedError(f"component {index.value} of a {kind}", node.place)
        return self.address(node.base).member(component_names(kind)[int(index.value)], kind.element)

    def subscript(self, node: tree.Expr) -> core.Expr:
        return as_index(self.scalar(node))

    def pointer(self, node: tree.Expr) -> Address:
        """The address that a pointer value holds."""
        kind = node.type.to if isinstance(node.type, Pointer) else U8
        return self.known_address(self.value(node), node.place, kind)

    def known_address(self, value: Value, place: Place, kind: Type | None = None) -> Address:
        """The address; of the null pointer, one at which nothing is."""
        if isinstance(value, Null):
            return self.builder.nowhere(U8 if kind is None else kind)
        if isinstance(value, Foreign):
            found = self.builder.follow(value, place)
            return found if kind is None or isinstance(kind, Void) else found.retyped(kind)
        if not isinstance(value, Address):
            raise UnsupportedError("a pointer to a function followed or indexed", place)
        return value
