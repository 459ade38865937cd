"""Entries of the device library become what they mean."""

from __future__ import annotations

from automata.lang import core, tree
from automata.lang.elaborate.expand import Expander
from automata.lang.elaborate.images import Images
from automata.lang.elaborate.memory_calls import MemoryCalls
from automata.lang.elaborate.storage import Address, Aggregate, Foreign, Handle, Null, Origin, Value, parts_of
from automata.lang.elaborate.values import as_scalar, each
from automata.lang.fences import fenced
from automata.lang.fold import fold_constants
from automata.lang.library import table
from automata.lang.meanings import (
    Assumption,
    AsyncCopy,
    AsyncWait,
    AtomicCall,
    BarrierCall,
    CollectiveCall,
    CopyBytes,
    Expand,
    FenceCall,
    Geometric,
    ImageWrite,
    LaterCopy,
    LaterGroup,
    Meaning,
    NoEffect,
    Opaquely,
    Permute,
    Printing,
    ReadThrough,
    Refused,
    Relation,
    SharedNumber,
    SineAndCosine,
    Statement,
    Unknowable,
    VectorRead,
    VectorWrite,
    WriteThrough,
)
from automata.lang.types import ArrayOf, Pointer, Type, Vector
from automata.lang.typing import convert
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, I32, Scalar

_NORMALIZING = frozenset({"normalize", "fast_normalize"})


