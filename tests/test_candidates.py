"""Models of products, from candidates of the linearised query: what is called a model is one."""

from __future__ import annotations

import random

import pytest
from formulas import holds

from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.atom import atom
from automata.logic.candidates import confirmed, factors
from automata.logic.ladder import _times_sizes, linearise
from automata.logic.poly import Formula, Poly
from automata.logic.smt import LONGEST, Sat, Solver, Unknown, Unsat, solve

NAMES = "abcdxy"
ATOMS = [atom(("candidate", name), name) for name in NAMES]
VALUES = [Poly.atom(each) for each in ATOMS]
A, B, C, D, X, Y = VALUES


def number(value: int) -> Poly:
    return Poly.number(value)


def found(formulas: list[Formula]) -> Sat | None:
    candidate = solve(linearise(formulas, Encoder()), {}, milliseconds=1000, is_linear=True)
    return confirmed(formulas, {}, candidate, 1000) if isinstance(candidate, Sat) else None


def drawn(rng: random.Random) -> list[Formula]:
    """Two to five relations between sums of products of up to three unknowns, some of them either-or."""
    def relation() -> Formula:
        total = number(rng.randint(-20, 20))
        for _ in range(rng.randint(1, 3)):
            term = number(rng.choice([-3, -2, -1, 1, 2, 5]))
            for _ in range(rng.randint(1, 3)):
                term = term * rng.choice(VALUES)
            total = total + term
        made = rng.choice([P.le, P.lt, P.eq])(total, number(0))
        return P.neg(made) if rng.random() < 0.2 else made

    return [P.disj((relation(), relation())) if rng.random() < 0.3 else relation() for _ in range(rng.randint(2, 5))]


@pytest.mark.parametrize("seed", range(40))
def test_a_model_is_one(seed: int) -> None:
    formulas = drawn(random.Random(seed))
    answer = found(formulas)
    if answer is not None:
        model = {each: 0 for each in ATOMS} | dict(answer.model)
        assert all(holds(formula, model) for formula in formulas)


def test_most_that_have_one_are_found() -> None:
    """So that the law above speaks of something."""
    assert sum(found(drawn(random.Random(seed))) is not None for seed in range(40)) >= 15


def test_factors_leave_no_product() -> None:
    formulas = [P.eq(A * B * C + X * X + D, number(0)), P.le(A * X, Y)]
    values = {each: number(3) for each in factors(formulas)}
    assert all(leaf.poly.replace(values).degree <= 1 for leaf in P.relations(formulas))
    assert factors([P.le(A + B, C)]) == []


def test_sizes_come_first() -> None:
    """A thread's number stays open where the size that it is multiplied with can have a number."""
    mine = atom(("candidate", "t"), "t", ATOMS[0].whose._replace(thread="1"))
    assert factors([P.le(Poly.atom(mine) * A, number(7))]) == [ATOMS[0]]


def test_what_has_no_model_has_none() -> None:
    assert found([P.eq(A * A, number(2)), P.le(number(0), A)]) is None
    assert found([P.lt(A * B, number(0)), P.le(number(0), A), P.le(number(0), B)]) is None


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_no_solver_is_asked_about_numbers_with_thousands_of_digits(solver: Solver) -> None:
    each = atom("long", "long")
    for bits, kind in ((LONGEST - 1, Unsat), (LONGEST, Unknown), (20_000, Unknown)):
        beyond = [P.le(Poly.number(1 << bits), Poly.atom(each)), P.le(Poly.atom(each), Poly.number(3))]
        assert isinstance(solve(beyond, {}, milliseconds=500, solver=solver), kind)


@pytest.mark.parametrize("seed", range(40))
def test_relations_times_sizes_follow(seed: int) -> None:
    """What is said of products holds wherever the relations do: at random numbers, negative ones among them."""
    rng = random.Random(seed)
    formulas = [*drawn(rng), P.le(A + X, Y + number(2)), P.le(A * B + X * B, Y * B)]
    lemmas = list(_times_sizes({leaf.poly for leaf in P.relations(formulas)}))
    assert lemmas
    for _ in range(200):
        model = {each: rng.randint(-4, 6) for each in ATOMS}
        assert all(holds(lemma, model) for lemma in lemmas)
