"""Coordinates of two sides put in step before values are compared.

Where a thread of one side does what four of the other do, the other's thread has the number floor(i / 4), and i is four times
that and a rest. A free integer is taken apart so that such quotients become free integers themselves (`aligned`); equations
that then say what a rest is are used up. Quotients by sizes are taken away where facts say between which multiples a value
lies (`quotients`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.atoms import HUGE
from automata.logic.poly import Formula, Poly, Rel
from equivalence.generic.algebra import Algebra
from equivalence.generic.form import Form
from equivalence.generic.integers import ZERO, Integers
from equivalence.generic.ranges import over

MOST_SPLIT = 8
MOST_ASKED = 12


class Alignment:
    """Substitutions that put two sides in step."""

    def __init__(self, integers: Integers) -> None:
        self.integers = integers

    def aligned(self, wanted: Iterable[Poly], where: Formula, instead: Mapping[Atom, Poly], more: Sequence[Poly] = ()
                ) -> dict[Atom, Poly]:
        """What stands for free integers so that some values made of them are as plain as can be (`wanted`: the free integers of
        the other side; `more`). `where`: what holds."""
        found, plain = dict(instead), [*wanted, *more]
        for _ in range(MOST_SPLIT):
            values = [self.integers.put(value, found) for value in plain]
            step = self.split(values)
            if step is None:
                break
            found = self.then(found, step)
        for _ in range(MOST_SPLIT):
            facts = P.conjuncts(self.integers.put_formula(where, found))
            step = self.used_up(facts)
            if step is None:
                break
            found = self.then(found, step)
        return found

    def then(self, found: Mapping[Atom, Poly], step: Mapping[Atom, Poly]) -> dict[Atom, Poly]:
        made = {each: self.integers.put(value, step) for each, value in found.items()}
        return made | {each: value for each, value in step.items() if each not in made}

    def split(self, values: Iterable[Poly]) -> dict[Atom, Poly] | None:
        """A free integer as a multiple and a rest, for a quotient by a number to be a free integer."""
        encoder = self.integers.encoder
        for value in values:
            for each in sorted(value.atoms()):
                made = encoder.floors.get(each)
                if made is None or made[1].constant is None:
                    continue
                for mono, coef in sorted(made[0].terms.items(), key=lambda item: abs(item[1])):
                    by = made[1].constant // abs(coef) if mono and made[1].constant % abs(coef) == 0 else 1
                    if len(mono) != 1 or by < 2 or self.is_made(mono[0]):
                        continue
                    low, high = encoder.intervals.get(mono[0], HUGE)
                    if low < 0 or high < by:
                        continue
                    return {mono[0]: self.in_two(mono[0], by, high)}
        return None

    def is_made(self, each: Atom) -> bool:
        """Whether an atom is made of others."""
        return each in self.integers.definitions or each in self.integers.encoder.floors

    def in_two(self, each: Atom, by: int, high: int) -> Poly:
        whole = self.integers.variable(("whole", each, by), f"{each.text}/{by}", 0, high // by if high < HUGE[1] else None)
        rest = self.integers.variable(("rest", each, by), f"{each.text}%{by}", 0, by - 1)
        return Poly.atom(whole).scale(by) + Poly.atom(rest)

    def used_up(self, facts: Iterable[Formula]) -> dict[Atom, Poly] | None:
        """What an equation says of a free integer that stands in nothing else there."""
        for fact in facts:
            if not isinstance(fact, Rel) or fact.sign != "==":
                continue
            fact = Rel("==", self.remainder(fact.poly))
            for mono, coef in sorted(fact.poly.terms.items()):
                if len(mono) != 1 or abs(coef) != 1 or self.is_made(mono[0]):
                    continue
                rest = fact.poly - Poly({mono: coef})
                if mono[0].symbol is not None and not mono[0].owners:
                    continue
                if not self.integers.depends(rest, mono[0]):
                    return {mono[0]: rest.scale(-coef)}
        return None

    def remainder(self, zero: Poly) -> Poly:
        """Of v - m·floor(v / m) = 0: that what m does not divide of v is the one multiple of m that it can be."""
        for each in zero.atoms() & self.integers.encoder.floors.keys():
            value, size = self.integers.encoder.floors[each]
            number = size.constant
            if number is None or zero not in (value - size * Poly.atom(each), size * Poly.atom(each) - value):
                continue
            rest = Poly({mono: coef for mono, coef in value.terms.items() if not mono or coef % number})
            low, high = self.integers.encoder.interval(rest)
            if low <= high < low + 2 * number and (multiple := -(-low // number) * number) <= high < multiple + number:
                return rest.plus(-multiple)
        return zero

    def quotients(self, algebra: Algebra, forms: Sequence[Form], facts: Sequence[Formula]) -> dict[Atom, Poly]:
        """Quotients in some forms that facts decide, or of which facts say that they are others by the same size, or those and
        what the size divides."""
        encoder = self.integers.encoder
        inside = {each for form in forms for each in algebra.atoms_of(form)}
        found: dict[Atom, Poly] = {}
        kept: list[Atom] = []
        for each in sorted(filter(encoder.is_floor, inside & encoder.floors.keys()))[:MOST_ASKED]:
            value, size = encoder.floors[each]
            part = self.whole_part(value, size)
            alike = [Poly.atom(other) for other in kept if encoder.floors[other][1] == size]
            for whole in (part, *alike, *(part + other for other in alike if part.terms)):
                rest = value - size * whole
                if all(self.integers.never([*facts, P.neg(part)]) for part in (P.le(ZERO, rest), P.lt(rest, size))):
                    found[each] = whole
                    break
            else:
                kept.append(each)
        return found

    def whole_part(self, value: Poly, size: Poly) -> Poly:
        """The terms of a value that a size divides."""
        result = ZERO
        for mono, coef in value.terms.items():
            part = over(Poly({mono: coef}), size)
            if part is not None and (mono or part.terms):
                result = result + part
        return result
