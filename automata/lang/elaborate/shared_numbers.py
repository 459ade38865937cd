"""Addresses in shared memory as numbers: what `__cvta_generic_to_shared` gives, and what PTX takes for an address.

Such a number is known by what it was made from (a call `shared address` of an object and a distance), through conversions, sums
and constants of the text. Used as an address it is that place again. A number whose origin is not followed (a variable that
changes) counts from the start of the one object whose address is ever taken so; where there are several it is refused. Sums are
read as the whole numbers they mean: addresses in shared memory are far below 2^31, so a part that was negative is a small
negative number.
An instruction that asks for a multiple of so many bytes is given one: what does not show it is claimed (`aligned`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from automata.lang import core
from automata.lang.core import Expr, Space
from automata.lang.elaborate.builder import Builder
from automata.lang.elaborate.pointer_variables import Parts
from automata.lang.elaborate.storage import Address, Linear, Origin, Root, Value
from automata.lang.fold import fold_constants
from automata.lang.traverse import expressions, rebuild, rebuild_statement, walk, within
from automata.lang.types import ArrayOf
from automata.lang.typing import convert
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, I32, I64, U8, U64

MARK = "shared address"
COUNTED = "addresses in shared memory as numbers count from the start of '{}'"


def is_shared_number(value: object) -> bool:
    """Whether a value is a number that was made from an address in shared memory."""
    return isinstance(value, core.Call | core.Binary | core.Cast) and any(
        isinstance(part, core.Call) and part.function == MARK for part in within(value))


@dataclass
class SharedNumbers:
    """What is known of such numbers in one kernel. `taken`: the objects whose address was taken; `anywhere`: what a number that
    is not followed points to, once there is one; `counted`: whether a place was computed from bits of a number."""

    builder: Builder
    taken: list[Root] = field(default_factory=list)
    anywhere: Root | None = None
    counted: bool = False

    def number(self, at: Address, place: Place) -> Expr:
        """The number of an address."""
        settled = self.builder.settled(at, place)
        assert isinstance(settled, Address)
        if settled.root.space is Space.GLOBAL:
            raise UnsupportedError("an address in global memory taken for one in shared memory", place)
        if settled.root not in self.taken:
            self.taken.append(settled.root)
        distance = self.builder.settled_scalar(convert(settled.bytes().over(1), I64), place)
        return core.Call(MARK, (core.Const(self.taken.index(settled.root), I32, place), distance), U64, place)

    def settled(self, expr: Expr, place: Place) -> Expr:
        """Such a number that no later statement changes."""
        if isinstance(expr, core.Binary | core.Cast) and is_shared_number(expr):
            return rebuild(expr, lambda part: self.settled(part, place))
        return self.builder.settled_scalar(expr, place) if not is_shared_number(expr) else expr

    def place_of(self, number: Expr, unit: int, place: Place) -> Value:
        """The place that a number means, which is a multiple of so many bytes."""
        marks = [part for part in within(number) if isinstance(part, core.Call) and part.function == MARK]
        which = marks[0].args[0] if marks else None
        total = _bytes_of(number, 1)
        if any(mark.args[0] != which for mark in marks):
            raise UnsupportedError("a number made of addresses of several shared arrays", place)
        if total is None or len(marks) > 1:
            total = Linear(((convert(convert(_plain(number), I32), I64), 1),))
            self.counted = True
        root = self.taken[int(which.value)] if isinstance(which, core.Const) else self.unknown(place)
        return Address(root, (), U8, in_units(self.builder, total, unit, place))

    def unknown(self, place: Place) -> Root:
        """Whatever a number that is not followed points into."""
        if self.anywhere is None:
            kind = ArrayOf(U8, None)
            self.anywhere = self.builder.root("*shared", kind, Space.PRIVATE, Origin.POINTER, place)
            names = (("shared.at", I64), ("shared.of", I32), *((("shared.in", I64),) if self.builder.has_cells else ()))
            self.builder.parts[self.anywhere] = Parts(1, *(
                self.builder.root(name, of, Space.PRIVATE, Origin.LOCAL, place) for name, of in names))
        return self.anywhere

    def finished(self, body: tuple[core.Stmt, ...], place: Place) -> tuple[tuple[core.Stmt, ...], str]:
        """The statements in which such numbers are plain ones, and what that takes for granted."""
        left = any(is_shared_number(part) for stmt in walk(body) for part in expressions(stmt))
        if not left and self.anywhere is None and not self.counted:
            return body, ""
        roots = [root for root in self.taken if root.origin is not Origin.POINTER]
        if len(self.taken) != 1 or not roots:
            raise UnsupportedError("addresses of several shared arrays as numbers that are not followed", place)
        if self.anywhere is not None:
            self.builder.aim(self.anywhere, roots[0], place)

        return _block(body), COUNTED.format(roots[0].name)


def in_units(builder: Builder, total: Linear, unit: int, place: Place) -> Linear:
    """A distance that is known to be a multiple of so many bytes."""
    good = tuple((expr, factor) for expr, factor in total.terms if factor % unit == 0)
    rest = Linear(tuple(term for term in total.terms if term[1] % unit), total.constant % unit)
    if not rest.terms:
        return total
    left = builder.settled_scalar(convert(rest.over(1), I64), place)
    step = core.Const(unit, I64, place)
    over = core.Binary("%", left, step, I64, place)
    test = core.Binary("==", over, core.Const(0, I64, place), BOOL, place)
    builder.emit(core.Claim("aligned", test, place, unit=unit))
    return Linear((*good, (core.Binary("/", left, step, I64, place), unit)), total.constant - total.constant % unit)


def _plain(expr: Expr) -> Expr:
    """A number as it counts from the start of its object."""
    made = rebuild(expr, _plain)
    return convert(made.args[1], U64) if isinstance(made, core.Call) and made.function == MARK else made


def _block(body: tuple[core.Stmt, ...]) -> tuple[core.Stmt, ...]:
    return tuple(rebuild_statement(stmt, _plain, _block) for stmt in body)


def _bytes_of(expr: Expr, factor: int) -> Linear | None:
    """A number times a factor as a sum, whatever the types it goes through; None where a mark is not a plain part of it."""
    expr = fold_constants(expr, {}) if not is_shared_number(expr) else expr
    match expr:
        case core.Const(value=value):
            return Linear((), I32.wrap(int(value)) * factor)
        case core.Call(function=function, args=args) if function == MARK:
            return _bytes_of(args[1], factor) if factor == 1 else None
        case core.Cast(arg=arg, type=kind) if kind.is_int and kind.bits >= 32 and arg.type.is_int:
            return _bytes_of(arg, factor)
        case core.Binary(op="+" | "-", left=left, right=right):
            one, two = _bytes_of(left, factor), _bytes_of(right, factor if expr.op == "+" else -factor)
            return None if one is None or two is None else one.plus(two)
        case core.Binary(op="*" | "<<", left=left, right=core.Const(value=by)):
            return _bytes_of(left, factor * (int(by) if expr.op == "*" else 1 << int(by)))
        case core.Binary(op="*", left=core.Const(value=by), right=right):
            return _bytes_of(right, factor * int(by))
    if is_shared_number(expr):
        return None
    signed = expr if expr.type.signed or expr.type.bits < 32 else convert(expr, I32)
    return Linear(((convert(signed, I64), factor),))
