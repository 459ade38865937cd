"""Looking for a launch at which two kernels differ, smallest first, by running both.

Sizes come from small values that the requirements admit, or from a solver's model; inputs are made up,
no two cells alike. Only what both runs show is reported.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from math import prod

import numpy as np

from automata.arithmetic import Value
from automata.budget import METER, UNLIMITED, Budget
from automata.lang.core import AXES, Array, Quantity, Space
from automata.lang.elaborate.images import may_exist
from automata.lang.exactness import stands_in
from automata.logic import terms as T
from automata.machine.numbers.ascending import ascending
from automata.machine.numbers.values import Mask, Numbers
from automata.machine.running.run import Options
from automata.machine.state.fill import Fill
from automata.machine.state.memory import Cells, Paged
from automata.place import EndlessError
from automata.proof.known.concrete import admitted, is_admitted
from automata.proof.known.evaluation import Evaluation
from automata.proof.witness.filling import Filling
from automata.proof.witness.setting import filled
from automata.scalar import Scalar
from equivalence.chain import Chain, ChainOutcome
from equivalence.inputs import distinct, extremes, near, negative, positive, signs, specials
from equivalence.judging import PRECISE_COST, Judge
from equivalence.minimise import Few, minimised
from equivalence.parting import parted
from equivalence.result import Counterexample, Owner, Parting
from equivalence.spread import smaller, spread

SIZES = {f"{quantity.value}.{axis}" for quantity in (Quantity.BLOCK_DIM, Quantity.GRID_DIM) for axis in AXES}
"""Of b's launch they are told with its name: a's may be numbers that are stated."""
MAX_COMBINATIONS = 20_000
LAUNCH_COST = 100
MOST_CELLS = 16
LOOKED_AT = 400
"""Nanoseconds of work: of each cell that is filled and looked at for a difference."""
MOST_RUNS, FEW_RUNS, MOST_ACCESSES = 64, 8, 4_000_000
"""To make inputs few: runs, how many pay, and accesses of all of them."""
PART = 8
"""Of the work of a look, one of so many parts is for a single run."""
MOST_SMALLER = 40
"""Launches that are run to make sizes less."""
MOST_JOURNAL, MOST_GENERIC = 200_000, 1 << 18
MOST_HELD = 1 << 26
"""Cells of all arrays, as far as they are reached."""


@dataclass(frozen=True, slots=True)
class Trials:
    """How much to try: threads of one launch, threads of all launches together, and seconds of work after which none is begun.
    Threads may have long loops, and no end with contents that nobody would give them: a run takes a part of those seconds, and
    where it is cut off, a look with more of them begins it again. No clock: answers repeat."""

    threads: int
    work: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell that two runs leave different. `reals`: what it would be without rounding, if that was seen."""

    array: str
    cell: int
    one: Value
    two: Value
    outcomes: list[ChainOutcome]
    reals: tuple[str, str] | None = None

    @property
    def accesses(self) -> int:
        return sum(outcome.accesses for outcome in self.outcomes)

    @property
    def is_finite(self) -> bool:
        return math.isfinite(self.one) and math.isfinite(self.two)


