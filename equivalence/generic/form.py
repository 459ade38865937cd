"""Values as polynomials over factors: what they are made of.

A `Form` is a sum of coefficients times monomials; a monomial is a product of powers of factors; a factor is something that the
reading takes no further apart: an element of an array, a size, a truth (1 where it holds, 0 elsewhere, Iverson's bracket), a sum
over a range (`sums`), a maximum, a power of e, a function of other forms, 1 over a form. Two forms that are the same object are
equal values in the reading; what else is equal, `equal` finds out. How they are computed with stands in `forms`.

Readings, strongest first: bitwise (no law: every operation on data is a function of its operands), int (integers are a ring),
real (floats too: a field), real-exp-max (exponentials of sums are products, maxima are sets).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from automata.logic.atom import Atom

Number = int | Fraction
Mono = tuple[tuple[int, Number], ...]
UNIT: Mono = ()
BRACKETS = frozenset({"test", "truth"})


@dataclass(frozen=True, slots=True)
class Laws:
    """What a reading understands."""

    name: str
    ints: bool
    floats: bool
    exp_max: bool


BITWISE = Laws("bitwise", False, False, False)
INT = Laws("int", True, False, False)
REAL = Laws("real", True, True, False)
REAL_EXP_MAX = Laws("real-exp-max", True, True, True)
READINGS = (BITWISE, INT, REAL, REAL_EXP_MAX)


class Form:
    """A sum of monomials; immutable."""

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: Mapping[Mono, Number]) -> None:
        self.terms: dict[Mono, Number] = {mono: coef for mono, coef in terms.items() if coef}
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    @property
    def constant(self) -> Number | None:
        if not self.terms:
            return 0
        return self.terms.get(UNIT) if len(self.terms) == 1 else None

    def only(self) -> tuple[Mono, Number] | None:
        """Its one monomial."""
        return next(iter(self.terms.items())) if len(self.terms) == 1 else None


ZERO = Form({})
ONE = Form({UNIT: 1})


@dataclass(eq=False, slots=True)
class Factor:
    """`kind` and `data`: size (atom), read (array, type, index), scalar (name), test (formula), truth (operator, forms), sum
    (`sums.Range`), max, min (`sums.Range`s), exp (base, monomial), poly (form), call (name, forms), rest, bits, xor (`xors`),
    hole, after (loop, key, position), fold (wanted, system), power (`powers`), nothing (a value that nobody set). `atoms`: the
    integers that it is made of."""

    kind: str
    data: Any
    number: int
    atoms: frozenset[Atom]
