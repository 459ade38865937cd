"""Digits of a number, by whichever way they are computed.

Input: a sum and a number that divides it, or a quotient or remainder of a remainder. Output: the quotient without a new unknown.

- `(16·y + x) / 16` is `y` where `x` is known to be a digit, from 0 to 15: so is the quotient rounded down, and C's if the sum is
  not negative or `x` is 0.
- `a % (h·w) / w` is `a / w - h·(a / (h·w))`, so that a sum of digits times their strides is `a` again. It is an identity of C's
  division, which rounds towards zero: with `a = h·w·p + y` and `y = w·q + r` the remainder `r` is less than `w` and has the sign
  of `y`, which is that of `a`; so `h·p + q` is `a / w`.
- The same of quotients rounded down, where a sum is made of them already: what a divisor divides comes out of a quotient, so
  `⌊(v - h·w·p) / w⌋` is `⌊v / w⌋ - h·p`, and `h·w·p + w·⌊(v - h·w·p) / w⌋` is `w·⌊v / w⌋`.

(Division with remainder by a chain of divisors: Knuth, The Art of Computer Programming, volume 2, section 4.1.)
"""

from __future__ import annotations

from collections.abc import Callable

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.atom import Atom
from automata.logic.atoms import Atoms, Interval
from automata.logic.poly import Formula, Poly, divided
from automata.logic.terms import Term


def digit_of(atoms: Atoms, term: Term, operands: tuple[Poly, Poly], value: Callable[[Term], Poly],
             quotient: Callable[[Term], Poly]) -> Poly | None:
    """C's quotient of two operands, if it is made of others or of parts of a sum. `value`: of a term where it is observed;
    `quotient`: of a quotient, as an integer."""
    left, right = operands
    size = right.constant
    if size is not None and size > 0:
        exact = parted(left, size, atoms.interval)
        return exact if exact is not None and (atoms.interval(left)[0] >= 0 or left == exact.scale(size)) else None
    known = quotient_of_rest(term, value, quotient)
    if known is None:
        return None
    kept = atoms.facts[min(known[0].atoms())]
    kept += [fact for fact in known[1] if fact not in kept]
    return known[0]


def parted(value: Poly, size: int, interval: Callable[[Poly], Interval]) -> Poly | None:
    """The quotient of a sum by a positive number, rounded down, where what that number does not divide is a digit."""
    high = Poly({mono: coef // size for mono, coef in value.terms.items() if not mono or not coef % size})
    low, most = interval(value - high.scale(size))
    return high if low >= 0 and most < size else None


def quotient_of_rest(term: Term, value: Callable[[Term], Poly],
                     quotient: Callable[[Term], Poly]) -> tuple[Poly, list[Formula]] | None:
    """Of `(a % s) / w` and `(a % s) % w` the quotient, and what is known of it; None where s is no multiple of w, or a number."""
    rest, size = term.args
    if rest.op != "%" or T.constant_value(rest.args[1]) is not None:
        return None
    whole, span = rest.args
    times = multiple(value(span), value(size))
    if times is None:
        return None
    above = quotient(T.binary("/", whole, span))
    if value(rest) != value(whole) - value(span) * above:
        return None
    digit = quotient(T.binary("/", whole, size)) - times * above
    zero = Poly.number(0)
    is_plain = P.conj((P.le(zero, value(whole)), P.lt(zero, value(span)), P.lt(zero, value(size))))
    return digit, [P.implies(is_plain, P.conj((P.le(zero, digit), P.lt(digit, times))))]


def multiple(value: Poly, size: Poly) -> Poly | None:
    """How many times a size a value is, of a size that is one product; None where it is no multiple as its terms stand."""
    if len(size.terms) != 1:
        return None
    (mono, factor), = size.terms.items()
    parts = {left: coef for each, coef in value.terms.items() if (left := divided(each, mono)) is not None and not coef % factor}
    return Poly({left: coef // factor for left, coef in parts.items()}) if len(parts) == len(value.terms) else None


def made_whole(value: Poly, atoms: Atoms) -> Poly:
    """A sum of digits times their strides as the number that they were cut from, as far as they make one: with fewer quotients
    than before, or as it was."""
    while True:
        apart = ((each, _taken_apart(each, atoms)) for each in sorted(value.atoms()))
        others = [value.replace({each: outside}) for each, outside in apart if outside is not None]
        fewest = min(others, key=lambda other: len(other.atoms()), default=value)
        if len(fewest.atoms()) >= len(value.atoms()):
            return value
        value = fewest


def _taken_apart(each: Atom, atoms: Atoms) -> Poly | None:
    """A quotient by a number, rounded down, without other quotients in what is divided that the number divides."""
    if not atoms.is_floor(each):
        return None
    value, size = atoms.floors[each]
    by = size.constant or 0
    if by < 1:
        return None
    out = {mono: coef // by for mono, coef in value.terms.items() if any(part in atoms.floors for part in mono) and not coef % by}
    return atoms.floor_quotient(value - Poly(out).scale(by), size) + Poly(out) if out else None
