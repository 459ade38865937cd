"""Runs on numbers and symbols at once: indices, sizes and tests stay numbers, data are values of a domain.

Input: a predicated kernel, its partition (`partition`, `predication`) and a `Domain`: what a symbol is and what operations
make of symbols. The machine runs as it does on numbers; wherever data stand, the compiler asks the domain. A number that
meets data is lifted. What this cannot take is refused by name: a read of changing memory at an index that data decide.
"""

from __future__ import annotations

from collections.abc import Callable

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
from automata.machine.compiled import Closure, Compiler, has_effect, selected
from automata.machine.domain import CONSTANT, Data, Degree
from automata.machine.frame import Frame
from automata.machine.spread import read_anywhere, write_anywhere
from automata.machine.values import Lanes, Values
from automata.scalar import I64, Scalar


class Mixed(Compiler):
    """Compiles numbers as numbers and data as symbols."""

    def __init__(self, values: Values, dims: dict[str, tuple[int, ...]], data: Data) -> None:
        super().__init__(values, dims, watch=False)
        self.data, self.domain, self.partition = data, data.domain, data.partition

    def expr(self, expr: Expr) -> Closure:
        return self.symbol(expr) if self.partition.is_data(expr) else super().expr(expr)

    def assigned(self, name: str, expr: Expr) -> Closure:
        if name not in self.partition.locals:
            return super().assigned(name, expr)
        value, degree, data = self.symbol(expr), self.degree(expr), self.data

        def run(frame: Frame) -> Lanes:
            data.note(name, degree(), whole=frame.lanes is None)
            return value(frame)
        return run

    def stored(self, array: str, expr: Expr) -> Closure:
        if array not in self.partition.arrays:
            return super().stored(array, expr)
        value, degree, data = self.symbol(expr), self.degree(expr), self.data

        def run(frame: Frame) -> Lanes:
            data.note(array, degree(), whole=False)
            return value(frame)
        return run

    def access(self, stmt: Store | Atomic, *, is_read: bool) -> Callable[[Frame], None] | None:
        if not any(map(self.partition.is_data, stmt.index)):
            return None
        args = (stmt.value,) if isinstance(stmt, Store) else stmt.args
        return write_anywhere(self.data, stmt, self.anywhere(stmt.array, stmt.index),
                              tuple(self.stored(stmt.array, arg) for arg in args), is_read)

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
        index, array, domain = self.anywhere(expr.array, expr.index), expr.array, self.domain
        if expr.array in self.data.settled:
            return lambda frame: domain.gather(array, index(frame))
        return read_anywhere(self.data, array, index, expr.type, expr.place)

    def anywhere(self, array: str, index: tuple[Expr, ...]) -> Closure:
        """An index of data, as a 64-bit number."""
        self.data.decides_indices = True
        total = self.wide(index[0])
        for part, extent in zip(index[1:], self.dims[array][1:], strict=True):
            total = self.inner(total, extent, self.wide(part))
        return total

    def inner(self, outer: Closure, extent: int, part: Closure) -> Closure:
        """An index of one more dimension."""
        domain, size = self.domain, self.domain.lift(self.values.constant(extent, I64), I64)
        return lambda frame: domain.binary("+", domain.binary("*", outer(frame), size, I64), part(frame), I64)

    def wide(self, expr: Expr) -> Closure:
        while isinstance(expr, Cast) and _keeps(expr.arg.type, expr.type):
            expr = expr.arg
        value, domain, kind = self.symbol(expr), self.domain, expr.type
        return lambda frame: domain.cast(value(frame), kind, I64)

    def chosen(self, expr: Select) -> Closure:
        """A choice: by a number it is one side or the other, by data a value made of both."""
        test, then, other = expr.test, self.symbol(expr.then), self.symbol(expr.other)
        if isinstance(test, Unary) and test.op == "!":
            test, then, other = test.arg, other, then
        if not self.partition.is_data(test):
            return selected(self.expr(test), then, other, has_effect(expr.then), has_effect(expr.other))
        domain, kind = self.domain, expr.type
        if isinstance(test, Binary) and test.op in COMPARISONS:
            left, right, op, of = self.symbol(test.left), self.symbol(test.right), test.op, test.left.type

            def run(frame: Frame) -> Lanes:
                one, two = left(frame), right(frame)
                return domain.select(domain.binary(op, one, two, of), then(frame), other(frame), (op, one, two, of), kind)
            return run
        condition = self.symbol(test)
        return lambda frame: domain.select(condition(frame), then(frame), other(frame), None, kind)

    # -- degrees --------------------------------------------------------------------------------

    def degree(self, expr: Expr) -> Callable[[], Degree]:
        """A bound on the degree of an expression's value, as things stand when it is asked."""
        data = self.data
        if not self.partition.is_data(expr):
            return lambda: CONSTANT
        match expr:
            case Var(name=name) | Load(array=name):
                return lambda: data.degree(name)
        parts = [self.degree(part) for part in _operands(expr)]
        return lambda: data.domain.degree(expr, [part() for part in parts])


def _keeps(source: Scalar, target: Scalar) -> bool:
    """Whether a conversion among integers keeps every value."""
    return source.is_int and target.is_int and target.low <= source.low and source.high <= target.high


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
