"""Locals of a loop whose value in each round is known: counters, and what turns in a circle.

A counter grows by the same in all rounds: in round r it is its first value plus r steps. What turns begins with a number, and a
round makes of each of its numbers the next one, whatever else holds: the buffer that is read now (`now ^= 1`, `1 - now`,
`(now + 1) % 3`, two locals that are swapped). In round r it is the number at r modulo their count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from automata.logic import poly as P
from automata.logic.poly import Poly
from equivalence.generic.integers import Integers
from equivalence.generic.lanes import Row

MOST_TURNS = 6
"""Numbers of a circle."""


@dataclass
class Counters:
    """The counters of a loop. `steps`: what a round adds; `circles`: the numbers of those that turn, the first one first."""

    steps: dict[str, Row[Poly]] = field(default_factory=dict)
    circles: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.steps or name in self.circles

    def turned(self, name: str, number: Poly, integers: Integers) -> Poly:
        """What turns, in a round."""
        numbers = self.circles[name]
        count = len(numbers)
        turn = number - integers.floor(number, Poly.number(count)).scale(count)
        turn = integers.encoder.spanning(turn, (0, count - 1)) if turn.constant is None else turn
        if count <= 2:
            return Poly.number(numbers[0]) + turn.scale(numbers[-1] - numbers[0])
        found = Poly.number(numbers[-1])
        for at, value in enumerate(numbers[:-1]):
            found = integers.choice(P.eq(turn, Poly.number(at)), Poly.number(value), found)
        return found


def circles_of(rounds: list[Mapping[str, int]]) -> dict[str, tuple[int, ...]] | None:
    """The numbers of all locals that turn together, once the last of some rounds is like the first; None before."""
    if len(rounds) < 2 or rounds[-1] != rounds[0]:
        return None
    return {name: tuple(each[name] for each in rounds[:-1]) for name in rounds[0]}

