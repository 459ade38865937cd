"""Calls: functions of the program are inlined, entries of the device library become what they mean."""

from __future__ import annotations

from automata.lang import core, tree
from automata.lang.core import Space
from automata.lang.elaborate.expand import Expander
from automata.lang.elaborate.expressions import as_scalar, is_place, zero
from automata.lang.elaborate.scan import nodes
from automata.lang.elaborate.statements import Frame, StatementElaborator
from automata.lang.elaborate.storage import Address, Aggregate, Handle, Linear, Null, Origin, Value, parts_of
from automata.lang.fold import fold_constants
from automata.lang.library import table
from automata.lang.meanings import (
    AsyncCopy,
    AsyncWait,
    AtomicCall,
    BarrierCall,
    CollectiveCall,
    CopyBytes,
    Expand,
    FenceCall,
    Meaning,
    NoEffect,
    Opaquely,
    Permute,
    ReadThrough,
    Refused,
    SineAndCosine,
    Statement,
    Unknowable,
    VectorRead,
    VectorWrite,
    WriteThrough,
)
from automata.lang.types import ArrayOf, Code, Opaque, Pointer, Record, Type, Vector, Void, contains_pointer, size_of
from automata.lang.typing import binary, convert
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, I32, I64, U8, U64, Scalar

MAX_DEPTH = 200