class Search:
    """Runs two sides next to each other at concrete sizes."""

    def __init__(self, a: Chain, b: Chain, outputs: tuple[str, ...], *, bits: bool, numbers: bool = False,
                 budget: Budget = UNLIMITED) -> None:
        """`bits`, `numbers`: which differences count (`Judge`). `budget`: of all runs. `rounded`: the outputs of which bits
        differed by what rounding could explain; `rounding`: a cell of the last one."""
        self.bits, self.rounding = bits, ""
        self.rounded: set[str] = set()
        self.sides, self.outputs = (a, b), outputs
        self.judge = Judge(self.sides, bits=bits, numbers=numbers)
        self.contexts = (*a.contexts, *b.contexts)
        self.ranges = self.judge.ranges
        self.tried = self.looked = self.accesses = 0
        self._spread: Iterator[dict[str, int]] | None = None
        self.options, self.given_up = Options(budget=budget), False
        self.share: float | None = None
        self.is_cut, self._cut = False, set[int]()
        self.is_equal_where_defined = False
        self.stands_in = any(stands_in(context.kernel) for context in self.contexts)

    @property
    def evidence(self) -> str:
        """What the runs show, if no difference."""
        if self.stands_in:
            return "products of matrices by fragments have no numbers here, so no difference is shown by runs"
        found = f"no difference in {self.tried} launch{'es' * (self.tried != 1)} that {'was' if self.tried == 1 else 'were'} run"
        if self.given_up:
            found += ", of which some did not end in the rounds or the time that runs are given"
        if self.rounding:
            found += f", but bits of {self.rounding} differ by what rounding could explain"
        return found

    @cached_property
    def candidates(self) -> list[tuple[int, dict[str, int]]]:
        """Small launches and their numbers of threads, fewest threads first."""
        counted = [(self.threads(sizes), sizes) for sizes in islice(admitted(self.contexts), MAX_COMBINATIONS)]
        return sorted(counted, key=lambda one: (one[0], sum(abs(value) for value in one[1].values())))

    @contextmanager
    def _sharing(self, trials: Trials) -> Iterator[Budget]:
        """A look of so much work, of which each run may take a part; runs that are no part of one take what they need."""
        self.share = trials.seconds / PART
        try:
            yield self.options.budget.within(trials.seconds)
        finally:
            self.share = None

    def smallest(self, trials: Trials) -> Counterexample | None:
        """The first difference among small launches that were not run before, in order of their number of threads."""
        with self._sharing(trials) as budget:
            return self._smallest(trials, budget)

    def _smallest(self, trials: Trials, budget: Budget) -> Counterexample | None:
        left, again, self._cut = trials.work, self._cut, set()
        for at, (threads, sizes) in enumerate(self.candidates):
            left -= threads + LAUNCH_COST
            if left < 0 or threads > trials.threads or self.contexts[0].is_late() or budget.is_spent:
                break
            if at >= self.looked or at in again:
                self.looked = max(self.looked, at + 1)
                found = self.at(sizes)
                if found is not None:
                    return found
                if self.is_cut:
                    self._cut.add(at)
        return None

    def spread(self, launches: int, most: Trials) -> Counterexample | None:
        """The first difference among launches spread over the sizes, each with one kind of inputs; of those that were not looked
        at before. `launches`: how many in all; `most`: what they may take."""
        with self._sharing(most) as budget:
            return self._spread_over(launches, most, budget)

    def _spread_over(self, launches: int, most: Trials, budget: Budget) -> Counterexample | None:
        self._spread = self._spread or spread(self.contexts)
        left = most.work
        fills = (distinct(1), near, signs, distinct(2))
        for sizes in islice(self._spread, launches):
            threads = self.threads(sizes)
            if threads > most.threads:
                continue
            left -= threads + LAUNCH_COST
            if left < 0 or self.contexts[0].is_late() or budget.is_spent:
                break
            self.tried += 1
            fill = fills[self.tried % len(fills)]
            if self._is_different(sizes, fill):
                return self._run(self._smaller(sizes, fill), fill)
        return None

    def _smaller(self, sizes: dict[str, int], fill: Fill) -> dict[str, int]:
        """Sizes that show a difference too, smaller where they can be."""
        for tried, take in smaller(self.contexts, sizes, MOST_SMALLER):
            if self._is_different(tried, fill):
                sizes = tried
                take()
        return sizes

    def as_required(self, sizes: Mapping[str, int], fill: Fill) -> Fill:
        """The same inputs, with contents changed to what is required of them."""
        for kept in (found for context in self.contexts if (found := filled(context, sizes)) is not None):
            fill = _kept(kept, fill)
        return fill

    def _is_different(self, sizes: Mapping[str, int], fill: Fill) -> bool:
        try:
            return self._difference(sizes, self.as_required(sizes, fill)) is not None
        except EndlessError:
            self.given_up = True
            return False

    def at(self, sizes: Mapping[str, int]) -> Counterexample | None:
        """A difference at these sizes, if one shows with the inputs tried."""
        self.tried += 1
        self.is_cut = False
        tried = (distinct(1), signs, specials, extremes)
        for fill in tried if self.bits else (distinct(1), near, distinct(2), signs, extremes):
            if fill is extremes and not (self.bits or self.judge.has_reals(self.accesses)):
                continue  # what cancels among values that large is lost in double precision, too
            found = self._run(sizes, fill)
            if found is not None:
                return found
        return None

    def generic(self) -> Counterexample | None:
        """A difference at the one launch of sides that are equal over the reals wherever everything is defined, with inputs like
        no others: of both signs, of one, of the other. Not looked for where runs are long."""
        self.options, self.is_equal_where_defined = replace(self.options, max_accesses=MOST_GENERIC), True
        for fill in (near, positive, negative):
            found = self._run({}, fill)
            if self.given_up:
                return None
            if found is not None:
                return found
        return None

    def fits(self, sizes: Mapping[str, int], trials: Trials) -> bool:
        return is_admitted(self.contexts, sizes) and self.threads(sizes) <= trials.threads

    def threads(self, sizes: Mapping[str, int]) -> int:
        return max(prod(size.at(sizes) or 1 for size in side) for side in self._sizes)

    @cached_property
    def _sizes(self) -> list[list[Evaluation]]:
        """The sizes of the grid and the block of each side: thousands of launches are looked at."""
        sizes = [(quantity, axis) for quantity in (Quantity.GRID_DIM, Quantity.BLOCK_DIM) for axis in AXES]
        return [[Evaluation(context.size(*size)) for size in sizes] for context in self.contexts]

    # -- runs ---------------------------------------------------------------------------------

    def _run(self, sizes: Mapping[str, int], fill: Fill) -> Counterexample | None:
        try:
            fill = self.as_required(sizes, fill)
            found = self._difference(sizes, fill)
            return None if found is None else self._told(found, sizes, fill)
        except EndlessError:
            self.given_up = self.is_cut = True
            return None

    def _difference(self, sizes: Mapping[str, int], fill: Fill) -> Difference | None:
        """The first cell of an output that the runs show to differ."""
        if self.stands_in:
            return None
        budget = self.options.budget
        options = self.options if self.share is None else replace(self.options, budget=budget.within(self.share))
        if self.is_equal_where_defined and self._is_as_proved(sizes, fill, options):
            return None
        outcomes = [side.run(sizes, fill, self.ranges, options) for side in self.sides]
        if not all(outcome.is_sound for outcome in outcomes):
            return None
        self.accesses = sum(outcome.accesses for outcome in outcomes)
        unlike = [(name, cell) for name in self.outputs for cell in self._unlike(name, outcomes, fill)]
        if not unlike:
            return None
        judgement = self.judge.judgement(sizes, fill, outcomes, replace(self.options, shadow=False))
        for name, cell in unlike:
            found = judgement(name, cell)
            if found is not None:
                one, two = (self.judge.value(outcome, name, cell, fill) for outcome in outcomes)
                return Difference(name, cell, one, two, outcomes, found or None)
            self.rounding = f"{name}[{cell}]"
            self.rounded.add(name)
        return None

    def _is_as_proved(self, sizes: Mapping[str, int], fill: Fill, options: Options) -> bool:
        """Whether sides that are equal wherever everything is defined run so in double precision: all of it is defined, and they
        come to the same but for rounding. Whatever floats make of it then is rounding, so they are not run."""
        outcomes = self.judge.defined(sizes, fill, replace(options, shadow=False))
        return outcomes is not None and not any(self._differing(name, outcomes, fill)[1].any() for name in self.outputs)

    def _unlike(self, name: str, outcomes: list[ChainOutcome], fill: Fill) -> list[int]:
        """The first cells that differ: by more than rounding should make of them, then others."""
        array = self._arrays().get(name)
        dims = () if array is None else array.dims
        cells, by_more, differ = self._differing(name, outcomes, fill)
        found = (filter(partial(may_exist, dims=dims), cells[which].tolist()) for which in (by_more, differ & ~by_more))
        return [cell for row in found for cell in islice(row, MOST_CELLS)]

    def _differing(self, name: str, outcomes: list[ChainOutcome], fill: Fill) -> tuple[Numbers, Mask, Mask]:
        """The cells that either side wrote, which of them differ by more than rounding should make of them, and which at all."""
        cells = ascending(*(outcome.cells_written(name) for outcome in outcomes))
        METER.done += cells.size * LOOKED_AT
        one, two = (np.ascontiguousarray(self.judge.values(outcome, name, cells, fill)) for outcome in outcomes)
        differ, by_more = self.judge.unlike(one, two)
        return cells, by_more, differ

    def _told(self, found: Difference, sizes: Mapping[str, int], fill: Fill) -> Counterexample:
        few, again = self._minimised(found, sizes, fill)
        if few is not None and again is not None:
            fill, found = few, again
        shown: dict[str, int | float] = {key if (own := key.removeprefix("b.")) in sizes or own in SIZES else own: value
                                         for key, value in sizes.items()}
        shown |= self._made_up(fill)
        owners = [self._owner(side, found.array, found.cell, sizes, fill) for side in self.sides]
        inputs = self._inputs(found.outcomes, fill) if few is None else self._kept(few)
        return Counterexample(shown, inputs, found.array, found.cell, found.one, found.two, owners[0], owners[1],
                              self._memory(found.outcomes, fill), tuple(side.launched(sizes, fill) for side in self.sides),
                              few is not None, self._partings(found, sizes, fill), found.reals)

    def _minimised(self, found: Difference, sizes: Mapping[str, int], fill: Fill) -> tuple[Few | None, Difference | None]:
        """Few inputs that still show a difference, among numbers if the one found is, and what it is there."""
        runs = min(MOST_RUNS, MOST_ACCESSES // max(1, found.accesses if found.reals is None else found.accesses * PRECISE_COST))
        cells = {name: max(outcome.size(name) for outcome in found.outcomes) for name in self._arrays()}

        def differs(tried: Fill) -> bool:
            other = self._difference(sizes, tried)
            return other is not None and (other.is_finite or not found.is_finite)
        if runs < FEW_RUNS or self._is_spread(found.outcomes):
            return None, None
        try:
            few = minimised(fill, cells, differs, runs)
            return few, None if few is None else self._difference(sizes, few)
        except EndlessError:
            return None, None

    def _kept(self, few: Few) -> dict[str, dict[int, Value]]:
        """The inputs that are not zero."""
        kept = {name: cells[:MOST_CELLS] for name, cells in few.kept.items() if cells.size}
        return {name: dict(zip(kept[name].tolist(), self.judge.initial(array, kept[name], few).tolist(), strict=True))
                for name, array in self._arrays().items() if name in kept}

    def _partings(self, found: Difference, sizes: Mapping[str, int], fill: Fill) -> tuple[Parting | None, Parting | None]:
        if found.accesses > MOST_JOURNAL or self._is_spread(found.outcomes):
            return None, None
        sides = self.sides if self.bits else [side.wide for side in self.sides]
        journals = [side.run(sizes, fill, self.ranges, Options(journal=True)).journal for side in sides]
        return parted(journals, [cells for _, cells in self._memory(found.outcomes, fill).values()],
                      (found.one, found.two))

    def _arrays(self) -> dict[str, Array]:
        """The global arrays of both sides that hold inputs."""
        return {array.name: array for context in reversed(self.contexts) for array in context.kernel.arrays
                if array.space is Space.GLOBAL and array.content is None}

    def _made_up(self, fill: Fill) -> dict[str, int | float]:
        """The float parameters that nobody gave a value."""
        return {param.name: param.type.round(float(fill(param.name, np.zeros(1, np.int64))[0])) for context in self.contexts
                for param in context.kernel.params
                if param.type.is_float and T.constant_value(context.values[param.name]) is None}

    def _owner(self, side: Chain, name: str, cell: int, sizes: Mapping[str, int], fill: Fill) -> Owner | None:
        """Who wrote a cell last on one side: seen by running it again."""
        last = side.run(sizes, fill, self.ranges, Options(watched=frozenset({(name, cell)}))).last_write(name, cell)
        return Owner(last.actor, last.place) if last is not None else None

    def _memory(self, outcomes: list[ChainOutcome], fill: Fill) -> dict[str, tuple[Scalar, Cells]]:
        """Every global array that either side reached, as it was before the runs; nothing if that is too much to hold."""
        if self._is_spread(outcomes):
            return {}
        sizes = {name: max(outcome.size(name) for outcome in outcomes) for name in self._arrays()}
        return {name: (array.element, self.judge.initial(array, np.arange(sizes[name]), fill))
                for name, array in self._arrays().items()}

    def _is_spread(self, outcomes: list[ChainOutcome]) -> bool:
        """Whether the cells that were reached lie far apart."""
        return sum(max(outcome.size(name) for outcome in outcomes) for name in self._arrays()) > MOST_HELD

    def _inputs(self, outcomes: list[ChainOutcome], fill: Fill) -> dict[str, dict[int, Value]]:
        """The first cells of every global array, as they were before the run."""
        found: dict[str, dict[int, Value]] = {}
        for array in self.contexts[0].kernel.arrays:
            if array.space is Space.GLOBAL:
                touched = ascending(*(_reached(outcome, array.name) for outcome in outcomes))[:8]
                found[array.name] = dict(zip(touched.tolist(), self.judge.initial(array, touched, fill).tolist(), strict=True))
        return found


def _kept(kept: Filling, fill: Fill) -> Fill:
    return lambda name, index: np.asarray(kept.values(name, index, fill(name, index), {}), np.float64)


def _reached(outcome: ChainOutcome, name: str) -> Numbers:
    """Some indices of an array that a run reached: those written, or the start of what was read."""
    written = outcome.written(name)
    if written:
        return np.array(sorted(written), np.int64)
    holder = outcome.holder(name)
    buffer = None if holder is None else holder.buffers[name]
    if isinstance(buffer, Paged):
        return buffer.indices(np.arange(min(8, buffer.cells.size)))
    return np.arange(min(8, buffer.cells.size) if buffer else 0)
