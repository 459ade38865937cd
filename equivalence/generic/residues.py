"""Sums taken apart by what their numbers leave when they are divided.

Input: a form. Output: the same, in which each sum over k whose body has quotients of k by numbers (k / 32, k % 2) is as many
sums as their least common multiple m: one over t for each u < m, with k = m·t + u. There (m·t + u) / d is m/d·t + u / d, a
polynomial, and tests of remainders are decided. So weights that hold for a group of 32, packed values of which a byte has two, or
lanes that take turns meet a loop over groups whose body is written out. It is the same sum for any body: each k is m·t + u in one
way.
"""

from __future__ import annotations

from math import lcm

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Poly
from equivalence.generic.algebra import Algebra
from equivalence.generic.form import ZERO, Form
from equivalence.generic.ranges import Range

MOST_RESIDUES = 64
"""Sums into which one is taken apart."""


class Residues(Algebra):
    """The question for such a form."""

    def by_residues(self, form: Form) -> Form | None:
        """The form with its sums taken apart, None where there is nothing to take apart."""
        parts: dict[int, Form] = {}
        for number in {number for mono in form.terms for number, power in mono
                       if self.factors[number].kind == "sum" and power == 1}:
            each = self.factors[number].data
            size = self._modulus(each)
            if each.step < size <= MOST_RESIDUES * each.step:
                made = self._parted(each, size)
                if all(factor.kind != "sum" or self._modulus(factor.data) == factor.data.step
                       for mono in made.terms for factor in (self.factors[at] for at, _ in mono)):
                    parts[number] = made
        if not parts:
            return None
        result = ZERO
        for mono, coef in form.terms.items():
            at = next((number for number, power in mono if power == 1 and number in parts), None)
            rest = Form({tuple(item for item in mono if item[0] != at): coef})
            result = self.plus(result, rest if at is None else self.times(rest, parts[at]))
        return result

    def _modulus(self, each: Range) -> int:
        """By how much the numbers of a sum have to be told apart for its quotients by numbers to be polynomials."""
        assert each.bound is not None
        found = each.step
        values = [*(value for _, value in self.polys(each.body, each.bound)), *(leaf.poly for leaf in P.relations([each.where]))]
        for atom in {inner for value in values for outer in value.atoms() for inner in self.integers.within(outer)}:
            made = self.integers.encoder.floors.get(atom)
            size = made[1].constant if made is not None and self.integers.depends(made[0], each.bound) else None
            if size is not None and size > 1:
                found = lcm(found, size)
        return found

    def _parted(self, each: Range, size: int) -> Form:
        bound: Atom | None = each.bound
        assert bound is not None
        turn = self.integers.variable("turn of a residue", "t")
        result = ZERO
        for rest in range(each.rest, size, each.step):
            instead = {bound: Poly.atom(turn).scale(size).plus(rest)}
            body, where = self.put(each.body, instead), self.integers.put_formula(each.where, instead)
            result = self.plus(result, self.total(body, turn, where))
        return self.settled(result)
