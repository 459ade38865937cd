"""Runs on numbers and symbols at once: indices, sizes and tests stay numbers, data are values of a domain.

Input: a predicated kernel, its partition (`partition`, `predication`) and a `Domain`: what a symbol is and what operations
make of symbols. The machine runs as it does on numbers; wherever data stand, the compiler asks the domain. A number that
meets data is lifted. What this cannot take is refused by name: a read of changing memory at an index that data decide.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from automata.lang.core import (
    COMPARISONS,
    Atomic,
    Binary,
    Bits,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Special,
    Store,
    Unary,
    Var,
)
from automata.machine.lanes.compiled import Closure, Compiler, Manner, Run, selected
from automata.machine.lanes.frame import Frame
from automata.machine.numbers.values import Lanes, Values
from automata.machine.state.updates import in_turns
from automata.machine.strips.spread import Target, read_anywhere, write_anywhere
from automata.machine.symbols.domain import Data, Degree
from automata.place import Place
from automata.rewriting.partition import Partition
from automata.scalar import BOOL, I32, I64, Scalar


class Mixed(Compiler):
    """Compiles numbers as numbers and data as symbols. `partition`: which is which, if not as in `data`."""

    def __init__(self, values: Values, dims: dict[str, tuple[int, ...]], data: Data, partition: Partition | None = None) -> None:
        super().__init__(values, dims, watch=frozenset())
        self.data, self.domain, self.partition = data, data.domain, partition or data.partition

    def expr(self, expr: Expr) -> Closure:
        return self.symbol(expr) if self.partition.is_data(expr) else super().expr(expr)

    def assigned(self, name: str, expr: Expr) -> Closure:
        if name not in self.partition.locals:
            return super().assigned(name, expr)
        value, degree, data = self.symbol(expr), self.degree(expr), self.data

        def run(frame: Frame) -> Lanes:
            made = value(frame)
            data.note(name, degree(), whole=frame.lanes is None)
            return made
        return run

    def stored(self, array: str, expr: Expr) -> Closure:
        if array not in self.partition.arrays:
            return super().stored(array, expr)
        value, degree, data = self.symbol(expr), self.degree(expr), self.data

        def run(frame: Frame) -> Lanes:
            made = value(frame)
            data.note(array, degree(), whole=False)
            return made
        return run

    def store(self, stmt: Store) -> Run:
        if any(map(self.partition.is_data, stmt.index)):
            return self.written_anywhere(stmt, (stmt.value,), is_read=False)
        return self.guarded(stmt) or super().store(stmt)

    def update(self, stmt: Atomic, *, is_read: bool, repeats: bool = False) -> Run:
        if any(map(self.partition.is_data, stmt.index)):
            return self.written_anywhere(stmt, stmt.args, is_read=is_read)
        update = super().update(stmt, is_read=is_read, repeats=repeats)
        data, degrees = self.data, list(map(self.degree, stmt.args))
        if stmt.array not in self.partition.arrays:
            return update

        def run(frame: Frame) -> None:
            before, args = data.degree(stmt.array), [degree() for degree in degrees]
            update(frame)
            made = (before.plus(args[0].copies(frame.count)) if stmt.op in ("add", "sub") else
                    before.or_larger(*args).chosen(frame.count))
            data.note(stmt.array, made, whole=False)
        return run

    def written_anywhere(self, stmt: Store | Atomic, args: tuple[Expr, ...], *, is_read: bool) -> Run:
        """A write at an index of data."""
        target = self.anywhere(stmt.array, stmt.index, stmt.place)
        return write_anywhere(self.data, target, stmt, tuple(map(self.symbol, args)), self.degree(args[0]), is_read=is_read)

    def guarded(self, stmt: Store) -> Run | None:
        """A store under a test on data: of lanes that reach one cell each leaves what the one before it left, or its own."""
        value = stmt.value
        if not (isinstance(value, Select) and isinstance(value.other, Load) and self.partition.is_data(value.test)
                and (value.other.array, value.other.index) == (stmt.array, stmt.index)):
            return None
        index, then, degree = self.flat(stmt.array, stmt.index), self.symbol(value.then), self.degree(value)
        positive, (test, compared) = self.tested(value.test)
        array, domain, kind, place = stmt.array, self.domain, value.type, stmt.place

        def run(frame: Frame) -> None:
            slots, _, inside = frame.batch.heap.reach(frame, array, index(frame), place)
            lanes = np.arange(frame.count) if inside is None else np.flatnonzero(inside)
            sides = [np.broadcast_to(part(frame), (frame.count,))[lanes] for part in (test, then, *(compared or ())[:2])]
            cells = frame.batch.heap.buffers[array].cells
            for turn in in_turns(slots):
                chosen, given, *operands = (side[turn] for side in sides)
                old = cells[slots[turn]]
                known = (compared[2], operands[0], operands[1], compared[3]) if compared else None
                self.data.note(array, degree(), whole=False)
                first, second = (given, old) if positive else (old, given)
                cells[slots[turn]] = domain.select(chosen, first, second, known, kind)
        return run

    def tested(self, test: Expr) -> tuple[bool, tuple[Closure, tuple[Closure, Closure, str, Scalar] | None]]:
        """A test on data without its negation; and its sides, if it is a comparison."""
        positive = True
        while isinstance(test, Unary) and test.op == "!":
            test, positive = test.arg, not positive
        sides = None
        if isinstance(test, Binary) and test.op in COMPARISONS:
            sides = self.symbol(test.left), self.symbol(test.right), test.op, test.left.type
        return positive, (self.symbol(test), sides)

    # -- values of the domain -------------------------------------------------------------------

    def symbol(self, expr: Expr) -> Closure:
        """The closure of an expression whose value is wanted as a symbol."""
        domain = self.domain
        if not self.partition.is_data(expr) and not (domain.exact and expr.type.is_float and not _is_number(expr)):
            return self.lifted(expr, expr.type)
        match expr:
            case Var(name=name) if name in self.partition.locals:
                return lambda frame: frame.get(name)
            case Load():
                return self.loaded(expr)
            case Select():
                return self.chosen(expr)
            case Const() | Var() | Special():
                return self.lifted(expr, expr.type)
            case Cast(arg=arg) if domain.exact and arg.type.is_int and not self.partition.is_data(arg):
                return self.lifted(arg, arg.type)
        return self.operation(expr)

    def lifted(self, expr: Expr, kind: Scalar) -> Closure:
        """A number as a symbol."""
        number, domain = super().expr(expr), self.domain
        if isinstance(expr, Const):
            constant = domain.lift(self.values.constant(expr.value, kind), kind)
            return lambda frame: constant
        return lambda frame: domain.lift(number(frame), kind)

    def operation(self, expr: Unary | Binary | Cast | Bits | Call) -> Closure:
        """An operation on symbols."""
        domain = self.domain
        match expr:
            case Unary(op=op, arg=arg):
                value, kind = self.symbol(arg), arg.type
                return lambda frame: domain.unary(op, value(frame), kind)
            case Binary(op="&&" | "||", left=left, right=right) if not self.partition.is_data(left):
                return self.known_first(expr, self.expr(left), self.symbol(right))
            case Binary(op="<<", left=left, right=right) if domain.rings_integers and not self.partition.is_data(right):
                return self.shifted(expr, left, right)
            case Binary(op=operator, left=left, right=right):
                one, two, of = self.symbol(left), self.symbol(right), left.type
                return lambda frame: domain.binary(operator, one(frame), two(frame), of)
            case Cast(arg=Cast(arg=inner, type=middle), type=target) if _keeps(inner.type, middle):
                return self.symbol(Cast(inner, target, expr.place))
            case Cast(arg=arg, type=target) | Bits(arg=arg, type=target):
                value, source = self.symbol(arg), arg.type
                convert = domain.cast if isinstance(expr, Cast) else domain.bits
                return lambda frame: convert(value(frame), source, target)
            case Call(function=function, args=args, type=result):
                parts, kinds = [self.symbol(arg) for arg in args], [arg.type for arg in args]
                return lambda frame: domain.call(function, [part(frame) for part in parts], kinds, result)

    def known_first(self, expr: Binary, left: Closure, right: Closure) -> Closure:
        """`number && data` or `number || data`: the data count only for the lanes that get there."""
        settled = self.domain.lift(self.values.constant(int(expr.op == "||"), BOOL), BOOL)

        def constant(frame: Frame) -> Lanes:
            return settled
        if expr.op == "&&":
            return selected(left, right, constant, self.manner(expr.right), Manner.PLAIN)
        return selected(left, constant, right, Manner.PLAIN, self.manner(expr.right))

    def shifted(self, expr: Binary, left: Expr, right: Expr) -> Closure:
        """A shift to the left by a number: a product by a power of two."""
        domain, kind, value, by = self.domain, expr.type, self.symbol(left), super().expr(right)
        one = self.values.constant(1, kind)
        return lambda frame: domain.binary(
            "*", value(frame), domain.lift(self.values.binary("<<", one, by(frame), kind), kind), kind)

    def loaded(self, expr: Load) -> Closure:
        """An element; at an index of data only of an array that nobody writes."""
        if not any(map(self.partition.is_data, expr.index)):
            value = super().load(expr)
            if expr.array in self.partition.arrays:
                return value
            domain, kind = self.domain, expr.type
            return lambda frame: domain.lift(value(frame), kind)
        target, domain = self.anywhere(expr.array, expr.index, expr.place), self.domain
        if expr.array in self.data.settled and target.start is None:
            name, index, kind = self.data.tables.get(expr.array, expr.array), target.index, target.kind
            return lambda frame: domain.gather(name, index(frame), kind)
        return read_anywhere(self.data, target, expr.type)

    def anywhere(self, array: str, index: tuple[Expr, ...], place: Place) -> Target:
        """Where an index of data may lead."""
        self.data.decides_indices = True
        last = _unwidened(index[-1])
        if len(index) == 1:
            return Target(array, self.symbol(last), last.type, place)
        if not any(map(self.partition.is_data, index[:-1])):
            self.data.keeps_rows = True
            start = super().flat(array, (*index[:-1], Const(0, I32)))
            return Target(array, self.symbol(last), last.type, place, start, self.dims[array][-1])
        total = self.symbol(Cast(index[0], I64))
        for part, extent in zip(index[1:], self.dims[array][1:], strict=True):
            total = self.inner(total, extent, self.symbol(Cast(part, I64)))
        return Target(array, total, I64, place)

    def inner(self, outer: Closure, extent: int, part: Closure) -> Closure:
        """An index of one more dimension."""
        domain, size = self.domain, self.domain.lift(self.values.constant(extent, I64), I64)
        return lambda frame: domain.binary("+", domain.binary("*", outer(frame), size, I64), part(frame), I64)

    def chosen(self, expr: Select) -> Closure:
        """A choice: by a number it is one side or the other, by data a value made of both."""
        then, other = self.symbol(expr.then), self.symbol(expr.other)
        if not self.partition.is_data(expr.test):
            return selected(self.expr(expr.test), then, other, self.manner(expr.then), self.manner(expr.other))
        domain, kind = self.domain, expr.type
        positive, (test, sides) = self.tested(expr.test)
        if not positive:
            then, other = other, then
        if sides is None:
            return lambda frame: domain.select(test(frame), then(frame), other(frame), None, kind)
        left, right, op, of = sides

        def run(frame: Frame) -> Lanes:
            one, two = left(frame), right(frame)
            return domain.select(domain.binary(op, one, two, of), then(frame), other(frame), (op, one, two, of), kind)
        return run

    # -- degrees --------------------------------------------------------------------------------

    def degree(self, expr: Expr) -> Callable[[], Degree]:
        """A bound on the degree of an expression's value, as things stand when it is asked."""
        data = self.data
        if not self.partition.is_data(expr):
            return data.domain.of_numbers
        match expr:
            case Load(array=array, index=index) if any(map(self.partition.is_data, index)):
                return lambda: data.degree(array).chosen(data.widest)
            case Var(name=name) | Load(array=name):
                return lambda: data.degree(name)
        parts = [self.degree(part) for part in _operands(expr)]
        return lambda: data.domain.degree(expr, [part() for part in parts])


def _keeps(source: Scalar, target: Scalar) -> bool:
    """Whether a conversion among integers keeps every value."""
    return source.is_int and target.is_int and target.low <= source.low and source.high <= target.high


def _unwidened(expr: Expr) -> Expr:
    """An index without the conversions around it that keep its value, as far as C's arithmetic goes."""
    while isinstance(expr, Cast) and _keeps(expr.arg.type, expr.type) and expr.arg.type.bits >= I32.bits:
        expr = expr.arg
    return expr


def _is_number(expr: Expr) -> bool:
    """A float that stands for itself: lifting it loses nothing."""
    return isinstance(expr, Const | Var | Load)


def _operands(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Unary(arg=arg) | Cast(arg=arg) | Bits(arg=arg):
            return (arg,)
        case Binary(left=left, right=right):
            return left, right
        case Select(test=test, then=then, other=other):
            return test, then, other
        case Call(args=args):
            return args
    return ()