class CallElaborator(MemoryCalls):
    """Gives builtins their meaning. `images`: those read and written;
    `read_only`: where memory is read that nobody may write."""

    read_only: set[Place]
    assumptions: dict[str, None]
    images: Images

    def library(self, node: tree.Library) -> Value:
        entry = table("opencl" if self.dialect == "opencl" else "cuda").get(node.name)
        if entry is None:
            raise UnsupportedError(f"the device function '{node.name}'", node.place)
        return self.meaning(node, entry.meaning)

    def meaning(self, node: tree.Library, meaning: Meaning) -> Value:
        place = node.place
        match meaning:
            case Opaquely() | Geometric():
                return self.pure(node, meaning)
            case Expand(how=how):
                return Expander(self.builder, place).expand(how, self.operands(node.args), node.type)
            case Relation(name=name):
                return Expander(self.builder, place).relation(name, self.operands(node.args), node.type)
            case BarrierCall():
                return self.barrier(node, meaning)
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

    def pure(self, node: tree.Library, meaning: Opaquely | Geometric) -> Value:
        if isinstance(meaning, Geometric):
            return geometric(meaning.name, self.operands(node.args), node.type, node.place)
        return self.of_all_parts(meaning.name, node) if meaning.whole else self.opaque(meaning.name, node)

    def memory_call(self, node: tree.Library, meaning: Meaning) -> Value:
        nothing = core.Const(0, I32, node.place)
        match meaning:
            case ReadThrough(is_read_only=is_read_only):
                if is_read_only:
                    self.read_only.add(node.place)
                return self.builder.load(self.pointer(node.args[0]), node.place)
            case WriteThrough():
                target, value = self.operands(node.args)
                self.write(self.known_address(target, node.place), value, node.place)
                return nothing
            case VectorRead(count=count):
                offset, at = self.operands(node.args)
                found = self.builder.load(self.vector_place(at, offset, count, node.place), node.place)
                assert isinstance(found, Aggregate)
                return Aggregate(found.parts, node.type)
            case VectorWrite(count=count):
                value, offset, at = self.operands(node.args)
                self.write(self.vector_place(at, offset, count, node.place), value, node.place)
                return nothing
            case CopyBytes(fill=True):
                return self.fill_bytes(node)
            case CopyBytes():
                return self.copy_bytes(node)
        return self.asynchronous_call(node, meaning)

    def asynchronous_call(self, node: tree.Library, meaning: Meaning) -> Value:
        match meaning:
            case AsyncCopy(strided=strided):
                return self.async_copy(node, strided)
            case AsyncWait():
                self.async_wait(node)
            case LaterCopy(given=given):
                self.later_copy(node, given=given)
            case LaterGroup():
                self.later_group(node, meaning)
            case SharedNumber(back=False):
                at = self.known_address(self.value(node.args[0]), node.place)
                return self.shared_numbers.number(at, node.place)
            case SharedNumber():
                number, unit = (as_scalar(value) for value in self.operands(node.args))
                assert isinstance(unit, core.Const)
                return self.shared_numbers.place_of(number, int(unit.value), node.place)
            case _:
                return self.other_call(node, meaning)
        return core.Const(0, I32, node.place)

    def other_call(self, node: tree.Library, meaning: Meaning) -> Value:
        match meaning:
            case FenceCall() | NoEffect():
                for arg in node.args:
                    self.effect(arg)
                if isinstance(meaning, FenceCall):
                    self.builder.emit(core.Fence(meaning.scope, meaning.side, node.place))
                return core.Const(0, I32, node.place)
            case Assumption(text=text):
                self.assumptions[text] = None
                return core.Const(0, I32, node.place)
            case Printing():
                return self.printing(node)
            case Permute():
                return self.permuted(node)
            case ImageWrite():
                return self.image_write(node)
            case SineAndCosine():
                return self.sine_and_cosine(node)
        raise AssertionError(meaning)

    def printing(self, node: tree.Library) -> Value:
        """The numbers that are printed, and what chooses a text; of other pointers what is read to find them. CUDA counts the
        arguments behind the format."""
        printed: list[core.Expr] = []
        for value in self.operands(part for arg in node.args for part in self.shown(arg)):
            printed += self.numbers(value, node.place)
        self.builder.emit(core.Print(tuple(printed), node.place))
        self.assumptions["printf: lines of different threads come in any order, and no comparison looks at them"] = None
        return core.Const(len(node.args) - 1 if self.dialect == "cuda" else 0, I32, node.place)

    def shown(self, node: tree.Expr) -> list[tree.Expr]:
        """What decides what an argument of printf shows."""
        inner = node
        while isinstance(inner, tree.Convert) and isinstance(inner.type, Pointer):
            inner = inner.arg
        match inner:
            case tree.Conditional(test=test, then=then, other=other, type=Pointer()):
                return [test, *self.shown(then), *self.shown(other)]
            case tree.Literal(type=Pointer()):
                return []
        match node.type:
            case Pointer(to=Scalar(bits=8)) | ArrayOf(element=Scalar(bits=8)):
                raise UnsupportedError("printf of characters in memory", node.place)
        return [node]

    def numbers(self, value: Value, place: Place) -> list[core.Expr]:
        """The numbers in a value; of pointers none."""
        if isinstance(value, Aggregate):
            return [number for part in value.parts for number in self.numbers(part, place)]
        if isinstance(value, Foreign | Address | Null | Handle):
            self.builder.keep_reads(value, place)
            return []
        return [self.builder.temporary(value, place, "printed") if self.builder.reads_memory(value) else value]

    def opaque(self, function: str, node: tree.Library) -> Value:
        """A pure function; on vectors, of each component. A handle among the arguments is part of the name."""
        values = self.operands(node.args)
        handles = tuple(value.name for value in values if isinstance(value, Handle))
        scalars: list[Value] = [value for value in values if not isinstance(value, Handle)]
        if any(isinstance(value, Address | Null) for value in scalars):
            raise UnsupportedError(f"'{node.name}', which writes through a pointer", node.place)
        if handles:
            if function.startswith("read_image"):
                self.images.read(handles[0], node.place)
            return self.fetched(":".join((function, *handles)), handles, scalars, node.type, node.place)
        return each(lambda kind, args: core.Call(function, args, kind, node.place), node.type, scalars)

    def of_all_parts(self, name: str, node: tree.Library) -> Value:
        """A structure, each number in it a function of itself, of which it is, and of all others."""
        value, *rest = self.operands(node.args)
        numbers, count = numbers_in(value), 0

        def made(part: Value) -> Value:
            nonlocal count
            if isinstance(part, Aggregate):
                return Aggregate(tuple(made(inner) for inner in part.parts), part.type)
            count += 1
            own = as_scalar(part)
            which = core.Const(count, I32, node.place)
            return core.Call(name, (own, which, *numbers, *(as_scalar(item) for item in rest)), own.type, node.place)

        return made(self.builder.settled(value, node.place))

    def image_write(self, node: tree.Library) -> Value:
        """A pixel set, component by component."""
        image, at, value = self.operands(node.args)
        assert isinstance(image, Handle) and isinstance(value, Aggregate)
        coordinates = [as_scalar(part) for part in (at.parts if isinstance(at, Aggregate) else (at,))]
        element = as_scalar(value.parts[0]).type
        target = self.images.pixel(image, coordinates, element, node.place)
        self.write(target, Aggregate(value.parts, target.type), node.place)
        return core.Const(0, I32, node.place)

    def fetched(self, name: str, handles: tuple[str, ...], values: list[Value], kind: Type, place: Place) -> Value:
        """A read of an image or texture at coordinates: each part of the result a function of them all."""
        args: list[core.Expr] = []
        for value in values:
            parts = value.parts if isinstance(value, Aggregate) else (value,)
            args += [as_scalar(part) for part in parts]
        if isinstance(kind, Scalar):
            return core.Call(name, tuple(args), kind, place, handles)
        return Aggregate(tuple(self.fetched(f"{name}.{part}", handles, list(args), inner, place)
                               for part, inner in parts_of(kind, place)), kind)

    def barrier(self, node: tree.Library, meaning: BarrierCall) -> Value:
        place = self.told(node.place)
        values = [as_scalar(value) for value in self.operands(node.args)]
        fences = core.FENCED
        if meaning.flags:
            flags = fold_constants(values[0], {})
            if not isinstance(flags, core.Const):
                self.builder.emit(core.Barrier(frozenset(), meaning.scope, None, place, flags))
                return core.Const(0, I32, place)
            fences = fenced(int(flags.value))
        mask = values[0] if meaning.mask else None
        self.builder.emit(core.Barrier(fences, meaning.scope, mask, place))
        if not meaning.vote:
            return core.Const(0, I32, place)
        at = self.builder.local("vote", I32, place)
        self.builder.emit(core.Collective(at.root.name, meaning.vote, "block", None, (values[-1],), place))
        return self.builder.load(at, place)

    def collective(self, node: tree.Library, meaning: CollectiveCall) -> Value:
        """An exchange among lanes; a record is exchanged part by part."""
        values, place = self.operands(node.args), self.told(node.place)
        mask = as_scalar(values[0]) if meaning.mask else None
        rest = values[1:] if meaning.mask else values

        def exchange(kind: Type, value: Value) -> Value:
            if isinstance(value, Aggregate):
                return Aggregate(tuple(exchange(inner, part) for (_, inner), part in
                                       zip(parts_of(kind, place), value.parts, strict=True)), kind)
            assert isinstance(kind, Scalar)
            args = (as_scalar(value), *(as_scalar(other) for other in rest[1:]))
            at = self.builder.local(meaning.op, kind, place)
            self.builder.emit(core.Collective(at.root.name, meaning.op, "warp", mask, args, place))
            return self.builder.load(at, place)

        if not rest:
            at = self.builder.local(meaning.op, node.type, place)
            self.builder.emit(core.Collective(at.root.name, meaning.op, "warp", mask, (), place))
            return self.builder.load(at, place)
        return exchange(node.type, rest[0])

    def atomic(self, node: tree.Library, meaning: AtomicCall) -> Value:
        target, *values = self.operands(node.args)
        place = self.told(node.place)
        aimed = node.args[0].type
        at = self.known_address(target, place, aimed.to if isinstance(aimed, Pointer) else None)
        if not isinstance(at.type, Scalar):
            raise UnsupportedError(f"an atomic on {at.type}", place)
        if at.root.const and at.root.origin is Origin.FILE:
            raise UnsupportedError(f"an atomic on '{at.root.name}', which is const", place)
        if at.root.origin is Origin.LOCAL and not isinstance(at.root.type, ArrayOf):
            raise UnsupportedError(f"an atomic on '{at.root.name}', a local variable: no other thread reaches it", place)
        args = tuple(convert(as_scalar(value), at.type) for value in values)
        if meaning.fixed is not None:
            args = (core.Const(float(meaning.fixed) if at.type.is_float else meaning.fixed, at.type, place),)
        self.builder.claim_aligned(at, place)
        key, index = self.builder.key(at)
        old = self.builder.local("old", at.type, place)
        self.builder.emit(core.Atomic(old.root.name, meaning.op, key, index, args, meaning.scope, place))
        return self.builder.load(old, place)

    def claim(self, node: tree.Library, kind: str) -> Value:
        place = node.place
        if kind == "never":
            self.assumptions[f"no thread comes to {node.name} (line {place.line})"] = None
            self.builder.emit(core.Claim("assume", core.Const(0, BOOL, place), place))
            return core.Const(0, I32, place)
        with self.builder.into() as effects:
            test = convert(self.scalar(node.args[0]), BOOL)
        for stmt in effects:
            self.builder.emit(stmt)
        match kind:
            case "requires":
                if len(self.active) > 1 and place.model is None:  # a library's requirement is one of whoever uses it
                    self.builder.emit(core.Claim("assert", test, place))
                elif effects:
                    raise UnsupportedError("a __requires with effects or calls in it", place)
                elif self.builder.is_stable(test):
                    self.requires.append(test)
                else:
                    self.builder.emit(core.Claim("assume", test, place))
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
        for arg in node.args:
            self.effect(arg)
        return self.havoc(node.type, what, node.place, effects=False)


def numbers_in(value: Value) -> list[core.Expr]:
    """The numbers that a value is made of, in order."""
    return [number for part in value.parts for number in numbers_in(part)] if isinstance(value, Aggregate) else [as_scalar(value)]


def geometric(name: str, given: list[Value], kind: Type, place: Place) -> Value:
    """A function of vectors as wholes, part by part of its result."""
    numbers = tuple(number for value in given for number in numbers_in(value))
    own = numbers_in(given[0])
    if name in _NORMALIZING:
        made = [core.Call(name, (part, *numbers), part.type, place) for part in own]
        return Aggregate(tuple(made), kind) if isinstance(kind, Vector) else made[0]
    if name == "cross":
        one, two = numbers[:len(own)], numbers[len(own):]
        made = [core.Call(name, (one[at], two[to], one[to], two[at]), one[0].type, place) for at, to in ((1, 2), (2, 0), (0, 1))]
        return Aggregate((*made, *[core.Const(0.0, one[0].type, place)] * (len(own) - 3)), kind)
    return core.Call(name, numbers, numbers[0].type, place)
