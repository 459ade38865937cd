"""Library functions that move memory: memcpy, memset, vector reads and writes, asynchronous copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from automata.lang import core, tree
from automata.lang.elaborate.events import EVENT
from automata.lang.elaborate.inline import Inliner
from automata.lang.elaborate.storage import Address, Aggregate, Handle, Linear, Null, Value, leaf_path
from automata.lang.elaborate.values import as_scalar, each, zero
from automata.lang.fold import fold_constants
from automata.lang.meanings import LaterGroup
from automata.lang.types import ArrayOf, Opaque, Pointer, Type, Vector, Void, size_of
from automata.lang.typing import binary, convert
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, I32, I64, U8, U64, Scalar

WRITTEN_OUT = 4096
"""Elements that are copied or filled one statement each; more are a loop."""


class MemoryCalls(Inliner):
    """Elaborates calls that read or write through their arguments."""

    def vector_place(self, pointer: Value, offset: Value, count: int, place: Place) -> Address:
        """N elements in memory one after another: vloadN and vstoreN ask only for an element's alignment (OpenCL C 6.12.7)."""
        at = self.known_address(pointer, place)
        assert isinstance(at.type, Scalar)
        by = core.Binary("*", convert(as_scalar(offset), I64), core.Const(count, I64), I64, place)
        return at.moved(by).retyped(ArrayOf(at.type, count))

    def permuted(self, node: tree.Library) -> Value:
        """Components chosen by the low bits of a mask; a mask that is not constant chooses at run time."""
        *vectors, mask = [self.builder.settled(value, node.place) for value in self.operands(node.args)]
        parts = [as_scalar(part) for vector in vectors if isinstance(vector, Aggregate) for part in vector.parts]
        assert isinstance(mask, Aggregate)
        chosen: list[Value] = []
        for item in mask.parts:
            number = as_scalar(item)
            low = binary("&", number, core.Const(len(parts) - 1, number.type, node.place), node.place)
            known = fold_constants(low, {})
            result = parts[int(known.value)] if isinstance(known, core.Const) else parts[-1]
            for at in range(len(parts) - 2, -1, -1) if not isinstance(known, core.Const) else ():
                test = binary("==", low, core.Const(at, low.type, node.place), node.place)
                result = core.Select(test, parts[at], result, result.type, node.place)
            chosen.append(result)
        return Aggregate(tuple(chosen), node.type)

    def sine_and_cosine(self, node: tree.Library) -> Value:
        angle, *targets = [self.builder.settled(value, node.place) for value in self.operands(node.args)]
        kind = node.args[0].type

        def of(name: str) -> Value:
            return each(lambda part, args: core.Call(name, args, part, node.place), kind, [angle])

        sine, cosine = of("both_sin"), of("both_cos")
        for at, value in zip(targets, (cosine,) if len(targets) == 1 else (sine, cosine), strict=True):
            self.write(self.known_address(at, node.place), value, node.place)
        return sine

    def copy_bytes(self, node: tree.Library) -> Value:
        """memcpy: element by element if both sides have the same and the size is a number of them, else by bytes."""
        target, source, size = (self.builder.settled(value, node.place) for value in self.operands(_unvoided(node.args)))
        to, place = self.known_address(target, node.place), node.place
        origin = self.known_address(source, place)
        count, kind = elements(as_scalar(size), to.type if to.type == origin.type else U8, place)
        if _is_few(count):
            values = [self.builder.settled(self.builder.load(origin.retyped(kind).moved(_number(at)), place), place)
                      for at in range(int(count.value))]
            for at, value in enumerate(values):
                self.write(to.retyped(kind).moved(_number(at)), value, place)
            return to
        self.counted(count, place, lambda index: self.write(
            to.retyped(kind).moved(index), self.builder.load(origin.retyped(kind).moved(index), place), place))
        return to

    def fill_bytes(self, node: tree.Library) -> Value:
        """memset: zero by elements, anything else by bytes."""
        target, value, size = (self.builder.settled(value, node.place) for value in self.operands(_unvoided(node.args)))
        to, place = self.known_address(target, node.place), node.place
        fill = as_scalar(value)
        is_zero = isinstance(fill, core.Const) and fill.value == 0
        count, kind = elements(as_scalar(size), to.type if is_zero else U8, place)
        content = zero(kind, place) if is_zero else convert(fill, U8)
        if _is_few(count):
            for at in range(int(count.value)):
                self.write(to.retyped(kind).moved(_number(at)), content, place)
            return to
        self.counted(count, place, lambda index: self.write(to.retyped(kind).moved(index), content, place))
        return to

    def counted(self, count: core.Expr, place: Place, body: object) -> None:
        """for (index = 0; index < count; index++) body(index)"""
        assert callable(body)
        at = self.builder.local("index", U64, place)
        self.builder.store(at, core.Const(0, U64, place), place)
        index = self.builder.load_scalar(at, place)
        with self.builder.into() as inner:
            body(index)
        with self.builder.into() as step:
            self.builder.store(at, core.Binary("+", index, core.Const(1, U64, place), U64, place), place)
        test = core.Binary("<", index, convert(count, U64), BOOL, place)
        self.builder.emit(core.Loop(self.fresh_label("loop"), test, tuple(inner), tuple(step), place))

    def async_copy(self, node: tree.Library, strided: bool) -> Value:
        """The copy as one statement, of scalars; its event is a local that the wait names."""
        place = node.place
        target, source, count, *rest = self.operands(node.args)
        to, origin, number = self.known_address(target, place), self.known_address(source, place), as_scalar(count)
        if isinstance(to.type, Vector) and not strided:
            part = to.type.element
            number = binary("*", convert(number, U64), core.Const(size_of(to.type) // part.bytes, U64), place)
            to, origin = to.retyped(part), origin.retyped(part)
        if not isinstance(to.type, Scalar) or to.type != origin.type:
            raise UnsupportedError(f"an asynchronous copy from {origin.type} to {to.type}", place)
        (to_key, to_index), (from_key, from_index) = (self.builder.key(self.one_index(at, place)) for at in (to, origin))
        stride = as_scalar(rest[0]) if strided else None
        event = rest[-1]
        known = event if isinstance(event, Handle) and self.builder.events.are_known(event) else None
        if known is None and not (isinstance(event, core.Const | Null) or (isinstance(event, Handle) and not event.name)):
            self.havoc(I32, "an asynchronous copy whose event is chosen at run time", place)
        joins = known is not None
        if known is None:
            name = self.builder.local("event", I32, place).root.name
            known = Handle(name, node.type if isinstance(node.type, Opaque) else Opaque(EVENT))
        self.for_each_event(known, lambda name: core.AsyncCopy(
            name, to_key, to_index[0], from_key, from_index[0], number, stride, joins, place), place)
        return known

    def later_copy(self, node: tree.Library, *, given: bool) -> None:
        """A copy of a few bytes that the thread goes on beside, element by element; behind what comes from the source zeros."""
        place = node.place
        target, source, size, some = (self.builder.settled(value, place) for value in self.operands(_unvoided(node.args)))
        to, origin = self.known_address(target, place), self.known_address(source, place)
        total, rest = fold_constants(as_scalar(size), {}), fold_constants(as_scalar(some), {})
        if not isinstance(total, core.Const) or total.value not in (4, 8, 16):
            raise UnsupportedError("an asynchronous copy of other than 4, 8 or 16 bytes", place)
        kind = _element_of(to, origin)
        unit = size_of(kind) if int(total.value) % size_of(kind) == 0 else 0
        if not unit:
            raise UnsupportedError("an asynchronous copy of parts of elements", place)
        for end in (origin, to):
            self.builder.claim_aligned(end, place, int(total.value))
        taken = rest if given else fold_constants(core.Binary("-", total, convert(rest, total.type), total.type, place), {})
        with self.builder.into() as body:
            values = [self.later_value(origin.retyped(kind).moved(_number(at)), taken, (at + 1) * unit, place)
                      for at in range(int(total.value) // unit)]
            for at, value in enumerate(values):
                self.write(to.retyped(kind).moved(_number(at)), value, place)
        self.builder.emit(core.Later(tuple(body), place))

    def later_value(self, at: Address, taken: core.Expr, end: int, place: Place) -> Value:
        """An element of such a copy: what lies there if so many bytes come from the source that it is whole, else zero."""
        kind = at.type
        if isinstance(taken, core.Const):
            return self.builder.settled(self.builder.load(at, place), place) if taken.value >= end else zero(kind, place)
        found = self.builder.local("copied", kind, place)
        with self.builder.into() as then:
            self.builder.store(found, self.builder.settled(self.builder.load(at, place), place), place)
        with self.builder.into() as other:
            self.builder.store(found, zero(kind, place), place)
        test = binary("<=", core.Const(end, taken.type, place), taken, place)
        self.builder.emit(core.If(test, tuple(then), tuple(other), place))
        return self.builder.load(found, place)

    def later_group(self, node: tree.Library, meaning: LaterGroup) -> None:
        if meaning.commits:
            self.builder.emit(core.Settle(None, node.place))
        if meaning.waits:
            most = as_scalar(self.value(node.args[0])) if node.args else _number(0)
            self.builder.emit(core.Settle(most, node.place))

    def for_each_event(self, event: Handle, make: Callable[[str], core.Stmt], place: Place) -> None:
        """A statement that names an event, by guarded alternatives where it is chosen at run time."""
        *others, last = event.alternatives
        stmt = make(last.name)
        for (test, _), other in reversed(list(zip(event.choices, others, strict=True))):
            if other.name != last.name or isinstance(stmt, core.If):
                stmt = core.If(test, (make(other.name),), (stmt,), place)
        self.builder.emit(stmt)

    def one_index(self, at: Address, place: Place) -> Address:
        """An address with one subscript: paths with more become a view whose distance is one number of elements."""
        if at.view is None and len(at.path) == 1:
            return at
        distance, unit = at.bytes(), size_of(at.type)
        if not distance.divisible(unit):
            raise UnsupportedError("an asynchronous copy from the middle of an element", place)
        return Address(at.root, (), at.type, Linear(((convert(distance.over(unit), I64), unit),)), at.decayed)

    def waited(self, events: Value, count: core.Expr, place: Place) -> list[Handle] | None:
        """The events of a wait: `count` of them from a pointer on; None where it cannot be said which."""
        known = fold_constants(count, {})
        if not isinstance(events, Address) or events.view is not None or not isinstance(known, core.Const):
            return None
        path, number = leaf_path(events), int(known.value)
        last = path[-1] if path else None
        if number == 1:
            found: list[Value | None] = [self.builder.load(events, place)]
        elif not 0 <= number <= len(self.builder.events.stores) or (number and not isinstance(last, int)):
            return None
        else:
            leaves = [(*path[:-1], last + step) for step in range(number)] if isinstance(last, int) else []
            found = [self.builder.events.load(events, leaf) for leaf in leaves]
        handles = [event for event in found if isinstance(event, Handle) and self.builder.events.are_known(event)]
        return handles if len(handles) == len(found) else None

    def async_wait(self, node: tree.Library) -> None:
        """Every thread waits for events that are known by name, or for one after the other where one is chosen at run time."""
        count, pointer = as_scalar(self.value(node.args[0])), self.value(node.args[1])
        events, place = self.waited(pointer, count, node.place), node.place
        if events is None:
            self.havoc(I32, "a wait for events that are chosen at run time", place)
        fixed = tuple(sorted({event.name for event in events or () if not event.choices}))
        if fixed or not events:
            self.builder.emit(core.AsyncWait(fixed, place))
        for event in events or ():
            if event.choices:
                self.for_each_event(event, lambda name: core.AsyncWait((name,), place), place)


def _element_of(to: Address, origin: Address) -> Type:
    """What a copy of bytes is made of: the numbers that lie at its ends, whatever their pointers say; else bytes."""
    kinds = [_number_in(at.root.type) for at in (origin, to)]
    known = [kind for kind in kinds if kind is not None and kind.bytes > 1]
    return known[0] if known and all(kind == known[0] for kind in known) else U8


def _number_in(kind: Type) -> Scalar | None:
    """The type of the numbers that an array is made of."""
    while isinstance(kind, ArrayOf | Vector):
        kind = kind.element
    return kind if isinstance(kind, Scalar) else None


def _unvoided(args: tuple[tree.Expr, ...]) -> list[tree.Expr]:
    """Arguments without their conversion to void*."""
    found: list[tree.Expr] = []
    for arg in args:
        while isinstance(arg, tree.Convert) and isinstance(arg.type, Pointer) and isinstance(arg.type.to, Void) \
                and isinstance(arg.arg.type, Pointer):
            arg = arg.arg
        if isinstance(arg, tree.Convert) and isinstance(arg.type, Pointer) and isinstance(arg.arg.type, ArrayOf):
            arg = tree.Convert(arg.arg, Pointer(arg.arg.type.element), arg.place)
        found.append(arg)
    return found


def elements(size: core.Expr, kind: Type, place: Place) -> tuple[core.Expr, Type]:
    """A number of bytes as a number of elements of a type; of bytes where it is not a number of those."""
    unit = size_of(kind)
    if isinstance(size, core.Const) and unit and int(size.value) % unit == 0:
        return core.Const(int(size.value) // unit, U64, place), kind
    if isinstance(size, core.Binary) and size.op == "*" and unit:
        for one, other in ((size.left, size.right), (size.right, size.left)):
            if isinstance(one, core.Const) and int(one.value) % unit == 0:
                scale = core.Const(int(one.value) // unit, other.type, place)
                return (other if scale.value == 1 else core.Binary("*", scale, other, other.type, place)), kind
    return convert(size, U64), U8


def _number(value: int) -> core.Expr:
    return core.Const(value, I64)


def _is_few(count: core.Expr) -> TypeGuard[core.Const]:
    """Whether a number of elements is known and small enough to write each access out; else a loop stands for them."""
    return isinstance(count, core.Const) and int(count.value) <= WRITTEN_OUT
