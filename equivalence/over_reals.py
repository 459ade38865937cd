"""What an equality over the reals takes for granted of floats, with the lines that it is about.

Input: the kernels of both sides, branches on data made into values, with what data decide in them. Output: assumptions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from automata.lang.core import Kernel
from automata.place import Place
from automata.rewriting.partition import Partition
from equivalence.divisors import approximations, divisions, partial_calls, representations
from equivalence.evidence import Caveats
from equivalence.notes import notes
from equivalence.result import EqualityClass

Sides = Sequence[Sequence[tuple[Kernel, Partition]]]
GRANTED: Sequence[tuple[Callable[[Kernel, Partition], list[Place]], str]] = (
    (representations, "signs and bits of floats are those of the reals"),
    (approximations, "approximate functions are what they approximate"),
    (divisions, "no divisor is zero"),
    (partial_calls, "roots, logarithms and the like are of numbers that they are defined for"))
"""Where more of floats is looked at than the reals have, and where quotients and functions may have no value."""


def caveats(kernels: Sequence[Sequence[Kernel]], parts: Sides, kind: EqualityClass) -> Caveats:
    """What an equality takes for granted, and what it leaves unsaid. `parts`: the kernels, branches on data made into values."""
    return Caveats(for_granted(parts), tuple(notes(kernels, kind)))


def for_granted(sides: Sides) -> tuple[str, ...]:
    """The assumptions that are about some line of either side."""
    return tuple(f"{what} ({lines})" for found, what in GRANTED if (lines := _lines(sides, found)))


def _lines(sides: Sides, found: Callable[[Kernel, Partition], list[Place]]) -> str:
    lines = [list(dict.fromkeys(f"line {place.line}" for part in parts for place in found(*part))) for parts in sides]
    return "; ".join(f"{name}: {', '.join(group)}" for name, group in zip("ab", lines, strict=True) if group)
