"""Forms with other values in the place of their integers, against arithmetic on numbers."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

import pytest

from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.atom import Atom
from automata.logic.poly import Poly
from equivalence.generic.equality import Equality
from equivalence.generic.form import READINGS, Form, Laws
from equivalence.generic.integers import Integers


class Room:
    """Forms over reads, tests and sizes of three integers."""

    def __init__(self, laws: Laws, rng: random.Random) -> None:
        self.integers, self.rng = Integers(Encoder(), []), rng
        self.algebra = Equality(self.integers, laws)
        self.atoms = [self.integers.variable(name, name) for name in "ijk"]

    def index(self) -> Poly:
        return sum((Poly.atom(each).scale(self.rng.randint(-1, 1)) for each in self.atoms), Poly.number(self.rng.randint(0, 2)))

    def leaf(self) -> Form:
        algebra = self.algebra
        match self.rng.randrange(4):
            case 0:
                return algebra.of_poly(self.index())
            case 1:
                return algebra.bracket(P.le(self.index(), Poly.number(1)))
            case 2:
                return algebra.number(self.rng.randint(-3, 3))
        index = self.index()
        return algebra.of(algebra.factor("read", ("x", None, index), index.atoms()))

    def form(self, depth: int) -> Form:
        if not depth:
            return self.leaf()
        one, two = self.form(depth - 1), self.form(depth - 1)
        return self.algebra.plus(one, two) if self.rng.random() < 0.6 else self.algebra.times(one, two)

    def value(self, form: Form, numbers: Mapping[Atom, int]) -> Fraction:
        """What a form is where its integers are numbers and x[i] is i * i + 7."""
        total = Fraction(0)
        for mono, coef in form.terms.items():
            product = Fraction(coef)
            for number, power in mono:
                factor = self.algebra.factors[number]
                match factor.kind:
                    case "size":
                        held = numbers[factor.data]
                    case "read":
                        held = factor.data[2].value(numbers) ** 2 + 7
                    case "test":
                        held = int(factor.data.poly.value(numbers) <= 0)
                    case _:
                        raise AssertionError(factor.kind)
                product *= held ** power
            total += product
        return total


@pytest.mark.parametrize("laws", READINGS, ids=lambda laws: laws.name)
@pytest.mark.parametrize("seed", range(25))
def test_putting_values_into_a_form(seed: int, laws: Laws) -> None:
    """Terms that become one are added up, also where one of them did not change."""
    rng = random.Random(seed)
    room = Room(laws, rng)
    form = room.form(3)
    instead = {each: room.index() for each in rng.sample(room.atoms, rng.randint(1, 3))}
    put = room.algebra.put(form, instead)
    for _ in range(5):
        numbers = {each: rng.randint(-3, 4) for each in room.atoms}
        before = numbers | {each: value.value(numbers) for each, value in instead.items()}
        assert room.value(put, numbers) == room.value(form, before)
