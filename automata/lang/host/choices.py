"""Values of which there are several, one after the other: a launch is evaluated once for each combination of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from automata.lang.host.numbers import Unknown

MOST = 12
"""Combinations that are looked at, of those that a run may make."""
MOST_LISTED = 16
"""The same where one thing alone is chosen: an element of a table, say, which no test ties to another choice."""
MOST_TRIED = 4 * MOST
"""Combinations of which that is asked."""

T = TypeVar("T")


class Infeasible(Exception):
    """No run of the program makes this combination."""


class Choices:
    """The combination at hand. What was chosen first changes last. `deepest`: how much was chosen at once, at most."""

    def __init__(self) -> None:
        self._trail: list[list[int]] = []
        self._made: dict[object, int] = {}
        self.is_settled = False
        self.deepest = 0

    @property
    def are_several(self) -> bool:
        """Whether anything was chosen."""
        return bool(self._made)

    def pick(self, key: object, count: int) -> int:
        """Which of several; the same for the same key. Unknown where all has been settled without it."""
        if key not in self._made:
            if self.is_settled:
                raise Unknown
            at = len(self._made)
            if at == len(self._trail):
                self._trail.append([0, count])
                self.deepest = max(self.deepest, at + 1)
            self._made[key] = self._trail[at][0]
        return self._made[key]

    def advance(self) -> bool:
        """Go on to the next combination; False where there is none."""
        self._made, self.is_settled = {}, False
        while self._trail and self._trail[-1][0] + 1 >= self._trail[-1][1]:
            self._trail.pop()
        if not self._trail:
            return False
        self._trail[-1][0] += 1
        return True


def every(read: Callable[[Choices], T]) -> list[T] | None:
    """What is read of each combination that a run may make; None where there are too many."""
    choices, found = Choices(), list[T]()
    for _ in range(MOST_TRIED):
        with suppress(Infeasible):
            found.append(read(choices))
        if len(found) > (MOST_LISTED if choices.deepest == 1 else MOST):
            return None
        if not choices.advance():
            return found
    return None
