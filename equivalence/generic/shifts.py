"""Shifts of data by an integer that coordinates decide: byte i % 4 of a word, bit i % 32 of a mask.

Input: the form of an integer of data, and that of the number of bits. Output: for each number of bits that there may be, the
shift by that number, where it is the one (Iverson's bracket). So `(w[i / 4] >> 8 * (i % 4)) & 255` is the byte of each of four
cases, which in that case is element i of the bytes. Nothing is said unless it is proved that the number lies in 0 … bits - 1,
for C leaves other shifts open, and unless there are few of them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from automata.logic import poly as P
from automata.logic.poly import Poly
from equivalence.generic.form import ZERO, Form
from equivalence.generic.rests import Rests

ZERO_BITS = Poly({})
MOST_SHIFTS = 8
"""Numbers of bits that are looked at."""


def by_cases(forms: Rests, two: Form, bits: int, shifted: Callable[[int], Form | None]) -> Form | None:
    """A shift by `two`; `shifted`: by a number. None where that is not known of one of them, or there are too many."""
    amount = as_integer(forms, two)
    if amount is None or amount.constant is not None:
        return None
    step = gcd(*(coef for mono, coef in amount.terms.items() if mono))
    numbers = [number for number in range(bits) if (number - amount.terms.get((), 0)) % step == 0][:MOST_SHIFTS]
    if not forms.integers.always(P.conj((P.le(ZERO_BITS, amount), P.le(amount, Poly.number(numbers[-1]))))):
        return None
    while len(numbers) > 1 and forms.integers.always(P.le(amount, Poly.number(numbers[len(numbers) // 2 - 1]))):
        numbers = numbers[:len(numbers) // 2]
    result = ZERO
    for number in numbers:
        value = shifted(number)
        if value is None:
            return None
        result = forms.plus(result, forms.times(forms.bracket(P.eq(amount, Poly.number(number))), value))
    return result


def as_integer(forms: Rests, form: Form) -> Poly | None:
    """A form of sizes alone as the integer that it is."""
    result = Poly({})
    for mono, coef in form.terms.items():
        product = Poly.number(int(coef))
        for number, power in mono:
            factor = forms.factors[number]
            if factor.kind != "size" or not isinstance(power, int) or power < 1:
                return None
            for _ in range(power):
                product = product * Poly.atom(factor.data)
        if coef != int(coef):
            return None
        result = result + product
    return result
