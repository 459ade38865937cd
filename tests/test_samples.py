"""Models of earlier queries: what fits holds, and nobody is told of more than there is."""

from __future__ import annotations

import random

import pytest
from formulas import holds

from automata.logic import ladder
from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.atom import Atom, atom
from automata.logic.ladder import Limits, Query, decide
from automata.logic.poly import Formula, Poly
from automata.logic.samples import Sample
from automata.logic.smt import Answer, Sat, Unsat

LIMITS = Limits(linear=500, linearised=500, nonlinear=100, first=100)
ONE, TEN = Poly.number(1), Poly.number(10)


class Room:
    """An encoder with four integers, a quotient by one, and a choice by facts: x where y < 10, else y. Its atoms are of one test,
    for atoms are numbered anew between kernels."""

    def __init__(self) -> None:
        self.encoder = encoder = Encoder()
        self.atoms = [atom(("sample", name), name) for name in "abxy"]
        self.a, self.b, self.x, self.y = map(Poly.atom, self.atoms)
        quotient = encoder.made_of("test quotient", "q", (self.x, self.a))
        encoder.floors[quotient] = self.x, self.a
        self.q = q = Poly.atom(quotient)
        between = P.conj((P.le(q * self.a, self.x), P.lt(self.x, q * self.a + self.a)))
        encoder.facts[quotient] = [P.implies(P.le(ONE, self.a), between)]
        choice = encoder.made_of("test choice", "c", (self.x, self.y))
        self.c = Poly.atom(choice)
        below = P.lt(self.y, TEN)
        encoder.facts[choice] = [P.disj((P.neg(below), P.eq(self.c, self.x))), P.disj((below, P.eq(self.c, self.y)))]

    def relation(self, rng: random.Random) -> Formula:
        values = [self.a, self.b, self.x, self.y]
        total = sum((rng.choice(values) * rng.choice([ONE, *values]) * Poly.number(rng.choice([-2, -1, 1, 3]))
                     for _ in range(rng.randint(1, 3))), Poly.number(rng.randint(-20, 20)))
        return rng.choice([P.le, P.eq])(total, Poly.number(0))

    def asked(self, rng: random.Random) -> list[list[Formula]]:
        """Twenty queries under the same facts, some of them about the quotient and the choice."""
        facts = [P.le(ONE, self.a), P.le(self.a, Poly.number(50)), P.le(Poly.number(0), self.x), self.relation(rng)]
        ones, others = [self.q, self.c, self.x, self.b * self.a], [self.q * self.b, self.c + ONE, self.y, self.x + self.a]
        return [[*facts, P.neg(P.eq(rng.choice(ones), rng.choice(others))), self.relation(rng)] for _ in range(20)]

    def numbers(self, *values: int) -> dict[Atom, int]:
        return dict(zip(self.atoms, values, strict=True))


@pytest.mark.parametrize("seed", range(12))
def test_no_answer_changes_to_the_opposite(seed: int) -> None:
    """With the models of earlier queries a query has a model only where it does not lack one without them."""
    together, apart = Room(), Room()
    pairs = zip(together.asked(random.Random(seed)), apart.asked(random.Random(seed)), strict=True)
    for mine, yours in pairs:
        answer = decide(Query(mine, together.encoder), LIMITS, model=False)
        apart.encoder.answers.clear()
        assert {type(answer), type(decide(Query(yours, apart.encoder), LIMITS, model=True))} != {Sat, Unsat}
        if isinstance(answer, Sat):
            complete = Query(mine, together.encoder).complete()
            model = {each: 0 for formula in complete for each in P.atoms(formula)} | dict(answer.model)
            assert all(holds(formula, model) for formula in complete)


def test_most_are_answered_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the law above speaks of something: at most one query in three comes to a solver."""
    count = [0]
    solving = ladder._decided

    def counted(query: Query, formulas: list[Formula], limits: Limits, *, model: bool = True) -> Answer:
        count[0] += 1
        return solving(query, formulas, limits, model=model)

    monkeypatch.setattr(ladder, "_decided", counted)
    room = Room()
    places = [room.a * room.y + room.x + Poly.number(each) for each in range(8)]
    for one in range(8):
        for two in range(one):
            differ = P.neg(P.eq(places[one], places[two] + room.b))
            decide(Query([P.le(ONE, room.a), P.le(ONE, room.x), differ], room.encoder), LIMITS, model=False)
    assert count[0] <= 9


def test_a_quotient_and_a_choice_are_what_they_are_made_of() -> None:
    room = Room()
    sample = Sample(room.numbers(7, 0, 23, 9), room.encoder)
    assert sample.number(room.q) == 3
    assert sample.number(room.c) == 23
    assert Sample(room.numbers(7, 0, 23, 12), room.encoder).number(room.c) == 12


def test_a_choice_of_itself_ends() -> None:
    """Facts in a circle decide nothing; what was found on the way is not kept as if it were certain."""
    room, encoder = Room(), Encoder()
    one, two = (encoder.made_of(name, name, (room.x,)) for name in ("first", "second"))
    encoder.facts[one] = [P.eq(Poly.atom(one), Poly.atom(two) + ONE)]
    encoder.facts[two] = [P.disj((P.le(Poly.atom(one), ONE), P.eq(Poly.atom(two), Poly.number(5))))]
    sample = Sample({}, encoder)
    assert sample.number(Poly.atom(one)) == sample.number(Poly.atom(two)) + 1
    assert sample.holds(P.le(Poly.atom(one), ONE)) == (sample.number(Poly.atom(one)) <= 1)
