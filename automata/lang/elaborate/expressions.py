"""Expressions of the tree: values and places, effects taken out in order of evaluation.

Operands are evaluated from left to right; where a later one has effects, the earlier ones are put into
temporaries first. The right side of `&&`, `||` and `?:` is evaluated only when C does.
"""

from __future__ import annotations

from automata.lang import core, tree
from automata.lang.core import Stmt
from automata.lang.elaborate.expand import Expander
from automata.lang.elaborate.places import Places
from automata.lang.elaborate.pointer_operators import PointerOperators, is_function
from automata.lang.elaborate.storage import (
    Address,
    Aggregate,
    Foreign,
    Handle,
    Null,
    Value,
    component_names,
    parts_of,
)
from automata.lang.elaborate.values import as_index, as_scalar, componentwise, is_place, null, to_scalar_type, zero
from automata.lang.types import Opaque, Pointer, Record, Type, Vector, Void
from automata.lang.typing import binary, convert, unary
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import BOOL, I32, I64, Scalar


class ExpressionElaborator(Places, PointerOperators):
    """Values of tree expressions, evaluated into a builder."""

    # -- values ---------------------------------------------------------------------------------

    def value(self, node: tree.Expr) -> Value:
        """The value of an expression; places are read."""
        match node:
            case tree.Literal(type=Opaque() as kind):
                return Handle("", kind)
            case tree.Literal(value=value, type=kind, place=place):
                if isinstance(kind, Pointer):
                    return self.builder.text(kind.to, node.text, place) if value else null(kind, place)
                return core.Const(value, to_scalar_type(kind, place), place)
            case tree.Query(quantity=quantity, axis=axis, type=kind, place=place):
                return core.Special(quantity, axis, kind, place)
            case tree.Name() | tree.Deref() | tree.Index():
                return self.builder.load(self.address(node), node.place)
            case tree.Member():
                return self.member_value(node)
            case tree.Swizzle():
                return self.swizzle_value(node)
            case tree.AddressOf(arg=arg):
                return self.address(arg).pointed_at()
        return self.compound_value(node)

    def compound_value(self, node: tree.Expr) -> Value:
        match node:
            case tree.Convert():
                return self.conversion(node)
            case tree.Conditional():
                return self.conditional(node)
            case tree.Comma(left=left, right=right):
                self.effect(left)
                return self.value(right)
            case tree.Construct(parts=parts, type=kind, place=place):
                return self.construct(parts, kind, place)
            case tree.Invoke():
                found = self.invoke(node)
                if node.function.returns_place and isinstance(found, Address):
                    return self.builder.load(found, node.place)
                return found
            case tree.Library():
                return self.library(node)
            case tree.FunctionName(function=function, place=place):
                return self.function_number(function, place)
            case tree.InvokeThrough():
                return self.invoke_through(node)
        return self.operation(node)

    def operation(self, node: tree.Expr) -> Value:
        match node:
            case tree.Copy(arg=arg):
                return self.value(arg)
            case tree.Unary(op=op, arg=arg, place=place):
                return componentwise(lambda part: _in_component(unary(op, part, place), node.type), node.type, self.value(arg))
            case tree.Binary():
                return self.binary(node)
            case tree.Bits(arg=arg, place=place) if is_function(arg.type) or is_function(node.type):
                raise UnsupportedError("the bits of a pointer to a function", place)
            case tree.Bits(arg=arg, type=kind, place=place):
                return self.bits(self.value(arg), kind, place)
            case tree.Assign(target=target, value=value, place=place):
                return self.assign(target, value, place)
            case tree.Update():
                return self.update(node)
            case tree.Step():
                return self.step(node)
        raise AssertionError(node)

    def effect(self, node: tree.Expr) -> None:
        """An expression for its effects; what it reads from memory is read."""
        match node:
            case tree.Assign(target=target, value=value, place=place):
                self.assign(target, value, place, wanted=False)
            case tree.Update():
                self.update(node, wanted=False)
            case tree.Step():
                self.step(node, wanted=False)
            case tree.Comma(left=left, right=right):
                self.effect(left)
                self.effect(right)
            case tree.Convert(arg=arg, type=Void()):
                self.effect(arg)
            case _:
                self.builder.keep_reads(self.value(node), node.place)

    def member_value(self, node: tree.Member) -> Value:
        if is_place(node.base):
            return self.builder.load(self.address(node), node.place)
        value = self.value(node.base)
        assert isinstance(value, Aggregate)
        if isinstance(value.type, Record) and value.type.is_union:
            return self.builder.load(self.address(node), node.place)
        names = [name for name, _ in parts_of(value.type, node.place)]
        return value.parts[names.index(node.name)]

    def swizzle_value(self, node: tree.Swizzle) -> Value:
        value = self.value(node.base)
        assert isinstance(value, Aggregate)
        chosen = tuple(value.parts[number] for number in node.components)
        return chosen[0] if isinstance(node.type, Scalar) else Aggregate(chosen, node.type)

    def construct(self, parts: tuple[tree.Expr, ...], kind: Type, place: Place) -> Value:
        if isinstance(kind, Scalar | Pointer):
            return self.value(parts[0]) if parts else zero(kind, place)
        if isinstance(kind, Record) and kind.is_union and parts:
            at = self.builder.local("t", kind, place)
            self.builder.store(at.member(kind.fields[0].name, kind.fields[0].type), self.value(parts[0]), place)
            return self.builder.settled(self.builder.load(at, place), place)
        values = self.operands(parts)
        if isinstance(kind, Vector):
            values = [part for value in values for part in (value.parts if isinstance(value, Aggregate) else (value,))]
        wanted = parts_of(kind, place)
        if len(values) > len(wanted):
            raise InputError(f"{len(values)} values for {kind}, which has {len(wanted)} parts", place)
        rest = [zero(inner, place) for _, inner in wanted[len(values):]]
        return Aggregate((*values, *rest), kind)

    # -- operators ------------------------------------------------------------------------------

    def binary(self, node: tree.Binary) -> Value:
        if node.op in ("&&", "||"):
            return self.logical(node)
        if is_function(node.left.type) or is_function(node.right.type):
            self.check_functions(node)
        left, right = self.operands([node.left, node.right])
        if isinstance(left, Foreign) or isinstance(right, Foreign):
            numbers = [self.builder.pointer_number(side, node.place) for side in (left, right)
                       if isinstance(side, Foreign | Address | Null)] if node.op in ("==", "!=") else []
            if len(numbers) == 2:
                return binary(node.op, numbers[0], numbers[1], node.place)
            left, right = (self.followed(side, value, node.place) for side, value in ((node.left, left), (node.right, right)))
        if isinstance(left, Address | Null) or isinstance(right, Address | Null):
            return self.pointer_operation(node, left, right)
        if isinstance(node.type, Vector):
            return componentwise(lambda one, two: _vector_operation(node.op, one, two, node), node.type, left, right)
        return binary(node.op, as_scalar(left), as_scalar(right), node.place)

    def followed(self, node: tree.Expr, value: Value, place: Place) -> Value:
        """A pointer, or where one that was read from memory leads to."""
        if not isinstance(value, Foreign) or not isinstance(node.type, Pointer):
            return value
        return self.known_address(value, place, node.type.to)

    def check_functions(self, node: tree.Binary) -> None:
        """Refuse operators on pointers to functions that their numbers do not answer."""
        if node.op not in ("==", "!="):
            raise UnsupportedError(f"operator {node.op} on a pointer to a function", node.place)
        if self.builder.others_functions and not (is_null(node.left) or is_null(node.right)):
            raise UnsupportedError("a comparison with a pointer to a function that this file may not set", node.place)

    def logical(self, node: tree.Binary) -> core.Expr:
        left = self.test(node.left)
        with self.builder.into() as effects:
            right = self.test(node.right)
        if not effects:
            return binary(node.op, left, right, node.place)
        at = self.builder.local("t", BOOL, node.place)
        self.builder.store(at, left, node.place)
        with self.builder.into() as guarded:
            for stmt in effects:
                self.builder.emit(stmt)
            self.builder.store(at, right, node.place)
        self.branch(self.builder.load_scalar(at, node.place), guarded, node.op == "&&", node.place)
        return self.builder.load_scalar(at, node.place)

    def branch(self, test: core.Expr, body: list[Stmt], positive: bool, place: Place) -> None:
        then, other = (tuple(body), ()) if positive else ((), tuple(body))
        self.builder.emit(core.If(test, then, other, place))

    def conditional(self, node: tree.Conditional) -> Value:
        if isinstance(node.test.type, Vector):
            tests, one, two = self.operands([node.test, node.then, node.other])
            return Expander(self.builder, node.place).expand("select", [two, one, tests], node.type)
        test = self.test(node.test)
        with self.builder.into() as first:
            then = self.value(node.then)
        with self.builder.into() as second:
            other = self.value(node.other)
        if isinstance(node.type, Void):
            self.builder.emit(core.If(test, tuple(first), tuple(second), node.place))
            return core.Const(0, I32, node.place)
        if not first and not second and not isinstance(node.type, Pointer):
            return componentwise(lambda one, two: core.Select(test, one, two, one.type, node.place), node.type, then, other)
        at = self.builder.local("t", node.type, node.place)
        with self.builder.into() as first_body:
            for stmt in first:
                self.builder.emit(stmt)
            self.builder.store(at, then, node.place)
        with self.builder.into() as second_body:
            for stmt in second:
                self.builder.emit(stmt)
            self.builder.store(at, other, node.place)
        self.builder.emit(core.If(test, tuple(first_body), tuple(second_body), node.place))
        return self.builder.load(at, node.place)

    # -- effects --------------------------------------------------------------------------------

    def assign(self, target: tree.Expr, value: tree.Expr, place: Place, wanted: bool = True) -> Value:
        """An assignment; `wanted`: its value is used (the value stored, not read again).

        The right side comes first, as C++17 orders it; C leaves the order open.
        """
        if isinstance(target, tree.Swizzle) and len(target.components) > 1:
            return self.assign_components(target, self.builder.settled(self.value(value), place), place)
        found = self.value(value)
        at, found = self.target(target, found, place)
        if wanted:
            found = self.builder.settled(found, place)
        self.write(at, found, place)
        return found

    def target(self, node: tree.Expr, value: Value, place: Place) -> tuple[Address, Value]:
        """The place on the left of a value that is known already; effects of the left side do not change the value."""
        with self.builder.into() as effects:
            at = self.address(node)
        if effects:
            value = self.builder.settled(value, place)
        for stmt in effects:
            self.builder.emit(stmt)
        return at, value

    def write(self, at: Address, value: Value, place: Place) -> None:
        self.builder.store(at, value, place)

    def assign_components(self, target: tree.Swizzle, found: Value, place: Place) -> Value:
        """Several components of a vector set to a value that nothing changes any more."""
        inner = self.settled_address(self.address(target.base), place)
        assert isinstance(inner.type, Vector) and isinstance(found, Aggregate)
        names = component_names(inner.type)
        for number, part in zip(target.components, found.parts, strict=True):
            self.write(inner.member(names[number], inner.type.element), part, place)
        return found

    def update(self, node: tree.Update, wanted: bool = True) -> Value:
        place = node.place
        value = self.value(node.value)
        if isinstance(node.target, tree.Swizzle) and len(node.target.components) > 1:
            before = self.value(node.target)
            after = componentwise(lambda one, two: _updated(node, one, two), node.type, before, value)
            return self.assign_components(node.target, self.builder.settled(after, place), place)
        at, value = self.target(node.target, value, place)
        old = self.builder.load(at, place)
        if isinstance(old, Address):
            by = as_index(as_scalar(value))
            new: Value = old.moved(by if node.op == "+" else unary("-", convert(by, I64), place))
        else:
            new = componentwise(lambda one, two: _updated(node, one, two), node.type, old, value)
        if wanted:
            new = self.builder.settled(new, place)
        self.write(at, new, place)
        return new

    def step(self, node: tree.Step, wanted: bool = True) -> Value:
        place = node.place
        if isinstance(node.target, tree.Swizzle) and len(node.target.components) > 1:
            before = self.builder.settled(self.value(node.target), place)
            after = componentwise(lambda part: _stepped(node.op, part, place), node.type, before)
            self.assign_components(node.target, self.builder.settled(after, place), place)
            return before if node.postfix else after
        at = self.address(node.target)
        old = self.builder.load(at, place)
        if wanted and node.postfix:
            old = self.builder.settled(old, place)
        if isinstance(old, Address):
            new: Value = old.moved(core.Const(1 if node.op == "++" else -1, I64, place))
        else:
            new = componentwise(lambda part: _stepped(node.op, part, place), node.type, old)
        if wanted and not node.postfix:
            new = self.builder.settled(new, place)
        self.write(at, new, place)
        return old if node.postfix else new


