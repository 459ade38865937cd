"""Whether floats that two runs leave different are a difference between what the kernels compute, or rounding.

Four ways to tell, the first that applies: bits are asked for; everything computed is defined over the reals, over which the sides
are known to be equal; both sides are run without rounding (`precise`); both are run in double precision (`wide`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from automata.arithmetic import Value
from automata.lang.core import Array
from automata.machine.numbers.values import Mask, Numbers
from automata.machine.running.run import Options
from automata.machine.state.fill import Fill, as_cells
from automata.machine.state.memory import Cells
from automata.machine.state.outcome import same_value
from equivalence import reals
from equivalence.chain import Chain, ChainOutcome
from equivalence.defined import Watched
from equivalence.precise import Pool, Precise
from equivalence.reals import Uncovered, Unsettled

ROUNDING = 1e-3
WIDE_ROUNDING = 1e-8
MOST_PRECISE, PRECISE_COST = 30_000, 16
"""Accesses of runs over the reals, and what they cost as many times as on floats."""

Told = tuple[str, str] | tuple[()] | None
"""What a difference is over the reals, as text: nothing where it was not seen there, None where there is no difference."""
Judgement = Callable[[str, int], Told]
"""Of a cell of an array that two runs leave different."""


class Judge:
    """`bits`: any difference in bits counts; else floats must differ by more than rounding can explain. `numbers`: a number
    differs from none (infinity, NaN), if it does in double precision too.

    Two functions whose values a device rounds in its own way may agree there to the bit (`__expf` is a product and `ex2`):
    where the sides call unlike ones, what rounding can explain counts for nothing (`is_loose`).
    """

    def __init__(self, sides: tuple[Chain, Chain], *, bits: bool, numbers: bool) -> None:
        self.sides, self.bits, self.numbers = sides, bits, numbers
        self.ranges = sides[0].contexts[0].launch.ranges
        self.is_loose = not bits or sides[0].own_ways != sides[1].own_ways
        self.pool = Pool()

    @cached_property
    def precise(self) -> list[Chain | None]:
        """Both sides over the reals, as far as there are such."""
        return [side.precise(self.pool) for side in self.sides]

    def judgement(self, sizes: Mapping[str, int], fill: Fill, outcomes: list[ChainOutcome], options: Options) -> Judgement:
        """What to think of the differences between two runs."""
        if self.bits:
            return self._unrounded(fill, outcomes)
        return self._precisely(sizes, fill, outcomes, options) or self._widely(sizes, fill, outcomes, options)

    def has_reals(self, accesses: int) -> bool:
        """Whether runs of so many accesses can be made without rounding."""
        return accesses <= MOST_PRECISE and None not in self.precise

    def is_rounding(self, one: Value, two: Value) -> bool:
        """Whether a difference is as small as float arithmetic alone may make it, where that is allowed."""
        if not self.is_loose or not (isinstance(one, float) and isinstance(two, float)):
            return False
        return not self._by_more(np.array([one]), np.array([two]))[0]

    def _by_more(self, one: Cells, two: Cells) -> Mask:
        """Which floats differ by more than their arithmetic alone may make of them."""
        known = np.isfinite(one), np.isfinite(two)
        with np.errstate(invalid="ignore", over="ignore"):
            far = np.abs(one - two) > ROUNDING * np.maximum(1.0, np.maximum(np.abs(one), np.abs(two)))
        more: Mask = known[0] & known[1] & far
        return more | (known[0] != known[1]) if self.numbers else more

    @cached_property
    def watched(self) -> tuple[Watched, list[Chain], bool]:
        """Doubles that see what leaves the reals, both sides on them, and whether a constant leaves them already."""
        values = Watched()
        sides = [side.on(values) for side in self.sides]
        return values, sides, values.has_left

    def defined(self, sizes: Mapping[str, int], fill: Fill, options: Options) -> list[ChainOutcome] | None:
        """Runs of both sides in double precision; None where they leave what is defined over the reals."""
        values, sides, has_left = self.watched
        values.has_left = has_left
        outcomes = [side.run(sizes, fill, self.ranges, options) for side in sides]
        return None if values.has_left else outcomes

    def initial(self, array: Array, index: Numbers, fill: Fill) -> Cells:
        """What memory holds before the runs."""
        return as_cells(fill(array.name, index), array.element, self.ranges.get(array.name))

    def value(self, outcome: ChainOutcome, name: str, cell: int, fill: Fill) -> Value:
        """A cell after a run; where the side has no such array in global memory, it is as it was."""
        if outcome.holder(name) is not None:
            return outcome.value(name, cell)
        found: Value = self.initial(self.array(name), np.array([cell], np.int64), fill)[0].item()
        return found

    def values(self, outcome: ChainOutcome, name: str, cells: Numbers, fill: Fill) -> Cells:
        """The same of many cells."""
        if outcome.holder(name) is not None:
            return outcome.values(name, cells)
        return self.initial(self.array(name), cells, fill)

    def unlike(self, one: Cells, two: Cells) -> tuple[Mask, Mask]:
        """Which of two rows of values differ in bits (one NaN is like another), and by more than rounding should make of them."""
        if one.dtype != two.dtype or one.dtype.kind not in "fiub":
            pairs = list(zip(one.tolist(), two.tolist(), strict=True))
            differ = np.array([not same_value(*pair) for pair in pairs], np.bool_)
            return differ, differ & ~np.array([self.is_rounding(*pair) for pair in pairs], np.bool_)
        if one.dtype.kind != "f":
            differ = one != two
            return differ, differ
        bits = np.dtype(f"u{one.dtype.itemsize}")
        differ = (one.view(bits) != two.view(bits)) & ~(np.isnan(one) & np.isnan(two))
        if not self.is_loose:
            return differ, differ
        return differ, differ & self._by_more(one.astype(np.float64), two.astype(np.float64))

    def array(self, name: str) -> Array:
        """The global array of that name that a side has."""
        return next(array for side in self.sides if (array := side.array(name)) is not None)

    def _unrounded(self, fill: Fill, outcomes: list[ChainOutcome]) -> Judgement:
        """Any difference counts; where functions may agree on a device, what is more than rounding."""
        def judge(name: str, cell: int) -> Told:
            one, two = (self.value(outcome, name, cell, fill) for outcome in outcomes)
            return None if self.is_rounding(one, two) else ()
        return judge

    def _precisely(self, sizes: Mapping[str, int], fill: Fill, outcomes: list[ChainOutcome],
                   options: Options) -> Judgement | None:
        """What differs over the reals counts: nothing where a test cannot be settled; None where runs on real numbers cannot be
        made."""
        if not self.has_reals(sum(outcome.accesses for outcome in outcomes)):
            return None
        try:
            exact = [side.run(sizes, fill, self.ranges, options) for side in self.precise if side is not None]
        except Uncovered:
            return None
        except Unsettled:
            return lambda name, cell: None

        def judge(name: str, cell: int) -> Told:
            array, pool = self.array(name), self.pool
            values: list[Any] = [outcome.value(name, cell) if outcome.holder(name) is not None else
                                 Precise(pool).cells(self.initial(array, np.array([cell]), fill), array.element)[0]
                                 for outcome in exact]
            if not array.element.is_float:
                return () if values[0] != values[1] else None
            one, two = (pool.numbers[int(value)] for value in values)
            return reals.told(one, two) if reals.are_apart(one, two) else None
        return judge

    def _widely(self, sizes: Mapping[str, int], fill: Fill, outcomes: list[ChainOutcome], options: Options) -> Judgement:
        """What differs by more than rounding in double precision, too, counts."""
        wide = [side.wide.run(sizes, fill, self.ranges, options) for side in self.sides]

        def judge(name: str, cell: int) -> Told:
            one, two = (self.value(outcome, name, cell, fill) for outcome in outcomes)
            return None if self.is_rounding(one, two) or self._agree(name, cell, wide, fill) else ()
        return judge

    def _agree(self, name: str, cell: int, wide: list[ChainOutcome], fill: Fill) -> bool:
        """Whether a cell that differs is the same in double precision, up to what that rounds."""
        one, two = (self.value(outcome, name, cell, fill) for outcome in wide)
        if not (isinstance(one, float) and isinstance(two, float)):
            return one == two
        if not (math.isfinite(one) and math.isfinite(two)):
            return same_value(one, two)
        return abs(one - two) <= WIDE_ROUNDING * max(1.0, abs(one), abs(two))
