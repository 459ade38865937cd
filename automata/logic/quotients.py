"""Digits of a number, by whichever way they are computed.

Input: a sum and a number that divides it, or a quotient or remainder of a remainder. Output: the quotient without a new unknown;
or C's quotient as an unknown, one for all ways to write it, with what is known of it.

- `(16·y + x) / 16` is `y` where `x` is known to be a digit, from 0 to 15: so is the quotient rounded down, and C's if the sum is
  not negative or `x` is 0.
- `a % (h·w) / w` is `a / w - h·(a / (h·w))`, so that a sum of digits times their strides is `a` again. It is an identity of C's
  division, which rounds towards zero: with `a = h·w·p + y` and `y = w·q + r` the remainder `r` is less than `w` and has the sign
  of `y`, which is that of `a`; so `h·p + q` is `a / w`.
- The same of quotients rounded down, where a sum is made of them already: what a divisor divides comes out of a quotient, so
  `⌊(v - h·w·p) / w⌋` is `⌊v / w⌋ - h·p`, and `h·w·p + w·⌊(v - h·w·p) / w⌋` is `w·⌊v / w⌋`.
- `(4·i + k) / (4·s)` is `i / s` where `k` is such a digit: what a number divides of a divisor is divided out of both.
- `(a / b) / c` is `a / (b·c)` in C, whatever the signs: the magnitudes are rounded down, and signs multiply. So `a / w` and
  `a / (h·w)`, written in whichever way, are known to leave `a / w - h·(a / (h·w))`, a digit.

(Division with remainder by a chain of divisors: Knuth, The Art of Computer Programming, volume 2, section 4.1.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import gcd

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
    if known is None or known[0].constant is not None:
        return known and known[0]
    kept = atoms.facts[min(known[0].atoms())]
    kept += [fact for fact in known[1] if fact not in kept]
    return known[0]


def quotient_of(atoms: Atoms, left: Poly, right: Poly) -> Atom:
    """C's quotient: a = b·q + r, |r| < |b|, r has the sign of a. Nothing is known when b is 0."""
    steps = [(left, right)]
    while (inner := _behind(atoms, steps[-1][0])) is not None:
        steps.append((inner[0], inner[1] * steps[-1][1]))
    name = atoms.made_of("quotient", "quot", steps[-1])
    if name not in atoms.facts:
        atoms.floors[name], atoms.roots[name] = (left, right), steps[-1]
        steps += _between(atoms, name)
    for whole, size in steps:
        _divide(atoms, name, whole, size)
    return name


def _behind(atoms: Atoms, value: Poly) -> tuple[Poly, Poly] | None:
    """What C's / has divided by what, if a value is a quotient and no more."""
    name = next(iter(value.atoms()), None)
    return atoms.roots[name] if name is not None and name in atoms.roots and value == Poly.atom(name) else None


def _between(atoms: Atoms, name: Atom) -> Iterator[tuple[Poly, Poly]]:
    """What a new quotient is of others of the same, by a size; what others are of it is noted with them."""
    whole, size = atoms.roots[name]
    for other, (same, by) in list(atoms.roots.items()):
        if other is not name and same == whole:
            if (step := multiple(size, by)) is not None and step.constant is None:
                yield Poly.atom(other), step
            elif (step := multiple(by, size)) is not None and step.constant is None:
                _divide(atoms, other, atoms.known(name, _bounds(atoms, whole, size)), step)


def _divide(atoms: Atoms, name: Atom, left: Poly, right: Poly) -> None:
    """Note that an atom is a quotient."""
    low = atoms.interval(left)[0]
    atoms.known(name, _bounds(atoms, left, right))
    rest, zero = left - right * Poly.atom(name), Poly.number(0)
    for size, divisor in ((right, P.lt(zero, right)), (right.scale(-1), P.lt(right, zero))):
        up = P.conj((P.le(zero, rest), P.lt(rest, size)))
        down = P.conj((P.le(rest, zero), P.lt(size.scale(-1), rest)))
        if divisor != P.FALSE and atoms.interval(size)[1] > 0:
            atoms.add(name, [P.implies(P.conj((divisor, P.le(zero, left))), up)])
            if low < 0:
                atoms.add(name, [P.implies(P.conj((divisor, P.lt(left, zero))), down)])


def _bounds(atoms: Atoms, left: Poly, right: Poly) -> Interval:
    low, high = atoms.interval(left)
    most = max(abs(low), abs(high))
    return 0 if low >= 0 and atoms.interval(right)[0] >= 0 else -most, most


def parted(value: Poly, size: int, interval: Callable[[Poly], Interval]) -> Poly | None:
    """The quotient of a sum by a positive number, rounded down, where what that number does not divide is a digit."""
    high = Poly({mono: coef // size for mono, coef in value.terms.items() if not mono or not coef % size})
    low, most = interval(value - high.scale(size))
    return high if low >= 0 and most < size else None


def coarser(value: Poly, size: Poly, interval: Callable[[Poly], Interval]) -> tuple[Poly, Poly] | None:
    """Operands without what number divides the divisor, with the same quotient: `(4·i + k) / (4·s)` is `i / s` of a digit `k`."""
    by = gcd(*size.terms.values())
    if by < 2 or size.constant is not None or interval(value)[0] < 0:
        return None
    high = parted(value, by, interval)
    return None if high is None else (high, Poly({mono: coef // by for mono, coef in size.terms.items()}))


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
