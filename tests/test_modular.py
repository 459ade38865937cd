"""Arithmetic modulo four primes at once, against Python's integers."""

from __future__ import annotations

import numpy as np
import pytest

from equivalence.domains.modular import Modulus, Unlucky, is_prime, points

POINTS = points(7)
DRAW = np.random.default_rng(3)


@pytest.mark.parametrize("modulus", [POINTS.p, POINTS.q], ids=["values", "exponents"])
@pytest.mark.parametrize("rows", [1, 2, 7, 5000])
def test_ring_and_inverse(modulus: Modulus, rows: int) -> None:
    limits = np.array(modulus.primes)
    one, two = (DRAW.integers(0, limits, (rows, 4)).astype(np.uint32) for _ in range(2))
    one[0], two[0] = limits - 1, limits - 1
    wide, other = one.astype(object), two.astype(object)
    for made, wanted in ((modulus.add(one, two), wide + other), (modulus.subtract(one, two), wide - other),
                         (modulus.multiply(one, two), wide * other)):
        assert (made == wanted % limits.astype(object)).all()
    two[two == 0] = 1
    assert (modulus.multiply(modulus.inverse(two), two) == 1).all()


@pytest.mark.parametrize("rounds", [1, 3, 256, 257, 1000])
def test_sums_over_rounds(rounds: int) -> None:
    """Of residues and of products, the largest there are among them; idle columns come out as zeros."""
    both, limits = POINTS.both, np.array(POINTS.both.primes)
    one, two = (np.concatenate([DRAW.integers(0, limits, (rounds * 5, 8)), DRAW.integers(0, 1 << 32, (rounds * 5, 4))], axis=1)
                .astype(np.uint32) for _ in range(2))
    one[::5, :8], two[::5, :8] = limits - 1, limits - 1
    for factors in ([one], [one, two]):
        wide = [words[:, :8].astype(object).reshape(rounds, 5, 8) for words in factors]
        wanted = (wide[0] if len(wide) == 1 else wide[0] * wide[1]).sum(axis=0) % limits.astype(object)
        found = both.total(factors, rounds)
        assert (found[:, :8] == wanted).all() and not found[:, 8:].any()


@pytest.mark.parametrize("shape", [(1, 6), (6, 1), (6, 6), (1, 1)])
def test_one_row_stands_for_all(shape: tuple[int, int]) -> None:
    both, limits = POINTS.both, np.array(POINTS.both.primes + (1 << 32,) * 4)
    one, two = (np.broadcast_to(DRAW.integers(0, limits, (1, 12)).astype(np.uint32), (rows, 12)) for rows in shape)
    wide, other = one[0, :8].astype(object), two[0, :8].astype(object)
    for made, wanted in ((both.add(one, two), wide + other), (both.subtract(one, two), wide - other),
                         (both.multiply(one, two), wide * other)):
        assert made.shape == (max(shape), 12) and not made[:, 8:].any()
        assert (made[:, :8] == wanted % limits[:8].astype(object)).all()


def test_a_divisor_of_zero_is_unlucky() -> None:
    with pytest.raises(Unlucky):
        POINTS.p.inverse(np.array([[1, 2, 0, 4]], np.uint32))


def test_exponentials_turn_sums_into_products() -> None:
    one, two = (DRAW.integers(0, np.array(POINTS.q.primes), (100, 4)).astype(np.uint32) for _ in range(2))
    together = POINTS.exponential(POINTS.q.add(one, two))
    assert (together == POINTS.p.multiply(POINTS.exponential(one), POINTS.exponential(two))).all()


@pytest.mark.parametrize("value", [0.0, 1.0, -1.0, 0.1, 1e30, -1e-30, 3.5, 2.0**-149, 1.7976931348623157e308])
def test_doubles_are_the_rationals_that_they_are(value: float) -> None:
    top, bottom = value.as_integer_ratio()
    found = POINTS.p.of_floats(np.array([value]))[0]
    assert [int(word) for word in found] == [top * pow(bottom, -1, prime) % prime for prime in POINTS.p.primes]


def test_integers_of_every_type() -> None:
    for values in (np.array([-1, 0, 2**63 - 1, -(2**63)]), np.array([2**64 - 1, 0, 5], np.uint64), np.array([-128], np.int8)):
        found = POINTS.p.of_integers(values)
        assert [[int(word) for word in row] for row in found] == [[int(value) % prime for prime in POINTS.p.primes]
                                                                  for value in values]


def test_primes() -> None:
    assert [number for number in range(60) if is_prime(number)] == [
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]
    for seed in range(1, 4):
        drawn = points(seed)
        assert all(map(is_prime, (*drawn.p.primes, *drawn.q.primes))) and len(set(drawn.p.primes)) == 4
        assert all(p == 2 * q + 1 for p, q in zip(drawn.p.primes, drawn.q.primes, strict=True))
