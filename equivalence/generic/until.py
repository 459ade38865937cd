"""Loops that go on until a counter meets its end: `p != end`, as pointers are compared.

Input: a loop's test in its round r, what is known where the loop begins, and which integer r is. Output: the test with `<` in
the place of `!=` where both say the same in all rounds that are made. Such a test is v(r) != 0, and v = s·r + b with a number
s. If all of b is a multiple of s, v / s rises by 1 in each round; if it begins at 0 or below, it meets 0 and does not pass it:
v(r) / s < 0 in every round up to that one, and v / s = 0 in that. Rounds behind it are not made, whatever the other parts of
the test are.

Sound where v / s begins at 0 or below for sure: a counter that begins behind its end goes on until it wraps, and nothing is
said of that. Where b is no multiple of s the end may be stepped over.
"""

from __future__ import annotations

from collections.abc import Sequence

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from equivalence.generic.integers import ZERO, Integers


def until(test: Formula, number: Atom, known: Sequence[Formula], integers: Integers) -> Formula:
    """The test of a loop, by order where it is by inequality."""
    match test:
        case P.And(args=args):
            return P.conj(until(each, number, known, integers) for each in args)
        case P.Not(arg=P.Rel(sign="==", poly=value)):
            slope = value.coefficient(number).constant
            if not slope or any(coef % slope for coef in value.terms.values()):
                return test
            value = Poly({mono: coef // slope for mono, coef in value.terms.items()})
            first = value.replace({number: ZERO})
            if not integers.depends(first, number) and integers.always(P.le(first, ZERO), known):
                return P.lt(value, ZERO)
    return test
