"""Launches looked at in turn are those that all combinations one by one give."""

from __future__ import annotations

import random
from itertools import islice, product

import pytest

from automata.logic import terms as T
from automata.logic.terms import Term
from automata.proof.known.evaluation import Evaluation
from automata.proof.known.in_turn import InTurn, Range
from automata.scalar import I32, I64

NUMBERS = (1, 2, 3, 0, -1, 7)


def one_by_one(choices: dict[str, list[int]], derived: dict[str, Term], ranges: list[Range], required: list[Term],
               tried: int) -> list[dict[str, int]]:
    found = []
    for values in islice(product(*choices.values()), tried):
        sizes = dict(zip(choices, values, strict=True))
        for name, term in derived.items():
            value = Evaluation(term).at(sizes)
            sizes |= {} if value is None else {name: value}
        is_inside = all(name in sizes and (low := Evaluation(least).at(sizes)) is not None
                        and (high := Evaluation(largest).at(sizes)) is not None and low <= sizes[name] <= high
                        for name, least, largest in ranges)
        if is_inside and all(Evaluation(term).at(sizes) for term in required):
            found.append(sizes)
    return found


def random_term(draw: random.Random, names: list[str], depth: int) -> Term:
    kind = draw.random()
    if depth == 0 or kind < 0.2:
        name = draw.choice(names)
        return T.const(draw.choice(NUMBERS), I32) if kind < 0.05 else T.symbol(name, I32, T.Owner.LAUNCH)
    one, two = (random_term(draw, names, depth - 1) for _ in range(2))
    return T.binary(draw.choice("+-*/%"), one, two)


@pytest.mark.parametrize("at", range(60))
def test_the_same_as_one_by_one(at: int, pytestconfig: pytest.Config) -> None:
    draw = random.Random(pytestconfig.getoption("seed") * 1000 + at)
    names = ["a", "b", "c", "d"][:draw.randint(1, 4)]
    choices = {name: draw.sample(NUMBERS, draw.randint(1, 5)) for name in names}
    derived = {"e": random_term(draw, names, 2)} if draw.random() < 0.6 else {}
    derived |= {"f": random_term(draw, [*names, "e"], 2)} if derived and draw.random() < 0.6 else {}
    used = [*names, *derived]
    ranges = [(name, T.const(-100, I64), random_term(draw, used, 1)) for name in used if draw.random() < 0.5]
    required = [T.binary(draw.choice(("<", "<=", "!=")), random_term(draw, used, 2), random_term(draw, used, 2))
                for _ in range(draw.randint(0, 3))]
    tried = draw.choice((7, 50, 100_000))
    found = list(InTurn(choices, derived, ranges, required).admitted(tried))
    assert found == one_by_one(choices, derived, ranges, required, tried)


def test_a_size_that_nobody_gives_meets_nothing() -> None:
    known, missing = (T.symbol(name, I32, T.Owner.LAUNCH) for name in "ab")
    assert not list(InTurn({"a": [1, 2]}, {}, [], [T.binary("<", known, missing)]).admitted(10))
