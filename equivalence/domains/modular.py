"""Arithmetic at four points at once, each modulo its own prime, on NumPy arrays of shape (n, 4).

The primes are drawn at random, so that no constant of a source is congruent to another by design. Where there are
exponents, each is P = 2Q + 1 with P and Q prime, so that the squares modulo P are a group of order Q: for a generator g of it
and x modulo Q, g^x is a well-defined element modulo P, and g^x · g^y = g^(x+y). Residues are 32-bit words below 2^31.
"""

from __future__ import annotations

import random
import sys
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
_ROUNDS = 1.5 * 2.0**52
_LOWER = int(sys.byteorder == "big")
_AT_ONCE = 256

Words = npt.NDArray[np.uint32]
Tiles = tuple[Words, npt.NDArray[np.float64]]


class Unlucky(Exception):
    """A divisor is zero at a random point, though it is not zero: other points are needed."""


class Modulus:
    """Arithmetic modulo several primes, one for each column. `idle`: columns behind them, whose words mean nothing here and
    become zero: an array that is worked on as a whole is several times faster than one of its parts."""

    def __init__(self, primes: tuple[int, ...], idle: int = 0) -> None:
        self.primes, self.idle = primes, idle
        self._row = np.array(primes + (1,) * idle, np.uint32)
        self._tiles = self._tiled(_TILE)
        self._powers = np.array([[pow(2, exponent, prime) for prime in primes] for exponent in _EXPONENTS], np.uint32)

    def _tiled(self, rows: int) -> Tiles:
        """The primes and their inverses, a row for each value: broadcasting along short rows would be slow."""
        words = np.tile(self._row, (rows, 1))
        return words, 1.0 / words

    def tiles(self, rows: int) -> Tiles:
        """The same for so many rows. Both sides of a comparison may ask at once, so both are replaced together."""
        tiles = self._tiles
        if rows > len(tiles[0]):
            tiles = self._tiles = self._tiled(1 << (rows - 1).bit_length())
        return tiles[0][:rows], tiles[1][:rows]

    def cleared(self, words: Words) -> Words:
        """The same words, idle ones zero."""
        if self.idle:
            words[:, -self.idle:].view(np.uint64)[:] = 0
        return words

    def wrapped(self, words: Words) -> Words:
        """Words below twice the primes, below them."""
        found: Words = np.minimum(words, words - self.tiles(len(words))[0])
        return found

    def add(self, one: Words, two: Words) -> Words:
        return self.cleared(self.wrapped(np.add(one, two, order="C")))

    def subtract(self, one: Words, two: Words) -> Words:
        rest: Words = np.subtract(one, two, order="C")
        found: Words = np.minimum(rest, rest + self.tiles(len(rest))[0])
        return self.cleared(found)

    def multiply(self, one: Words, two: Words) -> Words:
        """Products."""
        if len(one) < len(two):
            one, two = two, one
        about = one.view(np.int32).astype(np.float64, order="C")
        about *= two.view(np.int32)
        return self.cleared(self.remainder(about, np.multiply(one, two, order="C")))

    def remainder(self, about: npt.NDArray[np.float64], low: Words) -> Words:
        """Whole numbers modulo the primes, from about what they are and their lowest 32 bits; both are overwritten.

        The quotient is rounded by adding 1.5 · 2^52: its lowest bits are those of the sum. Off by less than 1/32 before that,
        it leaves a remainder between -17/32 and 17/32 of a prime below 2^31, of which 32 bits tell all. No step of this converts
        between 64-bit integers and doubles, so that all of it goes by vector instructions.
        """
        prime, inverse = self.tiles(len(low))
        about *= inverse
        about += _ROUNDS
        quotient = about.view(np.uint32)[:, _LOWER::2] * prime
        low -= quotient
        np.add(low, prime, out=quotient)
        found: Words = np.minimum(low, quotient, out=low)
        return found

    def total(self, factors: Sequence[Words], rounds: int) -> Words:
        """Sums over rounds of residues, or of products of two; shapes (rounds · n, columns)."""
        shaped = [words.reshape(rounds, len(words) // rounds, -1) for words in factors]
        found: Words | None = None
        for first in range(0, rounds, _AT_ONCE):
            part = self.partial([words[first:first + _AT_ONCE] for words in shaped])
            found = part if found is None else self.wrapped(found + part)
        assert found is not None
        return self.cleared(found)

    def partial(self, factors: Sequence[Words]) -> Words:
        """The same over at most so many rounds that doubles are near enough: the sum of 2^8 products is off by 2^-45 of
        itself at most, and is below 2^39 primes. Shapes (rounds, n, columns)."""
        if len(factors) == 1:
            sums = factors[0].sum(axis=0, dtype=np.uint64)
            return self.remainder(sums.astype(np.float64), sums.astype(np.uint32))
        about = np.einsum("rnk,rnk->nk", *(words.view(np.int32).astype(np.float64) for words in factors), order="C")
        return self.remainder(about, np.einsum("rnk,rnk->nk", *factors, order="C"))

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
    """The primes that one seed draws: values are taken modulo `plain`, or modulo `p` with exponents modulo `q`; `both` are the
    columns of those, and what else a symbol has."""

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
        self.both = Modulus(self.p.primes + self.q.primes, idle=4)
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
