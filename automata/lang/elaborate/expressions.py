"""Expressions of the tree: values and places, effects taken out in order of evaluation.

Operands are evaluated from left to right; where a later one has effects, the earlier ones are put into
temporaries first. The right side of `&&`, `||` and `?:` is evaluated only when C does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from automata.lang import core, tree
from automata.lang.core import Stmt
from automata.lang.elaborate.builder import Builder
from automata.lang.elaborate.storage import Address, Aggregate, Foreign, Handle, Null, Origin, Value, component_names, parts_of
from automata.lang.types import ArrayOf, Code, Opaque, Pointer, Record, Type, Vector, Void, size_of
from automata.lang.typing import binary, convert, promoted, unary
from automata.place import InputError, Place, UnsupportedError
from automata.scalar import BOOL, I32, I64, U8, Scalar

if TYPE_CHECKING:
    from automata.lang.elaborate.storage import Root


class ExpressionElaborator:
    """Evaluates tree expressions into a builder; a mixin below statements and calls."""

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

    # -- values ---------------------------------------------------------------------------------

    def value(self, node: tree.Expr) -> Value:
        """The value of an expression; places are read."""
        match node:
            case tree.Literal(value=value, type=kind, place=place):
                return null(kind, place) if isinstance(kind, Pointer) else core.Const(value, _scalar(kind, place), place)
            case tree.Query(quantity=quantity, axis=axis, type=kind, place=place):
                return core.Special(quantity, axis, kind, place)
            case tree.Name() | tree.Deref() | tree.Index():
                return self.builder.load(self.address(node), node.place)
            case tree.Member():
                return self.member_value(node)
            case tree.Swizzle():
                return self.swizzle_value(node)
            case tree.AddressOf(arg=arg):
                return self.address(arg)
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
                return self.invoke(node)
            case tree.Library():
                return self.library(node)
            case tree.FunctionName(function=function, place=place):
                return self.function_number(function, place)
            case tree.InvokeThrough():
                return self.invoke_through(node)
        return self.operation(node)

    def operation(self, node: tree.Expr) -> Value:
        match node:
            case tree.Unary(op=op, arg=arg, place=place):
                return _componentwise(lambda part: unary(op, part, place), node.type, self.value(arg))
            case tree.Binary():
                return self.binary(node)
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

    def scalar(self, node: tree.Expr) -> core.Expr:
        """The value of an expression of scalar type."""
        return as_scalar(self.value(node))

    def test(self, node: tree.Expr) -> core.Expr:
        return convert(self.scalar(node), BOOL)

    def operands(self, nodes: Iterable[tree.Expr]) -> list[Value]:
        """Values of expressions evaluated in order; effects of a later one do not change an earlier one."""
        found: list[Value] = []
        for node in nodes:
            with self.builder.into() as effects:
                value = self.value(node)
            if effects:
                found = [self.builder.settled(earlier, node.place) for earlier in found]
            for stmt in effects:
                self.builder.emit(stmt)
            found.append(value)
        return found

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
        values = self.operands(parts)
        wanted = parts_of(kind, place)
        if len(values) > len(wanted):
            raise InputError(f"{len(values)} values for {kind}, which has {len(wanted)} parts", place)
        rest = [zero(inner, place) for _, inner in wanted[len(values):]]
        return Aggregate((*values, *rest), kind)

    # -- places ---------------------------------------------------------------------------------

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
            case tree.Assign(target=target) | tree.Update(target=target) | tree.Step(target=target, postfix=False):
                self.effect(node)
                return self.address(target)
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
        if isinstance(kind, ArrayOf) and is_place(node.base):
            base = self.address(node.base)
            return base.element(self.subscript(node.index), kind.element)
        if isinstance(kind, ArrayOf):
            return self.spilled(node.base).element(self.subscript(node.index), kind.element)
        if isinstance(kind, Vector):
            return self.component(node, kind)
        at, index = self.operands([node.base, node.index])
        return self.known_address(at, node.place, node.type).moved(_index(as_scalar(index)))

    def component(self, node: tree.Index, kind: Vector) -> Address:
        index = self.subscript(node.index)
        if not isinstance(index, core.Const):
            raise UnsupportedError("a vector component chosen at run time", node.place)
        return self.address(node.base).member(component_names(kind)[int(index.value)], kind.element)

    def subscript(self, node: tree.Expr) -> core.Expr:
        return _index(self.scalar(node))

    def pointer(self, node: tree.Expr) -> Address:
        """The address that a pointer value holds."""
        kind = node.type.to if isinstance(node.type, Pointer) else U8
        return self.known_address(self.value(node), node.place, kind)

    def known_address(self, value: Value, place: Place, kind: Type = U8) -> Address:
        """The address; of the null pointer, one at which nothing is."""
        if isinstance(value, Null):
            return self.builder.nowhere(kind)
        if isinstance(value, Foreign):
            raise UnsupportedError("a pointer that is read from memory is followed", place)
        assert isinstance(value, Address), value
        return value

    # -- operators ------------------------------------------------------------------------------

    def binary(self, node: tree.Binary) -> Value:
        if node.op in ("&&", "||"):
            return self.logical(node)
        left, right = self.operands([node.left, node.right])
        if isinstance(left, Foreign) or isinstance(right, Foreign):
            numbers = [self.builder.pointer_number(side, node.place) for side in (left, right)
                       if isinstance(side, Foreign | Address | Null)]
            if len(numbers) != 2 or node.op not in ("==", "!="):
                raise UnsupportedError("arithmetic on a pointer that is read from memory", node.place)
            return binary(node.op, numbers[0], numbers[1], node.place)
        if isinstance(left, Address | Null) or isinstance(right, Address | Null):
            return self.pointer_operation(node, left, right)
        if isinstance(node.type, Vector):
            return _componentwise(lambda one, two: _vector_operation(node.op, one, two, node), node.type, left, right)
        return binary(node.op, as_scalar(left), as_scalar(right), node.place)

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
        test = self.test(node.test)
        with self.builder.into() as first:
            then = self.value(node.then)
        with self.builder.into() as second:
            other = self.value(node.other)
        if isinstance(node.type, Void):
            self.builder.emit(core.If(test, tuple(first), tuple(second), node.place))
            return core.Const(0, I32, node.place)
        if not first and not second and not isinstance(node.type, Pointer):
            return _componentwise(lambda one, two: core.Select(test, one, two, one.type, node.place), node.type, then, other)
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

    def pointer_operation(self, node: tree.Binary, left: Value, right: Value) -> Value:
        """`p ± i`, `p - q`, comparisons of pointers."""
        place = node.place
        if node.op in ("+", "-") and isinstance(left, Null) and isinstance(node.left.type, Pointer):
            left = self.builder.nowhere(node.left.type.to)
        if node.op in ("+", "-") and isinstance(left, Address) and not isinstance(right, Address | Null):
            by = _index(as_scalar(right))
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
        """Whether a pointer is null: a pointer variable knows; what a parameter points to exists."""
        if at.root.origin is Origin.POINTER:
            nothing = self.builder.number(self.builder.nowhere(at.type).root, place)
            return binary("==", self.builder.number(at.root, place), nothing, place)
        return core.Const(int(at.root is self.builder.null), BOOL, place)

    def pointer_pair(self, node: tree.Binary, left: Address, right: Address) -> core.Expr:
        """Two pointers: compared or subtracted by their distance from the start of one object."""
        place, unit = node.place, max(1, size_of(left.type))
        one, two = left.bytes(), right.bytes()
        if not (one.divisible(unit) and two.divisible(unit)):
            unit = 1
        first, second = convert(one.over(unit), I64), convert(two.over(unit), I64)
        same = self.same_root(left.root, right.root, place)
        if node.op == "-":
            if not (isinstance(same, core.Const) and same.value):
                raise UnsupportedError("the difference of pointers that may point into different arrays", place)
            return binary("-", first, second, place)
        compared = binary(node.op, first, second, place)
        if isinstance(same, core.Const) and same.value:
            return compared
        if node.op == "==":
            return binary("&&", same, compared, place)
        if node.op == "!=":
            return binary("||", unary("!", same, place), compared, place)
        raise UnsupportedError(f"operator {node.op} on pointers that may point into different arrays", place)

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
        match kind:
            case Scalar():
                return self.to_scalar(value, kind, place)
            case Vector() if not isinstance(value, Aggregate):
                return Aggregate((convert(as_scalar(value), kind.element),) * kind.count, kind)
            case Vector():
                return _componentwise(lambda part: convert(part, kind.element), kind, value)
        return value

    def to_scalar(self, value: Value, kind: Scalar, place: Place) -> core.Expr:
        if isinstance(value, Foreign) and kind == BOOL:
            return convert(value.number, kind)
        if not isinstance(value, Address | Null):
            return convert(as_scalar(value), kind)
        if kind != BOOL:
            raise UnsupportedError("a pointer turned into an integer", place)
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
            raise UnsupportedError("an integer turned into a pointer", place)
        found = self.value(arg)
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

    # -- effects --------------------------------------------------------------------------------

    def assign(self, target: tree.Expr, value: tree.Expr, place: Place, wanted: bool = True) -> Value:
        """An assignment; `wanted`: its value is used (the value stored, not read again)."""
        if isinstance(target, tree.Swizzle) and len(target.components) > 1:
            return self.assign_components(target, value, place)
        with self.builder.into() as effects:
            found = self.value(value)
        at = self.address(target)
        if effects:
            at = self.settled_address(at, place)
        for stmt in effects:
            self.builder.emit(stmt)
        if wanted:
            found = self.builder.settled(found, place)
        self.write(at, found, place)
        return found

    def settled_address(self, at: Address, place: Place) -> Address:
        found = self.builder.settled(at, place)
        assert isinstance(found, Address)
        return found

    def write(self, at: Address, value: Value, place: Place) -> None:
        if at.root.const and at.root.origin is not Origin.LOCAL:
            raise InputError(f"write to '{at.root.name}', which is const", place)
        self.builder.store(at, value, place)

    def assign_components(self, target: tree.Swizzle, value: tree.Expr, place: Place) -> Value:
        found = self.builder.settled(self.value(value), place)
        inner = self.address(target.base)
        assert isinstance(inner.type, Vector) and isinstance(found, Aggregate)
        names = component_names(inner.type)
        for number, part in zip(target.components, found.parts, strict=True):
            self.write(inner.member(names[number], inner.type.element), part, place)
        return found

    def update(self, node: tree.Update, wanted: bool = True) -> Value:
        place = node.place
        at = self.address(node.target)
        with self.builder.into() as effects:
            value = self.value(node.value)
        if effects:
            at = self.settled_address(at, place)
        for stmt in effects:
            self.builder.emit(stmt)
        old = self.builder.load(at, place)
        if isinstance(old, Address):
            by = _index(as_scalar(value))
            new: Value = old.moved(by if node.op == "+" else unary("-", convert(by, I64), place))
        else:
            new = _componentwise(lambda one, two: _updated(node, one, two), node.type, old, value)
        if wanted:
            new = self.builder.settled(new, place)
        self.write(at, new, place)
        return new

    def step(self, node: tree.Step, wanted: bool = True) -> Value:
        place = node.place
        at = self.address(node.target)
        old = self.builder.load(at, place)
        if wanted and node.postfix:
            old = self.builder.settled(old, place)
        if isinstance(old, Address):
            new: Value = old.moved(core.Const(1 if node.op == "++" else -1, I64, place))
        else:
            new = _componentwise(lambda part: _stepped(node.op, part, place), node.type, old)
        if wanted and not node.postfix:
            new = self.builder.settled(new, place)
        self.write(at, new, place)
        return old if node.postfix else new


def _stepped(op: str, part: core.Expr, place: Place) -> core.Expr:
    one = core.Const(1.0 if part.type.is_float else 1, part.type if part.type.is_float else I32, place)
    return convert(binary(op[0], part, one, place), part.type)


def _updated(node: tree.Update, old: core.Expr, value: core.Expr) -> core.Expr:
    computed = node.computed.element if isinstance(node.computed, Vector) else node.computed
    assert isinstance(computed, Scalar)
    return convert(binary(node.op, convert(old, computed), value, node.place), old.type)


def _vector_operation(op: str, left: core.Expr, right: core.Expr, node: tree.Binary) -> core.Expr:
    """One component; comparisons of vectors yield -1 or 0 (OpenCL C 6.3.d)."""
    found = binary(op, left, right, node.place)
    if found.type != BOOL:
        return found
    assert isinstance(node.type, Vector)
    kind = node.type.element
    return core.Select(found, core.Const(-1, kind), core.Const(0, kind), kind, node.place)


def _componentwise(operation: Callable[..., core.Expr], kind: Type, *values: Value) -> Value:
    """An operation on scalars, applied to each component of aggregates."""
    if any(isinstance(value, Aggregate) for value in values):
        counts = {len(value.parts) for value in values if isinstance(value, Aggregate)}
        assert len(counts) == 1
        rows = [value.parts if isinstance(value, Aggregate) else (value,) * max(counts) for value in values]
        part = kind.element if isinstance(kind, Vector | ArrayOf) else kind
        return Aggregate(tuple(_componentwise(operation, part, *row) for row in zip(*rows, strict=True)), kind)
    return operation(*(as_scalar(value) for value in values))


def as_scalar(value: Value) -> core.Expr:
    if isinstance(value, Address):
        raise UnsupportedError("a pointer used as a number", value.root.place)
    if isinstance(value, Foreign):
        raise UnsupportedError("a pointer used as a number", value.number.place)
    assert not isinstance(value, Aggregate | Null | Handle), value
    return value


def _scalar(kind: Type, place: Place) -> Scalar:
    if not isinstance(kind, Scalar):
        raise UnsupportedError(f"a literal of type {kind}", place)
    return kind


def _index(expr: core.Expr) -> core.Expr:
    if not expr.type.is_int:
        raise InputError("an array subscript is not an integer", expr.place)
    return convert(expr, promoted(expr.type))


def same_bits(value: core.Expr, kind: Scalar, place: Place) -> core.Expr:
    if value.type == kind:
        return value
    if value.type.is_int and kind.is_int and value.type.bits == kind.bits:
        return convert(value, kind)
    return core.Bits(value, kind, place)


def null(kind: Pointer, place: Place) -> Value:
    """The null pointer; to a function: the number of none."""
    return core.Const(-1, I32, place) if isinstance(kind.to, Code) else Null()


def zero(kind: Type, place: Place) -> Value:
    """The zero value of a type."""
    match kind:
        case Scalar():
            return core.Const(0.0 if kind.is_float else 0, kind, place)
        case Pointer():
            return null(kind, place)
        case Record() | Vector() | ArrayOf():
            return Aggregate(tuple(zero(inner, place) for _, inner in parts_of(kind, place)), kind)
        case Opaque():
            return Handle("", kind)
        case Void() | Code():
            raise UnsupportedError(f"a value of type {kind}", place)


def is_place(node: tree.Expr) -> bool:
    """Whether an expression names a place in memory."""
    match node:
        case tree.Name() | tree.Deref() | tree.Index():
            return True
        case tree.Member(base=base) | tree.Swizzle(base=base):
            return is_place(base)
        case tree.Comma(right=right):
            return is_place(right)
        case tree.Conditional(then=then, other=other):
            return is_place(then) and is_place(other) and not isinstance(node.type, Scalar)
        case tree.Convert(arg=arg, type=kind):
            return isinstance(kind, Record) and is_place(arg)
        case tree.Invoke(function=function):
            return function.returns_place
        case _:
            return False
