"""What a run of a launch may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """What a run may take: statements that unrolling makes, accesses before it is given up; None: what the limits say."""

    statements: int | None = None
    accesses: int | None = None


WHOLE = Effort()
