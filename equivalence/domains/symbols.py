"""One kind of symbol for every class of equality: which operations are understood is what tells the classes apart.

A symbol is a value at four random points of a field (16 bytes): four residues modulo P. Operations that a reading
understands are carried out in the field; any other is an atom, a pseudo-random value that follows from the name of the
operation and its operands' values. What no reading understands, such as a bitwise one of anything, needs no
field: there a symbol is the 128-bit digest of its tree of operations. Equal symbols mean equal values: for digests up to a
collision; for rational functions over atoms up to Schwartz and Zippel's bound (Schwartz, JACM 1980). It is said of
integers by identity over the integers, which implies equality modulo 2^k.

Readings (`Reading`), strongest class first: bitwise, bitwise-commutative, integers as a ring, floats as the field of reals,
and `laws`: besides, e^a·e^b = e^(a+b), and max as the multiset of its operands. Each symbol then
carries its value modulo Q too, as the exponent it may become (`modular.exponential`): that distinct
exponentials behave as independent is a conjecture, and answers say so; and a digest of the operands that it is the
maximum of. Infinities and NaN are marked words above 2^31: what the extended reals define is computed, the rest is NaN; so is
what nobody has set, for 0 times anything may not be 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from automata.lang.core import Binary, Cast, Expr
from automata.machine.numbers.values import Lanes, Numbers
from automata.machine.state.memory import Cells
from automata.machine.symbols.domain import ATOM, NOTHING, Compared, Degree
from automata.scalar import BOOL, F64, Scalar
from equivalence.domains.degrees import compares, degree, is_whole, key, makes_atoms
from equivalence.domains.digests import Pairs, digest
from equivalence.domains.field import COMMUTES, INF, MINUS_INF, NAN, OPPOSITE, RING, Field, Reading, Value, rows
from equivalence.domains.functions import apply
from equivalence.domains.turned import Turned


class Symbols(Field):
    """The domain of one reading: every operation of C on symbols."""

    def __init__(self, reading: Reading, side: str, seed: int) -> None:
        super().__init__(reading, side, seed)
        self.turned = Turned()
        self.compared_sizes = NOTHING

    def lift(self, number: Lanes, kind: Scalar) -> Lanes:
        flat = np.ascontiguousarray(number).reshape(-1)
        if kind == BOOL and not self.in_field:
            truth = np.repeat(self.named("truth", np.zeros(1, np.int64)), flat.size, axis=0)
            return self.value(np.where(flat[:, None], truth, truth ^ OPPOSITE), number)
        if not self.rings(kind):
            bits = flat.astype(np.float64).view(np.int64) if kind.is_float else flat.astype(np.int64)
            return self.value(self.named(f"number {'bool' if kind == BOOL else kind.name}", bits), number)
        known: npt.NDArray[Any] = flat.astype(np.float64) if kind.is_float else flat.astype(np.int64) if kind == BOOL else flat
        finite = np.where(np.isfinite(known), known, 0) if kind.is_float else known
        made = np.zeros((flat.size, self.width), np.uint32)
        for modulus, columns in ((self.p, slice(0, 4)), (self.q, slice(4, 8)))[:1 + self.reading.laws]:
            made[:, columns] = modulus.of_floats(finite) if kind.is_float else modulus.of_integers(finite)
        self.note_bits(finite)
        if kind.is_float and not np.isfinite(known).all():
            self.special = True
            for code, which in ((INF, known == np.inf), (MINUS_INF, known == -np.inf), (NAN, np.isnan(known))):
                self.mark(made, which, code)
        return self.value(made, number)

    def input(self, name: str, index: Numbers) -> Cells:
        return self.value(self.named(f"input {name}", index), index)

    def parameter(self, name: str) -> Lanes:
        return self.value(self.named(f"parameter {name}", np.zeros(1, np.int64)))

    def undefined(self, name: str, numbers: Numbers) -> Cells:
        if not self.in_field:
            return self.value(self.named(f"undefined {self.side} {name}", numbers), numbers)
        self.special = True
        made = np.zeros((numbers.size, self.width), np.uint32)
        self.mark(made, np.ones(numbers.size, np.bool_), NAN)
        return self.value(made, numbers)

    @property
    def rings_integers(self) -> bool:
        return self.reading.ints

    def gather(self, array: str, index: Lanes, kind: Scalar) -> Lanes:
        """An atom of the index as its type has it: a residue alone would be the same for an index that is narrowed first."""
        return self.value(self.atom(f"element {array} at {kind.name}", self.words(index)), index)

    def unary(self, op: str, arg: Lanes, kind: Scalar) -> Lanes:
        words = self.words(arg)
        if op == "!":
            return self.value(self.opposite(words), arg)
        if self.rings(kind) and op in ("-", "~"):
            made = self.minus(self.number(0 if op == "-" else -1), words)
            if op == "-" and kind.is_float and self.width > 8:
                made[:, 8:] = words[:, 8:]
                made[:, 8] ^= (words[:, 8:] != 0).any(axis=1)
            return self.value(made, arg)
        return self.value(self.atom(f"{op} {kind.name}", words), arg)

    def opposite(self, test: Value) -> Value:
        """The negation of a test: where digests stand for it, one that takes itself back."""
        return self.minus(self.number(1), test) if self.in_field else test ^ OPPOSITE

    def binary(self, op: str, left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
        return self.value(self.operation(op, self.words(left), self.words(right), kind), left, right)

    def operation(self, op: str, one: Value, two: Value, kind: Scalar) -> Value:
        """`one op two` on words."""
        if self.in_field and kind == BOOL and op in ("==", "!="):
            unlike = self.operation("^", one, two, kind)
            return unlike if op == "!=" else self.minus(self.number(1), unlike)
        if op in ("<", "<=", "==", "!="):
            return self.compared(op, one, two, kind)
        if self.in_field and (op in ("&&", "||") or (kind == BOOL and op in ("&", "|", "^"))):
            both = self.ring("*", one, two)
            if op in ("&&", "&"):
                return both
            either = self.minus(self.ring("+", one, two), both)
            return either if op in ("||", "|") else self.minus(either, both)
        if self.rings(kind) and kind != BOOL and op in RING:
            return self.ring(op, one, two)
        if op == "/" and kind.is_float and self.rings(kind):
            return self.divide(one, two)
        if op in ("&&", "||"):
            return self.joined(op, one, two)
        if op in COMMUTES and self.reading.commutative:
            return self.symmetric(f"{op} {kind.name}", one, two)
        return self.atom(f"{op} {kind.name}", one, two)

    def joined(self, op: str, one: Value, two: Value) -> Value:
        """Both of two tests or either, as digests; a test that is known decides, or goes."""
        count = max(len(one), len(two))
        one, two = rows(one, count), rows(two, count)
        made = self.symmetric(f"{op} bool", one, two)
        truth = self.words(self.lift(np.ones(1, np.bool_), BOOL))
        decides, goes = (truth ^ OPPOSITE, truth) if op == "&&" else (truth, truth ^ OPPOSITE)
        for mine, other in ((one, two), (two, one)):
            which = (mine == goes).all(axis=1)
            made[which] = other[which]
        made[(one == decides).all(axis=1) | (two == decides).all(axis=1)] = decides[0]
        return made

    def compared(self, op: str, one: Value, two: Value, kind: Scalar) -> Value:
        """A comparison as a test: the atom of a strict one or of an equation, or what it leaves of 1. A float that is compared
        with itself is asked whether it is a number: an atom of its own."""
        if op == "!=" or (op == "<=" and (self.exact or kind.is_int)):
            positive = self.compared("==", one, two, kind) if op == "!=" else self.compared("<", two, one, kind)
            return self.opposite(positive)
        if op == "==":
            if not self.rings(kind):
                return self.symmetric(f"== {kind.name}", one, two)
            distance, _ = self.oriented(self.minus(one, two))
            made = self.atom(f"== {'real' if kind.is_float else kind.bits}", distance)
            itself = (distance[:, :4] == 0).all(axis=1)
            if itself.any():
                made[itself] = rows(self.atom("== itself", one) if kind.is_float else self.number(1), len(made))[itself]
        elif kind.is_float and self.reading.floats:
            made = self.atom("0 <", self.minus(two, one))
        else:
            return self.atom(f"{op} {kind.name}", one, two)
        return self.decided(op, one, two, made)

    def decided(self, op: str, one: Value, two: Value, made: Value) -> Value:
        """A test between an infinity and a finite value is known; with NaN it is none."""
        if not self.special:
            return made
        left, right = np.broadcast_arrays(one[:, 0], two[:, 0])
        beyond = (left >= INF) | (right >= INF)
        less = ((left == MINUS_INF) & (right != MINUS_INF)) | ((right == INF) & (left != INF))
        for value, which in ((1, less if op == "<" else left == right), (0, ~less if op == "<" else left != right)):
            made[beyond & which] = self.number(value)
        self.mark(made, (left == NAN) | (right == NAN), NAN)
        return made

    def cast(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        words = self.words(arg)
        if source == target:
            return arg
        if target == BOOL:
            zero = self.words(self.lift(np.zeros((), np.float64 if source.is_float else np.int64)[()], source))
            return self.value(self.compared("!=", words, zero, source), arg)
        if source == BOOL and self.rings(target):
            return arg
        if source.is_float and target.is_float and self.reading.floats:
            return arg
        if source.is_int and target.is_int and self.reading.ints and target.bits <= source.bits:
            return arg
        if source.is_int and target.is_int and self.reading.ints:
            return self.value(self.atom(f"widened {source.name}", words), arg)
        into = "real" if target.is_float and self.reading.floats else target.name
        return self.value(self.atom(f"cast {source.name} {into}", words), arg)

    def bits(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        """An atom; of the bits of one that was made so, what that was made of."""
        words = self.words(arg)
        atoms = self.atom(f"bits {source.name} {target.name}", words)
        made = self.turned.back((target.name, source.name), self.pairs(words), atoms)
        self.turned.keep((source.name, target.name), self.pairs(made), words)
        return self.value(made, arg)

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        return self.value(apply(self, function, [self.words(arg) for arg in args], kinds, result), *args)

    def degree(self, expr: Expr, parts: Sequence[Degree]) -> Degree:
        if not self.in_field:
            return ATOM
        if makes_atoms(expr):
            self.key = self.key.or_larger(key(parts))
        if compares(expr) or (isinstance(expr, Cast) and expr.type == BOOL):
            self.compared_sizes = self.compared_sizes.or_larger(*parts)
        if isinstance(expr, Binary) and expr.op == "/" and is_whole(parts[1]):
            self.whole_divisor = max(self.whole_divisor, 2.0 ** parts[1].over)
        understood = self.rings(expr.type) and (expr.type.is_float or not _divides(expr))
        return degree(expr, parts, self.of_numbers(), understood=understood, compared=self.compared_sizes)

    def of_numbers(self) -> Degree:
        over, halves = self.constant_bits
        return Degree(0.0, 0.0, over, 0.0, halves)

    def update(self, op: str, cells: Cells, slots: Numbers, args: list[Cells], kind: Scalar) -> bool:
        if op not in ("add", "sub") or not self.rings(kind):
            return False
        if self.special and any(self.words(part)[:, 0].max(initial=0) >= INF for part in (cells[slots], args[0])):
            return False
        order = np.argsort(slots, kind="stable")
        ordered = slots[order]
        starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if slots.size else order
        where, values = ordered[starts], self.words(args[0])[order].astype(np.uint64)
        if slots.size:
            sums = np.add.reduceat(values, starts, axis=0)
            total = np.zeros((len(sums), self.width), np.uint32)
            total[:, :4] = sums[:, :4] % np.array(self.p.primes, np.uint64)
            if self.reading.laws:
                total[:, 4:8] = sums[:, 4:8] % np.array(self.q.primes, np.uint64)
            cells[where] = self.value(self.ring("+" if op == "add" else "-", self.words(cells[where]), total), where)
        return True

    def sums(self, kind: Scalar) -> bool:
        return self.rings(kind) and kind != BOOL

    def total(self, start: Lanes, terms: Sequence[tuple[bool, Lanes, Lanes | None]], rounds: int, count: int,
              kind: Scalar) -> Lanes | None:
        found = np.broadcast_to(self.words(start), (count, self.width))
        for positive, one, two in terms:
            factors = [self.words(part) for part in (one, two) if part is not None]
            if self.special and any(words[:, 0].max(initial=0) >= INF for words in (found, *factors)):
                return None
            factors = [np.broadcast_to(words, (rounds * count, self.width)) for words in factors]
            found = self.ring("+" if positive else "-", found, self.summed(factors, rounds))
        return self.value(found, np.zeros(1))

    def select(self, test: Lanes, then: Lanes, other: Lanes, compared: Compared | None, kind: Scalar) -> Lanes:
        condition, one, two = self.words(test), self.words(then), self.words(other)
        count = max(len(condition), len(one), len(two))
        condition, one, two = (rows(words, count) for words in (condition, one, two))
        if not self.in_field:
            turned = (condition[:, :1] & np.uint32(1)).astype(np.bool_)
            positive = np.where(turned, condition ^ OPPOSITE, condition)
            sides = np.where(turned, two, one), np.where(turned, one, two)
            made = self.atom(f"? {kind.name}", positive, *sides)
            truth = self.words(self.lift(np.ones(1, np.bool_), BOOL))
            for which, side in (((condition == truth).all(axis=1) | (one == two).all(axis=1), one),
                                ((condition == (truth ^ OPPOSITE)).all(axis=1), two)):
                made[which] = side[which]
            return self.value(made, test, then, other)
        if self.rings(kind) or kind == BOOL:
            made = self.ring("+", two, self.ring("*", condition, self.minus(one, two)))
        else:
            made = self.atom(f"? {kind.name}", condition, one, two)
        known = [(condition[:, :4] == value).all(axis=1) for value in (1, 0)]
        same = (one[:, :4] == two[:, :4]).all(axis=1)
        for which, side in ((known[0] | same, one), (known[1] & ~same, two)):
            made[which] = side[which]
        if compared is None or compared[3].is_float != kind.is_float:
            return self.value(made, test, then, other)
        if compared[0] in ("<", "<=") and self.rings(kind) and kind == compared[3] and not kind.is_float:
            self.order(made, one, two, compared)
        if compared[0] in ("==", "!=") and self.rings(kind) and kind.bits <= compared[3].bits:
            self.settle(made, one, two, compared)
        elif compared[0] in ("<", "<=") and self.reading.laws and kind.is_float:
            self.bend(made, one, two, compared, ~(known[0] | known[1] | same))
        return self.value(made, test, then, other)

    def order(self, made: Value, one: Value, two: Value, compared: Compared) -> None:
        """Choices of the larger or the smaller of two integers: one atom for both, for they add up to the two."""
        left, right = (np.broadcast_to(self.words(side), made.shape) for side in compared[1:3])
        largest = self.symmetric(f"max {compared[3].name}", left, right)
        for first, second, value in ((right, left, largest), (left, right, self.minus(self.ring("+", left, right), largest))):
            which = (one[:, :4] == first[:, :4]).all(axis=1) & (two[:, :4] == second[:, :4]).all(axis=1)
            made[which] = value[which]

    def settle(self, made: Value, one: Value, two: Value, compared: Compared) -> None:
        """Choices by an equation whose sides differ by as much as its values: they are the same where it holds."""
        op = compared[0]
        left, right = (np.broadcast_to(self.words(side), made.shape) for side in compared[1:3])
        distance, gap = self.minus(left, right), self.minus(one, two)
        back = self.minus(self.number(0), gap)
        for turned in (gap, back):
            which = (turned[:, :4] == distance[:, :4]).all(axis=1) & ((left[:, 0] | right[:, 0] | one[:, 0] | two[:, 0]) < INF)
            made[which] = (two if op == "==" else one)[which]

    def bend(self, made: Value, one: Value, two: Value, compared: Compared, open_: npt.NDArray[np.bool_]) -> None:
        """Choices by the order of two values that bend where the two are equal: T - F = c·(right - left) for a number c.

        Then the choice is F + c·(max(left, right) - left), for < and <= alike; with c = 1 or -1 it may be a maximum or minimum.
        """
        left, right = (np.broadcast_to(self.words(side), made.shape) for side in compared[1:3])
        finite = open_ & ((left[:, 0] | right[:, 0] | one[:, 0] | two[:, 0]) < INF)
        rows = np.flatnonzero(finite & (left[:, :4] != right[:, :4]).all(axis=1) & (left[:, 4:8] != right[:, 4:8]).all(axis=1))
        if not rows.size:
            return
        left, right, one, two = left[rows], right[rows], one[rows], two[rows]
        as_max = self.same(one, right) & self.same(two, left)
        as_min = self.same(one, left) & self.same(two, right)
        for which, extreme in ((as_max, self.maximum), (as_min, self.minimum)):
            if which.any():
                made[rows[which]] = extreme(left[which], right[which])
        rest = ~(as_max | as_min)
        if rest.any():
            rows = rows[rest]
            left, right, one, two = (part[rest] for part in (left, right, one, two))
            factor = self.divide(self.minus(one, two), self.minus(right, left))
            constant = (factor[:, :4] == factor[:, :1]).all(axis=1)
            largest = self.maximum(left, right)
            found = self.ring("+", two, self.ring("*", factor, self.minus(largest, left)))
            found, scaled = self.scaled(found, ~constant, (left, right, largest), (one, two))
            made[rows[constant | scaled]] = found[constant | scaled]

    def scaled(self, made: Value, open_: npt.NDArray[np.bool_], ordered: tuple[Value, Value, Value],
               sides: tuple[Value, Value]) -> tuple[Value, npt.NDArray[np.bool_]]:
        """Choices by the order of two values of which one side is the other times e^(left - right), or e^(right - left).

        Then the choice is the other times e^(left - max(left, right)), or e^(max(left, right) - left): a running sum that
        is scaled only where a new maximum is found. `ordered`: left, right and the larger of them.
        """
        scaled = np.zeros(len(made), np.bool_)
        rows = np.flatnonzero(open_)
        left, right, largest = (words[rows] for words in ordered)
        one, two = (words[rows] for words in sides)
        for base in ("e", "2") if rows.size else ():
            for first, second in ((left, right), (right, left)):
                grown = self.ring("*", two, self.power(base, self.minus(first, second)))
                which = self.same(one, grown) & ~scaled[rows]
                if which.any():
                    shift = self.minus(left, largest) if first is left else self.minus(largest, left)
                    made[rows[which]] = self.ring("*", two, self.power(base, shift))[which]
                    scaled[rows[which]] = True
        return made, scaled

    def maximum(self, one: Value, two: Value) -> Value:
        """The largest of the multisets of operands that two values are maxima of.

        Of two plain operands: x + relu(y - x), which shifts with both.
        """
        count = max(len(one), len(two))
        one, two = rows(one, count), rows(two, count)
        first, second = self.operands(one), self.operands(two)
        together = np.ascontiguousarray(first + second)
        together[:, 0] &= ~np.uint64(1)
        made = self.drawn(digest("max", self.seed, together))
        plain = ((one[:, 8:] == 0) & (two[:, 8:] == 0)).all(axis=1)
        if plain.any():
            distance, turned = self.oriented(self.minus(two[plain], one[plain]))
            bend = self.atom("relu", distance)
            made[plain] = self.ring("+", np.where(turned[:, None], two[plain], one[plain]), bend)
        made[:, 8:] = together.view(np.uint32)
        same = (one[:, :4] == two[:, :4]).all(axis=1)
        made[same] = one[same]
        return self.bounded(one, two, made)

    def bounded(self, one: Value, two: Value, made: Value) -> Value:
        """Maxima where an operand is no number."""
        if self.special:
            for mine, other in ((one, two), (two, one)):
                made[mine[:, 0] == MINUS_INF] = other[mine[:, 0] == MINUS_INF]
            self.mark(made, (one[:, 0] == INF) | (two[:, 0] == INF), INF)
            self.mark(made, (one[:, 0] == NAN) | (two[:, 0] == NAN), NAN)
        return made

    def power(self, base: str, words: Value) -> Value:
        """An exponential to some base: that of e to the exponent times a number that nothing else is known of."""
        exponents = np.ascontiguousarray(words[:, 4:8])
        if base != "e":
            scale = digest(f"logarithm of {base}", self.seed).view(np.uint32) & np.uint32(0x3FFFFFFF)
            exponents = self.q.multiply(exponents, self.q.wrapped(self.q.wrapped(scale)))
        made = np.zeros((len(words), self.width), np.uint32)
        made[:, :4] = self.exponential(exponents)
        made[:, 4:8] = self.atom("exponent of an exponential", made)[:, 4:8]
        return self.limits(words, made)

    def limits(self, words: Value, made: Value) -> Value:
        """Exponentials where an exponent is no number."""
        if self.special:
            made[words[:, 0] == MINUS_INF] = 0
            for code in (INF, NAN):
                self.mark(made, words[:, 0] == code, code)
        return made

    def operands(self, words: Value) -> Pairs:
        """The sum of the digests of what a value is the maximum of; its own where it is none."""
        stored = np.ascontiguousarray(words[:, 8:]).view(np.uint64)
        own = digest("operand", self.seed, self.pairs(words))
        own[:, 0] &= ~np.uint64(1)
        is_max = (stored != 0).any(axis=1) & (stored[:, 0] & np.uint64(1) == 0)
        return np.where(is_max[:, None], stored, own)

    def minimum(self, one: Value, two: Value) -> Value:
        negated = [self.words(self.unary("-", self.value(words, words), F64)) for words in (one, two)]
        largest = self.maximum(*negated)
        return self.words(self.unary("-", self.value(largest, largest), F64))

def _divides(expr: Expr) -> bool:
    return isinstance(expr, Binary) and expr.op == "/"