class CallElaborator(StatementElaborator):
    """Inlines calls and gives builtins their meaning."""

    dialect: str
    active: list[tree.Function]
    requires: list[core.Expr]
    assumptions: dict[str, None]
    pointed_at: list[tree.Function]
    targets: list[tree.Function]

    # -- functions of the program ---------------------------------------------------------------

    def invoke(self, node: tree.Invoke) -> Value:
        function, place = node.function, node.place
        if function in self.active:
            raise UnsupportedError(f"recursion: '{function.name}' calls itself", place)
        if function.body is None:
            return self.outside(node)
        if len(self.active) > MAX_DEPTH:
            raise UnsupportedError("calls nested too deeply", place)
        self.bind_arguments(node)
        self.active.append(function)
        outer = self.breaks, self.continues, self.labels
        self.breaks, self.continues, self.labels = [], [], {}
        result = self.inlined(function, place)
        self.breaks, self.continues, self.labels = outer
        self.active.pop()
        return result

    def outside(self, node: tree.Invoke) -> Value:
        """A function that is defined elsewhere. Without a pointer it can only reach what is not this kernel's:
        its value is unknown. With one, or where the file has variables it could reach, it is refused."""
        function, place = node.function, node.place
        kinds = (function.result, *(param.type for param in function.params))
        by_name = any(param.reference for param in function.params) or any(map(contains_pointer, kinds))
        if not function.outside or by_name or self.file_variables():
            raise UnsupportedError(f"a call of the function '{function.name}', which has no body here and may reach memory",
                                   place)
        self.assumptions.setdefault(f"the function {function.name}, which has no body here, touches no memory of this kernel "
                                    "and waits at no barrier")
        for arg in node.args:
            self.effect(arg)
        return self.havoc(function.result, f"{function.name}()", place)

    def file_variables(self) -> bool:
        """Whether the kernel uses variables of the file that others may write."""
        return any(root.origin is Origin.FILE and not root.const and root is not self.builder.null for root in self.builder.roots)

    def havoc(self, kind: Type, what: str, place: Place) -> Value:
        """An unknown value of a type."""
        match kind:
            case Scalar():
                at = self.builder.local("unknown", kind, place)
                self.builder.emit(core.Havoc(at.root.name, what, place))
                return self.builder.load(at, place)
            case Void():
                return core.Const(0, I32, place)
            case Record() | Vector() | ArrayOf():
                return Aggregate(tuple(self.havoc(inner, what, place) for _, inner in parts_of(kind, place)), kind)
            case _:
                raise UnsupportedError(f"an unknown value of type {kind}", place)

    # -- pointers to functions ------------------------------------------------------------------

    def function_number(self, function: tree.Function, place: Place) -> Value:
        """A pointer to a function is its number among those whose address is taken."""
        if function not in self.pointed_at:
            self.pointed_at.append(function)
        return core.Const(self.pointed_at.index(function), I32, place)

    def invoke_through(self, node: tree.InvokeThrough) -> Value:
        """A call of whichever function of that type the pointer holds: one branch for each."""
        place = node.place
        number = fold_constants(as_scalar(self.builder.settled(self.value(node.pointer), place)), {})
        if isinstance(number, core.Const):
            if not 0 <= number.value < len(self.pointed_at):
                raise UnsupportedError("a call through a null pointer to a function", place)
            return self.invoke(tree.Invoke(self.pointed_at[int(number.value)], node.args, node.type, place))
        assert isinstance(node.pointer.type, Pointer)
        candidates = [function for function in self.targets if _code(function) == node.pointer.type.to]
        if not candidates:
            raise UnsupportedError("a call through a pointer to a function that is not of this file", place)
        args = [self.builder.settled(value, place) for value in self.operands(node.args)]
        result = None if isinstance(node.type, Void) else self.builder.local("called", node.type, place)
        for function in candidates:
            test = binary("==", number, as_scalar(self.function_number(function, place)), place)
            with self.builder.into() as inner:
                value = self.call_with(function, args, place)
                if result is not None:
                    self.builder.store(result, value, place)
            self.builder.emit(core.If(test, tuple(inner), (), place))
        return core.Const(0, I32, place) if result is None else self.builder.load(result, place)

    def call_with(self, function: tree.Function, args: list[Value], place: Place) -> Value:
        """A call whose arguments are already values."""
        holders = []
        for param, value in zip(function.params, args, strict=True):
            holder = tree.Variable(param.name, param.type, tree.Storage.LOCAL)
            self.bind_local(holder, value, place)
            holders.append(tree.Name(holder, param.type, place))
        return self.invoke(tree.Invoke(function, tuple(holders), function.result, place))

    def bind_arguments(self, node: tree.Invoke) -> None:
        """Parameters come to life with the arguments' values, or as other names of the arguments' places."""
        params = node.function.params
        values = self.operands([arg for param, arg in zip(params, node.args, strict=True) if not _by_place(param, arg)])
        bound: list[tuple[tree.Variable, Value | None, Address | None]] = []
        for param, arg in zip(params, node.args, strict=True):
            if _by_place(param, arg):
                bound.append((param, None, self.settled_address(self.address(arg), node.place)))
            else:
                bound.append((param, values.pop(0), None))
        for param, value, at in bound:
            if at is not None:
                self.bindings[param] = at
            else:
                self.bind_local(param, value, node.place)

    def inlined(self, function: tree.Function, place: Place) -> Value:
        """The body in a block that its returns leave; without early returns there is no block."""
        assert function.body is not None
        wants = not isinstance(function.result, Void)
        early = _returns(function.body) > (1 if _ends_in_return(function.body) else 0)
        result = None
        if wants and early:
            if function.returns_place:
                raise UnsupportedError(f"'{function.name}' returns one of several references", place)
            result = self.builder.local(f"{function.name}.result", function.result, place)
        frame = Frame(result, self.fresh_label(function.name))
        self.frames.append(frame)
        if wants and not early and function.returns_place:
            found = self.returned_place(function)
            self.frames.pop()
            return found
        with self.builder.into() as inner:
            self.statements(function.body, tail=True)
        self.frames.pop()
        if frame.left and frame.label is not None:
            self.builder.emit(core.Block(frame.label, tuple(inner), place))
        else:
            for stmt in inner:
                self.builder.emit(stmt)
        if result is not None:
            return self.builder.load(result, place)
        return frame.value if frame.value is not None else core.Const(0, I32, place)

    def returned_place(self, function: tree.Function) -> Address:
        assert function.body is not None
        *before, last = function.body
        self.statements(tuple(before))
        if isinstance(last, tree.Group):
            return self.returned_place(tree.Function(function.name, function.result, (), last.body))
        assert isinstance(last, tree.Return) and last.value is not None
        return self.settled_address(self.address(last.value), last.place)

    # -- the device library ---------------------------------------------------------------------

    def library(self, node: tree.Library) -> Value:
        entry = table("opencl" if self.dialect == "opencl" else "cuda").get(node.name)
        if entry is None:
            raise UnsupportedError(f"the device function '{node.name}'", node.place)
        return self.meaning(node, entry.meaning)

    def meaning(self, node: tree.Library, meaning: Meaning) -> Value:
        place = node.place
        nothing = core.Const(0, I32, place)
        match meaning:
            case Opaquely(name=name):
                return self.opaque(name, node)
            case Expand(how=how):
                return Expander(self.builder, place).expand(how, self.operands(node.args), node.type)
            case BarrierCall():
                return self.barrier(node, meaning)
            case FenceCall() | NoEffect():
                self.operands(arg for arg in node.args if not isinstance(arg.type, Pointer))
                return nothing
            case AtomicCall():
                return self.atomic(node, meaning)
            case CollectiveCall():
                return self.collective(node, meaning)
            case Statement(kind=kind):
                return self.claim(node, kind)
            case Unknowable(what=what):
                return self.unknowable(node, what)
            case Refused(what=what):
                raise UnsupportedError(what, place)
        return self.memory_call(node, meaning)

    def memory_call(self, node: tree.Library, meaning: Meaning) -> Value:
        nothing = core.Const(0, I32, node.place)
        match meaning:
            case ReadThrough():
                return self.builder.load(self.pointer(node.args[0]), node.place)
            case WriteThrough():
                target, value = self.operands(node.args)
                self.write(self.known_address(target, node.place), value, node.place)
                return nothing
            case Permute():
                return self.permuted(node)
            case SineAndCosine():
                return self.sine_and_cosine(node)
            case VectorRead(count=count):
                offset, at = self.operands(node.args)
                return self.builder.load(self.vector_place(at, offset, count, node.place), node.place)
            case VectorWrite(count=count):
                value, offset, at = self.operands(node.args)
                self.write(self.vector_place(at, offset, count, node.place), value, node.place)
                return nothing
            case CopyBytes(fill=True):
                return self.fill_bytes(node)
            case CopyBytes():
                return self.copy_bytes(node)
            case AsyncCopy(strided=strided):
                return self.async_copy(node, strided)
            case AsyncWait():
                events = self.value(node.args[1])
                names = self.event_names(events)
                self.builder.emit(core.AsyncWait(names, node.place))
                return nothing
        raise AssertionError(meaning)

    def opaque(self, name: str, node: tree.Library) -> Value:
        """A pure function; on vectors, of each component. A handle among the arguments is part of the name."""
        values = self.operands(node.args)
        handles = "".join(f":{value.name}" for value in values if isinstance(value, Handle))
        scalars: list[Value] = [value for value in values if not isinstance(value, Handle)]
        if any(isinstance(value, Address | Null) for value in scalars):
            raise UnsupportedError(f"'{node.name}', which writes through a pointer", node.place)
        if handles:
            return self.fetched(name + handles, scalars, node.type, node.place)
        return _each(lambda kind, args: core.Call(name, args, kind, node.place), node.type, scalars)

    def fetched(self, name: str, values: list[Value], kind: Type, place: Place) -> Value:
        """A read of an image or texture at coordinates: each part of the result a function of them all."""
        args: list[core.Expr] = []
        for value in values:
            parts = value.parts if isinstance(value, Aggregate) else (value,)
            args += [as_scalar(part) for part in parts]
        if isinstance(kind, Scalar):
            return core.Call(name, tuple(args), kind, place)
        return Aggregate(tuple(self.fetched(f"{name}.{part}", list(args), inner, place)
                               for part, inner in parts_of(kind, place)), kind)

    def barrier(self, node: tree.Library, meaning: BarrierCall) -> Value:
        place = node.place
        values = [as_scalar(value) for value in self.operands(node.args)]
        fences = core.FENCED
        if meaning.flags:
            flags = fold_constants(values[0], {})
            if not isinstance(flags, core.Const):
                return self.chosen_barrier(flags, meaning, place)
            fences = fenced(int(flags.value))
        mask = values[0] if meaning.mask else None
        self.builder.emit(core.Barrier(fences, meaning.scope, mask, place))
        if not meaning.vote:
            return core.Const(0, I32, place)
        at = self.builder.local("vote", I32, place)
        self.builder.emit(core.Collective(at.root.name, meaning.vote, "block", None, (values[-1],), place))
        return self.builder.load(at, place)

    def chosen_barrier(self, flags: core.Expr, meaning: BarrierCall, place: Place) -> Value:
        """A barrier whose fences are chosen at run time: one barrier for each choice."""
        known = as_scalar(self.builder.settled(flags, place))
        for choice in range(4):
            both = binary("&", known, core.Const(3, known.type, place), place)
            test = binary("==", both, core.Const(choice, both.type, place), place)
            self.builder.emit(core.If(test, (core.Barrier(fenced(choice), meaning.scope, None, place),), (), place))
        return core.Const(0, I32, place)

    def collective(self, node: tree.Library, meaning: CollectiveCall) -> Value:
        """An exchange among lanes; a record is exchanged part by part."""
        values = self.operands(node.args)
        mask = as_scalar(values[0]) if meaning.mask else None
        rest = values[1:] if meaning.mask else values

        def exchange(kind: Type, value: Value) -> Value:
            if isinstance(value, Aggregate):
                return Aggregate(tuple(exchange(inner, part) for (_, inner), part in
                                       zip(parts_of(kind, node.place), value.parts, strict=True)), kind)
            assert isinstance(kind, Scalar)
            args = (as_scalar(value), *(as_scalar(other) for other in rest[1:]))
            at = self.builder.local(meaning.op, kind, node.place)
            self.builder.emit(core.Collective(at.root.name, meaning.op, "warp", mask, args, node.place))
            return self.builder.load(at, node.place)

        if not rest:
            at = self.builder.local(meaning.op, node.type, node.place)
            self.builder.emit(core.Collective(at.root.name, meaning.op, "warp", mask, (), node.place))
            return self.builder.load(at, node.place)
        return exchange(node.type, rest[0])

    def atomic(self, node: tree.Library, meaning: AtomicCall) -> Value:
        target, *values = self.operands(node.args)
        place = node.place
        at = self.known_address(target, place)
        if not isinstance(at.type, Scalar):
            raise UnsupportedError(f"an atomic on {at.type}", place)
        if at.root.const and at.root.origin is not Origin.LOCAL:
            raise UnsupportedError(f"an atomic on '{at.root.name}', which is const", place)
        args = tuple(convert(as_scalar(value), at.type) for value in values)
        if meaning.fixed is not None:
            args = (core.Const(meaning.fixed, at.type, place),)
        key, index = self.builder.key(at)
        old = self.builder.local("old", at.type, place)
        self.builder.emit(core.Atomic(old.root.name, meaning.op, key, index, args, meaning.scope, place))
        return self.builder.load(old, place)

    def claim(self, node: tree.Library, kind: str) -> Value:
        place = node.place
        with self.builder.into() as effects:
            test = convert(self.scalar(node.args[0]), BOOL)
        for stmt in effects:
            self.builder.emit(stmt)
        match kind:
            case "requires":
                if len(self.active) > 1:
                    self.builder.emit(core.Claim("assert", test, place))
                elif effects:
                    raise UnsupportedError("a __requires with effects or calls in it", place)
                else:
                    self.requires.append(test)
            case "ensures":
                self.builder.emit(core.Claim("assume" if len(self.active) > 1 else "ensures", test, place))
            case "assume":
                self.builder.emit(core.Claim("assume", test, place))
            case "assert":
                self.builder.emit(core.Claim("assert", test, place))
            case _:
                self.builder.emit(core.Claim("invariant", test, place))
        return core.Const(1, BOOL, place)

    def unknowable(self, node: tree.Library, what: str) -> Value:
        self.operands(node.args)
        return self.havoc(node.type, what, node.place)

    # -- memory ---------------------------------------------------------------------------------

    def vector_place(self, pointer: Value, offset: Value, count: int, place: Place) -> Address:
        """N elements in memory as a vector, packed (a vector of three takes three elements here)."""
        at = self.known_address(pointer, place)
        assert isinstance(at.type, Scalar)
        by = core.Binary("*", convert(as_scalar(offset), I64), core.Const(count, I64), I64, place)
        return at.moved(by).retyped(Vector(at.type, count))

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
        sine, cosine = (_each(lambda part, args, name=name: core.Call(name, args, part, node.place), kind, [angle])
                        for name in ("sin", "cos"))
        for at, value in zip(targets, (cosine,) if len(targets) == 1 else (sine, cosine), strict=True):
            self.write(self.known_address(at, node.place), value, node.place)
        return sine

    def copy_bytes(self, node: tree.Library) -> Value:
        """memcpy: element by element if both sides have the same and the size is a number of them, else by bytes."""
        target, source, size = self.operands(_unvoided(node.args))
        to, place = self.known_address(target, node.place), node.place
        origin = self.known_address(source, place)
        count, kind = elements(as_scalar(size), to.type if to.type == origin.type else U8, place)
        if isinstance(count, core.Const):
            values = [self.builder.settled(self.builder.load(origin.retyped(kind).moved(_number(at)), place), place)
                      for at in range(_bounded(int(count.value), place))]
            for at, value in enumerate(values):
                self.write(to.retyped(kind).moved(_number(at)), value, place)
            return to
        self.counted(count, place, lambda index: self.write(
            to.retyped(kind).moved(index), self.builder.load(origin.retyped(kind).moved(index), place), place))
        return to

    def fill_bytes(self, node: tree.Library) -> Value:
        """memset: zero by elements, anything else by bytes."""
        target, value, size = self.operands(_unvoided(node.args))
        to, place = self.known_address(target, node.place), node.place
        fill = as_scalar(value)
        is_zero = isinstance(fill, core.Const) and fill.value == 0
        count, kind = elements(as_scalar(size), to.type if is_zero else U8, place)
        content = zero(kind, place) if is_zero else convert(fill, U8)
        if isinstance(count, core.Const):
            for at in range(_bounded(int(count.value), place)):
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
        name = event.name if isinstance(event, Handle) and event.name else ""
        if not name:
            name = self.builder.local("event", I32, place).root.name
        self.builder.emit(core.AsyncCopy(name, to_key, to_index[0], from_key, from_index[0], number, stride, place))
        return Handle(name, node.type if isinstance(node.type, Opaque) else Opaque("event_t"))

    def one_index(self, at: Address, place: Place) -> Address:
        """An address with one subscript: paths with more become a view whose distance is one number of elements."""
        if at.view is None and len(at.path) == 1:
            return at
        distance, unit = at.bytes(), size_of(at.type)
        if not distance.divisible(unit):
            raise UnsupportedError("an asynchronous copy from the middle of an element", place)
        return Address(at.root, (), at.type, Linear(((convert(distance.over(unit), I64), unit),)), at.decayed)

    def event_names(self, events: Value) -> tuple[str, ...]:
        """The events that a pointer to them reaches: one, or all of an array."""
        if not isinstance(events, Address):
            return ()
        found = {value.name for (root, _), value in self.builder.fixed.items()
                 if root is events.root and isinstance(value, Handle) and value.name}
        return tuple(sorted(found))


