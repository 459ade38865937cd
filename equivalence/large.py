"""A launch of numbers that is too large to be run: proved as if its arguments were sizes, each bound to its number.

Input: a pair, each side at a launch of numbers. Output: the pair with its integer arguments left open and required to be what
they are, from below and from above. So loops that they bound stay loops, and a proof takes as long at a million as at ten; what
it says is of this launch alone. It is tried before anything is run, where threads and the largest argument say that a run is
long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.scope import THIS_LAUNCH
from equivalence.pairing import Pair
from equivalence.result import EquivReport, EquivVerdict
from equivalence.step import Step

LARGE = 1 << 24
"""Threads times the largest argument, from which on a proof is tried before the launch is run: a product of 256 by 256."""
OF_THE_TIME = 0.5
"""For that proof."""


def is_large(steps: Sequence[Step]) -> bool:
    """Whether a run of a launch is long."""
    return any(step.threads * max((value for value in _numbers(step.kernel, step.launch).values()), default=1) > LARGE
               for step in steps)


def opened(pair: Pair) -> Pair:
    """The pair with its integer arguments as bounded sizes, as far as both sides agree on them."""
    ours, theirs = _numbers(pair.a, pair.launch_a), _numbers(pair.b, pair.launch_b)
    numbers = {name: value for name, value in ours.items() if theirs.get(name, value) == value}
    numbers |= {name: value for name, value in theirs.items() if name not in ours}
    return replace(pair, launch_a=_opened(pair.launch_a, numbers), launch_b=_opened(pair.launch_b, numbers))


def told(report: EquivReport, pair: Pair) -> EquivReport | None:
    """An equality that was proved of the pair with open arguments, as one of its launch; None for any other answer."""
    if report.verdict is not EquivVerdict.EQUAL:
        return None
    ours, theirs = _numbers(pair.a, pair.launch_a), _numbers(pair.b, pair.launch_b)
    bounds = {f"{mark}required: {text}" for numbers in (ours, theirs) for text in _bounds(numbers) for mark in ("", "a: ", "b: ")}
    return replace(report, scope=THIS_LAUNCH, assumptions=tuple(text for text in report.assumptions if text not in bounds))


def _numbers(kernel: Kernel, launch: Launch) -> dict[str, int]:
    """The integer parameters whose numbers a launch states."""
    return {param.name: value for param in kernel.params
            if param.type.is_int and param.type.bits > 1 and isinstance(value := launch.args.get(param.name), int)}


def _opened(launch: Launch, numbers: Mapping[str, int]) -> Launch:
    args = {name: value for name, value in launch.args.items() if name not in numbers}
    return replace(launch, args=args, requires=(*launch.requires, *_bounds(numbers)))


def _bounds(numbers: Mapping[str, int]) -> Iterator[str]:
    """Both bounds of each number; an equation would make it one again."""
    for name, value in numbers.items():
        yield f"{name} >= {value}"
        yield f"{name} <= {value}"
