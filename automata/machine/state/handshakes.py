"""What fences may have ordered in a run, by flags that threads raise and see.

A fence orders an access of a thread before one of another only by a chain: a fence behind the first access, an atomic access
behind that fence, one that sees it, and a fence before the second access. Between threads of two blocks the first fence of the
chain is one of the first thread's block, the last one of the second's, and both are wide enough for several blocks; whoever else
passes something on stands between. Here all fences and atomic accesses of a run are numbered as they come. Where no such pair of
fences with an atomic access between them is there, nothing but barriers orders the two accesses; where one is, they may be
ordered, whatever the flags were: that is not looked at. Among threads of one block any fences of the block may do. Of volatile
memory nothing is kept in caches, so that it may be ordered without the second fence, as NVIDIA's programming guide has it
("Memory Fence Functions").

An update of the very cell needs no fence behind it: an atomic access that comes later reads what it has made of the cell, and
what the block does behind that is ordered after both (PTX, "Observation Order" and "Causality Order"). So the last block may set
its counter back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from automata.machine.numbers.values import Mask, Numbers


@dataclass
class Handshakes:
    """The events of a run. `updates`: numbers of atomic accesses; `fences`: of fences, by block and whether they are wide."""

    events: int = 0
    updates: list[int] = field(default_factory=list)
    fences: dict[tuple[int, bool], list[int]] = field(default_factory=dict)

    def update(self) -> None:
        """An instruction with atomic accesses."""
        self.events += 1
        self.updates.append(self.events)

    def fence(self, blocks: list[int], *, is_wide: bool) -> None:
        """A fence that threads of some blocks pass together."""
        self.events += 1
        for block in blocks:
            for reach in (False, True) if is_wide else (False,):
                self.fences.setdefault((block, reach), []).append(self.events)

    def between(self, kept: Mapping[str, Numbers], own: Mapping[str, int]) -> Mask:
        """Whether fences may order earlier accesses before this one, which may be volatile."""
        found = [self.may_order(block, since, own["block"], own["events"], is_volatile=bool(own["volatile"]))
                 for block, since in zip(kept["block"].tolist(), kept["events"].tolist(), strict=True)]
        return np.array(found, np.bool_)

    def may_order(self, block: int, since: int, other: int, now: int, *, is_volatile: bool = False) -> bool:
        """Whether fences may order what a thread of a block did when there were `since` events before what one of another
        block, or of the same, does when there are `now`. `is_volatile`: the second access is made where it stands."""
        is_wide = block != other
        released, acquired = self.fences.get((block, is_wide), []), self.fences.get((other, is_wide), [])
        first, last = bisect_right(released, since), bisect_right(acquired, now)
        if first == len(released) or (last == 0 and not is_volatile):
            return False
        seen = bisect_right(self.updates, released[first])
        return seen < len(self.updates) and (is_volatile or self.updates[seen] < acquired[last - 1])


def have_been_seen(kept: Mapping[str, Numbers], own: Mapping[str, int]) -> Mask:
    """Whether earlier accesses to a cell are updates by other blocks that an atomic access of this one's block has seen since, as
    far as this one is none itself."""
    atomic = (kept["family"] > 0) & (kept["narrow"] == 0)
    mine = kept["block"] == own["block"]
    last = kept["order"][atomic & mine].max(initial=-1)
    seen: Mask = atomic & ~mine & (kept["order"] < last) & (own["family"] == 0)
    return seen
