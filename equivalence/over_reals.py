"""What an equality over the reals takes for granted of floats, with the lines that it is about.

Input: the kernels of both sides, branches on data made into values, with what data decide in them. Output: assumptions of the
result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from automata.lang.core import Kernel
from automata.machine.symbols.partition import Partition
from automata.place import Place
from equivalence.divisors import approximations, divisions, partial_calls, representations
from equivalence.result import EquivReport

Sides = Sequence[Sequence[tuple[Kernel, Partition]]]


def assume_represented(sides: Sides, result: EquivReport) -> None:
    """That what is looked at of floats besides their values is that of the reals."""
    _assume(sides, representations, "signs and bits of floats are those of the reals", result)
    _assume(sides, approximations, "approximate functions are what they approximate", result)


def assume_defined(sides: Sides, result: EquivReport) -> None:
    """That quotients and functions have values."""
    _assume(sides, divisions, "no divisor is zero", result)
    _assume(sides, partial_calls, "roots, logarithms and the like are of numbers that they are defined for", result)


def _assume(sides: Sides, found: Callable[[Kernel, Partition], list[Place]], what: str, result: EquivReport) -> None:
    """State an assumption with the lines of both sides that it is about, if there are any."""
    lines = [list(dict.fromkeys(f"line {place.line}" for part in parts for place in found(*part))) for parts in sides]
    told = [f"{name}: {', '.join(group)}" for name, group in zip("ab", lines, strict=True) if group]
    if told:
        result.assumptions.append(f"{what} ({'; '.join(told)})")
