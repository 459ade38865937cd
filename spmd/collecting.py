"""The collector of garbage, while modules are loaded and when they are.

What a module makes while it is loaded stays. The collector would look at it again and again meanwhile, which takes a sixth of the
time of a small check. So in a process of our own it comes seldom at first (`seldom`); when the first kernel's turn comes, what is
there is left out of its work for good, and it comes as it always does (`as_ever`).
"""

from __future__ import annotations

import gc
from functools import cache

MANY = 1_000_000
"""Objects that have come since the last time, before it comes again."""
_BEFORE: list[tuple[int, int, int]] = []


def seldom() -> None:
    """From now on the collector comes seldom."""
    _BEFORE.append(gc.get_threshold())
    gc.set_threshold(MANY)


@cache
def as_ever() -> None:
    """What has been made so far stays; of what comes the collector is in charge as it was before, wherever that was changed."""
    gc.freeze()
    if _BEFORE:
        gc.set_threshold(*_BEFORE.pop())
