"""Exclusive or of integers of data, as sums modulo 2.

Input: forms of integers of one width. Output: a factor `xor` with the data (bits, sum): a formal sum of operands, each a factor
`bits` of its form, times tests and sums over ranges. Exclusive or is associative and commutative, 0 leaves everything as it is,
and what comes twice is gone: so operands are a vector space over the field of two elements, coefficients count modulo 2, and a
loop that takes `h ^ g(r)` leaves the first value with the sum of g over all rounds. All that is known of sums holds of these:
lanes' strides become one range, guards are tests (0 where they fail), trees are sums of sums.

Sound as every integer combination of operands has one value: operands with odd coefficients, exclusive or. Two factors are
equal if their sums are, as integer combinations; the other way round need not be seen. An operand is known modulo 2^bits, and
so is the value: no range of it is known, so nothing is shifted to the right that may not be the number itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from automata.logic.atom import Atom
from automata.logic.poly import Poly
from equivalence.generic.form import BRACKETS, ONE, ZERO, Factor, Form
from equivalence.generic.rests import Rests

MOST_CASES = 4
"""Tests by which an operand is chosen."""


class Xors(Rests):
    """Forms with such factors."""

    def settled(self, form: Form) -> Form:
        return form

    def exclusive(self, bits: int, one: Form, two: Form) -> Form:
        """one ^ two"""
        return self.xored(bits, self.plus(self.operand(bits, one), self.operand(bits, two)))

    def operand(self, bits: int, form: Form) -> Form:
        """An integer as a sum of operands: of each case of a test what it is there, none where it is 0."""
        tests = sorted({number for mono in form.terms for number, _ in mono if self.factors[number].kind in BRACKETS})
        if tests and len(tests) <= MOST_CASES:
            here = self.of(self.factors[tests[0]])
            yes, no = (self.operand(bits, self.decided(form, {tests[0]: holds})) for holds in (True, False))
            return self.plus(no, self.times(here, self.minus(yes, no)))
        inside = self.sum_of(bits, form)
        if inside is not None or not form.terms:
            return inside or ZERO
        return self.of(self.factor("bits", (bits, form), self.atoms_of(form)))

    def sum_of(self, bits: int, form: Form) -> Form | None:
        """The sum of a form that is nothing but such a factor."""
        only = form.only()
        if only is None or only[1] != 1 or len(only[0]) != 1 or only[0][0][1] != 1:
            return None
        factor = self.factors[only[0][0][0]]
        return factor.data[1] if factor.kind == "xor" and factor.data[0] == bits else None

    def xored(self, bits: int, form: Form) -> Form:
        """The value of a sum of operands."""
        form = self._modulo_two(self.settled(self._modulo_two(form)))
        only = form.only()
        if not form.terms:
            return ZERO
        if only is not None and only[1] == 1:
            held = [number for number, _ in only[0] if self.factors[number].kind == "bits"]
            rest = tuple(item for item in only[0] if item[0] not in held)
            if len(held) == 1 and all(self.factors[number].kind in BRACKETS for number, _ in rest):
                return self.times(Form({rest: 1}) if rest else ONE, self.factors[held[0]].data[1])
        return self.of(self.factor("xor", (bits, form), self.atoms_of(form)))

    def _modulo_two(self, form: Form) -> Form:
        if any(Fraction(coef).denominator != 1 for coef in form.terms.values()):
            return form
        return Form({mono: int(coef) % 2 for mono, coef in form.terms.items()})

    def made_again(self, factor: Factor, instead: Mapping[Atom, Poly]) -> Form:
        if factor.kind in ("rest", "bits", "xor"):
            return self.of_word(factor.kind, factor.data[0], self.put(factor.data[1], instead))
        return super().made_again(factor, instead)

    def of_word(self, kind: str, number: int, form: Form) -> Form:
        """A factor of a word of bits, made of a form: a rest by a number, an operand or a value of so many bits."""
        match kind:
            case "rest":
                return self.rest(form, number)
            case "bits":
                return self.operand(number, form)
        return self.xored(number, form)
