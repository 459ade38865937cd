"""What integers leave when they are divided by a number, as factors: the parts of packed words, rounded shifts, bins.

Input: a form of an integer of data, and a positive number d. Output: the form of `v mod d`, which lies in 0 … d-1, and by it
that of floor(v / d) = (v - (v mod d)) / d. So shifts, masks, divisions and remainders by numbers, and casts to narrower
unsigned types, all speak of rests alone, and two ways to take the same part of a word meet. Coefficients are fractions then;
what a form comes to is an integer nonetheless.

A rest is brought to one form by laws of the integers (Graham, Knuth and Patashnik, Concrete Mathematics, chapter 3):
- v mod d does not hang on multiples of d in v: coefficients are taken modulo d;
- (g·v + c) mod g·d = g·((v + floor(c / g)) mod d) + c mod g, for a number c, and for a c of which floor(c / g) is known;
- where d divides m, (v mod m) is v modulo d;
- where m divides d, floor((floor(v / m) + c) / (d / m)) = floor((v + m·c) / d): quotients of quotients, also where something was
  added between them, as a shift that rounds does;
- what is known to lie between two neighbouring multiples of d is no further than that from the lower one.

Sound where the form comes to the integer itself. Of masks and casts it may also be another one that is the same modulo a
multiple of d: `v mod d` is the same then. Who asks for a quotient has to know that the form is exact (`ends`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, gcd, lcm

from automata import scalar
from automata.scalar import Scalar
from equivalence.generic.form import UNIT, ZERO, Factor, Form, Mono, Number
from equivalence.generic.forms import Forms

SCALARS = [kind for kind in vars(scalar).values() if isinstance(kind, Scalar)]
OF_TYPE = {f"{op} {kind.name}": kind for kind in SCALARS if kind.is_int for op in ("/", "%", "<<", ">>", "&", "|", "^")} | {
    f"cast {source.name} {kind.name}": kind for source in SCALARS for kind in SCALARS if kind.is_int}
"""Operations whose result is an integer of a type, by the name of their factor."""


class Rests(Forms):
    """Forms with rests. A factor of kind `rest` has the data (size, form)."""

    def rest(self, form: Form, size: int) -> Form:
        """An integer modulo a positive number."""
        return self.lifted((form,), lambda given: self._rest(given[0], size))

    def floored(self, form: Form, size: int) -> Form:
        """floor(form / size) of an integer."""
        by = lcm(*(Fraction(coef).denominator for coef in form.terms.values())) if form.terms else 1
        whole, size = self._times(form, by), by * size
        return self._times(self.minus(whole, self.rest(whole, size)), Fraction(1, size))

    def ends(self, form: Form) -> tuple[int, int] | None:
        """Between which integers a form lies whatever its elements and truths are; None of factors of which that is not known."""
        least: Number = 0
        most: Number = 0
        for mono, coef in form.terms.items():
            known = self._ends_of(mono)
            if known is None:
                return None
            low, high = sorted((coef * known[0], coef * known[1]))
            least, most = least + low, most + high
        return ceil(least), floor(most)

    def _ends_of(self, mono: Mono) -> tuple[int, int] | None:
        low, high = 1, 1
        for number, power in mono:
            ends = self._ends_of_factor(self.factors[number])
            if ends is None or not isinstance(power, int) or power < 1:
                return None
            for _ in range(power):
                corners = [one * two for one in (low, high) for two in ends]
                low, high = min(corners), max(corners)
        return low, high

    def _ends_of_factor(self, factor: Factor) -> tuple[int, int] | None:
        match factor.kind:
            case "test" | "truth":
                return 0, 1
            case "rest":
                return 0, factor.data[0] - 1
            case "read" if factor.data[1].is_int:
                return factor.data[1].low, factor.data[1].high
            case "call" if factor.data[0] in OF_TYPE:
                kind = OF_TYPE[factor.data[0]]
                return kind.low, kind.high
        return None

    def _rest(self, form: Form, size: int) -> Form:
        if any(Fraction(coef).denominator != 1 for coef in form.terms.values()):
            by = lcm(*(Fraction(coef).denominator for coef in form.terms.values()))
            return self._times(self._rest(self._times(form, by), by * size), Fraction(1, by))
        near = self._near(form, size)
        if near is not None:
            return near
        form = Form({mono: int(coef) % size for mono, coef in form.terms.items()})
        for number, of, inner in self._inside(form):
            coef = int(form.terms[(number, 1),])
            held = self.of(self.factors[number])
            if of % size == 0:
                return self._rest(self.plus(form, self.scale(self.minus(inner, held), coef)), size)
            if size % of == 0 and coef == size - 1:
                above = self.plus(form, held)
                if all(Fraction(each) % of == 0 for each in self.minus(above, inner).terms.values()):
                    return self.minus(self._rest(above, size), held)
        return self._primitive_rest(form, size)

    def _primitive_rest(self, form: Form, size: int) -> Form:
        """A rest of a form with coefficients from 0 to size - 1, less what they share with the size."""
        constant = int(form.terms.get(UNIT, 0))
        shared = gcd(size, *(int(coef) for mono, coef in form.terms.items() if mono != UNIT))
        if shared > 1:
            parts = {mono: int(coef) // shared for mono, coef in form.terms.items() if mono != UNIT}
            inner = self._rest(Form({**parts, UNIT: constant // shared}), size // shared)
            return self.plus(self.scale(inner, shared), self.number(constant % shared))
        near = self._near(form, size)
        near = self._by_low_digits(form, size) if near is None else near
        return self.of(self.factor("rest", (size, form), self.atoms_of(form))) if near is None else near

    def _by_low_digits(self, form: Form, size: int) -> Form | None:
        """The rest of g·v + c where c is known to lie between two multiples of g: the digits that c is are left as they are."""
        for base in sorted({gcd(int(coef), size) for coef in form.terms.values()} - {1, size}):
            low = Form({mono: coef for mono, coef in form.terms.items() if int(coef) % base})
            ends = self.ends(low) if low.terms else None
            if ends is not None and ends[0] // base == ends[1] // base:
                whole = ends[0] // base
                high = self._times(self.minus(form, low), Fraction(1, base))
                rest = self._rest(self.plus(high, self.number(whole)), size // base)
                return self.plus(self.plus(low, self.number(-whole * base)), self.scale(rest, base))
        return None

    def _near(self, form: Form, size: int) -> Form | None:
        """The rest of a form that is known to lie between two multiples of the size, or but for its sign."""
        if size == 1:
            return ZERO
        ends = self.ends(form)
        if ends is None:
            return None
        low, high = ends
        if low // size == high // size:
            return self.plus(form, self.number(-(low // size * size)))
        least = 1 << max(-low - 1, high).bit_length()
        if low < 0 <= high < size and -size <= low and least < size:
            sign = self.floored(form, least)
            return self.minus(form, self.scale(sign, size))
        return None

    def _inside(self, form: Form) -> Iterator[tuple[int, int, Form]]:
        """The rests that are terms of a form, each with what it is of."""
        for mono in form.terms:
            if len(mono) == 1 and mono[0][1] == 1 and self.factors[mono[0][0]].kind == "rest":
                yield mono[0][0], *self.factors[mono[0][0]].data

    def _times(self, form: Form, by: Number) -> Form:
        return Form({mono: self.plain(Fraction(coef) * by) for mono, coef in form.terms.items()})
