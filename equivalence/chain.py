"""One side of a comparison at concrete sizes: a kernel, or several that run one after another on the same memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from automata.arithmetic import Value
from automata.lang.core import Array, Space
from automata.lang.exactness import own_ways
from automata.machine.numbers.ascending import ascending
from automata.machine.numbers.values import Numbers, Values
from automata.machine.running.run import Options, Program
from automata.machine.state.fill import Fill, as_cells
from automata.machine.state.memory import PAGE, Cells, Dense, Initial, Paged
from automata.machine.state.outcome import Outcome, Touch, Written
from automata.proof.known.context import Context
from automata.proof.witness.analysis import Line
from automata.proof.witness.setting import setting_at
from equivalence.precise import Pool, Precise, covers
from equivalence.result import Launched
from equivalence.wide import Wide

Held = Callable[[str, Numbers], Cells | None]
"""What an array of that name holds at some indices; None where no stage has it."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One kernel of a side, ready to run on numbers. `unwrapped`: the lines at which nothing is assumed to wrap."""

    context: Context
    program: Program
    unwrapped: frozenset[Line] = frozenset()

    def on(self, values: Values) -> Stage:
        """The same on other numbers."""
        return Stage(self.context, Program(self.program.automaton, values, watch=False), self.unwrapped)

    def breaks_assumptions(self, outcome: Outcome) -> bool:
        """Whether a signed integer overflowed in a run where it is assumed not to."""
        return bool(self.unwrapped) and any((event.place.file, event.place.line) in self.unwrapped
                                            for event in outcome.overflows)


@dataclass
class ChainOutcome:
    """What all stages of a side left behind, first to last. `is_spoken_of`: nothing wrapped that is assumed not to."""

    outcomes: list[Outcome] = field(default_factory=list)
    is_spoken_of: bool = True

    @property
    def journal(self) -> list[Written]:
        """All writes, if they were kept."""
        return [entry for outcome in self.outcomes for entry in outcome.journal]

    @property
    def accesses(self) -> int:
        return sum(outcome.accesses for outcome in self.outcomes)

    @property
    def is_sound(self) -> bool:
        """Whether the runs mean anything: nothing outside an array, no operation without a value, no divergence, and nothing
        that wraps where that is ruled out."""
        return self.is_spoken_of and not any(outcome.divergences or outcome.out_of_bounds or outcome.undefined
                                             for outcome in self.outcomes)

    def size(self, name: str) -> int:
        """How many elements of an array the stages have reached, or state."""
        sizes = [0]
        for outcome in self.outcomes:
            buffer = outcome.buffers.get(name)
            if isinstance(buffer, Dense):
                sizes.append(buffer.size)
            elif isinstance(buffer, Paged) and buffer.used:
                sizes.append(int(buffer.indices(np.arange(buffer.used * PAGE)).max()) + 1)
        return max(sizes)

    def holder(self, name: str) -> Outcome | None:
        """The last outcome that has an array."""
        return next((outcome for outcome in reversed(self.outcomes) if name in outcome.buffers), None)

    def value(self, name: str, cell: int) -> Value:
        holder = self.holder(name)
        assert holder is not None
        found: Value = holder.value(name, cell)
        return found

    def values(self, name: str, cells: Numbers) -> Cells:
        """Cells of an array that a stage has."""
        holder = self.holder(name)
        assert holder is not None
        slots, inside = holder.buffers[name].slots(cells, None)
        assert inside is None, "cells that were written are inside"
        found: Cells = holder.buffers[name].cells[slots]
        return found

    def cells_written(self, name: str) -> Numbers:
        """The flat indices of an array that some stage writes, in order."""
        found = [outcome.cells_written(name) for outcome in self.outcomes if name in outcome.written]
        return ascending(*found) if found else np.zeros(0, np.int64)

    def written(self, name: str) -> set[int]:
        """The flat indices of an array that some stage writes."""
        return {cell for outcome in self.outcomes if name in outcome.written for cell in outcome.contents(name)}

    def last_write(self, name: str, cell: int) -> Touch | None:
        """The last write of a cell that was watched."""
        for outcome in reversed(self.outcomes):
            for touch in reversed(outcome.touches.get((name, cell), [])):
                if touch.is_write:
                    return touch
        return None


