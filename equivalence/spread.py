"""Launches spread over the sizes: around the numbers that kernels mention, where a difference may begin.

The smallest launches (`counterexample.Search.smallest`) do not reach what differs behind the 1024th element, or in the third
round. Input: contexts of both sides. Output: assignments that meet all requirements. Each parameter in turn takes numbers at,
below and above those of the kernels, and multiples of them, while the others are drawn from small ones; always the same, in the
same order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from automata.lang.core import Const, Kernel
from automata.lang.traverse import expressions, walk, within
from automata.logic import terms as T
from automata.proof.known.concrete import DIMENSIONS, SCALARS, Assignment, Requirements, derive, derived_symbols
from automata.proof.known.context import Context
from automata.proof.known.evaluation import Evaluation

LARGEST = 4096
"""The largest number of a kernel that sizes are put around."""
OTHERS = (1, 2, 3, 5, 6, 9, 13, 20, 33, 40)
"""What the other parameters are meanwhile."""
GRIDS = (1, 2, 3, 4, 5)
NEARBY = 64
"""How far a number that requirements refuse is moved up."""
DRAWN = 6
"""How often the others are drawn for one number until requirements are met."""


def numbers_in(kernel: Kernel) -> list[int]:
    """The integers that a kernel mentions, in its order."""
    found = (part.value for stmt in walk(kernel.body) for expr in expressions(stmt) for part in within(expr)
             if isinstance(part, Const) and part.type.is_int)
    return [int(value) for value in dict.fromkeys(found) if 1 < value <= LARGEST]


def around(numbers: Sequence[int]) -> list[int]:
    """Numbers at, below and above some, their multiples, and those that sizes often are."""
    numbers = list(dict.fromkeys([*numbers, *(one * two for one in numbers for two in numbers
                                              if one < two and one * two <= LARGEST)]))
    near = (value for by in (lambda n: (n, n + 1, n - 1), lambda n: (n + 2, 2 * n, 2 * n + 1), lambda n: (3 * n + 5, n + n // 2))
            for number in numbers for value in by(number))
    return list(dict.fromkeys([*near, *SCALARS]))


def spread(contexts: Sequence[Context], seed: int = 1) -> Iterator[Assignment]:
    """The launches, without end only where there is a free size."""
    derived = derived_symbols(contexts)
    fixed = {name: Evaluation(term) for name, term in derived.items()}
    required = Requirements(contexts)
    free = [name for name in required.names if name not in derived]
    dims = {str(term) for context in contexts for term in context.symbols() if T.size_of(term)}
    numbers = list(dict.fromkeys(number for context in contexts for number in numbers_in(context.source)))
    wanted = around(numbers)
    mine = {name: list(dict.fromkeys(_allowed(required, name, (*GRIDS, *DIMENSIONS) if name in dims else wanted)))
            for name in free}
    small = {name: _allowed(required, name, GRIDS if name in dims else OTHERS) for name in free}
    if not free or not all(mine.values()) or not all(small.values()):
        return
    draw, seen = random.Random(seed), set[tuple[int, ...]]()
    for at in range(max(map(len, mine.values()))):
        for name in free:
            if at < len(mine[name]):
                sizes = _met(required, fixed, free, small, name, mine[name][at], draw)
                if sizes is not None and (key := tuple(sizes[each] for each in required.names)) not in seen:
                    seen.add(key)
                    yield sizes


def swept(contexts: Sequence[Context], most: int) -> Iterator[Assignment]:
    """Launches in which one size after the other takes every number up to a limit, the others as small as a draw finds them."""
    derived = derived_symbols(contexts)
    fixed = {name: Evaluation(term) for name, term in derived.items()}
    required = Requirements(contexts)
    free = [name for name in required.names if name not in derived]
    dims = {str(term) for context in contexts for term in context.symbols() if T.size_of(term)}
    small = {name: _allowed(required, name, GRIDS[:2] if name in dims else OTHERS[:3]) for name in free}
    if not all(small.values()):
        return
    draw = random.Random(1)
    for value in range(most + 1):
        for name in free:
            if required.allow(name, value) and (sizes := _met(required, fixed, free, small, name, value, draw)) is not None:
                yield sizes


def smaller(contexts: Sequence[Context], sizes: Assignment, most: int) -> Iterator[tuple[Assignment, Callable[[], None]]]:
    """Launches with one parameter less, the least first, and how to say that one of them will do as well: those that follow are
    then smaller still. `most`: of them all."""
    derived = derived_symbols(contexts)
    fixed = {name: Evaluation(term) for name, term in derived.items()}
    required = Requirements(contexts)
    known = dict(sizes)
    left = most

    def take(found: Assignment) -> None:
        known.update(found)

    def at(name: str, value: int) -> Assignment | None:
        nonlocal left
        tried = {**{each: known[each] for each in required.names if each not in derived}, name: value}
        derive(fixed, tried)
        left -= 1
        return tried if left >= 0 and required.hold(tried) else None

    for name in sorted((each for each in known if each in required.names and each not in derived), key=lambda each: -known[each]):
        low = 0
        for value in _below(known[name]):
            if tried := at(name, value):
                yield tried, partial(take, tried)
            if value == known[name]:
                break
            low = value
        while known[name] - low > 1 and left > 0:
            middle = (low + known[name]) // 2
            if tried := at(name, middle):
                yield tried, partial(take, tried)
            low = middle if known[name] != middle else low


def _below(value: int) -> list[int]:
    """The least numbers, then some on the way up to a number."""
    return sorted({each for each in (1, 2, 3, *(value >> by for by in range(6, 0, -1))) if 0 < each < value})


def _allowed(required: Requirements, name: str, values: Sequence[int]) -> list[int]:
    """The numbers that what is asked of one size alone admits, moved up to the next such one where it refuses them."""
    found = (next((more for more in range(value, value + NEARBY + 1) if required.allow(name, more)), None) for value in values)
    return [value for value in found if value is not None]


def _met(required: Requirements, fixed: dict[str, Evaluation], free: Sequence[str], small: dict[str, list[int]], name: str,
         value: int, draw: random.Random) -> Assignment | None:
    """A launch with one number in it that meets all requirements, if one is drawn."""
    for _ in range(DRAWN):
        sizes = {each: value if each == name else draw.choice(small[each]) for each in free}
        derive(fixed, sizes)
        if required.hold(sizes):
            return sizes
    return None
