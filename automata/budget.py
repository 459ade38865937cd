"""How much a question may cost: the time that the user grants, and work that is counted.

A verdict must not depend on how busy a machine is. So the only clock is the user's own limit (`--timeout`). What one part of
the tool grants another is counted in *work*: steps of solvers, of the machine, of polynomials. Work is told in seconds, those
that it took on the machine where it was measured; on a slower or busier one it takes longer and gives the same answer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace


class Meter:
    """The work that this process has done, in nanoseconds. `lacked`: how often memory ran out, which hangs on the machine."""

    __slots__ = ("done", "lacked")

    def __init__(self) -> None:
        self.done = 0
        self.lacked = 0


METER = Meter()
"""Every part that can take long adds to it what it has done."""
_SECOND = 10**9
SLOWER = 4
"""How many times as long as its work a first look may take by the clock."""


@dataclass(slots=True, eq=False)
class Haste:
    """Of a first look, which is followed by a longer one if need be: whether it has left out or cut short anything."""

    is_felt: bool = False


@dataclass(frozen=True, slots=True)
class Budget:
    """What may still be spent. `clock`: a reading of the monotonic clock; `work`: one of the meter. None: no limit. `haste`: of a
    first look."""

    clock: float | None = None
    work: int | None = None
    haste: Haste | None = field(default=None, compare=False)

    @staticmethod
    def of(seconds: float | None) -> Budget:
        """The user's limit, from now on."""
        if not seconds:
            return UNLIMITED
        return Budget(time.monotonic() + seconds, METER.done + int(seconds * _SECOND))

    def within(self, seconds: float) -> Budget:
        """The same, and no more than so many seconds of work from now on."""
        most = METER.done + int(seconds * _SECOND)
        return replace(self, work=most if self.work is None else min(most, self.work))

    def share(self, part: float) -> Budget:
        """A part of the work that is left."""
        return self if self.work is None else replace(self, work=METER.done + int(part * max(0, self.work - METER.done)))

    def hurried(self, part: float, seconds: float) -> Budget:
        """For a first look: a part of what is left, and no more than so many seconds of work. By the clock it may take several
        times that part, so that a machine that is busy otherwise gives the same answer."""
        clock = None if self.clock is None else time.monotonic() + SLOWER * part * (self.seconds or 0.0)
        return replace(self.share(part).within(seconds), clock=clock, haste=Haste())

    @property
    def was_enough(self) -> bool:
        """Whether nothing was left out for haste."""
        return self.haste is None or not self.haste.is_felt

    def most(self, part: float) -> int | None:
        """A part of the work that is left, in milliseconds; None: any."""
        return None if self.work is None else max(0, int(part * (self.work - METER.done) / 10**6))

    @property
    def is_spent(self) -> bool:
        return (self.work is not None and METER.done > self.work) or (self.clock is not None and time.monotonic() > self.clock)

    @property
    def seconds(self) -> float | None:
        """Of the user's time, what is left; None: any."""
        return None if self.clock is None else max(0.0, self.clock - time.monotonic())


UNLIMITED = Budget()
GRANTED = ContextVar("granted", default=UNLIMITED)
"""What reading may spend."""


@contextmanager
def granted(budget: Budget) -> Iterator[None]:
    """What is read in here may spend so much. Reading looks at it between statements (`is_over`), where nothing is half done."""
    before = GRANTED.set(budget)
    try:
        yield
    finally:
        GRANTED.reset(before)


def is_over() -> bool:
    """Whether what was granted is spent."""
    return GRANTED.get().is_spent
