"""Sums of nested strides: a linearised index is a number in mixed radix, and two of them are equal digit by digit.

Input: the formulas of a query. Output: lemmas, which hold of all integers, about the sums in it that are zero.

The difference of two indices `a + A·(b + B·(c + …))` is a sum of digits times strides, `d₁·S₁ + d₂·S₂ + …`, each stride a product
of sizes that the next one holds: `Sⱼ₊₁ = Sⱼ·rⱼ`, or more. If every digit up to the j-th stays within its radix, `|dᵢ| < rᵢ`, then
all of them together come to less than `Sⱼ₊₁` (by induction: `Sⱼ·(rⱼ - 1) + Sⱼ - 1 < Sⱼ₊₁`; of negative sizes the magnitudes
count). So a sum that is zero has these digits zero, and so is what the larger strides multiply. Strides also have numbers, which
need not be nested: `3n` and `2nm`, say; what the larger strides come to is a multiple of `n` times their common divisor, here 1,
and the radix is made of that. Each lemma says this for the digits up to some j; whether they stay within their radices is for the
solver to find out, which takes the products in it for numbers.

How a sum is cut into digits is a guess and decides only whether a lemma is of use: by the sizes in its terms, those of block and
grid among them or not; and `a` and `a / s` are cut as the digits `a - s·(a / s)` and what else `s` multiplies, as are `a / r` and
`a / (r·s)`, which is `(a / r) / s`.
(Mixed radix: Knuth, The Art of Computer Programming, volume 2, section 4.1.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import gcd

from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Monomial, Poly, divided

MOST_SUMS = 8
"""Of a query that lemmas are made for."""
MOST_DIGITS = 8


def radix_lemmas(formulas: Iterable[Formula], encoder: Encoder) -> list[Formula]:
    """What follows where sums of nested strides are zero."""
    sums = [leaf.poly for leaf in P.relations(formulas) if leaf.sign == "==" and leaf.poly.degree > 1 and _is_of_two(leaf.poly)]
    found: dict[Formula, None] = {}
    for value in sorted(set(sums), key=Poly.key)[:MOST_SUMS]:
        for has_launch in (False, True):
            found |= dict.fromkeys(_lemmas(value, _digits(value, encoder, has_launch), encoder))
    return list(found)


def _below(value: Poly, size: Poly, encoder: Encoder) -> Formula:
    """That a value is less than a size, in magnitude; of 0 that the size is another."""
    sides = (each for each in (size, size.scale(-1)) if encoder.interval(each)[1] > 0)
    return P.disj(P.conj((P.lt(value, each), P.lt(value.scale(-1), each))) for each in sides)


def _lemmas(value: Poly, digits: list[tuple[int, Monomial, Poly]], encoder: Encoder) -> Iterator[Formula]:
    """For each j: if the first j digits stay within their radices, all are zero where the sum is, and so is the rest."""
    zero = Poly.number(0)
    if len(digits) < 2:
        return
    known: list[Formula] = [P.eq(value, zero), _below(zero, Poly({digits[0][1]: digits[0][0]}), encoder)]
    zeros: list[Formula] = []
    for at, ((number, stride, digit), (_, larger, _)) in enumerate(pairwise(digits)):
        above = digits[at + 1 :]
        by = gcd(*(factor for factor, _, _ in above))
        rest, times = divided(larger, stride), by // number
        if rest is None or not times:
            return
        radix = Poly({rest: times})
        known += [_below(digit, radix, encoder)]
        zeros.append(P.eq(digit, zero))
        left = sum((part * Poly({divided(mono, larger) or (): factor // by}) for factor, mono, part in above), Poly({}))
        yield P.implies(P.conj(known), P.conj((*zeros, P.eq(left, zero))))


def _digits(value: Poly, encoder: Encoder, has_launch: bool) -> list[tuple[int, Monomial, Poly]]:
    """Number and sizes of each stride with its digit, the smallest first; none where the strides are not nested."""
    groups: dict[Monomial, Poly] = {}
    for mono, coef in sorted(value.terms.items()):
        stride = tuple(each for each in mono if _is_stride(each, has_launch))
        groups[stride] = groups.get(stride, Poly({})) + Poly({divided(mono, stride) or (): coef})
    strides = sorted(groups, key=lambda stride: (len(stride), stride))
    if len(strides) > MOST_DIGITS or any(divided(high, low) is None for low, high in pairwise(strides)):
        return []
    for low, high in pairwise(strides):
        groups[low], groups[high] = _with_rests(groups[low], groups[high], divided(high, low) or (), encoder)
    parts = ((gcd(*groups[stride].terms.values()), stride) for stride in strides if groups[stride].terms)
    return [(by, stride, Poly({mono: coef // by for mono, coef in groups[stride].terms.items()})) for by, stride in parts]


def _is_of_two(value: Poly) -> bool:
    """Whether a sum is made of what belongs to different threads or blocks."""
    owners = {each.owners for each in value.atoms()}
    return any(not one <= two and not two <= one for one in owners for two in owners)


def _is_stride(each: Atom, has_launch: bool) -> bool:
    return not each.owners and (has_launch or not each.is_size)


def _with_rests(low: Poly, high: Poly, size: Monomial, encoder: Encoder) -> tuple[Poly, Poly]:
    """A digit with what it leaves when it is divided by the next stride's size in the place of itself, and the next digit with as
    many more of that quotient."""
    for mono in list(high.terms):
        each = mono[0] if len(mono) == 1 else None
        inner = None if each is None else _divided(each, Poly({size: 1}), low, encoder)
        if inner is not None:
            times = next((low.terms[part] // factor for part, factor in sorted(inner.terms.items())
                          if part in low.terms and part and not low.terms[part] % factor), 0)
            quotient = Poly({mono: times})
            low, high = low - quotient * Poly({size: 1}), high + quotient
    return low, high


def _divided(each: Atom, size: Poly, low: Poly, encoder: Encoder) -> Poly | None:
    """What an atom is the quotient of by a size, if it is: what it was made of, or another quotient of a sum."""
    value, by = encoder.floors.get(each, (None, None))
    if by == size:
        return value
    whole, span = encoder.roots.get(each, (None, None))
    others = (mono[0] for mono in sorted(low.terms) if len(mono) == 1 and mono[0] in encoder.roots)
    found = (other for other in others if whole == encoder.roots[other][0] and span == encoder.roots[other][1] * size)
    return next(map(Poly.atom, found), None)
