"""Forms as fractions: over one divisor, and carried out where a division leaves nothing.

Input: forms whose factors may have negative powers. Output: numerators over one divisor, which are polynomials; or the form with
what cancels cancelled, so that r/(r + 1) + 1/(r + 1) is 1. Exact division of polynomials is by their leading terms (the order is
lexicographic, which products keep).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from equivalence.generic.algebra import Algebra
from equivalence.generic.form import ONE, ZERO, Form, Mono, Number

MOST_STEPS = 64
"""Of a division."""


def cleared(algebra: Algebra, forms: Sequence[Form]) -> tuple[list[Form], Form]:
    """Some forms times one divisor, which none of them is divided by any more; and that divisor."""
    worst: dict[int, Number] = {}
    for form in forms:
        for mono in form.terms:
            for number, power in mono:
                if power < 0 and power == int(power):
                    worst[number] = min(worst.get(number, 0), power)
    divisor = ONE
    for number, power in sorted(worst.items()):
        divisor = algebra.times(divisor, algebra.raised(number, -power))
    return [_multiplied(algebra, form, worst) for form in forms], divisor


def _multiplied(algebra: Algebra, form: Form, worst: dict[int, Number]) -> Form:
    """A form times some powers, carried out."""
    result = ZERO
    for mono, coef in form.terms.items():
        powers = dict(mono)
        made = Form({tuple(item for item in mono if item[0] not in worst): coef})
        for number, power in sorted(worst.items()):
            left = powers.get(number, 0) - power
            if left:
                made = algebra.times(made, algebra.raised(number, left))
        result = algebra.plus(result, made)
    return result


def reduced(algebra: Algebra, form: Form) -> Form:
    """A form without the divisors by which all of it can be divided."""
    (above,), below = cleared(algebra, [form])
    if below == ONE:
        return form
    found = quotient(above, below)
    return form if found is None else found


def quotient(above: Form, below: Form) -> Form | None:
    """The polynomial by which another has to be multiplied, None where there is none."""
    if not below.terms:
        return None
    lead = max(below.terms, key=_order)
    result: dict[Mono, Number] = {}
    left = dict(above.terms)
    for _ in range(MOST_STEPS):
        if not left:
            return Form(result)
        most = max(left, key=_order)
        powers = dict(most)
        for number, power in lead:
            powers[number] = powers.get(number, 0) - power
        if any(power < 0 for power in powers.values()):
            return None
        mono = tuple(sorted(item for item in powers.items() if item[1]))
        times = Fraction(left[most]) / below.terms[lead]
        coef: Number = int(times) if times.denominator == 1 else times
        result[mono] = coef
        for each, by in below.terms.items():
            key = _product(each, mono)
            left[key] = left.get(key, 0) - by * coef
            if not left[key]:
                del left[key]
    return None


def _order(mono: Mono) -> Mono:
    return tuple(sorted(mono, reverse=True))


def _product(one: Mono, two: Mono) -> Mono:
    powers = dict(one)
    for number, power in two:
        powers[number] = powers.get(number, 0) + power
    return tuple(sorted(item for item in powers.items() if item[1]))
