"""Equations between numbers that are written by places: 64·w + u = 64·j + c says w = j and u = c, where u and c are below 64.

Input: an equation p = 0, and what holds. Output: tests that together say the same. p is by·q + r for a number by, where r is what
by does not divide. If -by < r < by, then p = 0 exactly where q = 0 and r = 0, for no other multiple of by lies between. So the
copy of a table that a warp adds to, and the element of it, are told apart, though one index holds both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly, Rel
from equivalence.generic.bounds import with_small_numbers
from equivalence.generic.integers import ZERO, Integers

MOST_PLACES = 4
"""Numbers by which an equation is looked at."""


def by_places(integers: Integers, part: Formula, known: Sequence[Formula]) -> list[Formula]:
    """Equations that say what one says, where others hold; the one itself where none are seen."""
    part = with_small_numbers(part)
    if isinstance(part, Rel) and part.sign == "==":
        if (inside := _of_quotient(integers, part.poly)) is not None:
            return inside
        for whole, rest in _written(integers, part.poly):
            if _is_below(integers, rest, whole[0], known):
                made = [P.eq(whole[1], ZERO), P.eq(rest, ZERO)]
                return [inner for each in made if each != P.TRUE for inner in by_places(integers, each, known)]
    return [part]


def _of_quotient(integers: Integers, value: Poly) -> list[Formula] | None:
    """floor(v / s) = m, for numbers s and m, as m·s <= v < m·s + s."""
    each = next((each for each in value.atoms() & integers.encoder.floors.keys() if value.terms.get((each,)) in (1, -1)), None)
    if each is None or value.atoms() != {each} or not integers.encoder.is_floor(each):
        return None
    inner, size = integers.encoder.floors[each]
    times, by = -value.terms.get((), 0) * value.terms[(each,)], size.constant
    return None if not by or by < 0 else [P.le(Poly.number(times * by), inner), P.lt(inner, Poly.number(times * by + by))]


def _rests(integers: Integers, value: Poly) -> set[tuple[Atom, ...]]:
    """The quotients in a value that stand beside what they are of, so that both are a rest: v - m·floor(v / m)."""
    found = set[tuple[Atom, ...]]()
    for each in value.atoms() & integers.encoder.floors.keys():
        inner, size = integers.encoder.floors[each]
        coef, by = value.terms.get((each,), 0), size.constant
        is_beside = by and coef and coef % by == 0 and all(value.terms.get(mono) == -coef // by * own
                                                           for mono, own in inner.terms.items() if mono)
        if is_beside:
            found.add((each,))
    return found


def _written(integers: Integers, value: Poly) -> Iterator[tuple[tuple[int, Poly], Poly]]:
    """Ways to write a value as a multiple of a number and something else: what the number does not divide, and rests."""
    steps = sorted({abs(coef) for mono, coef in value.terms.items() if mono and abs(coef) > 1}, reverse=True)
    rests = _rests(integers, value)
    for by in steps[:MOST_PLACES]:
        below = {mono for mono, coef in value.terms.items() if mono and (coef % by or mono in rests)}
        whole = Poly({mono: coef // by for mono, coef in value.terms.items() if mono and mono not in below})
        rest = Poly({mono: coef for mono, coef in value.terms.items() if mono in below})
        times, left = divmod(value.terms.get((), 0), by)
        if rest.terms and whole.terms:
            yield (by, whole.plus(times)), rest.plus(left)
            if left:
                yield (by, whole.plus(times + 1)), rest.plus(left - by)


def _is_below(integers: Integers, rest: Poly, by: int, known: Sequence[Formula]) -> bool:
    """Whether -by < rest < by."""
    low, high = integers.encoder.interval(rest)
    if -by < low and high < by:
        return True
    return all(integers.never([*known, part]) for part in (P.le(Poly.number(by), rest), P.le(rest, Poly.number(-by))))
