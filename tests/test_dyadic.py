"""Floats that are computed without rounding: what is said of them, held to C's arithmetic number by number."""

from __future__ import annotations

import random
from math import prod

import pytest

from automata import arithmetic
from automata.logic import terms as T
from automata.logic.arith import Encoder
from automata.logic.dyadic import Exactly
from automata.logic.poly import Poly
from automata.logic.terms import Owner, Term
from automata.logic.views import ANY
from automata.scalar import BF16, F16, F32, F64, I16, I32, I64, Scalar

X: Term
FACTORS = (0.5, 2.0, 32.0, -4.0, 3.0, 0.75, 1 / 3, 0.1, 1e30, 2.0 ** -14, 2.0 ** -149, 0.0, -0.0, float("inf"), float("nan"))


@pytest.fixture(autouse=True)
def fresh_terms() -> None:
    """Terms of this test: those of an earlier one mean nothing once the pool was emptied."""
    global X
    X = T.symbol("x", I64, Owner.THREAD)


def made(kind: Scalar, chance: random.Random, depth: int) -> Term:
    """A random float term over x."""
    if depth == 0 or chance.random() < 0.15:
        if chance.random() < 0.6:
            offset = T.const(chance.choice((0, 1, -3, 1000)), I64)
            return T.cast(T.binary("+", T.binary("*", X, T.const(chance.choice((1, 3, -2)), I64)), offset), kind)
        return T.const(kind.round(chance.choice(FACTORS)), kind)
    if chance.random() < 0.2:
        return T.cast(made(chance.choice((F16, BF16, F32, F64)), chance, depth - 1), kind)
    if chance.random() < 0.1:
        return T.unary("-", made(kind, chance, depth - 1))
    return T.binary(chance.choice("+-*/"), made(kind, chance, depth - 1), made(kind, chance, depth - 1))


def worth(term: Term, x: int) -> int | float:
    """What C makes of a term."""
    if term is X:
        return x
    constant = T.constant_value(term)
    if constant is not None:
        return constant
    args = [worth(arg, x) for arg in term.args]
    if term.op == "cast":
        return arithmetic.cast(args[0], term.args[0].type, term.type)
    if term.op == "neg":
        return arithmetic.unary("-", args[0], term.type)
    return arithmetic.binary(term.op, args[0], args[1], term.args[0].type)


def at(value: Poly, x: int) -> int:
    """A polynomial in x at a number."""
    return sum(factor * prod(x for _ in mono) for mono, factor in value.terms.items())


def exactly(low: int, high: int) -> tuple[Encoder, Exactly]:
    encoder = Encoder(ranges={T.symbol_of(X): (T.const(low, I64), T.const(high, I64))})
    return encoder, Exactly(encoder, lambda term: encoder.index(term, ANY))


@pytest.mark.drawn(40)
def test_what_is_said_to_be_exact_is(seed: int) -> None:
    chance, said = random.Random(seed), 0
    for _ in range(150):
        low = chance.choice((0, 1, -5, 250, 2040, (1 << 24) - 5, (1 << 53) - 5))
        high = low + chance.choice((0, 3, 20))
        kind = chance.choice((F16, BF16, F32, F64))
        term = made(kind, chance, chance.randint(1, 4))
        encoder, reader = exactly(low, high)
        found = reader.value(term)
        if found is None:
            continue
        said += 1
        whole = reader.whole(term, I32)
        for x in range(low, high + 1):
            value = worth(term, x)
            assert value * 2 ** found.shift == at(found.number, x), (str(term), x)
            if whole is not None:
                assert int(value) == at(found.number, x) >> found.shift and I32.holds(int(value))
        if whole is not None and found.shift and whole.constant is None:
            assert encoder.floors[next(iter(whole.atoms()))] == (found.number, Poly.number(1 << found.shift))
    assert said >= 10


@pytest.mark.parametrize(("kind", "low", "high", "is_exact"), [
    (F32, 0, 1 << 24, True), (F32, 0, (1 << 24) + 1, False), (F32, -(1 << 24), 0, True), (F32, -(1 << 24) - 1, 0, False),
    (F16, 0, 2048, True), (F16, 0, 2049, False), (BF16, 0, 256, True), (BF16, 0, 257, False),
    (F64, 0, 1 << 53, True), (F64, 0, (1 << 53) + 1, False)], ids=str)
def test_how_far_whole_numbers_are_exact(kind: Scalar, low: int, high: int, is_exact: bool) -> None:
    _, reader = exactly(low, high)
    assert (reader.value(T.cast(X, kind)) is not None) == is_exact


def test_what_may_be_subnormal_is_not_exact() -> None:
    _, reader = exactly(0, 1)
    for kind, smallest in ((F16, 14), (BF16, 126), (F32, 126)):
        for power, is_exact in ((smallest, True), (smallest + 1, False)):
            term = T.binary("*", T.cast(X, kind), T.const(2.0 ** -power, kind))
            assert (reader.value(term) is not None) == is_exact


def test_what_may_be_negative_is_not_cut() -> None:
    half = T.binary("/", T.cast(X, F32), T.const(2.0, F32))
    for low, is_known in ((-1, False), (0, True)):
        _, reader = exactly(low, 9)
        assert (reader.whole(half, I32) is not None) == is_known
    _, reader = exactly(0, 1 << 20)
    assert reader.whole(T.cast(X, F32), I32) is not None
    assert reader.whole(T.cast(X, F32), I16) is None
