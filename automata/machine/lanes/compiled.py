"""Core expressions compiled to closures over a frame of lanes.

Each closure returns the value for all lanes of the frame. The right side of `&&`, `||` and the branches of
`?:` are evaluated only for the lanes that C evaluates them for, where that can be seen (they read memory or may be undefined).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

import numpy as np

from automata.lang.core import Atomic, Binary, Bits, Call, Cast, Const, Expr, Load, Select, Special, Store, Unary, Var
from automata.lang.traverse import children, within
from automata.machine.lanes.frame import Frame, spread
from automata.machine.numbers.values import Lanes, Mask, Values, every, some
from automata.place import UndecidedError
from automata.scalar import I64, Scalar

Closure = Callable[[Frame], Lanes]
Run = Callable[[Frame], None]


def watched_in(dialect: str) -> frozenset[str]:
    """The signed operations that may overflow. A left shift of OpenCL C cannot: it moves bits (6.3.j)."""
    return frozenset({"+", "-", "*", "<<"} if dialect == "cuda" else {"+", "-", "*"})


class Compiler:
    """Compiles expressions for one kind of value. `watch`: the signed operations whose overflows are noted; `wraps`: so are
    unsigned ones that wrap, and conversions that change a sign."""

    def __init__(self, values: Values, dims: dict[str, tuple[int, ...]], *, watch: frozenset[str], wraps: bool = False) -> None:
        self.values, self.dims, self.watch, self.wraps = values, dims, watch, wraps

    def expr(self, expr: Expr) -> Closure:
        """The closure of an expression. UndecidedError for a function that the machine does not know."""
        match expr:
            case Const(value=value, type=kind):
                constant = self.values.constant(value, kind)
                return lambda frame: constant
            case Var(name=name) | Special(name=name):
                return lambda frame: frame.get(name)
            case Unary() | Cast() | Bits():
                return self.unary(expr)
            case Binary(op="&&" | "||"):
                return self.short_circuit(expr)
            case Binary():
                return self.binary(expr)
            case Select():
                return self.select(expr)
            case Load():
                return self.load(expr)
            case Call():
                return self.call(expr)

    def unary(self, expr: Unary | Cast | Bits) -> Closure:
        arg, values, source, target, place = self.expr(expr.arg), self.values, expr.arg.type, expr.type, expr.place
        match expr:
            case Unary(op=op):
                if self.watch and op == "-" and source.is_int and source.signed:
                    zero = values.constant(0, source)
                    return self.watched("-", lambda frame: zero, arg, source, expr)
                return lambda frame: values.unary(op, arg(frame), source)
            case Bits():
                return lambda frame: values.bits(arg(frame), source, target)
            case Cast() if self.watch and _may_not_fit(source, target):
                def run(frame: Frame) -> Lanes:
                    value = arg(frame)
                    made = values.cast(value, source, target)
                    bad = values.cast(made, target, source) != value
                    if self.wraps:
                        bad = np.logical_or(bad, (made < 0) != (value < 0))
                    if some(bad):
                        frame.batch.note_overflow(frame, bad, target, place,
                                                  lambda at: int(np.broadcast_to(value, (frame.count,))[at]))
                    return made
                return run
            case Cast():
                return lambda frame: values.cast(arg(frame), source, target)

    def binary(self, expr: Binary) -> Closure:
        left, right, op, kind, place = self.expr(expr.left), self.expr(expr.right), expr.op, expr.left.type, expr.place
        values = self.values
        if kind.is_int and op in ("/", "%", "<<", ">>") and not _is_safe(op, expr.right, kind):
            plain = self.watched(op, left, right, kind, expr) if "<<" in self.watch and op == "<<" and kind.signed else None

            def checked(frame: Frame) -> Lanes:
                first, second = left(frame), right(frame)
                bad: Lanes = (second == 0) if op in "/%" else (second < 0) | (second >= kind.bits)
                if some(bad):
                    frame.batch.note_undefined(frame, bad, "division by zero" if op in "/%" else "a shift by too much", place)
                return plain(frame) if plain is not None else values.binary(op, first, second, kind)
            return checked
        if kind.is_int and (kind.signed or self.wraps) and op in self.watch:
            return self.watched(op, left, right, kind, expr)
        return lambda frame: values.binary(op, left(frame), right(frame), kind)

    def watched(self, op: str, left: Closure, right: Closure, kind: Scalar, expr: Unary | Binary) -> Closure:
        """A signed operation that notes where its result does not fit."""
        values, place = self.values, expr.place

        def run(frame: Frame) -> Lanes:
            first, second = left(frame), right(frame)
            made = values.binary(op, first, second, kind)
            bad = overflowed(op, first, second, made, kind)
            if some(bad):
                frame.batch.note_overflow(frame, bad, kind, place, lambda at: _exact(op, first, second, at, frame.count))
            return made
        return run

    def short_circuit(self, expr: Binary) -> Closure:
        left, right, is_and, manner = self.expr(expr.left), self.expr(expr.right), expr.op == "&&", self.manner(expr.right)
        join = np.logical_and if is_and else np.logical_or
        if manner is Manner.PLAIN:
            return lambda frame: join(left(frame), right(frame))

        def run(frame: Frame) -> Lanes:
            first = left(frame)
            wanted = first if is_and else np.logical_not(first)
            if not some(wanted):
                return first
            if every(wanted):
                return right(frame)
            assert isinstance(wanted, np.ndarray)
            return join(first, side(frame, right, wanted, manner))
        return run

    def select(self, expr: Select) -> Closure:
        return selected(self.expr(expr.test), self.expr(expr.then), self.expr(expr.other), self.manner(expr.then),
                        self.manner(expr.other))

    def manner(self, expr: Expr) -> Manner:
        """How an expression is evaluated that only some lanes ask for."""
        if has_effect(expr):
            return Manner.NARROW
        may_overflow = self.watch and any(overflow_counts(part, self.watch, self.wraps) for part in within(expr))
        return Manner.GUARDED if may_overflow else Manner.PLAIN

    def assigned(self, name: str, expr: Expr) -> Closure:
        """The value that a local takes."""
        return self.expr(expr)

    def store(self, stmt: Store) -> Run:
        """How a store is made."""
        array, place = stmt.array, stmt.place
        index, value = self.flat(array, stmt.index), self.stored(array, stmt.value)
        return lambda frame: frame.batch.heap.store(frame, array, index(frame), value(frame), place)

    def update(self, stmt: Atomic, *, is_read: bool, repeats: bool = False) -> Run:
        """How an atomic update is made. `is_read`: the old value is used. `repeats`: all updates of the array are this one."""
        index, array, place = self.flat(stmt.array, stmt.index), stmt.array, stmt.place
        args, op, result = tuple(self.stored(array, arg) for arg in stmt.args), stmt.op, stmt.result
        narrow, kind = stmt.scope in ("block", "warp"), stmt.type

        def run(frame: Frame) -> None:
            old = frame.batch.heap.atomic(frame, array, op, kind, index(frame), tuple(arg(frame) for arg in args), place,
                                          used=is_read, narrow=narrow, repeats=repeats)
            if result is not None:
                frame.set(result, old)
        return run

    def stored(self, array: str, expr: Expr) -> Closure:
        """The value that a cell of an array takes, or is updated with."""
        return self.expr(expr)

    def flat(self, array: str, index: tuple[Expr, ...]) -> Closure:
        """The row-major position of an element."""
        if not index:
            start: Lanes = self.values.constant(0, I64)
            return lambda frame: start
        parts = [self.expr(part) for part in index]
        first, extents = parts[0], self.dims[array]
        if len(parts) == 1:
            return first

        def run(frame: Frame) -> Lanes:
            total: Lanes = first(frame).astype(np.int64)
            for part, extent in zip(parts[1:], extents[1:], strict=True):
                total = total * np.int64(extent) + part(frame).astype(np.int64)
            return total
        return run

    def load(self, expr: Load) -> Closure:
        index, array, place = self.flat(expr.array, expr.index), expr.array, expr.place
        return lambda frame: frame.batch.heap.load(frame, array, index(frame), place)

    def call(self, expr: Call) -> Closure:
        if not self.values.knows(expr.function):
            raise UndecidedError(f"a value of the function {expr.function}", expr.place)
        args, kinds = [self.expr(arg) for arg in expr.args], [arg.type for arg in expr.args]
        values, function, result = self.values, expr.function, expr.type
        return lambda frame: values.call(function, [arg(frame) for arg in args], kinds, result)


class Manner(Enum):
    """How an expression is evaluated that only some lanes ask for. PLAIN: by all lanes, nobody can tell; GUARDED: by all lanes,
    but only overflows of those that ask are noted; NARROW: only by those that ask."""

    PLAIN = "plain"
    GUARDED = "guarded"
    NARROW = "narrow"


def side(frame: Frame, closure: Closure, mask: Mask, manner: Manner) -> Lanes:
    """A value that only the lanes of a mask ask for; what others get does not matter."""
    if manner is Manner.NARROW:
        return spread(closure(frame.narrow(mask)), mask)
    return frame.under(mask, closure) if manner is Manner.GUARDED else closure(frame)


def selected(test: Closure, then: Closure, other: Closure, of_then: Manner, of_other: Manner) -> Closure:
    """A choice among two values."""

    def run(frame: Frame) -> Lanes:
        chosen = test(frame)
        if every(chosen):
            return then(frame)
        if not some(chosen):
            return other(frame)
        assert isinstance(chosen, np.ndarray)
        return np.where(chosen, side(frame, then, chosen, of_then), side(frame, other, ~chosen, of_other))
    return run


def overflow_counts(expr: Expr, watch: frozenset[str], wraps: bool = False) -> bool:
    """Whether an operation itself may overflow so that it is noted. `watch` and `wraps` as those of `Compiler`."""
    match expr:
        case Binary(op=op, left=left):
            return left.type.is_int and (left.type.signed or wraps) and op in watch
        case Unary(op="-", type=kind):
            return kind.is_int and kind.signed
        case Cast(arg=arg, type=target):
            return _may_not_fit(arg.type, target)
    return False


def has_effect(expr: Expr) -> bool:
    """Whether evaluating it can be seen: it reads memory, or may be undefined."""
    if isinstance(expr, Load):
        return True
    if isinstance(expr, Binary) and expr.left.type.is_int and not _is_safe(expr.op, expr.right, expr.left.type):
        return True
    return any(has_effect(part) for part in children(expr))


def _is_safe(op: str, right: Expr, kind: Scalar) -> bool:
    if op in ("/", "%"):
        return isinstance(right, Const) and right.value != 0
    return op not in ("<<", ">>") or (isinstance(right, Const) and 0 <= right.value < kind.bits)


def _may_not_fit(source: Scalar, target: Scalar) -> bool:
    return (target.is_int and source.is_int and target.signed and target.bits >= 32
            and not (target.low <= source.low and source.high <= target.high))


def overflowed(op: str, left: Lanes, right: Lanes, made: Lanes, kind: Scalar) -> Lanes:
    """Where a signed result is not the exact one (64 bits: by comparison with doubles, which is off by far where it wrapped).

    A left shift may fill the unsigned type.
    """
    if isinstance(made, np.generic) and op != "<<":
        return np.bool_(not kind.holds(_exactly(op, int(left), int(right))))
    if op == "<<":
        outside = (right < 0) | (right >= kind.bits)
        shift = np.where(outside, 0, right).astype(left.dtype)
        unsigned = np.dtype(f"u{left.dtype.itemsize}")
        lost = (np.left_shift(left, shift).astype(unsigned) >> shift.astype(unsigned)) != left.astype(unsigned)
        return np.logical_and(~outside, np.where(left < 0, (np.left_shift(left, shift) >> shift) != left, lost))
    wide = np.int64 if kind.bits < 64 else np.float64
    one, two = left.astype(wide), right.astype(wide)
    exact = one + two if op == "+" else one - two if op == "-" else one * two
    if kind.bits < 64:
        return exact != made
    return np.abs(exact - made.astype(np.float64)) > 2.0**62


def _exact(op: str, left: Lanes, right: Lanes, at: int, count: int) -> int:
    one, two = (int(np.broadcast_to(side, (count,))[at]) for side in (left, right))
    return one << max(0, min(two, 128)) if op == "<<" else _exactly(op, one, two)


def _exactly(op: str, one: int, two: int) -> int:
    return one + two if op == "+" else one - two if op == "-" else one * two
