"""Polynomials over atoms with fractions as coefficients, and quotients of them: the normal forms of exact terms.

An atom is a number; a monomial says which powers of atoms it has, ascending by atom; powers may be negative. Tests are atoms
of which every power is the first. Of exponentials a monomial has at most one: e^P·e^Q is e^(P+Q). Quotients are hashable, so that
equal ones are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple

from automata.limits import CERTIFY_WORK

Monomial = tuple[tuple[int, int], ...]
Terms = dict[Monomial, Fraction | int]
Key = frozenset[tuple[Monomial, Fraction | int]]
NOTHING: Monomial = ()


class TooLarge(Exception):
    """Terms have grown beyond what exact computation is for."""


class Quotient(NamedTuple):
    """Two polynomials, of which the lower is not zero; a lower one of a single monomial is 1."""

    top: Key
    bottom: Key

    @property
    def constant(self) -> Fraction | int | None:
        """The number that it is, if it is one."""
        if self.bottom != ONE or len(self.top) > 1:
            return None
        if not self.top:
            return 0
        (monomial, factor), = self.top
        return factor if monomial == NOTHING else None


ONE: Key = frozenset({(NOTHING, 1)})


class Arithmetic:
    """Arithmetic of quotients. `tests`: atoms that are 0 or 1; `exponents`: of atoms that are exponentials; `exponential`: the
    atom of an exponent, None for that of zero."""

    def __init__(self, exponential: Callable[[Quotient], int | None]) -> None:
        self.tests: set[int] = set()
        self.exponents: dict[int, Quotient] = {}
        self.exponential = exponential
        self.work = 0

    def number(self, value: Fraction | int) -> Quotient:
        return Quotient(_key({NOTHING: value}), ONE)

    def atom(self, number: int) -> Quotient:
        return Quotient(_key({((number, 1),): 1}), ONE)

    def add(self, one: Quotient, two: Quotient, factor: int = 1) -> Quotient:
        """one + factor · two"""
        if one.bottom == two.bottom:
            return self.quotient(self.sum(one.top, two.top, factor), dict(one.bottom))
        left, right = self.product(one.top, two.bottom), self.product(two.top, one.bottom)
        return self.quotient(self.sum(left.items(), right.items(), factor), self.product(one.bottom, two.bottom))

    def total(self, polynomials: Iterable[Key]) -> Quotient:
        """The sum of polynomials."""
        found: Terms = {}
        for key in polynomials:
            self.spend(len(key))
            for monomial, factor in key:
                found[monomial] = found.get(monomial, 0) + factor
        return Quotient(_key(found), ONE)

    def multiply(self, one: Quotient, two: Quotient) -> Quotient:
        return self.quotient(self.product(one.top, two.top), self.product(one.bottom, two.bottom))

    def divide(self, one: Quotient, two: Quotient) -> Quotient:
        """The divisor is not zero."""
        return self.quotient(self.product(one.top, two.bottom), self.product(one.bottom, two.top))

    def same(self, one: Quotient, two: Quotient) -> bool:
        return one == two or _key(self.product(one.top, two.bottom)) == _key(self.product(two.top, one.bottom))

    def quotient(self, top: Terms, bottom: Terms) -> Quotient:
        """Divided by what one monomial below stands for; else the lower polynomial begins with 1."""
        top, bottom = _without_zeros(top), _without_zeros(bottom)
        if not top:
            return Quotient(_key(top), ONE)
        first = min(bottom)
        lead = bottom[first]
        if len(bottom) > 1:
            if lead == 1:
                return Quotient(_key(top), _key(bottom))
            return Quotient(_key({each: _over(factor, lead) for each, factor in top.items()}),
                            _key({each: _over(factor, lead) for each, factor in bottom.items()}))
        if first != NOTHING:
            inverse = self.power(first, -1)
            top = {self.merged(each, inverse): factor for each, factor in top.items()}
        return Quotient(_key(top if lead == 1 else {each: _over(factor, lead) for each, factor in top.items()}), ONE)

    def sum(self, one: Iterable[tuple[Monomial, Fraction | int]], two: Iterable[tuple[Monomial, Fraction | int]],
            factor: int) -> Terms:
        found = dict(one)
        self.spend(len(found))
        for monomial, value in two:
            found[monomial] = found.get(monomial, 0) + factor * value
        return found

    def product(self, one: Key, two: Key) -> Terms:
        if two == ONE:
            return dict(one)
        if one == ONE:
            return dict(two)
        self.spend(len(one) * len(two))
        found: Terms = {}
        for left, factor in one:
            for right, other in two:
                monomial = self.merged(left, right)
                found[monomial] = found.get(monomial, 0) + factor * other
        return found

    def merged(self, one: Monomial, two: Monomial) -> Monomial:
        """The product of monomials."""
        if not one or not two:
            return one or two
        powers = dict(one)
        exponents = [self.exponents[atom] for atom, _ in (*one, *two) if atom in self.exponents]
        for atom, power in two:
            powers[atom] = powers.get(atom, 0) + power
        if len(exponents) > 1:
            powers = {atom: power for atom, power in powers.items() if atom not in self.exponents}
            joined = self.exponential(self.add(exponents[0], exponents[1]))
            powers |= {} if joined is None else {joined: 1}
        return tuple(sorted((atom, 1 if atom in self.tests else power) for atom, power in powers.items() if power))

    def power(self, monomial: Monomial, power: int) -> Monomial:
        """A monomial to a power, -1 or 1; a test below a line stays apart, for it may be zero."""
        found: Monomial = ()
        for atom, own in monomial:
            if atom in self.exponents:
                other = self.exponential(self.multiply(self.number(power), self.exponents[atom]))
                found = self.merged(found, () if other is None else ((other, 1),))
            else:
                found = self.merged(found, ((atom, own * power),))
        return found

    def spend(self, work: int) -> None:
        self.work += work
        if not CERTIFY_WORK.allows(self.work):
            raise TooLarge


def _over(factor: Fraction | int, lead: Fraction | int) -> Fraction | int:
    found = Fraction(factor) / lead
    return found.numerator if found.denominator == 1 else found


def _without_zeros(terms: Terms) -> Terms:
    return {monomial: factor for monomial, factor in terms.items() if factor}


def _key(terms: Terms) -> Key:
    return frozenset(_without_zeros(terms).items())
