"""Digits of a number in another order: which number has them, turned round.

Input: an index `Σ dⱼ·Sⱼ` whose digits `dⱼ` are those of one number of the thread, `L = Σ dⱼ·sⱼ`, told by quotients
(`dⱼ = L / sⱼ - rⱼ·(L / (sⱼ·rⱼ))`), as a kernel has that walks one order of dimensions and stores in another; and the cell that
the index must equal. Output: what `L` is then: the digits of the cell by the strides `Sⱼ`, each times `sⱼ`.

Which digits the index has is read from its shape and checked in one way: that they make up `L`, as polynomials. That the cell's
digits are the same ones is a guess, which the caller proves with the whole inverse.
(Mixed radix: Knuth, The Art of Computer Programming, volume 2, section 4.1.)
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import pairwise

from automata.logic.arith import Encoder
from automata.logic.atom import Atom
from automata.logic.poly import Monomial, Poly, divided
from automata.logic.radix import nested_digits


def number_of(index: Poly, cell: Poly, unknown: Set[Atom], encoder: Encoder) -> Iterator[tuple[Poly, Poly]]:
    """The number whose digits an index is made of, and its value where the index equals a cell; none if it is not made so."""
    roots = {each: encoder.roots[each] for each in sorted(index.atoms()) if each in encoder.roots}
    wholes = list(dict.fromkeys(whole for whole, _ in roots.values() if unknown & whole.atoms()))
    if len(wholes) != 1:
        return
    whole, moving = wholes[0], unknown | roots.keys()
    fixed = Poly({mono: coef for mono, coef in index.terms.items() if not moving & set(mono)})
    cut = nested_digits(index - fixed, encoder, has_launch=False)
    places = [_place(digit, whole, roots) for _, _, digit in cut]
    digits = [(number, stride, digit, place) for (number, stride, digit), place in zip(cut, places, strict=True) if place]
    if not digits or sum((digit * place for _, _, digit, place in digits), Poly({})) != whole:
        return
    yield whole, _read_off(cell - fixed, [(number, stride, place) for number, stride, _, place in digits], encoder)


def _place(digit: Poly, whole: Poly, roots: dict[Atom, tuple[Poly, Poly]]) -> Poly | None:
    """The size by which a number is divided for a digit: 1 of the last one."""
    if all(digit.terms.get(mono) == coef for mono, coef in whole.terms.items() if mono):
        return Poly.number(1)
    found = [roots[mono[0]][1] for mono, coef in digit.terms.items() if len(mono) == 1 and coef == 1 and mono[0] in roots
             and roots[mono[0]][0] == whole]
    return found[0] if len(found) == 1 else None


def _read_off(cell: Poly, digits: list[tuple[int, Monomial, Poly]], encoder: Encoder) -> Poly:
    """The number that has a cell's digits. `digits`: number and sizes of each stride, smallest first, and the digit's place."""
    sizes = [Poly({stride: number}) for number, stride, _ in digits]
    above = [cell if size == Poly.number(1) else encoder.quotient(cell, size) for size in sizes]
    value = above[-1] * digits[-1][2]
    for at, ((number, stride, place), (factor, larger, _)) in enumerate(pairwise(digits)):
        radix = Poly({divided(larger, stride) or (): factor // number})
        value = value + (above[at] - radix * above[at + 1]) * place
    return value
