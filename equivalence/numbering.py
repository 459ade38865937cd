"""Values of two kernels as numbers: two expressions with one number have one value.

Input: expressions of Core, the numbers of the locals they read, and when memory last changed. Output: a number, the same for both
sides. The idea is value numbering: a number stands for an operation on numbers, made once. `Laws` make more values one:

    EXACT      the same operations on the same operands; a local is what it was set to
    INTEGERS   sums of integers in any order, and by constants multiplied; products in any order; an index as 64 bits or fewer
    COMMUTES   operands of a float addition or multiplication in either order, too

Source: Alpern, Wegman, Zadeck, "Detecting equality of variables in programs", POPL 1988.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from itertools import count
from typing import assert_never

from automata.lang.core import Binary, Bits, Call, Cast, Const, Expr, Load, Select, Special, Store, Unary, Var
from automata.scalar import BOOL, Scalar

Number = int


class Laws(Enum):
    """What makes two values one, the fewest laws first."""

    EXACT = 0
    INTEGERS = 1
    COMMUTES = 2


class Unread(Exception):
    """An expression that is not followed: it reads what nobody has set, or fetches from an image."""


class Numbering:
    """The numbers of values, for both sides together. `fresh` numbers are like no other."""

    def __init__(self, laws: Laws) -> None:
        self.laws = laws
        self._numbers: dict[tuple[object, ...], Number] = {}
        self._keys: dict[Number, tuple[object, ...]] = {}
        self._supply = count()

    def fresh(self) -> Number:
        return next(self._supply)

    def of(self, *key: object) -> Number:
        """The number of an operation on numbers."""
        if key not in self._numbers:
            number = self._numbers[key] = next(self._supply)
            self._keys[number] = key
        return self._numbers[key]

    def negation(self, test: Number) -> Number:
        key = self._keys.get(test, ())
        if key[:1] == ("!",):
            plain = key[1]
            assert isinstance(plain, int)
            return plain
        return self.of("!", test)

    def upright(self, test: Number) -> tuple[Number, bool]:
        """A test without its negation, and whether it had one."""
        key = self._keys.get(test, ())
        if key[:1] != ("!",):
            return test, False
        plain = key[1]
        assert isinstance(plain, int)
        return plain, True

    def chosen(self, test: Number, then: Number, other: Number) -> Number:
        """`test ? then : other`."""
        if then == other:
            return then
        plain, is_negated = self.upright(test)
        key = self._keys.get(plain, ())
        if key[:1] in (("&&",), ("||",)):
            one, two = key[-2:]
            assert isinstance(one, int) and isinstance(two, int)
            then, other = (other, then) if is_negated else (then, other)
            inner = self.chosen(two, then, other)
            return self.chosen(one, inner, other) if key[0] == "&&" else self.chosen(one, then, inner)
        return self.of("?", plain, other, then) if is_negated else self.of("?", plain, then, other)

    def constant(self, value: int | float, kind: Scalar) -> Number:
        if kind.is_float or kind == BOOL:
            return self.of("const", kind.name, repr(float(value)))
        return self.sum(kind, {}, int(value))

    def cast(self, arg: Number, source: Scalar, target: Scalar) -> Number:
        """A conversion; between integers of one width it keeps the bits. (Sums stay what they are sums of.)"""
        are_integers = BOOL not in (source, target) and source.is_int and target.is_int
        if are_integers and not (known := self.terms(arg, source))[0]:
            return self.constant(target.wrap(source.wrap(known[1])), target)
        is_kept = are_integers and source.bits == target.bits
        if source == target or (is_kept and self._keys.get(arg, ())[:1] != ("sum",)):
            return arg
        return self.of("cast", target, source, arg)

    def sum(self, kind: Scalar, terms: Mapping[Number, int], constant: int) -> Number:
        """A sum of multiples of integers: of unsigned ones modulo 2^bits, of signed ones as it is written, which is the same
        modulo 2^bits."""
        modulus = 1 << kind.bits
        if not kind.signed:
            terms, constant = {number: factor % modulus for number, factor in terms.items()}, constant % modulus
        left = {number: factor for number, factor in terms.items() if factor}
        if not constant and list(left.values()) == [1]:
            return next(iter(left))
        return self.of("sum", kind.bits, kind.signed, constant, *sorted(left.items()))

    def terms(self, number: Number, kind: Scalar) -> tuple[dict[Number, int], int]:
        """A value of an integer type as a sum: its terms and its constant."""
        key = self._keys.get(number, ())
        if key[:3] != ("sum", kind.bits, kind.signed):
            return {number: 1}, 0
        constant, *pairs = key[3:]
        assert isinstance(constant, int)
        return {pair[0]: pair[1] for pair in pairs if isinstance(pair, tuple)}, constant

    def index(self, number: Number, kind: Scalar) -> Number:
        """The number of an index, whatever signed type it is computed in: none wraps, or that is assumed aloud, so that what is
        widened after a sum is the sum of what is widened."""
        if self.laws is Laws.EXACT or not kind.signed:
            return self.of("index", kind.name, number)
        found: dict[Number, int] = {}
        constant = self._widened(number, kind, 1, found)
        return self.of("index", constant, *sorted((each, factor) for each, factor in found.items() if factor))

    def _widened(self, number: Number, kind: Scalar, factor: int, found: dict[Number, int]) -> int:
        """Adds the terms of a value to those that were found, as often as a factor says; the constant among them."""
        terms, constant = self.terms(number, kind)
        constant *= factor
        for each, times in terms.items():
            narrower = self._widening(each, kind)
            if narrower is not None:
                constant += self._widened(*narrower, factor * times, found)
            else:
                wide = self.of("wide", kind.bits, each)
                found[wide] = found.get(wide, 0) + factor * times
        return constant

    def _widening(self, number: Number, kind: Scalar) -> tuple[Number, Scalar] | None:
        """What a value of a signed type is a narrower signed value of, and of which type; None where it is none."""
        match self._keys.get(number, ()):
            case ("cast", Scalar(signed=True, is_int=True) as target, Scalar(signed=True, is_int=True) as source, int() as arg):
                return (arg, source) if target.bits == kind.bits > source.bits else None
        return None


class Reader:
    """One side's expressions as numbers. `locals`: of its locals, those that are set, and its parameters, which a kernel may set,
    too; `arrays`: what both sides call an array; `since`: of an array, when it last changed, as far as this thread can tell."""

    def __init__(self, numbering: Numbering, arrays: Mapping[str, object], params: Mapping[str, Number]) -> None:
        self.numbering, self.arrays = numbering, arrays
        self.locals: dict[str, Number] = dict(params)
        self.since: dict[object, Number] = {}

    def when(self, place: object) -> Number:
        """Since when an array is as it is."""
        return self.since[place] if place in self.since else self.numbering.of("first", place)

    def store(self, stmt: Store) -> None:
        """A store of this thread: the array is as it was, but for that."""
        place = self.arrays[stmt.array]
        value = stmt.value.type.name, self.number(stmt.value)
        self.since[place] = self.numbering.of("store", place, self.when(place), *value, *map(self.index, stmt.index))

    def index(self, expr: Expr) -> Number:
        return self.numbering.index(self.number(expr), expr.type)

    def number(self, expr: Expr) -> Number:
        """Unread for what is not followed; RecursionError for an expression nested too deeply."""
        made = self.numbering
        match expr:
            case Const(value=value, type=kind):
                return made.constant(value, kind)
            case Var(name=name):
                return self._variable(name)
            case Special(quantity=quantity, axis=axis):
                return made.of("special", quantity, axis)
            case Unary(op=op, arg=arg, type=kind):
                return self._unary(op, self.number(arg), kind)
            case Binary():
                return self._binary(expr, self.number(expr.left), self.number(expr.right))
            case Cast(arg=arg, type=kind):
                return made.cast(self.number(arg), arg.type, kind)
            case Bits(arg=arg, type=kind):
                return made.of("bits", kind.name, arg.type.name, self.number(arg))
            case Select(test=test, then=then, other=other):
                return made.chosen(self.number(test), self.number(then), self.number(other))
            case Load() | Call():
                return self._called(expr)
        assert_never(expr)

    def _called(self, expr: Load | Call) -> Number:
        if isinstance(expr, Load):
            place = self.arrays[expr.array]
            return self.numbering.of("load", place, self.when(place), *map(self.index, expr.index))
        if expr.handles:
            raise Unread
        types = tuple(part.type.name for part in expr.args)
        return self.numbering.of("call", expr.function, expr.type.name, types, *map(self.number, expr.args))

    def _variable(self, name: str) -> Number:
        if name in self.locals:
            return self.locals[name]
        raise Unread

    def _unary(self, op: str, arg: Number, kind: Scalar) -> Number:
        if op == "!":
            return self.numbering.negation(arg)
        if op == "-" and kind.is_int and self.numbering.laws is not Laws.EXACT:
            terms, constant = self.numbering.terms(arg, kind)
            return self.numbering.sum(kind, {each: -factor for each, factor in terms.items()}, -constant)
        return self.numbering.of(op, kind.name, arg)

    def _binary(self, expr: Binary, left: Number, right: Number) -> Number:
        made, op, kind = self.numbering, expr.op, expr.left.type
        if op == "<=" and kind.is_int:
            return made.negation(made.of("<", kind.name, kind.name, right, left))
        if op == "!=":
            return made.negation(made.of("==", kind.name, *sorted((left, right))))
        if op == "==":
            return made.of("==", kind.name, *sorted((left, right)))
        if kind.is_int and kind != BOOL and made.laws is not Laws.EXACT and op in ("+", "-", "*", "<<", "&", "|", "^"):
            return self._integer(op, left, right, kind)
        if made.laws is Laws.COMMUTES and kind.is_float and op in ("+", "*"):
            left, right = sorted((left, right))
        return made.of(op, kind.name, expr.right.type.name, left, right)

    def _integer(self, op: str, left: Number, right: Number, kind: Scalar) -> Number:
        """An operation on integers that some law rewrites, modulo 2^bits."""
        made = self.numbering
        (one, first), (two, second) = made.terms(left, kind), made.terms(right, kind)
        if op in ("+", "-"):
            sign = 1 if op == "+" else -1
            together = {each: one.get(each, 0) + sign * two.get(each, 0) for each in {**one, **two}}
            return made.sum(kind, together, first + sign * second)
        if op == "*" and not two:
            return made.sum(kind, {each: factor * second for each, factor in one.items()}, first * second)
        if op == "*" and not one:
            return made.sum(kind, {each: factor * first for each, factor in two.items()}, first * second)
        if op == "<<":
            is_known = not two and 0 <= second < kind.bits
            return (made.sum(kind, {each: factor << second for each, factor in one.items()}, first << second) if is_known
                    else made.of("<<", kind.name, left, right))
        return made.of(op, kind.bits, *sorted((left, right)))
