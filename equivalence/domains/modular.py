"""Arithmetic at four points at once, each modulo its own prime, on NumPy arrays of shape (n, 4).

The primes are drawn at random, so that no constant of a source is congruent to another by design. Where there are
exponents, each is P = 2Q + 1 with P and Q prime, so that the squares modulo P are a group of order Q: for a generator g of it
and x modulo Q, g^x is a well-defined element modulo P, and g^x · g^y = g^(x+y). Residues are 32-bit words below 2^31.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

LOWEST, HIGHEST = 1 << 29, 1 << 30
"""Between them lie the Q."""

POOL, SAFE_POOL = 25.5, 20.0
"""How many primes there are to draw from, at least, and of those with exponents: 2 to this."""

GENERATOR = 4
HALF = 15
_TILE = 1 << 12
_EXPONENTS = range(-1200, 1100)

Words = npt.NDArray[np.uint32]
Wide = npt.NDArray[np.uint64]
Tiles = tuple[Words, npt.NDArray[np.uint64], npt.NDArray[np.float64]]


class Unlucky(Exception):
    """A divisor is zero at a random point, though it is not zero: other points are needed."""


class Modulus:
    """Arithmetic modulo four primes, one for each column."""

    def __init__(self, primes: tuple[int, ...]) -> None:
        self.primes = primes
        self._tiles = self._tiled(_TILE)
        self._powers = np.array([[pow(2, exponent, prime) for prime in primes] for exponent in _EXPONENTS], np.uint32)

    def _tiled(self, rows: int) -> Tiles:
        """The primes and their inverses, a row for each value: broadcasting along rows of four would be slow."""
        words = np.tile(np.array(self.primes, np.uint32), (rows, 1))
        return words, words.astype(np.uint64), 1.0 / words

    def tiles(self, rows: int) -> Tiles:
        """The same for so many rows. Both sides of a comparison may ask at once, so all three are replaced together."""
        tiles = self._tiles
        if rows > len(tiles[0]):
            tiles = self._tiles = self._tiled(1 << (rows - 1).bit_length())
        return tiles[0][:rows], tiles[1][:rows], tiles[2][:rows]

    def wrapped(self, words: Words) -> Words:
        """Words below twice the primes, below them."""
        found: Words = np.minimum(words, words - self.tiles(len(words))[0])
        return found

    def add(self, one: Words, two: Words) -> Words:
        return self.wrapped(one + two)

    def subtract(self, one: Words, two: Words) -> Words:
        rest = one - two
        found: Words = np.minimum(rest, rest + self.tiles(len(rest))[0])
        return found

    def multiply(self, one: Words, two: Words) -> Words:
        """Products."""
        return self.reduced(one.astype(np.uint64) * two).astype(np.uint32)

    def reduced(self, sums: Wide) -> Wide:
        """64-bit words modulo the primes, by a quotient in floating point that is off by at most one; they are overwritten."""
        _, prime, inverse = self.tiles(len(sums))
        sums -= (sums * inverse).astype(np.uint64) * prime
        found: Wide = np.minimum(np.minimum(sums, sums + prime), sums - prime)
        return found

    def total(self, factors: Sequence[Words], rounds: int) -> Words:
        """Sums over rounds of residues, or of products of two; shapes (rounds · n, 4). Four products fit into 64 bits, and
        four thousand million residues."""
        count = len(factors[0]) // rounds
        sums = factors[0].reshape(rounds, count, -1)
        if len(factors) == 2:
            products = np.multiply(sums, factors[1].reshape(rounds, count, -1), dtype=np.uint64)
            whole = rounds // 4 * 4
            fours = products[:whole].reshape(whole // 4, 4, count, -1).sum(axis=1)
            groups = [fours, products[whole:].sum(axis=0)[None]]
            sums = np.concatenate([self.reduced(group.reshape(-1, 4)).reshape(group.shape) for group in groups])
        return self.reduced(sums.sum(axis=0, dtype=np.uint64)).astype(np.uint32)

    def inverse(self, words: Words) -> Words:
        """The inverses of residues that are not zero: one inversion for all rows (Montgomery 1987, section 10.3.1)."""
        if not words.all():
            raise Unlucky
        levels = [words]
        while len(levels[-1]) > 1:
            level = levels[-1]
            if len(level) % 2:
                level = levels[-1] = np.concatenate([level, np.ones((1, level.shape[1]), np.uint32)])
            levels.append(self.multiply(level[::2], level[1::2]))
        found = np.array([[pow(int(word), -1, prime) for word, prime in zip(levels[-1][0], self.primes, strict=True)]], np.uint32)
        for level in reversed(levels[:-1]):
            below = np.empty_like(level)
            half = found[:len(level) // 2]
            below[::2] = self.multiply(half, level[1::2])
            below[1::2] = self.multiply(half, level[::2])
            found = below
        return found[:len(words)]

    def of_integers(self, numbers: npt.NDArray[Any]) -> Words:
        """Integers of any type modulo the primes."""
        wide = numbers.astype(np.uint64 if numbers.dtype.kind == "u" else np.int64)
        found = np.empty((numbers.size, len(self.primes)), np.uint32)
        for column, prime in enumerate(self.primes):
            found[:, column] = np.mod(wide, wide.dtype.type(prime))
        return found

    def of_floats(self, numbers: npt.NDArray[np.float64]) -> Words:
        """Finite doubles, as the rational numbers that they are, modulo the primes."""
        fraction, exponent = np.frexp(numbers)
        whole = self.of_integers((fraction * 2.0**53).astype(np.int64))
        return self.multiply(whole, self._powers[exponent - 53 - _EXPONENTS.start])


class Points:
    """The primes that one seed draws: values are taken modulo `plain`, or modulo `p` with exponents modulo `q`."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        found: list[int] = []
        while len(found) < 4:
            prime = draw.randrange(LOWEST + 1, HIGHEST, 2)
            if prime not in found and prime % 3 == 2 and is_prime(prime) and is_prime(2 * prime + 1):
                found.append(prime)
        plain: list[int] = []
        while len(plain) < 4:
            prime = draw.randrange(2 * LOWEST + 1, 2 * HIGHEST, 2)
            if prime not in plain and is_prime(prime):
                plain.append(prime)
        self.plain = Modulus(tuple(plain))
        self.q = Modulus(tuple(found))
        self.p = Modulus(tuple(2 * prime + 1 for prime in found))
        low = [_powers(GENERATOR, prime) for prime in self.p.primes]
        high = [_powers(pow(GENERATOR, 1 << HALF, prime), prime) for prime in self.p.primes]
        self._low, self._high = np.concatenate(low), np.concatenate(high)
        self._start = np.arange(4, dtype=np.uint32) << np.uint32(HALF)

    def exponential(self, exponents: Words) -> Words:
        """GENERATOR^x for x modulo Q."""
        low = self._low[(exponents & np.uint32((1 << HALF) - 1)) + self._start]
        return self.p.multiply(low, self._high[(exponents >> np.uint32(HALF)) + self._start])


@cache
def points(seed: int) -> Points:
    """The points of a seed: the same for both sides."""
    return Points(seed)


def is_prime(number: int) -> bool:
    """Miller's test with bases that settle all numbers below 2^32 (Jaeschke, Math. Comp. 1993)."""
    if number < 2 or any(number % small == 0 for small in (2, 3, 5, 7, 11, 13)):
        return number in (2, 3, 5, 7, 11, 13)
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(_passes(pow(base, odd, number), number, twos) for base in (2, 7, 61))


def _passes(power: int, number: int, twos: int) -> bool:
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


def _powers(base: int, prime: int) -> Words:
    """base^0, base^1, …, as many as half of an exponent tells apart."""
    found, value = np.empty(1 << HALF, np.uint32), 1
    for number in range(1 << HALF):
        found[number] = value
        value = value * base % prime
    return found
