"""The flags of OpenCL C's barriers: which spaces a barrier fences."""

from __future__ import annotations

from automata.lang.core import Space

FENCE_BITS = {Space.SHARED: 1, Space.GLOBAL: 2}
"""OpenCL's fence flags."""


def fenced(flags: int) -> frozenset[Space]:
    """The spaces that fence flags name."""
    return frozenset(space for space, bit in FENCE_BITS.items() if flags & bit)
