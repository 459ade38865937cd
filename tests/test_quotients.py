"""Quotients by means of others: each against C's division, number by number."""

from __future__ import annotations

import random
from itertools import product

import pytest

from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder, Mode
from automata.logic.atom import Atom
from automata.logic.poly import Poly
from automata.logic.quotients import made_whole, multiple, parted
from automata.logic.terms import Owner, Term
from automata.scalar import I32

A: Term
H: Term
W: Term
SIZE: Term
REST: Term


@pytest.fixture(autouse=True)
def fresh_terms() -> None:
    """Terms of this test: those of an earlier one mean nothing once the pool was emptied."""
    global A, H, W, SIZE, REST
    A, H, W = (T.symbol(f"digits {name}", I32, Owner.LAUNCH) for name in "ahw")
    SIZE = T.binary("*", H, W)
    REST = T.binary("%", A, SIZE)


def towards_zero(left: int, right: int) -> int:
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def encoder_of(low: int = -1000, high: int = 1000) -> Encoder:
    """An encoder in which the product of the sizes and what is left of the number do not wrap."""
    ends = T.const(low, I32), T.const(high, I32)
    return Encoder(ranges=dict.fromkeys(map(T.symbol_of, (A, H, W)), ends), modes={SIZE: Mode.PLAIN, REST: Mode.PLAIN})


def number_of(encoder: Encoder, value: Poly, known: dict[Atom, int]) -> int:
    """A sum with every quotient in it carried out as C does."""
    for each in value.atoms() - known.keys():
        left, right = (number_of(encoder, part, known) for part in encoder.floors[each])
        known[each] = towards_zero(left, right)
    return value.value(known)


def names_of(encoder: Encoder) -> list[Atom]:
    return [next(iter(encoder.number(each, ANY).atoms())) for each in (A, H, W)]


@pytest.mark.parametrize("first", ["rest", "whole"])
def test_digits_of_a_rest_are_those_of_c(first: str) -> None:
    encoder = encoder_of()
    digit, left = T.binary("/", REST, W), T.binary("%", REST, W)
    for term in (T.binary("/", A, W), digit, left) if first == "whole" else (digit, left, T.binary("%", A, W)):
        encoder.number(term, ANY)
    assert encoder.number(left, ANY) == encoder.number(T.binary("%", A, W), ANY)
    for a, h, w in product(range(-30, 31), range(-4, 5), range(-4, 5)):
        if h and w:
            known = dict(zip(names_of(encoder), (a, h, w), strict=True))
            rest = a - towards_zero(a, h * w) * h * w
            assert number_of(encoder, encoder.number(digit, ANY), dict(known)) == towards_zero(rest, w)
            assert number_of(encoder, encoder.number(left, ANY), dict(known)) == rest - towards_zero(rest, w) * w


def test_a_rest_holds_nothing_of_what_it_is_left_by() -> None:
    """(a % w) / w is 0, of which nothing is to be noted."""
    rest = T.binary("%", A, W)
    encoder = Encoder(ranges=encoder_of().ranges, modes={rest: Mode.PLAIN})
    assert encoder.number(T.binary("/", rest, W), ANY) == Poly.number(0)
    assert encoder.number(T.binary("%", rest, W), ANY) == encoder.number(rest, ANY)


def test_only_a_multiple_is_a_multiple() -> None:
    h, w, a = (Poly.atom(each) for each in names_of(encoder_of()))
    assert multiple(h * w + w.scale(3), w) == h + Poly.number(3)
    assert multiple((h * w).scale(6), w.scale(3)) == h.scale(2)
    assert multiple((h * w).scale(6), w.scale(4)) is None
    assert multiple(h * w + a, w) is None
    assert multiple(h * w + Poly.number(1), w) is None
    assert multiple(h * w, w + Poly.number(1)) is None
    encoder = encoder_of()
    other = T.binary("/", T.binary("%", A, T.binary("+", SIZE, T.const(1, I32))), W)
    assert encoder.number(other, ANY).atoms() & encoder.floors.keys() == {next(iter(encoder.number(other, ANY).atoms()))}


@pytest.mark.parametrize("seed", range(40))
def test_a_sum_is_divided_as_c_divides_it(seed: int) -> None:
    dice = random.Random(seed)
    least = dice.choice((0, 0, -3))
    encoder = encoder_of(least, 7)
    size = dice.choice((2, 4, 8, 12, 16))
    factors = [dice.choice((0, 1, size // 2, size, 2 * size, -size, 3)) for _ in range(3)]
    total: Term = T.const(dice.randrange(-size, 2 * size), I32)
    for factor, each in zip(factors, (A, H, W), strict=True):
        total = T.binary("+", total, T.binary("*", T.const(factor, I32), each))
    sign = T.binary("/", total, T.const(size, I32)), T.binary("%", total, T.const(size, I32))
    shifted = T.binary(">>", total, T.const(3, I32))
    exact = parted(encoder.number(total, ANY), 8, encoder.interval)
    for numbers in product(range(least, 8), repeat=3):
        known = dict(zip(names_of(encoder), numbers, strict=True))
        value = encoder.number(total, ANY).value(known)
        quotient = towards_zero(value, size)
        assert number_of(encoder, encoder.number(sign[0], ANY), dict(known)) == quotient
        assert number_of(encoder, encoder.number(sign[1], ANY), dict(known)) == value - quotient * size
        if exact is not None:
            assert encoder.number(shifted, ANY) == exact
            assert number_of(encoder, exact, dict(known)) == value >> 3


def floored(encoder: Encoder, value: Poly, known: dict[Atom, int]) -> int:
    """A sum with every quotient in it rounded down."""
    for each in value.atoms() - known.keys():
        left, right = (floored(encoder, part, known) for part in encoder.floors[each])
        known[each] = left // right
    return value.value(known)


def cut(encoder: Encoder, number: Poly, strides: list[int]) -> Poly:
    """A number cut into digits by falling strides, which are put together again."""
    whole = Poly({})
    for stride in strides:
        whole = whole + encoder.floor_quotient(number - whole, Poly.number(stride)).scale(stride)
    return whole


def test_digits_of_nested_strides_are_one_quotient() -> None:
    encoder = encoder_of()
    number = Poly.atom(names_of(encoder)[0]) - Poly.number(5)
    whole = made_whole(cut(encoder, number, [64, 32, 8]) - number, encoder)
    assert whole == encoder.floor_quotient(number, Poly.number(8)).scale(8) - number


def test_a_sum_of_digits_keeps_its_value() -> None:
    chosen = random.Random(7)
    changed = 0
    for _ in range(300):
        encoder = encoder_of()
        names = names_of(encoder)
        number = Poly.number(chosen.randrange(-9, 9)) + sum(
            (Poly.atom(each).scale(chosen.randrange(-5, 6)) for each in names), Poly({}))
        several = ([chosen.choice([2, 3, 4, 6, 8, 12, 24]) for _ in range(3)] for _ in range(2))
        value = sum((cut(encoder, number, strides).scale(chosen.choice([1, 1, 2])) for strides in several), Poly({}))
        whole = made_whole(value, encoder)
        changed += whole != value
        for _ in range(20):
            known = {each: chosen.randrange(-200, 200) for each in names}
            assert floored(encoder, whole, dict(known)) == floored(encoder, value, dict(known))
    assert changed > 30
