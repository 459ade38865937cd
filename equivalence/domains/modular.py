"""Arithmetic modulo two primes on NumPy arrays: residues are 32-bit words below 2^31.

P = 2Q + 1 with P and Q prime, so that the squares modulo P are a group of order Q: for a generator g of it and x modulo Q,
g^x is a well-defined element modulo P, and g^x · g^y = g^(x+y). That is all that `exponential` is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

P, Q = 2147483579, 1073741789
GENERATOR = 4
HALF = 15

Words = npt.NDArray[np.uint32]


class Unlucky(Exception):
    """A divisor is zero at a random point, though it is not zero: other points are needed."""


def wrapped(words: Words, modulus: int = P) -> Words:
    """Words below twice the modulus, below it."""
    found: Words = np.minimum(words, words - np.uint32(modulus))
    return found


def add(one: Words, two: Words, modulus: int = P) -> Words:
    total: Words = one + two
    return wrapped(total, modulus)


def subtract(one: Words, two: Words, modulus: int = P) -> Words:
    rest: Words = one - two
    found: Words = np.minimum(rest, rest + np.uint32(modulus))
    return found


def multiply(one: Words, two: Words, modulus: int = P) -> Words:
    product = one.astype(np.uint64) * two
    product -= product // np.uint64(modulus) * np.uint64(modulus)
    return product.astype(np.uint32)


def inverse(words: Words, modulus: int = P) -> Words:
    """The inverses of residues that are not zero: one inversion for all of them (Montgomery 1987, section 10.3.1)."""
    flat = words.reshape(-1)
    if not flat.all():
        raise Unlucky
    levels = [flat]
    while levels[-1].size > 1:
        level = levels[-1]
        if level.size % 2:
            level = levels[-1] = np.append(level, np.uint32(1))
        levels.append(multiply(level[::2], level[1::2], modulus))
    found = np.array([pow(int(levels[-1][0]), -1, modulus)], np.uint32)
    for level in reversed(levels[:-1]):
        below = np.empty_like(level)
        below[::2] = multiply(found[:level.size // 2], level[1::2], modulus)
        below[1::2] = multiply(found[:level.size // 2], level[::2], modulus)
        found = below
    return found[:flat.size].reshape(words.shape)


def _powers(base: int, count: int) -> Words:
    """base^0, base^1, …"""
    found = np.ones(count, np.uint32)
    known = 1
    while known < count:
        step = np.uint32(pow(base, known, P))
        found[known:2 * known] = multiply(found[:min(known, count - known)], np.full(1, step))
        known *= 2
    return found


_LOW = _powers(GENERATOR, 1 << HALF)
_HIGH = _powers(pow(GENERATOR, 1 << HALF, P), 1 << HALF)


def exponential(exponents: Words) -> Words:
    """GENERATOR^x modulo P for x modulo Q."""
    return multiply(_LOW[exponents & np.uint32((1 << HALF) - 1)], _HIGH[exponents >> np.uint32(HALF)])


def of_integers(numbers: npt.NDArray[Any], modulus: int = P) -> Words:
    """Integers of any type modulo a prime."""
    if numbers.dtype.kind == "u":
        return (numbers % np.asarray(modulus, numbers.dtype) if numbers.itemsize > 4 else
                numbers.astype(np.uint64) % np.uint64(modulus)).astype(np.uint32)
    return np.mod(numbers.astype(np.int64), np.int64(modulus)).astype(np.uint32)


_EXPONENTS: dict[int, Words] = {}
_LOWEST = -1200


def of_floats(numbers: npt.NDArray[np.float64], modulus: int = P) -> Words:
    """Finite doubles, as the rational numbers that they are, modulo a prime."""
    if modulus not in _EXPONENTS:
        _EXPONENTS[modulus] = np.array([pow(2, exponent, modulus) for exponent in range(_LOWEST, 1100)], np.uint32)
    fraction, exponent = np.frexp(numbers)
    whole = (fraction * 2.0**53).astype(np.int64)
    return multiply(of_integers(whole, modulus), _EXPONENTS[modulus][exponent - 53 - _LOWEST], modulus)
