"""Pointers turned into integers: `(uintptr_t)p % 16 == 0`, `(size_t)q - (size_t)p`, and such an integer turned back.

An object begins at an address that nobody knows, and that is alike for all threads of a launch: a parameter of the kernel,
`x.address`, which no caller passes. A pointer as an integer is that parameter plus its distance from the start of its object.
So a test of alignment is one that all threads decide alike for equal distances, and what is shown holds wherever arrays lie.
What is required of such a parameter is what C++ and the device promise: it is no null pointer, a multiple of the alignment of
the object's type, and below 2^57, as virtual addresses are.

While a kernel is elaborated the start of an object is a call (`MARK`) of the object's number; which objects a pointer that
changes may point into is known at the end (`finished`). An integer with one such call in it is turned back into a pointer into
that object, at the distance by which the integer is larger than the start. One whose origin is not followed is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeGuard

from automata.lang import core
from automata.lang.core import Expr, Param, Space
from automata.lang.elaborate.builder import Builder
from automata.lang.elaborate.pointers import reached
from automata.lang.elaborate.shared_numbers import in_units
from automata.lang.elaborate.storage import Address, Linear, Origin, Root
from automata.lang.traverse import expressions, rebuild, rebuild_statement, walk, within
from automata.lang.types import Code, Type, Void, align_of
from automata.lang.typing import binary, convert
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, I32, I64, U64

MARK = "start of"
ALIKE = "where arrays begin is alike for all threads, whatever it is ({})"
LIMIT = 1 << 57
TURNED_BACK = 16
"""What an object's start is a multiple of where an integer is turned back into a pointer, as memory of CUDA is."""


def is_address_number(value: object) -> TypeGuard[Expr]:
    """Whether a value is an integer that was made from an address."""
    return isinstance(value, core.Call | core.Binary | core.Cast | core.Select | core.Unary) and any(
        isinstance(part, core.Call) and part.function == MARK for part in within(value))


