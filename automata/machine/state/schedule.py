"""Which threads run first: a schedule gives every lane of a batch a rank, lower ranks run until they wait.

Lanes of one rank run together, in lock step where their control flow agrees; that is one legal interleaving of
many. A race is demonstrated by two schedules after which memory differs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from automata.lang.spaces import WARP
from automata.machine.numbers.values import Numbers
from automata.place import InputError

Kind = Literal["canonical", "reversed", "sequential", "threads", "warps", "ahead"]


@dataclass(frozen=True, slots=True)
class Schedule:
    """How lanes take turns.

    `canonical`: all together, of two that write one cell at once the last thread wins; `reversed`: the first one
    wins, and blocks run last to first; `sequential`: one thread after another; `threads`, `warps`: seeded random turns, drawn
    anew at every barrier; `ahead`: the threads of `first` (flat block, flat thread) one after another, then all others.
    """

    kind: Kind = "canonical"
    seed: int = 0
    first: tuple[tuple[int, int], ...] = ()

    @property
    def reverses(self) -> bool:
        return self.kind == "reversed"

    def ranks(self, lanes: int, threads: int, turn: int, ahead: tuple[int, ...]) -> Numbers | None:
        """The rank of each lane of a batch; None: all alike. `turn`: how many barriers were passed;
        `ahead`: the lanes of `first`."""
        match self.kind:
            case "canonical" | "reversed":
                return None
            case "sequential":
                return np.arange(lanes)
            case "threads":
                return self.drawn(turn).permutation(lanes)
            case "warps":
                thread = np.arange(lanes)
                warps = -(-threads // WARP)
                warp = thread // threads * warps + thread % threads // WARP
                return self.drawn(turn).permutation(lanes // threads * warps)[warp]
            case "ahead":
                found = np.full(lanes, len(ahead))
                found[list(ahead)] = range(len(ahead))
                return found

    def drawn(self, turn: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, turn])

    def __str__(self) -> str:
        if self.kind == "ahead":
            return "ahead:" + ",".join(f"{block}/{thread}" for block, thread in self.first)
        return f"{self.kind}:{self.seed}" if self.kind in ("threads", "warps") else self.kind


CANONICAL = Schedule()
REVERSED = Schedule("reversed")


def parse_schedule(text: str) -> Schedule:
    """`canonical`, `reversed`, `sequential`, `threads:7`, `warps:7`, `ahead:THREAD` or `ahead:BLOCK/THREAD` (flat)."""
    name, _, rest = text.partition(":")
    if name in ("canonical", "reversed", "sequential") and not rest:
        return Schedule(name)  # type: ignore[arg-type]
    if name in ("threads", "warps") and (not rest or rest.isdecimal()):
        return Schedule(name, int(rest or 0))  # type: ignore[arg-type]
    parts = rest.split("/")
    if name == "ahead" and len(parts) <= 2 and all(part.isdecimal() for part in parts):
        block, thread = (0, int(parts[0])) if len(parts) == 1 else map(int, parts)
        return Schedule("ahead", 0, ((block, thread),))
    raise InputError(f"--schedule '{text}': give canonical, reversed, sequential, threads:SEED, warps:SEED or "
                     "ahead:BLOCK/THREAD")
