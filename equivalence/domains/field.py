"""Symbols as residues: atoms, arithmetic in the field, and what lies beyond its numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from automata.machine.numbers.ascending import ascending
from automata.machine.numbers.values import Lanes, Numbers
from automata.machine.symbols.domain import ATOM
from automata.scalar import Scalar
from equivalence.domains.digests import Pairs, digest, mix, numbered, start
from equivalence.domains.modular import Modulus, Words, points

INF, MINUS_INF, NAN = (np.uint32(0x80000000 + code) for code in range(3))
COMMUTES = frozenset({"+", "*", "&", "|", "^", "==", "&&", "||"})
RING = frozenset({"+", "-", "*"})
OPPOSITE = np.array([0x9E3779B9, 0x7F4A7C15, 0xF39CC060, 0x5CEDC834], np.uint32)
"""What a digest and that of the opposite test differ in; the first bit tells which is which."""

MOST_NUMERATORS = 4_096
COUNTS = ("keyed", "inputs", "key", "constant_bits", "numerators", "largest_numerator", "whole_divisor", "special")
"""What of a domain the bounds are made of."""

Value = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Reading:
    """Which operations are understood."""

    name: str
    commutative: bool = False
    ints: bool = False
    floats: bool = False
    laws: bool = False
    orders: bool = False


BITWISE = Reading("bitwise")
COMMUTATIVE = Reading("bitwise-commutative", commutative=True)
INT = Reading("int", commutative=True, ints=True)
REAL = Reading("real", commutative=True, ints=True, floats=True)
REAL_EXP_MAX = Reading("real-exp-max", commutative=True, ints=True, floats=True, laws=True)
READINGS = (BITWISE, COMMUTATIVE, INT, REAL, REAL_EXP_MAX)
ORDERED = (replace(INT, orders=True), replace(REAL_EXP_MAX, orders=True))
"""Readings with the laws of an order, which look at lanes one by one."""


def rows(words: Value, count: int) -> Value:
    """The words of a value that may be one for all, for so many lanes."""
    return words if len(words) == count else np.broadcast_to(words, (count, words.shape[1]))


class Field:
    """The domain of one reading. `side`: keeps apart what the two kernels never set; `seed`: draws the points.

    For the bound: `keyed`, how many atoms were made that their operands' values tell apart, and a bound on those (`key`);
    `constant_bits`: of numbers m/2^k, of the whole and k; `numerators`: those m; `whole_divisor`: up to where other whole
    numbers are divided by; `inputs`: how many other atoms. `special`: whether an infinity or NaN has come up.
    """

    def __init__(self, reading: Reading, side: str, seed: int) -> None:
        self.reading, self.side, self.seed = reading, side, seed
        drawn = points(seed)
        self.exponential, self.p, self.q = drawn.exponential, drawn.p if reading.laws else drawn.plain, drawn.q
        self.modulus = drawn.both if reading.laws else drawn.plain
        self.in_field, self.exact = reading.ints or reading.floats, reading.floats
        self.width = 12 if reading.laws else 4
        self.dtype: np.dtype[np.void] = np.dtype(f"V{4 * self.width}")
        self.keyed = self.inputs = 0
        self.key = ATOM
        self.constant_bits = 0.0, 0.0
        self.numerators: set[int] = set()
        self.largest_numerator = 1
        self.whole_divisor = 0.0
        self.special = False
        self.divisors = self.inverted = np.zeros((0, self.width), np.uint32)

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

    def without_zeros(self, made: Value, operand: Value) -> Value:
        """What is no value where an operand is zero."""
        is_zero = self.same(operand, rows(self.number(0), len(operand)))
        if not is_zero.any():
            return made
        self.special = True
        made = np.array(rows(made, max(len(made), len(operand))))
        self.mark(made, np.broadcast_to(is_zero, len(made)), NAN)
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

    def note_bits(self, numbers: npt.NDArray[Any]) -> None:
        """Keep the largest sizes of constants ±m·2^e with m odd: of the whole, in bits, and of -e; and what m there are."""
        fraction, exponent = np.frexp(numbers.astype(np.float64))
        whole = np.abs(fraction * 2.0**53).astype(np.int64)
        zeros = np.frexp((whole & -whole).astype(np.float64))[1] - 1
        power = np.where(whole == 0, 0, exponent - 53 + zeros)
        above = np.where(whole == 0, 0, exponent - (zeros == 52))
        over, under = self.constant_bits
        self.constant_bits = max(over, float(above.max(initial=0))), max(under, float(-power.min(initial=0)))
        odd = ascending(whole[whole != 0] >> zeros[whole != 0])
        self.largest_numerator = max(self.largest_numerator, int(odd.max(initial=1)))
        if len(self.numerators) <= MOST_NUMERATORS:
            self.numerators.update(odd.tolist())

    def divisor_bits(self) -> float:
        """The bits of the least common multiple of all numbers that may be divided by; of many: of all up to the largest (Rosser
        and Schoenfeld, Illinois J. Math. 1962, theorem 12: its logarithm is below 1.04 n)."""
        found, most = 0.0, self.whole_divisor
        if len(self.numerators) <= MOST_NUMERATORS:
            found = math.log2(math.lcm(*self.numerators))
        else:
            most = max(most, self.largest_numerator)
        return found + 1.04 * math.log2(math.e) * most

    def ring(self, op: str, one: Value, two: Value) -> Value:
        """+, - or * in the field."""
        made = self.residues(op, one, two)
        if self.special and (one[:, 0].max(initial=0) >= INF or two[:, 0].max(initial=0) >= INF):
            self.extend(op, one, two, made)
        return made

    def residues(self, op: str, one: Value, two: Value) -> Value:
        """The same for finite values."""
        if op == "*":
            return self.modulus.multiply(one, two)
        return self.modulus.add(one, two) if op == "+" else self.modulus.subtract(one, two)

    def summed(self, factors: Sequence[Value], rounds: int) -> Value:
        """The sums of values, or of products of two, over rounds."""
        return self.modulus.total(factors, rounds)

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

    def oriented(self, words: Value) -> tuple[Value, npt.NDArray[np.bool_]]:
        """Of a value and its opposite always the same one, and where that is the opposite."""
        turned = words[:, 0] > self.p.primes[0] // 2
        made = words.copy()
        if turned.any():
            made[turned] = self.minus(self.number(0), words[turned])
        return made, turned

    def same(self, one: Value, two: Value) -> npt.NDArray[np.bool_]:
        """Where two values are the same."""
        found: npt.NDArray[np.bool_] = (one[:, :4] == two[:, :4]).all(axis=1)
        return found

    def mark(self, made: Value, which: npt.NDArray[np.bool_], code: np.uint32) -> None:
        made[which] = 0
        made[which, :4] = code

    def extend(self, op: str, one: Value, two: Value, made: Value) -> None:
        """+, - and * where an operand is no number: what is the same for all finite values of the other."""
        left, right = np.broadcast_arrays(one[:, 0], two[:, 0])
        rows = np.flatnonzero((left | right) >= INF)
        if not rows.size:
            return
        left, right = left[rows], right[rows]
        if op == "-":
            right = np.select([right == INF, right == MINUS_INF], [MINUS_INF, INF], right)
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


def _residues(found: Pairs, mask: int, modulus: Modulus) -> Words:
    """Random words as residues: those from the prime on wrap round, which makes some of them likelier by half."""
    return modulus.wrapped(modulus.wrapped(found.view(np.uint32) & np.uint32(mask)))
