"""Lanes that go round a loop for ever: seen by their coming to its head twice with all that decides whether it goes on alike.

What decides is `thread.repeating`'s to say. Now and then, and once loops have gone round for long, what lanes have there is kept
and compared with what they have later (Brent's cycle detection, lane by lane); which rounds are looked at follows a sequence of
hashes, so that no group of lanes is passed by each time. A loop in which nothing recurs is given up by its limit of rounds alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from automata.machine.lanes.frame import Frame, Surroundings
from automata.machine.numbers.values import Lanes, Mask, Numbers
from automata.thread.repeating import Repeating

START = 512
"""Rounds of loops in a batch before anything is looked at."""
ONE_IN = 8


@dataclass
class _Kept:
    """What lanes had at the head of one loop. `turns`: how often each was looked at; `is_kept`: since it entered the loop."""

    turns: Numbers
    is_kept: Mask
    values: dict[str, Lanes] = field(default_factory=dict)


class Recurrence:
    """The loops of one batch."""

    def __init__(self, batch: Surroundings) -> None:
        self.batch = batch
        self.kept: dict[int, _Kept] = {}

    @cached_property
    def repeating(self) -> Repeating:
        return Repeating(self.batch.program.automaton)

    def enter(self, head: int, lanes: Numbers) -> None:
        """Lanes come to a loop from outside."""
        if head in self.kept:
            self.kept[head].is_kept[lanes] = False

    def again(self, frame: Frame, head: int) -> Mask | None:
        """Which lanes come to the head of a loop as they came to it before; None: none."""
        rounds = self.batch.rounds
        if rounds < START or (rounds * 0x9E3779B1 >> 16) % ONE_IN:
            return None
        names = self.repeating.locals_of(head)
        data = self.batch.program.data
        if names is None or (data is not None and any(map(data.holds, names))):
            return None
        lanes, count = frame.numbers(), self.batch.lanes
        kept = self.kept.setdefault(head, _Kept(np.zeros(count, np.int64), np.zeros(count, np.bool_)))
        declared = sorted(filter(frame.has, names))  # the others belong to the loop's inside, and no lane has come to them yet
        values = {name: np.broadcast_to(frame.get(name), (frame.count,)) for name in declared}
        alike = kept.is_kept[lanes]
        for name, value in values.items():
            alike &= kept.values[name][lanes] == value if name in kept.values else False
        kept.turns[lanes] += 1
        turns = kept.turns[lanes]
        fresh = ((turns & (turns - 1)) == 0) | ~kept.is_kept[lanes]
        if fresh.any():
            for name, value in values.items():
                kept.values.setdefault(name, np.zeros(count, value.dtype))[lanes[fresh]] = value[fresh]
            kept.is_kept[lanes[fresh]] = True
        return alike if alike.any() else None
