"""Fences: the statement of Core, and the flags of OpenCL C's barriers, which say which spaces a barrier fences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from automata.lang.spaces import Space
from automata.place import NOWHERE, Place

FENCE_BITS = {Space.SHARED: 1, Space.GLOBAL: 2}
"""OpenCL's fence flags."""


def fenced(flags: int) -> frozenset[Space]:
    """The spaces that fence flags name."""
    return frozenset(space for space, bit in FENCE_BITS.items() if flags & bit)


@dataclass(frozen=True, slots=True)
class Fence:
    """A memory fence, at which nobody waits: what a thread did before it comes before what another does behind a fence of its own
    that stands behind an atomic access which sees one of this thread's made behind this fence. `scope`: among the threads of a
    block or of the device; group: OpenCL's, which older programs take for one among all, and one between proxies. `side`: of what
    a release before, or an acquire behind, orders together with the one atomic access beside it; both: of a fence that stands
    alone and is sequentially consistent, as `__threadfence` is; acq_rel: of one that stands alone and is release and acquire, no
    more; early, late: of one that stands alone and is a release, or an acquire, only."""

    scope: Literal["block", "device", "group"]
    side: Literal["both", "acq_rel", "release", "acquire", "early", "late"] = "both"
    place: Place = field(default=NOWHERE, compare=False)
