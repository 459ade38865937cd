"""What is noted of quotients holds of C's: random terms with `/`, `%`, `>>` and `&` of numbers and sizes of either sign.

Facts, bounds and values are looked at number by number. One encoder takes a quotient in several ways: each meets the others.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from formulas import holds

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder
from automata.logic.atom import Atom
from automata.logic.poly import Poly
from automata.logic.quotients import made_whole
from automata.logic.terms import Owner, Term
from automata.scalar import I32

NUMBERS = 12
"""That are tried with the terms of one encoder."""


class DivisorIsZero(Exception):
    """Nothing is said of such a quotient."""


def towards_zero(left: int, right: int) -> int:
    if not right:
        raise DivisorIsZero
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def value_of(term: Term, known: Mapping[Term, int]) -> int:
    """What C makes of a term."""
    number = T.constant_value(term)
    if term in known or number is not None:
        return known[term] if number is None else int(number)
    left, right = (value_of(arg, known) for arg in term.args)
    match term.op:
        case "/" | "%":
            quotient = towards_zero(left, right)
            return quotient if term.op == "/" else left - right * quotient
        case "+" | "-" | "*":
            return {"+": left + right, "-": left - right, "*": left * right}[term.op]
        case ">>":
            return left >> right
    assert term.op == "&"
    return left & right


@dataclass
class Drawn:
    """Terms, and an encoder of them. `known`: of a symbol the least number."""

    draw: random.Random
    least: dict[Term, int] = field(default_factory=dict)
    pool: list[Term] = field(default_factory=list)

    def __post_init__(self) -> None:
        names = [T.symbol(f"fact {name}", I32, Owner.LAUNCH) for name in "abhwd"]
        self.least = {each: self.draw.choice([-50, -50, 0, 1]) for each in names}
        self.encoder = Encoder(unbounded=True, ranges={
            T.symbol_of(each): (T.const(low, I32), T.const(1000, I32)) for each, low in self.least.items()})

    def number(self, *values: int) -> Term:
        return T.const(self.draw.choice(values), I32)

    def size(self) -> Term:
        first, second = self.draw.choices(list(self.least)[2:], k=2)
        return self.draw.choice([first, first, T.binary("*", first, second), self.number(2, 4, 8, -2, -3),
                                 T.binary("*", first, self.number(2, 3, -1))])

    def term(self, depth: int) -> Term:
        if not depth:
            return self.draw.choice(list(self.least)[:3])
        if self.pool and self.draw.random() < 0.35:
            return self.draw.choice(self.pool)
        op, left = self.draw.choice("////%%%%+-*>&"), self.term(depth - 1)
        if op in "/%":
            made = T.binary(op, left, self.size())
        elif op in "+-":
            made = T.binary(op, left, self.term(depth - 1))
        else:
            by = {"*": (2, -3, 16), ">": (1, 2, 3), "&": (1, 7, -4)}[op]
            made = T.binary(op.replace(">", ">>"), left, self.number(*by))
        self.pool += [made] if T.constant_value(made) is None else []
        return made

    def numbers(self) -> dict[Term, int]:
        return {each: self.draw.randint(low, self.draw.choice([3, 40, 1000])) for each, low in self.least.items()}


def filled_in(encoder: Encoder, atoms: set[Atom], known: dict[Atom, int]) -> dict[Atom, int]:
    """Numbers for atoms: of a quotient what C makes of it, of one that is rounded down that."""
    for each in sorted(atoms - known.keys()):
        left, right = (part.value(filled_in(encoder, part.atoms(), known)) for part in encoder.floors[each])
        known[each] = towards_zero(left, right) if each in encoder.roots else left // right
    return known


@pytest.mark.sliced(3)
@pytest.mark.parametrize("seed", range(12))
def test_what_is_noted_of_quotients_holds(seed: int) -> None:
    looked_at = 0
    for number in range(40):
        drawn = Drawn(random.Random(f"{seed} {number}"))
        encoder = drawn.encoder
        for _ in range(3):
            drawn.term(3)
        made = [(term, value, made_whole(value, encoder)) for term in drawn.pool for value in [encoder.number(term, ANY)]]
        facts = {fact for noted in encoder.facts.values() for fact in noted}
        for _ in range(NUMBERS):
            numbers = drawn.numbers()
            known = {each: value for term, value in numbers.items() for each in encoder.number(term, ANY).atoms()}
            try:
                filled_in(encoder, {each for fact in facts for each in P.atoms(fact)}, known)
            except DivisorIsZero:
                continue
            looked_at += 1
            assert all(holds(fact, known) for fact in facts), (drawn.pool, numbers)
            for term, value, whole in made:
                low, high = encoder.interval(value)
                assert low <= value_of(term, numbers) == value.value(known) <= high, (T.show(term), numbers)
                assert whole.value(filled_in(encoder, whole.atoms(), known)) == value.value(known), (T.show(term), numbers)
    assert looked_at > 100


def test_a_quotient_is_one_however_it_is_written() -> None:
    """So that the facts above speak of something."""
    drawn = Drawn(random.Random(0))
    a, _, h, w, _ = drawn.least
    one, two = (drawn.encoder.number(T.binary("/", T.binary("/", a, first), second), ANY) for first, second in ((h, w), (w, h)))
    assert one == two == drawn.encoder.number(T.binary("/", a, T.binary("*", h, w)), ANY) != Poly.number(0)