@dataclass
class Addresses:
    """What addresses a kernel takes as integers. `starts`: the parameter of each object; `aligns`: what it is a multiple of."""

    builder: Builder
    starts: dict[Root, Expr] = field(default_factory=dict)
    aligns: dict[Root, int] = field(default_factory=dict)
    params: list[Param] = field(default_factory=list)

    def number(self, at: Address, place: Place) -> Expr:
        """An address as an integer."""
        if at.root.origin is Origin.POINTER:
            settled = self.builder.settled(at, place)
            assert isinstance(settled, Address)
            at = settled
        if at.root.origin is Origin.LOCAL:
            raise UnsupportedError(f"the address of '{at.root.name}', a thread's own variable, as an integer", place)
        if at.root in self.builder.texts:
            raise UnsupportedError("the address of a text as an integer", place)
        distance = self.builder.settled_scalar(convert(at.bytes().over(1), I64), place)
        start, is_start = self.mark(at, place), isinstance(distance, core.Const) and not distance.value
        return start if is_start else binary("+", start, convert(distance, U64), place)

    def mark(self, at: Address, place: Place) -> Expr:
        """The start of the object that an address is in."""
        root = at.root
        if root.origin is Origin.MEMORY:
            assert at.cell is not None
            cell = self.builder.settled_scalar(at.cell, place)
            number = core.Call("address", (core.Const(self.builder.roots.index(root), I32, place), cell), U64, place)
            return binary("*", number, core.Const(align_of(root.type), U64, place), place)
        args: list[Expr] = [core.Const(self.builder.roots.index(root), I32, place)]
        if root.origin is Origin.POINTER:
            if self.builder.has_cells:
                raise UnsupportedError("a pointer that may come out of memory and changes, as an integer", place)
            args.append(self.builder.number(root, place))
        return core.Call(MARK, tuple(args), U64, place)

    def settled(self, expr: Expr, place: Place) -> Expr:
        """Such an integer that no later statement changes."""
        if isinstance(expr, core.Call) and expr.function == MARK:
            return expr
        return rebuild(expr, lambda part: self.settled(part, place)) if is_address_number(expr) else (
            self.builder.settled_scalar(expr, place))

    def place_of(self, number: Expr, to: Type, place: Place) -> Address:
        """The place that an integer means."""
        marks = {part for part in within(number) if isinstance(part, core.Call) and part.function == MARK}
        if len(marks) != 1:
            raise UnsupportedError("an integer made of the addresses of several arrays, turned into a pointer", place)
        (mark,) = marks
        assert isinstance(mark.args[0], core.Const)
        root = self.builder.roots[int(mark.args[0].value)]
        self.aligns[root] = max(self.aligns.get(root, 1), TURNED_BACK)
        total = distance_from(mark, number)
        if total is None:
            whole = self.builder.settled_scalar(binary("-", convert(number, I64), convert(mark, I64), place), place)
            total = Linear(((whole, 1),))
        return Address(root, (), to, in_units(self.builder, total, 1 if isinstance(to, Void | Code) else align_of(to), place))

    # -- the end of a kernel ----------------------------------------------------------------------

    def finished(self, body: tuple[core.Stmt, ...]) -> tuple[core.Stmt, ...]:
        """The statements with the parameters in the place of the starts, behind what is required of these."""
        if not any(is_mark(part) for stmt in walk(body) for expr in expressions(stmt) for part in within(expr)):
            return body
        if self.builder.keeps_addresses:
            raise UnsupportedError("addresses as integers beside pointers that are kept in memory", body[0].place)
        made = self.block(body)
        return (*(core.Claim("assume", test) for root in self.starts for test in self.required(root)), *made)

    def required(self, root: Root) -> list[Expr]:
        """What holds of the start of an object."""
        start, least = self.starts[root], max(align_of(root.type), self.aligns.get(root, 1))
        tests = [core.Binary("<", core.Const(0, U64), start, BOOL), core.Binary("<", start, core.Const(LIMIT, U64), BOOL)]
        if least > 1:
            rest = core.Binary("%", start, core.Const(least, U64), U64)
            tests.append(core.Binary("==", rest, core.Const(0, U64), BOOL))
        return [*tests]

    def block(self, body: tuple[core.Stmt, ...]) -> tuple[core.Stmt, ...]:
        return tuple(rebuild_statement(stmt, self.plain, self.block) for stmt in body)

    def plain(self, expr: Expr) -> Expr:
        made = rebuild(expr, self.plain)
        if not is_mark(made):
            return made
        assert isinstance(made, core.Call) and isinstance(made.args[0], core.Const)
        root = self.builder.roots[int(made.args[0].value)]
        if root.origin is not Origin.POINTER:
            return self.start(root, made.place)
        targets = reached(self.builder, root)
        if not targets:
            raise UnsupportedError(f"a pointer '{root.name[1:]}' that is never set", made.place)
        if any(target.origin in (Origin.LOCAL, Origin.MEMORY) for target in targets):
            raise UnsupportedError("a pointer that may be one to a thread's own variable, as an integer", made.place)
        result = self.start(targets[-1], made.place)
        for target in targets[-2::-1]:
            here = binary("==", made.args[1], core.Const(self.builder.roots.index(target), I32, made.place), made.place)
            result = core.Select(here, self.start(target, made.place), result, U64, made.place)
        return result

    def start(self, root: Root, place: Place) -> Expr:
        """The parameter that says where an object begins."""
        if root in self.builder.objectless:
            return core.Const(0, U64, place)
        if root not in self.starts:
            made = self.builder.root(f"{root.name}.address", U64, Space.PRIVATE, Origin.PARAM, root.place)
            self.builder.stable.add(made)
            self.params.append(Param(self.builder.names.of(made, made.name), U64, root.place))
            found = self.builder.load(Address(made, (), U64), place)
            assert isinstance(found, core.Load)
            self.starts[root] = found
        return replace(self.starts[root], place=place)

    def assumption(self) -> str:
        """What a verdict rests on."""
        return ALIKE.format(", ".join(param.name for param in self.params)) if self.params else ""


def is_mark(expr: Expr) -> bool:
    return isinstance(expr, core.Call) and expr.function == MARK


def distance_from(mark: Expr, number: Expr) -> Linear | None:
    """How far an integer of 64 bits is behind a start, as a sum; None where it is no sum of the start and other things."""
    found = as_sum(number, 1).merged()
    starts = [factor for expr, factor in found.terms if expr == mark]
    others = tuple((convert(expr, I64), factor) for expr, factor in found.terms if expr != mark)
    is_sum = starts == [1] and not any(is_address_number(expr) for expr, _ in others)
    return Linear(others, found.constant) if is_sum else None


def as_sum(expr: Expr, factor: int) -> Linear:
    """An integer of 64 bits times a factor, taken apart: sums, differences and products with constants of 64 bits, whose wrapping
    round an address does not tell."""
    if expr.type not in (I64, U64):
        return Linear(((expr, factor),))
    match expr:
        case core.Const(value=value):
            return Linear((), I64.wrap(int(value)) * factor)
        case core.Cast(arg=arg) if arg.type in (I64, U64):
            return as_sum(arg, factor)
        case core.Binary(op="+" | "-", left=left, right=right):
            return as_sum(left, factor).plus(as_sum(right, factor if expr.op == "+" else -factor))
        case core.Binary(op="*", left=left, right=core.Const(value=by)):
            return as_sum(left, factor * I64.wrap(int(by)))
        case core.Binary(op="*", left=core.Const(value=by), right=right):
            return as_sum(right, factor * I64.wrap(int(by)))
        case core.Binary(op="<<", left=left, right=core.Const(value=by)) if int(by) < 32:
            return as_sum(left, factor << int(by))
    return Linear(((expr, factor),))
