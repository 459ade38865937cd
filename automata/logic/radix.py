"""Sums of nested strides: a linearised index is a number in mixed radix, and two of them are equal digit by digit.

Input: the formulas of a query. Output: lemmas, which hold of all integers, about the sums in it that are zero.

The difference of two indices `a + A·(b + B·(c + …))` is a sum of digits times strides, `d₁·S₁ + d₂·S₂ + …`, each stride a product
of sizes that the next one holds: `Sⱼ₊₁ = Sⱼ·rⱼ`, or more. If every digit up to the j-th stays within its radix, `|dᵢ| < rᵢ`, then
all of them together come to less than `Sⱼ₊₁` (by induction: `Sⱼ·(rⱼ - 1) + Sⱼ - 1 < Sⱼ₊₁`; of negative sizes the magnitudes
count). So a sum that is zero has these digits zero, and so is what the larger strides multiply. Strides also have numbers, which
need not be nested: `3n` and `2nm`, say; what the larger strides come to is a multiple of `n` times their common divisor, here 1,
and the radix is made of that. Each lemma says this for the digits up to some j; whether they stay within their radices is for the
solver to find out, which takes the products in it for numbers.

The same cut says what such a number is divided by a size among its strides: if the digits below that size stay within their
radices and none is negative, they are what is left, and the digits above are C's quotient (`above`).

A stride may be a sum of sizes, `n + 2·p` or `end - start`: it is given a name in place of one of its sizes. Of the sum with
such names the same is true, and in what is said of it they are spelt out again.

How a sum is cut into digits is a guess and decides only whether a lemma is of use: by the sizes in its terms, those of block and
grid among them or not; and `a` and `a / s` are cut as the digits `a - s·(a / s)` and what else `s` multiplies, as are `a / r` and
`a / (r·s)`, which is `(a / r) / s`.
(Mixed radix: Knuth, The Art of Computer Programming, volume 2, section 4.1.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from math import gcd

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.atoms import Atoms
from automata.logic.poly import Formula, Monomial, Poly, divided

MOST_SUMS = 8
"""Of a query that lemmas are made for."""
MOST_DIGITS = 8
MOST_NAMES = 3
"""Sums of sizes in one sum."""


def radix_lemmas(formulas: Iterable[Formula], encoder: Atoms) -> list[Formula]:
    """What follows where sums of nested strides are zero."""
    sums = [leaf.poly for leaf in P.relations(formulas) if leaf.sign == "==" and leaf.poly.degree > 1 and _is_of_two(leaf.poly)]
    found: dict[Formula, None] = {}
    for value in sorted(set(sums), key=Poly.key)[:MOST_SUMS]:
        for has_launch, is_apart in ((False, False), (True, False), (False, True)):
            cut = nested_digits(value, encoder, has_launch=has_launch, is_apart=is_apart)
            found |= dict.fromkeys(_lemmas(value, cut, encoder))
        short, meaning = _with_names(value, encoder)
        if meaning:
            lemmas = _lemmas(short, nested_digits(short, encoder, has_launch=False), encoder)
            found |= dict.fromkeys(P.map_polys(each, partial(_spelt_out, meaning)) for each in lemmas)
    return list(found)


def _with_names(value: Poly, encoder: Atoms) -> tuple[Poly, list[tuple[Atom, Poly]]]:
    """A sum in which strides that are sums of sizes (`n + 2·p`, `end - start`) are sizes of their own, and what these are, the
    last one first: one size of such a sum is written by the others."""
    meaning: list[tuple[Atom, Poly]] = []
    while len(meaning) < MOST_NAMES and (stride := next(_sums_of_sizes(value, encoder), None)) is not None:
        each = next((mono[0] for mono, coef in sorted(stride.terms.items()) if len(mono) == 1 and abs(coef) == 1), None)
        if each is None:
            break
        name = encoder.made_of("stride", "stride", (stride,))
        sign = stride.terms[each,]
        value = value.replace({each: (Poly.atom(name) - stride).scale(sign) + Poly.atom(each)})
        meaning.insert(0, (name, stride))
    return value, meaning


def _sums_of_sizes(value: Poly, encoder: Atoms) -> Iterator[Poly]:
    """The sums of sizes that what moves in a sum is multiplied by, without the sizes and numbers that all of such a sum has."""
    groups: dict[Monomial, dict[Monomial, int]] = {}
    for mono, coef in sorted(value.terms.items()):
        moving = tuple(each for each in mono if not _is_stride(each, encoder, False))
        groups.setdefault(moving, {})[divided(mono, moving) or ()] = coef
    for moving, terms in groups.items():
        common = tuple(each for each in dict.fromkeys(next(iter(terms))) if all(each in mono for mono in terms))
        by = gcd(*terms.values())
        stride = Poly({divided(mono, common) or (): coef // by for mono, coef in terms.items()})
        if moving and len(terms) > 1 and stride.degree == 1:
            yield stride


def _spelt_out(meaning: list[tuple[Atom, Poly]], value: Poly) -> Poly:
    """A sum without such names."""
    for name, stride in meaning:
        value = value.replace({name: stride})
    return value


def sign_lemmas(formulas: Iterable[Formula], encoder: Atoms, proves: Callable[[Formula], bool]) -> list[Formula]:
    """What the largest digit says of the sign of a sum, where requirements show that the others are digits. `proves`: whether
    they show something."""
    ends = {leaf.poly for leaf in P.relations(formulas) if leaf.sign == "<="}
    sums = {each for end in ends for each in (end.plus(-1), end.scale(-1))}
    sums |= {encoder.floors[each][0] for end in ends for each in end.atoms() if each in encoder.floors}
    found: dict[Formula, None] = {}
    for value in sorted((each for each in sums if each.degree > 1), key=Poly.key):
        cut = _folded(nested_digits(value, encoder, has_launch=False), encoder)
        if len(cut) > 2 and all(map(proves, _that_fit(cut, []))):
            sum_is, digit_is = (P.lt(each, Poly.number(0)) for each in (value, cut[-1][2]))
            found |= dict.fromkeys((P.implies(sum_is, digit_is), P.implies(digit_is, sum_is)))
    return list(found)


def _folded(cut: list[tuple[int, Monomial, Poly]], encoder: Atoms) -> list[tuple[int, Monomial, Poly]]:
    """Digits of which the largest is one of a thread or block: with what larger strides count, sizes alone."""
    while len(cut) > 1 and not any(each.owners or each in encoder.moving for each in cut[-1][2].atoms()):
        (number, stride, digit), (factor, larger, most) = cut[-2:]
        rest = divided(larger, stride)
        if rest is None or factor % number:
            return []
        cut = [*cut[:-2], (number, stride, digit + most * Poly({rest: factor // number}))]
    return cut


def _below(value: Poly, size: Poly, encoder: Atoms) -> Formula:
    """That a value is less than a size, in magnitude; of 0 that the size is another."""
    sides = (each for each in (size, size.scale(-1)) if encoder.interval(each)[1] > 0)
    return P.disj(P.conj((P.lt(value, each), P.lt(value.scale(-1), each))) for each in sides)


def _lemmas(value: Poly, digits: list[tuple[int, Monomial, Poly]], encoder: Atoms) -> Iterator[Formula]:
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
        zeros += [P.eq(part, zero) for part in (digit, *_at_places(digit, encoder))]
        left = sum((part * Poly({divided(mono, larger) or (): factor // by}) for factor, mono, part in above), Poly({}))
        yield P.implies(P.conj(known), P.conj((*zeros, *(P.eq(part, zero) for part in (left, *_at_places(left, encoder))))))


def _at_places(digit: Poly, encoder: Atoms) -> list[Poly]:
    """A digit times the sizes by which a number was divided for it: what it counts in that number."""
    spans = dict.fromkeys(encoder.roots[mono[0]][1] for mono in digit.terms if len(mono) == 1 and mono[0] in encoder.roots)
    return [digit * span for span in spans]


def nested_digits(value: Poly, encoder: Atoms, *, has_launch: bool, is_apart: bool = False) -> list[tuple[int, Monomial, Poly]]:
    """Number and sizes of each stride with its digit, the smallest first; none where the strides are not nested. `has_launch`:
    sizes of block and grid are strides; `is_apart`: what does not stand in the sum may be a digit of it."""
    groups: dict[Monomial, Poly] = {}
    for mono, coef in sorted(value.terms.items()):
        stride = tuple(each for each in mono if _is_stride(each, encoder, has_launch))
        groups[stride] = groups.get(stride, Poly({})) + Poly({divided(mono, stride) or (): coef})
    strides = sorted(groups, key=lambda stride: (len(stride), stride))
    if len(strides) > MOST_DIGITS or any(divided(high, low) is None for low, high in pairwise(strides)):
        return []
    for low, high in pairwise(strides):
        groups[low], groups[high] = _with_rests(groups[low], groups[high], divided(high, low) or (), encoder, is_apart=is_apart)
    parts = ((gcd(*groups[stride].terms.values()), stride) for stride in strides if groups[stride].terms)
    return [(by, stride, Poly({mono: coef // by for mono, coef in groups[stride].terms.items()})) for by, stride in parts]


def _is_of_two(value: Poly) -> bool:
    """Whether a sum is made of what belongs to different threads or blocks."""
    owners = {each.owners for each in value.atoms()}
    return any(not one <= two and not two <= one for one in owners for two in owners)


def _is_stride(each: Atom, encoder: Atoms, has_launch: bool) -> bool:
    return not each.owners and each not in encoder.moving and (has_launch or not each.is_size)


def _with_rests(low: Poly, high: Poly, size: Monomial, encoder: Atoms, *, is_apart: bool) -> tuple[Poly, Poly]:
    """A digit with what it leaves when it is divided by the next stride's size in the place of itself, and the next digit with as
    many more of that quotient. `is_apart`: also by quotients that do not stand in the sum."""
    names = [mono[0] for mono in high.terms if len(mono) == 1]
    others = [each for each in encoder.roots if each not in names] if is_apart else []
    for each in names + others:
        inner = _divided(each, Poly({size: 1}), low, encoder)
        if inner is not None:
            rates = [divmod(low.terms.get(part, 0), factor) for part, factor in sorted(inner.terms.items()) if part]
            times = next((rate for rate, left in rates if rate and not left), 0)
            if each in names or set(rates) == {(times, 0)}:
                quotient = Poly({(each,): times})
                low, high = low - quotient * Poly({size: 1}), high + quotient
    return low, high


def _divided(each: Atom, size: Poly, low: Poly, encoder: Atoms) -> Poly | None:
    """What an atom is the quotient of by a size, if it is: what it was made of, or another quotient of a sum."""
    value, by = encoder.floors.get(each, (None, None))
    if by == size:
        return value
    whole, span = encoder.roots.get(each, (None, None))
    if span == size:
        return whole
    others = (mono[0] for mono in sorted(low.terms) if len(mono) == 1 and mono[0] in encoder.roots)
    found = (other for other in others if whole == encoder.roots[other][0] and span == encoder.roots[other][1] * size)
    return next(map(Poly.atom, found), None)


def above(value: Poly, size: Poly, encoder: Atoms) -> Iterator[tuple[Poly, list[Formula]]]:
    """What a sum of nested strides may be divided by a size that is one product, and each time all that has to hold for it: the
    digits below that size then are the remainder."""
    if len(size.terms) != 1 or size.constant is not None:
        return
    (span, by), = size.terms.items()
    for has_launch in (False, True):
        cut = nested_digits(value, encoder, has_launch=has_launch)
        low = [part for part in cut if divided(part[1], span) is None]
        high = cut[len(low) :]
        if by > 0 and low and high and all(divided(mono, span) is not None and not factor % by for factor, mono, _ in high):
            rest = sum((digit * Poly({divided(mono, span) or (): factor // by}) for factor, mono, digit in high), Poly({}))
            yield rest, _that_fit([*low, (by, span, Poly({}))], high)


def quotient_shown(value: Poly, size: Poly, encoder: Atoms, shows: Callable[[Formula], bool]) -> Poly | None:
    """The first of these of which all that has to hold is shown."""
    return next((rest for rest, known in above(value, size, encoder) if all(map(shows, known))), None)


def _that_fit(low: list[tuple[int, Monomial, Poly]], high: list[tuple[int, Monomial, Poly]]) -> list[Formula]:
    """That digits stay within the radices that their strides leave, and that none of all is negative, nor is a stride."""
    zero = Poly.number(0)
    known = [P.lt(zero, Poly({mono: factor})) for factor, mono, _ in (*low, *high)]
    for (number, stride, digit), (factor, larger, _) in pairwise(low):
        rest = divided(larger, stride)
        if rest is None or factor % number:
            return [P.FALSE]
        known += [P.le(zero, digit), P.lt(digit, Poly({rest: factor // number}))]
    return list(dict.fromkeys([*known, *(P.le(zero, digit) for _, _, digit in high)]))
