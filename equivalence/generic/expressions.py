"""Core's expressions for all lanes of a generic block.

Input: an expression and a state. Output: a row of polynomials where sizes and coordinates alone decide an integer, a row of
formulas for a truth of such, else a node. What has a meaning only for some integers (a division, a mask, a cast to a narrower
type) stays a polynomial only where it is sure which; otherwise it is a node, and nothing may hang on it but data.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import assert_never

from automata import arithmetic
from automata.lang.core import (
    Binary,
    Bits,
    Call,
    Cast,
    Const,
    Expr,
    Kernel,
    Load,
    Select,
    Space,
    Special,
    Unary,
    Var,
)
from automata.logic import poly as P
from automata.logic.bits import is_power
from automata.logic.poly import Formula, Poly
from automata.logic.views import ANY
from automata.place import NOWHERE, Place
from automata.scalar import BOOL, Kind, Scalar
from equivalence.generic.integers import ONE, ZERO, CannotFollow, Integers
from equivalence.generic.lanes import NotAffine, Row, Shape, row
from equivalence.generic.values import Node, State, Truths, Value

Rows = Row[Poly]


def flat(dims: tuple[int | None, ...], index: list[Poly]) -> Poly:
    """Row-major element number."""
    result = ZERO
    for part, extent in zip(index, dims, strict=True):
        result = result.scale(extent or 0) + part
    return result


def shared(tests: Sequence[Formula]) -> list[Formula]:
    """What holds in all lanes that are in a round, of lanes' tests: no lane is there where its test is false outright."""
    each = [dict.fromkeys(P.conjuncts(test)) for test in dict.fromkeys(tests) if test != P.FALSE]
    return [part for part in each[0] if all(part in other for other in each[1:])] if each else []


