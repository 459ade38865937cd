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
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from automata.lang.core import Expr
from automata.machine.domain import Compared, Degree
from automata.machine.memory import Cells
from automata.machine.values import Lanes, Numbers
from automata.scalar import BOOL, F64, Scalar
from equivalence.domains.degrees import degree, makes_atoms
from equivalence.domains.digests import Pairs, digest, mix, numbered, start
from equivalence.domains.functions import apply
from equivalence.domains.modular import Modulus, Words, points

INF, MINUS_INF, NAN = (np.uint32(0x80000000 + code) for code in range(3))
COMMUTES = frozenset({"+", "*", "&", "|", "^", "==", "&&", "||"})
RING = frozenset({"+", "-", "*"})
Value = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Reading:
    """Which operations are understood."""

    name: str
    commutative: bool = False
    ints: bool = False
    floats: bool = False
    laws: bool = False


BITWISE = Reading("bitwise")
COMMUTATIVE = Reading("bitwise-commutative", commutative=True)
INT = Reading("int", commutative=True, ints=True)
REAL = Reading("real", commutative=True, ints=True, floats=True)
REAL_EXP_MAX = Reading("real-exp-max", commutative=True, ints=True, floats=True, laws=True)
READINGS = (BITWISE, COMMUTATIVE, INT, REAL, REAL_EXP_MAX)


