"""128-bit digests of operations over the digests of their operands: two 64-bit words, hashed side by side.

Each word passes through multiplications and shifts (as in splitmix64: Steele, Lea, Flood, OOPSLA 2014), operand by
operand, so that the order of operands counts. Bounds on collisions take the hash for a random function.
"""

from __future__ import annotations

import hashlib
from functools import cache

import numpy as np
import numpy.typing as npt

Pairs = npt.NDArray[np.uint64]
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_WIDE, _NARROW = np.uint64(31), np.uint64(29)


@cache
def start(tag: str, seed: int) -> Pairs:
    """The two words that an operation's hash starts from."""
    return np.frombuffer(hashlib.blake2b(f"{seed}/{tag}".encode(), digest_size=16).digest(), np.uint64)


def mix(state: Pairs, operand: Pairs) -> Pairs:
    """The hash with one more operand taken in; shapes (n, 2), either of which may be one row for all."""
    found = state ^ operand
    found *= _FIRST
    found ^= found >> _WIDE
    found *= _SECOND
    found ^= found >> _NARROW
    return found


def digest(tag: str, seed: int, *operands: Pairs) -> Pairs:
    """The digest of an operation."""
    found = start(tag, seed).reshape(1, 2)
    for operand in operands:
        found = mix(found, operand)
    return found


def numbered(tag: str, seed: int, numbers: npt.NDArray[np.int64]) -> Pairs:
    """A digest for each number."""
    return digest(tag, seed, numbers.astype(np.uint64).reshape(-1, 1) * np.array([1, 0x9E3779B97F4A7C15], np.uint64))