class Expressions:
    """Evaluates expressions; loads are what a subclass makes of them. `constant`: arrays that nobody writes; `settled`: those
    of them whose elements, and what is made of them, wrap nowhere that it matters; `base`: when lanes are in the loop round that
    is run, absolutely; `is_dry`: what comes out is a guess, so that integers of which nothing is known yet may be taken to
    lie where they should."""

    def __init__(self, kernel: Kernel, shape: Shape, integers: Integers) -> None:
        self.kernel, self.shape, self.integers = kernel, shape, integers
        self.arrays = {array.name: array for array in kernel.arrays}
        self.settled: frozenset[str] = frozenset()
        self.constant: frozenset[str] = frozenset()
        self.is_dry = False
        self.base: Truths = Row(shape, (P.TRUE,))

    # -- rows ---------------------------------------------------------------------------------------

    def each(self, function: Callable[..., Poly], *rows: Rows) -> Rows:
        if all(part.is_one for part in rows):
            return Row(self.shape, (function(*(part.values[0] for part in rows)),), None, any(part.is_loose for part in rows))
        values = [function(*(part.of(lane) for part in rows)) for lane in range(self.shape.lanes)]
        found = row(self.shape, values, (function, rows))
        found.is_loose = any(part.is_loose for part in rows)
        return found

    def truths(self, function: Callable[..., Formula], *rows: Row[Poly] | Row[Formula]) -> Truths:
        if all(part.is_one for part in rows):
            return Row(self.shape, (function(*(part.values[0] for part in rows)),))
        values = [function(*(part.of(lane) for part in rows)) for lane in range(self.shape.lanes)]
        return row(self.shape, values, (function, rows))

    def number(self, value: int) -> Rows:
        return Row(self.shape, (Poly.number(value),))

    def holds(self, formula: Formula, state: State | None = None) -> bool:
        return self.integers.always(formula)

    # -- forms of a value ------------------------------------------------------------------------------

    def is_truth(self, value: Value) -> bool:
        return isinstance(value, Row) and not isinstance(value.values[0], Poly)

    def node(self, value: Value, kind: Scalar) -> Node:
        """The value as data."""
        if isinstance(value, Node):
            return value
        if self.is_truth(value):
            return Node("truth", BOOL, (), value)
        if value.is_loose and not self.lies_in(value, kind):  # type: ignore[arg-type]
            raise CannotFollow("an integer of another type, which may wrap, becomes data")
        return Node("ints", kind, (), value)

    def ints(self, value: Value, place: Place, what: str, *, wraps: bool = False) -> Rows:
        """The value as integers that sizes decide; CannotFollow if data decide it. `wraps`: up to multiples of 2^bits."""
        if isinstance(value, Node):
            found = self.as_ints(value, wraps=wraps)
            if found is None and not self.is_dry:
                raise CannotFollow(f"data decide {what}", place)
            return found or Row(self.shape, (Poly.atom(self.integers.variable("not known yet", "?")),))
        if self.is_truth(value):
            return self.each(lambda test: self.integers.choice(test, ONE, ZERO), value)  # type: ignore[arg-type]
        return value  # type: ignore[return-value]

    def as_ints(self, node: Node, *, wraps: bool = False) -> Rows | None:
        """Integers of arrays that nobody writes, and what is made of them, as polynomials. `wraps`: it will do if they
        are right up to multiples of 2^bits."""
        match node.op:
            case "ints":
                found: Rows = node.data
                return found
            case "load" if node.type.is_int and node.type != BOOL:
                array, index = node.data
                if array not in (self.constant if wraps else self.settled):
                    return None
                return self.each(lambda at: self.integers.read(array, node.type, at), index)
            case "cast" if node.type.is_int and node.args[0].type.is_int and node.type != BOOL:
                source = node.args[0].type
                grows = node.type.bits > source.bits
                inner = self.as_ints(node.args[0], wraps=wraps and (not grows or node.args[0].op == "load"))
                return None if inner is None or not self.fits(inner, source, node.type) else inner
            case "binary" if node.data in ("+", "-", "*") and node.type.is_int:
                left, right = (self.as_ints(arg, wraps=wraps) for arg in node.args)
                if left is None or right is None:
                    return None
                return self.each({"+": Poly.__add__, "-": Poly.__sub__, "*": Poly.__mul__}[str(node.data)], left, right)
            case "binary" if node.data in ("/", "%", ">>", "&") and node.type.is_int:
                left, right = (self.as_ints(arg) for arg in node.args)
                return None if left is None or right is None else self.uneven(str(node.data), left, right, node.args[0].type)
        return None

    def as_truth(self, value: Value) -> Truths | None:
        """A truth that sizes and settled integers decide, None if data do."""
        if isinstance(value, Row):
            if self.is_truth(value):
                return value  # type: ignore[return-value]
            return self.truths(lambda v: P.neg(P.eq(v, ZERO)), value)
        if value.op == "truth":
            held: Truths = value.data
            return held
        if value.op == "binary" and value.data in ("<", "<=", "==", "!=") and value.args[0].type.is_int:
            left, right = (self.as_ints(arg) for arg in value.args)
            if left is not None and right is not None:
                return self.truths(COMPARE[str(value.data)], left, right)
        if value.op == "unary" and value.data == "!":
            inner = self.as_truth(value.args[0])
            return None if inner is None else self.truths(P.neg, inner)
        if value.op == "binary" and value.data in ("&&", "||"):
            one, two = (self.as_truth(arg) for arg in value.args)
            if one is not None and two is not None:
                return self.truths(JOIN[str(value.data)], one, two)
        return None

    def fits(self, values: Rows, source: Scalar, kind: Scalar) -> bool:
        """Whether all lanes' values, which lie in one type, lie in another, whatever the sizes. Those of 32 bits and
        more do wherever they decide anything, or the kernel's check would have said so."""
        return kind.bits >= 32 or self.is_dry or self._all_fit(values, source, kind)

    def _all_fit(self, values: Rows, source: Scalar, kind: Scalar) -> bool:
        """The same of values that are computed in the rounds which are made here."""
        if values.is_one:
            return self._fits(values.values[0], source, kind, shared(self.base.values))
        return self._fit_as_seen(values, source, kind) or all(
            self._fits(value, source, kind, (self.base.of(lane),)) for lane, value in enumerate(values.values))

    def _fit_as_seen(self, values: Rows, source: Scalar, kind: Scalar) -> bool:
        """The same of a thread that stands for all, where it can be told what it sees."""
        lane = tuple(Poly.atom(self.integers.variable(("any lane", at, extent), f"lane.{at}", 0, extent - 1))
                     for at, extent in enumerate(self.shape.digits))
        try:
            return self._fits(values.at(lane), source, kind, (self.base.at(lane),))
        except NotAffine:
            return False

    def _fits(self, value: Poly, source: Scalar, kind: Scalar, here: Sequence[Formula]) -> bool:
        low, high = self.integers.encoder.interval(value)
        if max(low, source.low) < kind.low and not self.integers.always(P.le(Poly.number(kind.low), value), here):
            return False
        return min(high, source.high) <= kind.high or self.integers.always(P.le(value, Poly.number(kind.high)), here)

    # -- expressions -------------------------------------------------------------------------------------

    def evaluate(self, expr: Expr, state: State) -> Value:
        match expr:
            case Const(value=value, type=kind):
                if kind == BOOL:
                    return Row(self.shape, (P.TRUE if value else P.FALSE,))
                return self.number(int(value)) if kind.is_int else Node("const", kind, (), value)
            case Var(name=name, type=kind) | Special(name=name, type=kind):
                return state.env[name] if name in state.env else Node("nothing", kind, (), name, expr.place)
            case Load():
                return self.load(expr, state)
            case Call(function=function, args=args, type=kind):
                if expr.handles:
                    raise CannotFollow("textures and images", expr.place)
                given = tuple(self.node(self.evaluate(arg, state), arg.type) for arg in args)
                return Node("call", kind, given, function, expr.place)
        return self.operator(expr, state)

    def operator(self, expr: Unary | Cast | Binary | Select | Bits, state: State) -> Value:
        match expr:
            case Unary(op=op, arg=arg):
                return self.unary(op, self.evaluate(arg, state), expr)
            case Cast(arg=arg, type=kind):
                return self.cast(self.evaluate(arg, state), arg.type, kind, expr.place)
            case Binary(op=op, left=left, right=right):
                first = self.evaluate(left, state)
                there = self.where(first, state, op == "&&") if op in ("&&", "||") else state
                return self.binary(op, first, self.evaluate(right, there), expr)
            case Select(test=test, then=then, other=other):
                chosen = self.evaluate(test, state)
                one = self.evaluate(then, self.where(chosen, state, holds=True))
                two = self.evaluate(other, self.where(chosen, state, holds=False))
                return self.select(chosen, one, two, expr.type)
            case Bits(arg=arg, type=kind):
                value = self.evaluate(arg, state)
                known = self.number_of_bits(value, arg.type, kind)
                return known or Node("bits", kind, (self.node(value, arg.type),), None, expr.place)
        assert_never(expr)

    def where(self, test: Value, state: State, holds: bool) -> State:
        """Where a test holds, or where it does not: what is evaluated only there loads only there. Tests of data tell nothing."""
        truth = self.as_truth(test)
        if truth is None:
            return state
        return state.at(self.way(state.path, truth, holds))

    def way(self, path: Truths, truth: Truths, holds: bool) -> Truths:
        """Who is there of those on a path, behind a test that holds or does not."""
        return self.truths(lambda here, t: P.conj((here, t if holds else P.neg(t))), path, truth)

    def number_of_bits(self, value: Value, source: Scalar, kind: Scalar) -> Node | None:
        """The float that an integer is the bits of, where that is a number: an infinity, say."""
        if kind.name not in FLOATS or not isinstance(value, Row) or self.is_truth(value) or not value.is_one:
            return None
        bits = self.ints(value, NOWHERE, "bits").values[0].constant
        if bits is None or source.bits != kind.bits:
            return None
        number = struct.unpack(FLOATS[kind.name], (bits % (1 << kind.bits)).to_bytes(kind.bytes, "little"))[0]
        if number != number:
            raise CannotFollow("the bits of a NaN")
        return Node("const", kind, (), number)

    def load(self, expr: Load, state: State) -> Value:
        raise NotImplementedError

    def unary(self, op: str, value: Value, expr: Unary) -> Value:
        if op == "!":
            truth = self.as_truth(value)
            if truth is not None:
                return self.truths(P.neg, truth)
        elif isinstance(value, Row) and expr.type.is_int:
            whole = self.ints(value, expr.place, "an integer")
            return self.each(lambda v: v.scale(-1).plus(-1 if op == "~" else 0), whole)
        return Node("unary", expr.type, (self.node(value, expr.arg.type),), op, expr.place)

    def cast(self, value: Value, source: Scalar, kind: Scalar, place: Place) -> Value:
        if isinstance(value, Row):
            if kind == BOOL:
                truth = self.as_truth(value)
                assert truth is not None
                return truth
            if kind.is_int:
                whole = self.ints(value, place, "an integer")
                if self.fits(whole, source, kind):
                    is_loose = whole.is_loose or not (kind.low <= source.low and source.high <= kind.high and (
                        kind.bits == source.bits or self.lies_in(whole, source)))
                    return Row(self.shape, whole.values, whole.made, is_loose) if is_loose and not whole.is_loose else whole
                if all(part.constant is not None for part in whole.values):
                    wrapped = [Poly.number(kind.wrap(whole.of(lane).constant or 0)) for lane in range(self.shape.lanes)]
                    return row(self.shape, wrapped)
            elif not self.lies_in(self.ints(value, place, "an integer"), source):
                raise CannotFollow("an integer that may wrap becomes a float", place)
            else:
                return Node("cast", kind, (self.node(value, source),), EXACT, place)
        return Node("cast", kind, (self.node(value, source),), None, place)

    def lies_in(self, values: Rows, kind: Scalar) -> bool:
        """Whether all lanes' polynomials are shown to lie in a type, so that they are what C computes."""
        return self.is_dry or self._all_fit(values, ANYTHING, kind)

    def select(self, test: Value, then: Value, other: Value, kind: Scalar) -> Value:
        truth = self.as_truth(test)
        if truth is not None:
            if truth.is_one and truth.values[0] in (P.TRUE, P.FALSE):
                return then if truth.values[0] == P.TRUE else other
            if isinstance(then, Row) and isinstance(other, Row):
                if self.is_truth(then) and self.is_truth(other):
                    return self.truths(lambda c, a, b: P.disj((P.conj((c, a)), P.conj((P.neg(c), b)))), truth, then, other)
                if not self.is_truth(then) and not self.is_truth(other):
                    return self.each(self.integers.choice, truth, then, other)  # type: ignore[arg-type]
            test = truth
        return Node("select", kind, (self.node(test, BOOL), self.node(then, kind), self.node(other, kind)))

    def binary(self, op: str, left: Value, right: Value, expr: Binary) -> Value:
        if op in ("&&", "||"):
            one, two = self.as_truth(left), self.as_truth(right)
            if one is not None and two is not None:
                return self.truths(JOIN[op], one, two)
        elif isinstance(left, Row) and isinstance(right, Row) and expr.left.type.is_int:
            found = self.integer(op, left, right, expr)
            if found is not None:
                return found
        if op in ("<<", ">>") and isinstance(right, Row) and right.is_one and right.values[0] == ZERO:
            return left
        if op in COMPARE and any(isinstance(each, Row) and each.is_loose for each in (left, right)):
            whole = [self.as_ints(each) if isinstance(each, Node) else each for each in (left, right)]
            found = None if whole[0] is None or whole[1] is None else self.integer(op, whole[0], whole[1], expr)
            if found is not None:
                return found
        return Node("binary", expr.type, (self.node(left, expr.left.type), self.node(right, expr.right.type)), op, expr.place)

    def integer(self, op: str, first: Value, second: Value, expr: Binary) -> Value | None:
        """An operation on integers that sizes decide; None where its meaning is not sure."""
        place = expr.place
        if op in COMPARE:
            if self.is_truth(first) and self.is_truth(second):
                first, second = (self.ints(each, place, "a truth") for each in (first, second))
            left, right = self.ints(first, place, "an integer"), self.ints(second, place, "an integer")
            return self.truths(COMPARE[op], left, right)
        if op in ("&", "|") and self.is_truth(first) and self.is_truth(second):
            return self.truths(JOIN["&&" if op == "&" else "||"], first, second)  # type: ignore[arg-type]
        left, right = self.ints(first, place, "an integer"), self.ints(second, place, "an integer")
        if op in ("+", "-", "*"):
            return self.each({"+": Poly.__add__, "-": Poly.__sub__, "*": Poly.__mul__}[op], left, right)
        return self.uneven(op, left, right, expr.left.type)

    def uneven(self, op: str, left: Rows, right: Rows, kind: Scalar) -> Rows | None:
        """/ % << >> & | ^, None where their meaning is not sure."""
        try:
            return self.each(lambda a, b: self._uneven(op, a, b, kind), left, right)
        except _Unsure:
            return None

    def _uneven(self, op: str, left: Poly, right: Poly, kind: Scalar) -> Poly:
        """/ % << >> & | ^"""
        a, b = left.constant, right.constant
        if a is not None and b is not None:
            try:
                return Poly.number(int(arithmetic.binary(op, a, b, kind)))
            except arithmetic.Undefined as error:
                raise _Unsure from error
        if op in ("/", "%"):
            return self._divided(op, left, right, kind)
        if b is None and op in ("&", "|", "^") and a is not None:
            left, a, b = right, b, a
        if b is None and op == "&":
            return self._masked(left, right)
        if b is None:
            raise _Unsure
        return self._with_number(op, left, b, kind)

    def _masked(self, left: Poly, right: Poly) -> Poly:
        """x & (s - 1) of a power of two s, which is x mod s, whatever sign x has."""
        powers = self.integers.encoder.powers_at(ANY)
        for value, size in ((left, right.plus(1)), (right, left.plus(1))):
            if is_power(size, powers):
                return value - size * self.integers.floor(value, size)
        raise _Unsure

    def _divided(self, op: str, left: Poly, right: Poly, kind: Scalar) -> Poly:
        """/ and % by what is positive: rounded towards zero. A type without a sign has no negative dividends."""
        ask, interval, floor = self.integers.always, self.integers.encoder.interval, self.integers.floor
        if not right.terms or not (self.is_dry or interval(right)[0] >= 1 or ask(P.le(ONE, right))):
            raise _Unsure
        quotient = floor(left, right)
        if not (self.is_dry or interval(left)[0] >= 0 or ask(P.le(ZERO, left))):
            if not kind.signed:
                raise _Unsure
            quotient = self.integers.choice(P.le(ZERO, left), quotient, floor(left.scale(-1), right).scale(-1))
        return quotient if op == "/" else left - right * quotient

    def _with_number(self, op: str, left: Poly, by: int, kind: Scalar) -> Poly:
        """<< >> & | ^ with a number: of what is 0 or 1, any of them."""
        floor = self.integers.floor
        if op == "<<" and 0 <= by < kind.bits:
            return left.scale(1 << by)
        if op == ">>" and 0 <= by < kind.bits:
            return floor(left, Poly.number(1 << by))
        if op == "&" and by >= 0 and (by + 1) & by == 0:
            return left - floor(left, Poly.number(by + 1)).scale(by + 1)
        if op == "&" and by < 0 and (-by) & (-by - 1) == 0:
            return floor(left, Poly.number(-by)).scale(-by)
        low, high = self.integers.encoder.interval(left)
        if low >= 0 and (high <= 1 or (not self.is_dry and self.integers.always(P.le(left, Poly.number(1))))):
            first, second = (int(arithmetic.binary(op, value, by, kind)) for value in (0, 1))
            return left.scale(second - first).plus(first)
        raise _Unsure


class _Unsure(NotAffine):
    """What an operation means hangs on values that are not known."""


EXACT = "exact"
"""Of a cast: its operand is shown to be what C computes."""
FLOATS = {"float": "<f", "double": "<d", "half": "<e"}
"""How `struct` reads the bits of a type."""
ANYTHING = Scalar("anything", Kind.INT, 1 << 12, True)


COMPARE: dict[str, Callable[[Poly, Poly], Formula]] = {
    "<": P.lt, "<=": P.le, "==": P.eq, "!=": lambda a, b: P.neg(P.eq(a, b))}
JOIN: dict[str, Callable[[Formula, Formula], Formula]] = {
    "&&": lambda a, b: P.conj((a, b)), "||": lambda a, b: P.disj((a, b))}
GLOBAL = Space.GLOBAL