def is_null(node: tree.Expr) -> bool:
    """Whether an expression is the null pointer itself."""
    while isinstance(node, tree.Convert):
        node = node.arg
    return isinstance(node, tree.Literal) and node.value == 0


def _vector_operation(op: str, left: core.Expr, right: core.Expr, node: tree.Binary) -> core.Expr:
    """One component; comparisons of vectors yield -1 or 0 (OpenCL C 6.3.d)."""
    found = binary(op, left, right, node.place)
    if found.type != BOOL:
        return _in_component(found, node.type)
    assert isinstance(node.type, Vector)
    kind = node.type.element
    return core.Select(found, core.Const(-1, kind), core.Const(0, kind), kind, node.place)


def _in_component(found: core.Expr, kind: Type) -> core.Expr:
    """What an operator yields: components of a vector are not promoted, so it wraps in their type."""
    return convert(found, kind.element) if isinstance(kind, Vector) else found


def _stepped(op: str, part: core.Expr, place: Place) -> core.Expr:
    one = core.Const(1.0 if part.type.is_float else 1, part.type if part.type.is_float else I32, place)
    return convert(binary(op[0], part, one, place), part.type)


def _updated(node: tree.Update, old: core.Expr, value: core.Expr) -> core.Expr:
    computed = node.computed.element if isinstance(node.computed, Vector) else node.computed
    assert isinstance(computed, Scalar)
    return convert(binary(node.op, convert(old, computed), value, node.place), old.type)
