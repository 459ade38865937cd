"""Blocks that may have few sizes, one after another.

Input: the integers of a comparison and the sizes of the blocks of both sides. Output: all that the sizes may be that no number
states, if these are few. A block has no more than 1024 threads, so one whose size is required to be a power of two has one of
eleven sizes, and a multiple of 128 one of eight. A proof for each of them by itself is a proof for all: lanes are numbers there,
so trees, exchanges and scans are carried out, whose rounds a symbol for the size would leave unknown. That no size is missed is
asked of the solver (`are_all`), under what is required of both launches and what the platform grants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise, product

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Poly
from automata.logic.views import ANY
from automata.proof.known.launch_limits import MAX_THREADS
from equivalence.generic.integers import Integers
from equivalence.generic.written_sizes import multiples_in

MOST_SIZES = 12
"""Sizes that are gone through: the powers of two up to 1024 are 11."""
MOST_TRIED = 64
"""Numbers of which it is asked whether a size may be them: multiples of 16."""

Sizes = Mapping[Atom, int]


def few_blocks(integers: Integers, dims: Iterable[Poly]) -> list[Sizes]:
    """The numbers that the sizes of blocks may be, where these are few; nothing where they are not, or are stated."""
    free: dict[Atom, None] = {}
    for size in dims:
        if size.constant is None:
            (each, *more) = sorted(size.atoms())
            if more or size != Poly.atom(each):
                return []
            free[each] = None
    alike = [_alike(integers, each) for each in free]
    held = [next(filter(None, (_numbers(integers, each) for each in group)), []) for group in alike]
    if not held or not all(held):
        return []
    found: list[Sizes] = [{each: number for group, number in zip(alike, way, strict=True) for each in group}
                          for way in product(*held)]
    return found if len(found) <= MOST_SIZES else []


def _alike(integers: Integers, size: Atom) -> list[Atom]:
    """A size, and those that are required to be equal to it: the parameter that a launch states it with."""
    found = [size]
    for part in integers.required:
        for other in sorted(P.atoms(part)):
            if other not in found and part in (P.eq(Poly.atom(size), Poly.atom(other)), P.eq(Poly.atom(other), Poly.atom(size))):
                found.append(other)
    return found


def _numbers(integers: Integers, each: Atom) -> list[int]:
    """The numbers that a size may be; none where that is not seen, or they are many."""
    low, high = integers.encoder.interval(Poly.atom(each))
    high = min(high, MAX_THREADS)
    if each in integers.encoder.powers_at(ANY):
        tried = [1 << at for at in range(MAX_THREADS.bit_length()) if low <= 1 << at <= high]
    else:
        by = max((by for part in integers.required for other, by in multiples_in(part, integers) if other == each), default=1)
        tried = [by * at for at in range(max(1, -(-low // by)), high // by + 1)]
    if len(tried) > MOST_TRIED:
        return []
    value = Poly.atom(each)
    found = [number for number in tried if not integers.never([P.eq(value, Poly.number(number))])]
    return found if found and len(found) <= MOST_SIZES and are_all(integers, each, found) else []


def are_all(integers: Integers, each: Atom, found: list[int]) -> bool:
    """Whether a size is one of some numbers for sure. That of a power of two is asked for between two neighbours alone, and so is
    a multiple's."""
    value = Poly.atom(each)
    if not (integers.always(P.le(Poly.number(found[0]), value)) and integers.always(P.le(value, Poly.number(found[-1])))):
        return False
    if each in integers.encoder.powers_at(ANY):
        return all(two == 2 * one for one, two in pairwise(found))
    return all(integers.never([P.lt(Poly.number(one), value), P.lt(value, Poly.number(two))])
               for one, two in pairwise(found) if two != one + 1)