class Symbols:
    """The domain of one reading. `side`: keeps apart what the two kernels never set; `seed`: draws the points.

    For the bound: `keyed`, how many atoms were made that their operands' values tell apart, of degrees up to `key_degree`;
    `inputs`: how many other atoms. `special`: whether an infinity or NaN has come up.
    """

    def __init__(self, reading: Reading, side: str, seed: int) -> None:
        self.reading, self.side, self.seed = reading, side, seed
        drawn = points(seed)
        self.exponential, self.p, self.q = drawn.exponential, drawn.p, drawn.q
        self.in_field, self.exact = reading.ints or reading.floats, reading.floats
        self.width = 12 if reading.laws else 4
        self.dtype: np.dtype[np.void] = np.dtype(f"V{4 * self.width}")
        self.keyed = self.inputs = 0
        self.key_degree = 1.0
        self.constant_bits = 1
        self.special = False
        self.divisors = self.inverted = np.zeros((0, self.width), np.uint32)

    # -- values and words -----------------------------------------------------------------------

    def words(self, value: Lanes) -> Value:
        """The words of symbols, one row each."""
        return np.ascontiguousarray(value).reshape(-1).view(np.uint32).reshape(-1, self.width)

    def value(self, words: Value, *operands: Lanes) -> Lanes:
        """Symbols from rows of words: a single one if all operands are."""
        made: Lanes = np.ascontiguousarray(words).view(self.dtype).reshape(-1)
        return made if any(operand.ndim for operand in operands) else made[0]

    def pairs(self, words: Value) -> Pairs:
        """What a symbol is known by, as two 64-bit words."""
        return np.ascontiguousarray(words[:, :4]).view(np.uint64)

    def atom(self, tag: str, *operands: Value) -> Value:
        """The pseudo-random value of an operation that is not understood, or of an input."""
        return self.without(self.drawn(digest(tag, self.seed, *map(self.pairs, operands))), *operands)

    def without(self, made: Value, *operands: Value) -> Value:
        """Atoms of operands of which some are no value: none either."""
        if self.special:
            for words in operands:
                self.mark(made, np.broadcast_to(words[:, 0] == NAN, len(made)), NAN)
        return made

    def named(self, what: str, numbers: Numbers) -> Value:
        """Atoms that are told apart by a name and numbers, not by values."""
        self.keyed -= numbers.size
        self.inputs += numbers.size
        return self.drawn(numbered(what, self.seed, numbers))

    def drawn(self, found: Pairs) -> Value:
        """A digest as a symbol: as it is, or as random residues."""
        self.keyed += len(found)
        if not self.in_field:
            return found.view(np.uint32)
        made = np.zeros((len(found), self.width), np.uint32)
        made[:, :4] = _residues(found, 0x7FFFFFFF, self.p)
        if self.reading.laws:
            made[:, 4:8] = _residues(mix(found, start("exponent", self.seed).reshape(1, 2)), 0x3FFFFFFF, self.q)
        return made

    def symmetric(self, tag: str, one: Value, two: Value) -> Value:
        """An atom of two operands whose order does not count."""
        left, right = self.pairs(one), self.pairs(two)
        return self.without(self.drawn(digest(tag, self.seed, left + right, left * right)), one, two)

    def number(self, value: int) -> Value:
        """A small whole number, of the field or keyed."""
        made = np.zeros((1, self.width), np.uint32)
        made[:, :4] = [value % prime for prime in self.p.primes]
        if self.reading.laws:
            made[:, 4:8] = [value % prime for prime in self.q.primes]
        return made

    def rings(self, kind: Scalar) -> bool:
        """Whether arithmetic of a type is carried out in the field."""
        return self.reading.floats if kind.is_float else self.reading.ints

    # -- where symbols come from ----------------------------------------------------------------

    def lift(self, number: Lanes, kind: Scalar) -> Lanes:
        flat = np.ascontiguousarray(number).reshape(-1)
        if not self.rings(kind):
            bits = flat.astype(np.float64).view(np.int64) if kind.is_float else flat.astype(np.int64)
            return self.value(self.named(f"number {'bool' if kind == BOOL else kind.name}", bits), number)
        known: npt.NDArray[Any] = flat.astype(np.float64) if kind.is_float else flat.astype(np.int64) if kind == BOOL else flat
        finite = np.where(np.isfinite(known), known, 0) if kind.is_float else known
        made = np.zeros((flat.size, self.width), np.uint32)
        for modulus, columns in ((self.p, slice(0, 4)), (self.q, slice(4, 8)))[:1 + self.reading.laws]:
            made[:, columns] = modulus.of_floats(finite) if kind.is_float else modulus.of_integers(finite)
        self.note_bits(finite, is_float=kind.is_float)
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

    def gather(self, array: str, index: Lanes) -> Lanes:
        return self.value(self.atom(f"element {array}", self.words(index)), index)

    def note_bits(self, numbers: npt.NDArray[Any], *, is_float: bool) -> None:
        """Keep the largest size of a constant, in bits of its numerator and denominator."""
        if numbers.size:
            sizes = np.abs(np.frexp(numbers)[1]) + 53 if is_float else np.frexp(numbers.astype(np.float64))[1]
            bits = int(sizes.max())
            self.constant_bits = max(self.constant_bits, bits)

    # -- operations -----------------------------------------------------------------------------

    def unary(self, op: str, arg: Lanes, kind: Scalar) -> Lanes:
        words = self.words(arg)
        if op == "!" and self.in_field:
            return self.value(self.minus(self.number(1), words), arg)
        if self.rings(kind) and op in ("-", "~"):
            made = self.minus(self.number(0 if op == "-" else -1), words)
            if op == "-" and kind.is_float and self.reading.laws:
                made[:, 8:] = words[:, 8:]
                made[:, 8] ^= (words[:, 8:] != 0).any(axis=1)
            return self.value(made, arg)
        return self.value(self.atom(f"{op} {kind.name}", words), arg)

    def binary(self, op: str, left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
        return self.value(self.operation(op, self.words(left), self.words(right), kind), left, right)

    def operation(self, op: str, one: Value, two: Value, kind: Scalar) -> Value:
        """`one op two` on words."""
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
        if op in COMMUTES and (self.reading.commutative or op in ("&&", "||")):
            return self.symmetric(f"{op} {kind.name}", one, two)
        return self.atom(f"{op} {kind.name}", one, two)

    def ring(self, op: str, one: Value, two: Value) -> Value:
        """+, - or * in the field."""
        if self.width == 4:
            made = _ring(self.p, op, one, two)
        else:
            made = np.zeros((max(len(one), len(two)), self.width), np.uint32)
            made[:, :4] = _ring(self.p, op, one[:, :4], two[:, :4])
            made[:, 4:8] = _ring(self.q, op, one[:, 4:8], two[:, 4:8])
        if self.special and (one[:, 0].max(initial=0) >= INF or two[:, 0].max(initial=0) >= INF):
            self.extend(op, one, two, made)
        return made

    def minus(self, one: Value, two: Value) -> Value:
        return self.ring("-", one, two)

    def divide(self, one: Value, two: Value) -> Value:
        """A quotient of the field; a divisor that is zero gives no number."""
        zero, beyond, nothing = (two[:, :4] == 0).all(axis=1), two[:, 0] >= INF, two[:, 0] == NAN
        if zero.any() or beyond.any():
            two = two.copy()
            two[zero | beyond, :8] = 1
        made = self.ring("*", one, self.inverse(two))
        if zero.any() or beyond.any():
            self.special = True
            finite = np.broadcast_to(one[:, 0] < INF, len(made))
            vanishes = np.broadcast_to(beyond & ~nothing, len(made)) & finite
            self.mark(made, np.broadcast_to(zero | beyond, len(made)) & ~vanishes, NAN)
            made[vanishes] = 0
        return made

    def inverse(self, words: Value) -> Value:
        """The inverses of values that are not zero; the last ones are kept, for loops divide by one value again and again."""
        if np.array_equal(words, self.divisors):
            return self.inverted
        made = np.zeros_like(words)
        made[:, :4] = self.p.inverse(words[:, :4])
        if self.reading.laws:
            made[:, 4:8] = self.q.inverse(words[:, 4:8])
        self.divisors, self.inverted = words.copy(), made
        return made

    def compared(self, op: str, one: Value, two: Value, kind: Scalar) -> Value:
        """A comparison as a test: the atom of a strict one or of an equation, or what it leaves of 1."""
        if op == "!=" or (op == "<=" and (self.exact or kind.is_int)):
            positive = self.compared("==", one, two, kind) if op == "!=" else self.compared("<", two, one, kind)
            return self.minus(self.number(1), positive) if self.in_field else self.atom("! bool", positive)
        if op == "==":
            if not self.rings(kind):
                return self.symmetric(f"== {kind.name}", one, two)
            made = self.drawn(digest(f"== {'real' if kind.is_float else kind.bits}", self.seed, self.pairs(self.oriented(self.minus(one, two))[0])))
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

    def oriented(self, words: Value) -> tuple[Value, npt.NDArray[np.bool_]]:
        """Of a value and its opposite always the same one, and where that is the opposite."""
        turned = words[:, 0] > self.p.primes[0] // 2
        made = words.copy()
        if turned.any():
            made[turned] = self.minus(self.number(0), words[turned])
        return made, turned

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
        return self.value(self.atom(f"bits {source.name} {target.name}", self.words(arg)), arg)

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        return self.value(apply(self, function, [self.words(arg) for arg in args], kinds, result), *args)

    def degree(self, expr: Expr, parts: Sequence[Degree]) -> Degree:
        if not self.in_field:
            return 1.0, 0.0
        if makes_atoms(expr):
            self.key_degree = max(self.key_degree, *(n + d for n, d in parts), 1.0)
        return degree(expr, parts)

    def update(self, op: str, cells: Cells, slots: Numbers, args: list[Cells], kind: Scalar) -> bool:
        if op not in ("add", "sub") or not self.rings(kind) or self.special:
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

    # -- choices --------------------------------------------------------------------------------

    def select(self, test: Lanes, then: Lanes, other: Lanes, compared: Compared | None, kind: Scalar) -> Lanes:
        condition, one, two = self.words(test), self.words(then), self.words(other)
        if not self.in_field:
            return self.value(self.atom(f"? {kind.name}", condition, one, two), test, then, other)
        count = max(len(condition), len(one), len(two))
        condition, one, two = (np.broadcast_to(words, (count, self.width)) for words in (condition, one, two))
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
        factor = self.divide(self.minus(one, two), self.minus(right, left))
        constant = (factor[:, :4] == factor[:, :1]).all(axis=1)
        largest = self.maximum(left, right)
        found = self.ring("+", two, self.ring("*", factor, self.minus(largest, left)))
        as_max = (one[:, :4] == right[:, :4]).all(axis=1) & (two[:, :4] == left[:, :4]).all(axis=1)
        found[as_max] = largest[as_max]
        as_min = (one[:, :4] == left[:, :4]).all(axis=1) & (two[:, :4] == right[:, :4]).all(axis=1)
        if as_min.any():
            found[as_min] = self.minimum(left[as_min], right[as_min])
        made[rows[constant]] = found[constant]

    def maximum(self, one: Value, two: Value) -> Value:
        """The largest of the multisets of operands that two values are maxima of.

        Of two plain operands: x + relu(y - x), which shifts with both.
        """
        count = max(len(one), len(two))
        one, two = (np.broadcast_to(words, (count, self.width)) for words in (one, two))
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
        if self.special:
            for mine, other in ((one, two), (two, one)):
                made[mine[:, 0] == MINUS_INF] = other[mine[:, 0] == MINUS_INF]
            self.mark(made, (one[:, 0] == INF) | (two[:, 0] == INF), INF)
            self.mark(made, (one[:, 0] == NAN) | (two[:, 0] == NAN), NAN)
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

    # -- beyond the numbers ---------------------------------------------------------------------

    def mark(self, made: Value, which: npt.NDArray[np.bool_], code: np.uint32) -> None:
        made[which] = 0
        made[which, :4] = code

    def extend(self, op: str, one: Value, two: Value, made: Value) -> None:
        """+, - and * where an operand is no number: what is the same for all finite values of the other."""
        left, right = np.broadcast_arrays(one[:, 0], two[:, 0])
        rows = np.flatnonzero((left | right) >= INF)
        if not rows.size:
            return
        left, right = left[rows], right[rows].copy()
        if op == "-":
            right[right == INF], right[right == MINUS_INF] = MINUS_INF, INF
        codes = np.full(rows.size, NAN)
        if op != "*":
            keeps = (right < INF) | (left == right)
            codes[keeps] = left[keeps]
            codes[(left < INF)] = right[left < INF]
        else:
            both = (left >= INF) & (right >= INF) & (left != NAN) & (right != NAN)
            codes[both] = np.where(left[both] == right[both], INF, MINUS_INF)
        made[rows] = 0
        made[rows, :4] = codes[:, None]


def _ring(modulus: Modulus, op: str, one: Words, two: Words) -> Words:
    if op == "*":
        return modulus.multiply(one, two)
    return modulus.add(one, two) if op == "+" else modulus.subtract(one, two)


def _residues(found: Pairs, mask: int, modulus: Modulus) -> Words:
    """Random words as residues: those from the prime on wrap round, which makes some of them likelier by half."""
    return modulus.wrapped(modulus.wrapped(found.view(np.uint32) & np.uint32(mask)))