def fenced(flags: int) -> frozenset[Space]:
    """The spaces that OpenCL's fence flags name."""
    return frozenset(space for bit, space in ((1, Space.SHARED), (2, Space.GLOBAL)) if flags & bit)


def _code(function: tree.Function) -> Code:
    return Code(function.result, tuple(param.type for param in function.params))


def _by_place(param: tree.Variable, arg: tree.Expr) -> bool:
    return param.reference and is_place(arg)


def _returns(body: tuple[tree.Stmt, ...]) -> int:
    return sum(isinstance(node, tree.Return) for node in nodes(body))


def _ends_in_return(body: tuple[tree.Stmt, ...]) -> bool:
    if not body:
        return False
    last = body[-1]
    return isinstance(last, tree.Return) or (isinstance(last, tree.Group) and _ends_in_return(last.body))


def _each(operation: object, kind: Type, values: list[Value]) -> Value:
    """A function of scalars, of each component where there are vectors."""
    assert callable(operation)
    if isinstance(kind, Vector):
        rows = [value.parts if isinstance(value, Aggregate) else (value,) * kind.count for value in values]
        return Aggregate(tuple(_each(operation, kind.element, list(row)) for row in zip(*rows, strict=True)), kind)
    assert isinstance(kind, Scalar)
    found: Value = operation(kind, tuple(as_scalar(value) for value in values))
    return found


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


def _bounded(count: int, place: Place) -> int:
    if count > 4096:
        raise UnsupportedError(f"a copy of {count} elements at once", place)
    return count
