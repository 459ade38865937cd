"""How long the coefficients of forms may grow: rounds that square a number double its digits.

Input: coefficients, as they are made. Output: the same, or CannotFollow where they are too long to be multiplied.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from equivalence.generic.integers import CannotFollow

Key = TypeVar("Key")
MOST_BITS = 1 << 14
"""Of a numerator or a denominator."""


def written_out(terms: Mapping[Key, int | Fraction]) -> Mapping[Key, int | Fraction]:
    """The terms, unless a coefficient has too many digits."""
    if any(max(coef.numerator.bit_length(), coef.denominator.bit_length()) > MOST_BITS for coef in terms.values()):
        raise CannotFollow("numbers of too many digits")
    return terms
