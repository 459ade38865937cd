"""Operations on the digits of integers of data, as arithmetic: shifts, masks, divisions, remainders and narrower types.

Input: an operation, the forms of its operands, their type. Output: its value by rests (`rests`), None where it is not known to
be that. A right shift rounds down, C's division of a negative number does not: v / d is floor((v + (d-1)·s) / d), where s is 1
for a negative v. What is divided or shifted to the right has to be the number itself, not one that is the same modulo 2^bits:
it has to lie in its type whatever the elements in it are. Masks, rests of unsigned numbers by powers of two and narrower
unsigned types ask for nothing: they hang on the lowest bits alone. A divisor too is known modulo 2^bits alone: what is divided
by is its number in the type. Two numbers that share no bit are or'ed by adding them.
"""

from __future__ import annotations

from automata.scalar import Scalar
from equivalence.generic.form import ZERO, Form
from equivalence.generic.rests import Rests


def lies_in(forms: Rests, form: Form, kind: Scalar) -> bool:
    """Whether a form is its value, not only up to multiples of 2^bits."""
    ends = forms.ends(form)
    return ends is not None and kind.low <= ends[0] and ends[1] <= kind.high


def by_digits(forms: Rests, op: str, one: Form, two: Form, kind: Scalar) -> Form | None:
    """The value of an operation."""
    if op in ("&", "|", "^") and one.constant is not None:
        one, two = two, one
    number = two.constant
    if op in ("|", "^"):
        return _joined(forms, one, two, kind) or _joined(forms, two, one, kind)
    if not isinstance(number, int):
        return None
    if op == "&":
        return _masked(forms, one, number, kind)
    if op in ("<<", ">>"):
        if not 0 <= number < kind.bits:
            return None
        if op == "<<":
            return forms.scale(one, 1 << number)
        return forms.floored(one, 1 << number) if lies_in(forms, one, kind) else None
    number = kind.wrap(number)
    if op == "%" and kind.low == 0 and number > 0 and number & (number - 1) == 0:
        return forms.rest(one, number)
    if op in ("/", "%") and number > 0 and lies_in(forms, one, kind):
        return _divided(forms, op, one, number, kind)
    return None


def narrowed(forms: Rests, value: Form, source: Scalar, kind: Scalar) -> Form | None:
    """An integer in a narrower type."""
    if lies_in(forms, value, source) and lies_in(forms, value, kind):
        return value
    return forms.rest(value, 1 << kind.bits) if kind.low == 0 and kind.bits < source.bits else None


def _divided(forms: Rests, op: str, one: Form, by: int, kind: Scalar) -> Form:
    """/ and % of C, by a positive number."""
    above = forms.minus(one, forms.scale(forms.floored(one, 1 << kind.bits - 1), by - 1)) if kind.low < 0 else one
    quotient = forms.floored(above, by)
    return quotient if op == "/" else forms.minus(one, forms.scale(quotient, by))


def _masked(forms: Rests, one: Form, mask: int, kind: Scalar) -> Form | None:
    """The bits of one run of ones."""
    mask %= 1 << kind.bits
    if not mask:
        return ZERO
    below = (mask & -mask).bit_length() - 1
    run = mask >> below
    if run & (run + 1):
        return None
    above = below + run.bit_length()
    whole = one if above == kind.bits else forms.rest(one, 1 << above)
    return forms.minus(whole, forms.rest(one, 1 << below)) if below else whole


def _joined(forms: Rests, one: Form, two: Form, kind: Scalar) -> Form | None:
    """The sum of two numbers of which one has bits only where all of the other's are zero."""
    ends = forms.ends(two)
    if ends is None or ends[0] < 0 or ends[1] > kind.high or forms.rest(one, 1 << ends[1].bit_length()) != ZERO:
        return None
    return forms.plus(one, two)
