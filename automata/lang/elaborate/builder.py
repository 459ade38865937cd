"""What elaboration writes to: statements of Core, fresh names, and the accesses made so far.

An access is written as a Core Load, Store or Atomic whose array name is a *key*; the key stands for a
root and how it is reached (`Access`). Once a kernel is done, `cells` decides which arrays the roots become
and puts their names and indices in place of the keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from automata.budget import is_over
from automata.lang import core
from automata.lang.core import Expr, Space, Stmt
from automata.lang.elaborate.events import EVENT, NO_EVENT, Events
from automata.lang.elaborate.pointed import pointed_event
from automata.lang.elaborate.pointer_variables import PointerVariables
from automata.lang.elaborate.storage import (
    Address,
    Aggregate,
    Foreign,
    Handle,
    Linear,
    Null,
    Origin,
    Root,
    Value,
    leaf_path,
    parts_of,
)
from automata.lang.names import Names, spelled
from automata.lang.traverse import children
from automata.lang.types import ArrayOf, Code, Opaque, Pointer, Record, Type, Vector, Void, align_of, contains_pointer
from automata.lang.typing import convert
from automata.place import NOWHERE, TIME_IS_UP, Place, UndecidedError, UnsupportedError
from automata.scalar import BOOL, I32, I64, Scalar

MAX_STATEMENTS = 50_000


@dataclass(frozen=True, slots=True)
class Access:
    """How a key reaches its root. `shape`: field names, None for each subscript; or `factors` and `constant`:
    a view at that many bytes. The index of the Load or Store has an expression per subscript or factor."""

    root: Root
    shape: tuple[str | None, ...]
    factors: tuple[int, ...] | None
    constant: int
    decayed: bool
    type: Scalar


class Builder(PointerVariables):
    """The kernel under construction."""

    def __init__(self) -> None:
        super().__init__()
        self.out: list[Stmt] = []
        self.names = Names()
        self.roots: list[Root] = []
        self.accesses: dict[str, Access] = {}
        self.cells: dict[str, Scalar] = {}
        self.keys: dict[Access, str] = {}
        self.fixed: dict[tuple[Root, tuple[object, ...]], Value] = {}
        self.events = Events()
        self.stable: set[Root] = set()
        self.followed: set[Root] = set()
        self.others_functions = False
        self.count = 0

    def fresh(self, name: str) -> str:
        return self.names.fresh(name)

    def look_at_the_time(self, place: Place) -> None:
        """UndecidedError where the time that is granted for reading is up."""
        if is_over():
            raise UndecidedError(TIME_IS_UP, place)

    def emit(self, stmt: Stmt) -> None:
        self.count += 1
        self.look_at_the_time(stmt.place)
        if self.count > MAX_STATEMENTS:
            raise UnsupportedError(f"a kernel of more than {MAX_STATEMENTS} statements after inlining", stmt.place)
        self.out.append(stmt)

    @contextmanager
    def into(self) -> Iterator[list[Stmt]]:
        """Statements emitted inside go to the list that is handed out."""
        before, self.out = self.out, []
        try:
            with self.events.block():
                yield self.out
        finally:
            self.out = before

    def root(self, name: str, kind: Type, space: Space, origin: Origin, place: Place = NOWHERE) -> Root:
        made = Root(self.fresh(spelled(name)), kind, space, origin, place=place)
        self.names.claim(made, made.name)
        self.roots.append(made)
        return made

    def local(self, name: str, kind: Type, place: Place, *, stable: bool = False) -> Address:
        """A new local, declared here."""
        root = self.root(name, kind, Space.PRIVATE, Origin.LOCAL, place)
        if stable:
            self.stable.add(root)
        self.emit(core.Declare(root.name, I32, place))
        return Address(root, (), kind)

    def temporary(self, value: Expr, place: Place, name: str = "t") -> Expr:
        """A fresh local that holds a scalar value."""
        return self.holding(self.local(name, value.type, place, stable=True), value, place)

    def lasting(self, value: Expr, place: Place, name: str = "t") -> Expr:
        """The same, to be read behind the block that the text is in, too: it is declared where the kernel begins."""
        root = self.root(name, value.type, Space.PRIVATE, Origin.LOCAL, place)
        self.stable.add(root)
        return self.holding(Address(root, (), value.type), value, place)

    def holding(self, at: Address, value: Expr, place: Place) -> Expr:
        """What a local holds once it is set to a scalar value."""
        self.store(at, value, place)
        return self.load_scalar(at, place)

    # -- memory ---------------------------------------------------------------------------------

    def key(self, at: Address) -> tuple[str, tuple[Expr, ...]]:
        """The key and index of a scalar access."""
        assert isinstance(at.type, Scalar), at
        if at.root in self.texts:
            raise UnsupportedError("the characters of a text", at.root.place)
        if at.view is None:
            shape = tuple(step if isinstance(step, str) else None for step in at.path)
            access = Access(at.root, shape, None, 0, at.decayed, at.type)
            index = tuple(step for step in at.path if not isinstance(step, str))
        else:
            view = at.view.merged()
            access = Access(at.root, (), tuple(factor for _, factor in view.terms), view.constant, at.decayed, at.type)
            index = tuple(expr for expr, _ in view.terms)
        if access not in self.keys:
            self.keys[access] = f"#{len(self.keys)}"
            self.accesses[self.keys[access]] = access
        return self.keys[access], index if at.cell is None else (at.cell, *index)

    def load_scalar(self, at: Address, place: Place) -> Expr:
        name, index = self.key(at)
        assert isinstance(at.type, Scalar)
        return core.Load(name, index, at.type, place)

    def load(self, at: Address, place: Place, *, is_part: bool = False) -> Value:
        """The value of a place. `is_part`: of a wider access, which is known to be aligned."""
        if not is_part:
            self.claim_aligned(at, place)
        match at.type:
            case Scalar():
                return (self.fixed.get((at.root, at.path)) if at.view is None else None) or self.load_scalar(at, place)
            case Pointer(to=Code()):
                return self.fixed.get((at.root, leaf_path(at))) or self.load_scalar(replace(at, type=I32), place)
            case Pointer():
                return self.load_pointer(at, place)
            case Record() | Vector() | ArrayOf():
                return Aggregate(tuple(self.load(self.part(at, name, kind), place, is_part=True)
                                       for name, kind in parts_of(at.type, place)), at.type)
            case Opaque():
                return self.load_handle(at, place)
            case Void() | Code():
                raise UnsupportedError(f"a value of type {at.type}", place)

    def claim_aligned(self, at: Address, place: Place, least: int = 1) -> None:
        """A wide access through a cast pointer is at a multiple of its alignment: said where it cannot be seen, and where it asks
        more of where an array begins than the type of its elements promises. `least`: what an instruction asks for itself."""
        is_pointer = at.root.origin is Origin.POINTER
        if not isinstance(at.type, Scalar | Record | Vector | ArrayOf) or (at.view is None and least == 1 and not is_pointer):
            return
        own, into = at.inside or (1 if at.view is None else align_of(at.type), 0)
        width = max(own, least, align_of(at.root.type) if is_pointer and at.view is None else 1)
        view = at.bytes().plus(Linear((), -into)) if at.view is not None or least > 1 else Linear()
        if view.divisible(width):
            if width > align_of(at.root.type) or (is_pointer and self.has_loose):
                self.emit(core.Claim("aligned", core.Const(1, BOOL, place), place, at.root.name, width))
            return
        rest = core.Binary("%", convert(view.over(1), I64), core.Const(width, I64, place), I64, place)
        test = core.Binary("==", rest, core.Const(0, I64, place), BOOL, place)
        self.emit(core.Claim("aligned", test, place, at.root.name, width))

    def part(self, at: Address, name: str | int, kind: Type) -> Address:
        return at.element(core.Const(name, I64), kind) if isinstance(name, int) else at.member(name, kind)

    def load_handle(self, at: Address, place: Place) -> Value:
        assert isinstance(at.type, Opaque)
        if at.type.name == EVENT:
            found = pointed_event(self, at, place) if at.root.origin is Origin.POINTER else self.events.load(at, leaf_path(at))
            return found or Handle(NO_EVENT, at.type)
        found = self.fixed.get((at.root, leaf_path(at)))
        if found is not None:
            return found
        if at.root.space is Space.PRIVATE and at.root.origin is Origin.LOCAL:
            return Handle(at.root.name, at.type)
        return Handle(".".join([at.root.name, *(step for step in at.path if isinstance(step, str))]), at.type)

    def store(self, at: Address, value: Value, place: Place, *, is_part: bool = False) -> None:
        """A value written to a place. `is_part`: of a wider access, which is known to be aligned."""
        match at.type:
            case Scalar():
                if not is_part:
                    self.claim_aligned(at, place)
                assert not isinstance(value, Address | Aggregate | Null | Handle | Foreign), (at, value)
                name, index = self.key(at)
                self.emit(core.Store(name, index, value, place))
            case Pointer(to=Code()):
                self.check_function(at, value, place)
                self.store(replace(at, type=I32), value, place)
            case Pointer():
                self.store_pointer(at, value, place)
            case Record(fields=()):
                return
            case Record() | Vector() | ArrayOf():
                assert isinstance(value, Aggregate)
                at = self.settled_place(at, value, place)
                self.claim_aligned(at, place)
                for (item, kind), part in zip(parts_of(at.type, place), self.apart(at, value, place).parts, strict=True):
                    self.store(self.part(at, item, kind), part, place, is_part=True)
            case Opaque():
                self.store_handle(at, value, place)
            case Void() | Code():
                raise UnsupportedError(f"an assignment of type {at.type}", place)

    def check_function(self, at: Address, value: Value, place: Place) -> None:
        """The number of a function is one of this text: where others read it, it says nothing."""
        is_ours = at.root.space is not Space.GLOBAL and at.root.origin is not Origin.POINTER
        if self.others_functions and not is_ours and not (isinstance(value, core.Load) and self.reads_memory(value)):
            raise UnsupportedError("a pointer to a function stored where others read it", place)

    def begin(self, at: Address, value: Value, place: Place, *, fixed: bool) -> None:
        """The first value of a new local. Its pointers are that value for good if it is `fixed`; references always are."""
        match at.type:
            case Pointer(to=to) if fixed:
                self.fixed[(at.root, leaf_path(at))] = self.settled(value, place)
                if isinstance(to, Code):
                    self.store(at, value, place)
            case Record(is_union=False, fields=fields) if contains_pointer(at.type):
                assert isinstance(value, Aggregate)
                for item, part in zip(fields, value.parts, strict=True):
                    self.begin(at.member(item.name, item.type), part, place, fixed=fixed or item.reference)
            case _:
                self.store(at, value, place)

    def store_handle(self, at: Address, value: Value, place: Place) -> None:
        """A handle has no bits of its own: a variable of one is set once, to what is known here (an event: see `Events`)."""
        assert isinstance(at.type, Opaque)
        if at.type.name == EVENT:
            self.events.store(at, leaf_path(at), value, place)
            return
        leaf = (at.root, leaf_path(at))
        if self.fixed.get(leaf, value) != value:
            raise UnsupportedError(f"a {at.type} that is set more than once", place)
        self.fixed[leaf] = value

    def settled_place(self, at: Address, value: Aggregate, place: Place) -> Address:
        """The address of a store of several parts, so that the first part does not move the next."""
        if len(value.parts) < 2:
            return at
        found = self.settled(at, place)
        assert isinstance(found, Address)
        return found

    def apart(self, at: Address, value: Aggregate, place: Place) -> Aggregate:
        """The aggregate with parts that the store itself could change put into temporaries first."""
        if len(value.parts) < 2 or not any(self.reads(part, at.root) for part in value.parts):
            return value
        return Aggregate(tuple(self.settled(part, place) for part in value.parts), value.type)

    def settled(self, value: Value, place: Place) -> Value:
        """A value that no later statement changes."""
        match value:
            case Aggregate(parts=parts):
                return Aggregate(tuple(self.settled(part, place) for part in parts), value.type)
            case Address(path=path, view=view):
                steps = tuple(step if isinstance(step, str) else self.settled_scalar(step, place) for step in path)
                if view is not None:
                    view = Linear(tuple((self.settled_scalar(expr, place), factor) for expr, factor in view.terms), view.constant)
                cell = None if value.cell is None else self.settled_scalar(value.cell, place)
                return self.settled_root(replace(value, path=steps, view=view, cell=cell), place)
            case Null() | Handle():
                return value
            case Foreign(number=number, at=at):
                kept = None if at is None else self.settled(at, place)
                assert not isinstance(kept, Foreign | Aggregate | Null | Handle) and (kept is None or isinstance(kept, Address))
                return Foreign(self.settled_scalar(number, place), kept)
        return self.settled_scalar(value, place)

    def settled_scalar(self, expr: Expr, place: Place) -> Expr:
        return expr if self.is_stable(expr) else self.temporary(expr, place)

    def is_stable(self, expr: Expr) -> bool:
        """Whether no later statement can change the value of an expression."""
        if isinstance(expr, core.Load) and not (self.accesses[expr.array].root in self.stable and not expr.index):
            return False
        return all(self.is_stable(part) for part in children(expr))

    def reads(self, value: Value, root: Root) -> bool:
        """Whether a value's expressions read a root (a pointer variable may reach any)."""
        match value:
            case Aggregate(parts=parts):
                return any(self.reads(part, root) for part in parts)
            case Address(path=path, view=view):
                terms = [expr for expr, _ in view.terms] if view else []
                steps = [*path, *terms, *([value.cell] if value.cell is not None else [])]
                return any(self.reads(step, root) for step in steps if not isinstance(step, str))
            case Null() | Handle():
                return False
            case Foreign(number=number, at=at):
                return self.reads(number, root) or (at is not None and self.reads(at, root))
        if isinstance(value, core.Load):
            touched = self.accesses[value.array].root
            if touched is root or Origin.POINTER in (touched.origin, root.origin):
                return True
        return any(self.reads(part, root) for part in children(value))

    def keep_reads(self, value: Value, place: Place) -> None:
        """Temporaries for the parts of an unused value that read memory other than locals."""
        if isinstance(value, Aggregate):
            for part in value.parts:
                self.keep_reads(part, place)
        elif isinstance(value, Foreign):
            self.keep_reads(value.number, place)
        elif isinstance(value, Address):
            for step in value.path if value.view is None else [expr for expr, _ in value.view.terms]:
                if not isinstance(step, str):
                    self.keep_reads(step, place)
        elif not isinstance(value, Address | Null | Handle) and self.reads_memory(value):
            self.temporary(value, place, "unused")

    def reads_memory(self, expr: Expr) -> bool:
        if isinstance(expr, core.Load):
            root = self.accesses[expr.array].root
            if root.space is not Space.PRIVATE or root.origin is Origin.POINTER:
                return True
        return any(self.reads_memory(part) for part in children(expr))
