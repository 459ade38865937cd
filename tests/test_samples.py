"""Models of earlier queries: what fits holds, and nobody is told of more than there is."""

from __future__ import annotations

import random

import pytest
from formulas import holds
from test_candidates import ATOMS, VALUES, drawn

from automata.logic import ladder
from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.ladder import Limits, Query, decide
from automata.logic.poly import Formula, Poly
from automata.logic.samples import Sample
from automata.logic.smt import Answer, Sat, Unsat

LIMITS = Limits(linear=500, linearised=500, nonlinear=100, first=100)
A, B, C, D, X, Y = VALUES
ONE, TEN = Poly.number(1), Poly.number(10)


def with_things(encoder: Encoder) -> tuple[Poly, Poly]:
    """A quotient by a size, and a choice by facts: x where y < 10, else y."""
    quotient = encoder.made_of("test quotient", "q", (X, A))
    encoder.floors[quotient] = X, A
    q = Poly.atom(quotient)
    encoder.facts[quotient] = [P.implies(P.le(ONE, A), P.conj((P.le(q * A, X), P.lt(X, q * A + A))))]
    choice = encoder.made_of("test choice", "c", (X, Y))
    c = Poly.atom(choice)
    below = P.lt(Y, TEN)
    encoder.facts[choice] = [P.disj((P.neg(below), P.eq(c, X))), P.disj((below, P.eq(c, Y)))]
    return q, c


def asked(seed: int, encoder: Encoder) -> list[list[Formula]]:
    """Twenty queries under the same facts, some of them about a quotient and a choice."""
    rng = random.Random(seed)
    q, c = with_things(encoder)
    facts = [P.le(ONE, A), P.le(A, Poly.number(50)), P.lt(Poly.number(-1), X), *drawn(rng)[:1]]
    return [[*facts, P.neg(P.eq(rng.choice([q, c, X, B * A]), rng.choice([q * B, c + ONE, Y, X + A]))), *drawn(rng)[:1]]
            for _ in range(20)]


@pytest.mark.parametrize("seed", range(12))
def test_no_answer_changes_to_the_opposite(seed: int) -> None:
    """With the models of earlier queries a query has a model only where it does not lack one without them."""
    together = Encoder()
    for formulas in asked(seed, together):
        answer = decide(Query(formulas, together), LIMITS, model=False)
        alone = Encoder()
        with_things(alone)
        apart = decide(Query(formulas, alone), LIMITS, model=True)
        assert {type(answer), type(apart)} != {Sat, Unsat}
        if isinstance(answer, Sat):
            complete = Query(formulas, together).complete()
            model = {each: 0 for each in ATOMS} | dict(answer.model)
            assert all(holds(formula, model) for formula in complete)


def test_most_are_answered_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the law above speaks of something: at most one query in three comes to a solver."""
    count = [0]
    solving = ladder._decided

    def counted(query: Query, formulas: list[Formula], limits: Limits, *, model: bool = True) -> Answer:
        count[0] += 1
        return solving(query, formulas, limits, model=model)

    monkeypatch.setattr(ladder, "_decided", counted)
    encoder = Encoder()
    places = [A * Y + X + Poly.number(each) for each in range(8)]
    for one in range(8):
        for two in range(one):
            decide(Query([P.le(ONE, A), P.le(ONE, X), P.neg(P.eq(places[one], places[two] + B))], encoder), LIMITS, model=False)
    assert count[0] <= 9


def test_a_quotient_and_a_choice_are_what_they_are_made_of() -> None:
    encoder = Encoder()
    q, c = with_things(encoder)
    values = dict(zip(ATOMS, (7, 0, 0, 0, 23, 9), strict=True))
    sample = Sample(values, encoder)
    assert sample.number(q) == 3
    assert sample.number(c) == 23
    assert Sample(values | {ATOMS[5]: 12}, encoder).number(c) == 12


def test_a_choice_of_itself_ends() -> None:
    """Facts in a circle decide nothing; what was found on the way is not kept as if it were certain."""
    encoder = Encoder()
    one, two = (encoder.made_of(name, name, (X,)) for name in ("first", "second"))
    encoder.facts[one] = [P.eq(Poly.atom(one), Poly.atom(two) + ONE)]
    encoder.facts[two] = [P.disj((P.le(Poly.atom(one), ONE), P.eq(Poly.atom(two), Poly.number(5))))]
    sample = Sample({}, encoder)
    assert sample.number(Poly.atom(one)) == sample.number(Poly.atom(two)) + 1
    assert sample.holds(P.le(Poly.atom(one), ONE)) == (sample.number(Poly.atom(one)) <= 1)
