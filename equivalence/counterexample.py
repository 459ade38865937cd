"""Looking for a launch at which two kernels differ, smallest first, by running both.

Sizes come from small values that the requirements admit, or from a solver's model; inputs are made up,
no two cells alike. Only what both runs show is reported.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from math import prod

import numpy as np

from automata.arithmetic import Value
from automata.lang.core import Array, Quantity, Space
from automata.machine.fill import Fill, Reals, as_cells, drawn_from
from automata.machine.memory import Cells, Initial, Paged
from automata.machine.outcome import Outcome, Setting, same_value
from automata.machine.run import Options
from automata.machine.values import Numbers
from automata.proof.analysis import Analysis
from automata.proof.concrete import admitted, is_admitted, setting_at, triple
from automata.proof.context import Context
from equivalence.result import Counterexample, Owner

MAX_COMBINATIONS = 20_000
ROUNDING = 1e-3
LAUNCH_COST = 100


@dataclass(frozen=True, slots=True)
class Budget:
    """How much to try: threads of one launch, threads of all launches together. No clock: answers repeat."""

    threads: int
    work: int


class Search:
    """Runs two kernels side by side at concrete sizes."""

    def __init__(self, a: Analysis, b: Analysis, outputs: tuple[str, ...], *, bits: bool) -> None:
        """`bits`: any difference in bits counts; else floats must differ by more than rounding can explain."""
        self.bits, self.rounding = bits, ""
        self.a, self.b, self.outputs = a.context, b.context, outputs
        self.programs = a.program, b.program
        self.tried = 0

    def smallest(self, budget: Budget) -> Counterexample | None:
        """The first difference among small launches, in order of their number of threads."""
        candidates = sorted(islice(admitted((self.a, self.b)), MAX_COMBINATIONS), key=self._cost)
        left = budget.work
        for sizes in candidates:
            left -= self._threads(sizes) + LAUNCH_COST
            if left < 0 or self._threads(sizes) > budget.threads or self.a.is_late():
                break
            found = self.at(sizes)
            if found is not None:
                return found
        return None

    def at(self, sizes: Mapping[str, int]) -> Counterexample | None:
        """A difference at these sizes, if one shows with the inputs tried."""
        self.tried += 1
        for fill in (_distinct(1), _signs, _specials) if self.bits else (_distinct(1), _distinct(2), _signs):
            found = self._run(sizes, fill)
            if found is not None:
                return found
        return None

    def fits(self, sizes: Mapping[str, int], budget: Budget) -> bool:
        return is_admitted((self.a, self.b), sizes) and self._threads(sizes) <= budget.threads

    def _threads(self, sizes: Mapping[str, int]) -> int:
        return max(prod(triple(context, Quantity.GRID_DIM, sizes)) * prod(triple(context, Quantity.BLOCK_DIM, sizes))
                   for context in (self.a, self.b))

    def _cost(self, sizes: Mapping[str, int]) -> tuple[int, int]:
        return self._threads(sizes), sum(abs(value) for value in sizes.values())

    # -- runs ---------------------------------------------------------------------------------

    def _run(self, sizes: Mapping[str, int], fill: Fill) -> Counterexample | None:
        outcomes = [program.run(self._setting(context, sizes, fill))
                    for program, context in zip(self.programs, (self.a, self.b), strict=True)]
        if any(outcome.divergences or outcome.out_of_bounds or outcome.undefined for outcome in outcomes):
            return None
        for name in self.outputs:
            found = self._difference(name, outcomes, sizes, fill)
            if found is not None:
                return found
        return None

    def _setting(self, context: Context, sizes: Mapping[str, int], fill: Fill) -> Setting:
        return setting_at(context, sizes, fill, self.a.launch.ranges)

    def _initial(self, fill: Fill) -> Initial:
        ranges = self.a.launch.ranges

        def initial(array: Array, index: Numbers) -> Cells:
            return as_cells(fill(array.name, index), array.element, ranges.get(array.name))

        return initial

    def _difference(self, name: str, outcomes: list[Outcome], sizes: Mapping[str, int], fill: Fill) -> Counterexample | None:
        first, second = (outcome.contents(name) if name in outcome.written else {} for outcome in outcomes)
        for cell in sorted(first.keys() | second.keys()):
            one, two = (self._value(outcome, name, cell, fill) for outcome in outcomes)
            if not same_value(one, two) and not self._is_rounding(name, cell, one, two):
                shown: dict[str, int | float] = {key.removeprefix("b.") if key.removeprefix("b.") not in sizes else key: value
                                                 for key, value in sizes.items()}
                owners = [self._owner(number, name, cell, sizes, fill) for number in range(2)]
                return Counterexample(shown, self._inputs(outcomes, fill), name, cell, one, two, owners[0], owners[1])
        return None

    def _value(self, outcome: Outcome, name: str, cell: int, fill: Fill) -> Value:
        """A cell after a run; where the kernel has no such array in global memory, it is as it was."""
        if name in outcome.buffers:
            return outcome.value(name, cell)
        array = next(array for context in (self.a, self.b) for array in context.kernel.arrays
                     if array.name == name and array.space is Space.GLOBAL)
        found: Value = self._initial(fill)(array, np.array([cell], np.int64))[0].item()
        return found

    def _owner(self, number: int, name: str, cell: int, sizes: Mapping[str, int], fill: Fill) -> Owner | None:
        """Who wrote a cell last on one side: seen by running it again."""
        setting = self._setting((self.a, self.b)[number], sizes, fill)
        touches = self.programs[number].run(setting, Options(watched=frozenset({(name, cell)}))).touches.get((name, cell), [])
        last = next((touch for touch in reversed(touches) if touch.is_write), None)
        return Owner(last.actor, last.place) if last is not None else None

    def _is_rounding(self, name: str, cell: int, one: Value, two: Value) -> bool:
        """Whether a difference may be an effect of float arithmetic alone, in a mode that allows that."""
        if self.bits or not (isinstance(one, float) and isinstance(two, float)):
            return False
        known = math.isfinite(one) and math.isfinite(two)
        far = known and abs(one - two) > ROUNDING * max(1.0, abs(one), abs(two))
        if not far:
            self.rounding = f"{name}[{cell}]"
        return not far

    def _inputs(self, outcomes: list[Outcome], fill: Fill) -> dict[str, dict[int, Value]]:
        """The first cells of every global array, as they were before the run."""
        initial = self._initial(fill)
        found: dict[str, dict[int, Value]] = {}
        for array in self.a.kernel.arrays:
            if array.space is Space.GLOBAL:
                touched = np.unique(np.concatenate([_reached(outcome, array.name) for outcome in outcomes]))[:8]
                found[array.name] = dict(zip(touched.tolist(), initial(array, touched).tolist(), strict=True))
        return found


def _reached(outcome: Outcome, name: str) -> Numbers:
    """Some indices of an array that a run reached: those written, or the start of what was read."""
    if name in outcome.written:
        return np.array(sorted(outcome.contents(name)), np.int64)
    buffer = outcome.buffers.get(name)
    if isinstance(buffer, Paged):
        return buffer.indices(np.arange(min(8, buffer.cells.size)))
    return np.arange(min(8, buffer.cells.size) if buffer else 0)


def _distinct(seed: int) -> Fill:
    """Small numbers, no two neighbouring cells alike, none zero."""
    def fill(name: str, index: Numbers) -> Reals:
        start = sum(map(ord, name)) * 13 + seed * 101
        return ((start + index * (2 * seed + 1)) % 8191 + 1).astype(np.float64)

    return fill


_signs = drawn_from((-7.0, -1.0, -0.0, 0.0, 1.0, 3.0, 5.0), "signs")
_specials = drawn_from((math.nan, math.inf, -math.inf, -0.0, 0.0, 1e30, -1e30, 1e-30, 0.1, 3.0, 16777216.0), "specials")