def held_after(outcome: Any, before: Held | None) -> Held:
    """What memory holds after a stage, over what it held before."""

    def held(name: str, index: Numbers) -> Cells | None:
        buffer: Dense | Paged | None = outcome.buffers.get(name)
        if buffer is None:
            return None if before is None else before(name, index)
        slots, inside = buffer.slots(index, None)
        if inside is None:
            return buffer.cells[slots]
        earlier = None if before is None else before(name, index)
        found = np.zeros(index.size, buffer.cells.dtype) if earlier is None else earlier
        found[inside] = buffer.cells[slots]
        return found
    return held


@dataclass
class Chain:
    """A side that runs at sizes still to be given."""

    stages: Sequence[Stage]

    @property
    def contexts(self) -> tuple[Context, ...]:
        return tuple(stage.context for stage in self.stages)

    @cached_property
    def wide(self) -> Chain:
        """The same in double precision."""
        return self.on(Wide())

    @cached_property
    def own_ways(self) -> frozenset[str]:
        """The functions it calls whose values a device may round in its own way."""
        return frozenset[str]().union(*(own_ways(context.kernel) for context in self.contexts))

    def on(self, values: Values) -> Chain:
        """The same on other numbers."""
        return Chain([stage.on(values) for stage in self.stages])

    def precise(self, pool: Pool) -> Chain | None:
        """The same over the reals; None where that cannot be."""
        if not all(covers(context.kernel) for context in self.contexts):
            return None
        return self.on(Precise(pool))

    def array(self, name: str) -> Array | None:
        """The global array of that name that some stage has."""
        return next((array for context in self.contexts for array in context.kernel.arrays
                     if array.name == name and array.space is Space.GLOBAL), None)

    def launched(self, sizes: Mapping[str, int], fill: Fill) -> tuple[Launched, ...]:
        """How the stages are launched at these sizes."""
        found = []
        for stage in self.stages:
            setting, kernel = setting_at(stage.context, sizes, fill), stage.context.kernel
            kinds = {param.name: param.type for param in kernel.params}
            shared = [array for array in kernel.arrays if array.space is Space.SHARED and array.dims == (None,)]
            found.append(Launched(kernel.name, setting.grid, setting.block, kernel.order,
                                  {name: (value, kinds[name]) for name, value in setting.scalars.items()}, kernel,
                                  setting.extents,
                                  sum(setting.extents.get(array.name, 0) * array.element.bytes for array in shared)))
        return tuple(found)

    def run(self, sizes: Mapping[str, int], fill: Fill, ranges: Mapping[str, tuple[int, int]],
            options: Options | None = None) -> ChainOutcome:
        """All stages at these sizes, on memory filled so."""
        found, held = ChainOutcome(), None
        for stage in self.stages:
            initial = _over(held, fill, ranges, stage.program.values)
            setting = replace(setting_at(stage.context, sizes, fill, ranges), initial=initial)
            outcome = stage.program.run(setting, options)
            found.outcomes.append(outcome)
            found.is_spoken_of &= not stage.breaks_assumptions(outcome)
            held = held_after(outcome, held)
        return found


def _over(held: Held | None, fill: Fill, ranges: Mapping[str, tuple[int, int]], values: Values) -> Initial:
    def initial(array: Array, index: Numbers) -> Cells:
        found = None if held is None else held(array.name, index)
        if found is not None:
            return found
        return values.cells(as_cells(fill(array.name, index), array.element, ranges.get(array.name)), array.element)
    return initial
