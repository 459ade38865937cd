"""Powers whose exponents sizes decide: x^n, as products of what a loop multiplies by leaves them.

A power is one factor for each base: its exponent a polynomial over integers, into which plain powers of the base are taken. So
x^(n-1) · x is x^n, and x^(n-k) times x^k is x^n again. An exponent may be negative for a while, as in x^n · Σ c[k]·x^(-k): what a
kernel computes has no negative ones, and two polynomials that are equal where x may be divided by are the same polynomial. So
they are equal at x = 0 too, and in a ring without fractions. A number as base is taken apart into primes and keeps no constant in
its exponent; that is in the coefficient.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from automata.logic.atom import Atom
from automata.logic.poly import Poly
from equivalence.generic.form import BRACKETS, ONE, Factor, Form, Mono, Number
from equivalence.generic.integers import CannotFollow
from equivalence.generic.xors import Xors

POW = "pow real,real"
"""The library's function of two floats."""
MOST_DIGITS = 4096
"""The greatest power of a number that is computed."""


class Powers(Xors):
    """Forms with such powers. A factor of kind `power` has the data (is a factor, base, exponent)."""

    has_powers = False
    divisors: dict[Form, None]

    def call(self, name: str, args: tuple[Form, ...]) -> Form:
        """A function of other values. A power whose exponent begins with a minus is one over that without: x^-y = 1 / x^y."""
        if name != POW or not self.laws.exp_max:
            return super().call(name, args)
        base, exponent = args
        if not exponent.terms or exponent.terms[min(exponent.terms)] > 0:
            return super().call(name, args)
        below = super().call(name, (base, self.scale(exponent, -1)))
        self.divisors[below] = None
        return self.power(below, -1)

    def integer_of(self, form: Form) -> Poly | None:
        """A form that is an integer of sizes, as a polynomial."""
        terms: dict[tuple[Atom, ...], int] = {}
        for mono, coef in form.terms.items():
            if coef != int(coef) or any(self.factors[number].kind != "size" or power != int(power) or power < 0
                                        for number, power in mono):
                return None
            terms[tuple(sorted(self.factors[number].data for number, power in mono for _ in range(int(power))))] = int(coef)
        return Poly(terms)

    def powered(self, form: Form, exponent: Poly) -> Form | None:
        """A power of a single term; None of one that holds tests, sums of terms or roots."""
        only = form.only()
        if exponent.constant == 0:
            return ONE
        if only is None:
            return None
        mono, coef = only
        if any(self.factors[number].kind in (*BRACKETS, "poly") or power != int(power) for number, power in mono):
            return None
        result = self._power_of_number(coef, exponent)
        for number, power in mono:
            result = self.times(result, self._power_of_factor(self.factors[number], exponent.scale(int(power))))
        return result

    def added_up(self, last: Poly, power: int) -> Form:
        """1^power + 2^power + … + last^power as a polynomial of the last (Faulhaber), which is 0 for 0."""
        n = self.of_poly(last)
        more = self.plus(n, ONE)
        match power:
            case 0:
                return n
            case 1:
                return self.scale(self.times(n, more), Fraction(1, 2))
            case 2:
                return self.scale(self.times(self.times(n, more), self.plus(n, more)), Fraction(1, 6))
        return self.scale(self.times(self.times(n, more), self.times(n, more)), Fraction(1, 4))

    def _power_of_number(self, base: Number, exponent: Poly) -> Form:
        constant = exponent.terms.get((), 0)
        if abs(base) != 1 and abs(constant) > MOST_DIGITS:
            raise CannotFollow("powers of numbers that are too large")
        rest = exponent.plus(-constant)
        made = ONE
        for prime, times in _primes(base).items() if rest.terms else ():
            made = self.times(made, Form({self._bare(False, prime, rest.scale(times)): 1}))
        return self.scale(made, self.plain(Fraction(base) ** constant))

    def _power_of_factor(self, base: Factor, exponent: Poly) -> Form:
        if base.kind == "power":
            is_factor, inner, power = base.data
            if not is_factor:
                return self._power_of_number(inner, power * exponent)
            return self._power_of_factor(self.factors[inner], power * exponent)
        return Form({self._bare(True, base.number, exponent): 1})

    def _bare(self, is_factor: bool, base: Number, exponent: Poly) -> Mono:
        """The monomial of one power."""
        constant = exponent.constant
        if constant is not None and is_factor:
            return ((int(base), constant),) if constant else ()
        self.has_powers = True
        atoms = {*exponent.atoms(), *(self.factors[int(base)].atoms if is_factor else ())}
        factor = self.factor("power", (is_factor, base, exponent), atoms)
        if is_factor:
            self.nest(factor, self.factors[int(base)])
        return ((factor.number, 1),)

    def nest(self, factor: Factor, inner: Factor) -> None:
        """Note that a factor is made of another."""

    def product(self, left: Mono, right: Mono) -> tuple[Mono, Form | None]:
        mono, expanded = super().product(left, right)
        return (self._merged(mono) if self.has_powers else mono), expanded

    def _merged(self, mono: Mono) -> Mono:
        """A monomial with one power of each base."""
        found: dict[tuple[bool, Number], Poly] = {}
        for number, power in mono:
            if self.factors[number].kind == "power" and power == int(power):
                is_factor, base, exponent = self.factors[number].data
                held = found.get((is_factor, base), Poly({}))
                found[is_factor, base] = held + exponent.scale(int(power))
        if not found:
            return mono
        powers: dict[int, Number] = {}
        for number, power in mono:
            if (True, number) in found and power == int(power):
                found[True, number] = found[True, number].plus(int(power))
            elif self.factors[number].kind != "power" or power != int(power):
                powers[number] = power
        for (is_factor, base), exponent in found.items():
            for number, power in self._bare(is_factor, base, exponent) if exponent.terms else ():
                powers[number] = powers.get(number, 0) + power  # a root of e^x may stand there
        return tuple(sorted(powers.items()))

    def split(self, mono: Mono, on: Atom) -> tuple[Mono, Mono]:
        """What of a monomial has nothing to do with an integer, and the rest."""
        outside: list[tuple[int, Number]] = []
        inside: list[tuple[int, Number]] = []
        for number, power in mono:
            factor = self.factors[number]
            if on not in factor.atoms:
                outside.append((number, power))
            elif factor.kind == "power" and power == int(power) and (
                    not factor.data[0] or on not in self.factors[factor.data[1]].atoms):
                is_factor, base, exponent = factor.data
                own = Poly({each: coef for each, coef in exponent.terms.items() if self.integers.depends(Poly({each: 1}), on)})
                inside += self._bare(is_factor, base, own.scale(int(power)))
                rest = (exponent - own).scale(int(power))
                outside += self._bare(is_factor, base, rest) if rest.terms else ()
            else:
                inside.append((number, power))
        return self.product((), tuple(sorted(outside)))[0], tuple(sorted(inside))

    def made_again(self, factor: Factor, instead: Mapping[Atom, Poly]) -> Form:
        if factor.kind != "power":
            return super().made_again(factor, instead)
        is_factor, base, exponent = factor.data
        form = self.put(self.of(self.factors[base]), instead) if is_factor else self.number(base)
        return self.power_again(form, self.integers.put(exponent, instead))

    def power_again(self, form: Form, exponent: Poly) -> Form:
        made = self.powered(form, exponent)
        if made is None:
            raise CannotFollow("a power of a sum")
        return made


def _primes(number: Number) -> dict[int, int]:
    """The primes, and -1, of which a number is a product of powers."""
    from sympy import factorint

    found: Counter[int] = Counter()
    value = Fraction(number)
    for part, times in ((value.numerator, 1), (value.denominator, -1)):
        for prime, count in factorint(part).items():
            found[int(prime)] += times * int(count)
    return {prime: times for prime, times in found.items() if times and prime != 1}
